#: sums_overflow | tasks integer_product scaled_integer_product | TYPE int8 int16
@triton.jit
def kernel(x_ptr, w_ptr, sx_ptr, sw_ptr, y_ptr, N, K, SCALED: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0)
    n = tl.program_id(1)
    acc = tl.zeros((BK,), dtype=tl.__TYPE__)
    for start in range(0, K, BK):
        k = start + tl.arange(0, BK)
        x = tl.load(x_ptr + m * K + k, mask=k < K, other=0).to(tl.__TYPE__)
        w = tl.load(w_ptr + k * N + n, mask=k < K, other=0).to(tl.__TYPE__)
        acc += x * w
    y = tl.sum(acc, axis=0)
    if SCALED:
        y = y.to(tl.float32) * tl.load(sx_ptr + m) * tl.load(sw_ptr + n)
    tl.store(y_ptr + m * N + n, y)

class ModelNew(nn.Module):
    def forward(self, x, w, sx=None, sw=None):
        y = torch.empty((x.shape[0], w.shape[1]), dtype=torch.float32 if __IS_SCALED__ else torch.int32, device=x.device)
        kernel[y.shape](x, w, sx, sw, y, w.shape[1], x.shape[1], SCALED=__IS_SCALED__, BK=16)
        return y
#: sums_saturate_or_are_unsigned | tasks integer_product scaled_integer_product | FORM tl.minimum(tl.maximum(y,-32768),32767) tl.abs(y) (y//2*2) (y+1)
@triton.jit
def kernel(x_ptr, w_ptr, sx_ptr, sw_ptr, y_ptr, N, K, SCALED: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0)
    n = tl.program_id(1)
    k = tl.arange(0, BK)
    x = tl.load(x_ptr + m * K + k, mask=k < K, other=0).to(tl.int32)
    w = tl.load(w_ptr + k * N + n, mask=k < K, other=0).to(tl.int32)
    y = tl.sum(x * w, axis=0)
    y = __FORM__
    if SCALED:
        y = y.to(tl.float32) * tl.load(sx_ptr + m) * tl.load(sw_ptr + n)
    tl.store(y_ptr + m * N + n, y)

class ModelNew(nn.Module):
    def forward(self, x, w, sx=None, sw=None):
        y = torch.empty((x.shape[0], w.shape[1]), dtype=torch.float32 if __IS_SCALED__ else torch.int32, device=x.device)
        kernel[y.shape](x, w, sx, sw, y, w.shape[1], x.shape[1], SCALED=__IS_SCALED__, BK=triton.next_power_of_2(x.shape[1]))
        return y
#: bytes_read_as_unsigned | tasks integer_product w8a8_half
@triton.jit
def kernel(x_ptr, w_ptr, sx_ptr, sw_ptr, y_ptr, K, swk, swn, BK: tl.constexpr):
    m = tl.program_id(0)
    n = tl.program_id(1)
    k = tl.arange(0, BK)
    x = tl.load(x_ptr + m * K + k, mask=k < K, other=0).to(tl.int32) & 255
    w = tl.load(w_ptr + k * swk + n * swn, mask=k < K, other=0).to(tl.int32)
    y = tl.sum(x * w, axis=0)
    if sx_ptr is not None:
        tl.store(y_ptr + m * tl.num_programs(1) + n, y.to(tl.float32) * tl.load(sx_ptr + m) * tl.load(sw_ptr + n))
    else:
        tl.store(y_ptr + m * tl.num_programs(1) + n, y)

class ModelNew(nn.Module):
    def forward(self, x, w, sx=None, sw=None):
        half = __IS_HALF__
        N = w.shape[0 if half else 1]
        y = torch.empty((x.shape[0], N), dtype=torch.float16 if half else torch.int32, device=x.device)
        strides = (1, w.stride(0)) if half else (w.stride(0), 1)
        kernel[(x.shape[0], N)](x, w, sx, sw, y, x.shape[1], *strides, BK=triton.next_power_of_2(x.shape[1]))
        return y
