"""Holds every place that opens a file for reading against opened_files.txt. All others read by base/support/reading.hpp, which
refuses pipes, devices, links out of a folder and files without bound.

    opened_files_tests.py ROOT
"""
import pathlib
import re
import sys

ROOMS = ("base", "language", "interpreter", "verifier", "runtime")
OPENS = {
    ".cpp": re.compile(r"std::i?fstream|\bfopen\s*\(|\bopenat2?\s*\(|\bopen\s*\([^;]*?\bO_RD(ONLY|WR)\b"),
    ".py": re.compile(r"\b(?<![.\w])open\s*\(|\bos\.(fd)?open\s*\(|\.read_(text|bytes)\s*\("),
}
OPENS[".hpp"] = OPENS[".cpp"]


def read_list(text):
    """Files with their reasons."""
    return dict(map(str.strip, line.split(":", 1)) for line in text.splitlines() if line and not line.startswith("#"))


def opens(suffix, text):
    return bool(OPENS[suffix].search(text))


def problems(listed, found):
    for file in sorted(found - listed.keys()):
        yield f"{file} opens a file: read it by base/support/reading.hpp (in Python by `opened` of verifier/kernelbench/rows.py)"
    for file in sorted(listed.keys() - found):
        yield f"opened_files.txt: {file} opens no file for reading; take it out"


def self_test():
    """The check finds what it is for."""
    for text in ("std::ifstream in(file);", "fopen(name, mode)", "::open(file.c_str(),\n  O_RDONLY | O_CLOEXEC)", "int d = open(p, O_RDWR);"):
        assert opens(".cpp", text), text
    for text in ("read_text(file)", "::open(file.c_str(), O_WRONLY | O_CREAT)", "std::ofstream out(file);", "server.open(document)"):
        assert not opens(".cpp", text), text
    for text in ("with open(file) as text:", "path.read_text()", "os.open(file, flags)"):
        assert opens(".py", text), text
    assert not opens(".py", "rows.opened(file)") and not opens(".py", "connection.open(1)")
    assert list(problems({}, {"a"})) and list(problems({"a": "why"}, set())) and not list(problems({"a": "why"}, {"a"}))


def main():
    root = pathlib.Path(sys.argv[1])
    self_test()
    listed = read_list((pathlib.Path(__file__).parent / "opened_files.txt").read_text())
    found = {
        file.relative_to(root).as_posix()
        for room in ROOMS
        for file in (root / room).rglob("*")
        if file.suffix in OPENS and opens(file.suffix, file.read_text(errors="replace"))
    }
    wrong = list(problems(listed, found))
    for problem in wrong:
        print(problem)
    print(f"{len(found)} files open files, {len(wrong)} problems")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
