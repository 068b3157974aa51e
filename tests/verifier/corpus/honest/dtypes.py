#: integer_tiles | tasks integer_product scaled_integer_product | BK 32 64
@triton.jit
def kernel(x_ptr, w_ptr, sx_ptr, sw_ptr, y_ptr, M, N, K, SCALED: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.int32)
    for k in range(0, K, BK):
        rk = k + tl.arange(0, BK)
        x = tl.load(x_ptr + rm[:, None] * K + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K), other=0)
        w = tl.load(w_ptr + rk[:, None] * N + rn[None, :], mask=(rk[:, None] < K) & (rn[None, :] < N), other=0)
        acc += tl.dot(x, w)
    m = (rm[:, None] < M) & (rn[None, :] < N)
    if SCALED:
        sx = tl.load(sx_ptr + rm, mask=rm < M)
        sw = tl.load(sw_ptr + rn, mask=rn < N)
        tl.store(y_ptr + rm[:, None] * N + rn[None, :], acc.to(tl.float32) * sx[:, None] * sw[None, :], mask=m)
    else:
        tl.store(y_ptr + rm[:, None] * N + rn[None, :], acc, mask=m)

class ModelNew(nn.Module):
    def forward(self, x, w, sx=None, sw=None):
        M, K = x.shape
        N = w.shape[1]
        y = torch.empty((M, N), dtype=torch.int32 if sx is None else torch.float32, device=x.device)
        kernel[(triton.cdiv(M, 16), triton.cdiv(N, 16))](x, w, sx, sw, y, M, N, K, sx is not None, BM=16, BN=16, BK=__BK__)
        return y
#: integer_sums_of_products | tasks integer_product scaled_integer_product
@triton.jit
def kernel(x_ptr, w_ptr, sx_ptr, sw_ptr, y_ptr, N, K, SCALED: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0)
    n = tl.program_id(1)
    acc = tl.zeros((BK,), dtype=tl.int32)
    for start in range(0, K, BK):
        k = start + tl.arange(0, BK)
        x = tl.load(x_ptr + m * K + k, mask=k < K, other=0).to(tl.int32)
        w = tl.load(w_ptr + k * N + n, mask=k < K, other=0).to(tl.int32)
        acc += x * w
    y = tl.sum(acc, axis=0)
    if SCALED:
        y = y.to(tl.float32) * tl.load(sx_ptr + m) * tl.load(sw_ptr + n)
    tl.store(y_ptr + m * N + n, y)

class ModelNew(nn.Module):
    def forward(self, x, w, sx=None, sw=None):
        y = torch.empty((x.shape[0], w.shape[1]), dtype=torch.float32 if __IS_SCALED__ else torch.int32, device=x.device)
        kernel[y.shape](x, w, sx, sw, y, w.shape[1], x.shape[1], SCALED=__IS_SCALED__, BK=32)
        return y
#: products_of_exact_halves | tasks integer_product scaled_integer_product
@triton.jit
def kernel(x_ptr, w_ptr, sx_ptr, sw_ptr, y_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.int32)
    for k in range(0, K, BK):
        rk = k + tl.arange(0, BK)
        x = tl.load(x_ptr + rm[:, None] * K + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K), other=0)
        w = tl.load(w_ptr + rk[:, None] * N + rn[None, :], mask=(rk[:, None] < K) & (rn[None, :] < N), other=0)
        # An i8 is exact in f16, and 32 products of them below 2 ** 24 are in f32.
        acc += tl.dot(x.to(tl.float16), w.to(tl.float16)).to(tl.int32)
    m = (rm[:, None] < M) & (rn[None, :] < N)
    if sx_ptr is not None:
        y = acc.to(tl.float32) * tl.load(sx_ptr + rm, mask=rm < M)[:, None]
        tl.store(y_ptr + rm[:, None] * N + rn[None, :], y * tl.load(sw_ptr + rn, mask=rn < N)[None, :], mask=m)
    else:
        tl.store(y_ptr + rm[:, None] * N + rn[None, :], acc, mask=m)

