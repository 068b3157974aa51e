"""What answers in the form of TorchInductor's output use beside PyTorch's public functions.

KernelBook's answers have this form: kernels with Inductor's helpers, and a wrapper of a few private functions of PyTorch.
"""

import sys
import types

import torch

ALGORITHMS = "torch._inductor.select_algorithm"


def blocks(numel, block):
    return 1 if numel is None else numel if block is None else -(-numel // block)


def grid(*numels):
    """Returns the grid of a launch over (z, y, x) elements in blocks of XBLOCK, YBLOCK, ZBLOCK, computed as PyTorch did
    up to 2.6."""
    x, y, z = (*reversed(numels), None, None)[:3]

    def of_blocks(meta):
        columns, rows = blocks(x, meta.get("XBLOCK", 1)), blocks(y, meta.get("YBLOCK"))
        if z is not None:
            return columns, rows, blocks(z, meta.get("ZBLOCK"))
        layers = blocks(rows, 65535)  # CUDA's largest second dimension
        return columns, blocks(rows, layers), layers

    return of_blocks


def split_scan_grid(xnumel, rnumel):
    """Returns the grid of a scan over parts of rows, computed as PyTorch did up to 2.6."""
    return lambda meta: (blocks(rnumel, meta.get("RBLOCK", 1)), xnumel, 1)


class Kernels:
    """Stands for `extern_kernels`, the framework's own kernels by name. The recorder refuses kernels that compute."""

    convolution = staticmethod(torch.convolution)

    def __getattr__(self, name):
        return getattr(torch, name)


def load():
    """Loads Inductor's helpers, and adds functions that are missing in this PyTorch."""
    from torch._inductor.runtime import triton_helpers, triton_heuristics  # noqa: F401

    triton_heuristics.grid, triton_heuristics.split_scan_grid = grid, split_scan_grid


def install():
    """Replaces functions that would need a GPU."""
    guards = torch._C._dynamo.guards
    guards._empty_strided_cuda = lambda size, stride, dtype: torch.empty_strided(size, stride, dtype=dtype, device="cuda")
    guards._reinterpret_tensor = lambda tensor, size, stride, offset=0: torch.as_strided(
        tensor, size, stride, tensor.storage_offset() + offset)


def install_for(source):
    """Loads the helpers for answers that name them, and replaces the module of `extern_kernels`, which takes a second to import."""
    if "torch._inductor" in source:
        load()
    if ALGORITHMS in source:
        sys.modules[ALGORITHMS] = types.ModuleType(ALGORITHMS)
        sys.modules[ALGORITHMS].extern_kernels = Kernels()
