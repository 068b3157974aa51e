"""A task whose forward isn't an expression, as one that is judged by its module (docs/interfaces.md, 1): its inputs and parameters, and the
shapes of its results. The file is read as typed.py reads it, but that all sizes are numbers, and that a layer of which only the shape
of the result is known is no end of it. Random layers, and shapes that depend on values, still are.
"""

import math

from torch_names import parameters as shapes_of_parameters
from typed import RECURRENT, Parameter, TypedLayer, TypedReader, _near, _uniform
from typed_operators import FLOATS, Named, Node, Operators, Untyped, bound, parsed

_RECURRENT = parsed("input_size hidden_size num_layers=1 bias=True batch_first=False dropout=0.0 bidirectional=False proj_size=0 nonlinearity=tanh")
_ENCODER = parsed("d_model nhead dim_feedforward=2048 dropout=0.1 activation=relu layer_norm_eps=1e-5 batch_first=False norm_first=False bias=True")
_STACK = parsed("encoder_layer num_layers norm=None enable_nested_tensor=True mask_check=True")


def by_module(source, tree, entry, key):
    """Returns the task. `key` is the key of describe.py, without which modules can't be told apart. Raises Untyped or
    Unread if the file can't become such a task."""
    return ModuleReader(source, tree, key).task(entry, False)


class ShapedLayer(TypedLayer):
    """A layer of torch.nn that is known by its parameters and by the shape of its result."""

    def __init__(self, kind, said, parameters):
        super().__init__(kind, [], {}, said, parameters)


class ShapedOperators(Operators):
    """Operators of which only two things matter: the shape of the result, and the inputs and parameters on which it
    depends."""

    def node(self, op, args, attrs, shape, dtype):
        leaves = {}
        for one in args:
            if isinstance(one, Node):
                leaves |= {one: None} if one.op is None else dict.fromkeys(one.args)
        return Node(op, list(leaves), {}, shape, dtype)

    def number(self, value):
        if isinstance(value, float) and not math.isfinite(value):
            return value
        return super().number(value)



