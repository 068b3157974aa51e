"""Every tensor function of the language by PyTorch, with the language's names of arguments.

It was written from PyTorch's documentation, not from the prompts that the runtime writes, so that the two check each other.
"""
import torch
import torch.nn.functional as F


def not_a_matrix(x):
    raise TypeError(f"transpose() of {x.dim()} axes without saying which")


def reduction(function):
    return lambda x, axis=None, keepdim=False: function(x, dim=tuple(range(x.dim())) if axis is None else axis,
                                                        keepdim=keepdim)


def one_axis(function):
    return lambda x, axis=None, keepdim=False: function(x) if axis is None else function(x, dim=axis, keepdim=keepdim)


def along(function):
    return lambda x, axis: function(x, dim=axis)


def last_axes(axis):
    return [axis] if isinstance(axis, int) else list(axis)


def layer_norm(x, axis, weight=None, bias=None, eps=1e-5):
    axes = last_axes(axis)
    centred = x - x.mean(axes, keepdim=True)
    out = centred / torch.sqrt((centred * centred).mean(axes, keepdim=True) + eps)
    if weight is not None:
        assert weight.shape == x.shape[x.dim() - len(axes):]
        out = out * weight
    return out if bias is None else out + bias


def rms_norm(x, axis, weight=None, eps=1e-5):
    axes = last_axes(axis)
    out = x / torch.sqrt((x * x).mean(axes, keepdim=True) + eps)
    if weight is None:
        return out
    assert weight.shape == x.shape[x.dim() - len(axes):]
    return out * weight


def operand(function):
    """Converts numbers to tensors where PyTorch accepts only tensors."""
    def call(x, y):
        like = x if isinstance(x, torch.Tensor) else y
        x, y = (z if isinstance(z, torch.Tensor) else torch.tensor(z, dtype=like.dtype, device=like.device) for z in (x, y))
        return function(x, y)
    return call


UNARY = {name: getattr(torch, name) for name in """abs ceil cos cosh erf exp exp2 expm1 floor log log1p log2 neg reciprocal
    deg2rad relu rsqrt selu sigmoid sign sin sinh sqrt square tanh asinh atan erfc frac log10 round sinc tan trunc""".split()}
UNARY |= {name: getattr(F, name) for name in "hardsigmoid hardswish logsigmoid mish relu6 silu softplus softsign tanhshrink".split()}

BINARY = {
    "add": torch.add, "sub": torch.sub, "mul": torch.mul, "div": torch.div,
    "maximum": operand(torch.maximum), "minimum": operand(torch.minimum), "pow": operand(torch.pow), "remainder": torch.remainder,
}
TENSOR_BINARY = {"hypot": torch.hypot, "logaddexp": torch.logaddexp, "atan2": torch.atan2}
COMPARISONS = {name: operand(getattr(torch, name)) for name in "eq ne lt le gt ge".split()}
REDUCTIONS = {
    "amax": reduction(torch.amax), "amin": reduction(torch.amin), "logsumexp": reduction(torch.logsumexp),
    "mean": reduction(torch.mean), "std": reduction(torch.std), "sum": reduction(torch.sum), "var": reduction(torch.var),
    "vector_norm": reduction(torch.linalg.vector_norm), "max": reduction(torch.amax), "min": reduction(torch.amin),
}
PLACES = {"argmax": one_axis(torch.argmax), "argmin": one_axis(torch.argmin)}
SCANS = {
    "cumsum": along(torch.cumsum), "softmax": along(torch.softmax), "log_softmax": along(torch.log_softmax),
    "softmin": along(F.softmin), "cumprod": along(torch.cumprod), "logcumsumexp": along(torch.logcumsumexp),
    "cummax": lambda x, axis: torch.cummax(x, axis).values, "cummin": lambda x, axis: torch.cummin(x, axis).values,
}
POINTWISE_LOSSES = {
    "mse_loss": F.mse_loss, "l1_loss": F.l1_loss, "soft_margin_loss": F.soft_margin_loss,
    "smooth_l1_loss": lambda x, y, reduction="mean", beta=1.0: F.smooth_l1_loss(x, y, reduction=reduction, beta=beta),
    "huber_loss": lambda x, y, reduction="mean", delta=1.0: F.huber_loss(x, y, reduction=reduction, delta=delta),
    "binary_cross_entropy_with_logits": F.binary_cross_entropy_with_logits,
    "hinge_embedding_loss": lambda x, y, margin=1.0, reduction="mean": F.hinge_embedding_loss(x, y, margin, reduction=reduction),
}
for name in ("mse_loss", "l1_loss", "soft_margin_loss", "binary_cross_entropy_with_logits"):
    POINTWISE_LOSSES[name] = (lambda f: lambda x, y, reduction="mean": f(x, y, reduction=reduction))(POINTWISE_LOSSES[name])


