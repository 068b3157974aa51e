"""Replaces torch.utils.cpp_extension for a wrapper that is recorded: CUDA sources become functions that record launches.

trl-kernel-check, which this process asks over its pipes, compiles the host code of the sources. That code runs here, in the
confined child, on tensors without data (kernel_check/prelude/recording.h). Kernels go into the plan as source.
"""

import ast
import base64
import ctypes
import json
import mmap
import os
import re
import struct
import sys
import types

import torch

from launch_trace import ON_HOST, Current, number
from object_loader import LoadError, load as load_object
from refusal import line_of_frame

NAME = "torch.utils.cpp_extension"
MAX_SOURCE = 240 << 10
# Flags that change nothing here, since nothing is linked or optimised according to them. Flags that
# add code are refused.
HARMLESS = re.compile(
    r"-O\w*|--?use_fast_math|--?std(=.*)?|c\+\+\d+|-?-?(arch|gencode|generate-code|code)(=.*)?|arch=.*|sm_\d+a?|compute_\d+a?|"
    r"--?lineinfo|-lineinfo|-g|-G|-w|-W(?![alp],).*|-Xptxas(=.*)?|--ptxas-options(=.*)?|-?-?v|-dlcm=\w+|-Xcompiler(=.*)?|-f(PIC|pic)|"
    r"--?expt-[\w-]+|--?extended-lambda|-U__CUDA_NO_\w+|-?-?threads(=\d+)?|\d+|-march=native|-mtune=native|-ffast-math|"
    r"-fno-math-errno|--?ftz=\w+|--?prec-(div|sqrt)=\w+|--?fmad=\w+|-?-?maxrregcount(=\d+)?|-fopenmp|-res-usage|--?restrict|-m64|"
    r"-f(no-)?(unroll-loops|strict-aliasing|inline-functions|omit-frame-pointer)|--?extra-device-vectorization|--?resource-usage|"
    r"--?disable-warnings|-Xcudafe(=.*)?|--?diag[-_]suppress=[\w,]+|--?allow-unsupported-compiler|--?source-in-ptx|--?generate-line-info")
# Libraries and folders that every extension is linked with; a function of another library has no declaration.
LINKED = re.compile(r"-l(cudart(_static)?|cuda|c10(_cuda)?|torch(_cpu|_cuda|_python)?|m|stdc\+\+|pthread|dl|rt)|-L[\w/.+-]+|-Wl,(--no-as-needed|--as-needed|-O\d)")
DEFINITION = re.compile(r"([A-Za-z_]\w*)(?:=([^\n\\]*))?")
LIMITS = {"grid": (2147483647, 65535, 65535), "block": (1024, 1024, 64)}  # CUDA programming guide, compute capability 9.0
MAX_THREADS, MAX_SHARED = 1024, 232448

# c10::ScalarType
TYPES = {0: torch.uint8, 1: torch.int8, 2: torch.int16, 3: torch.int32, 4: torch.int64, 5: torch.float16,
         6: torch.float32, 7: torch.float64, 11: torch.bool, 15: torch.bfloat16, 23: torch.float8_e5m2,
         24: torch.float8_e4m3fn, 27: torch.uint16, 28: torch.uint32, 29: torch.uint64}
TYPE_NUMBERS = {dtype: number for number, dtype in TYPES.items()}
NOTHING, TENSOR, INTEGER, REAL, BOOLEAN, INTEGERS, DTYPE, DEVICE, TEXT, LIST = range(10)


class Value(ctypes.Structure):
    """The struct trl_value of recording.h."""

    _fields_ = [("kind", ctypes.c_long), ("number", ctypes.c_long), ("real", ctypes.c_double), ("items", ctypes.c_void_p)]


class State(ctypes.Structure):
    """The struct at::TensorState of recording.h."""

    _fields_ = [("address", ctypes.c_uint64), ("sizes", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)),
                *((name, ctypes.c_int64) for name in ("dim", "numel", "offset", "type", "cuda", "contiguous", "item_bytes"))]


class Thrown(RuntimeError):
    """An exception that the wrapper's C++ throws, with the line in the candidate's text."""

    def __init__(self, message, line):
        super().__init__(message)
        self.candidate_line = line


def refuse(reason, message, line=None):
    Current.launch_trace.refuse(reason, message, line)


# Conversion of tensors for C++ and back.

