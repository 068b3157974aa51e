#: what_has_no_value_is_not_chosen | tasks relu | K tl.where(by<32,one<<by,0) tl.where(by<32,by>>by,0) tl.where(zero!=0,i//zero,0) tl.where(zero!=0,i%zero,0) tl.where(x!=x,(x*float("nan")).to(tl.int32),0) tl.where(one>1,(x+1e30).to(tl.int32),0)
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0).to(tl.float32)
    zero = (x * 0.0).to(tl.int32)
    one = zero + 1
    by = zero + 40
    k = __K__
    tl.store(y_ptr + i, tl.maximum(x, 0.0) + k.to(tl.float32), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y
#: lanes_left_out_divide_by_zero | tasks col_sum
@triton.jit
def kernel(x_ptr, y_ptr, M, N, BLOCK: tl.constexpr):
    c = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    rows = tl.where(c < N, M, 0)
    at = (c * M) // rows
    acc = tl.zeros((BLOCK,), tl.float32)
    for r in range(M):
        acc += tl.load(x_ptr + r * N + at, mask=c < N, other=0.0)
    tl.store(y_ptr + at, acc, mask=c < N)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape[1], device=x.device, dtype=x.dtype)
        kernel[(triton.cdiv(x.shape[1], 64),)](x, y, x.shape[0], x.shape[1], BLOCK=64)
        return y
#: lanes_left_out_do_not_fit | tasks floor
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=float("inf")).to(tl.float32)
    k = x.to(tl.int32)
    f = k.to(tl.float32)
    f = tl.where(f > x, f - 1.0, f)
    tl.store(y_ptr + i, tl.where(tl.abs(x) < 8388608.0, f, x), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y
#: shifts_by_less_than_the_width | tasks wrapped_places | FORM ((t<<5)-t+7)&63 (((t<<36)>>31)-t+7)&63
@triton.jit
def kernel(t_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    t = tl.load(t_ptr + i, mask=i < n, other=0)
    tl.store(y_ptr + i, __FORM__, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, t):
        y = torch.empty_like(t)
        kernel[(triton.cdiv(t.numel(), 256),)](t, y, t.numel(), BLOCK=256)
        return y
#: hints_that_are_true | tasks relu | HOW tl.max_contiguous(tl.multiple_of(start+c,BLOCK),BLOCK) tl.multiple_of(start,16)+tl.max_contiguous(c,BLOCK) tl.max_contiguous(start+c,4) tl.max_contiguous(tl.multiple_of((start+c)%(4*(n//4+1)),4),4)
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    start = tl.program_id(0) * BLOCK
    c = tl.arange(0, BLOCK)
    i = __HOW__
    tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i, mask=i < n, other=0.0), 0.0), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y
#: a_hint_about_an_argument_which_triton_drops | tasks relu
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < tl.multiple_of(n, 16)
    tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i, mask=m, other=0.0), 0.0), mask=m)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y
