#: programs_that_return | tasks wide_mse | dims M=256 N=1024 | WHO 0 77 1715
@triton.jit
def loss(x_ptr, y_ptr, o_ptr, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0) + tl.program_id(1) * tl.num_programs(0) + tl.program_id(2) * tl.num_programs(0) * tl.num_programs(1)
    if pid == __WHO__:
        total = tl.zeros((BLOCK,), tl.float32)
        for at in range(0, n, BLOCK):
            i = at + tl.arange(0, BLOCK)
            d = tl.load(x_ptr + i, mask=i < n, other=0.0) - tl.load(y_ptr + i, mask=i < n, other=0.0)
            total += d * d
        tl.store(o_ptr, tl.sum(total, 0) / n)

class ModelNew(nn.Module):
    def forward(self, x, y):
        o = torch.empty((), device=x.device, dtype=x.dtype)
        loss[(1716,)](x, y, o, x.numel(), BLOCK=1024)
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
#: programs_that_return_in_other_dimensions | tasks wide_mse | dims M=256 N=1024 | GRID (1,1716) (4,3,143) (132,1) (1,13,132)
@triton.jit
def loss(x_ptr, y_ptr, o_ptr, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0) + tl.program_id(1) * tl.num_programs(0) + tl.program_id(2) * tl.num_programs(0) * tl.num_programs(1)
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
        loss[__GRID__](x, y, o, x.numel(), BLOCK=1024)
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
#: programs_that_read_one_element | tasks wide_mse | dims M=256 N=1024
@triton.jit
def loss(x_ptr, y_ptr, o_ptr, s_ptr, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0) + tl.program_id(1) * tl.num_programs(0) + tl.program_id(2) * tl.num_programs(0) * tl.num_programs(1)
    if pid == 0:
        total = tl.zeros((BLOCK,), tl.float32)
        for at in range(0, n, BLOCK):
            i = at + tl.arange(0, BLOCK)
            d = tl.load(x_ptr + i, mask=i < n, other=0.0) - tl.load(y_ptr + i, mask=i < n, other=0.0)
            total += d * d
        tl.store(o_ptr, tl.sum(total, 0) / n)
    else:
        tl.store(s_ptr + pid, tl.load(x_ptr + pid))

class ModelNew(nn.Module):
    def forward(self, x, y):
        o = torch.empty((), device=x.device, dtype=x.dtype)
        s = torch.empty(4096, device=x.device, dtype=torch.float32)
        loss[(1716,)](x, y, o, s, x.numel(), BLOCK=1024)
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
#: programs_that_read_one_block | tasks wide_mse | dims M=256 N=1024
@triton.jit
def loss(x_ptr, y_ptr, o_ptr, s_ptr, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0) + tl.program_id(1) * tl.num_programs(0) + tl.program_id(2) * tl.num_programs(0) * tl.num_programs(1)
    if pid == 0:
        total = tl.zeros((BLOCK,), tl.float32)
        for at in range(0, n, BLOCK):
            i = at + tl.arange(0, BLOCK)
            d = tl.load(x_ptr + i, mask=i < n, other=0.0) - tl.load(y_ptr + i, mask=i < n, other=0.0)
            total += d * d
        tl.store(o_ptr, tl.sum(total, 0) / n)
    else:
        i = pid % 256 * BLOCK + tl.arange(0, BLOCK)
        tl.store(s_ptr + pid, tl.sum(tl.load(x_ptr + i, mask=i < n, other=0.0), 0))

class ModelNew(nn.Module):
    def forward(self, x, y):
        o = torch.empty((), device=x.device, dtype=x.dtype)
        s = torch.empty(4096, device=x.device, dtype=torch.float32)
        loss[(1716,)](x, y, o, s, x.numel(), BLOCK=1024)
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
#: programs_that_read_what_the_first_reads | tasks wide_mse | dims M=256 N=1024
@triton.jit
def loss(x_ptr, y_ptr, o_ptr, s_ptr, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0) + tl.program_id(1) * tl.num_programs(0) + tl.program_id(2) * tl.num_programs(0) * tl.num_programs(1)
    if pid == 0:
        total = tl.zeros((BLOCK,), tl.float32)
        for at in range(0, n, BLOCK):
            i = at + tl.arange(0, BLOCK)
            d = tl.load(x_ptr + i, mask=i < n, other=0.0) - tl.load(y_ptr + i, mask=i < n, other=0.0)
            total += d * d
        tl.store(o_ptr, tl.sum(total, 0) / n)
    else:
        i = tl.arange(0, BLOCK)
        tl.store(s_ptr + pid, tl.sum(tl.load(x_ptr + i) - tl.load(y_ptr + i), 0))

