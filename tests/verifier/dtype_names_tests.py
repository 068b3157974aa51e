"""Names of dtypes that Python has to repeat, against the table of base/operators/dtype.hpp.

    dtype_names_tests.py SOURCE
"""

import collections
import os
import re
import sys
import unittest

import torch

SOURCE = sys.argv[1]
for folder in ("recorder", "zygote", "baseline", "kernelbench"):
    sys.path.append(os.path.join(SOURCE, "verifier", folder))

Row = collections.namedtuple("Row", "element torch aten safetensors kind bytes")


def table():
    """{name: Row}"""
    with open(os.path.join(SOURCE, "base/operators/dtype.hpp")) as file:
        text = file.read()
    row = r'\{"(\w+)",\s*ElementType::(\w+),\s*"(\w+)",\s*"(\w+)",\s*"(\w+)",\s*Dtype::Kind::(\w+),\s*(\d+),'
    return {name: Row(*rest, int(width)) for name, *rest, width in re.findall(row, text)}


TABLE = table()
OF_PLANS = {name: row for name, row in TABLE.items() if name != "bool"}
OF_TASKS = {name: row for name, row in TABLE.items() if name not in ("i1", "u16", "u32", "u64")}


def of_torch(row):
    return getattr(torch, row.torch)


class Names(unittest.TestCase):
    def test_the_table_is_pytorchs(self):
        self.assertEqual(len(TABLE), 16)
        for name, row in TABLE.items():
            self.assertEqual(of_torch(row).itemsize, row.bytes, name)
            self.assertEqual(of_torch(row).is_floating_point, row.kind in ("floating", "storage"), name)

    def test_the_recorder_has_those_of_plans(self):
        import launch_trace
        self.assertEqual(launch_trace.DTYPES, {of_torch(row): name for name, row in OF_PLANS.items()})

    def test_extensions_have_the_numbers_of_c10(self):
        import cuda_extension
        with open(os.path.join(os.path.dirname(torch.__file__), "include/torch/headeronly/core/ScalarType.h")) as file:
            numbers = {name: int(number) for name, number in re.findall(r"_\([\w:]+, (\w+)\)\s*/\* (\d+) \*/", file.read())}
        self.assertEqual(cuda_extension.TYPES, {numbers[row.aten]: of_torch(row) for row in OF_PLANS.values()})

    def test_tritons_names_have_the_widths(self):
        import fake_gpu
        import triton.language as tl
        for name, seen in fake_gpu.SEEN_AS.items():
            self.assertEqual(tl.dtype(name).primitive_bitwidth, 1 if seen == "i1" else 8 * TABLE[seen].bytes, name)
            self.assertEqual(tl.dtype(name).is_floating(), TABLE[seen].kind in ("floating", "storage"), name)
        self.assertEqual(set(fake_gpu.SEEN_AS.values()), set(OF_PLANS))

    def test_the_baseline_has_those_of_tasks(self):
        import baseline
        self.assertEqual(baseline.DTYPES, {name: of_torch(row) for name, row in OF_TASKS.items()})

    def test_foreign_tasks_have_those_of_tasks(self):
        import reference
        import static_module
        computed = {name: row for name, row in OF_TASKS.items() if row.kind != "storage"}
        self.assertEqual(reference.NAMES, {of_torch(row): row.safetensors for row in computed.values()})
        self.assertLessEqual({row.torch: name for name, row in computed.items()}.items(), static_module.DTYPES.items())
        for alias, name in static_module.DTYPES.items():
            if name != "c64":  # which the language lacks
                self.assertIs(getattr(torch, alias), of_torch(TABLE[name]), alias)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
