#: one_row_a_program | tasks row_sum row_mean row_max row_min logsumexp vector_norm | WARPS 2 4
@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    m = c < N
    x = tl.load(x_ptr + row * N + c, mask=m, other=__OTHER__)
    tl.store(y_ptr + row, __REDUCE__)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape[0], device=x.device, dtype=x.dtype)
        kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]), num_warps=__WARPS__)
        return y
#: several_rows_a_program | tasks row_sum row_max | ROWS 4 8
@triton.jit
def kernel(x_ptr, y_ptr, M, N, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    r = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    c = tl.arange(0, BLOCK)
    m = (r[:, None] < M) & (c[None, :] < N)
    x = tl.load(x_ptr + r[:, None] * N + c[None, :], mask=m, other=__OTHER__)
    tl.store(y_ptr + r, __REDUCE2__, mask=r < M)

class ModelNew(nn.Module):
    def forward(self, x):
        M, N = x.shape
        y = torch.empty((M,), device=x.device, dtype=x.dtype)
        kernel[(triton.cdiv(M, __ROWS__),)](x, y, M, N, ROWS=__ROWS__, BLOCK=triton.next_power_of_2(N))
        return y
#: looped_accumulator | tasks row_sum row_mean | dtypes f32 f16
@triton.jit
def kernel(x_ptr, y_ptr, N, MEAN: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    acc = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, N, BLOCK):
        c = start + tl.arange(0, BLOCK)
        acc += tl.load(x_ptr + row * N + c, mask=c < N, other=0.0).to(tl.float32)
    total = tl.sum(acc)
    if MEAN:
        total = total / N
    tl.store(y_ptr + row, total)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape[:-1], device=x.device, dtype=x.dtype)
        kernel[(x.size(0),)](x, y, x.size(-1), MEAN=__IS_MEAN__, BLOCK=16)
        return y
