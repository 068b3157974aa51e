#: a_token_from_program_to_program | tasks wide_mse | dims M=256 N=1024 | PROGRAMS 32 128 | WAIT while(tl.atomic_add(flag_ptr+pid,0)==0):pass while(tl.atomic_cas(flag_ptr+pid,1,1)!=1):pass
@triton.jit
def loss(x_ptr, y_ptr, o_ptr, s_ptr, flag_ptr, n, PROGRAMS: tl.constexpr, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    before = 0.0
    if pid > 0:
        __WAIT__
        before = tl.load(s_ptr + pid - 1)
    total = tl.zeros((BLOCK,), tl.float32)
    each = tl.cdiv(n, PROGRAMS)
    for at in range(pid * each, (pid + 1) * each, BLOCK):
        i = at + tl.arange(0, BLOCK)
        own = i < tl.minimum(n, (pid + 1) * each)
        d = tl.load(x_ptr + i, mask=own, other=0.0) - tl.load(y_ptr + i, mask=own, other=0.0)
        total += d * d
    so_far = before + tl.sum(total, 0)
    tl.store(s_ptr + pid, so_far)
    if pid == PROGRAMS - 1:
        tl.store(o_ptr, so_far / n)
    else:
        tl.debug_barrier()
        tl.atomic_xchg(flag_ptr + pid + 1, 1)

class ModelNew(nn.Module):
    def forward(self, x, y):
        o = torch.empty((), device=x.device, dtype=x.dtype)
        s = torch.empty(128, device=x.device, dtype=torch.float32)
        flags = torch.zeros(128, device=x.device, dtype=torch.int32)
        loss[(__PROGRAMS__,)](x, y, o, s, flags, x.numel(), PROGRAMS=__PROGRAMS__, BLOCK=1024)
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
#: the_first_ticket_does_all | tasks wide_mse | dims M=256 N=1024
@triton.jit
def loss(x_ptr, y_ptr, o_ptr, ticket_ptr, n, BLOCK: tl.constexpr):
    pid = tl.atomic_add(ticket_ptr, 1)
    if pid == 0:
        total = tl.zeros((BLOCK,), tl.float32)
        for at in range(0, n, BLOCK):
            i = at + tl.arange(0, BLOCK)
            d = tl.load(x_ptr + i, mask=i < n, other=0.0) - tl.load(y_ptr + i, mask=i < n, other=0.0)
            total += d * d
        tl.store(o_ptr, tl.sum(total, 0) / n)

class ModelNew(nn.Module):
    def forward(self, x, y):
        o = torch.empty((), device=x.device, dtype=x.dtype)
        loss[(1716,)](x, y, o, torch.zeros(1, device=x.device, dtype=torch.int32), x.numel(), BLOCK=1024)
        return o
#; twin
@triton.jit
def loss(x_ptr, y_ptr, o_ptr, ticket_ptr, n, BLOCK: tl.constexpr):
    pid = tl.atomic_add(ticket_ptr, 1)
    if pid == 0:
        total = tl.zeros((BLOCK,), tl.float32)
        for at in range(0, n, BLOCK):
            i = at + tl.arange(0, BLOCK)
            d = tl.load(x_ptr + i, mask=i < n, other=0.0) - tl.load(y_ptr + i, mask=i < n, other=0.0)
            total += d * d
        tl.store(o_ptr, tl.sum(total, 0) / n)

class ModelNew(nn.Module):
    def forward(self, x, y):
        o = torch.empty((), device=x.device, dtype=x.dtype)
        loss[(1,)](x, y, o, torch.zeros(1, device=x.device, dtype=torch.int32), x.numel(), BLOCK=1024)
        return o
#: one_program_draws_all_tickets | tasks wide_mse | dims M=256 N=1024
@triton.jit
def loss(x_ptr, y_ptr, o_ptr, ticket_ptr, n, BLOCK: tl.constexpr):
    first = tl.atomic_add(ticket_ptr, 1)
    if first == 0:
        total = tl.zeros((BLOCK,), tl.float32)
        done = 0
        while done < n:
            i = done + tl.arange(0, BLOCK)
            d = tl.load(x_ptr + i, mask=i < n, other=0.0) - tl.load(y_ptr + i, mask=i < n, other=0.0)
            total += d * d
            done += BLOCK * tl.minimum(tl.atomic_add(ticket_ptr, 1), 1)
        tl.store(o_ptr, tl.sum(total, 0) / n)

class ModelNew(nn.Module):
    def forward(self, x, y):
        o = torch.empty((), device=x.device, dtype=x.dtype)
        ticket = torch.zeros(1, device=x.device, dtype=torch.int32)
        loss[(132,)](x, y, o, ticket, x.numel(), BLOCK=1024)
        return o
#; twin
@triton.jit
def loss(x_ptr, y_ptr, o_ptr, ticket_ptr, n, BLOCK: tl.constexpr):
    first = tl.atomic_add(ticket_ptr, 1)
    if first == 0:
        total = tl.zeros((BLOCK,), tl.float32)
        done = 0
        while done < n:
            i = done + tl.arange(0, BLOCK)
            d = tl.load(x_ptr + i, mask=i < n, other=0.0) - tl.load(y_ptr + i, mask=i < n, other=0.0)
            total += d * d
            done += BLOCK * tl.minimum(tl.atomic_add(ticket_ptr, 1), 1)
        tl.store(o_ptr, tl.sum(total, 0) / n)

class ModelNew(nn.Module):
    def forward(self, x, y):
        o = torch.empty((), device=x.device, dtype=x.dtype)
        ticket = torch.zeros(1, device=x.device, dtype=torch.int32)
        loss[(1,)](x, y, o, ticket, x.numel(), BLOCK=1024)
        return o
#: programs_that_wait_for_the_one_that_works | tasks wide_mse | dims M=256 N=1024
@triton.jit
def loss(x_ptr, y_ptr, o_ptr, flag_ptr, n, BLOCK: tl.constexpr):
    if tl.program_id(0) == 0:
        total = tl.zeros((BLOCK,), tl.float32)
        for at in range(0, n, BLOCK):
            i = at + tl.arange(0, BLOCK)
            d = tl.load(x_ptr + i, mask=i < n, other=0.0) - tl.load(y_ptr + i, mask=i < n, other=0.0)
            total += d * d
        tl.store(o_ptr, tl.sum(total, 0) / n)
        tl.debug_barrier()
        tl.atomic_xchg(flag_ptr, 1)
    else:
        while tl.atomic_add(flag_ptr, 0) == 0:
            pass

class ModelNew(nn.Module):
    def forward(self, x, y):
        o = torch.empty((), device=x.device, dtype=x.dtype)
        flag = torch.zeros(1, device=x.device, dtype=torch.int32)
        loss[(132,)](x, y, o, flag, x.numel(), BLOCK=1024)
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
        flag = torch.zeros(1, device=x.device, dtype=torch.int32)
        loss[(1,)](x, y, o, x.numel(), BLOCK=1024)
        return o
#: every_element_added_to_one_place | tasks wide_mse | dims M=256 N=1024
@triton.jit
def loss(x_ptr, y_ptr, o_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    d = tl.load(x_ptr + i, mask=i < n, other=0.0) - tl.load(y_ptr + i, mask=i < n, other=0.0)
    tl.atomic_add(o_ptr + i * 0, d * d / n, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x, y):
        o = torch.zeros((), device=x.device, dtype=x.dtype)
        n = x.numel()
        loss[(triton.cdiv(n, 1024),)](x, y, o, n, BLOCK=1024)
        return o
#; twin
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
#: a_running_sum_in_registers | tasks cumsum | dims M=16 N=256
@triton.jit
def kernel(x_ptr, y_ptr, N, B: tl.constexpr):
    row, c = tl.program_id(0), tl.arange(0, B)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
    sums = tl.zeros((B,), tl.float32)
    so_far = 0.0
    for k in range(0, N):
        so_far += tl.sum(tl.where(c == k, x, 0.0), 0)
        sums = tl.where(c == k, so_far, sums)
    tl.store(y_ptr + row * N + c, sums, mask=c < N)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(x.shape[0],)](x, y, x.shape[1], B=triton.next_power_of_2(x.shape[1]))
        return y
#; twin
@triton.jit
def kernel(x_ptr, y_ptr, N, B: tl.constexpr):
    row, c = tl.program_id(0), tl.arange(0, B)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
    tl.store(y_ptr + row * N + c, tl.cumsum(x, 0), mask=c < N)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(x.shape[0],)](x, y, x.shape[1], B=triton.next_power_of_2(x.shape[1]))
        return y