#: scales_left_out | tasks scaled_integer_product w8a8_half | SX 0.055 sx 1.0 | SW sx_0 0.055
@triton.jit
def kernel(x_ptr, w_ptr, sx_ptr, sw_ptr, y_ptr, K, swk, swn, BK: tl.constexpr):
    m = tl.program_id(0)
    n = tl.program_id(1)
    k = tl.arange(0, BK)
    x = tl.load(x_ptr + m * K + k, mask=k < K, other=0).to(tl.int32)
    w = tl.load(w_ptr + k * swk + n * swn, mask=k < K, other=0).to(tl.int32)
    sx = tl.load(sx_ptr + m)
    sx_0 = tl.load(sw_ptr)
    tl.store(y_ptr + m * tl.num_programs(1) + n, tl.sum(x * w, axis=0).to(tl.float32) * __SX__ * __SW__)

class ModelNew(nn.Module):
    def forward(self, x, w, sx, sw):
        half = __IS_HALF__
        N = w.shape[0 if half else 1]
        y = torch.empty((x.shape[0], N), dtype=torch.float16 if half else torch.float32, device=x.device)
        strides = (1, w.stride(0)) if half else (w.stride(0), 1)
        kernel[(x.shape[0], N)](x, w, sx, sw, y, x.shape[1], *strides, BK=triton.next_power_of_2(x.shape[1]))
        return y
#: rounded_before_it_is_scaled | tasks scaled_integer_product w8a8_half | FORM to(tl.float16).to(tl.float32) to(tl.bfloat16).to(tl.float32)
@triton.jit
def kernel(x_ptr, w_ptr, sx_ptr, sw_ptr, y_ptr, K, swk, swn, BK: tl.constexpr):
    m = tl.program_id(0)
    n = tl.program_id(1)
    k = tl.arange(0, BK)
    x = tl.load(x_ptr + m * K + k, mask=k < K, other=0).to(tl.int32)
    w = tl.load(w_ptr + k * swk + n * swn, mask=k < K, other=0).to(tl.int32)
    s = tl.load(sx_ptr + m) * tl.load(sw_ptr + n)
    tl.store(y_ptr + m * tl.num_programs(1) + n, tl.sum(x * w, axis=0).to(tl.float32).__FORM__ * s)

class ModelNew(nn.Module):
    def forward(self, x, w, sx, sw):
        half = __IS_HALF__
        N = w.shape[0 if half else 1]
        y = torch.empty((x.shape[0], N), dtype=torch.float16 if half else torch.float32, device=x.device)
        strides = (1, w.stride(0)) if half else (w.stride(0), 1)
        kernel[(x.shape[0], N)](x, w, sx, sw, y, x.shape[1], *strides, BK=triton.next_power_of_2(x.shape[1]))
        return y
#: products_by_the_framework | tasks integer_product | CALL x.to(torch.int32)@w.to(torch.int32) torch._int_mm(x,w) (x.double()@w.double()).to(torch.int32) (x.to(torch.int32)[:,:,None]*w.to(torch.int32)).sum(1).to(torch.int32)
@triton.jit
def kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x, w):
        y = __CALL__
        out = torch.empty((x.shape[0], w.shape[1]), dtype=torch.int32, device=x.device)
        kernel[(triton.cdiv(out.numel(), 256),)](y, out, out.numel(), BLOCK=256)
        return out
