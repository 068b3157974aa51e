@triton.jit
def rows(x_ptr, y_ptr, out_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    m = c < N
    x = tl.load(x_ptr + row * N + c, mask=m, other=0.0).to(tl.float32)
    y = tl.load(y_ptr + row * N + c, mask=m, other=0.0).to(tl.float32)
    tl.store(out_ptr + row, row_value(x, y, m, N))

@triton.jit
def mean_of_rows(part_ptr, out_ptr, M, BLOCK: tl.constexpr):
    total = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, M, BLOCK):
        r = start + tl.arange(0, BLOCK)
        total += tl.load(part_ptr + r, mask=r < M, other=0.0).to(tl.float32)
    tl.store(out_ptr, tl.sum(total, axis=0) / M)

class ModelNew(nn.Module):
    def forward(self, x, y=None):
        M, N = x.shape
        loss = __IS_LOSS__
        part = torch.empty((M,), device=x.device, dtype=torch.float32 if loss else x.dtype)
        rows[(M,)](x, x if y is None else y, part, N, BLOCK=triton.next_power_of_2(N))
        if not loss:
            return part
        out = torch.empty((), device=x.device, dtype=x.dtype)
        mean_of_rows[(1,)](part, out, M, BLOCK=64)
        return out

#: cosine_over_both_norms | tasks cosine_loss cosine_rows | dtypes f32 f16 | protocol extreme
@triton.jit
def row_value(x, y, m, N):
    dot = tl.sum(x * y, axis=0)
    a = tl.sqrt(tl.sum(x * x, axis=0))
    b = tl.sqrt(tl.sum(y * y, axis=0))
    cosine = dot / (tl.maximum(a, 1e-8) * tl.maximum(b, 1e-8))
    return 1.0 - cosine if __IS_LOSS__ else cosine
#: cosine_one_norm_after_the_other | tasks cosine_loss cosine_rows | protocol extreme
@triton.jit
def row_value(x, y, m, N):
    a = tl.sqrt(tl.sum(x * x, axis=0))
    b = tl.sqrt(tl.sum(y * y, axis=0))
    cosine = tl.sum(x * y, axis=0) / tl.maximum(a, 1e-8) / tl.maximum(b, 1e-8)
    return 1.0 - cosine if __IS_LOSS__ else cosine
#: cosine_by_inverse_roots | tasks cosine_loss cosine_rows | protocol extreme
@triton.jit
def row_value(x, y, m, N):
    a = tl.rsqrt(tl.maximum(tl.sum(x * x, axis=0), 1e-16))
    b = tl.rsqrt(tl.maximum(tl.sum(y * y, axis=0), 1e-16))
    cosine = tl.sum(x * y, axis=0) * a * b
    return 1.0 - cosine if __IS_LOSS__ else cosine
#: cosine_of_unit_rows | tasks cosine_loss cosine_rows | protocol extreme
@triton.jit
def row_value(x, y, m, N):
    a = x / tl.maximum(tl.sqrt(tl.sum(x * x, axis=0)), 1e-8)
    b = y / tl.maximum(tl.sqrt(tl.sum(y * y, axis=0)), 1e-8)
    cosine = tl.sum(a * b, axis=0)
    return 1.0 - cosine if __IS_LOSS__ else cosine
#: cosine_scaled_by_the_largest | tasks cosine_loss | protocol extreme
@triton.jit
def row_value(x, y, m, N):
    a = tl.maximum(tl.max(tl.abs(x), axis=0), 1e-30)
    b = tl.maximum(tl.max(tl.abs(y), axis=0), 1e-30)
    u = x / a
    v = y / b
    n = tl.maximum(tl.sqrt(tl.sum(u * u, axis=0)), 1e-8 / a)
    k = tl.maximum(tl.sqrt(tl.sum(v * v, axis=0)), 1e-8 / b)
    return 1.0 - tl.sum(u * v, axis=0) / (n * k)
#: squared_cosine | tasks squared_cosine_loss | protocol extreme
@triton.jit
def row_value(x, y, m, N):
    a = tl.sqrt(tl.sum(x * x, axis=0))
    b = tl.sqrt(tl.sum(y * y, axis=0))
    cosine = tl.sum(x * y, axis=0) / (tl.maximum(a, 1e-8) * tl.maximum(b, 1e-8))
    return cosine * cosine