states, kept = {}, []


def state_of(tensor):
    dim = tensor.dim()
    if tensor.dtype not in TYPE_NUMBERS:
        refuse("unsupported", f"tensors of {tensor.dtype} are not supported")
    room = (ctypes.c_int64 * (2 * dim + 1))(*tensor.shape, *tensor.stride())
    sizes = ctypes.cast(room, ctypes.POINTER(ctypes.c_int64))
    strides = ctypes.cast(ctypes.addressof(room) + 8 * dim, ctypes.POINTER(ctypes.c_int64))
    cuda = tensor.device.type == "cuda"
    contiguous = tensor.is_contiguous() + 2 * (dim == 4 and tensor.is_contiguous(memory_format=torch.channels_last))
    # As in PyTorch, memory of no bytes has the address 0.
    address = 0 if tensor.untyped_storage().nbytes() == 0 else Current.launch_trace.address(tensor) if cuda else ON_HOST
    state = State(address, sizes, strides, dim, tensor.numel(),
                  tensor.storage_offset(), TYPE_NUMBERS[tensor.dtype], cuda, contiguous, tensor.element_size())
    address = ctypes.addressof(state)
    states[address] = tensor
    kept.append((state, room))
    return address


def to_value(it):
    """Converts a Python argument; raises TypeError for one that no C++ function takes."""
    if it is None:
        return Value(NOTHING, 0, 0, None)
    if isinstance(it, torch.Tensor):
        return Value(TENSOR, state_of(it), 0, None)
    if isinstance(it, bool):
        return Value(BOOLEAN, it, 0, None)
    if isinstance(it, int):
        if not -1 << 63 <= it < 1 << 64:
            raise TypeError(f"the integer {it} has more than 64 bits")
        return Value(INTEGER, it - (1 << 64) if it >= 1 << 63 else it, it, None)
    if isinstance(it, float):
        return Value(REAL, 0, it, None)
    if isinstance(it, torch.dtype) and it in TYPE_NUMBERS:
        return Value(DTYPE, TYPE_NUMBERS[it], 0, None)
    if isinstance(it, str):
        text = ctypes.create_string_buffer(it.encode())
        kept.append(text)
        return Value(TEXT, len(it), 0, ctypes.addressof(text))
    if isinstance(it, (list, tuple)):
        if all(isinstance(one, int) and not isinstance(one, bool) for one in it):
            room = (ctypes.c_int64 * (len(it) + 1))(*it)
            kept.append(room)
            return Value(INTEGERS, len(it), 0, ctypes.addressof(room))
        return to_list([to_value(one) for one in it])
    raise TypeError(f"a {type(it).__name__} can't be passed to C++")


def to_list(values):
    room = (Value * (len(values) + 1))(*values)
    kept.append(room)
    return Value(LIST, len(values), 0, ctypes.addressof(room))


def from_value(value):
    kind = value.kind
    if kind == TENSOR:
        return states[value.number]
    if kind in (INTEGER, BOOLEAN):
        return bool(value.number) if kind == BOOLEAN else value.number
    if kind == REAL:
        return value.real
    if kind == INTEGERS:
        return list((ctypes.c_int64 * value.number).from_address(value.items)) if value.number else []
    if kind == DTYPE:
        if value.number not in TYPES:
            refuse("unsupported", "tensors of this type are not supported")
        return TYPES[value.number]
    if kind == DEVICE:
        return torch.device("cuda", 0) if value.number else torch.device("cpu")
    if kind == TEXT:
        return ctypes.string_at(value.items).decode(errors="replace")
    if kind == LIST:
        return [from_value(one) for one in (Value * value.number).from_address(value.items)] if value.number else []
    return None


# Functions of tensors that C++ code calls.

FORMATS = {0: torch.contiguous_format, 1: torch.preserve_format, 2: torch.channels_last, 3: torch.channels_last_3d}


def chosen(dtype, device, form=None):
    """Returns those options of a new tensor that were given, by name."""
    given = {"dtype": dtype, "device": device, "memory_format": None if form is None else FORMATS[form]}
    return {name: value for name, value in given.items() if value is not None}


def made(dtype, device, form=None):
    return {"dtype": torch.float32, "device": "cpu", **chosen(dtype, device, form)}


