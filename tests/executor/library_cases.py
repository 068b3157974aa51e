"""Every function of libdevice that Triton exposes, on each of its types, beside a reference in exact or 40-digit arithmetic. make_cases.py
imports this; a function without a reference here is an error."""
import math
import re
from fractions import Fraction
from pathlib import Path

import mpmath
import numpy
import torch
from triton.language.extra.cuda import libdevice

from case_writer import *
from language_cases import HEAD

mpmath.mp.dps = 40
N = 48
TYPES = {'fp32': torch.float32, 'fp64': torch.float64, 'int32': torch.int32, 'int64': torch.int64, 'uint32': torch.uint32, 'uint64': torch.uint64}
FLOATS = {torch.float32: numpy.float32, torch.float64: numpy.float64}


def functions():
    """(name, types of the operands, symbol, type of the result) of each variant of each function."""
    text = Path(libdevice.__file__).read_text()
    for name, body in re.findall(r'def (\w+)\([^)]*\):(.*?)(?=\n@core|\Z)', text, re.S):
        for operands, symbol, result in re.findall(r'\(((?:core\.dtype\("\w+"\),?\s*)+)\):\s*\(\s*"(__nv_\w+)",\s*core\.dtype\("(\w+)"\)\)', body):
            yield name, re.findall(r'"(\w+)"', operands), symbol, result


# ---- exact results, rounded once ----


def rounded(exact, dtype, mode):
    """A fraction as a float of the type: to nearest even (rn), down (rd), up (ru), towards zero (rz)."""
    make = FLOATS[dtype]
    with numpy.errstate(over='ignore'):
        near = make(float(exact)) if dtype is torch.float64 else make(numpy.float64(float(exact)))
    low = near if math.isfinite(near) and Fraction(float(near)) <= exact else numpy.nextafter(near, make(-math.inf))
    while math.isfinite(high := numpy.nextafter(low, make(math.inf))) and Fraction(float(high)) <= exact:
        low = high
    if Fraction(float(low)) == exact:
        return float(low)
    high = numpy.nextafter(low, make(math.inf))
    if mode == 'rn':
        to_low, to_high = exact - Fraction(float(low)), Fraction(float(high)) - exact
        even = int(low.view(numpy.int32 if dtype is torch.float32 else numpy.int64)) % 2 == 0
        return float(low if to_low < to_high or (to_low == to_high and even) else high)
    down = mode == 'rd' or (mode == 'rz' and exact > 0)
    return float(low if down else high)


def root(a):
    """The root to 200 bits, with a further one where it isn't exact."""
    scaled = a * 4**200
    whole = math.isqrt(scaled.numerator // scaled.denominator)
    return Fraction(2 * whole + (Fraction(whole)**2 != scaled), 2**201)


EXACT = {'add': lambda a, b: a + b, 'sub': lambda a, b: a - b, 'mul': lambda a, b: a * b, 'div': lambda a, b: a / b, 'rcp': lambda a: 1 / a,
         'sqrt': root, 'fma': lambda a, b, c: a * b + c, 'rsqrt': lambda a: 1 / root(a)}


def to_whole(a, mode):
    """A fraction's neighbour among the integers."""
    return {'rn': lambda: round(a), 'rd': lambda: math.floor(a), 'ru': lambda: math.ceil(a), 'rz': lambda: math.trunc(a)}[mode]()


def saturating(value, bits, signed):
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)
    return max(low, min(high, value))


# ---- integers ----


def permuted(a, b, s):
    every = ((b & 0xFFFFFFFF) << 32) | (a & 0xFFFFFFFF)
    out = 0
    for i in range(4):
        digit = (s >> (4 * i)) & 15
        byte = (every >> (8 * (digit & 7))) & 255
        out |= ((255 if byte & 128 else 0) if digit & 8 else byte) << (8 * i)
    return out


def low_24(a, signed):
    a &= 0xFFFFFF
    return a - (1 << 24) if signed and a >> 23 else a