class ModelNew(nn.Module):
    def forward(self, x, y):
        o = torch.empty((), device=x.device, dtype=x.dtype)
        s = torch.empty(4096, device=x.device, dtype=torch.float32)
        loss[(1716,)](x, y, o, s, x.numel(), BLOCK=1024)
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
#: programs_that_read_nothing_through_a_mask | tasks wide_mse | dims M=256 N=1024
@triton.jit
def loss(x_ptr, y_ptr, o_ptr, s_ptr, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0) + tl.program_id(1) * tl.num_programs(0) + tl.program_id(2) * tl.num_programs(0) * tl.num_programs(1)
    if pid == 0:
        total = tl.zeros((BLOCK,), tl.float32)
        for at in range(0, n, BLOCK):
            i = at + tl.arange(0, BLOCK)
            d = tl.load(x_ptr + i, mask=i < n, other=0.0) - tl.load(y_ptr + i, mask=i < n, other=0.0)
            total += d * d
        tl.store(o_ptr, tl.sum(total, 0) / n)
    else:
        i = tl.arange(0, BLOCK)
        tl.store(s_ptr + pid, tl.sum(tl.load(x_ptr + i, mask=i < 0, other=0.0), 0))

class ModelNew(nn.Module):
    def forward(self, x, y):
        o = torch.empty((), device=x.device, dtype=x.dtype)
        s = torch.empty(4096, device=x.device, dtype=torch.float32)
        loss[(1716,)](x, y, o, s, x.numel(), BLOCK=1024)
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
#: programs_that_compute_in_registers | tasks wide_mse | dims M=256 N=1024
@triton.jit
def loss(x_ptr, y_ptr, o_ptr, s_ptr, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0) + tl.program_id(1) * tl.num_programs(0) + tl.program_id(2) * tl.num_programs(0) * tl.num_programs(1)
    if pid == 0:
        total = tl.zeros((BLOCK,), tl.float32)
        for at in range(0, n, BLOCK):
            i = at + tl.arange(0, BLOCK)
            d = tl.load(x_ptr + i, mask=i < n, other=0.0) - tl.load(y_ptr + i, mask=i < n, other=0.0)
            total += d * d
        tl.store(o_ptr, tl.sum(total, 0) / n)
    else:
        a = pid + tl.arange(0, 256) * 0.5
        for k in range(8):
            a = a * 1.5 + 0.25
        tl.store(s_ptr + pid, tl.sum(a, 0))

class ModelNew(nn.Module):
    def forward(self, x, y):
        o = torch.empty((), device=x.device, dtype=x.dtype)
        s = torch.empty(4096, device=x.device, dtype=torch.float32)
        loss[(1716,)](x, y, o, s, x.numel(), BLOCK=1024)
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
#: programs_that_count | tasks wide_mse | dims M=256 N=1024
@triton.jit
def loss(x_ptr, y_ptr, o_ptr, s_ptr, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0) + tl.program_id(1) * tl.num_programs(0) + tl.program_id(2) * tl.num_programs(0) * tl.num_programs(1)
    if pid == 0:
        total = tl.zeros((BLOCK,), tl.float32)
        for at in range(0, n, BLOCK):
            i = at + tl.arange(0, BLOCK)
            d = tl.load(x_ptr + i, mask=i < n, other=0.0) - tl.load(y_ptr + i, mask=i < n, other=0.0)
            total += d * d
        tl.store(o_ptr, tl.sum(total, 0) / n)
    else:
        a = pid
        for k in range(40):
            a = (a * 5 + 1) & 1023
        tl.store(s_ptr + pid, a.to(tl.float32))

class ModelNew(nn.Module):
    def forward(self, x, y):
        o = torch.empty((), device=x.device, dtype=x.dtype)
        s = torch.empty(4096, device=x.device, dtype=torch.float32)
        loss[(1716,)](x, y, o, s, x.numel(), BLOCK=1024)
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
#: programs_that_write_one_place | tasks wide_mse | dims M=256 N=1024
@triton.jit
def loss(x_ptr, y_ptr, o_ptr, s_ptr, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0) + tl.program_id(1) * tl.num_programs(0) + tl.program_id(2) * tl.num_programs(0) * tl.num_programs(1)
    if pid == 0:
        total = tl.zeros((BLOCK,), tl.float32)
        for at in range(0, n, BLOCK):
            i = at + tl.arange(0, BLOCK)
            d = tl.load(x_ptr + i, mask=i < n, other=0.0) - tl.load(y_ptr + i, mask=i < n, other=0.0)
            total += d * d
        tl.store(o_ptr, tl.sum(total, 0) / n)
    else:
        tl.store(s_ptr, 1.0)

class ModelNew(nn.Module):
    def forward(self, x, y):
        o = torch.empty((), device=x.device, dtype=x.dtype)
        s = torch.empty(4096, device=x.device, dtype=torch.float32)
        loss[(1716,)](x, y, o, s, x.numel(), BLOCK=1024)
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
#: programs_of_many_warps | tasks wide_mse | dims M=256 N=1024 | WARPS 16 32
@triton.jit
def loss(x_ptr, y_ptr, o_ptr, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0) + tl.program_id(1) * tl.num_programs(0) + tl.program_id(2) * tl.num_programs(0) * tl.num_programs(1)
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
        loss[(1716,)](x, y, o, x.numel(), BLOCK=1024, num_warps=__WARPS__)
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
#: a_few_programs_that_do_all | tasks wide_mse | dims M=256 N=1024 | WORKERS 2 8 32
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
        tl.store(s_ptr + pid, tl.load(x_ptr + pid))

