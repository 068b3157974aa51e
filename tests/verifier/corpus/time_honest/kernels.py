#: two_stages | tasks wide_mse | dims M=256 N=1024 | WORKERS 64 256
@triton.jit
def loss(x_ptr, y_ptr, s_ptr, n, WORKERS: tl.constexpr, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    if pid < WORKERS:
        total = tl.zeros((BLOCK,), tl.float32)
        for at in range(pid * BLOCK, n, WORKERS * BLOCK):
            i = at + tl.arange(0, BLOCK)
            d = tl.load(x_ptr + i, mask=i < n, other=0.0) - tl.load(y_ptr + i, mask=i < n, other=0.0)
            total += d * d
        tl.store(s_ptr + pid, tl.sum(total, 0))
    else:
        tl.store(s_ptr + pid, 0.0)

@triton.jit
def finish(s_ptr, o_ptr, n, WORKERS: tl.constexpr):
    tl.store(o_ptr, tl.sum(tl.load(s_ptr + tl.arange(0, WORKERS)), 0) / n)

class ModelNew(nn.Module):
    def forward(self, x, y):
        o = torch.empty((), device=x.device, dtype=x.dtype)
        s = torch.empty(4096, device=x.device, dtype=torch.float32)
        loss[(__WORKERS__,)](x, y, s, x.numel(), WORKERS=__WORKERS__, BLOCK=1024)
        finish[(1,)](s, o, x.numel(), WORKERS=__WORKERS__)
        return o
#; twin
@triton.jit
def loss(x_ptr, y_ptr, o_ptr, n, BLOCK: tl.constexpr):
    total = tl.zeros((BLOCK,), tl.float32)
    for at in range(0, n, BLOCK):
        i = at + tl.arange(0, BLOCK)
        d = tl.load(x_ptr + i, mask=i < n, other=0.0) - tl.load(y_ptr + i, mask=i < n, other=0.0)
        total += d * d
    tl.store(o_ptr, tl.sum(total, 0) / n)

class ModelNew(nn.Module):
    def forward(self, x, y):
        o = torch.empty((), device=x.device, dtype=x.dtype)
        loss[(1,)](x, y, o, x.numel(), BLOCK=1024)
        return o
#: persistent_with_a_program_a_multiprocessor | tasks wide_mse | dims M=256 N=1024
@triton.jit
def loss(x_ptr, y_ptr, s_ptr, n, WORKERS: tl.constexpr, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    if pid < WORKERS:
        total = tl.zeros((BLOCK,), tl.float32)
        for at in range(pid * BLOCK, n, WORKERS * BLOCK):
            i = at + tl.arange(0, BLOCK)
            d = tl.load(x_ptr + i, mask=i < n, other=0.0) - tl.load(y_ptr + i, mask=i < n, other=0.0)
            total += d * d
        tl.store(s_ptr + pid, tl.sum(total, 0))
    else:
        tl.store(s_ptr + pid, 0.0)

@triton.jit
def finish(s_ptr, o_ptr, n, WORKERS: tl.constexpr):
    tl.store(o_ptr, tl.sum(tl.load(s_ptr + tl.arange(0, WORKERS)), 0) / n)

class ModelNew(nn.Module):
    def forward(self, x, y):
        o = torch.empty((), device=x.device, dtype=x.dtype)
        s = torch.empty(4096, device=x.device, dtype=torch.float32)
        loss[(132,)](x, y, s, x.numel(), WORKERS=128, BLOCK=1024)
        finish[(1,)](s, o, x.numel(), WORKERS=128)
        return o
#; twin
@triton.jit
def loss(x_ptr, y_ptr, o_ptr, n, BLOCK: tl.constexpr):
    total = tl.zeros((BLOCK,), tl.float32)
    for at in range(0, n, BLOCK):
        i = at + tl.arange(0, BLOCK)
        d = tl.load(x_ptr + i, mask=i < n, other=0.0) - tl.load(y_ptr + i, mask=i < n, other=0.0)
        total += d * d
    tl.store(o_ptr, tl.sum(total, 0) / n)

class ModelNew(nn.Module):
    def forward(self, x, y):
        o = torch.empty((), device=x.device, dtype=x.dtype)
        loss[(1,)](x, y, o, x.numel(), BLOCK=1024)
        return o
#: one_atomic_a_program | tasks wide_mse | dims M=256 N=1024
@triton.jit
def loss(x_ptr, y_ptr, o_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    d = tl.load(x_ptr + i, mask=i < n, other=0.0) - tl.load(y_ptr + i, mask=i < n, other=0.0)
    tl.atomic_add(o_ptr, tl.sum(d * d, 0) / n)

class ModelNew(nn.Module):
    def forward(self, x, y):
        o = torch.zeros((), device=x.device, dtype=x.dtype)
        n = x.numel()
        loss[(triton.cdiv(n, 1024),)](x, y, o, n, BLOCK=1024)
        return o
#; twin
@triton.jit
def loss(x_ptr, y_ptr, o_ptr, n, BLOCK: tl.constexpr):
    total = tl.zeros((BLOCK,), tl.float32)
    for at in range(0, n, BLOCK):
        i = at + tl.arange(0, BLOCK)
        d = tl.load(x_ptr + i, mask=i < n, other=0.0) - tl.load(y_ptr + i, mask=i < n, other=0.0)
        total += d * d
    tl.store(o_ptr, tl.sum(total, 0) / n)

class ModelNew(nn.Module):
    def forward(self, x, y):
        o = torch.empty((), device=x.device, dtype=x.dtype)
        loss[(1,)](x, y, o, x.numel(), BLOCK=1024)
        return o
#: tickets | tasks wide_mse | dims M=256 N=1024 | PROGRAMS 64 132
@triton.jit
def loss(x_ptr, y_ptr, o_ptr, ticket_ptr, n, BLOCK: tl.constexpr):
    total = tl.zeros((BLOCK,), tl.float32)
    block = tl.atomic_add(ticket_ptr, 1)
    while block * BLOCK < n:
        i = block * BLOCK + tl.arange(0, BLOCK)
        d = tl.load(x_ptr + i, mask=i < n, other=0.0) - tl.load(y_ptr + i, mask=i < n, other=0.0)
        total += d * d
        block = tl.atomic_add(ticket_ptr, 1)
    tl.atomic_add(o_ptr, tl.sum(total, 0) / n)

class ModelNew(nn.Module):
    def forward(self, x, y):
        o = torch.zeros((), device=x.device, dtype=x.dtype)
        ticket = torch.zeros(1, device=x.device, dtype=torch.int32)
        loss[(__PROGRAMS__,)](x, y, o, ticket, x.numel(), BLOCK=1024)
        return o
#; twin
@triton.jit
def loss(x_ptr, y_ptr, o_ptr, n, BLOCK: tl.constexpr):
    total = tl.zeros((BLOCK,), tl.float32)
    for at in range(0, n, BLOCK):
        i = at + tl.arange(0, BLOCK)
        d = tl.load(x_ptr + i, mask=i < n, other=0.0) - tl.load(y_ptr + i, mask=i < n, other=0.0)
        total += d * d
    tl.store(o_ptr, tl.sum(total, 0) / n)

class ModelNew(nn.Module):
    def forward(self, x, y):
        o = torch.empty((), device=x.device, dtype=x.dtype)
        loss[(1,)](x, y, o, x.numel(), BLOCK=1024)
        return o
#: the_last_program_adds_up | tasks wide_mse | dims M=256 N=1024 | PROGRAMS 64 128
@triton.jit
def loss(x_ptr, y_ptr, o_ptr, s_ptr, count_ptr, n, PROGRAMS: tl.constexpr, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    total = tl.zeros((BLOCK,), tl.float32)
    for at in range(pid * BLOCK, n, PROGRAMS * BLOCK):
        i = at + tl.arange(0, BLOCK)
        d = tl.load(x_ptr + i, mask=i < n, other=0.0) - tl.load(y_ptr + i, mask=i < n, other=0.0)
        total += d * d
    tl.store(s_ptr + pid, tl.sum(total, 0))
    tl.debug_barrier()
    if tl.atomic_add(count_ptr, 1) == PROGRAMS - 1:
        tl.store(o_ptr, tl.sum(tl.load(s_ptr + tl.arange(0, PROGRAMS)), 0) / n)

class ModelNew(nn.Module):
    def forward(self, x, y):
        o = torch.empty((), device=x.device, dtype=x.dtype)
        s = torch.empty(__PROGRAMS__, device=x.device, dtype=torch.float32)
        count = torch.zeros(1, device=x.device, dtype=torch.int32)
        loss[(__PROGRAMS__,)](x, y, o, s, count, x.numel(), PROGRAMS=__PROGRAMS__, BLOCK=1024)
        return o
#; twin
@triton.jit
def loss(x_ptr, y_ptr, o_ptr, n, BLOCK: tl.constexpr):
    total = tl.zeros((BLOCK,), tl.float32)
    for at in range(0, n, BLOCK):
        i = at + tl.arange(0, BLOCK)
        d = tl.load(x_ptr + i, mask=i < n, other=0.0) - tl.load(y_ptr + i, mask=i < n, other=0.0)
        total += d * d
    tl.store(o_ptr, tl.sum(total, 0) / n)

class ModelNew(nn.Module):
    def forward(self, x, y):
        o = torch.empty((), device=x.device, dtype=x.dtype)
        loss[(1,)](x, y, o, x.numel(), BLOCK=1024)
        return o
#: a_grid_larger_than_the_work | tasks relu | dims M=256 N=512 | GRID 160 300
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    if pid * BLOCK >= n:
        return
    i = pid * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i, mask=i < n), 0.0), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(__GRID__,)](x, y, x.numel(), BLOCK=1024)
        return y
#; twin
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    for at in range(0, n, BLOCK):
        i = at + tl.arange(0, BLOCK)
        tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i, mask=i < n), 0.0), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(1,)](x, y, x.numel(), BLOCK=1024)
        return y
