"""Programs of this project that benchmarks on a GPU time: where they are, and what they print."""
import json
import os
import pathlib
import subprocess
import sys


def default_program(name):
    """The built program of that name: of the package, or of the build folder."""
    root = pathlib.Path(__file__).resolve().parents[2]
    home = pathlib.Path(os.environ.get("TRL_HOME", root))
    found = [f for f in (home / "bin" / name, root / "build/release/bin" / name) if f.exists()]
    return str(found[0]) if found else sys.exit(f"{pathlib.Path(sys.argv[0]).name}: no {name} found: name it as the argument")


def lines_of(program, *words):
    """The lines of JSON that a program prints; what it says of a failure is printed."""
    done = subprocess.run([program, *words], capture_output=True, text=True)
    if done.returncode:
        print(f"{pathlib.Path(sys.argv[0]).name}: {' '.join(words)}: {done.stderr.strip()[:300]}", flush=True)
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
