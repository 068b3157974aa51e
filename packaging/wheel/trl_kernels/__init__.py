"""trl, a language for experiments in reinforcement learning of models that write GPU kernels. The command is trl-lang.

This package is also the client of `trl-lang serve`, the verifier as a service, and has adapters for trainers: trl_kernels.hf_trl,
trl_kernels.verl, trl_kernels.verifiers and trl_kernels.openenv. docs/integrations.md has a complete file for each.
"""

import importlib.util
from typing import Any

from trl_kernels.asynchronous import AsyncClient
from trl_kernels.client import Client
from trl_kernels.errors import Refused, Unavailable, Unjudged, VerifierError
from trl_kernels.records import Reward, Task, Verdict

__all__ = ["AsyncClient", "Client", "Refused", "Reward", "Task", "Unavailable", "Unjudged", "VerifierError", "Verdict"]

# `verifiers` looks for a package's environment among these names (`vf-eval trl-kernels`). They are
# only imported when they are asked for.
_OF_VERIFIERS = ["KernelEnv", "KernelTaskset"]
if importlib.util.find_spec("verifiers"):
    __all__.extend(_OF_VERIFIERS)


def __getattr__(name: str) -> Any:
    if name in _OF_VERIFIERS:
        from trl_kernels import verifiers

        return getattr(verifiers, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
