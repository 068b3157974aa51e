"""Tests of verifier/kernelbench/typed.py: tasks of the language made of modules in KernelBench's form, against the modules themselves, at the task's
own sizes, tiny, and at odd ones, where the module is constructed with the arguments that the task says.

    typed_tests.py SOURCE
"""

import ast
import collections
import json
import math
import pathlib
import random
import re
import sys
import unittest

source = pathlib.Path(sys.argv.pop(1)) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(source / "verifier/kernelbench"))
sys.path.insert(0, str(source / "tests/kernelbench"))

import describe  # noqa: E402
import extents  # noqa: E402
import typed  # noqa: E402
import typed_operators  # noqa: E402

try:
    import torch
    import typed_reference
except ImportError:
    torch = None

Row = collections.namedtuple("Row", "name stated torch")

# Operators that no module's call becomes, and why.
UNREAD = {
    "rotary_embedding": "PyTorch has no function of it",
    "segment_reduce": "no module that was met calls it",
    "module_output": "by_module.py has it, where there is no expression",
}
# Operators that are made of something else than a call with tensors: what makes them.
NO_CALL = {
    "arange": "typed.py, of sizes", "zeros": "typed.py, of sizes", "size": "a size that is used as a number",
    "results": "a tuple that forward returns",
}

# Whether the task says the shape of a row's value, or readers infer it, by the word that says its form (operators.cpp).
FORMS = dict.fromkeys("stated bilinear pointwise attention".split(), "stated")
FORMS |= dict.fromkeys("elementwise broadcasting reduction along product transposition".split(), "inferred")


def table():
    """The operators of base/operators/operators.def: whether the task says the shape, and the last word of PyTorch's name."""
    said = (source / "base/operators/operators.def").read_text()
    starts = list(re.finditer(r"^TRL_(ELEMENT|LINE|OPERATOR|UNWRITTEN)\((\w+),", said, re.M))
    rows = []
    for start, end in zip(starts, [*(s.start() for s in starts[1:]), len(said)]):
        row = said[start.end():end]
        torch_name = re.search(r'\b(?:torch|functional|method|own)\("(?:\w+\.)*(\w+)"', row)
        form = next(FORMS[word] for word in re.findall(r"(\w+)\(", row) if word in FORMS)
        rows.append(Row(start[2], form == "stated", torch_name[1] if torch_name else None))
    return rows


SIZES = "B = 6\nC = 8\nL = 10\nH = 12\nW = 9\n"


def module(forward, inputs="torch.rand(B, C)", made="pass", arguments="", given="", sizes=SIZES, before=""):
    """A module's text: `forward` and `made` are statements; `forward` without `return` is one expression. Inputs are x, y, z."""
    count = len(ast.parse(f"[{inputs}]", mode="eval").body.elts)
    lines = forward if "return" in forward else f"return {forward}"
    body = "\n".join(f"        {line}" for line in lines.split("\n"))
    maker = "\n".join(f"        {line}" for line in made.split("\n"))
    return f"""import math
import torch
import torch.nn as nn
import torch.nn.functional as F
{before}

class Model(nn.Module):
    def __init__(self{arguments and ", " + arguments}):
        super().__init__()
{maker}

    def forward(self, {", ".join("xyz"[:count])}):
{body}

{sizes}

def get_inputs():
    return [{inputs}]

def get_init_inputs():
    return [{given}]
"""


IMAGE, SEQUENCE, VOLUME = "torch.randn(B, C, H, W)", "torch.randn(B, C, L)", "torch.randn(B, C, 5, H, W)"
TWO, ROWS = "torch.randn(B, C), torch.randn(B, C)", "torch.randn(B, L, C)"