def convolution(function):
    return lambda x, weight, bias=None, stride=1, padding=0, dilation=1, groups=1: function(
        x, weight, bias, stride, padding, dilation, groups)


def transposed(function):
    return lambda x, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1: function(
        x, weight, bias, stride, padding, output_padding, groups, dilation)


TYPES = {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16, "f8e4m3": torch.float8_e4m3fn,
         "f8e5m2": torch.float8_e5m2, "i64": torch.int64, "i32": torch.int32, "i16": torch.int16, "i8": torch.int8,
         "u8": torch.uint8, "bool": torch.bool}


def segment_reduce(x, offsets, reduce="sum"):
    """Row by row, as the documentation says it."""
    rows = []
    for first, last in zip(offsets.tolist()[:-1], offsets.tolist()[1:]):
        part = x[first:last]
        if reduce == "sum":
            rows.append(part.sum(0))
        elif reduce == "mean":
            rows.append(part.mean(0))
        elif first == last:
            rows.append(torch.full(x.shape[1:], float("-inf") if reduce == "max" else float("inf"), dtype=x.dtype))
        else:
            rows.append(part.amax(0) if reduce == "max" else part.amin(0))
    return torch.stack(rows)


def rotary_embedding(x, cos, sin, interleaved=False):
    """Each pair of features as a complex number, times cos + i sin."""
    half = x.shape[-1] // 2
    a, b = (x[..., 0::2], x[..., 1::2]) if interleaved else (x[..., :half], x[..., half:])
    turned = torch.complex(a, b) * torch.complex(cos.expand_as(a).contiguous(), sin.expand_as(a).contiguous())
    out = torch.empty_like(x)
    if interleaved:
        out[..., 0::2], out[..., 1::2] = turned.real, turned.imag
    else:
        out[..., :half], out[..., half:] = turned.real, turned.imag
    return out


def attention(query, key, value, attn_mask=None, is_causal=False, scale=None, enable_gqa=False):
    if enable_gqa:  # each head of key and value, as often as heads of query share it
        shared = query.shape[-3] // key.shape[-3]
        key, value = key.repeat_interleave(shared, -3), value.repeat_interleave(shared, -3)
    return F.scaled_dot_product_attention(query, key, value, attn_mask, 0.0, is_causal, scale=scale)