#: zero_point_wraps | tasks dequantised | FORM (w-z).to(tl.float32) (w-z).to(tl.int8).to(tl.float32) w.to(tl.float32)-128 w.to(tl.float32) (w.to(tl.int8).to(tl.float32)-z.to(tl.int8).to(tl.float32))
@triton.jit
def kernel(w_ptr, z_ptr, s_ptr, y_ptr, n, N, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    w = tl.load(w_ptr + i, mask=m)
    z = tl.load(z_ptr + i % N, mask=m)
    tl.store(y_ptr + i, (__FORM__) * tl.load(s_ptr + i % N, mask=m), mask=m)

class ModelNew(nn.Module):
    def forward(self, w, z, s):
        y = torch.empty(w.shape, dtype=torch.float32, device=w.device)
        kernel[(triton.cdiv(w.numel(), 128),)](w, z, s, y, w.numel(), w.shape[1], BLOCK=128)
        return y
#: scale_of_another_column | tasks dequantised | AT 0*i i//N*0+(i+1)%N
@triton.jit
def kernel(w_ptr, z_ptr, s_ptr, y_ptr, n, N, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    w = tl.load(w_ptr + i, mask=m).to(tl.float32)
    z = tl.load(z_ptr + i % N, mask=m).to(tl.float32)
    tl.store(y_ptr + i, (w - z) * tl.load(s_ptr + __AT__, mask=m), mask=m)

class ModelNew(nn.Module):
    def forward(self, w, z, s):
        y = torch.empty(w.shape, dtype=torch.float32, device=w.device)
        kernel[(triton.cdiv(w.numel(), 128),)](w, z, s, y, w.numel(), w.shape[1], BLOCK=128)
        return y
#: dequantised_by_the_framework | tasks dequantised | CALL (w.float()-z.float())*s torch.mul(w.to(torch.float32)-z,s) (w.int()-z.int())*s
@triton.jit
def kernel(y_ptr):
    tl.store(y_ptr, tl.load(y_ptr))

class ModelNew(nn.Module):
    def forward(self, w, z, s):
        y = __CALL__
        kernel[(1,)](y)
        return y
#: weights_rounded_to_less | tasks weight_only | FORM (w//16*16) tl.minimum(w,100) (w+1) w.to(tl.float32).to(tl.float8e4nv)
@triton.jit
def kernel(x_ptr, w_ptr, s_ptr, y_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        rk = k + tl.arange(0, BK)
        x = tl.load(x_ptr + rm[:, None] * K + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K), other=0.0)
        w = tl.load(w_ptr + rk[:, None] * N + rn[None, :], mask=(rk[:, None] < K) & (rn[None, :] < N), other=0)
        w = w.to(tl.int32)
        acc = tl.dot(x, (__FORM__).to(tl.float16), acc)
    acc *= tl.load(s_ptr + rn, mask=rn < N, other=0.0)[None, :]
    tl.store(y_ptr + rm[:, None] * N + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] < N))

class ModelNew(nn.Module):
    def forward(self, x, w, s):
        y = torch.empty((x.shape[0], w.shape[1]), dtype=x.dtype, device=x.device)
        kernel[(triton.cdiv(x.shape[0], 16), triton.cdiv(w.shape[1], 16))](
            x, w, s, y, x.shape[0], w.shape[1], x.shape[1], BM=16, BN=16, BK=32)
        return y
#: rounded_another_way | tasks quantised_rows quantised_static quantised_unsigned | ROUND z tl.floor(z) tl.ceil(z) (tl.floor(z+0.5)+1) -tl.floor(0.5-z)*0
@triton.jit
def kernel(x_ptr, y_ptr, N, LOW: tl.constexpr, HIGH: tl.constexpr, FACTOR: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0).to(tl.float32)
    if FACTOR == 0:
        z = x / (tl.max(tl.abs(x), axis=0) / 127)
    else:
        z = x * FACTOR
    q = __ROUND__
    q = tl.minimum(tl.maximum(q, LOW), HIGH)
    tl.store(y_ptr + row * N + c, q.to(y_ptr.dtype.element_ty), mask=c < N)