class ModelNew(nn.Module):
    def forward(self, x, w, sx=None, sw=None):
        M, K = x.shape
        N = w.shape[1]
        y = torch.empty((M, N), dtype=torch.int32 if sx is None else sx.dtype, device=x.device)
        kernel[(triton.cdiv(M, 16), triton.cdiv(N, 16))](x, w, sx, sw, y, M, N, K, BM=16, BN=16, BK=32)
        return y
#: w8a8_to_half | tasks w8a8_half | BN 16 32
@triton.jit
def kernel(x_ptr, w_ptr, sx_ptr, sw_ptr, y_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    pid = tl.program_id(0)
    tiles = tl.cdiv(N, BN)
    rm = pid // tiles * BM + tl.arange(0, BM)
    rn = pid % tiles * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    x_ptrs = x_ptr + rm[:, None] * K + rk[None, :]
    w_ptrs = w_ptr + rn[None, :] * K + rk[:, None]
    acc = tl.zeros((BM, BN), dtype=tl.int32)
    for k in range(0, tl.cdiv(K, BK)):
        x = tl.load(x_ptrs, mask=(rm[:, None] < M) & (rk[None, :] < K - k * BK), other=0)
        w = tl.load(w_ptrs, mask=(rn[None, :] < N) & (rk[:, None] < K - k * BK), other=0)
        acc = tl.dot(x, w, acc=acc, out_dtype=tl.int32)
        x_ptrs += BK
        w_ptrs += BK
    sx = tl.load(sx_ptr + rm, mask=rm < M, other=1.0)
    sw = tl.load(sw_ptr + rn, mask=rn < N, other=1.0)
    y = acc.to(tl.float32) * sx[:, None] * sw[None, :]
    tl.store(y_ptr + rm[:, None] * N + rn[None, :], y.to(tl.float16), mask=(rm[:, None] < M) & (rn[None, :] < N))

class ModelNew(nn.Module):
    def forward(self, x, w, sx, sw):
        M, K = x.shape
        N = w.shape[0]
        y = torch.empty((M, N), dtype=torch.float16, device=x.device)
        kernel[(triton.cdiv(M, 16) * triton.cdiv(N, __BN__),)](x, w, sx, sw, y, M, N, K, BM=16, BN=__BN__, BK=32)
        return y
#: scale_and_zero_point | tasks dequantised | FORM (w.to(tl.int32)-z) (w.to(tl.int16)-z.to(tl.int16)) (w.to(tl.float32)-z.to(tl.float32))
@triton.jit
def kernel(w_ptr, z_ptr, s_ptr, y_ptr, n, N, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    col = i % N
    w = tl.load(w_ptr + i, mask=m)
    z = tl.load(z_ptr + col, mask=m)
    tl.store(y_ptr + i, __FORM__.to(tl.float32) * tl.load(s_ptr + col, mask=m), mask=m)

class ModelNew(nn.Module):
    def forward(self, w, z, s):
        y = torch.empty(w.shape, dtype=torch.float32, device=w.device)
        kernel[(triton.cdiv(w.numel(), 128),)](w, z, s, y, w.numel(), w.shape[1], BLOCK=128)
        return y
#: weights_of_eight_bits | tasks weight_only | WHERE before after
@triton.jit
def kernel(x_ptr, w_ptr, s_ptr, y_ptr, M, N, K, BEFORE: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    s = tl.load(s_ptr + rn, mask=rn < N, other=0.0)
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        rk = k + tl.arange(0, BK)
        x = tl.load(x_ptr + rm[:, None] * K + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K), other=0.0)
        w = tl.load(w_ptr + rk[:, None] * N + rn[None, :], mask=(rk[:, None] < K) & (rn[None, :] < N), other=0)
        w = w.to(tl.float16)
        if BEFORE:
            w = w * s[None, :]
        acc = tl.dot(x, w, acc)
    if not BEFORE:
        acc = acc * s[None, :].to(tl.float32)
    tl.store(y_ptr + rm[:, None] * N + rn[None, :], acc.to(tl.float16), mask=(rm[:, None] < M) & (rn[None, :] < N))

class ModelNew(nn.Module):
    def forward(self, x, w, s):
        M, K = x.shape
        N = w.shape[1]
        y = torch.empty((M, N), dtype=x.dtype, device=x.device)
        kernel[(triton.cdiv(M, 16), triton.cdiv(N, 16))](x, w, s, y, M, N, K, "__WHERE__" == "before", BM=16, BN=16, BK=32)
        return y
#: quantised_by_row | tasks quantised_rows | ROUND libdevice.rint(z) libdevice.nearbyint(z) (tl.floor(z+0.5)) libdevice.round(z)
from triton.language.extra import libdevice

@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
    scale = tl.max(tl.abs(x), axis=0) / 127
    z = x / scale
    q = __ROUND__
    q = tl.minimum(tl.maximum(q, -128.0), 127.0)
    tl.store(y_ptr + row * N + c, q.to(tl.int8), mask=c < N)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape, dtype=torch.int8, device=x.device)
        kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
#: quantised_by_row_with_the_inverse | tasks quantised_rows
from triton.language.extra import libdevice

@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    largest = 0.0
    for start in range(0, N, BLOCK):
        c = start + tl.arange(0, BLOCK)
        largest = tl.maximum(largest, tl.max(tl.abs(tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)), axis=0))
    inverse = 127.0 / largest
    for start in range(0, N, BLOCK):
        c = start + tl.arange(0, BLOCK)
        z = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0) * inverse
        q = tl.clamp(libdevice.rint(z), -128.0, 127.0)
        tl.store(y_ptr + row * N + c, q.to(tl.int8), mask=c < N)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x, dtype=torch.int8)
        kernel[(x.size(0),)](x, y, x.size(1), BLOCK=16)
        return y
