"""Compares the executor with Triton on a GPU, launch by launch: random kernels of all classes that models write, and the project's
own generator's answers. Prints a table, and writes every disagreement with its kernel's text.

    gpu_differential.py [--kernels 2000] [--answers FILE] [--seconds 330] [--workers 14] [--seed 1] [--out FOLDER]
                        [--executor PROGRAM] [--without-gpu]
Each launch runs once on the GPU and, on the same bytes, under several lowerings on trl-executor (values/lowering.hpp: the orders and
contractions that a compiler chooses). Outcomes:
  agree            all values are the same under one of these, which differ by rounding at most
  rounding         they differ by rounding, as much as the lowerings do among each other
  order_dependent  the lowerings differ by more: the value depends on the compiler's choices
  poison           the output changes with the numbers that undefined results are given
  disagree         anything else; these are defects of the executor
FILE has lines of `answer-samples`. --without-gpu takes the executor under another lowering in the GPU's place, to test this program.
Exit status: 0 without disagreements, 1 with some, 2 when there is no GPU.
"""
import argparse
import collections
import importlib.util
import json
import multiprocessing
import os
import pathlib
import random
import re
import socket
import subprocess
import sys
import tempfile
import time
import traceback

ROOT = pathlib.Path(__file__).resolve().parents[3]
LOWERINGS = (0, 2 | 0x150, 3 | 0x294, 1 | 0x400)  # neighbours; several registers; the same, contracted; one register, contracted
GPU_STANDS_IN = 3 | 0x1C8
MEMORY = 1 << 32
SOURCE = 'import triton\nimport triton.language as tl\nfrom triton.language.extra import libdevice\n\n\n'


# ---- random kernels ----

