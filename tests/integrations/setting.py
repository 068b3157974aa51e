"""What tests with real trainers share: the files of docs/integrations.md, the real service, environments, and a small model behind a server."""

import contextlib
import os
import pathlib
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

HERE = pathlib.Path(__file__).parent
SOURCE = HERE.parent.parent
PACKAGE = SOURCE / "packaging/wheel"
ENVIRONMENTS = pathlib.Path(os.environ.get("TRL_TRAINERS", SOURCE / "build/trainers"))
# The status by which ctest knows that a test was skipped.
SKIPPED = 77


def python_of(name):
    """The Python of a trainer's environment. Without one the test is skipped."""
    python = ENVIRONMENTS / name / "bin/python"
    if not python.exists():
        print(f"skipped: there is no {python}; tests/integrations/environments {name} makes it")
        sys.exit(SKIPPED)
    return python


def write_files(folder):
    """Writes the files that docs/integrations.md shows into a folder."""
    page = (SOURCE / "docs/integrations.md").read_text()
    for name, text in re.findall(r"^```\w+ (\S+)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        (folder / name).write_text(text)


def run(*command, folder, **environment):
    """Runs a program and gives its output; a program that fails ends the test, with its output."""
    ran = subprocess.run(
        [str(word) for word in command], cwd=folder, env={**os.environ, "PYTHONPATH": str(PACKAGE), "CUDA_VISIBLE_DEVICES": "", **environment},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=500,
    )  # fmt: skip
    assert ran.returncode == 0, f"{command} ended with {ran.returncode}:\n{ran.stdout[-6000:]}"
    return ran.stdout


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


@contextlib.contextmanager
def started(*command, folder, ready, **environment):
    """A program that runs until the block ends, from the time on at which the address `ready` answers with 200."""
    log = folder / f"{pathlib.Path(str(command[0])).name}-{free_port()}.log"
    with log.open("w") as output:
        child = subprocess.Popen(
            [str(word) for word in command], cwd=folder, env={**os.environ, "PYTHONPATH": str(PACKAGE), "CUDA_VISIBLE_DEVICES": "", **environment},
            stdout=output, stderr=subprocess.STDOUT,
        )  # fmt: skip
    try:
        while not answers(ready):
            assert child.poll() is None, f"{command} ended with {child.returncode}:\n{log.read_text()[-3000:]}"
            time.sleep(0.1)
        yield
    finally:
        child.terminate()
        child.wait()


def answers(url):
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            return answer.status == 200
    except (OSError, urllib.error.URLError):
        return False


@contextlib.contextmanager
def service(trl, folder):
    """The address of the real `trl serve` with the page's file."""
    url = f"http://127.0.0.1:{free_port()}"
    command = (trl, "serve", "served.trl", "--port", url.rsplit(":", 1)[1], "--slots", "1", "--store", folder / "store")
    with started(*command, folder=folder, ready=url + "/readyz", OMP_NUM_THREADS="1"):
        yield url


def small_model(python, folder, url):
    """The folder of a tiny Qwen2 that writes kernels for the service's first task, some of them right."""
    sys.path.insert(0, str(PACKAGE))
    from trl_kernels import Client

    (folder / "prompt.txt").write_text(Client(url).task("level1/1").prompt)
    run(python, HERE / "tiny_model.py", folder / "tiny", folder / "prompt.txt", folder=folder)
    return folder / "tiny"


@contextlib.contextmanager
def model_server(python, folder):
    """The address of an API like OpenAI's, at which the small model `tiny` answers."""
    import relay

    port = free_port()
    command = (python, "-m", "transformers.cli.transformers", "serve", "tiny", "--port", port, "--host", "127.0.0.1", "--device", "cpu", "--dtype", "float32")
    with started(*command, folder=folder, ready=f"http://127.0.0.1:{port}/health"), relay.running(port) as url:
        yield url
