#: flash_attention_with_a_mistake | tasks attention causal_attention | dtypes f16 bf16 | MISTAKE scale mask accumulator weights largest last_block
@triton.jit
def kernel(q_ptr, k_ptr, v_ptr, o_ptr, L, scale, D: tl.constexpr, DP: tl.constexpr, B: tl.constexpr, CAUSAL: tl.constexpr, MISTAKE: tl.constexpr):
    head = tl.program_id(1) * L * D
    rm = tl.program_id(0) * B + tl.arange(0, B)
    rd = tl.arange(0, DP)
    q = tl.load(q_ptr + head + rm[:, None] * D + rd[None, :], mask=(rm[:, None] < L) & (rd[None, :] < D), other=0.0)
    if MISTAKE == "scale":
        scale = 1.0
    m = tl.full((B,), float("-inf"), tl.float32)
    total = tl.zeros((B,), tl.float32)
    acc = tl.zeros((B, DP), tl.float32)
    for start in range(0, L - B if MISTAKE == "last_block" else L, B):
        rn = start + tl.arange(0, B)
        k = tl.load(k_ptr + head + rd[:, None] + rn[None, :] * D, mask=(rn[None, :] < L) & (rd[:, None] < D), other=0.0)
        v = tl.load(v_ptr + head + rn[:, None] * D + rd[None, :], mask=(rn[:, None] < L) & (rd[None, :] < D), other=0.0)
        s = tl.dot(q, k) * scale
        seen = rn[None, :] < (L - 1 if MISTAKE == "mask" and not CAUSAL else L)
        if CAUSAL:
            seen = seen & (rm[:, None] >= rn[None, :] - (1 if MISTAKE == "mask" else 0))
        s = tl.where(seen, s, float("-inf"))
        new = tl.maximum(m, tl.max(s, 1))
        p = tl.exp(s - new[:, None])
        alpha = tl.exp(m - new)
        if MISTAKE == "largest":
            alpha = alpha * 0.0 + 1.0
        total = total * (1.0 if MISTAKE == "weights" else alpha) + tl.sum(p, 1)
        if MISTAKE != "accumulator":
            acc = acc * alpha[:, None]
        acc = tl.dot(p.to(v.dtype), v, acc)
        m = new
    tl.store(o_ptr + head + rm[:, None] * D + rd[None, :], acc / total[:, None], mask=(rm[:, None] < L) & (rd[None, :] < D))

class ModelNew(nn.Module):
    def forward(self, q, k, v):
        H, L, D = q.shape
        o = torch.empty_like(q)
        kernel[(triton.cdiv(L, 16), H)](q, k, v, o, L, D ** -0.5, D=D, DP=max(16, triton.next_power_of_2(D)), B=16, CAUSAL=__IS_CAUSAL__, MISTAKE="__MISTAKE__")
        return o
