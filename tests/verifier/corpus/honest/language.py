#: emulated_precision | tasks matmul | PRECISION bf16x6 tf32x3 IEEE
@triton.jit
def kernel(x_ptr, w_ptr, y_ptr, M, N, K, P: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    a = tl.load(x_ptr + rm[:, None] * K + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K), other=0.0)
    b = tl.load(w_ptr + rk[:, None] * N + rn[None, :], mask=(rk[:, None] < K) & (rn[None, :] < N), other=0.0)
    y = tl.dot(a, b, input_precision=P)
    tl.store(y_ptr + rm[:, None] * N + rn[None, :], y, mask=(rm[:, None] < M) & (rn[None, :] < N))

class ModelNew(nn.Module):
    def forward(self, x, w):
        y = torch.empty((x.shape[0], w.shape[1]), device=x.device, dtype=x.dtype)
        kernel[(triton.cdiv(x.shape[0], 16), triton.cdiv(w.shape[1], 16))](
            x, w, y, x.shape[0], w.shape[1], x.shape[1], P="__PRECISION__".lower(), BM=16, BN=16, BK=triton.next_power_of_2(x.shape[1]))
        return y
#: one_relu_in_many_words | tasks relu | BODY y=tl.clamp(x,0.0,float('inf')) y=tl.where(x>0,x,0) y=x*(x>0) y=tl.fma(x,(x>0).to(tl.float32),0.0) y=tl.maximum(x,0,propagate_nan=tl.PropagateNan.ALL) y=tl.cast(tl.maximum(x,0.0),tl.float32) y=tl.max(tl.join(x,tl.zeros_like(x)),axis=1) y=tl.flip(tl.flip(tl.maximum(x,0.0),0),0) y=tl.div_rn(tl.maximum(x,0.0)*2,2.0) y=tl.sqrt_rn(tl.maximum(x,0.0))*tl.sqrt(tl.maximum(x,0.0)) y=tl.math.exp2(tl.math.log2(tl.maximum(x,1e-30))) y=tl.ravel(tl.reshape(tl.maximum(x,0.0),(8,BLOCK//8))) y=tl.trans(tl.trans(tl.reshape(tl.maximum(x,0.0),8,BLOCK//8))).reshape([BLOCK]) y=tl.interleave(*tl.split(tl.reshape(tl.maximum(x,0.0),(BLOCK//2,2)))) y=tl.gather(tl.maximum(x,0.0),tl.arange(0,BLOCK),0) y=tl.abs(x)/2+x/2 y=x.to(tl.int32,bitcast=True);y=tl.where(y<0,0,y).to(tl.float32,bitcast=True) y=tl.inline_relu(x)if\x20False\x20else\x20tl.maximum(x,0.0) y=tl.fdiv(tl.maximum(x,0.0),1.0) y=(-tl.minimum(-x,0.0)) y=tl.broadcast_to(tl.maximum(x,0.0)[:,None],(BLOCK,2)).sum(1)/2 y=tl.maximum(x,tl.full([BLOCK],0,tl.float32)) y=tl.permute(tl.expand_dims(tl.maximum(x,0.0),0),(1,0)).reshape(BLOCK)
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    if False:
        x += 1
    __BODY__
    tl.store(y_ptr + i, tl.maximum(y, 0.0), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 128),)](x, y, x.numel(), BLOCK=128)
        return y
#: loops_of_every_kind | tasks relu | LOOP range(0,n,BLOCK) tl.range(0,n,BLOCK) tl.range(0,n,BLOCK,num_stages=3) tl.range(0,n,step=BLOCK,loop_unroll_factor=2) tl.range(0,n,BLOCK,flatten=True) tl.range(0,n,BLOCK,disallow_acc_multi_buffer=True) tl.static_range(0,END,BLOCK)
@triton.jit
def kernel(x_ptr, y_ptr, n, END: tl.constexpr, BLOCK: tl.constexpr):
    for start in __LOOP__:
        i = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + i, mask=i < n)
        tl.store(y_ptr + i, __EXPR__, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(1,)](x, y, x.numel(), triton.next_power_of_2(x.numel()), BLOCK=256)
        return y
#: sorted_then_the_last | tasks row_max row_min
@triton.jit
def kernel(x_ptr, y_ptr, N, LARGEST: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=__OTHER__)
    s = tl.sort(x, descending=LARGEST)
    tl.store(y_ptr + row, tl.sum(tl.where(c == 0, s, 0.0)))

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape[0], device=x.device, dtype=x.dtype)
        kernel[(x.shape[0],)](x, y, x.shape[1], __IS_MAX__, BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
#: early_return | tasks relu
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    if pid * BLOCK >= n:
        return
    i = pid * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, __EXPR__, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 128) + 3,)](x, y, x.numel(), BLOCK=128)
        return y
