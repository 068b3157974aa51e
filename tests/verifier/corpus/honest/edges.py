# Values where an operator's domain ends, and values behind integers that rounding may decide, by the formulas that people write.
#: at_the_edge | tasks root_of_relu gamma root_by_logarithm logarithm_of_relu rest_of_circle logarithm_of_rest | FORM EXPR OTHER
@triton.jit
def each(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0).to(tl.float32)
    if "__FORM__" == "EXPR":
        y = __EXPR__
    else:
        y = __OTHER__
    tl.store(y_ptr + i, y, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        each[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y
#: of_two_inputs | tasks weighted_root angle
from triton.language.extra import libdevice

@triton.jit
def each(x_ptr, z_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=1.0).to(tl.float32)
    z = tl.load(z_ptr + i, mask=i < n, other=1.0).to(tl.float32)
    tl.store(y_ptr + i, __EXPR__, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x, z):
        y = torch.empty_like(x)
        each[(triton.cdiv(x.numel(), 256),)](x, z, y, x.numel(), BLOCK=256)
        return y
#: sum_of_roots_in_parts | tasks sum_of_roots | BLOCK 16 64
@triton.jit
def rows(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    s = tl.zeros((BLOCK,), tl.float32)
    for first in range(0, N, BLOCK):
        c = first + tl.arange(0, BLOCK)
        s += tl.sqrt(tl.maximum(tl.load(x_ptr + tl.program_id(0) * N + c, mask=c < N, other=0.0), 0.0))
    tl.store(y_ptr + tl.program_id(0), tl.sum(s, 0))

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty((x.shape[0],), device=x.device, dtype=x.dtype)
        rows[(x.shape[0],)](x, y, x.shape[1], BLOCK=__BLOCK__)
        return y
#: distances_by_differences_and_by_products | tasks distances | FORM differences products
@triton.jit
def pairs(x_ptr, y_ptr, M, D, FORM: tl.constexpr, BD: tl.constexpr):
    a, b = tl.program_id(0), tl.program_id(1)
    d = tl.arange(0, BD)
    p = tl.load(x_ptr + a * D + d, mask=d < D, other=0.0).to(tl.float32)
    q = tl.load(x_ptr + b * D + d, mask=d < D, other=0.0).to(tl.float32)
    if FORM == "differences":
        s = tl.sum((p - q) * (p - q), 0)
    else:
        cross = 0.0
        for j in range(0, D):
            cross += tl.load(x_ptr + a * D + j).to(tl.float32) * tl.load(x_ptr + b * D + j).to(tl.float32)
        s = tl.sum(p * p, 0) + tl.sum(q * q, 0) - 2.0 * cross
    tl.store(y_ptr + a * M + b, tl.sqrt(tl.maximum(s, 0.0)))

class ModelNew(nn.Module):
    def forward(self, x):
        M, D = x.shape
        y = torch.empty((M, M), device=x.device, dtype=x.dtype)
        pairs[(M, M)](x, y, M, D, "__FORM__", BD=triton.next_power_of_2(D))
        return y
#: root_of_a_product | tasks root_of_product | FORM whole one_after_another
@triton.jit
def tile(x_ptr, w_ptr, y_ptr, M, K, N, FORM: tl.constexpr, BM: tl.constexpr, BK: tl.constexpr, BN: tl.constexpr):
    m, k, n = tl.arange(0, BM), tl.arange(0, BK), tl.arange(0, BN)
    if FORM == "whole":
        x = tl.load(x_ptr + m[:, None] * K + k[None, :], mask=(m[:, None] < M) & (k[None, :] < K), other=0.0)
        w = tl.load(w_ptr + k[:, None] * N + n[None, :], mask=(k[:, None] < K) & (n[None, :] < N), other=0.0)
        s = tl.dot(x, w, input_precision="ieee")
    else:
        s = tl.zeros((BM, BN), tl.float32)
        for j in range(0, K):
            s += tl.load(x_ptr + m * K + j, mask=m < M, other=0.0)[:, None] * tl.load(w_ptr + j * N + n, mask=n < N, other=0.0)[None, :]
    tl.store(y_ptr + m[:, None] * N + n[None, :], tl.sqrt(tl.maximum(s, 0.0)), mask=(m[:, None] < M) & (n[None, :] < N))

class ModelNew(nn.Module):
    def forward(self, x, w):
        M, K = x.shape
        N = w.shape[1]
        y = torch.empty((M, N), device=x.device, dtype=x.dtype)
        tile[(1,)](x, w, y, M, K, N, "__FORM__", BM=max(16, triton.next_power_of_2(M)), BK=max(16, triton.next_power_of_2(K)), BN=max(16, triton.next_power_of_2(N)))
        return y
#: rows_by_their_means | tasks by_mean | FORM sum mean one_after_another
@triton.jit
def means(x_ptr, s_ptr, N, FORM: tl.constexpr, BN: tl.constexpr):
    row = tl.program_id(0)
    n = tl.arange(0, BN)
    if FORM == "one_after_another":
        s = 0.0
        for j in range(0, N):
            s += tl.load(x_ptr + row * N + j) * (1.0 / N)
    else:
        s = tl.sum(tl.load(x_ptr + row * N + n, mask=n < N, other=0.0), 0)
        if FORM == "mean":
            s = s / N
    tl.store(s_ptr + row, s)

@triton.jit
def order(x_ptr, s_ptr, y_ptr, M, N, BM: tl.constexpr, BN: tl.constexpr):
    row = tl.program_id(0)
    m, n = tl.arange(0, BM), tl.arange(0, BN)
    s = tl.load(s_ptr + m, mask=m < M, other=float("inf"))
    mine = tl.load(s_ptr + row)
    place = tl.sum(((s < mine) | ((s == mine) & (m < row))).to(tl.int32), 0)
    tl.store(y_ptr + place * N + n, tl.load(x_ptr + row * N + n, mask=n < N, other=0.0), mask=n < N)

class ModelNew(nn.Module):
    def forward(self, x):
        M, N = x.shape
        y = torch.empty_like(x)
        s = torch.empty((M,), device=x.device, dtype=x.dtype)
        means[(M,)](x, s, N, "__FORM__", BN=triton.next_power_of_2(N))
        order[(M,)](x, s, y, M, N, BM=triton.next_power_of_2(M), BN=triton.next_power_of_2(N))
        return y
#: looked_up_by_a_number | tasks looked_up | FORM plain fused from_halves
@triton.jit
def look(x_ptr, t_ptr, y_ptr, n, FORM: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    c = tl.arange(0, 4)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    if FORM == "plain":
        q = 16 * x + 128
    elif FORM == "fused":
        q = tl.fma(x, 16.0, 128.0)
    else:
        q = (x + 8.0) * 16.0
    k = tl.minimum(tl.maximum(tl.minimum(tl.maximum(q, -1.0), 256.0).to(tl.int32), 0), 255)
    tl.store(y_ptr + i[:, None] * 4 + c[None, :], tl.load(t_ptr + k[:, None] * 4 + c[None, :]), mask=i[:, None] < n)

class ModelNew(nn.Module):
    def forward(self, x, t):
        y = torch.empty((x.shape[0], 4), device=x.device, dtype=x.dtype)
        look[(triton.cdiv(x.numel(), 64),)](x, t, y, x.numel(), "__FORM__", BLOCK=64)
        return y
#: chosen_by_the_largest | tasks nearest_code routed | FORM dot one_after_another
@triton.jit
def choose(x_ptr, w_ptr, t_ptr, y_ptr, M, K, E, D, TRANSPOSED: tl.constexpr, FORM: tl.constexpr, BM: tl.constexpr, BK: tl.constexpr, BE: tl.constexpr, BD: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    k, e, d = tl.arange(0, BK), tl.arange(0, BE), tl.arange(0, BD)
    x = tl.load(x_ptr + m[:, None] * K + k[None, :], mask=(m[:, None] < M) & (k[None, :] < K), other=0.0)
    at = (e[None, :] * K + k[:, None]) if TRANSPOSED else (k[:, None] * E + e[None, :])
    w = tl.load(w_ptr + at, mask=(k[:, None] < K) & (e[None, :] < E), other=0.0)
    if FORM == "dot":
        s = tl.dot(x, w, input_precision="ieee")
    else:
        s = tl.zeros((BM, BE), tl.float32)
        for j in range(0, K):
            row = tl.load(w_ptr + (e * K + j if TRANSPOSED else j * E + e), mask=e < E, other=0.0)
            s += tl.load(x_ptr + m * K + j, mask=m < M, other=0.0).to(tl.float32)[:, None] * row.to(tl.float32)[None, :]
    best = tl.argmax(tl.where(e[None, :] < E, s, float("-inf")), 1)
    y = tl.load(t_ptr + best[:, None] * D + d[None, :], mask=d[None, :] < D, other=0.0)
    tl.store(y_ptr + m[:, None] * D + d[None, :], y, mask=(m[:, None] < M) & (d[None, :] < D))

class ModelNew(nn.Module):
    def forward(self, x, w, t=None):
        table = w if t is None else t
        y = torch.empty((x.shape[0], table.shape[1]), device=x.device, dtype=x.dtype)
        E, D = table.shape
        K = x.shape[1]
        choose[(triton.cdiv(x.shape[0], 16),)](x, w, table, y, x.shape[0], K, E, D, t is None, "__FORM__", BM=16, BK=max(16, triton.next_power_of_2(K)), BE=max(16, triton.next_power_of_2(E)), BD=triton.next_power_of_2(D))
        return y
#: counted_in_rows | tasks counted | FORM compared subtracted
@triton.jit
def rows(x_ptr, z_ptr, y_ptr, N, FORM: tl.constexpr, BLOCK: tl.constexpr):
    c = tl.arange(0, BLOCK)
    row = tl.program_id(0)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
    z = tl.load(z_ptr + row * N + c, mask=c < N, other=0.0)
    positive = x > z if FORM == "compared" else x - z > 0
    tl.store(y_ptr + row, tl.sum(positive.to(tl.int64), 0))

class ModelNew(nn.Module):
    def forward(self, x, z):
        y = torch.empty((x.shape[0],), device=x.device, dtype=torch.int64)
        rows[(x.shape[0],)](x, z, y, x.shape[1], "__FORM__", BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
#: sorted_by_a_product | tasks sorted_by
@triton.jit
def row(x_ptr, z_ptr, y_ptr, N, BLOCK: tl.constexpr):
    c = tl.arange(0, BLOCK)
    first = tl.program_id(0) * N
    x = tl.load(x_ptr + first + c, mask=c < N, other=0.0)
    z = tl.load(z_ptr + first + c, mask=c < N, other=0.0)
    p = tl.where(c < N, x * z, float("inf"))
    before = (p[None, :] < p[:, None]) | ((p[None, :] == p[:, None]) & (c[None, :] < c[:, None]))
    place = tl.sum(before.to(tl.int32), 1)
    tl.store(y_ptr + first + place, x, mask=c < N)

class ModelNew(nn.Module):
    def forward(self, x, z):
        y = torch.empty_like(x)
        row[(x.shape[0],)](x, z, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