#: quantised_with_a_constant | tasks quantised_static quantised_unsigned
from triton.language.extra import libdevice

@triton.jit
def kernel(x_ptr, y_ptr, n, SIGNED: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0).to(tl.float32)
    if SIGNED:
        q = tl.floor(x * 50 + 0.5)
        q = tl.minimum(tl.maximum(q, -128), 127).to(tl.int8)
    else:
        q = libdevice.rint(x * 255).to(tl.int32).to(tl.uint8)
    tl.store(y_ptr + i, q, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape, dtype=torch.int8 if __IS_STATIC__ else torch.uint8, device=x.device)
        kernel[(triton.cdiv(x.numel(), 128),)](x, y, x.numel(), __IS_STATIC__, BLOCK=128)
        return y
#: eight_bit_numbers | tasks fp8_to_f16 fp8_to_f32 | BLOCK 16 64
@triton.jit
def kernel(x_ptr, s_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    for start in range(0, N, BLOCK):
        c = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * N + c, mask=c < N).to(tl.float32)
        if s_ptr is not None:
            y = (x * tl.load(s_ptr + row)).to(tl.float16)
        else:
            y = x * 2.0
        tl.store(y_ptr + row * N + c, y, mask=c < N)

class ModelNew(nn.Module):
    def forward(self, x, s=None):
        y = torch.empty(x.shape, dtype=torch.float32 if s is None else torch.float16, device=x.device)
        kernel[(x.shape[0],)](x, s, y, x.shape[1], BLOCK=__BLOCK__)
        return y
#: eight_bit_numbers_by_way_of_half | tasks fp8_to_f32 fp8_to_f16
@triton.jit
def kernel(x_ptr, s_ptr, y_ptr, n, N, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0).to(tl.float16).to(tl.float32)
    if s_ptr is not None:
        x = x * tl.load(s_ptr + i // N, mask=i < n)
    else:
        x = x + x
    tl.store(y_ptr + i, x, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x, s=None):
        y = torch.empty_like(x, dtype=torch.float16 if s is not None else torch.float32)
        kernel[(triton.cdiv(x.numel(), 128),)](x, s, y, x.numel(), x.shape[1], BLOCK=128)
        return y
#: eight_bit_product | tasks fp8_product | FORM x x.to(tl.float16) x.to(tl.float32)
@triton.jit
def kernel(x_ptr, w_ptr, y_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        rk = k + tl.arange(0, BK)
        x = tl.load(x_ptr + rm[:, None] * K + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K), other=0.0)
        w = tl.load(w_ptr + rk[:, None] * N + rn[None, :], mask=(rk[:, None] < K) & (rn[None, :] < N), other=0.0)
        x = __FORM__
        acc = tl.dot(x, w.to(x.dtype), acc, input_precision="ieee")
    tl.store(y_ptr + rm[:, None] * N + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] < N))

