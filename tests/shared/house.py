"""What a house weighs and who stands on whom, counted from its files: the numbers that `test_house.py` holds down."""

from __future__ import annotations

import ast
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from importlib.util import resolve_name
from pathlib import Path

DEFINED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
EXPORTED = re.compile(r"^#\| *export", re.M)
HIDDEN = re.compile(r"^#\| *hide\b", re.M)
IMPORTS = re.compile(r"(from|import|if TYPE_CHECKING|\)|    |#|$)")  # how the lines of a cell of imports begin


def modules_in(package: Path) -> dict[str, Path]:
    "The modules of a package, by their names within it; what nbdev writes for itself is none"
    paths = [path for path in package.rglob("*.py") if path.name != "_modidx.py"]
    return {".".join(path.relative_to(package).with_suffix("").parts): path for path in paths}


def trees(package: Path) -> dict[str, ast.Module]:
    return {name: ast.parse(path.read_text("utf-8")) for name, path in modules_in(package).items()}


# Weight: syntax nodes, so that a line broken in two weighs nothing; what types and imports say is not counted
def counted(parent: ast.AST) -> Iterator[ast.AST]:
    "The children of a node but for annotations, imports and __all__"
    for field, value in ast.iter_fields(parent):
        for child in value if isinstance(value, list) else [value]:
            is_list = isinstance(child, ast.Assign) and getattr(child.targets[0], "id", "") == "__all__"
            is_apart = field in ("annotation", "returns") or is_list or isinstance(child, ast.Import | ast.ImportFrom)
            if isinstance(child, ast.AST) and not is_apart:
                yield child


def weight(tree: ast.AST) -> int:
    return 1 + sum(weight(child) for child in counted(tree))


def own_weight(statement: ast.AST) -> int:
    "The nodes of a statement without the statements in it"
    inside = [child for child in ast.iter_child_nodes(statement) if not isinstance(child, ast.stmt)]
    return 1 + sum(map(own_weight, inside))


def densities(tree: ast.AST) -> list[int]:
    "The nodes of each statement that does something: definitions, imports and docstrings do not"
    found = [node for node in ast.walk(tree) if isinstance(node, ast.stmt)]
    found = [node for node in found if not isinstance(node, (*DEFINED, ast.Import, ast.ImportFrom))]
    return [own_weight(x) for x in found if not (isinstance(x, ast.Expr) and isinstance(x.value, ast.Constant))]


# Names: a public class or function stands in one module
def doubles(parsed: dict[str, ast.Module]) -> dict[str, list[str]]:
    "The public names that are defined in two modules or more, and where"
    places: dict[str, list[str]] = defaultdict(list)
    for module, tree in parsed.items():
        for name in {node.name for node in tree.body if isinstance(node, DEFINED)}:
            places[name] += [module] * (not name.startswith("_"))
    return {name: sorted(found) for name, found in sorted(places.items()) if len(found) > 1}


# Imports: wherever they are made
def imports(name: str, tree: ast.Module, package: str, names: Iterable[str]) -> set[str]:
    "The modules that a module imports, at its top, in a function, by `import_module` or by `Late`"
    folder = f"{package}.{name}".rpartition(".")[0]
    found: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            start = resolve_name("." * node.level + (node.module or ""), folder)
            found += [start, *(f"{start}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in ("Late", "import_module"):
            found += [resolve_name(str(x.value), folder) for x in node.args[:1] if isinstance(x, ast.Constant)]
    return {module.removeprefix(f"{package}.") for module in found} & {*names} - {name}


def circles(edges: dict[str, set[str]]) -> list[list[str]]:
    "The groups of modules that reach each other"
    reached: dict[str, set[str]] = {}
    for start in edges:
        seen: set[str] = set()
        coming = [*edges[start]]
        while coming:
            module = coming.pop()
            if module not in seen:
                seen.add(module)
                coming += edges[module]
        reached[start] = seen
    groups = {tuple(sorted(x for x in reached[name] if name in reached[x])) for name in edges if name in reached[name]}
    return sorted(map(list, groups))


# Literacy: what is told beside each line of code
def told(pages: Iterable[Path]) -> dict[Path, tuple[int, int, int]]:
    "The words, the lines of lessons and the exported lines of notebooks"
    counts = {}
    for page in pages:
        words = lessons = exported = 0
        for cell in json.loads(page.read_text("utf-8"))["cells"]:
            source = "".join(cell["source"])
            code = [line for line in source.splitlines() if line.strip() and not line.strip().startswith("#|")]
            if cell["cell_type"] == "markdown":
                words += len(re.findall(r"\w+", re.sub(r"\$[^$]*\$", "", source)))
            elif cell["cell_type"] == "code" and EXPORTED.search(source):
                exported += 0 if all(IMPORTS.match(line) for line in code) else len(code)
            elif cell["cell_type"] == "code" and not HIDDEN.search(source) and "nbdev_export" not in source:
                lessons += len(code)
        counts[page] = (words, lessons, exported)
    return counts
