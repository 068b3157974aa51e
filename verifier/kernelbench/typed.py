"""A task in KernelBench's form as a task of the language (docs/interfaces.md, 1): dimensions, inputs, parameters, and the expression that
forward is. The file is read as static_module.py reads it, but that its module-level integers are named constants (extents.py), tensors
have expressions (typed_operators.py), and nothing may stay unknown: what can't be said ends it with the reason.
"""

import ast
import keyword
import math

import extents
from extents import Extents, Size, exactly_over, over, plus, product_of
from static_module import (_compare, _plain, Class, External, KNOWN, Layer, Method, Object, Reader, Super, Tensor, Unknown,
                           Unread, _Loop, _Return, is_plain, tables_of)
from torch_names import SIGNS
from typed_operators import (DTYPES, FLOATS, INFERRED, INTEGERS, Draw, Named, Node, Operators, TypedTensor, Untyped, _attention, _dtype, _is_number, _linear, _narrow,
                             _reshape, _select, _transpose, _unsqueeze, bound, parsed)

MOST_PARTS = 16  # of a module-level list whose integers are named constants
RECURRENT = {"LSTM", "GRU", "RNN", "LSTMCell", "GRUCell", "RNNCell"}

# For each layer: its constructor's parameters with their defaults, and the function that computes it.
_affine = {"BatchNorm": "num_features eps=1e-5 momentum=0.1 affine=True track_running_stats=True",
           "InstanceNorm": "num_features eps=1e-5 momentum=0.1 affine=False track_running_stats=False"}
LAYERS = {
    "Linear": ("in_features out_features bias=True", "linear"),
    "Bilinear": ("in1_features in2_features out_features bias=True", "bilinear"),
    "Embedding": ("num_embeddings embedding_dim padding_idx=None max_norm=None norm_type=2.0 scale_grad_by_freq=False sparse=False", "embedding"),
    "GroupNorm": ("num_groups num_channels eps=1e-5 affine=True", "group_norm"),
    "LayerNorm": ("normalized_shape eps=1e-5 elementwise_affine=True bias=True", "layer_norm"),
    "RMSNorm": ("normalized_shape eps=None elementwise_affine=True", "rms_norm"),
    "PReLU": ("num_parameters=1 init=0.25", "prelu"),
    "MultiheadAttention": ("embed_dim num_heads dropout=0.0 bias=True add_bias_kv=False add_zero_attn=False kdim=None vdim=None batch_first=False", "attention"),
    "Softmax": ("dim=None", "softmax"), "Softmin": ("dim=None", "softmin"), "LogSoftmax": ("dim=None", "log_softmax"),
    "Softmax2d": ("", "softmax2d"), "GLU": ("dim=-1", "glu"), "Flatten": ("start_dim=1 end_dim=-1", "flatten"),
    "Unflatten": ("dim unflattened_size", "unflatten"), "Identity": ("*rest=None", "identity"),
    "LocalResponseNorm": ("size alpha=1e-4 beta=0.75 k=1.0", "local_response_norm"),
    "CosineSimilarity": ("dim=1 eps=1e-8", "cosine_similarity"), "PairwiseDistance": ("p=2.0 eps=1e-6 keepdim=False", "pairwise_distance"),
    "TripletMarginLoss": ("margin=1.0 p=2.0 eps=1e-6 swap=False size_average=None reduce=None reduction=mean", "triplet_margin_loss"),
    "CrossEntropyLoss": ("weight=None size_average=None ignore_index=-100 reduce=None reduction=mean label_smoothing=0.0", "cross_entropy"),
    "NLLLoss": ("weight=None size_average=None ignore_index=-100 reduce=None reduction=mean", "nll_loss"),
    "HuberLoss": ("reduction=mean delta=1.0", "huber_loss"), "SmoothL1Loss": ("size_average=None reduce=None reduction=mean beta=1.0", "smooth_l1_loss"),
    "KLDivLoss": ("size_average=None reduce=None reduction=mean log_target=False", "kl_div"),
    "BCEWithLogitsLoss": ("weight=None size_average=None reduce=None reduction=mean pos_weight=None", "binary_cross_entropy_with_logits"),
    "HingeEmbeddingLoss": ("margin=1.0 size_average=None reduce=None reduction=mean", "hinge_embedding_loss"),
    "MarginRankingLoss": ("margin=0.0 size_average=None reduce=None reduction=mean", "margin_ranking_loss"),
}
for _name, _function in (("MSELoss", "mse_loss"), ("L1Loss", "l1_loss"), ("SoftMarginLoss", "soft_margin_loss")):
    LAYERS[_name] = ("size_average=None reduce=None reduction=mean", _function)
for _name, _function in {"ReLU": "relu", "ReLU6": "relu6", "SELU": "selu", "SiLU": "silu", "Mish": "mish", "Hardswish": "hardswish", "Hardsigmoid": "hardsigmoid"}.items():
    LAYERS[_name] = ("inplace=False", _function)
for _name, _function in {"Sigmoid": "sigmoid", "Tanh": "tanh", "Softsign": "softsign", "Tanhshrink": "tanhshrink", "LogSigmoid": "logsigmoid"}.items():
    LAYERS[_name] = ("", _function)
LAYERS.update({
    "LeakyReLU": ("negative_slope=0.01 inplace=False", "leaky_relu"), "ELU": ("alpha=1.0 inplace=False", "elu"), "CELU": ("alpha=1.0 inplace=False", "celu"),
    "GELU": ("approximate=none", "gelu"), "Softplus": ("beta=1 threshold=20", "softplus"), "Hardtanh": ("min_val=-1.0 max_val=1.0 inplace=False", "hardtanh"),
    "Hardshrink": ("lambd=0.5", "hardshrink"), "Softshrink": ("lambd=0.5", "softshrink"), "Threshold": ("threshold value inplace=False", "threshold"),
})
for _name in ("Dropout", "Dropout1d", "Dropout2d", "Dropout3d", "AlphaDropout"):
    LAYERS[_name] = ("p=0.5 inplace=False", "dropout")
for _axes in (1, 2, 3):
    LAYERS[f"Conv{_axes}d"] = ("in_channels out_channels kernel_size stride=1 padding=0 dilation=1 groups=1 bias=True padding_mode=zeros", f"conv{_axes}d")
    LAYERS[f"ConvTranspose{_axes}d"] = ("in_channels out_channels kernel_size stride=1 padding=0 output_padding=0 groups=1 bias=True dilation=1 padding_mode=zeros",
                                        f"conv_transpose{_axes}d")
    LAYERS[f"BatchNorm{_axes}d"], LAYERS[f"InstanceNorm{_axes}d"] = (_affine["BatchNorm"], "batch_norm"), (_affine["InstanceNorm"], "instance_norm")
    LAYERS[f"MaxPool{_axes}d"] = ("kernel_size stride=None padding=0 dilation=1 return_indices=False ceil_mode=False", f"max_pool{_axes}d")
    LAYERS[f"AvgPool{_axes}d"] = ("kernel_size stride=None padding=0 ceil_mode=False count_include_pad=True divisor_override=None", f"avg_pool{_axes}d")
    LAYERS[f"AdaptiveAvgPool{_axes}d"] = ("output_size", f"adaptive_avg_pool{_axes}d")
    LAYERS[f"AdaptiveMaxPool{_axes}d"] = ("output_size return_indices=False", f"adaptive_max_pool{_axes}d")
    LAYERS[f"ConstantPad{_axes}d"], LAYERS[f"ZeroPad{_axes}d"] = ("padding value", "constant_pad"), ("padding", "constant_pad")
_layer_signatures = {}
_DEVICE = External("torch.device.here")  # all tensors are on one
NO_TENSOR = {"rand", "randn", "randint", "normal", "randperm", "empty", "zeros", "ones", "full", "arange", "linspace", "eye", "tensor", "as_tensor", "Tensor",
             "FloatTensor", "LongTensor"}
_no_effect = {"torch.manual_seed", "torch.set_printoptions", "torch.set_float32_matmul_precision"}


def _signature(kind):
    if kind not in _layer_signatures:
        _layer_signatures[kind] = parsed(LAYERS[kind][0])
    return _layer_signatures[kind]


class TypedLayer(Layer):
    """A layer of torch.nn with the values of its arguments (`said`) and its parameters by name."""

    def __init__(self, kind, args, kwargs, said, parameters):
        super().__init__(kind, args, kwargs)
        self.said, self.parameters = said, parameters


class Parameter(TypedTensor):
    __slots__ = ("path", "values", "buffer", "own")

    def __init__(self, shape, dtype, values, buffer=False):
        super().__init__(shape, dtype, Node(None, shape=tuple(shape), dtype=dtype), stateful=True)
        self.path, self.values, self.buffer = None, values, buffer
        self.own = self.node  # what it was before it was changed in place
        self.node.name = self


def _near(mean):
    """Returns a distribution for weights that are all one number after construction. Its values differ, so that an
    answer that leaves the weights out is wrong."""
    return {"kind": "normal", "mean": float(mean), "deviation": 0.1}


def _uniform(bound_):
    return {"kind": "range", "low": -bound_, "high": bound_}