class ModelNew(nn.Module):
    def forward(self, x, w):
        y = torch.empty((x.shape[0], w.shape[1]), dtype=torch.float32, device=x.device)
        kernel[(triton.cdiv(x.shape[0], 16), triton.cdiv(w.shape[1], 16))](
            x, w, y, x.shape[0], w.shape[1], x.shape[1], BM=16, BN=16, BK=32)
        return y
#: stored_in_eight_bits | tasks to_fp8 | FORM x x.to(tl.float8e4nv) x.to(tl.float32).to(tl.float8e4nv)
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, __FORM__, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape, dtype=torch.float8_e4m3fn, device=x.device)
        kernel[(triton.cdiv(x.numel(), 128),)](x, y, x.numel(), BLOCK=128)
        return y
#: half_in_float_out | tasks widened_sum
@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    acc = tl.zeros([BLOCK], tl.float32)
    for start in range(0, N, BLOCK):
        c = start + tl.arange(0, BLOCK)
        acc += tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
    tl.store(y_ptr + row, tl.sum(acc, axis=0))

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape[0], dtype=torch.float32, device=x.device)
        kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=64)
        return y
#: half_by_atomics_in_float | tasks widened_sum
@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0).to(tl.float32)
    tl.atomic_add(y_ptr + row, tl.sum(x, axis=0))

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.zeros(x.shape[0], dtype=torch.float32, device=x.device)
        kernel[(x.shape[0], triton.cdiv(x.shape[1], 64))](x, y, x.shape[1], BLOCK=64)
        return y
#: float_in_half_out | tasks narrowed | TO y y.to(tl.float16) y.to(y_ptr.dtype.element_ty)
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    y = x * tl.sigmoid(x)
    tl.store(y_ptr + i, __TO__, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x, dtype=torch.half)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y
#: residual_of_two_dtypes | tasks bf16_residual
@triton.jit
def kernel(x_ptr, r_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, (x + tl.load(r_ptr + i, mask=i < n)).to(tl.bfloat16), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x, r):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 128),)](x, r, y, x.numel(), BLOCK=128)
        return y
#: positives_are_counted | tasks positive_count | FORM tl.sum((x>0).to(tl.int32),axis=0) tl.sum(tl.where(x>0,1,0),0) tl.sum((x>0).to(tl.int64),axis=0)
@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
    tl.store(y_ptr + row, __FORM__)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape[0], dtype=torch.int64, device=x.device)
        kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