INTEGERS = {  # of numbers, their width and whether they are signed
    'clz': lambda width, signed, a: width - (a & ((1 << width) - 1)).bit_length(), 'popc': lambda width, signed, a: bin(a & ((1 << width) - 1)).count('1'),
    'ffs': lambda width, signed, a: (a & -a).bit_length(), 'brev': lambda width, signed, a: int(f'{a & ((1 << width) - 1):0{width}b}'[::-1], 2),
    'byte_perm': lambda width, signed, a, b, s: permuted(a, b, s), 'mulhi': lambda width, signed, a, b: a * b >> width,
    'mul24': lambda width, signed, a, b: low_24(a, signed) * low_24(b, signed), 'sad': lambda width, signed, a, b, c: c + abs(a - b),
    'hadd': lambda width, signed, a, b: (a + b) >> 1, 'rhadd': lambda width, signed, a, b: (a + b + 1) >> 1, 'abs': lambda width, signed, a: abs(a)}


# ---- floats, to 40 digits ----


def root_of(equation, start):
    return mpmath.findroot(equation, start)


m = mpmath
norm = lambda *v: m.sqrt(sum(x * x for x in v))
REAL = {
    'abs': m.fabs, 'floor': m.floor, 'ceil': m.ceil, 'trunc': lambda a: m.mpf(int(a)), 'exp2': lambda a: m.mpf(2)**a, 'rsqrt': lambda a: 1 / m.sqrt(a),
    'sqrt': m.sqrt, 'rint': m.nint, 'nearbyint': m.nint, 'round': lambda a: m.sign(a) * m.floor(abs(a) + 0.5), 'fast_sinf': m.sin, 'fast_cosf': m.cos,
    'fast_log2f': lambda a: m.log(a, 2), 'fast_logf': m.log, 'fast_expf': m.exp, 'fast_tanf': m.tan, 'fast_exp10f': lambda a: m.mpf(10)**a, 'fast_log10f': m.log10,
    'fast_powf': lambda a, b: a**b, 'fast_dividef': lambda a, b: a / b, 'saturatef': lambda a: max(m.mpf(0), min(m.mpf(1), a)),
    'copysign': lambda a, b: m.fabs(a) if b >= 0 else -m.fabs(a), 'sin': m.sin, 'cos': m.cos, 'sinpi': m.sinpi, 'cospi': m.cospi, 'tan': m.tan, 'exp': m.exp,
    'log2': lambda a: m.log(a, 2), 'exp10': lambda a: m.mpf(10)**a, 'cosh': m.cosh, 'sinh': m.sinh, 'tanh': m.tanh, 'atan2': m.atan2, 'atan': m.atan, 'asin': m.asin,
    'acos': m.acos, 'log': m.log, 'log10': m.log10, 'log1p': m.log1p, 'acosh': m.acosh, 'asinh': m.asinh, 'atanh': m.atanh, 'expm1': m.expm1, 'hypot': norm,
    'rhypot': lambda *v: 1 / norm(*v), 'norm3d': norm, 'rnorm3d': lambda *v: 1 / norm(*v), 'norm4d': norm, 'rnorm4d': lambda *v: 1 / norm(*v),
    'cbrt': lambda a: m.sign(a) * m.cbrt(abs(a)), 'rcbrt': lambda a: m.sign(a) / m.cbrt(abs(a)), 'j0': lambda a: m.besselj(0, a), 'j1': lambda a: m.besselj(1, a),
    'y0': lambda a: m.bessely(0, a), 'y1': lambda a: m.bessely(1, a), 'jn': lambda n, a: m.besselj(int(n), a), 'yn': lambda n, a: m.bessely(int(n), a),
    'cyl_bessel_i0': lambda a: m.besseli(0, a), 'cyl_bessel_i1': lambda a: m.besseli(1, a), 'erf': m.erf, 'erfc': m.erfc, 'erfinv': m.erfinv,
    'erfcx': lambda a: m.exp(a * a) * m.erfc(a), 'erfcinv': lambda a: m.erfinv(1 - a), 'normcdf': m.ncdf, 'normcdfinv': lambda a: m.sqrt(2) * m.erfinv(2 * a - 1),
    'lgamma': lambda a: m.log(m.fabs(m.gamma(a))), 'tgamma': m.gamma, 'ldexp': lambda a, n: a * m.mpf(2)**int(n), 'scalbn': lambda a, n: a * m.mpf(2)**int(n),
    'fmod': lambda a, b: a - b * int(a / b), 'remainder': lambda a, b: a - b * m.nint(a / b), 'fma': lambda a, b, c: a * b + c, 'pow': lambda a, b: a**b,
    'fdim': lambda a, b: max(a - b, m.mpf(0)), 'logb': lambda a: m.floor(m.log(abs(a), 2))}
