"""PyTorch's functions, methods and layers as the tensor functions of the language (docs/interfaces.md, 1): how each is called, and the
expression that it is. What the language can't say raises Untyped with the reason.

Tensors have an expression: a Node, or a number where the tensor is one. Shapes are checked as PyTorch checks them, and what has to be a
number (windows, groups) is fixed (extents.py).
"""

import math

import extents
from extents import Size, exactly_over, over, plus, product_of
import static_module
from static_module import External, Tensor, Unknown, Unread

MOST_NODES = 3_000  # of an expression, as a tree
MOST_LEVELS = 250  # of an expression
MOST_AXES = 12
MOST_SIZE = 1 << 40
FLOATS = ("f32", "f16", "bf16", "f64")
INTEGERS = ("i64", "i32", "i16", "i8", "u8")

# Operators whose shape a reader infers; the others state it.
INFERRED = set("""abs ceil celu clamp cos cosh deg2rad elu erf exp exp2 expm1 floor gelu hardshrink hardsigmoid hardswish hardtanh leaky_relu log
log1p log2 logsigmoid mish neg reciprocal relu relu6 rsqrt selu sigmoid sign silu sin sinh softplus softshrink softsign sqrt square tanh
tanhshrink add div hypot lerp logaddexp maximum minimum mul sub amax amin logsumexp mean std sum var vector_norm cumsum layer_norm
log_softmax normalize rms_norm softmax softmin transpose matmul""".split())


class Untyped(Unread):
    """Raised with the reason why the language can't express a task."""


class Node:
    """An operator with its arguments, each a Node or a number; or an input, whose `op` is None."""

    __slots__ = ("op", "args", "attrs", "shape", "dtype", "count", "levels", "name")

    def __init__(self, op, args=(), attrs=None, shape=(), dtype="f32", name=None):
        self.op, self.args, self.attrs, self.shape, self.dtype, self.name = op, args, attrs, shape, dtype, name
        self.count = 1 + sum(a.count if isinstance(a, Node) else 1 for a in args)
        self.levels = 1 + max((a.levels for a in args if isinstance(a, Node)), default=0)
        if self.count > MOST_NODES:
            raise Untyped(f"as a tree its expression has more than {MOST_NODES} operators, since values that are used several times are computed each time")
        if self.levels > MOST_LEVELS:
            raise Untyped(f"its expression is nested more than {MOST_LEVELS} deep")


class TypedTensor(Tensor):
    """A tensor with its expression or, if its values are drawn, with their distribution. `storage` is shared with the
    tensor's views, and counts changes in place."""

    __slots__ = ("node", "draw", "storage", "seen", "stateful")

    def __init__(self, shape, dtype, node=None, draw=None, storage=None, stateful=False):
        super().__init__(tuple(shape), dtype)
        self.node, self.draw, self.stateful = node, draw, stateful
        self.storage = storage if storage is not None else [0]
        self.seen = self.storage[0]


class Named(tuple):
    """The result of torch.max along an axis: values and their places."""

    __slots__ = ()


REQUIRED = object()
RULES = {}


def _literal(text):
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return {"None": None, "True": True, "False": False}.get(text, text)


def parsed(signature):
    """Returns a signature as [(name, default)], and whether the last parameter takes the remaining positional
    arguments."""
    out = []
    for word in signature.replace("*", "").split():
        name, given, default = word.partition("=")
        out.append((name, _literal(default) if given else REQUIRED))
    return out, "*" in signature


def rule(called, signature):
    def register(function):
        parameters, rest = parsed(signature)
        for name in called.split():
            RULES[name] = (parameters, rest, function)
        return function
    return register


_ignored = {"device", "requires_grad", "generator", "memory_format", "non_blocking", "layout", "pin_memory", "copy", "_stacklevel"}
_synonyms = {"axis": "dim", "x": "input", "self": "input", "x2": "other", "mat2": "other", "vec": "other", "exponent": "other", "axes": "dims",
             "keepdims": "keepdim", "tensor": "other", "A": "input"}


def bound(what, parameters, rest, args, kwargs):
    """Returns the value of each parameter, by name."""
    if not kwargs and not rest and len(args) == len(parameters):
        out = {name: value for (name, _), value in zip(parameters, args)}
        args = ()
    else:
        out = {}
    for i, value in enumerate(args):
        if rest and i >= len(parameters) - 1:
            many = args[i:]
            out[parameters[-1][0]] = many[0] if len(many) == 1 and isinstance(many[0], (list, tuple)) else list(many)
            break
        if i >= len(parameters):
            raise Untyped(f"`{what}` is called with {len(args)} arguments, and {len(parameters)} are known")
        out[parameters[i][0]] = value
    known = {name for name, _ in parameters} if kwargs else ()
    for name, value in kwargs.items():
        if name not in known:
            if name in _ignored:
                continue
            name = _synonyms.get(name, name)
            if name not in known:
                if value is None or value is False:
                    continue
                raise Untyped(f"`{what}` is called with `{name}`, which isn't read")
        if name in out:
            raise Untyped(f"`{what}` is given `{name}` twice")
        out[name] = value
    for name, default in parameters:
        if name not in out:
            if default is REQUIRED:
                raise Untyped(f"`{what}` is called without `{name}`")
            out[name] = default
    for value in out.values():
        if isinstance(value, Unknown):
            raise Untyped(value.why)
    return out


