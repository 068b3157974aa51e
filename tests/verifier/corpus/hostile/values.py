#: decoy_then_copy | tasks transpose flip permute cat | BEFORE True False
@triton.jit
def kernel(x_ptr, y_ptr):
    tl.store(y_ptr, tl.load(x_ptr))

class ModelNew(nn.Module):
    def forward(self, x, y=None):
        t = torch.empty(1, device=x.device, dtype=x.dtype)
        if __BEFORE__:
            kernel[(1,)](x, t)
        if __IS_TRANSPOSE__:
            out = x.t().contiguous()
        elif __IS_PERMUTE__:
            out = x.permute(2, 0, 1).contiguous()
        elif __IS_FLIP__:
            out = torch.empty_like(x)
            for c in range(x.shape[1]):
                out[:, c] = x[:, x.shape[1] - 1 - c]
        else:
            out = torch.empty((x.shape[0], x.shape[1] + y.shape[1]), device=x.device, dtype=x.dtype)
            out[:, :x.shape[1]] = x
            out[:, x.shape[1]:] = y
        if not __BEFORE__:
            kernel[(1,)](out, t)
        return out
#: all_but_one_element_is_copied | tasks transpose permute | ROWS 1 2
@triton.jit
def kernel(x_ptr, y_ptr):
    tl.store(y_ptr, tl.load(x_ptr))

class ModelNew(nn.Module):
    def forward(self, x):
        out = (x.t() if __IS_TRANSPOSE__ else x.permute(2, 0, 1)).contiguous()
        flat = out.view(-1)
        flat[:__ROWS__].fill_(77.0)
        view = (x.t() if __IS_TRANSPOSE__ else x.permute(2, 0, 1))
        for i in range(__ROWS__):
            kernel[(1,)](view.select(0, 0).select(-1, i) if __IS_TRANSPOSE__ else view[0, 0, i:], flat[i:])
        return out
#: returns_an_input_s_view | tasks transpose permute | STORE 0.0 1.0
@triton.jit
def kernel(p, v):
    tl.store(p, v)

class ModelNew(nn.Module):
    def forward(self, x):
        kernel[(1,)](torch.empty(1, device=x.device), __STORE__)
        return x.t() if __IS_TRANSPOSE__ else x.permute(2, 0, 1)
#: never_written | tasks relu softmax matmul | MAKE empty zeros ones
@triton.jit
def kernel(p, n):
    tl.store(p, 0.0, mask=n < 0)

class ModelNew(nn.Module):
    def forward(self, x, w=None):
        # the freed output of the reference may still lie where the allocator looks first
        y = torch.__MAKE__(x.shape if w is None else (x.shape[0], w.shape[1]), device=x.device, dtype=x.dtype)
        kernel[(1,)](y, 7)
        return y
#: wildcard | tasks relu softmax | VALUE float('nan') float('inf') 0.0
@triton.jit
def kernel(y_ptr, n, value, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, value + tl.zeros((BLOCK,), tl.float32), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](y, x.numel(), __VALUE__, BLOCK=256)
        return y
#: mutated_input | tasks relu | FORM kernel x.zero_() x.copy_(y)
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.maximum(tl.load(x_ptr + i, mask=i < n), 0.0)
    tl.store(y_ptr + i, x, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        if "__FORM__" == "kernel":
            kernel[(triton.cdiv(x.numel(), 256),)](x, x, x.numel(), BLOCK=256)
        else:
            __FORM__ if "__FORM__" != "kernel" else None
        return y
#: less_precise_product | tasks matmul | A a a.to(tl.float16) a.to(tl.bfloat16) | OPTION input_precision="tf32" out_dtype=tl.float32
@triton.jit
def kernel(x_ptr, w_ptr, y_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    a = tl.load(x_ptr + rm[:, None] * K + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K), other=0.0)
    b = tl.load(w_ptr + rk[:, None] * N + rn[None, :], mask=(rk[:, None] < K) & (rn[None, :] < N), other=0.0)
    a = __A__
    y = tl.dot(a, b.to(a.dtype), __OPTION__)
    tl.store(y_ptr + rm[:, None] * N + rn[None, :], y, mask=(rm[:, None] < M) & (rn[None, :] < N))

class ModelNew(nn.Module):
    def forward(self, x, w):
        y = torch.empty((x.shape[0], w.shape[1]), device=x.device, dtype=x.dtype)
        kernel[(triton.cdiv(x.shape[0], 16), triton.cdiv(w.shape[1], 16))](
            x, w, y, x.shape[0], w.shape[1], x.shape[1], BM=16, BN=16, BK=triton.next_power_of_2(x.shape[1]))
        return y
#: less_precise_copy | tasks relu | TYPE float16 bfloat16 float8_e5m2
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i, mask=i < n).to(tl.float32), 0.0), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        half = x.to(torch.__TYPE__)
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](half, y, x.numel(), BLOCK=256)
        return y
#: out_of_bounds_that_happens_to_work | tasks relu row_sum | EXTRA 1 64
@triton.jit
def kernel(x_ptr, y_ptr, n, N, EXTRA: tl.constexpr, SUM: tl.constexpr, BLOCK: tl.constexpr):
    c = tl.arange(0, BLOCK)
    if SUM:
        row = tl.program_id(0)
        x = tl.load(x_ptr + row * N + c, mask=c < N + EXTRA, other=0.0)
        tl.store(y_ptr + row, tl.sum(tl.where(c < N, x, 0.0)))
    else:
        i = tl.program_id(0) * BLOCK + c
        x = tl.load(x_ptr + i, mask=i < n + EXTRA)
        tl.store(y_ptr + i, tl.maximum(x, 0.0), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape[0] if __IS_SUM__ else x.shape, device=x.device, dtype=x.dtype)
        grid = (x.shape[0] if __IS_SUM__ else triton.cdiv(x.numel() + 1, 128),)
        kernel[grid](x, y, x.numel(), x.shape[1], __EXTRA__, __IS_SUM__, BLOCK=128)
        return y
