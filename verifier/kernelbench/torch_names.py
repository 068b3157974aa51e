"""PyTorch's names as the static reader of modules knows them: the operator that each layer, function and method is, which of them
only move data, and the shapes of layers' parameters (PyTorch 2.11, torch.nn and torch.nn.functional).

Names of operators are those of torch.nn.functional and of torch, so that nn.ReLU, F.relu, torch.relu and x.relu_() are one: relu.
"""

import re

# Layers whose operator has another name than the layer's in snake case.
LAYERS = {
    "ReLU": "relu", "ReLU6": "relu6", "LeakyReLU": "leaky_relu", "PReLU": "prelu", "RReLU": "rrelu", "ELU": "elu", "GELU": "gelu",
    "SELU": "selu", "CELU": "celu", "SiLU": "silu", "GLU": "glu", "Hardswish": "hardswish", "Hardsigmoid": "hardsigmoid",
    "Softmax2d": "softmax", "LSTM": "lstm", "GRU": "gru", "RNN": "rnn", "LSTMCell": "lstm_cell", "GRUCell": "gru_cell",
    "RNNCell": "rnn_cell", "BatchNorm1d": "batch_norm", "BatchNorm2d": "batch_norm", "BatchNorm3d": "batch_norm",
    "InstanceNorm1d": "instance_norm", "InstanceNorm2d": "instance_norm", "InstanceNorm3d": "instance_norm", "RMSNorm": "rms_norm",
    "CrossEntropyLoss": "cross_entropy", "MSELoss": "mse_loss", "L1Loss": "l1_loss", "SmoothL1Loss": "smooth_l1_loss",
    "KLDivLoss": "kl_div", "NLLLoss": "nll_loss", "BCELoss": "binary_cross_entropy",
    "BCEWithLogitsLoss": "binary_cross_entropy_with_logits", "Dropout1d": "dropout", "Dropout2d": "dropout", "Dropout3d": "dropout",
    "UpsamplingNearest2d": "interpolate", "UpsamplingBilinear2d": "interpolate", "Upsample": "interpolate",
    "ZeroPad2d": "pad", "ReflectionPad1d": "pad", "ReflectionPad2d": "pad", "ReplicationPad1d": "pad", "ReplicationPad2d": "pad",
    "ConstantPad1d": "pad", "ConstantPad2d": "pad", "MultiheadAttention": "multi_head_attention", "EmbeddingBag": "embedding_bag",
    "Softmin": "softmin",
}

# Other names of an operator.
ALIASES = {
    "mm": "matmul", "bmm": "matmul", "mv": "matmul", "dot": "matmul", "clip": "clamp", "absolute": "abs", "subtract": "sub",
    "multiply": "mul", "divide": "div", "true_divide": "div", "negative": "neg", "rsub": "sub", "swish": "silu", "concat": "cat",
    "concatenate": "cat", "batch_norm1d": "batch_norm", "greater": "gt", "less": "lt", "greater_equal": "ge", "less_equal": "le",
    "dropout2d": "dropout", "dropout3d": "dropout", "alpha_dropout": "dropout", "upsample": "interpolate", "special_expit": "sigmoid",
    "expit": "sigmoid", "hard_sigmoid": "hardsigmoid", "hard_swish": "hardswish", "inner": "matmul", "add_module": "add",
}

# Functions that move, name or copy data and compute nothing; then functions that make tensors from
# no tensor.
MOVES = {
    "view", "reshape", "transpose", "permute", "contiguous", "flatten", "unflatten", "unsqueeze", "squeeze", "expand", "expand_as",
    "view_as", "reshape_as", "type_as", "size", "dim", "numel", "to", "cpu", "cuda", "float", "half", "double", "long", "int", "bool",
    "bfloat16", "type", "clone", "detach", "requires_grad", "item", "tolist", "t", "swapaxes", "swapdims", "movedim", "moveaxis",
    "chunk", "split", "tensor_split", "unbind", "narrow", "select", "identity", "rearrange", "ndimension", "is_contiguous", "is_cuda",
    "broadcast_to", "atleast_1d", "element_size", "data_ptr", "stride", "storage", "numpy", "get_device", "squeeze_", "adjoint",
}
MAKES = {
    "tensor", "zeros", "ones", "full", "empty", "arange", "linspace", "eye", "zeros_like", "ones_like", "full_like", "empty_like",
    "rand_like", "randn_like", "rand", "randn", "randint", "randperm", "new_zeros", "new_ones", "new_full", "new_tensor", "as_tensor",
    "from_numpy", "Tensor", "FloatTensor", "LongTensor", "meshgrid", "normal", "device", "Size", "manual_seed", "logspace", "new_empty",
    "bernoulli", "finfo", "iinfo", "is_tensor", "no_grad", "is_available", "set_grad_enabled", "enable_grad",
}

