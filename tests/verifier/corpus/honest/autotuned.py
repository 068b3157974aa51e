#: several_configurations | tasks relu sigmoid exp | dtypes f32 f16
@triton.autotune(
    configs=[
        triton.Config({"BLOCK": 64}, num_warps=2, num_stages=2),
        triton.Config({"BLOCK": 128}, num_warps=4),
        triton.Config({"BLOCK": 256}, num_warps=8, num_stages=4),
    ],
    key=["n"],
)
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n).to(tl.float32)
    tl.store(y_ptr + i, __EXPR__, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[lambda meta: (triton.cdiv(x.numel(), meta["BLOCK"]),)](x, y, x.numel())
        return y
#: matmul_configurations | tasks matmul | dtypes f32 f16
def configurations():
    return [
        triton.Config({'BM': bm, 'BN': bn, 'BK': 16, 'GROUP': 8}, num_stages=s, num_warps=w)
        for bm in (16, 32) for bn in (16, 32) for s, w in ((2, 2), (3, 4))
    ]

@triton.autotune(configs=configurations(), key=['M', 'N', 'K'])
@triton.jit
def kernel(x_ptr, w_ptr, y_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr):
    pid = tl.program_id(axis=0)
    num_pid_n = tl.cdiv(N, BN)
    rm = pid // num_pid_n * BM + tl.arange(0, BM)
    rn = pid % num_pid_n * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        rk = k + tl.arange(0, BK)
        a = tl.load(x_ptr + rm[:, None] * K + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K), other=0.0)
        b = tl.load(w_ptr + rk[:, None] * N + rn[None, :], mask=(rk[:, None] < K) & (rn[None, :] < N), other=0.0)
        acc += tl.dot(a, b, input_precision="ieee")
    tl.store(y_ptr + rm[:, None] * N + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] < N))

class ModelNew(nn.Module):
    def forward(self, x, w):
        M, K = x.shape
        K, N = w.shape
        y = torch.empty((M, N), device=x.device, dtype=x.dtype)
        grid = lambda META: (triton.cdiv(M, META['BM']) * triton.cdiv(N, META['BN']),)
        kernel[grid](x, w, y, M, N, K)
        return y
#: reset_to_zero | tasks row_sum total
@triton.autotune([triton.Config({"BLOCK": b}, num_warps=1) for b in (16, 32)], key=["N"], reset_to_zero=["y_ptr"])
@triton.jit
def kernel(x_ptr, y_ptr, N, TOTAL: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
    tl.atomic_add(y_ptr + (0 if TOTAL else row), tl.sum(x))

class ModelNew(nn.Module):
    def forward(self, x):
        M, N = x.shape
        y = torch.zeros(() if __IS_TOTAL__ else (M,), device=x.device, dtype=x.dtype)
        kernel[lambda meta: (M, triton.cdiv(N, meta["BLOCK"]))](x, y, N, TOTAL=__IS_TOTAL__)
        return y
#: reset_of_what_was_never_filled | tasks row_sum
@triton.autotune([triton.Config({"BLOCK": 16}), triton.Config({"BLOCK": 64})], key=["N"], reset_to_zero=["y_ptr"])
@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    c = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + tl.program_id(0) * N + c, mask=c < N, other=0.0)
    tl.atomic_add(y_ptr + tl.program_id(0), tl.sum(x))

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape[0], device=x.device, dtype=x.dtype)
        y.zero_()
        kernel[lambda meta: (x.shape[0], triton.cdiv(x.shape[1], meta["BLOCK"]))](x, y, x.shape[1])
        return y
#: restore_value | tasks relu square
@triton.autotune(
    configs=[triton.Config({"BLOCK": 128}), triton.Config({"BLOCK": 512}, num_warps=8)],
    key=["n"],
    restore_value=["p"],
)
@triton.jit
def kernel(p, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(p + i, mask=i < n)
    tl.store(p + i, __EXPR__, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = x.clone()
        kernel[lambda meta: (triton.cdiv(y.numel(), meta["BLOCK"]),)](y, y.numel())
        return y
#: pre_hook_of_a_configuration | tasks row_sum
def zero(arguments):
    arguments["y_ptr"].zero_()

@triton.autotune(configs=[triton.Config({"BLOCK": 16}, pre_hook=zero), triton.Config({"BLOCK": 32}, pre_hook=zero)], key=[])
@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    c = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + tl.program_id(0) * N + c, mask=c < N, other=0.0)
    tl.atomic_add(y_ptr + tl.program_id(0), tl.sum(x))

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape[0], device=x.device, dtype=x.dtype)
        kernel[lambda meta: (x.shape[0], triton.cdiv(x.shape[1], meta["BLOCK"]))](x, y, x.shape[1])
        return y
#: pre_hook_of_the_tuner | tasks row_sum
def prepare(arguments, reset_only=False):
    arguments["y_ptr"].fill_(0)

