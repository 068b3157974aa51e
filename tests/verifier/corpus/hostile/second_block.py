#: elements/WRONG | tasks relu silu gelu | WRONG block_overlap block_gap grid_too_short two_blocks_alone
@triton.jit
def kernel(x_ptr, y_ptr, n, WRONG: tl.constexpr, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    if WRONG == "block_overlap":
        at = pid * (BLOCK - 1) + tl.arange(0, BLOCK)
    elif WRONG == "block_gap":
        at = pid * (BLOCK + 1) + tl.arange(0, BLOCK)
    elif WRONG == "two_blocks_alone":
        at = pid % 2 * BLOCK + tl.arange(0, BLOCK)
    else:
        at = pid * BLOCK + tl.arange(0, BLOCK)
    m = at < n
    x = tl.load(x_ptr + at, mask=m, other=0.0)
    tl.store(y_ptr + at, __EXPR__, mask=m)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel()
        blocks = max(1, n // 1024) if "__WRONG__" == "grid_too_short" else triton.cdiv(n, 1024)
        kernel[(blocks,)](x, y, n, "__WRONG__", BLOCK=1024)
        return y
#: persistent_programs_one_too_far_apart | tasks relu exp | BLOCK 256 1024
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    step = BLOCK * (tl.num_programs(0) + 1)
    for start in range(tl.program_id(0) * BLOCK, n, step):
        at = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + at, mask=at < n, other=0.0)
        tl.store(y_ptr + at, __EXPR__, mask=at < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(8,)](x, y, x.numel(), BLOCK=__BLOCK__)
        return y
#: column_of_the_first_block | tasks bias_add bias_relu
@triton.jit
def kernel(x_ptr, b_ptr, z_ptr, n, N, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    at = tl.program_id(0) * BLOCK + i
    x = tl.load(x_ptr + at, mask=at < n, other=0.0)
    y = tl.load(b_ptr + i % N, mask=at < n, other=0.0)
    tl.store(z_ptr + at, __EXPR__, mask=at < n)

class ModelNew(nn.Module):
    def forward(self, x, b):
        z = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 2048),)](x, b, z, x.numel(), x.shape[1], BLOCK=2048)
        return z
#: row_of_the_first_block | tasks row_scale
@triton.jit
def kernel(x_ptr, c_ptr, z_ptr, n, N, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    at = tl.program_id(0) * BLOCK + i
    x = tl.load(x_ptr + at, mask=at < n, other=0.0)
    c = tl.load(c_ptr + i // N, mask=at < n, other=0.0)
    tl.store(z_ptr + at, x * c, mask=at < n)

class ModelNew(nn.Module):
    def forward(self, x, c):
        z = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 2048),)](x, c, z, x.numel(), x.shape[1], BLOCK=2048)
        return z
#: tiles_of_the_wrong_axis | tasks add mul | TILE 64 128
@triton.jit
def kernel(x_ptr, y_ptr, z_ptr, M, N, BM: tl.constexpr, BN: tl.constexpr):
    r = tl.program_id(1) * BM + tl.arange(0, BM)
    c = tl.program_id(0) * BN + tl.arange(0, BN)
    at = r[:, None] * N + c[None, :]
    m = (r[:, None] < M) & (c[None, :] < N)
    x = tl.load(x_ptr + at, mask=m, other=0.0)
    y = tl.load(y_ptr + at, mask=m, other=0.0)
    tl.store(z_ptr + at, __EXPR__, mask=m)

class ModelNew(nn.Module):
    def forward(self, x, y):
        M, N = x.shape
        z = torch.empty_like(x)
        kernel[(triton.cdiv(M, __TILE__), triton.cdiv(N, __TILE__))](x, y, z, M, N, BM=__TILE__, BN=__TILE__)
        return z
#: row_sum/WRONG | tasks row_sum row_mean | WRONG last_block tail_lost first_block block_counts
@triton.jit
def kernel(x_ptr, y_ptr, N, MEAN: tl.constexpr, WRONG: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    end = tl.maximum(N - N % BLOCK, 1) if WRONG == "tail_lost" else tl.minimum(N, BLOCK) if WRONG == "first_block" else N
    for start in range(0, end, BLOCK):
        c = start + tl.arange(0, BLOCK)
        v = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
        if WRONG == "last_block":
            acc = v
        else:
            acc += v
    total = tl.sum(acc, 0)
    if WRONG == "block_counts":
        total = total * tl.cdiv(N, BLOCK)
    tl.store(y_ptr + row, total / N if MEAN else total)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape[0], device=x.device, dtype=x.dtype)
        kernel[(x.shape[0],)](x, y, x.shape[1], __IS_MEAN__, "__WRONG__", BLOCK=1024)
        return y
