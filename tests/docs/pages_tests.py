"""What the pages repeat of the programs: README.md's experiment and its figures, the commands and columns of docs/study.md.

    pages_tests.py ROOT TRL
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile


def run(trl, *arguments):
    done = subprocess.run([trl, *map(str, arguments)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{arguments}: {done.stdout}{done.stderr}"
    return done.stdout


def stage_keys(trl, file, folder):
    plan = run(trl, "plan", file, "--json", "--store", pathlib.Path(folder) / "store")
    return set(re.findall(r'"key": ?"([0-9a-f]{64})"', plan))


def test_readme_shows_the_ablation(root, trl):
    """The experiment in README.md checks, and has the stages of experiments/ablation.trl, whose run gave the table."""
    text = re.search(r"^```trl two_checks\.trl\n(.*?)^```", (root / "README.md").read_text(), re.MULTILINE | re.DOTALL)[1]
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "two_checks.trl"
        file.write_text(text)
        assert run(trl, "check", file).strip().endswith("two_checks.trl is fine")
        keys = stage_keys(trl, file, folder)
        assert keys, "a plan has stages"
        assert keys == stage_keys(trl, root / "experiments/ablation.trl", folder), "README.md's experiment has other stages"


def test_readme_has_the_figures_of_the_picture(root, trl):
    """Each row of README.md's table stands in docs/ablation.svg with the same figures, intervals and order."""
    # Pictures have the arrow of print.
    drawn = [text.replace("&gt;", ">").replace("→", "->") for text in re.findall(r">([^<>\n]+)</text>", (root / "docs/ablation.svg").read_text())]
    rows = re.findall(r"^\| (?!row|---)([^|]+) \|(.*\d.*)\|$", (root / "README.md").read_text(), re.MULTILINE)
    assert len(rows) == 6, rows
    for name, cells in rows:
        begin = drawn.index(name) + 1
        rest = iter(drawn[begin:])
        for figure in re.findall(r"\[[^\]]*\]|[\d.]+", cells):
            assert any(text == figure or text.startswith(figure + " (") for text in rest), f"{name}: {figure} isn't in docs/ablation.svg"


def test_study_lists_commands_and_columns(root, trl):
    page = (root / "docs/study.md").read_text()
    commands = re.findall(r"^  ([a-z]+) {2,}\S", run(trl, "--help").split("Subcommands:")[1].split("Examples:")[0], re.MULTILINE)
    assert len(commands) > 20, commands
    for command in commands:
        assert re.search(rf"^\| `trl {command}\b", page, re.MULTILINE), f"docs/study.md has no row for `trl {command}`"
    for command in re.findall(r"^\| `trl ([a-z]+)", page, re.MULTILINE):
        assert command in commands, f"there is no command {command}"
    words = json.loads(run(trl, "docs", "--format", "json"))
    table = next(kind for kind in words["kinds"] if kind["name"] == "table")
    columns = next(field for field in table["fields"] if field["name"] == "columns")["values"]
    columns += [function["name"] for function in words["functions"] if function["result"] == "column"]
    listed = re.search(r"^\| column \|.*?\n\n", page, re.MULTILINE | re.DOTALL)[0]
    first_cells = " ".join(row.split("|")[1] for row in listed.splitlines()[2:] if row)
    names = set(re.findall(r"[a-z_]+(?=\(| |,|$)", first_cells))
    assert set(columns) == names, f"docs/study.md's columns are off: {set(columns) ^ names}"


def main():
    root, trl = pathlib.Path(sys.argv[1]), sys.argv[2]
    tests = [value for name, value in globals().items() if name.startswith("test_")]
    for test in tests:
        test(root, trl)
    print(f"{len(tests)} tests")


if __name__ == "__main__":
    main()