class Operators:
    def __init__(self, sizes):
        self.sizes = sizes

    def call(self, name, args, kwargs):
        """Returns the value of a function or method, which is found by the last part of its name. Raises Untyped if
        there is no rule for it."""
        plain = name[:-1] if name.endswith("_") and not name.startswith("_") else name
        plain = _other_names.get(plain, plain)
        found = RULES.get(plain)
        if found is None:
            raise Untyped(_random.get(plain) or f"`{name}` isn't among the tensor functions of the language")
        parameters, rest, function = found
        said = bound(name, parameters, rest, args, kwargs)
        inplace = said.pop("inplace", False) is True or plain != name and name.endswith("_")
        out = function(self, **said)
        first = args[0] if args else None
        if inplace and isinstance(first, TypedTensor) and isinstance(out, TypedTensor) and name not in ("requires_grad_",):
            return self.replace(first, out)
        return out

    def replace(self, tensor, value):
        """Changes a tensor in place. Other views of the tensor are refused if they are used afterwards."""
        if tensor.stateful:
            raise Untyped("it changes its own parameters or buffers")
        if len(tensor.shape) != len(value.shape) or not all(self.sizes.same(a, b) for a, b in zip(tensor.shape, value.shape)):
            raise Untyped("a change in place has another shape")
        if value.dtype != tensor.dtype:
            raise Untyped("a change in place has another dtype")
        tensor.storage[0] += 1
        tensor.seen = tensor.storage[0]
        tensor.node, tensor.draw = value.node, value.draw
        return tensor

    # Arguments.

    def tensor(self, value, what="an argument"):
        if isinstance(value, TypedTensor):
            if value.seen != value.storage[0]:
                raise Untyped("it uses a view of a tensor that was changed in place")
            return value
        if isinstance(value, (bool, int, float)):
            return TypedTensor((), "bool" if isinstance(value, bool) else "i64" if isinstance(value, int) else "f32", value)
        if isinstance(value, Unknown):
            raise Untyped(value.why)
        raise Untyped(f"{what} is no tensor that is known")

    def floats(self, value):
        t = self.tensor(value)
        if t.dtype not in FLOATS:
            return self.to(t, "f32")
        return t

    def shape(self, t):
        return tuple(map(self.sizes.now, t.shape))

    def integer(self, value):
        if isinstance(value, Size):
            return self.sizes.fixed(value)
        if isinstance(value, bool) or not isinstance(value, int):
            if isinstance(value, float) and value == int(value):
                return int(value)
            raise Untyped(value.why if isinstance(value, Unknown) else "an argument that has to be an integer isn't known")
        if abs(value) > MOST_SIZE:
            raise Untyped("a number is too large")
        return value

    def number(self, value):
        if isinstance(value, TypedTensor) and isinstance(value.node, (bool, int, float)):
            value = value.node
        if isinstance(value, Size):
            value = self.sizes.fixed(value)
        if not isinstance(value, (bool, int, float)):
            raise Untyped(value.why if isinstance(value, Unknown) else "an argument that has to be a number is a tensor")
        if not math.isfinite(value) or abs(value) > 1e300:
            raise Untyped("infinity, or NaN, is one of its constants")
        return value

    def extent(self, value):
        if isinstance(value, Size):
            return self.sizes.now(value)
        return self.integer(value)

    def axis(self, value, rank):
        axis = self.integer(value)
        if not -rank <= axis < max(rank, 1):
            raise Untyped(f"axis {axis} is used of a tensor with {rank}")
        return axis % rank if rank else 0

    def axes(self, value, rank):
        if value is None or value == [] or value == ():
            return list(range(rank))
        many = value if isinstance(value, (list, tuple)) else [value]
        out = sorted(self.axis(v, rank) for v in many)
        if len(set(out)) < len(out):
            raise Untyped("an axis is reduced twice")
        return out

    def window(self, value, count):
        many = list(value) if isinstance(value, (list, tuple)) else [value]
        many = [self.integer(v) for v in many]
        if len(many) == 1:
            many *= count
        if len(many) != count:
            raise Untyped(f"a window has {len(many)} numbers for {count} axes")
        return many

    def total(self, shape):
        out = 1
        for size in shape:
            out = product_of(out, self.sizes.now(size))
        return out

    def need(self, holds, why):
        if not holds:
            raise Untyped(why)

    def same(self, a, b, why):
        self.need(self.sizes.same(a, b), f"{why}: {extents.written(self.sizes.now(a))} is not {extents.written(self.sizes.now(b))}")

    def same_shapes(self, a, b, why):
        self.need(len(a.shape) == len(b.shape), f"{why}: they have {len(a.shape)} and {len(b.shape)} axes")
        for one, other in zip(a.shape, b.shape):
            self.same(one, other, why)

    # Making nodes.

    def make(self, op, args, shape, dtype, view_of=None, **attrs):
        """Returns the value of an operator. `args` are tensors or numbers."""
        if len(shape) > MOST_AXES:
            raise Untyped(f"a tensor has more than {MOST_AXES} axes")
        for size in shape:
            if not 1 <= size <= MOST_SIZE if size.__class__ is int else not self.sizes.at_least(size, 1):
                raise Untyped(f"`{op}` gives a tensor without elements, or with too many")
        shape = tuple([size if size.__class__ is int else self.sizes.now(size) for size in shape])
        nodes = []
        for one in args:
            if isinstance(one, TypedTensor):
                self.tensor(one)
                if one.draw is not None:
                    raise Untyped(f"random values that are no parameter go through `{op}`")
                one = one.node
            nodes.append(one)
        node = self.node(op, nodes, attrs, shape, dtype)
        storage = view_of.storage if view_of is not None else None
        return TypedTensor(shape, dtype, node, storage=storage, stateful=view_of is not None and view_of.stateful)

    def node(self, op, args, attrs, shape, dtype):
        return Node(op, args, attrs, shape, dtype)

    def view(self, op, t, shape, **attrs):
        t = self.tensor(t)
        if t.draw is not None:
            return TypedTensor(tuple(map(self.sizes.now, shape)), t.dtype, draw=t.draw.moved(op), storage=t.storage)
        if isinstance(t.node, (bool, int, float)):
            if op in ("unsqueeze", "squeeze", "reshape", "flatten", "expand"):
                # A single number fits any shape, but the node would lose the shape that it is given
                # here, so a tensor is filled with the number.
                t = self.filled(shape, t.node, t.dtype)
                return t
            raise Untyped(f"`{op}` of a single number")
        return self.make(op, [t], shape, t.dtype, view_of=t, **attrs)

    def filled(self, shape, value, dtype):
        out = self.make("zeros", [], shape, dtype, shape_=list(map(self.sizes.now, shape)), dtype_=dtype)
        if not shape:
            return TypedTensor((), dtype, value)
        if value == 0:
            return out
        if dtype == "bool":
            zeros = self.filled(shape, 0, "f32")
            return self.make("eq", [zeros, 0], shape, "bool")
        return self.make("add", [out, value], shape, dtype)

    def to(self, t, dtype):
        t = self.tensor(t)
        if dtype == t.dtype or dtype is None:
            return t
        if t.draw is not None:
            return TypedTensor(t.shape, dtype, draw=t.draw.cast(t.dtype, dtype))
        if isinstance(t.node, (bool, int, float)):
            return TypedTensor(t.shape, dtype, float(t.node) if dtype in FLOATS else bool(t.node) if dtype == "bool" else int(t.node))
        if dtype not in ("f32", "f16", "bf16", "bool", *INTEGERS):
            raise Untyped(f"it computes in {dtype}")
        if dtype == "bool":
            return self.make("ne", [t, 0], t.shape, "bool")
        return self.make("to", [t], t.shape, dtype, dtype_=dtype)

    def elementwise(self, op, x, **attrs):
        x = self.floats(x)
        if x.draw is not None:
            return TypedTensor(x.shape, x.dtype, draw=x.draw.elementwise(op, attrs))
        if isinstance(x.node, (bool, int, float)):
            raise Untyped(f"`{op}` of a single number")
        return self.make(op, [x], x.shape, x.dtype, **attrs)

    def broadcast(self, *all_shapes):
        rank = max(map(len, all_shapes))
        out = []
        for i in range(rank):
            sizes = [self.sizes.now(s[i - rank + len(s)]) for s in all_shapes if i >= rank - len(s)]
            whole = sizes[0]
            for one in sizes[1:]:
                if one == whole:
                    continue
                a, b = self.sizes.value(whole), self.sizes.value(one)
                if a == 1 and b != 1:
                    self.sizes.fixed(whole)
                    whole = one
                elif b == 1 and a != 1:
                    self.sizes.fixed(one)
                elif one == 1:
                    pass
                elif whole == 1:
                    whole = one
                else:
                    self.same(whole, one, "shapes don't broadcast")
                    whole = self.sizes.now(whole)
            out.append(whole)
        return tuple(map(self.sizes.now, out))

    def promoted(self, a, b):
        """Returns two operands in one dtype, as PyTorch promotes them. Numbers stay numbers."""
        a, b = self.tensor(a), self.tensor(b)
        kinds = [2 if t.dtype in FLOATS else 0 if t.dtype == "bool" else 1 for t in (a, b)]
        if kinds[0] != kinds[1]:
            wanted = (a if kinds[0] > kinds[1] else b)
            other = b if wanted is a else a
            if _is_number(wanted):  # a tensor of integers beside a number with a point
                dtype = "f32" if wanted.dtype in FLOATS else wanted.dtype
                other = self.to(other, dtype)
            else:
                other = self.to(other, wanted.dtype)
            return (wanted, other) if wanted is a else (other, wanted)
        if a.dtype != b.dtype:
            if _is_number(a):
                return TypedTensor((), b.dtype, a.node), b
            if _is_number(b):
                return a, TypedTensor((), a.dtype, b.node)
            if kinds[0] == 2 and "f64" not in (a.dtype, b.dtype):
                dtype = "f32"
                if not a.shape and b.shape:
                    dtype = b.dtype
                elif not b.shape and a.shape:
                    dtype = a.dtype
                return self.to(a, dtype), self.to(b, dtype)
            raise Untyped(f"it joins {a.dtype} and {b.dtype}")
        return a, b

    def binary(self, op, a, b, comparison=False):
        a, b = self.size_as_number(a, b), self.size_as_number(b, a)
        a, b = self.promoted(a, b)
        if a.draw is not None or b.draw is not None:
            return self.drawn_pair(op, a, b, "bool" if comparison else None)
        if _is_number(a) and _is_number(b):
            return self.folded(op, a, b)
        if op in ("div", "pow") and a.dtype in (*INTEGERS, "bool"):
            a, b = self.to(a, "f32"), self.to(b, "f32")
        if op in ("add", "sub", "mul", "maximum", "minimum", "remainder") and a.dtype == "bool":
            raise Untyped(f"`{op}` of conditions")
        if comparison and a.dtype == "bool":
            a, b = self.to(a, "f32"), self.to(b, "f32")
        for one in (a, b):
            if _is_number(one):
                self.number(one)
        shape = self.broadcast(a.shape, b.shape)
        dtype = "bool" if comparison else a.dtype
        if op == "div" and _is_number(b) and b.node == 0:
            raise Untyped("it divides by 0")
        if op == "pow" and _is_number(b):
            known = {2: "square", 0.5: "sqrt", -0.5: "rsqrt", -1: "reciprocal", 1: "same"}.get(b.node)
            if known == "same":
                return a
            if known:
                return self.make(known, [a], shape, dtype)
        return self.make(op, [a, b], shape, dtype)

    def size_as_number(self, value, beside):
        """Converts a size that is an operand beside another value. Beside an f32 tensor that isn't drawn, or a number,
        it becomes the language's `size`; otherwise it is fixed to its number."""
        if not isinstance(value, Size):
            return value
        value = self.sizes.now(value)
        if not isinstance(value, Size):
            return value
        dtype = beside.dtype if isinstance(beside, TypedTensor) else "f32"
        if dtype != "f32" or isinstance(beside, TypedTensor) and beside.draw is not None:
            return self.sizes.fixed(value)
        return self.make("size", [], (), "f32", size=value)

    def folded(self, op, a, b):
        try:
            value = {"add": lambda x, y: x + y, "sub": lambda x, y: x - y, "mul": lambda x, y: x * y, "div": lambda x, y: x / y,
                     "pow": lambda x, y: x ** y if abs(x) < 1e6 and abs(y) < 50 else math.inf, "maximum": max, "minimum": min}[op](a.node, b.node)
        except (KeyError, ZeroDivisionError, OverflowError, ValueError, TypeError):
            raise Untyped(f"`{op}` joins two numbers") from None
        return TypedTensor((), "f32" if isinstance(value, float) else a.dtype, self.number(value))

    def drawn_triangle(self, x, diagonal, op):
        """Returns a matrix of which one triangle was drawn."""
        self.need(diagonal == 0, f"its input is a triangular matrix without its diagonal, or with more than it (`{op}`)")
        self.need(not x.draw.shaped and x.draw.kind in ("range", "normal"), f"its values go through `{op}`")
        self.need(self.sizes.same(x.shape[-2], x.shape[-1]), f"its input is half of a matrix that isn't square (`{op}`)")
        return TypedTensor(x.shape, x.dtype, draw=x.draw.as_matrix("upper_triangular" if op == "triu" else "lower_triangular"))

    def drawn_pair(self, op, a, b, dtype):
        shape = self.broadcast(a.shape, b.shape)
        if a.draw is None and not _is_number(a) or b.draw is None and not _is_number(b):
            raise Untyped(f"random values that are no parameter are joined by `{op}` with a tensor")
        one = a.draw if a.draw is not None else a.node
        other = b.draw if b.draw is not None else b.node
        return TypedTensor(shape, dtype or a.dtype, draw=joined(op, one, other))

    # Along axes.

    def reduced(self, op, x, dim, keepdim, dtype=None, floats=True, **attrs):
        x = self.floats(x) if floats else self.tensor(x)
        rank = len(x.shape)
        axes = self.axes(dim, rank)
        keepdim = self.flag(keepdim)
        if x.draw is not None:
            raise Untyped(f"its values are drawn and then go through `{op}`")
        if rank == 0 and op in ("sum", "mean", "amax", "amin", "logsumexp", "prod"):
            return x
        shape = [1 if i in axes else s for i, s in enumerate(x.shape) if keepdim or i not in axes]
        return self.make(op, [x], shape, dtype or x.dtype, axis=axes[0] if len(axes) == 1 else axes, keepdim=keepdim, **attrs)

    def flag(self, value):
        if isinstance(value, bool):
            return value
        if isinstance(value, int):
            return bool(value)
        raise Untyped("an argument that has to be true or false isn't known")

    def along(self, op, x, dim, floats=True, dtype=None, **attrs):
        x = self.floats(x) if floats else self.tensor(x)
        if dim is None:
            raise Untyped(f"`{op}` is called without an axis")
        axis = self.axis(dim, len(x.shape))
        if x.draw is not None:
            return TypedTensor(x.shape, x.dtype, draw=x.draw.elementwise(op, {}))
        return self.make(op, [x], x.shape, dtype or x.dtype, axis=axis, **attrs)


def _is_number(t):
    return isinstance(t.node, (bool, int, float))


# Properties of values that are drawn, by get_inputs or for parameters before training.

class Draw:
    """The distribution of random values: `kind` is range (low, high), normal (mean, deviation), below (size), integers
    (first, last), positive, one_hot or empty. `origins` are the draws from which the values are made. `matrix` says how
    the numbers of a matrix depend on each other: symmetric, upper_triangular or lower_triangular; or that the matrix is
    the transpose of another one, so that the sum of both is symmetric."""

    __slots__ = ("kind", "a", "b", "origins", "matrix")

    def __init__(self, kind, a=None, b=None, origins=None, matrix=None):
        self.kind, self.a, self.b, self.matrix = kind, a, b, matrix
        self.origins = origins if origins is not None else frozenset([object()])

    @property
    def shaped(self):
        """Whether a matrix's numbers depend on each other. After most operators that isn't known any more."""
        return self.matrix not in (None, "transpose")

    def of(self, kind, a=None, b=None):
        return Draw(kind, a, b, self.origins)

    def as_matrix(self, matrix):
        return Draw(self.kind, self.a, self.b, self.origins, matrix)

    def moved(self, op):
        if self.kind == "one_hot":
            raise Untyped(f"its values are one_hot and then go through `{op}`")
        if self.matrix in ("upper_triangular", "lower_triangular"):
            self.refuse(op)
        return self.as_matrix(None) if self.matrix == "transpose" else self

    def cast(self, before, after):
        if after == "f64":
            raise Untyped("its input is f64")
        if self.kind == "below":
            if after in INTEGERS or after == "bool" and self.a == 2:
                return self
            if after in FLOATS:
                if isinstance(self.a, Size):
                    raise Untyped("its input holds integers below a size as real numbers")
                return self.of("range", 0.0, float(self.a - 1)) if self.a > 1 else self.refuse("float")
        elif after in FLOATS:
            return self
        return self.refuse(f"to({after})")

    def refuse(self, op):
        raise Untyped(f"what its inputs' values are can't be said in the language: {self.matrix or self.kind} and then `{op}`")

    def elementwise(self, op, attrs):
        if self.shaped:
            return self.refuse(op)
        if op == "softmax":
            return self.of("positive")
        if op == "sigmoid":
            return self.of("range", 0.0, 1.0)
        if op == "tanh":
            return self.of("range", -1.0, 1.0)
        if op in ("abs", "square"):
            if self.kind == "normal" and self.a == 0:
                return self.of("positive")
            if self.kind == "range" and self.a >= 0:
                return self if op == "abs" else self.of("range", self.a ** 2, self.b ** 2)
            if self.kind == "positive":
                return self
        if op == "exp" and self.kind in ("normal", "positive"):
            return self.of("positive")
        if op == "sign" and self.kind == "normal":
            return self.of("range", -1.0, 1.0)
        if op == "neg" and self.kind in ("range", "normal"):
            return joined("mul", self, -1)
        if op == "clamp":
            low, high = attrs.get("min"), attrs.get("max")
            if self.kind == "range":
                low, high = max(self.a, low if low is not None else self.a), min(self.b, high if high is not None else self.b)
                if low < high:
                    return self.of("range", float(low), float(high))
            elif low is not None and high is not None and low < high:
                return self.of("range", float(low), float(high))
        return self.refuse(op)


