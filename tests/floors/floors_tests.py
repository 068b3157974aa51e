"""Holds every #include of the programs against floors.txt, which says what each folder may know.

    floors_tests.py ROOT
"""
import pathlib
import re
import sys

TOPS = ("headers", "ground", "contract", "operators", "language", "language_server", "interpreter", "runtime")
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


def read_floors(text):
    """Folder → (folders below it, folders that it knows both ways), in the file's order."""
    floors = {}
    for line in text.splitlines():
        line = line.split("#")[0].strip()
        if not line:
            continue
        folder, rest = line.split(":", 1)
        both = re.search(r"\(both ways ([^)]*)\)", rest)
        floors[folder] = (re.sub(r"\([^)]*\)", "", rest).split(), both.group(1).split() if both else [])
    return floors


def order_problems(floors):
    """What the file itself says wrongly: a floor that isn't below, or isn't there."""
    seen = set()
    for folder, (below, both) in floors.items():
        for other in below:
            if other not in seen:
                yield f"floors.txt: {folder} names {other}, which doesn't stand above it in the file"
        for other in both:
            if other not in floors or other in seen:
                yield f"floors.txt: {folder} knows {other} both ways, which must stand below it in the file"
        seen.add(folder)


def include_problems(root, floors):
    used = {folder: set() for folder in floors}
    for top in TOPS:
        for file in sorted((root / top).rglob("*")):
            if file.suffix not in (".cpp", ".hpp", ".cu"):
                continue
            folder = file.parent.relative_to(root).as_posix()
            if folder not in floors:
                yield f"{file.relative_to(root)}: floors.txt has no line for its folder"
                continue
            below, both = floors[folder]
            for match in INCLUDE.finditer(file.read_text(errors="replace")):
                other = pathlib.PurePosixPath(match[1]).parent.as_posix()
                if other == folder or not (root / match[1]).is_file():
                    continue
                used[folder].add(other)
                if other not in below and other not in both:
                    yield f"{file.relative_to(root)} includes {match[1]}: {folder} may not know {other}"
    for folder, (below, both) in floors.items():
        for other in [*below, *both]:
            if other not in used[folder]:
                yield f"floors.txt: {folder} doesn't include {other}; take it out of its line"


def self_test():
    """The checks above find what they are for."""
    assert list(order_problems(read_floors("a: b\nb:"))), "a floor above is found"
    assert list(order_problems(read_floors("b:\na: (both ways b)"))), "a lower floor that is called both ways is found"
    assert not list(order_problems(read_floors("b: (both ways a)\na: b  # why"))), "what is in order is let alone"


def main():
    root = pathlib.Path(sys.argv[1])
    self_test()
    floors = read_floors((pathlib.Path(__file__).parent / "floors.txt").read_text())
    problems = [*order_problems(floors), *include_problems(root, floors)]
    for problem in problems:
        print(problem)
    print(f"{len(floors)} folders, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
