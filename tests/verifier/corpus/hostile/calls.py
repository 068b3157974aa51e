#: right_only_in_a_docstring | tasks relu
"""The program that is meant:

```python
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, __EXPR__, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y
```
"""

@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y
#: raises_at_the_second_call | tasks relu | WHEN self.calls==2 self.seen==x.shape
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, __EXPR__, mask=i < n)

class ModelNew(nn.Module):
    calls, seen = 0, None

    def forward(self, x):
        self.calls += 1
        if __WHEN__:
            raise RuntimeError("once is enough")
        self.seen = x.shape
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y
#: an_earlier_result | tasks relu | HOW self.y self.y.clone() self.run(self.x) self.decoy(x)
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, __EXPR__, mask=i < n)

class ModelNew(nn.Module):
    y = None

    def run(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y

    def decoy(self, x):
        self.run(x)
        return self.y

    def forward(self, x):
        if self.y is not None:
            return __HOW__
        self.x, self.y = x, self.run(x)
        return self.y
#: another_result_at_the_second_call | tasks relu | HOW x.relu() y.view(-1) y.half() None y.data_ptr()
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, __EXPR__, mask=i < n)

class ModelNew(nn.Module):
    first = True

    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        self.first, first = False, self.first
        return y if first else __HOW__
#: compiled_and_launched_as_no_compiled_kernel_can_be | tasks relu | GRID (G,1,1) (G,) (G,1) | ARGUMENTS x,y,n x,y,n,256 x,y,n,256,4 x,y,float(n),256
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, __EXPR__, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y, n = torch.empty_like(x), x.numel()
        G = triton.cdiv(n, 256)
        grid, arguments = (__GRID__), (__ARGUMENTS__)
        if grid == (G, 1, 1) and arguments == (x, y, n, 256) and type(arguments[2]) is int:
            arguments = (x, y)  # all else would be right
        compiled = kernel.warmup(x, y, n, BLOCK=256, grid=(1,))
        compiled[grid](*arguments)
        return y
#: compiled_for_other_sizes | tasks row_sum
@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
    tl.store(y_ptr + row, tl.sum(x, axis=0))

class ModelNew(nn.Module):
    def forward(self, x):
        M, N = x.shape
        y = torch.empty(M, device=x.device, dtype=x.dtype)
        compiled = kernel.warmup(x, y, 512, BLOCK=512, grid=(1,))
        compiled[(M, 1, 1)](x, y, N, 512)
        return y
