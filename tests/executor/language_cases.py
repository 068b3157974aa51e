"""One kernel per feature of Triton's language, each with the expected values. make_cases.py imports this."""
from typing import NamedTuple

import numpy
import torch
import triton
import triton.language as tl

from case_writer import *

E8, E5 = torch.float8_e4m3fn, torch.float8_e5m2
LARGEST = {E8: 448.0, E5: 57344.0}
SPECIAL = torch.tensor([0.0, -0.0, 1.0, -1.0, float('inf'), -float('inf'), float('nan'), 1e-30, -1e-30, 6e4, 1e-7, 0.001, -0.017])


def saturated(x, dtype):
    """Rounds as cvt.rn.satfinite does."""
    return torch.where(x.isnan(), x.double(), x.double().clamp(-LARGEST[dtype], LARGEST[dtype])).float().to(dtype)


def random_bits(n, dtype, finite=False):
    """Random bit patterns of a float type."""
    bits = integers(0, 256, n * torch.empty((), dtype=dtype).element_size(), dtype=torch.uint8)
    values = bits.view(dtype)
    return torch.where(values.double().isfinite(), values.double(), 1.0).to(dtype) if finite else values


def run(kernel, args, expected, constants={}, grid=(1,), tolerance=2e-6, name=None):
    case(name or kernel.__name__, [(kernel, grid, args, constants)], expected, tolerance)


# ---- element by element: an expression in a, b and c of their types ----
POINTWISE = []
HEAD = 'import triton\nimport triton.language as tl\nfrom triton.language.extra import libdevice\n'


def pointwise(name, expression, inputs, dtype, want, tolerance=2e-6):
    POINTWISE.append((f'{len(POINTWISE)}: {name}', expression, inputs, dtype, want, tolerance))


def write_pointwise(path):
    text = HEAD
    for at, (name, expression, inputs, dtype, want, tolerance) in enumerate(POINTWISE):
        names = 'abc'[:len(inputs)]
        text += f'\n\n@triton.jit\ndef pointwise_{at}({", ".join("p" + x for x in names)}, out, n, BLOCK: tl.constexpr):\n'
        text += '    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\n'
        for x in names:
            text += f'    {x} = tl.load(p{x} + i, mask=i < n)\n'
        text += f'    tl.store(out + i, {expression}, mask=i < n)\n'
    path.write_text(text)
    module = load(path)
    for at, (name, expression, inputs, dtype, want, tolerance) in enumerate(POINTWISE):
        n = inputs[0].numel()
        out = Unwritten(n, dtype)
        case(f'pointwise {name}', [(getattr(module, f'pointwise_{at}'), (cdiv(n, 64),), [*inputs, out, n], {'BLOCK': 64})], [(out, want)],
             tolerance)


n = 77
# conversions of narrow float types
wide = torch.cat([SPECIAL, randn(n - 26), randn(13) * 300])
for dtype, name in ((E8, 'float8e4nv'), (E5, 'float8e5')):
    for source in (torch.float32, torch.float16, torch.bfloat16):
        x = wide.to(source)
        pointwise(f'{source} to {name}', f'a.to(tl.{name})', [x], dtype, saturated(x.float(), dtype).double(), 0.0)
    every = torch.arange(256).to(torch.uint8).view(dtype)
    for target, target_name in ((torch.float32, 'float32'), (torch.float16, 'float16'), (torch.bfloat16, 'bfloat16')):
        pointwise(f'{name} to {target_name}', f'a.to(tl.{target_name})', [every], target, every.to(target).double(), 0.0)
    pointwise(f'{name} as bits', 'a.to(tl.uint8, bitcast=True)', [every], torch.uint8, every.view(torch.uint8), 0.0)
    pointwise(f'{name} from bits', f'a.to(tl.{name}, bitcast=True)', [every.view(torch.uint8)], dtype, every.double(), 0.0)
    pointwise(f'{name} where', 'tl.where(a.to(tl.float32) > b.to(tl.float32), a, b)', [every, every.view(torch.uint8).flip(0).view(dtype)], dtype,
              torch.where(every.double() > every.view(torch.uint8).flip(0).view(dtype).double(), every.double(), every.view(torch.uint8).flip(0).view(dtype).double()), 0.0)
    other, other_name = (E5, 'float8e5') if dtype is E8 else (E8, 'float8e4nv')
    pointwise(f'{name} to {other_name}', f'a.to(tl.float32).to(tl.{other_name})', [every], other, saturated(every.float(), other).double(), 0.0)
    pointwise(f'{name} as {other_name}', f'a.to(tl.{other_name}, bitcast=True)', [every], other, every.view(torch.uint8).view(other).double(), 0.0)
    few = randn(n).to(dtype)
    pointwise(f'{name} compared', '(a < b).to(tl.int8)', [few, few.float().flip(0).to(dtype)], torch.int8, (few.double() < few.float().flip(0).to(dtype).double()).to(torch.int8))
x = torch.cat([randn(60), torch.tensor([0.0, -0.0, 3e-8, 1e6, 65504.0, 70000.0, -70000.0, 2e-5])])
for dtype, name in ((torch.float16, 'float16'), (torch.bfloat16, 'bfloat16')):
    near = x.to(dtype)
    bits = near.view(torch.int16)
    low = torch.where(near.double().abs() > x.double().abs(), 1, 0).to(torch.int16)
    pointwise(f'to {name} towards zero', f"a.to(tl.{name}, fp_downcast_rounding='rtz')", [x], dtype, (bits - low).view(dtype).double(), 0.0)
x = torch.cat([randn(60) * 5, torch.tensor([0.0, -0.0, 1e-6, 448.0, 1e6, -7e4, 57344.0])])
bits = torch.nextafter(x.half(), torch.where(x.half().double().abs() > x.double().abs(), 0.0, x.half().double()).half())
bits = torch.where(x.abs() > 65504, torch.sign(x) * 65504, bits.float()).half()
pointwise('to float8e5 towards zero', "a.to(tl.float8e5, fp_downcast_rounding='rtz')", [x], E5,
          (bits.view(torch.int16) & -256).view(torch.float16).double(), 0.0)

# bits of one type reinterpreted as another
for narrow, whole, name, whole_name in ((torch.float16, torch.int16, 'float16', 'int16'), (torch.bfloat16, torch.int16, 'bfloat16', 'int16'),
                                        (torch.float32, torch.int32, 'float32', 'int32'), (torch.float64, torch.int64, 'float64', 'int64')):
    x = random_bits(n, narrow)
    pointwise(f'{name} as {whole_name}', f'a.to(tl.{whole_name}, bitcast=True)', [x], whole, x.view(whole))
    pointwise(f'{whole_name} as {name}', f'a.to(tl.{name}, bitcast=True)', [x.view(whole)], narrow, x.double(), 0.0)
x = randn(n).half()
pointwise('float16 as bfloat16', 'a.to(tl.bfloat16, bitcast=True)', [x], torch.bfloat16, x.view(torch.bfloat16).double(), 0.0)

# integers, signed and unsigned
WHOLE = {torch.uint8: (8, False), torch.uint16: (16, False), torch.uint32: (32, False), torch.uint64: (64, False), torch.int8: (8, True),
         torch.int16: (16, True), torch.int32: (32, True), torch.int64: (64, True)}
TL = {torch.uint8: 'uint8', torch.uint16: 'uint16', torch.uint32: 'uint32', torch.uint64: 'uint64', torch.int8: 'int8', torch.int16: 'int16',
      torch.int32: 'int32', torch.int64: 'int64'}


def wrapped(value, dtype):
    width, signed = WHOLE[dtype]
    value &= (1 << width) - 1
    return value - (1 << width) if signed and value >> (width - 1) else value


def tensor_of(values, dtype):
    return torch.from_numpy(numpy.array(values, dtype=TL[dtype]))


def whole(dtype, n):
    width, signed = WHOLE[dtype]
    edges = [0, 1, (1 << width) - 1, 1 << (width - 1), (1 << (width - 1)) - 1]
    values = [wrapped(v, dtype) for v in edges] + [wrapped(int(v), dtype) for v in integers(-2**62, 2**62, n - len(edges), dtype=torch.int64)]
    return values


def quotient(a, b):
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