# Expressions of x, y, z on their inputs: PyTorch's names, in their ways of being called.
FUNCTIONS = [
    *[(f"torch.{name}(x)", "torch.randn(B, C)") for name in """abs ceil cos cosh deg2rad erf exp exp2 expm1 floor neg reciprocal relu round selu
    sigmoid sign sin sinh square tan tanh trunc frac sinc asinh atan erfc isfinite isnan isinf celu""".split()],
    *[(f"torch.{name}(x)", "torch.rand(B, C) + 0.5") for name in "log log1p log2 log10 rsqrt sqrt".split()],
    *[(f"F.{name}(x)", "torch.randn(B, C)") for name in """relu relu6 hardsigmoid hardswish hardtanh leaky_relu elu celu selu gelu silu mish softplus
    softsign tanhshrink hardshrink softshrink logsigmoid""".split()],
    *[(f"x.{name}()", "torch.randn(B, C)") for name in "abs exp relu sigmoid tanh neg square".split()],
    ("F.leaky_relu(x, 0.2) + F.elu(x, alpha=0.5)", "torch.randn(B, C)"), ("F.gelu(x, approximate='tanh')", "torch.randn(B, C)"),
    ("F.softplus(x, beta=2)", "torch.randn(B, C)"), ("F.threshold(x, 0.1, -2)", "torch.randn(B, C)"), ("F.hardtanh(x, min_val=-0.5, max_val=2)", "torch.randn(B, C)"),
    ("torch.clamp(x, min=0) + x.clamp(-1, 1) + torch.clip(x, max=0.5)", "torch.randn(B, C)"), ("torch.clamp(x, max=y)", TWO),
    ("F.prelu(x, y)", "torch.randn(B, C), torch.randn(C)"), ("x.float().to(torch.float32).type_as(x) * 2", "torch.randn(B, C)"),
    # Arithmetic.
    ("x + y - x * y / (2 + y.abs())", TWO), ("x @ y.T", TWO), ("-x + (1 - x) * 3 / (x * x + 2)", "torch.randn(B, C)"),
    ("x ** 2 + x ** 3 + (x.abs() + 1) ** 0.5 + 2 ** x", "torch.randn(B, C)"), ("torch.add(x, y, alpha=2) + torch.sub(x, y) + x.mul(y).div(3)", TWO),
    ("torch.pow(x, 3.0) + torch.maximum(x, y) + torch.minimum(x, y)", TWO), ("torch.max(x, y) - torch.min(x, torch.tensor(0.25))", TWO),
    ("torch.remainder(x, 0.7)", "torch.rand(B, C)"), ("torch.atan2(x, y) + torch.hypot(x, y) + torch.logaddexp(x, y)", TWO),
    ("torch.lerp(x, y, 0.3)", TWO), ("torch.addcmul(x, x, y, value=0.5)", TWO), ("torch.where(x > 0, x, y) + torch.where(y > 1, 1.0, x)", TWO),
    ("x.masked_fill(y > 0, -2.0)", TWO), ("torch.logical_and(x > 0, y <= 0) | ~(x >= y)", TWO), ("(x > 0) & (y != 0)", TWO), ("(x == x.round()).float() + (x < y).to(x.dtype)", TWO),
    ("x * (y > 0)", TWO), ("x // 0.5", "torch.rand(B, C)"), ("x / C + x * x.shape[1] - L", "torch.randn(B, C)"), ("x / math.sqrt(x.size(-1))", "torch.randn(B, C)"), ("x * x.shape[1] - x / x.size(0) + x.numel()", "torch.randn(B, C)"),
    ("(x + 1) / torch.tensor(2.0)", "torch.randn(B, C)"), ("torch.rsub(x, y) + (y - x)", TWO), ("torch.div(x, 3, rounding_mode='floor')", "torch.randn(B, C)"),
    # Reductions.
    *[(f"torch.{name}(x, dim=1)", ROWS) for name in "sum mean amax amin std var logsumexp prod argmax argmin".split()],
    *[(f"x.{name}(-1, keepdim=True)", ROWS) for name in "sum mean amax amin std var logsumexp prod argmax".split()],
    ("torch.sum(x)", ROWS), ("x.mean()", ROWS), ("torch.max(x)", ROWS), ("x.min() + x.std() + x.prod()", "torch.randn(3, 4)"), ("torch.argmax(x)", "torch.randn(B, C)"),
    ("torch.mean(x, dim=(1, 2))", ROWS), ("x.sum(dim=[0, -1], keepdim=True)", ROWS), ("torch.max(x, dim=1)[0] + torch.min(x, 1).values", ROWS),
    ("torch.max(x, dim=2, keepdim=True).indices", ROWS), ("values, places = x.max(dim=1)\nreturn values - places", ROWS),
    ("torch.norm(x) + x.norm(p=2, dim=1, keepdim=True) + torch.norm(x, p='fro')", "torch.randn(B, C)"), ("torch.norm(x, p=1, dim=-1)", ROWS),
    ("torch.linalg.vector_norm(x, dim=1) + torch.linalg.norm(x, dim=1)", ROWS), ("x.var(dim=1, unbiased=False) + torch.std(x, 1, correction=0)", ROWS),
    ("(x > 0).sum(dim=1)", ROWS), ("torch.any(x > 2, dim=1) & (x > -2).all(1)", ROWS), ("torch.sum(x.flatten())", "torch.randn(L)"),
    # Along an axis.
    *[(f"torch.{name}(x, dim=1)", ROWS) for name in "softmax log_softmax cumsum cumprod logcumsumexp".split()],
    ("F.softmax(x, -1) + F.log_softmax(x, dim=0) + F.softmin(x, dim=1) + x.softmax(dim=2)", ROWS), ("F.normalize(x) + F.normalize(x, p=2, dim=-1)", ROWS),
    ("torch.cummax(x, 1)[0] + torch.cummin(x, dim=1).values", ROWS), ("torch.flip(x, [1]) + x.flip(0, 2) + torch.flip(x, dims=(1,))", ROWS), ("torch.roll(x, 3, 1)", ROWS),
    ("torch.roll(x, shifts=(1, -2), dims=(1, 2))", ROWS), ("F.glu(x, dim=1)", IMAGE), ("F.layer_norm(x, (C,)) + F.layer_norm(x, [L, C], eps=1e-3)", ROWS),
    ("F.layer_norm(x, x.shape[1:])", ROWS), ("F.rms_norm(x, (C,), eps=1e-6)", ROWS), ("torch.sort(x, dim=1)[0] + x.sort(-1, descending=True).values", ROWS),
    ("torch.argsort(x, dim=1)", ROWS), ("torch.topk(x, 3, dim=1).values", ROWS), ("torch.tril(x) + torch.triu(x, diagonal=1)", ROWS),
    ("torch.cumsum(x.flip(1), dim=1).flip(1)", ROWS),
    ("torch.cat((torch.zeros_like(x.select(1, 0).unsqueeze(1)), torch.cumsum(x.narrow(dim=1, start=0, length=x.size(1) - 1), dim=1)), dim=1)", ROWS),
    # Views and parts.
    ("x.view(x.size(0), -1) * 2", ROWS), ("x.reshape(-1, x.shape[2]) + 1", ROWS), ("torch.flatten(x, 1) + 1", ROWS), ("x.flatten(0, 1).exp()", ROWS),
    ("x.transpose(1, 2) + x.permute(0, 2, 1) + torch.transpose(x, -1, -2)", ROWS), ("x.t().exp()", "torch.randn(B, C)"), ("x.unsqueeze(1).squeeze(1) + x.unsqueeze(-1).squeeze()", ROWS),
    ("x.unsqueeze(0).expand(3, -1, -1) * 1.5", "torch.randn(B, C)"), ("x[:, None].expand(-1, 2, x.shape[1]) + x[:, None, :]", "torch.randn(B, C)"),
    ("x.mean(1, keepdim=True).expand_as(x) + x", ROWS), ("x.repeat(2, 3) + 1", "torch.randn(B, C)"), ("x.repeat_interleave(2, dim=1).exp()", ROWS), ("x.movedim(1, 2) + 1", ROWS),
    ("x[0] + x[-1] + x[1, :]", ROWS), ("x[:, 1:] - x[:, :-1]", ROWS), ("x[..., 0] * x[:, :, -1] + x[:, 2:4].sum((1,))[:, :1]", ROWS), ("x[:, 1:3] * 2", ROWS),
    ("torch.cat([x, y], dim=1) + torch.cat((y, x), 1)", TWO), ("torch.stack([x, y], dim=1).sum(1) + torch.stack((x, y))[0]", TWO), ("F.pad(x, (1, 2), value=0.5) + 1", ROWS),
    ("F.pad(x, [0, 0, 1, 1]) + 1", ROWS), ("a, b = x.chunk(2, dim=-1)\nreturn a * torch.sigmoid(b)", ROWS), ("a, b, c = torch.split(x, [3, 4, 3], dim=1)\nreturn a[:, :1] + b[:, 1:2] + c[:, 2:3]", "torch.randn(B, 10)"),
    ("a, b = x.unbind(1)\nreturn a - b", "torch.randn(B, 2, C)"), ("x.view(*x.shape[:-1], 2, -1).sum(-2)", ROWS), ("x.unflatten(2, (2, -1)).amax(2)", ROWS), ("(x.T + 1).contiguous().detach()", "torch.randn(B, C)"),
    ("b, l, c = x.shape\nreturn torch.softmax(x.view(b, -1), dim=1).view(b, l, c) * 3", ROWS), ("torch.narrow(x, 1, 1, 2) + 1", ROWS),
    # Parts by tensors.
    ("torch.gather(x, 1, y)", "torch.randn(B, C), torch.randint(0, C, (B, 3))"), ("torch.index_select(x, 1, y) + x[:, y]", "torch.randn(B, C), torch.randint(0, C, (L,))"),
    ("F.embedding(x, y)", "torch.randint(0, L, (B, C)), torch.randn(L, 4)"), ("torch.zeros_like(x).index_add(0, y, z)", "torch.randn(B, C), torch.randint(0, B, (L,)), torch.randn(L, C)"),
    ("x.scatter_add(1, y, z)", "torch.randn(B, C), torch.randint(0, C, (B, L)), torch.randn(B, L)"),
    ("x + torch.arange(x.shape[1]) + torch.ones(x.shape[0], 1)", "torch.randn(B, C)"), ("x * torch.full((1, C), 0.5) + torch.ones_like(x) + x.new_zeros(C)", "torch.randn(B, C)"),
    # Products.
    ("torch.matmul(x, y)", "torch.randn(B, L, C), torch.randn(C, H)"), ("torch.mm(x, y.t()) + torch.addmm(torch.ones(1), x, y.T, beta=2, alpha=0.5)", TWO), ("torch.bmm(x, x.transpose(1, 2))", ROWS),
    ("torch.mv(x, y) + x @ y", "torch.randn(B, C), torch.randn(C)"), ("torch.dot(x, y) * 2", "torch.randn(C), torch.randn(C)"), ("torch.outer(x, y)", "torch.randn(B), torch.randn(C)"),
    ("torch.einsum('bijl,lk->bijk', x, y)", "torch.randn(B, 2, L, C), torch.randn(C, H)"), ("torch.einsum('bij, bkj -> bik', x, y)", "torch.randn(B, L, C), torch.randn(B, H, C)"),
    ("F.linear(x, y, z)", "torch.randn(B, L, C), torch.randn(H, C), torch.randn(H)"), ("F.scaled_dot_product_attention(x, y, z)", "torch.randn(B, 2, L, C), torch.randn(B, 2, H, C), torch.randn(B, 2, H, C)"),
    ("F.scaled_dot_product_attention(x, x, x, is_causal=True, scale=0.3)", "torch.randn(B, 2, L, C)"),
    # Norms, convolutions, pools.
    ("F.batch_norm(x, None, None, training=True) + F.instance_norm(x) + F.group_norm(x, 2, eps=1e-4)", IMAGE), ("F.local_response_norm(x, 3)", IMAGE),
    ("F.conv2d(x, y, padding=1)", "torch.randn(B, C, H, W), torch.randn(6, C, 3, 3)"), ("F.conv1d(x, y, z, stride=2, dilation=2)", "torch.randn(B, C, L), torch.randn(H, C, 2), torch.randn(H)"),
    ("F.conv3d(x, y, stride=(1, 2, 2), groups=2)", "torch.randn(B, C, 5, H, W), torch.randn(6, 4, 2, 3, 3)"), ("F.conv2d(x, y, padding='same')", "torch.randn(B, C, H, W), torch.randn(6, C, 3, 5)"),
    ("F.conv_transpose2d(x, y, stride=2, padding=1, output_padding=1)", "torch.randn(B, C, H, W), torch.randn(C, 5, 3, 3)"), ("F.conv_transpose1d(x, y, dilation=2)", "torch.randn(B, C, L), torch.randn(C, H, 3)"),
    ("F.conv_transpose3d(x, y, None, 2, groups=2)", "torch.randn(B, 4, 2, H, W), torch.randn(4, 3, 2, 2, 2)"),
    ("F.max_pool2d(x, 2) + F.avg_pool2d(x, kernel_size=2, stride=2)", IMAGE), ("F.max_pool1d(x, 3, 2, 1, 1) + F.avg_pool1d(x, 3, stride=2, padding=1)", SEQUENCE), ("F.max_pool3d(x, 2) + F.avg_pool3d(x, (2, 2, 2))", VOLUME),
    ("F.max_pool2d(x, 3, stride=1, padding=1, dilation=2)", IMAGE), ("F.adaptive_avg_pool2d(x, 1) + F.adaptive_avg_pool2d(x, (1, 1)).exp()", IMAGE), ("F.adaptive_avg_pool1d(x, 2) + F.adaptive_max_pool1d(x, 2)", SEQUENCE),
    ("F.adaptive_max_pool2d(x, (2, 3)).squeeze(-1)", IMAGE), ("F.adaptive_avg_pool3d(x, (None, 1, 1)) + F.adaptive_max_pool3d(x, (5, 1, 1))", VOLUME),
    # Losses.
    *[(f"F.{name}(x, y)", TWO) for name in "mse_loss l1_loss smooth_l1_loss huber_loss soft_margin_loss hinge_embedding_loss binary_cross_entropy_with_logits".split()],
    ("F.mse_loss(x, y, reduction='sum') + F.l1_loss(x, y, reduction='none')", TWO), ("F.smooth_l1_loss(x, y, beta=0.5) + F.huber_loss(x, y, delta=2.0)", TWO),
    ("F.cross_entropy(x, y)", "torch.randn(B, C), torch.randint(0, C, (B,))"), ("F.cross_entropy(x, y, label_smoothing=0.1, reduction='sum')", "torch.randn(B, C, L), torch.randint(0, C, (B, L))"),
    ("F.nll_loss(F.log_softmax(x, 1), y)", "torch.randn(B, C), torch.randint(0, C, (B,))"), ("F.cross_entropy(x, y.softmax(1))", TWO),
    ("F.kl_div(torch.log(x), y, reduction='batchmean')", "torch.rand(B, C).softmax(dim=-1), torch.rand(B, C).softmax(-1)"), ("F.kl_div(x, y, log_target=True, reduction='sum')", TWO),
    ("F.triplet_margin_loss(x, y, z, margin=0.7)", "torch.randn(B, C), torch.randn(B, C), torch.randn(B, C)"), ("F.margin_ranking_loss(x, y, z, margin=0.2)", "torch.randn(B), torch.randn(B), torch.randn(B)"),
    ("F.cosine_similarity(x, y, dim=1) + F.cosine_similarity(x, y)", TWO), ("F.pairwise_distance(x, y)", TWO), ("torch.mean(torch.clamp(1 - x * y, min=0))", "torch.rand(B, C), torch.randint(0, 2, (B, C)).float() * 2 - 1"),
]

