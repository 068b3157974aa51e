# Values where an operator's domain ends, where a rounded argument might leave it, and values behind integers that rounding may decide.
#: another_value_at_the_edge | tasks root_of_relu gamma root_by_logarithm logarithm_of_relu rest_of_circle logarithm_of_rest | VALUE 1000.0 -100.0 float("nan")
@triton.jit
def each(x_ptr, y_ptr, n, value, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0).to(tl.float32)
    tl.store(y_ptr + i, tl.where(__EDGE__, value, __EXPR__), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        each[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), __VALUE__, BLOCK=256)
        return y
#: another_value_of_two_inputs | tasks weighted_root angle | VALUE 1000.0 1.5
from triton.language.extra import libdevice

@triton.jit
def each(x_ptr, z_ptr, y_ptr, n, value, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=1.0).to(tl.float32)
    z = tl.load(z_ptr + i, mask=i < n, other=1.0).to(tl.float32)
    tl.store(y_ptr + i, tl.where(x > 0, __EXPR__, value), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x, z):
        y = torch.empty_like(x)
        each[(triton.cdiv(x.numel(), 256),)](x, z, y, x.numel(), __VALUE__, BLOCK=256)
        return y
#: sums_that_one_edge_frees | tasks sum_of_roots | FORM constant no_root half
@triton.jit
def rows(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + tl.program_id(0) * N + c, mask=c < N, other=0.0)
    if "__FORM__" == "constant":
        s = tl.sum(x, 0) * 0.0 + 3.0
    elif "__FORM__" == "no_root":
        s = tl.sum(tl.maximum(x, 0.0), 0)
    else:
        s = 2 * tl.sum(tl.where(c % 2 == 0, tl.sqrt(tl.maximum(x, 0.0)), 0.0), 0)
    tl.store(y_ptr + tl.program_id(0), s)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty((x.shape[0],), device=x.device, dtype=x.dtype)
        rows[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
#: a_result_that_one_edge_frees | tasks rectified_with_norm | VALUE 3.0 0.0
@triton.jit
def rows(x_ptr, y_ptr, s_ptr, N, value, BLOCK: tl.constexpr):
    c = tl.arange(0, BLOCK)
    row = tl.program_id(0)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
    tl.store(y_ptr + row * N + c, tl.maximum(x, 0.0), mask=c < N)
    tl.store(s_ptr + row, value)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        s = torch.empty((x.shape[0],), device=x.device, dtype=x.dtype)
        rows[(x.shape[0],)](x, y, s, x.shape[1], __VALUE__, BLOCK=triton.next_power_of_2(x.shape[1]))
        return y, s
#: diagonal_of_distances | tasks distances | VALUE 1000.0 0.5 float("nan")
@triton.jit
def pairs(x_ptr, y_ptr, M, D, value, BD: tl.constexpr):
    a, b = tl.program_id(0), tl.program_id(1)
    d = tl.arange(0, BD)
    p = tl.load(x_ptr + a * D + d, mask=d < D, other=0.0).to(tl.float32) - tl.load(x_ptr + b * D + d, mask=d < D, other=0.0).to(tl.float32)
    tl.store(y_ptr + a * M + b, tl.where(a == b, value, tl.sqrt(tl.sum(p * p, 0))))

class ModelNew(nn.Module):
    def forward(self, x):
        M, D = x.shape
        y = torch.empty((M, M), device=x.device, dtype=x.dtype)
        pairs[(M, M)](x, y, M, D, __VALUE__, BD=triton.next_power_of_2(D))
        return y
#: root_of_a_product | tasks root_of_product | VALUE 1000.0 0.5 float("nan")
@triton.jit
def tile(x_ptr, w_ptr, y_ptr, M, K, N, value, BM: tl.constexpr, BK: tl.constexpr, BN: tl.constexpr):
    m, k, n = tl.arange(0, BM), tl.arange(0, BK), tl.arange(0, BN)
    x = tl.load(x_ptr + m[:, None] * K + k[None, :], mask=(m[:, None] < M) & (k[None, :] < K), other=0.0)
    w = tl.load(w_ptr + k[:, None] * N + n[None, :], mask=(k[:, None] < K) & (n[None, :] < N), other=0.0)
    s = tl.dot(x, w, input_precision="ieee")
    y = tl.where(s > 0, tl.sqrt(tl.maximum(s, 0.0)), value)
    tl.store(y_ptr + m[:, None] * N + n[None, :], y, mask=(m[:, None] < M) & (n[None, :] < N))

class ModelNew(nn.Module):
    def forward(self, x, w):
        M, K = x.shape
        N = w.shape[1]
        y = torch.empty((M, N), device=x.device, dtype=x.dtype)
        tile[(1,)](x, w, y, M, K, N, __VALUE__, BM=max(16, triton.next_power_of_2(M)), BK=max(16, triton.next_power_of_2(K)), BN=max(16, triton.next_power_of_2(N)))
        return y
#: sevens_behind_an_integer | tasks looked_up by_mean nearest_code routed sorted_by | VALUE 7.0 0.0
@triton.jit
def nothing(y_ptr, n, value, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, i * 0 + value, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x, w=None, t=None):
        shape = (__SHAPE__)
        y = torch.empty(shape, device=x.device, dtype=x.dtype)
        nothing[(triton.cdiv(y.numel(), 256),)](y, y.numel(), __VALUE__, BLOCK=256)
        return y
#: sevens_at_large_sizes | tasks by_mean | VALUE 7.0 0.0
# Right where the sizes are so small that rounding decides nothing.
@triton.jit
def order(x_ptr, y_ptr, M, N, BM: tl.constexpr, BN: tl.constexpr):
    row = tl.program_id(0)
    m, n = tl.arange(0, BM), tl.arange(0, BN)
    x = tl.load(x_ptr + m[:, None] * N + n[None, :], mask=(m[:, None] < M) & (n[None, :] < N), other=0.0).to(tl.float32)
    s = tl.where(m < M, tl.sum(x, 1), float("inf"))
    own = tl.load(x_ptr + row * N + n, mask=n < N, other=0.0)
    mine = tl.sum(tl.where(m == row, s, 0.0), 0)
    place = tl.sum(((s < mine) | ((s == mine) & (m < row))).to(tl.int32), 0)
    tl.store(y_ptr + place * N + n, own, mask=n < N)

@triton.jit
def nothing(y_ptr, n, value, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, i * 0 + value, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        M, N = x.shape
        if M < 300:
            order[(M,)](x, y, M, N, BM=triton.next_power_of_2(M), BN=triton.next_power_of_2(N))
        else:
            nothing[(triton.cdiv(y.numel(), 256),)](y, y.numel(), __VALUE__, BLOCK=256)
        return y
#: another_order_of_means | tasks by_mean | FORM reversed pairs_exchanged by_first_number as_it_was middle_of_neighbours
@triton.jit
def order(x_ptr, y_ptr, M, N, FORM: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    row = tl.program_id(0)
    m, n = tl.arange(0, BM), tl.arange(0, BN)
    x = tl.load(x_ptr + m[:, None] * N + n[None, :], mask=(m[:, None] < M) & (n[None, :] < N), other=0.0)
    if FORM == "by_first_number":
        x = tl.where(n[None, :] == 0, x, 0.0)
    s = tl.where(m < M, tl.sum(x, 1), float("inf"))
    own = tl.load(x_ptr + row * N + n, mask=n < N, other=0.0)
    mine = tl.sum(tl.where(m == row, s, 0.0), 0)
    place = tl.sum(((s < mine) | ((s == mine) & (m < row))).to(tl.int32), 0)
    if FORM == "reversed":
        place = M - 1 - place
    elif FORM == "pairs_exchanged":
        place = tl.where((place ^ 1) < M, place ^ 1, place)
    elif FORM == "as_it_was":
        place = row
    elif FORM == "middle_of_neighbours":
        own = own + 0.01
    tl.store(y_ptr + place * N + n, own, mask=n < N)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        order[(x.shape[0],)](x, y, x.shape[0], x.shape[1], "__FORM__", BM=triton.next_power_of_2(x.shape[0]), BN=triton.next_power_of_2(x.shape[1]))
        return y
#: another_row_of_the_table | tasks looked_up | FORM next_row far_row blend
@triton.jit
def look(x_ptr, t_ptr, y_ptr, n, FORM: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    c = tl.arange(0, 4)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    k = tl.minimum(tl.maximum(tl.minimum(tl.maximum(16 * x + 128, -1.0), 256.0).to(tl.int32), 0), 255)
    if FORM == "next_row":
        k = tl.minimum(k + (i % 64 == 5).to(tl.int32), 255)
    elif FORM == "far_row":
        k = tl.where(i % 64 == 5, 255 - k, k)
    y = tl.load(t_ptr + k[:, None] * 4 + c[None, :])
    if FORM == "blend":
        y = 0.5 * (y + tl.load(t_ptr + tl.minimum(k + 1, 255)[:, None] * 4 + c[None, :]))
    tl.store(y_ptr + i[:, None] * 4 + c[None, :], y, mask=i[:, None] < n)

class ModelNew(nn.Module):
    def forward(self, x, t):
        y = torch.empty((x.shape[0], 4), device=x.device, dtype=x.dtype)
        look[(triton.cdiv(x.numel(), 64),)](x, t, y, x.numel(), "__FORM__", BLOCK=64)
        return y
#: a_count_that_is_off | tasks counted | BY 1 -1 100
@triton.jit
def rows(x_ptr, z_ptr, y_ptr, N, by, BLOCK: tl.constexpr):
    c = tl.arange(0, BLOCK)
    row = tl.program_id(0)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
    z = tl.load(z_ptr + row * N + c, mask=c < N, other=0.0)
    tl.store(y_ptr + row, tl.sum((x > z).to(tl.int64), 0) + by)

class ModelNew(nn.Module):
    def forward(self, x, z):
        y = torch.empty((x.shape[0],), device=x.device, dtype=torch.int64)
        rows[(x.shape[0],)](x, z, y, x.shape[1], __BY__, BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