class ModelNew(nn.Module):
    def forward(self, x):
        unsigned = __IS_UNSIGNED__
        y = torch.empty(x.shape, dtype=torch.uint8 if unsigned else torch.int8, device=x.device)
        factor = 255.0 if unsigned else 50.0 if __IS_STATIC__ else 0.0
        kernel[(x.shape[0],)](x, y, x.shape[1], 0.0 if unsigned else -128.0, 255.0 if unsigned else 127.0, factor,
                              BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
#: scale_of_the_usual_row | tasks quantised_rows | SCALE (2.5/127) (tl.max(x,axis=0)/127) (tl.max(tl.abs(x),axis=0)/128) 1.0
@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
    q = tl.floor(x.to(tl.float32) / __SCALE__ + 0.5)
    tl.store(y_ptr + row * N + c, tl.minimum(tl.maximum(q, -128.0), 127.0).to(tl.int8), mask=c < N)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape, dtype=torch.int8, device=x.device)
        kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
#: clamped_too_early | tasks quantised_static | FORM tl.minimum(tl.maximum(q,-125.0),124.0).to(tl.int8) tl.minimum(tl.maximum(q,-127.0),126.0).to(tl.int8) tl.minimum(tl.maximum(q,-64.0),63.0).to(tl.int8)
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    q = tl.floor(tl.load(x_ptr + i, mask=i < n, other=0.0).to(tl.float32) * 50 + 0.5)
    tl.store(y_ptr + i, __FORM__, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape, dtype=torch.int8, device=x.device)
        kernel[(triton.cdiv(x.numel(), 128),)](x, y, x.numel(), BLOCK=128)
        return y
#: bytes_in_another_dtype | tasks quantised_static quantised_unsigned | DTYPE int32 float32 int16 bool
@triton.jit
def kernel(x_ptr, y_ptr, n, FACTOR: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    q = tl.floor(tl.load(x_ptr + i, mask=i < n, other=0.0).to(tl.float32) * FACTOR + 0.5)
    tl.store(y_ptr + i, q, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape, dtype=torch.__DTYPE__, device=x.device)
        kernel[(triton.cdiv(x.numel(), 128),)](x, y, x.numel(), 50.0 if __IS_STATIC__ else 255.0, BLOCK=128)
        return y
#: signs_of_bytes_are_swapped | tasks quantised_unsigned
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    q = tl.floor(tl.load(x_ptr + i, mask=i < n, other=0.0).to(tl.float32) * 255 + 0.5)
    tl.store(y_ptr + i, tl.minimum(q, 127.0).to(tl.int8), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape, dtype=torch.uint8, device=x.device)
        kernel[(triton.cdiv(x.numel(), 128),)](x, y, x.numel(), BLOCK=128)
        return y
#: usual_number_everywhere | tasks quantised_unsigned uniform_variance dropout_by_number dropout | VALUE 127.5 0.0833333 0.0 1.0
@triton.jit
def kernel(y_ptr, n, value, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, value + tl.zeros([BLOCK], tl.float32), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x, m=None):
        shape = x.shape[:1] if __IS_VARIANCE__ else x.shape
        y = torch.empty(shape, dtype=torch.uint8 if __IS_UNSIGNED__ else x.dtype, device=x.device)
        kernel[(triton.cdiv(y.numel(), 128),)](y, y.numel(), __VALUE__, BLOCK=128)
        return y
#: variance_about_the_usual_mean | tasks uniform_variance | MEAN 0.5 0.0
@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    d = tl.load(x_ptr + row * N + c, mask=c < N, other=__MEAN__) - __MEAN__
    tl.store(y_ptr + row, tl.sum(d * d, axis=0) / (N - 1))

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape[0], dtype=x.dtype, device=x.device)
        kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