#: row_extremum_of_the_last_block | tasks row_max row_min logsumexp
@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    got = 0.0
    for start in range(0, N, BLOCK):
        c = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * N + c, mask=c < N, other=__OTHER__)
        got = __REDUCE__
    tl.store(y_ptr + row, got)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape[0], device=x.device, dtype=x.dtype)
        kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=512)
        return y
#: norm_of_blocks_summed | tasks vector_norm
@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    total = 0.0
    for start in range(0, N, BLOCK):
        c = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
        total += tl.sqrt(tl.sum(x * x, 0))
    tl.store(y_ptr + row, total)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape[0], device=x.device, dtype=x.dtype)
        kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=1024)
        return y
#: place_within_its_block | tasks argmax
@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    best = -float('inf')
    place = 0
    for start in range(0, N, BLOCK):
        c = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * N + c, mask=c < N, other=-float('inf'))
        m = tl.max(x, 0)
        i = tl.argmax(x, 0)
        place = tl.where(m > best, i, place)
        best = tl.maximum(m, best)
    tl.store(y_ptr + row, place.to(tl.int64))

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape[0], device=x.device, dtype=torch.int64)
        kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=1024)
        return y
#: online_softmax/WRONG | tasks softmax | WRONG never_rescaled last_maximum
@triton.jit
def kernel(x_ptr, y_ptr, N, WRONG: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    largest = -float('inf')
    total = 0.0
    for s in range(0, N, BLOCK):
        c = s + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * N + c, mask=c < N, other=-float('inf'))
        new = tl.max(x, 0) if WRONG == "last_maximum" else tl.maximum(largest, tl.max(x, 0))
        if WRONG == "never_rescaled":
            total = total + tl.sum(tl.exp(x - new), 0)
        else:
            total = total * tl.exp(tl.minimum(largest - new, 0.0)) + tl.sum(tl.exp(x - new), 0)
        largest = new
    for s in range(0, N, BLOCK):
        c = s + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * N + c, mask=c < N, other=-float('inf'))
        tl.store(y_ptr + row * N + c, tl.exp(x - largest) / total, mask=c < N)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(x.shape[0],)](x, y, x.shape[1], "__WRONG__", BLOCK=512)
        return y
#: layer_norm/WRONG | tasks layer_norm | WRONG squares_of_last_block mean_of_last_block weights_of_first_block
@triton.jit
def kernel(x_ptr, w_ptr, b_ptr, y_ptr, N, WRONG: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, N, BLOCK):
        c = start + tl.arange(0, BLOCK)
        v = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
        total = v if WRONG == "mean_of_last_block" else total + v
    mean = tl.sum(total, 0) / N
    squares = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, N, BLOCK):
        c = start + tl.arange(0, BLOCK)
        away = tl.where(c < N, tl.load(x_ptr + row * N + c, mask=c < N, other=0.0) - mean, 0.0)
        squares = away * away if WRONG == "squares_of_last_block" else squares + away * away
    scale = 1 / tl.sqrt(tl.sum(squares, 0) / N + 1e-5)
    for start in range(0, N, BLOCK):
        c = start + tl.arange(0, BLOCK)
        k = tl.arange(0, BLOCK) if WRONG == "weights_of_first_block" else c
        v = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
        w = tl.load(w_ptr + k, mask=k < N, other=0.0)
        b = tl.load(b_ptr + k, mask=k < N, other=0.0)
        tl.store(y_ptr + row * N + c, (v - mean) * scale * w + b, mask=c < N)

class ModelNew(nn.Module):
    def forward(self, x, w, b):
        y = torch.empty_like(x)
        kernel[(x.shape[0],)](x, w, b, y, x.shape[1], "__WRONG__", BLOCK=1024)
        return y