# Layers, each called on x.
LAYERS = [
    *[(f"nn.{name}()", "torch.randn(B, C)") for name in """ReLU ReLU6 SELU SiLU Mish Hardswish Hardsigmoid Sigmoid Tanh Softsign Tanhshrink LogSigmoid LeakyReLU ELU CELU GELU
    Softplus Hardtanh Hardshrink Softshrink PReLU""".split()],
    ("nn.LeakyReLU(negative_slope=0.2)", "torch.randn(B, C)"), ("nn.Hardtanh(-2, 2)", "torch.randn(B, C)"), ("nn.ELU(alpha=0.5)", "torch.randn(B, C)"), ("nn.Threshold(0.1, 2)", "torch.randn(B, C)"),
    ("nn.GELU(approximate='tanh')", "torch.randn(B, C)"), ("nn.PReLU(C)", IMAGE), ("nn.Softmax(dim=1)", ROWS), ("nn.LogSoftmax(-1)", ROWS), ("nn.Softmin(dim=1)", ROWS), ("nn.Softmax2d()", IMAGE),
    ("nn.GLU(dim=1)", IMAGE), ("nn.Linear(C, H)", ROWS), ("nn.Linear(in_features=C, out_features=H, bias=False)", "torch.randn(B, C)"), ("nn.Embedding(L, C)", "torch.randint(0, L, (B, H))"),
    ("nn.Conv1d(C, H, 3)", SEQUENCE), ("nn.Conv2d(C, H, kernel_size=3, stride=2, padding=1)", IMAGE), ("nn.Conv3d(C, 4, (1, 3, 3), padding=(0, 1, 1), bias=False)", VOLUME),
    ("nn.Conv2d(C, C, 3, groups=C)", IMAGE), ("nn.Conv2d(C, 2 * C, 3, groups=4, dilation=2)", IMAGE), ("nn.Conv2d(C, H, 3, padding='same')", IMAGE),
    ("nn.ConvTranspose1d(C, H, 3, stride=2)", SEQUENCE), ("nn.ConvTranspose2d(C, H, 3, stride=2, padding=1, output_padding=1)", IMAGE), ("nn.ConvTranspose2d(C, 6, 3, groups=2, bias=False, dilation=2)", IMAGE),
    ("nn.ConvTranspose3d(C, 3, 2, 2)", VOLUME), ("nn.BatchNorm1d(C)", "torch.randn(B, C)"), ("nn.BatchNorm1d(C, eps=1e-3)", SEQUENCE), ("nn.BatchNorm2d(num_features=C)", IMAGE), ("nn.BatchNorm3d(C, affine=False)", VOLUME),
    ("nn.InstanceNorm2d(C)", IMAGE), ("nn.InstanceNorm1d(C, affine=True)", SEQUENCE), ("nn.GroupNorm(4, C)", IMAGE), ("nn.GroupNorm(num_groups=2, num_channels=C, eps=1e-3)", "torch.randn(B, C)"),
    ("nn.LayerNorm(C)", ROWS), ("nn.LayerNorm((L, C), elementwise_affine=False)", ROWS), ("nn.LayerNorm([C], bias=False)", ROWS), ("nn.RMSNorm(C, eps=1e-5)", ROWS),
    ("nn.MaxPool1d(2)", SEQUENCE), ("nn.MaxPool2d(kernel_size=3, stride=2, padding=1)", IMAGE), ("nn.MaxPool3d(2, stride=1)", VOLUME), ("nn.AvgPool1d(3, stride=1)", SEQUENCE), ("nn.AvgPool2d(2)", IMAGE),
    ("nn.AvgPool3d(kernel_size=2, stride=2, padding=1)", VOLUME), ("nn.AdaptiveAvgPool2d((1, 1))", IMAGE), ("nn.AdaptiveAvgPool3d(1)", VOLUME), ("nn.AdaptiveMaxPool1d(2)", SEQUENCE),
    ("nn.Flatten()", IMAGE), ("nn.Sequential(nn.Dropout(0.0), nn.Tanh(), nn.Dropout(p=0))", "torch.randn(B, C)"), ("nn.ConstantPad2d(1, 0.5)", IMAGE), ("nn.ZeroPad2d((1, 0, 2, 1))", IMAGE), ("nn.LocalResponseNorm(2)", IMAGE),
    ("nn.Unflatten(1, (2, -1))", "torch.randn(B, C)"),
    ("nn.Sequential(nn.Linear(C, H), nn.ReLU(), nn.Linear(H, L))", "torch.randn(B, C)"), ("nn.Sequential(nn.Conv2d(C, H, 1), nn.BatchNorm2d(H), nn.ReLU(inplace=True), nn.Flatten(), nn.Identity())", IMAGE),
]
LOSSES = [("nn.MSELoss()", TWO), ("nn.L1Loss(reduction='sum')", TWO), ("nn.SmoothL1Loss()", TWO), ("nn.HuberLoss(delta=0.5)", TWO), ("nn.KLDivLoss(reduction='batchmean')", TWO), ("nn.BCEWithLogitsLoss()", TWO),
          ("nn.CrossEntropyLoss()", "torch.randn(B, C), torch.randint(0, C, (B,))"), ("nn.NLLLoss()", "torch.randn(B, C), torch.randint(0, C, (B,))"), ("nn.CosineSimilarity(dim=1)", TWO), ("nn.PairwiseDistance()", TWO),
          ("nn.HingeEmbeddingLoss(margin=2.0)", TWO), ("nn.SoftMarginLoss()", TWO), ("nn.TripletMarginLoss(margin=0.5)", TWO + ", torch.randn(B, C)"), ("nn.MarginRankingLoss()", "torch.randn(B), torch.randn(B), torch.randn(B)"),
          ("nn.Bilinear(C, C, H)", TWO)]

