"""Makes TTIR with the installed Triton (no GPU needed) and, with torch in f64, the expected results of each kernel.

    make_cases.py FOLDER    writes cases.json and data.bin, and ops.py with one kernel per operator
"""
import pathlib
import re
import sys

from case_writer import *

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
here = pathlib.Path(__file__).parent

kernels = load(here / 'kernels.py')

# ---- complete kernels at round and odd sizes ----
for n in (1024, 1000, 1, 97):
    x, y, out = randn(n), randn(n), Unwritten(n)
    case(f'add {n}', [(kernels.add, (cdiv(n, 256),), [x, y, out, n], {'BLOCK': 256})], [(out, x.double() + y.double())])
    a = torch.nn.functional.gelu(x.double())
    a = torch.nn.functional.softplus(a) * y.double()
    out = Unwritten(n)
    case(f'gelu chain {n}', [(kernels.gelu_chain, (cdiv(n, 64),), [x, y, out, n], {'BLOCK': 64})],
         [(out, torch.nn.functional.silu(a))], 2e-5)
for n in (70, 200, 2000):
    x, out = randn(n), Unwritten(n)
    want = x.double() * 2 if n > 100 else x.double() + 1
    case(f'early exit {n}', [(kernels.early_exit, (cdiv(n, 64) + 3,), [x, out, n], {'BLOCK': 64})], [(out, want)])
for m, n in ((4, 64), (5, 97), (3, 1)):
    x = randn(m, n)
    for kernel, block in ((kernels.softmax, power_of_two(n)), (kernels.online_softmax, 32)):
        out = Unwritten(m * n)
        case(f'{kernel.__name__} {m}x{n}', [(kernel, (m,), [x, out, n], {'BLOCK': block})],
             [(out, torch.softmax(x.double(), 1))], 1e-5)
    for dtype in (torch.float32, torch.float16, torch.bfloat16):
        z, out = randn(m, n, dtype=dtype), Unwritten(m * n, dtype)
        case(f'layer norm {m}x{n} {DTYPES[dtype]}', [(kernels.layer_norm, (m,), [z, out, n, 1e-5], {'BLOCK': power_of_two(n)})],
             [(out, torch.nn.functional.layer_norm(z.double(), (n,)))],
             {torch.float32: 1e-5, torch.float16: 2e-3, torch.bfloat16: 1e-2}[dtype])
for m, n, k in ((64, 64, 64), (37, 131, 53)):
    for dtype, precision, tolerance in ((torch.float32, 'ieee', 1e-5), (torch.float32, 'tf32', 4e-3), (torch.float32, 'tf32x3', 1e-5),
                                        (torch.float16, 'ieee', 2e-3), (torch.bfloat16, 'ieee', 1e-2)):
        a, b, c = randn(m, k, dtype=dtype), randn(k, n, dtype=dtype), Unwritten(m * n, dtype)
        case(f'matmul {m}x{n}x{k} {DTYPES[dtype]} {precision}',
             [(kernels.matmul, (cdiv(m, 32), cdiv(n, 32)), [a, b, c, m, n, k], {'BM': 32, 'BN': 32, 'BK': 16, 'PRECISION': precision})],
             [(c, a.double() @ b.double())], tolerance * 8)
    a, b, c = randn(m, k), randn(k, n), Unwritten(m * n)
    case(f'matmul by pointers {m}x{n}x{k}', [(kernels.matmul_pointers, (cdiv(m, 16) * cdiv(n, 32),), [a, b, c, m, n, k], {'BM': 16, 'BN': 32, 'BK': 32})],
         [(c, a.double() @ b.double())], 1e-4)