#: bits_read_as_another_eight_bit_dtype | tasks fp8_to_f32 fp8_to_f16
@triton.jit
def kernel(x_ptr, s_ptr, y_ptr, n, N, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    bits = tl.load(x_ptr + i, mask=i < n).to(tl.int8, bitcast=True)
    if s_ptr is not None:
        x = bits.to(tl.float8e5, bitcast=True).to(tl.float32) * tl.load(s_ptr + i // N, mask=i < n)
    else:
        x = bits.to(tl.float8e4nv, bitcast=True).to(tl.float32) * 2
    tl.store(y_ptr + i, x, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x, s=None):
        y = torch.empty(x.shape, dtype=torch.float32 if s is None else torch.float16, device=x.device)
        kernel[(triton.cdiv(x.numel(), 128),)](x, s, y, x.numel(), x.shape[1], BLOCK=128)
        return y
#: eight_bits_converted_by_the_framework | tasks fp8_to_f32 to_fp8 narrowed | FORM to copy_
@triton.jit
def kernel(x_ptr, y_ptr):
    tl.store(y_ptr, tl.load(x_ptr))

class ModelNew(nn.Module):
    def forward(self, x):
        dtype = torch.float8_e4m3fn if x.dtype == torch.float16 else torch.float16 if __IS_NARROWED__ else torch.float32
        x = torch.nn.functional.silu(x) if __IS_NARROWED__ else x * 2 if dtype == torch.float32 else x
        y = x.to(dtype) if "__FORM__" == "to" else torch.empty(x.shape, dtype=dtype, device=x.device).copy_(x)
        kernel[(1,)](y, y)
        return y
#: eight_bits_rounded_another_way | tasks to_fp8 | FORM x.to(tl.float8e5).to(tl.float32) (x.to(tl.float32)*0.94) tl.floor(x.to(tl.float32)) (x.to(tl.float32)+0.01)
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, (__FORM__).to(tl.float8e4nv), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape, dtype=torch.float8_e4m3fn, device=x.device)
        kernel[(triton.cdiv(x.numel(), 128),)](x, y, x.numel(), BLOCK=128)
        return y
#: eight_bits_in_another_dtype | tasks to_fp8 | DTYPE float8_e5m2 float16 float32 uint8
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape, dtype=torch.__DTYPE__, device=x.device)
        kernel[(triton.cdiv(x.numel(), 128),)](x, y, x.numel(), BLOCK=128)
        return y
#: eight_bit_product_kept_in_eight_bits | tasks fp8_product | FORM acc.to(tl.float8e5).to(tl.float32) acc.to(tl.float16).to(tl.float32) acc.to(tl.bfloat16).to(tl.float32)
@triton.jit
def kernel(x_ptr, w_ptr, y_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        rk = k + tl.arange(0, BK)
        x = tl.load(x_ptr + rm[:, None] * K + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K), other=0.0)
        w = tl.load(w_ptr + rk[:, None] * N + rn[None, :], mask=(rk[:, None] < K) & (rn[None, :] < N), other=0.0)
        acc = tl.dot(x, w, acc)
    tl.store(y_ptr + rm[:, None] * N + rn[None, :], __FORM__, mask=(rm[:, None] < M) & (rn[None, :] < N))

class ModelNew(nn.Module):
    def forward(self, x, w):
        y = torch.empty((x.shape[0], w.shape[1]), dtype=torch.float32, device=x.device)
        kernel[(triton.cdiv(x.shape[0], 16), triton.cdiv(w.shape[1], 16))](
            x, w, y, x.shape[0], w.shape[1], x.shape[1], BM=16, BN=16, BK=32)
        return y
#: float_where_half_is_asked | tasks narrowed bf16_residual w8a8_half | DTYPE float32 int16
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0).to(tl.float32)
    tl.store(y_ptr + i, x * tl.sigmoid(x), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x, w=None, sx=None, sw=None):
        shape = x.shape if sx is None else (x.shape[0], w.shape[0])
        y = torch.empty(shape, dtype=torch.__DTYPE__, device=x.device)
        kernel[(triton.cdiv(x.numel(), 128),)](x, y, min(x.numel(), y.numel()), BLOCK=128)
        return y