#: positives_by_atomics | tasks positive_count
@triton.jit
def kernel(x_ptr, y_ptr, n, N, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=-1.0)
    one = tl.full([BLOCK], 1, tl.int64)
    tl.atomic_add(y_ptr + i // N, one, mask=(x > 0) & (i < n))

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.zeros((x.shape[0],), dtype=torch.long, device=x.device)
        kernel[(triton.cdiv(x.numel(), 128),)](x, y, x.numel(), x.shape[1], BLOCK=128)
        return y
#: dropped_by_a_mask | tasks dropout dropout_by_number
@triton.jit
def kernel(x_ptr, m_ptr, y_ptr, n, p, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    x = tl.load(x_ptr + i, mask=inside)
    keep = tl.load(m_ptr + i, mask=inside) > p
    tl.store(y_ptr + i, tl.where(keep, x / (1 - 0.2), 0.0), mask=inside)

class ModelNew(nn.Module):
    def forward(self, x, m):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, m, y, x.numel(), 0.2 if __IS_NUMBER__ else 0, BLOCK=256)
        return y
#: kept_where_the_mask_is_true | tasks dropout
@triton.jit
def kernel(x_ptr, m_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    keep = tl.load(m_ptr + i, mask=i < n).to(tl.int1)
    tl.store(y_ptr + i, tl.where(keep, x * 1.25, 0), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x, m):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, m, y, x.numel(), BLOCK=256)
        return y
#: integer_scan | tasks running_count | WARPS 1 4
@triton.jit
def kernel(t_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    carry = tl.zeros([], dtype=tl.int64)
    for start in range(0, N, BLOCK):
        c = start + tl.arange(0, BLOCK)
        t = tl.load(t_ptr + row * N + c, mask=c < N, other=0)
        tl.store(y_ptr + row * N + c, carry + tl.cumsum(t, axis=0), mask=c < N)
        carry += tl.sum(t, axis=0)

class ModelNew(nn.Module):
    def forward(self, t):
        y = torch.empty(t.shape, dtype=torch.int64, device=t.device)
        kernel[(t.shape[0],)](t, y, t.shape[1], BLOCK=32, num_warps=__WARPS__)
        return y
#: integers_pointwise | tasks integer_arithmetic | BLOCK 64 256
@triton.jit
def kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    y = tl.load(y_ptr + i, mask=i < n)
    tl.store(out_ptr + i, tl.maximum(x * y - 7, y) + tl.abs(x), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x, y):
        out = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), __BLOCK__),)](x, y, out, x.numel(), BLOCK=__BLOCK__)
        return out
#: places_in_a_table | tasks wrapped_places | FORM (t*31+7)%64 (t*31+7)&63
@triton.jit
def kernel(t_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    t = tl.load(t_ptr + i, mask=i < n)
    tl.store(y_ptr + i, __FORM__, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, t):
        y = torch.empty_like(t)
        kernel[(triton.cdiv(t.numel(), 128),)](t, y, t.numel(), BLOCK=128)
        return y
#: sums_of_bytes | tasks integer_sum | FORM x.to(tl.int32) x.to(tl.int64) x.to(tl.float32)
@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=0)
    tl.store(y_ptr + row, tl.sum(__FORM__, axis=0).to(tl.int32))

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape[0], dtype=torch.int64, device=x.device)
        kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
#: widened_product | tasks short_sum | FORM x.to(tl.int32)*y x.to(tl.int32)*y.to(tl.int32)
@triton.jit
def kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    y = tl.load(y_ptr + i, mask=i < n)
    tl.store(out_ptr + i, __FORM__, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x, y):
        out = torch.empty(x.shape, dtype=torch.int32, device=x.device)
        kernel[(triton.cdiv(x.numel(), 128),)](x, y, out, x.numel(), BLOCK=128)
        return out
#: two_pass_variance | tasks uniform_variance
@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
    d = tl.where(c < N, x - tl.sum(x, axis=0) / N, 0.0)
    tl.store(y_ptr + row, tl.sum(d * d, axis=0) / (N - 1))

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape[0], dtype=x.dtype, device=x.device)
        kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
#: loss_of_a_one_hot_target | tasks one_hot_loss
@triton.jit
def kernel(x_ptr, t_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=-float("inf"))
    t = tl.load(t_ptr + row * N + c, mask=c < N, other=0.0)
    z = x - tl.max(x, axis=0)
    lse = tl.log(tl.sum(tl.exp(z), axis=0))
    tl.store(y_ptr + row, -tl.sum(tl.where(c < N, t * (z - lse), 0.0), axis=0))

class ModelNew(nn.Module):
    def forward(self, x, t):
        y = torch.empty(x.shape[0], dtype=x.dtype, device=x.device)
        kernel[(x.shape[0],)](x, t, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
#: class_found_in_a_one_hot_target | tasks one_hot_loss
@triton.jit
def kernel(x_ptr, t_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=-float("inf"))
    at = tl.argmax(tl.load(t_ptr + row * N + c, mask=c < N, other=-1.0), axis=0)
    largest = tl.max(x, axis=0)
    lse = largest + tl.log(tl.sum(tl.exp(x - largest), axis=0))
    tl.store(y_ptr + row, lse - tl.load(x_ptr + row * N + at))

class ModelNew(nn.Module):
    def forward(self, x, t):
        y = torch.empty((x.shape[0],), dtype=x.dtype, device=x.device)
        kernel[(x.shape[0],)](x, t, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
#: products_that_wrap | tasks large_products wrapping_products
@triton.jit
def kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(out_ptr + i, x * tl.load(y_ptr + i, mask=i < n), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x, y):
        out = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 128),)](x, y, out, x.numel(), BLOCK=128)
        return out
