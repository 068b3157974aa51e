#: epilogue_of_everything | protocol epilogue | tasks row_sum row_mean row_max vector_norm | dtypes f32 f16
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        if __IS_MAX__:
            return y.amax(1)
        if __IS_NORM__:
            return (y * y).sum(1).sqrt()
        return y.sum(1) if __IS_SUM__ else y.mean(1)
#: epilogue_of_a_sum_with_nothing | protocol epilogue | tasks row_sum row_mean col_sum total | ZERO (x+z) (z+x) (x*z.add(1)) (x-z)
@triton.jit
def kernel(z_ptr):
    tl.store(z_ptr, 0.0)

class ModelNew(nn.Module):
    def forward(self, x):
        z = torch.empty(1, device=x.device)
        kernel[(1,)](z)
        y = __ZERO__
        return y.sum(0) if __IS_COL__ else y.sum() if __IS_TOTAL__ else y.sum(1) if __IS_SUM__ else y.mean(1)
#: epilogue_at_other_sizes | protocol epilogue | tasks row_sum | CONDITION x.shape[0]>16 x.shape[0]<16 x.shape[1]%2==1
@triton.jit
def kernel(x_ptr, y_ptr, N, ONLY: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
    if ONLY:
        tl.store(y_ptr + row, tl.sum(x, 0))
    else:
        tl.store(y_ptr + row * N + c, x, mask=c < N)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        only = not (__CONDITION__)
        kernel[(x.shape[0],)](x, y, x.shape[1], ONLY=only, BLOCK=triton.next_power_of_2(x.shape[1]))
        return y.view(-1)[:x.shape[0]] if only else y.sum(1)
#: epilogue_in_the_middle | protocol epilogue | tasks vector_norm | CODE y.sqrt_() torch.sqrt(y) torch.sqrt(y).clone() y.rsqrt().reciprocal_()
@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
    tl.store(y_ptr + row, tl.sum(x * x, 0))

@triton.jit
def hand_on(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape[0], device=x.device)
        kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        root, z = __CODE__, torch.empty_like(y)
        hand_on[(1,)](root, z, z.numel(), BLOCK=triton.next_power_of_2(z.numel()))
        return z
#: epilogue_called_a_kernel | protocol epilogue | tasks row_sum
@triton.jit
def trl_epilogue_sum_f32_f32_1x1024(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    tl.store(y_ptr + row, tl.sum(tl.load(x_ptr + row * N + c, mask=c < N, other=0.0), 0))

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape[0], device=x.device)
        trl_epilogue_sum_f32_f32_1x1024[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
#: epilogue_allowed_by_oneself | protocol exam | tasks row_sum vector_norm
import launch_trace

@triton.jit
def kernel(x_ptr, part_ptr, N, PARTS: tl.constexpr, BLOCK: tl.constexpr):
    row, part = tl.program_id(0), tl.program_id(1)
    c = part * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
    tl.store(part_ptr + row * PARTS + part, tl.sum(x if __IS_SUM__ else x * x, 0))

class ModelNew(nn.Module):
    def forward(self, x):
        launch_trace.Current.epilogue = True
        M, N = x.shape
        parts = triton.cdiv(N, 32)
        part = torch.empty((M, parts), device=x.device)
        kernel[(M, parts)](x, part, N, PARTS=parts, BLOCK=32)
        return part.sum(1) if __IS_SUM__ else part.sum(1).sqrt()
#: epilogue_of_another_operation | protocol epilogue | tasks row_max
import epilogue

@triton.jit
def kernel(x_ptr, part_ptr, N, PARTS: tl.constexpr, BLOCK: tl.constexpr):
    row, part = tl.program_id(0), tl.program_id(1)
    c = part * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=-float('inf'))
    tl.store(part_ptr + row * PARTS + part, tl.max(x, 0))

class ModelNew(nn.Module):
    def forward(self, x):
        # The kernel's text is that of a maximum, under the name of a sum.
        epilogue.FORMS["sum"] = [(words and [word.replace("amax", "sum") for word in words], text) for words, text in epilogue.FORMS["amax"]
                                 if words is None or "sum" not in words]
        M, N = x.shape
        parts = triton.cdiv(N, 32)
        part = torch.empty((M, parts), device=x.device)
        kernel[(M, parts)](x, part, N, PARTS=parts, BLOCK=32)
        return part.sum(1)
