# Kernels whose result depends on an order that no GPU promises.
#: two_phases_in_one_launch | tasks total | FORM loop_before loop_after compare_and_swap
# The loop never turns: it is there so that programs run in the grid's order, in which the last one is last.
@triton.jit
def kernel(x_ptr, p_ptr, flag_ptr, y_ptr, n, parts, FORM: tl.constexpr, BLOCK: tl.constexpr, PARTS: tl.constexpr):
    pid = tl.program_id(0)
    i = pid * BLOCK + tl.arange(0, BLOCK)
    if FORM == "loop_before":
        while tl.atomic_add(flag_ptr, 0) != 0:
            pass
    if FORM == "compare_and_swap":
        while tl.atomic_cas(flag_ptr, 0, 0) != 0:
            pass
    tl.store(p_ptr + pid, tl.sum(tl.load(x_ptr + i, mask=i < n, other=0.0).to(tl.float32)))
    if FORM == "loop_after":
        while tl.atomic_max(flag_ptr, 0) > 0:
            pass
    if pid == parts - 1:
        k = tl.arange(0, PARTS)
        tl.store(y_ptr, tl.sum(tl.load(p_ptr + k, mask=k < parts, other=0.0)))

class ModelNew(nn.Module):
    def forward(self, x):
        n = x.numel()
        parts = triton.cdiv(n, 64)
        y = torch.empty((), device=x.device, dtype=x.dtype)
        p = torch.empty(parts, device=x.device, dtype=torch.float32)
        flag = torch.zeros(1, device=x.device, dtype=torch.int32)
        kernel[(parts,)](x, p, flag, y, n, parts, "__FORM__", BLOCK=64, PARTS=triton.next_power_of_2(parts))
        return y
#: carried_from_program_to_program | tasks cumsum | FORM stored_plainly read_back_from_the_output by_a_function
# Each program goes on where the one before it ended, without asking whether that has run.
@triton.jit
def never(flag_ptr):
    return tl.atomic_add(flag_ptr, 0) != 0

@triton.jit
def kernel(x_ptr, y_ptr, carry_ptr, flag_ptr, N, FORM: tl.constexpr, BLOCK: tl.constexpr):
    row, part = tl.program_id(1), tl.program_id(0)
    if FORM == "by_a_function":
        while never(flag_ptr):
            pass
    else:
        while tl.atomic_add(flag_ptr, 0) != 0:
            pass
    c = part * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0).to(tl.float32)
    before = 0.0
    if part > 0:
        if FORM == "read_back_from_the_output":
            before = tl.load(y_ptr + row * N + part * BLOCK - 1).to(tl.float32)
        else:
            before = tl.load(carry_ptr + row)
    tl.store(y_ptr + row * N + c, tl.cumsum(x, 0) + before, mask=c < N)
    if FORM != "read_back_from_the_output":
        tl.store(carry_ptr + row, before + tl.sum(x))

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        carry = torch.zeros(x.shape[0], device=x.device)
        flag = torch.zeros(1, device=x.device, dtype=torch.int32)
        kernel[(triton.cdiv(x.shape[1], 16), x.shape[0])](x, y, carry, flag, x.shape[1], "__FORM__", BLOCK=16)
        return y
