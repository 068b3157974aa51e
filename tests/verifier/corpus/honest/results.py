#: value_and_place_of_a_row | tasks peak | WARPS 1 4
@triton.jit
def kernel(x_ptr, v_ptr, i_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=float("-inf"))
    v, i = tl.max(x, axis=0, return_indices=True)
    tl.store(v_ptr + row, v)
    tl.store(i_ptr + row, i)

class ModelNew(nn.Module):
    def forward(self, x):
        M, N = x.shape
        v = torch.empty(M, device=x.device, dtype=x.dtype)
        i = torch.empty(M, device=x.device, dtype=torch.int64)
        kernel[(M,)](x, v, i, N, BLOCK=triton.next_power_of_2(N), num_warps=__WARPS__)
        return v, i
#: two_kernels_for_two_results | tasks peak | FORM tuple list
@triton.jit
def largest(x_ptr, v_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    tl.store(v_ptr + row, tl.max(tl.load(x_ptr + row * N + c, mask=c < N, other=float("-inf")), axis=0))

@triton.jit
def place(x_ptr, i_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    tl.store(i_ptr + row, tl.argmax(tl.load(x_ptr + row * N + c, mask=c < N, other=float("-inf")), axis=0))

class ModelNew(nn.Module):
    def forward(self, x):
        v = torch.empty(x.shape[0], device=x.device, dtype=x.dtype)
        i = torch.empty(x.shape[0], device=x.device, dtype=torch.int64)
        largest[(x.shape[0],)](x, v, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        place[(x.shape[0],)](x, i, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return __FORM__((v, i))
#: normalised_rows_and_their_scales | tasks normed_with_scale | WARPS 2 8
@triton.jit
def kernel(x_ptr, y_ptr, s_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0).to(tl.float32)
    s = tl.rsqrt(tl.sum(x * x) / N + 1e-5)
    tl.store(y_ptr + row * N + c, (x * s).to(tl.float16), mask=c < N)
    tl.store(s_ptr + row, s)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        s = torch.empty(x.shape[0], device=x.device, dtype=torch.float32)
        kernel[(x.shape[0],)](x, y, s, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]), num_warps=__WARPS__)
        return y, s
#: results_in_one_buffer | tasks softmax_with_sum | GAP 0 3
@triton.jit
def kernel(x_ptr, y_ptr, s_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=float("-inf"))
    m = tl.max(x)
    e = tl.exp(x - m)
    s = tl.sum(e)
    tl.store(y_ptr + row * N + c, e / s, mask=c < N)
    tl.store(s_ptr + row, m + tl.log(s))

class ModelNew(nn.Module):
    def forward(self, x):
        M, N = x.shape
        both = torch.empty(M * N + __GAP__ + M, device=x.device, dtype=x.dtype)
        y, s = both[:M * N].view(M, N), both[M * N + __GAP__:]
        kernel[(M,)](x, y, s, N, BLOCK=triton.next_power_of_2(N))
        return y, s
#: step_of_an_optimiser | tasks momentum_step | BLOCK 128 1024
@triton.jit
def kernel(p_ptr, g_ptr, m_ptr, q_ptr, n_ptr, size, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < size
    m = 0.9 * tl.load(m_ptr + i, mask=mask) + tl.load(g_ptr + i, mask=mask)
    tl.store(n_ptr + i, m, mask=mask)
    tl.store(q_ptr + i, tl.load(p_ptr + i, mask=mask) - 0.01 * m, mask=mask)

class ModelNew(nn.Module):
    def forward(self, p, g, m):
        q, n = torch.empty_like(p), torch.empty_like(m)
        kernel[(triton.cdiv(p.numel(), __BLOCK__),)](p, g, m, q, n, p.numel(), BLOCK=__BLOCK__)
        return q, n