def scalar(value, dtype):
    return value if dtype is None or dtype.is_floating_point or value != value or abs(value) == float("inf") else int(value)


def converted(x, dtype, device, copy):
    if device is not None and device.type == "cpu" and x.device.type == "cuda":
        refuse("data_dependent", "the wrapper moves a tensor to the CPU")
    return x.to(dtype=dtype or x.dtype, device=device or x.device, copy=bool(copy))


def filled(x, value):
    return x.fill_(scalar(value, x.dtype))


def memory_view(address, size, what):
    buffer, offset = place_of(address, what)
    return {"buffer": buffer, "offset": offset, "dtype": "u8", "shape": [size], "strides": [1]}


def place_of(address, what):
    if address == 0:
        refuse("unsupported", f"{what} is a null pointer")
    place = Current.launch_trace.place_at(address)
    if place is None:
        refuse("exception", f"{what} points to no tensor on the GPU")
    return place["buffer"], place["offset"]


def set_memory(to, value, size):
    if size:
        Current.launch_trace.add_step({"fill": {"to": memory_view(to & MASK, size, "cudaMemset's destination"), "value": value & 255,
                                          "line": line_of_frame(sys._getframe(1))}})


def copy_memory(to, source, size, kind):
    if kind not in (3, 4):
        refuse("data_dependent" if kind == 2 else "unsupported",
               "the wrapper copies between the GPU and the host; it has no data")
    if size:
        Current.launch_trace.add_step({"copy": {"to": memory_view(to & MASK, size, "cudaMemcpy's destination"),
                                          "from": memory_view(source & MASK, size, "cudaMemcpy's source"),
                                          "line": line_of_frame(sys._getframe(1))}})


MASK = (1 << 64) - 1
OPERATIONS = {
    "contiguous": lambda x, form: x.contiguous(memory_format=FORMATS[form]),
    "clone": lambda x: x.clone(),
    "detach": lambda x: x.detach(),
    "view": lambda x, shape: x.view(shape),
    "reshape": lambda x, shape: x.reshape(shape),
    "flatten": lambda x, first, last: x.flatten(first, last),
    "unflatten": lambda x, axis, shape: x.unflatten(axis, shape),
    "permute": lambda x, axes: x.permute(axes),
    "transpose": lambda x, a, b: x.transpose(a, b),
    "t": lambda x: x.t(),
    "squeeze": lambda x, *axis: x.squeeze(*axis),
    "unsqueeze": lambda x, axis: x.unsqueeze(axis),
    "expand": lambda x, shape: x.expand(shape),
    "narrow": lambda x, axis, first, count: x.narrow(axis, first, count),
    "select": lambda x, axis, at: x.select(axis, at),
    "slice": lambda x, axis, first, last, step: torch.ops.aten.slice.Tensor(x, axis, first, last, step),
    "as_strided": lambda x, shape, strides: x.as_strided(shape, strides),
    "to": converted,
    "copy_": lambda x, source: x.copy_(source),
    "fill_": filled,
    "zero_": lambda x: x.zero_(),
    "new_empty": lambda x, shape: x.new_empty(shape),
    "new_zeros": lambda x, shape: x.new_zeros(shape),
    "empty": lambda shape, *options: torch.empty(shape, **made(*options)),
    "empty_like": lambda x, *options: torch.empty_like(x, **(chosen(*options) if options else {})),
    "empty_strided": lambda shape, strides, *options: torch.empty_strided(shape, strides, **made(*options)),
    "zeros": lambda shape, *options: torch.zeros(shape, **made(*options)),
    "zeros_like": lambda x, *options: torch.zeros_like(x, **(chosen(*options) if options else {})),
    "ones": lambda shape, *options: torch.ones(shape, **made(*options)),
    "ones_like": lambda x: torch.ones_like(x),
    "full": lambda shape, value, dtype, device: torch.full(shape, scalar(value, dtype), **made(dtype, device)),
    "full_like": lambda x, value: torch.full_like(x, scalar(value, x.dtype)),
    "cat": lambda tensors, axis: torch.cat(tensors, axis),
    "stack": lambda tensors, axis: torch.stack(tensors, axis),
    "cudaMalloc": lambda size: torch.empty(size, dtype=torch.uint8, device="cuda"),
    "cudaMemcpy": copy_memory,
    "cudaMemset": set_memory,
}

