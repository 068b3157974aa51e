#: views_and_offsets | tasks relu
@triton.jit
def kernel(x_ptr, y_ptr, N, sx, sy, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * sx + c, mask=c < N)
    tl.store(y_ptr + row * sy + c, __EXPR__, mask=c < N)

class ModelNew(nn.Module):
    def forward(self, x):
        M, N = x.shape
        y = torch.empty_like(x)
        half = N // 2
        for part in (slice(0, half), slice(half, None)):
            a, b = x[:, part], y[:, part]
            kernel[(M,)](a, b, a.shape[1], a.stride(0), b.stride(0), BLOCK=triton.next_power_of_2(a.shape[1]))
        return y
#: chunks | tasks relu neg
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, __EXPR__, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        for a, b in zip(x.flatten().chunk(3), y.flatten().chunk(3)):
            kernel[(triton.cdiv(a.numel(), 64),)](a, b, a.numel(), BLOCK=64)
        return y
#: transpose_by_strides | tasks transpose | BLOCK 8 32
@triton.jit
def kernel(x_ptr, y_ptr, M, N, B: tl.constexpr):
    r = tl.program_id(0) * B + tl.arange(0, B)
    c = tl.program_id(1) * B + tl.arange(0, B)
    x = tl.load(x_ptr + r[:, None] * N + c[None, :], mask=(r[:, None] < M) & (c[None, :] < N))
    tl.store(y_ptr + c[:, None] * M + r[None, :], tl.trans(x), mask=(c[:, None] < N) & (r[None, :] < M))

class ModelNew(nn.Module):
    def forward(self, x):
        M, N = x.shape
        y = torch.empty((N, M), device=x.device, dtype=x.dtype)
        kernel[(triton.cdiv(M, __BLOCK__), triton.cdiv(N, __BLOCK__))](x, y, M, N, B=__BLOCK__)
        return y
#: permuted | tasks permute
@triton.jit
def kernel(x_ptr, y_ptr, A, B, C, sa, sb, sc, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < A * B * C
    a, b, c = i // (B * C), i // C % B, i % C
    tl.store(y_ptr + i, tl.load(x_ptr + a * sa + b * sb + c * sc, mask=m), mask=m)

class ModelNew(nn.Module):
    def forward(self, x):
        p = x.permute(2, 0, 1)
        y = torch.empty(p.shape, dtype=p.dtype, device=p.device)
        kernel[(triton.cdiv(y.numel(), 128),)](p, y, *p.shape, *p.stride(), BLOCK=128)
        return y
#: concatenated | tasks cat
@triton.jit
def kernel(x_ptr, y_ptr, N, out_stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    tl.store(y_ptr + row * out_stride + c, tl.load(x_ptr + row * N + c, mask=c < N), mask=c < N)

class ModelNew(nn.Module):
    def forward(self, x, y):
        M, N = x.shape
        z = torch.empty((M, N + y.shape[1]), device=x.device, dtype=x.dtype)
        left, right = z.split([N, y.shape[1]], dim=1)
        B = triton.next_power_of_2(max(N, y.shape[1]))
        kernel[(M,)](x, left, N, z.stride(0), BLOCK=B)
        kernel[(M,)](y, right, y.shape[1], z.stride(0), BLOCK=B)
        return z
#: non_contiguous_made_contiguous | tasks col_sum
@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    tl.store(y_ptr + row, tl.sum(tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)))

class ModelNew(nn.Module):
    def forward(self, x):
        x = x.transpose(0, 1)
        if not x.is_contiguous():
            x = x.contiguous()
        y = torch.empty((x.shape[0],), device=x.device, dtype=x.dtype)
        kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
#: submodules_and_buffers | tasks relu tanh | BLOCK 32 128
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, __EXPR__, mask=i < n)

class Elementwise(nn.Module):
    def __init__(self, block: int = 64) -> None:
        super().__init__()
        self.block = block
        self.register_buffer("scratch", None)

    def extra_repr(self) -> str:
        return f"block={self.block}"

    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), self.block),)](x, y, x.numel(), BLOCK=self.block)
        return y

class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(Elementwise(__BLOCK__), nn.Identity())
        self.eval()

    @torch.no_grad()
    def forward(self, x):
        return self.layers(x)
#: device_queries | tasks relu
import math
import os
from typing import Optional, Tuple

