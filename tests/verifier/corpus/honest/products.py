#: tiled | tasks matmul linear_relu | PRECISION ieee tf32x3 | BLOCK 16 32
@triton.jit
def kernel(x_ptr, w_ptr, b_ptr, y_ptr, M, N, K, sxm, sxk, swk, swn,
           BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, BIAS: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    a_ptrs = x_ptr + rm[:, None] * sxm + rk[None, :] * sxk
    b_ptrs = w_ptr + rk[:, None] * swk + rn[None, :] * swn
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        left = K - k * BK
        a = tl.load(a_ptrs, mask=(rm[:, None] < M) & (rk[None, :] < left), other=0.0)
        b = tl.load(b_ptrs, mask=(rk[:, None] < left) & (rn[None, :] < N), other=0.0)
        acc = tl.dot(a, b, acc, input_precision="__PRECISION__")
        a_ptrs += BK * sxk
        b_ptrs += BK * swk
    if BIAS:
        acc = tl.maximum(acc + tl.load(b_ptr + rn, mask=rn < N)[None, :], 0.0)
    tl.store(y_ptr + rm[:, None] * N + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] < N))

class ModelNew(nn.Module):
    def forward(self, x, w, b=None):
        M, K = x.shape
        if b is not None:
            w = w.t()
        N = w.shape[1]
        y = torch.empty((M, N), device=x.device, dtype=x.dtype)
        grid = lambda META: (triton.cdiv(M, META['BM']), triton.cdiv(N, META['BN']))
        kernel[grid](x, w, b, y, M, N, K, x.stride(0), x.stride(1), w.stride(0), w.stride(1),
                     BM=__BLOCK__, BN=__BLOCK__, BK=16, BIAS=b is not None)
        return y
#: half_precision | tasks matmul | dtypes f16 bf16 | STAGES 2 3
@triton.jit
def kernel(x_ptr, w_ptr, y_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        rk = k + tl.arange(0, BK)
        a = tl.load(x_ptr + rm[:, None] * K + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K), other=0.0)
        b = tl.load(w_ptr + rk[:, None] * N + rn[None, :], mask=(rk[:, None] < K) & (rn[None, :] < N), other=0.0)
        acc += tl.dot(a, b)
    tl.store(y_ptr + rm[:, None] * N + rn[None, :], acc.to(y_ptr.dtype.element_ty), mask=(rm[:, None] < M) & (rn[None, :] < N))

class ModelNew(nn.Module):
    def forward(self, x, w):
        M, K = x.shape
        N = w.shape[1]
        y = torch.empty((M, N), device=x.device, dtype=x.dtype)
        kernel[(triton.cdiv(M, 16), triton.cdiv(N, 16))](x, w, y, M, N, K, BM=16, BN=16, BK=32, num_stages=__STAGES__)
        return y
#: grouped_order | tasks matmul | GROUP 1 4
@triton.jit
def kernel(x_ptr, w_ptr, y_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr):
    pid = tl.program_id(0)
    tiles_m, tiles_n = tl.cdiv(M, BM), tl.cdiv(N, BN)
    in_group = GROUP * tiles_n
    group = pid // in_group
    first = group * GROUP
    rows = min(tiles_m - first, GROUP)
    pm = first + (pid % in_group) % rows
    pn = (pid % in_group) // rows
    rm = (pm * BM + tl.arange(0, BM)) % M
    rn = (pn * BN + tl.arange(0, BN)) % N
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        rk = k + tl.arange(0, BK)
        a = tl.load(x_ptr + rm[:, None] * K + rk[None, :], mask=rk[None, :] < K, other=0.0)
        b = tl.load(w_ptr + rk[:, None] * N + rn[None, :], mask=rk[:, None] < K, other=0.0)
        acc += tl.dot(a, b, allow_tf32=False)
    om = pm * BM + tl.arange(0, BM)
    on = pn * BN + tl.arange(0, BN)
    tl.store(y_ptr + om[:, None] * N + on[None, :], acc, mask=(om[:, None] < M) & (on[None, :] < N))

class ModelNew(nn.Module):
    def forward(self, x, w):
        (M, K), N = x.shape, w.shape[-1]
        y = torch.empty(M, N, device=x.device, dtype=x.dtype)
        tiles = triton.cdiv(M, 16) * triton.cdiv(N, 16)
        kernel[(tiles,)](x, w, y, M, N, K, BM=16, BN=16, BK=16, GROUP=__GROUP__)
        return y