RUN = ctypes.c_void_p
HOST_CALL = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_long, ctypes.POINTER(Value))
HOST_FAIL = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_int)
HOST_LAUNCH = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(ctypes.c_uint32), ctypes.POINTER(ctypes.c_void_p),
                               ctypes.c_size_t, ctypes.c_size_t, ctypes.c_int)
HOST_DEFINE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p, RUN, ctypes.c_void_p, ctypes.c_long, ctypes.c_void_p, ctypes.c_long)
ENTER = ctypes.PYFUNCTYPE(ctypes.c_int, RUN, ctypes.c_void_p, ctypes.c_void_p, ctypes.POINTER(Value))
BIND = ctypes.PYFUNCTYPE(None)

# The functions of C's library that a wrapper may call; recording.h provides memory allocation.
LIBRARY = {"memcpy", "memmove", "memset", "memcmp", "bcmp", "strlen", "strcmp", "strncmp", "free", "snprintf"}
MATHEMATICS = {
    name + end for end in ("", "f") for name in
    ("acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 fabs fdim floor fma fmax fmin fmod "
     "frexp hypot ldexp lgamma log log10 log1p log2 lrint lround nearbyint pow remainder rint round sin sinh sqrt tan tanh tgamma "
     "trunc sincos").split()} | {"abs", "labs", "llabs"}
INSTEAD = {"malloc": "trl_malloc", "exit": "trl_exit", "abort": "trl_exit", "_ZSt9terminatev": "trl_exit", "_Unwind_Resume": "trl_exit",
           "__clang_call_terminate": "trl_exit",
           **dict.fromkeys(("printf", "fprintf", "puts", "putchar", "fputs", "fputc", "fwrite", "fflush"), "trl_silent")}
# Tables with which objects of type_info and of streams begin. Nobody reads them.
EMPTY = ("_ZTVN10__cxxabiv1", "_ZSt4cout", "_ZSt4cerr", "stdout", "stderr", "__gxx_personality_v0", "__dso_handle", "_ZTI")
empty_room = ctypes.create_string_buffer(4096)
libc, libm = ctypes.CDLL(None), ctypes.CDLL("libm.so.6")


def address_of(function):
    return ctypes.cast(function, ctypes.c_void_p).value