class Draw:
    """Draws a kernel's text. Its pointers: x, y (floats), a, b (i32 in 0..63), out (floats), whole (i32)."""

    def __init__(self, kind, seed):
        self.random = random.Random(f'{kind}/{seed}')
        self.kind = kind
        self.name = f'{kind}_{seed}'
        self.functions = []

    def pick(self, *choices):
        return self.random.choice(choices)

    def number(self):
        return repr(round(self.random.uniform(-2, 2), 3))

    def real(self, depth):
        """A float expression whose value is of the size of 1, and continuous in all that is rounded."""
        if depth == 0:
            return self.pick('x', 'y', 'x', 'y', 'a.to(tl.float32) * 0.02', self.number())
        one, two, three = (self.real(depth - 1) for _ in range(3))
        return self.pick(
            f'({one} + {two})', f'({one} - {two})', f'({one} * {two})', f'({one} * {two} + {three})', f'({one} - {two} * {three})',
            f'tl.maximum({one}, {two})', f'tl.minimum({one}, {two})', f'tl.abs({one})', f'tl.exp(-tl.abs({one}))', f'tl.sqrt(tl.abs({one}) + 0.5)',
            f'tl.sigmoid({one})', f'tl.where(a > b, {one}, {two})', f'tl.where(x > 0, {one}, {two})', f'({one} / (1.0 + tl.abs({two})))',
            f'tl.sin({one})', f'tl.cos({one})', f'tl.fma({one}, {two}, {three})', f'tl.log(1.0 + tl.abs({one}))', f'tl.erf({one})',
            f'tl.rsqrt(tl.abs({one}) + 0.5)', f'tl.exp2(-tl.abs({one}))', f'libdevice.tanh({one})', f'tl.clamp({one}, -1.0, 1.0)')

    def whole(self, depth, undefined=False):
        if depth == 0:
            return self.pick('a', 'b', 'a', 'b', str(self.random.randint(-40, 40)))
        one, two = self.whole(depth - 1, undefined), self.whole(depth - 1, undefined)
        by, divisor = (f'({two})', f'({two})') if undefined else (f'(({two}) & 31)', f'((({two}) & 15) + 1)')
        return self.pick(
            f'({one} + {two})', f'({one} - {two})', f'({one} * {two})', f'({one} & {two})', f'({one} | {two})', f'({one} ^ {two})',
            f'((i * 0 + {one}) << {by})', f'((i * 0 + {one}) >> {by})', f'((i * 0 + {one}) // {divisor})', f'((i * 0 + {one}) % {divisor})',
            f'tl.minimum({one} + i * 0, {two} + i * 0)', f'tl.maximum({one} + i * 0, {two} + i * 0)', f'tl.where(a > b, {one}, {two})',
            f'(i * 0 + {one}).to(tl.int8).to(tl.int32)', f'(i * 0 + {one}).to(tl.uint16).to(tl.int32)', f'(i * 0 + {one}).to(tl.int64).to(tl.int32)',
            f'(i * 0 + {one}).to(tl.uint32).to(tl.float32, bitcast=True).to(tl.int32, bitcast=True)', f'tl.abs({one} + i * 0)')

    def combine(self, count, text):
        name = f'combine_{self.name}'
        names = ', '.join([f'p{i}' for i in range(count)] + [f'q{i}' for i in range(count)])
        self.functions.append(f'@triton.jit\ndef {name}({names}):\n    return {text}\n')
        return name

    def flat(self, body):
        """A kernel over blocks of one dimension."""
        return self.text(['i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)', 'm = i < n', *self.loads('i', 'm'), *body])

    def loads(self, at, mask):
        other = self.pick('', ', other=0')
        return [f'{name} = tl.load({name}_ptr + {at}, mask={mask}{other})' + ('.to(tl.float32)' if name in 'xy' else '') for name in 'xyab']

    def text(self, lines):
        head = f'@triton.jit\ndef {self.name}(x_ptr, y_ptr, a_ptr, b_ptr, out_ptr, whole_ptr, n, BLOCK: tl.constexpr, ROWS: tl.constexpr):\n'
        return '\n\n'.join([*self.functions, head + ''.join(f'    {line}\n' for line in lines)]) + '\n\n'

    def store(self, value):
        return f'tl.store(out_ptr + i, {value}, mask=m)'

    def elementwise(self):
        return self.flat([self.store(self.real(self.random.randint(1, 4)))])

    def integers(self):
        return self.flat([f'tl.store(whole_ptr + i, {self.whole(self.random.randint(1, 4))}, mask=m)'])

    def shifts(self):
        value = self.whole(self.random.randint(1, 2), undefined=True)
        return self.flat([f'tl.store(whole_ptr + i, {value}, mask=m)'])

    def conversions(self):
        narrow = self.pick('tl.float16', 'tl.bfloat16', 'tl.float8e5', 'tl.float8e4nv')
        to = self.pick('tl.int32', 'tl.int16', 'tl.int8', 'tl.int64', 'tl.uint8')
        factor = self.pick('1.0', '20.0', '300.0', '1e12', "float('inf')")
        whole = self.pick(f'(x * {factor}).to({to}).to(tl.int32)', f'tl.floor(x * 8.0).to({to}).to(tl.int32)', f'x.to({narrow}).to(tl.float32).to(tl.int32, bitcast=True)',
                          'x.to(tl.float16).to(tl.int16, bitcast=True).to(tl.int32)', f'(a - 32).to(tl.float32).to({narrow}).to(tl.float32).to(tl.int32, bitcast=True)')
        return self.flat([f'tl.store(whole_ptr + i, {whole}, mask=m)'])

    def reductions(self):
        axis = self.pick(0, 1)
        kind = self.pick('sum', 'max', 'min', 'argmax', 'argmin', 'xor', 'own', 'own', 'own', 'own', 'own')
        lines = ['r = tl.program_id(0) * ROWS + tl.arange(0, ROWS)', 'c = tl.arange(0, BLOCK)', 'i = r[:, None] * BLOCK + c[None, :]', 'm = i < n', *self.loads('i', 'm')]
        places = 'tl.broadcast_to(c[None, :] + r[:, None] * 0, [ROWS, BLOCK])'
        value, whole = self.real(2), '(a * 0 + a % 7)'
        if kind in ('sum', 'max', 'min'):
            result = f'tl.{kind}({value} + x * 0, axis={axis})'
        elif kind in ('argmax', 'argmin'):
            result = f'tl.{kind}({whole}, axis={axis}).to(tl.float32)'
        elif kind == 'xor':
            result = f'(tl.xor_sum({whole}, axis={axis})).to(tl.float32)'
        else:
            count, text, given = self.pick(
                (1, 'p0 + q0', f'({value} + x * 0,)'), (1, 'tl.maximum(tl.abs(p0), tl.abs(q0))', '(x,)'), (1, 'p0 - q0', '(x,)'), (1, '0.5 * (p0 + q0)', '(x,)'),
                (1, 'q0', '(x,)'), (2, 'tl.where(p0 >= q0, p0, q0), tl.where(p0 >= q0, p1, q1)', f'({whole}, {places})'),
                (2, 'tl.where((p0 > q0) | ((p0 == q0) & (p1 < q1)), p0, q0), tl.where((p0 > q0) | ((p0 == q0) & (p1 < q1)), p1, q1)', f'({whole}, {places})'),
                (2, 'p0 * q0, q0 * p1 + q1', '(tl.exp(-tl.abs(x)), y)'), (1, 'p0 * q0', '(1.0 + x * 0.01,)'),
                (2, 'tl.maximum(p0, q0), p1 * tl.exp(p0 - tl.maximum(p0, q0)) + q1 * tl.exp(q0 - tl.maximum(p0, q0))', '(x, x * 0 + 1.0)'),
                (3, 'p0 + q0, p1 + (q1 - p1) * (q0 / (p0 + q0)), p2 + q2 + (q1 - p1) * (q1 - p1) * p0 * (q0 / (p0 + q0))', '(x * 0 + 1.0, x, x * 0)'))
            result = f'tl.reduce({given}, {axis}, {self.combine(count, text)})[{count - 1}].to(tl.float32)'
        index = 'r' if axis == 1 else 'tl.program_id(0) * BLOCK + c'
        return self.text([*lines, f'tl.store(out_ptr + {index}, {result})'])

    def scans(self):
        reverse = self.pick(', reverse=True', '')
        kind = self.pick('cumsum', 'cumprod', 'own', 'own', 'own')
        if kind != 'own':
            result = f'tl.{kind}({self.pick("x", "1.0 + x * 0.01", "y * 0.1 + 1.0")}, 0{reverse})'
        else:
            count, text, given = self.pick((2, 'p0 * q0, q0 * p1 + q1', '(tl.exp(-tl.abs(x)), y)'), (1, 'tl.maximum(p0, q0)', '(x,)'), (1, '0.5 * p0 + q0', '(x,)'),
                                           (2, 'p0 + q0, tl.where(q0 > 0, q1, p1 + q1)', '(a % 2, y)'), (1, 'tl.minimum(p0, q0)', '(y,)'))
            result = f'tl.associative_scan({given}, 0, {self.combine(count, text)}{reverse})[{count - 1}]'
        return self.flat([self.store(result)])

    def products(self):
        dtype, extra = self.pick(('tl.float16', ''), ('tl.bfloat16', ''), ('tl.float32', ", input_precision='ieee'"), ('tl.float32', ", input_precision='tf32'"),
                                 ('tl.float32', ", input_precision='tf32x3'"), ('tl.float8e5', ''))
        m, k, width = self.pick(16, 32, 64), self.pick(16, 32, 64) if dtype != 'tl.float8e5' else 32, self.pick(16, 32, 64)
        lines = [f'r = tl.arange(0, {m})', f'k = tl.arange(0, {k})', f'c = tl.arange(0, {width})',
                 f'p = tl.load(x_ptr + r[:, None] * {k} + k[None, :]).to({dtype})', f'q = tl.load(y_ptr + k[:, None] * {width} + c[None, :]).to({dtype})',
                 f'i = r[:, None] * {width} + c[None, :]', 'a = tl.load(a_ptr + i)', 'b = tl.load(b_ptr + i)',
                 f'x = tl.dot(p, q{extra})', 'y = x * 0.125', f'tl.store(out_ptr + i, {self.pick("x", "x", self.real(1))})']
        return self.text(lines)

    def moves(self):
        value = self.pick(
            'tl.load(x_ptr + a)', 'tl.load(y_ptr + (a * 7 + b) % n, mask=m, other=1.0)', 'tl.gather(x, a % BLOCK, 0)', 'tl.flip(x, 0)', 'tl.sort(x)',
            'tl.reshape(tl.trans(tl.reshape(x, (BLOCK // 8, 8))), (BLOCK,))', 'tl.sum(tl.join(x, y), 1)',
            'x * 0 + tl.max(tl.cat(x, y, can_reorder=True), 0)', 'tl.reshape(tl.reshape(x, (BLOCK // 4, 4), can_reorder=True), (BLOCK,))', 'tl.histogram(a, BLOCK).to(tl.float32)', 'tl.reshape(tl.permute(tl.reshape(x, (2, BLOCK // 4, 2)), (2, 0, 1)), (BLOCK,))',
            'tl.where(m, x, y)', 'x + tl.sum(tl.interleave(x, y), 0) * 0.01')
        return self.flat([self.store(value)])

    def atomics(self):
        operation = self.pick('add', 'max', 'min', 'and', 'or', 'xor', 'add_float')
        if operation == 'add_float':
            return self.flat([f'tl.atomic_add(out_ptr + {self.pick("a", "i", "a % 4")}, x, mask=m)'])
        return self.flat([f'tl.atomic_{operation}(whole_ptr + {self.pick("a", "b % 4", "i")}, {self.pick("a", "b", "i")}, mask=m)'])

    def loops(self):
        step = re.sub(r'\bx\b', 'v', self.real(1))
        body = self.pick(
            ['acc = tl.zeros((BLOCK,), tl.float32)', 'for k in range(0, 5):', '    v = tl.load(x_ptr + (i + k * BLOCK) % n).to(tl.float32)', f'    acc = acc * 0.5 + {step}', self.store('acc')],
            ['acc = x', 'k = 0', 'while k < tl.program_id(0) + 2:', '    v = acc', f'    acc = {step} * 0.5', '    k += 1', self.store('acc')],
            ['v = x', 'if tl.program_id(0) % 2 == 0:', f'    v = {step}', 'else:', '    v = v * 0.25', self.store('v')],
            ['acc = 0.0', 'for k in range(tl.program_id(0), 7, 2):', '    v = tl.load(x_ptr + i % 32 + k).to(tl.float32)', f'    acc += tl.sum({step} + v * 0, 0) * 0.01', self.store('x * 0 + acc')])
        return self.flat(body)