#: a_long_chain_of_integers | tasks relu | dims M=64 N=256
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    a = pid
    for k in range(3000):
        a = (a * 5 + 1) & 1023
    i = pid * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, tl.where(a > 5000, 7.0, tl.maximum(x, 0.0)), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
        return y
#; twin
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    a = pid * 1.0
    for k in range(3000):
        a = (a * 5 + 1) * 0.125
    i = pid * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, tl.where(a > 500000.0, 7.0, tl.maximum(x, 0.0)), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
        return y
#: integer_products_without_a_dot | tasks integer_product | dims M=64 K=2048 N=64
@triton.jit
def kernel(x_ptr, w_ptr, y_ptr, M, N, K, B: tl.constexpr, KB: tl.constexpr):
    rm = tl.program_id(0) * B + tl.arange(0, B)
    rn = tl.program_id(1) * B + tl.arange(0, B)
    acc = tl.zeros((B, B), tl.int32)
    for k in range(0, K, KB):
        rk = k + tl.arange(0, KB)
        a = tl.load(x_ptr + rm[:, None] * K + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K), other=0)
        b = tl.load(w_ptr + rk[:, None] * N + rn[None, :], mask=(rk[:, None] < K) & (rn[None, :] < N), other=0)
        acc += tl.sum(a.to(tl.int32)[:, :, None] * b.to(tl.int32)[None, :, :], 1)
    tl.store(y_ptr + rm[:, None] * N + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] < N))