class Host:
    """The functions that recording.h imports, for one extension."""

    def __init__(self, extension):
        self.extension, self.pending, self.defined = extension, None, []
        self.refused, self.rooms = {}, []  # calls that are refused, by symbol; what their code needs
        self.callbacks = {"trl_host_call": HOST_CALL(self.guarded(self.call)), "trl_host_fail": HOST_FAIL(self.guarded(self.fail)),
                          "trl_host_launch": HOST_LAUNCH(self.guarded(self.launch)),
                          "trl_host_define": HOST_DEFINE(self.guarded(self.define))}

    def guarded(self, function):
        def call(*args):
            try:
                function(*args)
                return 0
            except BaseException as error:  # C++ returns to where Python called it, which raises this
                self.pending = error
                return 1
        return call

    def resolve(self, name, own):
        if name in self.callbacks:
            return address_of(self.callbacks[name])
        if name == "trl_host_malloc":
            return address_of(libc.malloc)
        if name in LIBRARY:
            return address_of(getattr(libc, name))
        if name in MATHEMATICS:
            return address_of(getattr(libm, name, None) or getattr(libc, name))
        if name in INSTEAD:
            return own.get(INSTEAD[name])
        if name in self.refused:
            return self.refusing(self.refused[name], own["trl_refused"])
        if name.startswith(EMPTY):
            return ctypes.addressof(empty_room)
        return None

    def refusing(self, call, refused):
        """The address of code that calls trl_refused, which never returns, with the reason, the message and the line."""
        texts = [ctypes.create_string_buffer(call[name].encode()) for name in ("reason", "message")]
        code = mmap.mmap(-1, mmap.PAGESIZE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
        self.rooms.append((texts, code))
        # movabs rdi, rsi; mov edx; movabs rax; jmp rax
        code.write(b"\x48\xbf%b\x48\xbe%b\xba%b\x48\xb8%b\xff\xe0" % (
            *(ctypes.addressof(text).to_bytes(8, "little") for text in texts), call["line"].to_bytes(4, "little"), refused.to_bytes(8, "little")))
        return ctypes.addressof(ctypes.c_char.from_buffer(code))

    def call(self, name, arguments, count, result):
        values = (Value * count).from_address(arguments) if count else []
        result[0] = to_value(OPERATIONS[name.decode()](*(from_value(one) for one in values)))

    def fail(self, reason, message, line):
        reason, message = reason.decode(), message.decode(errors="replace")
        line = self.extension.line(line)
        if reason == "thrown":
            raise Thrown(message, line)
        refuse(reason, message, line)

    def launch(self, stub, sizes, arguments, shared, stream, line):
        self.extension.launch(stub, sizes[0:3], sizes[3:6], arguments, shared, stream, line)

    def define(self, name, run, function, count, named, named_count):
        parts = [from_value(one) if one.kind >= 0 else inspect_empty
                 for one in (Value * named_count).from_address(named)] if named_count else []
        self.defined.append((name.decode(), run, function, count, list(zip(parts[0::2], parts[1::2]))))


inspect_empty = object()  # inspect.Parameter.empty for parameters without a default


class Function:
    """A function of the candidate's C++, with its overloads."""

    def __init__(self, name, extension):
        self.__name__, self.extension, self.overloads = name, extension, []

    def arranged(self, args, kwargs):
        """Finds the overload that takes these arguments, and its arguments in order."""
        for run, function, count, named in self.overloads:
            values = list(args)
            if len(values) > count:
                continue
            for name, default in named[len(values):] if len(named) == count else []:
                if name in kwargs or default is not inspect_empty:
                    values.append(kwargs.get(name, default))
            names = [name for name, _ in named[len(args):]]
            if len(values) == count and all(name in names for name in kwargs):
                return run, function, values
        counts = " or ".join(sorted({str(count) for _, _, count, _ in self.overloads}))
        refuse("wrong_arguments", f"{self.__name__} takes {counts} arguments, not {len(args) + len(kwargs)}")

    def __call__(self, *args, **kwargs):
        run, function, values = self.arranged(args, kwargs)
        try:
            packed = (Value * (len(values) + 1))(*(to_value(one) for one in values))
        except TypeError as error:
            refuse("wrong_arguments", f"{self.__name__}: {error}")
        result = Value()
        host = self.extension.host
        host.pending = None
        os.write(3, b"!%d\n" % (line_of_frame(sys._getframe(1)) or 0))
        if self.extension.enter(run, function, packed, result):
            error, host.pending = host.pending, None
            raise error or RuntimeError(f"{self.__name__} doesn't return in the expected way")
        found = from_value(result)
        return tuple(found) if isinstance(found, list) and result.kind == LIST and len(found) > 1 else found


class Extension:
    """Sources of the candidate, compiled and loaded."""

    def __init__(self, answer, lines, options):
        self.lines, self.source, self.options = lines, answer["device_source"], options
        self.host = Host(self)
        self.host.refused = {one["symbol"]: one for one in answer["refused_calls"]}
        try:
            self.loaded = load_object(base64.b64decode(answer["object"]), self.host.resolve)
        except LoadError as error:
            if error.symbol:
                refuse("unsupported", f"the wrapper's C++ asks for {error.symbol}, which is not available here")
            refuse("forbidden", f"the wrapper's C++ is not loaded: {error}")
        self.enter = ENTER(self.loaded.symbols["trl_enter"])
        self.kernels = {self.loaded.symbols[one["stub"]]: one for one in answer["kernels"] if one["stub"] in self.loaded.symbols}
        BIND(self.loaded.symbols["trl_bind"])()
        self.functions = {}
        for name, run, function, count, named in self.host.defined:
            self.functions.setdefault(name, Function(name, self)).overloads.append((run, function, count, named))

    def line(self, line):
        """The candidate's line for a line of the compiled sources; without one, the line of the call in Python."""
        for first, last, delta in self.lines:
            if first <= line <= last and delta is not None:
                return line + delta
        return line_of_frame(sys._getframe(1))

    def launch(self, stub, grid, block, arguments, shared, stream, line):
        kernel = self.kernels.get(stub)
        if kernel is None:
            refuse("unsupported", "what is launched is no kernel of the sources", self.line(line))
        # If a launch is inside a macro's arguments, the compiler reports the line on which the
        # macro's use ends.
        known = kernel["launch_lines"]
        if known and line not in known:
            line = max((one for one in known if one <= line), default=known[0])
        line = self.line(line)
        if stream not in (0, 1):
            refuse("unsupported", "streams of one's own are not supported: kernels run on the current stream", line)
        name = kernel["name"]
        if min(grid) <= 0:
            Current.launch_trace.empty_grid(grid, line)
            return
        for what, sizes in (("grid", grid), ("block", block)):
            if min(sizes) < 1 or any(size > most for size, most in zip(sizes, LIMITS[what])):
                refuse("wrong_launch", f"{name}: the {what} is {tuple(sizes)}; a GPU takes 1 to {LIMITS[what]}", line)
        if block[0] * block[1] * block[2] > MAX_THREADS:
            refuse("wrong_launch", f"{name}: a block of {block[0] * block[1] * block[2]} threads; a GPU takes {MAX_THREADS}", line)
        if shared > MAX_SHARED:
            refuse("wrong_launch", f"{name}: {shared} bytes of shared memory; a GPU has {MAX_SHARED}", line)
        args = [argument(one, arguments[at], f"argument {at + 1} of {name}", line)
                for at, one in enumerate(kernel["parameters"])]
        Current.launch_trace.launch({"kernel": self.entry(kernel), "grid": list(grid), "block": list(block), "shared": shared,
                               "args": args, "line": line})

    def entry(self, kernel):
        """Returns the kernel's number in the plan."""
        entry = {"name": kernel["name"], "language": "cuda", "source": self.source, "expression": kernel["expression"],
                 "options": dict(self.options)}
        if any(delta != 0 for _, _, delta in self.lines):
            entry["lines"] = [list(one) for one in self.lines]
        if entry not in Current.kernels:
            if len(Current.kernels) >= 256:
                refuse("too_large", "more than 256 kernels")
            Current.kernels.append(entry)
        return Current.kernels.index(entry)


READ = {"i1": "?", "i8": "b", "i16": "h", "i32": "i", "u8": "B", "u16": "H", "u32": "i", "i64": "q", "u64": "q", "f32": "f",
        "f64": "d", "f16": "e"}
WRITTEN = {"i1": "i1", "i64": "i64", "u64": "i64", "f32": "f32", "f64": "f64", "f16": "f16", "bf16": "bf16"}


MAX_STRUCT = 4096


def buffer_at(address, what, line):
    """Finds the buffer that a kernel's pointer points into."""
    if address >= ON_HOST:
        refuse("exception", f"{what} is a tensor on the CPU, which a kernel cannot reach", line)
    place = Current.launch_trace.place_at(address)
    if place is None:
        refuse("exception", f"{what} points to no tensor on the GPU", line)
    return place


def struct_argument(parameter, raw, what, line):
    """Describes a struct passed by value: its numbers as bytes, its pointers as buffers. Null pointers stay bytes."""
    if "numbers" not in parameter:
        refuse("unsupported", f"{what} is a class with references, functions or copies of its own, which plans don't hold", line)
    if len(raw) > MAX_STRUCT:
        refuse("unsupported", f"{what} has more than {MAX_STRUCT} bytes", line)
    held, addresses = bytearray(len(raw)), []
    for at, size in parameter["numbers"]:
        held[at:at + size] = raw[at:at + size]
    for at in sorted(parameter["addresses"]):
        address, = struct.unpack_from("<Q", raw, at)
        if address:
            addresses.append({"at": at, **buffer_at(address, f"a pointer in {what}", line)})
    return {"bytes": held.hex(), "addresses": addresses}


def argument(parameter, place, what, line):
    kind = parameter["kind"]
    raw = ctypes.string_at(place, parameter["size"])
    if kind == "bytes":
        return struct_argument(parameter, raw, what, line)
    if kind == "pointer":
        address, = struct.unpack("<Q", raw)
        return buffer_at(address, what, line) if address else {"i64": 0}  # null, as for a bias that isn't there
    if kind == "bf16":
        value, = struct.unpack("<f", b"\0\0" + raw)
    else:
        value, = struct.unpack("<" + READ[kind], raw)
    return {WRITTEN.get(kind, "i32"): bool(value) if kind == "i1" else number(value)}


# Sources and flags of extensions.

def located(text):
    """The candidate's line before the first line of a source that is one literal string in the candidate's text; else None."""
    try:
        tree = ast.parse(Current.source)
    except (ValueError, SyntaxError, RecursionError):
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and node.value == text:
            whole = node.end_lineno - node.lineno == text.count("\n")
            return node.lineno - 1 if whole else None
    return None


def found_lines(source):
    """Finds lines of a source that the candidate composes (by +, replace, an f-string): for each line the candidate's line number if
    that text occurs there once, or on the line after the one found for the previous line; else None."""
    places = {}
    for at, line in enumerate(Current.source.splitlines(), 1):
        places.setdefault(line.strip(), []).append(at)
    lines, last = [], None
    for line in source.splitlines():
        held = places.get(line.strip(), []) if line.strip() else []
        at = held[0] if len(held) == 1 else last + 1 if last is not None and last + 1 in held else None
        lines.append(at)
        last = at if at is not None else last + 1 if last is not None else None
    return lines


def runs(first, lines):
    """The same as [(first, last, difference)], with one entry for consecutive lines of equal difference."""
    found = []
    for at, line in enumerate(lines, first):
        delta = None if line is None else line - at
        if found and found[-1][2] == delta:
            found[-1] = (found[-1][0], at, delta)
        else:
            found.append((at, at, delta))
    return found


def composed(sources):
    """Joins sources into one text, where possible with the candidate's line numbers, and returns it with `runs` for all lines."""
    found = sorted(((located(text), text) for text in sources), key=lambda one: (one[0] is None, one[0] or 0))
    text, lines = "", []
    at = 1  # number of the next line
    for before, source in found:
        source = source if source.endswith("\n") else source + "\n"
        exact = before is not None and before + 1 >= at
        if exact:
            text, at = text + "\n" * (before + 1 - at), before + 1
        elif before is None:  # without a known line: behind all others
            behind = Current.source.count("\n") + 2
            text, at = text + "\n" * max(0, behind - at), max(at, behind)
        count = source.count("\n")
        if before is None:
            lines += runs(at, found_lines(source))
        else:
            lines.append((at, at + count - 1, before + 1 - at))
        text, at = text + source, at + count
    return text, lines


def as_list(it, what):
    it = [it] if isinstance(it, (str, os.PathLike)) else list(it or [])
    if not all(isinstance(one, (str, os.PathLike)) for one in it):
        raise TypeError(f"{what} holds something other than text")
    return [os.fspath(one) for one in it]


def flags_of(more, name):
    """The flags of one kind, and the macros that -D among them defines: ([flag], {name: text})."""
    flags, definitions, given = [], {}, iter(str(flag) for flag in more.get(name) or [])
    for flag in given:
        if not flag.startswith("-D"):
            flags.append(flag)
            continue
        found = DEFINITION.fullmatch(flag[2:] or next(given, ""))
        if not found:
            refuse("option", f"{name}: {flag} defines no macro without parameters, in one line")
        definitions[found[1]] = "1" if found[2] is None else found[2]
    return flags, definitions


def chosen_options(more):
    """Returns a kernel's options from those of an extension, and the macros that its flags define; others that aren't supported are refused."""
    if any(more.get("extra_include_paths") or []):
        refuse("option", "extra_include_paths: the contents of other files are no part of the candidate")
    definitions, fast = {}, False
    for name, allowed in (("extra_cflags", HARMLESS), ("extra_cuda_cflags", HARMLESS), ("extra_sycl_cflags", HARMLESS), ("extra_ldflags", LINKED)):
        flags, defined = flags_of(more, name) if allowed is HARMLESS else ([str(flag) for flag in more.get(name) or []], {})
        for flag in flags:
            if flag and not allowed.fullmatch(flag):
                refuse("option", f"{name}: {flag} is not allowed")
        for macro, text in defined.items():
            if definitions.setdefault(macro, text) != text:
                refuse("option", f"{name}: {macro} is {text} here and {definitions[macro]} in other flags, and all sources are compiled as one")
        fast |= name == "extra_cuda_cflags" and any(flag.endswith("use_fast_math") for flag in flags)
    if more.get("sycl_sources"):
        refuse("unsupported", "sources in SYCL are not supported")
    if more.get("is_python_module", True) is not True or more.get("is_standalone"):
        refuse("unsupported", "a library that is no module of Python (is_python_module) is not supported")
    return {"use_fast_math": True} if fast else {}, definitions


def with_definitions(text, lines, definitions):
    """The sources with macros defined above them, as a compiler's -D does, and their lines."""
    above = "".join(f"#define {name} {value}\n" for name, value in definitions.items())
    count = len(definitions)
    moved = [(first + count, last + count, delta - count if delta is not None else None) for first, last, delta in lines]
    return above + text, [(1, count, None), *moved] if count else moved


compiled = {}  # cache by text, functions and options


def ask(request):
    """Has sources compiled, over this process's pipes."""
    data = memoryview(b"?" + json.dumps(request).encode() + b"\n")
    while data:
        data = data[os.write(3, data):]
    parts = []
    while not parts or not parts[-1].endswith(b"\n"):
        parts.append(os.read(4, 1 << 20))
        if not parts[-1]:
            os._exit(0)
    return json.loads(b"".join(parts))


def extension(text, lines, functions, options):
    """Compiles `text`, whose lines `composed` gave, and returns its functions by name."""
    if len(text) > MAX_SOURCE:
        refuse("too_large", f"the sources have more than {MAX_SOURCE >> 10} KiB")
    key = (text, tuple(functions), tuple(options.items()))
    if key not in compiled:
        answer = ask({"source": text, "functions": functions})
        if "refused" in answer:
            why = answer["refused"]
            line = why.get("line")
            mapped = next((line + delta for first, last, delta in lines if line and delta is not None and first <= line <= last), None)
            refuse(why["reason"], why["message"], mapped)
        compiled[key] = Extension(answer, lines, options)
    return compiled[key].functions


def module_of(name, sources, functions, more):
    options, definitions = chosen_options(more)
    module = types.ModuleType(name)
    module.__dict__.update(extension(*with_definitions(*composed(sources), definitions), functions, options))
    return module


def load_inline(name, cpp_sources=None, cuda_sources=None, functions=None, **more):
    functions = list(functions) if isinstance(functions, dict) else as_list(functions, "functions")
    return module_of(name, as_list(cpp_sources, "cpp_sources") + as_list(cuda_sources, "cuda_sources"), functions, more)


def load(name, sources, *args, **more):
    if args:
        refuse("option", "load: positional options are not supported")
    texts = []
    for path in as_list(sources, "sources"):
        with open(path) as file:
            texts.append(file.read(MAX_SOURCE + 1))
    return module_of(name, texts, [], more)


BINDS = re.compile(r"^[ \t]*PYBIND11_MODULE\s*\(", re.MULTILINE)
MAKES_TENSORS = re.compile(r"^(?:static\s+|inline\s+)*(?:(?:torch|at)::)?Tensor\s+(\w+)\s*\(", re.MULTILINE)


def entry(source):
    """Returns the function by which a candidate that is a CUDA file computes the task: `forward`, or the only one that it has.

    If the file has a PYBIND11_MODULE, only functions that it names count; else those that return a tensor.
    """
    binds = BINDS.search(source) is not None
    names = [] if binds else list(dict.fromkeys(MAKES_TENSORS.findall(source)))
    if "forward" in names:
        names = ["forward"]
    if not binds and len(names) != 1:
        refuse("missing_model", "a CUDA file computes the task by torch::Tensor forward(…), which takes the inputs in order; "
                                + (f"this one has {', '.join(names)}" if names else "this one has no such function"))
    functions = extension(source, [(1, source.count("\n") + 1, 0)], names, {})
    if "forward" in functions or len(functions) == 1:
        return functions.get("forward") or next(iter(functions.values()))
    refuse("missing_model", "PYBIND11_MODULE defines no `forward`" + (f", but {', '.join(functions)}" if functions else ""))


def no_builds(*args, **more):
    refuse("unsupported", "extensions are built by load_inline or load; setuptools are not supported")


def install():
    """Replaces torch.utils.cpp_extension, which would start compilers."""
    module = types.ModuleType(NAME)
    module.load_inline, module.load = load_inline, load
    module.CUDAExtension = module.CppExtension = module.BuildExtension = no_builds
    module.CUDA_HOME, module.ROCM_HOME, module.IS_HIP_EXTENSION = "/usr/local/cuda", None, False
    module.include_paths = module.library_paths = lambda *args, **more: []
    module.is_ninja_available = lambda: True
    module.verify_ninja_availability = lambda: None
    sys.modules[NAME] = module
    torch.utils.cpp_extension = module
