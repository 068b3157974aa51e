"""What PyTorch operations a wrapper may use between its launches: those that only allocate, view, fill or copy."""

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from ledger import Current

aten = torch.ops.aten

ALLOCATE = {
    aten.empty.memory_format, aten.empty_strided.default, aten.empty_like.default, aten.new_empty.default,
    aten.new_empty_strided.default, aten.empty_permuted.default,
}
# operator → position of the value among its arguments, or the value itself
ALLOCATE_FILLED = {
    aten.zeros.default: ("value", 0), aten.zeros_like.default: ("value", 0), aten.new_zeros.default: ("value", 0),
    aten.ones.default: ("value", 1), aten.ones_like.default: ("value", 1), aten.new_ones.default: ("value", 1),
    aten.full.default: ("argument", 1), aten.full_like.default: ("argument", 1),
    aten.new_full.default: ("argument", 2),
}
FILL = {aten.zero_.default: ("value", 0), aten.fill_.Scalar: ("argument", 1)}
COPY_NEW = {aten.clone.default, aten._to_copy.default}
VIEW_BESIDES = {aten._unsafe_view.default, aten._reshape_alias.default, aten.lift_fresh.default}
DATA_DEPENDENT = {
    "aten::_local_scalar_dense", "aten::item", "aten::equal", "aten::is_nonzero", "aten::nonzero", "aten::allclose",
    "aten::masked_select", "aten::unique", "aten::_unique2", "aten::bincount",
}


def argument(rule, args, kwargs):
    kind, value = rule
    if kind == "value":
        return value
    return args[value] if len(args) > value else kwargs.get("fill_value", kwargs.get("value"))


class Framework(TorchDispatchMode):
    """Writes allowed operations into the current ledger and refuses the rest."""

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        ledger = Current.ledger
        if func in ALLOCATE:
            return self.allocate(func, args, kwargs)
        if func in ALLOCATE_FILLED:
            value = argument(ALLOCATE_FILLED[func], args, kwargs)
            out = self.allocate(func, args, kwargs)
            ledger.fill(out, value)
            return out
        if func in FILL:
            ledger.fill(args[0], argument(FILL[func], args, kwargs))
            return args[0]
        if func is aten.copy_.default:
            to, source = args[0], args[1]
            if tuple(source.shape) != tuple(to.shape):
                source = source.expand(to.shape)
            self.on_gpu(source, func)
            ledger.copy_between(to, source)
            return to
        if func in COPY_NEW:
            self.on_gpu(args[0], func)
            out = self.allocate(func, args, kwargs)
            if out.device.type != "cuda":
                ledger.refuse("unsupported", "the wrapper moves a tensor to the CPU")
            ledger.copy_between(out, args[0])
            return out
        if func in VIEW_BESIDES or getattr(func, "is_view", False):
            return func(*args, **kwargs)
        name = func._schema.name
        if name.startswith("prim::") or name in ("aten::sym_size", "aten::sym_stride", "aten::sym_numel"):
            return func(*args, **kwargs)
        short = name.removeprefix("aten::")
        if name in DATA_DEPENDENT:
            ledger.refuse("data_dependent", f"the wrapper asks for a tensor's contents ({short}), which it never sees")
        ledger.refuse("framework_compute",
                      f"the wrapper computes with PyTorch's {short}; only kernels may compute")

    def allocate(self, func, args, kwargs):
        out = func(*args, **kwargs)
        if out.device.type == "cuda":
            Current.ledger.add_buffer(out, "temporary")
        return out

    def on_gpu(self, tensor, func):
        if tensor.device.type != "cuda":
            Current.ledger.refuse("unsupported", "a tensor's contents come from the CPU; the wrapper has no data")