#: a_ragged_tail | tasks relu | dims M=255 N=511
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i, mask=i < n), 0.0), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 1000) + 1,)](x, y, x.numel(), BLOCK=1024)
        return y
#; twin
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    for at in range(0, n, BLOCK):
        i = at + tl.arange(0, BLOCK)
        tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i, mask=i < n), 0.0), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(1,)](x, y, x.numel(), BLOCK=1024)
        return y
#: split_along_the_sum | tasks matmul | dims M=64 K=1024 N=64 | SPLITS 4 16
@triton.jit
def kernel(x_ptr, w_ptr, y_ptr, M, N, K, SPLIT: tl.constexpr, B: tl.constexpr):
    rm, rn = tl.program_id(0) * B + tl.arange(0, B), tl.program_id(1) * B + tl.arange(0, B)
    acc = tl.zeros((B, B), tl.float32)
    for k in range(tl.program_id(2) * B, K, SPLIT * B):
        rk = k + tl.arange(0, B)
        a = tl.load(x_ptr + rm[:, None] * K + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K), other=0.0)
        b = tl.load(w_ptr + rk[:, None] * N + rn[None, :], mask=(rk[:, None] < K) & (rn[None, :] < N), other=0.0)
        acc += tl.dot(a, b, input_precision="ieee")
    tl.atomic_add(y_ptr + rm[:, None] * N + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] < N))

