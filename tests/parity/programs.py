"""Random task programs, both as text of the language and as PyTorch evaluates them.

A program has dims {name: size}, inputs [{name, dtype, shape: [text or number], below}], and a body of nested tuples:
("in", name), ("num", number), ("list", [nodes]), ("call", function, [nodes], {label: value}). A label's value is a number, a
boolean, a list of numbers, a Word, Sizes (texts of sizes), or a node.
"""
import random
from dataclasses import dataclass, field

import torch_functions as tf


class Word(str):
    """One of several names, as in reduction = sum."""


class Sizes(list):
    """Sizes as texts or numbers, for reshape."""


class Size(str):
    """One size as text."""


class Quoted(str):
    """Words in double quotes, as an einsum's equation."""


@dataclass
class Program:
    dims: dict = field(default_factory=dict)
    inputs: list = field(default_factory=list)
    body: tuple = ()

    def source(self, name):
        dims = ", ".join(f"{d} = {s}" for d, s in self.dims.items())
        inputs = ", ".join(f"{i['name']}: {i['dtype']}{'(' + str(i['below']) + ')' if i.get('below') else ''}"
                           f"[{', '.join(map(str, i['shape']))}]" for i in self.inputs)
        return f"  task {name}[{dims}]({inputs}) = {text(self.body)}"

    def functions(self):
        several = {"results"} if self.body[0] == "list" else set()
        return {node[1] for node in nodes(self.body) if node[0] == "call"} | several


SIGNS = {"add": "+", "sub": "-", "mul": "*", "div": "/", "matmul": "@", "pow": "^", "lt": "<", "le": "<=", "gt": ">",
         "ge": ">=", "eq": "==", "ne": "!=", "logical_and": "and", "logical_or": "or"}


def value_text(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, Sizes)):
        return "[" + ", ".join(map(str, value)) + "]"
    if isinstance(value, tuple):
        return text(value)
    return f'"{value}"' if isinstance(value, Quoted) else str(value)


def text(node):
    if node[0] == "text":
        return f'"{node[1]}"'
    if node[0] == "in":
        return node[1]
    if node[0] == "num":
        return f"({node[1]})" if node[1] < 0 else str(node[1])
    if node[0] == "list":
        return "[" + ", ".join(map(text, node[1])) + "]"
    _, name, args, labels = node
    if name in SIGNS and not labels and len(name) % 2 == 0:
        return f"({text(args[0])} {SIGNS[name]} {text(args[1])})"
    return f"{name}({', '.join([text(a) for a in args] + [f'{k} = {value_text(v)}' for k, v in labels.items()])})"


def nodes(node):
    yield node
    if node[0] == "call":
        for child in list(node[2]) + [v for v in node[3].values() if isinstance(v, tuple)]:
            yield from nodes(child)
    elif node[0] == "list":
        for child in node[1]:
            yield from nodes(child)


def size_of(entry, sizes):
    return entry if isinstance(entry, int) else eval(str(entry), {}, dict(sizes))


def run(node, inputs, sizes):
    """Evaluates a body by PyTorch."""
    if node[0] == "in":
        return inputs[node[1]]
    if node[0] in ("num", "text"):
        return node[1]
    if node[0] == "list":
        return [run(child, inputs, sizes) for child in node[1]]
    _, name, args, labels = node
    values = {}
    for label, value in labels.items():
        if isinstance(value, tuple):
            value = run(value, inputs, sizes)
        elif isinstance(value, Sizes):
            value = [size_of(v, sizes) for v in value]
        elif isinstance(value, Size):
            value = size_of(value, sizes)
        elif isinstance(value, Word):
            value = str(value)
        values[label] = value
    return tf.FUNCTIONS[name](*[run(a, inputs, sizes) for a in args], **values)