for dtype in (torch.uint8, torch.uint16, torch.uint32, torch.uint64):
    a = whole(dtype, n)
    b = whole(dtype, n)[::-1]
    width = WHOLE[dtype][0]
    for name, expression, each in (
            ('sum', 'a + b', lambda x, y: x + y), ('difference', 'a - b', lambda x, y: x - y), ('product', 'a * b', lambda x, y: x * y),
            ('quotient', 'a // (b | 1)', lambda x, y: x // (y | 1)), ('remainder', 'a % (b | 1)', lambda x, y: x % (y | 1)),
            ('left', f'a << (b & {width - 1})', lambda x, y: x << (y & (width - 1))), ('right', f'a >> (b & {width - 1})', lambda x, y: x >> (y & (width - 1))),
            ('greatest', 'tl.maximum(a, b)', max), ('least', 'tl.minimum(a, b)', min), ('less', '(a < b).to(a.dtype)', lambda x, y: int(x < y)),
            ('not', '~a', lambda x, y: ~x), ('absolute', 'tl.abs(a)', lambda x, y: x), ('cdiv', 'tl.cdiv(a >> 1, (b >> 1) | 1)', lambda x, y: -(-(x >> 1) // ((y >> 1) | 1)))):
        pointwise(f'{name} of {TL[dtype]}', expression, [tensor_of(a, dtype), tensor_of(b, dtype)], dtype,
                  tensor_of([wrapped(each(x, y), dtype) for x, y in zip(a, b)], dtype))
    pointwise(f'{TL[dtype]} to float32', 'a.to(tl.float32)', [tensor_of(a, dtype)], torch.float32, torch.tensor([float(v) for v in a], dtype=torch.float64), 2e-7)
for narrow, wider in ((torch.int8, torch.int32), (torch.uint8, torch.int32), (torch.uint8, torch.int64), (torch.int16, torch.int64),
                      (torch.uint16, torch.int32), (torch.uint32, torch.int64), (torch.int32, torch.uint32), (torch.int8, torch.uint8),
                      (torch.int64, torch.uint64), (torch.int32, torch.uint64)):
    a, b = whole(narrow, n), whole(wider, n)[::-1]
    pointwise(f'{TL[narrow]} + {TL[wider]}', 'a + b', [tensor_of(a, narrow), tensor_of(b, wider)], wider,
              tensor_of([wrapped(x + y, wider) for x, y in zip(a, b)], wider))
    pointwise(f'{TL[narrow]} in {TL[wider]}', f'a.to(tl.{TL[wider]})', [tensor_of(a, narrow)], wider, tensor_of([wrapped(x, wider) for x in a], wider))
    pointwise(f'{TL[wider]} in {TL[narrow]}', f'a.to(tl.{TL[narrow]})', [tensor_of(b, wider)], narrow, tensor_of([wrapped(x, narrow) for x in b], narrow))
    width = min(8, WHOLE[narrow][0])
    pointwise(f'{TL[wider]} shifted by {TL[narrow]}', f'b >> (a & {width - 1}).to(b.dtype)', [tensor_of(a, narrow), tensor_of(b, wider)], wider,
              tensor_of([y >> (x & (width - 1)) for x, y in zip(a, b)], wider))
for dtype in (torch.int32, torch.int64):
    a = [v if v != wrapped(1 << (WHOLE[dtype][0] - 1), dtype) else 5 for v in whole(dtype, n)]
    b = [v | 1 for v in a[::-1]]
    pointwise(f'signed quotient of {TL[dtype]}', 'a // b', [tensor_of(a, dtype), tensor_of(b, dtype)], dtype, tensor_of([quotient(x, y) for x, y in zip(a, b)], dtype))
    pointwise(f'signed remainder of {TL[dtype]}', 'a % b', [tensor_of(a, dtype), tensor_of(b, dtype)], dtype,
              tensor_of([x - y * quotient(x, y) for x, y in zip(a, b)], dtype))
# Canonicalization combines a multiplication's two halves into one operation.
for dtype, double, width in ((torch.int32, 'int64', 32), (torch.uint32, 'uint64', 32)):
    a, b = whole(dtype, n), whole(dtype, n)[::-1]
    pointwise(f'upper half of {TL[dtype]}', f'((a.to(tl.{double}) * b.to(tl.{double})) >> 32).to(tl.{TL[dtype]})',
              [tensor_of(a, dtype), tensor_of(b, dtype)], dtype, tensor_of([wrapped((x * y) >> width, dtype) for x, y in zip(a, b)], dtype))
for dtype in (torch.uint32, torch.uint64, torch.int32):
    a, b = whole(dtype, n), whole(dtype, n)[::-1]
    width = WHOLE[dtype][0]
    mask = (1 << width) - 1
    pointwise(f'umulhi of {TL[dtype]}', 'tl.umulhi(a, b)', [tensor_of(a, dtype), tensor_of(b, dtype)], dtype,
              tensor_of([wrapped(((x & mask) * (y & mask)) >> width, dtype) for x, y in zip(a, b)], dtype))

# i1
yes, no = integers(0, 2, n, dtype=torch.bool), integers(0, 2, n, dtype=torch.bool)
for name, expression, want in (('and', 'a & b', yes & no), ('or', 'a | b', yes | no), ('xor', 'a ^ b', yes ^ no), ('not', '~a', ~yes), ('==', 'a == b', yes == no),
                               ('logical', 'a.logical_and(b).logical_or(a)', (yes & no) | yes)):
    pointwise(f'i1 {name}', expression, [yes, no], torch.bool, want)
pointwise('i1 + i1', 'a.to(tl.int32) + b', [yes, no], torch.int32, yes.int() + no.int())
pointwise('i1 to float', 'a.to(tl.float32) - b.to(tl.float16)', [yes, no], torch.float32, yes.double() - no.double())
x = torch.tensor([0.0, -0.0, 0.5, -3.0, float('nan'), float('inf')])
pointwise('float to i1', 'a.to(tl.int1)', [x], torch.bool, torch.tensor([False, False, True, True, True, True]))
x = integers(-2, 3, n)
pointwise('i32 to i1', 'a.to(tl.int1)', [x], torch.bool, x != 0)

# floats to integers: values out of range become the nearest one in range, as with the GPU's cvt
x = torch.tensor([0.5, -0.5, 2.5, -2.5, 1e10, -1e10, float('inf'), -float('inf'), float('nan'), 2147483520.0, 1.99, 300.0, -300.0, 100000.0])
saturate = lambda low, high: torch.tensor([0 if v != v else int(max(low, min(high, v))) if abs(v) != float('inf') else (high if v > 0 else low) for v in x.tolist()])
pointwise('float32 to int32', 'a.to(tl.int32)', [x], torch.int32, saturate(-2**31, 2**31 - 1))
pointwise('float32 to int16', 'a.to(tl.int16)', [x], torch.int16, saturate(-2**15, 2**15 - 1))
low_byte = lambda low, high, sign: torch.tensor([(v + sign) % 256 - sign for v in saturate(low, high).tolist()])
pointwise('float32 to int8', 'a.to(tl.int8)', [x], torch.int8, low_byte(-2**15, 2**15 - 1, 128))
pointwise('float32 to uint8', 'a.to(tl.uint8)', [x], torch.uint8, low_byte(0, 2**16 - 1, 0))
pointwise('float32 to uint32', 'a.to(tl.uint32)', [x], torch.uint32, saturate(0, 2**32 - 1))
pointwise('float32 to int64', 'a.to(tl.int64)', [x], torch.int64, saturate(-2**63, 2**63 - 1))
x16 = torch.tensor([0.5, -2.75, 60000.0, -7.0, 1.0]).half()
pointwise('float16 to int32', 'a.to(tl.int32)', [x16], torch.int32, x16.to(torch.int32))
pointwise('bfloat16 to int32', 'a.to(tl.int32)', [x16.bfloat16()], torch.int32, x16.bfloat16().to(torch.int32))
pointwise('float8 to int32', 'a.to(tl.float32).to(tl.int32)', [x16[1:2].to(E8)], torch.int32, x16[1:2].to(E8).float().to(torch.int32))
x = integers(-2**31, 2**31, n)
for target, name in ((torch.float16, 'float16'), (torch.bfloat16, 'bfloat16'), (torch.float64, 'float64')):
    small = (x % 2048).int()
    pointwise(f'int32 to {name}', f'a.to(tl.{name})', [small], target, small.to(target).double(), 0.0)

# NaN
a, b = torch.cat([SPECIAL, randn(20)]), torch.cat([randn(5), SPECIAL, randn(15)])
A, B = a.double(), b.double()
for dtype in (torch.float32, torch.float16, torch.bfloat16):
    p, q = a.to(dtype), b.to(dtype)
    P, Q = p.double(), q.double()
    pointwise(f'maximum {dtype}', 'tl.maximum(a, b)', [p, q], dtype, torch.fmax(P, Q), 0.0)
    pointwise(f'minimum {dtype}', 'tl.minimum(a, b, propagate_nan=tl.PropagateNan.ALL)', [p, q], dtype, torch.minimum(P, Q), 0.0)
low, high = -randn(33).abs(), randn(33).abs()
pointwise('clamp with nan', 'tl.clamp(a, b, c, propagate_nan=tl.PropagateNan.ALL)', [a, low, high], torch.float32,
          torch.minimum(torch.maximum(A, low.double()), high.double()), 0.0)
pointwise('clamp', 'tl.clamp(a, b, c)', [a, low, high], torch.float32, torch.fmin(torch.fmax(A, low.double()), high.double()), 0.0)
pointwise('clamp half', 'tl.clamp(a, -1.0, 1.0)', [a.half()], torch.float16, torch.fmin(torch.fmax(a.half().double(), torch.tensor(-1.0).double()), torch.tensor(1.0).double()), 0.0)
pointwise('not equal', '((a != b) | (a == a)).to(tl.int8)', [a, b], torch.int8, ((A != B) | (A == A)).to(torch.int8))
pointwise('none of less', '(~(a < b)).to(tl.int8)', [a, b], torch.int8, (~(A < B)).to(torch.int8))
pointwise('python max', 'max(a, b)', [a, b], torch.float32, torch.fmax(A, B), 0.0)
pointwise('python min', 'min(a, 0.5)', [a], torch.float32, torch.fmin(A, torch.tensor(0.5).double()), 0.0)

# functions
x, y, z = randn(n), randn(n) + 0.01, randn(n)
X, Y, Z = x.double(), y.double(), z.double()
pointwise('fdiv ieee', 'tl.fdiv(a, b, ieee_rounding=True)', [x, y], torch.float32, X / Y, 2e-7)
pointwise('fdiv', 'tl.fdiv(a, b)', [x, y], torch.float32, X / Y, 2e-6)
pointwise('div_rn', 'tl.div_rn(a, b)', [x, y], torch.float32, X / Y, 2e-7)
pointwise('fma', 'tl.fma(a, b, c)', [x, y, z], torch.float32, X * Y + Z, 2e-6)
pointwise('fma half', 'tl.fma(a, b, c)', [x.half(), y.half(), z.half()], torch.float16, x.half().double() * y.half().double() + z.half().double(), 2e-3)
pointwise('halves by whole numbers', 'a * 3 + 1', [x.half()], torch.float16, x.half().double() * 3 + 1, 4e-3)
pointwise('float16 and bfloat16', 'a + b', [x.half(), y.bfloat16()], torch.float32, x.half().double() + y.bfloat16().double(), 2e-2)
p, q = integers(-100, 100, n), integers(1, 9, n)
pointwise('whole / whole', 'a / b', [p, q], torch.float32, p.double() / q.double(), 2e-6)
pointwise('power by squaring', 'a * a * a', [x], torch.float32, X**3)
pointwise('erf64', 'tl.erf(a)', [X], torch.float64, torch.erf(X), 1e-12)
pointwise('exp64', 'tl.exp(a) + tl.log(tl.abs(a)) + tl.sqrt(tl.abs(a))', [X], torch.float64, X.exp() + X.abs().log() + X.abs().sqrt(), 1e-12)
pointwise('constants', "tl.where(i % 4 == 0, float('nan'), tl.where(i % 4 == 1, -float('inf'), tl.where(i % 4 == 2, -0.0, 1e-30)))", [x], torch.float32,
          torch.tensor([[float('nan'), -float('inf'), 0.0, 1e-30][i % 4] for i in range(n)], dtype=torch.float32), 0.0)
pointwise('half constants', "tl.full((BLOCK,), 3.14159, tl.bfloat16) + tl.full((BLOCK,), 65504.0, tl.float16).to(tl.float32)", [x], torch.float32,
          torch.full((n,), 3.140625 + 65504.0).double(), 0.0)
pointwise('large constants', 'tl.full((BLOCK,), 0xFFFFFFFFFFFFFFFF, tl.uint64) - a', [tensor_of([5] * n, torch.uint64)], torch.uint64, tensor_of([2**64 - 6] * n, torch.uint64))
pointwise('small constants', 'tl.full((BLOCK,), 200, tl.uint8) + a', [tensor_of([100] * n, torch.uint8)], torch.uint8, tensor_of([44] * n, torch.uint8))
pointwise('i1 constants', 'tl.full((BLOCK,), True, tl.int1) & (a > 0)', [x], torch.bool, x > 0)
pointwise('fp8 constants', 'tl.full((BLOCK,), 1.75, tl.float32).to(tl.float8e4nv)', [x], E8, torch.full((n,), 1.75).double(), 0.0)
x = randn(64)
pointwise('softmax', 'tl.softmax(tl.reshape(a, (1, BLOCK)), dim=1, keep_dims=True).reshape((BLOCK,))', [x], torch.float32, torch.softmax(x.double(), 0))

# ---- the library's functions ----
x, y, z = randn(n), randn(n) + 0.01, randn(n)
inside = (torch.rand(n, generator=generator) - 0.5) * 1.9
positive = x.abs() + 0.05
special = torch.special
for dtype, tolerance in ((torch.float32, 4e-6), (torch.float64, 1e-9)):
    for name, source, reference in (
            ('acos', inside, torch.acos), ('acosh', positive + 1, torch.acosh), ('asin', inside, torch.asin), ('asinh', x, torch.asinh), ('atan', x, torch.atan),
            ('atanh', inside, torch.atanh), ('cbrt', x, lambda v: v.sign() * v.abs()**(1 / 3)), ('ceil', x * 5, torch.ceil), ('cos', x, torch.cos),
            ('cosh', x, torch.cosh), ('cospi', x, lambda v: torch.cos(torch.pi * v)), ('erf', x, torch.erf), ('erfc', x, torch.erfc), ('erfcx', x, special.erfcx),
            ('erfinv', inside, torch.erfinv), ('exp', x, torch.exp), ('exp10', x, lambda v: 10**v), ('exp2', x, torch.exp2), ('expm1', x, torch.expm1),
            ('floor', x * 5, torch.floor), ('j0', x * 3, special.bessel_j0), ('j1', x * 3, special.bessel_j1), ('lgamma', positive, torch.lgamma),
            ('log', positive, torch.log), ('log10', positive, torch.log10), ('log1p', positive, torch.log1p), ('log2', positive, torch.log2),
            ('logb', positive, lambda v: v.log2().floor()), ('nearbyint', x * 5, torch.round), ('normcdf', x, special.ndtr), ('normcdfinv', inside.abs(), special.ndtri),
            ('rcbrt', positive, lambda v: v**(-1 / 3)), ('rint', x * 5, torch.round), ('round', x * 5, lambda v: (v.abs() + 0.5).floor() * v.sign()),
            ('rsqrt', positive, torch.rsqrt), ('sin', x, torch.sin), ('sinh', x, torch.sinh), ('sinpi', x, lambda v: torch.sin(torch.pi * v)), ('sqrt', positive, torch.sqrt),
            ('tan', inside, torch.tan), ('tanh', x, torch.tanh), ('tgamma', positive, lambda v: torch.lgamma(v).exp()), ('trunc', x * 5, torch.trunc), ('abs', x, torch.abs),
            ('y0', positive, special.bessel_y0), ('y1', positive, special.bessel_y1)):
        v = source.to(dtype)
        pointwise(f'library {name} {dtype}', f'libdevice.{name}(a)', [v], dtype, reference(v.double()), 1e-5 if name[0] in 'jy' else tolerance * 4)
    for name, reference in (('atan2', torch.atan2), ('copysign', torch.copysign), ('fdim', lambda p, q: (p - q).clamp(min=0)), ('hypot', torch.hypot),
                            ('rhypot', lambda p, q: 1 / torch.hypot(p, q)), ('pow', lambda p, q: p**q), ('remainder', lambda p, q: p - q * (p / q).round()),
                            ('fmod', torch.fmod)):
        p, q = (positive if name == 'pow' else x).to(dtype), y.to(dtype)
        pointwise(f'library {name} {dtype}', f'libdevice.{name}(a, b)', [p, q], dtype, reference(p.double(), q.double()), tolerance * 4)
    p, q = x.to(dtype), y.to(dtype)
    pointwise(f'library nextafter {dtype}', 'libdevice.nextafter(a, b)', [p, q], dtype, torch.nextafter(p, q).double(), 0.0)
    pointwise(f'library fma {dtype}', 'libdevice.fma(a, b, c)', [p, q, z.to(dtype)], dtype, p.double() * q.double() + z.to(dtype).double(), tolerance)
wild = torch.cat([SPECIAL, x])
for name, expression, want in (('isnan', 'libdevice.isnan(a)', wild.isnan()), ('isinf', 'libdevice.isinf(a)', wild.isinf()), ('finitef', 'libdevice.finitef(a)', wild.isfinite()),
                               ('signbit', 'libdevice.signbit(a)', torch.signbit(wild))):
    pointwise(f'library {name}', f'({expression} != 0).to(tl.int8)', [wild], torch.int8, want.to(torch.int8))
pointwise('library saturate', 'libdevice.saturatef(a)', [x], torch.float32, x.double().clamp(0, 1), 0.0)
for name, reference in (('fast_expf', torch.exp), ('fast_sinf', torch.sin), ('fast_cosf', torch.cos), ('fast_exp10f', lambda v: 10**v), ('rcp_rn', lambda v: 1 / v)):
    pointwise(f'library {name}', f'libdevice.{name}(a)', [y], torch.float32, reference(y.double()), 2e-5)
pointwise('library fast_dividef', 'libdevice.fast_dividef(a, b)', [x, y], torch.float32, x.double() / y.double(), 1e-5)
pointwise('library fast_powf', 'libdevice.fast_powf(a, b)', [positive, y], torch.float32, positive.double()**y.double(), 1e-5)
pointwise('library float_as_int', 'libdevice.float_as_int(a)', [x], torch.int32, x.view(torch.int32))
pointwise('library int_as_float', 'libdevice.int_as_float(a)', [x.view(torch.int32)], torch.float32, x.double(), 0.0)
pointwise('library float2int_rz', 'libdevice.float2int_rz(a)', [x * 100], torch.int32, (x * 100).to(torch.int32))
numbers = integers(-1000, 1000, n)
pointwise('library int2float_rn', 'libdevice.int2float_rn(a)', [numbers], torch.float32, numbers.double(), 0.0)
for dtype, width, count in ((torch.int32, 32, 'int32'), (torch.int64, 64, 'int32')):
    words, more, ones = whole(dtype, n), whole(dtype, n)[::-1], (1 << width) - 1
    for name, each in (('popc', lambda v: bin(v & ones).count('1')), ('clz', lambda v: width - (v & ones).bit_length()),
                       ('ffs', lambda v: (v & -v).bit_length() if v else 0)):
        pointwise(f'library {name} {dtype}', f'libdevice.{name}(a)', [tensor_of(words, dtype)], torch.int32, tensor_of([each(v) for v in words], torch.int32))
    pointwise(f'library brev {dtype}', 'libdevice.brev(a)', [tensor_of(words, dtype)], dtype,
              tensor_of([wrapped(int(f'{v & ones:0{width}b}'[::-1], 2), dtype) for v in words], dtype))
    pointwise(f'library mulhi {dtype}', 'libdevice.mulhi(a, b)', [tensor_of(words, dtype), tensor_of(more, dtype)], dtype,
              tensor_of([wrapped((p * q) >> width, dtype) for p, q in zip(words, more)], dtype))


# ---- memory ----


@triton.jit
def block_pointer_3d(x, out, a, b, c, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr, PAD: tl.constexpr):
    source = tl.make_block_ptr(x, (a, b, c), (b * c, c, 1), (1, 0, 2), (A, B, C), (2, 1, 0))
    v = tl.load(source, boundary_check=(0, 1, 2), padding_option=PAD)
    target = tl.make_block_ptr(out, (A, B, C), (B * C, C, 1), (0, 0, 0), (A, B, C), (2, 1, 0))
    tl.store(target, v, boundary_check=(0, 1, 2))


for pad in ('zero', 'nan'):
    x, out = randn(3, 5, 7), Unwritten(4 * 8 * 8)
    want = torch.full((4, 8, 8), 0.0 if pad == 'zero' else float('nan'), dtype=torch.float64)
    want[:2, :5, :5] = x[1:, :, 2:]
    run(block_pointer_3d, [x, out, 3, 5, 7], [(out, want)], {'A': 4, 'B': 8, 'C': 8, 'PAD': pad}, name=f'block pointer 3d {pad}')


@triton.jit
def block_pointer_order(x, out, m, n, M: tl.constexpr, N: tl.constexpr):
    """Loads column by column, moving to the left; the store leaves out elements outside of the tensor."""
    source = tl.make_block_ptr(x, shape=(m, n), strides=(1, m), offsets=(0, n - N), block_shape=(M, N), order=(0, 1))
    target = tl.make_block_ptr(out, shape=(m, n), strides=(n, 1), offsets=(0, n - N), block_shape=(M, N), order=(1, 0))
    for _ in range(n // N):
        tl.store(target, tl.load(source, boundary_check=(0,)) * 2, boundary_check=(0,))
        source = tl.advance(source, (0, -N))
        target = target.advance((0, -N))


x, out = randn(12, 5), Unwritten(60)
run(block_pointer_order, [x, out, 5, 12], [(out, x.double().t().contiguous() * 2)], {'M': 8, 'N': 4})


@triton.jit
def modifiers(x, out, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n, other=0, cache_modifier='.ca', eviction_policy='evict_last')
    v += tl.load(x + i, mask=i < n, other=1, cache_modifier='.cv', volatile=True)
    v += tl.load(x + i, mask=i < n, cache_modifier='.cg', eviction_policy='evict_first')
    tl.store(out + i, v, mask=i < n, cache_modifier='.cs', eviction_policy='evict_first')
    tl.store(out + i, v + 1, mask=i < n, cache_modifier='.wb', eviction_policy='evict_last')
    tl.store(out + i, v + 2, mask=i < n, cache_modifier='.cg')
    tl.debug_barrier()


x, out = randn(50), Unwritten(50)
run(modifiers, [x, out, 50], [(out, x.double() * 3 + 2)], {'BLOCK': 64})


@triton.jit
def odd_offsets(x, out, start, BLOCK: tl.constexpr):
    """Uses offsets of many types, a pointer chosen by a condition, and a scalar load with a mask."""
    small = tl.arange(0, BLOCK).to(tl.uint8)
    tl.store(out + small, tl.load(x + small.to(tl.int16)))
    tl.store(out + BLOCK + small.to(tl.uint32), tl.load(x + small.to(tl.uint64) + start))
    back = tl.arange(0, BLOCK) - BLOCK
    tl.store(out + 2 * BLOCK + small, tl.load(x + BLOCK + back.to(tl.int64)))
    i = tl.arange(0, BLOCK)
    pointers = tl.where(i % 2 == 0, x + i, x + BLOCK + i)
    tl.store(out + 3 * BLOCK + i, tl.load(pointers))
    one = tl.load(x + 1, mask=start > 100, other=7.5)
    tl.store(out + 4 * BLOCK, one)
    p = x
    if start > 2:
        p = x + 5
    tl.store(out + 4 * BLOCK + 1, tl.load(p))


x, out = randn(64), Unwritten(4 * 32 + 2)
index = torch.arange(32)
run(odd_offsets, [x, out, 3], [(out, torch.cat([x[:32], x[3:35], x[:32], torch.where(index % 2 == 0, x[:32], x[32:]), torch.tensor([7.5]), x[5:6]]).double())],
    {'BLOCK': 32})


@triton.jit
def booleans(mask, x, out, flags, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    m = tl.load(mask + i, mask=i < n, other=0)
    v = tl.load(x + i, mask=(i < n) & m, other=-1.0)
    tl.store(out + i, v, mask=i < n)
    tl.store(flags + i, (v > 0) | ~m, mask=i < n)


mask, x, out, flags = integers(0, 2, 50, dtype=torch.bool), randn(50), Unwritten(50), Unwritten(50, torch.bool)
kept = torch.where(mask, x, -1.0)
run(booleans, [mask, x, out, flags, 50], [(out, kept.double()), (flags, (kept > 0) | ~mask)], {'BLOCK': 64})


@triton.jit
def scalar_arguments(out, i8, u8, i16, u16, i32, u32, i64, u64, f16, bf16, f32, f64, i1):
    tl.store(out + 0, i8.to(tl.float64))
    tl.store(out + 1, u8.to(tl.float64))
    tl.store(out + 2, i16.to(tl.float64))
    tl.store(out + 3, u16.to(tl.float64))
    tl.store(out + 4, i32.to(tl.float64))
    tl.store(out + 5, u32.to(tl.float64))
    tl.store(out + 6, i64.to(tl.float64))
    tl.store(out + 7, u64.to(tl.float64))
    tl.store(out + 8, f16.to(tl.float64))
    tl.store(out + 9, bf16.to(tl.float64))
    tl.store(out + 10, f32.to(tl.float64))
    tl.store(out + 11, f64)
    tl.store(out + 12, i1.to(tl.float64))


out = Unwritten(13, torch.float64)
values = [('i8', -100), ('u8', 200), ('i16', -30000), ('u16', 60000), ('i32', -2**31), ('u32', 7), ('i64', -2**40), ('u64', 2**52), ('fp16', 1.0009765625),
          ('bf16', 3.140625), ('fp32', 0.1), ('fp64', 0.1), ('i1', True)]
wanted = [float(v) for _, v in values]
wanted[10] = float(torch.tensor(0.1))
run(scalar_arguments, [out] + [Scalar(*v) if v[0] != 'i1' else True for v in values], [(out, torch.tensor(wanted, dtype=torch.float64))], tolerance=0.0)


@triton.jit
def descriptors(x, out, m, n, M: tl.constexpr, N: tl.constexpr):
    source = tl.make_tensor_descriptor(x, shape=[m, n], strides=[n, 1], block_shape=[M, N])
    target = tl.make_tensor_descriptor(out, shape=[m, n], strides=[n, 1], block_shape=[M, N])
    for i in range(0, m, M):
        for j in range(0, n, N):
            target.store([i, j], source.load([i, j]) * 2)


x, out = randn(13, 20), Unwritten(260)
run(descriptors, [x, out, 13, 20], [(out, x.double() * 2)], {'M': 8, 'N': 16})


@triton.jit
def descriptor_padding(x, out, m, n, M: tl.constexpr, N: tl.constexpr):
    source = tl.make_tensor_descriptor(x, [m, n], [n, 1], [M, N], padding_option='nan')
    v = source.load([m - 3, n - 4])
    tl.store(out + tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :], v)


x, out = randn(13, 20), Unwritten(128)
want = torch.full((8, 16), float('nan'), dtype=torch.float64)
want[:3, :4] = x[-3:, -4:]
run(descriptor_padding, [x, out, 13, 20], [(out, want)], {'M': 8, 'N': 16})


@triton.jit
def descriptor_rows(x, rows, out, sums, m, n, R: tl.constexpr, N: tl.constexpr):
    source = tl.make_tensor_descriptor(x, [m, n], [n, 1], [1, N])
    target = tl.make_tensor_descriptor(out, [m, n], [n, 1], [1, N])
    at = tl.load(rows + tl.arange(0, R))
    v = source.gather(at, 4)
    target.scatter(v * 3, at, 4)
    total = tl.make_tensor_descriptor(sums, [R, N], [N, 1], [R, N])
    total.atomic_add([0, 0], v)


x, rows = randn(12, 20), torch.tensor([3, 0, 11, 5, 7, 1, 2, 9], dtype=torch.int32)
out, sums = torch.zeros(12, 20), randn(8, 16)
want = torch.zeros(12, 20).double()
want[rows.long(), 4:] = x.double()[rows.long(), 4:] * 3
run(descriptor_rows, [x, rows, out, sums, 12, 20], [(out, want), (sums, sums.double() + x.double()[rows.long(), 4:])], {'R': 8, 'N': 16})


@triton.jit
def descriptor_reductions(x, most, least, both, either, differ, n, N: tl.constexpr):
    i = tl.arange(0, N)
    v = tl.load(x + i, mask=i < n, other=0)
    tl.make_tensor_descriptor(most, [n], [1], [N]).atomic_max([0], v)
    tl.make_tensor_descriptor(least, [n], [1], [N]).atomic_min([0], v)
    tl.make_tensor_descriptor(both, [n], [1], [N]).atomic_and([0], v)
    tl.make_tensor_descriptor(either, [n], [1], [N]).atomic_or([0], v)
    tl.make_tensor_descriptor(differ, [n], [1], [N]).atomic_xor([0], v)


x, *before = [integers(-1000, 1000, 27) for _ in range(6)]
run(descriptor_reductions, [x, *before, 27],
    list(zip(before, [torch.maximum(before[0], x), torch.minimum(before[1], x), before[2] & x, before[3] | x, before[4] ^ x])), {'N': 32})


# ---- atomics ----
@triton.jit
def atomic_numbers(x, total, most, least, swapped, old, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    v = tl.load(x + i, mask=mask, other=0)
    tl.atomic_add(total + i % 4, v, mask=mask, sem='relaxed', scope='sys')
    tl.atomic_max(most + i * 0, v, mask=mask, sem='release', scope='sys')
    tl.atomic_min(least + i * 0, v, mask=mask, sem='acquire')
    before = tl.atomic_xchg(swapped + i, v, mask=mask, scope='cta')
    tl.store(old + i, before, mask=mask)


@triton.jit
def atomic_sums(x, total, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.atomic_add(total + i % 4, tl.load(x + i, mask=i < n, other=0), mask=i < n)


@triton.jit
def atomic_bits(x, both, either, differ, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    mask = i < n
    v = tl.load(x + i, mask=mask, other=0)
    tl.atomic_and(both + i * 0, v, mask=mask)
    tl.atomic_or(either + i * 0, v, mask=mask)
    tl.atomic_xor(differ + i * 0, v, mask=mask)


n = 50
for dtype in (torch.int32, torch.uint32, torch.int64, torch.uint64, torch.float32, torch.float64):
    if dtype.is_floating_point:
        x, swapped = randn(n).to(dtype), randn(n).to(dtype)
        sums = torch.zeros(4, dtype=torch.float64)
        sums.index_add_(0, torch.arange(n) % 4, x.double())
        most, least, total, old = torch.full((1,), -0.5, dtype=dtype), torch.full((1,), 0.5, dtype=dtype), torch.zeros(4, dtype=dtype), Unwritten(n, dtype)
        expected = [(total, sums), (most, x.double().max().view(1)), (least, x.double().min().view(1)), (swapped, x.double()), (old, swapped.double())]
    else:
        a, b = whole(dtype, n), whole(dtype, n)[::-1]
        x, swapped = tensor_of(a, dtype), tensor_of(b, dtype)
        most, least, total, old = tensor_of([a[7]], dtype), tensor_of([a[8]], dtype), tensor_of([0] * 4, dtype), Unwritten(n, dtype)
        expected = [(total, tensor_of([wrapped(sum(a[k::4]), dtype) for k in range(4)], dtype)), (most, tensor_of([max(a)], dtype)), (least, tensor_of([min(a)], dtype)),
                    (swapped, x), (old, swapped)]
        words = [tensor_of([a[9]], dtype) for _ in range(3)]
        both = either = differ = a[9]
        for v in a:
            both, either, differ = both & v, either | v, differ ^ v
        run(atomic_bits, [x, *words, n], [(w, tensor_of([v], dtype)) for w, v in zip(words, (both, either, differ))], {'BLOCK': 64}, name=f'atomic bits {dtype}')
    run(atomic_numbers, [x, total, most, least, swapped, old, n], expected, {'BLOCK': 32}, grid=(2,), tolerance=1e-5, name=f'atomics {dtype}')
for dtype, tolerance in ((torch.float16, 2e-2), (torch.bfloat16, 2e-1)):
    x, total = randn(n).to(dtype), torch.zeros(4, dtype=dtype)
    sums = torch.zeros(4, dtype=torch.float64)
    sums.index_add_(0, torch.arange(n) % 4, x.double())
    run(atomic_sums, [x, total, n], [(total, sums)], {'BLOCK': 64}, tolerance=tolerance, name=f'atomic sums {dtype}')


@triton.jit
def compare_and_swap(x, expected, new, old, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(old + i, tl.atomic_cas(x + i, tl.load(expected + i), tl.load(new + i), sem='acq_rel', scope='gpu'))


for dtype in (torch.int32, torch.uint32, torch.int64, torch.uint64, torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int16):
    if dtype.is_floating_point:
        x, new = randn(32).to(dtype), randn(32).to(dtype)
    else:
        x, new = tensor_of(whole(dtype, 32), dtype), tensor_of(whole(dtype, 32)[::-1], dtype)
    expected = torch.where(torch.arange(32) % 3 == 0, x.double(), 1.0).to(dtype) if dtype.is_floating_point else tensor_of(
        [int(v) if i % 3 == 0 else 1 for i, v in enumerate(x.tolist())], dtype)
    want = [b if a == e else a for a, e, b in zip(x.tolist(), expected.tolist(), new.tolist())]
    want = torch.tensor(want, dtype=torch.float64) if dtype.is_floating_point else tensor_of(want, dtype)
    old = Unwritten(32, dtype)
    run(compare_and_swap, [x, expected, new, old], [(x, want), (old, x.double() if dtype.is_floating_point else x)], {'BLOCK': 32}, tolerance=0.0,
        name=f'compare and swap {dtype}')


# ---- along an axis ----
@triton.jit
def reduced(x, out, index, n, B: tl.constexpr, A: tl.constexpr, C: tl.constexpr):
    i, j, k = tl.arange(0, B)[:, None, None], tl.arange(0, A)[None, :, None], tl.arange(0, C)[None, None, :]
    v = tl.load(x + (i * A + j) * C + k)
    o = tl.arange(0, B)[:, None] * C + tl.arange(0, C)[None, :]
    most, at = tl.max(v, axis=1, return_indices=True)
    tl.store(out + o, most)
    tl.store(index + o, at)
    least, at = tl.min(v, axis=1, return_indices=True, return_indices_tie_break_left=True)
    tl.store(out + B * C + o, least)
    tl.store(index + B * C + o, at)
    tl.store(index + 2 * B * C + o, tl.argmax(v, 1, tie_break_left=True))
    tl.store(index + 3 * B * C + o, tl.argmin(v, 1))
    tl.store(out + 2 * B * C + o, tl.sum(v, 1))
    tl.store(out + 3 * B * C + o, tl.sum(tl.sum(v, axis=1, keep_dims=True), axis=1))


for dtype in (torch.float32, torch.float16, torch.bfloat16, torch.int32, torch.int16, torch.int8, torch.int64):
    x = integers(-9, 10, 2, 8, 4).to(dtype)
    w = x.double()
    first = lambda t: torch.tensor(numpy.argmax(t.numpy(), 1))
    out, index = Unwritten(4 * 8, dtype), Unwritten(4 * 8, torch.int32)
    real = torch.stack([w.amax(1), w.amin(1), w.sum(1), w.sum(1)])
    run(reduced, [x, out, index, 8], [(out, real if dtype.is_floating_point else real.to(dtype)), (index, torch.stack([first(w), first(-w), first(w), first(-w)]))],
        {'B': 2, 'A': 8, 'C': 4}, tolerance=0.0, name=f'reduced {dtype}')


@triton.jit
def bits_reduced(x, flags, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    v = tl.load(x + i)
    f = tl.load(flags + i)
    tl.store(out, tl.xor_sum(v, 0))
    tl.store(out + 1, tl.reduce_or(v, 0))
    tl.store(out + 2, tl.sum(f.to(tl.int1), 0))
    tl.store(out + 3, tl.max(f, 0).to(tl.int32))
    tl.store(out + 4, tl.sum(f, axis=0, dtype=tl.int64).to(tl.int32))
    tl.store(out + 5, tl.reduce_or((v > 5).to(tl.int1), 0).to(tl.int32))


x, f, out = integers(0, 1000, 32), integers(0, 3, 32, dtype=torch.uint8), Unwritten(6, torch.int32)
both = [0, 0]
for v in x.tolist():
    both = [both[0] ^ v, both[1] | v]
run(bits_reduced, [x, f, out], [(out, torch.tensor([*both, int((f != 0).sum()), int(f.max()), int(f.sum()), 1]))], {'BLOCK': 32})


@triton.jit
def later_of(v1, i1, v2, i2):
    keep = v1 * 2 > v2
    return tl.where(keep, v1, v2), tl.where(keep, i1, i2)


@triton.jit
def first_segment(f1, v1, f2, v2):
    return f1 | f2, tl.where(f2 != 0, v2, v1 + v2)


@triton.jit
def scanned(x, flags, out, sums, M: tl.constexpr, N: tl.constexpr):
    o = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    v = tl.load(x + o)
    f = tl.load(flags + o)
    _, s = tl.associative_scan((f, v), 1, first_segment)
    tl.store(out + o, s)
    tl.store(sums + o, tl.cumsum(v, 0))
    tl.store(sums + M * N + o, tl.cumsum(v, 1, reverse=True))
    tl.store(sums + 2 * M * N + o, tl.cumprod(v, axis=1))
    tl.store(sums + 3 * M * N + o, tl.cumprod(v, axis=0, reverse=True))


x, f = (randn(4, 16) * 4).round() / 4, integers(0, 4, 4, 16) // 3
segments = x.double().clone()
for row in range(4):
    for at in range(1, 16):
        if not f[row, at]:
            segments[row, at] += segments[row, at - 1]
w = x.double()
out, sums = Unwritten(64), Unwritten(256)
run(scanned, [x, f, out, sums], [(out, segments), (sums, torch.stack([w.cumsum(0), w.flip(1).cumsum(1).flip(1), w.cumprod(1), w.flip(0).cumprod(0).flip(0)]))],
    {'M': 4, 'N': 16}, tolerance=1e-5)


@triton.jit
def reverse_scan(x, out, index, N: tl.constexpr):
    i = tl.arange(0, N)
    v, at = tl.associative_scan((tl.load(x + i), i), 0, later_of, reverse=True)
    tl.store(out + i, v)
    tl.store(index + i, at)


x, out, index = randn(16), Unwritten(16), Unwritten(16, torch.int32)
pairs = [(float(x[15]), 15)]
for at in range(14, -1, -1):
    v = float(x[at])
    pairs.append(pairs[-1] if pairs[-1][0] * 2 > v else (v, at))
run(reverse_scan, [x, out, index], [(out, torch.tensor([p[0] for p in pairs[::-1]]).double()), (index, torch.tensor([p[1] for p in pairs[::-1]]))], {'N': 16}, tolerance=0.0)


@triton.jit
def sorted_rows(x, out, largest, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    o = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    v = tl.load(x + o)
    tl.store(out + o, tl.sort(v))
    tl.store(out + M * N + o, tl.sort(v, dim=1, descending=True))
    tl.store(out + 2 * M * N + o, tl.flip(v, 0))
    tl.store(out + 3 * M * N + o, tl.flip(v, 1))
    tl.store(largest + tl.arange(0, M)[:, None] * K + tl.arange(0, K)[None, :], tl.topk(v, K))


for dtype in (torch.float32, torch.float16, torch.int32, torch.uint8, torch.int64, torch.int16):
    x = integers(0, 200, 4, 32).to(dtype)
    out, largest = Unwritten(4 * 128, dtype), Unwritten(4 * 8, dtype)
    w = x.double() if dtype.is_floating_point else x.long()
    run(sorted_rows, [x, out, largest], [(out, torch.stack([w.sort(1).values, w.sort(1, descending=True).values, w.flip(0), w.flip(1)])), (largest, w.topk(8, 1).values)],
        {'M': 4, 'N': 32, 'K': 8}, tolerance=0.0, name=f'sorted {dtype}')


# ---- shapes ----
@triton.jit
def reshaped(x, out, M: tl.constexpr, N: tl.constexpr):
    o = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    flat = tl.arange(0, M * N)
    v = tl.load(x + o)
    SIZE: tl.constexpr = M * N
    tl.store(out + flat, tl.ravel(v))
    tl.store(out + SIZE + flat, tl.ravel(tl.trans(v)))
    cube = tl.reshape(v, (2, M // 2, N // 4, 4))
    tl.store(out + 2 * SIZE + flat, tl.permute(cube, 3, 1, 0, 2).reshape(M * N))
    tl.store(out + 3 * SIZE + flat, tl.view(v.T, (M * N,)))
    left, right = tl.reshape(v, (M, N // 2, 2)).split()
    tl.store(out + 4 * SIZE + flat, tl.interleave(right, left).reshape((M * N,)))
    tl.store(out + 5 * SIZE + flat, tl.join(left, right).permute((2, 0, 1)).reshape((M * N,)))
    tl.store(out + 6 * SIZE + flat, tl.cat(tl.ravel(left), tl.ravel(right), can_reorder=True))
    row = tl.expand_dims(tl.load(x + tl.arange(0, N)), 0)
    tl.store(out + 7 * SIZE + flat, tl.broadcast_to(row, (M, N)).reshape(SIZE))
    a, b = tl.broadcast(row, tl.arange(0, M)[:, None])
    tl.store(out + 8 * SIZE + flat, tl.ravel(a * b))
    one = tl.sum(v, keep_dims=True)
    tl.store(out + 9 * SIZE, one.item())
    two = tl.join(tl.load(x), tl.load(x + 1))
    p, q = tl.split(two)
    tl.store(out + 9 * SIZE + 1, q - p)


x, out = randn(4, 8), Unwritten(9 * 32 + 2)
w = x.double()
left, right = w[:, ::2], w[:, 1::2]
run(reshaped, [x, out], [(out, torch.cat([w.view(-1), w.t().reshape(-1), w.view(2, 2, 2, 4).permute(3, 1, 0, 2).reshape(-1), w.t().reshape(-1),
                                          torch.stack([right, left], -1).view(-1), torch.stack([left, right]).view(-1), left.reshape(-1), right.reshape(-1),
                                          w[0].expand(4, 8).reshape(-1), (w[0] * torch.arange(4)[:, None]).reshape(-1), w.sum().view(1), (w[0, 1] - w[0, 0]).view(1)]))],
    {'M': 4, 'N': 8}, tolerance=1e-5)


@triton.jit
def gathered(x, rows, columns, out, M: tl.constexpr, N: tl.constexpr):
    o = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    v = tl.load(x + o)
    tl.store(out + o, tl.gather(v, tl.load(columns + o), 1))
    tl.store(out + M * N + o, v.gather(tl.load(rows + o).to(tl.int64), axis=0))
    half = tl.arange(0, M)[:, None] * (N // 2) + tl.arange(0, N // 2)[None, :]
    tl.store(out + 2 * M * N + half, tl.gather(v, tl.load(columns + half), axis=-1))


x, rows, columns, out = randn(4, 8), integers(0, 4, 4, 8), integers(0, 8, 4, 8), Unwritten(32 * 2 + 16)
run(gathered, [x, rows, columns, out], [(out, torch.cat([x.gather(1, columns.long()).view(-1), x.gather(0, rows.long()).view(-1),
                                                       x.gather(1, columns.view(-1)[:16].view(4, 4).long()).view(-1)]).double())], {'M': 4, 'N': 8}, tolerance=0.0)


@triton.jit
def counted(x, out, n, BLOCK: tl.constexpr, BINS: tl.constexpr):
    i = tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n, other=0)
    tl.store(out + tl.arange(0, BINS), tl.histogram(v, BINS, mask=i < n))


for dtype in (torch.int32, torch.int64, torch.uint8, torch.uint32):
    x, out = integers(0, 16, 50).to(dtype), Unwritten(16, torch.int32)
    run(counted, [x, out, 50], [(out, torch.bincount(x.long(), minlength=16))], {'BLOCK': 64, 'BINS': 16}, name=f'histogram {dtype}')


@triton.jit
def swizzled(out, M: tl.constexpr, N: tl.constexpr, G: tl.constexpr):
    i, j = tl.arange(0, M)[:, None], tl.arange(0, N)[None, :]
    a, b = tl.swizzle2d(i, j, M, N, G)
    tl.store(out + i * N + j, a * N + b)


def swizzle(at, m, n, g):
    group = at // (g * n)
    rows = min(m - group * g, g)
    inside = at % (g * n)
    return (group * g + inside % rows) * n + inside // rows


out = Unwritten(32, torch.int32)
run(swizzled, [out], [(out, torch.tensor([swizzle(at, 4, 8, 2) for at in range(32)]))], {'M': 4, 'N': 8, 'G': 2})


# ---- control flow ----
@triton.jit(noinline=True)
def both_of(x, y):
    if x > y:
        return x, y
    return y, x


@triton.jit
def early(v, limit):
    if v > limit:
        return limit
    v = v + 1
    if v > limit:
        return v - limit
    return -v


@triton.constexpr_function
def doubled(value):
    return 2 * value


@triton.jit
def scale_by(value, factors, WHICH: tl.constexpr):
    return value * factors[WHICH]


@triton.jit
def control(x, out, n, COUNT: tl.constexpr):
    a = tl.load(x)
    b = tl.load(x + 1)
    most, least = both_of(a, b)
    tl.store(out, most - least)
    tl.store(out + 1, early(a, 2) + 10 * early(b, 5))
    total = 0
    for i in range(n, 0, -2):
        for j in tl.static_range(COUNT):
            if (i + j) % 3 == 0 and not i == 4:
                total += i * j
            elif i > 6 or j == 0:
                total -= 1
    tl.store(out + 2, total)
    i = tl.zeros((), tl.int64)
    while i < n and total < 10000:
        total += i.to(tl.int32)
        i += 1
    tl.store(out + 3, total)
    tl.store(out + 4, scale_by(a, (1, doubled(3), 5), 1))
    pair = (a, b)
    tl.store(out + 5, pair[0] - pair[1] if n > 3 else b)
    count = 0
    for k in tl.range(0, n, 1, num_stages=3, flatten=True, warp_specialize=False, disallow_acc_multi_buffer=True):
        for m in range(k):
            count += m
    for k in tl.range(0, n, loop_unroll_factor=4):
        count += k
    for k in tl.range(n, disable_licm=True):
        count += n * 2
    tl.store(out + 6, count)
    low = tl.load(x).to(tl.uint32)
    rounds = 0
    for k in range(low, low + 3):
        rounds += 1
    for k in range(tl.load(x).to(tl.int64), tl.load(x + 1).to(tl.int64)):
        rounds += 10
    tl.store(out + 7, rounds)
    tl.static_assert(COUNT == 3, 'three')
    tl.device_assert(a < 0, 'left out when not debugging')
    tl.device_print('a', a, hex=True)
    tl.assume(n > 0)


def early_python(v, limit):
    return limit if v > limit else v + 1 - limit if v + 1 > limit else -(v + 1)


x, out, n = torch.tensor([2, 6], dtype=torch.int32), Unwritten(8, torch.int32), 9
total = 0
for i in range(n, 0, -2):
    for j in range(3):
        total += i * j if (i + j) % 3 == 0 and i != 4 else -1 if i > 6 or j == 0 else 0
run(control, [x, out, n], [(out, torch.tensor([4, early_python(2, 2) + 10 * early_python(6, 5), total, total + 36, 12, -4,
                                               sum(m for k in range(n) for m in range(k)) + 36 + 162, 43]))], {'COUNT': 3})


@triton.jit
def blocks_in_loops(x, out, n, BLOCK: tl.constexpr):
    """Loops and conditions carry values of several kinds: blocks, pointers, tuples."""
    i = tl.arange(0, BLOCK)
    p = x + i
    best = tl.full((BLOCK,), -1000, tl.float32)
    where = tl.zeros((BLOCK,), tl.int32)
    at = 0
    while at < n:
        v = tl.load(p)
        if at % 2 == 0:
            better = v > best
            best = tl.where(better, v, best)
            where = tl.where(better, at, where)
        else:
            best += 0.25
        p += BLOCK
        at += 1
    tl.store(out + i, best)
    tl.store(out + BLOCK + i, where.to(tl.float32))


x, out = randn(5, 16), Unwritten(32)
best, where = torch.full((16,), -1000.0).double(), torch.zeros(16).double()
for at in range(5):
    if at % 2 == 0:
        where, best = torch.where(x[at] > best, float(at), where), torch.maximum(best, x[at].double())
    else:
        best = best + 0.25
run(blocks_in_loops, [x, out, 5], [(out, torch.cat([best, where]))], {'BLOCK': 16})


@triton.jit
def hinted(x, out, n, BLOCK: tl.constexpr):
    """Hints may be attributes of any operation, and change nothing."""
    pid = tl.multiple_of(tl.program_id(0), 1)
    start = tl.multiple_of(pid * BLOCK, 8)
    i = tl.max_contiguous(tl.multiple_of(start + tl.arange(0, BLOCK), BLOCK), BLOCK)
    p = tl.multiple_of(x + i, 4)
    mask = tl.max_constancy(i < n, 1)
    v = tl.max_constancy(tl.load(p, mask=mask, other=0.0), 1)
    w = tl.max_contiguous(tl.where(v > 0, v, -v), 1)
    r = tl.multiple_of(tl.broadcast_to(tl.sum(w.to(tl.int32), 0), (BLOCK,)), 1)
    c = tl.max_constancy(tl.full((BLOCK,), 2.0, tl.float32), BLOCK)
    s = tl.multiple_of(tl.reshape(tl.trans(tl.reshape(w, (2, BLOCK // 2))), (BLOCK,)), 1)
    total = 0.0
    for k in tl.range(0, 3, warp_specialize=True, num_stages=2):
        total += tl.multiple_of(k, 1)
    tl.assume(n > 0)
    tl.assume(pid >= 0)
    tl.store(tl.max_contiguous(out + i, 1), s * c + total + r * 0, mask=mask)


x, out = randn(64), Unwritten(64)
run(hinted, [x, out, 64], [(out, x.double().abs().view(2, 2, 16).transpose(1, 2).reshape(64) * 2 + 3)], {'BLOCK': 32}, grid=(2,))


class Pair(NamedTuple):
    first: tl.tensor
    second: tl.tensor


@triton.jit
def swapped_pair(pair):
    return Pair(pair.second, pair.first)


@tl.core._aggregate
class Span:
    base: tl.tensor
    length: tl.tensor

    @triton.constexpr_function
    def __init__(self, base, length):
        self.base = base
        self.length = length

    @triton.jit
    def get(self, at, other: tl.constexpr):
        return tl.load(self.base + at, mask=at < self.length, other=other)


@triton.jit
def named(x, out, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    span = Span(x, n)
    a = span.get(i, -1.0)
    pair = Pair(a, a * 2)
    for _ in range(n % 4):
        pair = swapped_pair(pair)
    tl.store(out + i, pair.first - pair.second * 4)


x, out = randn(13), Unwritten(16)
padded = torch.cat([x.double(), torch.full((3,), -1.0).double()])
run(named, [x, out, 13], [(out, padded * 2 - padded * 4)], {'BLOCK': 16})


@triton.jit
def selu(x):
    if x > 0:
        return x * 2
    else:
        return tl.exp(x) - 1


@triton.jit
def twos(a0, a1, b0, b1):
    return a0 + b0, a1 + b1, (a0 > b0).to(tl.int32), (a1 > b1).to(tl.int32)


@triton.jit
def mapped(x, y, out, whole, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    a, b = tl.load(x + i), tl.load(y + i)
    tl.store(out + i, tl.map_elementwise(selu, a))
    p, q = tl.map_elementwise(twos, a, b, pack=2)
    tl.store(out + BLOCK + i, p)
    tl.store(whole + i, q)


x, y, out, numbers = randn(32), randn(32), Unwritten(64), Unwritten(32, torch.int32)
X, Y = x.double(), y.double()
run(mapped, [x, y, out, numbers], [(out, torch.cat([torch.where(X > 0, 2 * X, X.expm1()), X + Y])), (numbers, (x > y).int())], {'BLOCK': 32})


@triton.jit
def larger_distance(a, b):
    if a > 0:
        if b < 0:
            return a - b
        return tl.maximum(a, b)
    return b


@triton.jit
def returns_within(x, out, n, BLOCK: tl.constexpr):
    """Calls functions that return early, in a loop and in a reduction."""
    i = tl.arange(0, BLOCK)
    total = 0
    for k in range(n):
        total += early(k, 3)
    v = tl.load(x + i)
    tl.store(out, total.to(tl.float32))
    tl.store(out + 1, tl.reduce(v, 0, larger_distance))
    tl.store(out + 2 + i, tl.associative_scan(v, 0, larger_distance))
    tl.store(out + 2 + BLOCK + i, tl.map_elementwise(early, v, tl.full((BLOCK,), 0.5, tl.float32)))


def larger_python(a, b):
    return (a - b if b < 0 else max(a, b)) if a > 0 else b


x, out = randn(16), Unwritten(34)
chain = [float(x[0])]
for v in x[1:].tolist():
    chain.append(larger_python(chain[-1], v))
pairs = x.tolist()
while len(pairs) > 1:
    pairs = [larger_python(*pairs[k:k + 2]) for k in range(0, len(pairs), 2)]
run(returns_within, [x, out, 9], [(out, torch.tensor([float(sum(early_python(k, 3) for k in range(9))), pairs[0], *chain,
                                                      *(early_python(v, 0.5) for v in x.tolist())]))], {'BLOCK': 16}, tolerance=1e-6)


# ---- random numbers: Philox 4x32 as defined in the paper ----
def philox_words(seed, counters, rounds=10):
    c = [numpy.array(w, dtype=numpy.uint64) & 0xFFFFFFFF for w in counters]
    key = [seed & 0xFFFFFFFF, seed >> 32]
    low = numpy.uint64(0xFFFFFFFF)
    for _ in range(rounds):
        p, q = numpy.uint64(0xD2511F53) * c[0], numpy.uint64(0xCD9E8D57) * c[2]
        c = [(q >> numpy.uint64(32)) ^ c[1] ^ numpy.uint64(key[0]), q & low, (p >> numpy.uint64(32)) ^ c[3] ^ numpy.uint64(key[1]), p & low]
        key = [(key[0] + 0x9E3779B9) & 0xFFFFFFFF, (key[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return c


@triton.jit
def random_kinds(out, words, seed, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out + i, tl.rand(seed, i))
    tl.store(out + BLOCK + i, tl.randn(seed, i))
    a, b, c, d = tl.rand4x(seed, i, n_rounds=7)
    tl.store(out + 2 * BLOCK + i, a + b + c + d)
    a, b, c, d = tl.randn4x(seed, i)
    tl.store(out + 3 * BLOCK + i, a - d)
    a, b, c, d = tl.randint4x(seed, i)
    tl.store(words + i, c ^ d)
    tl.store(words + BLOCK + i, tl.randint(seed, i.to(tl.int64) + (1 << 40)).to(tl.uint32))


def uniform(word):
    signed = torch.from_numpy(word.astype(numpy.uint32).view(numpy.int32).astype(numpy.int64))
    return torch.where(signed < 0, -signed - 1, signed).double() * 4.6566127342e-10


def normal(a, b):
    radius = torch.sqrt(-2 * torch.log(uniform(a).clamp(min=1e-7)))
    return radius * torch.cos(6.283185307179586 * uniform(b)), radius * torch.sin(6.283185307179586 * uniform(b))


for seed in (7, 0x123456789ABCDEF0 >> 1):
    index, zero = numpy.arange(64), numpy.zeros(64, dtype=numpy.int64)
    w, few = philox_words(seed, [index, zero, zero, zero]), philox_words(seed, [index, zero, zero, zero], 7)
    far = philox_words(seed, [index, zero + (1 << 8), zero, zero])
    out, words = Unwritten(256), Unwritten(128, torch.uint32)
    run(random_kinds, [out, words, Scalar('i64', seed)],
        [(out, torch.cat([uniform(w[0]), normal(w[0], w[1])[0], sum(uniform(v) for v in few), normal(w[0], w[1])[0] - normal(w[2], w[3])[1]])),
         (words, torch.from_numpy(numpy.concatenate([w[2] ^ w[3], far[0]]).astype(numpy.int64)))], {'BLOCK': 64}, tolerance=2e-5, name=f'random kinds {seed}')


# ---- products ----
@triton.jit
def product(a, b, c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, PRECISION: tl.constexpr, OUT: tl.constexpr, IMPRECISE: tl.constexpr):
    i, j, k = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    left = tl.load(a + i[:, None] * K + k[None, :])
    right = tl.load(b + k[:, None] * N + j[None, :])
    total = tl.load(c + i[:, None] * N + j[None, :])
    total = tl.dot(left, right, total, input_precision=PRECISION, out_dtype=OUT, max_num_imprecise_acc=IMPRECISE)
    tl.store(c + i[:, None] * N + j[None, :], total)


def kept(x, precision):
    """Rounds numbers as a tensor core does before it multiplies them."""
    return (x.view(torch.int32) & -8192).view(torch.float32).double() if precision == 'tf32' else x.double()


SHAPE = {'M': 32, 'N': 16, 'K': 64, 'IMPRECISE': None}
for a_type, b_type, c_type, out, precision, tolerance in (
        (torch.float32, torch.float32, torch.float32, tl.float32, 'tf32', 1e-5), (torch.float32, torch.float32, torch.float32, tl.float32, 'ieee', 1e-5),
        (torch.float32, torch.float32, torch.float32, tl.float32, 'tf32x3', 1e-4), (torch.float32, torch.float32, torch.float32, tl.float32, 'bf16x3', 1e-3),
        (torch.float32, torch.float32, torch.float32, tl.float32, 'bf16x6', 1e-4), (torch.float16, torch.float16, torch.float32, tl.float32, None, 1e-5),
        (torch.float16, torch.float16, torch.float16, tl.float16, None, 4e-2), (torch.bfloat16, torch.bfloat16, torch.float32, tl.float32, None, 1e-5),
        (E8, E8, torch.float32, tl.float32, None, 1e-5), (E5, E5, torch.float32, tl.float32, None, 1e-5), (E8, E5, torch.float32, tl.float32, None, 1e-5),
        (E8, E8, torch.float16, tl.float16, None, 4e-2), (torch.float64, torch.float64, torch.float64, tl.float64, None, 1e-12),
        (torch.int8, torch.int8, torch.int32, tl.int32, None, 0.0)):
    if a_type == torch.int8:
        a, b, c = integers(-128, 128, 32, 64, dtype=a_type), integers(-128, 128, 64, 16, dtype=a_type), integers(-1000, 1000, 32, 16)
        want = c + (a.long() @ b.long())
    else:
        a, b, c = randn(32, 64).to(a_type), randn(64, 16).to(b_type), randn(32, 16).to(c_type)
        want = c.double() + kept(a, precision) @ kept(b, precision)
    run(product, [a, b, c], [(c, want)], {**SHAPE, 'PRECISION': precision, 'OUT': out}, tolerance=tolerance, name=f'product {a_type} {b_type} {c_type} {precision}')
a, b, c = randn(32, 64).to(E8), randn(64, 16).to(E8), randn(32, 16)
run(product, [a, b, c], [(c, c.double() + a.double() @ b.double())], {**SHAPE, 'PRECISION': None, 'OUT': tl.float32, 'IMPRECISE': 32}, tolerance=1e-5, name='product imprecise')


@triton.jit
def products_of_rows(a, b, c, B: tl.constexpr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    """Without an accumulator, transposed, in three dimensions and in halves."""
    x, i, j, k = tl.arange(0, B)[:, None, None], tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    left = tl.load(a + x * M * K + i[None, :, None] * K + k[None, None, :])
    right = tl.load(b + x * K * N + j[None, :, None] * K + k[None, None, :])
    tl.store(c + x * M * N + i[None, :, None] * N + j[None, None, :], tl.dot(left, tl.permute(right, (0, 2, 1)), out_dtype=tl.float16, allow_tf32=False))


a, b, c = randn(4, 16, 32).half(), randn(4, 16, 32).half(), Unwritten(1024, torch.float16)
run(products_of_rows, [a, b, c], [(c, a.double() @ b.double().transpose(1, 2))], {'B': 4, 'M': 16, 'N': 16, 'K': 32}, tolerance=4e-2)


@triton.jit
def scaled(a, a_scale, b, b_scale, c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, AF: tl.constexpr, BF: tl.constexpr, AP: tl.constexpr, BP: tl.constexpr,
           A_SCALED: tl.constexpr, B_SCALED: tl.constexpr, A_PACK: tl.constexpr, B_PACK: tl.constexpr):
    i, j, s = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K // 32)
    AM: tl.constexpr = M // (1 if A_PACK else AP)
    AK: tl.constexpr = K // (AP if A_PACK else 1)
    BK: tl.constexpr = K // (BP if B_PACK else 1)
    BN: tl.constexpr = N // (1 if B_PACK else BP)
    left = tl.load(a + tl.arange(0, AM)[:, None] * AK + tl.arange(0, AK)[None, :])
    right = tl.load(b + tl.arange(0, BK)[:, None] * BN + tl.arange(0, BN)[None, :])
    left_scale = tl.load(a_scale + i[:, None] * (K // 32) + s[None, :]) if A_SCALED else None
    right_scale = tl.load(b_scale + j[:, None] * (K // 32) + s[None, :]) if B_SCALED else None
    o = i[:, None] * N + j[None, :]
    total = tl.load(c + o)
    total = tl.dot_scaled(left, left_scale, AF, right, right_scale, BF, total, lhs_k_pack=A_PACK, rhs_k_pack=B_PACK)
    tl.store(c + o, total)


FOURS = torch.tensor([0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -0.5, -1, -1.5, -2, -3, -4, -6], dtype=torch.float64)


def operand(rows, columns, kind, axis):
    """Random numbers of a format, and the same in f64. Packed formats have two per byte along an axis, the first in the low half."""
    if kind == 'e2m1':
        codes = integers(0, 16, rows, columns, dtype=torch.uint8)
        low, high = (codes[::2], codes[1::2]) if axis == 0 else (codes[:, ::2], codes[:, 1::2])
        return low | high << 4, FOURS[codes.long()]
    dtype = {'e4m3': E8, 'e5m2': E5, 'bf16': torch.bfloat16, 'fp16': torch.float16}[kind]
    x = randn(rows, columns).to(dtype)
    return x, x.double()


for left, right, left_scaled, right_scaled, left_pack, right_pack in (
        ('e4m3', 'e5m2', True, True, True, True), ('e2m1', 'e2m1', True, True, True, True), ('e2m1', 'e4m3', True, False, True, True),
        ('bf16', 'e2m1', False, True, True, True), ('fp16', 'e2m1', False, True, True, True), ('e5m2', 'bf16', True, False, True, True),
        ('e2m1', 'e2m1', True, True, False, False), ('e4m3', 'e4m3', False, False, True, True)):
    m, n, k = 32, 16, 64
    a, A = operand(m, k, left, 1 if left_pack else 0)
    b, B = operand(k, n, right, 0 if right_pack else 1)
    a_scale, b_scale = integers(124, 130, m, k // 32, dtype=torch.uint8), integers(124, 130, n, k // 32, dtype=torch.uint8)
    c = randn(m, n)
    if left == 'e4m3' and left_scaled:
        a_scale[3, 1], a_scale[4, 0] = 255, 0  # the scales NaN and zero
    power = lambda scale: torch.where(scale == 255, float('nan'), torch.where(scale == 0, 0.0, 2.0 ** (scale.double() - 127)))
    if left_scaled:
        A = A * torch.repeat_interleave(power(a_scale), 32, 1)
    if right_scaled:
        B = B * torch.repeat_interleave(power(b_scale), 32, 1).t()
    packed = lambda kind: 2 if kind == 'e2m1' else 1
    run(scaled, [a, a_scale, b, b_scale, c], [(c, c.double() + A @ B)],
        {'M': m, 'N': n, 'K': k, 'AF': left, 'BF': right, 'AP': packed(left), 'BP': packed(right), 'A_SCALED': left_scaled, 'B_SCALED': right_scaled,
         'A_PACK': left_pack, 'B_PACK': right_pack}, tolerance=1e-4, name=f'scaled {left} {right} {left_pack}')


# ---- statements that are refused, with the operation's name ----
REFUSED = []


def refused(word, statement, types=(torch.float32,)):
    REFUSED.append((word, statement, types))


refused('tt.elementwise_inline_asm', "v = tl.inline_asm_elementwise('add.f32 $0, $1, $1;', '=r,r', [v], dtype=tl.float32, is_pure=True, pack=1)")
refused('tt.elementwise_inline_asm', 'v += tl.extra.cuda.smid().to(tl.float32)')
refused('tt.elementwise_inline_asm', 'v = v.to(tl.float8e4b15).to(tl.float32)')
refused('tt.fp_to_fp', "v = v.to(tl.float8e4nv, fp_downcast_rounding='rtz').to(tl.float32)")


def write_refused(path):
    text = HEAD
    for at, (word, statement, types) in enumerate(REFUSED):
        text += f'\n\n@triton.jit\ndef refused_{at}(x, out, BLOCK: tl.constexpr):\n    i = tl.arange(0, BLOCK)\n    v = tl.load(x + i)\n'
        text += f'    {statement}\n    tl.store(out + i, v)\n'
    path.write_text(text)
    module = load(path)
    for at, (word, statement, types) in enumerate(REFUSED):
        case(f'refused {at}: {word}', [(getattr(module, f'refused_{at}'), (1,), [torch.zeros(32), Unwritten(32)], {'BLOCK': 32})], refused=word)
