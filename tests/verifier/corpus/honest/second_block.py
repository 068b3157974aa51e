#: persistent_programs | tasks relu gelu | PROGRAMS 3 132
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    for start in range(tl.program_id(0) * BLOCK, n, BLOCK * tl.num_programs(0)):
        at = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + at, mask=at < n, other=0.0)
        tl.store(y_ptr + at, __EXPR__, mask=at < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(__PROGRAMS__,)](x, y, x.numel(), BLOCK=1024)
        return y
#: everything_in_one_block | tasks relu row_sum softmax
@triton.jit
def kernel(x_ptr, y_ptr, M, N, TASK: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    r = tl.arange(0, BM)[:, None]
    c = tl.arange(0, BN)[None, :]
    m = (r < M) & (c < N)
    if TASK == "softmax":
        x = tl.load(x_ptr + r * N + c, mask=m, other=-float('inf'))
        e = tl.where(m, tl.exp(x - tl.max(tl.where(r < M, x, 0.0), 1)[:, None]), 0.0)
        tl.store(y_ptr + r * N + c, e / tl.maximum(tl.sum(e, 1), 1e-30)[:, None], mask=m)
    elif TASK == "row_sum":
        x = tl.load(x_ptr + r * N + c, mask=m, other=0.0)
        tl.store(y_ptr + tl.arange(0, BM), tl.sum(x, 1), mask=tl.arange(0, BM) < M)
    else:
        x = tl.load(x_ptr + r * N + c, mask=m, other=0.0)
        tl.store(y_ptr + r * N + c, tl.maximum(x, 0.0), mask=m)

class ModelNew(nn.Module):
    def forward(self, x):
        M, N = x.shape
        sums = __IS_SUM__
        y = torch.empty(M, device=x.device, dtype=x.dtype) if sums else torch.empty_like(x)
        kernel[(1,)](x, y, M, N, "row_sum" if sums else "softmax" if __IS_SOFTMAX__ else "relu",
                     BM=triton.next_power_of_2(M), BN=triton.next_power_of_2(N))
        return y
#: many_rows_of_one_block | tasks row_max softmax3 | ROWS 32 128
@triton.jit
def kernel(x_ptr, y_ptr, M, N, SOFTMAX: tl.constexpr, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    r = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    c = tl.arange(0, BLOCK)
    m = (r[:, None] < M) & (c[None, :] < N)
    x = tl.load(x_ptr + r[:, None] * N + c[None, :], mask=m, other=-float('inf'))
    largest = tl.max(x, axis=1)
    if SOFTMAX:
        e = tl.exp(x - tl.where(r < M, largest, 0.0)[:, None])
        total = tl.where(r < M, tl.sum(e, axis=1), 1.0)
        tl.store(y_ptr + r[:, None] * N + c[None, :], e / total[:, None], mask=m)
    else:
        tl.store(y_ptr + r, largest, mask=r < M)

class ModelNew(nn.Module):
    def forward(self, x):
        N = x.shape[-1]
        M = x.numel() // N
        y = torch.empty_like(x) if __IS_SOFTMAX3__ else torch.empty(M, device=x.device, dtype=x.dtype)
        kernel[(triton.cdiv(M, __ROWS__),)](x, y, M, N, __IS_SOFTMAX3__, __ROWS__, triton.next_power_of_2(N))
        return y
#: columns_of_one_block | tasks col_sum col_mean
@triton.jit
def kernel(x_ptr, y_ptr, M, N, MEAN: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    r = tl.arange(0, BM)
    c = tl.program_id(0) * BN + tl.arange(0, BN)
    m = (r[:, None] < M) & (c[None, :] < N)
    total = tl.sum(tl.load(x_ptr + r[:, None] * N + c[None, :], mask=m, other=0.0), 0)
    tl.store(y_ptr + c, total / M if MEAN else total, mask=c < N)

class ModelNew(nn.Module):
    def forward(self, x):
        M, N = x.shape
        y = torch.empty(N, device=x.device, dtype=x.dtype)
        kernel[(triton.cdiv(N, 64),)](x, y, M, N, __IS_MEAN__, BM=triton.next_power_of_2(M), BN=64)
        return y
#: short_rows_alone | tasks softmax layer_norm | LONGEST 1024 4096
@triton.jit
def kernel(x_ptr, w_ptr, b_ptr, y_ptr, N, SOFTMAX: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    if SOFTMAX:
        x = tl.load(x_ptr + row * N + c, mask=c < N, other=-float('inf'))
        e = tl.exp(x - tl.max(x, axis=0))
        y = e / tl.sum(e, axis=0)
    else:
        x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
        away = tl.where(c < N, x - tl.sum(x, 0) / N, 0.0)
        scale = 1 / tl.sqrt(tl.sum(away * away, 0) / N + 1e-5)
        y = away * scale * tl.load(w_ptr + c, mask=c < N, other=0.0) + tl.load(b_ptr + c, mask=c < N, other=0.0)
    tl.store(y_ptr + row * N + c, y, mask=c < N)

class ModelNew(nn.Module):
    def forward(self, x, w=None, b=None):
        M, N = x.shape
        assert N <= __LONGEST__, "a row must fit into one block"
        y = torch.empty_like(x)
        kernel[(M,)](x, x if w is None else w, x if b is None else b, y, N, SOFTMAX=__IS_SOFTMAX__, BLOCK=__LONGEST__)
        return y
#: rows_of_less_than_64_kb | tasks rms_norm
@triton.jit
def kernel(x_ptr, w_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    squares = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, N, BLOCK):
        c = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
        squares += x * x
    scale = 1 / tl.sqrt(tl.sum(squares, 0) / N + 1e-05)
    for start in range(0, N, BLOCK):
        c = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
        tl.store(y_ptr + row * N + c, x * scale * tl.load(w_ptr + c, mask=c < N, other=0.0), mask=c < N)

class ModelNew(nn.Module):
    def forward(self, x, w):
        M, N = x.shape
        if N > 65536 // x.element_size():
            raise RuntimeError("rows of 64 kB and more aren't supported")
        y = torch.empty_like(x)
        kernel[(M,)](x, w, y, N, BLOCK=256)
        return y
#: cumsum_with_a_carry | tasks cumsum | BLOCK 64 1024
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    carry = 0.0
    for start in range(0, n, BLOCK):
        at = start + tl.arange(0, BLOCK)
        v = tl.load(x_ptr + row * n + at, mask=at < n, other=0.0)
        tl.store(y_ptr + row * n + at, tl.cumsum(v, 0) + carry, mask=at < n)
        carry += tl.sum(v, 0)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=__BLOCK__)
        return y
#: ranks_by_comparing_all | tasks order_of_integers
@triton.jit
def kernel(x_ptr, y_ptr, N, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(1)
    a = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    x = tl.load(x_ptr + row * N + a, mask=a < N, other=-2147483648)
    rank = tl.zeros((ROWS,), tl.int32)
    for start in range(0, N, BLOCK):
        b = start + tl.arange(0, BLOCK)
        y = tl.load(x_ptr + row * N + b, mask=b < N, other=-2147483648)
        before = (y[None, :] > x[:, None]) | ((y[None, :] == x[:, None]) & (b[None, :] < a[:, None]))
        rank += tl.sum((before & (b[None, :] < N)).to(tl.int32), 1)
    tl.store(y_ptr + row * N + rank, a.to(tl.int64), mask=a < N)

class ModelNew(nn.Module):
    def forward(self, x):
        M, N = x.shape
        y = torch.empty((M, N), device=x.device, dtype=torch.int64)
        kernel[(triton.cdiv(N, 32), M)](x, y, N, ROWS=32, BLOCK=128)
        return y
#: matmul_in_small_tiles | tasks matmul | TILE 16 128
@triton.jit
def kernel(x_ptr, w_ptr, y_ptr, M, N, K, T: tl.constexpr, BK: tl.constexpr):
    r = tl.program_id(0) * T + tl.arange(0, T)
    c = tl.program_id(1) * T + tl.arange(0, T)
    acc = tl.zeros((T, T), dtype=tl.float32)
    for start in range(0, K, BK):
        k = start + tl.arange(0, BK)
        a = tl.load(x_ptr + r[:, None] * K + k[None, :], mask=(r[:, None] < M) & (k[None, :] < K), other=0.0)
        b = tl.load(w_ptr + k[:, None] * N + c[None, :], mask=(k[:, None] < K) & (c[None, :] < N), other=0.0)
        acc = tl.dot(a, b, acc, input_precision="ieee")
    tl.store(y_ptr + r[:, None] * N + c[None, :], acc, mask=(r[:, None] < M) & (c[None, :] < N))

class ModelNew(nn.Module):
    def forward(self, x, w):
        M, K = x.shape
        N = w.shape[1]
        y = torch.empty((M, N), device=x.device, dtype=x.dtype)
        kernel[(triton.cdiv(M, __TILE__), triton.cdiv(N, __TILE__))](x, w, y, M, N, K, T=__TILE__, BK=16)
        return y
#: product_by_rows | tasks matmul
@triton.jit
def kernel(x_ptr, w_ptr, y_ptr, K, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for k in range(0, K):
        acc += tl.load(x_ptr + row * K + k) * tl.load(w_ptr + k * N + c, mask=c < N, other=0.0)
    tl.store(y_ptr + row * N + c, acc, mask=c < N)

class ModelNew(nn.Module):
    def forward(self, x, w):
        M, K = x.shape
        N = w.shape[1]
        y = torch.empty((M, N), device=x.device, dtype=x.dtype)
        kernel[(M, triton.cdiv(N, 1024))](x, w, y, K, N, BLOCK=1024)
        return y
#: keys_in_one_block | tasks attention
@triton.jit
def kernel(q_ptr, k_ptr, v_ptr, y_ptr, L, D, scale, BL: tl.constexpr, BD: tl.constexpr):
    head, row = tl.program_id(1), tl.program_id(0)
    c = tl.arange(0, BL)
    d = tl.arange(0, BD)
    base = head * L * D
    m = (c[:, None] < L) & (d[None, :] < D)
    q = tl.load(q_ptr + base + row * D + d, mask=d < D, other=0.0)
    k = tl.load(k_ptr + base + c[:, None] * D + d[None, :], mask=m, other=0.0)
    v = tl.load(v_ptr + base + c[:, None] * D + d[None, :], mask=m, other=0.0)
    s = tl.where(c < L, tl.sum(q[None, :] * k, 1) * scale, -float('inf'))
    e = tl.exp(s - tl.max(s, 0))
    tl.store(y_ptr + base + row * D + d, tl.sum(e[:, None] * v, 0) / tl.sum(e, 0), mask=d < D)

class ModelNew(nn.Module):
    def forward(self, q, k, v):
        H, L, D = q.shape
        y = torch.empty_like(q)
        kernel[(L, H)](q, k, v, y, L, D, D ** -0.5, BL=triton.next_power_of_2(L), BD=triton.next_power_of_2(D))
        return y
#: conv1d_of_one_element | tasks conv1d
@triton.jit
def kernel(x_ptr, w_ptr, y_ptr, C, O, L, OL, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    at, o, b = i % OL, i // OL % O, i // OL // O
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for c in range(0, C):
        for k in range(0, 3):
            w = tl.load(w_ptr + (o * C + c) * 3 + k, mask=i < n, other=0.0)
            acc += w * tl.load(x_ptr + (b * C + c) * L + at + k, mask=i < n, other=0.0)
    tl.store(y_ptr + i, acc, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x, w):
        N, C, L = x.shape
        O = w.shape[0]
        y = torch.empty((N, O, L - 2), device=x.device, dtype=x.dtype)
        kernel[(triton.cdiv(y.numel(), 256),)](x, w, y, C, O, L, L - 2, y.numel(), BLOCK=256)
        return y
#: sum_of_all_by_atomics | tasks total | BLOCK 128 4096
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(y_ptr, tl.sum(tl.load(x_ptr + i, mask=i < n, other=0.0), 0))

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.zeros((), device=x.device, dtype=x.dtype)
        kernel[(triton.cdiv(x.numel(), __BLOCK__),)](x, y, x.numel(), BLOCK=__BLOCK__)
        return y
#: transpose_by_elements | tasks transpose
@triton.jit
def kernel(x_ptr, y_ptr, M, N, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < M * N
    tl.store(y_ptr + i, tl.load(x_ptr + i % M * N + i // M, mask=m, other=0.0), mask=m)

class ModelNew(nn.Module):
    def forward(self, x):
        M, N = x.shape
        y = torch.empty((N, M), device=x.device, dtype=x.dtype)
        kernel[(triton.cdiv(M * N, 1024),)](x, y, M, N, BLOCK=1024)
        return y