#: while_loop | tasks row_sum row_mean
@triton.jit
def kernel(x_ptr, y_ptr, N, MEAN: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    total = 0.0
    start = 0
    while start < N:
        c = start + tl.arange(0, BLOCK)
        total += tl.sum(tl.load(x_ptr + row * N + c, mask=c < N, other=0.0), axis=0)
        start += BLOCK
    tl.store(y_ptr + row, total / N if MEAN else total)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.full((x.shape[0],), 0.0, device=x.device, dtype=x.dtype)
        kernel[(x.shape[0],)](x, y, x.shape[1], __IS_MEAN__, 32)
        return y
#: columns_by_stride | tasks col_sum | BN 16 32
@triton.jit
def kernel(x_ptr, y_ptr, M, N, sm, sn, BM: tl.constexpr, BN: tl.constexpr):
    c = tl.program_id(0) * BN + tl.arange(0, BN)
    acc = tl.zeros((BN,), tl.float32)
    for start in tl.range(0, M, BM, num_stages=2):
        r = start + tl.arange(0, BM)
        m = (r[:, None] < M) & (c[None, :] < N)
        acc += tl.sum(tl.load(x_ptr + r[:, None] * sm + c[None, :] * sn, mask=m, other=0.), 0)
    tl.store(y_ptr + c, acc, mask=c < N)

class ModelNew(nn.Module):
    def forward(self, x):
        M, N = x.shape
        y = torch.empty(N, device=x.device, dtype=x.dtype)
        kernel[(triton.cdiv(N, __BN__),)](x, y, M, N, *x.stride(), BM=8, BN=__BN__)
        return y
#: columns_of_the_transpose | tasks col_sum
@triton.jit
def kernel(x_ptr, y_ptr, N, stride_row, stride_col, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * stride_row + c * stride_col, mask=c < N, other=0.0)
    tl.store(y_ptr + row, tl.sum(x))

class ModelNew(nn.Module):
    def forward(self, x):
        t = x.t()  # not contiguous
        assert not t.is_contiguous()
        y = torch.empty(t.shape[0], device=t.device, dtype=t.dtype)
        kernel[(t.shape[0],)](t, y, t.shape[1], t.stride(0), t.stride(1), BLOCK=triton.next_power_of_2(t.shape[1]))
        return y
#: softmax_rows | tasks softmax log_softmax softmax3 | WARPS 1 4
@triton.jit
def kernel(x_ptr, y_ptr, N, LOG: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    m = c < N
    x = tl.load(x_ptr + row * N + c, mask=m, other=-float('inf')).to(tl.float32)
    z = x - tl.max(x, axis=0)
    e = tl.exp(z)
    s = tl.sum(e, axis=0)
    y = z - tl.log(s) if LOG else e / s
    tl.store(y_ptr + row * N + c, y, mask=m)

class ModelNew(nn.Module):
    def forward(self, x):
        shape = x.shape
        flat = x.reshape(-1, shape[-1])
        y = torch.empty_like(flat)
        kernel[(flat.shape[0],)](flat, y, flat.shape[1], LOG=__IS_LOG__, BLOCK=triton.next_power_of_2(flat.shape[1]),
                                 num_warps=__WARPS__)
        return y.view(shape)
#: halves_summed_along_the_first_axis | tasks column_products | COLUMNS 32 128
@triton.jit
def kernel(x_ptr, y_ptr, z_ptr, M, N, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    r = tl.arange(0, BLOCK_M)[:, None]
    c = tl.program_id(0) * BLOCK_N + tl.arange(0, BLOCK_N)
    m = (r < M) & (c[None, :] < N)
    x = tl.load(x_ptr + r * N + c[None, :], mask=m, other=0.0)
    y = tl.load(y_ptr + r * N + c[None, :], mask=m, other=0.0)
    tl.store(z_ptr + c, tl.sum(x * y, axis=0), mask=c < N)

class ModelNew(nn.Module):
    def forward(self, x, y):
        M, N = x.shape
        z = torch.empty(N, device=x.device, dtype=x.dtype)
        kernel[(triton.cdiv(N, __COLUMNS__),)](x, y, z, M, N, BLOCK_M=triton.next_power_of_2(M), BLOCK_N=__COLUMNS__)
        return z
#: online_softmax | tasks softmax
@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    largest = -float('inf')
    total = 0.0
    for s in range(0, N, BLOCK):
        c = s + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * N + c, mask=c < N, other=-float('inf'))
        new = tl.maximum(largest, tl.max(x, 0))
        total = total * tl.exp(largest - new) + tl.sum(tl.exp(x - new), 0)
        largest = new
    for s in range(0, N, BLOCK):
        c = s + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * N + c, mask=c < N, other=-float('inf'))
        tl.store(y_ptr + row * N + c, tl.exp(x - largest) / total, mask=c < N)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=16)
        return y
#: library_softmax | tasks softmax
@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    c = tl.arange(0, BLOCK)
    base = tl.program_id(0) * N
    x = tl.load(x_ptr + base + c, mask=c < N, other=float("-inf"))
    tl.store(y_ptr + base + c, tl.softmax(x), mask=c < N)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=max(16, triton.next_power_of_2(x.shape[1])))
        return y
