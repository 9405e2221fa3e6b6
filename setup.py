"""Everything is in settings.ini; this file only hands it to setuptools."""

import re
from configparser import ConfigParser
from pathlib import Path

from setuptools import find_packages, setup

here = Path(__file__).parent
ini = ConfigParser(delimiters=["="])
ini.read(here / "settings.ini", encoding="utf-8")
cfg = ini["DEFAULT"]
lib = cfg["lib_path"]
blob = f"{cfg['git_url']}/blob/{cfg['branch']}/"
readme = (here / "README.md").read_text(encoding="utf-8")
if cfg["doc_host"]:  # the repository is public, and an index can link to its files
    readme = re.sub(r"\]\((?!https?:)([^)]+)", rf"]({blob}\1", readme).replace(".svg)", ".svg?raw=true)")
site = f"{cfg['doc_host']}{cfg['doc_baseurl']}/"
urls = {"Documentation": site, "Repository": cfg["git_url"]} if cfg["doc_host"] else {}
stages = ["Planning", "Pre-Alpha", "Alpha", "Beta", "Production/Stable", "Mature", "Inactive"]

setup(
    name=cfg["lib_name"],
    version=cfg["version"],
    description=cfg["description"],
    long_description=readme,
    long_description_content_type="text/markdown",
    author=cfg["author"],
    license_expression=cfg["license"],
    license_files=["LICENSE"],
    keywords=cfg["keywords"].split(),
    project_urls=urls,
    python_requires=">=" + cfg["min_python"],
    packages=find_packages(include=[lib, f"{lib}.*"]),
    package_data={lib: cfg["package_data"].split()},
    install_requires=cfg["requirements"].split(),
    extras_require={
        key.removesuffix("_requirements"): value.split() for key, value in cfg.items() if key.endswith("_requirements")
    },
    entry_points={
        "console_scripts": [f"ndcg = {lib}.hood.reports.cli:main"],
        "nbdev": [f"{lib}={lib}._modidx:d"],  # other nbdev projects can link to these names
    },
    classifiers=[
        f"Development Status :: {cfg['status']} - {stages[int(cfg['status']) - 1]}",
        f"Intended Audience :: {cfg['audience']}",
        f"Natural Language :: {cfg['language']}",
        "Programming Language :: Python :: 3",
        "Topic :: Scientific/Engineering :: Information Analysis",
        "Typing :: Typed",
    ],
)