# Whole modules.
MODULES = [
    # Parameters of the module's own, and scalars of its arguments.
    module("F.relu(self.fc(x) * self.scale - self.shift).clamp(max=self.most) / self.divisor", made="""self.fc = nn.Linear(inner, outer)
self.scale = nn.Parameter(torch.randn(shape))
self.shift = nn.Parameter(torch.zeros(outer))
self.most, self.divisor = most, divisor""", arguments="inner, outer, shape, most, divisor=2.0", given="C, H, (H,), 1.5"),
    module("torch.matmul(x, self.weight.T) / 2 + self.bias.view(1, -1) * self.one", made="""self.weight = nn.Parameter(torch.randn(outer, inner) * 0.02)
self.bias = nn.Parameter(torch.rand(outer))
self.one = nn.Parameter(torch.tensor(1.5))""", arguments="inner, outer", given="C, H"),
    # Residuals, in each of the ways in which they are written.
    module("before = x.clone().detach()\nx = self.fc(x)\nkept = x\nx = torch.sigmoid(x) * x\nx += kept\nreturn self.relu(x) + before", made="self.fc = nn.Linear(width, width)\nself.relu = nn.ReLU(inplace=True)", arguments="width", given="C"),
    module("y = x * 2\nx = y\nx += 1\nreturn x + y", "torch.randn(B, C)"), module("y = self.relu(x)\nreturn x + y", "torch.randn(B, C) * 2", made="self.relu = nn.ReLU(inplace=True)"),
    module("y = x.relu_()\nreturn x * y", "torch.randn(B, C) + 1"),
    # Loops, lists of layers, branches on arguments and helpers.
    module("for layer in self.layers:\n    x = F.gelu(layer(x)) if self.active else layer(x)\nreturn x", made="""self.active = active
self.layers = nn.ModuleList([nn.Linear(a, b) for a, b in zip([first] + sizes, sizes)])""", arguments="first, sizes, active", given="C, [H, L, 5], True", sizes=SIZES + "hidden = [16, 24]\n"),
    module("return self.network(x)", made="layers = []\ncurrent = first\nfor size in sizes:\n    layers.append(nn.Linear(current, size))\n    layers.append(nn.ReLU())\n    current = size\nself.network = nn.Sequential(*layers)",
           arguments="first, sizes", given="C, hidden", sizes=SIZES + "hidden = [16, 24]\n"),
    module("block(self.first, x) + block(self.second, x)", made="self.first, self.second = nn.Linear(C, C), nn.Linear(C, C, bias=False)", before="def block(layer, x, slope=0.1):\n    return F.leaky_relu(layer(x), slope)\n"),
    # A module of modules, a dictionary of layers, and an own layer that is used twice.
    module("self.blocks['one'](self.blocks['two'](x))", made="self.blocks = nn.ModuleDict({'one': Block(width), 'two': Block(width)})", arguments="width", given="C",
           before="import torch\nimport torch.nn as nn\nclass Block(nn.Module):\n    def __init__(self, width):\n        super(Block, self).__init__()\n        self.fc = nn.Linear(width, width)\n        self.gain = nn.Parameter(torch.ones(1))\n    def forward(self, x):\n        return x + self.gain * torch.tanh(self.fc(x))\n"),
    module("self.fc(self.fc(x)) + F.linear(x, self.fc.weight, self.fc.bias)", made="self.fc = nn.Linear(C, C)"),
    # Convolutional networks: sizes that have to be numbers, and sizes that needn't.
    module("x = self.pool(F.relu(self.conv(x)))\nx = x.view(x.size(0), -1)\nreturn self.fc(x)", "torch.randn(B, 3, 12, 12)", made="self.conv = nn.Conv2d(3, 6, 3)\nself.pool = nn.MaxPool2d(2, 2)\nself.fc = nn.Linear(6 * 5 * 5, classes)", arguments="classes", given="L"),
    module("x = self.norm(torch.tanh(self.conv(x)))\nreturn torch.max(x, dim=1, keepdim=True)[0].mean(dim=[2, 3])", IMAGE, made="self.conv = nn.Conv2d(inner, outer, kernel)\nself.norm = nn.GroupNorm(groups, outer)",
           arguments="inner, outer, kernel, groups", given="C, H, K, G", sizes=SIZES + "K = 3\nG = 4\n"),
    module("self.pool(self.conv(x)).squeeze(-1).squeeze(-1)", IMAGE, made="self.conv = nn.ConvTranspose2d(inner, outer, 3, stride=2, padding=1)\nself.pool = nn.AdaptiveAvgPool2d(1)", arguments="inner, outer", given="C, H"),
    module("torch.cat([branch(x) for branch in (self.one, self.two)], 1)", IMAGE, made="self.one = nn.Conv2d(inner, 4, 1)\nself.two = nn.Sequential(nn.Conv2d(inner, 6, 1), nn.Conv2d(6, outer, 3, padding=1))", arguments="inner, outer", given="C, H"),
    module("n, c, h, w = x.size()\nx = x.view(n, self.groups, c // self.groups, h, w).transpose(1, 2).contiguous()\nreturn x.view(n, -1, h, w) * 2", IMAGE, made="self.groups = groups", arguments="groups", given="G", sizes=SIZES + "G = 4\n"),
    # Attention: by hand, by a function, and by the layer; a mask of constants.
    module("""b, l, c = x.shape
q, k, v = self.qkv(x).split(c, dim=2)
q, k, v = (t.view(b, l, self.heads, c // self.heads).transpose(1, 2) for t in (q, k, v))
scores = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
scores = scores.masked_fill(self.mask[:, :, :l, :l] == 0, -1e4)
out = (F.softmax(scores, dim=-1) @ v).transpose(1, 2).contiguous().view(b, l, c)
return self.out(out)""", ROWS, made="""self.heads = heads
self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
self.register_buffer("mask", torch.tril(torch.ones(most, most)).view(1, 1, most, most))""", arguments="width, heads, most", given="C, heads, L", sizes=SIZES + "heads = 2\n"),
    module("out, _ = self.attention(x, x, x)\nreturn self.norm(out + x)", ROWS, made="self.attention = nn.MultiheadAttention(width, 4)\nself.norm = nn.LayerNorm(width)", arguments="width", given="C"),
    module("self.attention(x, y, y, need_weights=False)[0]", ROWS + ", torch.randn(B, H, C)", made="self.attention = nn.MultiheadAttention(embed_dim=width, num_heads=2, batch_first=True, bias=False)", arguments="width", given="C"),
    # Scalars among the inputs, several results, buffers, initialisations, module-level names that code reads.
    module("x * y + self.offset", "torch.rand(B, C), 3.5", made="self.register_buffer('offset', torch.randn(C))"), module("x * y", "torch.rand(B, C), 3"),
    module("return self.fc(x), torch.sum(x, dim=1), torch.argmax(x, dim=1)", made="self.fc = nn.Linear(C, 3)"),
    module("self.fc(x) + self.extra", made="self.fc = nn.Linear(C, H)\nnn.init.xavier_uniform_(self.fc.weight)\nnn.init.zeros_(self.fc.bias)\nself.extra = nn.Parameter(torch.empty(H))\nnn.init.normal_(self.extra, mean=1.0, std=0.5)"),
    module("x.view(B, C, 1) + torch.ones(C, 1)", "torch.randn(B, C)"), module("torch.reshape(x, (-1, C)) + 1", ROWS),
    # Equal by their numbers alone: one constant, or numbers.
    module("x + y", "torch.randn(M, N), torch.randn(N, M)", sizes="M = 6\nN = 6\n"), module("torch.clamp(1 - x * y, min=0).mean()", "torch.rand(B, *shape), torch.randint(0, 2, (B,)).float() * 2 - 1", sizes="B = 12\nshape = (12,)\n"),
    module("x.reshape(6, 4) + 1", "torch.randn(M, N)", sizes="M = 3\nN = 8\n"), module("self.fc(x)", "torch.randn(B, width)", made="self.fc = nn.Linear(inner, 3)", arguments="inner", given="inner", sizes="B = 4\nwidth = 5\ninner = 5\n"),
    module("self.fc(x)", "torch.randn(B, C, width)", made="self.fc = nn.Linear(inner, 3)", arguments="inner", given="inner", sizes="B, C = 4, 3\nwidth = 12\ninner = C * 4\n"),
    module("F.avg_pool1d(x, 11).sum(-1) + F.max_pool1d(x, 8, dilation=2)[:, :, 0]", "torch.rand(B, C, L)", sizes="B, C, L = 3, 5, 40\n"),
    # One size with two names, names of no size, a name that is given twice.
    module("x * 2 + height", "torch.rand(B, height)", sizes="B = 3\nheight = width = 100\nheight, width = 7, 8\n"), module("self.fc(x)", made="self.fc = nn.Linear(a, b)", arguments="a, b", given="C, 2 * C + 1"),
]

