"""Candidates can import Python's standard library and the modules that importable.txt lists, whatever else is installed.

A verdict must not depend on packages that somebody installed for another purpose, so this hides them from every import of the process,
those of torch included.
"""

import os
import re
import sys
import sysconfig
from importlib.machinery import PathFinder
from importlib.metadata import DistributionFinder


def listed():
    """Returns importable.txt as {distribution: its modules}."""
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "importable.txt")) as file:
        return {name: modules.split() for name, _, modules in (line.partition(":") for line in file if not line.startswith("#"))}


DISTRIBUTIONS = listed()
MODULES = {module for modules in DISTRIBUTIONS.values() for module in modules}


class Finder(PathFinder):
    """Finds modules on sys.path as Python does. Modules that aren't listed are only looked for in folders that aren't
    hidden."""

    hidden = frozenset()

    @classmethod
    def find_spec(cls, fullname, path=None, target=None):
        if path is None and fullname not in MODULES:
            path = [folder for folder in sys.path if folder not in cls.hidden]
        return super().find_spec(fullname, path, target)

    @classmethod
    def find_distributions(cls, context=None):
        context = context or DistributionFinder.Context()
        for name in DISTRIBUTIONS:
            if context.name is None or re.sub(r"[-_.]+", "_", context.name).lower() == name:
                yield from super().find_distributions(DistributionFinder.Context(name=name, path=context.path))


def install(own):
    """Hides the modules that importable.txt doesn't list, in all folders of sys.path except those of the standard
    library and `own`."""
    standard = {sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")}
    Finder.hidden = frozenset(sys.path) - standard - {os.path.join(folder, "lib-dynload") for folder in standard} - set(own)
    # When Python starts, files of an environment can install their own finders and import modules.
    visible = MODULES | sys.stdlib_module_names
    sys.meta_path[:] = [Finder if finder is PathFinder else finder for finder in sys.meta_path
                        if finder.__module__.partition(".")[0] in visible]
    for name, module in list(sys.modules.items()):
        folder = os.path.dirname(getattr(module, "__file__", None) or "")
        if name.partition(".")[0] not in visible and any(folder == one or folder.startswith(one + os.sep) for one in Finder.hidden):
            del sys.modules[name]
