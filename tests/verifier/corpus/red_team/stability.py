# Right for every number near zero; NaN or an infinity where the reference has none.
#: overflowing_exponentials | tasks softmax log_softmax logsumexp cross_entropy | FORM no_maximum mean_for_maximum late_division
@triton.jit
def kernel(x_ptr, t_ptr, y_ptr, N, KIND: tl.constexpr, FORM: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    m = c < N
    x = tl.load(x_ptr + row * N + c, mask=m, other=0.0).to(tl.float32)
    base = 0.0
    if FORM == "mean_for_maximum":
        base = tl.sum(x, 0) / N
    e = tl.where(m, tl.exp(x - base), 0.0)
    s = tl.sum(e, 0)
    if KIND == 0:
        if FORM == "late_division":
            tl.store(y_ptr + row * N + c, e * (1.0 / s), mask=m)
        else:
            tl.store(y_ptr + row * N + c, e / s, mask=m)
    elif KIND == 1:
        if FORM == "late_division":
            tl.store(y_ptr + row * N + c, tl.log(e / s), mask=m)
        else:
            tl.store(y_ptr + row * N + c, x - base - tl.log(s), mask=m)
    elif KIND == 2:
        tl.store(y_ptr + row, base + tl.log(s))
    else:
        t = tl.load(t_ptr + row).to(tl.int32)
        tl.atomic_add(y_ptr, (base + tl.log(s) - tl.sum(tl.where(c == t, x, 0.0), 0)) / tl.num_programs(0))

class ModelNew(nn.Module):
    def forward(self, x, t=None):
        kind = 3 if t is not None else 2 if __IS_LOGSUMEXP__ else 1 if __IS_LOG__ else 0
        y = torch.zeros((), device=x.device) if kind == 3 else torch.empty(x.shape[:1] if kind == 2 else x.shape, device=x.device, dtype=x.dtype)
        kernel[(x.shape[0],)](x, x if t is None else t, y, x.shape[1], kind, "__FORM__", BLOCK=triton.next_power_of_2(x.shape[1]))
        return y.to(x.dtype)
#: activations_by_exponentials | tasks sigmoid silu tanh softplus gelu elu | FORM quotient ratio powers
@triton.jit
def kernel(x_ptr, y_ptr, n, KIND: tl.constexpr, FORM: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0).to(tl.float32)
    if FORM == "powers":
        e = tl.exp2(x * 1.4426950408889634)
    else:
        e = tl.exp(x)
    if KIND == 0:
        y = e / (1 + e)
    elif KIND == 1:
        y = x * e / (1 + e) if FORM == "quotient" else x * (e / (e + 1))
    elif KIND == 2:
        y = (e * e - 1) / (e * e + 1) if FORM != "ratio" else (e - 1 / e) / (e + 1 / e)
    elif KIND == 3:
        y = tl.log(1 + e)
    elif KIND == 4:
        # The error function by Abramowitz and Stegun 7.1.26 with exponentials that grow.
        z = tl.abs(x) * 0.7071067811865476
        t = 1 / (1 + 0.3275911 * z)
        poly = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
        g = tl.exp(z * z)
        erf = (g - poly) / g
        y = 0.5 * x * (1 + tl.where(x < 0, -erf, erf))
    else:
        on = (x > 0).to(tl.float32)
        y = on * x + (1 - on) * (e - 1)
    tl.store(y_ptr + i, y, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kind = 0 if __IS_SIGMOID__ else 1 if __IS_SILU__ else 2 if __IS_TANH__ else 3 if __IS_SOFTPLUS__ else 4 if __IS_GELU__ else 5
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), kind, "__FORM__", BLOCK=256)
        return y
#: variances_that_cancel | tasks var layer_norm | FORM squares products shifted
@triton.jit
def kernel(x_ptr, w_ptr, b_ptr, y_ptr, N, KIND: tl.constexpr, FORM: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    m = c < N
    x = tl.load(x_ptr + row * N + c, mask=m, other=0.0).to(tl.float32)
    s, q = tl.sum(x, 0), tl.sum(x * x, 0)
    if FORM == "shifted":  # by the first element, which may be anything
        first = tl.sum(tl.where(c == 0, x, 0.0), 0)
        d = tl.where(m, x - first, 0.0)
        s, q = tl.sum(d, 0) + N * first, tl.sum(d * d, 0) + 2 * first * tl.sum(d, 0) + N * first * first
    v = (N * q - s * s) / N if FORM == "products" else q - s * s / N  # sum of squared differences from the mean
    if KIND == 3:
        tl.store(y_ptr + row, v / (N - 1))
    else:
        w, b = tl.load(w_ptr + c, mask=m, other=0.0).to(tl.float32), tl.load(b_ptr + c, mask=m, other=0.0).to(tl.float32)
        tl.store(y_ptr + row * N + c, (x - s / N) * tl.rsqrt(v / N + 1e-5) * w + b, mask=m)

class ModelNew(nn.Module):
    def forward(self, x, w=None, b=None):
        kind = 3 if __IS_VAR__ else 4
        y = torch.empty(x.shape[:1] if kind == 3 else x.shape, device=x.device, dtype=x.dtype)
        kernel[(x.shape[0],)](x, x if w is None else w, x if b is None else b, y, x.shape[1], kind, "__FORM__",
                              BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
