"""MLIR with the dialects of Triton and NVIDIA. Loading them takes a sixth of the time of a kernel, so a zygote does it once for its children."""

import functools


@functools.cache
def context():
    from triton._C.libtriton import ir, nvidia

    made = ir.context()
    ir.load_dialects(made)
    nvidia.load_dialects(made)
    return made