#: layer_norm | tasks layer_norm rms_norm | dtypes f32 bf16
@triton.jit
def kernel(x_ptr, w_ptr, b_ptr, y_ptr, N, eps, CENTRE: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    x_ptr += row * N
    y_ptr += row * N
    c = tl.arange(0, BLOCK)
    m = c < N
    x = tl.load(x_ptr + c, mask=m, other=0.0).to(tl.float32)
    if CENTRE:
        x = tl.where(m, x - tl.sum(x, axis=0) / N, 0.0)
    r = tl.rsqrt(tl.sum(x * x, axis=0) / N + eps)
    w = tl.load(w_ptr + c, mask=m)
    y = x * r * w
    if b_ptr is not None:
        y += tl.load(b_ptr + c, mask=m)
    tl.store(y_ptr + c, y, mask=m)

class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.eps = 1e-5

    def forward(self, x, w, b=None):
        M, N = x.shape
        y = torch.empty_like(x)
        kernel[(M,)](x, w, b, y, N, self.eps, CENTRE=b is not None, BLOCK=triton.next_power_of_2(N))
        return y
#: two_pass_norm | tasks layer_norm
@triton.jit
def statistics(x_ptr, mean_ptr, rstd_ptr, N, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
    mean = tl.sum(x, 0) / N
    d = tl.where(c < N, x - mean, 0.0)
    tl.store(mean_ptr + row, mean)
    tl.store(rstd_ptr + row, 1 / tl.sqrt(tl.sum(d * d, 0) / N + eps))

@triton.jit
def apply(x_ptr, mean_ptr, rstd_ptr, w_ptr, b_ptr, y_ptr, n, N, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    x = tl.load(x_ptr + i, mask=m)
    row, col = i // N, i % N
    x = (x - tl.load(mean_ptr + row, mask=m)) * tl.load(rstd_ptr + row, mask=m)
    tl.store(y_ptr + i, x * tl.load(w_ptr + col, mask=m) + tl.load(b_ptr + col, mask=m), mask=m)

class ModelNew(nn.Module):
    def forward(self, x, w, b):
        M, N = x.shape
        mean = torch.empty(M, dtype=torch.float32, device=x.device)
        rstd = torch.empty_like(mean)
        y = torch.empty_like(x)
        statistics[(M,)](x, mean, rstd, N, 1e-5, BLOCK=triton.next_power_of_2(N))
        apply[(triton.cdiv(x.numel(), 128),)](x, mean, rstd, w, b, y, x.numel(), N, BLOCK=128)
        return y
#: scan | tasks cumsum | dtypes f32 f16
@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0).to(tl.float32)
    tl.store(y_ptr + row * N + c, tl.cumsum(x, axis=0), mask=c < N)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
#: associative_scan_with_carry | tasks cumsum
@triton.jit
def plus(a, b):
    return a + b

@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    carry = 0.0
    for s in range(0, N, BLOCK):
        c = s + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
        tl.store(y_ptr + row * N + c, tl.associative_scan(x, 0, plus) + carry, mask=c < N)
        carry += tl.sum(x, 0)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=16)
        return y
#: custom_reduction | tasks row_max row_sum
@triton.jit
def combine(a, b):
    return __COMBINE__

@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=__OTHER__)
    tl.store(y_ptr + row, tl.reduce(x, 0, combine))

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape[0], device=x.device, dtype=x.dtype)
        kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
#: welford | tasks var
@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    m = c < N
    x = tl.load(x_ptr + row * N + c, mask=m, other=0.0)
    d = tl.where(m, x - tl.sum(x) / N, 0.)
    tl.store(y_ptr + row, tl.sum(d * d) / (N - 1))

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty((x.shape[0],), device=x.device, dtype=x.dtype)
        kernel[x.shape[0], 1, 1](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
#: normalized_rows | tasks normalize
@triton.jit
def kernel(x_ptr, y_ptr, N, eps: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
    norm = tl.sqrt(tl.sum(x * x, axis=0))
    tl.store(y_ptr + row * N + c, x / tl.maximum(norm, eps), mask=c < N)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(x.shape[0],)](x, y, x.shape[1], 1e-12, triton.next_power_of_2(x.shape[1]))
        return y
#: middle_axis | tasks mid_sum
@triton.jit
def kernel(x_ptr, y_ptr, M, N, sb, sm, sn, BLOCK: tl.constexpr):
    b = tl.program_id(0)
    c = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for r in range(M):
        acc += tl.load(x_ptr + b * sb + r * sm + c * sn, mask=c < N, other=0.0)
    tl.store(y_ptr + b * N + c, acc, mask=c < N)

class ModelNew(nn.Module):
    def forward(self, x):
        B, M, N = x.shape
        y = torch.empty((B, N), device=x.device, dtype=x.dtype)
        kernel[(B, triton.cdiv(N, 16))](x, y, M, N, *x.stride(), BLOCK=16)
        return y
#: atomics_over_blocks | tasks row_sum col_sum
@triton.jit
def kernel(x_ptr, y_ptr, M, N, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + r * N + c, mask=c < N, other=0.0)
    if ROWS:
        tl.atomic_add(y_ptr + r, tl.sum(x))
    else:
        tl.atomic_add(y_ptr + c, x, mask=c < N)

class ModelNew(nn.Module):
    def forward(self, x):
        M, N = x.shape
        y = torch.zeros(M if __IS_ROW__ else N, device=x.device, dtype=x.dtype)
        kernel[(M, triton.cdiv(N, 16))](x, y, M, N, ROWS=__IS_ROW__, BLOCK=16)
        return y
#: atomic_max | tasks row_max
@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + r * N + c, mask=c < N, other=-float("inf"))
    tl.atomic_max(y_ptr + r, tl.max(x, 0))

