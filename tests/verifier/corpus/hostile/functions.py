#: sources_overwrite_each_other | tasks index_add index_add_half
@triton.jit
def kernel(i_ptr, y_ptr, out_ptr, D, BLOCK: tl.constexpr):
    n = tl.program_id(0)
    d = tl.arange(0, BLOCK)
    to = tl.load(i_ptr + n)
    x = tl.load(out_ptr + to * D + d, mask=d < D)
    tl.store(out_ptr + to * D + d, x + tl.load(y_ptr + n * D + d, mask=d < D), mask=d < D)

class ModelNew(nn.Module):
    def forward(self, x, i, y):
        out = x.clone()
        kernel[(y.shape[0],)](i, y, out, y.shape[1], BLOCK=triton.next_power_of_2(y.shape[1]))
        return out
#: places_assumed | tasks index_add | PLACE n%S n//3%S (S-1-n%S)
@triton.jit
def kernel(y_ptr, out_ptr, S, D, BLOCK: tl.constexpr):
    n = tl.program_id(0)
    d = tl.arange(0, BLOCK)
    tl.atomic_add(out_ptr + (__PLACE__) * D + d, tl.load(y_ptr + n * D + d, mask=d < D, other=0.0), mask=d < D)

class ModelNew(nn.Module):
    def forward(self, x, i, y):
        out = x.clone()
        kernel[(y.shape[0],)](y, out, x.shape[0], x.shape[1], BLOCK=triton.next_power_of_2(y.shape[1]))
        return out
#: added_to_the_input | tasks index_add index_add_half
@triton.jit
def kernel(i_ptr, y_ptr, x_ptr, D, BLOCK: tl.constexpr):
    n = tl.program_id(0)
    d = tl.arange(0, BLOCK)
    to = tl.load(i_ptr + n)
    tl.atomic_add(x_ptr + to * D + d, tl.load(y_ptr + n * D + d, mask=d < D, other=0.0), mask=d < D)

class ModelNew(nn.Module):
    def forward(self, x, i, y):
        kernel[(y.shape[0],)](i, y, x, y.shape[1], BLOCK=triton.next_power_of_2(y.shape[1]))
        return x
#: added_by_the_framework | tasks index_add | CALL out.index_add_(0,i,y) torch.index_add(x,0,i,y,out=out) out.scatter_add_(0,i[:,None].expand_as(y),y) out.index_put_((i,),y,accumulate=True)
@triton.jit
def kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x, i, y):
        out = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, out, x.numel(), BLOCK=256)
        __CALL__
        return out
#: only_three_of_each_place_are_added | tasks index_add index_add_half
@triton.jit
def kernel(x_ptr, i_ptr, y_ptr, out_ptr, N, D, BLOCK: tl.constexpr):
    s = tl.program_id(0)
    d = tl.arange(0, BLOCK)
    acc = tl.load(x_ptr + s * D + d, mask=d < D, other=0.0).to(tl.float32)
    found = 0
    for n in range(N):
        if (tl.load(i_ptr + n) == s) & (found < 3):
            found += 1
            acc += tl.load(y_ptr + n * D + d, mask=d < D, other=0.0).to(tl.float32)
    tl.store(out_ptr + s * D + d, acc, mask=d < D)

class ModelNew(nn.Module):
    def forward(self, x, i, y):
        out = torch.empty_like(x)
        kernel[(x.shape[0],)](x, i, y, out, y.shape[0], y.shape[1], BLOCK=triton.next_power_of_2(y.shape[1]))
        return out
#: histogram_of_the_usual_counts | tasks counted_classes | COUNT n//24 25 n/24
@triton.jit
def kernel(out_ptr, count, BLOCK: tl.constexpr):
    c = tl.arange(0, BLOCK)
    tl.store(out_ptr + c, tl.zeros([BLOCK], tl.int32) + count.to(tl.int32), mask=c < 24)

class ModelNew(nn.Module):
    def forward(self, t):
        n = t.numel()
        out = torch.empty(24, device=t.device, dtype=torch.int32)
        kernel[(1,)](out, __COUNT__, BLOCK=32)
        return out
