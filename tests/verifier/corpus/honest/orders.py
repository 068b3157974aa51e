#: first_of_ties_by_place | tasks place_of_largest | WARPS 1 4
@triton.jit
def larger(v1, i1, v2, i2):
    take = (v1 > v2) | ((v1 == v2) & (i1 < i2))
    return tl.where(take, v1, v2), tl.where(take, i1, i2)

@triton.jit
def kernel(x_ptr, out_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=-2147483648)
    _, at = tl.reduce((x, c), 0, larger)
    tl.store(out_ptr + row, at.to(tl.int64))

class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty(x.shape[0], dtype=torch.int64, device=x.device)
        kernel[(x.shape[0],)](x, out, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]), num_warps=__WARPS__)
        return out
#: welford_by_a_reduction | tasks var | dtypes f32 f16
@triton.jit
def welford(n1, m1, s1, n2, m2, s2):
    n = n1 + n2
    d = m2 - m1
    share = tl.where(n > 0, n2 / n, 0.0)
    return n, m1 + d * share, s1 + s2 + d * d * n1 * share

@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0).to(tl.float32)
    n, mean, s = tl.reduce((tl.where(c < N, 1.0, 0.0), x, tl.zeros_like(x)), 0, welford)
    tl.store(y_ptr + row, s / (N - 1))

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape[0], device=x.device, dtype=x.dtype)
        kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
#: largest_and_sum_at_once | tasks logsumexp
@triton.jit
def both(m1, s1, m2, s2):
    m = tl.maximum(m1, m2)
    safe = tl.where(m == -float("inf"), 0.0, m)
    return m, s1 * tl.exp(m1 - safe) + s2 * tl.exp(m2 - safe)

@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=-float("inf"))
    m, s = tl.reduce((x, tl.where(c < N, 1.0, 0.0)), 0, both)
    tl.store(y_ptr + row, m + tl.log(s))

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape[0], device=x.device, dtype=x.dtype)
        kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
#: recurrence_by_a_scan_of_pairs | tasks discounted | WARPS 1 4
@triton.jit
def compose(a1, b1, a2, b2):
    return a1 * a2, a2 * b1 + b2

@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
    _, y = tl.associative_scan((tl.full((BLOCK,), 0.5, tl.float32), x), 0, compose)
    tl.store(y_ptr + row * N + c, y, mask=c < N)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]), num_warps=__WARPS__)
        return y
#: the_last_of_a_scan_of_pairs | tasks last_state
@triton.jit
def compose(a1, b1, a2, b2):
    return a1 * a2, a2 * b1 + b2

@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
    _, y = tl.associative_scan((tl.full((BLOCK,), 0.5, tl.float32), x), 0, compose)
    tl.store(y_ptr + row, tl.sum(tl.where(c == N - 1, y, 0.0), axis=0))

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape[0], device=x.device, dtype=x.dtype)
        kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
#: sums_of_all_in_any_order | tasks row_sum row_max | HOW tl.reduce(x,None,combine) tl.reduce(tl.ravel(tl.reshape(x,(BLOCK//4,4)),can_reorder=True),0,combine) tl.reduce(tl.view(x,(BLOCK//4,4)),None,combine)
@triton.jit
def combine(a, b):
    return __COMBINE__

@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=__OTHER__)
    tl.store(y_ptr + row, __HOW__)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape[0], device=x.device, dtype=x.dtype)
        kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=max(4, triton.next_power_of_2(x.shape[1])))
        return y
#: halves_put_together_to_be_summed | tasks row_sum
@triton.jit
def kernel(x_ptr, y_ptr, N, HALF: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, HALF)
    a = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
    b = tl.load(x_ptr + row * N + HALF + c, mask=HALF + c < N, other=0.0)
    tl.store(y_ptr + row, tl.sum(tl.cat(a, b, can_reorder=True), axis=0))

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape[0], device=x.device, dtype=x.dtype)
        kernel[(x.shape[0],)](x, y, x.shape[1], HALF=max(2, triton.next_power_of_2(x.shape[1]) // 2))
        return y
#: a_residual_by_fma | tasks square
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0).to(tl.float32)
    p = x * x
    tl.store(y_ptr + i, p + tl.fma(x, x, -p), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y
#: softmax_in_powers_of_two | tasks softmax
@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=-float("inf"))
    m = tl.max(x, 0)
    e = tl.exp2(x * 1.4426950408889634 - m * 1.4426950408889634)
    tl.store(y_ptr + row * N + c, e / tl.sum(e, 0), mask=c < N)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
#: variance_of_centred_numbers | tasks var
@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
    s = tl.sum(x, 0)
    d = tl.where(c < N, x - s / N, 0.0)
    e = tl.sum(d, 0)
    tl.store(y_ptr + row, tl.maximum(tl.sum(d * d, 0) - e * e / N, 0.0) / (N - 1))

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape[0], device=x.device, dtype=x.dtype)
        kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