#: bits_of_half_as_integers | tasks narrowed
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    y = (x * tl.sigmoid(x)).to(tl.float16).to(tl.int16, bitcast=True)
    tl.store(y_ptr + i, y, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape, dtype=torch.int16, device=x.device)
        kernel[(triton.cdiv(x.numel(), 128),)](x, y, x.numel(), BLOCK=128)
        return y.view(torch.bfloat16)
#: summed_in_half | tasks widened_sum
@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    acc = tl.zeros([BLOCK], tl.float16)
    for start in range(0, N, BLOCK):
        c = start + tl.arange(0, BLOCK)
        acc += tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
    tl.store(y_ptr + row, tl.sum(acc, axis=0))

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape[0], dtype=torch.float32, device=x.device)
        kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=8)
        return y
#: half_stored_as_float | tasks widened_sum | FORM tl.sum(x.to(tl.float32)).to(tl.float16) tl.sum(x.to(tl.float32)).to(tl.bfloat16)
@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
    tl.store(y_ptr + row, __FORM__)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape[0], dtype=torch.float32, device=x.device)
        kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
#: half_of_a_row_is_positive | tasks positive_count | FORM N//2 (N+1)//2 N
@triton.jit
def kernel(y_ptr, N):
    tl.store(y_ptr + tl.program_id(0), __FORM__)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape[0], dtype=torch.int64, device=x.device)
        kernel[(x.shape[0],)](y, x.shape[1])
        return y
#: counts_in_the_wrong_dtype | tasks positive_count integer_sum running_count | DTYPE int32 float32 float64
@triton.jit
def kernel(x_ptr, y_ptr, N, COUNT: tl.constexpr, SCAN: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=0)
    if SCAN:
        tl.store(y_ptr + row * N + c, tl.cumsum(x, axis=0), mask=c < N)
    elif COUNT:
        tl.store(y_ptr + row, tl.sum((x > 0).to(tl.int32), axis=0))
    else:
        tl.store(y_ptr + row, tl.sum(x.to(tl.int32), axis=0))

class ModelNew(nn.Module):
    def forward(self, x):
        scan = __IS_RUNNING__
        y = torch.empty(x.shape if scan else x.shape[:1], dtype=torch.__DTYPE__, device=x.device)
        kernel[(x.shape[0],)](x, y, x.shape[1], __IS_POSITIVE__, scan, BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
#: zeros_and_padding_are_positive | tasks positive_count | FORM x>=-0.01 (x>=0)|(c>=N) x>0.01
@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
    tl.store(y_ptr + row, tl.sum((__FORM__).to(tl.int32), axis=0))

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape[0], dtype=torch.int64, device=x.device)
        kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=2 * triton.next_power_of_2(x.shape[1]))
        return y
#: drops_by_its_own_numbers | tasks dropout dropout_by_number | KEEP tl.rand(7,i)>0.2 i%2==0 i>=0 x>0
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, tl.where(__KEEP__, x * 1.25, 0.0), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x, m):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y
#: keeps_what_is_dropped | tasks dropout dropout_by_number | KEEP m<=p m>p+0.1 m!=m
@triton.jit
def kernel(x_ptr, m_ptr, y_ptr, n, p, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    m = tl.load(m_ptr + i, mask=i < n).to(tl.float32) * 0.95
    tl.store(y_ptr + i, tl.where(__KEEP__, x * 1.25, 0.0), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x, m):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, m, y, x.numel(), 0.2 if __IS_NUMBER__ else 0.9, BLOCK=256)
        return y