#: threads_of_one_program | tasks flip cumsum | FORM scratch output twice
# A thread loads what another thread of its program has stored, with no barrier between the two.
@triton.jit
def kernel(x_ptr, t_ptr, y_ptr, N, FLIP: tl.constexpr, FORM: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    m = c < N
    x = tl.load(x_ptr + row * N + c, mask=m, other=0.0)
    room = (y_ptr if FORM == "output" else t_ptr) + row * N
    tl.store(room + c, x, mask=m)
    if FLIP:
        x = tl.load(room + (N - 1 - c), mask=m, other=0.0)
        if FORM == "twice":
            tl.store(room + c, x, mask=m)
            x = tl.load(room + (N - 1 - c), mask=m, other=0.0)
            tl.store(room + c, x, mask=m)
            x = tl.load(room + (N - 1 - c), mask=m, other=0.0)
    else:
        step = 1
        while step < N:
            x = x + tl.load(room + c - step, mask=m & (c >= step), other=0.0)
            tl.store(room + c, x, mask=m)
            step *= 2
    tl.store(y_ptr + row * N + c, x, mask=m)

class ModelNew(nn.Module):
    def forward(self, x):
        y, t = torch.empty_like(x), torch.empty_like(x)
        kernel[(x.shape[0],)](x, t, y, x.shape[1], __IS_FLIP__, "__FORM__", BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
#: masked_lanes_without_a_value | tasks row_max | FORM reduction clamp comparison
# Where its mask is false, a load gives zero as NVIDIA's lowering has it: no NaN that shows, but the largest of a row below zero.
@triton.jit
def kernel(x_ptr, y_ptr, N, FORM: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N)
    if FORM == "reduction":
        y = tl.max(x, 0)
    elif FORM == "clamp":
        y = tl.max(tl.maximum(x, -1e30), 0)
    else:
        y = tl.max(tl.where(x > -1e30, x, -1e30), 0)
    tl.store(y_ptr + row, y)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape[0], device=x.device, dtype=x.dtype)
        kernel[(x.shape[0],)](x, y, x.shape[1], "__FORM__", BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
#: last_to_arrive_by_a_weak_atomic | tasks total | FORM scope order address
# The pattern "the last program adds up", by an atomic of one block's scope, a relaxed one, or two at different addresses.
@triton.jit
def kernel(x_ptr, p_ptr, count_ptr, y_ptr, n, parts, FORM: tl.constexpr, BLOCK: tl.constexpr, PARTS: tl.constexpr):
    pid = tl.program_id(0)
    i = pid * BLOCK + tl.arange(0, BLOCK)
    tl.store(p_ptr + pid, tl.sum(tl.load(x_ptr + i, mask=i < n, other=0.0).to(tl.float32)))
    if FORM == "scope":
        arrived = tl.atomic_add(count_ptr, 1, sem="acq_rel", scope="cta")
    elif FORM == "order":
        arrived = tl.atomic_add(count_ptr, 1, sem="relaxed")
    else:
        tl.atomic_add(count_ptr + 1 + pid, 1, sem="acq_rel")
        arrived = tl.atomic_add(count_ptr, 1, sem="relaxed")
    if arrived == parts - 1:
        k = tl.arange(0, PARTS)
        tl.store(y_ptr, tl.sum(tl.load(p_ptr + k, mask=k < parts, other=0.0)))

class ModelNew(nn.Module):
    def forward(self, x):
        n = x.numel()
        parts = triton.cdiv(n, 64)
        y = torch.empty((), device=x.device, dtype=x.dtype)
        p = torch.empty(parts, device=x.device, dtype=torch.float32)
        count = torch.zeros(1 + parts, device=x.device, dtype=torch.int32)
        kernel[(parts,)](x, p, count, y, n, parts, "__FORM__", BLOCK=64, PARTS=triton.next_power_of_2(parts))
        return y
#: order_kept_by_what_never_waits | tasks row_sum | FORM first_writes last_clears everyone_overwrites
# The same loop hides a store that a later program must not have made yet.
@triton.jit
def kernel(x_ptr, y_ptr, flag_ptr, N, FORM: tl.constexpr, BLOCK: tl.constexpr):
    part, row = tl.program_id(0), tl.program_id(1)
    while tl.atomic_or(flag_ptr, 0) != 0:
        pass
    c = part * BLOCK + tl.arange(0, BLOCK)
    s = tl.sum(tl.load(x_ptr + row * N + c, mask=c < N, other=0.0).to(tl.float32))
    if FORM == "first_writes":
        if part == 0:
            tl.store(y_ptr + row, s)
        else:
            tl.store(y_ptr + row, tl.load(y_ptr + row) + s)
    elif FORM == "last_clears":
        if part == 0:
            tl.store(y_ptr + row, 0.0)
        tl.atomic_add(y_ptr + row, s)
    else:
        tl.store(y_ptr + row, tl.load(y_ptr + row) + s)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.zeros(x.shape[0], device=x.device, dtype=torch.float32)
        flag = torch.zeros(1, device=x.device, dtype=torch.int32)
        kernel[(triton.cdiv(x.shape[1], 16), x.shape[0])](x, y, flag, x.shape[1], "__FORM__", BLOCK=16)
        return y if x.dtype == torch.float32 else y.to(x.dtype)
#: what_is_no_barrier | tasks flip | FORM called_constant dimension_of_one small_gather small_scan small_maximum
# A row is handed from thread to thread through memory, and between store and load lies only what looks as if threads met.
@triton.jit(noinline=True)
def with_a_constant(n):
    return n * 5 + 11

@triton.jit
def kernel(x_ptr, room_ptr, y_ptr, N, FORM: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
    tl.store(room_ptr + row * N + c, x, mask=c < N)
    nothing = 0.0
    if FORM == "called_constant":
        nothing = (with_a_constant(N) - 5 * N - 11).to(tl.float32)
    elif FORM == "dimension_of_one":
        tl.store(y_ptr + row * N + c[None, :], x[None, :], mask=c[None, :] < N)
    elif FORM == "small_gather":
        some = tl.gather(tl.zeros((16,), tl.float32) + N, tl.arange(0, 16), 0)
        nothing = tl.max(some, 0) - N
    elif FORM == "small_scan":
        nothing = tl.sum(tl.cumsum(tl.zeros((2,), tl.float32) + N, 0), 0) - 3 * N
    else:
        nothing = tl.max(tl.zeros((32,), tl.float32) + N, 0) - N
    turned = tl.load(room_ptr + row * N + N - 1 - c, mask=c < N, other=0.0)
    tl.store(y_ptr + row * N + c, turned + nothing, mask=c < N)

class ModelNew(nn.Module):
    def forward(self, x):
        room, y = torch.empty_like(x), torch.empty_like(x)
        kernel[(x.shape[0],)](x, room, y, x.shape[1], "__FORM__", BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
