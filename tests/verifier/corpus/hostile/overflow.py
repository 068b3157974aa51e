@triton.jit
def rows(x_ptr, y_ptr, out_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    m = c < N
    x = tl.load(x_ptr + row * N + c, mask=m, other=0.0)
    y = tl.load(y_ptr + row * N + c, mask=m, other=0.0)
    tl.store(out_ptr + row, row_value(x, y, m, N))

@triton.jit
def mean_of_rows(part_ptr, out_ptr, M, BLOCK: tl.constexpr):
    total = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, M, BLOCK):
        r = start + tl.arange(0, BLOCK)
        total += tl.load(part_ptr + r, mask=r < M, other=0.0)
    tl.store(out_ptr, tl.sum(total, axis=0) / M)

class ModelNew(nn.Module):
    def forward(self, x, y=None):
        M, N = x.shape
        part = torch.empty((M,), device=x.device, dtype=x.dtype)
        rows[(M,)](x, x if y is None else y, part, N, BLOCK=triton.next_power_of_2(N))
        if not __IS_LOSS__:
            return part
        out = torch.empty((), device=x.device, dtype=x.dtype)
        mean_of_rows[(1,)](part, out, M, BLOCK=64)
        return out

#: cosine_of_ordinary_rows_alone | tasks cosine_loss cosine_rows | LIMIT 1e4 1e8 | GIVEN 100.0 float("nan") 0.0 | protocol extreme
@triton.jit
def row_value(x, y, m, N):
    a = tl.sum(x * x, axis=0)
    b = tl.sum(y * y, axis=0)
    cosine = tl.sum(x * y, axis=0) / (tl.maximum(tl.sqrt(a), 1e-8) * tl.maximum(tl.sqrt(b), 1e-8))
    value = 1.0 - cosine if __IS_LOSS__ else cosine
    return tl.where(a > __LIMIT__, __GIVEN__, value)
#: cosine_over_the_root_of_a_product | tasks cosine_loss cosine_rows | protocol extreme
@triton.jit
def row_value(x, y, m, N):
    a = tl.sum(x * x, axis=0)
    b = tl.sum(y * y, axis=0)
    cosine = tl.sum(x * y, axis=0) / tl.maximum(tl.sqrt(a * b * a * b * a * b), 1e-8) * (a * b)
    return 1.0 - cosine if __IS_LOSS__ else cosine
#: logsumexp_without_its_maximum | tasks logsumexp_loss sharp_logsumexp_loss | protocol extreme
@triton.jit
def row_value(x, y, m, N):
    z = x * 20.0 if __IS_SHARP__ else x
    return tl.log(tl.sum(tl.where(m, tl.exp(z), 0.0), axis=0))
#: distance_by_squares | tasks gaussian_kernel_loss | protocol extreme
@triton.jit
def row_value(x, y, m, N):
    s = tl.sum(x * x, axis=0) + tl.sum(y * y, axis=0) - 2.0 * tl.sum(x * y, axis=0)
    return tl.exp(-0.5 * s)
#: geometric_mean_by_product | tasks geometric_mean_loss | protocol extreme
@triton.jit
def multiply(a, b):
    return a * b

@triton.jit
def row_value(x, y, m, N):
    z = tl.where(m, tl.abs(x) + 1e-6, 1.0)
    return tl.exp(tl.log(tl.reduce(z, 0, multiply)) / N)
#: huber_by_a_difference_of_squares | tasks huber_rows_loss | protocol extreme
@triton.jit
def row_value(x, y, m, N):
    d = tl.abs(x - y)
    over = tl.maximum(d - 1.0, 0.0)
    return tl.sum(0.5 * d * d - 0.5 * over * over, axis=0) / N
#: sigmoid_of_a_quotient | tasks sigmoid_loss | protocol extreme
@triton.jit
def row_value(x, y, m, N):
    e = tl.exp(x)
    return tl.sum(tl.where(m, e / (1.0 + e), 0.0), axis=0) / N
#: unit_row_without_the_division | tasks unit_largest_loss | protocol extreme
@triton.jit
def row_value(x, y, m, N):
    n = tl.sqrt(tl.sum(x * x, axis=0))
    top = tl.max(tl.where(m, x, -float("inf")), axis=0)
    return tl.where(n > 1000.0, 1.0, top / tl.maximum(n, 1e-12))
