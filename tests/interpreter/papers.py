"""Compiles the papers of experiments/*.trl, with results of the fake worker: at most four pages, and no line over the margin.

    papers.py TRL FAKE_WORKER ROOT [NAME…]     NAME: of the files; by default all. Of what the fake worker can't run, and of what needs
                                               data that isn't here, the draft is compiled
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

COMPLAINTS = ("Overfull \\hbox", "Missing character", "Reference `", "multiply defined", "Float too large")
MOST_PAGES = 4


def wrong_with(paper):
    """What is wrong with the paper in this folder; nothing if nothing is."""
    for _ in range(2):
        done = subprocess.run(["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper"], cwd=paper, capture_output=True, check=False)
    said = done.stdout.decode("utf-8", "replace")
    if done.returncode != 0:
        return said[-600:]
    for complaint in COMPLAINTS:
        if complaint in said:
            return said[said.index(complaint):][:300]
    pages = int(re.search(r"Output written on paper\.pdf \((\d+) page", said).group(1))
    return f"it has {pages} pages" if pages > MOST_PAGES else None


def main():
    trl, worker, root = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    names = sys.argv[4:] or sorted(file.stem for file in (root / "experiments").glob("*.trl"))
    if not shutil.which("pdflatex"):
        sys.exit("pdflatex isn't here: apt-get install texlive-latex-recommended")
    problems = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        for name in names:
            words = [root / "experiments" / f"{name}.trl", "--store", folder / "store", "--out", folder / name]
            environment = {**os.environ, "TRL_WORKER": worker}
            ran = subprocess.run([trl, "run", *words, "-q"], env=environment, capture_output=True, check=False)
            told = subprocess.run([trl, "paper", *words], capture_output=True, text=True, check=False)
            papers = sorted((folder / name).glob("*/paper"))
            if told.returncode not in (0, 1) or not papers or (ran.returncode == 0) != (told.returncode == 0):
                problems.append(f"{name}: {told.stderr}")
            for paper in papers:
                wrong = wrong_with(paper)
                print(f"{name}: {'draft' if told.returncode else 'paper'} of {paper.parent.name}: {wrong or 'fine'}", flush=True)
                if wrong:
                    problems.append(f"{name}: {wrong}")
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
