"""Compiles kernels to TTIR with the installed Triton (no GPU needed) and writes the cases that case_tests.cpp runs: buffers,
launches and expected results."""
import importlib.util
import json
import os
from dataclasses import dataclass

os.environ['CUDA_VISIBLE_DEVICES'] = ''
import torch
from triton._C.libtriton import ir
from triton.backends.compiler import GPUTarget
from triton.compiler.compiler import ASTSource, make_backend

# Names of types in signatures and in the cases.
NAMES = {torch.float32: 'fp32', torch.float64: 'fp64', torch.float16: 'fp16', torch.bfloat16: 'bf16', torch.int8: 'i8',
         torch.int16: 'i16', torch.int32: 'i32', torch.int64: 'i64', torch.uint8: 'u8', torch.uint16: 'u16', torch.uint32: 'u32',
         torch.uint64: 'u64', torch.bool: 'i1', torch.float8_e4m3fn: 'fp8e4nv', torch.float8_e5m2: 'fp8e5'}
DTYPES = {torch.float32: 'f32', torch.float64: 'f64', torch.float16: 'f16', torch.bfloat16: 'bf16', torch.int8: 'i8',
          torch.int16: 'i16', torch.int32: 'i32', torch.int64: 'i64', torch.uint8: 'u8', torch.uint16: 'u16', torch.uint32: 'u32',
          torch.uint64: 'i64', torch.bool: 'u8', torch.float8_e4m3fn: 'f8e4m3', torch.float8_e5m2: 'f8e5m2'}
data = bytearray()
cases = []
generator = torch.Generator().manual_seed(20)


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def ttir(function, signature, constants):
    """Compiles as the recorder does: for an H200, but descriptors become pointers, as for a GPU without TMA."""
    target = GPUTarget('cuda', 90, 32)
    backend = make_backend(target)
    options = backend.parse_options({'debug': False, 'instrumentation_mode': ''})
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    source = ASTSource(function, signature, constants)
    module = source.make_ir(target, options, backend.get_codegen_implementation(options), backend.get_module_map(), context)
    return str(backend.make_ttir(module, {}, options, 80))


def put(tensor):
    at = len(data)
    flat = tensor.contiguous().view(-1)
    data.extend(flat.view(torch.uint8).numpy().tobytes() if flat.numel() else b'')
    return [at, len(data) - at]


class Unwritten:
    """An uninitialised buffer."""
    def __init__(self, count, dtype=torch.float32):
        self.count, self.dtype = count, dtype


class ReadOnly:
    def __init__(self, tensor):
        self.tensor, self.dtype = tensor, tensor.dtype


@dataclass
class Scalar:
    """A number with a type that differs from its Python type: 'i64', 'u8', 'fp16'…"""
    type: str
    value: object


def scalar(argument):
    """Triton's type of a number, and the number in the form of a launch's argument."""
    if isinstance(argument, bool):
        return 'i1', {'i1': argument}
    if isinstance(argument, int):
        return 'i32', {'i32': argument}
    if isinstance(argument, float):
        return 'fp32', {'f32': argument}
    wide = argument.type[1:] == '64'
    kind = ('f64' if argument.type == 'fp64' else 'f32') if argument.type.startswith(('f', 'b')) else 'i64' if wide else 'i32'
    return argument.type, {kind: argument.value}


def case(name, launches, expected=(), tolerance=2e-6, finding=None, refused=None):
    """Adds a case. launches: [(kernel, grid, args, constants)]; a tensor that occurs twice is one buffer. expected: [(buffer, values)].
    refused: what a refusal of the text must name."""
    buffers, numbers, built = [], {}, []
    def buffer(argument):
        if id(argument) in numbers:
            return numbers[id(argument)]
        number = numbers[id(argument)] = len(buffers)
        entry = {'name': f'buffer {number}', 'writable': not isinstance(argument, ReadOnly)}
        if isinstance(argument, Unwritten):
            entry['unwritten'] = argument.count * torch.empty((), dtype=argument.dtype).element_size()
        else:
            entry['data'] = put(argument.tensor if isinstance(argument, ReadOnly) else argument)
        buffers.append(entry)
        return number
    keep = []
    for kernel, grid, args, constants in launches:
        signature, passed = {}, []
        for parameter, argument in zip([p for p in kernel.arg_names if p not in constants], args, strict=True):
            keep.append(argument)
            if isinstance(argument, (bool, int, float, Scalar)):
                signature[parameter], value = scalar(argument)
                passed.append(value)
            else:
                signature[parameter] = '*' + NAMES[argument.dtype]
                passed.append({'buffer': buffer(argument), 'offset': 0})
        ordered = {p: signature.get(p, 'constexpr') for p in kernel.arg_names}
        built.append({'ttir': ttir(kernel, ordered, constants), 'kernel': kernel.__name__, 'args': passed,
                      'grid': list(grid) + [1] * (3 - len(grid))})
    wanted = []
    for argument, values in expected:
        number = buffer(argument)
        if values.dtype == torch.uint64:
            values = values.view(torch.int64)
        wide = values.to(torch.float64) if values.is_floating_point() else values.to(torch.int64)
        wanted.append({'buffer': number, 'dtype': DTYPES[argument.dtype], 'exact': not values.is_floating_point(),
                       'values': put(wide), 'tolerance': tolerance})
    cases.append({'name': name, 'launches': built, 'buffers': buffers, 'expected': wanted, 'finding': finding, 'refused': refused})


def save(folder):
    (folder / 'data.bin').write_bytes(data)
    (folder / 'cases.json').write_text(json.dumps(cases))


def randn(*shape, dtype=torch.float32):
    return torch.randn(*shape, generator=generator).to(dtype)


def integers(low, high, *shape, dtype=torch.int32):
    return torch.randint(low, high, shape, generator=generator).to(dtype)


def power_of_two(n):
    return 1 << (n - 1).bit_length()


def cdiv(a, b):
    return -(-a // b)
