"""What candidates can import, by verifier/recorder/importable.txt, against what is installed, pinned, and named in keys.

    importable_tests.py SOURCE TRL
"""

import importlib.metadata
import os
import re
import subprocess
import sys
import unittest

SOURCE, TRL = sys.argv[1], sys.argv[2]
sys.path.insert(0, os.path.join(SOURCE, "verifier/recorder"))
import importable  # noqa: E402

BASIS = ("torch", "triton", "numpy", "packaging")  # the others are what these require
BUNDLED = {"setuptools"}  # Python brings it


def normalised(name):
    return re.sub(r"[-_.]+", "_", name).lower()


def required(names):
    """{distribution} that these require, directly or not, on this machine."""
    found, left = set(), list(names)
    while left:
        name = normalised(left.pop())
        if name in found:
            continue
        found.add(name)
        for text in importlib.metadata.requires(name) or []:
            wanted, _, condition = text.partition(";")
            try:
                installed = normalised(re.match(r"[\w.-]+", wanted).group())
                importlib.metadata.version(installed)
            except importlib.metadata.PackageNotFoundError:
                continue
            if "extra" not in condition:
                left.append(installed)
    return found


def gpu_library(name):
    return name.startswith(("nvidia_", "cuda_"))


class Importable(unittest.TestCase):
    def setUp(self):
        self.installed = {name: importlib.metadata.version(name) for name in importable.DISTRIBUTIONS}

    def test_the_list_is_what_its_basis_requires(self):
        self.assertEqual(set(importable.DISTRIBUTIONS), {name for name in required(BASIS) if not gpu_library(name)} | {"triton"})

    def test_modules_are_those_of_the_distributions(self):
        of = importlib.metadata.packages_distributions()
        for distribution, modules in importable.DISTRIBUTIONS.items():
            for module in modules:
                self.assertIn(distribution, [normalised(one) for one in of[module]])
        missing = {module for module, owners in of.items() for owner in owners
                   if normalised(owner) in importable.DISTRIBUTIONS and module.isidentifier() and module not in importable.MODULES}
        self.assertLessEqual(missing, {"debian"})  # a folder of Debian's setuptools

    def test_each_is_pinned_to_what_is_installed(self):
        with open(os.path.join(SOURCE, "requirements.txt")) as file:
            pinned = dict(line.strip().split("==") for line in file if not line.startswith("#"))
        del pinned["matplotlib"]  # draws reports' pictures, and can't be imported
        self.assertEqual({normalised(name): version for name, version in pinned.items()},
                         {name: version.partition("+")[0] for name, version in self.installed.items() if name not in BUNDLED})

    def test_keys_name_what_is_installed(self):
        said = subprocess.run([TRL, "version"], capture_output=True, text=True, check=True).stdout.splitlines()
        named = dict(one.split(" ") for line in said if ": " in line for one in line.partition(": ")[2].split(", "))
        self.assertEqual(named, {"python": f"{sys.version_info.major}.{sys.version_info.minor}", **self.installed})


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
