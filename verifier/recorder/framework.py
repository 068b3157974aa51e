"""The PyTorch operations that a wrapper may use between its launches: those that only allocate, view, fill or copy."""

import itertools

import torch
from torch._library.custom_ops import OPDEFS
from torch.utils._python_dispatch import TorchDispatchMode, _disable_current_modes

import epilogue
from launch_trace import DTYPES, Current

aten = torch.ops.aten

ALLOCATE = {
    aten.empty.memory_format, aten.empty_strided.default, aten.empty_like.default, aten.new_empty.default,
    aten.new_empty_strided.default, aten.empty_permuted.default,
}
MAKE = torch.tensor  # before fake_gpu replaces it
MAX_CONSTANTS = 256  # elements of a tensor that the wrapper makes from numbers
# operator → the position of the value among its arguments, or the value itself
ALLOCATE_FILLED = {
    aten.zeros.default: ("value", 0), aten.zeros_like.default: ("value", 0), aten.new_zeros.default: ("value", 0),
    aten.ones.default: ("value", 1), aten.ones_like.default: ("value", 1), aten.new_ones.default: ("value", 1),
    aten.full.default: ("argument", 1), aten.full_like.default: ("argument", 1),
    aten.new_full.default: ("argument", 2), aten.scalar_tensor.default: ("argument", 0),
}
# Operators that make series of numbers. The numbers depend on nothing, so the wrapper could have
# written them out.
SERIES = {aten.arange.default, aten.arange.start, aten.arange.start_step, aten.linspace.default, aten.logspace.default,
          aten.eye.default, aten.eye.m}
WRITE_NUMBER = {aten.fill_.Scalar, aten.fill_.Tensor, aten.copy_.default}
FILL = {aten.zero_.default: ("value", 0), aten.fill_.Scalar: ("argument", 1)}
COPY_NEW = {aten.clone.default, aten._to_copy.default}
# Operators that copy tensors next to each other into a new one.
ASSEMBLE = {aten.cat.default, aten.stack.default, aten.constant_pad_nd.default, aten.repeat.default}
VIEW_BESIDES = {
    aten._unsafe_view.default, aten._reshape_alias.default, aten.lift_fresh.default, aten.unsqueeze_.default,
    aten.squeeze_.default, aten.squeeze_.dim, aten.squeeze_.dims, aten.t_.default, aten.transpose_.default,
    aten.swapaxes_.default, aten.swapdims_.default, aten.as_strided_.default,
}
# Queries of a tensor's properties other than its contents.
QUERIES = {aten.is_same_size.default}
DATA_DEPENDENT = {
    "aten::_local_scalar_dense", "aten::item", "aten::equal", "aten::is_nonzero", "aten::nonzero", "aten::allclose",
    "aten::masked_select", "aten::unique", "aten::_unique2", "aten::bincount",
}


# A wrapper's own implementations for the GPU, which it registered for operators of its own
# libraries, by name and overload.
IMPLEMENTATIONS = {}


def implement(self, op_name, fn, dispatch_key="", *, register=torch.library.Library.impl, **more):
    """Replaces torch.library.Library.impl. Implementations for the GPU are noted in IMPLEMENTATIONS, so that what they
    do is recorded, as for those of `torch.library.custom_op`."""
    register(self, op_name, fn, dispatch_key, **more)
    if (dispatch_key or self.dispatch_key) in ("CUDA", "CompositeExplicitAutograd"):
        name = op_name if isinstance(op_name, str) else str(op_name).removesuffix(".default")
        name, _, overload = name.split("::")[-1].partition(".")
        if not more.get("with_keyset"):
            IMPLEMENTATIONS[f"{self.ns}::{name}", overload.removeprefix("default")] = fn


def on_host(func, args, kwargs):
    """Whether an operation has neither arguments nor results on the GPU."""
    device = kwargs.get("device")
    tensors, others = [], [torch.device(device) if isinstance(device, str) else device]
    for value in (*args, *kwargs.values()):
        for one in value if isinstance(value, (list, tuple)) else (value,):
            (tensors if isinstance(one, torch.Tensor) else others).append(one)
    if any(tensor.device.type != "cpu" for tensor in tensors):
        return False
    devices = [one for one in others if isinstance(one, torch.device)]
    return all(device.type == "cpu" for device in devices) and not func._schema.name.startswith("prim::")