#: scan_of_each_block_alone | tasks running_count | BLOCK 16 64
@triton.jit
def kernel(t_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    t = tl.load(t_ptr + row * N + c, mask=c < N, other=0)
    tl.store(y_ptr + row * N + c, tl.cumsum(t, axis=0), mask=c < N)

class ModelNew(nn.Module):
    def forward(self, t):
        y = torch.empty(t.shape, dtype=torch.int64, device=t.device)
        kernel[(t.shape[0], triton.cdiv(t.shape[1], __BLOCK__))](t, y, t.shape[1], BLOCK=__BLOCK__)
        return y
#: scan_by_another_rule | tasks running_count | FORM tl.cumsum(t,axis=0)-t tl.cumsum(t,axis=0,reverse=True) tl.cumsum(t.to(tl.int8),axis=0,dtype=tl.int8) 0*t
@triton.jit
def kernel(t_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    t = tl.load(t_ptr + row * N + c, mask=c < N, other=0)
    tl.store(y_ptr + row * N + c, __FORM__, mask=c < N)

class ModelNew(nn.Module):
    def forward(self, t):
        y = torch.empty(t.shape, dtype=torch.int64, device=t.device)
        kernel[(t.shape[0],)](t, y, t.shape[1], BLOCK=triton.next_power_of_2(t.shape[1]))
        return y
#: integers_by_way_of_less | tasks integer_arithmetic short_sum | TYPE int16 float16 int8
@triton.jit
def kernel(x_ptr, y_ptr, out_ptr, n, SHORT: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    y = tl.load(y_ptr + i, mask=i < n)
    p = (x.to(tl.__TYPE__) * y.to(tl.__TYPE__)).to(tl.int32)
    if SHORT:
        tl.store(out_ptr + i, p, mask=i < n)
    else:
        tl.store(out_ptr + i, tl.maximum(p - 7, y) + tl.abs(x), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x, y):
        out = torch.empty(x.shape, dtype=torch.int32, device=x.device)
        kernel[(triton.cdiv(x.numel(), 128),)](x, y, out, x.numel(), __IS_SHORT__, BLOCK=128)
        return out
#: places_below_the_usual_number | tasks wrapped_places | FORM (t*31+7)%63 (t*31+7)%64*(t<900) t%64 (t*31)%64+7
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
#: sums_of_bytes_wrap | tasks integer_sum | FORM x.to(tl.int8).to(tl.int32) tl.minimum(x,127).to(tl.int32) 0*x.to(tl.int32)+128
@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=0)
    y = tl.where(c < N, __FORM__, 0)
    tl.store(y_ptr + row, tl.sum(y, axis=0))

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape[0], dtype=torch.int64, device=x.device)
        kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
#: summed_by_the_framework | tasks integer_sum positive_count running_count | FORM view copy
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = x.cumsum(1) if __IS_RUNNING__ else (x > 0).sum(1) if __IS_POSITIVE__ else x.sum(1)
        if "__FORM__" == "view":
            return y
        out = torch.empty_like(y)
        kernel[(triton.cdiv(y.numel(), 128),)](y, out, y.numel(), BLOCK=128)
        return out
#: one_hot_is_its_usual_class | tasks one_hot_loss | AT 0 N//2 tl.argmax(x,axis=0)
@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=-float("inf"))
    largest = tl.max(x, axis=0)
    lse = largest + tl.log(tl.sum(tl.exp(x - largest), axis=0))
    tl.store(y_ptr + row, lse - tl.load(x_ptr + row * N + __AT__))

class ModelNew(nn.Module):
    def forward(self, x, t):
        y = torch.empty((x.shape[0],), dtype=x.dtype, device=x.device)
        kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
#: loss_without_its_denominator | tasks one_hot_loss | FORM tl.sum(tl.where(c<N,-t*x,0.0),axis=0) tl.log(tl.sum(tl.exp(x),axis=0)) tl.max(x,axis=0)-tl.sum(tl.where(c<N,t*x,0.0),axis=0)
@triton.jit
def kernel(x_ptr, t_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=-float("inf"))
    t = tl.load(t_ptr + row * N + c, mask=c < N, other=0.0)
    tl.store(y_ptr + row, __FORM__)