#: lock_by_compare_and_swap | tasks row_sum
@triton.jit
def kernel(x_ptr, y_ptr, lock_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    s = tl.sum(tl.load(x_ptr + row * N + c, mask=c < N, other=0.0))
    while tl.atomic_cas(lock_ptr + row, 0, 1) == 1:
        pass
    tl.store(y_ptr + row, tl.load(y_ptr + row) + s)
    tl.debug_barrier()
    tl.atomic_xchg(lock_ptr + row, 0)

class ModelNew(nn.Module):
    def forward(self, x):
        M, N = x.shape
        y = torch.zeros(M, device=x.device, dtype=x.dtype)
        locks = torch.zeros(M, device=x.device, dtype=torch.int32)
        kernel[(M, triton.cdiv(N, 16))](x, y, locks, N, BLOCK=16)
        return y
#: tuples_and_constant_functions | tasks relu
from typing import NamedTuple

class Sizes(NamedTuple):
    n: tl.tensor
    block: tl.constexpr

@triton.constexpr_function
def half(block):
    return block // 2

@triton.jit
def both(x):
    return tl.maximum(x, 0.0), tl.minimum(x, 0.0)

@triton.jit
def kernel(ptrs, sizes, BLOCK: tl.constexpr):
    H: tl.constexpr = half(BLOCK)
    tl.static_print("half", H)
    tl.static_assert(H * 2 == BLOCK)
    for k in tl.static_range(2):
        i = tl.program_id(0) * BLOCK + k * H + tl.arange(0, H)
        positive, negative = both(tl.load(ptrs[0] + i, mask=i < sizes.n))
        tl.store(ptrs[1] + i, positive, mask=i < sizes.n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 128),)]((x, y), Sizes(x.numel(), 128), BLOCK=128)
        return y
#: seeded_dropout_of_nothing | tasks relu
@triton.jit
def kernel(x_ptr, y_ptr, n, p, seed, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    keep = tl.rand(seed, i) >= p
    tl.store(y_ptr + i, tl.where(keep, __EXPR__, 0.0), mask=i < n)

class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.training = False

    def forward(self, x):
        y = torch.empty_like(x)
        p = 0.5 if self.training else -1.0
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), p, seed=1234, BLOCK=256)
        return y
#: prints_while_at_it | tasks relu
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    if pid == 1000000:
        tl.device_print("program", pid)
    i = pid * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, __EXPR__, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y
#: padded_by_the_framework | tasks relu
@triton.jit
def kernel(x_ptr, y_ptr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i)
    tl.store(y_ptr + i, __EXPR__)

class ModelNew(nn.Module):
    def forward(self, x):
        flat = x.reshape(-1)
        padded = F.pad(flat, (0, -flat.numel() % 64))
        y = torch.empty_like(padded)
        kernel[(padded.numel() // 64,)](padded, y, BLOCK=64)
        return y[:flat.numel()].view_as(x)
#: put_together_by_the_framework | tasks relu | HOW torch.cat(parts) torch.cat(parts,dim=0) torch.vstack(parts) torch.concat(parts,0)
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, __EXPR__, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        parts = []
        for part in x.split(5):
            y = torch.empty_like(part)
            kernel[(triton.cdiv(part.numel(), 64),)](part, y, part.numel(), BLOCK=64)
            parts.append(y)
        return __HOW__
#: repeated_bias | tasks bias_add | HOW b.repeat(x.shape[0],1) b.expand_as(x).contiguous() torch.stack([b]*x.shape[0]) b.unsqueeze(0).repeat(x.size(0),1) torch.broadcast_to(b,x.shape).clone() b.tile((x.shape[0],1))
@triton.jit
def kernel(x_ptr, b_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n) + tl.load(b_ptr + i, mask=i < n), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x, b):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 64),)](x, __HOW__, y, x.numel(), BLOCK=64)
        return y
#: decorated_wrapper | tasks relu
import functools
import math
from dataclasses import dataclass

@dataclass(frozen=True)
class Choice:
    block: int = 128
    warps: int = 4

@functools.lru_cache(maxsize=None)
def choose(n: int) -> Choice:
    return Choice(block=min(1024, max(64, 1 << int(math.log2(n)))))

@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, __EXPR__, mask=i < n)

class ModelNew(nn.Module):
    @torch.inference_mode()
    def forward(self, x):
        if x.data_ptr() % 16 or x.dtype not in (torch.float32, torch.float16):
            x = x.clone()
        c = choose(x.numel())
        y = torch.empty_strided(x.size(), x.stride(), dtype=x.dtype, device=x.device)
        assert torch.finfo(x.dtype).eps < 1 and not torch.is_grad_enabled()
        kernel[(triton.cdiv(x.numel(), c.block),)](x, y, x.numel(), BLOCK=c.block, num_warps=c.warps)
        return y
#: more_of_the_library | tasks square | BODY libdevice.pow(x,2) libdevice.ldexp(x*x,0) libdevice.mul_rd(x,x) libdevice.fma_ru(x,x,0.0) libdevice.div_rz(x,libdevice.rcp_rn(x)) libdevice.norm3d(x,0.0,0.0)*libdevice.norm4d(0.0,x,0.0,0.0) libdevice.int2float_rn(libdevice.llrint(x*0.0).to(tl.int32))+x*x
from triton.language.extra import libdevice

@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=1.0)
    tl.store(y_ptr + i, __BODY__, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y
#: library_by_its_file | tasks exp tanh
from pathlib import Path
from triton.language.extra import libdevice

folder = Path(triton.__file__).parent / "backends" / "nvidia" / "lib"

@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, __LIBDEVICE__, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256, extern_libs={"mathematics": str(folder / "libdevice.10.bc")})
        return y
