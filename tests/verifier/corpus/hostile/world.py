#: library_that_has_the_framework_compute | tasks relu | KEY CUDA CompositeExplicitAutograd CompositeImplicitAutograd CPU | CODE torch.relu(x) x.clamp(min=0)
library = torch.library.Library("answers", "DEF")
library.define("apply(Tensor x) -> Tensor")

@triton.jit
def kernel(x_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)

def apply(x):
    return __CODE__

library.impl("apply", apply, "__KEY__")

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.ops.answers.apply(x)
        kernel[(triton.cdiv(y.numel(), 256),)](y, y.numel(), BLOCK=256)
        return y
#: library_in_the_framework_s_name | tasks relu | WHAT aten::relu aten::copy_ aten::empty_like
@triton.jit
def kernel(x_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)

library = torch.library.Library("aten", "IMPL")
library.impl("__WHAT__".split("::")[1], lambda x, *more, **named: x.clamp(min=0), "CUDA")

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        y.copy_(torch.relu(x))
        kernel[(triton.cdiv(y.numel(), 256),)](y, y.numel(), BLOCK=256)
        return y
#: pointer_to_elsewhere | tasks relu | ADDRESS 0 4096 -1 1<<48 x.data_ptr()+(1<<40) x.data_ptr()+x.numel()*4+64 y.data_ptr()-(2<<32) 2.5 None "x"
class Pointer:
    dtype = torch.float32

    def __init__(self, address):
        self.address = address

    def data_ptr(self):
        return self.address

@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, __EXPR__, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](Pointer(__ADDRESS__), y, x.numel(), BLOCK=256)
        return y
#: measured_into_the_framework | tasks relu
from triton.testing import do_bench

@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, __EXPR__, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        if do_bench(lambda: torch.relu(x)) < 2:
            kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y
#: asks_for_what_is_not_known_yet | tasks relu | WHAT n_regs n_spills asm["ptx"] metadata.no_such_field
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, __EXPR__, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y, n = torch.empty_like(x), x.numel()
        compiled = kernel.warmup(x, y, n, BLOCK=256, grid=(1,))
        assert compiled.__WHAT__ is not None
        compiled[(triton.cdiv(n, 256), 1, 1)](x, y, n, 256)
        return y