class ModuleReader(TypedReader):
    def __init__(self, source, tree, key):
        self.key = key.rpartition(":")[2]
        super().__init__(source, tree)
        self.ops = ShapedOperators(self.extents)

    def named(self, name, value):
        return value

    def make_layer(self, kind, args, kwargs, node):
        if kind in RECURRENT:
            if kind.endswith("Cell"):
                raise Untyped(f"it has a recurrent cell ({kind})")
            said = self.said(kind, _RECURRENT, args, kwargs)
            if said["proj_size"] != 0:
                raise Untyped("a recurrent layer projects its state")
            return self.shaped(kind, said, args, kwargs, said["hidden_size"])
        if kind == "TransformerEncoderLayer":
            said = self.said(kind, _ENCODER, args, kwargs)
            return self.shaped(kind, said, args, kwargs, said["d_model"])
        if kind == "TransformerEncoder":
            said = bound(kind, *_STACK, args, kwargs)
            one, count = said["encoder_layer"], self.ops.integer(said["num_layers"])
            if not isinstance(one, ShapedLayer) or not 1 <= count <= 1000 or said["norm"] is not None:
                raise Untyped("a stack of layers isn't read")
            copies = {f"layers.{i}.{name}": Parameter(p.shape, p.dtype, p.values) for i in range(count) for name, p in one.parameters.items()}
            return ShapedLayer(kind, said, copies)
        return super().make_layer(kind, args, kwargs, node)

    @staticmethod
    def said(kind, signature, args, kwargs):
        """Returns a layer's arguments by name. Raises Untyped unless its dropout is 0."""
        said = bound(kind, *signature, args, kwargs)
        if said["dropout"] not in (0, 0.0):
            raise Untyped("dropout is random")
        return said

    def shaped(self, kind, said, args, kwargs, width):
        """Returns the layer. Its weights are drawn uniformly, in a range that depends on its width; the weights of its
        norms are near one, and their biases near zero."""
        values = _uniform(1 / math.sqrt(max(self.ops.integer(width), 1)))
        shapes = shapes_of_parameters(kind, args, kwargs)
        if shapes is None or any(buffer for _, _, buffer in shapes):
            raise Untyped(f"the parameters of {kind} aren't known")
        of_norms = {"weight": _near(1), "bias": _near(0)}
        return ShapedLayer(kind, said, {name: Parameter(shape, "f32", of_norms[name.rpartition(".")[2]] if name.startswith("norm") else values)
                                        for name, shape, _ in shapes})

    def call_layer(self, layer, args, kwargs, node):
        if isinstance(layer, ShapedLayer):
            return self.call_shaped(layer, [self.ops.tensor(one) for one in args], kwargs)
        if getattr(layer, "said", None) and layer.said.get("ceil_mode") is True:
            return self.pooled_up(layer, self.ops.tensor(args[0]))
        return super().call_layer(layer, args, kwargs, node)

    def call_shaped(self, layer, args, kwargs):
        if kwargs or not args:
            raise Untyped(f"{layer.kind} is called with more than tensors")
        x, weights = args[0], list(layer.parameters.values())
        if layer.kind not in RECURRENT:
            if len(args) > 1:
                raise Untyped(f"{layer.kind} is called with a mask")
            return self.part([x, *weights], x.shape, x.dtype)
        states = args[1:]
        said, shape = layer.said, list(x.shape)
        if len(shape) != 3:
            raise Untyped(f"{layer.kind} is given a tensor with {len(shape)} axes")
        ends, hidden = 2 if said["bidirectional"] else 1, self.ops.integer(said["hidden_size"])
        batch = shape[0] if said["batch_first"] else shape[1]
        everything = [x, *states, *weights]
        out = self.part(everything, [*shape[:2], ends * hidden], x.dtype)
        state = [self.part(everything, [ends * self.ops.integer(said["num_layers"]), batch, hidden], x.dtype) for _ in range(2)]
        return (out, tuple(state)) if layer.kind == "LSTM" else (out, state[0])

    def call(self, callee, args, kwargs, node, names=None):
        # A recurrent layer takes the pair of its states as one argument.
        if isinstance(callee, ShapedLayer) and len(args) == 2 and isinstance(args[1], (tuple, list)):
            args = [args[0], *args[1]]
        return super().call(callee, args, kwargs, node, names)

    def call_tensor(self, tensor, name, args, kwargs):
        if name == "unfold" and len(args) == 3 and not kwargs:
            axis, size, step = self.ops.axis(args[0], len(tensor.shape)), self.ops.integer(args[1]), self.ops.integer(args[2])
            if not (0 < size <= tensor.shape[axis] and step > 0):
                raise Untyped("`.unfold()` of a tensor is shorter than its window")
            shape = [*tensor.shape, size]
            shape[axis] = (shape[axis] - size) // step + 1
            return self.part([tensor], shape, tensor.dtype)
        return super().call_tensor(tensor, name, args, kwargs)

    def pooled_up(self, layer, x):
        """Returns the result of a pool that rounds its size up: the last window begins within the tensor or within its
        first padding."""
        axes, said = int(layer.kind[-2]), layer.said
        window, stride, padding, dilation = (self.ops.window(value, axes) for value in (
            said["kernel_size"], said["kernel_size"] if said["stride"] is None else said["stride"], said["padding"], said.get("dilation", 1)))
        shape = list(x.shape)
        for i in range(axes):
            at, size = len(shape) - axes + i, shape[len(shape) - axes + i]
            count = -(-(size + 2 * padding[i] - dilation[i] * (window[i] - 1) - 1) // stride[i]) + 1
            shape[at] = count - ((count - 1) * stride[i] >= size + padding[i])
        return self.part([x], shape, x.dtype)

    def part(self, args, shape, dtype):
        """Returns a value of the module of which only the shape and dtype are known."""
        return self.ops.make("module_output", args, shape, dtype)

    def written(self, inputs, names, result, module):
        results = list(result) if isinstance(result, (list, tuple, Named)) else None
        outputs = [self.ops.tensor(one) for one in results or [result]]
        if any(one.draw is not None for one in outputs):
            raise Untyped("forward gives no tensors that are known")
        used = self.used([one.node for one in outputs if isinstance(one.node, Node)])
        if not any(one.own in used for one in inputs):
            raise Untyped("forward's value doesn't depend on its inputs")
        parameters = sorted(self.parameters_made(used), key=lambda p: used[p.own])
        entries = self.entries(inputs, names, parameters)
        first = next((one.dtype for one in [*inputs, *parameters] if one.dtype in FLOATS), None)
        values = [{"op": "module_output", "args": [{"input": entry["name"]} for entry in entries],
                   "attrs": {"module": self.key, "number": number}, "shape": list(one.shape), **({"dtype": one.dtype} if one.dtype != first else {})}
                  for number, one in enumerate(outputs)]
        said = [{"dtype": one.dtype, "shape": list(one.shape)} for one in outputs]
        value, output = values[0], said[0]
        if results is not None:
            value, output = {"op": "results", "args": values, "shape": [sum(math.prod(one.shape) for one in outputs)]}, said
        return {"dims": [], "inputs": entries, "value": value, "output": output, "module": self.written_module(module), "sizes_in_text": []}