# Binary and unary operators of Python on tensors.
SIGNS = {
    "Add": "add", "Sub": "sub", "Mult": "mul", "Div": "div", "MatMult": "matmul", "Pow": "pow", "FloorDiv": "floor_divide",
    "Mod": "remainder", "BitAnd": "bitwise_and", "BitOr": "bitwise_or", "BitXor": "bitwise_xor", "LShift": "bitwise_left_shift",
    "RShift": "bitwise_right_shift", "USub": "neg", "Invert": "bitwise_not", "Eq": "eq", "NotEq": "ne", "Lt": "lt", "LtE": "le",
    "Gt": "gt", "GtE": "ge",
}

# Operators whose result has the shape of their first tensor.
SAME_SHAPE = {
    "relu", "relu6", "leaky_relu", "prelu", "elu", "gelu", "selu", "celu", "silu", "mish", "sigmoid", "tanh", "softplus", "softsign",
    "softmax", "log_softmax", "exp", "log", "sqrt", "rsqrt", "abs", "neg", "sign", "clamp", "hardtanh", "hardswish", "hardsigmoid",
    "dropout", "batch_norm", "instance_norm", "layer_norm", "group_norm", "rms_norm", "normalize", "cumsum", "cumprod", "tril", "triu",
    "pow", "sin", "cos", "erf", "floor", "ceil", "round", "identity", "flip", "roll", "logsigmoid", "square", "reciprocal", "masked_fill",
    "bitwise_not", "log2", "log1p", "log10", "local_response_norm",
}

_words = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def of_layer(name):
    """The operator of a layer: `Conv2d` is conv2d, `ConvTranspose2d` conv_transpose2d. `Identity` and `Flatten` are moves."""
    return LAYERS.get(name) or ALIASES.get(snake(name), snake(name))


def of_function(name):
    """The operator of a function or method by the last part of its name: `mul_` is mul, `bmm` matmul."""
    plain = name[:-1] if name.endswith("_") and not name.startswith("_") else name
    return ALIASES.get(plain, plain)


def snake(name):
    return _words.sub("_", name).lower()


def _many(value, count):
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return [value] * count
    if isinstance(value, (list, tuple)) and all(isinstance(v, int) for v in value):
        return list(value)
    return None


def _named(names, args, kwargs, defaults):
    out = dict(defaults)
    out.update(zip(names, args))
    out.update({k: v for k, v in kwargs.items() if k in names})
    return out