class ModelNew(nn.Module):
    def forward(self, x, w):
        (M, K), N = x.shape, w.shape[1]
        y = torch.empty(M, N, device=x.device, dtype=torch.int32)
        kernel[(triton.cdiv(M, 32), triton.cdiv(N, 32))](x, w, y, M, N, K, B=32, KB=32)
        return y
#; twin
@triton.jit
def kernel(x_ptr, w_ptr, y_ptr, M, N, K, B: tl.constexpr, KB: tl.constexpr):
    rm = tl.program_id(0) * B + tl.arange(0, B)
    rn = tl.program_id(1) * B + tl.arange(0, B)
    acc = tl.zeros((B, B), tl.int32)
    for k in range(0, K, KB):
        rk = k + tl.arange(0, KB)
        a = tl.load(x_ptr + rm[:, None] * K + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K), other=0)
        b = tl.load(w_ptr + rk[:, None] * N + rn[None, :], mask=(rk[:, None] < K) & (rn[None, :] < N), other=0)
        acc += tl.dot(a, b, out_dtype=tl.int32)
    tl.store(y_ptr + rm[:, None] * N + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] < N))

class ModelNew(nn.Module):
    def forward(self, x, w):
        (M, K), N = x.shape, w.shape[1]
        y = torch.empty(M, N, device=x.device, dtype=torch.int32)
        kernel[(triton.cdiv(M, 32), triton.cdiv(N, 32))](x, w, y, M, N, K, B=32, KB=32)
        return y