FUNCTIONS = {
    **UNARY, **BINARY, **TENSOR_BINARY, **COMPARISONS, **REDUCTIONS, **PLACES, **SCANS, **POINTWISE_LOSSES,
    "celu": lambda x, alpha=1.0: F.celu(x, alpha),
    "clamp": lambda x, min=None, max=None: torch.clamp(x, min, max),
    "elu": lambda x, alpha=1.0: F.elu(x, alpha),
    "gelu": lambda x, approximate="none": F.gelu(x, approximate=approximate),
    "hardshrink": lambda x, lambd=0.5: F.hardshrink(x, lambd),
    "hardtanh": lambda x, min_val=-1.0, max_val=1.0: F.hardtanh(x, min_val, max_val),
    "leaky_relu": lambda x, negative_slope=0.01: F.leaky_relu(x, negative_slope),
    "logical_not": torch.logical_not, "logical_and": torch.logical_and, "logical_or": torch.logical_or,
    "prelu": F.prelu,
    "softshrink": lambda x, lambd=0.5: F.softshrink(x, lambd),
    "threshold": F.threshold,
    "lerp": lambda x, y, weight=0.5: torch.lerp(x, y, weight),
    "where": torch.where,
    "masked_fill": lambda x, mask, value: x.masked_fill(mask, value),
    "prod": one_axis(torch.prod),
    "all": reduction(torch.all), "any": reduction(torch.any),
    "normalize": lambda x, axis, eps=1e-12: F.normalize(x, dim=axis, eps=eps),
    "flip": lambda x, axis: torch.flip(x, [axis] if isinstance(axis, int) else list(axis)),
    "glu": lambda x, axis=-1: F.glu(x, axis),
    "roll": lambda x, shifts, axis: torch.roll(x, shifts, axis),
    "sort": lambda x, axis=-1, descending=False: torch.sort(x, dim=axis, descending=descending).values,
    "topk": lambda x, k, axis=-1: torch.topk(x, k, axis).values,
    "tril": lambda x, diagonal=0: torch.tril(x, diagonal), "triu": lambda x, diagonal=0: torch.triu(x, diagonal),
    "transpose": lambda x, axis0=None, axis1=None: x.transpose(0, 1) if axis0 is None and x.dim() == 2 else not_a_matrix(x) if axis0 is None else x.transpose(axis0, axis1),
    "permute": lambda x, axes: x.permute(*axes),
    "reshape": lambda x, shape: x.reshape(shape),
    "flatten": lambda x, start_axis=0, end_axis=-1: x.flatten(start_axis, end_axis),
    "unsqueeze": lambda x, axis: x.unsqueeze(axis), "squeeze": lambda x, axis: x.squeeze(axis),
    "expand": lambda x, shape: x.expand(*shape),
    "pad": lambda x, pad, value=0.0: F.pad(x, pad, value=value),
    "cat": lambda tensors, axis=0: torch.cat(tensors, axis), "stack": lambda tensors, axis=0: torch.stack(tensors, axis),
    "narrow": lambda x, axis, start, length: x.narrow(axis, start, length),
    "select": lambda x, axis, index: x.select(axis, index),
    "index_select": torch.index_select, "gather": torch.gather,
    "embedding": F.embedding,
    "matmul": torch.matmul, "bmm": torch.bmm, "outer": torch.outer,
    "linear": F.linear,
    "scaled_dot_product_attention": attention,
    "to": lambda x, dtype: x.to(TYPES[dtype]),
    "isnan": torch.isnan, "isinf": torch.isinf, "isfinite": torch.isfinite,
    "argsort": lambda x, axis=-1, descending=False: torch.sort(x, dim=axis, descending=descending, stable=True).indices,
    "arange": lambda size, dtype="i64": torch.arange(size, dtype=TYPES[dtype]),
    "size": lambda size: size, "results": lambda values: tuple(values),
    "zeros": lambda shape, dtype="f32": torch.zeros(shape, dtype=TYPES[dtype]),
    "repeat_interleave": lambda x, repeats, axis: torch.repeat_interleave(x, repeats, dim=axis),
    "einsum": torch.einsum, "segment_reduce": segment_reduce, "rotary_embedding": rotary_embedding,
    "index_add": torch.index_add, "scatter_add": torch.scatter_add,
    "layer_norm": layer_norm, "rms_norm": rms_norm,
    "batch_norm": lambda x, weight=None, bias=None, eps=1e-5: F.batch_norm(x, None, None, weight, bias, True, 0.1, eps),
    "group_norm": lambda x, num_groups, weight=None, bias=None, eps=1e-5: F.group_norm(x, num_groups, weight, bias, eps),
    "instance_norm": lambda x, weight=None, bias=None, eps=1e-5: F.instance_norm(x, weight=weight, bias=bias, eps=eps),
    "kl_div": lambda x, y, reduction="mean", log_target=False: F.kl_div(x, y, reduction=reduction, log_target=log_target),
    "margin_ranking_loss": lambda x, y, target, margin=0.0, reduction="mean":
        F.margin_ranking_loss(x, y, target, margin, reduction=reduction),
    "triplet_margin_loss": lambda anchor, positive, negative, margin=1.0, p=2.0, eps=1e-6, reduction="mean":
        F.triplet_margin_loss(anchor, positive, negative, margin, p, eps, reduction=reduction),
    "nll_loss": lambda x, target, weight=None, reduction="mean", ignore_index=-100:
        F.nll_loss(x, target, weight, reduction=reduction, ignore_index=ignore_index),
    "cross_entropy": lambda x, target, weight=None, reduction="mean", label_smoothing=0.0, ignore_index=-100:
        F.cross_entropy(x, target, weight, reduction=reduction, label_smoothing=label_smoothing, ignore_index=ignore_index),
    "cosine_similarity": lambda x, y, axis=1, eps=1e-8: F.cosine_similarity(x, y, axis, eps),
    "pairwise_distance": lambda x, y, p=2.0, eps=1e-6: F.pairwise_distance(x, y, p, eps),
}
for d in "123":
    FUNCTIONS[f"conv{d}d"] = convolution(getattr(F, f"conv{d}d"))
    FUNCTIONS[f"conv_transpose{d}d"] = transposed(getattr(F, f"conv_transpose{d}d"))
    FUNCTIONS[f"max_pool{d}d"] = (lambda f: lambda x, kernel_size, stride=None, padding=0, dilation=1: f(
        x, kernel_size, stride, padding, dilation))(getattr(F, f"max_pool{d}d"))
    FUNCTIONS[f"avg_pool{d}d"] = (lambda f: lambda x, kernel_size, stride=None, padding=0: f(
        x, kernel_size, stride, padding))(getattr(F, f"avg_pool{d}d"))
    FUNCTIONS[f"adaptive_avg_pool{d}d"] = getattr(F, f"adaptive_avg_pool{d}d")
    FUNCTIONS[f"adaptive_max_pool{d}d"] = getattr(F, f"adaptive_max_pool{d}d")
