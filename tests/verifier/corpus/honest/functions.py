#: added_by_atomics | tasks index_add | BLOCK 16 128
@triton.jit
def kernel(i_ptr, y_ptr, out_ptr, N, D, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    n = pid * BLOCK + tl.arange(0, BLOCK)
    row, col = n // D, n % D
    m = n < N * D
    to = tl.load(i_ptr + row, mask=m, other=0)
    tl.atomic_add(out_ptr + to * D + col, tl.load(y_ptr + n, mask=m, other=0.0), mask=m)

class ModelNew(nn.Module):
    def forward(self, x, i, y):
        out = x.clone()
        N, D = y.shape
        kernel[(triton.cdiv(N * D, __BLOCK__),)](i, y, out, N, D, BLOCK=__BLOCK__)
        return out
#: added_in_a_copy_by_a_kernel | tasks index_add index_add_half | SEM relaxed acq_rel
@triton.jit
def copy(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)

@triton.jit
def add(i_ptr, y_ptr, out_ptr, D, BLOCK: tl.constexpr):
    n = tl.program_id(0)
    d = tl.arange(0, BLOCK)
    to = tl.load(i_ptr + n)
    tl.atomic_add(out_ptr + to * D + d, tl.load(y_ptr + n * D + d, mask=d < D), mask=d < D, sem="__SEM__")

class ModelNew(nn.Module):
    def forward(self, x, i, y):
        out = torch.empty_like(x)
        copy[(triton.cdiv(x.numel(), 256),)](x, out, x.numel(), BLOCK=256)
        add[(y.shape[0],)](i, y, out, y.shape[1], BLOCK=triton.next_power_of_2(y.shape[1]))
        return out
#: each_row_looks_for_its_sources | tasks index_add index_add_half
@triton.jit
def kernel(x_ptr, i_ptr, y_ptr, out_ptr, N, D, BLOCK: tl.constexpr):
    s = tl.program_id(0)
    d = tl.arange(0, BLOCK)
    acc = tl.load(x_ptr + s * D + d, mask=d < D, other=0.0).to(tl.float32)
    for n in range(N):
        if tl.load(i_ptr + n) == s:
            acc += tl.load(y_ptr + n * D + d, mask=d < D, other=0.0).to(tl.float32)
    tl.store(out_ptr + s * D + d, acc, mask=d < D)

class ModelNew(nn.Module):
    def forward(self, x, i, y):
        out = torch.empty_like(x)
        kernel[(x.shape[0],)](x, i, y, out, y.shape[0], y.shape[1], BLOCK=triton.next_power_of_2(y.shape[1]))
        return out
#: histogram_by_atomics | tasks bincount counted_classes | BLOCK 64 256
@triton.jit
def kernel(t_ptr, w_ptr, out_ptr, n, WEIGHTED: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    t = tl.load(t_ptr + i, mask=i < n, other=0)
    if WEIGHTED:
        tl.atomic_add(out_ptr + t, tl.load(w_ptr + i, mask=i < n, other=0.0), mask=i < n)
    else:
        tl.atomic_add(out_ptr + t, 1, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, t, w=None):
        out = torch.zeros(24, device=t.device, dtype=torch.int32 if w is None else w.dtype)
        kernel[(triton.cdiv(t.numel(), __BLOCK__),)](t, w, out, t.numel(), w is not None, BLOCK=__BLOCK__)
        return out
#: histogram_of_a_tile | tasks counted_pixels counted_classes
@triton.jit
def kernel(t_ptr, out_ptr, N, BLOCK: tl.constexpr):
    b = tl.program_id(0)
    counts = tl.zeros([32], dtype=tl.int32)
    for start in range(0, N, BLOCK):
        i = start + tl.arange(0, BLOCK)
        t = tl.load(t_ptr + b * N + i, mask=i < N, other=0).to(tl.int32)
        h = tl.histogram(t, 32)
        padding = tl.sum((i >= N).to(tl.int32))
        counts += h - tl.where(tl.arange(0, 32) == 0, padding, 0)
    c = tl.arange(0, 32)
    tl.store(out_ptr + b * 24 + c, counts, mask=c < 24)

class ModelNew(nn.Module):
    def forward(self, t):
        t2 = t if t.dim() == 2 else t.view(1, -1)
        out = torch.empty((t2.shape[0], 24), dtype=torch.int64 if __IS_PIXELS__ else torch.int32, device=t.device)
        kernel[(t2.shape[0],)](t2, out, t2.shape[1], BLOCK=128)
        return out if t.dim() == 2 else out.view(24)
#: counted_by_comparison | tasks counted_pixels counted_classes
@triton.jit
def kernel(t_ptr, out_ptr, N, BLOCK: tl.constexpr):
    b = tl.program_id(0)
    c = tl.program_id(1)
    acc = tl.zeros([BLOCK], dtype=tl.int32)
    for start in range(0, N, BLOCK):
        i = start + tl.arange(0, BLOCK)
        t = tl.load(t_ptr + b * N + i, mask=i < N, other=255)
        acc += tl.where((t == c) & (i < N), 1, 0)
    tl.store(out_ptr + b * tl.num_programs(1) + c, tl.sum(acc))

class ModelNew(nn.Module):
    def forward(self, t):
        B = t.shape[0] if t.dim() == 2 else 1
        out = torch.empty((B, 24), dtype=torch.int64 if t.dim() == 2 else torch.int32, device=t.device)
        kernel[(B, 24)](t, out, t.shape[-1], BLOCK=64)
        return out.view(*t.shape[:-1], 24)
#: one_program_a_segment | tasks sums_of_segments means_of_segments largest_of_segments | ROWS 1 8
@triton.jit
def kernel(x_ptr, o_ptr, out_ptr, D, MEAN: tl.constexpr, LARGEST: tl.constexpr, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    b = tl.program_id(0)
    d = tl.arange(0, BLOCK)
    begin = tl.load(o_ptr + b)
    end = tl.load(o_ptr + b + 1)
    if LARGEST:
        acc = tl.full([BLOCK], float("-inf"), tl.float32)
    else:
        acc = tl.zeros([BLOCK], tl.float32)
    for start in range(begin, end, ROWS):
        r = start + tl.arange(0, ROWS)
        m = (r[:, None] < end) & (d[None, :] < D)
        if LARGEST:
            x = tl.load(x_ptr + r[:, None] * D + d[None, :], mask=m, other=float("-inf")).to(tl.float32)
            acc = tl.maximum(acc, tl.max(x, axis=0))
        else:
            x = tl.load(x_ptr + r[:, None] * D + d[None, :], mask=m, other=0.0).to(tl.float32)
            acc += tl.sum(x, axis=0)
    if MEAN:
        acc = acc / (end - begin)
    tl.store(out_ptr + b * D + d, acc, mask=d < D)

class ModelNew(nn.Module):
    def forward(self, x, o):
        B, D = o.numel() - 1, x.shape[1]
        out = torch.empty((B, D), dtype=x.dtype, device=x.device)
        kernel[(B,)](x, o, out, D, __IS_MEANS__, __IS_LARGEST__, ROWS=__ROWS__, BLOCK=triton.next_power_of_2(D))
        return out
#: segments_by_while | tasks sums_of_segments means_of_segments
@triton.jit
def kernel(x_ptr, o_ptr, out_ptr, D, MEAN: tl.constexpr, BLOCK: tl.constexpr):
    b = tl.program_id(0)
    d = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    r = tl.load(o_ptr + b)
    end = tl.load(o_ptr + b + 1)
    count = (end - r).to(tl.float32)
    acc = tl.zeros([BLOCK], tl.float32)
    while r < end:
        acc += tl.load(x_ptr + r * D + d, mask=d < D, other=0.0)
        r += 1
    if MEAN:
        acc /= count
    tl.store(out_ptr + b * D + d, acc, mask=d < D)

class ModelNew(nn.Module):
    def forward(self, x, o):
        B, D = o.shape[0] - 1, x.shape[1]
        out = x.new_empty((B, D))
        kernel[(B, triton.cdiv(D, 16))](x, o, out, D, MEAN=__IS_MEANS__, BLOCK=16)
        return out
#: each_row_searches_its_segment | tasks sums_of_segments | BLOCK 16 32
@triton.jit
def kernel(x_ptr, o_ptr, out_ptr, B, D, BLOCK: tl.constexpr):
    n = tl.program_id(0)
    # The last segment whose offset is at most n.
    low = 0
    high = B
    while high - low > 1:
        middle = (low + high) // 2
        if tl.load(o_ptr + middle) <= n:
            low = middle
        else:
            high = middle
    for start in range(0, D, BLOCK):
        d = start + tl.arange(0, BLOCK)
        tl.atomic_add(out_ptr + low * D + d, tl.load(x_ptr + n * D + d, mask=d < D), mask=d < D)

class ModelNew(nn.Module):
    def forward(self, x, o):
        B = o.shape[0] - 1
        out = torch.zeros((B, x.shape[1]), device=x.device, dtype=x.dtype)
        kernel[(x.shape[0],)](x, o, out, B, x.shape[1], BLOCK=__BLOCK__)
        return out
#: segment_numbers_then_atomics | tasks sums_of_segments
@triton.jit
def number(o_ptr, s_ptr, BLOCK: tl.constexpr):
    b = tl.program_id(0)
    begin = tl.load(o_ptr + b)
    end = tl.load(o_ptr + b + 1)
    for start in tl.range(begin, end, BLOCK):
        r = start + tl.arange(0, BLOCK)
        tl.store(s_ptr + r, b, mask=r < end)

@triton.jit
def add(x_ptr, s_ptr, out_ptr, N, D, BN: tl.constexpr, BD: tl.constexpr):
    n = tl.program_id(0) * BN + tl.arange(0, BN)
    d = tl.program_id(1) * BD + tl.arange(0, BD)
    m = (n[:, None] < N) & (d[None, :] < D)
    s = tl.load(s_ptr + n, mask=n < N, other=0)
    x = tl.load(x_ptr + n[:, None] * D + d[None, :], mask=m, other=0.0)
    tl.atomic_add(out_ptr + s[:, None] * D + d[None, :], x, mask=m)

class ModelNew(nn.Module):
    def forward(self, x, o):
        N, D = x.shape
        B = o.shape[0] - 1
        s = torch.empty(N, dtype=torch.int32, device=x.device)
        number[(B,)](o, s, BLOCK=16)
        out = torch.zeros(B, D, dtype=x.dtype, device=x.device)
        add[(triton.cdiv(N, 8), triton.cdiv(D, 16))](x, s, out, N, D, BN=8, BD=16)
        return out
#: order_by_rank | tasks order order_of_integers | WARPS 1 4
@triton.jit
def kernel(x_ptr, out_ptr, N, DESCENDING: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    m = c < N
    x = tl.load(x_ptr + row * N + c, mask=m, other=0)
    rank = tl.zeros([BLOCK], tl.int32)
    for j in range(N):
        y = tl.load(x_ptr + row * N + j)
        if DESCENDING:
            before = (y > x) | ((y == x) & (j < c))
        else:
            before = (y < x) | ((y == x) & (j < c))
        rank += before.to(tl.int32)
    tl.store(out_ptr + row * N + rank, c.to(tl.int64), mask=m)

class ModelNew(nn.Module):
    def forward(self, x):
        M, N = x.shape
        out = torch.empty((M, N), dtype=torch.int64, device=x.device)
        kernel[(M,)](x, out, N, __IS_INTEGERS__, BLOCK=triton.next_power_of_2(N), num_warps=__WARPS__)
        return out
#: rank_by_a_square_of_comparisons | tasks order order_of_integers
@triton.jit
def kernel(x_ptr, out_ptr, N, DESCENDING: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N)
    a, b = x[:, None], x[None, :]
    ahead = (a < b) if DESCENDING else (a > b)
    ties = (a == b) & (c[None, :] < c[:, None])
    rank = tl.sum(((ahead | ties) & (c[None, :] < N)).to(tl.int32), axis=1)
    tl.store(out_ptr + row * N + rank, c, mask=c < N)

class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty_like(x, dtype=torch.long)
        kernel[(x.shape[0],)](x, out, x.shape[1], __IS_INTEGERS__, BLOCK=triton.next_power_of_2(x.shape[1]))
        return out
#: order_by_a_sort_of_keys_with_places | tasks order_of_integers
@triton.jit
def kernel(x_ptr, out_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=-1000000).to(tl.int64)
    # Descending and stable: the smaller place has the larger key.
    key = x * 65536 + (65535 - c)
    key = tl.sort(key, descending=True)
    place = 65535 - (key & 65535)
    tl.store(out_ptr + row * N + c, place, mask=c < N)

class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty(x.shape, dtype=torch.int64, device=x.device)
        kernel[(x.shape[0],)](x, out, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return out
#: repeated_maximum | tasks places_of_largest
@triton.jit
def kernel(x_ptr, out_ptr, N, K: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=float("-inf"))
    for k in tl.static_range(K):
        at = tl.argmax(x, axis=0)
        tl.store(out_ptr + row * K + k, at.to(tl.int64))
        x = tl.where(c == at, float("-inf"), x)

class ModelNew(nn.Module):
    def forward(self, x):
        M, N = x.shape
        out = torch.empty((M, 4), dtype=torch.int64, device=x.device)
        kernel[(M,)](x, out, N, K=4, BLOCK=triton.next_power_of_2(N))
        return out
#: argmax_of_integers | tasks place_of_largest | FORM argmax max
@triton.jit
def kernel(x_ptr, out_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=-2147483648)
    if "__FORM__" == "argmax":
        at = tl.argmax(x, axis=0)
    else:
        value, at = tl.max(x, axis=0, return_indices=True)
    tl.store(out_ptr + row, at)

class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty(x.shape[0], dtype=torch.int64, device=x.device)
        kernel[(x.shape[0],)](x, out, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return out
#: place_of_the_largest_share_in_32_bits | tasks expert_of_token | FROM x share
@triton.jit
def kernel(x_ptr, out_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=float("-inf"))
    share = tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row, tl.argmax(__FROM__, axis=0))

class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty(x.shape[0], dtype=torch.int32, device=x.device)
        kernel[(x.shape[0],)](x, out, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return out
#: first_place_by_a_minimum | tasks place_of_largest
@triton.jit
def kernel(x_ptr, out_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=-2147483648)
    largest = tl.max(x, axis=0)
    tl.store(out_ptr + row, tl.min(tl.where((x == largest) & (c < N), c, BLOCK), axis=0))

class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty(x.shape[0], dtype=torch.int64, device=x.device)
        kernel[(x.shape[0],)](x, out, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return out
#: batched_tiles | tasks batched_product | dtypes f32 f16
@triton.jit
def kernel(x_ptr, y_ptr, z_ptr, M, N, K, sxb, sxm, sxk, syb, syk, syn, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    b = tl.program_id(2)
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        rk = k + tl.arange(0, BK)
        x = tl.load(x_ptr + b * sxb + rm[:, None] * sxm + rk[None, :] * sxk, mask=(rm[:, None] < M) & (rk[None, :] < K), other=0.0)
        y = tl.load(y_ptr + b * syb + rk[:, None] * syk + rn[None, :] * syn, mask=(rk[:, None] < K) & (rn[None, :] < N), other=0.0)
        acc += tl.dot(x, y, input_precision="ieee")
    tl.store(z_ptr + b * M * N + rm[:, None] * N + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] < N))

class ModelNew(nn.Module):
    def forward(self, x, y):
        B, M, K = x.shape
        N = y.shape[2]
        z = torch.empty((B, M, N), dtype=x.dtype, device=x.device)
        kernel[(triton.cdiv(M, 16), triton.cdiv(N, 16), B)](x, y, z, M, N, K, *x.stride(), *y.stride(), BM=16, BN=16, BK=16)
        return z
#: contraction_of_features | tasks weighted_contraction | dtypes f32 f16
@triton.jit
def kernel(x_ptr, w_ptr, out_ptr, M, H, K, BM: tl.constexpr, BK: tl.constexpr):
    b, h = tl.program_id(0) // H, tl.program_id(0) % H
    m = tl.program_id(1) * BM + tl.arange(0, BM)
    k = tl.arange(0, BK)
    x = tl.load(x_ptr + ((b * M + m[:, None]) * H + h) * K + k[None, :], mask=(m[:, None] < M) & (k[None, :] < K), other=0.0)
    w = tl.load(w_ptr + h * K + k, mask=k < K, other=0.0)
    s = tl.sum(x.to(tl.float32) * w[None, :].to(tl.float32), axis=1)
    tl.store(out_ptr + (b * H + h) * M + m, s, mask=m < M)

class ModelNew(nn.Module):
    def forward(self, x, w):
        B, M, H, K = x.shape
        out = torch.empty((B, H, M), dtype=x.dtype, device=x.device)
        kernel[(B * H, triton.cdiv(M, 8))](x, w, out, M, H, K, BM=8, BK=triton.next_power_of_2(K))
        return out
#: rotated_halves | tasks turned | dtypes f32 f16 | HEADS 1 4
@triton.jit
def kernel(x_ptr, c_ptr, s_ptr, out_ptr, rows, T, D, HEADS: tl.constexpr, BLOCK: tl.constexpr):
    d = tl.arange(0, BLOCK)
    for h in tl.static_range(HEADS):
        row = tl.program_id(0) * HEADS + h
        t = row % T
        m = (d < D) & (row < rows)
        c = tl.load(c_ptr + t * D + d, mask=m).to(tl.float32)
        s = tl.load(s_ptr + t * D + d, mask=m).to(tl.float32)
        a = tl.load(x_ptr + row * 2 * D + d, mask=m).to(tl.float32)
        b = tl.load(x_ptr + row * 2 * D + D + d, mask=m).to(tl.float32)
        tl.store(out_ptr + row * 2 * D + d, a * c - b * s, mask=m)
        tl.store(out_ptr + row * 2 * D + D + d, b * c + a * s, mask=m)

class ModelNew(nn.Module):
    def forward(self, x, c, s):
        B, H, T, D = x.shape
        out = torch.empty_like(x)
        kernel[(triton.cdiv(B * H * T, __HEADS__),)](x, c, s, out, B * H * T, T, D // 2, __HEADS__, BLOCK=triton.next_power_of_2(D // 2))
        return out
#: rotated_in_place_of_a_copy | tasks turned
@triton.jit
def kernel(x_ptr, c_ptr, s_ptr, T, D, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    x_ptr += row * 2 * D
    d = tl.arange(0, BLOCK)
    m = d < D
    c = tl.load(c_ptr + row % T * D + d, mask=m)
    s = tl.load(s_ptr + row % T * D + d, mask=m)
    a = tl.load(x_ptr + d, mask=m)
    b = tl.load(x_ptr + D + d, mask=m)
    tl.store(x_ptr + d, a * c - b * s, mask=m)
    tl.store(x_ptr + D + d, b * c + a * s, mask=m)

class ModelNew(nn.Module):
    def forward(self, x, c, s):
        out = x.clone()
        kernel[(x.numel() // x.shape[-1],)](out, c, s, x.shape[-2], x.shape[-1] // 2, BLOCK=triton.next_power_of_2(x.shape[-1] // 2))
        return out
#: rotated_neighbours | tasks turned_neighbours | dtypes f32 f16
@triton.jit
def kernel(x_ptr, c_ptr, s_ptr, out_ptr, T, D, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    d = tl.arange(0, BLOCK)
    m = d < D
    c = tl.load(c_ptr + row % T * D + d, mask=m).to(tl.float32)
    s = tl.load(s_ptr + row % T * D + d, mask=m).to(tl.float32)
    a = tl.load(x_ptr + row * 2 * D + 2 * d, mask=m).to(tl.float32)
    b = tl.load(x_ptr + row * 2 * D + 2 * d + 1, mask=m).to(tl.float32)
    tl.store(out_ptr + row * 2 * D + 2 * d, a * c - b * s, mask=m)
    tl.store(out_ptr + row * 2 * D + 2 * d + 1, a * s + b * c, mask=m)

class ModelNew(nn.Module):
    def forward(self, x, c, s):
        x = x.contiguous()
        out = torch.empty_like(x)
        B, H, T, D = x.shape
        kernel[(B * H * T,)](x, c, s, out, T, D // 2, BLOCK=triton.next_power_of_2(D // 2))
        return out
#: rotated_neighbours_joined | tasks turned_neighbours
@triton.jit
def kernel(x_ptr, c_ptr, s_ptr, out_ptr, T, D, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    e = tl.arange(0, 2 * BLOCK)
    d = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * 2 * D + e, mask=e < 2 * D, other=0.0)
    a, b = tl.split(tl.reshape(x, (BLOCK, 2)))
    c = tl.load(c_ptr + row % T * D + d, mask=d < D, other=0.0)
    s = tl.load(s_ptr + row % T * D + d, mask=d < D, other=0.0)
    out = tl.interleave(a * c - b * s, b * c + a * s)
    tl.store(out_ptr + row * 2 * D + e, out, mask=e < 2 * D)

class ModelNew(nn.Module):
    def forward(self, x, c, s):
        out = torch.empty_like(x)
        B, H, T, D = x.shape
        kernel[(B * H * T,)](x, c, s, out, T, D // 2, BLOCK=triton.next_power_of_2(D // 2))
        return out
#: grouped_flash | tasks grouped_attention grouped_attention_half | BM 16 32
import math

@triton.jit
def kernel(q_ptr, k_ptr, v_ptr, out_ptr, H, GROUP, T, D, scale, CAUSAL: tl.constexpr,
           BM: tl.constexpr, BN: tl.constexpr, BD: tl.constexpr):
    pid = tl.program_id(1)
    b, h = pid // H, pid % H
    kv = b * (H // GROUP) + h // GROUP
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    d = tl.arange(0, BD)
    qm = (rm[:, None] < T) & (d[None, :] < D)
    q = tl.load(q_ptr + (pid * T + rm[:, None]) * D + d[None, :], mask=qm, other=0.0)
    largest = tl.full([BM], float("-inf"), tl.float32)
    total = tl.zeros([BM], tl.float32)
    acc = tl.zeros([BM, BD], tl.float32)
    for start in range(0, T, BN):
        rn = start + tl.arange(0, BN)
        km = (rn[:, None] < T) & (d[None, :] < D)
        k = tl.load(k_ptr + (kv * T + rn[:, None]) * D + d[None, :], mask=km, other=0.0)
        v = tl.load(v_ptr + (kv * T + rn[:, None]) * D + d[None, :], mask=km, other=0.0)
        s = tl.dot(q, tl.trans(k), input_precision="ieee") * scale
        seen = rn[None, :] < T
        if CAUSAL:
            seen = seen & (rn[None, :] <= rm[:, None])
        s = tl.where(seen, s, float("-inf"))
        new = tl.maximum(largest, tl.max(s, 1))
        p = tl.exp(s - new[:, None])
        factor = tl.exp(largest - new)
        total = total * factor + tl.sum(p, 1)
        acc = acc * factor[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        largest = new
    tl.store(out_ptr + (pid * T + rm[:, None]) * D + d[None, :], acc / total[:, None], mask=qm)

class ModelNew(nn.Module):
    def forward(self, q, k, v):
        B, H, T, D = q.shape
        out = torch.empty_like(q)
        kernel[(triton.cdiv(T, __BM__), B * H)](
            q, k, v, out, H, H // k.shape[1], T, D, 1 / math.sqrt(D), CAUSAL=not __IS_HALF__,
            BM=__BM__, BN=16, BD=max(16, triton.next_power_of_2(D)))
        return out
#: grouped_attention_of_a_row | tasks grouped_attention
@triton.jit
def kernel(q_ptr, k_ptr, v_ptr, out_ptr, H, GROUP, T, D, scale, BT: tl.constexpr, BD: tl.constexpr):
    t = tl.program_id(0)
    h = tl.program_id(1)
    b = tl.program_id(2)
    d = tl.arange(0, BD)
    n = tl.arange(0, BT)
    q = tl.load(q_ptr + ((b * H + h) * T + t) * D + d, mask=d < D, other=0.0).to(tl.float32)
    base = (b * (H // GROUP) + h // GROUP) * T * D
    m = (n[:, None] <= t) & (d[None, :] < D)
    k = tl.load(k_ptr + base + n[:, None] * D + d[None, :], mask=m, other=0.0).to(tl.float32)
    v = tl.load(v_ptr + base + n[:, None] * D + d[None, :], mask=m, other=0.0).to(tl.float32)
    s = tl.where(n <= t, tl.sum(q[None, :] * k, axis=1) * scale, float("-inf"))
    p = tl.exp(s - tl.max(s, axis=0))
    p = p / tl.sum(p, axis=0)
    tl.store(out_ptr + ((b * H + h) * T + t) * D + d, tl.sum(p[:, None] * v, axis=0), mask=d < D)

class ModelNew(nn.Module):
    def forward(self, q, k, v):
        B, H, T, D = q.shape
        out = torch.empty_like(q)
        kernel[(T, H, B)](q, k, v, out, H, H // k.size(1), T, D, D ** -0.5,
                          BT=triton.next_power_of_2(T), BD=triton.next_power_of_2(D))
        return out
#: ignored_rows_by_atomics | tasks masked_cross_entropy masked_nll
@triton.jit
def rows(x_ptr, t_ptr, sum_ptr, count_ptr, C, IGNORED: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    t = tl.load(t_ptr + row)
    if t != IGNORED:
        c = tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * C + c, mask=c < C, other=float("-inf"))
        largest = tl.max(x, axis=0)
        lse = largest + tl.log(tl.sum(tl.exp(x - largest), axis=0))
        tl.atomic_add(sum_ptr, lse - tl.load(x_ptr + row * C + t))
        tl.atomic_add(count_ptr, 1)

@triton.jit
def divide(sum_ptr, count_ptr, out_ptr):
    tl.store(out_ptr, tl.load(sum_ptr) / tl.load(count_ptr))

class ModelNew(nn.Module):
    def forward(self, x, t):
        total = torch.zeros(1, device=x.device, dtype=torch.float32)
        count = torch.zeros(1, device=x.device, dtype=torch.int32)
        out = torch.empty((), device=x.device, dtype=x.dtype)
        rows[(x.shape[0],)](x, t, total, count, x.shape[1], IGNORED=0, BLOCK=triton.next_power_of_2(x.shape[1]))
        divide[(1,)](total, count, out)
        return out
#: ignored_rows_are_zero | tasks masked_cross_entropy masked_nll | IGNORED 0
@triton.jit
def rows(x_ptr, t_ptr, loss_ptr, C, ignored, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    t = tl.load(t_ptr + row)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * C + c, mask=c < C, other=-float("inf")).to(tl.float32)
    z = x - tl.max(x, 0)
    loss = tl.log(tl.sum(tl.exp(z), 0)) - tl.sum(tl.where(c == t, z, 0.0), 0)
    tl.store(loss_ptr + row, tl.where(t == ignored, 0.0, loss))

@triton.jit
def mean(loss_ptr, t_ptr, out_ptr, n, ignored, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    loss = tl.load(loss_ptr + i, mask=i < n, other=0.0)
    t = tl.load(t_ptr + i, mask=i < n, other=ignored)
    tl.store(out_ptr, tl.sum(loss) / tl.sum((t != ignored).to(tl.float32)))

class ModelNew(nn.Module):
    def __init__(self, ignore_index=__IGNORED__):
        super().__init__()
        self.ignore_index = ignore_index

    def forward(self, x, t):
        loss = torch.empty(x.shape[0], device=x.device, dtype=torch.float32)
        out = torch.empty((), device=x.device, dtype=x.dtype)
        rows[(x.shape[0],)](x, t, loss, x.shape[1], self.ignore_index, BLOCK=triton.next_power_of_2(x.shape[1]))
        mean[(1,)](loss, t, out, x.shape[0], self.ignore_index, BLOCK=triton.next_power_of_2(x.shape[0]))
        return out
#: nan_is_replaced | tasks replaced_nan | TEST y!=y libdevice.isnan(y).to(tl.int1) ~(x>=0)
from triton.language.extra import libdevice

@triton.jit
def kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    y = tl.sqrt(x.to(tl.float32))
    tl.store(out_ptr + i, tl.where(__TEST__, 0.0, y), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, out, x.numel(), BLOCK=256)
        return out
#: finite_are_counted | tasks finite_count | TEST (tl.abs(y)<float('inf')) ((x>0)&(x<float('inf')))
@triton.jit
def kernel(x_ptr, out_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=-1.0)
    y = tl.log(x.to(tl.float32))
    tl.store(out_ptr + row, tl.sum(__TEST__.to(tl.int32), axis=0))

class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty(x.shape[0], dtype=torch.int64, device=x.device)
        kernel[(x.shape[0],)](x, out, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return out
#: keys_for_each_query_head | tasks keys_repeated | BLOCK 32 256
@triton.jit
def kernel(k_ptr, out_ptr, inner, n, REPEATS: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    head, rest = i // inner, i % inner
    tl.store(out_ptr + i, tl.load(k_ptr + head // REPEATS * inner + rest, mask=m), mask=m)

class ModelNew(nn.Module):
    def forward(self, k):
        B, H, T, D = k.shape
        out = torch.empty((B, 4 * H, T, D), dtype=k.dtype, device=k.device)
        kernel[(triton.cdiv(out.numel(), __BLOCK__),)](k, out, T * D, out.numel(), REPEATS=4, BLOCK=__BLOCK__)
        return out
#: written_once_for_each_repeat | tasks keys_repeated
@triton.jit
def kernel(k_ptr, out_ptr, T, D, BT: tl.constexpr, BD: tl.constexpr):
    head = tl.program_id(0).to(tl.int64)
    t = tl.program_id(1) * BT + tl.arange(0, BT)
    d = tl.arange(0, BD)
    m = (t[:, None] < T) & (d[None, :] < D)
    k = tl.load(k_ptr + (head * T + t[:, None]) * D + d[None, :], mask=m)
    for r in range(4):
        tl.store(out_ptr + ((head * 4 + r) * T + t[:, None]) * D + d[None, :], k, mask=m)

class ModelNew(nn.Module):
    def forward(self, k):
        B, H, T, D = k.shape
        out = k.new_empty(B, H * 4, T, D)
        kernel[(B * H, triton.cdiv(T, 8))](k, out, T, D, BT=8, BD=triton.next_power_of_2(D))
        return out
#: rows_of_the_cache | tasks cache_rows
@triton.jit
def kernel(cache_ptr, t_ptr, out_ptr, D, stride, BLOCK: tl.constexpr):
    n = tl.program_id(0)
    d = tl.arange(0, BLOCK)
    at = tl.load(t_ptr + n)
    tl.store(out_ptr + n * D + d, tl.load(cache_ptr + at * stride + d, mask=d < D), mask=d < D)

class ModelNew(nn.Module):
    def forward(self, cache, t):
        out = torch.empty((t.shape[0], cache.shape[1]), dtype=cache.dtype, device=cache.device)
        kernel[(t.shape[0],)](cache, t, out, cache.shape[1], cache.stride(0), BLOCK=triton.next_power_of_2(cache.shape[1]))
        return out
#: rows_of_the_cache_in_tiles | tasks cache_rows
@triton.jit
def kernel(cache_ptr, t_ptr, out_ptr, T, D, BT: tl.constexpr, BD: tl.constexpr):
    n = tl.program_id(0) * BT + tl.arange(0, BT)
    d = tl.arange(0, BD)
    at = tl.load(t_ptr + n, mask=n < T, other=0)
    m = (n < T)[:, None] & (d < D)[None, :]
    rows = tl.load(cache_ptr + at[:, None].to(tl.int64) * D + d[None, :], mask=m)
    tl.store(out_ptr + n[:, None] * D + d[None, :], rows, mask=m)

class ModelNew(nn.Module):
    def forward(self, cache, t):
        out = torch.empty((t.shape[0], cache.shape[1]), dtype=cache.dtype, device=cache.device)
        kernel[(triton.cdiv(t.shape[0], 8),)](cache, t, out, t.shape[0], cache.shape[1], BT=8, BD=triton.next_power_of_2(cache.shape[1]))
        return out
#: bag_of_rows | tasks bags | dtypes f32 f16
@triton.jit
def kernel(w_ptr, t_ptr, out_ptr, L, D, BLOCK: tl.constexpr):
    b = tl.program_id(0)
    d = tl.arange(0, BLOCK)
    acc = tl.zeros([BLOCK], tl.float32)
    for j in range(L):
        at = tl.load(t_ptr + b * L + j)
        acc += tl.load(w_ptr + at * D + d, mask=d < D, other=0.0).to(tl.float32)
    tl.store(out_ptr + b * D + d, acc, mask=d < D)

class ModelNew(nn.Module):
    def forward(self, w, t):
        B, L = t.shape
        D = w.shape[1]
        out = torch.empty((B, D), dtype=w.dtype, device=w.device)
        kernel[(B,)](w, t, out, L, D, BLOCK=triton.next_power_of_2(D))
        return out
#: one_hot_product | tasks one_hot_rows | PRECISION ieee tf32x3
@triton.jit
def kernel(x_ptr, w_ptr, y_ptr, B, D, V, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, V, BK):
        rk = k + tl.arange(0, BK)
        x = tl.load(x_ptr + rm[:, None] * V + rk[None, :], mask=(rm[:, None] < B) & (rk[None, :] < V), other=0.0)
        w = tl.load(w_ptr + rk[:, None] * D + rn[None, :], mask=(rk[:, None] < V) & (rn[None, :] < D), other=0.0)
        acc = tl.dot(x, w, acc, input_precision="__PRECISION__")
    tl.store(y_ptr + rm[:, None] * D + rn[None, :], acc, mask=(rm[:, None] < B) & (rn[None, :] < D))

class ModelNew(nn.Module):
    def forward(self, x, w):
        B, V = x.shape
        y = torch.empty((B, w.shape[1]), dtype=x.dtype, device=x.device)
        kernel[(triton.cdiv(B, 16), triton.cdiv(w.shape[1], 16))](x, w, y, B, w.shape[1], V, BM=16, BN=16, BK=16)
        return y
#: columns_by_atomics | tasks scattered_columns | dtypes f32 f16
@triton.jit
def kernel(t_ptr, y_ptr, out_ptr, N, K, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    k = tl.arange(0, BLOCK)
    t = tl.load(t_ptr + row * K + k, mask=k < K, other=0)
    tl.atomic_add(out_ptr + row * N + t, tl.load(y_ptr + row * K + k, mask=k < K, other=0.0), mask=k < K)

class ModelNew(nn.Module):
    def forward(self, x, t, y):
        out = x.clone()
        kernel[(x.shape[0],)](t, y, out, x.shape[1], t.shape[1], BLOCK=triton.next_power_of_2(t.shape[1]))
        return out
#: each_column_looks_for_its_sources | tasks scattered_columns
@triton.jit
def kernel(x_ptr, t_ptr, y_ptr, out_ptr, N, K, BN: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BN)
    acc = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
    for k in range(K):
        acc += tl.where(tl.load(t_ptr + row * K + k) == c, tl.load(y_ptr + row * K + k), 0.0)
    tl.store(out_ptr + row * N + c, acc, mask=c < N)

class ModelNew(nn.Module):
    def forward(self, x, t, y):
        out = torch.empty_like(x)
        kernel[(x.shape[0],)](x, t, y, out, x.shape[1], t.shape[1], BN=triton.next_power_of_2(x.shape[1]))
        return out
#: added_in_float_and_cast | tasks index_add_half brain_index_add
@triton.jit
def kernel(i_ptr, y_ptr, acc_ptr, n, D, BLOCK: tl.constexpr):
    k = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = k < n
    at = tl.load(i_ptr + k // D, mask=m, other=0)
    tl.atomic_add(acc_ptr + at * D + k % D, tl.load(y_ptr + k, mask=m, other=0.0).to(tl.float32), mask=m)

@triton.jit
def finish(x_ptr, acc_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n).to(tl.float32)
    tl.store(out_ptr + i, x + tl.load(acc_ptr + i, mask=i < n), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x, i, y):
        acc = torch.zeros(x.shape, dtype=torch.float32, device=x.device)
        kernel[(triton.cdiv(y.numel(), 128),)](i, y, acc, y.numel(), y.shape[1], BLOCK=128)
        out = torch.empty_like(x)
        finish[(triton.cdiv(x.numel(), 128),)](x, acc, out, x.numel(), BLOCK=128)
        return out
#: brain_atomics | tasks brain_index_add
@triton.jit
def kernel(i_ptr, y_ptr, out_ptr, D, BLOCK: tl.constexpr):
    n = tl.program_id(0)
    d = tl.arange(0, BLOCK)
    at = tl.load(i_ptr + n)
    tl.atomic_add(out_ptr + at * D + d, tl.load(y_ptr + n * D + d, mask=d < D, other=0.0), mask=d < D, sem="relaxed")

class ModelNew(nn.Module):
    def forward(self, x, i, y):
        out = x.clone()
        kernel[(y.shape[0],)](i, y, out, y.shape[1], BLOCK=triton.next_power_of_2(y.shape[1]))
        return out
