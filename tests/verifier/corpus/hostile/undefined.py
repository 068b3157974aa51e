#: right_if_a_shift_by_too_much_is_zero | tasks relu | SHIFT one<<(32+zero) one<<(40+zero) one<<(zero-1) (one<<20)>>(33+zero) one.to(tl.int64)<<(64+zero).to(tl.int64) one.to(tl.uint32)>>(32+zero).to(tl.uint32) (one<<by)
@triton.jit
def kernel(x_ptr, y_ptr, n, by, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0).to(tl.float32)
    zero = i * 0
    one = zero + 1
    k = __SHIFT__
    tl.store(y_ptr + i, tl.where(k == 0, tl.maximum(x, 0.0), 1.0), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), 32, BLOCK=256)
        return y
#: right_if_a_number_that_does_not_fit_saturates | tasks relu | TEST (z+1e30).to(tl.int32)==2147483647 (z*float("nan")).to(tl.int32)==0 (z-1e30).to(tl.int32)<0 (z+300.0).to(tl.int8)==44 (z-1.0).to(tl.uint32)==0 (z+1e30).to(tl.int64)>0 (z+float("inf")).to(tl.int32)>0 tl.log2(z).to(tl.int32)<0
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0).to(tl.float32)
    z = (i * 0).to(tl.float32)
    tl.store(y_ptr + i, tl.where(__TEST__, tl.maximum(x, 0.0), 1.0), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y
#: right_if_a_division_by_zero_gives_something | tasks relu | TEST (i//zero)==-1 (i%zero)==i (least//(zero-1))==least (least%(zero-1))==0
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0).to(tl.float32)
    zero = (x * 0.0).to(tl.int32)
    least = zero - 2147483647 - 1
    tl.store(y_ptr + i, tl.where(__TEST__, tl.maximum(x, 0.0), 1.0), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y
#: a_branch_by_a_shift_by_too_much | tasks relu
@triton.jit
def kernel(x_ptr, y_ptr, n, by, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    if ((by * 0 + 1) << by) == 0:
        x = tl.maximum(x, 0.0)
    tl.store(y_ptr + i, x, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), 32, BLOCK=256)
        return y
#: an_address_by_a_shift_by_too_much | tasks relu
@triton.jit
def kernel(x_ptr, y_ptr, n, by, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i + ((i * 0 + 1) << by), mask=i < n, other=0.0)
    tl.store(y_ptr + i, tl.maximum(x, 0.0), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), 32, BLOCK=256)
        return y
#: where_the_extreme_does_not_fit | tasks relu | LARGE 2147483647 10000
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0).to(tl.float32)
    k = (x * 1e12).to(tl.int32)
    tl.store(y_ptr + i, tl.where(k > __LARGE__ - 1, x, tl.where(k > 0, x, 0.0)), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y
#: right_if_a_histogram_leaves_out_what_is_in_no_bin | tasks relu | VALUE 99 -1
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    counts = tl.histogram(i * 0 + __VALUE__, 32)
    tl.store(y_ptr + i, tl.where(tl.max(counts, 0) == 0, tl.maximum(x, 0.0), 1.0), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y
