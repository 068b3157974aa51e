#: plain_mask | tasks relu sigmoid tanh silu gelu exp | BLOCK 64 256
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    x = tl.load(x_ptr + i, mask=m)
    tl.store(y_ptr + i, __EXPR__, mask=m)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel()
        kernel[(triton.cdiv(n, __BLOCK__),)](x, y, n, BLOCK=__BLOCK__)
        return y
#: imports_and_init | tasks relu abs neg square | WARPS 1 8 | STAGES 1 4
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def forward_kernel(
    x_ptr,  # *Pointer* to the input
    out_ptr,  # *Pointer* to the output
    n_elements,  # Size of the vector
    BLOCK_SIZE: tl.constexpr,
):
    pid = tl.program_id(axis=0)
    block_start = pid * BLOCK_SIZE
    offsets = block_start + tl.arange(0, BLOCK_SIZE)
    mask = offsets < n_elements
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    out = __EXPR__
    tl.store(out_ptr + offsets, out, mask=mask)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = 128

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x.contiguous()
        out = torch.empty_like(x)
        n_elements = out.numel()
        grid = lambda meta: (triton.cdiv(n_elements, meta["BLOCK_SIZE"]),)
        forward_kernel[grid](x, out, n_elements, BLOCK_SIZE=self.block, num_warps=__WARPS__, num_stages=__STAGES__)
        return out
#: half_through_float | tasks relu sigmoid gelu silu elu | dtypes f16 bf16
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr = 128):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    x = tl.load(x_ptr + offs, mask=mask, other=0).to(tl.float32)
    y = __EXPR__
    tl.store(y_ptr + offs, y.to(y_ptr.dtype.element_ty), mask=mask)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape, dtype=x.dtype, device=x.device)
        kernel[(triton.cdiv(x.numel(), 128), 1, 1)](x, y, x.numel())
        return y
#: rows_and_columns_2d | tasks relu tanh floor sign hardswish | BM 4 16
@triton.jit
def kernel(x_ptr, y_ptr, M, N, sxm, sxn, sym, syn, BM: tl.constexpr, BN: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    mask = (rm[:, None] < M) & (rn[None, :] < N)
    x = tl.load(x_ptr + rm[:, None] * sxm + rn[None, :] * sxn, mask=mask)
    tl.store(y_ptr + rm[:, None] * sym + rn[None, :] * syn, __EXPR__, mask=mask)

class ModelNew(nn.Module):
    def forward(self, x):
        M, N = x.shape
        y = torch.empty((M, N), device='cuda', dtype=x.dtype)
        grid = (triton.cdiv(M, __BM__), triton.cdiv(N, 32))
        kernel[grid](x, y, M, N, x.stride(0), x.stride(1), y.stride(0), y.stride(1), BM=__BM__, BN=32)
        return y
#: helper_called_from_kernel | tasks sigmoid softplus leaky_relu erf
@triton.jit
def activation(x):
    return __EXPR__

@triton.jit
def offsets_of(pid, n, BLOCK: tl.constexpr):
    o = pid * BLOCK + tl.arange(0, BLOCK)
    return o, o < n

@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    o, m = offsets_of(tl.program_id(0), n, BLOCK)
    tl.store(y_ptr + o, activation(tl.load(x_ptr + o, mask=m)), m)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.zeros_like(x)
        kernel[triton.cdiv(x.numel(), 64),](x, y, x.numel(), 64)
        return y
#: in_place_after_copy | tasks relu square exp cos
@triton.jit
def kernel(p, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(p + i, mask=i < n, other=1.0)
    tl.store(p + i, __EXPR__, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = x.clone()
        kernel[(triton.cdiv(y.numel(), 256),)](y, y.numel(), BLOCK=256)
        return y
#: persistent | tasks relu silu sin
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    # each program takes every num_programs-th block
    start = tl.program_id(0)
    step = tl.num_programs(0)
    for block in range(start, tl.cdiv(n, BLOCK), step):
        i = block * BLOCK + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + i, mask=i < n)
        tl.store(y_ptr + i, __EXPR__, mask=i < n)

class ModelNew(nn.Module):
    def __init__(self, *args, **kwargs):
        super().__init__()
        self.num_sms = torch.cuda.get_device_properties(0).multi_processor_count

    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel()
        kernel[(min(self.num_sms, triton.cdiv(n, 64)),)](x, y, n, BLOCK=64)
        return y
#: sixty_four_bit_offsets | tasks relu neg
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0).to(tl.int64)
    i = pid * BLOCK + tl.arange(0, BLOCK).to(tl.int64)
    m = i < n
    x = tl.load(x_ptr + i, mask=m)
    tl.store(y_ptr + i, __EXPR__, mask=m)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 512),)](x, y, x.numel(), BLOCK=512)
        return y
