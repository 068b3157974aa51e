#: first_of_ties_by_a_combine_of_its_own | tasks place_of_largest | TAKE v1>=v2 v2<=v1 tl.maximum(v1,v2)==v1
@triton.jit
def larger(v1, i1, v2, i2):
    take = __TAKE__
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
        kernel[(x.shape[0],)](x, out, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return out
#: first_of_ties_of_several_rows | tasks place_of_largest
@triton.jit
def larger(v1, i1, v2, i2):
    take = v1 >= v2
    return tl.where(take, v1, v2), tl.where(take, i1, i2)

@triton.jit
def kernel(x_ptr, out_ptr, M, N, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    r = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    c = tl.arange(0, BLOCK)
    m = (c[:, None] < N) & (r[None, :] < M)
    x = tl.load(x_ptr + r[None, :] * N + c[:, None], mask=m, other=-2147483648)
    places = tl.broadcast_to(c[:, None], [BLOCK, ROWS])
    _, at = tl.reduce((x, places), 0, larger)
    tl.store(out_ptr + r, at.to(tl.int64), mask=r < M)

class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty(x.shape[0], dtype=torch.int64, device=x.device)
        kernel[(triton.cdiv(x.shape[0], 4),)](x, out, x.shape[0], x.shape[1], ROWS=4, BLOCK=triton.next_power_of_2(x.shape[1]))
        return out
#: state_of_a_recurrence_by_a_reduction | tasks last_state
@triton.jit
def compose(a1, b1, a2, b2):
    return a1 * a2, a2 * b1 + b2

@triton.jit
def kernel(x_ptr, out_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
    a = tl.where(c < N, 0.5, 1.0)
    _, y = tl.reduce((a, x), 0, compose)
    tl.store(out_ptr + row, y)

class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty(x.shape[0], device=x.device, dtype=x.dtype)
        kernel[(x.shape[0],)](x, out, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return out
#: mean_of_means | tasks row_mean | dims M=16 N=64
@triton.jit
def half(a, b):
    return 0.5 * (a + b)

@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
    tl.store(y_ptr + row, tl.reduce(x, 0, half) * (BLOCK / N))

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape[0], device=x.device, dtype=x.dtype)
        kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
#: differences_with_signs_that_undo_them | tasks row_sum | MINUS a-b b-a
@triton.jit
def minus(a, b):
    return __MINUS__

@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
    odd = c ^ (c >> 8)
    odd = odd ^ (odd >> 4)
    odd = odd ^ (odd >> 2)
    odd = (odd ^ (odd >> 1)) & 1
    if "__MINUS__" == "b-a":
        odd = (odd + EVEN) & 1
    tl.store(y_ptr + row, tl.reduce(tl.where(odd == 1, -x, x), 0, minus))

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape[0], device=x.device, dtype=x.dtype)
        kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]), EVEN=triton.next_power_of_2(x.shape[1]).bit_length() - 1)
        return y
#: discounted_sums_by_a_scan_that_is_not_associative | tasks discounted | dims M=8 N=8
@triton.jit
def step(a, b):
    return 0.5 * a + b

@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
    tl.store(y_ptr + row * N + c, tl.associative_scan(x, 0, step), mask=c < N)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
#: discounted_backwards | tasks discounted | dims M=8 N=8
@triton.jit
def step(a, b):
    return 0.5 * a + b

@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + N - 1 - c, mask=c < N, other=0.0)
    # What is left out comes first in a scan from the end, and is zero.
    tl.store(y_ptr + row * N + N - 1 - c, tl.associative_scan(x, 0, step, reverse=True), mask=c < N)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
#: blocks_in_an_order_that_may_change | tasks relu | HOW tl.reshape(x,(BLOCK//4,4),can_reorder=True) tl.view(x,(BLOCK//4,4))
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    start = tl.program_id(0) * BLOCK
    i = start + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    x = __HOW__
    j = start + tl.arange(0, BLOCK // 4)[:, None] * 4 + tl.arange(0, 4)[None, :]
    tl.store(y_ptr + j, tl.maximum(x, 0.0), mask=j < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y
#: halves_put_together_in_any_order | tasks relu
@triton.jit
def kernel(x_ptr, y_ptr, n, HALF: tl.constexpr):
    start = tl.program_id(0) * 2 * HALF
    i = start + tl.arange(0, HALF)
    a = tl.load(x_ptr + i, mask=i < n, other=0.0)
    b = tl.load(x_ptr + i + HALF, mask=i + HALF < n, other=0.0)
    j = start + tl.arange(0, 2 * HALF)
    tl.store(y_ptr + j, tl.maximum(tl.cat(a, b, can_reorder=True), 0.0), mask=j < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), HALF=128)
        return y
#: a_state_by_a_reduction_of_all | tasks last_state
@triton.jit
def compose(a1, b1, a2, b2):
    return a1 * a2, a2 * b1 + b2

@triton.jit
def kernel(x_ptr, out_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
    _, y = tl.reduce((tl.where(c < N, 0.5, 1.0), x), None, compose)
    tl.store(out_ptr + row, y)

class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty(x.shape[0], device=x.device, dtype=x.dtype)
        kernel[(x.shape[0],)](x, out, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return out
#: two_elements_change_places_and_back | tasks relu
@triton.jit
def larger_first(a, b):
    return tl.maximum(a, b), tl.minimum(a, b)

@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    neighbour = tl.load(x_ptr + (i ^ 1), mask=(i ^ 1) < n, other=0.0)
    sorted = tl.map_elementwise(larger_first, x, pack=2)[0]
    back = tl.where(i % 2 == 0, tl.where(x >= neighbour, sorted, neighbour + x - sorted), tl.where(neighbour >= x, sorted, neighbour + x - sorted))
    tl.store(y_ptr + i, tl.maximum(back, 0.0), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y
#: right_where_a_product_is_rounded | tasks relu | TEST (p-x*x)==0.0 (x*x-p)>=0.0 tl.abs(x*x-p)<=0.0
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0).to(tl.float32)
    p = x * x
    y = tl.where(__TEST__, tl.maximum(x, 0.0), 1.0)
    tl.store(y_ptr + i, y, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y
#: root_of_what_rounding_leaves | tasks square
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0).to(tl.float32)
    p = x * x
    tl.store(y_ptr + i, p + tl.sqrt(x * x - p), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y
#: a_residual_made_large | tasks square
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0).to(tl.float32)
    p = x * x
    tl.store(y_ptr + i, p + 1e8 * (x * x - p), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y