for m, n in ((32, 64), (19, 33)):
    x = randn(m, n)
    out = Unwritten(m)
    case(f'block pointers {m}x{n}', [(kernels.block_pointers, (cdiv(m, 16),), [x, out, m, n], {'BM': 16, 'BN': 16})], [(out, x.double().sum(1))], 1e-5)
    out = Unwritten(m * n)
    case(f'transpose {m}x{n}', [(kernels.transpose, (cdiv(m, 16), cdiv(n, 32)), [x, out, m, n], {'BM': 16, 'BN': 32})], [(out, x.double().t().contiguous())])
    out = Unwritten(n)
    case(f'column sum {m}x{n}', [(kernels.column_sum, (cdiv(n, 16),), [x, out, m, n], {'BM': 8, 'BN': 16})], [(out, x.double().sum(0))], 1e-5)
    wide = x.double()
    out, index = Unwritten(m * 5), Unwritten(m * 3, torch.int32)
    xor = 0
    for i in range(power_of_two(n)):
        xor ^= 3 * i
    case(f'reductions {m}x{n}', [(kernels.reductions, (m,), [x, out, index, n], {'BLOCK': power_of_two(n)})],
         [(out, torch.stack([wide.sum(1), wide.amax(1), wide.amin(1), (wide * wide).sum(1), wide.abs().mean(1)], 1)),
          (index, torch.stack([wide.argmax(1), wide.argmin(1), torch.full((m,), xor)], 1))], 1e-5)
    out = Unwritten(m * 2)
    case(f'welford {m}x{n}', [(kernels.welford, (m,), [x, out, n], {'BLOCK': power_of_two(n)})],
         [(out, torch.stack([wide.mean(1), wide.var(1, unbiased=False)], 1))], 1e-5)
    out = Unwritten(m * 3 * n)
    case(f'scans {m}x{n}', [(kernels.scans, (m,), [x, out, n], {'BLOCK': power_of_two(n)})],
         [(out, torch.stack([wide.cumsum(1), wide.flip(1).cumsum(1).flip(1), (1 + wide * 0.01).cumprod(1)], 1))], 1e-5)
x, out = randn(16), Unwritten(17)
scan = [float(x[0])]
for v in x[1:].tolist():
    scan.append(scan[-1] - v if scan[-1] > v else v)
case('order matters', [(kernels.order_matters, (1,), [x, out], {'BLOCK': 16})], [(out, torch.tensor([float(x[-1])] + scan, dtype=torch.float64))], 1e-5)
a, b, out = randn(8, 16), randn(8, 16), Unwritten(128)
h = [b[0].double()]
for i in range(1, 8):
    h.append(a[i].double() * h[-1] + b[i].double())
case('recurrence', [(kernels.recurrence, (1,), [a, b, out], {'BM': 8, 'BN': 16})], [(out, torch.stack(h))], 1e-4)
a, b, out = randn(1000), randn(1000), torch.zeros(1)
case('split k', [(kernels.split_k, (8,), [a, b, out, 1000], {'BLOCK': 128})], [(out, (a.double() * b.double()).sum().view(1))], 1e-4)
x, counts, extremes = integers(0, 900, 500), torch.zeros(8, dtype=torch.int32), torch.tensor([0, 1000, 0, 0, 0], dtype=torch.int32)
ors = 0
for block in x.split(64):
    ors |= int(block.max()) & 3
case('atomics', [(kernels.atomics, (8,), [x, counts, extremes, 500], {'BLOCK': 64})],
     [(counts, torch.bincount(x.long() % 8, minlength=8)), (extremes, torch.tensor([int(x.max()), int(x.min()), ors, 7, 5]))])
x, out = randn(500), Unwritten(1)
case('last program adds up', [(kernels.last_adds_up, (8,), [x, Unwritten(8), torch.zeros(1, dtype=torch.int32), out, 500], {'BLOCK': 64, 'PROGRAMS': 8})],
     [(out, x.double().sum().view(1))], 1e-4)
x, largest, out = randn(5, 33), Unwritten(5), Unwritten(165)
case('two kernels', [(kernels.row_max, (5,), [x, largest, 33], {'BLOCK': 64}), (kernels.subtract_row, (5,), [x, largest, out, 33], {'BLOCK': 64})],
     [(out, x.double() - x.double().amax(1, keepdim=True))])
