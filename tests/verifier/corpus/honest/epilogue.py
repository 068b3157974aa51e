#: epilogue_of_rows | protocol epilogue | tasks row_sum row_mean row_max row_min | FINISH method function keepdim
@triton.jit
def kernel(x_ptr, part_ptr, N, PARTS: tl.constexpr, BLOCK: tl.constexpr):
    row, part = tl.program_id(0), tl.program_id(1)
    c = part * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=__OTHER__).to(tl.float32)
    tl.store(part_ptr + row * PARTS + part, __REDUCE__)

class ModelNew(nn.Module):
    def forward(self, x):
        M, N = x.shape
        parts = triton.cdiv(N, 32)
        part = torch.empty((M, parts), device=x.device, dtype=torch.float32)
        kernel[(M, parts)](x, part, N, PARTS=parts, BLOCK=32)
        if __IS_MAX__:
            return part.amax(1) if "__FINISH__" == "method" else torch.amax(part, dim=-1)
        if __IS_MIN__:
            return -(-part).amax(1) if "__FINISH__" == "method" else part.amin(-1)
        if "__FINISH__" == "method":
            return part.sum(1)
        if "__FINISH__" == "keepdim":
            return part.t().sum(0, keepdim=True).view(-1)
        return torch.mean(part, 1) * parts
#: epilogue_of_columns | protocol epilogue | tasks col_sum | ROWS 2 4 | CODE part.sum(0) part.t().contiguous().sum(1) part.view(-1,1,x.shape[1]).sum((0,1))
@triton.jit
def kernel(x_ptr, part_ptr, M, N, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    c = tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), tl.float32)
    for i in range(ROWS):
        row = tl.program_id(0) * ROWS + i
        total += tl.load(x_ptr + row * N + c, mask=(c < N) & (row < M), other=0.0)
    tl.store(part_ptr + tl.program_id(0) * N + c, total, mask=c < N)

class ModelNew(nn.Module):
    def forward(self, x):
        M, N = x.shape
        part = torch.empty((triton.cdiv(M, __ROWS__ * 4), N), device=x.device)
        kernel[(part.shape[0],)](x, part, M, N, ROWS=__ROWS__ * 4, BLOCK=triton.next_power_of_2(N))
        return __CODE__
#: epilogue_of_a_loss | protocol epilogue | tasks mse_loss | CODE part.sum()/x.numel() torch.sum(part)*(1/x.numel()) part.mean()*(part.numel()/x.numel()) part.div_(x.numel()).sum()
@triton.jit
def kernel(x_ptr, y_ptr, part_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    d = tl.load(x_ptr + i, mask=i < n, other=0.0) - tl.load(y_ptr + i, mask=i < n, other=0.0)
    tl.store(part_ptr + tl.program_id(0), tl.sum(d * d))

class ModelNew(nn.Module):
    def forward(self, x, y):
        part = torch.empty(triton.cdiv(x.numel(), 256), device=x.device)
        kernel[(part.numel(),)](x, y, part, x.numel(), BLOCK=256)
        return __CODE__
#: epilogue_root | protocol epilogue | tasks vector_norm | CODE y.sqrt() y.sqrt_() torch.rsqrt(y).reciprocal_() y*y.rsqrt() 1/torch.rsqrt(y)
@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
    tl.store(y_ptr + row, tl.sum(x * x, 0))

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape[0], device=x.device)
        kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return __CODE__
#: epilogue_scale | protocol epilogue | tasks matmul | CODE y.mul_(2) y+y 2*y y/0.5 y.div_(torch.tensor(0.5)) y.sub_(-y.clone()) -(y*-2)
@triton.jit
def kernel(x_ptr, w_ptr, y_ptr, M, K, N, B: tl.constexpr):
    m = tl.program_id(0) * B + tl.arange(0, B)
    n = tl.program_id(1) * B + tl.arange(0, B)
    total = tl.zeros((B, B), tl.float32)
    for first in range(0, K, B):
        k = first + tl.arange(0, B)
        x = tl.load(x_ptr + m[:, None] * K + k[None, :], mask=(m[:, None] < M) & (k[None, :] < K), other=0.0)
        w = tl.load(w_ptr + k[:, None] * N + n[None, :], mask=(k[:, None] < K) & (n[None, :] < N), other=0.0)
        total = tl.dot(x, w, total, input_precision="ieee")
    tl.store(y_ptr + m[:, None] * N + n[None, :], total / 2, mask=(m[:, None] < M) & (n[None, :] < N))

class ModelNew(nn.Module):
    def forward(self, x, w):
        (M, K), N = x.shape, w.shape[1]
        y = torch.empty((M, N), device=x.device)
        kernel[(triton.cdiv(M, 16), triton.cdiv(N, 16))](x, w, y, M, K, N, B=16)
        return __CODE__