# What can't be said, and why.
REFUSED = [
    ("dropout is random", module("F.dropout(x, 0.5)")), ("dropout is random", module("self.drop(x)", made="self.drop = nn.Dropout(0.1)")),
    ("recurrent layer (LSTM)", module("self.rnn(x)[0]", ROWS, made="self.rnn = nn.LSTM(C, H)")), ("symmetric", module("x @ x", "(lambda a: a * a.T)(torch.rand(C, C))")), ("symmetric", module("x @ x", "(lambda a: (a + a.T).exp())(torch.rand(C, C))")),
    ("triangular", module("x @ x", "torch.triu(torch.rand(C, C)) + 1")), ("without its diagonal", module("x @ x", "torch.triu(torch.rand(C, C), 1)")), ("isn't square", module("x * 2", "torch.tril(torch.rand(B, C))")), ("triangular", module("x @ x", "torch.tril(torch.rand(C, C)).T")), ("conditions", module("x * y", "torch.rand(B, C), torch.randint(0, 2, (B, C)).bool()")),
    ("depends on a tensor's values", module("x * 2 if x.sum() > 0 else x")), ("forward draws random numbers", module("x + torch.randn(B, C)")), ("isn't among the tensor functions", module("torch.fft.fft(x)")),
    ("changes the module", module("self.last = x * 2\nreturn self.last")), ("part of a tensor", module("x[:, 0] = 1\nreturn x * 2")), ("changed in place", module("y = x.view(-1)\ny.mul_(2)\nreturn x + 1")),
    ("computes nothing", module("x")), ("doesn't depend", module("torch.ones(3) + torch.zeros(3)")), ("ceil_mode", module("F.max_pool2d(x, 2, ceil_mode=True)", IMAGE)), ("infinity", module("x.masked_fill(x > 0, float('-inf'))")),
    ("more than 3000 operators", module("for i in range(14):\n    x = x * torch.sigmoid(x)\nreturn x")), ("a slice has a step", module("x[:, ::2]")), ("isn't drawn", module("x + y", "torch.rand(B, C), torch.zeros(B, C)")),
    ("constructor's argument is a tensor", module("x * self.w", made="self.w = nn.Parameter(w)", arguments="w", given="torch.randn(C)")), ("raises", module("if x.shape[0] > 2:\n    raise ValueError('no')\nreturn x * 2")),
    ("isn't read", module("einops.rearrange(x, 'a b -> b a')", before="import einops")), ("shapes don't broadcast", module("x + y", "torch.rand(B, C), torch.rand(B, 5)")), ("no class", "x = 1"), ("divides by 0", module("x / 0")),
    ("random values that are no parameter", module("x + self.w", made="self.w = torch.randn(C)")), ("the layer Hidden isn't read", module("self.w(x)", made="self.w = nn.Hidden(C)")), ("within", module("with torch.autocast('cuda'):\n    return x * 2")),
    ("how often the loop turns", "from x import y\nclass Model(y):\n    def forward(self, x):\n        for row in x:\n            pass\n        return x\ndef get_inputs():\n    import torch\n    return [torch.rand(2)]\ndef get_init_inputs():\n    return []"),
]


