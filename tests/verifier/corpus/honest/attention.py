#: flash | tasks attention causal_attention biased_attention | dtypes f16 bf16 | EXP exp exp2 | BM 16 32
@triton.jit
def kernel(q_ptr, k_ptr, v_ptr, b_ptr, o_ptr, L, scale, D: tl.constexpr, DP: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, CAUSAL: tl.constexpr):
    head = tl.program_id(1)
    q_ptr += head * L * D
    k_ptr += head * L * D
    v_ptr += head * L * D
    o_ptr += head * L * D
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rd = tl.arange(0, DP)
    q = tl.load(q_ptr + rm[:, None] * D + rd[None, :], mask=(rm[:, None] < L) & (rd[None, :] < D), other=0.0)
    if "__EXP__" == "exp2":
        scale *= 1.4426950408889634
    m = tl.full((BM,), float("-inf"), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    acc = tl.zeros((BM, DP), tl.float32)
    end = tl.minimum(L, (tl.program_id(0) + 1) * BM) if CAUSAL else L
    for start in range(0, end, BN):
        rn = start + tl.arange(0, BN)
        k = tl.load(k_ptr + rd[:, None] + rn[None, :] * D, mask=(rn[None, :] < L) & (rd[:, None] < D), other=0.0)
        v = tl.load(v_ptr + rn[:, None] * D + rd[None, :], mask=(rn[:, None] < L) & (rd[None, :] < D), other=0.0)
        s = tl.dot(q, k) * scale
        if b_ptr is not None:
            b = tl.load(b_ptr + rm[:, None] * L + rn[None, :], mask=(rm[:, None] < L) & (rn[None, :] < L), other=0.0)
            s += b.to(tl.float32) * (1.4426950408889634 if "__EXP__" == "exp2" else 1.0)
        seen = rn[None, :] < L
        if CAUSAL:
            seen = seen & (rm[:, None] >= rn[None, :])
        s = tl.where(seen, s, float("-inf"))
        new = tl.maximum(m, tl.max(s, 1))
        p = tl.__EXP__(s - new[:, None])
        alpha = tl.__EXP__(m - new)
        total = total * alpha + tl.sum(p, 1)
        acc = acc * alpha[:, None]
        acc = tl.dot(p.to(v.dtype), v, acc)
        m = new
    o = acc / total[:, None]
    tl.store(o_ptr + rm[:, None] * D + rd[None, :], o.to(o_ptr.dtype.element_ty), mask=(rm[:, None] < L) & (rd[None, :] < D))

class ModelNew(nn.Module):
    def forward(self, q, k, v, b=None):
        H, L, D = q.shape
        o = torch.empty_like(q)
        kernel[(triton.cdiv(L, __BM__), H)](q, k, v, b, o, L, D ** -0.5, D=D, DP=max(16, triton.next_power_of_2(D)), BM=__BM__, BN=16, CAUSAL=__IS_CAUSAL__)
        return o
#: scaled_query_in_two_passes | tasks attention causal_attention | dtypes f16 bf16
@triton.jit
def inner(acc, total, m, q, K, V, rm, L, low, high, D: tl.constexpr, DP: tl.constexpr, BN: tl.constexpr, MASKED: tl.constexpr):
    rd = tl.arange(0, DP)
    for start in tl.range(low, high, BN):
        rn = start + tl.arange(0, BN)
        k = tl.load(K + rn[None, :] * D + rd[:, None], mask=(rn[None, :] < L) & (rd[:, None] < D), other=0.0)
        s = tl.dot(q, k)
        if MASKED:
            s += tl.where((rm[:, None] >= rn[None, :]) & (rn[None, :] < L), 0.0, float("-inf"))
        else:
            s = tl.where(rn[None, :] < L, s, float("-inf"))
        new = tl.maximum(m, tl.max(s, 1))
        p = tl.math.exp2(s - new[:, None])
        alpha = tl.math.exp2(m - new)
        acc = acc * alpha[:, None]
        v = tl.load(V + rn[:, None] * D + rd[None, :], mask=(rn[:, None] < L) & (rd[None, :] < D), other=0.0)
        acc += tl.dot(p.to(V.dtype.element_ty), v)
        total = total * alpha + tl.sum(p, 1)
        m = new
    return acc, total, m

@triton.jit
def kernel(Q, K, V, O, L, scale, D: tl.constexpr, DP: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, CAUSAL: tl.constexpr):
    start = tl.program_id(0) * BM
    base = tl.program_id(1).to(tl.int64) * L * D
    rm = start + tl.arange(0, BM)
    rd = tl.arange(0, DP)
    q = tl.load(Q + base + rm[:, None] * D + rd[None, :], mask=(rm[:, None] < L) & (rd[None, :] < D), other=0.0)
    q = (q * (scale * 1.44269504)).to(Q.dtype.element_ty)
    m = tl.zeros([BM], dtype=tl.float32) - float("inf")
    total = tl.zeros([BM], dtype=tl.float32) + 1.0
    acc = tl.zeros([BM, DP], dtype=tl.float32)
    if CAUSAL:
        acc, total, m = inner(acc, total, m, q, K + base, V + base, rm, L, 0, start, D, DP, BN, False)
        acc, total, m = inner(acc, total, m, q, K + base, V + base, rm, L, start, tl.minimum(start + BM, L), D, DP, BN, True)
    else:
        acc, total, m = inner(acc, total, m, q, K + base, V + base, rm, L, 0, L, D, DP, BN, False)
    tl.store(O + base + rm[:, None] * D + rd[None, :], (acc / total[:, None]).to(O.dtype.element_ty), mask=(rm[:, None] < L) & (rd[None, :] < D))

class ModelNew(nn.Module):
    def forward(self, q, k, v):
        H, L, D = q.shape
        o = torch.empty_like(q)
        kernel[lambda meta: (triton.cdiv(L, meta["BM"]), H)](q, k, v, o, L, D ** -0.5, D=D, DP=max(16, triton.next_power_of_2(D)), BM=32, BN=16, CAUSAL=__IS_CAUSAL__, num_warps=4)
        return o
#: three_kernels_with_scores_in_half_precision | tasks attention causal_attention | dtypes f16 bf16
@triton.jit
def scores(q_ptr, k_ptr, s_ptr, L, scale, D: tl.constexpr, DP: tl.constexpr, B: tl.constexpr):
    head = tl.program_id(2)
    rm, rn, rd = tl.program_id(0) * B + tl.arange(0, B), tl.program_id(1) * B + tl.arange(0, B), tl.arange(0, DP)
    q = tl.load(q_ptr + head * L * D + rm[:, None] * D + rd[None, :], mask=(rm[:, None] < L) & (rd[None, :] < D), other=0.0)
    k = tl.load(k_ptr + head * L * D + rn[None, :] * D + rd[:, None], mask=(rn[None, :] < L) & (rd[:, None] < D), other=0.0)
    s = tl.dot(q, k) * scale
    tl.store(s_ptr + head * L * L + rm[:, None] * L + rn[None, :], s, mask=(rm[:, None] < L) & (rn[None, :] < L))

@triton.jit
def weights(s_ptr, L, CAUSAL: tl.constexpr, N: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, N)
    seen = c < L
    if CAUSAL:
        seen = c <= row % L
    s = tl.load(s_ptr + row * L + c, mask=seen, other=float("-inf")).to(tl.float32)
    e = tl.exp(s - tl.max(s, 0))
    tl.store(s_ptr + row * L + c, e / tl.sum(e, 0), mask=c < L)

@triton.jit
def values(s_ptr, v_ptr, o_ptr, L, D: tl.constexpr, DP: tl.constexpr, B: tl.constexpr):
    head = tl.program_id(1)
    rm, rd = tl.program_id(0) * B + tl.arange(0, B), tl.arange(0, DP)
    acc = tl.zeros((B, DP), tl.float32)
    for start in range(0, L, B):
        rn = start + tl.arange(0, B)
        p = tl.load(s_ptr + head * L * L + rm[:, None] * L + rn[None, :], mask=(rm[:, None] < L) & (rn[None, :] < L), other=0.0)
        v = tl.load(v_ptr + head * L * D + rn[:, None] * D + rd[None, :], mask=(rn[:, None] < L) & (rd[None, :] < D), other=0.0)
        acc = tl.dot(p, v, acc)
    tl.store(o_ptr + head * L * D + rm[:, None] * D + rd[None, :], acc, mask=(rm[:, None] < L) & (rd[None, :] < D))

class ModelNew(nn.Module):
    def forward(self, q, k, v):
        H, L, D = q.shape
        s = torch.empty((H, L, L), device=q.device, dtype=q.dtype)
        o = torch.empty_like(q)
        blocks = triton.cdiv(L, 16)
        scores[(blocks, blocks, H)](q, k, s, L, D ** -0.5, D=D, DP=max(16, triton.next_power_of_2(D)), B=16)
        weights[(H * L,)](s, L, CAUSAL=__IS_CAUSAL__, N=triton.next_power_of_2(L))
        values[(blocks, H)](s, v, o, L, D=D, DP=max(16, triton.next_power_of_2(D)), B=16)
        return o