#: hinge_of_a_cosine | tasks hinged_cosine_loss | protocol extreme
@triton.jit
def row_value(x, y, m, N):
    a = tl.maximum(tl.sqrt(tl.sum(x * x, axis=0)), 1e-8)
    b = tl.maximum(tl.sqrt(tl.sum(y * y, axis=0)), 1e-8)
    cosine = tl.sum(x * y, axis=0) / (a * b)
    return tl.where(cosine > 0.1, cosine - 0.1, 0.0 * cosine)
#: exponential_of_a_cosine | tasks exponential_cosine_loss | protocol extreme
@triton.jit
def row_value(x, y, m, N):
    a = tl.maximum(tl.sqrt(tl.sum(x * x, axis=0)), 1e-8)
    b = tl.maximum(tl.sqrt(tl.sum(y * y, axis=0)), 1e-8)
    return tl.exp(5.0 * (tl.sum(x * y, axis=0) / (a * b)))
#: product_of_unit_rows | tasks unit_rows_loss unit_rows_product | protocol extreme
@triton.jit
def row_value(x, y, m, N):
    a = tl.maximum(tl.sqrt(tl.sum(x * x, axis=0)), 1e-12)
    b = tl.maximum(tl.sqrt(tl.sum(y * y, axis=0)), 1e-12)
    return tl.sum(x * y, axis=0) / (a * b)
#: distance_of_unit_rows | tasks unit_distance_loss | protocol extreme
@triton.jit
def row_value(x, y, m, N):
    a = x / tl.maximum(tl.sqrt(tl.sum(x * x, axis=0)), 1e-12)
    b = y / tl.maximum(tl.sqrt(tl.sum(y * y, axis=0)), 1e-12)
    d = a - b
    return tl.sum(d * d, axis=0)
#: largest_of_a_unit_row | tasks unit_largest_loss | FORM x\x20/\x20n x\x20*\x20(1.0\x20/\x20n) | protocol extreme
@triton.jit
def row_value(x, y, m, N):
    n = tl.maximum(tl.sqrt(tl.sum(x * x, axis=0)), 1e-12)
    return tl.max(tl.where(m, __FORM__, -float("inf")), axis=0)
#: product_of_root_mean_squares | tasks rms_product_loss | protocol extreme
@triton.jit
def row_value(x, y, m, N):
    a = tl.sum(x * x, axis=0) / N + 1e-5
    b = tl.sum(y * y, axis=0) / N + 1e-5
    return tl.sum(x * y, axis=0) * tl.rsqrt(a) * tl.rsqrt(b)
#: correlation | tasks correlation_loss | protocol extreme
@triton.jit
def row_value(x, y, m, N):
    u = tl.where(m, x - tl.sum(x, axis=0) / N, 0.0)
    v = tl.where(m, y - tl.sum(y, axis=0) / N, 0.0)
    a = tl.sqrt(tl.sum(u * u, axis=0) / N + 1e-5)
    b = tl.sqrt(tl.sum(v * v, axis=0) / N + 1e-5)
    return tl.sum(u * v, axis=0) / N / (a * b)
#: distance_kernel | tasks gaussian_kernel_loss inverse_distance_loss | protocol extreme
@triton.jit
def row_value(x, y, m, N):
    d = x - y
    s = tl.sum(d * d, axis=0)
    return 1.0 / (1.0 + tl.sqrt(s)) if __IS_INVERSE__ else tl.exp(-0.5 * s)
#: huber_by_where | tasks huber_rows_loss | protocol extreme
@triton.jit
def row_value(x, y, m, N):
    d = tl.abs(x - y)
    return tl.sum(tl.where(d < 1.0, 0.5 * d * d, d - 0.5), axis=0) / N
#: logsumexp_with_temperature | tasks sharp_logsumexp_loss | protocol extreme
@triton.jit
def row_value(x, y, m, N):
    z = tl.where(m, x * 20.0, -float("inf"))
    top = tl.max(z, axis=0)
    return top + tl.log(tl.sum(tl.exp(z - top), axis=0))
#: geometric_mean | tasks geometric_mean_loss | protocol extreme
@triton.jit
def row_value(x, y, m, N):
    z = tl.where(m, tl.log(tl.abs(x) + 1e-6), 0.0)
    return tl.exp(tl.sum(z, axis=0) / N)
#: ratio_of_a_spread | tasks spread_ratio_loss | protocol extreme
@triton.jit
def row_value(x, y, m, N):
    u = tl.where(m, x - tl.sum(x, axis=0) / N, 0.0)
    var = tl.sum(u * u, axis=0) / (N - 1)
    top = tl.max(tl.where(m, u, -float("inf")), axis=0)
    return top / (tl.sqrt(var) + 1e-5)