POSITIVE = {'rsqrt', 'rsqrt_rn', 'sqrt', 'log', 'log2', 'log10', 'log1p', 'fast_log2f', 'fast_logf', 'fast_log10f', 'y0', 'y1', 'yn', 'lgamma', 'tgamma', 'fast_powf',
            'pow', 'rcbrt', 'sqrt_rn', 'sqrt_rz', 'sqrt_rd', 'sqrt_ru'}
WITHIN_ONE = {'asin', 'acos', 'atanh', 'erfinv'}
TESTS = {'isnan': math.isnan, 'isinf': math.isinf, 'finitef': math.isfinite, 'isfinited': math.isfinite, 'signbit': lambda a: math.copysign(1, a) < 0}
EDGES = [0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 1e30, -1e30, 2147483647.5, -3e9, 1e-30]


def operands(name, types):
    """Random operands in a function's domain."""
    out = []
    for place, kind in enumerate(types):
        dtype = TYPES[kind]
        if dtype in FLOATS:
            x = torch.randn(N, generator=generator, dtype=torch.float64) * 3
            if '2' in name and not name.startswith(('atan2', 'exp2', 'log2', 'fast_log2')):
                x = torch.cat([torch.tensor(EDGES, dtype=torch.float64), x[len(EDGES):] * 1e4])
            elif name in TESTS:
                x[:6] = torch.tensor([math.inf, -math.inf, math.nan, 0.0, -0.0, 1.0], dtype=torch.float64)
            elif name in ('acosh',):
                x = x.abs() + 1
            elif name in WITHIN_ONE:
                x = torch.rand(N, generator=generator, dtype=torch.float64) * 1.9 - 0.95
            elif name in ('normcdfinv', 'erfcinv'):
                x = torch.rand(N, generator=generator, dtype=torch.float64) * 0.96 + 0.02
            elif name in POSITIVE or (name == 'cyl_bessel_i0' and place == 0):
                x = x.abs() + 0.05
            elif name in ('llrint', 'llround', 'rint', 'nearbyint', 'round'):
                x[:6] = torch.tensor([0.5, 1.5, 2.5, -0.5, -1.5, 1e15], dtype=torch.float64)
            out.append(x.to(dtype))
        elif name in ('jn', 'yn', 'pow', 'ldexp', 'scalbn'):
            out.append(integers(0 if name in ('jn', 'yn') else -6, 6, N, dtype=dtype))
        else:
            width = 32 if '32' in kind else 64
            bits = [0, 1, (1 << width) - 1, 1 << (width - 1), (1 << (width - 1)) - 1] + [int(v) for v in torch.randint(-2**62, 2**62, (N - 5,), generator=generator)]
            bits = bits[place:] + bits[:place]
            out.append(torch.from_numpy(numpy.array([v & ((1 << width) - 1) for v in bits], dtype=f'uint{width}')).view(dtype))
    return out


