"""Single passes over tensors of many GB on the GPU: a checksum, how far values are from others, and the first that is wrong.

Each program of a kernel reduces its elements to one number, and PyTorch reduces these, so that nothing depends on an order.
tests/benchmarks/runner/gpu_passes.py has the same in PyTorch's operators, and compares.
"""

import torch
import triton
import triton.language as tl

BLOCK, REPEATS = 1024, 16  # elements of a program at a time, and how many times


def _programs(count):
    return triton.cdiv(count, BLOCK * REPEATS)


@triton.jit
def _finite(x):
    return tl.abs(x) < float("inf")


@triton.jit
def _digest_kernel(words, keys, sums, count, BLOCK: tl.constexpr, REPEATS: tl.constexpr):
    first, second, third = tl.load(keys), tl.load(keys + 1), tl.load(keys + 2)
    total = tl.zeros([BLOCK], tl.int64)
    for step in range(REPEATS):
        at = (tl.program_id(0).to(tl.int64) * REPEATS + step) * BLOCK + tl.arange(0, BLOCK)
        weight = at * first + second
        weight ^= weight >> 29
        word = tl.load(words + at, mask=at < count, other=0)
        total += tl.where(at < count, (word ^ third) * (weight | 1), 0)
    tl.store(sums + tl.program_id(0), tl.sum(total, axis=0))


def digest(tensor, keys):
    """Returns a checksum of a tensor's bytes under three secret keys. The chance that a change goes unnoticed is about
    2^-60."""
    data = tensor.reshape(-1).view(torch.uint8)
    count = data.numel() // 8
    total = 0
    if count:
        sums = torch.empty(_programs(count), dtype=torch.int64, device=data.device)
        _digest_kernel[(len(sums),)](data[:8 * count].view(torch.int64), torch.tensor(keys, device=data.device), sums, count, BLOCK, REPEATS)
        total = int(sums.sum())
    rest = sum((byte + 1) * (keys[0] * (at + 1) | 1) for at, byte in enumerate(data[8 * count:].tolist()))
    return (total + rest) & (1 << 64) - 1


@triton.jit
def _apart_kernel(values, others, most, lost, count, BLOCK: tl.constexpr, REPEATS: tl.constexpr):
    largest = tl.zeros([BLOCK], values.dtype.element_ty)
    ends = tl.zeros([BLOCK], tl.int32)
    for step in range(REPEATS):
        at = (tl.program_id(0).to(tl.int64) * REPEATS + step) * BLOCK + tl.arange(0, BLOCK)
        one = tl.load(values + at, mask=at < count, other=0.0)
        other = tl.load(others + at, mask=at < count, other=0.0).to(one.dtype)
        apart = tl.abs(other - one)
        largest = tl.maximum(largest, tl.where(_finite(apart), apart, 0.0))
        ends |= (_finite(one) & ~_finite(other)).to(tl.int32)
    tl.store(most + tl.program_id(0), tl.max(largest, axis=0))
    tl.store(lost + tl.program_id(0), tl.max(ends, axis=0))


def apart(values, others):
    """Returns the largest finite difference of two tensors of real numbers, and whether `others` has an infinity or NaN
    where `values` has none."""
    values, others, count = values.reshape(-1), others.reshape(-1), values.numel()
    if not count:
        return 0.0, False
    most = torch.empty(_programs(count), dtype=values.dtype, device=values.device)
    lost = torch.empty(_programs(count), dtype=torch.int32, device=values.device)
    _apart_kernel[(len(most),)](values, others, most, lost, count, BLOCK, REPEATS)
    return most.max().item(), bool(lost.any())


@triton.jit
def _wrong_kernel(got, exact, also, bounds, first, count, REAL: tl.constexpr, ALSO: tl.constexpr, OF_GOT: tl.constexpr, BLOCK: tl.constexpr, REPEATS: tl.constexpr):
    lowest = tl.full([BLOCK], 0x7FFFFFFFFFFFFFFF, tl.int64)
    for step in range(REPEATS):
        at = (tl.program_id(0).to(tl.int64) * REPEATS + step) * BLOCK + tl.arange(0, BLOCK)
        inside = at < count
        one = tl.load(exact + at, mask=inside, other=0)
        other = tl.load(got + at, mask=inside, other=0).to(one.dtype)
        right = one == other
        if REAL:
            relative, absolute = tl.load(bounds).to(one.dtype), tl.load(bounds + 1).to(one.dtype)
            size = tl.abs(other) if OF_GOT else tl.abs(one)
            right |= (tl.abs(other - one) <= absolute + relative * size) & _finite(one) & _finite(other)
            if not OF_GOT:
                right |= (one != one) & (other != other)
        if ALSO:
            more = tl.load(also + at, mask=inside, other=0)
            if REAL:
                right |= (more != 0) & ~_finite(other)
            else:
                right |= other == more.to(one.dtype)
        lowest = tl.minimum(lowest, tl.where(inside & ~right, at, 0x7FFFFFFFFFFFFFFF))
    tl.store(first + tl.program_id(0), tl.min(lowest, axis=0))


def _loaded(x):
    """Returns the tensor in a dtype that a kernel can load."""
    x = x.reshape(-1)
    if x.dtype == torch.bool:
        return x.view(torch.uint8)
    return x.to(torch.float32) if x.is_floating_point() and x.itemsize == 1 else x


def first_wrong(got, exact, relative=0.0, absolute=0.0, also=None, of_got=False):
    """The index of the first element of `got` that isn't right; None if all are.

    Right is what equals `exact`, and of real numbers what is no further from it than `absolute` and `relative` times its size (that of `got`
    with `of_got`), and NaN for NaN (not with `of_got`). `also` says of real numbers where infinities and NaN are right as well, and of
    integers which others are.
    """
    count, real = exact.numel(), exact.is_floating_point()
    if not count:
        return None
    got, exact = _loaded(got), _loaded(exact)
    bounds = torch.tensor([relative, absolute], dtype=torch.float64, device=exact.device)
    first = torch.empty(_programs(count), dtype=torch.int64, device=exact.device)
    _wrong_kernel[(len(first),)](got, exact, exact if also is None else _loaded(also), bounds, first, count, real, also is not None, of_got, BLOCK, REPEATS)
    lowest = int(first.min())
    return lowest if lowest < count else None