def joined(op, a, b):
    """Returns the distribution of the result of a binary operator. Each operand is a Draw or a number."""
    if isinstance(a, Draw) and isinstance(b, Draw):
        if a.origins == b.origins and op == "add" and {a.matrix, b.matrix} == {None, "transpose"} and a.kind == b.kind == "range":
            return Draw("range", a.a + b.a, a.b + b.b, a.origins, "symmetric")
        a, b = (one.as_matrix(None) if one.matrix == "transpose" else one for one in (a, b))
        if a.origins & b.origins:
            raise Untyped(f"its input is joined with itself by `{op}`, as symmetric matrices are, which no values of the language are")
        origins = a.origins | b.origins
        if a.matrix is not None or b.matrix is not None:
            return (a if a.matrix is not None else b).refuse(op)
        if a.kind == b.kind == "range" and op in ("add", "sub", "mul"):
            ends = [_applied(op, x, y) for x in (a.a, a.b) for y in (b.a, b.b)]
            return Draw("range", min(ends), max(ends), origins)
        if a.kind == b.kind == "normal" and op in ("add", "sub"):
            return Draw("normal", _applied(op, a.a, b.a), math.hypot(a.b, b.b), origins)
        if a.kind in ("positive", "range") and b.kind in ("positive", "range") and op in ("add", "mul") and "positive" in (a.kind, b.kind) \
                and all(one.kind == "positive" or one.a >= 0 for one in (a, b)):
            return Draw("positive", None, None, origins)
        return a.refuse(op)
    draw = a if isinstance(a, Draw) else b
    number = float(b if isinstance(a, Draw) else a)
    if draw.shaped:
        plain = joined(op, draw.as_matrix(None), number) if draw is a else joined(op, number, draw.as_matrix(None))
        # An operator that keeps zeros keeps a triangular matrix triangular. A symmetric matrix
        # stays symmetric in any case.
        return plain.as_matrix(draw.matrix) if draw.matrix == "symmetric" or op in ("mul", "div") else draw.refuse(op)
    if op in ("gt", "lt", "ge", "le", "eq", "ne"):
        return draw.of("below", 2)
    if not math.isfinite(number) or op not in ("add", "sub", "mul", "div"):
        return draw.refuse(op)
    if op == "div" and (draw is b or number == 0) or op == "mul" and number == 0:
        return draw.refuse(op)
    if draw.kind == "below" and op == "add" and not isinstance(draw.a, Size) and number == int(number):
        return draw.of("integers", int(number), int(number) + draw.a - 1)
    if draw.kind == "positive" and number > 0 and op in ("add", "mul", "div"):
        return draw if op != "add" else draw.refuse(op)
    if draw.kind == "range":
        ends = [_applied(op, end, number) if draw is a else _applied(op, number, end) for end in (draw.a, draw.b)]
        return draw.of("range", min(ends), max(ends))
    if draw.kind == "normal":
        mean = _applied(op, draw.a, number) if draw is a else _applied(op, number, draw.a)
        deviation = draw.b * abs(number) if op == "mul" else draw.b / abs(number) if op == "div" else draw.b
        return draw.of("normal", mean, deviation)
    return draw.refuse(op)


def _applied(op, x, y):
    return x + y if op == "add" else x - y if op == "sub" else x * y if op == "mul" else x / y


_random = {name: "it draws random numbers" for name in ("bernoulli", "multinomial", "rrelu", "feature_dropout", "poisson", "gumbel_softmax")}
_random["alpha_dropout"] = "dropout is random"
_other_names = {"mm": "matmul", "clip": "clamp", "absolute": "abs", "subtract": "sub", "multiply": "mul", "divide": "div", "true_divide": "div",
                "negative": "neg", "swish": "silu", "concat": "cat", "concatenate": "cat", "greater": "gt", "less": "lt", "greater_equal": "ge",
                "less_equal": "le", "not_equal": "ne", "expit": "sigmoid", "dropout1d": "dropout", "dropout2d": "dropout", "dropout3d": "dropout",
                "swapaxes": "transpose", "swapdims": "transpose", "moveaxis": "movedim", "broadcast_to": "expand", "max_pool1d_with_indices": "max_pool1d",
                "float_power": "pow", "arctan": "atan", "arcsinh": "asinh", "arctan2": "atan2", "fix": "trunc", "bitwise_not": "logical_not",
                "bitwise_and": "logical_and", "bitwise_or": "logical_or", "positive": "identity", "threshold_": "threshold", "alias": "identity"}

for _name in """ceil cos cosh deg2rad erf exp exp2 expm1 floor log log1p log2 logsigmoid reciprocal rsqrt sigmoid sin sinh softsign sqrt tanh
tanhshrink asinh atan erfc frac log10 round sinc tan trunc""".split():
    rule(_name, "input")(lambda self, input, op=_name: self.elementwise(op, input))
for _name in "hardsigmoid hardswish mish relu6 selu silu".split():
    rule(_name, "input inplace=False")(lambda self, input, op=_name: self.elementwise(op, input))


def _number_kept(op, inplace=False):
    def function(self, input):
        x = self.tensor(input)
        if x.dtype not in INTEGERS or x.draw is not None:
            return self.elementwise(op, x)
        return self.make(op, [x], x.shape, x.dtype)
    rule(op, "input inplace=False" if inplace else "input")(function)


for _name in ("abs", "neg", "sign", "square"):
    _number_kept(_name)
_number_kept("relu", True)


@rule("softplus", "input beta=1 threshold=20")
def _softplus(self, input, beta, threshold):
    beta, threshold = self.number(beta), self.number(threshold)
    self.need(threshold == 20, "softplus has another threshold than 20")
    if beta == 1:
        return self.elementwise("softplus", input)
    return self.binary("div", self.elementwise("softplus", self.binary("mul", input, beta)), beta)


@rule("gelu", "input approximate=none")
def _gelu(self, input, approximate):
    self.need(approximate in ("none", "tanh"), "gelu is approximated in a way that isn't known")
    return self.elementwise("gelu", input, **({"approximate": "tanh"} if approximate == "tanh" else {}))


@rule("elu", "input alpha=1.0 inplace=False")
def _elu(self, input, alpha):
    alpha = self.number(alpha)
    return self.elementwise("elu", input, **({} if alpha == 1 else {"alpha": float(alpha)}))


@rule("celu", "input alpha=1.0 inplace=False")
def _celu(self, input, alpha):
    self.need(self.number(alpha) != 0, "celu has the alpha 0")
    return self.elementwise("celu", input, alpha=float(self.number(alpha)))


@rule("leaky_relu", "input negative_slope=0.01 inplace=False")
def _leaky_relu(self, input, negative_slope):
    return self.elementwise("leaky_relu", input, negative_slope=float(self.number(negative_slope)))


@rule("hardtanh", "input min_val=-1.0 max_val=1.0 inplace=False")
def _hardtanh(self, input, min_val, max_val):
    low, high = float(self.number(min_val)), float(self.number(max_val))
    self.need(low < high, "hardtanh's bounds are in the wrong order")
    return self.elementwise("hardtanh", input, min_val=low, max_val=high)


for _name in ("hardshrink", "softshrink"):
    rule(_name, "input lambd=0.5")(lambda self, input, lambd, op=_name: self.elementwise(op, input, lambd=float(self.number(lambd))))


@rule("threshold", "input threshold value inplace=False")
def _threshold(self, input, threshold, value):
    return self.elementwise("threshold", input, threshold=float(self.number(threshold)), value=float(self.number(value)))


@rule("prelu", "input weight")
def _prelu(self, input, weight):
    x, w = self.floats(input), self.tensor(weight)
    if w.shape and len(w.shape) != 1 or not w.shape:
        raise Untyped("prelu's weight is no vector")
    if self.sizes.now(w.shape[0]) != 1:
        self.need(len(x.shape) >= 2, "prelu has slopes of channels, and its input none")
        self.same(w.shape[0], x.shape[1], "prelu's slopes and channels")
    return self.make("prelu", [x, w], x.shape, x.dtype)


@rule("clamp", "input min=None max=None")
def _clamp(self, input, min, max):
    x = self.tensor(input)
    for bound_, op in ((min, "maximum"), (max, "minimum")):
        if isinstance(bound_, TypedTensor) and not _is_number(bound_):
            x = self.binary(op, x, bound_)
    said = {k: self.number(v) for k, v in (("min", min), ("max", max)) if v is not None and not (isinstance(v, TypedTensor) and not _is_number(v))}
    if not said:
        return x
    if "min" in said and "max" in said and said["min"] > said["max"]:
        raise Untyped("clamp's bounds are in the wrong order")
    if x.dtype in INTEGERS and all(isinstance(v, int) for v in said.values()):
        return self.make("clamp", [x], x.shape, x.dtype, **{k: float(v) for k, v in said.items()})
    return self.elementwise("clamp", x, **{k: float(v) for k, v in said.items()})


@rule("clamp_min", "input min")
def _clamp_min(self, input, min):
    return _clamp(self, input, min, None)


@rule("clamp_max", "input max")
def _clamp_max(self, input, max):
    return _clamp(self, input, None, max)


def _dropout(self, input, p, training):
    if self.flag(training) and self.number(p) > 0:
        raise Untyped("dropout is random")
    return self.tensor(input)


rule("dropout", "input p=0.5 training=True inplace=False")(_dropout)


@rule("identity contiguous detach clone cpu cuda requires_grad data", "input *rest=None")
def _identity(self, input, rest):
    t = self.tensor(input)
    return t


@rule("clone", "input")
def _clone(self, input):
    t = self.tensor(input)
    return TypedTensor(t.shape, t.dtype, t.node, t.draw)