KINDS = ('elementwise', 'integers', 'shifts', 'conversions', 'reductions', 'scans', 'products', 'moves', 'atomics', 'loops')


def drawn(number, seed):
    """Returns the kernel's class, name, text, dtype, BLOCK, ROWS, warps and number of programs."""
    kind = KINDS[number % len(KINDS)]
    draw = Draw(kind, f'{seed}_{number}')
    text = getattr(draw, kind)()
    flat = kind != 'reductions'
    block = draw.pick(32, 64, 128, 256, 512, 1024) if flat else draw.pick(4, 8, 32, 64, 256)
    rows = 1 if flat else draw.pick(2, 4, 16)
    return {'class': kind, 'name': draw.name, 'text': text, 'dtype': draw.pick('float32', 'float32', 'float32', 'float16', 'bfloat16'),
            'BLOCK': block, 'ROWS': rows, 'num_warps': draw.pick(1, 2, 4, 8), 'programs': draw.pick(1, 2, 3), 'number': number}


def arguments(one, device):
    import torch
    generator = torch.Generator().manual_seed(one['number'])
    size = max(4096, one['BLOCK'] * one['ROWS'] * one['programs'])
    dtype = getattr(torch, one['dtype'])
    real = [torch.randn(size, generator=generator).to(dtype) for _ in range(2)]
    whole = [torch.randint(0, 64, (size,), generator=generator, dtype=torch.int32) for _ in range(2)]
    outputs = [torch.zeros(size, dtype=torch.float32), torch.zeros(size, dtype=torch.int32)]
    n = one['BLOCK'] * one['ROWS'] * one['programs'] - (3 if one['class'] in ('elementwise', 'integers', 'atomics') else 0)
    names = ('x_ptr', 'y_ptr', 'a_ptr', 'b_ptr', 'out_ptr', 'whole_ptr')
    return {**{name: tensor.to(device) for name, tensor in zip(names, real + whole + outputs)}, 'n': n}