def resized(dims):
    grown = {d: (3 * s + 1) // 2 for d, s in dims.items()}
    return {d: s + (s % 2 == 0) for d, s in grown.items()}


PRIMES = [5, 7, 11, 13, 17, 19, 23, 29, 31, 37]


class Maker:
    """Generates well-shaped programs. Every method that makes a call returns (node, shape), where shape is a list of texts and numbers,
    or None when the language's text of a size isn't known here."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.program = Program()
        self.primes = PRIMES[:]
        self.random.shuffle(self.primes)
        self.final = False  # the value isn't of floats: nothing follows it

    def dim(self):
        """Returns a new dimension, or an existing one when there are many."""
        if len(self.program.dims) >= 7 or not self.primes:
            return self.random.choice(list(self.program.dims))
        name = "MNKBCHWLEDQR"[len(self.program.dims)]
        self.program.dims[name] = self.primes.pop()
        return name

    def input(self, shape, dtype="f32", below=None):
        name = f"x{len(self.program.inputs)}"
        self.program.inputs.append(dict(name=name, dtype=dtype, shape=list(shape), below=below))
        return ("in", name)

    def tensor(self, shape):
        """Returns an input of that shape, possibly through one or two elementwise functions."""
        values = self.random.choice([None] * 12 + ["0..1", "-2..0.5", "positive", "normal(1, 0.5)"])
        node = self.input(shape, "f32", values)
        for _ in range(self.random.choice([0, 0, 1, 1, 2])):
            node = self.unary(node)
        return node

    def call(self, name, *args, **labels):
        return ("call", name, list(args), labels)

    def unary(self, node):
        name = self.random.choice(["relu", "tanh", "sigmoid", "gelu", "silu", "abs", "sin", "softplus", "mish", "erf", "square"])
        return self.call(name, node)

    def shape(self, rank):
        return [self.dim() for _ in range(rank)]

    def axis(self, shape):
        axis = self.random.randrange(len(shape))
        return axis - len(shape) if self.random.random() < 0.3 else axis

    def number(self, low=-1.0, high=1.0):
        return round(self.random.uniform(low, high), 2)

    def broadcastable(self, shape):
        """Returns a shape that broadcasts to this one."""
        kind = self.random.random()
        if kind < 0.5 or not shape:
            return list(shape)
        if kind < 0.75:
            return list(shape[self.random.randrange(len(shape)):])
        out = list(shape)
        out[self.random.randrange(len(out))] = 1
        return out

    def reduction(self):
        return Word(self.random.choice(["mean", "sum", "none"]))

    def reduced(self, shape, word):
        return list(shape) if word == "none" else []

    # Makes one call of a function, on inputs that fit it.
    def make(self, name):
        r = self.random
        if name in tf.UNARY or name in ("celu", "elu", "gelu", "hardshrink", "hardtanh", "leaky_relu", "softshrink", "clamp",
                                        "threshold"):
            return self.elementwise(name)
        if name in tf.BINARY or name in tf.TENSOR_BINARY or name == "lerp":
            return self.binary(name)
        if name in tf.COMPARISONS or name in ("where", "logical_and", "logical_or", "logical_not", "masked_fill", "any", "all"):
            return self.conditions(name)
        if name in tf.REDUCTIONS or name in tf.PLACES or name == "prod":
            return self.reductions(name)
        if name in tf.SCANS or name in ("normalize", "flip", "roll", "sort", "topk", "tril", "triu", "glu"):
            return self.scans(name)
        if name[:4] == "conv":
            return self.convolutions(name)
        if "pool" in name:
            return self.pools(name)
        if name in tf.POINTWISE_LOSSES or name in ("kl_div", "margin_ranking_loss", "triplet_margin_loss", "nll_loss",
                                                   "cross_entropy", "cosine_similarity", "pairwise_distance"):
            return self.losses(name)
        if name.endswith("_norm"):
            return self.norms(name)
        return getattr(self, "make_" + name)(r)

    def elementwise(self, name):
        shape = self.shape(self.random.randint(1, 4))
        x = self.tensor(shape)
        if name in ("log", "log2", "log10", "sqrt", "rsqrt", "reciprocal", "log1p"):
            x = self.call("add", self.call("square", x), ("num", 0.25))
        labels = {}
        if name == "clamp":
            labels = self.random.choice([dict(min=-0.5), dict(max=0.75), dict(min=-0.5, max=0.5)])
        elif name == "threshold":
            labels = dict(threshold=self.number(), value=self.number())
        elif name == "gelu":
            labels = self.random.choice([{}, dict(approximate=Word("tanh"))])
        elif name not in tf.UNARY and self.random.random() < 0.7:
            labels = {"celu": dict(alpha=1.5), "elu": dict(alpha=0.5), "hardshrink": dict(lambd=0.25),
                      "hardtanh": dict(min_val=-0.5, max_val=0.75), "leaky_relu": dict(negative_slope=0.2),
                      "softshrink": dict(lambd=0.25)}[name]
        return self.call(name, x, **labels), shape

    def binary(self, name):
        shape = self.shape(self.random.randint(1, 4))
        a, b = list(shape), self.broadcastable(shape)
        if self.random.random() < 0.5:
            a, b = b, a
        x, y = self.tensor(a), self.tensor(b)
        if name in tf.BINARY and self.random.random() < 0.3:
            y, shape = ("num", 1.5), a
        if name == "pow":
            x = self.call("add", self.call("abs", x), ("num", 0.5))
        if name == "remainder":
            y = y if y[0] == "num" else self.call("add", self.call("abs", y), ("num", 0.5))
        labels = dict(weight=0.25) if name == "lerp" and self.random.random() < 0.5 else {}
        return self.call(name, x, y, **labels), shape

    def conditions(self, name):
        shape = self.shape(self.random.randint(1, 3))
        compare = name if name in tf.COMPARISONS else self.random.choice(list(tf.COMPARISONS))
        y = self.random.choice([("num", 0), None])
        condition = self.call(compare, self.tensor(shape), y or self.tensor(self.broadcastable(shape)))
        if name in ("logical_and", "logical_or"):
            condition = self.call(name, condition, self.call("lt", self.tensor(self.broadcastable(shape)), ("num", 0.5)))
        if name == "logical_not":
            condition = self.call(name, condition)
        if name in ("any", "all"):
            axis, out = self.some_axes(shape)
            return self.call(name, condition, **axis), out
        if name == "masked_fill":
            return self.call(name, self.tensor(shape), condition, ("num", self.number())), shape
        if name == "where" or self.random.random() < 0.7:
            y = self.random.choice([("num", 0.5), self.tensor(self.broadcastable(shape))])
            return self.call("where", condition, self.tensor(shape), y), shape
        return condition, shape

    def some_axes(self, shape):
        """Draws the labels axis and keepdim, and returns the shape after the reduction."""
        labels, axes = {}, list(range(len(shape)))
        kind = self.random.random()
        if kind < 0.5:
            labels["axis"] = self.axis(shape)
            axes = [labels["axis"] % len(shape)]
        elif kind < 0.75:
            axes = sorted(self.random.sample(axes, self.random.randint(1, len(shape))))
            labels["axis"] = axes
        keep = self.random.random() < 0.4
        if keep:
            labels["keepdim"] = True
        return labels, [1 if i in axes else s for i, s in enumerate(shape) if keep or i not in axes]

    def reductions(self, name):
        shape = self.shape(self.random.randint(1, 4))
        x = self.tensor(shape)
        labels, out = self.some_axes(shape)
        if name == "logsumexp" and "axis" not in labels:
            labels["axis"] = list(range(len(shape)))
        if name in ("prod", "argmax", "argmin"):
            keep = labels.pop("keepdim", False)
            if isinstance(labels.get("axis"), list):
                labels["axis"] = labels["axis"][0]
            out = []
            if "axis" in labels:
                axis = labels["axis"] % len(shape)
                if keep:
                    labels["keepdim"] = True
                out = [1 if i == axis else s for i, s in enumerate(shape) if keep or i != axis]
        return self.call(name, x, **labels), out

    def scans(self, name):
        r = self.random
        shape = self.shape(r.randint(2, 4))
        if name == "glu":
            axis = self.axis(shape)
            doubled = [f"2 * {s}" if i == axis % len(shape) else s for i, s in enumerate(shape)]
            return self.call(name, self.tensor(doubled), axis=axis), shape
        x = self.tensor(shape)
        labels = dict(axis=self.axis(shape))
        if name == "flip" and r.random() < 0.5:
            labels = dict(axis=[0, len(shape) - 1])
        if name == "roll":
            labels["shifts"] = r.randint(-3, 9)
        if name == "sort" and r.random() < 0.5:
            labels["descending"] = True
        if name in ("tril", "triu"):
            labels = r.choice([{}, dict(diagonal=r.randint(-2, 2))])
        out = list(shape)
        if name == "topk":
            labels["k"] = r.randint(1, 4)
            out[labels["axis"]] = labels["k"]
        return self.call(name, x, **labels), out

    def convolutions(self, name):
        r, d = self.random, int(name[-2])
        spatial = [self.dim() for _ in range(d)]
        batch = [] if r.random() < 0.2 else [self.dim()]
        kernel = [r.randint(1, 3) for _ in range(d)]
        labels = {}
        for label, low in (("stride", 1), ("padding", 0), ("dilation", 1)):
            if r.random() < 0.5:
                labels[label] = r.choice([r.randint(low, 2), [r.randint(low, 2) for _ in range(d)]])
        if "dilation" in labels:
            labels["padding"] = 2
        groups = r.choice([1, 1, 2, None])
        if groups is None:  # a depthwise convolution
            channels = self.dim()
            labels["groups"] = Size(channels)
            x, weight, out = channels, [channels, 1], channels
        elif groups == 1:
            x, out = self.dim(), self.dim()
            weight = [x, out] if "transpose" in name else [out, x]
        else:
            labels["groups"] = 2
            c, k = self.dim(), self.dim()
            x, out = f"2 * {c}", f"2 * {k}"
            weight = [x, k] if "transpose" in name else [out, c]
        if "transpose" in name:
            if r.random() < 0.3:
                labels["stride"], labels["output_padding"] = 2, 1
            if "padding" in labels:
                labels["padding"] = 1
        args = [self.tensor(batch + [x] + spatial), self.tensor(weight + kernel)]
        if r.random() < 0.5:
            args.append(self.tensor([out]))
        return self.call(name, *args, **labels), None

    def pools(self, name):
        r, d = self.random, int(name[-2])
        shape = self.shape(d + r.choice([1, 2]))
        if name.startswith("adaptive"):
            size = r.choice([r.randint(1, 5), [r.randint(1, 5) for _ in range(d)]])
            return self.call(name, self.tensor(shape), output_size=size), None
        labels = dict(kernel_size=r.choice([r.randint(2, 3), [r.randint(2, 3) for _ in range(d)]]))
        if r.random() < 0.5:
            labels["stride"] = r.choice([1, 2, [r.randint(1, 3) for _ in range(d)]])
        if r.random() < 0.5:
            labels["padding"] = 1
        if name.startswith("max") and r.random() < 0.3:
            labels["dilation"] = 1 if labels["kernel_size"] != 2 else 2
        return self.call(name, self.tensor(shape), **labels), None

    def norms(self, name):
        r = self.random
        shape = self.shape(r.randint(3, 4))
        labels = dict(eps=1e-3) if r.random() < 0.3 else {}
        weights = r.choice([0, 1, 2])
        if name in ("layer_norm", "rms_norm"):
            count = r.randint(1, 2)
            axes = list(range(len(shape) - count, len(shape)))
            labels["axis"] = axes[0] if count == 1 else axes
            if weights == 0 and r.random() < 0.5:
                labels["axis"] = self.axis(shape)
            own = shape[-count:]
            weights = min(weights, 1) if name == "rms_norm" else weights
        else:
            if name == "group_norm":
                labels["num_groups"] = 3
                shape[1] = f"3 * {shape[1]}"
            own = [shape[1]]
        for label in ("weight", "bias")[:weights]:
            labels[label] = self.tensor(own)
        return self.call(name, self.tensor(shape), **labels), shape

    def losses(self, name):
        r = self.random
        shape = self.shape(r.randint(2, 4))
        word = self.reduction()
        labels = {} if word == "mean" else dict(reduction=word)
        if name in ("nll_loss", "cross_entropy"):
            each = [shape[0]] + shape[2:]
            x = self.call("log_softmax", self.tensor(shape), axis=1) if name == "nll_loss" else self.tensor(shape)
            if name == "cross_entropy" and r.random() < 0.3:
                target = self.call("softmax", self.tensor(shape), axis=1)
            else:
                target = self.input(each, "i64", shape[1])
            if r.random() < 0.3:
                labels["weight"] = self.call("abs", self.tensor([shape[1]]))
            if target[0] == "in" and r.random() < 0.3:
                labels["ignore_index"] = r.randint(0, 3)
            if name == "cross_entropy" and r.random() < 0.3 and "ignore_index" not in labels:
                labels["label_smoothing"] = 0.1
            return self.call(name, x, target, **labels), self.reduced(each, word)
        x, y = self.tensor(shape), self.tensor(shape)
        if name == "kl_div":
            if r.random() < 0.3:
                labels["reduction"] = word = Word("batchmean")
            x = self.call("log_softmax", x, axis=1)
            y = self.call("softmax", y, axis=1)
            if r.random() < 0.3:
                y, labels["log_target"] = self.call("log", y), True
            return self.call(name, x, y, **labels), self.reduced(shape, word)
        if name == "cosine_similarity":
            y = self.tensor(self.broadcastable(shape)) if r.random() < 0.4 else y
            labels = dict(axis=self.axis(shape))
            return self.call(name, x, y, **labels), [s for i, s in enumerate(shape) if i != labels["axis"] % len(shape)]
        if name == "pairwise_distance":
            return self.call(name, x, y, **r.choice([{}, dict(p=1), dict(p=3, eps=0.001)])), shape[:-1]
        if name == "triplet_margin_loss":
            labels |= r.choice([{}, dict(margin=0.5), dict(p=1)])
            return self.call(name, x, y, self.tensor(shape), **labels), self.reduced(shape[:-1], word)
        if name == "margin_ranking_loss":
            labels |= r.choice([{}, dict(margin=0.5)])
            return self.call(name, x, y, self.call("sign", self.input(shape)), **labels), self.reduced(shape, word)
        if name == "hinge_embedding_loss":
            y = self.call("sign", self.input(shape))
            labels |= r.choice([{}, dict(margin=0.5)])
        labels |= {"huber_loss": dict(delta=0.75), "smooth_l1_loss": dict(beta=0.5)}.get(name, {})
        return self.call(name, x, y, **labels), self.reduced(shape, word)

    def make_prelu(self, r):
        shape = self.shape(r.randint(2, 4))
        return self.call("prelu", self.tensor(shape), self.tensor([r.choice([1, shape[1]])])), shape

    def make_transpose(self, r):
        shape = self.shape(r.randint(2, 4))
        x = self.tensor(shape)
        if len(shape) == 2 and r.random() < 0.5:
            return self.call("transpose", x), shape[::-1]
        a, b = self.axis(shape), self.axis(shape)
        out = list(shape)
        out[a], out[b] = out[b], out[a]
        return self.call("transpose", x, ("num", a), ("num", b)), out

    def make_permute(self, r):
        shape = self.shape(r.randint(2, 4))
        order = r.sample(range(len(shape)), len(shape))
        return self.call("permute", self.tensor(shape), axes=list(order)), [shape[i] for i in order]

    def make_reshape(self, r):
        shape = self.shape(3)
        wanted = r.choice([[shape[0], -1], [-1], [f"{shape[0]} * {shape[1]}", shape[2]], [shape[2], shape[1], 1, shape[0]],
                           [f"{shape[1]} * {shape[0]} * {shape[2]}"]])
        return self.call("reshape", self.tensor(shape), shape=Sizes(wanted)), None

    def make_flatten(self, r):
        shape = self.shape(4)
        labels = r.choice([{}, dict(start_axis=1), dict(start_dim=1, end_dim=2), dict(end_axis=-2)])
        labels = {k.replace("dim", "axis"): v for k, v in labels.items()}
        return self.call("flatten", self.tensor(shape), **labels), None

    def make_unsqueeze(self, r):
        shape = self.shape(2)
        at = r.randint(-3, 2)
        out = list(shape)
        out.insert(at % 3, 1)
        return self.call("unsqueeze", self.tensor(shape), axis=at), out

    def make_squeeze(self, r):
        shape = [self.dim(), 1, self.dim()]
        return self.call("squeeze", self.tensor(shape), axis=r.choice([1, -2])), [shape[0], shape[2]]

    def make_expand(self, r):
        a, b, c = self.dim(), self.dim(), self.dim()
        grown = self.call("expand", self.tensor([a, 1]), shape=Sizes([c, r.choice([a, -1]), b]))
        return self.call("mul", grown, self.tensor([c, 1, b])), [c, a, b]

    def make_pad(self, r):
        shape = self.shape(r.randint(1, 4))
        amounts = [r.randint(0, 3) for _ in range(2 * r.randint(1, len(shape)))]
        return self.call("pad", self.tensor(shape), pad=amounts, **r.choice([{}, dict(value=0.5)])), None

    def make_cat(self, r):
        shape = self.shape(r.randint(1, 3))
        axis = self.axis(shape)
        parts = []
        for _ in range(r.randint(1, 3)):
            own = list(shape)
            own[axis] = r.choice([self.dim(), 3])
            parts.append(self.tensor(own))
        return self.call("cat", ("list", parts), axis=axis), None

    def make_stack(self, r):
        shape = self.shape(2)
        parts = [self.tensor(shape) for _ in range(r.randint(1, 3))]
        axis = r.randint(-3, 2)
        out = list(shape)
        out.insert(axis % 3, len(parts))
        return self.call("stack", ("list", parts), axis=axis), out

    def make_narrow(self, r):
        shape = self.shape(2)
        if r.random() < 0.5:
            own = [shape[0], f"2 * {shape[1]}"]
            start = r.choice([Size(0), Size(shape[1])])
            return self.call("narrow", self.tensor(own), axis=1, start=start, length=Size(shape[1])), shape
        return self.call("narrow", self.tensor(shape), axis=0, start=r.randint(0, 2), length=2), [2, shape[1]]

    def make_select(self, r):
        shape = self.shape(3)
        axis = self.axis(shape)
        return (self.call("select", self.tensor(shape), axis=axis, index=r.randint(-4, 3)),
                [s for i, s in enumerate(shape) if i != axis % 3])

    def make_index_select(self, r):
        shape, count = self.shape(3), self.dim()
        axis = self.axis(shape)
        out = list(shape)
        out[axis] = count
        index = self.input([count], r.choice(["i64", "i32"]), shape[axis])
        return self.call("index_select", self.tensor(shape), ("num", axis), index), out

    def make_gather(self, r):
        shape, count = self.shape(2), self.dim()
        axis = self.axis(shape)
        out = list(shape)
        out[axis] = count
        return self.call("gather", self.tensor(shape), ("num", axis), self.input(out, "i64", shape[axis])), out

    def make_embedding(self, r):
        rows, width, index = self.dim(), self.dim(), self.shape(r.randint(1, 2))
        return (self.call("embedding", self.input(index, r.choice(["i64", "i32"]), rows), self.tensor([rows, width])),
                index + [width])

    def make_matmul(self, r):
        m, k, n = self.dim(), self.dim(), self.dim()
        batch = self.shape(r.randint(0, 2))
        left, right = r.choice([(batch + [m, k], [k, n]), (batch + [m, k], batch + [k, n]), ([k], batch + [k, n]),
                                (batch + [m, k], [k]), ([k], [k]), (batch + [m, k], [1] * len(batch) + [k, n])])
        out = (batch if max(len(left), len(right)) > 2 else []) + ([m] if len(left) > 1 else []) + ([n] if len(right) > 1 else [])
        return self.call("matmul", self.tensor(left), self.tensor(right)), out

    def make_bmm(self, r):
        b, m, k, n = self.dim(), self.dim(), self.dim(), self.dim()
        return self.call("bmm", self.tensor([b, m, k]), self.tensor([b, k, n])), [b, m, n]

    def make_outer(self, r):
        m, n = self.dim(), self.dim()
        return self.call("outer", self.tensor([m]), self.tensor([n])), [m, n]

    def make_linear(self, r):
        shape, out = self.shape(r.randint(1, 3)), self.dim()
        args = [self.tensor(shape), self.tensor([out, shape[-1]])] + ([self.tensor([out])] if r.random() < 0.5 else [])
        return self.call("linear", *args), shape[:-1] + [out]

    def make_scaled_dot_product_attention(self, r):
        batch, q, k, e, v = self.shape(r.randint(1, 2)), self.dim(), self.dim(), self.dim(), self.dim()
        labels = r.choice([{}, dict(is_causal=True), dict(scale=0.5)])
        if r.random() < 0.3:
            b, h = self.dim(), self.dim()
            return (self.call("scaled_dot_product_attention", self.tensor([b, f"3 * {h}", q, e]), self.tensor([b, h, k, e]),
                              self.tensor([b, h, k, v]), enable_gqa=True, **labels), [b, f"3 * {h}", q, v])
        if not labels and r.random() < 0.5:
            labels["attn_mask"] = r.choice([self.tensor([q, k]), self.call("gt", self.tensor([q, k]), ("num", -2))])
        return (self.call("scaled_dot_product_attention", self.tensor(batch + [q, e]), self.tensor(batch + [k, e]),
                          self.tensor(batch + [k, v]), **labels), batch + [q, v])

    def integer_tensor(self, shape, dtype=None):
        """Returns an input of integers, of both signs where the dtype has them."""
        dtype = dtype or self.random.choice(["i64", "i32", "i16", "i8", "u8"])
        return self.input(shape, dtype, "0..9" if dtype == "u8" else self.random.choice(["-9..9", "0..5"])), dtype

    def make_to(self, r):
        shape = self.shape(r.randint(1, 3))
        kind = r.random()
        if kind < 0.3:  # integers among themselves, then as floats
            a, dtype = self.integer_tensor(shape)
            b = self.random.choice([self.input(shape, dtype, "1..4"), ("num", 2)])
            node = self.call(r.choice(["add", "sub", "mul", "maximum", "minimum"]), a, b)
            if r.random() < 0.5:
                node = self.call(r.choice(["sum", "cumsum", "amax", "sort"]), node, axis=0)
                shape = shape if node[1] in ("cumsum", "sort") else shape[1:]
            return self.call("to", node, dtype=Word("f32")), shape
        if kind < 0.5:
            other = self.input(shape, r.choice(["f16", "bf16", "f8e4m3", "f8e5m2"]))
            return self.call("add", self.tensor(shape), self.call("to", other, dtype=Word("f32"))), shape
        if kind < 0.7:
            condition = self.call("gt", self.tensor(shape), ("num", 0))
            return self.call("mul", self.tensor(shape), self.call("to", condition, dtype=Word("f32"))), shape
        self.final = True
        wanted = Word(r.choice(["i32", "i64", "i8", "f16", "bf16"]))
        scaled = self.call("mul", self.tensor(shape), ("num", 7.3))
        if wanted == "i8":
            scaled = self.call("clamp", scaled, min=-100, max=100)
        return self.call("to", scaled, dtype=wanted), shape

    def nan_test(self, name, r):
        shape = self.shape(r.randint(1, 3))
        x = self.call("log", self.tensor(shape)) if r.random() < 0.5 else self.call("div", self.tensor(shape), self.call("relu", self.tensor(shape)))
        condition = self.call(name, x)
        if r.random() < 0.5:
            self.final = True
            return condition, shape
        return self.call("where", condition, self.tensor(shape), ("num", 0.25)), shape

    def make_isnan(self, r):
        return self.nan_test("isnan", r)

    def make_isinf(self, r):
        return self.nan_test("isinf", r)

    def make_isfinite(self, r):
        return self.nan_test("isfinite", r)

    def make_argsort(self, r):
        shape = self.shape(r.randint(1, 3))
        axis = self.axis(shape)
        x = self.input(shape) if r.random() < 0.6 else self.integer_tensor(shape)[0]
        places = self.call("argsort", x, axis=axis, **r.choice([{}, dict(descending=True)]))
        if r.random() < 0.5:
            self.final = True
            return places, shape
        return self.call("gather", self.tensor(shape), ("num", axis), places), shape

    def make_arange(self, r):
        m, n = self.shape(2)
        counted = self.call("arange", Size(n), dtype=Word("f32")) if r.random() < 0.5 else self.call("to", self.call("arange", ("num", 5)), dtype=Word("f32"))
        if counted[1] == "arange":
            counted = ("call", "arange", [], dict(size=Size(n), dtype=Word("f32")))
            return self.call("mul", self.tensor([m, n]), counted), [m, n]
        counted = self.call("to", ("call", "arange", [], dict(size=Size(n))), dtype=Word("f32"))
        return self.call("add", self.tensor([m, n]), counted), [m, n]

    def make_size(self, r):
        m, n = self.shape(2)
        number = ("call", "size", [], dict(size=Size(n)))
        if r.random() < 0.5:
            return self.call("div", self.tensor([m, n]), number), [m, n]
        integers, _ = self.integer_tensor([m, n], "i32")
        return self.call("to", self.call("sub", integers, number), dtype=Word("f32")), [m, n]

    def make_results(self, r):
        self.final = True
        shape = self.shape(r.randint(1, 3))
        x, axis = self.tensor(shape), self.axis(shape)
        pairs = [("amax", "argmax"), ("sum", "amin"), ("cumsum", "argsort"), ("softmax", "logcumsumexp")]
        names = r.choice(pairs) + r.choice([(), ("sort",)])
        parts = [self.call(name, x, axis=axis) for name in names]
        return r.choice([("list", parts), ("call", "results", [("list", parts)], {})]), None

    def make_zeros(self, r):
        m, n = self.shape(2)
        nothing = ("call", "zeros", [], dict(shape=Sizes([m, n])))
        return self.call("maximum", self.tensor([m, n]), nothing), [m, n]

    def make_repeat_interleave(self, r):
        shape = self.shape(r.randint(1, 3))
        axis, repeats = self.axis(shape), r.randint(1, 3)
        return self.call("repeat_interleave", self.tensor(shape), repeats=repeats, axis=axis), None

    def make_einsum(self, r):
        b, i, j, k = self.shape(4)
        equation, x, y, out = r.choice([
            ("bij,bjk->bik", [b, i, j], [b, j, k], [b, i, k]), ("ij,kj->ik", [i, j], [k, j], [i, k]),
            ("bij,j->bi", [b, i, j], [j], [b, i]), ("i,j->ij", [i], [j], [i, j]), ("bij, bij -> b", [b, i, j], [b, i, j], [b]),
            ("bi,bj->ji", [b, i], [b, j], [j, i])])
        return ("call", "einsum", [("text", equation), self.tensor(x), self.tensor(y)], {}), out

    def make_rotary_embedding(self, r):
        b, length, d = self.shape(3)
        labels = r.choice([{}, dict(interleaved=True)])
        angles = r.choice([[length, d], [b, length, d], [d]])
        return self.call("rotary_embedding", self.tensor([b, length, f"2 * {d}"]), self.input(angles), self.input(angles), **labels), None

    def make_index_add(self, r):
        shape, count = self.shape(2), self.dim()
        axis = self.axis(shape)
        source = list(shape)
        source[axis] = count
        return self.call("index_add", self.tensor(shape), ("num", axis), self.input([count], r.choice(["i64", "i32"]), shape[axis]),
                         self.tensor(source)), shape

    def make_scatter_add(self, r):
        shape, count = self.shape(2), self.dim()
        axis = self.axis(shape)
        source = list(shape)
        source[axis] = count
        return self.call("scatter_add", self.tensor(shape), ("num", axis), self.input(source, "i64", shape[axis]),
                         self.tensor(source)), shape

    def make_segment_reduce(self, r):
        n, segments, width = self.shape(3)
        labels = r.choice([{}, dict(reduce=Word("sum")), dict(reduce=Word("mean")), dict(reduce=Word("max")), dict(reduce=Word("min"))])
        self.final = labels.get("reduce") not in (None, "sum")
        offsets = self.input([f"{segments} + 1"], "i64", f"offsets({n})")
        return self.call("segment_reduce", self.tensor([n, width]), offsets, **labels), [segments, width]

    def after(self, node, shape):
        """Applies another function to the value; values that aren't floats stay."""
        r = self.random
        if node[1] in tf.COMPARISONS or node[1] in ("any", "all", "argmax", "argmin", "logical_and", "logical_or", "logical_not"):
            return node, shape
        if shape is None or not shape:
            return self.unary(node), shape
        kind = r.random()
        if kind < 0.3:
            return self.unary(node), shape
        if kind < 0.55:
            return self.call(r.choice(list(tf.BINARY)[:6]), node, self.tensor(self.broadcastable(shape))), shape
        if kind < 0.7:
            return self.call(r.choice(["softmax", "cumsum", "log_softmax"]), node, axis=self.axis(shape)), shape
        if kind < 0.8:
            labels, out = self.some_axes(shape)
            return self.call(r.choice(["sum", "mean", "amax"]), node, **labels), out
        if kind < 0.9:
            out_features = self.dim()
            return self.call("linear", node, self.tensor([out_features, shape[-1]])), shape[:-1] + [out_features]
        at = r.randint(0, len(shape))
        return self.call("unsqueeze", node, axis=at), shape[:at] + [1] + shape[at:]


def program(seed, function):
    """Returns a program with this function and up to three more around it."""
    maker = Maker(f"{function}/{seed}")
    node, shape = maker.make(function)
    for _ in range(maker.random.choice([0, 1, 1, 2, 3])):
        if not maker.final:
            node, shape = maker.after(node, shape)
    maker.program.body = node
    used = {n[1] for n in nodes(node) if n[0] == "in"}
    maker.program.inputs = [i for i in maker.program.inputs if i["name"] in used]
    return maker.program
