"""The single passes of verifier/baseline/passes.py beside the same in PyTorch's operators, on a GPU: equal results on random tensors of odd sizes,
and how much faster they are on a large one (medians of five, in one run).

    gpu_passes.py [--elements N]
"""

import argparse
import pathlib
import statistics
import sys
import time

import torch

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "verifier" / "baseline"))
import passes

PART = 1 << 26
SIZES = (1, 2, 3, 7, 1023, 1024, 1025, 16383, 16384, 16385, 100_003)
REALS = (torch.float64, torch.float32, torch.float16, torch.bfloat16)
INTEGERS = (torch.int64, torch.int32, torch.int8, torch.uint8, torch.bool)


def plain_digest(tensor, keys):
    data, total = tensor.reshape(-1).view(torch.uint8), 0
    whole = data.numel() // 8 * 8
    words = data[:whole].view(torch.int64)
    for at in range(0, words.numel(), PART):
        part = words[at:at + PART]
        weights = torch.arange(at, at + part.numel(), dtype=torch.int64, device=part.device) * keys[0] + keys[1]
        weights ^= weights >> 29
        total += ((part ^ keys[2]) * (weights | 1)).sum()
    rest = sum((byte + 1) * (keys[0] * (at + 1) | 1) for at, byte in enumerate(data[whole:].tolist()))
    return (int(total) + rest) & (1 << 64) - 1


def plain_apart(values, others):
    others = others.to(values.dtype)
    difference = (others - values).abs()
    finite = difference.isfinite()
    return difference.masked_fill(~finite, 0).max().item(), bool((values.isfinite() & ~others.isfinite()).any())


def plain_first_wrong(got, exact, relative=0.0, absolute=0.0, also=None, of_got=False):
    if exact.is_floating_point():
        got = got.to(exact.dtype)
        size = got if of_got else exact
        right = (got == exact) | (((got - exact).abs() <= relative * size.abs() + absolute) & exact.isfinite() & got.isfinite())
        if not of_got:
            right |= exact.isnan() & got.isnan()
        if also is not None:
            right |= also & ~got.isfinite()
    else:
        right = got == exact
        if also is not None:
            right |= got == also
    return None if right.all() else int((~right.view(-1)).to(torch.uint8).argmax())


def spoiled(x, generator):
    """The tensor with some values that are infinite or NaN."""
    flat = x.reshape(-1)
    for value in (float("inf"), float("-inf"), float("nan")):
        flat[torch.randint(0, flat.numel(), (1 + flat.numel() // 50,), generator=generator, device=x.device)] = value
    return x


def compare(device="cuda", sizes=SIZES):
    """The number of results that were equal. Raises AssertionError at the first that wasn't."""
    generator = torch.Generator(device).manual_seed(7)
    count = 0

    def same(what, got, wanted):
        nonlocal count
        count += 1
        assert got == wanted, f"{what}: {got} instead of {wanted}"

    for size in sizes:
        keys = [int(one) | 1 for one in torch.randint(0, 1 << 62, (3,), generator=generator, device=device)]
        for dtype in (torch.float32, torch.float16, torch.uint8):
            x = torch.randint(0, 200, (size,), generator=generator, device=device).to(dtype)
            same(f"digest of {size} {dtype}", passes.digest(x, keys), plain_digest(x, keys))
            x[size // 2] += 1
            same(f"digest of {size} changed {dtype}", passes.digest(x, keys), plain_digest(x, keys))
        for dtype in REALS:
            exact = torch.randn(size, generator=generator, device=device, dtype=torch.float64)
            got = exact.to(dtype) + torch.randn(size, generator=generator, device=device).to(dtype) * 1e-3
            for spoil in (False, True):
                one, other = (spoiled(exact.clone(), generator), spoiled(got.clone(), generator)) if spoil else (exact, got)
                same(f"apart of {size} {dtype}", passes.apart(one, other), plain_apart(one, other))
                also = one.isfinite() & ~other.isfinite()
                for relative, absolute in ((0.0, 0.0), (1e-3, 3e-3), (0.0, 2e-2), (1.0, 1.0)):
                    for more in (None, also):
                        same(f"first wrong of {size} {dtype}", passes.first_wrong(other, one, relative, absolute, more), plain_first_wrong(other, one, relative, absolute, more))
                    single = one.float()
                    same(f"KernelBench's of {size} {dtype}", passes.first_wrong(other, single, relative, absolute, of_got=True),
                         plain_first_wrong(other, single, relative, absolute, of_got=True))
        for dtype in INTEGERS:
            exact = torch.randint(0, 2 if dtype == torch.bool else 100, (size,), generator=generator, device=device).to(dtype)
            got = exact.clone()
            same(f"equal {dtype}", passes.first_wrong(got, exact), None)
            got[size // 3] = ~got[size // 3] if dtype == torch.bool else got[size // 3] + 1
            same(f"first wrong of {size} {dtype}", passes.first_wrong(got, exact), plain_first_wrong(got, exact))
            same(f"also right of {size} {dtype}", passes.first_wrong(got, exact, also=got), plain_first_wrong(got, exact, also=got))
    return count


def median_ms(work):
    seconds = []
    for _ in range(5):
        torch.cuda.synchronize()
        began = time.perf_counter()
        work()
        torch.cuda.synchronize()
        seconds.append(time.perf_counter() - began)
    return 1e3 * statistics.median(seconds)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--elements", type=int, default=1 << 29)
    count = parser.parse_args().elements
    print(f"{compare()} results are equal")
    exact = torch.randn(count, device="cuda", dtype=torch.float64)
    got, keys = exact.float(), [12345678901, 98765432109, 555555555]
    print(f"{count} elements, f32 beside f64     a pass    PyTorch, ms   ratio")
    for name, work, plain in (("digest", lambda: passes.digest(got, keys), lambda: plain_digest(got, keys)),
                              ("apart", lambda: passes.apart(exact, got), lambda: plain_apart(exact, got)),
                              ("first_wrong", lambda: passes.first_wrong(got, exact, 1e-6, 1e-6), lambda: plain_first_wrong(got, exact, 1e-6, 1e-6))):
        work()
        ours, theirs = median_ms(work), median_ms(plain)
        print(f"{name:36} {ours:8.2f}    {theirs:8.2f}    {theirs / ours:6.1f}")


if __name__ == "__main__":
    main()
