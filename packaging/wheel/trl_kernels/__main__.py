"""`python -m trl_kernels`: what the command trl-lang does, with this Python, wherever the package lies."""

import os
import sys

from trl_kernels import command
from trl_kernels.libraries import torch_libraries

HOME = os.path.dirname(os.path.abspath(__file__))


def main():
    if sys.argv[1:2] in (["install-command"], ["uninstall-command"]):
        return command.main(sys.argv[1:])
    environment = dict(os.environ, TRL_HOME=HOME)
    environment.setdefault("TRL_PYTHON", sys.executable)
    libraries = torch_libraries()
    if libraries and not os.path.exists(os.path.join(HOME, "..", "torch", "lib", "libtorch_cpu.so")):
        environment["LD_LIBRARY_PATH"] = ":".join(filter(None, [libraries, environment.get("LD_LIBRARY_PATH")]))
    program = os.path.join(HOME, "bin", "trl")
    os.execve(program, [program, *sys.argv[1:]], environment)


sys.exit(main())