for _name in ("isfinite", "isinf", "isnan"):
    def _finiteness(self, input, op=_name):
        x = self.floats(input)
        return self.make(op, [x], x.shape, "bool")
    rule(_name, "input")(_finiteness)


# Arithmetic.

@rule("add", "input other alpha=1")
def _add(self, input, other, alpha):
    return self.binary("add", input, other if alpha == 1 else self.binary("mul", other, self.number(alpha)))


@rule("sub", "input other alpha=1")
def _sub(self, input, other, alpha):
    return self.binary("sub", input, other if alpha == 1 else self.binary("mul", other, self.number(alpha)))


@rule("rsub", "input other")
def _rsub(self, input, other):
    return self.binary("sub", other, input)


@rule("div", "input other rounding_mode=None")
def _div(self, input, other, rounding_mode):
    out = self.binary("div", input, other)
    if rounding_mode is not None:
        self.need(self.tensor(input).dtype in FLOATS, "it divides integers with a rounding")
        out = self.elementwise({"floor": "floor", "trunc": "trunc"}[rounding_mode], out)
    return out


@rule("floor_divide", "input other")
def _floor_divide(self, input, other):
    self.need(all(not isinstance(t, TypedTensor) or t.dtype in FLOATS for t in (input, other)), "it divides integers with a rounding")
    return self.elementwise("floor", self.binary("div", input, other))


for _name in ("mul", "remainder", "maximum", "minimum", "pow"):
    rule(_name, "input other")(lambda self, input, other, op=_name: self.binary(op, input, other))
for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    rule(_name, "input other")(lambda self, input, other, op=_name: self.binary(op, input, other, True))


def _of_two_tensors(op):
    def function(self, input, other):
        a, b = self.floats(input), self.floats(other)
        self.need(not _is_number(a) and not _is_number(b), f"`{op}` of a single number")
        return self.make(op, [a, b], self.broadcast(a.shape, b.shape), a.dtype)
    rule(op, "input other")(function)


for _name in ("atan2", "hypot", "logaddexp"):
    _of_two_tensors(_name)


@rule("lerp", "input end weight")
def _lerp(self, input, end, weight):
    a, b = self.floats(input), self.floats(end)
    if isinstance(weight, TypedTensor) and not _is_number(weight):
        return self.binary("add", a, self.binary("mul", weight, self.binary("sub", b, a)))
    return self.make("lerp", [a, b], self.broadcast(a.shape, b.shape), a.dtype, weight=float(self.number(weight)))


for _name in ("addcmul", "addcdiv"):
    def _addc(self, input, tensor1, tensor2, value, op=_name[-3:]):
        both = self.binary(op, tensor1, tensor2)
        return self.binary("add", input, both if value == 1 else self.binary("mul", both, self.number(value)))
    rule(_name, "input tensor1 tensor2 value=1")(_addc)


def _condition(self, value):
    t = self.tensor(value)
    return t if t.dtype == "bool" else self.binary("ne", t, 0, True)


for _name in ("logical_and", "logical_or"):
    def _logic(self, input, other, op=_name):
        a, b = self.tensor(input), self.tensor(other)
        self.need(a.dtype == b.dtype == "bool" and not _is_number(a) and not _is_number(b), "it joins the bits of integers")
        return self.make(op, [a, b], self.broadcast(a.shape, b.shape), "bool")
    rule(_name, "input other")(_logic)


@rule("logical_not", "input")
def _logical_not(self, input):
    t = self.tensor(input)
    self.need(t.dtype == "bool", "it inverts the bits of integers")
    return self.make("logical_not", [t], t.shape, "bool")


@rule("where", "condition input other")
def _where(self, condition, input, other):
    c = _condition(self, condition)
    a, b = self.promoted(input, other)
    for one in (a, b):
        if _is_number(one):
            self.number(one)
    dtype = a.dtype
    if _is_number(a) and _is_number(b):
        a = self.filled(c.shape, a.node, dtype)
    return self.make("where", [c, a, b], self.broadcast(c.shape, a.shape, b.shape), dtype)


@rule("masked_fill", "input mask value")
def _masked_fill(self, input, mask, value):
    x, m = self.tensor(input), _condition(self, mask)
    shape = self.broadcast(x.shape, m.shape)
    self.need(len(shape) == len(x.shape), "masked_fill's mask is larger than its tensor")
    return self.make("masked_fill", [x, m], shape, x.dtype, value=float(self.number(value)))


# Reductions.

for _name in ("amax", "amin"):
    rule(_name, "input dim=None keepdim=False")(lambda self, input, dim, keepdim, op=_name: self.reduced(op, input, dim, keepdim, floats=False))


@rule("sum", "input dim=None keepdim=False dtype=None")
def _sum(self, input, dim, keepdim, dtype):
    x = self.to(self.tensor(input), _dtype(dtype)) if dtype is not None else self.tensor(input)
    if x.dtype == "bool":
        x = self.to(x, "i64")
    return self.reduced("sum", x, dim, keepdim, "i64" if x.dtype in INTEGERS else None, False)


@rule("mean", "input dim=None keepdim=False dtype=None")
def _mean(self, input, dim, keepdim, dtype):
    x = self.to(self.tensor(input), _dtype(dtype)) if dtype is not None else self.tensor(input)
    return self.reduced("mean", x, dim, keepdim)


@rule("logsumexp", "input dim keepdim=False")
def _logsumexp(self, input, dim, keepdim):
    return self.reduced("logsumexp", input, dim, keepdim)


@rule("prod", "input dim=None keepdim=False dtype=None")
def _prod(self, input, dim, keepdim, dtype):
    x = self.tensor(input)
    return self.reduced("prod", x, None if dim is None else self.integer(dim), keepdim, "i64" if x.dtype in INTEGERS else None, False)


def _spread(op):
    def function(self, input, dim, unbiased, keepdim, correction):
        if isinstance(dim, bool):
            dim, unbiased = None, dim
        x = self.floats(input)
        correction = self.number(correction) if correction is not None else 1 if self.flag(unbiased) else 0
        if correction == 1:
            return self.reduced(op, x, dim, keepdim)
        self.need(correction == 0, f"`{op}` is over n - {correction}")
        centred = self.binary("sub", x, self.reduced("mean", x, dim, True))
        out = self.reduced("mean", self.elementwise("square", centred), dim, keepdim)
        return self.elementwise("sqrt", out) if op == "std" else out
    rule(op, "input dim=None unbiased=True keepdim=False correction=None")(function)


_spread("var")
_spread("std")


@rule("norm", "input p=fro dim=None keepdim=False dtype=None")
def _norm(self, input, p, dim, keepdim, dtype):
    if p in ("fro", None, 2, 2.0):
        return self.reduced("vector_norm", input, dim, keepdim)
    if p in (1, 1.0):
        return self.reduced("sum", self.elementwise("abs", input), dim, keepdim)
    if p in (math.inf, "inf"):
        return self.reduced("amax", self.elementwise("abs", input), dim, keepdim)
    raise Untyped(f"a norm of order {p} isn't among the tensor functions of the language")


@rule("vector_norm", "input ord=2 dim=None keepdim=False dtype=None")
def _vector_norm(self, input, ord, dim, keepdim, dtype):
    return _norm(self, input, ord, dim, keepdim, dtype)


for _name in ("argmax", "argmin"):
    def _place(self, input, dim, keepdim, op=_name):
        return self.reduced(op, input, None if dim is None else self.integer(dim), keepdim, "i64", False)
    rule(_name, "input dim=None keepdim=False")(_place)


def _extremum(op):
    def function(self, input, dim, keepdim):
        if isinstance(dim, TypedTensor):
            return self.binary({"amax": "maximum", "amin": "minimum"}[op], input, dim)
        if dim is None:
            return self.reduced(op, input, None, False, floats=False)
        dim = self.integer(dim)
        values = self.reduced(op, input, dim, keepdim, floats=False)
        return Named((values, self.reduced("arg" + op[1:], input, dim, keepdim, "i64", False)))
    names = {"amax": "max", "amin": "min"}
    rule(names[op], "input dim=None keepdim=False")(function)
    RULES[names[op]][0][1] = ("dim", None)


_extremum("amax")
_extremum("amin")


for _name in ("all", "any"):
    def _test(self, input, dim, keepdim, op=_name):
        return self.reduced(op, _condition(self, input), dim, keepdim, "bool", False)
    rule(_name, "input dim=None keepdim=False")(_test)


# Along an axis.

for _name in ("softmax", "log_softmax", "softmin"):
    def _soft(self, input, dim, dtype, op=_name):
        return self.along(op, self.to(input, _dtype(dtype)) if dtype is not None else input, dim)
    rule(_name, "input dim=None dtype=None")(_soft)


def _running(op):
    def function(self, input, dim, dtype):
        x = self.to(input, _dtype(dtype)) if dtype is not None else self.tensor(input)
        if x.dtype == "bool":
            x = self.to(x, "i64")
        self.need(x.draw is None, f"its values are drawn and then go through `{op}`")
        return self.along(op, x, dim, False, "i64" if x.dtype in INTEGERS else None)
    rule(op, "input dim dtype=None")(function)


_running("cumsum")
_running("cumprod")
rule("logcumsumexp", "input dim")(lambda self, input, dim: self.along("logcumsumexp", input, dim))
for _name in ("cummax", "cummin"):
    rule(_name, "input dim")(lambda self, input, dim, op=_name: Named((self.along(op, input, dim, False), Unknown(f"the places of {op} aren't in the language"))))


@rule("flip", "input *dims")
def _flip(self, input, dims):
    x = self.tensor(input)
    self.need(x.draw is None and not _is_number(x), "flip of no tensor that is known")
    axes = self.axes(dims, len(x.shape))
    return self.make("flip", [x], x.shape, x.dtype, axis=axes[0] if len(axes) == 1 else axes)


@rule("roll", "input shifts dims=None")
def _roll(self, input, shifts, dims):
    x = self.tensor(input)
    shifts = list(shifts) if isinstance(shifts, (list, tuple)) else [shifts]
    self.need(dims is not None, "roll is called without an axis")
    dims = list(dims) if isinstance(dims, (list, tuple)) else [dims]
    self.need(len(dims) == len(shifts), "roll has as many shifts as axes")
    for shift, dim in zip(shifts, dims):
        x = self.along("roll", x, dim, False, shifts=self.integer(shift))
    return x


@rule("glu", "input dim=-1")
def _glu(self, input, dim):
    x = self.floats(input)
    axis = self.axis(dim, len(x.shape))
    shape = list(self.shape(x))
    half = self.sizes.divided(shape[axis], 2)
    self.need(half is not None, "glu's axis has no half")
    shape = [half if i == axis else s for i, s in enumerate(self.shape(x))]
    return self.make("glu", [x], shape, x.dtype, axis=axis)


@rule("normalize", "input p=2.0 dim=1 eps=1e-12")
def _normalize(self, input, p, dim, eps):
    self.need(self.number(p) == 2, "normalize is by another norm than the Euclidean")
    return self.along("normalize", input, dim, eps=float(self.number(eps)))


