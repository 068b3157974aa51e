"""The launch trace of one call of a candidate while it is recorded: buffers, steps and kernels.

A tensor is identified by its storage. Each storage is a buffer at an address of its own, so that alignment and
offsets are as on a GPU. No buffer has contents.
"""

import contextlib
import random
import sys

import torch

from refusal import Refused, line_of_frame

DTYPES = {
    torch.float64: "f64", torch.float32: "f32", torch.float16: "f16", torch.bfloat16: "bf16", torch.int64: "i64",
    torch.int32: "i32", torch.int16: "i16", torch.int8: "i8", torch.uint64: "u64", torch.uint32: "u32",
    torch.uint16: "u16", torch.uint8: "u8", torch.bool: "i1", torch.float8_e4m3fn: "f8e4m3", torch.float8_e5m2: "f8e5m2",
}
NAMES = {name: dtype for dtype, name in DTYPES.items()}

# The addresses of buffers. Each buffer has four GiB of addresses, in an order without a pattern, so
# that one buffer's address says as little about another's as on a GPU. Few numbers of wrappers that
# are no addresses lie in this range.
FIRST_ADDRESS, ADDRESS_BITS = 0x7000 << 32, 32
PLACES = random.Random(0).sample(range(4096), 4096)  # of buffers, in their order
BUFFERS = {place: buffer for buffer, place in enumerate(PLACES)}
# The address that a tensor on the CPU has.
ON_HOST = 1 << 48

MAX_BUFFERS = 1024
MAX_STEPS = 1024
MAX_OPERATORS = 1024  # of PyTorch at stretched sizes, where a wrapper may have a loop over the long dimension


def number(value):
    """Returns a number in strict JSON, in which NaN and the infinities become strings."""
    value = float(value) if isinstance(value, float) else int(value)
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return "nan" if value != value else "inf" if value > 0 else "-inf"
    return value


