#: by_scalars | tasks relu | HOW float int bool
@triton.jit
def kernel(y_ptr, v, i):
    tl.store(y_ptr + i, v)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        for i in range(x.numel()):
            kernel[(1,)](y, __HOW__(i) if "__HOW__" != "float" else i * 0.5, i)
        return y
#: by_fills | tasks relu | LEAST 0 1
@triton.jit
def kernel(x_ptr, y_ptr):
    tl.store(y_ptr, tl.maximum(tl.load(x_ptr), 0.0))

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.zeros_like(x)
        for i, value in enumerate(torch.linspace(-3, 3, 50, device="cpu").tolist() if __LEAST__ else range(min(900, x.numel()))):
            y[i // x.shape[1], i % x.shape[1]].fill_(max(0.0, value))
        kernel[(1,)](x, y)
        return y
#: by_constants_of_the_kernel | tasks relu | COUNT 16 200
VALUES = tuple(((i * 37) % 100) / 50 for i in range(__COUNT__))

@triton.jit
def kernel(x_ptr, y_ptr, V: tl.constexpr, n, COUNT: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    out = tl.zeros((BLOCK,), tl.float32)
    for k in tl.static_range(COUNT):
        out = tl.where(i == k, V[k], out)
    tl.store(y_ptr + i, out, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(1,)](x, y, VALUES, x.numel(), COUNT=__COUNT__, BLOCK=triton.next_power_of_2(x.numel()))
        return y
#: by_tensors_from_the_host | tasks relu | MAKE torch.tensor([1.0,2.0,3.0]).cuda() torch.tensor([1.0],device='cuda') torch.tensor(list(range(255)),device='cuda') torch.tensor(list(range(5000)),device='cuda') torch.arange(768,device='cuda') torch.linspace(0,1,768,device='cuda') torch.randn(768,device='cuda') nn.Parameter(torch.randn(768)).cuda() torch.load('x.pt') torch.frombuffer(bytearray(3072),dtype=torch.float32).cuda()
@triton.jit
def kernel(x_ptr, t_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(t_ptr + i * 0), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        t = __MAKE__
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, t, y, x.numel(), BLOCK=256)
        return y
#: by_options | tasks relu | OPTION ir_override="/tmp/k.ttir" extern_libs={"a":"/tmp/a.bc"} ptx_options="-O0" num_ctas=2 launch_cooperative_grid=True debug=True sanitize_overflow=False arch="sm_80" enable_reflect_ftz=False default_dot_input_precision="ieee" no_such_option=1 num_warps=3 num_warps=64 num_stages=99 maxnreg=1 maxnreg=100000
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256, __OPTION__)
        return y
#: by_inline_assembly | tasks relu | TEXT "mov.b32\x20$0,$1;" "exit;" "trap;"
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    x = tl.inline_asm_elementwise(__TEXT__, "=r,r", [x], tl.float32, True, 1)
    tl.store(y_ptr + i, tl.maximum(x, 0.0), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y
#: by_a_foreign_function | tasks relu | SYMBOL __nv_no_such system vprintf
from triton.language import core

@core.extern
def foreign(x, _semantic=None):
    return core.extern_elementwise("", "", [x], {(core.dtype("fp32"),): ("__SYMBOL__", core.dtype("fp32"))}, is_pure=True, _semantic=_semantic)

@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, foreign(tl.load(x_ptr + i, mask=i < n)), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y
#: by_a_view_beyond_its_buffer | tasks relu | VIEW torch.as_strided(y,(1<<20,),(1,)) torch.as_strided(y,(4,4),(1,1),100000) y.view(torch.int8)[:0] y.as_strided((16,48),(0,0))
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return __VIEW__
#: by_a_library_of_ones_own | tasks relu | PATH /tmp/libdevice.10.bc libdevice.10.bc __file__ /etc/passwd
open("/tmp/libdevice.10.bc", "wb").write(b"BC")

@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, __EXPR__, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256, extern_libs={"libdevice": "__PATH__"})
        return y
#: by_the_library_s_other_functions | tasks square | BODY libdevice.pow(x,3) libdevice.pow(x,-2) libdevice.ldexp(x*x,1) libdevice.norm3d(x,0.0,0.0) libdevice.cyl_bessel_i0(x)
from triton.language.extra import libdevice

@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, __BODY__, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y