torch.backends.cuda.matmul.allow_tf32 = True
torch.backends.cudnn.allow_tf32 = True
torch.set_float32_matmul_precision("high")

@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, __EXPR__, mask=i < n)

def is_hopper() -> bool:
    return torch.cuda.is_available() and torch.cuda.get_device_capability()[0] >= 9

class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        free, total = torch.cuda.mem_get_info()
        assert 0 < free <= total
        properties = triton.runtime.driver.active.utils.get_device_properties(x.device.index or torch.cuda.current_device())
        sms = properties["multiprocessor_count"]
        target = triton.runtime.driver.active.get_current_target()
        assert target.backend == "cuda" and target.arch >= 80
        assert torch.cuda.is_bf16_supported() and "sm_90" in torch.cuda.get_arch_list()
        assert torch.version.cuda is not None and torch.version.hip is None
        assert torch.backends.cuda.matmul.allow_tf32
        torch.cuda.nvtx.range_push("relu")
        y = torch.empty_like(x)
        block = 1 << max(5, int(math.log2(max(1, x.numel() // sms))))
        block = min(block, 1024) if is_hopper() else 64
        with torch.cuda.nvtx.range("launch"):
            kernel[(triton.cdiv(x.numel(), block),)](x, y, x.numel(), BLOCK=block)
        torch.cuda.nvtx.range_pop()
        torch.cuda.current_stream().synchronize()
        torch.cuda.synchronize(x.device)
        assert torch.cuda.memory_allocated() >= 0 and torch.cuda.max_memory_allocated() >= 0
        assert torch.cuda.memory_reserved(0) >= 0 and torch.cuda.get_device_name(0)
        torch.cuda.reset_peak_memory_stats()
        return y
#: under_guards | tasks relu
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, __EXPR__, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        if x.requires_grad:
            x = x.detach()
        y = torch.empty_like(x)
        with torch.inference_mode(), torch.cuda.device_of(x), torch.autocast("cuda", enabled=False):
            kernel[(triton.cdiv(x.numel(), 64),)](x.data, y.data, x.numel(), BLOCK=64)
        return y.view_as(x).requires_grad_(False)
#: autograd_function | tasks relu sigmoid
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, __EXPR__, mask=i < n)

class Function(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 64),)](x, y, x.numel(), BLOCK=64)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad):
        raise NotImplementedError

class ModelNew(nn.Module):
    def forward(self, x):
        return Function.apply(x)
#: cached_buffer | tasks row_sum
@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    tl.store(y_ptr + row, tl.sum(tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)))

class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self._cache = {}

    def _buffer(self, x):
        key = (x.shape[0], x.dtype, x.device)
        if key not in self._cache:
            self._cache[key] = torch.empty(x.shape[0], dtype=x.dtype, device=x.device)
        return self._cache[key]

    def forward(self, x):
        y = self._buffer(x)
        kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
