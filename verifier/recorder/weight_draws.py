"""What a constructor's tensors hold once a seed was set: numbers that the generator of the CPU gave at a place of its series, constants, or
what was computed of these. Two modules that are constructed under one seed have equal weights where this is equal, at any sizes and
without a number being drawn. KernelBench sets its seed before it constructs the module, and again before it constructs the answer.

A tensor's *origin* is a tuple: ("uniform", low, high, place, count, dtype), ("normal", mean, deviation, place, count, dtype), ("constant", number),
("computed", operation, …), or None where nothing is known of it.
"""

import torch
from torch.utils._python_dispatch import TorchDispatchMode, _disable_current_modes

aten = torch.ops.aten
# Operators that draw random numbers, by name: (family, the defaults of its two parameters). None: the
# operator doesn't take them, and draws by STANDARD.
FAMILIES = {"uniform_": ("uniform", (0.0, 1.0)), "rand": ("uniform", None), "rand_like": ("uniform", None),
            "normal_": ("normal", (0.0, 1.0)), "randn": ("normal", None), "randn_like": ("normal", None)}
STANDARD = {"uniform": (0.0, 1.0), "normal": (0.0, 1.0)}
CONSTANTS = {"zeros": 0, "zeros_like": 0, "new_zeros": 0, "zero_": 0, "ones": 1, "ones_like": 1, "new_ones": 1}
FILLED = {"full": 1, "full_like": 1, "new_full": 2, "fill_": 1, "scalar_tensor": 0}  # the value's position
COPIES = {"clone", "_to_copy", "detach", "copy_", "contiguous"}
SMALLEST_BLOCK = 16  # from so many elements on, normal numbers are drawn in blocks (aten/src/ATen/native/cpu/DistributionTemplates.h)


def sizes_of(tensor):
    """Returns the sizes and strides of a tensor's dimensions of more than one element; for a contiguous tensor only its
    number of elements, since a view of another shape has the same."""
    if tensor.is_contiguous():
        return tensor.numel()
    return tuple((size, stride) for size, stride in zip(tensor.shape, tensor.stride()) if size != 1)


def is_whole(tensor):
    return tensor.numel() * tensor.element_size() == tensor.untyped_storage().nbytes()


def known_number(tensor):
    """The origin of a tensor of one element whose number the recorder knows; else None."""
    if getattr(tensor, "constant", None) is None or tensor.numel() != 1:
        return None
    with _disable_current_modes():
        return ("constant", float(tensor.constant.item()))