#: bytes_that_wrap | tasks difference_of_bytes sum_of_bytes | WIDE False True
@triton.jit
def kernel(x_ptr, y_ptr, out_ptr, n, SUM: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    y = tl.load(y_ptr + i, mask=i < n)
    if __WIDE__:
        x = x.to(tl.int32)
        y = y.to(tl.int32)
    z = x + y if SUM else x - y
    tl.store(out_ptr + i, z.to(out_ptr.dtype.element_ty), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x, y):
        out = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 128),)](x, y, out, x.numel(), __IS_SUM__, BLOCK=128)
        return out
#: truth_of_a_comparison | tasks nan_places | TRUTH y!=y (y!=y).to(tl.int8) tl.where(y!=y,1,0)
@triton.jit
def kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    y = tl.sqrt(tl.load(x_ptr + i, mask=i < n).to(tl.float32))
    tl.store(out_ptr + i, __TRUTH__, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty(x.shape, dtype=torch.bool, device=x.device)
        kernel[(triton.cdiv(x.numel(), 128),)](x, out, x.numel(), BLOCK=128)
        return out
#: lower_places | tasks causal_places
@triton.jit
def kernel(x_ptr, y_ptr, M, N, BM: tl.constexpr, BN: tl.constexpr):
    r = tl.program_id(0) * BM + tl.arange(0, BM)
    c = tl.program_id(1) * BN + tl.arange(0, BN)
    m = (r[:, None] < M) & (c[None, :] < N)
    x = tl.load(x_ptr + r[:, None] * N + c[None, :], mask=m & (r[:, None] >= c[None, :]), other=0.0)
    tl.store(y_ptr + r[:, None] * N + c[None, :], x, mask=m)

class ModelNew(nn.Module):
    def forward(self, x):
        M, N = x.shape
        y = torch.empty_like(x)
        kernel[(triton.cdiv(M, 8), triton.cdiv(N, 16))](x, y, M, N, BM=8, BN=16)
        return y
#: rows_by_bytes | tasks byte_indices
@triton.jit
def kernel(w_ptr, t_ptr, out_ptr, D, BLOCK: tl.constexpr):
    n = tl.program_id(0)
    d = tl.arange(0, BLOCK)
    at = tl.load(t_ptr + n).to(tl.int32)
    tl.store(out_ptr + n * D + d, tl.load(w_ptr + at * D + d, mask=d < D), mask=d < D)

class ModelNew(nn.Module):
    def forward(self, w, t):
        out = torch.empty((t.numel(), w.shape[1]), dtype=w.dtype, device=w.device)
        kernel[(t.numel(),)](w, t, out, w.shape[1], BLOCK=triton.next_power_of_2(w.shape[1]))
        return out
#: least_of_a_vector_s_segments | tasks least_of_segments
@triton.jit
def kernel(x_ptr, o_ptr, out_ptr, BLOCK: tl.constexpr):
    b = tl.program_id(0)
    end = tl.load(o_ptr + b + 1)
    least = float("inf")
    for start in range(tl.load(o_ptr + b), end, BLOCK):
        r = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + r, mask=r < end, other=float("inf")).to(tl.float32)
        least = tl.minimum(least, tl.min(x, axis=0))
    tl.store(out_ptr + b, least)

class ModelNew(nn.Module):
    def forward(self, x, o):
        out = torch.empty(o.shape[0] - 1, dtype=x.dtype, device=x.device)
        kernel[(out.shape[0],)](x, o, out, BLOCK=16)
        return out
