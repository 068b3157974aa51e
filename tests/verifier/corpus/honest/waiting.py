#: stream_k | tasks matmul | PROGRAMS 3 5 7 | WAIT while(tl.atomic_cas(flag_ptr+helper,1,1)!=1):pass while(tl.atomic_add(flag_ptr+helper,0,sem="acquire")==0):pass
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
            tl.atomic_xchg(flag_ptr + pid, 1)
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
#: dependent_launches | tasks relu softmax | PDL True False
@triton.jit
def first(x_ptr, z_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.extra.cuda.gdc_wait()
    x = tl.load(x_ptr + i, mask=i < n)
    tl.extra.cuda.gdc_launch_dependents()
    tl.store(z_ptr + i, x, mask=i < n)

@triton.jit
def second(z_ptr, y_ptr, N, WAITS: tl.constexpr, SOFTMAX: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    if WAITS:
        tl.extra.cuda.gdc_wait()
    z = tl.load(z_ptr + row * N + c, mask=c < N, other=float("-inf"))
    if SOFTMAX:
        e = tl.exp(z - tl.max(z, 0))
        y = e / tl.sum(e, 0)
    else:
        y = tl.maximum(z, 0.0)
    tl.store(y_ptr + row * N + c, y, mask=c < N)

class ModelNew(nn.Module):
    def forward(self, x):
        z, y = torch.empty_like(x), torch.empty_like(x)
        M, N = x.shape
        first[(triton.cdiv(x.numel(), 128),)](x, z, x.numel(), BLOCK=128, launch_pdl=__PDL__)
        second[(M,)](z, y, N, WAITS=True, SOFTMAX=__IS_SOFTMAX__, BLOCK=triton.next_power_of_2(N), launch_pdl=__PDL__)
        return y
