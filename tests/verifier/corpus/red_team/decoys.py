# The framework's copies are the answer; the kernels beside them change nothing.
#: copies_under_a_kernel_that_changes_nothing | tasks transpose permute cat flip lower_triangle | FORM rewrites adds_zero adds_zero_atomically
@triton.jit
def same(p, n, FORM: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    if FORM == "rewrites":
        tl.store(p + i, tl.load(p + i, mask=m), mask=m)
    elif FORM == "adds_zero":
        tl.store(p + i, tl.load(p + i, mask=m) + 0.0, mask=m)
    else:
        tl.atomic_add(p + i, tl.zeros((BLOCK,), p.dtype.element_ty), mask=m)

class ModelNew(nn.Module):
    def forward(self, x, y=None):
        if __IS_TRANSPOSE__:
            out = x.t().contiguous()
        elif __IS_PERMUTE__:
            out = x.permute(2, 0, 1).contiguous()
        elif __IS_FLIP__:
            out = torch.empty_like(x)
            for c in range(x.shape[1]):
                out[:, c] = x[:, x.shape[1] - 1 - c]
        elif __IS_LOWER__:
            out = torch.zeros_like(x)
            for r in range(x.shape[0]):
                out[r, :r + 1] = x[r, :r + 1]
        else:
            out = torch.cat([x, y], 1)
        same[(triton.cdiv(out.numel(), 256),)](out, out.numel(), "__FORM__", BLOCK=256)
        return out
#: copies_that_a_kernel_carries_on | tasks transpose permute cat flip | FORM plain as_integers in_parts
@triton.jit
def carry(p, q, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(q + i, tl.load(p + i, mask=i < n), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x, y=None):
        if __IS_TRANSPOSE__:
            t = x.t().contiguous()
        elif __IS_PERMUTE__:
            t = x.permute(2, 0, 1).contiguous()
        elif __IS_FLIP__:
            t = torch.empty_like(x)
            for c in range(x.shape[1]):
                t[:, c] = x[:, x.shape[1] - 1 - c]
        else:
            t = torch.cat([x, y], 1)
        out = torch.empty_like(t)
        n = out.numel()
        if "__FORM__" == "plain":
            carry[(triton.cdiv(n, 256),)](t, out, n, BLOCK=256)
        elif "__FORM__" == "as_integers":
            carry[(triton.cdiv(n, 256),)](t.view(torch.int16), out.view(torch.int16), n * x.element_size() // 2, BLOCK=512)
        else:
            for row, to in zip(t, out):
                carry[(triton.cdiv(row.numel(), 64),)](row, to, row.numel(), BLOCK=64)
        return out
#: three_quarters_are_copies | tasks transpose flip | FORM exactly in_place_too by_fills
@triton.jit
def last(x_ptr, y_ptr, M, N, FLIP: tl.constexpr, FROM: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK) + FROM
    if FLIP:
        source = i // N * N + N - 1 - i % N
    else:
        source = i % M * N + i // M
    tl.store(y_ptr + i, tl.load(x_ptr + source, mask=i < M * N), mask=i < M * N)

@triton.jit
def same(p, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(p + i, tl.load(p + i, mask=i < n), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        M, N = x.shape
        out = torch.empty((M, N) if __IS_FLIP__ else (N, M), device=x.device, dtype=x.dtype)
        rows = (3 * out.shape[0]) // 4
        if __IS_FLIP__:
            for c in range(N):
                out[:rows, c] = x[:rows, N - 1 - c]
        else:
            out[:rows] = x.t()[:rows]
        first = rows * out.shape[1]
        if "__FORM__" == "by_fills":
            out[rows:].fill_(0.0)
        last[(triton.cdiv(M * N - first, 64),)](x, out, M, N, __IS_FLIP__, first, BLOCK=64)
        if "__FORM__" == "in_place_too":
            same[(triton.cdiv(first, 64),)](out, first, BLOCK=64)
        return out
#: the_kernel_s_own_copy_of_what_the_framework_gave | tasks cat transpose | FORM two_buffers through_bytes swapped_twice
# Written by a kernel last, everywhere, and from a temporary that it did not fill.
@triton.jit
def swap(p, q, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    a, b = tl.load(p + i, mask=m), tl.load(q + i, mask=m)
    tl.store(p + i, b, mask=m)
    tl.store(q + i, a, mask=m)

class ModelNew(nn.Module):
    def forward(self, x, y=None):
        ready = x.t().contiguous() if __IS_TRANSPOSE__ else torch.cat([x, y], 1)
        out = torch.zeros_like(ready)
        n = out.numel()
        if "__FORM__" == "through_bytes":
            swap[(triton.cdiv(n * x.element_size(), 1024),)](ready.view(torch.uint8), out.view(torch.uint8), n * x.element_size(), BLOCK=1024)
        elif "__FORM__" == "two_buffers":
            swap[(triton.cdiv(n, 256),)](ready, out, n, BLOCK=256)
        else:
            swap[(triton.cdiv(n, 256),)](out, ready, n, BLOCK=256)
            swap[(triton.cdiv(n, 256),)](out, ready, n, BLOCK=256)
            return ready
        return out