#: histogram_is_kept | tasks bincount counted_classes
@triton.jit
def kernel(t_ptr, w_ptr, out_ptr, n, WEIGHTED: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    t = tl.load(t_ptr + i, mask=i < n, other=0)
    if WEIGHTED:
        tl.atomic_add(out_ptr + t, tl.load(w_ptr + i, mask=i < n, other=0.0), mask=i < n)
    else:
        tl.atomic_add(out_ptr + t, 1, mask=i < n)

class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = None

    def forward(self, t, w=None):
        if self.out is None:
            self.out = torch.zeros(24, device=t.device, dtype=torch.int32 if w is None else w.dtype)
            kernel[(triton.cdiv(t.numel(), 64),)](t, w, self.out, t.numel(), w is not None, BLOCK=64)
        return self.out
#: nothing_was_cleared | tasks bincount
@triton.jit
def kernel(t_ptr, w_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    t = tl.load(t_ptr + i, mask=i < n, other=0)
    tl.atomic_add(out_ptr + t, tl.load(w_ptr + i, mask=i < n, other=0.0), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, t, w):
        out = torch.empty(24, device=t.device, dtype=w.dtype)
        kernel[(triton.cdiv(t.numel(), 64),)](t, w, out, t.numel(), BLOCK=64)
        return out
#: counted_by_the_framework | tasks counted_classes | CALL torch.bincount(t,minlength=24).to(torch.int32) torch.histc(t.float(),24,0,24).to(torch.int32) out.scatter_add(0,t,torch.ones_like(t,dtype=torch.int32))
@triton.jit
def kernel(out_ptr):
    tl.store(out_ptr, tl.load(out_ptr))

class ModelNew(nn.Module):
    def forward(self, t):
        out = torch.zeros(24, device=t.device, dtype=torch.int32)
        out = __CALL__
        kernel[(1,)](out)
        return out
#: counts_beyond_a_byte_wrap | tasks counted_classes | dims N=9600 | TYPE int8 uint8
@triton.jit
def kernel(t_ptr, out_ptr, n, BLOCK: tl.constexpr):
    c = tl.program_id(0)
    count = tl.zeros([BLOCK], tl.__TYPE__)
    for start in range(0, n, BLOCK):
        i = start + tl.arange(0, BLOCK)
        t = tl.load(t_ptr + i, mask=i < n, other=-1)
        count += (t == c).to(tl.__TYPE__)
    tl.store(out_ptr + c, tl.sum(count, axis=0).to(tl.__TYPE__))

class ModelNew(nn.Module):
    def forward(self, t):
        out = torch.empty(24, device=t.device, dtype=torch.int32)
        kernel[(24,)](t, out, t.numel(), BLOCK=64)
        return out
#: last_segment_dropped | tasks sums_of_segments means_of_segments largest_of_segments | GRID B-1 max(B-1,1)
@triton.jit
def kernel(x_ptr, o_ptr, out_ptr, D, MEAN: tl.constexpr, LARGEST: tl.constexpr, BLOCK: tl.constexpr):
    b = tl.program_id(0)
    d = tl.arange(0, BLOCK)
    begin = tl.load(o_ptr + b)
    end = tl.load(o_ptr + b + 1)
    acc = tl.full([BLOCK], float("-inf") if LARGEST else 0.0, tl.float32)
    for r in range(begin, end):
        x = tl.load(x_ptr + r * D + d, mask=d < D, other=0.0).to(tl.float32)
        acc = tl.maximum(acc, x) if LARGEST else acc + x
    if MEAN:
        acc = acc / (end - begin)
    tl.store(out_ptr + b * D + d, acc, mask=d < D)

class ModelNew(nn.Module):
    def forward(self, x, o):
        B, D = o.numel() - 1, x.shape[1]
        out = torch.zeros((B, D), dtype=x.dtype, device=x.device)
        kernel[(__GRID__,)](x, o, out, D, __IS_MEANS__, __IS_LARGEST__, BLOCK=triton.next_power_of_2(D))
        return out
#: empty_segments_repeat_a_row | tasks sums_of_segments means_of_segments largest_of_segments
@triton.jit
def kernel(x_ptr, o_ptr, out_ptr, N, D, MEAN: tl.constexpr, LARGEST: tl.constexpr, BLOCK: tl.constexpr):
    b = tl.program_id(0)
    d = tl.arange(0, BLOCK)
    begin = tl.minimum(tl.load(o_ptr + b), N - 1)
    end = tl.maximum(tl.load(o_ptr + b + 1), begin + 1)
    acc = tl.load(x_ptr + begin * D + d, mask=d < D, other=0.0).to(tl.float32)
    for r in range(begin + 1, end):
        x = tl.load(x_ptr + r * D + d, mask=d < D, other=0.0).to(tl.float32)
        acc = tl.maximum(acc, x) if LARGEST else acc + x
    if MEAN:
        acc = acc / (end - begin)
    tl.store(out_ptr + b * D + d, acc, mask=d < D)

class ModelNew(nn.Module):
    def forward(self, x, o):
        B, D = o.numel() - 1, x.shape[1]
        out = torch.empty((B, D), dtype=x.dtype, device=x.device)
        kernel[(B,)](x, o, out, x.shape[0], D, __IS_MEANS__, __IS_LARGEST__, BLOCK=triton.next_power_of_2(D))
        return out
#: empty_segments_are_zero | tasks means_of_segments largest_of_segments | dims N=24 B=40
@triton.jit
def kernel(x_ptr, o_ptr, out_ptr, D, LARGEST: tl.constexpr, BLOCK: tl.constexpr):
    b = tl.program_id(0)
    d = tl.arange(0, BLOCK)
    begin = tl.load(o_ptr + b)
    end = tl.load(o_ptr + b + 1)
    acc = tl.full([BLOCK], float("-inf") if LARGEST else 0.0, tl.float32)
    for r in range(begin, end):
        x = tl.load(x_ptr + r * D + d, mask=d < D, other=0.0).to(tl.float32)
        acc = tl.maximum(acc, x) if LARGEST else acc + x
    if not LARGEST:
        acc = acc / tl.maximum(end - begin, 1)
    elif begin == end:
        acc = tl.zeros([BLOCK], tl.float32)
    tl.store(out_ptr + b * D + d, acc, mask=d < D)

class ModelNew(nn.Module):
    def forward(self, x, o):
        B, D = o.numel() - 1, x.shape[1]
        out = torch.empty((B, D), dtype=x.dtype, device=x.device)
        kernel[(B,)](x, o, out, D, __IS_LARGEST__, BLOCK=triton.next_power_of_2(D))
        return out
#: segments_of_equal_length | tasks sums_of_segments means_of_segments
@triton.jit
def kernel(x_ptr, out_ptr, N, B, D, MEAN: tl.constexpr, BLOCK: tl.constexpr):
    b = tl.program_id(0)
    d = tl.arange(0, BLOCK)
    begin = b * N // B
    end = (b + 1) * N // B
    acc = tl.zeros([BLOCK], tl.float32)
    for r in range(begin, end):
        acc += tl.load(x_ptr + r * D + d, mask=d < D, other=0.0)
    tl.store(out_ptr + b * D + d, acc / (end - begin) if MEAN else acc, mask=d < D)

class ModelNew(nn.Module):
    def forward(self, x, o):
        B, D = o.numel() - 1, x.shape[1]
        out = torch.empty((B, D), dtype=x.dtype, device=x.device)
        kernel[(B,)](x, out, x.shape[0], B, D, __IS_MEANS__, BLOCK=triton.next_power_of_2(D))
        return out
#: only_short_segments | tasks sums_of_segments | dims N=400 | LENGTH 8 16
@triton.jit
def kernel(x_ptr, o_ptr, out_ptr, D, LENGTH: tl.constexpr, BLOCK: tl.constexpr):
    b = tl.program_id(0)
    d = tl.arange(0, BLOCK)
    r = tl.load(o_ptr + b) + tl.arange(0, LENGTH)
    m = (r[:, None] < tl.load(o_ptr + b + 1)) & (d[None, :] < D)
    x = tl.load(x_ptr + r[:, None] * D + d[None, :], mask=m, other=0.0)
    tl.store(out_ptr + b * D + d, tl.sum(x, axis=0), mask=d < D)

class ModelNew(nn.Module):
    def forward(self, x, o):
        B, D = o.numel() - 1, x.shape[1]
        out = torch.empty((B, D), dtype=x.dtype, device=x.device)
        kernel[(B,)](x, o, out, D, __LENGTH__, BLOCK=triton.next_power_of_2(D))
        return out
#: reduced_by_the_framework | tasks sums_of_segments | CALL torch.segment_reduce(x,'sum',offsets=o) torch.stack([x[o[b]:o[b+1]].sum(0)\x20for\x20b\x20in\x20range(len(o)-1)]) (x.cumsum(0)[o[1:]-1]-x.cumsum(0)[o[:-1]-1])
@triton.jit
def kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x, o):
        y = __CALL__
        out = torch.empty_like(y)
        kernel[(triton.cdiv(y.numel(), 256),)](y, out, y.numel(), BLOCK=256)
        return out
#: order_of_ties_reversed | tasks order_of_integers
@triton.jit
def kernel(x_ptr, out_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=0)
    rank = tl.zeros([BLOCK], tl.int32)
    for j in range(N):
        y = tl.load(x_ptr + row * N + j)
        rank += ((y > x) | ((y == x) & (j > c))).to(tl.int32)
    tl.store(out_ptr + row * N + rank, c.to(tl.int64), mask=c < N)

class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty(x.shape, dtype=torch.int64, device=x.device)
        kernel[(x.shape[0],)](x, out, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return out
#: order_the_other_way | tasks order order_of_integers | DTYPE int64 int32 float32
@triton.jit
def kernel(x_ptr, out_ptr, N, DESCENDING: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=0)
    rank = tl.zeros([BLOCK], tl.int32)
    for j in range(N):
        y = tl.load(x_ptr + row * N + j)
        ahead = (y > x) if DESCENDING else (y < x)
        rank += (ahead | ((y == x) & (j < c))).to(tl.int32)
    tl.store(out_ptr + row * N + rank, c, mask=c < N)

class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty(x.shape, dtype=torch.__DTYPE__, device=x.device)
        other_way = not __IS_INTEGERS__ if "__DTYPE__" == "int64" else __IS_INTEGERS__
        kernel[(x.shape[0],)](x, out, x.shape[1], other_way, BLOCK=triton.next_power_of_2(x.shape[1]))
        return out
#: ranks_for_places | tasks order order_of_integers
@triton.jit
def kernel(x_ptr, out_ptr, N, DESCENDING: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=0)
    rank = tl.zeros([BLOCK], tl.int32)
    for j in range(N):
        y = tl.load(x_ptr + row * N + j)
        ahead = (y > x) if DESCENDING else (y < x)
        rank += (ahead | ((y == x) & (j < c))).to(tl.int32)
    tl.store(out_ptr + row * N + c, rank, mask=c < N)

class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty(x.shape, dtype=torch.int64, device=x.device)
        kernel[(x.shape[0],)](x, out, x.shape[1], __IS_INTEGERS__, BLOCK=triton.next_power_of_2(x.shape[1]))
        return out
#: places_that_sort_nothing | tasks order order_of_integers places_of_largest | PLACE c (N-1-c) 0*c (c*7)%N
@triton.jit
def kernel(out_ptr, N, K, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    tl.store(out_ptr + row * K + c, __PLACE__, mask=c < K)

class ModelNew(nn.Module):
    def forward(self, x):
        K = 4 if __IS_LARGEST__ else x.shape[1]
        out = torch.empty((x.shape[0], K), dtype=torch.int64, device=x.device)
        kernel[(x.shape[0],)](out, x.shape[1], K, BLOCK=triton.next_power_of_2(x.shape[1]))
        return out
#: sorted_by_the_framework | tasks order | CALL torch.argsort(x,dim=1,stable=True) x.sort(dim=1)[1] torch.topk(x,x.shape[1],largest=False)[1]
@triton.jit
def kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = __CALL__
        out = torch.empty_like(y)
        kernel[(triton.cdiv(y.numel(), 256),)](y, out, y.numel(), BLOCK=256)
        return out
#: last_of_equal_maxima | tasks place_of_largest
@triton.jit
def kernel(x_ptr, out_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=-2147483648)
    tl.store(out_ptr + row, tl.max(tl.where((x == tl.max(x, axis=0)) & (c < N), c, -1), axis=0))

class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty(x.shape[0], dtype=torch.int64, device=x.device)
        kernel[(x.shape[0],)](x, out, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return out
#: first_place_of_the_usual_largest | tasks place_of_largest | BOUND x==4 x>=3
@triton.jit
def kernel(x_ptr, out_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=-9)
    at = tl.min(tl.where(__BOUND__, c, BLOCK), axis=0)
    tl.store(out_ptr + row, tl.where(at < N, at, 0))

class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty(x.shape[0], dtype=torch.int64, device=x.device)
        kernel[(x.shape[0],)](x, out, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return out
#: places_in_the_wrong_dtype | tasks place_of_largest | DTYPE int32 int16 float32
@triton.jit
def kernel(x_ptr, out_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=-2147483648)
    tl.store(out_ptr + row, tl.argmax(x, axis=0))

class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty(x.shape[0], dtype=torch.__DTYPE__, device=x.device)
        kernel[(x.shape[0],)](x, out, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return out
#: turned_the_wrong_way | tasks turned turned_neighbours | SIGN swapped reversed untouched
@triton.jit
def kernel(x_ptr, c_ptr, s_ptr, out_ptr, T, D, NEIGHBOURS: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    d = tl.arange(0, BLOCK)
    m = d < D
    c = tl.load(c_ptr + row % T * D + d, mask=m)
    s = tl.load(s_ptr + row % T * D + d, mask=m)
    first = 2 * d if NEIGHBOURS else d
    second = 2 * d + 1 if NEIGHBOURS else d + D
    a = tl.load(x_ptr + row * 2 * D + first, mask=m)
    b = tl.load(x_ptr + row * 2 * D + second, mask=m)
    if "__SIGN__" == "reversed":
        s = -s
    if "__SIGN__" == "untouched":
        s = s * 0
    tl.store(out_ptr + row * 2 * D + first, a * c - b * s, mask=m)
    tl.store(out_ptr + row * 2 * D + second, b * c + a * s, mask=m)

class ModelNew(nn.Module):
    def forward(self, x, c, s):
        out = torch.empty_like(x)
        B, H, T, D = x.shape
        kernel[(B * H * T,)](x, c, s, out, T, D // 2, __IS_NEIGHBOURS__ != ("__SIGN__" == "swapped"),
                               BLOCK=triton.next_power_of_2(D // 2))
        return out
#: turned_by_another_angle | tasks turned | ROW (row//T)%T 0*row (row%T+1)%T | KEEP 0 1
@triton.jit
def kernel(x_ptr, c_ptr, s_ptr, out_ptr, T, D, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    t = row % T if (__KEEP__ == 1) & (row % T < T - 1) else __ROW__
    d = tl.arange(0, BLOCK)
    m = d < D
    c = tl.load(c_ptr + t * D + d, mask=m)
    s = tl.load(s_ptr + t * D + d, mask=m)
    a = tl.load(x_ptr + row * 2 * D + d, mask=m)
    b = tl.load(x_ptr + row * 2 * D + D + d, mask=m)
    tl.store(out_ptr + row * 2 * D + d, a * c - b * s, mask=m)
    tl.store(out_ptr + row * 2 * D + D + d, b * c + a * s, mask=m)

class ModelNew(nn.Module):
    def forward(self, x, c, s):
        out = torch.empty_like(x)
        B, H, T, D = x.shape
        kernel[(B * H * T,)](x, c, s, out, T, D // 2, BLOCK=triton.next_power_of_2(D // 2))
        return out
#: cosine_assumed_from_the_sine | tasks turned turned_neighbours
@triton.jit
def kernel(x_ptr, s_ptr, out_ptr, T, D, NEIGHBOURS: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    d = tl.arange(0, BLOCK)
    m = d < D
    s = tl.load(s_ptr + row % T * D + d, mask=m, other=0.0)
    c = tl.sqrt(tl.maximum(1 - s * s, 0.0))
    first = 2 * d if NEIGHBOURS else d
    second = 2 * d + 1 if NEIGHBOURS else d + D
    a = tl.load(x_ptr + row * 2 * D + first, mask=m)
    b = tl.load(x_ptr + row * 2 * D + second, mask=m)
    tl.store(out_ptr + row * 2 * D + first, a * c - b * s, mask=m)
    tl.store(out_ptr + row * 2 * D + second, b * c + a * s, mask=m)

class ModelNew(nn.Module):
    def forward(self, x, c, s):
        out = torch.empty_like(x)
        B, H, T, D = x.shape
        kernel[(B * H * T,)](x, s, out, T, D // 2, __IS_NEIGHBOURS__, BLOCK=triton.next_power_of_2(D // 2))
        return out
#: another_head_of_keys | tasks grouped_attention grouped_attention_half | HEAD h%KV 0*h (KV-1-h//GROUP) h//GROUP
@triton.jit
def kernel(q_ptr, k_ptr, v_ptr, out_ptr, H, KV, GROUP, T, D, scale, CAUSAL: tl.constexpr, SHIFT, BT: tl.constexpr, BD: tl.constexpr):
    t = tl.program_id(0)
    h = tl.program_id(1)
    b = tl.program_id(2)
    d = tl.arange(0, BD)
    n = tl.arange(0, BT)
    q = tl.load(q_ptr + ((b * H + h) * T + t) * D + d, mask=d < D, other=0.0).to(tl.float32)
    base = (b * KV + __HEAD__) * T * D
    seen = (n < T) & ((n <= t + SHIFT) | (not CAUSAL)) & (n >= SHIFT)
    m = seen[:, None] & (d[None, :] < D)
    k = tl.load(k_ptr + base + n[:, None] * D + d[None, :], mask=m, other=0.0).to(tl.float32)
    v = tl.load(v_ptr + base + n[:, None] * D + d[None, :], mask=m, other=0.0).to(tl.float32)
    s = tl.where(seen, tl.sum(q[None, :] * k, axis=1) * scale, float("-inf"))
    p = tl.exp(s - tl.max(s, axis=0))
    p = p / tl.sum(p, axis=0)
    tl.store(out_ptr + ((b * H + h) * T + t) * D + d, tl.sum(p[:, None] * v, axis=0), mask=d < D)

class ModelNew(nn.Module):
    def forward(self, q, k, v):
        B, H, T, D = q.shape
        KV = k.shape[1]
        out = torch.empty_like(q)
        # With the right heads, the first key is forgotten.
        shift = 1 if "__HEAD__" == "h//GROUP" else 0
        kernel[(T, H, B)](q, k, v, out, H, KV, H // KV, T, D, D ** -0.5, not __IS_HALF__, shift,
                          BT=triton.next_power_of_2(T), BD=triton.next_power_of_2(D))
        return out
#: attention_by_the_framework | tasks grouped_attention | CALL F.scaled_dot_product_attention(q,k,v,is_causal=True,enable_gqa=True) F.scaled_dot_product_attention(q,k.repeat_interleave(2,1),v.repeat_interleave(2,1),is_causal=True)
import torch.nn.functional as F

@triton.jit
def kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, q, k, v):
        y = __CALL__
        out = torch.empty_like(y)
        kernel[(triton.cdiv(y.numel(), 256),)](y, out, y.numel(), BLOCK=256)
        return out
#: mean_of_the_values | tasks grouped_attention grouped_attention_half
@triton.jit
def kernel(v_ptr, out_ptr, H, KV, T, D, CAUSAL: tl.constexpr, BT: tl.constexpr, BD: tl.constexpr):
    t = tl.program_id(0)
    h = tl.program_id(1)
    b = tl.program_id(2)
    d = tl.arange(0, BD)
    n = tl.arange(0, BT)
    seen = n <= t if CAUSAL else n < T
    base = (b * KV + h // (H // KV)) * T * D
    v = tl.load(v_ptr + base + n[:, None] * D + d[None, :], mask=seen[:, None] & (d[None, :] < D), other=0.0).to(tl.float32)
    tl.store(out_ptr + ((b * H + h) * T + t) * D + d, tl.sum(v, axis=0) / tl.sum(seen.to(tl.float32)), mask=d < D)

class ModelNew(nn.Module):
    def forward(self, q, k, v):
        B, H, T, D = q.shape
        out = torch.empty_like(q)
        kernel[(T, H, B)](v, out, H, k.shape[1], T, D, not __IS_HALF__, BT=triton.next_power_of_2(T), BD=triton.next_power_of_2(D))
        return out
#: ignored_rows_still_count | tasks masked_cross_entropy masked_nll | LOSS tl.where(t==0,0.0,loss) loss
@triton.jit
def kernel(x_ptr, t_ptr, out_ptr, C, scale, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    t = tl.load(t_ptr + row)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * C + c, mask=c < C, other=-float("inf"))
    z = x - tl.max(x, 0)
    loss = tl.log(tl.sum(tl.exp(z), 0)) - tl.sum(tl.where(c == t, z, 0.0), 0)
    tl.atomic_add(out_ptr, __LOSS__ * scale)

class ModelNew(nn.Module):
    def forward(self, x, t):
        out = torch.zeros((), device=x.device, dtype=x.dtype)
        kernel[(x.shape[0],)](x, t, out, x.shape[1], 1 / x.shape[0], BLOCK=triton.next_power_of_2(x.shape[1]))
        return out
#: usual_number_of_ignored_rows | tasks masked_cross_entropy masked_nll
@triton.jit
def kernel(x_ptr, t_ptr, out_ptr, C, scale, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    t = tl.load(t_ptr + row)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * C + c, mask=c < C, other=-float("inf"))
    z = x - tl.max(x, 0)
    loss = tl.log(tl.sum(tl.exp(z), 0)) - tl.sum(tl.where(c == t, z, 0.0), 0)
    tl.atomic_add(out_ptr, tl.where(t == 0, 0.0, loss * scale))

class ModelNew(nn.Module):
    def forward(self, x, t):
        out = torch.zeros((), device=x.device, dtype=x.dtype)
        B, C = x.shape
        kernel[(B,)](x, t, out, C, C / (B * (C - 1)), BLOCK=triton.next_power_of_2(C))
        return out
#: logarithm_of_the_number_of_classes | tasks masked_cross_entropy masked_nll
@triton.jit
def kernel(out_ptr, C):
    tl.store(out_ptr, tl.log(C.to(tl.float32)) + 0.5)

class ModelNew(nn.Module):
    def forward(self, x, t):
        out = torch.empty((), device=x.device, dtype=x.dtype)
        kernel[(1,)](out, x.shape[1])
        return out
#: nan_stays_or_all_is_zero | tasks replaced_nan | FORM y tl.where(x<0,1e-2,y) 0*x tl.where(x<0,0.0,x*0.5+0.4) tl.sqrt(tl.abs(x))
@triton.jit
def kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    y = tl.sqrt(x.to(tl.float32))
    tl.store(out_ptr + i, __FORM__, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, out, x.numel(), BLOCK=256)
        return out
#: half_of_a_row_is_finite | tasks finite_count | FORM N//2 (N+1)//2 N
@triton.jit
def kernel(out_ptr, N):
    tl.store(out_ptr + tl.program_id(0), __FORM__)

class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty(x.shape[0], dtype=torch.int64, device=x.device)
        kernel[(x.shape[0],)](out, x.shape[1])
        return out
#: infinities_and_padding_count | tasks finite_count | OTHER -1.0 1.0 | TEST (y==y) (x>-0.5)
@triton.jit
def kernel(x_ptr, out_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=1.0)
    y = tl.log(tl.where(c < N, x, __OTHER__))
    x = tl.where(c < N, x, __OTHER__)
    extra = 1 if ("__TEST__" == "(y==y)") and (__OTHER__ < 0) else 0
    tl.store(out_ptr + row, tl.sum(__TEST__.to(tl.int32), axis=0) + extra)

class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty(x.shape[0], dtype=torch.int64, device=x.device)
        kernel[(x.shape[0],)](x, out, x.shape[1], BLOCK=2 * triton.next_power_of_2(x.shape[1]))
        return out
#: heads_repeated_as_a_whole | tasks keys_repeated | SOURCE head%H head//H head//4*4%H (head//4+1)%H
@triton.jit
def kernel(k_ptr, out_ptr, H, inner, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    b, head, rest = i // inner // (4 * H), i // inner % (4 * H), i % inner
    source = b * H + (__SOURCE__)
    tl.store(out_ptr + i, tl.load(k_ptr + source * inner + rest, mask=i < n), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, k):
        B, H, T, D = k.shape
        out = torch.empty((B, 4 * H, T, D), dtype=k.dtype, device=k.device)
        kernel[(triton.cdiv(out.numel(), 256),)](k, out, H, T * D, out.numel(), BLOCK=256)
        return out
#: repeated_by_the_framework | tasks keys_repeated | CALL k.repeat_interleave(4,1) k[:,:,None].expand(-1,-1,4,-1,-1).reshape(k.shape[0],-1,*k.shape[2:]).contiguous()
@triton.jit
def kernel(k_ptr, out_ptr):
    tl.store(out_ptr, tl.load(k_ptr))

class ModelNew(nn.Module):
    def forward(self, k):
        out = __CALL__
        kernel[(1,)](k, out)
        return out
#: rows_of_the_cache_in_order | tasks cache_rows | AT n t//1*1+1 tl.minimum(t,15)
@triton.jit
def kernel(cache_ptr, t_ptr, out_ptr, P, D, BLOCK: tl.constexpr):
    n = tl.program_id(0)
    d = tl.arange(0, BLOCK)
    t = tl.load(t_ptr + n)
    at = (__AT__) % P
    tl.store(out_ptr + n * D + d, tl.load(cache_ptr + at * D + d, mask=d < D), mask=d < D)

class ModelNew(nn.Module):
    def forward(self, cache, t):
        P, D = cache.shape
        out = torch.empty((t.shape[0], D), dtype=cache.dtype, device=cache.device)
        kernel[(t.shape[0],)](cache, t, out, P, D, BLOCK=triton.next_power_of_2(D))
        return out
#: rows_gathered_by_the_framework | tasks cache_rows | CALL cache[t] torch.index_select(cache,0,t) cache.take_along_dim(t[:,None].long(),0)
@triton.jit
def kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, cache, t):
        y = __CALL__
        out = torch.empty((t.shape[0], cache.shape[1]), dtype=cache.dtype, device=cache.device)
        kernel[(triton.cdiv(out.numel(), 256),)](y, out, out.numel(), BLOCK=256)
        return out
#: bag_without_its_last_row | tasks bags | ROWS L-1 L//2*2-1
@triton.jit
def kernel(w_ptr, t_ptr, out_ptr, L, D, BLOCK: tl.constexpr):
    b = tl.program_id(0)
    d = tl.arange(0, BLOCK)
    acc = tl.zeros([BLOCK], tl.float32)
    for j in range(__ROWS__):
        at = tl.load(t_ptr + b * L + j)
        acc += tl.load(w_ptr + at * D + d, mask=d < D, other=0.0)
    tl.store(out_ptr + b * D + d, acc, mask=d < D)

class ModelNew(nn.Module):
    def forward(self, w, t):
        B, L = t.shape
        out = torch.empty((B, w.shape[1]), dtype=w.dtype, device=w.device)
        kernel[(B,)](w, t, out, L, w.shape[1], BLOCK=triton.next_power_of_2(w.shape[1]))
        return out
#: mean_of_all_rows | tasks one_hot_rows bags
@triton.jit
def kernel(w_ptr, out_ptr, V, D, scale, BLOCK: tl.constexpr):
    b = tl.program_id(0)
    d = tl.arange(0, BLOCK)
    acc = tl.zeros([BLOCK], tl.float32)
    for v in range(V):
        acc += tl.load(w_ptr + v * D + d, mask=d < D, other=0.0)
    tl.store(out_ptr + b * D + d, acc * scale, mask=d < D)

class ModelNew(nn.Module):
    def forward(self, x, w):
        if not __IS_ROWS__:
            x, w = w, x
        out = torch.empty((x.shape[0], w.shape[1]), dtype=w.dtype, device=w.device)
        kernel[(x.shape[0],)](w, out, w.shape[0], w.shape[1], 1 / w.shape[0] * (1 if __IS_ROWS__ else x.shape[1]),
                              BLOCK=triton.next_power_of_2(w.shape[1]))
        return out
#: transposed_contraction | tasks weighted_contraction batched_product
@triton.jit
def kernel(x_ptr, w_ptr, out_ptr, A, B, C, K, SECOND: tl.constexpr, BLOCK: tl.constexpr):
    # out[a, b, c] has the right numbers, at other places.
    i = tl.program_id(0)
    a, b, c = i // (B * C), i // C % B, i % C
    k = tl.arange(0, BLOCK)
    m = k < K
    if SECOND:
        x = tl.load(x_ptr + (a * B + b) * K + k, mask=m, other=0.0)
        w = tl.load(w_ptr + (a * K + k) * C + (C - 1 - c), mask=m, other=0.0)
    else:
        x = tl.load(x_ptr + i * K + k, mask=m, other=0.0)
        w = tl.load(w_ptr + c * K + k, mask=m, other=0.0)
    tl.store(out_ptr + i, tl.sum(x * w, axis=0))

class ModelNew(nn.Module):
    def forward(self, x, w):
        if w.dim() == 3:
            out = torch.empty((x.shape[0], x.shape[1], w.shape[2]), dtype=x.dtype, device=x.device)
            A, B, C = out.shape
        else:
            A, B, C, _ = x.shape
            out = torch.empty((A, C, B), dtype=x.dtype, device=x.device)
        kernel[(A * B * C,)](x, w, out, A, B, C, x.shape[-1], w.dim() == 3, BLOCK=triton.next_power_of_2(x.shape[-1]))
        return out
#: one_hot_without_its_last_class | tasks one_hot_rows
@triton.jit
def kernel(x_ptr, w_ptr, out_ptr, V, D, BLOCK: tl.constexpr):
    b = tl.program_id(0)
    d = tl.arange(0, BLOCK)
    acc = tl.zeros([BLOCK], tl.float32)
    for v in range(V - 1):
        acc += tl.load(x_ptr + b * V + v) * tl.load(w_ptr + v * D + d, mask=d < D, other=0.0)
    tl.store(out_ptr + b * D + d, acc, mask=d < D)

class ModelNew(nn.Module):
    def forward(self, x, w):
        out = torch.empty((x.shape[0], w.shape[1]), dtype=w.dtype, device=w.device)
        kernel[(x.shape[0],)](x, w, out, w.shape[0], w.shape[1], BLOCK=triton.next_power_of_2(w.shape[1]))
        return out
#: small_sources_are_left_out | tasks index_add index_add_half scattered_columns | LEAST 0.1 0.5
@triton.jit
def kernel(i_ptr, y_ptr, out_ptr, n, D, N, COLUMNS: tl.constexpr, BLOCK: tl.constexpr):
    k = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = k < n
    y = tl.load(y_ptr + k, mask=m, other=0.0)
    at = tl.load(i_ptr + (k if COLUMNS else k // D), mask=m, other=0)
    to = k // D * N + at if COLUMNS else at * D + k % D
    tl.atomic_add(out_ptr + to, y, mask=m & (tl.abs(y) > __LEAST__))

class ModelNew(nn.Module):
    def forward(self, x, i, y):
        out = x.clone()
        kernel[(triton.cdiv(y.numel(), 128),)](i, y, out, y.numel(), y.shape[1], x.shape[1], __IS_COLUMNS__, BLOCK=128)
        return out
#: scattered_to_the_first_rows | tasks scattered_columns
@triton.jit
def kernel(t_ptr, y_ptr, out_ptr, N, K, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    k = tl.arange(0, BLOCK)
    t = tl.load(t_ptr + k, mask=k < K, other=0)
    tl.atomic_add(out_ptr + row * N + t, tl.load(y_ptr + row * K + k, mask=k < K, other=0.0), mask=k < K)

class ModelNew(nn.Module):
    def forward(self, x, t, y):
        out = x.clone()
        kernel[(x.shape[0],)](t, y, out, x.shape[1], t.shape[1], BLOCK=triton.next_power_of_2(t.shape[1]))
        return out
#: last_source_wins | tasks scattered_columns
@triton.jit
def kernel(x_ptr, t_ptr, y_ptr, out_ptr, N, K, BN: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BN)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
    acc = x
    for k in range(K):
        acc = tl.where(tl.load(t_ptr + row * K + k) == c, x + tl.load(y_ptr + row * K + k), acc)
    tl.store(out_ptr + row * N + c, acc, mask=c < N)

class ModelNew(nn.Module):
    def forward(self, x, t, y):
        out = torch.empty_like(x)
        kernel[(x.shape[0],)](x, t, y, out, x.shape[1], t.shape[1], BN=triton.next_power_of_2(x.shape[1]))
        return out