class Draws:
    """The origins of the tensors of one constructor, and the place in the generator's series."""

    def __init__(self):
        self.place, self.kept_normal = 0, False  # numbers of 32 bits drawn, and whether the second of a pair of normal numbers is kept
        self.held = {}  # storage → (a tensor of it, kept alive; the origin; offset and sizes of the tensor that has this origin)

    def origin(self, tensor):
        """The origin of a tensor's elements, in their logical order."""
        held = self.held.get(tensor.untyped_storage()._cdata)
        if held is None or held[1] is None:
            return None
        _, origin, form = held
        own = tensor.storage_offset(), sizes_of(tensor)
        return origin if form == own or origin[0] == "constant" else ("computed", "view", origin, form, own)

    def hold(self, tensor, origin):
        self.held[tensor.untyped_storage()._cdata] = tensor, origin, (tensor.storage_offset(), sizes_of(tensor))

    def draw(self, family, numbers, tensor):
        """Draws a tensor on the CPU as PyTorch does, in steps of the generator, and returns its origin."""
        count, wide = tensor.numel(), tensor.dtype == torch.float64
        if isinstance(self.place, tuple):
            origin = (family, *numbers, self.place, self.kept_normal, count, str(tensor.dtype))
            self.place = (*self.place, origin)
            return origin
        if family == "uniform" or (count >= SMALLEST_BLOCK and tensor.is_contiguous()):
            origin = (family, *numbers, self.place, False, count, str(tensor.dtype))
            redrawn = SMALLEST_BLOCK if family == "normal" and count % SMALLEST_BLOCK else 0
            self.place += (count + redrawn) * (2 if wide else 1)
            return origin
        origin = (family, *numbers, self.place, self.kept_normal, count, str(tensor.dtype))
        pairs = (count - self.kept_normal + 1) // 2  # of normal numbers, from two numbers of 64 bits each
        self.kept_normal = (count - self.kept_normal) % 2 == 1
        self.place += 4 * pairs
        return origin

    def note(self, func, args, kwargs, out):
        """Notes the result of an operation, or what it wrote."""
        if not isinstance(out, torch.Tensor):
            for one in out if isinstance(out, (list, tuple)) else ():
                if isinstance(one, torch.Tensor) and not getattr(func, "is_view", False):
                    self.hold(one, None)
            return
        if getattr(func, "is_view", False):
            return
        name = func._schema.name.removeprefix("aten::")
        plain = [one for one in args if not isinstance(one, torch.Tensor)]
        if name.startswith(("empty", "new_empty")):  # numbers that nobody wrote
            self.hold(out, None)
        elif name == "lift_fresh":  # torch.tensor
            self.hold(out, known_number(out))
        elif torch.Tag.nondeterministic_seeded in func.tags:
            self.hold(out, self.drawn(name, plain, kwargs, out))
        elif name in CONSTANTS or name in FILLED:
            value = CONSTANTS[name] if name in CONSTANTS else args[FILLED[name]] if len(args) > FILLED[name] else None
            constant = known_number(value) if isinstance(value, torch.Tensor) else ("constant", float(value)) if isinstance(value, (int, float)) else None
            self.hold(out, constant if is_whole(out) else None)
        elif name in COPIES:
            source = args[1] if name == "copy_" else args[0]
            same = isinstance(source, torch.Tensor) and source.dtype == out.dtype and source.shape == out.shape
            self.hold(out, self.origin(source) if same and is_whole(out) else None)
        else:
            self.hold(out, self.computed(name, args, kwargs))

    def computed(self, name, args, kwargs):
        """Returns the origin of an operation's result; None if an argument's origin isn't known, as for a list of
        tensors."""
        parts = []
        for one in (*args, *kwargs.items()):
            if isinstance(one, torch.Tensor):
                parts.append((self.origin(one), tuple(one.shape), str(one.dtype)))
                if parts[-1][0] is None:
                    return None
            elif isinstance(one, (list, tuple)) and any(isinstance(part, torch.Tensor) for part in one):
                return None
            else:
                parts.append(repr(one))
        return ("computed", name, *parts)

    def drawn(self, name, plain, kwargs, out):
        if kwargs.get("generator") is not None:
            return None
        on_cpu = out.device.type == "cpu"
        if name not in FAMILIES:
            drawn = ("after", self.place, self.kept_normal, name, repr(plain), out.numel(), str(out.dtype))
            self.place = drawn if on_cpu else self.place
            return ("computed", *drawn) if on_cpu else None
        family, given = FAMILIES[name]
        numbers = STANDARD[family] if given is None else tuple(float(one) for one in (*plain, *given[len(plain):]))
        # A GPU has its own generator, which gives other numbers than the CPU's.
        return self.draw(family, numbers, out) if on_cpu else (family, *numbers, "of the GPU", False, out.numel(), str(out.dtype))


class Noting(TorchDispatchMode):
    """Carries operations out and notes them."""

    def __init__(self, draws):
        super().__init__()
        self.draws = draws

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        out = func(*args, **(kwargs or {}))
        self.draws.note(func, args, kwargs or {}, out)
        return out


def of_module(code, entry, args, kwargs):
    """Returns the origins of the parameters and buffers of a task's module as {name: origin}; {} if the module can't be
    constructed here."""
    names = {"__name__": "task"}
    try:
        exec(compile(code, "task.py", "exec"), names)
        draws = Draws()
        with Noting(draws):
            module = names[entry](*args, **kwargs)
        return {name: draws.origin(tensor) for name, tensor in module.state_dict(keep_vars=True).items()}
    except Exception:  # the task's text may raise anything, or import what isn't here
        return {}


def compare(theirs, own):
    """Whether tensors of two origins hold the same numbers under one seed: True, False, or None if this isn't known."""
    if theirs is None or own is None:
        return None
    if theirs == own:
        return True
    if form_of(theirs) is None or form_of(own) is None or any(isinstance(one, tuple) for one in (*theirs, *own)):
        return None  # computed, or drawn after numbers whose count isn't known here
    return False


def number_of(origin):
    """Returns the number that all elements of a tensor hold; None if they differ, or if it isn't known."""
    return origin[1] if origin is not None and origin[0] == "constant" else None


def form_of(origin):
    """Returns what kind of numbers an origin gives: {"uniform": [low, high]}, {"normal": [mean, deviation]} or
    {"constant": number}; None if this isn't known."""
    if origin is None or origin[0] == "computed":
        return None
    return {origin[0]: origin[1] if origin[0] == "constant" else [origin[1], origin[2]]}