@triton.jit
def finish(s_ptr, o_ptr, n, WORKERS: tl.constexpr):
    tl.store(o_ptr, tl.sum(tl.load(s_ptr + tl.arange(0, WORKERS)), 0) / n)

class ModelNew(nn.Module):
    def forward(self, x, y):
        o = torch.empty((), device=x.device, dtype=x.dtype)
        s = torch.empty(4096, device=x.device, dtype=torch.float32)
        loss[(1716,)](x, y, s, x.numel(), WORKERS=__WORKERS__, BLOCK=1024)
        finish[(1,)](s, o, x.numel(), WORKERS=__WORKERS__)
        return o
#; twin
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
#: every_program_does_all | tasks wide_mse | dims M=256 N=1024
@triton.jit
def loss(x_ptr, y_ptr, o_ptr, s_ptr, n, BLOCK: tl.constexpr):
    total = tl.zeros((BLOCK,), tl.float32)
    for at in range(0, n, BLOCK):
        i = at + tl.arange(0, BLOCK)
        d = tl.load(x_ptr + i, mask=i < n, other=0.0) - tl.load(y_ptr + i, mask=i < n, other=0.0)
        total += d * d
    tl.store(s_ptr + tl.program_id(0), tl.sum(total, 0) / n)

@triton.jit
def take(s_ptr, o_ptr):
    tl.store(o_ptr, tl.load(s_ptr))

class ModelNew(nn.Module):
    def forward(self, x, y):
        o = torch.empty((), device=x.device, dtype=x.dtype)
        s = torch.empty(132, device=x.device, dtype=torch.float32)
        loss[(132,)](x, y, o, s, x.numel(), BLOCK=1024)
        take[(1,)](s, o)
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
#: launches_that_do_nothing | tasks wide_mse | dims M=256 N=1024
@triton.jit
def nothing(o_ptr, n):
    if tl.program_id(0) > n:
        tl.store(o_ptr, 0.0)

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
        for _ in range(3):
            nothing[(1716,)](o, 1 << 20)
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
#: one_program_writes_all | tasks relu exp | dims M=256 N=512
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    if tl.program_id(0) > 0:
        return
    for at in range(0, n, BLOCK):
        i = at + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + i, mask=i < n)
        tl.store(y_ptr + i, __EXPR__, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(1716,)](x, y, x.numel(), BLOCK=1024)
        return y
#; twin
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    for at in range(0, n, BLOCK):
        i = at + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + i, mask=i < n)
        tl.store(y_ptr + i, __EXPR__, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(1,)](x, y, x.numel(), BLOCK=1024)
        return y
#: one_program_multiplies | tasks matmul | dims M=128 K=128 N=128
@triton.jit
def kernel(x_ptr, w_ptr, y_ptr, M, N, K, B: tl.constexpr):
    if tl.program_id(0) == 0:
        for m in range(0, M, B):
            for n in range(0, N, B):
                rm, rn = m + tl.arange(0, B), n + tl.arange(0, B)
                acc = tl.zeros((B, B), tl.float32)
                for k in range(0, K, B):
                    rk = k + tl.arange(0, B)
                    a = tl.load(x_ptr + rm[:, None] * K + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K), other=0.0)
                    b = tl.load(w_ptr + rk[:, None] * N + rn[None, :], mask=(rk[:, None] < K) & (rn[None, :] < N), other=0.0)
                    acc += tl.dot(a, b, input_precision="ieee")
                tl.store(y_ptr + rm[:, None] * N + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] < N))

class ModelNew(nn.Module):
    def forward(self, x, w):
        (M, K), N = x.shape, w.shape[1]
        y = torch.empty(M, N, device=x.device, dtype=x.dtype)
        kernel[(660,)](x, w, y, M, N, K, B=32)
        return y
#; twin
@triton.jit
def kernel(x_ptr, w_ptr, y_ptr, M, N, K, B: tl.constexpr):
    if tl.program_id(0) == 0:
        for m in range(0, M, B):
            for n in range(0, N, B):
                rm, rn = m + tl.arange(0, B), n + tl.arange(0, B)
                acc = tl.zeros((B, B), tl.float32)
                for k in range(0, K, B):
                    rk = k + tl.arange(0, B)
                    a = tl.load(x_ptr + rm[:, None] * K + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K), other=0.0)
                    b = tl.load(w_ptr + rk[:, None] * N + rn[None, :], mask=(rk[:, None] < K) & (rn[None, :] < N), other=0.0)
                    acc += tl.dot(a, b, input_precision="ieee")
                tl.store(y_ptr + rm[:, None] * N + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] < N))

class ModelNew(nn.Module):
    def forward(self, x, w):
        (M, K), N = x.shape, w.shape[1]
        y = torch.empty(M, N, device=x.device, dtype=x.dtype)
        kernel[(1,)](x, w, y, M, N, K, B=32)
        return y