def expected(name, types, result, values):
    """(values, their tolerance)."""
    dtype = TYPES[result]
    rows = list(zip(*(v.tolist() for v in values)))
    whole = lambda numbers: torch.from_numpy(numpy.array([v & ((1 << bits) - 1) for v in numbers], dtype=f'uint{bits}')).view(dtype)
    bits = 64 if '64' in result else 32
    base, _, mode = name.rpartition('_')
    if name in TESTS:
        return torch.tensor([int(TESTS[name](*row)) for row in rows], dtype=torch.int8), 0.0
    if name in INTEGERS and 'fp' not in types[0]:
        return whole([INTEGERS[name](64 if '64' in types[0] else 32, types[0][0] == 'i', *row) for row in rows]), 0.0
    if name in ('llrint', 'llround'):
        return whole([round(Fraction(a)) if name == 'llrint' else math.floor(abs(Fraction(a)) + Fraction(1, 2)) * (1 if a > 0 else -1) for a, in rows]), 0.0
    if name == 'ilogb':
        return whole([math.frexp(a)[1] - 1 for a, in rows]), 0.0
    if name == 'rcp64h':
        return torch.tensor([1 / a for a, in rows], dtype=dtype), 1e-5
    if name in ('hiloint2double', 'double2loint', 'double2hiint'):
        if name == 'hiloint2double':
            return torch.from_numpy(numpy.array([((a & 0xFFFFFFFF) << 32) | (b & 0xFFFFFFFF) for a, b in rows], dtype='uint64').view('float64')), 0.0
        return whole([int(v) >> (32 if 'hi' in name else 0) for v in values[0].view(torch.int64)]), 0.0
    if '_as_' in name:
        return values[0].view(dtype), 0.0
    if name == 'nextafter':
        return torch.nextafter(*values), 0.0
    if mode in ('rn', 'rd', 'ru', 'rz') and base in EXACT:
        return torch.tensor([rounded(EXACT[base](*map(Fraction, row)), dtype, mode) for row in rows], dtype=dtype), 0.0 if base != 'rsqrt' else 1e-6
    if mode in ('rn', 'rd', 'ru', 'rz') and '2' in base:
        if dtype in FLOATS:
            return torch.tensor([rounded(Fraction(a), dtype, mode) for a, in rows], dtype=dtype), 0.0
        return whole([saturating(to_whole(Fraction(a), mode), bits, '2u' not in base) for a, in rows]), 0.0
    exact = [float(REAL[name](*(m.mpf(v) for v in row))) for row in rows]
    loose = 1e-5 if 'bessel' in name or name in ('j0', 'j1', 'y0', 'y1', 'jn', 'yn') else 1.6e-5 if dtype is torch.float32 else 1e-9
    return torch.tensor(exact, dtype=torch.float64), loose


def write_library(path):
    text, added = HEAD, []
    for at, (name, types, symbol, result) in enumerate(functions()):
        names = 'abcd'[:len(types)]
        call = f'libdevice.{name}({", ".join(names)})'
        if name in TESTS:
            call = f'({call} != 0).to(tl.int8)'
        text += f'\n\n@triton.jit\ndef library_{at}({", ".join("p" + x for x in names)}, out, n, BLOCK: tl.constexpr):\n    i = tl.arange(0, BLOCK)\n'
        for x in names:
            text += f'    {x} = tl.load(p{x} + i, mask=i < n)\n'
        text += f'    tl.store(out + i, {call}, mask=i < n)\n'
        values = operands(name, types)
        want, tolerance = expected(name, types, result, values)
        out = Unwritten(N, torch.int8 if name in TESTS else TYPES[result])
        added.append((f'{symbol} by {name}', [f'library_{at}', values, out], want, tolerance))
    path.write_text(text)
    module = load(path)
    for (label, (kernel, values, out), want, tolerance), (_, _, symbol, _) in zip(added, functions()):
        case(label, [(getattr(module, kernel), (1,), [*values, out, N], {'BLOCK': 64})], [(out, want)], tolerance)
        if symbol not in cases[-1]['launches'][0]['ttir']:
            raise SystemExit(f'{label}: Triton does not call {symbol}')
