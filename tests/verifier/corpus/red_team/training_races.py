# Races and stray stores that are right where programs run one after another, in training without memory_checks.
#: lost_update | protocol training | tasks total | FORM scalar lock_of_none by_lanes
@triton.jit
def kernel(x_ptr, y_ptr, n, FORM: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    part = tl.sum(tl.load(x_ptr + i, mask=i < n, other=0.0), 0)
    if FORM == "by_lanes":
        one = tl.arange(0, 1)
        tl.store(y_ptr + one, tl.load(y_ptr + one) + part)
    else:
        before = tl.load(y_ptr)
        if FORM == "lock_of_none":
            tl.debug_barrier()
        tl.store(y_ptr, before + part)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.zeros((1,), device=x.device, dtype=x.dtype)
        kernel[(triton.cdiv(x.numel(), 64),)](x, y, x.numel(), "__FORM__", BLOCK=64)
        return y.view(())
#: lost_update_of_two | protocol training | tasks total | dims M=2 N=64
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    part = tl.sum(tl.load(x_ptr + i, mask=i < n, other=0.0), 0)
    tl.store(y_ptr, tl.load(y_ptr) + part)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.zeros((), device=x.device, dtype=x.dtype)
        n = x.numel()
        kernel[(2,)](x, y, n, BLOCK=triton.next_power_of_2((n + 1) // 2) if n % 2 == 0 else triton.next_power_of_2(n))
        return y
#: columns_added_by_rows | protocol training | tasks col_sum col_mean | ROWS 4 8
@triton.jit
def kernel(x_ptr, y_ptr, M, N, scale, BM: tl.constexpr, BN: tl.constexpr):
    r = tl.program_id(0) * BM + tl.arange(0, BM)
    c = tl.program_id(1) * BN + tl.arange(0, BN)
    m = (r[:, None] < M) & (c[None, :] < N)
    part = tl.sum(tl.load(x_ptr + r[:, None] * N + c[None, :], mask=m, other=0.0), 0) * scale
    tl.store(y_ptr + c, tl.load(y_ptr + c, mask=c < N, other=0.0) + part, mask=c < N)

class ModelNew(nn.Module):
    def forward(self, x):
        M, N = x.shape
        y = torch.zeros(N, device=x.device, dtype=x.dtype)
        kernel[(triton.cdiv(M, __ROWS__), triton.cdiv(N, 64))](x, y, M, N, 1.0 / M if __IS_MEAN__ else 1.0, BM=__ROWS__, BN=64)
        return y
#: racing_maximum | protocol training | tasks row_max | FORM compare select
@triton.jit
def kernel(x_ptr, y_ptr, N, FORM: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(1)
    c = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    largest = tl.max(tl.load(x_ptr + row * N + c, mask=c < N, other=-float('inf')), 0)
    if FORM == "compare":
        if largest > tl.load(y_ptr + row):
            tl.store(y_ptr + row, largest)
    else:
        tl.store(y_ptr + row, tl.maximum(largest, tl.load(y_ptr + row)))

class ModelNew(nn.Module):
    def forward(self, x):
        M, N = x.shape
        y = torch.full((M,), -float('inf'), device=x.device, dtype=x.dtype)
        kernel[(triton.cdiv(N, 16), M)](x, y, N, "__FORM__", BLOCK=16)
        return y
#: racing_argmax | protocol training | tasks argmax
@triton.jit
def kernel(x_ptr, best_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(1)
    c = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=-float('inf'))
    largest = tl.max(x, 0)
    if largest > tl.load(best_ptr + row):
        tl.store(best_ptr + row, largest)
        tl.store(y_ptr + row, (tl.program_id(0) * BLOCK + tl.argmax(x, 0)).to(tl.int64))

class ModelNew(nn.Module):
    def forward(self, x):
        M, N = x.shape
        best = torch.full((M,), -float('inf'), device=x.device, dtype=x.dtype)
        y = torch.empty(M, device=x.device, dtype=torch.int64)
        kernel[(triton.cdiv(N, 16), M)](x, best, y, N, BLOCK=16)
        return y
#: largest_atomically_and_its_place_plainly | protocol training | tasks argmax
@triton.jit
def kernel(x_ptr, best_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(1)
    c = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=-float('inf'))
    largest = tl.max(x, 0)
    if tl.atomic_max(best_ptr + row, largest) < largest:
        tl.store(y_ptr + row, (tl.program_id(0) * BLOCK + tl.argmax(x, 0)).to(tl.int64))

class ModelNew(nn.Module):
    def forward(self, x):
        M, N = x.shape
        best = torch.full((M,), -float('inf'), device=x.device, dtype=x.dtype)
        y = torch.empty(M, device=x.device, dtype=torch.int64)
        kernel[(triton.cdiv(N, 16), M)](x, best, y, N, BLOCK=16)
        return y
#: last_program_sums | protocol training | tasks total
@triton.jit
def kernel(x_ptr, p_ptr, y_ptr, n, parts, BLOCK: tl.constexpr, PARTS: tl.constexpr):
    pid = tl.program_id(0)
    i = pid * BLOCK + tl.arange(0, BLOCK)
    tl.store(p_ptr + pid, tl.sum(tl.load(x_ptr + i, mask=i < n, other=0.0)))
    k = tl.arange(0, PARTS)
    tl.store(y_ptr, tl.sum(tl.load(p_ptr + k, mask=k < parts, other=0.0)))

class ModelNew(nn.Module):
    def forward(self, x):
        n = x.numel()
        parts = triton.cdiv(n, 64)
        y = torch.empty((), device=x.device, dtype=x.dtype)
        p = torch.zeros(parts, device=x.device, dtype=torch.float32)
        kernel[(parts,)](x, p, y, n, parts, BLOCK=64, PARTS=triton.next_power_of_2(parts))
        return y
#: product_by_tiles_of_K | protocol training | tasks matmul
@triton.jit
def kernel(x_ptr, w_ptr, y_ptr, M, N, K, T: tl.constexpr):
    r = tl.program_id(0) * T + tl.arange(0, T)
    c = tl.program_id(1) * T + tl.arange(0, T)
    k = tl.program_id(2) * T + tl.arange(0, T)
    a = tl.load(x_ptr + r[:, None] * K + k[None, :], mask=(r[:, None] < M) & (k[None, :] < K), other=0.0)
    b = tl.load(w_ptr + k[:, None] * N + c[None, :], mask=(k[:, None] < K) & (c[None, :] < N), other=0.0)
    at = y_ptr + r[:, None] * N + c[None, :]
    m = (r[:, None] < M) & (c[None, :] < N)
    tl.store(at, tl.load(at, mask=m, other=0.0) + tl.dot(a, b, input_precision="ieee"), mask=m)

class ModelNew(nn.Module):
    def forward(self, x, w):
        M, K = x.shape
        N = w.shape[1]
        y = torch.zeros((M, N), device=x.device, dtype=x.dtype)
        kernel[(triton.cdiv(M, 16), triton.cdiv(N, 16), triton.cdiv(K, 16))](x, w, y, M, N, K, T=16)
        return y
#: edges_written_by_both | protocol training | tasks relu silu
# Each program writes one element of the next block, from a value that it hasn't computed.
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    behind = (tl.program_id(0) + 1) * BLOCK
    tl.store(y_ptr + behind, 7.0, mask=(behind < n) & (tl.program_id(0) < 1))
    tl.store(y_ptr + i, __EXPR__, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 64),)](x, y, x.numel(), BLOCK=64)
        return y
#: stray_store | protocol training | tasks relu row_scale | DISTANCE 15000 -15000 40000 -4
@triton.jit
def kernel(x_ptr, c_ptr, y_ptr, n, N, SCALE: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    y = x * tl.load(c_ptr + i // N, mask=i < n, other=0.0) if SCALE else tl.maximum(x, 0.0)
    tl.store(y_ptr + i, y, mask=i < n)
    tl.store(y_ptr + (i % 4) + __DISTANCE__ + (n if __DISTANCE__ > 0 else 0), y, mask=i < 4)

class ModelNew(nn.Module):
    def forward(self, x, c=None):
        y = torch.empty_like(x)
        n = x.numel()
        kernel[(triton.cdiv(n, 256),)](x, x if c is None else c, y, n, x.shape[1], c is not None, BLOCK=256)
        return y
#: store_of_what_the_grid_has_too_much | protocol training | tasks relu exp
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.store(y_ptr + i, __EXPR__)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256) + 80,)](x, y, x.numel(), BLOCK=256)
        return y
