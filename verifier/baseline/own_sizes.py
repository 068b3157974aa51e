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
from passes import apart, digest, first_wrong

sys.path.append(str(pathlib.Path(__file__).parents[1] / "kernelbench"))
import reference as kernelbench

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


def typical(x):
    """Returns the median of the absolute values that are finite and not 0, taken from a sample, as
    verifier/tasks/honest_error.cpp does."""
    flat = x.reshape(-1)
    flat = flat[::max(1, flat.numel() // 4096)].abs().double()
    flat = flat[(flat > 0) & flat.isfinite()]
    return flat.median().item() if flat.numel() else 0.0


class Expected:
    """The right values of one output, and how far each element of an answer may be from them."""

    def __init__(self, exact, eager, bound, inputs_typical):
        self.exact, eager = exact.contiguous(), eager.contiguous()
        # The other values that are right. For real numbers: where eager PyTorch overflows, an
        # answer may overflow, too. For integers that rounding decides: eager PyTorch's integers are
        # as right as the exact ones.
        self.also, missed = None, 0.0
        if self.exact.is_floating_point():
            missed, lost = apart(self.exact, eager)
            if lost:
                self.also = self.exact.isfinite() & ~eager.isfinite()
        elif not torch.equal(eager, self.exact):
            self.also = eager
        unit = bound["computed"]
        self.relative = bound["relative"]
        self.absolute = unit * typical(self.exact) + bound["least"] + unit**3 * inputs_typical + TIMES_EAGER * missed

    def first_wrong(self, got):
        """The index, value, right value and tolerance of the first wrong element; None if all are right."""
        place = first_wrong(got, self.exact, self.relative, self.absolute, self.also)
        if place is None:
            return None
        wanted = self.exact.view(-1)[place].item()
        allowed = self.relative * abs(wanted) + self.absolute if self.exact.is_floating_point() else None
        return {"index": place, "got": str(got.reshape(-1)[place].item()), "expected": str(wanted), "tolerance": allowed}


def trivial_answer(exact, eager):
    """Names an answer that computes nothing and is still as near to the exact outputs as eager PyTorch is; None if
    there is none."""
    for words, other in (("zeros", torch.zeros_like), ("constants", lambda one: torch.full_like(one, one.double().mean()))):
        if all(one.is_floating_point() and apart(one, other(one)) <= apart(one, own) for one, own in zip(exact, eager)):
            return words
    return None


class Accepted:
    """The outputs that KernelBench's protocol accepts: |expected - answer| <= t + t |answer|."""

    def __init__(self, exact, tolerance):
        self.exact, self.allowed = exact.contiguous(), tolerance

    def first_wrong(self, got):
        # torch.allclose has a tolerance for integers, too.
        exact = self.exact if self.exact.is_floating_point() else self.exact.double()
        place = first_wrong(got, exact, self.allowed, self.allowed, of_got=True)
        if place is None:
            return None
        return {"index": place, "got": str(got.reshape(-1)[place].item()), "expected": str(self.exact.view(-1)[place].item()), "tolerance": self.allowed}


class TestCase:
    """The inputs and outputs of a plan in the runner's memory, and the outputs' right values."""

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
        """Returns the module's outputs for the drawn inputs, computed in `dtype`, or in the inputs' own dtypes."""
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = tf32
        # Copies, since a module may change its inputs in place.
        given = [one.to(dtype, copy=True) if dtype and one.is_floating_point() else one.clone() for one in self.inputs]
        named = {entry["parameter"]: one for entry, one in zip(self.entries, given) if entry.get("parameter")}
        model = construct(self.request, named)
        out = model(*forward_arguments(self.request, [one for entry, one in zip(self.entries, given) if not entry.get("parameter")]))
        return list(out) if isinstance(out, (tuple, list)) else [out]


class Trial(TestCase):
    """A trial of KernelBench's protocol (kernelbench/reference.py), except that inputs and weights are drawn on the GPU."""

    reference = "f32"

    def __init__(self, request, memory):
        super().__init__(request, memory)
        torch.backends.cuda.matmul.allow_tf32, torch.backends.cudnn.allow_tf32 = False, True  # PyTorch's own settings
        task = kernelbench.Task(request["protocol"])
        seed = task.seeds()[request["trial"]]
        with torch.device("cuda"):
            module = task.construct().to(device="cuda", dtype=task.dtype)
            drawn = task.inputs(seed)
        state, given = module.state_dict(), iter([one for one in drawn if isinstance(one, torch.Tensor)])
        for entry, tensor in zip(self.entries, self.inputs):
            tensor.copy_(state[entry["parameter"]] if entry.get("parameter") else next(given))
        kernelbench.set_seed(seed)
        self.expect([Accepted(one, kernelbench.TOLERANCES[request["protocol"]["precision"]]) for one in kernelbench.flat(module(*drawn))])


def opened(request):
    """Returns the test case that a request describes. Raises CannotDraw if it can't be drawn on the GPU or doesn't fit
    there, or if its outputs would say nothing about a kernel."""
    memory = Memory(request["handle"], request["bytes"])
    try:
        return Trial(request, memory) if "trial" in request else Drawn(request, memory)
    except Exception as error:
        memory.close()
        if isinstance(error, torch.OutOfMemoryError):
            raise CannotDraw(str(error).splitlines()[0]) from error
        raise