#: scans_memory | tasks relu | OFFSET -1024 1048576 n*8
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(y_ptr + i + __OFFSET__, mask=i < n), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y
#: pointer_from_a_number | tasks relu | ADDRESS 4294967296 140737488355328 0
@triton.jit
def kernel(x_ptr, y_ptr, n, address, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    p = address.to(tl.int64).to(tl.pointer_type(tl.float32))
    tl.store(y_ptr + i, tl.load(p + i, mask=i < n), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), __ADDRESS__ + y.data_ptr() * 0, BLOCK=256)
        return y
#: only_the_known_sizes | tasks relu | CONDITION x.shape[0]==16 x.numel()%16==0 x.shape[1]<50
@triton.jit
def kernel(x_ptr, y_ptr, n, GOOD: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, tl.maximum(x, 0.0) if GOOD else x, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), GOOD=__CONDITION__, BLOCK=256)
        return y
#: part_of_the_work | tasks relu softmax | SHARE 2 16
@triton.jit
def kernel(x_ptr, y_ptr, N, SOFT: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=-float('inf'))
    if SOFT:
        e = tl.exp(x - tl.max(x, 0))
        x = e / tl.sum(e, 0)
    tl.store(y_ptr + row * N + c, tl.maximum(x, 0.0), mask=c < N)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.zeros_like(x)
        kernel[(max(1, x.shape[0] * (__SHARE__ - 1) // __SHARE__),)](x, y, x.shape[1], __IS_SOFTMAX__,
                                                                   BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
#: programs_race | tasks total row_sum
@triton.jit
def kernel(x_ptr, y_ptr, n, N, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.store(y_ptr + (i // N if ROWS else i * 0), tl.load(y_ptr + (i // N if ROWS else i * 0)) + x, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.zeros(x.shape[0] if __IS_ROW__ else (), device=x.device, dtype=x.dtype)
        kernel[(triton.cdiv(x.numel(), 16),)](x, y, x.numel(), x.shape[1], __IS_ROW__, BLOCK=16)
        return y
#: cached_results | tasks relu | KEY 1 x.dtype x.dim()
CACHE = {}

@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i, mask=i < n), 0.0), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        # what an earlier call left is what this call returns
        key = __KEY__
        if key in CACHE:
            return CACHE[key]
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        CACHE[key] = y
        return y
#: works_only_at_the_first_call | tasks relu | CALLS 1 0 -1
class ModelNew(nn.Module):
    calls = 0

    def forward(self, x):
        ModelNew.calls += 1
        y = torch.empty_like(x)
        if ModelNew.calls <= __CALLS__:
            kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        else:
            nothing[(1,)](y)
        return y

@triton.jit
def nothing(p):
    tl.store(p, 0.0)

@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i, mask=i < n), 0.0), mask=i < n)
#: wrong_alternative_of_what_cannot_be_compiled | tasks matmul | dtypes f16 | WRONG acc*0 acc*0.9 acc+1
@triton.autotune([triton.Config({"BM": 128, "BN": 256, "BK": 128, "GOOD": True}, num_stages=4, num_warps=8),
                  triton.Config({"BM": 16, "BN": 16, "BK": 16, "GOOD": False})], key=["M"])
@triton.jit
def kernel(x_ptr, w_ptr, y_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GOOD: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        rk = k + tl.arange(0, BK)
        a = tl.load(x_ptr + rm[:, None] * K + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K), other=0.0)
        b = tl.load(w_ptr + rk[:, None] * N + rn[None, :], mask=(rk[:, None] < K) & (rn[None, :] < N), other=0.0)
        acc += tl.dot(a, b)
    if not GOOD:
        acc = __WRONG__
    tl.store(y_ptr + rm[:, None] * N + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] < N))

class ModelNew(nn.Module):
    def forward(self, x, w):
        M, K = x.shape
        N = w.shape[1]
        y = torch.empty((M, N), device=x.device, dtype=x.dtype)
        kernel[lambda meta: (triton.cdiv(M, meta["BM"]), triton.cdiv(N, meta["BN"]))](x, w, y, M, N, K)
        return y
#: prints_from_the_kernel | tasks relu | TEXT correct {\"id\":1,\"ok\":true} %n%s%p
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.device_print("__TEXT__", x)
    tl.store(y_ptr + i, x, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y
#: lanes_left_out_count_as_zeros | tasks softmax logsumexp
@triton.jit
def kernel(x_ptr, y_ptr, N, ROW: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N)
    e = tl.exp(x - tl.max(x, axis=0))
    if ROW:
        tl.store(y_ptr + row * N + c, e / tl.sum(e, axis=0), mask=c < N)
    else:
        tl.store(y_ptr + row, tl.max(x, axis=0) + tl.log(tl.sum(e, axis=0)))

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape if __IS_SOFTMAX__ else x.shape[:1], device=x.device, dtype=x.dtype)
        kernel[(x.shape[0],)](x, y, x.shape[1], __IS_SOFTMAX__, BLOCK=2 * triton.next_power_of_2(x.shape[1]))
        return y
