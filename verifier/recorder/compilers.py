"""PyTorch's own compilers, TorchDynamo and TorchInductor. They take as long to import as the rest of PyTorch, and few answers use them.

So torch._dynamo is a module that is loaded when something asks for it. PyTorch asks it to protect its own functions from being traced, by
`torch._dynamo.disable`; as long as the module isn't loaded, nothing is traced, and these functions stay as they are.
"""

import importlib
import importlib.util
import sys
import types

import torch
from torch.utils._python_dispatch import _disable_current_modes

DYNAMO = "torch._dynamo"
PROTECTED = "__dynamo_disable"  # the attribute in which PyTorch keeps what `disable` gave for a function


class Deferred(types.ModuleType):
    """Stands for torch._dynamo before it is loaded: has its configuration, and `disable` as PyTorch itself calls it."""

    unprotected = []  # the functions that `disable` left as they are

    def disable(self, fn=None, recursive=True, **more):
        if fn is None or more.get("wrapping", True):  # an answer calls it
            return self.load().disable(fn, recursive, **more)
        Deferred.unprotected.append(fn)
        return fn

    def load(self):
        self.__class__ = types.ModuleType
        self.__path__ = self.__spec__.submodule_search_locations
        with _disable_current_modes():
            self.__spec__.loader.exec_module(self)
        for fn in Deferred.unprotected:  # PyTorch asks again for each
            vars(fn).pop(PROTECTED, None)
        return self

    def __getattr__(self, name):
        # Without a path, none of its other modules is imported before it is loaded itself.
        if name.startswith("__") and name != "__path__":
            raise AttributeError(name)
        return getattr(self.load(), name)


def defer():
    """Installs the deferred module. Must be called before anything imports torch._dynamo."""
    module = importlib.util.module_from_spec(importlib.util.find_spec(DYNAMO))
    module.__class__ = Deferred
    sys.modules[DYNAMO] = torch._dynamo = module
    importlib.import_module(DYNAMO + ".config")
    del module.__path__


def load():
    """Loads the modules that answers use if they name one of the compilers."""
    import inductor

    if isinstance(torch._dynamo, Deferred):
        torch._dynamo.load()
    inductor.load()