def typed(source, tree, entry, pair=False):
    """Returns the task of the language. Raises Untyped or Unread if there is none."""
    return TypedReader(source, tree).task(entry, pair)


def typed_or_why(source, tree, entry, pair=False):
    """Returns {"typed": task}, or {"untyped": reason} if there is none."""
    return untyped_without(lambda: typed(source, tree, entry, pair))


def untyped_without(task):
    """Returns {"typed": the result of `task`}, or {"untyped": reason} if it fails."""
    try:
        return {"typed": task()}
    except Unread as error:
        return {"untyped": str(error)}
    except extents.TooLarge as error:
        return {"untyped": str(error)}
    except (_Loop, _Return):
        return {"untyped": "it can't be read"}
    except RecursionError:
        return {"untyped": "it is nested too deeply"}
    except (TypeError, ValueError, KeyError, IndexError, AttributeError, OverflowError, ZeroDivisionError) as error:
        # A text that isn't PyTorch may fail in ways that no rule foresees.
        return {"untyped": f"it isn't called as PyTorch's functions are ({type(error).__name__}: {str(error)[:120]})"}


class TypedReader(Reader):
    def __init__(self, source, tree):
        self.extents = Extents()
        self.ops = Operators(self.extents)
        self.phase = "file"
        self.last = {}
        self.places = []  # (name, node) of what the file's names are given, literal lists by their entries
        self.line_starts = [0]
        for line in source.encode().split(b"\n"):
            self.line_starts.append(self.line_starts[-1] + len(line) + 1)
        for statement in tree.body:
            if isinstance(statement, (ast.Assign, ast.AnnAssign)):
                for target in statement.targets if isinstance(statement, ast.Assign) else [statement.target]:
                    for one in target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]:
                        if isinstance(one, ast.Name):
                            self.last[one.id] = one
                    several = isinstance(statement, ast.Assign) and len(statement.targets) > 1
                    self.note_places(target, statement.value, f"\n{target.id} = " if several and isinstance(target, ast.Name) else "")
        super().__init__(source, tree)

    def note_places(self, target, value, before=""):
        if isinstance(target, ast.Name) and value is not None:
            literal = value.elts if isinstance(value, (ast.Tuple, ast.List)) else None
            if literal is None:
                self.places.append((target.id, value, before))
            elif not before:
                self.places += [(f"{target.id}_{i}", one, "") for i, one in enumerate(literal)]
        elif isinstance(target, (ast.Tuple, ast.List)) and isinstance(value, (ast.Tuple, ast.List)) and len(target.elts) == len(value.elts) and not before:
            for one, given in zip(target.elts, value.elts):
                self.note_places(one, given)

    def sizes_in_text(self, dims):
        """Returns [[begin, end, before, size]…] in order: the byte ranges at which the file writes down a size that
        depends on dimensions. At other sizes, these bytes are replaced by `before` and the size. (If `height = width =
        64` gives two names one number, a line for each is added.)"""
        known = {}
        for name, value in self.names.items():
            for key, one in [(name, value)] + [(f"{name}_{i}", v) for i, v in enumerate(value if type(value) in (list, tuple) else ())]:
                now = self.extents.now(one) if isinstance(one, Size) else one
                if isinstance(now, Size) and now.names() <= dims:
                    known[key] = now.text()
        out = []
        for name, node, before in self.places:
            if name in known:
                end = self.line_starts[node.end_lineno - 1] + node.end_col_offset
                out.append([end if before else self.line_starts[node.lineno - 1] + node.col_offset, end, before, known[name]])
        return sorted(out)

    # The task and its parts.

    def task(self, entry, pair):
        cls = self.names.get(entry)
        if not isinstance(cls, Class) or cls.find("forward") is None:
            raise Untyped(f"there is no class `{entry}` with a forward")
        self.phase = "inputs"
        given = self.result_of("get_inputs")
        arguments = self.result_of("get_init_inputs")
        if not isinstance(given, (list, tuple)) or isinstance(given, Named):
            given = [given] if isinstance(given, TypedTensor) else self.refuse(given, "get_inputs gives no list")
        if not isinstance(arguments, (list, tuple)):
            self.refuse(arguments, "get_init_inputs gives no list")
        labelled = {}
        if pair:
            if len(arguments) != 2 or not isinstance(arguments[0], (list, tuple)) or not isinstance(arguments[1], dict):
                raise Untyped("get_init_inputs doesn't give [arguments, labelled arguments]")
            arguments, labelled = arguments
        module = {"entry": entry, "arguments": [self.argument(v) for v in arguments], "keywords": {k: self.argument(v) for k, v in labelled.items()}}
        self.phase = "module"
        made = self.make(cls, list(arguments), dict(labelled), cls.node)
        self.name_parameters(made)
        given = [self.input(v, number) for number, v in enumerate(given, 1)]
        names = self.parameter_names(cls, given)
        if not all(isinstance(v, Parameter) for v in given):
            module["forward"] = [None if isinstance(v, Parameter) else {"value": self.argument(v)} for v in given]
        self.phase = "forward"
        result = self.call(made, list(given), {}, cls.node)
        return self.written([v for v in given if isinstance(v, TypedTensor) and isinstance(v, Parameter)], names, result, module)

    def refuse(self, value, why):
        raise Untyped(value.why if isinstance(value, Unknown) and value.why else why)

    def note(self, text):
        if self.phase != "file":
            raise Untyped(text)

    def argument(self, value):
        """Returns a constructor's argument in a form that `written_argument` turns into JSON when everything is known.
        Raises Untyped for a value without such a form."""
        if isinstance(value, (Size, bool, int, str, type(None))):
            return value
        if isinstance(value, float):
            if not math.isfinite(value):
                raise Untyped("a constructor's argument is infinite or NaN")
            return value
        if isinstance(value, list):
            return [self.argument(v) for v in value]
        if isinstance(value, tuple):
            return tuple(self.argument(v) for v in value)
        if isinstance(value, TypedTensor):
            raise Untyped("a constructor's argument is a tensor")
        self.refuse(value, "a constructor's argument is neither a number nor a text nor a list of them")

    def input(self, value, number):
        """An input of forward: a tensor, or a number, which is a constant."""
        if isinstance(value, TypedTensor):
            if value.draw is None:
                raise Untyped(f"input {number} isn't drawn, and values of inputs can't say constants")
            entry = Parameter(value.shape, value.dtype, value.draw)
            entry.stateful = False
            if value.dtype == "bool":
                raise Untyped(f"input {number} is a tensor of conditions, which no input of a task is")
            if value.dtype not in (*FLOATS, *INTEGERS) or value.dtype == "f64":
                raise Untyped(f"input {number} is {value.dtype}")
            return entry
        if isinstance(value, Size):
            return self.extents.fixed(value)
        if is_plain(value) and not isinstance(value, (dict, set, slice)):
            return value
        if isinstance(value, (list, tuple)) and not isinstance(value, Unknown):
            raise Untyped(f"input {number} is a list of tensors")
        self.refuse(value, f"input {number} isn't known")

    def parameter_names(self, cls, given):
        declared = cls.find("forward")[0].args
        names = [a.arg for a in declared.posonlyargs + declared.args][1:]
        if declared.vararg or len(given) > len(names):
            names = names + [f"input_{i}" for i in range(len(names), len(given))]
        return [name for name, value in zip(names, given) if isinstance(value, Parameter)]

    def name_parameters(self, made):
        seen, left = set(), [("", made)]
        while left:
            path, value = left.pop()
            if id(value) in seen or len(seen) > 20_000:
                continue
            inside = []
            if isinstance(value, Parameter):
                if value.path is None:
                    value.path = path
                continue
            if isinstance(value, TypedLayer):
                inside = value.parameters.items()
            elif isinstance(value, Layer) and value.children is not None:
                inside = value.children.items()
            elif isinstance(value, Object) and value.cls.is_module():
                inside = value.attributes.items()
            seen.add(id(value))
            left += [(f"{path}.{name}" if path else name, one) for name, one in reversed(list(inside)) if one is not None]

    # Constants that become named sizes, and sizes that are fixed to their numbers.

    def assign(self, target, value, names):
        if isinstance(target, ast.Name):
            if self.phase == "file" and names is self.names and self.last.get(target.id) is target:
                value = self.named(target.id, value)
            names[target.id] = value
        elif isinstance(target, ast.Attribute):
            owner = self.value(target.value, names)
            if isinstance(owner, Object):
                if self.phase == "forward":
                    raise Untyped("forward changes the module, so that its value depends on what was computed before")
                owner.attributes[target.attr] = value
            elif isinstance(owner, (TypedTensor, Layer)):
                self.assign_part(owner, target.attr, value)
        elif isinstance(target, ast.Subscript):
            owner = self.value(target.value, names)
            if isinstance(owner, TypedTensor):
                raise Untyped("it assigns to a part of a tensor")
            index = self.concrete(self.value(target.slice, names))
            if isinstance(owner, (list, dict)) and _plain(index):
                try:
                    owner[index] = value
                except (IndexError, TypeError):
                    raise Untyped("it assigns to an entry that isn't there") from None
            elif isinstance(owner, Layer) and owner.children is not None and _plain(index):
                owner.children[str(index)] = value
            elif self.phase != "file":
                raise Untyped("it assigns to an entry of a value that isn't known")
        else:
            super().assign(target, value, names)

    def assign_part(self, owner, name, value):
        if self.phase == "forward":
            raise Untyped("forward changes a parameter")
        if isinstance(owner, TypedLayer) and name in owner.parameters and (value is None or isinstance(value, Parameter)):
            owner.parameters[name] = value
        elif not (isinstance(owner, TypedTensor) and name == "requires_grad"):
            raise Untyped(f"it sets `.{name}` of a layer or a parameter")

    def named(self, name, value):
        if type(value) is int and value > 0 and name.isascii() and name.isidentifier() and name not in self.extents.values and not keyword.iskeyword(name) \
                and len(name) <= 60 and value < 1 << 40:
            return self.extents.symbol(name, value)
        if type(value) in (tuple, list) and len(value) <= MOST_PARTS and all(type(v) is int for v in value):
            return type(value)(self.named(f"{name}_{i}", v) for i, v in enumerate(value))
        return value

    def concrete(self, value):
        """Returns the value with every size in it fixed."""
        if isinstance(value, Size):
            return self.extents.fixed(value)
        if type(value) in (list, tuple) and any(isinstance(v, (Size, list, tuple)) for v in value):
            return type(value)(self.concrete(v) for v in value)
        if isinstance(value, slice):
            return slice(*(self.concrete(v) for v in (value.start, value.stop, value.step)))
        return value

    def see_name(self, node, names):
        if self.phase in ("module", "forward"):
            scope = names
            while scope is not None:
                if node.id in scope:
                    # A module's own code reads the constant, whatever its arguments are.
                    return self.concrete(scope[node.id]) if scope is self.names else scope[node.id]
                scope = getattr(scope, "outer", None)
        return super().see_name(node, names)

    def truth(self, value):
        if isinstance(value, Size):
            return bool(self.extents.fixed(value))
        known = Reader.truth(value)
        if known is None and self.phase != "file":
            if isinstance(value, TypedTensor):
                raise Untyped("a branch or a loop depends on a tensor's values")
            self.refuse(value, "a branch depends on a value that isn't known")
        return known

    def is_instance(self, value, wanted):
        return Reader.is_instance(1 if isinstance(value, Size) else value, wanted)

    # Statements.

    def do_expression(self, node, names):
        if not isinstance(node.value, ast.Constant):
            value = self.value(node.value, names)
            if isinstance(value, Unknown) and self.phase != "file":
                raise Untyped(value.why)

    def do_augmented(self, node, names):
        if self.phase == "forward":
            load = ast.copy_location(_loaded(node.target), node)
            before = self.value(load, names)
            if isinstance(before, TypedTensor):
                out = self.tensor_binary(type(node.op).__name__, before, self.value(node.value, names))
                if not isinstance(node.target, ast.Name):
                    raise Untyped("it changes a part of a tensor, or of the module, in place")
                names[node.target.id] = self.ops.replace(before, out)
                return
        super().do_augmented(node, names)

    def do_with(self, node, names):
        for item in node.items:
            value = item.context_expr
            written = ast.unparse(value)
            if self.phase != "file" and not any(part in written for part in ("no_grad", "enable_grad", "inference_mode", "set_grad_enabled")):
                raise Untyped(f"it computes within `{written[:60]}`")
        self.block(node.body, names)

    def do_class(self, node, names):
        phase, self.phase = self.phase, "module"  # a class's own values are its code's
        try:
            super().do_class(node, names)
        finally:
            self.phase = phase

    def do_raise(self, node, names):
        if self.phase == "forward":
            raise Untyped(f"line {node.lineno}: it raises {ast.unparse(node.exc)[:80] if node.exc else 'again'}")
        super().do_raise(node, names)

    # Expressions.

    def see_subscript(self, node, names):
        owner = self.value(node.value, names)
        index = self.value(node.slice, names)
        if isinstance(owner, TypedTensor):
            return self.indexed_tensor(owner, index)
        return self.entry_of(owner, self.concrete(index), node)

    def entry_of(self, owner, index, node):
        if isinstance(owner, Layer) and owner.children is not None:
            children = list(owner.children.values())
            try:
                if isinstance(index, str):
                    return owner.children[index]
                return Layer("Sequential", [], {}, {str(i): c for i, c in enumerate(children[index])}) if isinstance(index, slice) else children[index]
            except (IndexError, KeyError, TypeError):
                return Unknown(f"line {node.lineno}: a layer that isn't there")
        if isinstance(owner, (list, tuple, dict, str, range)) and not isinstance(index, (Unknown, Tensor)):
            try:
                return owner[index]
            except (IndexError, KeyError, TypeError):
                return Unknown(f"line {node.lineno}: an entry that isn't there")
        if isinstance(owner, External):
            return owner
        return owner if isinstance(owner, Unknown) else Unknown(f"line {node.lineno}: an entry of a value that isn't known")

    def see_slice(self, node, names):
        ends = [None if one is None else self.value(one, names) for one in (node.lower, node.upper, node.step)]
        if any(one is not None and not isinstance(one, (int, Size)) for one in ends):
            return Unknown("a slice to a place that isn't known")
        return slice(*ends)

    def see_text(self, node, names):
        parts = []
        for one in node.values:
            value = self.concrete(self.value(one.value if isinstance(one, ast.FormattedValue) else one, names))
            if not _plain(value) and not isinstance(value, float):
                return Unknown("a text with values that aren't known")
            parts.append(str(value))
        text = "".join(parts)
        self.bounded(len(text), node)
        return text

    def see_unary(self, node, names):
        name, value = type(node.op).__name__, self.value(node.operand, names)
        if isinstance(value, TypedTensor):
            op = {"USub": "neg", "UAdd": "identity", "Invert": "logical_not", "Not": None}[name]
            return not self.truth(value) if op is None else self.ops.call(op, [value], {})
        if isinstance(value, Size):
            return product_of(self.extents.now(value), -1) if name == "USub" else not self.truth(value) if name == "Not" else \
                value if name == "UAdd" else ~self.concrete(value)
        if isinstance(value, KNOWN):
            try:
                return {"USub": lambda v: -v, "UAdd": lambda v: +v, "Not": lambda v: not v, "Invert": lambda v: ~v}[name](value)
            except TypeError:
                return Unknown(f"line {node.lineno}: {name} of this value")
        if name == "Not":
            return not self.truth(value)
        return value if isinstance(value, Unknown) else Unknown(f"line {node.lineno}: {name}")

    def see_comparison(self, node, names):
        left = self.value(node.left, names)
        for sign, right in zip(node.ops, node.comparators):
            name, right = type(sign).__name__, self.value(right, names)
            if name in ("Is", "IsNot") and (left is None or right is None) and not isinstance(left, Unknown) and not isinstance(right, Unknown):
                holds = (left is right) == (name == "Is")
            elif name in ("In", "NotIn") and isinstance(left, str) and isinstance(right, Layer) and right.children is not None:
                holds = (left in right.children) == (name == "In")
            elif isinstance(left, TypedTensor) or isinstance(right, TypedTensor):
                if name not in SIGNS:
                    raise Untyped(f"line {node.lineno}: it compares tensors as objects")
                return self.tensor_binary(name, left, right)
            elif isinstance(left, External) and isinstance(right, External) and name in ("Eq", "NotEq", "Is", "IsNot"):
                holds = (left.name == right.name) == (name in ("Eq", "Is"))
            elif isinstance(left, str) != isinstance(right, str) and name in ("Eq", "NotEq") and isinstance(left, (str, External)) and isinstance(right, (str, External)):
                holds = name == "NotEq"
            else:
                if isinstance(left, Size) and isinstance(right, (Size, int)) or isinstance(left, int) and isinstance(right, Size):
                    gap = plus(self.extents.now(left), self.extents.now(right), -1)
                    left_, right_ = (gap, 0) if isinstance(gap, int) else (self.concrete(left), self.concrete(right))
                else:
                    left_, right_ = self.concrete(left), self.concrete(right)
                if not is_plain(left_) or not is_plain(right_):
                    return Unknown(f"line {node.lineno}: a comparison of values that aren't known")
                try:
                    holds = _compare[name](left_, right_)
                except TypeError:
                    return Unknown(f"line {node.lineno}: a comparison")
            if not holds:
                return False
            left = right
        return True

    def binary(self, name, left, right, node):
        if isinstance(left, TypedTensor) or isinstance(right, TypedTensor):
            return self.tensor_binary(name, left, right)
        if isinstance(left, (list, tuple, str)) or isinstance(right, (list, tuple, str)):
            if name != "Add":
                left, right = self.concrete(left), self.concrete(right)
        elif isinstance(left, Size) or isinstance(right, Size):
            out = self.sizes_joined(name, left, right)
            if out is not None:
                return out
            left, right = self.concrete(left), self.concrete(right)
        return super().binary(name, left, right, node)

    def sizes_joined(self, name, left, right):
        """Combines two sizes by an operator; None if they have to be numbers."""
        if not isinstance(left, (Size, int)) or not isinstance(right, (Size, int)) or isinstance(left, bool) or isinstance(right, bool):
            return None
        left, right = self.extents.now(left), self.extents.now(right)
        if name == "Add":
            return plus(left, right)
        if name == "Sub":
            return plus(left, right, -1)
        if name == "Mult":
            return product_of(left, right)
        if name == "Pow" and isinstance(right, int) and 0 <= right <= 4:
            out = 1
            for _ in range(right):
                out = product_of(out, left)
            return out
        if name == "FloorDiv" and right != 0:
            exact = exactly_over(left, right)
            if exact is not None:
                return exact
            if isinstance(right, int) and right > 0:
                return over(left, right)
            exact = self.extents.divided(left, right) if self.extents.value(right) > 0 else None
            if exact is not None:
                return exact
            left, right = self.extents.now(left), self.extents.now(right)
            by = self.extents.fixed(right)
            return over(self.extents.now(left), by) if by > 0 else None
        if name == "Mod" and self.extents.value(right) > 0 and self.extents.divided(left, right) is not None:
            return 0
        return None

    def tensor_binary(self, name, left, right):
        op = SIGNS.get(name)
        if op is None or op in ("bitwise_xor", "bitwise_left_shift", "bitwise_right_shift"):
            raise Untyped(f"tensors are joined by {name}")
        for one in (left, right):
            if not isinstance(one, (TypedTensor, Size, bool, int, float)):
                self.refuse(one, f"a tensor is joined by {name} with what is none")
        return self.ops.call(op, [left, right], {})

    def indexed_tensor(self, x, index):
        parts = list(index) if isinstance(index, tuple) else [index]
        if any(isinstance(p, Unknown) for p in parts):
            raise Untyped(next(p.why for p in parts if isinstance(p, Unknown)))
        x = self.ops.tensor(x)
        rank, used = len(x.shape), sum(p is not None and p is not Ellipsis for p in parts)
        if used > rank:
            raise Untyped("a tensor has fewer axes than its index")
        if Ellipsis in [p for p in parts if not isinstance(p, TypedTensor)]:
            at = next(i for i, p in enumerate(parts) if p is Ellipsis)
            parts[at:at + 1] = [slice(None)] * (rank - used)
        axis = 0
        tensors = [p for p in parts if isinstance(p, (TypedTensor, list))]
        if len(tensors) > 1 or any(isinstance(t, list) for t in tensors):
            raise Untyped("a tensor is indexed by several tensors, or by a list")
        for part in parts:
            if part is None:
                x = _unsqueeze(self.ops, x, axis)
                axis += 1
            elif isinstance(part, slice):
                x = self.sliced(x, axis, part)
                axis += 1
            elif isinstance(part, TypedTensor):
                if part.dtype not in ("i64", "i32") or len(part.shape) != 1:
                    raise Untyped("a tensor is indexed by conditions, or by a tensor that is no vector")
                x = self.ops.call("index_select", [x, axis, part], {})
                axis += 1
            elif isinstance(part, (int, Size)) and not isinstance(part, bool):
                x = _select(self.ops, x, axis, part)
            else:
                raise Untyped("a tensor is indexed by what is no integer")
        return x

    def sliced(self, x, axis, part):
        size = self.extents.now(x.shape[axis])
        start, stop, step = (self.extents.now(v) for v in (part.start, part.stop, part.step))
        if step not in (None, 1):
            raise Untyped("a slice has a step")
        own = self.extents.value(size)
        ends = []
        for end, default in ((start, 0), (stop, size)):
            if end is None:
                ends.append(default)
                continue
            value = self.extents.value(end)
            if value < 0:
                end = plus(size, end)
                value += own
            if value > own:
                end = size
            elif value < 0:
                end = 0
            ends.append(end)
        start, stop = ends
        return _narrow(self.ops, x, axis, start, plus(self.extents.now(stop), self.extents.now(start), -1))

    def attribute(self, owner, name, node):
        if isinstance(owner, TypedTensor):
            if name == "shape":
                return [self.extents.now(s) for s in self.ops.tensor(owner).shape]
            if name in ("T", "mT"):
                rank = len(owner.shape)
                if name == "T" and rank > 2:
                    raise Untyped("`.T` of a tensor of several axes")
                return owner if rank < 2 else _transpose(self.ops, owner, -2, -1)
            if name == "ndim":
                return len(owner.shape)
            if name == "dtype":
                return External("torch." + owner.dtype)
            if name == "device":
                return _DEVICE
            if name == "data":
                return owner
            if name in ("requires_grad", "is_cuda"):
                return False
            return Method(owner, name)
        if isinstance(owner, Named) and name in ("values", "indices"):
            return owner[0 if name == "values" else 1]
        if isinstance(owner, TypedLayer):
            if name in owner.parameters:
                return owner.parameters[name]
            if name in owner.said:
                return self.pooled(owner, name)
            if name in ("weight", "bias"):
                return None
            return Method(owner, name)
        if isinstance(owner, Object) and name == "training":
            return owner.attributes.get(name, True)
        return super().attribute(owner, name, node)

    @staticmethod
    def pooled(layer, name):
        value = layer.said[name]
        if layer.kind.startswith("Conv") and name in ("kernel_size", "stride", "padding", "dilation") and isinstance(value, (int, Size)):
            return (value,) * int(layer.kind[-2])
        if name == "bias":
            return None
        return value

    # Calls.

    def call(self, callee, args, kwargs, node, names=None):
        if isinstance(callee, Unknown) and self.phase != "file":
            raise Untyped(callee.why)
        return super().call(callee, args, kwargs, node, names)

    def call_builtin(self, name, args, kwargs, node, names):
        if name in ("int", "float") and len(args) == 1 and isinstance(args[0], Size):
            return args[0] if name == "int" else float(self.concrete(args[0]))
        if name == "float" and len(args) == 1 and isinstance(args[0], TypedTensor) and _is_number(args[0]):
            return float(args[0].node)
        if name == "sum" and args and isinstance(args[0], (list, tuple)) and any(isinstance(v, (Size, TypedTensor)) for v in args[0]):
            value = args[1] if len(args) > 1 else args[0][0]
            for one in args[0][0 if len(args) > 1 else 1:]:
                value = self.binary("Add", value, one, node)
            return value
        if name in ("min", "max") and any(isinstance(v, Size) for v in args):
            pair = self.extents.now(args[0]), self.extents.now(args[1]) if len(args) == 2 else None
            if pair[0] == pair[1]:
                return pair[0]
        if name in ("abs", "round", "pow", "min", "max") and any(isinstance(a, TypedTensor) for a in args):
            return self.ops.call({"min": "minimum", "max": "maximum"}.get(name, name) if len(args) == 2 else name, args, kwargs)
        if name not in ("len", "enumerate", "zip", "list", "tuple", "reversed", "print", "map", "filter", "super", "getattr", "hasattr", "dict", "isinstance", "type"):
            args, kwargs = [self.concrete(a) for a in args], {k: self.concrete(v) for k, v in kwargs.items()}
        if name == "len" and len(args) == 1 and isinstance(args[0], TypedTensor):
            return self.extents.now(args[0].shape[0])
        out = super().call_builtin(name, args, kwargs, node, names)
        return out

    def call_external(self, name, args, kwargs, node, names):
        first, _, last = name.rpartition(".")
        if first == "builtins":
            return self.call_builtin(last, args, kwargs, node, names)
        if first in ("math", "numpy"):
            if last == "prod" and len(args) == 1 and isinstance(args[0], (list, tuple)) and any(isinstance(v, Size) for v in args[0]):
                return self.ops.total([self.ops.extent(v) for v in args[0]])
            args = [self.concrete(a) for a in args]
            if any(isinstance(a, TypedTensor) for a in args):
                if all(isinstance(a, TypedTensor) and _is_number(a) for a in args):
                    args = [a.node for a in args]
                else:
                    raise Untyped(f"{name} of a tensor")
            return super().call_external(name, args, kwargs, node, names)
        if name.startswith("torch.nn.init."):
            return self.initialised(last, args, kwargs)
        if last in ("Parameter", "Buffer") and name.startswith("torch.nn."):
            return self.parameter(args, kwargs)
        if name in ("copy.deepcopy", "copy.copy"):
            return self.copied(args[0], node) if args else Unknown(name)
        if name.startswith("torch.nn.") and last[:1].isupper() and not first.startswith("torch.nn.functional"):
            return self.make_layer(last, args, kwargs, node)
        if name.startswith("torch.utils.checkpoint") and args:
            return self.call(args[0], args[1:], {}, node)
        if name in _no_effect or name.startswith(("torch.cuda.", "torch.backends.")):
            return False if last.startswith("is_") else None
        if name.startswith("torch."):
            return self.called(last, args, kwargs)
        if first in ("itertools", "collections", "functools"):
            return super().call_external(name, [self.concrete(a) for a in args] if first == "itertools" else args, kwargs, node, names)
        raise Untyped(f"{name} isn't read")

    def called(self, last, args, kwargs):
        """A function of torch."""
        if last == "is_tensor":
            return isinstance(args[0], TypedTensor)
        if last in ("device", "Generator"):
            return _DEVICE
        if last == "Size":
            return args[0]
        if last in ("finfo", "iinfo"):
            return Unknown("bounds of a dtype aren't read")
        if last.endswith("_like"):
            like = self.ops.tensor(args[0])
            kwargs = {"dtype": External("torch." + like.dtype), **{k: v for k, v in kwargs.items() if v is not None}}
            return self.created(last[:-5], [list(like.shape), *args[1:]] if last != "randint_like" else [*args[1:], list(like.shape)], kwargs)
        if last in NO_TENSOR:
            return self.created(last, args, kwargs)
        if last == "from_numpy":
            return Unknown("arrays of numpy aren't read")
        if last == "one_hot":
            return self.one_hot(args, kwargs)
        return self.ops.call(last, args, kwargs)

    def one_hot(self, args, kwargs):
        said = bound("one_hot", [("input", None), ("num_classes", -1)], False, args, kwargs)
        t, count = self.ops.tensor(said["input"]), said["num_classes"]
        if t.draw is None or t.draw.kind != "below" or not self.extents.same(t.draw.a, count):
            raise Untyped("one_hot isn't among the tensor functions of the language")
        return TypedTensor([*t.shape, count], "f32", draw=t.draw.of("one_hot"))

    def created(self, name, args, kwargs):
        """Returns a tensor that a function makes without other tensors."""
        dtype = _dtype(kwargs["dtype"]) if kwargs.get("dtype") is not None else None
        given = kwargs.get("size", kwargs.get("shape"))
        if name in ("tensor", "as_tensor"):
            return self.constant(args[0] if args else kwargs.get("data"), dtype)
        if name in ("Tensor", "FloatTensor", "LongTensor") and args and isinstance(args[0], (list, float)) :
            return self.constant(args[0], "i64" if name == "LongTensor" else "f32")
        if name in ("Tensor", "FloatTensor", "LongTensor", "empty"):
            name = "empty"
        random = name in ("rand", "randn", "randint", "normal", "randperm", "empty")
        if random and self.phase == "forward":
            raise Untyped("forward draws random numbers" if name != "empty" else "forward uses memory as it finds it")
        if name == "randperm":
            return Unknown("a permutation is drawn, which no values of the language are")
        if name == "randint":
            limits = [kwargs[k] for k in ("low", "high") if k in kwargs] + [a for a in args if not isinstance(a, (list, tuple))]
            shape = next((a for a in args if isinstance(a, (list, tuple))), given)
            if not 1 <= len(limits) <= 2 or shape is None:
                raise Untyped("the integers that randint draws aren't known")
            low, high = (self.ops.extent(v) for v in (limits if len(limits) == 2 else (0, limits[0])))
            if not self.extents.value(low) < self.extents.value(high):
                raise Untyped("randint draws from no integers")
            draw = Draw("below", high) if low == 0 else Draw("integers", self.ops.integer(low), self.ops.integer(high) - 1)
            return TypedTensor(self.extents_of(shape), dtype or "i64", draw=draw) if dtype in (None, "i64", "i32") else \
                self.ops.to(TypedTensor(self.extents_of(shape), "i64", draw=draw), dtype)
        if name == "normal":
            if any(isinstance(a, TypedTensor) for a in args[:2]):
                return Unknown("normal numbers are drawn about tensors")
            mean, deviation = (self.ops.number(kwargs.get(k, args[i] if len(args) > i else None)) for i, k in enumerate(("mean", "std")))
            shape = given if given is not None else args[2] if len(args) > 2 else None
            return TypedTensor(self.extents_of(shape), dtype or "f32", draw=Draw("normal", float(mean), float(deviation)))
        if name == "full":
            value = args[1] if len(args) > 1 else kwargs.get("fill_value")
            value = self.ops.number(value)
            kind = dtype or ("bool" if isinstance(value, bool) else "i64" if isinstance(value, int) else "f32")
            return self.ops.filled(self.extents_of(args[0] if args else given), value, kind)
        if name == "arange":
            return self.counted(args, kwargs, dtype)
        if name in ("linspace", "eye"):
            return Unknown(f"`{name}` isn't among the tensor functions of the language")
        shape = args[0] if args and isinstance(args[0], (list, tuple)) else list(args) if args else given if given is not None else []
        shape = self.extents_of(shape)
        dtype = dtype or "f32"
        if name == "rand":
            return TypedTensor(shape, dtype, draw=Draw("range", 0.0, 1.0))
        if name == "randn":
            return TypedTensor(shape, dtype, draw=Draw("normal", 0.0, 1.0))
        if name == "empty":
            return TypedTensor(shape, dtype, draw=Draw("empty"))
        return self.ops.filled(shape, 1 if name == "ones" else 0, dtype)

    def extents_of(self, shape):
        if not isinstance(shape, (list, tuple)):
            shape = [shape]
        out = [self.ops.extent(v) for v in shape]
        if any(self.extents.value(v) < 1 for v in out):
            raise Untyped("a tensor without elements is made")
        return out

    def constant(self, value, dtype):
        if isinstance(value, TypedTensor):
            return self.ops.to(value, dtype) if dtype else value
        value = self.concrete(value)
        while isinstance(value, (list, tuple)) and len(value) == 1 and isinstance(value[0], (list, tuple)):
            value = value[0]
        if isinstance(value, (bool, int, float)):
            return TypedTensor((), dtype or ("bool" if isinstance(value, bool) else "i64" if isinstance(value, int) else "f32"), self.ops.number(value))
        if isinstance(value, (list, tuple)) and value and all(isinstance(v, (int, float)) for v in value):
            kind = dtype or ("f32" if any(isinstance(v, float) for v in value) else "i64")
            if len(set(value)) == 1:
                return self.ops.filled([len(value)], value[0], kind)
            if len(value) <= 64:
                return self.ops.call("cat", [[self.ops.filled([1], v, kind) for v in value], 0], {})
        self.refuse(value, "a tensor is made of values that can't be said in the language")

    def counted(self, args, kwargs, dtype):
        said = bound("arange", [("start", None), ("end", None), ("step", 1), ("dtype", None)], False, args, kwargs)
        start, end, step = said["start"], said["end"], said["step"]
        if end is None:
            start, end = 0, start
        if any(isinstance(v, float) for v in (start, end, step)):
            return Unknown("`arange` of numbers with a point isn't in the language")
        start, end, step = self.ops.extent(start), self.ops.extent(end), self.ops.integer(step)
        if step < 1:
            return Unknown("`arange` that falls isn't in the language")
        count = plus(end, start, -1)
        count = over(plus(count, step - 1), step)
        dtype = dtype or "i64"
        if dtype not in ("i64", "i32", "f32"):
            return self.ops.to(self.counted(args, {k: v for k, v in kwargs.items() if k != "dtype"}, "i64"), dtype)
        out = self.ops.make("arange", [], [count], dtype, size=count, dtype_=dtype)
        if step != 1:
            out = self.ops.binary("mul", out, step)
        return out if start == 0 else self.ops.binary("add", out, self.ops.integer(start))

    def parameter(self, args, kwargs):
        value = args[0] if args else kwargs.get("data")
        if not isinstance(value, TypedTensor):
            self.refuse(value, "a parameter is made of what is no tensor that is known")
        return self.kept(value)

    def kept(self, value, buffer=False):
        """Returns a tensor as a parameter, with the distribution of its values after construction."""
        if isinstance(value, Parameter):
            return value
        if value.draw is not None:
            values = value.draw
        elif _is_number(value):
            values = _near(value.node)
        else:
            filled = self.filling(value.node)
            values = _near(filled) if filled is not None else {"kind": "normal", "mean": 0.0, "deviation": 1.0}
        return Parameter(value.shape, value.dtype, values, buffer)

    def filling(self, node):
        """Returns the number that all elements of a tensor have; None if there is none."""
        if not isinstance(node, Node):
            return node
        if node.op == "zeros":
            return 0
        if node.op in ("add", "sub", "mul", "div") and len(node.args) == 2:
            left, right = map(self.filling, node.args)
            if left is not None and right is not None and not (node.op == "div" and right == 0):
                return {"add": left + right, "sub": left - right, "mul": left * right}[node.op] if node.op != "div" else left / right
        return None

    def copied(self, value, node):
        if isinstance(value, TypedLayer):
            return self.make_layer(value.kind, value.args, value.kwargs, node)
        if isinstance(value, Layer) and value.children is not None:
            return Layer(value.kind, value.args, value.kwargs, {name: self.copied(child, node) for name, child in value.children.items()})
        if isinstance(value, (Object, TypedTensor)):
            raise Untyped("it copies a module")
        return list(value) if isinstance(value, list) else dict(value) if isinstance(value, dict) else value

    def make_layer(self, kind, args, kwargs, node):
        if kind in ("Sequential", "ModuleList", "ParameterList", "ModuleDict", "ParameterDict", "Module"):
            return super().make_layer(kind, args, kwargs, node)
        if kind in RECURRENT:
            raise Untyped(f"it has a recurrent layer ({kind})")
        if kind not in LAYERS:
            raise Untyped(f"the layer {kind} isn't read")
        if self.phase == "forward" and kind in ("Linear", "Bilinear", "Embedding", "PReLU", "MultiheadAttention") or self.phase == "forward" and "Conv" in kind:
            raise Untyped("forward makes a layer with random weights")
        parameters, rest = _signature(kind)
        said = bound(kind, parameters, rest, args, kwargs)
        return TypedLayer(kind, args, kwargs, said, self.weights(kind, said))

    def weights(self, kind, said):
        """Returns a layer's parameters, with the distributions of PyTorch's own initialisation at the task's sizes.
        Weights that it sets to one number are drawn near this number."""
        value = self.extents.value

        def whole(name):
            return self.ops.extent(said[name])

        def flagged(name):
            return self.ops.flag(self.concrete(said[name]))

        def linear(shape, fan, bias):
            bound_ = 1 / math.sqrt(max(value(fan), 1))
            return {"weight": Parameter(shape, "f32", _uniform(bound_)), **({"bias": Parameter([bias], "f32", _uniform(bound_))} if flagged("bias") else {})}

        def norm(shape, affine, bias=True):
            if not affine:
                return {}
            return {"weight": Parameter(shape, "f32", _near(1)), **({"bias": Parameter(shape, "f32", _near(0))} if bias else {})}

        if kind == "Linear":
            return linear([whole("out_features"), whole("in_features")], whole("in_features"), whole("out_features"))
        if kind == "Bilinear":
            return linear([whole("out_features"), whole("in1_features"), whole("in2_features")], whole("in1_features"), whole("out_features"))
        if kind.startswith("Conv"):
            if said["padding_mode"] != "zeros":
                raise Untyped(f"a convolution is padded by {said['padding_mode']}")
            axes = int(kind[-2])
            window = self.ops.window(said["kernel_size"], axes)
            if min(window) < 1 or isinstance(said["kernel_size"], (list, tuple)) and len(said["kernel_size"]) != axes:
                raise Untyped("a convolution's kernel isn't one")
            said["kernel_size"] = window
            inner, outer, groups = whole("in_channels"), whole("out_channels"), whole("groups")
            first, second = (inner, outer) if "Transpose" in kind else (outer, inner)
            each = self.extents.divided(second, groups)
            if each is None:
                raise Untyped("a convolution's channels aren't equal groups")
            first = self.extents.now(first)
            return linear([first, each, *window], product_of(each, math.prod(window)), outer)
        if kind.startswith("BatchNorm"):
            if not flagged("track_running_stats") and not flagged("affine"):
                return {}
            return norm([whole("num_features")], flagged("affine"))
        if kind.startswith("InstanceNorm"):
            if flagged("track_running_stats"):
                said["track_running_stats"] = True
            return norm([whole("num_features")], flagged("affine"))
        if kind == "GroupNorm":
            return norm([whole("num_channels")], flagged("affine"))
        if kind in ("LayerNorm", "RMSNorm"):
            shape = said["normalized_shape"]
            shape = [self.ops.extent(v) for v in (shape if isinstance(shape, (list, tuple)) else [shape])]
            return norm(shape, flagged("elementwise_affine"), kind == "LayerNorm" and flagged("bias"))
        if kind == "Embedding":
            return {"weight": Parameter([whole("num_embeddings"), whole("embedding_dim")], "f32", Draw("normal", 0.0, 1.0))}
        if kind == "PReLU":
            return {"weight": Parameter([whole("num_parameters")], "f32", _near(self.ops.number(said["init"])))}
        if kind == "MultiheadAttention":
            width = whole("embed_dim")
            if said["kdim"] is not None or said["vdim"] is not None or flagged("add_bias_kv") or flagged("add_zero_attn"):
                raise Untyped("MultiheadAttention has keys of another width, or biases of keys")
            out = {"in_proj_weight": Parameter([product_of(3, width), width], "f32", _uniform(math.sqrt(6 / (4 * value(width))))),
                   "out_proj.weight": Parameter([width, width], "f32", _uniform(1 / math.sqrt(value(width))))}
            if flagged("bias"):
                out |= {"in_proj_bias": Parameter([product_of(3, width)], "f32", _near(0)), "out_proj.bias": Parameter([width], "f32", _near(0))}
            return out
        return {}

    def call_layer(self, layer, args, kwargs, node):
        if layer.kind == "Sequential":
            value = args[0] if args else Unknown("nothing is given")
            for child in layer.children.values():
                value = self.call(child, [value], {}, node)
            return value
        if not isinstance(layer, TypedLayer):
            raise Untyped(f"line {getattr(node, 'lineno', 0)}: a call of {layer.kind}")
        function, said, weights = LAYERS[layer.kind][1], layer.said, layer.parameters
        x = args[0] if args else kwargs.get("input", kwargs.get("x"))
        ops, w, b = self.ops, weights.get("weight"), weights.get("bias")
        if function == "linear":
            return _linear(ops, x, w, b)
        if function in ("conv1d", "conv2d", "conv3d"):
            return ops.call(function, [x, w, b, said["stride"], said["padding"], said["dilation"], said["groups"]], {})
        if function.startswith("conv_transpose"):
            if len(args) > 1 or kwargs:
                raise Untyped("a transposed convolution is told its size")
            return ops.call(function, [x, w, b, said["stride"], said["padding"], said["output_padding"], said["groups"], said["dilation"]], {})
        if function in ("batch_norm", "instance_norm"):
            self.spatial(layer.kind, ops.tensor(x))
            return ops.call(function, [x], {"weight": w, "bias": b, "eps": said["eps"], **({"running_mean": None, "running_var": None, "training": True} if function == "batch_norm" else {})})
        if function == "group_norm":
            ops.same(ops.tensor(x).shape[1], ops.extent(said["num_channels"]), "group_norm's channels")
            return ops.call(function, [x, said["num_groups"], w, b, said["eps"]], {})
        if function == "layer_norm":
            return ops.call(function, [x, said["normalized_shape"], w, b, said["eps"]], {})
        if function == "rms_norm":
            return ops.call(function, [x, said["normalized_shape"], w, said["eps"]], {})
        if function == "prelu":
            return ops.call(function, [x, w], {})
        if function == "embedding":
            return ops.call(function, [x, w], {k: said[k] for k in ("padding_idx", "max_norm")})
        if function == "bilinear":
            return ops.call(function, [*args, w, b], kwargs)
        if function == "attention":
            return self.attended(layer, args, kwargs)
        if function == "dropout":
            return ops.call("dropout", [x], said)
        if function == "softmax2d":
            return ops.call("softmax", [x, -3], {})
        if function == "identity":
            return x
        if function == "constant_pad":
            pad = said["padding"]
            return ops.call("pad", [x, pad if isinstance(pad, (list, tuple)) else [pad] * (2 * int(layer.kind[-2]))], {"value": said.get("value", 0)})
        if function == "unflatten":
            return ops.call(function, [x, said["dim"], said["unflattened_size"]], {})
        if function.startswith(("max_pool", "avg_pool", "adaptive")):
            self.spatial(layer.kind, ops.tensor(x), 1)
        return ops.call(function, args, {**kwargs, **said})

    @staticmethod
    def spatial(kind, x, less=0):
        """Raises Untyped unless the tensor has a rank that a layer with this number of axes accepts."""
        axes, rank = int(kind[-2]), len(x.shape)
        if not (rank == axes + 2 or less and rank == axes + 1 or kind.endswith("1d") and rank == 2):
            raise Untyped(f"{kind} is given a tensor of {rank} axes")

    def attended(self, layer, args, kwargs):
        """Applies nn.MultiheadAttention to a sequence and itself, or another sequence."""
        said = bound("MultiheadAttention", [("query", None), ("key", None), ("value", None), ("key_padding_mask", None), ("need_weights", True), ("attn_mask", None),
                                            ("average_attn_weights", True), ("is_causal", False)], False, args, kwargs)
        ops, sizes = self.ops, self.extents
        if said["attn_mask"] is not None or said["key_padding_mask"] is not None or said["is_causal"]:
            raise Untyped("MultiheadAttention has a mask")
        if ops.number(layer.said["dropout"]) > 0:
            raise Untyped("dropout is random")
        first = ops.flag(layer.said["batch_first"])
        width, heads = ops.extent(layer.said["embed_dim"]), ops.integer(layer.said["num_heads"])
        each = sizes.divided(width, heads)
        if each is None:
            raise Untyped("MultiheadAttention's features aren't equal parts")
        weight, bias, parts = layer.parameters["in_proj_weight"], layer.parameters.get("in_proj_bias"), []
        for i, name in enumerate(("query", "key", "value")):
            t = ops.tensor(said[name])
            if len(t.shape) != 3:
                raise Untyped("MultiheadAttention isn't given batches of sequences")
            start = product_of(sizes.now(width), i)
            t = _linear(ops, t, _narrow(ops, weight, 0, start, width), None if bias is None else _narrow(ops, bias, 0, start, width))
            a, b = sizes.now(t.shape[0]), sizes.now(t.shape[1])
            t = _reshape(ops, t, [a, b, heads, each])
            parts.append(ops.call("permute", [t, 0, 2, 1, 3] if first else [t, 1, 2, 0, 3], {}))
        out = _attention(ops, *parts, None, 0.0, False, None, False)
        out = ops.call("permute", [out, 0, 2, 1, 3] if first else [out, 2, 0, 1, 3], {})
        out = _reshape(ops, out, [out.shape[0], out.shape[1], sizes.now(width)])
        out = _linear(ops, out, layer.parameters["out_proj.weight"], layer.parameters.get("out_proj.bias"))
        return (out, Unknown("the weights of MultiheadAttention aren't read") if ops.flag(said["need_weights"]) else None)

    def call_method(self, owner, name, args, kwargs, node):
        if isinstance(owner, TypedTensor):
            return self.call_tensor(owner, name, args, kwargs)
        if isinstance(owner, Object):
            if name in ("register_buffer", "register_parameter", "add_module", "register_module"):
                value = args[1] if len(args) > 1 else kwargs.get("tensor", kwargs.get("param", kwargs.get("module")))
                if not args or not isinstance(args[0], str):
                    raise Untyped(f"{name} isn't read")
                if name == "register_buffer" and isinstance(value, TypedTensor) and value.draw is not None:
                    if kwargs.get("persistent", True) is not True:
                        raise Untyped("random values are kept that are no parameter")
                    value = self.kept(value, True)
                owner.attributes[args[0]] = value
                return None
            if name in ("modules", "children", "parameters", "named_parameters", "buffers", "named_modules", "named_children"):
                return self.inside(owner, name)
            if name == "apply" and args:
                for one in self.inside(owner, "modules"):
                    self.call(args[0], [one], {}, node)
                return owner
            if name in ("to", "cuda", "cpu", "float", "requires_grad_", "train") and not args and not kwargs or name == "to" and not self.casts([*args, *kwargs.values()]):
                return owner
            raise Untyped(f"line {getattr(node, 'lineno', 0)}: `.{name}()` of a module isn't read")
        if isinstance(owner, Layer) and owner.children is None:
            if name == "forward":
                return self.call_layer(owner, args, kwargs, node)
            if name in ("to", "cuda", "cpu", "float", "requires_grad_", "train", "reset_parameters") and not self.casts([*args, *kwargs.values()]):
                return owner
            if name in ("parameters", "buffers"):
                return [p for p in owner.parameters.values() if p is not None]
            raise Untyped(f"line {getattr(node, 'lineno', 0)}: `.{name}()` of a layer isn't read")
        if isinstance(owner, Layer) and name in ("eval", "half", "double", "bfloat16", "apply", "train", "to", "parameters"):
            if name in ("train", "to") and not self.casts([*args, *kwargs.values()]):
                return owner
            raise Untyped(f"line {getattr(node, 'lineno', 0)}: `.{name}()` of layers isn't read")
        if isinstance(owner, Super) and name == "__init__":
            return None
        if isinstance(owner, list) and name == "numel":
            return self.ops.total([self.ops.extent(v) for v in owner])
        if isinstance(owner, (str, list, tuple)) and name in ("index", "count"):
            owner, args = self.concrete(owner), [self.concrete(a) for a in args]
        if isinstance(owner, list) and name in ("insert", "pop"):
            args = [self.concrete(a) for a in args[:1]] + list(args[1:])
        out = super().call_method(owner, name, args, kwargs, node)
        if isinstance(out, Unknown) and self.phase != "file":
            raise Untyped(out.why)
        return out

    @staticmethod
    def casts(values):
        return any(isinstance(v, External) and v.name.rpartition(".")[2] in DTYPES or isinstance(v, bool) for v in values)

    def inside(self, owner, name):
        out, left, seen = [], [owner], set()
        while left and len(seen) < 20_000:
            value = left.pop(0)
            if id(value) in seen:
                continue
            seen.add(id(value))
            if isinstance(value, Object) and value.cls.is_module():
                if name in ("modules", "named_modules"):
                    out.append(value)
                left += value.attributes.values()
            elif isinstance(value, Layer):
                if name in ("modules", "named_modules"):
                    out.append(value)
                left += (value.children or getattr(value, "parameters", {})).values()
            elif isinstance(value, Parameter) and name == "parameters":
                out.append(value)
        if name in ("modules", "parameters"):
            return out
        raise Untyped(f"`.{name}()` of a module isn't read")

    def call_tensor(self, tensor, name, args, kwargs):
        if name == "size":
            at = args[0] if args else kwargs.get("dim")
            shape = [self.extents.now(s) for s in self.ops.tensor(tensor).shape]
            return shape if at is None else shape[self.ops.axis(at, len(shape))]
        if name in ("dim", "ndimension"):
            return len(tensor.shape)
        if name in ("numel", "nelement"):
            return self.ops.total(tensor.shape)
        if name in ("item", "tolist"):
            if _is_number(tensor):
                return tensor.node
            raise Untyped("Python computes with a tensor's values")
        if name in ("uniform_", "normal_", "zero_", "fill_", "ones_", "trunc_normal_", "copy_"):
            if isinstance(tensor, Parameter):
                return self.initialised({"zero_": "zeros_", "fill_": "constant_"}.get(name, name), [tensor, *args], kwargs)
            return self.refilled(tensor, name, args, kwargs)
        if name in ("new_zeros", "new_ones", "new_full", "new_empty"):
            kwargs = {"dtype": External("torch." + tensor.dtype), **kwargs}
            return self.created(name[4:], args, kwargs)
        if name in ("size", "stride", "data_ptr", "storage", "numpy", "backward", "register_hook", "unfold", "as_strided", "share_memory_", "is_contiguous"):
            if name == "is_contiguous":
                return Unknown("how a tensor is laid out isn't read")
            raise Untyped(f"`.{name}()` of a tensor isn't read")
        return self.ops.call(name, [tensor, *args], kwargs)

    def refilled(self, tensor, name, args, kwargs):
        if self.phase == "forward" or name == "copy_":
            raise Untyped(f"it changes a tensor in place (`{name}`)")
        said = self.values_of({"zero_": "zeros_", "fill_": "constant_"}.get(name, name), tensor, args, kwargs)
        return TypedTensor(tensor.shape, tensor.dtype, draw=said) if isinstance(said, Draw) else self.ops.filled(tensor.shape, said["mean"], tensor.dtype)

    def initialised(self, name, args, kwargs):
        """Applies a function of torch.nn.init, or a method that fills a parameter."""
        if self.phase == "forward":
            raise Untyped("forward changes a parameter")
        tensor = args[0] if args else kwargs.get("tensor")
        if tensor is None:
            raise Untyped("it initialises a parameter that isn't there")
        if isinstance(tensor, Parameter):
            tensor.values = self.values_of(name, tensor, args[1:], {k: v for k, v in kwargs.items() if k != "tensor"})
        elif isinstance(tensor, TypedTensor):
            said = self.values_of(name, tensor, args[1:], {k: v for k, v in kwargs.items() if k != "tensor"})
            tensor.node, tensor.draw = (None, said) if isinstance(said, Draw) else (self.ops.filled(tensor.shape, said["mean"], tensor.dtype).node, None)
        else:
            self.refuse(tensor, f"{name} is given what is no parameter")
        return tensor

    def values_of(self, name, tensor, args, kwargs):
        args, kwargs = [self.concrete(a) for a in args], {k: self.concrete(v) for k, v in kwargs.items() if k != "generator"}
        number = self.ops.number
        if name == "uniform_":
            said = bound(name, [("a", 0.0), ("b", 1.0)], False, args, {{"from": "a", "to": "b"}.get(k, k): v for k, v in kwargs.items()})
            return Draw("range", float(number(said["a"])), float(number(said["b"])))
        if name in ("normal_", "trunc_normal_"):
            said = bound(name, [("mean", 0.0), ("std", 1.0), ("a", -2.0), ("b", 2.0)], False, args, kwargs)
            return Draw("normal", float(number(said["mean"])), float(number(said["std"])))
        if name in ("zeros_", "ones_", "constant_"):
            return _near(0 if name == "zeros_" else 1 if name == "ones_" else number(args[0] if args else kwargs.get("val")))
        shape = [self.extents.value(s) for s in tensor.shape]
        if len(shape) < 2:
            raise Untyped(f"{name} of a vector")
        inner, outer = shape[1] * math.prod(shape[2:]), shape[0] * math.prod(shape[2:])
        if name.startswith("xavier"):
            gain = float(number(args[0] if args else kwargs.get("gain", 1.0)))
            std = gain * math.sqrt(2 / (inner + outer))
        elif name.startswith("kaiming"):
            said = bound(name, [("a", 0.0), ("mode", "fan_in"), ("nonlinearity", "leaky_relu")], False, args, kwargs)
            slope = 0 if said["nonlinearity"] == "relu" else float(number(said["a"]))
            gain = math.sqrt(2 / (1 + slope ** 2)) if said["nonlinearity"] in ("relu", "leaky_relu") else 1
            std = gain / math.sqrt(inner if said["mode"] == "fan_in" else outer)
        else:
            raise Untyped(f"`{name}` fills parameters in a way that isn't read")
        return Draw("range", -math.sqrt(3) * std, math.sqrt(3) * std) if "uniform" in name else Draw("normal", 0.0, std)

    # The task.

    def written(self, inputs, names, result, module):
        results = None
        if isinstance(result, (list, tuple)) and not isinstance(result, Named) or isinstance(result, Named):
            results = list(result)
            if len(results) == 1:
                raise Untyped("forward gives a list of one tensor")
            for one in results:
                if isinstance(one, Unknown):
                    raise Untyped(one.why)
                if not isinstance(one, TypedTensor):
                    raise Untyped("forward gives a list of other than tensors")
        elif not isinstance(result, TypedTensor):
            self.refuse(result, "forward gives no tensor")
        outputs = [self.ops.tensor(one) for one in results or [result]]
        for one in outputs:
            if one.draw is not None or _is_number(one) or one.node.op is None:
                raise Untyped("forward computes nothing of its inputs")
        used = self.used([one.node for one in outputs])
        if not any(one.own in used for one in inputs):
            raise Untyped("forward's value doesn't depend on its inputs")
        parameters = sorted((one for one in self.parameters_made(used)), key=lambda p: used[p.own])
        everything = [*inputs, *parameters]
        solved = self.extents.solved([one.shape for one in everything])
        if any(name not in solved and name not in self.extents.replaced for name in self.extents.values):
            self.fix_all_unsolved(everything, used, module, solved)
        entries = self.entries(inputs, names, parameters)
        dims = sorted(set().union(*(extents.names(self.extents.now(size)) for one in everything for size in one.shape)), key=self.extents.places.get)
        for name in dims:
            if not 1 <= self.extents.values[name] <= 1 << 31:
                raise Untyped("a dimension is too large")
        first = next((one.dtype for one in everything if one.dtype in FLOATS), None)
        labels = {one.own: entry["name"] for one, entry in zip(everything, entries)}
        values = [self.expression(one.node, labels, first) for one in outputs]
        said = [{"dtype": one.dtype, "shape": self.written_shape(one.shape)} for one in outputs]
        if results is None:
            value, output = values[0], said[0]
        else:
            count = 0
            for one in outputs:
                count = plus(count, self.ops.total(one.shape))
            value, output = {"op": "results", "args": values, "shape": [extents.written(self.extents.now(count))]}, said
        return {"dims": [[name, self.extents.values[name]] for name in dims], "inputs": entries, "value": value, "output": output,
                "module": self.written_module(module), "sizes_in_text": self.sizes_in_text(set(dims))}

    def used(self, nodes):
        """Returns these nodes and every node on which they depend, each with its number in preorder."""
        seen, left = {}, list(reversed(nodes))
        while left:
            node = left.pop()
            if node in seen:
                continue
            seen[node] = len(seen)
            left += [one for one in reversed(node.args) if isinstance(one, Node)]
        return seen

    def parameters_made(self, used):
        out = []
        for node in used:
            if node.op is None and node.name is not None:
                out.append(node.name)
        return [one for one in out if one.stateful]

    def fix_all_unsolved(self, everything, used, module, solved):
        """Fixes every constant in a size that can't be read off the inputs' shapes. `solved` has those that can."""
        for one in everything:
            if isinstance(one.values, Draw):
                self.fix_unsolved(one.values.a, solved)
            for size in one.shape:
                self.fix_unsolved(size, solved)
        for node in used:
            for size in node.shape:
                self.fix_unsolved(size, solved)
            for value in (node.attrs or {}).values():
                for size in value if isinstance(value, list) else [value]:
                    self.fix_unsolved(size, solved)
        self.fix_arguments([*module["arguments"], *module["keywords"].values()], solved)

    def fix_unsolved(self, size, solved):
        if size.__class__ is not Size:
            return
        size = self.extents.now(size)
        if isinstance(size, Size) and not size.names() <= solved:
            for name in size.names() - solved:
                self.extents.replaced[name] = self.extents.values[name]
            self.extents.changes += 1

    def fix_arguments(self, values, solved):
        for one in values:
            if isinstance(one, (list, tuple)):
                self.fix_arguments(one, solved)
            elif isinstance(one, Size):
                self.fix_unsolved(one, solved)

    def written_shape(self, shape):
        return [extents.written(self.extents.now(size)) for size in shape]

    def written_module(self, module):
        """Returns as JSON how the module is constructed and called."""
        return {"entry": module["entry"], "arguments": [self.written_argument(v) for v in module["arguments"]],
                "keywords": {k: self.written_argument(v) for k, v in module["keywords"].items()},
                **({"forward": [v and {"value": self.written_argument(v["value"])} for v in module["forward"]]} if "forward" in module else {})}

    def written_argument(self, value):
        if isinstance(value, Size):
            value = self.extents.now(value)
            return {"size": value.text()} if isinstance(value, Size) else value
        if isinstance(value, float) and value.is_integer():
            return {"real": value}  # JSON has one number where Python has 2 and 2.0
        if isinstance(value, tuple):
            return {"tuple": [self.written_argument(v) for v in value]}
        return [self.written_argument(v) for v in value] if isinstance(value, list) else value

    def entries(self, inputs, names, parameters):
        taken, out = set(self.extents.values), []

        def free(name):
            name = "".join(c if c.isascii() and (c.isalnum() or c == "_") else "_" for c in name)
            name = name if name[:1].isalpha() or name[:1] == "_" else "p_" + name
            while name in taken:
                name += "_"
            taken.add(name)
            return name

        origins = set()
        for one, name in zip(inputs, names):
            origins_own = {o for o in one.values.origins} if one.shape else set()
            if origins & origins_own:
                raise Untyped("two inputs are made of one draw")
            origins |= origins_own
            out.append({"name": free(name), "dtype": one.dtype, "shape": self.written_shape(one.shape), **self.written_values(one.values, one.dtype)})
        for one in parameters:
            if one.path is None:
                raise Untyped("it uses a parameter that isn't the module's")
            out.append({"name": free(one.path), "dtype": one.dtype, "shape": self.written_shape(one.shape), "parameter": one.path,
                        **self.written_values(one.values, one.dtype)})
        return out

    def written_values(self, values, dtype):
        if isinstance(values, dict):
            return {"values": dict(values)} if dtype in FLOATS else self.refuse(None, "a parameter is of integers")
        kind = values.kind
        if any(isinstance(v, float) and not math.isfinite(v) for v in (values.a, values.b)):
            raise Untyped("the values of an input go beyond real numbers")
        if kind == "below":
            if dtype not in INTEGERS:
                raise Untyped("its values are integers and real numbers")
            return {"below": extents.written(self.extents.now(values.a))}
        if kind == "integers":
            if dtype not in INTEGERS:
                raise Untyped("its values are integers and real numbers")
            return {"values": {"kind": "range", "low": values.a, "high": values.b}}
        if kind == "empty":
            return {"values": {"kind": "normal", "mean": 0.0, "deviation": 1.0}}
        if dtype not in FLOATS:
            raise Untyped("its values are real numbers and integers")
        if values.matrix not in (None, "transpose"):
            if kind == "normal" and (values.a, values.b) != (0.0, 1.0) or kind == "range" and not values.a < values.b or kind not in ("range", "normal"):
                raise Untyped(f"a {values.matrix} matrix of such values has no form in the language")
            return {"values": {"kind": values.matrix, **({"low": values.a, "high": values.b} if kind == "range" else {})}}
        if kind == "normal":
            if not values.b > 0:
                return {"values": _near(values.a)}
            return {} if (values.a, values.b) == (0.0, 1.0) else {"values": {"kind": "normal", "mean": values.a, "deviation": values.b}}
        if kind == "range":
            if not values.a < values.b:
                return {"values": _near(values.a)}
            return {"values": {"kind": "range", "low": values.a, "high": values.b}}
        return {"values": {"kind": kind}}

    def expression(self, node, labels, first):
        if not isinstance(node, Node):
            if not math.isfinite(node):
                raise Untyped("infinity, or NaN, is one of its constants")
            return {"const": node + 0}
        if node.op is None:
            return {"input": labels[node]}
        out = {"op": node.op, "args": [self.expression(one, labels, first) for one in node.args]}
        if node.attrs:
            out["attrs"] = {name.removesuffix("_"): self.attribute_written(value) for name, value in node.attrs.items()}
        if node.op not in INFERRED:
            out["shape"] = self.written_shape(node.shape)
            if node.dtype != first:
                out["dtype"] = node.dtype
        return out

    def attribute_written(self, value):
        if isinstance(value, float) and not math.isfinite(value):
            raise Untyped("infinity, or NaN, is one of its constants")
        if isinstance(value, list):
            return [extents.written(self.extents.now(v)) if isinstance(v, Size) else v for v in value]
        return extents.written(self.extents.now(value)) if isinstance(value, Size) else value


TypedReader.statements, TypedReader.expressions = tables_of(TypedReader)


def _loaded(node):
    if isinstance(node, ast.Name):
        return ast.Name(node.id, ast.Load())
    if isinstance(node, ast.Attribute):
        return ast.Attribute(node.value, node.attr, ast.Load())
    return ast.Subscript(node.value, node.slice, ast.Load())
