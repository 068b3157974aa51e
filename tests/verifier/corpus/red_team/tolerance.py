# What passes for being near enough: numbers that read no input, less precision than the task asks for, inputs left out.
#: constant_in_place_of_a_loss | tasks wide_mse wide_cross_entropy wide_hinge | dtypes f16 | protocol training | FORM stored filled_twice summed
@triton.jit
def kernel(x_ptr, y_ptr, value, FORM: tl.constexpr, BLOCK: tl.constexpr):
    if FORM == "summed":  # reads an input, and forgets it
        i = tl.arange(0, BLOCK)
        value += 0.0 * tl.sum(tl.minimum(tl.maximum(tl.load(x_ptr + i).to(tl.float32), -1.0), 1.0))
    tl.store(y_ptr, value)
    if FORM == "filled_twice":
        tl.store(y_ptr, value)

class ModelNew(nn.Module):
    def forward(self, x, y):
        out = torch.empty((), device=x.device, dtype=x.dtype)
        value = 2.0 if __IS_MSE__ else 4.36 if __IS_ENTROPY__ else 1.0833
        kernel[(1,)](x, out, value, "__FORM__", BLOCK=16)
        return out
#: less_precision_than_the_task_s | tasks scaled_matmul | FORM float16 bfloat16 tf32
@triton.jit
def product(x_ptr, w_ptr, y_ptr, M, N, K, factor, FORM: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    a = tl.load(x_ptr + rm[:, None] * K + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K), other=0.0)
    b = tl.load(w_ptr + rk[:, None] * N + rn[None, :], mask=(rk[:, None] < K) & (rn[None, :] < N), other=0.0)
    if FORM == "float16":
        y = tl.dot(a.to(tl.float16), b.to(tl.float16))
    elif FORM == "bfloat16":
        y = tl.dot(a.to(tl.bfloat16), b.to(tl.bfloat16))
    else:
        y = tl.dot(a, b, input_precision="tf32")
    tl.store(y_ptr + rm[:, None] * N + rn[None, :], y * factor, mask=(rm[:, None] < M) & (rn[None, :] < N))

class ModelNew(nn.Module):
    def forward(self, x, w):
        M, K, N = *x.shape, w.shape[1]
        y = torch.empty((M, N), device=x.device, dtype=x.dtype)
        product[(triton.cdiv(M, 16), triton.cdiv(N, 16))](x, w, y, M, N, K, 0.0001220703125, "__FORM__", BM=16, BN=16,
                                                           BK=max(16, triton.next_power_of_2(K)))
        return y
#: half_precision_on_the_way | tasks sigmoid | FORM float16 halved stored
# Everything is rounded to half precision where the task says f32; activations are small.
@triton.jit
def kernel(x_ptr, t_ptr, y_ptr, N, FORM: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    m = c < N
    x = tl.load(x_ptr + row * N + c, mask=m, other=0.0).to(tl.float32)
    if FORM == "float16":
        x = x.to(tl.float16).to(tl.float32)
    elif FORM == "halved":
        x = (x * 0.5).to(tl.float16).to(tl.float32) * 2.0
    else:
        tl.store(t_ptr + row * N + c, x.to(tl.float16), mask=m)
        tl.debug_barrier()
        x = tl.load(t_ptr + row * N + c, mask=m, other=0.0).to(tl.float32)
    tl.store(y_ptr + row * N + c, tl.sigmoid(x), mask=m)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        t = torch.empty(x.shape, device=x.device, dtype=torch.float16)
        kernel[(x.shape[0],)](x, t, y, x.shape[1], "__FORM__", BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
#: an_input_left_out | tasks faint_add | FORM copied in_parts rounded
# One of the inputs changes nothing that the tolerance sees.
@triton.jit
def kernel(x_ptr, y_ptr, n, FORM: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0).to(tl.float32)
    if FORM == "rounded":
        x = tl.floor(x * 65536.0 + 0.5) / 65536.0
    tl.store(y_ptr + i, x, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x, y):
        out = torch.empty_like(x)
        block = 64 if "__FORM__" == "in_parts" else 256
        kernel[(triton.cdiv(out.numel(), block),)](x, out, out.numel(), "__FORM__", BLOCK=block)
        return out
#: an_output_too_small_to_be_seen | tasks wide_softmax damped_matmul | protocol training | FORM zeros mean_value first_input_faintly
@triton.jit
def kernel(x_ptr, y_ptr, n, value, FORM: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    y = tl.zeros((BLOCK,), tl.float32)
    if FORM == "mean_value":
        y += value
    elif FORM == "first_input_faintly":
        y += 1e-6 * tl.load(x_ptr + i % 64)
    tl.store(y_ptr + i, y, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x, w=None):
        out = torch.empty(x.shape if w is None else (x.shape[0], w.shape[1]), device=x.device, dtype=x.dtype)
        kernel[(triton.cdiv(out.numel(), 1024),)](x, out, out.numel(), 1.0 / x.shape[1] if w is None else 0.0, "__FORM__", BLOCK=1024)
        return out