#: int8_mask_temporary | tasks relu | MASK int8 uint8 bool int16 int32 int64
@triton.jit
def signs(x_ptr, m_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(m_ptr + i, (tl.load(x_ptr + i, mask=i < n) > 0).to(m_ptr.dtype.element_ty), mask=i < n)

@triton.jit
def choose(x_ptr, m_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = tl.load(m_ptr + i, mask=i < n, other=0) != 0
    tl.store(y_ptr + i, tl.where(keep, tl.load(x_ptr + i, mask=i < n), 0.0), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        mask = torch.empty(x.shape, dtype=torch.__MASK__, device=x.device)
        y = torch.empty_like(x)
        n = x.numel()
        signs[(triton.cdiv(n, 128),)](x, mask, n, BLOCK=128)
        choose[(triton.cdiv(n, 128),)](x, mask, y, n, BLOCK=128)
        return y
#: float_temporary | tasks relu | TYPE float64 float32 | VALUE 0 -1.5
@triton.jit
def kernel(x_ptr, t_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(t_ptr + i, __EXPR__, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        t = torch.full(x.shape, __VALUE__, dtype=torch.__TYPE__, device='cuda:0')
        kernel[(triton.cdiv(x.numel(), 128),)](x, t, x.numel(), BLOCK=128)
        return t.to(x.dtype)
#: sixteen_bit_temporary | tasks sign | TYPE float16 bfloat16 uint16 uint32 float8_e4m3fn float8_e5m2
@triton.jit
def code(x_ptr, t_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    s = tl.where(x > 0, 2.0, tl.where(x < 0, 0.0, 1.0))
    tl.store(t_ptr + i, s.to(t_ptr.dtype.element_ty), mask=i < n)

@triton.jit
def decode(t_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(t_ptr + i, mask=i < n).to(tl.float32) - 1.0, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        n = x.numel()
        t = torch.empty(n, dtype=torch.__TYPE__, device=x.device)
        y = torch.empty_like(x)
        code[(triton.cdiv(n, 128),)](x, t, n, BLOCK=128)
        decode[(triton.cdiv(n, 128),)](t, y, n, BLOCK=128)
        return y
#: scalars_of_every_kind | tasks relu
@triton.jit
def kernel(x_ptr, y_ptr, n, big, ratio, flag, name: tl.constexpr, pair, nothing, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    if nothing is None:
        x = x * ratio * 2.0
    if flag:
        x += (big - 4294967296).to(tl.float32)
    if name == "relu":
        x = tl.maximum(x, pair[0] - pair[1])
    tl.store(y_ptr + i, x, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 128),)](x, y, x.numel(), 1 << 32, 0.5, True, "relu", (3, 3), None, BLOCK=128)
        return y
#: keyword_arguments_and_dictionaries | tasks add
@triton.jit
def kernel(x_ptr, y_ptr, out_ptr, n, alpha=1.0, BLOCK: tl.constexpr = 128, SUBTRACT: tl.constexpr = False):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x, y = tl.load(x_ptr + i, mask=i < n), tl.load(y_ptr + i, mask=i < n)
    out = x - alpha * y if SUBTRACT else x + alpha * y
    tl.store(out_ptr + i, out, mask=i < n)

LAUNCH = dict(num_warps=2, num_stages=1)

class ModelNew(nn.Module):
    def forward(self, x, y):
        out = torch.empty_like(x)
        meta = {"BLOCK": 256, **LAUNCH}
        kernel[(triton.cdiv(x.numel(), meta["BLOCK"]),)](x, y, out, n=x.numel(), **meta)
        return out
#: grid_by_function_and_run | tasks relu
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = (tl.program_id(2) * tl.num_programs(1) + tl.program_id(1)) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, __EXPR__, mask=i < n)

def make_grid(n):
    def grid(meta):
        blocks = triton.cdiv(n, meta["BLOCK"])
        return (1, 4, triton.cdiv(blocks, 4))
    return grid

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel.run(x, y, x.numel(), BLOCK=64, grid=make_grid(x.numel()), warmup=False)
        return y
#: do_not_specialize | tasks relu
@triton.jit(do_not_specialize=["n"], debug=False)
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, __EXPR__, mask=i < n)

@triton.jit(noinline=False)
def other(x): return x

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        compiled = kernel[(triton.cdiv(x.numel(), 64),)](x, y, x.numel(), BLOCK=64)
        return y
#: flips_with_indices | tasks flip
@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + (N - 1 - c), mask=c < N)
    tl.store(y_ptr + row * N + c, x, mask=c < N)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
#: average_pool | tasks avg_pool
@triton.jit
def kernel(x_ptr, y_ptr, L, OUT, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    o = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for k in tl.static_range(2):
        total += tl.load(x_ptr + row * L + o * 2 + k, mask=o < OUT, other=0.0)
    tl.store(y_ptr + row * OUT + o, total / 2, mask=o < OUT)

class ModelNew(nn.Module):
    def forward(self, x):
        N, C, L = x.shape
        out = L // 2
        y = torch.empty((N, C, out), device=x.device, dtype=x.dtype)
        kernel[(N * C, triton.cdiv(out, 16))](x, y, L, out, BLOCK=16)
        return y
#: convolution | tasks conv1d
@triton.jit
def kernel(x_ptr, w_ptr, y_ptr, CI, CO, L, OUT, K: tl.constexpr, BLOCK: tl.constexpr):
    n = tl.program_id(0) // CO
    co = tl.program_id(0) % CO
    o = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for ci in range(0, CI):
        for k in tl.static_range(K):
            w = tl.load(w_ptr + (co * CI + ci) * K + k)
            acc += w * tl.load(x_ptr + (n * CI + ci) * L + o + k, mask=o < OUT, other=0.0)
    tl.store(y_ptr + (n * CO + co) * OUT + o, acc, mask=o < OUT)

class ModelNew(nn.Module):
    def forward(self, x, w):
        N, CI, L = x.shape
        CO, _, K = w.shape
        OUT = L - K + 1
        y = torch.empty((N, CO, OUT), device=x.device, dtype=x.dtype)
        kernel[(N * CO, triton.cdiv(OUT, 32))](x, w, y, CI, CO, L, OUT, K=K, BLOCK=32)
        return y
#: copied_through_a_slice | tasks relu
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i)
    tl.store(y_ptr + i, __EXPR__)

class ModelNew(nn.Module):
    def forward(self, x):
        n, block = x.numel(), 64
        padded = torch.zeros(triton.cdiv(n, block) * block, device=x.device, dtype=x.dtype)
        padded[:n] = x.reshape(-1)
        y = torch.empty_like(padded)
        kernel[(padded.numel() // block,)](padded, y, n, BLOCK=block)
        return y[:n].reshape(x.shape)
#: comments_in_odd_places | tasks relu
#!/usr/bin/env python
# -*- coding: utf-8 -*-
"""An answer.

It says `pass`, `torch.relu`, F.softmax(x) and eval("...") in words alone."""
from __future__ import annotations
@triton.jit  # the kernel
def kernel(x_ptr, y_ptr, n,  # ein Kommentar: größer
           BLOCK: tl.constexpr  # ← a constant
           ):
    # nothing before the first line

    i = tl.program_id(0) * BLOCK + \
        tl.arange(0, BLOCK)  # continued
    x = tl.load(x_ptr + i, mask=i < n)  # type: ignore
    tl.store(  # a store
        y_ptr + i,
        # the value
        __EXPR__,
        mask=i < n,
    )
# between
class ModelNew ( nn.Module ) :  # noqa
    # before the method
    def forward ( self, x : torch.Tensor, ) -> "torch.Tensor" :
        '''And a text.'''
        y = torch.empty_like ( x ) ; n = x.numel ( )
        kernel [ ( triton.cdiv ( n, 64 ) , ) ] ( x, y, n, BLOCK = 64 )
        return y  # done
# the end
#: constants_as_a_tensor | tasks leaky_relu
@triton.jit
def kernel(x_ptr, slope_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, tl.where(x > 0, x * tl.load(slope_ptr), x * tl.load(slope_ptr + 1)), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        slopes = torch.tensor([1.0, 0.01], device=x.device, dtype=torch.float32)
        kernel[(triton.cdiv(x.numel(), 64),)](x, slopes, y, x.numel(), BLOCK=64)
        return y
#: mends_a_copy | tasks relu abs
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.store(y_ptr + i, __EXPR__, mask=(i < n) & (x < 0))

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x).copy_(x)
        kernel[(triton.cdiv(x.numel(), 128),)](x, y, x.numel(), BLOCK=128)
        return y
#: made_on_the_cpu | tasks leaky_relu | MAKE torch.tensor([1.0,0.01]).cuda() torch.tensor([1.0,0.01]).to(x.device) torch.tensor((1,0.01),dtype=torch.float64).to("cuda",torch.float32)
@triton.jit
def kernel(x_ptr, slope_ptr, one_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    y = tl.where(x > 0, x * tl.load(slope_ptr), x * tl.load(slope_ptr + 1))
    tl.store(y_ptr + i, y * tl.load(one_ptr + 1), mask=i < n)

class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.steps = torch.arange(4)
        self.shape = torch.Size([2, 2])
        self.register_buffer("ones", torch.ones(3))
        self.weight = nn.Parameter(torch.zeros(3))
        nn.init.ones_(self.weight)

    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 64),)](x, __MAKE__, self.ones.to(x.device), y, x.numel(), BLOCK=64)
        return y
#: numbers_that_are_read_of_tensors_of_the_wrapper | tasks relu neg | COUNT torch.prod(torch.tensor(x.shape)).item() int(torch.tensor(x.shape).prod()) self.scale.item()*x.numel()
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, __EXPR__, mask=i < n)

class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = torch.ones(1)

    def forward(self, x):
        y = torch.empty_like(x)
        n = int(__COUNT__)
        kernel[(triton.cdiv(n, 64),)](x, y, n, BLOCK=64)
        return y