def real_tensor(tensor):
    """Returns a tensor on the CPU with its contents, outside of the recorder's modes; None if the contents aren't
    known."""
    if getattr(tensor, "constant", None) is not None:
        return tensor.constant
    whole, values = Current.launch_trace.host_values.get(tensor.untyped_storage()._cdata, (None, []))
    if whole is None or not values or None in values or not whole.is_contiguous() or whole.numel() > MAX_CONSTANTS:
        return None
    real = MAKE(values if len(values) == whole.numel() else values * whole.numel(), dtype=whole.dtype)
    return torch.as_strided(real, tensor.shape, tensor.stride(), tensor.storage_offset() - whole.storage_offset())


def argument(rule, args, kwargs):
    kind, value = rule
    if kind == "value":
        return value
    return args[value] if len(args) > value else kwargs.get("fill_value", kwargs.get("value"))


def parts(func, out, args, kwargs):
    """Returns pairs of a view of `out` and the tensor that is copied to the view. A padding is filled first."""
    if func is aten.constant_pad_nd.default:
        source, pad = args[0], args[1]
        Current.launch_trace.fill(out, args[2] if len(args) > 2 else kwargs.get("value", 0))
        inner = out
        for at in range(len(pad) // 2):
            axis = source.dim() - 1 - at
            before, after = (max(0, size) for size in pad[2 * at:2 * at + 2])
            cut = max(0, -pad[2 * at])
            length = out.shape[axis] - before - after
            inner, source = inner.narrow(axis, before, length), source.narrow(axis, cut, length)
        return [(inner, source)]
    if func is aten.repeat.default:
        source, times = args[0], args[1]
        sizes = [1] * (len(times) - source.dim()) + list(source.shape)
        split = [one for pair in zip(times, sizes) for one in pair]  # [times, size, times, size…]
        return [(out.view(split), source.view([one for size in sizes for one in (1, size)]))]
    tensors, axis = args[0], args[1] if len(args) > 1 else kwargs.get("dim", 0)
    if func is aten.stack.default:
        # Returns a generator, so that a plan of too many steps is refused before all views are
        # made.
        return ((out.select(axis, at), tensor) for at, tensor in enumerate(tensors))
    tensors = [tensor for tensor in tensors if tensor.dim() == out.dim()]  # torch.cat accepts an empty one-dimensional tensor beside any others
    sizes = [tensor.shape[axis] for tensor in tensors]
    return zip(out.split(sizes, axis), tensors)


class Framework(TorchDispatchMode):
    """Records allowed operations in the current launch_trace and refuses the others."""

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = {**(kwargs or {}), "pin_memory": False} if (kwargs or {}).get("pin_memory") else kwargs or {}
        out = self.carry_out(func, args, kwargs)
        if Current.draws is not None:
            Current.draws.note(func, args, kwargs, out)
        return out

    def carry_out(self, func, args, kwargs):
        launch_trace = Current.launch_trace
        launch_trace.count_operator()
        if (own := (func._schema.name, func._schema.overload_name)) in IMPLEMENTATIONS:
            with self:
                return IMPLEMENTATIONS[own](*args, **kwargs)
        if func._schema.name in OPDEFS:  # the wrapper defined this operator itself, so its implementation is recorded
            with self:
                return OPDEFS[func._schema.name]._init_fn(*args, **kwargs)
        if on_host(func, args, kwargs):
            return self.compute_on_host(func, args, kwargs)
        if func in ALLOCATE:
            return self.allocate(func, args, kwargs)
        if func in ALLOCATE_FILLED:
            value = argument(ALLOCATE_FILLED[func], args, kwargs)
            out = self.allocate(func, args, kwargs)
            launch_trace.fill(out, value)
            return out
        if func in SERIES:
            return self.series(func, args, kwargs)
        if func is aten.fill_.Tensor and getattr(args[1], "constant", None) is not None:
            with _disable_current_modes():
                value = args[1].constant.item()
            launch_trace.fill(args[0], value)
            return args[0]
        if func in FILL:
            launch_trace.fill(args[0], argument(FILL[func], args, kwargs))
            return args[0]
        if func is aten.copy_.default:
            self.copy(args[0], args[1])
            return args[0]
        if func in COPY_NEW:
            out = self.to_gpu(args[0], kwargs) if args[0].device.type != "cuda" else self.allocate(func, args, kwargs)
            if out.device.type != "cuda":
                launch_trace.refuse("unsupported", "the wrapper moves a tensor to the CPU")
            self.copy(out, args[0])
            return out
        if func in ASSEMBLE:
            return self.assemble(func, args, kwargs)
        if func in VIEW_BESIDES or getattr(func, "is_view", False):
            return func(*args, **kwargs)
        if Current.constructing and torch.Tag.nondeterministic_seeded in func.tags:
            return self.draw(func, args, kwargs)
        name = func._schema.name
        if func in QUERIES or name.startswith("prim::") or name in ("aten::sym_size", "aten::sym_stride", "aten::sym_numel"):
            return func(*args, **kwargs)
        short = name.removeprefix("aten::")
        if name in DATA_DEPENDENT:
            launch_trace.refuse("data_dependent", f"the wrapper asks for a tensor's contents ({short}), which it never sees")
        if Current.epilogue and (out := epilogue.carry_out(func, args, kwargs)) is not None:
            return out
        launch_trace.refuse("framework_compute",
                      f"the wrapper computes with PyTorch's {short}; only kernels may compute")

    def allocate(self, func, args, kwargs):
        out = func(*args, **kwargs)
        if out.device.type == "cuda":
            if out.device.index not in (None, 0):
                Current.launch_trace.refuse("exception", f"there is no GPU {out.device.index}: invalid device ordinal")
            Current.launch_trace.add_buffer(out, "temporary")
        return out

    def draw(self, func, args, kwargs):
        """Records random numbers on the GPU. No kernel may see them, unless the task's parameters replace them."""
        out = func(*args, **kwargs) if func._schema.is_mutable else self.allocate(func, args, kwargs)
        Current.launch_trace.leave_undetermined(out, "framework_compute", "a kernel uses random numbers that PyTorch drew on the GPU"
                                                " and that are no parameter of the task's module")
        return out

    def series(self, func, args, kwargs):
        with _disable_current_modes():
            values = func(*args, **{**kwargs, "device": "cpu"}).flatten().tolist()
        if len(values) > MAX_CONSTANTS:
            Current.launch_trace.refuse("framework_compute", f"the wrapper computes with PyTorch's {func._schema.name[6:]}; only"
                                  f" kernels may compute (at most {MAX_CONSTANTS} numbers may be made so)")
        out = self.allocate(func, args, kwargs)
        for place, value in zip(out.view(-1), values):
            Current.launch_trace.fill(place, value)
        return out

    def assemble(self, func, args, kwargs):
        out = self.allocate(func, args, kwargs)
        for to, source in parts(func, out, args, kwargs):
            if to.numel() > 0:
                self.copy(to, source)
        return out

    def to_gpu(self, source, kwargs):
        """Allocates memory on the GPU for a copy of a tensor on the CPU. (PyTorch itself would need a GPU where it knows the contents.)"""
        return self.allocate(aten.empty.memory_format, (list(source.shape),),
                             {"dtype": kwargs.get("dtype") or source.dtype, "device": kwargs["device"]})

    def compute_on_host(self, func, args, kwargs):
        """Carries out an operation on the CPU, where all operations are allowed. Known contents are kept, since they
        may be copied to the GPU."""
        if func._schema.name in DATA_DEPENDENT and (found := self.read_on_host(func, args, kwargs)) is not None:
            return found
        out = func(*args, **kwargs)
        known = Current.launch_trace.host_values
        if func._schema.is_mutable:
            written = self.write_on_host(func, args)
            for one in (*args, *kwargs.values()):
                if isinstance(one, torch.Tensor):
                    known.pop(one.untyped_storage()._cdata, None)
            if written:
                known[args[0].untyped_storage()._cdata] = written
                return out
        rule = ALLOCATE_FILLED.get(func) or FILL.get(func)
        if rule and out.untyped_storage().nbytes() == out.numel() * out.element_size():
            known[out.untyped_storage()._cdata] = (out, [argument(rule, args, kwargs)])
        elif func in ALLOCATE:
            known[out.untyped_storage()._cdata] = (out, None)
        elif func in SERIES and out.numel() <= MAX_CONSTANTS:
            with _disable_current_modes():
                known[out.untyped_storage()._cdata] = (out, func(*args, **kwargs).flatten().tolist())
        elif (values := self.computed_from_known(func, args, kwargs, out)) is not None:
            known[out.untyped_storage()._cdata] = (out, values)
        return out

    def carried_out(self, func, args, kwargs):
        """Returns the result of an operation on the CPU if all of its tensors are known: the wrapper could compute it
        without PyTorch, too. Returns None if they aren't known, or if the operation has no tensor."""
        used = []

        def real(value):
            if isinstance(value, (list, tuple)):
                return type(value)(real(one) for one in value)
            if isinstance(value, torch.Tensor):
                used.append(real_tensor(value))
                return used[-1]
            return value

        with _disable_current_modes():
            args, kwargs = real(args), {name: real(value) for name, value in kwargs.items()}
            return func(*args, **kwargs) if used and all(one is not None for one in used) else None

    def read_on_host(self, func, args, kwargs):
        """Returns a number that is read from known tensors on the CPU, such as `.item()` of a product of sizes; None if
        they aren't known, or if the result is no number."""
        found = self.carried_out(func, args, kwargs)
        return found if isinstance(found, (bool, int, float)) else None

    def computed_from_known(self, func, args, kwargs, out):
        """Returns the values of an operation's result on the CPU if all of the operation's tensors are known. Returns
        None if they aren't, or for a result that is large, random, a view or written in place."""
        small = isinstance(out, torch.Tensor) and 0 < out.numel() <= MAX_CONSTANTS and out.dtype in DTYPES and out.is_contiguous()
        if not small or func._schema.is_mutable or getattr(func, "is_view", False) or torch.Tag.nondeterministic_seeded in func.tags:
            return None
        found = self.carried_out(func, args, kwargs)
        with _disable_current_modes():
            return None if found is None else found.flatten().tolist()

    def write_on_host(self, func, args):
        """Returns (tensor, values) with the known contents of a tensor on the CPU after a number was written to a part
        of it; None if they aren't known."""
        if func not in WRITE_NUMBER or not isinstance(args[0], torch.Tensor):
            return None
        to, number = args[0], args[1]
        whole, values = Current.launch_trace.host_values.get(to.untyped_storage()._cdata, (None, []))
        if isinstance(number, torch.Tensor):
            with _disable_current_modes():
                number = number.constant.item() if getattr(number, "constant", None) is not None and number.numel() == 1 else None
        if whole is None or number is None or values == [] or to.dtype != whole.dtype or not whole.is_contiguous():
            return None
        if whole.numel() > MAX_CONSTANTS:
            return None
        values = [None] * whole.numel() if values is None else values * whole.numel() if len(values) == 1 else list(values)
        first = to.storage_offset() - whole.storage_offset()
        for index in itertools.product(*(range(size) for size in to.shape)):
            values[first + sum(at * stride for at, stride in zip(index, to.stride()))] = number
        return whole, [number] if all(value == number for value in values) else values  # one number is one step of a plan

    def copy(self, to, source):
        launch_trace = Current.launch_trace
        if to.device.type != "cuda":
            launch_trace.refuse("unsupported", "the wrapper moves a tensor to the CPU")
        if source.device.type == "cuda":
            launch_trace.copy_between(to, source.expand(to.shape))
            return
        whole, values = launch_trace.host_values.get(source.untyped_storage()._cdata, (None, []))
        if not values and getattr(source, "constant", None) is not None and source.numel() == 1:  # y[0, 0] = 1.5
            with _disable_current_modes():
                values = [source.constant.item()]
        if values is None:
            return
        if len(values) == 1:
            if values[0] is not None:
                launch_trace.fill(to, values[0])
        elif values and source.shape == whole.shape == to.shape and source.stride() == whole.stride():
            for place, value in zip(to.view(-1), values):
                if value is not None:  # uninitialised
                    launch_trace.fill(place, value)
        elif Current.constructing:
            launch_trace.leave_undetermined(to, "unsupported", "a kernel uses a tensor that is no parameter of the task's module, and whose contents are"
                                            " random or computed on the CPU; the verifier only knows constants")
        else:
            launch_trace.refuse("unsupported", "a tensor's contents come from the CPU; the wrapper has no data")


def as_tensor(data, dtype=None, device=None, **more):
    """Replaces torch.as_tensor and torch.asarray, as `tensor` replaces torch.tensor."""
    if isinstance(data, torch.Tensor):
        return data.to(device=device, dtype=dtype) if device is not None or dtype is not None else data
    return tensor(data, dtype=dtype, device=device)


def new_tensor(self, data, *, dtype=None, device=None, **more):
    return tensor(data, dtype=dtype or self.dtype, device=device or self.device, **more)


def tensor(data, *, dtype=None, device=None, pin_memory=False, make=torch.tensor, **more):
    """Replaces torch.tensor: the contents are known, and a tensor on the GPU gets one fill per number. Nothing is pinned."""
    if isinstance(data, torch.Tensor):
        return make(data, dtype=dtype, device=device, **more)
    with _disable_current_modes():
        real = make(data, dtype=dtype)
        values = real.flatten().tolist() if real.numel() <= MAX_CONSTANTS else []
    host = make(data, dtype=dtype, **more)
    if values:
        Current.launch_trace.host_values[host.untyped_storage()._cdata] = (host, values)
    return host if device is None else host.to(device)
