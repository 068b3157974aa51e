"""Judges outputs that stay on the GPU, where a task's tensors are too large to pass through the host.

The runner (runner/main.cpp) has a plan's memory and shares it by an IPC handle of CUDA. This process draws the inputs there, computes what the
output must be from the task's module before any of the candidate's kernels has run, and keeps it in memory of its own, which those kernels can't reach.
"""

import ctypes
import pathlib
import secrets
import sys

import torch

from draws import DTYPES, CannotDraw, draw_into
from modules import construct, forward_arguments

sys.path.append(str(pathlib.Path(__file__).parents[1] / "kernelbench"))
import reference as kernelbench

PART = 1 << 26  # elements that are compared at a time
TIMES_EAGER = 8  # an output may err this many times as much as eager PyTorch does anywhere in it


class Handle(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_ubyte * 64)]


class Memory:
    """Memory of another process on the GPU, as bytes."""

    def __init__(self, handle, count):
        self.driver = ctypes.CDLL("libcuda.so.1")
        self.driver.cuIpcOpenMemHandle_v2.argtypes = [ctypes.POINTER(ctypes.c_uint64), Handle, ctypes.c_uint]
        self.driver.cuIpcCloseMemHandle.argtypes = [ctypes.c_uint64]
        place = ctypes.c_uint64()
        enable_peer_access = 1
        status = self.driver.cuIpcOpenMemHandle_v2(ctypes.byref(place), Handle.from_buffer_copy(bytes.fromhex(handle)), enable_peer_access)
        if status != 0:
            raise RuntimeError(f"the memory of the runner can't be shared: CUDA error {status}")
        self.place = place.value
        self.__cuda_array_interface__ = {"data": (self.place, False), "shape": (count,), "typestr": "|u1", "version": 3}
        self.bytes = torch.as_tensor(self, device="cuda")

    def tensor(self, at, shape, dtype):
        count = torch.Size(shape).numel() * dtype.itemsize
        return self.bytes[at:at + count].view(dtype).view(shape)

    def close(self):
        self.bytes = None
        torch.cuda.synchronize()
        self.driver.cuIpcCloseMemHandle(self.place)


def digest(tensor, keys):
    """A checksum of a tensor's bytes under secret keys. A change goes unseen with a chance of 2^-60 or so."""
    data, total = tensor.reshape(-1).view(torch.uint8), 0
    whole = data.numel() // 8 * 8
    words = data[:whole].view(torch.int64)
    for at in range(0, words.numel(), PART):
        part = words[at:at + PART]
        weights = torch.arange(at, at + part.numel(), dtype=torch.int64, device=part.device) * keys[0] + keys[1]
        weights ^= weights >> 29
        total += ((part ^ keys[2]) * (weights | 1)).sum()
    rest = sum((byte + 1) * (keys[0] * (at + 1) | 1) for at, byte in enumerate(data[whole:].tolist()))
    return (int(total) + rest) & (1 << 64) - 1


