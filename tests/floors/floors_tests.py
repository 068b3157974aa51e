"""Holds every #include of the programs against floors.txt, which says what each room and each folder may know.

    floors_tests.py ROOT
"""
import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


def read_floors(text):
    """Rooms and folders, each with the names that its line lists, in the file's order."""
    rooms, floors = {}, {}
    for line in text.splitlines():
        line = line.split("#")[0].strip()
        if not line:
            continue
        name, rest = line.split(":", 1)
        of = rooms if name.startswith("room ") else floors
        name, below = name.removeprefix("room "), rest.split()
        if name in of or len(set(below)) < len(below):
            raise SystemExit(f"floors.txt: the line of {name} stands twice, or names a folder twice")
        of[name] = below
    return rooms, floors


def room_of(folder):
    return folder.split("/", 1)[0]


def order_problems(floors):
    """What the file itself says wrongly: a room or floor that isn't below, or isn't there."""
    seen = set()
    for name, below in floors.items():
        for other in below:
            if other not in seen:
                yield f"floors.txt: {name} names {other}, which doesn't stand above it in the file"
        seen.add(name)


def room_problems(rooms, floors):
    """Folders that know a room which their own room doesn't, and arrows between rooms that nothing takes."""
    taken = set()
    for folder, below in floors.items():
        room = room_of(folder)
        if room not in rooms:
            yield f"floors.txt: {folder} is in no room"
            continue
        for other in map(room_of, below):
            if other != room and other not in rooms[room]:
                yield f"floors.txt: {folder} knows a folder of {other}, which the room {room} may not know"
            taken.add((room, other))
    for room, below in rooms.items():
        for other in below:
            if (room, other) not in taken:
                yield f"floors.txt: nothing of {room} includes anything of {other}; take it out of its line"


def include_problems(root, rooms, floors):
    used = {folder: set() for folder in floors}
    for top in rooms:
        for file in sorted((root / top).rglob("*")):
            if file.suffix not in (".cpp", ".hpp", ".cu"):
                continue
            folder = file.parent.relative_to(root).as_posix()
            if folder not in floors:
                yield f"{file.relative_to(root)}: floors.txt has no line for its folder"
                continue
            for match in INCLUDE.finditer(file.read_text(errors="replace")):
                other = pathlib.PurePosixPath(match[1]).parent.as_posix()
                if other == folder or not (root / match[1]).is_file():
                    continue
                used[folder].add(other)
                if other not in floors[folder]:
                    yield f"{file.relative_to(root)} includes {match[1]}: {folder} may not know {other}"
    for folder, below in floors.items():
        for other in below:
            if other not in used[folder]:
                yield f"floors.txt: {folder} doesn't include {other}; take it out of its line"


def self_test():
    """The checks above find what they are for."""
    rooms, floors = read_floors("room a:\nroom b: a  # why\na/x:\nb/y: a/x\nb/z: b/y a/x")
    assert not list(order_problems(rooms)) and not list(order_problems(floors)), "what is in order is let alone"
    assert not list(room_problems(rooms, floors)), "arrows that are declared and taken are let alone"
    assert list(order_problems(read_floors("a: b\nb:")[1])), "a floor above is found"
    assert list(room_problems({"a": [], "b": []}, floors)), "an arrow between rooms that isn't declared is found"
    assert list(room_problems(rooms, {"a/x": [], "b/y": []})), "an arrow between rooms that nothing takes is found"
    assert list(room_problems(rooms, {"c/x": []})), "a folder in no room is found"


def main():
    root = pathlib.Path(sys.argv[1])
    self_test()
    rooms, floors = read_floors((pathlib.Path(__file__).parent / "floors.txt").read_text())
    problems = [*order_problems(rooms), *order_problems(floors), *room_problems(rooms, floors), *include_problems(root, rooms, floors)]
    for problem in problems:
        print(problem)
    arrows = sum(map(len, rooms.values()))
    print(f"{len(rooms)} rooms, {arrows} arrows between them, {len(floors)} folders, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
