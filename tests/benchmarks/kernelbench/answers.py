"""Reads the answers to KernelBench's tasks, and makes of each its wrong twin.

    answers.py                says what is wrong with the files of answers/, if anything
    answers.py --twins FOLDER writes the twins to FOLDER/level1/, FOLDER/level2/, …, under the same names
"""
import argparse
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
MARK = "#: wrong | "


def read(path):
    """An answer's text, and its twin's: the one change that a line `#: wrong | text | replacement` of its head names.

    The twin has the answer's lines at the same places, but not the line that says what is wrong with it.
    """
    text = path.read_text()
    lines = text.split("\n")
    marked = [number for number, line in enumerate(lines) if line.startswith(MARK)]
    if len(marked) != 1:
        raise ValueError(f"{path}: {len(marked)} lines begin with `{MARK.strip()}`, and there must be one")
    parts = lines[marked[0]].removeprefix(MARK).split(" | ")
    if len(parts) != 2 or parts[0] == parts[1]:
        raise ValueError(f"{path}:{marked[0] + 1}: a text and another one for it are wanted, with ` | ` between them")
    lines[marked[0]] = "#"
    rest = "\n".join(lines)
    if rest.count(parts[0]) != 1:
        raise ValueError(f"{path}:{marked[0] + 1}: the text is there {rest.count(parts[0])} times, and must be once: {parts[0]}")
    return text, rest.replace(parts[0], parts[1])


def language(text):
    """The language of an answer's kernels."""
    return "cuda" if "load_inline" in text else "triton"


def answers(folder=HERE / "answers"):
    """All answers as (level, number of the task, path), in order."""
    found = [(path.parent.name, int(path.name.split("_")[0]), path) for path in folder.glob("level*/*.py")]
    return sorted(found)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--twins", type=pathlib.Path, metavar="FOLDER", help="where the wrong twins are written")
    folder = arguments.parse_args().twins
    problems, languages = [], {}
    for level, _, path in answers():
        try:
            text, twin = read(path)
            for one in (text, twin):
                compile(one, str(path), "exec")
        except (ValueError, SyntaxError) as error:
            problems.append(str(error))
            continue
        languages[language(text)] = languages.get(language(text), 0) + 1
        if folder:
            (folder / level).mkdir(parents=True, exist_ok=True)
            (folder / level / path.name).write_text(twin)
    print("\n".join([*problems, ", ".join(f"{count} in {name}" for name, count in sorted(languages.items()))]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