x, out = randn(5), Unwritten(5)
case('calls', [(kernels.calls, (5,), [x, out], {})], [(out, x.double()**2 + 1 + 4 + x.double())], 1e-5)
x, out = integers(1, 100, 20), Unwritten(20, torch.int32)
def collatz(v):
    steps = 0
    while v > 1:
        v, steps = (v // 2 if v % 2 == 0 else 3 * v + 1), steps + 1
    return steps
case('collatz', [(kernels.collatz, (20,), [x, out], {})], [(out, torch.tensor([collatz(v) for v in x.tolist()]))])
x, out = randn(32), Unwritten(12 * 16)
a, b = x[:16].double(), x[16:].double()
woven = torch.stack([a, b], 1)
case('shapes', [(kernels.shapes, (1,), [x, out], {'BLOCK': 16})],
     [(out, torch.cat([woven.view(-1), a, b, a.sort().values, a.flip(0), woven.view(-1), a.flip(0),
                       woven.view(4, 4, 2).permute(2, 0, 1).reshape(-1), a.sum().expand(16)]))], 1e-5)
x, out = integers(0, 8, 50), Unwritten(8, torch.int32)
case('histogram', [(kernels.histogram, (1,), [x, out, 50], {'BLOCK': 64, 'BINS': 8})], [(out, torch.bincount(torch.cat([x.long(), torch.zeros(14).long()]), minlength=8))])
x, out = torch.tensor([1.0, 1.0]), Unwritten(2)
case('swap in loop', [(kernels.swap_in_loop, (1,), [x, out, 9], {})], [(out, torch.tensor([55.0, 89.0]))])
a, b, c = randn(2, 16, 16), randn(2, 16, 16), Unwritten(512)
case('batched dot', [(kernels.batched, (1,), [a, b, c], {'B': 2, 'M': 16, 'N': 16, 'K': 16})], [(c, a.double() @ b.double())], 1e-5)
for n in (64, 50):
    q, k, v, out = randn(n, 16), randn(n, 16), randn(n, 16), Unwritten(n * 16)
    case(f'flash attention {n}', [(kernels.flash_attention, (cdiv(n, 16),), [q, k, v, out, n], {'SCALE': 0.25, 'D': 16, 'BM': 16, 'BN': 32})],
         [(out, torch.softmax(q.double() @ k.double().t() * 0.25, 1) @ v.double())], 1e-5)
x, out = randn(9, 14), Unwritten(7 * 9)
case('strided rows', [(kernels.strided_rows, (9,), [x, out, 9, 7, 14, 2], {'BLOCK': 8})], [(out, x.double()[:, ::2].clamp(min=0).contiguous())])
x, out = randn(1001), Unwritten(1001)
case('grid stride', [(kernels.grid_stride, (3,), [x, out, 1001], {'BLOCK': 64})], [(out, x.double().clamp(-0.5, 0.5))])

def philox(seed, count):  # Philox 4x32-10, first word
    words = []
    for counter in range(count):
        c, key = [counter, 0, 0, 0], [seed & 0xFFFFFFFF, seed >> 32]
        for _ in range(10):
            p, q = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
            c = [(q >> 32) ^ c[1] ^ key[0], q & 0xFFFFFFFF, (p >> 32) ^ c[3] ^ key[1], p & 0xFFFFFFFF]
            key = [(key[0] + 0x9E3779B9) & 0xFFFFFFFF, (key[1] + 0xBB67AE85) & 0xFFFFFFFF]
        words.append(c[0])
    return torch.tensor(words)
out = Unwritten(64, torch.int64)
case('random numbers', [(kernels.random_numbers, (1,), [out, 12345], {'BLOCK': 64})], [(out, philox(12345, 64))])
n = 50
x, out = randn(n), Unwritten(10 * n)
w = x.double()
case('library functions', [(kernels.library_functions, (1,), [x, out, n], {'BLOCK': 64})],
     [(out, torch.cat([w.tanh(), (w.abs() + 0.1)**1.7, w.expm1(), w.abs().log1p(), (w.abs() + 0.1).rsqrt(), w.erf(),
                       torch.atan2(w, torch.tensor(0.5).double()), (x * 3).double().round(), w.exp(), torch.fmod(x, 0.3).double()]))], 1e-5)

# ---- one kernel per operator and type ----
UNARY = {'exp': 'tl.exp({0})', 'exp2': 'tl.exp2({0})', 'log': 'tl.log(tl.abs({0}) + 0.1)', 'log2': 'tl.log2(tl.abs({0}) + 0.1)',
         'sin': 'tl.sin({0})', 'cos': 'tl.cos({0})', 'sqrt': 'tl.sqrt(tl.abs({0}))', 'sqrt_rn': 'tl.sqrt_rn(tl.abs({0}))',
         'rsqrt': 'tl.rsqrt(tl.abs({0}) + 0.1)', 'abs': 'tl.abs({0})', 'erf': 'tl.erf({0})', 'floor': 'tl.floor({0})',
         'ceil': 'tl.ceil({0})', 'sigmoid': 'tl.sigmoid({0})', 'neg': '-{0}'}
BINARY = {'add': '{0} + {1}', 'sub': '{0} - {1}', 'mul': '{0} * {1}', 'div': '{0} / {1}', 'maximum': 'tl.maximum({0}, {1})',
          'minimum': 'tl.minimum({0}, {1})', 'maximum_nan': 'tl.maximum({0}, {1}, propagate_nan=tl.PropagateNan.ALL)',
          'minimum_nan': 'tl.minimum({0}, {1}, propagate_nan=tl.PropagateNan.ALL)', 'where': 'tl.where({0} > {1}, {0}, 2.0 * {1})',
          'lt': '({0} < {1}).to(tl.float32)', 'le': '({0} <= {1}).to(tl.float32)', 'gt': '({0} > {1}).to(tl.float32)',
          'ge': '({0} >= {1}).to(tl.float32)', 'eq': '({0} == {1}).to(tl.float32)', 'ne': '({0} != {1}).to(tl.float32)',
          'fma': 'tl.fma({0}, {1}, {0})', 'mod': '{0} % {1}', 'div_rn': 'tl.div_rn({0}, {1})',
          'clamp': 'tl.clamp({0}, -0.5, tl.maximum({1}, -0.5))', 'both': '(({0} > 0.0) & ({1} > 0.0)).to(tl.float32)',
          'either': '(({0} > 0.0) | ({1} > 0.0)).to(tl.float32)'}
WHOLE = {'add': '{0} + {1}', 'sub': '{0} - {1}', 'mul': '{0} * {1}', 'div': '{0} // {2}', 'mod': '{0} % {2}', 'and': '{0} & {1}',
         'or': '{0} | {1}', 'xor': '{0} ^ {1}', 'shl': '{0} << ({1} & 7)', 'shr': '{0} >> ({1} & 7)', 'max': 'tl.maximum({0}, {1})',
         'min': 'tl.minimum({0}, {1})', 'abs': 'tl.abs({0})', 'neg': '-{0}', 'not': '~{0}', 'cdiv': 'tl.cdiv({0}, {2})',
         'lt': '({0} < {1}).to({0}.dtype)', 'ge': '({0} >= {1}).to({0}.dtype)', 'unsigned_lt': '({0}.to(UNSIGNED, bitcast=True) < {1}.to(UNSIGNED, bitcast=True)).to({0}.dtype)',
         'unsigned_div': '({0}.to(UNSIGNED, bitcast=True) // {2}.to(UNSIGNED, bitcast=True)).to({0}.dtype, bitcast=True)',
         'unsigned_mod': '({0}.to(UNSIGNED, bitcast=True) % {2}.to(UNSIGNED, bitcast=True)).to({0}.dtype, bitcast=True)',
         'unsigned_shr': '({0}.to(UNSIGNED, bitcast=True) >> ({1} & 7).to(UNSIGNED, bitcast=True)).to({0}.dtype, bitcast=True)'}
HEAD = 'import triton\nimport triton.language as tl\n'
KERNEL = '''

@triton.jit
def {name}(x, y, out, n, BLOCK: tl.constexpr{more}):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    a = tl.load(x + i, mask=mask, other=1)
    b = tl.load(y + i, mask=mask, other=1)
    tl.store(out + i, {value}, mask=mask)
'''
CASTS = [(a, b) for a in ('float32', 'float16', 'bfloat16', 'int32', 'int8', 'int64', 'float64', 'int16')
         for b in ('float32', 'float16', 'bfloat16', 'int32', 'int8', 'int64', 'float64', 'int16') if a != b]
source = HEAD
for name, value in UNARY.items():
    source += KERNEL.format(name='unary_' + name, value=value.format('a'), more='')
for name, value in BINARY.items():
    source += KERNEL.format(name='binary_' + name, value=value.format('a', 'b'), more='')
for name, value in WHOLE.items():
    source += KERNEL.format(name='whole_' + name, value=value.format('a', 'b', '(b | 1)'), more=', UNSIGNED: tl.constexpr')
for a, b in CASTS:
    source += KERNEL.format(name=f'cast_{a}_{b}', value=f'a.to(tl.{b})', more='')
source += KERNEL.format(name='bits', value='(a.to(tl.int32, bitcast=True) ^ 0x40000000).to(tl.float32, bitcast=True)', more='')
source += KERNEL.format(name='round_to_zero', value="a.to(tl.float16, fp_downcast_rounding='rtz')", more='')
source += KERNEL.format(name='multiply_high', value='tl.umulhi(a, b)', more='')
(folder / 'ops.py').write_text(source)
ops = load(folder / 'ops.py')
n = 131
SPECIAL = torch.tensor([0.0, -0.0, 1.0, -1.0, float('inf'), -float('inf'), float('nan'), 1e-30, -1e-30, 6e4, 1e-7])


def launch(kernel, x, y, out, constants={}):
    return [(kernel, (cdiv(n, 64),), [x, y, out, n], {'BLOCK': 64, **constants})]


def torch_unary(name, v):
    positive = v.abs() + 0.1
    return {'exp': v.exp(), 'exp2': v.exp2(), 'log': positive.log(), 'log2': positive.log2(), 'sin': v.sin(), 'cos': v.cos(),
            'sqrt': v.abs().sqrt(), 'sqrt_rn': v.abs().sqrt(), 'rsqrt': positive.rsqrt(), 'abs': v.abs(), 'erf': v.erf(),
            'floor': v.floor(), 'ceil': v.ceil(), 'sigmoid': v.sigmoid(), 'neg': -v}[name]


def torch_binary(name, a, b, x, y):
    nan = a.isnan() | b.isnan()
    return {'add': a + b, 'sub': a - b, 'mul': a * b, 'div': a / b, 'div_rn': a / b, 'maximum': torch.fmax(a, b), 'minimum': torch.fmin(a, b),
            'maximum_nan': torch.maximum(a, b), 'minimum_nan': torch.minimum(a, b), 'where': torch.where(a > b, a, 2 * b),
            'lt': (a < b).double(), 'le': (a <= b).double(), 'gt': (a > b).double(), 'ge': (a >= b).double(),
            'eq': (a == b).double(), 'ne': (a != b).double(), 'fma': a * b + a, 'mod': torch.fmod(x, y).double(),
            'clamp': torch.fmin(torch.fmax(a, torch.tensor(-0.5).double()), torch.fmax(b, torch.tensor(-0.5).double())),
            'both': ((a > 0) & (b > 0)).double(), 'either': ((a > 0) | (b > 0)).double()}[name]


for name in UNARY:
    for dtype in (torch.float32, torch.float64):
        x = randn(n).to(dtype)
        if name not in ('sin', 'cos', 'exp', 'exp2'):
            x[:11] = SPECIAL
        if dtype is torch.float64 and name == 'sqrt_rn':
            continue
        out = Unwritten(n, dtype)
        case(f'{name} {DTYPES[dtype]}', launch(getattr(ops, 'unary_' + name), x, randn(n).to(dtype), out), [(out, torch_unary(name, x.double()))],
             4e-6 if dtype is torch.float32 else 1e-7)
for name in BINARY:
    for dtype, tolerance in ((torch.float32, 2e-6), (torch.float64, 1e-12), (torch.float16, 1e-3), (torch.bfloat16, 8e-3)):
        x, y = randn(n).to(dtype), randn(n).to(dtype)
        if dtype in (torch.float32, torch.float64):
            x[:11] = SPECIAL
            y[5:16] = SPECIAL
        if dtype is not torch.float32 and name in ('div_rn', 'fma'):
            continue
        if dtype not in (torch.float32, torch.float64) and name in ('mod', 'clamp', 'div'):
            continue
        out = Unwritten(n, dtype)
        case(f'{name} {DTYPES[dtype]}', launch(getattr(ops, 'binary_' + name), x, y, out), [(out, torch_binary(name, x.double(), y.double(), x, y))], tolerance)
LOW = {torch.int8: -128, torch.int16: -32768, torch.int32: -2**31, torch.int64: -2**62}
WIDTH = {torch.int8: 8, torch.int16: 16, torch.int32: 32, torch.int64: 64}
UNSIGNED = {torch.int8: 'uint8', torch.int16: 'uint16', torch.int32: 'uint32', torch.int64: 'uint64'}
import triton.language as tl


def python_whole(name, a, b, width):
    mask = (1 << width) - 1
    wrap = lambda v: ((v + (1 << (width - 1))) & mask) - (1 << (width - 1))
    odd = b | 1
    truncate = lambda p, q: abs(p) // abs(q) * (1 if (p < 0) == (q < 0) else -1)
    return wrap({'add': a + b, 'sub': a - b, 'mul': a * b, 'div': truncate(a, odd), 'mod': a - odd * truncate(a, odd), 'and': a & b, 'or': a | b,
                 'xor': a ^ b, 'shl': a << (b & 7), 'shr': a >> (b & 7), 'max': max(a, b), 'min': min(a, b), 'abs': abs(a), 'neg': -a,
                 'not': ~a, 'cdiv': truncate(wrap(a + wrap(odd - 1)), odd), 'lt': int(a < b), 'ge': int(a >= b),
                 'unsigned_lt': int((a & mask) < (b & mask)), 'unsigned_div': (a & mask) // (odd & mask), 'unsigned_mod': (a & mask) % (odd & mask),
                 'unsigned_shr': (a & mask) >> (b & 7)}[name])


for name in WHOLE:
    for dtype in LOW:
        low, width = LOW[dtype], WIDTH[dtype]
        x, y = integers(low, -low, n, dtype=dtype), integers(low, -low, n, dtype=dtype)
        x[:3] = torch.tensor([-(1 << (width - 1)), 0, (1 << (width - 1)) - 1])
        y[:2] = -1
        out = Unwritten(n, dtype)
        want = torch.tensor([python_whole(name, a, b, width) for a, b in zip(x.tolist(), y.tolist())], dtype=torch.int64)
        case(f'whole {name} {DTYPES[dtype]}', launch(getattr(ops, 'whole_' + name), x, y, out, {'UNSIGNED': getattr(tl, UNSIGNED[dtype])}), [(out, want)])
for a, b in CASTS:
    source_type, target = getattr(torch, a), getattr(torch, b)
    x = (randn(n) * 30).clamp(-127, 127).to(source_type) if source_type.is_floating_point else integers(-100, 100, n, dtype=source_type)
    out = Unwritten(n, target)
    case(f'cast {a} {b}', launch(getattr(ops, f'cast_{a}_{b}'), x, x, out), [(out, x.to(target))], 0.0)
x, out = randn(n), Unwritten(n)
case('bits', launch(ops.bits, x, x, out), [(out, (x.view(torch.int32) ^ 0x40000000).view(torch.float32))], 0.0)
x, out = randn(n), Unwritten(n, torch.float16)
near = x.half()
step = torch.where(near.double().abs() > x.double().abs(), 1, 0).to(torch.int16)
case('round to zero', launch(ops.round_to_zero, x, x, out), [(out, (near.view(torch.int16) - step).view(torch.float16))], 0.0)
x, y, out = integers(-2**31, 2**31, n), integers(-2**31, 2**31, n), Unwritten(n, torch.int32)
high = [(((p & 0xFFFFFFFF) * (q & 0xFFFFFFFF)) >> 32) for p, q in zip(x.tolist(), y.tolist())]
case('multiply high', launch(ops.multiply_high, x, y, out), [(out, torch.tensor([h - 2**32 if h >= 2**31 else h for h in high]))])

# ---- memory errors: their kind and position ----
text = (here / 'kernels.py').read_text().splitlines()


def bad(kernel, where=None):
    """The kind and the line that are marked in the text of the kernel (or its helper), and the column of the marked call's argument."""
    begin = next(i for i, line in enumerate(text) if line.startswith(f'def {where or kernel.__name__}('))
    line = next(i for i in range(begin, len(text)) if '# BAD:' in text[i])
    kind = re.search('# BAD: (.*)', text[line]).group(1)
    if kind == 'timeout':  # the position where the limit is reached doesn't matter
        return {'kind': kind}
    # Triton locates a call at its last positional argument: a load's pointer, a store's value.
    call = re.search(r'tl\.load\(' if kind in ('unwritten_read', 'out_of_bounds_load') else r'tl\.load\(|tl\.store\([^,]*, ', text[line])
    column = {'column': call.end() + 1} if call and kind != 'division_by_zero' else {}
    return {'kind': kind, 'line': line + 1, 'file': 'kernels.py', **column}


x = randn(100)
for kernel, block in ((kernels.no_load_mask, 64), (kernels.no_store_mask, 64)):
    case(kernel.__name__, [(kernel, (2,), [x, Unwritten(100), 100], {'BLOCK': block})], finding=bad(kernel))
    y, out = randn(128), Unwritten(128)
    case(kernel.__name__ + ' at a round size', [(kernel, (2,), [y, out, 128], {'BLOCK': block})], [(out, y.double() * (2 if kernel is kernels.no_load_mask else 1))])
case('error in helper', [(kernels.error_in_helper, (2,), [x, Unwritten(100), 100], {'BLOCK': 64})], finding=bad(kernels.error_in_helper, 'helper_load'))
case('negative offset', [(kernels.negative_offset, (1,), [x, Unwritten(64)], {'BLOCK': 64})], finding=bad(kernels.negative_offset))
case('far away', [(kernels.far_away, (1,), [x, Unwritten(64)], {'BLOCK': 64})], finding=bad(kernels.far_away))
case('unwritten', [(kernels.unwritten, (1,), [x, Unwritten(64), Unwritten(64)], {'BLOCK': 64})], finding=bad(kernels.unwritten))
case('same place', [(kernels.same_place, (3,), [Unwritten(1, torch.int32)], {})], finding=bad(kernels.same_place))
case('neighbours', [(kernels.neighbours, (3,), [randn(192), 192], {'BLOCK': 64})], finding=bad(kernels.neighbours))
case('no atomic', [(kernels.no_atomic, (3,), [x, torch.zeros(1), 100], {'BLOCK': 64})], finding=bad(kernels.no_atomic))
case('writes input', [(kernels.writes_input, (2,), [ReadOnly(x), 100], {'BLOCK': 64})], finding=bad(kernels.writes_input))
case('endless', [(kernels.endless, (1,), [Unwritten(1, torch.int32), 5], {})], finding=bad(kernels.endless))
x, d, out = integers(1, 900, 50), integers(1, 9, 50), Unwritten(50, torch.int32)
case('divides where masked', [(kernels.divides_where_masked, (1,), [x, d, out, 50], {'BLOCK': 64})], [(out, (x // d).double())])
case('divides by zero', [(kernels.divides_by_zero, (1,), [integers(1, 9, 64), Unwritten(64, torch.int32)], {'BLOCK': 64})], finding=bad(kernels.divides_by_zero))
out = Unwritten(64, torch.int32)
case('same value', [(kernels.same_value, (4,), [out], {'BLOCK': 64})], [(out, torch.arange(64))])

# ---- races and deadlocks ----
races = load(here.parents[1] / 'tests/benchmarks/executor/race_kernels.py')
for one in races.cases():
    place = {'line': races.bad_line(one['kernel'])} if races.bad_line(one['kernel']) else {}
    wrong = {'kind': one['wrong'], 'file': 'race_kernels.py', **place} if one['wrong'] else None
    expected = [] if wrong else [(one['args'][at], values) for at, values in one['expected'].items()]
    case(one['name'], [(one['kernel'], one['grid'], one['args'], one['constants'])], expected, 1e-4, finding=wrong)

import language_cases

language_cases.write_pointwise(folder / 'pointwise.py')
language_cases.write_refused(folder / 'refused.py')

import library_cases

library_cases.write_library(folder / 'library.py')

save(folder)
print(len(cases), 'cases')