def parameters(kind, args, kwargs):
    """Returns the parameters and buffers of a layer as [(name, shape, is_buffer)]. Returns None if a size isn't known,
    or if this table doesn't have the layer's parameters."""
    whole = re.fullmatch(r"(Conv|ConvTranspose)([123])d", kind)
    if whole:
        names = ["in_channels", "out_channels", "kernel_size", "stride", "padding"]
        names += ["output_padding", "groups", "bias", "dilation"] if whole[1] == "ConvTranspose" else ["dilation", "groups", "bias"]
        said = _named(names, args, kwargs, {"groups": 1, "bias": True})
        size = _many(said.get("kernel_size"), int(whole[2]))
        inner, outer, groups = said.get("in_channels"), said.get("out_channels"), said["groups"]
        if size is None or not all(_is_size(v) for v in (inner, outer, groups)) or groups == 0:
            return None
        first, second = (inner, outer // groups) if whole[1] == "ConvTranspose" else (outer, inner // groups)
        return [("weight", [first, second, *size], False)] + ([("bias", [outer], False)] if said["bias"] is not False else [])
    if kind == "Linear":
        said = _named(["in_features", "out_features", "bias"], args, kwargs, {"bias": True})
        if not _is_size(said.get("in_features")) or not _is_size(said.get("out_features")):
            return None
        out = [("weight", [said["out_features"], said["in_features"]], False)]
        return out + ([("bias", [said["out_features"]], False)] if said["bias"] is not False else [])
    if kind == "Bilinear":
        said = _named(["in1_features", "in2_features", "out_features", "bias"], args, kwargs, {"bias": True})
        sizes = [said.get("out_features"), said.get("in1_features"), said.get("in2_features")]
        if not all(_is_size(v) for v in sizes):
            return None
        return [("weight", sizes, False)] + ([("bias", sizes[:1], False)] if said["bias"] is not False else [])
    whole = re.fullmatch(r"(Batch|Instance)Norm[123]d", kind)
    if whole:
        plain = whole[1] == "Batch"
        said = _named(["num_features", "eps", "momentum", "affine", "track_running_stats"], args, kwargs,
                      {"affine": plain, "track_running_stats": plain})
        if not _is_size(said.get("num_features")):
            return None
        n = [said["num_features"]]
        out = [("weight", n, False), ("bias", n, False)] if said["affine"] else []
        if said["track_running_stats"]:
            out += [("running_mean", n, True), ("running_var", n, True), ("num_batches_tracked", [], True)]
        return out
    if kind == "GroupNorm":
        said = _named(["num_groups", "num_channels", "eps", "affine"], args, kwargs, {"affine": True})
        if not _is_size(said.get("num_channels")):
            return None
        n = [said["num_channels"]]
        return [("weight", n, False), ("bias", n, False)] if said["affine"] else []
    if kind in ("LayerNorm", "RMSNorm"):
        said = _named(["normalized_shape", "eps", "elementwise_affine", "bias"], args, kwargs, {"elementwise_affine": True, "bias": True})
        shape = _many(said.get("normalized_shape"), 1)
        if shape is None:
            return None
        if not said["elementwise_affine"]:
            return []
        return [("weight", shape, False)] + ([("bias", shape, False)] if kind == "LayerNorm" and said["bias"] else [])
    if kind == "Embedding":
        said = _named(["num_embeddings", "embedding_dim"], args, kwargs, {})
        sizes = [said.get("num_embeddings"), said.get("embedding_dim")]
        return [("weight", sizes, False)] if all(_is_size(v) for v in sizes) else None
    if kind == "PReLU":
        count = _named(["num_parameters"], args, kwargs, {"num_parameters": 1})["num_parameters"]
        return [("weight", [count], False)] if _is_size(count) else None
    if kind in ("LSTM", "GRU", "RNN"):
        return _recurrent({"LSTM": 4, "GRU": 3, "RNN": 1}[kind], args, kwargs)
    if kind in ("LSTMCell", "GRUCell", "RNNCell"):
        gates = {"LSTMCell": 4, "GRUCell": 3, "RNNCell": 1}[kind]
        said = _named(["input_size", "hidden_size", "bias"], args, kwargs, {"bias": True})
        inner, hidden = said.get("input_size"), said.get("hidden_size")
        if not _is_size(inner) or not _is_size(hidden):
            return None
        out = [("weight_ih", [gates * hidden, inner], False), ("weight_hh", [gates * hidden, hidden], False)]
        return out + ([("bias_ih", [gates * hidden], False), ("bias_hh", [gates * hidden], False)] if said["bias"] else [])
    if kind == "MultiheadAttention":
        said = _named(["embed_dim", "num_heads", "dropout", "bias"], args, kwargs, {"bias": True})
        width = said.get("embed_dim")
        if not _is_size(width) or any(kwargs.get(name) for name in ("kdim", "vdim", "add_bias_kv")):
            return None
        out = [("in_proj_weight", [3 * width, width], False)]
        out += [("in_proj_bias", [3 * width], False)] if said["bias"] else []
        out += [("out_proj.weight", [width, width], False)]
        return out + ([("out_proj.bias", [width], False)] if said["bias"] else [])
    if kind == "TransformerEncoderLayer":
        said = _named(["d_model", "nhead", "dim_feedforward"], args, kwargs, {"dim_feedforward": 2048})
        width, inner = said.get("d_model"), said["dim_feedforward"]
        if not _is_size(width) or not _is_size(inner):
            return None
        out = [("self_attn." + name, shape, buffer) for name, shape, buffer in parameters("MultiheadAttention", [width, 1], {})]
        out += [("linear1.weight", [inner, width], False), ("linear1.bias", [inner], False)]
        out += [("linear2.weight", [width, inner], False), ("linear2.bias", [width], False)]
        return out + [(f"norm{n}.{part}", [width], False) for n in (1, 2) for part in ("weight", "bias")]
    return None if kind in _WITH_PARAMETERS else []


# Layers with parameters whose shapes the table above doesn't have.
_WITH_PARAMETERS = {"EmbeddingBag", "Transformer", "TransformerDecoderLayer", "TransformerDecoder", "SyncBatchNorm", "LazyLinear",
                    "LazyConv1d", "LazyConv2d", "LazyConv3d", "LazyBatchNorm1d", "LazyBatchNorm2d", "AdaptiveLogSoftmaxWithLoss"}


def _is_size(value):
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _recurrent(gates, args, kwargs):
    names = ["input_size", "hidden_size", "num_layers", "bias", "batch_first", "dropout", "bidirectional"]
    said = _named(names, args, kwargs, {"num_layers": 1, "bias": True, "bidirectional": False})
    inner, hidden, layers = said.get("input_size"), said.get("hidden_size"), said["num_layers"]
    if not all(_is_size(v) for v in (inner, hidden, layers)) or kwargs.get("proj_size"):
        return None
    ends = ["", "_reverse"] if said["bidirectional"] else [""]
    out = []
    for layer in range(min(layers, 1000)):
        for end in ends:
            width = inner if layer == 0 else hidden * len(ends)
            out += [(f"weight_ih_l{layer}{end}", [gates * hidden, width], False)]
            out += [(f"weight_hh_l{layer}{end}", [gates * hidden, hidden], False)]
            if said["bias"]:
                out += [(f"bias_{part}_l{layer}{end}", [gates * hidden], False) for part in ("ih", "hh")]
    return out