def _weighted_norm(self, op, x, axes, weight, bias, eps):
    args = [x]
    for one in (weight, bias):
        if one is None:
            if one is bias or bias is None:
                break
            raise Untyped(f"`{op}` has a bias without a weight")
        one = self.tensor(one)
        self.need(len(one.shape) == len(axes), f"`{op}`'s weight doesn't fit")
        for axis, size in zip(axes, one.shape):
            self.same(size, x.shape[axis], f"`{op}`'s weight")
        args.append(one)
    return self.make(op, args, x.shape, x.dtype, axis=axes[0] if len(axes) == 1 else axes, eps=eps)


def _last_axes(self, x, shape):
    many = list(shape) if isinstance(shape, (list, tuple)) else [shape]
    self.need(0 < len(many) <= len(x.shape), "a norm goes over more axes than there are")
    axes = list(range(len(x.shape) - len(many), len(x.shape)))
    for axis, size in zip(axes, many):
        self.same(x.shape[axis], self.extent(size), "a norm's shape")
    return axes


@rule("layer_norm", "input normalized_shape weight=None bias=None eps=1e-5")
def _layer_norm(self, input, normalized_shape, weight, bias, eps):
    x = self.floats(input)
    return _weighted_norm(self, "layer_norm", x, _last_axes(self, x, normalized_shape), weight, bias, float(self.number(eps)))


@rule("rms_norm", "input normalized_shape weight=None eps=None")
def _rms_norm(self, input, normalized_shape, weight, eps):
    x = self.floats(input)
    eps = 2.0 ** -23 if eps is None else float(self.number(eps))
    return _weighted_norm(self, "rms_norm", x, _last_axes(self, x, normalized_shape), weight, None, eps)


@rule("sort", "input dim=-1 descending=False stable=False")
def _sort(self, input, dim, descending, stable):
    values = self.along("sort", input, dim, False, descending=self.flag(descending))
    return Named((values, _argsort(self, input, dim, descending, stable)))


@rule("argsort", "input dim=-1 descending=False stable=False")
def _argsort(self, input, dim, descending, stable):
    return self.along("argsort", input, dim, False, "i64", descending=self.flag(descending))


@rule("topk", "input k dim=-1 largest=True sorted=True")
def _topk(self, input, k, dim, largest, sorted):
    x = self.tensor(input)
    k, axis = self.integer(k), self.axis(dim, len(x.shape))
    self.need(self.flag(largest), "topk takes the smallest")
    self.need(self.sizes.at_least(plus(self.sizes.now(x.shape[axis]), -k), 0), "topk takes more than there are")
    shape = [k if i == axis else s for i, s in enumerate(self.shape(x))]
    return Named((self.make("topk", [x], shape, x.dtype, k=k, axis=axis), Unknown("the places of topk aren't in the language")))


for _name in ("tril", "triu"):
    def _triangle(self, input, diagonal, op=_name):
        x = self.tensor(input)
        self.need(len(x.shape) >= 2, f"`{op}` of no matrix")
        if x.draw is not None:
            return self.drawn_triangle(x, self.integer(diagonal), op)
        if x.dtype == "bool":
            return self.to(self.make(op, [self.to(x, "f32")], x.shape, "f32", diagonal=self.integer(diagonal)), "bool")
        return self.make(op, [x], x.shape, x.dtype, diagonal=self.integer(diagonal))
    rule(_name, "input diagonal=0")(_triangle)


# Views.

@rule("transpose", "input dim0 dim1")
def _transpose(self, input, dim0, dim1):
    x = self.tensor(input)
    rank = len(x.shape)
    a, b = sorted((self.axis(dim0, rank), self.axis(dim1, rank)))
    if a == b:
        return x
    shape = list(x.shape)
    shape[a], shape[b] = shape[b], shape[a]
    if x.draw is not None and not x.draw.shaped and {a, b} == {rank - 2, rank - 1} and self.sizes.same(x.shape[a], x.shape[b]):
        turned = x.draw.as_matrix("transpose" if x.draw.matrix is None else None)
        return TypedTensor(x.shape, x.dtype, draw=turned, storage=x.storage)
    return self.view("transpose", x, shape, **({} if rank == 2 else {"axis0": a, "axis1": b}))


@rule("t", "input")
def _t(self, input):
    x = self.tensor(input)
    return x if len(x.shape) < 2 else _transpose(self, x, 0, 1)


@rule("permute", "input *dims")
def _permute(self, input, dims):
    x = self.tensor(input)
    axes = [self.axis(d, len(x.shape)) for d in dims]
    self.need(sorted(axes) == list(range(len(x.shape))), "permute's axes aren't those of its tensor")
    return self.view("permute", x, [x.shape[a] for a in axes], axes=axes)


@rule("movedim", "input source destination")
def _movedim(self, input, source, destination):
    x = self.tensor(input)
    rank = len(x.shape)
    source, destination = ([self.axis(d, rank) for d in (v if isinstance(v, (list, tuple)) else [v])] for v in (source, destination))
    self.need(len(source) == len(destination), "movedim has as many axes before as after")
    order = [a for a in range(rank) if a not in source]
    for to, a in sorted(zip(destination, source)):
        order.insert(to, a)
    return _permute(self, x, order)


@rule("reshape", "input *shape")
def _reshape(self, input, shape):
    x = self.tensor(input)
    wanted = [self.extent(v) for v in shape]
    whole = self.total(x.shape)
    known = self.total([v for v in wanted if v != -1])
    if -1 in wanted:
        self.need(wanted.count(-1) == 1, "two sizes of a reshape are -1")
        rest = self.sizes.divided(whole, known)
        self.need(rest is not None, "a reshape has another number of elements")
        wanted[wanted.index(-1)] = rest
    elif whole != known:
        self.same(whole, known, "a reshape has another number of elements")
    wanted = [self.sizes.now(v) for v in wanted]
    if wanted == list(self.shape(x)):
        return x
    return self.view("reshape", x, wanted, shape_=wanted)


RULES["view"] = RULES["reshape"]


@rule("view_as reshape_as", "input other")
def _view_as(self, input, other):
    return _reshape(self, input, list(self.tensor(other).shape))


@rule("flatten", "input start_dim=0 end_dim=-1")
def _flatten(self, input, start_dim, end_dim):
    x = self.tensor(input)
    first, last = self.axis(start_dim, len(x.shape)), self.axis(end_dim, len(x.shape))
    if first >= last:
        return x
    shape = [*x.shape[:first], self.total(x.shape[first:last + 1]), *x.shape[last + 1:]]
    return self.view("flatten", x, shape, start_axis=first, end_axis=last)


@rule("ravel", "input")
def _ravel(self, input):
    return _flatten(self, input, 0, -1)


@rule("unflatten", "input dim sizes")
def _unflatten(self, input, dim, sizes):
    x = self.tensor(input)
    axis = self.axis(dim, len(x.shape))
    sizes = [self.extent(v) for v in sizes]
    if -1 in sizes:
        rest = self.sizes.divided(x.shape[axis], self.total([v for v in sizes if v != -1]))
        self.need(rest is not None, "an axis has another size than its parts")
        sizes[sizes.index(-1)] = rest
    return _reshape(self, x, [*x.shape[:axis], *sizes, *x.shape[axis + 1:]])


@rule("unsqueeze", "input dim")
def _unsqueeze(self, input, dim):
    x = self.tensor(input)
    axis = self.axis(dim, len(x.shape) + 1)
    return self.view("unsqueeze", x, [*x.shape[:axis], 1, *x.shape[axis:]], axis=axis)


@rule("squeeze", "input dim=None")
def _squeeze(self, input, dim):
    x = self.tensor(input)
    for axis in reversed(self.axes(dim, len(x.shape))):
        size = self.sizes.now(x.shape[axis])
        if self.sizes.value(size) == 1:
            self.sizes.fixed(size)
            x = self.view("squeeze", x, [*x.shape[:axis], *x.shape[axis + 1:]], axis=axis)
        else:
            self.sizes.at_least(size, 2)  # of size 1 it would go
    return x


@rule("expand", "input *shape")
def _expand(self, input, shape):
    x = self.tensor(input)
    if len(shape) == 1 and isinstance(shape[0], (list, tuple)):
        shape = shape[0]
    wanted, own = [self.extent(v) for v in shape], self.shape(x)
    self.need(len(wanted) >= len(own), "expand has too few axes")
    for i in range(1, len(own) + 1):
        if wanted[-i] == -1:
            wanted[-i] = own[-i]
        elif own[-i] != 1 and own[-i] != wanted[-i]:
            if self.sizes.value(own[-i]) == 1:
                self.sizes.fixed(own[-i])
            else:
                self.same(own[-i], wanted[-i], "expand")
    wanted = [self.sizes.now(v) for v in wanted]
    if wanted == list(self.shape(x)):
        return x
    return self.view("expand", x, wanted, shape_=wanted)


@rule("expand_as", "input other")
def _expand_as(self, input, other):
    return _expand(self, input, list(self.tensor(other).shape))


@rule("repeat tile", "input *repeats")
def _repeat(self, input, repeats):
    x = self.tensor(input)
    counts = [self.integer(r) for r in repeats]
    self.need(len(counts) >= len(x.shape), "repeat has fewer counts than there are axes")
    while len(x.shape) < len(counts):
        x = _unsqueeze(self, x, 0)
    for axis, count in enumerate(counts):
        self.need(count >= 1, "repeat takes nothing")
        if count > 1:
            shape = list(self.shape(x))
            more = _expand(self, _unsqueeze(self, x, axis), [*shape[:axis], count, *shape[axis:]])
            x = _reshape(self, more, [*shape[:axis], product_of(count, shape[axis]), *shape[axis + 1:]])
    return TypedTensor(x.shape, x.dtype, x.node, x.draw)


@rule("repeat_interleave", "input repeats dim=None")
def _repeat_interleave(self, input, repeats, dim):
    x = self.tensor(input)
    if dim is None:
        x, dim = _flatten(self, x, 0, -1), 0
    count, axis = self.integer(repeats), self.axis(dim, len(x.shape))
    self.need(count >= 1, "repeat_interleave takes nothing")
    shape = [product_of(s, count) if i == axis else s for i, s in enumerate(self.shape(x))]
    return self.make("repeat_interleave", [x], shape, x.dtype, repeats=count, axis=axis)


