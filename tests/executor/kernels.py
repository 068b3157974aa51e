"""Triton kernels in the styles that candidates write, for make_cases.py. `# BAD: kind` marks the line of a memory error."""
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(out + offsets, tl.load(x + offsets, mask=mask) + tl.load(y + offsets, mask=mask), mask=mask)


@triton.jit
def gelu_chain(x, y, out, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    v = tl.load(x + offsets, mask=mask, other=0.0)
    v = 0.5 * v * (1.0 + tl.erf(v * 0.7071067811865476))
    w = tl.load(y + offsets, mask=mask, other=0.0)
    v = tl.where(v > 20.0, v, tl.log(1.0 + tl.exp(v))) * w
    v = v * tl.sigmoid(v)
    tl.store(out + offsets, v, mask=mask)


@triton.jit
def early_exit(x, out, n, BLOCK: tl.constexpr):
    start = tl.program_id(0) * BLOCK
    if start >= n:
        return
    offsets = start + tl.arange(0, BLOCK)
    mask = offsets < n
    v = tl.load(x + offsets, mask=mask, other=0.0)
    if n > 100:
        v = v * 2.0
        if n > 1000:
            tl.store(out + offsets, v, mask=mask)
            return
    else:
        v = v + 1.0
    tl.store(out + offsets, v, mask=mask)


@triton.jit
def softmax(x, out, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n
    v = tl.load(x + row * n + columns, mask=mask, other=-float('inf'))
    v = tl.exp(v - tl.max(v, axis=0))
    tl.store(out + row * n + columns, v / tl.sum(v, axis=0), mask=mask)


@triton.jit
def online_softmax(x, out, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    largest = -float('inf')
    total = 0.0
    for start in range(0, n, BLOCK):
        columns = start + tl.arange(0, BLOCK)
        v = tl.load(x + row * n + columns, mask=columns < n, other=-float('inf'))
        new = tl.maximum(largest, tl.max(v, axis=0))
        total = total * tl.exp(largest - new) + tl.sum(tl.exp(v - new), axis=0)
        largest = new
    for start in range(0, n, BLOCK):
        columns = start + tl.arange(0, BLOCK)
        v = tl.load(x + row * n + columns, mask=columns < n, other=0.0)
        tl.store(out + row * n + columns, tl.exp(v - largest) / total, mask=columns < n)


@triton.jit
def layer_norm(x, out, n, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n
    v = tl.load(x + row * n + columns, mask=mask, other=0.0).to(tl.float32)
    mean = tl.sum(v, axis=0) / n
    centred = tl.where(mask, v - mean, 0.0)
    variance = tl.sum(centred * centred, axis=0) / n
    tl.store(out + row * n + columns, centred * tl.rsqrt(variance + eps), mask=mask)


@triton.jit
def matmul(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, PRECISION: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    ks = tl.arange(0, BK)
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        left = tl.load(a + rows[:, None] * K + (k + ks)[None, :], mask=(rows[:, None] < M) & ((k + ks)[None, :] < K), other=0.0)
        right = tl.load(b + (k + ks)[:, None] * N + columns[None, :], mask=((k + ks)[:, None] < K) & (columns[None, :] < N), other=0.0)
        total = tl.dot(left, right, total, input_precision=PRECISION)
    mask = (rows[:, None] < M) & (columns[None, :] < N)
    tl.store(c + rows[:, None] * N + columns[None, :], total.to(c.dtype.element_ty), mask=mask)


@triton.jit
def matmul_pointers(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """Advances pointers in the loop, and swizzles program numbers, as Triton's tutorial does."""
    pid = tl.program_id(0)
    blocks_m = tl.cdiv(M, BM)
    blocks_n = tl.cdiv(N, BN)
    in_group = 2 * blocks_n
    group = pid // in_group
    first = group * 2
    size = tl.minimum(blocks_m - first, 2)
    pid_m = first + (pid % in_group) % size
    pid_n = (pid % in_group) // size
    rows = (pid_m * BM + tl.arange(0, BM)) % M
    columns = (pid_n * BN + tl.arange(0, BN)) % N
    ks = tl.arange(0, BK)
    left = a + rows[:, None] * K + ks[None, :]
    right = b + ks[:, None] * N + columns[None, :]
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        x = tl.load(left, mask=ks[None, :] < K - k * BK, other=0.0)
        y = tl.load(right, mask=ks[:, None] < K - k * BK, other=0.0)
        total += tl.dot(x, y, input_precision='ieee')
        left += BK
        right += BK * N
    rows = pid_m * BM + tl.arange(0, BM)
    columns = pid_n * BN + tl.arange(0, BN)
    tl.store(c + rows[:, None] * N + columns[None, :], total, mask=(rows[:, None] < M) & (columns[None, :] < N))


@triton.jit
def block_pointers(a, out, M, N, BM: tl.constexpr, BN: tl.constexpr):
    source = tl.make_block_ptr(a, (M, N), (N, 1), (tl.program_id(0) * BM, 0), (BM, BN), (1, 0))
    total = tl.zeros((BM,), dtype=tl.float32)
    for _ in range(0, N, BN):
        total += tl.sum(tl.load(source, boundary_check=(0, 1), padding_option='zero'), axis=1)
        source = tl.advance(source, (0, BN))
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    tl.store(out + rows, total, mask=rows < M)


@triton.jit
def transpose(x, out, M, N, BM: tl.constexpr, BN: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    v = tl.load(x + rows[:, None] * N + columns[None, :], mask=(rows[:, None] < M) & (columns[None, :] < N))
    tl.store(out + columns[:, None] * M + rows[None, :], tl.trans(v), mask=(columns[:, None] < N) & (rows[None, :] < M))


@triton.jit
def column_sum(x, out, M, N, BM: tl.constexpr, BN: tl.constexpr):
    columns = tl.program_id(0) * BN + tl.arange(0, BN)
    total = tl.zeros((BN,), dtype=tl.float32)
    for start in range(0, M, BM):
        rows = start + tl.arange(0, BM)
        v = tl.load(x + rows[:, None] * N + columns[None, :], mask=(rows[:, None] < M) & (columns[None, :] < N), other=0.0)
        total += tl.sum(v, axis=0)
    tl.store(out + columns, total, mask=columns < N)


@triton.jit
def reductions(x, out, out_index, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n
    v = tl.load(x + row * n + columns, mask=mask, other=0.0)
    tl.store(out + row * 5 + 0, tl.sum(v))
    tl.store(out + row * 5 + 1, tl.max(tl.where(mask, v, -float('inf'))))
    tl.store(out + row * 5 + 2, tl.min(tl.where(mask, v, float('inf'))))
    tl.store(out + row * 5 + 3, tl.sum(tl.where(mask, v, 0.0) * v))
    tl.store(out + row * 5 + 4, tl.sum(tl.abs(v), axis=0) / n)
    tl.store(out_index + row * 3 + 0, tl.argmax(tl.where(mask, v, -float('inf')), axis=0))
    tl.store(out_index + row * 3 + 1, tl.argmin(tl.where(mask, v, float('inf')), axis=0))
    tl.store(out_index + row * 3 + 2, tl.xor_sum(columns * 3, axis=0))


@triton.jit
def combine_mean(count_a, mean_a, m2_a, count_b, mean_b, m2_b):
    delta = mean_b - mean_a
    count = count_a + count_b
    share = tl.where(count == 0.0, 0.0, count_b / count)
    return count, mean_a + delta * share, m2_a + m2_b + delta * delta * count_a * share


@triton.jit
def welford(x, out, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n
    v = tl.load(x + row * n + columns, mask=mask, other=0.0)
    count, mean, m2 = tl.reduce((mask.to(tl.float32), v, tl.zeros_like(v)), 0, combine_mean)
    tl.store(out + row * 2, mean)
    tl.store(out + row * 2 + 1, m2 / count)


@triton.jit
def take_last(a, b):
    return b


@triton.jit
def branching(a, b):
    if a > b:
        c = a - b
    else:
        c = b
    return c


@triton.jit
def order_matters(x, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    v = tl.load(x + i)
    tl.store(out, tl.reduce(v, 0, take_last))
    tl.store(out + 1 + i, tl.associative_scan(v, 0, branching))


@triton.jit
def scans(x, out, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    v = tl.load(x + row * n + columns, mask=columns < n, other=0.0)
    tl.store(out + (row * 3 + 0) * n + columns, tl.cumsum(v, axis=0), mask=columns < n)
    tl.store(out + (row * 3 + 1) * n + columns, tl.cumsum(v, axis=0, reverse=True), mask=columns < n)
    tl.store(out + (row * 3 + 2) * n + columns, tl.cumprod(1.0 + v * 0.01, axis=0), mask=columns < n)


@triton.jit
def linear_step(a_1, b_1, a_2, b_2):
    return a_1 * a_2, a_2 * b_1 + b_2


@triton.jit
def recurrence(a, b, out, BM: tl.constexpr, BN: tl.constexpr):
    at = tl.arange(0, BM)[:, None] * BN + tl.arange(0, BN)[None, :]
    _, h = tl.associative_scan((tl.load(a + at), tl.load(b + at)), 0, linear_step)
    tl.store(out + at, h)


@triton.jit
def split_k(a, b, out, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    v = tl.load(a + offsets, mask=mask, other=0.0) * tl.load(b + offsets, mask=mask, other=0.0)
    tl.atomic_add(out, tl.sum(v, axis=0))


@triton.jit
def atomics(x, counts, extremes, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    v = tl.load(x + offsets, mask=mask, other=0)
    tl.atomic_add(counts + v % 8, 1, mask=mask)
    tl.atomic_max(extremes, tl.max(v))
    tl.atomic_min(extremes + 1, tl.min(tl.where(mask, v, 1000)))
    tl.atomic_or(extremes + 2, tl.max(v) & 3)
    tl.atomic_xchg(extremes + 3, 7)
    tl.atomic_cas(extremes + 4, 0, 5)


@triton.jit
def last_adds_up(x, partial, counter, out, n, BLOCK: tl.constexpr, PROGRAMS: tl.constexpr):
    pid = tl.program_id(0)
    offsets = pid * BLOCK + tl.arange(0, BLOCK)
    tl.store(partial + pid, tl.sum(tl.load(x + offsets, mask=offsets < n, other=0.0)))
    done = tl.atomic_add(counter, 1)
    if done == PROGRAMS - 1:
        tl.store(out, tl.sum(tl.load(partial + tl.arange(0, PROGRAMS))))


@triton.jit
def row_max(x, largest, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    v = tl.load(x + row * n + columns, mask=columns < n, other=-float('inf'))
    tl.store(largest + row, tl.max(v, axis=0))


@triton.jit
def subtract_row(x, largest, out, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < n
    tl.store(out + row * n + columns, tl.load(x + row * n + columns, mask=mask) - tl.load(largest + row), mask=mask)


@triton.jit(noinline=True)
def square_plus(x, y):
    return x * x + y


@triton.jit
def calls(x, out):
    i = tl.program_id(0)
    tl.store(out + i, square_plus(tl.load(x + i), 1.0) + square_plus(2.0, tl.load(x + i)))


@triton.jit
def collatz(x, out):
    i = tl.program_id(0)
    v = tl.load(x + i)
    steps = 0
    while v > 1:
        if v % 2 == 0:
            v = v // 2
        else:
            v = 3 * v + 1
        steps += 1
    tl.store(out + i, steps)


@triton.jit
def shapes(x, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    a = tl.load(x + i)
    b = tl.load(x + BLOCK + i)
    joined = tl.join(a, b)
    first, second = tl.split(joined)
    tl.store(out + tl.arange(0, 2 * BLOCK), tl.reshape(joined, (2 * BLOCK,)))
    tl.store(out + 2 * BLOCK + tl.arange(0, 2 * BLOCK), tl.cat(first, second, can_reorder=True))
    tl.store(out + 4 * BLOCK + i, tl.sort(a))
    tl.store(out + 5 * BLOCK + i, tl.flip(a, 0))
    tl.store(out + 6 * BLOCK + tl.arange(0, 2 * BLOCK), tl.interleave(a, b))
    tl.store(out + 8 * BLOCK + i, tl.gather(a, BLOCK - 1 - i, 0))
    cube = tl.reshape(tl.join(a, b), (BLOCK // 4, 4, 2))
    tl.store(out + 9 * BLOCK + tl.arange(0, 2 * BLOCK), tl.reshape(tl.permute(cube, (2, 0, 1)), (2 * BLOCK,)))
    tl.store(out + 11 * BLOCK + i, tl.broadcast_to(tl.sum(a, axis=0), (BLOCK,)))


@triton.jit
def histogram(x, out, n, BLOCK: tl.constexpr, BINS: tl.constexpr):
    i = tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n, other=0)
    tl.store(out + tl.arange(0, BINS), tl.histogram(v, BINS))


@triton.jit
def swap_in_loop(x, out, n):
    a = tl.load(x)
    b = tl.load(x + 1)
    for _ in range(n):
        a, b = b, a + b
    tl.store(out, a)
    tl.store(out + 1, b)


@triton.jit
def batched(a, b, c, B: tl.constexpr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    i = tl.arange(0, B)[:, None, None]
    left = tl.load(a + i * M * K + tl.arange(0, M)[None, :, None] * K + tl.arange(0, K)[None, None, :])
    right = tl.load(b + i * K * N + tl.arange(0, K)[None, :, None] * N + tl.arange(0, N)[None, None, :])
    product = tl.dot(left, right, input_precision='ieee')
    tl.store(c + i * M * N + tl.arange(0, M)[None, :, None] * N + tl.arange(0, N)[None, None, :], product)


@triton.jit
def random_numbers(out, seed, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out + i, tl.randint(seed, i).to(tl.int64) & 0xFFFFFFFF)


@triton.jit
def flash_attention(q, k, v, out, n, SCALE: tl.constexpr, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    d = tl.arange(0, D)
    queries = tl.load(q + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    largest = tl.full((BM,), -float('inf'), dtype=tl.float32)
    total = tl.zeros((BM,), dtype=tl.float32)
    result = tl.zeros((BM, D), dtype=tl.float32)
    for start in range(0, n, BN):
        columns = start + tl.arange(0, BN)
        keys = tl.load(k + columns[:, None] * D + d[None, :], mask=columns[:, None] < n, other=0.0)
        values = tl.load(v + columns[:, None] * D + d[None, :], mask=columns[:, None] < n, other=0.0)
        scores = tl.dot(queries, tl.trans(keys), input_precision='ieee') * SCALE
        scores = tl.where(columns[None, :] < n, scores, -float('inf'))
        new = tl.maximum(largest, tl.max(scores, axis=1))
        share = tl.exp(scores - new[:, None])
        rescale = tl.exp(largest - new)
        total = total * rescale + tl.sum(share, axis=1)
        result = result * rescale[:, None] + tl.dot(share, values, input_precision='ieee')
        largest = new
    tl.store(out + rows[:, None] * D + d[None, :], result / total[:, None], mask=rows[:, None] < n)


@triton.jit
def strided_rows(x, out, M, N, stride_m, stride_n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    v = tl.load(x + row * stride_m + columns * stride_n, mask=columns < N, other=0.0)
    tl.store(out + row * N + columns, tl.maximum(v, 0.0), mask=columns < N)


@triton.jit
def grid_stride(x, out, n, BLOCK: tl.constexpr):
    for start in range(tl.program_id(0) * BLOCK, n, tl.num_programs(0) * BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        v = tl.load(x + offsets, mask=offsets < n, other=0.0, cache_modifier='.cg', eviction_policy='evict_first')
        tl.store(out + offsets, tl.clamp(v, -0.5, 0.5), mask=offsets < n, cache_modifier='.wt')


# ---- kernels with memory errors ----


@triton.jit
def no_load_mask(x, out, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + offsets)  # BAD: out_of_bounds_load
    tl.store(out + offsets, v * 2.0, mask=offsets < n)


@triton.jit
def no_store_mask(x, out, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + offsets, mask=offsets < n, other=0.0)
    tl.store(out + offsets, v)  # BAD: out_of_bounds_store


@triton.jit
def helper_load(pointer):
    return tl.load(pointer)  # BAD: out_of_bounds_load


@triton.jit
def error_in_helper(x, out, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + offsets, helper_load(x + offsets), mask=offsets < n)


@triton.jit
def negative_offset(x, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    left = tl.load(x + i - 1)  # BAD: out_of_bounds_load
    tl.store(out + i, left)


@triton.jit
def far_away(x, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK).to(tl.int64)
    v = tl.load(x + i * 0x7FFFFFFFFFFFFF)  # BAD: out_of_bounds_load
    tl.store(out + i, v)


@triton.jit
def unwritten(x, temporary, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(temporary + i, tl.load(x + i), mask=i < BLOCK - 1)
    tl.store(out + i, tl.load(temporary + i))  # BAD: unwritten_read


@triton.jit
def same_place(out):
    tl.store(out, tl.program_id(0))  # BAD: race


@triton.jit
def neighbours(x, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    left = tl.load(x + i - 1, mask=i > 0, other=0.0)  # BAD: race
    tl.store(x + i, left + 1.0, mask=i < n)


@triton.jit
def no_atomic(x, out, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.sum(tl.load(x + offsets, mask=offsets < n, other=0.0))
    tl.store(out, tl.load(out) + v)  # BAD: race


@triton.jit
def writes_input(x, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + offsets, 0.0, mask=offsets < n)  # BAD: read_only_store


@triton.jit
def endless(out, n):
    i = n
    while i > 0:
        i = i * 3 % 7 + 1  # BAD: timeout
    tl.store(out, i)


@triton.jit
def divides_where_masked(x, d, out, n, BLOCK: tl.constexpr):
    """The lanes beyond n divide by zero, and their results are unused."""
    i = tl.arange(0, BLOCK)
    mask = i < n
    tl.store(out + i, tl.load(x + i, mask=mask) // tl.load(d + i, mask=mask, other=0), mask=mask)


@triton.jit
def divides_by_zero(x, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i) // tl.program_id(0))  # BAD: division_by_zero


@triton.jit
def same_value(out, BLOCK: tl.constexpr):
    """Every program stores the same value, so the order doesn't matter."""
    tl.store(out + tl.arange(0, BLOCK), tl.arange(0, BLOCK))


@triton.jit
def library_functions(x, out, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    mask = i < n
    v = tl.load(x + i, mask=mask, other=0.5)
    tl.store(out + 0 * n + i, libdevice.tanh(v), mask=mask)
    tl.store(out + 1 * n + i, libdevice.pow(tl.abs(v) + 0.1, 1.7), mask=mask)
    tl.store(out + 2 * n + i, libdevice.expm1(v), mask=mask)
    tl.store(out + 3 * n + i, libdevice.log1p(tl.abs(v)), mask=mask)
    tl.store(out + 4 * n + i, libdevice.rsqrt(tl.abs(v) + 0.1), mask=mask)
    tl.store(out + 5 * n + i, libdevice.erf(v), mask=mask)
    tl.store(out + 6 * n + i, libdevice.atan2(v, 0.5), mask=mask)
    tl.store(out + 7 * n + i, libdevice.round(v * 3.0), mask=mask)
    tl.store(out + 8 * n + i, libdevice.fast_expf(v), mask=mask)
    tl.store(out + 9 * n + i, libdevice.fmod(v, 0.3), mask=mask)