#: group_norm_squares_of_last_block | tasks group_norm
@triton.jit
def kernel(x_ptr, w_ptr, b_ptr, y_ptr, size, area, C, BLOCK: tl.constexpr):
    group = tl.program_id(0)
    x_ptr += group * size
    y_ptr += group * size
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, size, BLOCK):
        i = start + tl.arange(0, BLOCK)
        total += tl.load(x_ptr + i, mask=i < size, other=0.0)
    mean = tl.sum(total, 0) / size
    squares = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, size, BLOCK):
        i = start + tl.arange(0, BLOCK)
        away = tl.where(i < size, tl.load(x_ptr + i, mask=i < size, other=0.0) - mean, 0.0)
        squares = away * away
    scale = 1 / tl.sqrt(tl.sum(squares, 0) / size + 1e-5)
    for start in range(0, size, BLOCK):
        i = start + tl.arange(0, BLOCK)
        c = (group % 4) * (C // 4) + i // area
        v = tl.load(x_ptr + i, mask=i < size, other=0.0)
        w = tl.load(w_ptr + c, mask=i < size, other=0.0)
        b = tl.load(b_ptr + c, mask=i < size, other=0.0)
        tl.store(y_ptr + i, (v - mean) * scale * w + b, mask=i < size)

class ModelNew(nn.Module):
    def forward(self, x, w, b):
        N, C, H, W = x.shape
        y = torch.empty_like(x)
        kernel[(N * 4,)](x, w, b, y, C // 4 * H * W, H * W, C, BLOCK=1024)
        return y
#: column_sum/WRONG | tasks col_sum col_mean | WRONG last_rows tail_lost columns_too_few
@triton.jit
def kernel(x_ptr, y_ptr, M, N, MEAN: tl.constexpr, WRONG: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    c = tl.program_id(0) * BN + tl.arange(0, BN)
    acc = tl.zeros((BN,), tl.float32)
    for start in range(0, tl.maximum(M - M % BM, 1) if WRONG == "tail_lost" else M, BM):
        r = start + tl.arange(0, BM)
        m = (r[:, None] < M) & (c[None, :] < N)
        part = tl.sum(tl.load(x_ptr + r[:, None] * N + c[None, :], mask=m, other=0.), 0)
        acc = part if WRONG == "last_rows" else acc + part
    tl.store(y_ptr + c, acc / M if MEAN else acc, mask=c < N)

class ModelNew(nn.Module):
    def forward(self, x):
        M, N = x.shape
        y = torch.empty(N, device=x.device, dtype=x.dtype)
        columns = max(1, N // 128) if "__WRONG__" == "columns_too_few" else triton.cdiv(N, 128)
        kernel[(columns,)](x, y, M, N, __IS_MEAN__, "__WRONG__", BM=128, BN=128)
        return y
#: column_maximum_of_last_rows | tasks col_max
@triton.jit
def kernel(x_ptr, y_ptr, M, N, BM: tl.constexpr, BN: tl.constexpr):
    c = tl.program_id(0) * BN + tl.arange(0, BN)
    got = tl.full((BN,), -float('inf'), tl.float32)
    for start in range(0, M, BM):
        r = start + tl.arange(0, BM)
        m = (r[:, None] < M) & (c[None, :] < N)
        got = tl.max(tl.load(x_ptr + r[:, None] * N + c[None, :], mask=m, other=-float('inf')), 0)
    tl.store(y_ptr + c, got, mask=c < N)

class ModelNew(nn.Module):
    def forward(self, x):
        M, N = x.shape
        y = torch.empty(N, device=x.device, dtype=x.dtype)
        kernel[(triton.cdiv(N, 64),)](x, y, M, N, BM=64, BN=64)
        return y
#: middle_sum_of_last_rows | tasks mid_sum
@triton.jit
def kernel(x_ptr, y_ptr, M, N, BM: tl.constexpr, BN: tl.constexpr):
    batch = tl.program_id(0)
    c = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BN,), tl.float32)
    for start in range(0, M, BM):
        r = start + tl.arange(0, BM)
        m = (r[:, None] < M) & (c[None, :] < N)
        acc = tl.sum(tl.load(x_ptr + (batch * M + r[:, None]) * N + c[None, :], mask=m, other=0.), 0)
    tl.store(y_ptr + batch * N + c, acc, mask=c < N)

class ModelNew(nn.Module):
    def forward(self, x):
        B, M, N = x.shape
        y = torch.empty((B, N), device=x.device, dtype=x.dtype)
        kernel[(B, triton.cdiv(N, 32))](x, y, M, N, BM=64, BN=32)
        return y
#: cumsum/WRONG | tasks cumsum | WRONG carry_lost carry_of_first_block carry_late
@triton.jit
def kernel(x_ptr, y_ptr, n, WRONG: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    carry = 0.0
    last = 0.0
    for start in range(0, n, BLOCK):
        at = start + tl.arange(0, BLOCK)
        v = tl.load(x_ptr + row * n + at, mask=at < n, other=0.0)
        tl.store(y_ptr + row * n + at, tl.cumsum(v, 0) + carry, mask=at < n)
        if WRONG == "carry_lost":
            carry = tl.sum(v, 0)
        elif WRONG == "carry_of_first_block":
            if start == 0:
                carry = tl.sum(v, 0)
        else:
            carry += last
            last = tl.sum(v, 0)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(x.shape[0],)](x, y, x.shape[1], "__WRONG__", BLOCK=512)
        return y
#: matmul/WRONG | tasks matmul | WRONG last_K_tile b_stays K_tail_lost row_tiles_overlap columns_too_few | BLOCK 64 128
@triton.jit
def kernel(x_ptr, w_ptr, y_ptr, M, N, K, WRONG: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    r = tl.program_id(0) * (BM - 1 if WRONG == "row_tiles_overlap" else BM) + tl.arange(0, BM)
    c = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, tl.maximum(K - K % BK, 1) if WRONG == "K_tail_lost" else K, BK):
        ks = start + tl.arange(0, BK)
        kb = tl.arange(0, BK) if WRONG == "b_stays" else ks
        a = tl.load(x_ptr + r[:, None] * K + ks[None, :], mask=(r[:, None] < M) & (ks[None, :] < K), other=0.0)
        b = tl.load(w_ptr + kb[:, None] * N + c[None, :], mask=(kb[:, None] < K) & (c[None, :] < N), other=0.0)
        part = tl.dot(a, b, input_precision="ieee")
        acc = part if WRONG == "last_K_tile" else acc + part
    tl.store(y_ptr + r[:, None] * N + c[None, :], acc, mask=(r[:, None] < M) & (c[None, :] < N))

class ModelNew(nn.Module):
    def forward(self, x, w):
        M, K = x.shape
        N = w.shape[1]
        y = torch.empty((M, N), device=x.device, dtype=x.dtype)
        columns = max(1, N // 64) if "__WRONG__" == "columns_too_few" else triton.cdiv(N, 64)
        kernel[(triton.cdiv(M, 64), columns)](x, w, y, M, N, K, "__WRONG__", BM=64, BN=64, BK=__BLOCK__)
        return y
#: bias_of_the_first_tile | tasks linear_relu
@triton.jit
def kernel(x_ptr, w_ptr, b_ptr, y_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    r = tl.program_id(0) * BM + tl.arange(0, BM)
    c = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, K, BK):
        ks = start + tl.arange(0, BK)
        a = tl.load(x_ptr + r[:, None] * K + ks[None, :], mask=(r[:, None] < M) & (ks[None, :] < K), other=0.0)
        b = tl.load(w_ptr + c[None, :] * K + ks[:, None], mask=(ks[:, None] < K) & (c[None, :] < N), other=0.0)
        acc = tl.dot(a, b, acc, input_precision="ieee")
    bias = tl.load(b_ptr + tl.arange(0, BN), mask=tl.arange(0, BN) < N, other=0.0)
    tl.store(y_ptr + r[:, None] * N + c[None, :], tl.maximum(acc + bias[None, :], 0.0), mask=(r[:, None] < M) & (c[None, :] < N))

class ModelNew(nn.Module):
    def forward(self, x, w, b):
        M, K = x.shape
        N = w.shape[0]
        y = torch.empty((M, N), device=x.device, dtype=x.dtype)
        kernel[(triton.cdiv(M, 64), triton.cdiv(N, 128))](x, w, b, y, M, N, K, BM=64, BN=128, BK=32)
        return y
#: attention/WRONG | tasks attention | WRONG never_rescaled last_keys
@triton.jit
def kernel(q_ptr, k_ptr, v_ptr, y_ptr, L, D, scale, WRONG: tl.constexpr, BL: tl.constexpr, BD: tl.constexpr):
    head = tl.program_id(1)
    r = tl.program_id(0) * BL + tl.arange(0, BL)
    d = tl.arange(0, BD)
    base = head * L * D
    q = tl.load(q_ptr + base + r[:, None] * D + d[None, :], mask=(r[:, None] < L) & (d[None, :] < D), other=0.0)
    largest = tl.full((BL,), -float('inf'), tl.float32)
    total = tl.zeros((BL,), tl.float32)
    acc = tl.zeros((BL, BD), tl.float32)
    for start in range(0, L, BL):
        c = start + tl.arange(0, BL)
        k = tl.load(k_ptr + base + c[None, :] * D + d[:, None], mask=(c[None, :] < L) & (d[:, None] < D), other=0.0)
        v = tl.load(v_ptr + base + c[:, None] * D + d[None, :], mask=(c[:, None] < L) & (d[None, :] < D), other=0.0)
        s = tl.where(c[None, :] < L, tl.dot(q, k, input_precision="ieee") * scale, -float('inf'))
        new = tl.maximum(largest, tl.max(s, 1))
        p = tl.exp(s - new[:, None])
        part = tl.dot(p, v, input_precision="ieee")
        if WRONG == "last_keys":
            acc = part
            total = tl.sum(p, 1)
        else:
            acc = acc + part
            total = total + tl.sum(p, 1)
        largest = new
    tl.store(y_ptr + base + r[:, None] * D + d[None, :], acc / total[:, None], mask=(r[:, None] < L) & (d[None, :] < D))

class ModelNew(nn.Module):
    def forward(self, q, k, v):
        H, L, D = q.shape
        y = torch.empty_like(q)
        kernel[(triton.cdiv(L, 64), H)](q, k, v, y, L, D, D ** -0.5, "__WRONG__", BL=64, BD=max(16, triton.next_power_of_2(D)))
        return y
#: conv1d/WRONG | tasks conv1d | WRONG length_gap channels_of_last_block outputs_too_few
@triton.jit
def kernel(x_ptr, w_ptr, y_ptr, C, O, L, OL, WRONG: tl.constexpr, BC: tl.constexpr, BO: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * (BLOCK + 1 if WRONG == "length_gap" else BLOCK) + tl.arange(0, BLOCK)
    o = tl.program_id(1) * BO + tl.arange(0, BO)
    n = tl.program_id(2)
    inside = (o[:, None] < O) & (at[None, :] < OL)
    acc = tl.zeros((BO, BLOCK), dtype=tl.float32)
    for start in range(0, C, BC):
        part = tl.zeros((BO, BLOCK), dtype=tl.float32)
        for c in range(start, tl.minimum(start + BC, C)):
            for k in range(0, 3):
                w = tl.load(w_ptr + (o * C + c) * 3 + k, mask=o < O, other=0.0)
                v = tl.load(x_ptr + (n * C + c) * L + at + k, mask=at < OL, other=0.0)
                part += w[:, None] * v[None, :]
        acc = part if WRONG == "channels_of_last_block" else acc + part
    tl.store(y_ptr + (n * O + o[:, None]) * OL + at[None, :], acc, mask=inside)

class ModelNew(nn.Module):
    def forward(self, x, w):
        N, C, L = x.shape
        O = w.shape[0]
        OL = L - 2
        y = torch.empty((N, O, OL), device=x.device, dtype=x.dtype)
        outputs = max(1, O // 16) if "__WRONG__" == "outputs_too_few" else triton.cdiv(O, 16)
        kernel[(triton.cdiv(OL, 128), outputs, N)](x, w, y, C, O, L, OL, "__WRONG__", BC=64, BO=16, BLOCK=128)
        return y
#: conv_2d_pixels_overlap | tasks conv_2d
@triton.jit
def kernel(x_ptr, w_ptr, b_ptr, y_ptr, C, K, H, W, BLOCK: tl.constexpr):
    at = tl.program_id(0) * (BLOCK - 1) + tl.arange(0, BLOCK)
    o = tl.program_id(1)
    n = tl.program_id(2)
    h, c = at // W, at % W
    acc = tl.zeros((BLOCK,), dtype=tl.float32) + tl.load(b_ptr + o)
    for ch in range(0, C):
        for i in range(0, 3):
            for j in range(0, 3):
                y, z = h + i - 1, c + j - 1
                ok = (y >= 0) & (y < H) & (z >= 0) & (z < W) & (at < H * W)
                v = tl.load(x_ptr + ((n * C + ch) * H + y) * W + z, mask=ok, other=0.0)
                acc += v * tl.load(w_ptr + ((o * C + ch) * 3 + i) * 3 + j)
    tl.store(y_ptr + (n * K + o) * H * W + at, acc, mask=at < H * W)

class ModelNew(nn.Module):
    def forward(self, x, w, b):
        N, C, H, W = x.shape
        K = w.shape[0]
        y = torch.empty((N, K, H, W), device=x.device, dtype=x.dtype)
        kernel[(triton.cdiv(H * W, 256), K, N)](x, w, b, y, C, K, H, W, BLOCK=256)
        return y
#: pool_of_the_first_windows | tasks avg_pool
@triton.jit
def kernel(x_ptr, y_ptr, rows, L, OL, BLOCK: tl.constexpr):
    row = tl.program_id(1)
    i = tl.arange(0, BLOCK)
    at = tl.program_id(0) * BLOCK + i
    a = tl.load(x_ptr + row * L + 2 * at, mask=at < OL, other=0.0)
    b = tl.load(x_ptr + row * L + 2 * i + 1, mask=at < OL, other=0.0)
    tl.store(y_ptr + row * OL + at, (a + b) / 2, mask=at < OL)

class ModelNew(nn.Module):
    def forward(self, x):
        N, C, L = x.shape
        y = torch.empty((N, C, L // 2), device=x.device, dtype=x.dtype)
        kernel[(triton.cdiv(L // 2, 512), N * C)](x, y, N * C, L, L // 2, BLOCK=512)
        return y
#: global_pool_of_last_pixels | tasks global_pool
@triton.jit
def kernel(x_ptr, y_ptr, area, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    total = 0.0
    for start in range(0, area, BLOCK):
        i = start + tl.arange(0, BLOCK)
        total = tl.sum(tl.load(x_ptr + row * area + i, mask=i < area, other=0.0), 0)
    tl.store(y_ptr + row, total / area)

class ModelNew(nn.Module):
    def forward(self, x):
        N, C, H, W = x.shape
        y = torch.empty((N, C), device=x.device, dtype=x.dtype)
        kernel[(N * C,)](x, y, H * W, BLOCK=1024)
        return y
#: batch_norm_of_last_samples | tasks batch_norm
@triton.jit
def kernel(x_ptr, w_ptr, b_ptr, y_ptr, N, C, area, BLOCK: tl.constexpr):
    c = tl.program_id(0)
    count = N * area
    total = tl.zeros((BLOCK,), tl.float32)
    squares = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, count, BLOCK):
        i = start + tl.arange(0, BLOCK)
        v = tl.load(x_ptr + (i // area * C + c) * area + i % area, mask=i < count, other=0.0)
        total += v
        squares = v * v
    mean = tl.sum(total, 0) / count
    scale = tl.load(w_ptr + c) / tl.sqrt(tl.sum(squares, 0) / count - mean * mean + 1e-5)
    for start in range(0, count, BLOCK):
        i = start + tl.arange(0, BLOCK)
        at = (i // area * C + c) * area + i % area
        v = tl.load(x_ptr + at, mask=i < count, other=0.0)
        tl.store(y_ptr + at, (v - mean) * scale + tl.load(b_ptr + c), mask=i < count)

class ModelNew(nn.Module):
    def forward(self, x, w, b):
        N, C, H, W = x.shape
        y = torch.empty_like(x)
        kernel[(C,)](x, w, b, y, N, C, H * W, BLOCK=1024)
        return y
#: mean_square/WRONG | tasks mse_loss | WRONG last_block tail_lost four_partial_sums
@triton.jit
def parts(x_ptr, y_ptr, p_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    d = tl.load(x_ptr + i, mask=i < n, other=0.0) - tl.load(y_ptr + i, mask=i < n, other=0.0)
    tl.store(p_ptr + tl.program_id(0), tl.sum(d * d, 0))

@triton.jit
def whole(p_ptr, z_ptr, n, blocks, WRONG: tl.constexpr, BLOCK: tl.constexpr):
    total = 0.0
    if WRONG == "four_partial_sums":
        i = tl.arange(0, 4)
        total = tl.sum(tl.load(p_ptr + i, mask=i < blocks, other=0.0), 0)
    elif WRONG == "last_block":
        for i in range(0, blocks):
            total = tl.load(p_ptr + i)
    else:
        for i in range(0, tl.maximum(n // BLOCK, 1)):
            total += tl.load(p_ptr + i)
    tl.store(z_ptr, total / n)

class ModelNew(nn.Module):
    def forward(self, x, y):
        n = x.numel()
        blocks = triton.cdiv(n, 2048)
        p = torch.empty(blocks, device=x.device, dtype=torch.float32)
        z = torch.empty((), device=x.device, dtype=x.dtype)
        parts[(blocks,)](x, y, p, n, BLOCK=2048)
        whole[(1,)](p, z, n, blocks, "__WRONG__", BLOCK=2048)
        return z
#: loss_of_the_last_classes | tasks cross_entropy
@triton.jit
def kernel(x_ptr, t_ptr, z_ptr, B, C, BLOCK: tl.constexpr):
    loss = 0.0
    for row in range(0, B):
        largest = -float('inf')
        for start in range(0, C, BLOCK):
            c = start + tl.arange(0, BLOCK)
            largest = tl.maximum(largest, tl.max(tl.load(x_ptr + row * C + c, mask=c < C, other=-float('inf')), 0))
        total = 0.0
        for start in range(0, C, BLOCK):
            c = start + tl.arange(0, BLOCK)
            total = tl.sum(tl.exp(tl.load(x_ptr + row * C + c, mask=c < C, other=-float('inf')) - largest), 0)
        loss += largest + tl.log(total) - tl.load(x_ptr + row * C + tl.load(t_ptr + row))
    tl.store(z_ptr, loss / B)

class ModelNew(nn.Module):
    def forward(self, x, t):
        B, C = x.shape
        z = torch.empty((), device=x.device, dtype=x.dtype)
        kernel[(1,)](x, t, z, B, C, BLOCK=1024)
        return z
#: transpose/WRONG | tasks transpose | WRONG tiles_stay_in_place tiles_too_few
@triton.jit
def kernel(x_ptr, y_ptr, M, N, WRONG: tl.constexpr, T: tl.constexpr):
    r = tl.program_id(0) * T + tl.arange(0, T)
    c = tl.program_id(1) * T + tl.arange(0, T)
    x = tl.load(x_ptr + r[:, None] * N + c[None, :], mask=(r[:, None] < M) & (c[None, :] < N), other=0.0)
    if WRONG == "tiles_stay_in_place":
        r = tl.program_id(1) * T + tl.arange(0, T)
        c = tl.program_id(0) * T + tl.arange(0, T)
    tl.store(y_ptr + c[:, None] * M + r[None, :], tl.trans(x), mask=(c[:, None] < N) & (r[None, :] < M))

class ModelNew(nn.Module):
    def forward(self, x):
        M, N = x.shape
        y = torch.empty((N, M), device=x.device, dtype=x.dtype)
        rows = max(1, M // 128) if "__WRONG__" == "tiles_too_few" else triton.cdiv(M, 128)
        kernel[(rows, triton.cdiv(N, 128))](x, y, M, N, "__WRONG__", T=128)
        return y
#: lookup_of_the_first_block | tasks embedding
@triton.jit
def kernel(i_ptr, w_ptr, y_ptr, n, D, BT: tl.constexpr, BD: tl.constexpr):
    t = tl.program_id(0) * BT + tl.arange(0, BT)
    d = tl.program_id(1) * BD + tl.arange(0, BD)
    row = tl.load(i_ptr + t, mask=t < n, other=0)
    m = (t[:, None] < n) & (d[None, :] < D)
    tl.store(y_ptr + t[:, None] * D + d[None, :], tl.load(w_ptr + row[:, None] * D + tl.arange(0, BD)[None, :], mask=m, other=0.0), mask=m)

class ModelNew(nn.Module):
    def forward(self, i, w):
        D = w.shape[1]
        y = torch.empty((i.numel(), D), device=w.device, dtype=w.dtype)
        kernel[(triton.cdiv(i.numel(), 16), triton.cdiv(D, 128))](i, w, y, i.numel(), D, BT=16, BD=128)
        return y
#: second_part_of_the_first_block | tasks cat
@triton.jit
def kernel(x_ptr, y_ptr, z_ptr, N, K, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    c = tl.program_id(1) * BLOCK + i
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
    y = tl.load(y_ptr + row * K + i - N, mask=(c >= N) & (c < N + K) & (i >= N), other=0.0)
    tl.store(z_ptr + row * (N + K) + c, tl.where(c < N, x, y), mask=c < N + K)

class ModelNew(nn.Module):
    def forward(self, x, y):
        M, N = x.shape
        K = y.shape[1]
        z = torch.empty((M, N + K), device=x.device, dtype=x.dtype)
        kernel[(M, triton.cdiv(N + K, 512))](x, y, z, N, K, BLOCK=512)
        return z