#: several_blocks_a_program | tasks relu tanh | REPEAT 2 4
@triton.jit
def kernel(x_ptr, y_ptr, n, REPEAT: tl.constexpr, BLOCK: tl.constexpr):
    base = tl.program_id(0) * BLOCK * REPEAT
    for k in tl.static_range(REPEAT):
        i = base + k * BLOCK + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + i, mask=i < n, other=0.0)
        tl.store(y_ptr + i, __EXPR__, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 64 * __REPEAT__),)](x, y, x.numel(), REPEAT=__REPEAT__, BLOCK=64)
        return y
#: word_pass_and_unused_helper | tasks relu gelu
def reference(x):
    """What this replaces: torch.relu(x), F.gelu(x)."""
    pass


def unused_helper(tensor, *, scale=1.0):
    # never called: torch.matmul(tensor, tensor) * scale
    if scale == 1.0:
        pass
    return tensor @ tensor * scale

@triton.jit
def unused_kernel(a_ptr, b_ptr):
    pass

@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    """One pass over memory."""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if i.shape[0] == 0:
        pass
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, __EXPR__, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 128),)](x, y, x.numel(), BLOCK=128)
        return y
#: libdevice | tasks tanh erf exp log1p_abs
from triton.language.extra import libdevice

@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, __LIBDEVICE__, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y
#: libdevice_from_cuda | tasks tanh exp
from triton.language.extra.cuda import libdevice as ld
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n).to(tl.float32)
    y = ld.fast_expf(x) if False else ld.exp(x)
    if __IS_TANH__:
        e = ld.exp(2 * x)
        y = (e - 1) / (e + 1)
    tl.store(y_ptr + i, y, mask=i < n)
class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x); kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256); return y
#: two_inputs | tasks add sub mul maximum div | BLOCK 128
@triton.jit
def kernel(x_ptr, y_ptr, z_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    x = tl.load(x_ptr + i, mask=m, other=1.0)
    y = tl.load(y_ptr + i, mask=m, other=1.0)
    tl.store(z_ptr + i, __EXPR__, mask=m)

class ModelNew(nn.Module):
    def forward(self, x, y):
        assert x.is_cuda and y.is_cuda, "inputs must be on the GPU"
        assert x.shape == y.shape, f"shapes differ: {x.shape} and {y.shape}"
        z = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), __BLOCK__),)](x, y, z, x.numel(), BLOCK=__BLOCK__)
        return z
#: triton_tutorial_add | tasks add maximum | dtypes f32 f16 bf16
import torch
import triton
import triton.language as tl

DEVICE = torch.device("cuda")

@triton.jit
def add_kernel(x_ptr, y_ptr, output_ptr, n_elements, BLOCK_SIZE: tl.constexpr):
    pid = tl.program_id(axis=0)  # We use a 1D launch grid so axis is 0.
    block_start = pid * BLOCK_SIZE
    offsets = block_start + tl.arange(0, BLOCK_SIZE)
    mask = offsets < n_elements
    x = tl.load(x_ptr + offsets, mask=mask)
    y = tl.load(y_ptr + offsets, mask=mask)
    output = __EXPR__
    tl.store(output_ptr + offsets, output, mask=mask)

def add(x: torch.Tensor, y: torch.Tensor):
    output = torch.empty_like(x)
    assert x.device.type == DEVICE.type and y.device == x.device and output.device == x.device
    n_elements = output.numel()
    grid = lambda meta: (triton.cdiv(n_elements, meta['BLOCK_SIZE']), )
    add_kernel[grid](x, y, output, n_elements, BLOCK_SIZE=1024)
    return output

class ModelNew(torch.nn.Module):
    def forward(self, x, y):
        return add(x, y)