# ---- launches ----

DTYPES = {'float64': 'f64', 'float32': 'f32', 'float16': 'f16', 'bfloat16': 'bf16', 'int64': 'i64', 'int32': 'i32', 'int16': 'i16', 'int8': 'i8',
          'uint8': 'u8', 'bool': 'i1', 'float8_e4m3fn': 'f8e4m3', 'float8_e5m2': 'f8e5m2'}
EPSILON = {'f64': 2.0 ** -52, 'f32': 2.0 ** -23, 'f16': 2.0 ** -10, 'bf16': 2.0 ** -7, 'f8e4m3': 2.0 ** -3, 'f8e5m2': 2.0 ** -2}

# Tensor cores of sm_90 add products of 8-bit floats with some 14 bits; the executor adds in f32.
EIGHT_BITS = 2.0 ** -19


def parameters(ttir):
    """The kernel's name, and its parameters' names and types, in the order of TTIR."""
    head = re.search(r'tt\.func public @(\w+)\(', ttir)
    depth, at, last, parts = 1, head.end(), head.end(), []
    while depth:
        character = ttir[at]
        depth += character in '(<{[' and 1 or character in ')>}]' and -1 or 0
        if depth == 0 or (character == ',' and depth == 1):
            parts.append(ttir[last:at])
            last = at + 1
        at += 1
    found = [re.match(r'\s*%([\w.$-]+): ([^ {]+)', part) for part in parts if part.strip()]
    return head[1], [(one[1], one[2]) for one in found]