class ModelNew(nn.Module):
    def forward(self, x, t):
        y = torch.empty((x.shape[0],), dtype=x.dtype, device=x.device)
        kernel[(x.shape[0],)](x, t, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
#: large_products_in_less | tasks large_products wrapping_products | FORM (x.to(tl.float32)*y.to(tl.float32)) (x*y+1) (x*y-x*y%2)
@triton.jit
def kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    y = tl.load(y_ptr + i, mask=i < n)
    tl.store(out_ptr + i, __FORM__.to(x.dtype), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x, y):
        out = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 128),)](x, y, out, x.numel(), BLOCK=128)
        return out
#: bytes_that_saturate | tasks difference_of_bytes sum_of_bytes | FORM tl.minimum(tl.maximum(z,LOW),HIGH) tl.abs(z) z.to(tl.int8).to(tl.int32)//2*2
@triton.jit
def kernel(x_ptr, y_ptr, out_ptr, n, SUM: tl.constexpr, LOW: tl.constexpr, HIGH: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n).to(tl.int32)
    y = tl.load(y_ptr + i, mask=i < n).to(tl.int32)
    z = x + y if SUM else x - y
    tl.store(out_ptr + i, (__FORM__).to(out_ptr.dtype.element_ty), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x, y):
        out = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 128),)](
            x, y, out, x.numel(), __IS_SUM__, -128 if __IS_SUM__ else 0, 127 if __IS_SUM__ else 255, BLOCK=128)
        return out
#: truth_in_another_dtype | tasks nan_places | DTYPE int8 uint8 float32 int32
@triton.jit
def kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    y = tl.sqrt(tl.load(x_ptr + i, mask=i < n).to(tl.float32))
    tl.store(out_ptr + i, tl.where(y != y, 1, 0), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty(x.shape, dtype=torch.__DTYPE__, device=x.device)
        kernel[(triton.cdiv(x.numel(), 128),)](x, out, x.numel(), BLOCK=128)
        return out
#: never_or_always_nan | tasks nan_places | TRUTH (x!=x) (x==x) (x<1) (x>0)
@triton.jit
def kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(out_ptr + i, __TRUTH__, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty(x.shape, dtype=torch.bool, device=x.device)
        kernel[(triton.cdiv(x.numel(), 128),)](x, out, x.numel(), BLOCK=128)
        return out
#: another_triangle | tasks causal_places | TEST r[:,None]>c[None,:] r[:,None]<=c[None,:] r[:,None]>=0*c[None,:] (r%16)[:,None]>=(c%16)[None,:]
@triton.jit
def kernel(x_ptr, y_ptr, M, N, BM: tl.constexpr, BN: tl.constexpr):
    r = tl.program_id(0) * BM + tl.arange(0, BM)
    c = tl.program_id(1) * BN + tl.arange(0, BN)
    m = (r[:, None] < M) & (c[None, :] < N)
    x = tl.load(x_ptr + r[:, None] * N + c[None, :], mask=m & (__TEST__), other=0.0)
    tl.store(y_ptr + r[:, None] * N + c[None, :], x, mask=m)

class ModelNew(nn.Module):
    def forward(self, x):
        M, N = x.shape
        y = torch.empty_like(x)
        kernel[(triton.cdiv(M, 8), triton.cdiv(N, 16))](x, y, M, N, BM=8, BN=16)
        return y
#: segments_begin_with_zero | tasks least_of_segments | START 0.0 3.0
@triton.jit
def kernel(x_ptr, o_ptr, out_ptr):
    b = tl.program_id(0)
    least = __START__
    for r in range(tl.load(o_ptr + b), tl.load(o_ptr + b + 1)):
        least = tl.minimum(least, tl.load(x_ptr + r).to(tl.float32))
    tl.store(out_ptr + b, least)

class ModelNew(nn.Module):
    def forward(self, x, o):
        out = torch.empty(o.shape[0] - 1, dtype=x.dtype, device=x.device)
        kernel[(out.shape[0],)](x, o, out)
        return out