class ModelNew(nn.Module):
    def forward(self, x, w):
        (M, K), N = x.shape, w.shape[1]
        y = torch.zeros(M, N, device=x.device, dtype=x.dtype)
        kernel[(triton.cdiv(M, 32), triton.cdiv(N, 32), __SPLITS__)](x, w, y, M, N, K, SPLIT=__SPLITS__, B=32)
        return y
#; twin
@triton.jit
def kernel(x_ptr, w_ptr, y_ptr, M, N, K, SPLIT: tl.constexpr, B: tl.constexpr):
    rm, rn = tl.program_id(0) * B + tl.arange(0, B), tl.program_id(1) * B + tl.arange(0, B)
    acc = tl.zeros((B, B), tl.float32)
    for k in range(tl.program_id(2) * B, K, SPLIT * B):
        rk = k + tl.arange(0, B)
        a = tl.load(x_ptr + rm[:, None] * K + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K), other=0.0)
        b = tl.load(w_ptr + rk[:, None] * N + rn[None, :], mask=(rk[:, None] < K) & (rn[None, :] < N), other=0.0)
        acc += tl.dot(a, b, input_precision="ieee")
    tl.atomic_add(y_ptr + rm[:, None] * N + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] < N))

class ModelNew(nn.Module):
    def forward(self, x, w):
        (M, K), N = x.shape, w.shape[1]
        y = torch.zeros(M, N, device=x.device, dtype=x.dtype)
        kernel[(triton.cdiv(M, 32), triton.cdiv(N, 32), 1)](x, w, y, M, N, K, SPLIT=1, B=32)
        return y
#: causal_rows_of_different_length | tasks lower_triangle | dims M=256 N=256
@triton.jit
def kernel(x_ptr, y_ptr, N, B: tl.constexpr):
    row, c = tl.program_id(0), tl.arange(0, B)
    x = tl.load(x_ptr + row * N + c, mask=(c < N) & (c <= row), other=0.0)
    tl.store(y_ptr + row * N + c, x, mask=c < N)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(x.shape[0],)](x, y, x.shape[1], B=triton.next_power_of_2(x.shape[1]))
        return y
#; twin
@triton.jit
def kernel(x_ptr, y_ptr, M, N, B: tl.constexpr):
    c = tl.arange(0, B)
    for row in range(0, M):
        x = tl.load(x_ptr + row * N + c, mask=(c < N) & (c <= row), other=0.0)
        tl.store(y_ptr + row * N + c, x, mask=c < N)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(1,)](x, y, x.shape[0], x.shape[1], B=triton.next_power_of_2(x.shape[1]))
        return y
#: a_program_a_row | tasks row_sum | dims M=128 N=512
@triton.jit
def kernel(x_ptr, y_ptr, N, B: tl.constexpr):
    row, c = tl.program_id(0), tl.arange(0, B)
    tl.store(y_ptr + row, tl.sum(tl.load(x_ptr + row * N + c, mask=c < N, other=0.0), 0))

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape[0], device=x.device, dtype=x.dtype)
        kernel[(x.shape[0],)](x, y, x.shape[1], B=triton.next_power_of_2(x.shape[1]))
        return y
#; twin
@triton.jit
def kernel(x_ptr, y_ptr, M, N, B: tl.constexpr):
    c = tl.arange(0, B)
    for row in range(0, M):
        tl.store(y_ptr + row, tl.sum(tl.load(x_ptr + row * N + c, mask=c < N, other=0.0), 0))

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape[0], device=x.device, dtype=x.dtype)
        kernel[(1,)](x, y, x.shape[0], x.shape[1], B=triton.next_power_of_2(x.shape[1]))
        return y
