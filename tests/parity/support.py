"""Shared by the parity tests: skipping, running the probe, running a stage."""
import importlib
import json
import pathlib
import subprocess
import sys

PROBE, WORKER = sys.argv[1], sys.argv[2]


def need(*modules):
    """Imports the modules; exits with ctest's skip code when one is missing."""
    found = []
    for name in modules:
        try:
            found.append(importlib.import_module(name))
        except ImportError as error:
            print(f"skipped: {error}")
            sys.exit(77)
    return found


def probe(*arguments):
    subprocess.run([PROBE, *map(str, arguments)], check=True)


def stage(folder: pathlib.Path, name: str, spec: dict, inputs: dict, output: pathlib.Path) -> dict:
    """Runs one stage of the worker and returns its summary."""
    request = folder / f"{name}.request.json"
    request.write_text(json.dumps(dict(id=1, stage=name, spec=spec, inputs={k: str(v) for k, v in inputs.items()},
                                       output=str(output))))
    done = subprocess.run([WORKER, "--stage", str(request)], stdout=subprocess.PIPE, text=True)
    last = json.loads(done.stdout.splitlines()[-1])
    assert last["event"] == "done", last
    return last["summary"]


def close(name, got, want, tolerance):
    """Asserts that the largest difference relative to the largest value is below the tolerance, and returns it."""
    error = float((got - want).abs().max() / want.abs().max().clamp_min(1e-6))
    assert got.shape == want.shape and error < tolerance, f"{name}: relative error {error:.2e}"
    return error