class Launch:
    """What the executor needs: TTIR, grid, arguments, and the bytes of all buffers before. `after` is what the GPU made of them."""

    def __init__(self, ttir, grid, values, before, after, kind, text):
        self.ttir, self.grid, self.values, self.before, self.after, self.kind, self.text = ttir, grid, values, before, after, kind, text

    def plan(self):
        inputs = len(self.before)
        buffers = [{'bytes': len(data), 'role': 'input', 'input': i} for i, (data, _) in enumerate(self.before)]
        buffers += [{'bytes': len(data), 'role': 'temporary'} for data, _ in self.before]

        def view(buffer, data, dtype):
            return {'buffer': buffer, 'offset': 0, 'dtype': dtype, 'shape': [len(data) // WIDTH[dtype]], 'strides': [1]}
        steps = [{'copy': {'to': view(inputs + i, data, dtype), 'from': view(i, data, dtype), 'line': 0}} for i, (data, dtype) in enumerate(self.before)]
        args = []
        for name, kind in parameters(self.ttir)[1]:
            value = self.values[name]
            if isinstance(value, dict):
                args.append({'buffer': inputs + value['buffer'], 'offset': value['offset'], 'dtype': self.before[value['buffer']][1]})
            elif kind in ('f32', 'f64', 'f16', 'bf16'):
                args.append({'f64' if kind == 'f64' else 'f32': float(value)})
            elif kind == 'i1':
                args.append({'i1': bool(value)})
            else:
                args.append({'i64' if kind == 'i64' else 'i32': int(value)})
        steps.append({'launch': {'kernel': 0, 'grid': list(self.grid), 'args': args, 'num_warps': 4, 'line': 0}})
        output = [view(inputs + i, data, dtype) for i, (data, dtype) in enumerate(self.before)]
        return {'label': 'original', 'buffers': buffers, 'steps': steps, 'output': output if inputs > 1 else output[0]}


WIDTH = {'f64': 8, 'f32': 4, 'f16': 2, 'bf16': 2, 'i64': 8, 'i32': 4, 'i16': 2, 'i8': 1, 'u8': 1, 'i1': 1, 'f8e4m3': 1, 'f8e5m2': 1}


def bytes_of(tensor):
    import torch
    return tensor.detach().cpu().contiguous().view(-1).view(torch.uint8).numpy().tobytes()


def numbers(data, dtype):
    """A buffer's elements as doubles."""
    import torch
    torch_name = next(name for name, short in DTYPES.items() if short == dtype)
    return torch.frombuffer(bytearray(data), dtype=torch.uint8).view(getattr(torch, torch_name)).double() if data else torch.zeros(0).double()


class Capture:
    """Records the launches that Triton makes while it is in place, with their buffers before and after."""

    def __init__(self):
        from triton.runtime.jit import JITFunction
        self.type, self.plain, self.launches, self.about = JITFunction, JITFunction.run, [], ('', '')

    def __enter__(self):
        capture = self

        def run(function, *args, grid, warmup, **words):
            import torch
            given = dict(zip(function.arg_names, args)) | {name: value for name, value in words.items() if name in function.arg_names}
            storages, values = {}, {}
            for name, value in given.items():
                if isinstance(value, torch.Tensor):
                    storage = value.untyped_storage()
                    key = storage.data_ptr()
                    entry = storages.setdefault(key, (len(storages), torch.tensor([], dtype=value.dtype, device=value.device).set_(storage), value.dtype))
                    values[name] = {'buffer': entry[0], 'offset': value.data_ptr() - key}
                else:
                    values[name] = value
            flat = [entry for _, entry in sorted((e[0], e) for e in storages.values())]
            short = [DTYPES[str(dtype).split('.')[1]] for _, _, dtype in flat]
            before = [(bytes_of(tensor), dtype) for (_, tensor, _), dtype in zip(flat, short)]
            compiled = capture.plain(function, *args, grid=grid, warmup=warmup, **words)
            torch.cuda.synchronize()
            after = [bytes_of(tensor) for _, tensor, _ in flat]
            sizes = grid(given) if callable(grid) else grid
            sizes = ([sizes] if isinstance(sizes, int) else list(sizes)) + [1, 1]
            capture.launches.append(Launch(compiled.asm['ttir'], sizes[:3], values, before, after, *capture.about))
            return compiled
        self.type.run = run
        return self

    def __exit__(self, *_):
        self.type.run = self.plain


def compiled_without_gpu(kernel, one, given):
    from triton._C.libtriton import ir
    from triton.backends.compiler import GPUTarget
    from triton.compiler.compiler import ASTSource, make_backend
    import torch
    names = {torch.float32: '*fp32', torch.float16: '*fp16', torch.bfloat16: '*bf16', torch.int32: '*i32'}
    constants = {'BLOCK': one['BLOCK'], 'ROWS': one['ROWS']}
    signature = {name: 'constexpr' if name in constants else 'i32' if name == 'n' else names[given[name].dtype] for name in kernel.arg_names}
    target = GPUTarget('cuda', 90, 32)
    backend = make_backend(target)
    options = backend.parse_options({'num_warps': one['num_warps']})
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    source = ASTSource(kernel, signature, constants)
    module = source.make_ir(target, options, backend.get_codegen_implementation(options), backend.get_module_map(), context)
    return str(backend.make_ttir(module, {}, options, 80))


# ---- the executor ----

class Executor:
    """trl-executor without a sandbox: a child of it for each launch."""

    def __init__(self, program):
        ours, theirs = socket.socketpair()
        self.control = ours
        self.process = subprocess.Popen([program, '--memory', str(MEMORY)], stdin=theirs, stdout=subprocess.PIPE)
        theirs.close()
        if b'ready' not in self.process.stdout.readline():
            raise RuntimeError(f'{program} does not start')

    def run(self, launch, **options):
        """Returns the answer's JSON and the buffers' elements as doubles; the JSON alone where the text is refused."""
        import torch
        ours, theirs = socket.socketpair()
        socket.send_fds(self.control, [b'c'], [theirs.fileno()])
        theirs.close()
        with ours, ours.makefile('rb') as answers:
            text = launch.ttir.encode()
            ours.sendall(json.dumps({'id': 1, 'kernels': [len(text)]}).encode() + b'\n' + text)
            parsed = json.loads(answers.readline() or b'{"ok": false, "message": "the executor ends"}')
            if not parsed['ok']:
                return parsed, None
            request = {'id': 2, 'plan': launch.plan(), 'inputs': [{'name': f'buffer {i}', 'bytes': len(data)} for i, (data, _) in enumerate(launch.before)],
                       'options': {'poison': 255, 'order': 1, 'interleaved': False, 'launches': True, 'threads': 1, 'launch_operations': 10 ** 9, 'plan_operations': 4 * 10 ** 9,
                                   'sample': 0, 'sampled_operations': 1, 'cpu_seconds': 20.0, **options}}
            ours.sendall(json.dumps(request).encode() + b'\n' + b''.join(data for data, _ in launch.before))
            answer = json.loads(answers.readline() or b'{"findings": [{"kind": "crashed", "message": "the executor ends"}]}')
            values = []
            for data, dtype in launch.before:
                got = answers.read(8 * (len(data) // WIDTH[dtype]))
                values.append(torch.frombuffer(bytearray(got), dtype=torch.float64) if got else torch.zeros(0).double())
            return answer, values

    def end(self):
        self.control.close()
        self.process.wait()


# ---- comparison ----

def differences(one, two):
    """Where two tensors differ, NaN being equal to NaN."""
    import torch
    return ~((one == two) | (torch.isnan(one) & torch.isnan(two)))


def beyond_rounding(one, two, allowed):
    import torch
    apart = (one - two).abs()
    return differences(one, two) & ~(apart <= allowed) & ~(torch.isnan(apart) & (one == two))


def classify(launch, executor, stand_in):
    """Returns the outcome and a message."""
    import torch
    answers = [executor.run(launch, **({'lowering': key} if key else {})) for key in LOWERINGS]
    first, base = answers[0]
    if base is None:
        return 'refused', first['message']
    for answer, _ in answers:
        for finding in answer['findings']:
            return 'finding', f"{finding['kind']}: {finding['message']}"
    gpu = executor.run(launch, lowering=GPU_STANDS_IN)[1] if stand_in else [numbers(data, dtype) for data, (_, dtype) in zip(launch.after, launch.before)]
    if first.get('undefined'):
        for number in (2 ** 64 - 1, 0x7B7B7B7B7B7B7B7B):
            filled = executor.run(launch, undefined=number)
            if filled[0]['findings'] or any(differences(a, b).any() for a, b in zip(base, filled[1])):
                return 'poison', first['undefined'][0]['what']
    same = any(not any(differences(a, b).any() for a, b in zip(gpu, values)) for _, values in answers)
    rounding, message = True, ''
    eight_bits = re.search(r'tt\.dot [^\n]*xf8E', launch.ttir) is not None
    for at, ((_, dtype), on_gpu) in enumerate(zip(launch.before, gpu)):
        several = torch.stack([values[at] for _, values in answers])
        low, high = several.nan_to_num().amin(0), several.nan_to_num().amax(0)
        typical = base[at][torch.isfinite(base[at])].square().mean().sqrt() if torch.isfinite(base[at]).any() else torch.tensor(0.0)
        epsilon = max(EPSILON.get(dtype, 0.0), EIGHT_BITS if dtype == 'f32' and eight_bits else 0.0)
        size = base[at].abs().nan_to_num(0, 0, 0) + typical
        if (high - low > 1e3 * epsilon * size).any() or any(beyond_rounding(values[at], base[at], 1e3 * epsilon * size).any() for _, values in answers):
            among = torch.stack([~differences(one, on_gpu) for one in several]).any(0)
            return 'order_dependent', f'{int((~among).sum())} of {among.numel()} values of the GPU are those of no lowering tried'
        allowed = 64 * epsilon * size + 8 * (high - low)
        wrong = beyond_rounding(on_gpu, base[at], allowed)
        if wrong.any():
            place = int(wrong.nonzero()[0])
            rounding = False
            message = (f'buffer {at} ({dtype}): {int(wrong.sum())} of {wrong.numel()} values; at {place} the GPU has {on_gpu[place]:.9g}, '
                       f'the executor {base[at][place]:.9g} ({low[place]:.9g} to {high[place]:.9g})')
    return ('agree', '') if same else ('rounding', '') if rounding else ('disagree', message)


# ---- workers ----

def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def launches_of(job, folder, stand_in):
    """Runs a job's kernels, on the GPU unless another lowering stands in for it."""
    if 'answer' in job:
        from gpu_agreement import draw, extract_source, make_module, run_forward
        with Capture() as capture:
            capture.about = 'answers', job['answer']
            module = make_module(f'answer_{job["number"]}', extract_source(job['answer']), folder)
            run_forward(module, [tensor.cuda() for tensor in draw(job['task'], 'original', job['number'])])
        return capture.launches
    path = pathlib.Path(folder) / f'{job["name"]}.py'
    path.write_text(SOURCE + job['text'])
    kernel = getattr(load(path), job['name'])
    given = arguments(job, 'cpu' if stand_in else 'cuda')
    if stand_in:
        tensors = [name for name in given if name != 'n']
        values = {**{name: {'buffer': i, 'offset': 0} for i, name in enumerate(tensors)}, 'n': given['n']}
        before = [(bytes_of(given[name]), DTYPES[str(given[name].dtype).split('.')[1]]) for name in tensors]
        return [Launch(compiled_without_gpu(kernel, job, given), [job['programs'], 1, 1], values, before, None, job['class'], job['text'])]
    with Capture() as capture:
        capture.about = job['class'], job['text']
        kernel[(job['programs'],)](**given, BLOCK=job['BLOCK'], ROWS=job['ROWS'], num_warps=job['num_warps'])
    return capture.launches


def leave(results, status):
    """Ends this process once its results are sent, without Triton's and CUDA's destructors."""
    results.close()
    results.join_thread()
    os._exit(status)


def work(jobs, results, options, folder):
    import torch
    torch.set_num_threads(1)
    sys.path.insert(0, str(pathlib.Path(__file__).parent))
    executor = Executor(options.executor)
    for job in iter(jobs.get, None):
        rows = []
        try:
            launches = launches_of(job, folder, options.without_gpu)
        except BaseException as error:  # a kernel that Triton refuses, or an error of the GPU
            lines = [line for line in str(error).strip().splitlines() if line.strip(' ^')] or ['']
            kind = 'gpu error' if 'CUDA' in str(error) else 'not compiled'
            results.put([{'class': job.get('class', 'answers'), 'outcome': kind, 'message': f'{type(error).__name__}: {lines[-1][:200]}',
                          'text': job.get('text', job.get('answer', '')), 'ttir': ''}])
            if kind == 'gpu error':
                leave(results, 3)
            continue
        for launch in launches:
            try:
                outcome, message = classify(launch, executor, options.without_gpu)
            except Exception:
                outcome, message = 'disagree', traceback.format_exc()[-600:]
            keep = outcome in ('disagree', 'finding', 'refused', 'order_dependent')
            rows.append({'class': launch.kind, 'outcome': outcome, 'message': message, 'text': launch.text if keep else '', 'ttir': launch.ttir if keep else '',
                         'job': {key: value for key, value in job.items() if key not in ('text', 'answer', 'task')}})
        results.put(rows)
    executor.end()
    leave(results, 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--kernels', type=int, default=2000)
    parser.add_argument('--answers', type=pathlib.Path, default=ROOT / 'answers.jsonl')
    parser.add_argument('--seconds', type=float, default=330)
    parser.add_argument('--workers', type=int, default=max(1, (os.cpu_count() or 2) - 2))
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--out', type=pathlib.Path, default=pathlib.Path('gpu-differential'))
    parser.add_argument('--executor', default=os.environ.get('TRL_EXECUTOR', str(ROOT / 'bin/trl-executor')))
    parser.add_argument('--without-gpu', action='store_true')
    options = parser.parse_args()
    if not options.without_gpu:
        from gpu_agreement import has_gpu
        if not has_gpu():
            print('no GPU that torch can use')
            return 2
    begin = time.monotonic()
    jobs = [drawn(number, options.seed) for number in range(options.kernels)]
    if options.answers.exists() and not options.without_gpu:
        rows = [json.loads(line) for line in options.answers.read_text().splitlines() if line]
        jobs = [{'number': i, 'answer': row['answer'], 'task': row['task']} for i, row in enumerate(rows)] + jobs
    folder = tempfile.mkdtemp(prefix='gpu-differential-')
    os.environ['TRITON_CACHE_DIR'] = os.path.join(folder, 'triton')
    context = multiprocessing.get_context('spawn')
    queue, results = context.Queue(), context.Queue()
    for job in jobs:
        queue.put(job)
    for _ in range(2 * options.workers + 8):
        queue.put(None)
    start = lambda: context.Process(target=work, args=(queue, results, options, folder), daemon=True)
    workers = [start() for _ in range(options.workers)]
    for worker in workers:
        worker.start()
    rows, done = [], 0
    while done < len(jobs) and time.monotonic() - begin < options.seconds:
        try:
            rows += results.get(timeout=2)
            done += 1
        except Exception:
            for at, worker in enumerate(workers):
                if worker.exitcode not in (None, 0):  # a sticky error of the GPU, or a crash, takes one job with it
                    done += worker.exitcode != 3
                    workers[at] = start()
                    workers[at].start()
            if all(worker.exitcode == 0 for worker in workers):
                break
    for worker in workers:
        worker.terminate()
    return report(rows, done, len(jobs), options, time.monotonic() - begin)


def report(rows, done, wanted, options, seconds):
    outcomes = ('agree', 'rounding', 'order_dependent', 'poison', 'disagree', 'finding', 'refused', 'not compiled', 'gpu error')
    table = collections.defaultdict(collections.Counter)
    for row in rows:
        table[row['class']][row['outcome']] += 1
        table['all'][row['outcome']] += 1
    print(f'{"launches of":<14}' + ''.join(f'{name:>16}' for name in outcomes))
    for kind in [*KINDS, 'answers', 'all']:
        if kind in table:
            print(f'{kind:<14}' + ''.join(f'{table[kind][name]:>16}' for name in outcomes))
    options.out.mkdir(parents=True, exist_ok=True)
    kept = [row for row in rows if row['text']]
    (options.out / 'rows.jsonl').write_text(''.join(json.dumps(row) + '\n' for row in kept))
    for row in [row for row in kept if row['outcome'] == 'disagree'][:20]:
        print(f'\n{row["class"]} {row.get("job", {})}: {row["message"]}\n{row["text"]}')
    for name in ('refused', 'not compiled', 'finding', 'gpu error'):
        reasons = collections.Counter(f'{row["class"]}: {row["message"]}'[:150] for row in rows if row['outcome'] == name)
        for reason, count in reasons.most_common(6):
            print(f'{name} {count} times: {reason}')
    print(f'{done} of {wanted} kernels and answers in {seconds:.0f} s; {options.out}/rows.jsonl has those that do not agree')
    return 1 if table['all']['disagree'] or done < wanted else 0


if __name__ == '__main__':
    sys.exit(main())