@triton.autotune(configs=[triton.Config({"BLOCK": 16}), triton.Config({"BLOCK": 32})], key=["N"], pre_hook=prepare)
@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    c = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + tl.program_id(0) * N + c, mask=c < N, other=0.0)
    tl.atomic_add(y_ptr + tl.program_id(0), tl.sum(x))

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.zeros(x.shape[0], device=x.device, dtype=x.dtype)
        kernel[lambda meta: (x.shape[0], triton.cdiv(x.shape[1], meta["BLOCK"]))](x, y, x.shape[1])
        return y
#: pruned | tasks relu neg
def prune(configs, named_args, **kwargs):
    n = named_args["n"]
    return [c for c in configs if c.kwargs["BLOCK"] <= n] or configs[:1]

def model(n, BLOCK, **rest):
    return n / BLOCK + BLOCK

@triton.autotune(
    configs=[triton.Config({"BLOCK": b}, num_warps=w) for b in (1 << 20, 512, 256, 128) for w in (4, 8)],
    key=["n"],
    prune_configs_by={"early_config_prune": prune, "perf_model": model, "top_k": 2},
)
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, __EXPR__, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[lambda meta: (triton.cdiv(x.numel(), meta["BLOCK"]),)](x, y, x.numel())
        return y
#: with_heuristics | tasks relu | ORDER 0 1
@triton.autotune([triton.Config({"BLOCK": 64}), triton.Config({"BLOCK": 256}, maxnreg=64)], key=["n"], warmup=1, rep=2)
@triton.heuristics(values={"EVEN": lambda args: args["n"] % args["BLOCK"] == 0})
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n if not EVEN else (i >= 0)
    x = tl.load(x_ptr + i, mask=m)
    tl.store(y_ptr + i, __EXPR__, mask=m)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        grid = lambda meta: (triton.cdiv(x.numel(), meta["BLOCK"]),)
        if __ORDER__:
            kernel[grid](x_ptr=x, y_ptr=y, n=x.numel())
        else:
            kernel[grid](x, y, n=x.numel())
        return y
#: tuned_twice_in_one_call | tasks relu
@triton.autotune(configs=[triton.Config({"BLOCK": 64}), triton.Config({"BLOCK": 128})], key=["n"])
@triton.jit
def kernel(x_ptr, y_ptr, n, NEGATE: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, -x if NEGATE else __EXPR__, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        n = x.numel()
        grid = lambda meta: (triton.cdiv(n, meta["BLOCK"]),)
        a, b, y = (torch.empty_like(x) for _ in range(3))
        kernel[grid](x, a, n, NEGATE=True)
        kernel[grid](a, b, n, NEGATE=True)
        kernel[grid](b, y, n, NEGATE=False)
        return y
#: one_configuration_that_cannot_be | tasks relu
@triton.autotune(configs=[triton.Config({"BLOCK": 64}), triton.Config({"BLOCK": 100})], key=["n"])
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    tl.static_assert(BLOCK % 32 == 0, "whole warps")
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, __EXPR__, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[lambda meta: (triton.cdiv(x.numel(), meta["BLOCK"]),)](x, y, x.numel())
        return y
#: first_configuration_that_cannot_be | tasks relu
@triton.autotune(configs=[triton.Config({"BLOCK": 48}), triton.Config({"BLOCK": 64})], key=["n"])
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    tl.static_assert(BLOCK % 32 == 0)
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, __EXPR__, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[lambda meta: (triton.cdiv(x.numel(), meta["BLOCK"]),)](x, y, x.numel())
        return y
#: empty_list_of_configurations | tasks relu
@triton.autotune(configs=[triton.Config(kwargs={}, num_warps=w) for w in [1, 2, 4]], key=["n_elements"], cache_results=True)
@triton.jit
def kernel(x_ptr, y_ptr, n_elements, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n_elements)
    tl.store(y_ptr + i, __EXPR__, mask=i < n_elements)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 128),)](x, y, x.numel(), BLOCK=128)
        print(kernel.best_config)
        return y
#: first_configuration_needs_too_much_shared_memory | tasks matmul | dtypes f16
@triton.autotune([triton.Config({"BM": 128, "BN": 256, "BK": 128}, num_stages=4, num_warps=8),
                  triton.Config({"BM": 16, "BN": 16, "BK": 16})], key=["M"])
@triton.jit
def kernel(x_ptr, w_ptr, y_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        rk = k + tl.arange(0, BK)
        a = tl.load(x_ptr + rm[:, None] * K + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K), other=0.0)
        b = tl.load(w_ptr + rk[:, None] * N + rn[None, :], mask=(rk[:, None] < K) & (rn[None, :] < N), other=0.0)
        acc += tl.dot(a, b)
    tl.store(y_ptr + rm[:, None] * N + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] < N))

class ModelNew(nn.Module):
    def forward(self, x, w):
        M, K = x.shape
        N = w.shape[1]
        y = torch.empty((M, N), device=x.device, dtype=x.dtype)
        kernel[lambda meta: (triton.cdiv(M, meta["BM"]), triton.cdiv(N, meta["BN"]))](x, w, y, M, N, K)
        return y