class LaunchTrace:
    def __init__(self):
        self.buffers = []   # in the form of the plan
        self.earlier = 0    # number of buffers of an earlier call
        self.storages = {}  # storage → buffer number
        self.alive = []     # storages are kept alive, so that no id is used twice
        self.steps = []
        self.launches = 0
        self.operators = 0  # PyTorch's, views among them
        # Storage on the CPU → (a tensor in it; its values: a list of all values, a list of the one
        # value that all elements have, or None if uninitialised)
        self.host_values = {}
        # Buffers whose contents aren't known, such as weights that a constructor draws on the GPU:
        # number → why a step can't use the buffer.
        self.undetermined = {}
        self.empty = None   # the first launch with an empty grid: (grid, line)
        self.violation = None

    def copy(self):
        other = LaunchTrace()
        other.buffers, other.storages = list(self.buffers), dict(self.storages)
        other.alive, other.steps = list(self.alive), list(self.steps)
        other.host_values, other.undetermined = dict(self.host_values), dict(self.undetermined)
        other.earlier = self.earlier
        other.launches, other.empty, other.violation = self.launches, self.empty, self.violation
        return other

    def next_call(self):
        """Returns the launch trace of another call after this one. That call may use this one's buffers."""
        other = self.copy()
        other.earlier, other.steps = len(self.buffers), []
        other.launches, other.empty, other.violation = 0, None, None
        return other

    def leave_undetermined(self, tensor, reason, message):
        self.undetermined[self.buffer_of(tensor)] = Refused(reason, message, line_of_frame(sys._getframe(1)))

    def require_determined(self, steps):
        """Refuses steps, or views, that use a buffer with unknown contents."""
        for buffer in self.buffers_used(steps) & self.undetermined.keys() if self.undetermined else ():
            self.violation = self.violation or self.undetermined[buffer]
            raise self.undetermined[buffer]

    def buffers_used(self, steps=None):
        """Returns the numbers of the buffers that steps read or write; by default, the steps of this call."""
        used, left = set(), list(self.steps if steps is None else steps)
        while left:
            one = left.pop()
            if isinstance(one, dict):
                if "buffer" in one:
                    used.add(one["buffer"])
                left += one.values()
            elif isinstance(one, list):
                left += one
        return used

    def inputs_used(self):
        """Returns the numbers of the task's inputs, as this call got them, that are among the buffers used."""
        return {self.buffers[buffer]["input"] for buffer in self.buffers_used()
                if buffer >= self.earlier and "input" in self.buffers[buffer]}

    def refuse(self, reason, message, line=None):
        """Records the first violation, which stays even if the candidate catches the exception."""
        refused = Refused(reason, message, line or line_of_frame(sys._getframe(1)))
        if self.violation is None:
            self.violation = refused
        raise refused

    def add_buffer(self, tensor, role, index=None):
        if len(self.buffers) - self.earlier >= MAX_BUFFERS:
            self.refuse("too_large", f"more than {MAX_BUFFERS} tensors are allocated")
        storage = tensor.untyped_storage()
        entry = {"bytes": storage.nbytes(), "role": role}
        if index is not None:
            entry["input"] = index
        self.storages[storage._cdata] = len(self.buffers)
        self.buffers.append(entry)
        self.alive.append(storage)

    def buffer_of(self, tensor):
        """Returns the number of a tensor's buffer; None for a tensor without one: it is on the CPU, or wasn't allocated
        in this call or an earlier one that it follows."""
        return self.storages.get(tensor.untyped_storage()._cdata)

    def knows(self, tensor):
        """Whether a tensor on the CPU can be copied to the GPU, because its contents are known or uninitialised."""
        whole, _ = self.host_values.get(tensor.untyped_storage()._cdata, (None, []))
        return whole is not None and whole.shape == tensor.shape and whole.stride() == tensor.stride()

    def address(self, tensor):
        buffer = self.buffer_of(tensor)
        return ON_HOST if buffer is None else FIRST_ADDRESS + (PLACES[buffer] << ADDRESS_BITS) + self.offset(tensor)

    def is_address(self, number):
        """Whether a number can only be meant as an address of a buffer, of this call's or of no buffer."""
        return FIRST_ADDRESS <= number < FIRST_ADDRESS + (len(PLACES) << ADDRESS_BITS)

    def place_at(self, address):
        """Returns the place in a buffer to which an address points, {"buffer", "offset"}, or None."""
        buffer = BUFFERS.get((address - FIRST_ADDRESS) >> ADDRESS_BITS, len(self.buffers))
        offset = address & ((1 << ADDRESS_BITS) - 1)
        if buffer >= len(self.buffers) or offset > self.buffers[buffer]["bytes"]:
            return None
        return {"buffer": buffer, "offset": offset}

    @staticmethod
    def offset(tensor):
        return tensor.storage_offset() * tensor.element_size()

    def view(self, tensor):
        """Returns a tensor in the plan's form, with the offset in bytes and strides in elements."""
        buffer = self.buffer_of(tensor)
        if buffer is None:
            self.refuse("unsupported", "a tensor is used that was not allocated on the GPU in this call")
        if tensor.dtype not in DTYPES:
            self.refuse("unsupported", f"tensors of {tensor.dtype} are not supported")
        return {"buffer": buffer, "offset": self.offset(tensor), "dtype": DTYPES[tensor.dtype],
                "shape": list(tensor.shape), "strides": list(tensor.stride())}

    def count_operator(self):
        """Counts an operator of PyTorch. A limit on this count gives the same recording on every machine, unlike a
        limit of time."""
        self.operators += 1
        if Current.stretched and self.operators > MAX_OPERATORS:
            self.refuse("too_large", f"more than {MAX_OPERATORS} operators of PyTorch in one call")

    def add_step(self, step):
        if len(self.steps) >= MAX_STEPS:
            self.refuse("too_large", f"more than {MAX_STEPS} operations and launches in one call")
        self.require_determined([step])
        self.steps.append(step)

    def fill(self, tensor, value):
        if tensor.numel() * tensor.element_size() == tensor.untyped_storage().nbytes():
            self.undetermined.pop(self.buffer_of(tensor), None)
        if isinstance(value, bool):
            value = int(value)
        if not isinstance(value, (int, float)):
            self.refuse("unsupported", f"a tensor is filled with a {type(value).__name__}")
        if isinstance(value, int) and tensor.dtype in (torch.int64, torch.uint64) and self.is_address(value):
            return self.put_address(tensor, value)
        self.add_step({"fill": {"to": self.view(tensor), "value": number(value),
                                "line": line_of_frame(sys._getframe(1))}})

    def put_address(self, tensor, address):
        place = self.place_at(address)
        if place is None:
            self.refuse("unsupported", "a table holds an address that is in no tensor which was allocated on the GPU in this call")
        self.add_step({"address": {"to": self.view(tensor), "of": place, "line": line_of_frame(sys._getframe(2))}})

    def copy_between(self, to, source):
        self.add_step({"copy": {"to": self.view(to), "from": self.view(source),
                                "line": line_of_frame(sys._getframe(1))}})

    @contextlib.contextmanager
    def aside(self):
        """Yields a list. Steps that are recorded within the `with` block go into this list instead of the plan."""
        steps, launches, self.steps = self.steps, self.launches, []
        try:
            yield self.steps
        finally:
            self.steps, self.launches = steps, launches

    def empty_grid(self, grid, line):
        self.empty = self.empty or (grid, line)

    def launch(self, step):
        self.launches += 1
        self.add_step({"launch": step})


class Current:
    """The launch_trace in use; a process has one at a time."""

    launch_trace = LaunchTrace()
    kernels = []
    source = ""  # the candidate's text
    alternative_kernels = 0  # number compiled, or tried, for autotuning alone
    made = []  # [function, signature, constants, options, text] of each kernel that was compiled
    repeated = False  # whether this is a second call, whose launches go into no plan
    stretched = False  # whether the shape is of stretched sizes, where values alone are judged
    constructing = False  # whether ModelNew's constructor runs, whose random weights may become the task's
    draws = None  # what the tensors of ModelNew's constructor hold (weight_draws.py), while it runs
    own_names = {}  # the task's parameter → the answer's name for it, as the first shape found them
    weights = {}  # the task's parameters to which KernelBench's seed gives other numbers in the answer than in the task's module
    epilogue = False  # whether PyTorch may finish what kernels computed (epilogue.py)
    on_compile = staticmethod(lambda line: None)  # called with the launch's line before a kernel is compiled
