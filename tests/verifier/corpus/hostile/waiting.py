#: stream_k_that_waits_for_ever | tasks matmul | PROGRAMS 5 | RELEASE pass tl.atomic_xchg(flag_ptr+pid,2) tl.atomic_xchg(flag_ptr+(pid+1)%PROGRAMS,1) | WAIT while(tl.atomic_cas(flag_ptr+helper,1,1)!=1):pass while(tl.load(flag_ptr+helper,volatile=True)!=1):pass
@triton.jit
def tile_of(x_ptr, w_ptr, tile, first, last, M, N, K, B: tl.constexpr):
    rm = tile // tl.cdiv(N, B) * B + tl.arange(0, B)
    rn = tile % tl.cdiv(N, B) * B + tl.arange(0, B)
    acc = tl.zeros((B, B), tl.float32)
    for k in range(first, last):
        rk = k * B + tl.arange(0, B)
        a = tl.load(x_ptr + rm[:, None] * K + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K), other=0.0)
        b = tl.load(w_ptr + rk[:, None] * N + rn[None, :], mask=(rk[:, None] < K) & (rn[None, :] < N), other=0.0)
        acc += tl.dot(a, b, input_precision="ieee")
    return acc

@triton.jit
def kernel(x_ptr, w_ptr, y_ptr, part_ptr, flag_ptr, M, N, K, share, PROGRAMS: tl.constexpr, B: tl.constexpr):
    pid = tl.program_id(0)
    steps = tl.cdiv(K, B)
    total = tl.cdiv(M, B) * tl.cdiv(N, B) * steps
    here = pid * share
    end = tl.minimum(here + share, total)
    inside = tl.arange(0, B)[:, None] * B + tl.arange(0, B)[None, :]
    while here < end:
        tile = here // steps
        first = here % steps
        last = tl.minimum(steps, first + end - here)
        acc = tile_of(x_ptr, w_ptr, tile, first, last, M, N, K, B)
        if first > 0:  # the program that has the tile's beginning adds this part
            tl.store(part_ptr + pid * B * B + inside, acc)
            tl.debug_barrier()
            __RELEASE__
        else:
            done = last
            helper = pid + 1
            while done < steps:
                __WAIT__
                acc += tl.load(part_ptr + helper * B * B + inside)
                done += share
                helper += 1
            rm = tile // tl.cdiv(N, B) * B + tl.arange(0, B)
            rn = tile % tl.cdiv(N, B) * B + tl.arange(0, B)
            tl.store(y_ptr + rm[:, None] * N + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] < N))
        here += last - first

class ModelNew(nn.Module):
    def forward(self, x, w):
        (M, K), N, B, P = x.shape, w.shape[1], 16, __PROGRAMS__
        y = torch.empty(M, N, device=x.device, dtype=x.dtype)
        total = triton.cdiv(M, B) * triton.cdiv(N, B) * triton.cdiv(K, B)
        parts = torch.empty(P, B, B, device=x.device, dtype=torch.float32)
        flags = torch.zeros(P, device=x.device, dtype=torch.int32)
        kernel[(P,)](x, w, y, parts, flags, M, N, K, triton.cdiv(total, P), PROGRAMS=P, B=B)
        return y
#: stream_k_that_does_not_wait | tasks matmul | PROGRAMS 5 | RELEASE tl.atomic_xchg(flag_ptr+pid,1) tl.store(flag_ptr+pid,1) | WAIT pass tl.atomic_cas(flag_ptr+helper,1,1)
@triton.jit
def tile_of(x_ptr, w_ptr, tile, first, last, M, N, K, B: tl.constexpr):
    rm = tile // tl.cdiv(N, B) * B + tl.arange(0, B)
    rn = tile % tl.cdiv(N, B) * B + tl.arange(0, B)
    acc = tl.zeros((B, B), tl.float32)
    for k in range(first, last):
        rk = k * B + tl.arange(0, B)
        a = tl.load(x_ptr + rm[:, None] * K + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K), other=0.0)
        b = tl.load(w_ptr + rk[:, None] * N + rn[None, :], mask=(rk[:, None] < K) & (rn[None, :] < N), other=0.0)
        acc += tl.dot(a, b, input_precision="ieee")
    return acc

@triton.jit
def kernel(x_ptr, w_ptr, y_ptr, part_ptr, flag_ptr, M, N, K, share, PROGRAMS: tl.constexpr, B: tl.constexpr):
    pid = tl.program_id(0)
    steps = tl.cdiv(K, B)
    total = tl.cdiv(M, B) * tl.cdiv(N, B) * steps
    here = pid * share
    end = tl.minimum(here + share, total)
    inside = tl.arange(0, B)[:, None] * B + tl.arange(0, B)[None, :]
    while here < end:
        tile = here // steps
        first = here % steps
        last = tl.minimum(steps, first + end - here)
        acc = tile_of(x_ptr, w_ptr, tile, first, last, M, N, K, B)
        if first > 0:  # the program that has the tile's beginning adds this part
            tl.store(part_ptr + pid * B * B + inside, acc)
            tl.debug_barrier()
            __RELEASE__
        else:
            done = last
            helper = pid + 1
            while done < steps:
                __WAIT__
                acc += tl.load(part_ptr + helper * B * B + inside)
                done += share
                helper += 1
            rm = tile // tl.cdiv(N, B) * B + tl.arange(0, B)
            rn = tile % tl.cdiv(N, B) * B + tl.arange(0, B)
            tl.store(y_ptr + rm[:, None] * N + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] < N))
        here += last - first

class ModelNew(nn.Module):
    def forward(self, x, w):
        (M, K), N, B, P = x.shape, w.shape[1], 16, __PROGRAMS__
        y = torch.empty(M, N, device=x.device, dtype=x.dtype)
        total = triton.cdiv(M, B) * triton.cdiv(N, B) * triton.cdiv(K, B)
        parts = torch.empty(P, B, B, device=x.device, dtype=torch.float32)
        flags = torch.zeros(P, device=x.device, dtype=torch.int32)
        kernel[(P,)](x, w, y, parts, flags, M, N, K, triton.cdiv(total, P), PROGRAMS=P, B=B)
        return y
#: assembly_beside_grid_dependencies | tasks relu | ASM "griddepcontrol.wait;" "griddepcontrol.wait;\x20//\x20dummy\x20$0\n\x20exit;" "griddepcontrol.wait;\x20exit;//\x20dummy\x20$0"
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.inline_asm_elementwise(__ASM__, "=r", [], dtype=tl.int32, is_pure=False, pack=1)
    tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i, mask=i < n), 0.0), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y