def typed_of(text):
    return typed.typed(text, ast.parse(text), "Model")


@unittest.skipIf(torch is None, "this Python has no torch")
class AgainstTheModule(unittest.TestCase):
    operators = collections.Counter()
    trials = 0

    @classmethod
    def setUpClass(cls):
        torch.set_num_threads(1)

    def agrees(self, text):
        task = typed_of(text)
        json.dumps(task, allow_nan=False)
        tried = typed_reference.trials(task, len(text))
        self.assertGreaterEqual(len(tried), 3, text)
        for number, dims in enumerate(tried):
            try:
                self.assertIsNone(typed_reference.compare(text, task, dims, number, self.operators), (text, dims))
            except Exception as error:
                raise AssertionError(f"{text}\nat {dims}: {type(error).__name__}: {error}\n{json.dumps(task)[:3000]}") from error
            type(self).trials += 1
        return task

    def test_functions_and_methods(self):
        for forward, inputs in FUNCTIONS:
            self.agrees(module(forward, inputs))

    def test_layers(self):
        for made, inputs in [*LAYERS, *LOSSES]:
            count = len(ast.parse(f"[{inputs}]", mode="eval").body.elts)
            text = module(f"self.layer({', '.join('xyz'[:count])})", inputs, made=f"self.layer = {made}")
            if "C" in made or "H" in made or "L)" in made:
                # What a constructor reads of the file's constants is a number; what it is given isn't.
                names = [n for n in "CHL" if n in {v.id for v in ast.walk(ast.parse(made)) if isinstance(v, ast.Name)}]
                text = module(f"self.layer({', '.join('xyz'[:count])})", inputs, made=f"self.layer = {made}", arguments=", ".join(names), given=", ".join(names))
            task = self.agrees(text)
            self.assertTrue(task["dims"], text)

    def test_modules(self):
        for text in MODULES:
            self.agrees(text)

    def test_every_task_of_ours(self):
        for file in sorted((source / "tests/kernelbench/bench").rglob("level[123]/*.py")):
            described = describe.describe(file.read_text())
            if why := described.get("typed", {}).get("module", {}).get("judged_by_module", described.get("untyped")):
                self.assertIn("infinity", why, file)
            else:
                self.agrees(file.read_text())

    @classmethod
    def tearDownClass(cls):
        # Every operator that a rule makes was met, as far as PyTorch's own functions make it.
        known = {row.name for row in table()}
        unknown = set(cls.operators) - known
        assert not unknown, f"the language has no {unknown}"
        missing = known - set(cls.operators) - set(UNREAD)
        assert not missing, f"no test has {sorted(missing)}"