#: block_pointers | tasks matmul | dtypes f32 f16
@triton.jit
def kernel(x_ptr, w_ptr, y_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    pm, pn = tl.program_id(0), tl.program_id(1)
    x = tl.make_block_ptr(x_ptr, shape=(M, K), strides=(K, 1), offsets=(pm * BM, 0), block_shape=(BM, BK), order=(1, 0))
    w = tl.make_block_ptr(w_ptr, (K, N), (N, 1), (0, pn * BN), (BK, BN), (1, 0))
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        a = tl.load(x, boundary_check=(0, 1), padding_option="zero")
        b = tl.load(w, boundary_check=(0, 1), padding_option="zero")
        acc += tl.dot(a, b, input_precision="ieee")
        x = tl.advance(x, (0, BK))
        w = tl.advance(w, (BK, 0))
    y = tl.make_block_ptr(y_ptr, (M, N), (N, 1), (pm * BM, pn * BN), (BM, BN), (1, 0))
    tl.store(y, acc.to(y_ptr.dtype.element_ty), boundary_check=(0, 1))

class ModelNew(nn.Module):
    def forward(self, x, w):
        M, K = x.shape
        _, N = w.shape
        y = torch.empty((M, N), device=x.device, dtype=x.dtype)
        kernel[(triton.cdiv(M, 16), triton.cdiv(N, 32))](x, w, y, M, N, K, BM=16, BN=32, BK=16)
        return y
#: without_dot | tasks matmul
@triton.jit
def kernel(x_ptr, w_ptr, y_ptr, N, K, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    x = tl.load(x_ptr + m * K + rk, mask=rk < K, other=0.0)
    w = tl.load(w_ptr + rk[:, None] * N + rn[None, :], mask=(rk[:, None] < K) & (rn[None, :] < N), other=0.0)
    tl.store(y_ptr + m * N + rn, tl.sum(x[:, None] * w, axis=0), mask=rn < N)

class ModelNew(nn.Module):
    def forward(self, x, w):
        y = torch.empty((x.shape[0], w.shape[1]), device=x.device, dtype=x.dtype)
        kernel[(x.shape[0], triton.cdiv(w.shape[1], 16))](x, w, y, w.shape[1], x.shape[1], BN=16,
                                                          BK=triton.next_power_of_2(x.shape[1]))
        return y
#: split_k | tasks matmul | SPLIT 2 3
@triton.jit
def kernel(x_ptr, w_ptr, y_ptr, M, N, K, SPLIT: tl.constexpr, B: tl.constexpr):
    rm = tl.program_id(0) * B + tl.arange(0, B)
    rn = tl.program_id(1) * B + tl.arange(0, B)
    acc = tl.zeros((B, B), dtype=tl.float32)
    for k in range(tl.program_id(2) * B, K, SPLIT * B):
        rk = k + tl.arange(0, B)
        a = tl.load(x_ptr + rm[:, None] * K + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K), other=0.0)
        b = tl.load(w_ptr + rk[:, None] * N + rn[None, :], mask=(rk[:, None] < K) & (rn[None, :] < N), other=0.0)
        acc += tl.dot(a, b, input_precision='ieee')
    tl.atomic_add(y_ptr + rm[:, None] * N + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] < N))

class ModelNew(nn.Module):
    def forward(self, x, w):
        M, K = x.shape
        N = w.shape[1]
        y = torch.zeros((M, N), device=x.device, dtype=x.dtype)
        kernel[(triton.cdiv(M, 16), triton.cdiv(N, 16), __SPLIT__)](x, w, y, M, N, K, SPLIT=__SPLIT__, B=16)
        return y
#: batched | tasks bmm
@triton.jit
def kernel(x_ptr, w_ptr, y_ptr, M, N, K, sxb, swb, syb, B: tl.constexpr):
    batch = tl.program_id(2)
    x_ptr += batch * sxb
    w_ptr += batch * swb
    y_ptr += batch * syb
    rm = tl.program_id(0) * B + tl.arange(0, B)
    rn = tl.program_id(1) * B + tl.arange(0, B)
    acc = tl.zeros((B, B), dtype=tl.float32)
    for k in range(0, K, B):
        rk = k + tl.arange(0, B)
        a = tl.load(x_ptr + rm[:, None] * K + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K), other=0.0)
        b = tl.load(w_ptr + rk[:, None] * N + rn[None, :], mask=(rk[:, None] < K) & (rn[None, :] < N), other=0.0)
        acc += tl.dot(a, b, input_precision='ieee')
    tl.store(y_ptr + rm[:, None] * N + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] < N))

class ModelNew(nn.Module):
    def forward(self, x, w):
        (b, M, K), N = x.size(), w.size(2)
        y = torch.empty((b, M, N), device=x.device, dtype=x.dtype)
        kernel[(triton.cdiv(M, 16), triton.cdiv(N, 16), b)](x, w, y, M, N, K, x.stride(0), w.stride(0), y.stride(0), B=16)
        return y
