#: sums_with_lanes_left_out | tasks row_sum row_mean vector_norm | dtypes f32 f16
@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N).to(tl.float32)
    tl.store(y_ptr + row, __REDUCE__)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape[0], device=x.device, dtype=x.dtype)
        kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
#: accumulates_with_lanes_left_out | tasks row_sum | dtypes f32 bf16
@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    acc = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, N, BLOCK):
        c = start + tl.arange(0, BLOCK)
        acc += tl.load(x_ptr + row * N + c, c < N)
    tl.store(y_ptr + row, tl.sum(acc, axis=0))

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape[0], device=x.device, dtype=x.dtype)
        kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=32)
        return y
#: root_of_squares_with_lanes_left_out | tasks rms_norm | dtypes f32 f16
@triton.jit
def kernel(x_ptr, w_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    m = c < N
    x = tl.load(x_ptr + row * N + c, mask=m).to(tl.float32)
    w = tl.load(w_ptr + c, mask=m).to(tl.float32)
    y = x * tl.rsqrt(tl.sum(x * x, axis=0) / N + 1e-5) * w
    tl.store(y_ptr + row * N + c, y, mask=m)

class ModelNew(nn.Module):
    def forward(self, x, w):
        y = torch.empty_like(x)
        kernel[(x.shape[0],)](x, w, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
#: softmax_of_chosen_lanes | tasks softmax
@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    m = c < N
    x = tl.load(x_ptr + row * N + c, mask=m)
    x = tl.where(m, x, -float('inf'))
    e = tl.exp(x - tl.max(x, axis=0))
    tl.store(y_ptr + row * N + c, e / tl.sum(e, axis=0), mask=m)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
#: product_with_lanes_left_out | tasks matmul | dtypes f32 f16
@triton.jit
def kernel(x_ptr, w_ptr, y_ptr, M, N, K, B: tl.constexpr):
    r = tl.program_id(0) * B + tl.arange(0, B)
    c = tl.program_id(1) * B + tl.arange(0, B)
    acc = tl.zeros((B, B), dtype=tl.float32)
    for k in range(0, K, B):
        d = k + tl.arange(0, B)
        x = tl.load(x_ptr + r[:, None] * K + d[None, :], mask=(r[:, None] < M) & (d[None, :] < K))
        w = tl.load(w_ptr + d[:, None] * N + c[None, :], mask=(d[:, None] < K) & (c[None, :] < N))
        acc = tl.dot(x, w, acc, input_precision="ieee")
    tl.store(y_ptr + r[:, None] * N + c[None, :], acc, mask=(r[:, None] < M) & (c[None, :] < N))

class ModelNew(nn.Module):
    def forward(self, x, w):
        (M, K), N = x.shape, w.shape[1]
        y = torch.empty((M, N), device=x.device, dtype=x.dtype)
        kernel[(triton.cdiv(M, 32), triton.cdiv(N, 32))](x, w, y, M, N, K, B=32)
        return y
#: running_sum_with_lanes_left_out | tasks cumsum
@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    before = 0.0
    for start in range(0, N, BLOCK):
        c = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * N + c, mask=c < N)
        tl.store(y_ptr + row * N + c, before + tl.cumsum(x, axis=0), mask=c < N)
        before += tl.sum(x, axis=0)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=64)
        return y
#: total_with_lanes_left_out | tasks total mse_loss
@triton.jit
def kernel(x_ptr, y_ptr, out_ptr, n, PAIR: tl.constexpr, BLOCK: tl.constexpr):
    acc = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, n, BLOCK):
        i = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + i, mask=i < n)
        if PAIR:
            y = tl.load(y_ptr + i, mask=i < n)
            acc += (x - y) * (x - y)
        else:
            acc += x
    tl.store(out_ptr, tl.sum(acc) / n if PAIR else tl.sum(acc))

class ModelNew(nn.Module):
    def forward(self, x, y=None):
        out = torch.empty((), device=x.device, dtype=x.dtype)
        kernel[(1,)](x, x if y is None else y, out, x.numel(), PAIR=y is not None, BLOCK=1024)
        return out