class OfTheTask(unittest.TestCase):
    def test_parameters_follow_the_inputs_with_their_values(self):
        task = typed_of(module("self.norm(self.fc(x)) * self.gain + self.shift + self.start", "torch.rand(B, C) * 2 - 1", made="""self.fc, self.norm = nn.Linear(inner, outer), nn.BatchNorm1d(outer)
self.gain = nn.Parameter(torch.randn(outer))
self.shift = nn.Parameter(torch.full((outer,), 3.0))
self.start = nn.Parameter(torch.rand(outer) * 0.5)""", arguments="inner, outer", given="C, H"))
        near = lambda mean: {"kind": "normal", "mean": mean, "deviation": 0.1}
        uniform = {"kind": "range", "low": -1 / math.sqrt(8), "high": 1 / math.sqrt(8)}
        self.assertEqual(task["dims"], [["B", 6], ["C", 8], ["H", 12]])
        self.assertEqual([(i["name"], i.get("parameter"), i["shape"], i.get("values")) for i in task["inputs"]], [
            ("x", None, ["B", "C"], {"kind": "range", "low": -1.0, "high": 1.0}), ("fc_weight", "fc.weight", ["H", "C"], uniform), ("fc_bias", "fc.bias", ["H"], uniform),
            ("norm_weight", "norm.weight", ["H"], near(1.0)), ("norm_bias", "norm.bias", ["H"], near(0.0)), ("gain", "gain", ["H"], None), ("shift", "shift", ["H"], near(3.0)),
            ("start", "start", ["H"], {"kind": "range", "low": 0.0, "high": 0.5})])
        self.assertEqual(task["output"], {"dtype": "f32", "shape": ["B", "H"]})
        self.assertEqual(task["module"], {"entry": "Model", "arguments": [{"size": "C"}, {"size": "H"}], "keywords": {}})

    def test_values_of_inputs(self):
        def values(made, forward="x * 2"):
            entry = typed_of(module(forward, made))["inputs"][0]
            return {k: v for k, v in entry.items() if k in ("dtype", "below", "values")}

        for made, expected in (("torch.randn(B, C)", {}), ("torch.randn(B, C) * 3 + 1", {"values": {"kind": "normal", "mean": 1.0, "deviation": 3.0}}), ("torch.rand(B, C)", {"values": {"kind": "range", "low": 0.0, "high": 1.0}}),
                               ("10 * (torch.rand(B, C) - 0.5)", {"values": {"kind": "range", "low": -5.0, "high": 5.0}}), ("torch.rand(()) * torch.rand(B, C)", {"values": {"kind": "range", "low": 0.0, "high": 1.0}}),
                               ("torch.rand(B, C).softmax(-1)", {"values": {"kind": "positive"}}), ("torch.randn(B, C).abs()", {"values": {"kind": "positive"}}), ("torch.randint(0, 2, (B, C)).float() * 2 - 1", {"values": {"kind": "range", "low": -1.0, "high": 1.0}}),
                               ("(lambda a: (a + a.T) / 2)(torch.rand(C, C))", {"values": {"kind": "symmetric", "low": 0.0, "high": 1.0}}), ("torch.rand(C, C).T", {"values": {"kind": "range", "low": 0.0, "high": 1.0}}),
                               ("torch.triu(torch.rand(B, C, C)) * 2", {"values": {"kind": "upper_triangular", "low": 0.0, "high": 2.0}}), ("torch.tril(torch.randn(C, C))", {"values": {"kind": "lower_triangular"}}),
                               ("F.one_hot(torch.randint(0, C, (B,)), C).float()", {"values": {"kind": "one_hot"}}), ("torch.empty(B, C).normal_(2, 0.5)", {"values": {"kind": "normal", "mean": 2.0, "deviation": 0.5}}),
                               ("torch.rand(size=(B, C), device='cuda', dtype=torch.float32)", {"values": {"kind": "range", "low": 0.0, "high": 1.0}})):
            self.assertEqual(values(made), {"dtype": "f32", **expected}, made)
        self.assertEqual(values("torch.randint(0, C, (B, C))"), {"dtype": "i64", "below": "C"})
        self.assertEqual(values("torch.randint(10, (B, C))"), {"dtype": "i64", "below": 10})
        self.assertEqual(values("torch.randint(-3, 4, (B, C), dtype=torch.int32)"), {"dtype": "i32", "values": {"kind": "range", "low": -3, "high": 3}})

    def test_what_decides_something_is_a_number(self):
        task = typed_of(module("x = self.pool(x)\nreturn x * 2 if self.wide > 4 else x", SEQUENCE, made="self.pool, self.wide = nn.MaxPool1d(k), wide", arguments="k, wide", given="K, wide", sizes=SIZES + "K = 2\nwide = 8\n"))
        self.assertEqual(task["dims"], [["B", 6], ["C", 8], ["L", 10]])
        self.assertEqual(task["module"]["arguments"], [2, 8])
        self.assertEqual(task["output"]["shape"], ["B", "C", "L // 2"])
        self.assertEqual(typed_of(module("x * C"))["dims"], [["B", 6]])
        self.assertEqual(typed_of(module("x * self.c", made="self.c = c", arguments="c", given="C"))["value"]["args"][1], {"op": "size", "args": [], "attrs": {"size": "C"}, "shape": []})

    def test_groups_and_windows_leave_sizes_free(self):
        task = typed_of(module("F.group_norm(x, 4)", IMAGE))
        self.assertEqual(task["dims"], [["B", 6], ["C_over_4", 2], ["H", 12], ["W", 9]])
        self.assertEqual(task["inputs"][0]["shape"], ["B", "4 * C_over_4", "H", "W"])
        self.assertEqual(typed_of(module("x[:, 3:].squeeze() * 2"))["output"]["shape"], ["B", "C_less_1 - 2"])
        task = typed_of(module("F.max_pool1d(x, 7, stride=2)", SEQUENCE))
        self.assertEqual(task["dims"], [["B", 6], ["C", 8], ["L_less_3", 7]])
        self.assertEqual(task["output"]["shape"], ["B", "C", "L_less_3 // 2 - 1"])

    def test_keepdim_axes_and_defaults_are_stated_as_tasks_state_them(self):
        value = typed_of(module("x.mean()", ROWS))["value"]
        self.assertEqual(value, {"op": "mean", "args": [{"input": "x"}], "attrs": {"axis": [0, 1, 2], "keepdim": False}})
        value = typed_of(module("torch.argmax(x, -1, keepdim=True)", ROWS))["value"]
        self.assertEqual(value, {"op": "argmax", "args": [{"input": "x"}], "attrs": {"axis": 2, "keepdim": True}, "shape": ["B", "L", 1], "dtype": "i64"})
        value = typed_of(module("F.elu(F.gelu(x))"))["value"]
        self.assertEqual(value, {"op": "elu", "args": [{"op": "gelu", "args": [{"input": "x"}]}]})
        value = typed_of(module("F.conv2d(x, y)", "torch.randn(B, C, H, W), torch.randn(6, C, 3, 3)"))["value"]
        self.assertEqual(value["attrs"], {"stride": [1, 1], "padding": [0, 0], "dilation": [1, 1], "groups": 1})
        self.assertEqual(value["shape"], ["B", 6, "H - 2", "W - 2"])

    def test_an_epsilon_that_isn_t_given_is_that_of_the_dtype(self):
        for made in ("nn.RMSNorm(C)", "nn.RMSNorm(C, eps=None)"):
            value = typed_of(module("self.norm(x)", made=f"self.norm = {made}"))["value"]
            self.assertEqual(value["attrs"], {"axis": 1, "eps": 2.0 ** -23})

    def test_names_are_distinct(self):
        task = typed_of(module("self.fc(x) + self.fc_weight", made="self.fc = nn.Linear(8, 4)\nself.fc_weight = nn.Parameter(torch.randn(4))", inputs="torch.rand(x, 8)", sizes="x = 5\n"))
        self.assertEqual([i["name"] for i in task["inputs"]], ["x_", "fc_weight", "fc_bias", "fc_weight_"])
        self.assertEqual(task["inputs"][3]["parameter"], "fc_weight")

    def test_reasons(self):
        for part, text in REFUSED:
            said = typed.typed_or_why(text, ast.parse(text), "Model")
            self.assertIn(part, said.get("untyped", "it is typed"), text)

    def test_labelled_arguments(self):
        text = module("self.fc(x)", made="self.fc = nn.Linear(width, 3)", arguments="width", given="[], {'width': C}")
        task = typed.typed(text, ast.parse(text), "Model", pair=True)
        self.assertEqual(task["module"], {"entry": "Model", "arguments": [], "keywords": {"width": {"size": "C"}}})

    def test_numbers_that_forward_takes_are_said(self):
        task = typed_of(module("x * y + C", inputs="torch.rand(B, C), 2.5"))
        self.assertEqual(task["module"]["forward"], [None, {"value": 2.5}])
        self.assertEqual([one["name"] for one in task["inputs"]], ["x"])
        # JSON's 2.0 may come back as 2, of which PyTorch makes tensors of integers.
        self.assertEqual(typed_of(module("x * y + C", inputs="torch.rand(B, C), 2.0"))["module"]["forward"], [None, {"value": {"real": 2.0}}])
        self.assertNotIn("forward", typed_of(module("x * y", inputs="torch.rand(B, C), torch.rand(B, C)"))["module"])

    def test_descriptions_hold_it(self):
        self.assertIn("typed", describe.describe(module("x * 2")))
        self.assertEqual(describe.describe(module("F.dropout(x, 0.5)"))["untyped"], "dropout is random")