class ModelNew(nn.Module):
    def forward(self, x):
        M, N = x.shape
        y = torch.full((M,), float("-inf"), device=x.device, dtype=x.dtype)
        kernel[(M, triton.cdiv(N, 16))](x, y, N, BLOCK=16)
        return y
#: partial_sums_then_total | tasks total | PARTS 4 16
@triton.jit
def partial(x_ptr, p_ptr, n, BLOCK: tl.constexpr):
    total = 0.0
    for i in range(tl.program_id(0) * BLOCK, n, tl.num_programs(0) * BLOCK):
        o = i + tl.arange(0, BLOCK)
        total += tl.sum(tl.load(x_ptr + o, mask=o < n, other=0.0))
    tl.store(p_ptr + tl.program_id(0), total)

@triton.jit
def finish(p_ptr, y_ptr, PARTS: tl.constexpr):
    tl.store(y_ptr, tl.sum(tl.load(p_ptr + tl.arange(0, PARTS))))

class ModelNew(nn.Module):
    def forward(self, x):
        p = torch.empty((__PARTS__,), dtype=torch.float32, device=x.device)
        y = torch.empty((), dtype=x.dtype, device=x.device)
        partial[(__PARTS__,)](x, p, x.numel(), BLOCK=64)
        finish[(1,)](p, y, PARTS=__PARTS__)
        return y
#: index_of_the_largest | tasks argmax
@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=-float('inf'))
    tl.store(y_ptr + row, tl.argmax(x, axis=0))

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape[0], dtype=torch.int64, device=x.device)
        kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
#: comparison | tasks greater
@triton.jit
def kernel(x_ptr, y_ptr, z_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    y = tl.load(y_ptr + i, mask=i < n)
    tl.store(z_ptr + i, x > y, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x, y):
        z = torch.empty(x.shape, dtype=torch.bool, device=x.device)
        kernel[(triton.cdiv(x.numel(), 64),)](x, y, z, x.numel(), BLOCK=64)
        return z
#: gathered_rows | tasks embedding
@triton.jit
def kernel(t_ptr, w_ptr, y_ptr, D, BLOCK: tl.constexpr):
    i = tl.program_id(0)
    row = tl.load(t_ptr + i)
    c = tl.arange(0, BLOCK)
    w = tl.load(w_ptr + row * D + c, mask=c < D)
    tl.store(y_ptr + i * D + c, w, mask=c < D)

class ModelNew(nn.Module):
    def forward(self, t, w):
        y = torch.empty((*t.shape, w.shape[1]), device=w.device, dtype=w.dtype)
        kernel[(t.numel(),)](t, w, y, w.shape[1], BLOCK=triton.next_power_of_2(w.shape[1]))
        return y
#: mean_loss | tasks mse_loss
@triton.jit
def squares(x_ptr, y_ptr, s_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    d = tl.load(x_ptr + i, mask=i < n, other=0.) - tl.load(y_ptr + i, mask=i < n, other=0.)
    tl.atomic_add(s_ptr, tl.sum(d * d) / n, sem="relaxed")

class ModelNew(nn.Module):
    def forward(self, x, y):
        s = torch.zeros((), device=x.device, dtype=torch.float32)
        n = x.numel()
        squares[(triton.cdiv(n, 256),)](x, y, s, n, BLOCK=256)
        return s
#: three_statistics_at_once | tasks logsumexp
@triton.jit
def combine(m1, s1, m2, s2):
    m = tl.maximum(m1, m2)
    return m, s1 * tl.exp(m1 - m) + s2 * tl.exp(m2 - m)

@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=-1e30)
    m, s = tl.reduce((x, tl.where(c < N, 1.0, 0.0)), 0, combine)
    tl.store(y_ptr + row, m + tl.log(s))

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape[0], device=x.device, dtype=x.dtype)
        kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