@rule("pad", "input pad mode=constant value=None")
def _pad(self, input, pad, mode, value):
    x = self.tensor(input)
    self.need(mode == "constant", f"it pads by {mode}")
    amounts = [self.integer(v) for v in pad]
    self.need(len(amounts) % 2 == 0 and len(amounts) <= 2 * len(x.shape), "pad doesn't fit its tensor")
    shape = list(self.shape(x))
    for i in range(len(amounts) // 2):
        shape[-1 - i] = plus(shape[-1 - i], amounts[2 * i] + amounts[2 * i + 1])
    return self.make("pad", [x], shape, x.dtype, pad=amounts, value=float(0 if value is None else self.number(value)))


def _many(self, tensors, op):
    self.need(isinstance(tensors, (list, tuple)) and len(tensors) > 0, f"`{op}` of a list that isn't known")
    many = [self.tensor(t) for t in tensors]
    dtypes = {t.dtype for t in many}
    if len(dtypes) > 1:
        many = [self.floats(t) for t in many]
    self.need(len({t.dtype for t in many}) == 1, f"`{op}` joins several dtypes")
    return [self.filled((1,), t.node, t.dtype) if _is_number(t) else t for t in many]


@rule("cat", "tensors dim=0")
def _cat(self, tensors, dim):
    many = _many(self, tensors, "cat")
    rank = len(many[0].shape)
    axis = self.axis(dim, rank)
    shape = list(self.shape(many[0]))
    for t in many[1:]:
        self.need(len(t.shape) == rank, "cat joins tensors of several ranks")
        for i, size in enumerate(t.shape):
            if i == axis:
                shape[i] = plus(self.sizes.now(shape[i]), self.sizes.now(size))
            else:
                self.same(shape[i], size, "cat")
    if len(many) == 1:
        return many[0]
    return self.make("cat", many, shape, many[0].dtype, axis=axis)


@rule("hstack", "tensors")
def _hstack(self, tensors):
    return _cat(self, tensors, 0 if len(self.tensor(tensors[0]).shape) == 1 else 1)


@rule("stack", "tensors dim=0")
def _stack(self, tensors, dim):
    many = _many(self, tensors, "stack")
    for t in many[1:]:
        self.same_shapes(many[0], t, "stack")
    axis = self.axis(dim, len(many[0].shape) + 1)
    shape = list(self.shape(many[0]))
    return self.make("stack", many, [*shape[:axis], len(many), *shape[axis:]], many[0].dtype, axis=axis)


@rule("narrow", "input dim start length")
def _narrow(self, input, dim, start, length):
    x = self.tensor(input)
    axis = self.axis(dim, len(x.shape))
    start, length, size = self.extent(start), self.extent(length), self.sizes.now(x.shape[axis])
    if self.sizes.value(start) < 0:
        start = plus(size, self.sizes.now(start))
    if start == 0 and length == size:
        return x
    for part, least in ((start, 0), (length, 1)):
        self.need(self.sizes.at_least(part, least), "narrow takes what isn't there")
    size, start, length = map(self.sizes.now, (size, start, length))
    self.need(self.sizes.at_least(plus(plus(size, start, -1), length, -1), 0), "narrow takes what isn't there")
    start, length = self.sizes.now(start), self.sizes.now(length)
    shape = [length if i == axis else s for i, s in enumerate(self.shape(x))]
    return self.view("narrow", x, shape, axis=axis, start=start, length=length)


@rule("select", "input dim index")
def _select(self, input, dim, index):
    x = self.tensor(input)
    axis, index = self.axis(dim, len(x.shape)), self.integer(index)
    self.need(self.sizes.at_least(self.sizes.now(x.shape[axis]), -index if index < 0 else index + 1), "an index is beyond its axis")
    return self.view("select", x, [*x.shape[:axis], *x.shape[axis + 1:]], axis=axis, index=index)


@rule("chunk", "input chunks dim=0")
def _chunk(self, input, chunks, dim):
    x = self.tensor(input)
    count, axis = self.integer(chunks), self.axis(dim, len(x.shape))
    size = self.sizes.now(x.shape[axis])
    self.need(1 <= count <= 256, "chunk makes too many parts")
    each = self.sizes.divided(size, count)
    if each is None:
        each = -(-self.sizes.fixed(size) // count)
    return _split(self, x, each, axis)


@rule("split", "input split_size dim=0")
def _split(self, input, split_size, dim):
    x = self.tensor(input)
    axis = self.axis(dim, len(x.shape))
    size = self.sizes.now(x.shape[axis])
    if isinstance(split_size, (list, tuple)):
        parts = [self.extent(v) for v in split_size]
    else:
        each = self.extent(split_size)
        count = exactly_over(size, each)
        if not isinstance(count, int):
            size, each = self.sizes.fixed(size), max(self.sizes.fixed(each), 1)
            parts = [min(each, size - at) for at in range(0, size, each)] if size <= 256 * each else []
        else:
            parts = [each] * count
    self.need(1 <= len(parts) <= 256, "split makes too many parts")
    start, out = 0, []
    for part in parts:
        out.append(_narrow(self, x, axis, start, part))
        start = plus(start, part)
    return out


RULES["tensor_split"] = RULES["chunk"]


@rule("unbind", "input dim=0")
def _unbind(self, input, dim):
    x = self.tensor(input)
    axis = self.axis(dim, len(x.shape))
    count = self.sizes.fixed(x.shape[axis])
    self.need(count <= 256, "unbind makes too many parts")
    return [_select(self, x, axis, i) for i in range(count)]


def _dtype(value):
    if isinstance(value, External):
        found = DTYPES.get(value.name.rpartition(".")[2])
        if found:
            return found
    raise Untyped("a dtype isn't known")


DTYPES = {**{torch: name for torch, name in static_module.DTYPES.items() if name != "c64"}, **{name: name for name in (*FLOATS, *INTEGERS)}}

for _name in ("float", "half", "bfloat16", "double", "long", "int", "short", "bool"):
    rule(_name, "input")(lambda self, input, wanted=DTYPES[_name]: self.to(input, wanted))


def _converted(self, input, what, dtype):
    x = self.tensor(input)
    for one in [*(what or []), *([dtype] if dtype is not None else [])]:
        if isinstance(one, TypedTensor):
            x = self.to(x, one.dtype)
        elif isinstance(one, External) and one.name.rpartition(".")[2] in DTYPES:
            x = self.to(x, _dtype(one))
        elif isinstance(one, Unknown):
            raise Untyped(one.why)
    return x


RULES["to"] = RULES["type"] = ([("input", REQUIRED), ("dtype", None), ("what", None)], True, _converted)


@rule("type_as", "input other")
def _type_as(self, input, other):
    return self.to(input, self.tensor(other).dtype)


# Operators on those parts of a tensor that tensors of indices name.

def _places(self, index, dtypes=("i64", "i32")):
    t = self.tensor(index)
    self.need(t.dtype in dtypes and not _is_number(t), "an index is no tensor of integers")
    return t


@rule("gather", "input dim index")
def _gather(self, input, dim, index):
    x, i = self.tensor(input), _places(self, index, ("i64",))
    axis = self.axis(dim, len(x.shape))
    self.need(len(x.shape) == len(i.shape), "gather's index has other axes")
    for at, (size, own) in enumerate(zip(i.shape, x.shape)):
        if at != axis:
            self.need(self.sizes.at_least(plus(self.sizes.now(own), self.sizes.now(size), -1), 0), "gather's index is larger than its tensor")
    return self.make("gather", [x, i], i.shape, x.dtype, axis=axis)


@rule("index_select", "input dim index")
def _index_select(self, input, dim, index):
    x, i = self.tensor(input), _places(self, index)
    axis = self.axis(dim, len(x.shape))
    self.need(len(i.shape) == 1, "index_select's index is no vector")
    return self.make("index_select", [x, i], [i.shape[0] if at == axis else s for at, s in enumerate(x.shape)], x.dtype, axis=axis)


@rule("scatter_add", "input dim index src")
def _scatter_add(self, input, dim, index, src):
    x, i, source = self.tensor(input), _places(self, index, ("i64",)), self.tensor(src)
    self.need(len(x.shape) == len(i.shape), "scatter_add's index has other axes")
    self.same_shapes(i, source, "scatter_add's index and source")
    return self.make("scatter_add", [x, i, source], x.shape, x.dtype, axis=self.axis(dim, len(x.shape)))


@rule("index_add", "input dim index source")
def _index_add(self, input, dim, index, source):
    x, i, source = self.tensor(input), _places(self, index), self.tensor(source)
    axis = self.axis(dim, len(x.shape))
    self.need(len(i.shape) == 1 and len(source.shape) == len(x.shape), "index_add's index is no vector")
    for at, size in enumerate(source.shape):
        self.same(size, i.shape[0] if at == axis else x.shape[at], "index_add's source")
    return self.make("index_add", [x, i, source], x.shape, x.dtype, axis=axis)


@rule("embedding", "input weight padding_idx=None max_norm=None norm_type=2.0 scale_grad_by_freq=False sparse=False")
def _embedding(self, input, weight, padding_idx, max_norm, norm_type, scale_grad_by_freq, sparse):
    i, w = _places(self, input), self.tensor(weight)
    self.need(max_norm is None, "an embedding changes its rows' norms")
    self.need(len(w.shape) == 2, "an embedding's weight is no matrix")
    return self.make("embedding", [i, w], [*i.shape, w.shape[1]], w.dtype)


# Products.

@rule("matmul", "input other")
def _matmul(self, input, other):
    a, b = self.promoted(input, other)
    self.need(a.draw is None and b.draw is None, "its values are drawn and then multiplied")
    self.need(a.shape and b.shape, "a product of matrices takes no single number")
    self.need(a.dtype in FLOATS, "it multiplies matrices of integers")
    self.same(a.shape[-1], b.shape[0] if len(b.shape) == 1 else b.shape[-2], "a product of matrices")
    shape = list(self.broadcast(a.shape[:-2], b.shape[:-2])) if len(a.shape) > 2 or len(b.shape) > 2 else []
    if len(a.shape) > 1:
        shape.append(a.shape[-2])
    if len(b.shape) > 1:
        shape.append(b.shape[-1])
    return self.make("matmul", [a, b], shape, a.dtype)


def _of_rank(*ranks):
    def function(self, input, other):
        for t, rank in zip((input, other), ranks):
            self.need(len(self.tensor(t).shape) == rank, "a product of tensors of other ranks")
        return _matmul(self, input, other)
    return function


rule("bmm", "input other")(_of_rank(3, 3))
rule("mv", "input other")(_of_rank(2, 1))
rule("dot vdot inner", "input other")(_of_rank(1, 1))


@rule("addmm", "input mat1 other beta=1 alpha=1")
def _addmm(self, input, mat1, other, beta, alpha):
    product = _matmul(self, mat1, other)
    product = product if alpha == 1 else self.binary("mul", product, self.number(alpha))
    return self.binary("add", input if beta == 1 else self.binary("mul", input, self.number(beta)), product)


rule("baddbmm addbmm_", "input mat1 other beta=1 alpha=1")(_addmm)


@rule("outer ger", "input other")
def _outer(self, input, other):
    a, b = self.floats(input), self.floats(other)
    self.need(len(a.shape) == len(b.shape) == 1, "outer takes vectors")
    return self.make("outer", [a, b], [a.shape[0], b.shape[0]], a.dtype)


@rule("einsum", "equation *operands")
def _einsum(self, equation, operands):
    self.need(isinstance(equation, str), "an einsum's equation isn't known")
    text = equation.replace(" ", "")
    parts, arrow, out = text.partition("->")
    parts = parts.split(",")
    self.need(arrow and len(parts) == 2 == len(operands), "its einsum isn't of two tensors with `->`")
    for letters in (*parts, out):
        self.need(letters.isalpha() and letters.isascii() and len(set(letters)) == len(letters) or letters == "" and letters is out,
                  f"its einsum \"{equation[:60]}\" isn't one of distinct letters")
    a, b = self.promoted(*operands)
    sizes = {}
    for letters, t in zip(parts, (a, b)):
        self.need(len(letters) == len(t.shape), "an einsum's letters aren't those of its tensor")
        for letter, size in zip(letters, t.shape):
            if letter in sizes:
                self.same(sizes[letter], size, "an einsum")
            else:
                sizes[letter] = size
    self.need(set(out) <= set(sizes), "an einsum's result has another letter")
    return self.make("einsum", [a, b], [sizes[letter] for letter in out], a.dtype, equation=text)


@rule("linear", "input weight bias=None")
def _linear(self, input, weight, bias):
    x, w = self.floats(input), self.tensor(weight)
    self.need(x.shape and len(w.shape) == 2, "linear's weight is no matrix")
    self.same(x.shape[-1], w.shape[1], "linear's features")
    args = [x, w]
    if bias is not None:
        b = self.tensor(bias)
        self.need(len(b.shape) == 1, "linear's bias is no vector")
        self.same(b.shape[0], w.shape[0], "linear's bias")
        args.append(b)
    return self.make("linear", args, [*x.shape[:-1], w.shape[0]], x.dtype)


@rule("bilinear", "input1 input2 weight bias=None")
def _bilinear(self, input1, input2, weight, bias):
    x, y, w = self.floats(input1), self.floats(input2), self.tensor(weight)
    self.need(len(x.shape) == len(y.shape) == 2 and len(w.shape) == 3, "bilinear isn't of two matrices")
    first = _einsum(self, "bi,oij->boj", [x, w])
    out = _einsum(self, "boj,bj->bo", [first, y])
    return out if bias is None else self.binary("add", out, bias)


@rule("scaled_dot_product_attention", "query key value attn_mask=None dropout_p=0.0 is_causal=False scale=None enable_gqa=False")
def _attention(self, query, key, value, attn_mask, dropout_p, is_causal, scale, enable_gqa):
    self.need(self.number(dropout_p) == 0, "dropout is random")
    q, k, v = self.floats(query), self.floats(key), self.floats(value)
    rank = len(q.shape)
    self.need(3 <= rank <= 5 and len(k.shape) == len(v.shape) == rank, "attention isn't of tensors of three to five axes")
    grouped = self.flag(enable_gqa)
    for i in range(rank - 2):
        if grouped and i == rank - 3:
            self.same(k.shape[i], v.shape[i], "attention")
            self.need(self.sizes.divided(q.shape[i], k.shape[i]) is not None, "attention's heads aren't shared evenly")
            continue
        self.same(q.shape[i], k.shape[i], "attention")
        self.same(q.shape[i], v.shape[i], "attention")
    self.same(q.shape[-1], k.shape[-1], "attention")
    self.same(k.shape[-2], v.shape[-2], "attention")
    attrs, args = {"is_causal": self.flag(is_causal)}, [q, k, v]
    if scale is not None:
        attrs["scale"] = float(self.number(scale))
    if grouped:
        attrs["enable_gqa"] = True
    if attn_mask is not None:
        self.need(not attrs["is_causal"], "attention has a mask and is causal")
        m = self.tensor(attn_mask)
        self.need(len(m.shape) >= 2 and not _is_number(m), "attention's mask isn't known")
        shape = self.broadcast([*q.shape[:-1], k.shape[-2]], m.shape)
        self.need(len(shape) == rank, "attention's mask is larger than its scores")
        args.append(m)
    return self.make("scaled_dot_product_attention", args, [*q.shape[:-1], v.shape[-1]], q.dtype, **attrs)


# Norms.

def _channels(self, op, x, weight, bias):
    args = [x]
    if bias is not None and weight is None:
        raise Untyped(f"`{op}` has a bias without a weight")
    for one in (weight, bias):
        if one is not None:
            one = self.tensor(one)
            self.need(len(one.shape) == 1, f"`{op}`'s weight is no vector")
            self.same(one.shape[0], x.shape[1], f"`{op}`'s channels")
            args.append(one)
    return args


@rule("batch_norm", "input running_mean running_var weight=None bias=None training=False momentum=0.1 eps=1e-5")
def _batch_norm(self, input, running_mean, running_var, weight, bias, training, momentum, eps):
    x = self.floats(input)
    self.need(2 <= len(x.shape) <= 5, "batch_norm of a tensor without channels")
    if not self.flag(training) and running_mean is not None:
        shape = [1, x.shape[1], *[1] * (len(x.shape) - 2)]
        parts = [None if t is None else _reshape(self, t, shape) for t in (running_mean, running_var, weight, bias)]
        out = self.binary("div", self.binary("sub", x, parts[0]), self.elementwise("sqrt", self.binary("add", parts[1], float(self.number(eps)))))
        for op, part in (("mul", parts[2]), ("add", parts[3])):
            out = out if part is None else self.binary(op, out, part)
        return out
    count = exactly_over(self.total(x.shape), self.sizes.now(x.shape[1]))
    self.need(count is None or self.sizes.at_least(count, 2), "batch_norm has one value a channel")
    return self.make("batch_norm", _channels(self, "batch_norm", x, weight, bias), x.shape, x.dtype, eps=float(self.number(eps)))


@rule("instance_norm", "input running_mean=None running_var=None weight=None bias=None use_input_stats=True momentum=0.1 eps=1e-5")
def _instance_norm(self, input, running_mean, running_var, weight, bias, use_input_stats, momentum, eps):
    x = self.floats(input)
    self.need(3 <= len(x.shape) <= 5 and self.flag(use_input_stats), "instance_norm of a tensor without channels, or by running statistics")
    self.need(self.sizes.at_least(self.total(x.shape[2:]), 2), "instance_norm has one value a channel")
    return self.make("instance_norm", _channels(self, "instance_norm", x, weight, bias), x.shape, x.dtype, eps=float(self.number(eps)))


@rule("group_norm", "input num_groups weight=None bias=None eps=1e-5")
def _group_norm(self, input, num_groups, weight, bias, eps):
    x = self.floats(input)
    self.need(2 <= len(x.shape) <= 5, "group_norm of a tensor without channels")
    groups = self.integer(num_groups)
    self.need(groups >= 1, "group_norm has no groups")
    each = self.sizes.divided(x.shape[1], groups)
    self.need(each is not None, "group_norm's channels aren't equal groups")
    count = self.total([x.shape[0], each, *x.shape[2:]])
    self.need(self.sizes.at_least(count, 2), "group_norm has one value a group")
    return self.make("group_norm", _channels(self, "group_norm", x, weight, bias), x.shape, x.dtype, num_groups=groups, eps=float(self.number(eps)))


@rule("local_response_norm", "input size alpha=1e-4 beta=0.75 k=1.0")
def _local_response_norm(self, input, size, alpha, beta, k):
    x = self.floats(input)
    self.need(len(x.shape) == 4, "local_response_norm isn't of images")
    count = self.integer(size)
    n, c, h, w = self.shape(x)
    squares = _reshape(self, self.elementwise("square", x), [n, 1, c, h, w])
    squares = _pad(self, squares, [0, 0, 0, 0, count // 2, (count - 1) // 2], "constant", 0)
    means = _reshape(self, _pool(self, "avg_pool3d", squares, [count, 1, 1], 1, 0), [n, c, h, w])
    scaled = self.binary("add", self.binary("mul", means, float(self.number(alpha))), float(self.number(k)))
    return self.binary("div", x, self.binary("pow", scaled, float(self.number(beta))))


# Convolutions and pools.

def _convolution(axes):
    def function(self, input, weight, bias, stride, padding, dilation, groups):
        x, w = self.floats(input), self.tensor(weight)
        self.need(len(w.shape) == axes + 2 and len(x.shape) in (axes + 1, axes + 2), f"conv{axes}d of tensors of other ranks")
        channels = len(x.shape) - axes - 1
        stride, dilation = self.window(stride, axes), self.window(dilation, axes)
        kernel = [self.sizes.fixed(s) for s in w.shape[2:]]
        if isinstance(padding, str):
            both = [d * (k - 1) if padding == "same" else 0 for d, k in zip(dilation, kernel)]
            self.need(padding in ("same", "valid") and all(b % 2 == 0 for b in both), f"a convolution is padded by {padding}, not equally on both sides")
            padding = [b // 2 for b in both]
        padding = self.window(padding, axes)
        self.need(all(v >= 1 for v in [*stride, *dilation]) and all(v >= 0 for v in padding), "a convolution's window isn't one")
        groups = self.extent(groups)
        self.same(x.shape[channels], product_of(self.sizes.now(w.shape[1]), groups), "a convolution's channels")
        self.need(groups == 1 or self.sizes.divided(w.shape[0], groups) is not None, "a convolution's channels aren't equal groups")
        shape = [*x.shape[:channels], w.shape[0]]
        for i in range(axes):
            room = plus(self.sizes.now(x.shape[channels + 1 + i]), 2 * padding[i] - dilation[i] * (kernel[i] - 1) - 1)
            self.need(self.sizes.at_least(room, 0), "a convolution's kernel is larger than its input")
            shape.append(plus(over(self.sizes.now(room), stride[i]), 1))
        args = [x, w] if bias is None else [x, w, self.tensor(bias)]
        if bias is not None:
            self.same(args[2].shape[0], w.shape[0], "a convolution's bias")
        return self.make(f"conv{axes}d", args, shape, x.dtype, stride=stride, padding=padding, dilation=dilation, groups=self.sizes.now(groups))
    rule(f"conv{axes}d", "input weight bias=None stride=1 padding=0 dilation=1 groups=1")(function)


def _transposed(axes):
    def function(self, input, weight, bias, stride, padding, output_padding, groups, dilation):
        x, w = self.floats(input), self.tensor(weight)
        self.need(len(w.shape) == axes + 2 and len(x.shape) in (axes + 1, axes + 2), f"conv_transpose{axes}d of tensors of other ranks")
        channels = len(x.shape) - axes - 1
        stride, padding, dilation = self.window(stride, axes), self.window(padding, axes), self.window(dilation, axes)
        more, groups = self.window(output_padding, axes), self.extent(groups)
        self.need(all(v >= 1 for v in [*stride, *dilation]) and all(v >= 0 for v in [*padding, *more]), "a convolution's window isn't one")
        self.need(all(m < max(s, d) for m, s, d in zip(more, stride, dilation)), "output_padding isn't below stride or dilation")
        self.same(x.shape[channels], w.shape[0], "a convolution's channels")
        self.need(groups == 1 or self.sizes.divided(w.shape[0], groups) is not None, "a convolution's channels aren't equal groups")
        shape = [*x.shape[:channels], product_of(self.sizes.now(w.shape[1]), self.sizes.now(groups))]
        for i in range(axes):
            kernel = self.sizes.fixed(w.shape[2 + i])
            size = product_of(plus(self.sizes.now(x.shape[channels + 1 + i]), -1), stride[i])
            shape.append(plus(size, dilation[i] * (kernel - 1) + more[i] + 1 - 2 * padding[i]))
        args = [x, w] if bias is None else [x, w, self.tensor(bias)]
        if bias is not None:
            self.same(args[2].shape[0], shape[channels], "a convolution's bias")
        return self.make(f"conv_transpose{axes}d", args, shape, x.dtype, stride=stride, padding=padding, output_padding=more, groups=self.sizes.now(groups), dilation=dilation)
    rule(f"conv_transpose{axes}d", "input weight bias=None stride=1 padding=0 output_padding=0 groups=1 dilation=1")(function)


def _pool(self, op, input, kernel_size, stride, padding, dilation=None):
    axes = int(op[-2])
    x = self.floats(input)
    self.need(len(x.shape) in (axes + 1, axes + 2), f"`{op}` of a tensor of another rank")
    first = len(x.shape) - axes
    kernel = self.window(kernel_size, axes)
    stride = kernel if stride is None or stride in ([], ()) else self.window(stride, axes)
    padding = self.window(padding, axes)
    spread = self.window(dilation, axes) if dilation is not None else [1] * axes
    self.need(all(v >= 1 for v in [*kernel, *stride, *spread]) and all(0 <= 2 * p <= k for p, k in zip(padding, kernel)), "a pool's window isn't one")
    shape = list(self.shape(x))
    for i in range(axes):
        size = shape[first + i]
        if op == "avg_pool3d":  # PyTorch's wants the window to fit without the padding
            self.need(self.sizes.at_least(plus(size, -kernel[i]), 0), "a pool's window is larger than its input")
        room = plus(self.sizes.now(size), 2 * padding[i] - spread[i] * (kernel[i] - 1) - 1)
        self.need(self.sizes.at_least(room, 0), "a pool's window is larger than its input")
        shape[first + i] = plus(over(self.sizes.now(room), stride[i]), 1)
    attrs = {"kernel_size": kernel, "stride": stride, "padding": padding}
    if dilation is not None:
        attrs["dilation"] = spread
    return self.make(op, [x], shape, x.dtype, **attrs)


def _max_pool(axes):
    def function(self, input, kernel_size, stride, padding, dilation, ceil_mode, return_indices):
        self.need(not self.flag(ceil_mode), "a pool rounds its size up (ceil_mode)")
        out = _pool(self, f"max_pool{axes}d", input, kernel_size, stride, padding, dilation)
        return Named((out, Unknown("a pool's places aren't in the language"))) if self.flag(return_indices) else out
    rule(f"max_pool{axes}d", "input kernel_size stride=None padding=0 dilation=1 ceil_mode=False return_indices=False")(function)


def _avg_pool(axes):
    def function(self, input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override):
        self.need(not self.flag(ceil_mode), "a pool rounds its size up (ceil_mode)")
        self.need(divisor_override is None, "a pool has a divisor of its own")
        self.need(self.flag(count_include_pad) or not any(self.window(padding, axes)), "a pool leaves its padding out of the mean")
        return _pool(self, f"avg_pool{axes}d", input, kernel_size, stride, padding)
    rule(f"avg_pool{axes}d", "input kernel_size stride=None padding=0 ceil_mode=False count_include_pad=True divisor_override=None")(function)


def _adaptive(op, axes):
    def function(self, input, output_size, return_indices=False):
        x = self.floats(input)
        self.need(len(x.shape) in (axes + 1, axes + 2) and not self.flag(return_indices), f"`{op}` of a tensor of another rank, or with places")
        first = len(x.shape) - axes
        many = output_size if isinstance(output_size, (list, tuple)) else [output_size] * axes
        self.need(len(many) == axes, f"`{op}` has other axes")
        sizes = [self.sizes.fixed(x.shape[first + i]) if v is None else self.integer(v) for i, v in enumerate(many)]
        self.need(all(v >= 1 for v in sizes), f"`{op}` gives nothing")
        return self.make(op, [x], [*x.shape[:first], *sizes], x.dtype, output_size=sizes)
    rule(op, "input output_size return_indices=False" if "max" in op else "input output_size")(function)


for _axes in (1, 2, 3):
    _convolution(_axes)
    _transposed(_axes)
    _max_pool(_axes)
    _avg_pool(_axes)
    _adaptive(f"adaptive_avg_pool{_axes}d", _axes)
    _adaptive(f"adaptive_max_pool{_axes}d", _axes)


# Losses.

def _reduction(self, reduction, shape, most=("mean", "sum", "none")):
    self.need(reduction in most, f"a loss is reduced by {reduction}")
    return shape if reduction == "none" else []


def _pointwise(op, signature="", attrs=lambda self, said: {}):
    def function(self, input, target, reduction, size_average, reduce, **said):
        self.need(size_average is None and reduce is None, "a loss says its reduction in an old way")
        x, y = self.floats(input), self.floats(target)
        if len(x.shape) != len(y.shape) or any(self.sizes.value(a) != self.sizes.value(b) for a, b in zip(x.shape, y.shape)):
            self.need(op in ("mse_loss", "l1_loss"), f"`{op}` is of tensors of two shapes")
            gap = self.binary("sub", x, y)
            each = self.elementwise("square" if op == "mse_loss" else "abs", gap)
            return each if reduction == "none" else self.reduced(reduction, each, None, False)
        self.same_shapes(x, y, f"`{op}`")
        return self.make(op, [x, y], _reduction(self, reduction, x.shape), x.dtype, **attrs(self, said), reduction=reduction)
    rule(op, f"input target {signature} size_average=None reduce=None reduction=mean")(function)


_pointwise("mse_loss")
_pointwise("l1_loss")
_pointwise("soft_margin_loss")
_pointwise("huber_loss", "delta=1.0", lambda self, said: {"delta": float(self.number(said["delta"]))})
_pointwise("smooth_l1_loss", "beta=1.0", lambda self, said: {"beta": float(self.number(said["beta"]))})
_pointwise("hinge_embedding_loss", "margin=1.0", lambda self, said: {"margin": float(self.number(said["margin"]))})
RULES["huber_loss"] = (parsed("input target reduction=mean delta=1.0 weight=None size_average=None reduce=None")[0], False,
                       lambda self, weight, f=RULES["huber_loss"][2], **said: f(self, **said) if weight is None else self.need(False, "a loss has weights"))
RULES["smooth_l1_loss"] = (parsed("input target size_average=None reduce=None reduction=mean beta=1.0")[0], False, RULES["smooth_l1_loss"][2])


@rule("binary_cross_entropy_with_logits", "input target weight=None size_average=None reduce=None reduction=mean pos_weight=None")
def _bce_with_logits(self, input, target, weight, size_average, reduce, reduction, pos_weight):
    self.need(weight is None and pos_weight is None, "a loss has weights")
    x, y = self.floats(input), self.floats(target)
    self.same_shapes(x, y, "a loss")
    return self.make("binary_cross_entropy_with_logits", [x, y], _reduction(self, reduction, x.shape), x.dtype, reduction=reduction)


@rule("kl_div", "input target size_average=None reduce=None reduction=mean log_target=False")
def _kl_div(self, input, target, size_average, reduce, reduction, log_target):
    x, y = self.floats(input), self.floats(target)
    self.same_shapes(x, y, "a loss")
    return self.make("kl_div", [x, y], _reduction(self, reduction, x.shape, ("mean", "sum", "none", "batchmean")), x.dtype, reduction=reduction,
                     log_target=self.flag(log_target))


def _classes(self, x, y, weight):
    self.need(2 <= len(x.shape) <= 5 and len(y.shape) == len(x.shape) - 1 and y.dtype == "i64", "a loss is of other classes than along axis 1")
    each = [x.shape[0], *x.shape[2:]]
    for a, b in zip(each, y.shape):
        self.same(a, b, "a loss's target")
    if weight is not None:
        self.same(self.tensor(weight).shape[0], x.shape[1], "a loss's weights")
    return each


@rule("cross_entropy", "input target weight=None size_average=None ignore_index=-100 reduce=None reduction=mean label_smoothing=0.0")
def _cross_entropy(self, input, target, weight, size_average, ignore_index, reduce, reduction, label_smoothing):
    x, y = self.floats(input), self.tensor(target)
    if y.dtype in FLOATS:
        self.same_shapes(x, y, "a loss")
        each = [x.shape[0], *x.shape[2:]]
    else:
        each = _classes(self, x, y, weight)
    args = [x, y] if weight is None else [x, y, self.tensor(weight)]
    attrs = {} if ignore_index == -100 else {"ignore_index": self.integer(ignore_index)}
    return self.make("cross_entropy", args, _reduction(self, reduction, each), x.dtype, reduction=reduction, label_smoothing=float(self.number(label_smoothing)), **attrs)


@rule("nll_loss", "input target weight=None size_average=None ignore_index=-100 reduce=None reduction=mean")
def _nll_loss(self, input, target, weight, size_average, ignore_index, reduce, reduction):
    x, y = self.floats(input), self.tensor(target)
    each = _classes(self, x, y, weight)
    args = [x, y] if weight is None else [x, y, self.tensor(weight)]
    attrs = {} if ignore_index == -100 else {"ignore_index": self.integer(ignore_index)}
    return self.make("nll_loss", args, _reduction(self, reduction, each), x.dtype, reduction=reduction, **attrs)


@rule("margin_ranking_loss", "input1 input2 target margin=0.0 size_average=None reduce=None reduction=mean")
def _margin_ranking(self, input1, input2, target, margin, size_average, reduce, reduction):
    x, y, t = self.floats(input1), self.floats(input2), self.floats(target)
    self.same_shapes(x, y, "a loss")
    self.same_shapes(x, t, "a loss")
    return self.make("margin_ranking_loss", [x, y, t], _reduction(self, reduction, x.shape), x.dtype, margin=float(self.number(margin)), reduction=reduction)


@rule("triplet_margin_loss", "anchor positive negative margin=1.0 p=2.0 eps=1e-6 swap=False size_average=None reduce=None reduction=mean")
def _triplet(self, anchor, positive, negative, margin, p, eps, swap, size_average, reduce, reduction):
    self.need(not self.flag(swap), "a loss exchanges its anchor")
    x, y, z = self.floats(anchor), self.floats(positive), self.floats(negative)
    self.same_shapes(x, y, "a loss")
    self.same_shapes(x, z, "a loss")
    self.need(len(x.shape) >= 1 and self.number(margin) > 0, "a loss is of no vectors, or without a margin")
    return self.make("triplet_margin_loss", [x, y, z], _reduction(self, reduction, x.shape[:-1]), x.dtype, margin=float(self.number(margin)),
                     p=float(self.number(p)), eps=float(self.number(eps)), reduction=reduction)


@rule("cosine_similarity", "x1 x2 dim=1 eps=1e-8")
def _cosine_similarity(self, x1, x2, dim, eps):
    x, y = self.floats(x1), self.floats(x2)
    shape = list(self.broadcast(x.shape, y.shape))
    axis = self.axis(dim, len(shape))
    del shape[axis]
    return self.make("cosine_similarity", [x, y], shape, x.dtype, axis=axis, eps=float(self.number(eps)))


@rule("pairwise_distance", "x1 x2 p=2.0 eps=1e-6 keepdim=False")
def _pairwise_distance(self, x1, x2, p, eps, keepdim):
    x, y = self.floats(x1), self.floats(x2)
    self.same_shapes(x, y, "pairwise_distance")
    out = self.make("pairwise_distance", [x, y], x.shape[:-1], x.dtype, p=float(self.number(p)), eps=float(self.number(eps)))
    return _unsqueeze(self, out, -1) if self.flag(keepdim) else out