class OfSizes(unittest.TestCase):
    def grown(self, draw, depth=0):
        """A size, and the same as a text of Python's, to be evaluated."""
        names = self.names
        if depth > 4 or draw.random() < 0.3:
            name = draw.choice([*names, None])
            number = draw.randint(0, 6)
            return (self.symbols[name], name) if name else (number, str(number))
        (a, x), (b, y) = self.grown(draw, depth + 1), self.grown(draw, depth + 1)
        kind = draw.choice("+-*//")
        if kind == "+":
            return extents.plus(a, b), f"({x} + {y})"
        if kind == "-":
            return extents.plus(a, b, -1), f"({x} - {y})"
        if kind == "*":
            return extents.product_of(a, b), f"({x} * {y})"
        by = draw.randint(1, 5)
        return extents.over(a, by), f"({x} // {by})"

    def setUp(self):
        self.sizes = extents.Extents()
        self.names = ["H", "W", "C"]
        self.symbols = {name: self.sizes.symbol(name, value) for name, value in zip(self.names, (32, 30, 8))}

    def test_normal_forms_are_worth_what_they_stand_for(self):
        draw = random.Random(3)
        made = 0
        for _ in range(3000):
            try:
                size, text = self.grown(draw)
            except extents.TooLarge:
                continue
            made += 1
            for _ in range(3):
                at = {name: draw.randint(1, 50) for name in self.names}
                value = eval(text, {}, at)
                self.assertEqual(extents.at(size, at), value, text)
                self.assertEqual(eval(str(extents.written(size)), {}, at), value, (text, extents.written(size)))
            by = draw.choice([2, 3, self.symbols["C"], extents.plus(self.symbols["H"], 1)])
            product = extents.product_of(size, by)
            self.assertEqual(extents.exactly_over(product, by), size, text)
        self.assertGreater(made, 2500)

    def test_texts_are_those_of_the_language(self):
        h, w, c = (self.symbols[name] for name in "HWC")
        plus, times, over = extents.plus, extents.product_of, extents.over
        for size, text in ((times(2, c), "2 * C"), (plus(over(plus(h, 1), 2), 2, -1), "(H + 1) // 2 - 2"), (plus(times(h, w), times(c, 3)), "H * W + 3 * C"), (over(over(h, 2), 3), "H // 6"),
                           (plus(plus(h, w), h, -1), "W"), (over(plus(times(4, h), 6), 2), "2 * H + 3"), (times(over(h, 2), w), "W * (H // 2)"), (plus(h, h, -1), 0), (plus(0, h, -1), "-H"), (over(times(3, h), 2), "H + H // 2")):
            self.assertEqual(extents.written(size), text)

    def test_what_is_fixed_is_a_number_everywhere(self):
        h, w = self.symbols["H"], self.symbols["W"]
        size = extents.plus(extents.over(extents.plus(h, 1), 2), w)
        self.assertEqual(self.sizes.fixed(h), 32)
        self.assertEqual(extents.written(self.sizes.now(size)), "W + 16")
        self.assertTrue(self.sizes.same(w, 30))
        self.assertEqual(self.sizes.now(size), 46)
        self.assertFalse(self.sizes.same(self.symbols["C"], 9))

    def test_equal_constants_become_one(self):
        m = self.sizes.symbol("M", 30)
        size = extents.product_of(m, 2)
        self.assertTrue(self.sizes.same(self.symbols["W"], m))
        self.assertEqual(extents.written(self.sizes.now(size)), "2 * W")

    def test_sizes_are_bounded(self):
        size = self.symbols["H"]
        with self.assertRaises(extents.TooLarge):
            for _ in range(200):
                size = extents.plus(extents.over(extents.plus(extents.product_of(size, size), 1), 2), size)
        for text in ("a = N\nfor i in range(50):\n    a = (a * a + 1) // 2 + a\n", "a = N * 10 ** 60\n", "a = N\nfor i in range(300):\n    a = (a + N) // 3 * 2\n"):
            text = f"N = 5\n{text}" + module("x * 2", "torch.rand(a, 3)", sizes="")
            json.dumps(describe.describe(text), allow_nan=False)


class OfTheTable(unittest.TestCase):
    """The rows of operators.def and what a module's calls become. These say of a new row what is missing here."""

    def test_every_operator_is_read_by_its_name_in_pytorch(self):
        for row in table():
            name = row.torch or row.name
            name = typed_operators._other_names.get(name, name)
            reason = UNREAD.get(row.name) or NO_CALL.get(row.name)
            with self.subTest(row.name):
                self.assertNotEqual(name in typed_operators.RULES, reason is not None,
                                    f"PyTorch's `{name}` needs a rule in typed_operators.py, or a reason in UNREAD" if reason is None else f"there is a rule, in spite of: {reason}")

    def test_reasons_are_of_operators(self):
        self.assertEqual({*UNREAD, *NO_CALL} - {row.name for row in table()}, set())

    def test_shapes_are_stated_of_the_same_operators(self):
        self.assertEqual(typed_operators.INFERRED, {row.name for row in table() if not row.stated})


if __name__ == "__main__":
    unittest.main()