#: one_launch_a_batch | tasks bmm
@triton.jit
def kernel(x_ptr, w_ptr, y_ptr, M, N, K, B: tl.constexpr):
    rm = tl.program_id(0) * B + tl.arange(0, B)
    rn = tl.program_id(1) * B + tl.arange(0, B)
    acc = tl.zeros((B, B), dtype=tl.float32)
    for k in range(0, K, B):
        rk = k + tl.arange(0, B)
        a = tl.load(x_ptr + rm[:, None] * K + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K), other=0.0)
        b = tl.load(w_ptr + rk[:, None] * N + rn[None, :], mask=(rk[:, None] < K) & (rn[None, :] < N), other=0.0)
        acc = tl.dot(a, b, acc=acc, input_precision='ieee')
    tl.store(y_ptr + rm[:, None] * N + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] < N))

class ModelNew(nn.Module):
    def forward(self, x, w):
        y = torch.empty((x.shape[0], x.shape[1], w.shape[2]), device=x.device, dtype=x.dtype)
        for one, (a, b) in enumerate(zip(x, w)):
            M, K = a.shape
            N = b.shape[1]
            kernel[(triton.cdiv(M, 16), triton.cdiv(N, 16))](a, b, y[one], M, N, K, B=16)
        return y
#: transposed_operand | tasks linear
@triton.jit
def kernel(x_ptr, w_ptr, y_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    a = tl.load(x_ptr + rm[:, None] * K + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K), other=0.0)
    w = tl.load(w_ptr + rn[:, None] * K + rk[None, :], mask=(rn[:, None] < N) & (rk[None, :] < K), other=0.0)
    y = tl.dot(a, tl.trans(w), input_precision="ieee")
    tl.store(y_ptr + rm[:, None] * N + rn[None, :], y, mask=(rm[:, None] < M) & (rn[None, :] < N))

class ModelNew(nn.Module):
    def forward(self, x, w):
        y = torch.empty((x.shape[0], w.shape[0]), device=x.device, dtype=x.dtype)
        kernel[(triton.cdiv(x.shape[0], 16), triton.cdiv(w.shape[0], 16))](
            x, w, y, x.shape[0], w.shape[0], x.shape[1], BM=16, BN=16, BK=triton.next_power_of_2(x.shape[1]))
        return y
#: attention | tasks attention | BM 16 32
@triton.jit
def kernel(q_ptr, k_ptr, v_ptr, o_ptr, L, scale, D: tl.constexpr, DP: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    head = tl.program_id(1)
    q_ptr += head * L * D
    k_ptr += head * L * D
    v_ptr += head * L * D
    o_ptr += head * L * D
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rd = tl.arange(0, DP)
    q = tl.load(q_ptr + rm[:, None] * D + rd[None, :], mask=(rm[:, None] < L) & (rd[None, :] < D), other=0.0)
    largest = tl.full((BM,), float('-inf'), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    acc = tl.zeros((BM, DP), tl.float32)
    for start in range(0, L, BN):
        rn = start + tl.arange(0, BN)
        m = (rn[:, None] < L) & (rd[None, :] < D)
        k = tl.load(k_ptr + rn[:, None] * D + rd[None, :], mask=m, other=0.0)
        v = tl.load(v_ptr + rn[:, None] * D + rd[None, :], mask=m, other=0.0)
        s = tl.dot(q, tl.trans(k), input_precision="ieee") * scale
        s = tl.where(rn[None, :] < L, s, float('-inf'))
        new = tl.maximum(largest, tl.max(s, 1))
        p = tl.exp(s - new[:, None])
        shrink = tl.exp(largest - new)
        total = total * shrink + tl.sum(p, 1)
        acc = acc * shrink[:, None] + tl.dot(p, v, input_precision="ieee")
        largest = new
    tl.store(o_ptr + rm[:, None] * D + rd[None, :], acc / total[:, None], mask=(rm[:, None] < L) & (rd[None, :] < D))

class ModelNew(nn.Module):
    def forward(self, q, k, v):
        H, L, D = q.shape
        o = torch.empty_like(q)
        kernel[(triton.cdiv(L, __BM__), H)](q, k, v, o, L, D ** -0.5, D=D, DP=max(16, triton.next_power_of_2(D)), BM=__BM__, BN=16)
        return o
#: outer_product | tasks outer
@triton.jit
def kernel(x_ptr, y_ptr, z_ptr, M, N, B: tl.constexpr):
    r = tl.program_id(0) * B + tl.arange(0, B)
    c = tl.program_id(1) * B + tl.arange(0, B)
    x = tl.load(x_ptr + r, mask=r < M)
    y = tl.load(y_ptr + c, mask=c < N)
    tl.store(z_ptr + r[:, None] * N + c[None, :], x[:, None] * y[None, :], mask=(r[:, None] < M) & (c[None, :] < N))

class ModelNew(nn.Module):
    def forward(self, x, y):
        z = torch.empty(x.numel(), y.numel(), device=x.device, dtype=x.dtype)
        kernel[(triton.cdiv(x.numel(), 16), triton.cdiv(y.numel(), 16))](x, y, z, x.numel(), y.numel(), B=16)
        return z
