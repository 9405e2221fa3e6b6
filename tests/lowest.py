"""Print the lowest version of everything `settings.ini` says the package runs with, as `name==version` for pip."""

import re
from configparser import ConfigParser
from pathlib import Path

RUN_TIME = ("requirements", *(f"{extra}_requirements" for extra in ("fast", "stats", "plots", "widgets", "sql")))


def lowest() -> list[str]:
    "The floors, each once; without one there would be nothing to test"
    ini = ConfigParser(delimiters=["="])
    ini.read(Path(__file__).parents[1] / "settings.ini", encoding="utf-8")
    named = " ".join(ini["DEFAULT"][key] for key in RUN_TIME).split()
    if loose := [word for word in named if not re.fullmatch(r"[\w.-]+>=[\d.]+", word)]:
        raise SystemExit(f"settings.ini gives {', '.join(loose)} no lowest version: write name>=version")
    return sorted({word.replace(">=", "==") for word in named})


if __name__ == "__main__":
    print(*lowest(), sep="\n")