def typical(x):
    """The median of the absolute values, of a sample, that are finite and not 0; as verifier/tasks/honest_error.cpp has it."""
    flat = x.reshape(-1)
    flat = flat[::max(1, flat.numel() // 4096)].abs().double()
    flat = flat[(flat > 0) & flat.isfinite()]
    return flat.median().item() if flat.numel() else 0.0


class Expected:
    """What one output must be, and how far each of its elements may be from that."""

    def __init__(self, exact, eager, bound, inputs_typical):
        self.exact = exact.contiguous()
        eager = eager.contiguous().view(-1)
        self.free = None  # where eager PyTorch overflows, others may, too
        self.other = None  # integers that rounding decides: eager PyTorch's are as right
        missed = 0.0
        if not self.exact.is_floating_point():
            self.other = None if torch.equal(eager, self.exact.view(-1)) else eager
        else:
            flat, free = self.exact.view(-1), []
            for at in range(0, flat.numel(), PART):
                one, other = flat[at:at + PART], eager[at:at + PART].to(flat.dtype)
                apart = (other - one).abs()
                finite = apart.isfinite()
                missed = max(missed, apart.masked_fill(~finite, 0).max().item() if apart.numel() else 0.0)
                free.append(one.isfinite() & ~other.isfinite())
            if any(part.any() for part in free):
                self.free = torch.cat(free)
        unit = bound["computed"]
        self.relative = bound["relative"]
        self.absolute = unit * typical(self.exact) + bound["least"] + unit**3 * inputs_typical + TIMES_EAGER * missed

    def first_wrong(self, got):
        """The index, value, right value and tolerance of the first wrong element; None if all are right."""
        got, exact = got.reshape(-1), self.exact.view(-1)
        for at in range(0, exact.numel(), PART):
            one, other = exact[at:at + PART], got[at:at + PART]
            if not exact.is_floating_point():
                right = one == other
                if self.other is not None:
                    right |= self.other[at:at + PART] == other
                allowed = None
            else:
                other = other.to(exact.dtype)
                allowed = self.relative * one.abs() + self.absolute
                right = (((other - one).abs() <= allowed) & one.isfinite()) | (one == other) | (one.isnan() & other.isnan())
                if self.free is not None:
                    right |= self.free[at:at + PART] & ~other.isfinite()
            if right.all():
                continue
            place = int((~right).to(torch.uint8).argmax())
            return {"index": at + place, "got": str(other[place].item()), "expected": str(one[place].item()),
                    "tolerance": None if allowed is None else allowed[place].item()}
        return None


def trivial_answer(exact, eager):
    """An answer that computes nothing and is as near to the exact outputs as eager PyTorch is, in words; None where there is none."""
    for words, other in (("zeros", torch.zeros_like), ("constants", lambda one: torch.full_like(one, one.double().mean()))):
        if all((other(one) - one).abs().max() <= (own - one).abs().max() for one, own in zip(exact, eager) if one.numel()):
            return words
    return None


class Accepted:
    """The outputs that KernelBench's protocol accepts: |expected - answer| <= t + t |answer|."""

    def __init__(self, exact, tolerance):
        self.exact, self.allowed = exact, tolerance

    def first_wrong(self, got):
        got, exact = got.reshape(-1), self.exact.reshape(-1)
        for at in range(0, exact.numel(), PART):
            one, other = exact[at:at + PART], got[at:at + PART].to(exact.dtype)
            close = torch.isclose(one, other, atol=self.allowed, rtol=self.allowed)
            if not close.all():
                place = int((~close).to(torch.uint8).argmax())
                return {"index": at + place, "got": str(other[place].item()), "expected": str(one[place].item()), "tolerance": self.allowed}
        return None


class TestCase:
    """Inputs and outputs of a plan in the runner's memory, and what the outputs must be."""

    def __init__(self, request, memory):
        self.memory = memory
        self.entries = request["inputs"]
        self.inputs = [self.memory.tensor(entry["at"], entry["shape"], DTYPES[entry["dtype"]]) for entry in self.entries]
        self.outputs = [self.memory.tensor(one["at"], one["shape"], DTYPES[one["dtype"]]) for one in request["outputs"]]
        self.expected, self.drawn = [], []

    def expect(self, expected):
        if [one.exact.shape for one in expected] != [one.shape for one in self.outputs]:
            raise RuntimeError("the module's outputs have other shapes than the plan's")
        self.expected = expected
        torch.cuda.synchronize()

    def compare(self):
        for number, (tensor, drawn) in enumerate(zip(self.inputs, self.drawn)):
            if digest(tensor, self.keys) != drawn:
                return {"mutated": number + 1}
        for number, (got, expected) in enumerate(zip(self.outputs, self.expected)):
            if wrong := expected.first_wrong(got):
                return {"wrong": {**wrong, "output": number, "shape": list(got.shape)}}
        return {"right": True, "compared": sum(one.numel() for one in self.outputs)}

    def close(self):
        self.inputs = self.outputs = self.expected = None
        self.memory.close()
        torch.cuda.empty_cache()


class Drawn(TestCase):
    """Inputs that are drawn from a key, and the values of the task's module."""

    def __init__(self, request, memory):
        super().__init__(request, memory)
        self.request = request
        for entry, tensor in zip(self.entries, self.inputs):
            draw_into(tensor, entry, int(request["key"]))
        self.keys = [secrets.randbits(62) | 1 for _ in range(3)]
        self.drawn = [digest(one, self.keys) for one in self.inputs]
        self.reference = "f64"
        try:
            exact = self.values(torch.float64)
        except torch.OutOfMemoryError:
            torch.cuda.empty_cache()
            self.reference, exact = "f32", None
        eager = self.values(torch.bfloat16 if request["precision"] == "half" else None, tf32=request["precision"] != "task")
        bound = dict(request["bound"])
        if exact is None:
            exact, bound["least"] = eager, bound["least"] + bound["in_f32"]
            bound["relative"] += bound["in_f32"]
        if request.get("by_module") and (passes := trivial_answer(exact, eager)):
            raise CannotDraw(f"its outputs say nothing of a kernel: {passes} are right")
        inputs_typical = max([typical(one) for one in self.inputs if one.is_floating_point()], default=0.0)
        self.expect([Expected(one, other, bound, inputs_typical) for one, other in zip(exact, eager)])

    def values(self, dtype, tf32=False):
        """The module's outputs for the drawn inputs: in `dtype`, or in the inputs' own."""
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = tf32
        # Copies, since a module may change its inputs in place.
        given = [one.to(dtype, copy=True) if dtype and one.is_floating_point() else one.clone() for one in self.inputs]
        named = {entry["parameter"]: one for entry, one in zip(self.entries, given) if entry.get("parameter")}
        model = construct(self.request, named)
        out = model(*forward_arguments(self.request, [one for entry, one in zip(self.entries, given) if not entry.get("parameter")]))
        return list(out) if isinstance(out, (tuple, list)) else [out]


class Trial(TestCase):
    """A trial of KernelBench's protocol (kernelbench/reference.py), except that get_inputs draws on the GPU."""

    reference = "f32"

    def __init__(self, request, memory):
        super().__init__(request, memory)
        torch.backends.cuda.matmul.allow_tf32, torch.backends.cudnn.allow_tf32 = False, True  # PyTorch's own settings
        task = kernelbench.Task(request["protocol"])
        module = task.construct().to(device="cuda", dtype=task.dtype)
        seed = task.seeds()[request["trial"]]
        with torch.device("cuda"):
            drawn = task.inputs(seed)
        state, given = module.state_dict(), iter([one for one in drawn if isinstance(one, torch.Tensor)])
        for entry, tensor in zip(self.entries, self.inputs):
            tensor.copy_(state[entry["parameter"]] if entry.get("parameter") else next(given))
        kernelbench.set_seed(seed)
        self.expect([Accepted(one, kernelbench.TOLERANCES[request["protocol"]["precision"]]) for one in kernelbench.flat(module(*drawn))])


def opened(request):
    """The test case that a request says. Raises CannotDraw where this machine can't have it."""
    memory = Memory(request["handle"], request["bytes"])
    try:
        return Trial(request, memory) if "trial" in request else Drawn(request, memory)
    except Exception as error:
        memory.close()
        if isinstance(error, torch.OutOfMemoryError):
            raise CannotDraw(str(error).splitlines()[0]) from error
        raise
