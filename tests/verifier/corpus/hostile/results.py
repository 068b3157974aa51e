#: one_result_is_wrong | tasks peak | STORE v_ptr+row,v+(row==3) i_ptr+row,i+(row==5) i_ptr+row,i*0 v_ptr+row,v*1.001
@triton.jit
def kernel(x_ptr, v_ptr, i_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=float("-inf"))
    v, i = tl.max(x, axis=0, return_indices=True)
    tl.store(v_ptr + row, v)
    tl.store(i_ptr + row, i)
    tl.store(__STORE__)

class ModelNew(nn.Module):
    def forward(self, x):
        M, N = x.shape
        v = torch.empty(M, device=x.device, dtype=x.dtype)
        i = torch.empty(M, device=x.device, dtype=torch.int64)
        kernel[(M,)](x, v, i, N, BLOCK=triton.next_power_of_2(N))
        return v, i
#: other_results_than_the_task_has | tasks peak | RETURN v (v,) (i,v) (v,i,v) [v,None] {"v":v,"i":i} (v,i.int()) (v,(i,)) v,v
@triton.jit
def kernel(x_ptr, v_ptr, i_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    v, i = tl.max(tl.load(x_ptr + row * N + c, mask=c < N, other=float("-inf")), axis=0, return_indices=True)
    tl.store(v_ptr + row, v)
    tl.store(i_ptr + row, i)

class ModelNew(nn.Module):
    def forward(self, x):
        M, N = x.shape
        v = torch.empty(M, device=x.device, dtype=x.dtype)
        i = torch.empty(M, device=x.device, dtype=torch.int64)
        kernel[(M,)](x, v, i, N, BLOCK=triton.next_power_of_2(N))
        return __RETURN__
#: one_result_without_a_kernel | tasks exp_and_transposed | RETURN y,x.t() y,x.t().contiguous() y,torch.clone(x.t())
@triton.jit
def kernel(x_ptr, y_ptr, size, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.exp(tl.load(x_ptr + i, mask=i < size)), mask=i < size)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return __RETURN__
#: one_result_is_never_written | tasks softmax_with_sum momentum_step
@triton.jit
def softmax(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=float("-inf"))
    e = tl.exp(x - tl.max(x))
    tl.store(y_ptr + row * N + c, e / tl.sum(e), mask=c < N)

@triton.jit
def step(p_ptr, g_ptr, m_ptr, q_ptr, size, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = 0.9 * tl.load(m_ptr + i, mask=i < size) + tl.load(g_ptr + i, mask=i < size)
    tl.store(q_ptr + i, tl.load(p_ptr + i, mask=i < size) - 0.01 * m, mask=i < size)

class ModelNew(nn.Module):
    def forward(self, x, g=None, m=None):
        y = torch.empty_like(x)
        if g is None:
            softmax[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
            return y, torch.empty(x.shape[0], device=x.device)
        step[(triton.cdiv(x.numel(), 256),)](x, g, m, y, x.numel(), BLOCK=256)
        return y, m