#: bias_row | tasks bias_add bias_relu | BLOCK 64
@triton.jit
def kernel(x_ptr, b_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    for start in range(0, N, BLOCK):
        c = start + tl.arange(0, BLOCK)
        m = c < N
        x = tl.load(x_ptr + row * N + c, mask=m)
        y = tl.load(b_ptr + c, mask=m)
        tl.store(y_ptr + row * N + c, __EXPR__, mask=m)

class ModelNew(nn.Module):
    def forward(self, x, b):
        M, N = x.size()
        out = x.new_empty(M, N)
        kernel[M,](x, b, out, N, BLOCK=__BLOCK__)
        return out
#: broadcast_by_expand | tasks bias_add bias_relu
@triton.jit
def kernel(x_ptr, b_ptr, y_ptr, M, N, bm, bn, BM: tl.constexpr, BN: tl.constexpr):
    r = tl.program_id(1) * BM + tl.arange(0, BM)[:, None]
    c = tl.program_id(0) * BN + tl.arange(0, BN)[None, :]
    m = (r < M) & (c < N)
    x = tl.load(x_ptr + r * N + c, m)
    y = tl.load(b_ptr + r * bm + c * bn, m)
    tl.store(y_ptr + r * N + c, __EXPR__, m)

class ModelNew(nn.Module):
    def forward(self, x, b):
        wide = b.expand(x.shape)  # stride 0: nothing is copied
        out = torch.empty_like(x)
        M, N = x.shape
        kernel[(triton.cdiv(N, 32), triton.cdiv(M, 8))](x, wide, out, M, N, *wide.stride(), BM=8, BN=32)
        return out
#: heuristics | tasks relu sigmoid
@triton.heuristics({
    "EVEN": lambda args: args["n"] % args["BLOCK"] == 0,
    "num_warps": lambda args: 4 if args["BLOCK"] >= 256 else 2,
})
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if EVEN:
        x = tl.load(x_ptr + i)
        tl.store(y_ptr + i, __EXPR__)
    else:
        x = tl.load(x_ptr + i, mask=i < n)
        tl.store(y_ptr + i, __EXPR__, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[lambda meta: (triton.cdiv(x.numel(), meta["BLOCK"]),)](x, y, x.numel(), BLOCK=128)
        return y
#: constants_as_attributes | tasks leaky_relu elu
ALPHA = 1.0
SLOPE: tl.constexpr = tl.constexpr(0.01)

@triton.jit
def kernel(x_ptr, y_ptr, n, alpha, BLOCK: tl.constexpr, ELU: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    if ELU:
        y = tl.where(x > 0, x, alpha * (tl.exp(x) - 1.0))
    else:
        y = tl.where(x > 0, x, SLOPE * x)
    tl.store(y_ptr + i, y, mask=i < n)

class Activation(nn.Module):
    def __init__(self, alpha, elu):
        super().__init__()
        self.alpha, self.elu = alpha, elu

    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), self.alpha, BLOCK=256, ELU=self.elu)
        return y

class ModelNew(nn.Module):
    def __init__(self):
        super(ModelNew, self).__init__()
        self.act = Activation(ALPHA, __IS_ELU__)

    def forward(self, x):
        return self.act(x)
#: mixed_comparison_and_select | tasks relu abs sign
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0, eviction_policy="evict_first")
    i = tl.max_contiguous(tl.multiple_of(i, BLOCK), BLOCK)
    tl.store(y_ptr + i, __EXPR__, mask=i < n, cache_modifier=".cs")

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x, memory_format=torch.contiguous_format)
        with torch.cuda.device(x.device):
            kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y
#: try_finally_and_prints | tasks relu
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    tl.static_assert(BLOCK >= 32)
    tl.device_assert(n > 0)
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.assume(n > 0)
    tl.store(y_ptr + i, __EXPR__, mask=i < n)

class ModelNew(nn.Module):
    calls = 0

    def forward(self, x):
        ModelNew.calls += 1
        y = torch.empty_like(x)
        try:
            kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        finally:
            print(f"relu of {tuple(x.shape)} {x.dtype}: call {ModelNew.calls}")
        return y
#: padded_rows | tasks relu tanh
@triton.jit
def kernel(x_ptr, y_ptr, N, PADDED: tl.constexpr):
    c = tl.arange(0, PADDED)
    row = tl.program_id(0)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
    tl.store(y_ptr + row * PADDED + c, __EXPR__)

class ModelNew(nn.Module):
    def forward(self, x):
        M, N = x.shape
        P = triton.next_power_of_2(N)
        padded = torch.empty((M, P), device=x.device, dtype=x.dtype)
        kernel[(M,)](x, padded, N, PADDED=P)
        return padded[:, :N]
#: integer_arithmetic_for_indices | tasks relu neg
@triton.jit
def kernel(x_ptr, y_ptr, M, N, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    row = i // N
    col = i % N
    m = (row < M) & (col >= 0)
    x = tl.load(x_ptr + row * N + col, mask=m, other=0)
    tl.store(y_ptr + row * N + col, __EXPR__, mask=m)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(-(-x.numel() // 128),)](x, y, x.shape[0], x.shape[1], BLOCK=128)
        return y
