"""Triton kernels with one known out-of-bounds access each, and their clean twins: `twins()`.

A kernel's text marks possible mistakes as `«right|wrong|wrong…»`. Each twin has exactly one wrong choice. Sizes are odd, so that
masks matter.
"""
import re

HEAD = 'import triton\nimport triton.language as tl\n\n\n'

# name, source, grid, arguments in order, constexprs. An argument is ('in' | 'out' | 'index', elements) or a
# number.
FAMILIES = [
    ('add', '''@triton.jit
def kernel(x, y, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs «<|<=» n
    a = tl.load(x + offs«, mask=mask|»)
    b = tl.load(y + offs«| + 1|- 1», mask=mask)
    tl.store(out + offs, a + b«, mask=mask|»)
''', (8,), [('in', 487), ('in', 487), ('out', 487), 487], dict(BLOCK=64)),
    ('gelu', '''@triton.jit
def kernel(x, out, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    offs = pid * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + offs, mask=offs < n«| + 9|», other=0.0)
    v = v * 0.5 * (1.0 + tl.erf(v * 0.7071067811865476))
    tl.store(out + offs«| + 2», v, mask=offs < n)
''', (5,), [('in', 300), ('out', 300), 300], dict(BLOCK=64)),
    ('row_softmax', '''@triton.jit
def kernel(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offs = tl.arange(0, BLOCK)
    mask = offs < columns
    v = tl.load(x + row * columns + offs«, mask=mask, other=-float('inf')|»)
    v = tl.exp(v - tl.max(v, axis=0))
    tl.store(out + row * «columns|BLOCK» + offs, v / tl.sum(v, axis=0)«, mask=mask|»)
''', (7,), [('in', 7 * 97), ('out', 7 * 97), 97], dict(BLOCK=128)),
    ('row_sum', '''@triton.jit
def kernel(x, out, rows, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    total = 0.0
    for start in range(0, columns, BLOCK):
        offs = start + tl.arange(0, BLOCK)
        v = tl.load(x + row * columns + offs«, mask=offs < columns, other=0.0|, mask=offs < columns + 5, other=0.0|»)
        total += tl.sum(v, axis=0)
    tl.store(out + row«| + 1|- 1», total)
''', (6,), [('in', 6 * 101), ('out', 6), 6, 101], dict(BLOCK=32)),
    ('tile_scale', '''@triton.jit
def kernel(x, out, m, n, BM: tl.constexpr, BN: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)[:, None]
    columns = tl.program_id(1) * BN + tl.arange(0, BN)[None, :]
    mask = (rows < «m|n») & (columns < n)
    v = tl.load(x + rows * n + columns«, mask=mask|, mask=rows < m|, mask=columns < n», other=0.0)
    tl.store(out + rows * n + columns, v * 3.0«, mask=mask|»)
''', (3, 4), [('in', 37 * 61), ('out', 37 * 61), 37, 61], dict(BM=16, BN=16)),
    ('transpose', '''@triton.jit
def kernel(x, out, m, n, BM: tl.constexpr, BN: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    mask = (rows[:, None] < m) & (columns[None, :] < n)
    v = tl.load(x + rows[:, None] * n + columns[None, :], mask=mask)
    tl.store(out + columns[:, None] * «m|n» + rows[None, :], tl.trans(v), mask=«(columns[:, None] < n) & (rows[None, :] < m)|columns[:, None] < n|rows[None, :] < m»)
''', (3, 3), [('in', 33 * 47), ('out', 33 * 47), 33, 47], dict(BM=16, BN=16)),
    ('matmul', '''@triton.jit
def kernel(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, k, BK):
        inner = start + tl.arange(0, BK)
        x = tl.load(a + rows[:, None] * k + inner[None, :], mask=(rows[:, None] < m)« & (inner[None, :] < k)|», other=0.0)
        y = tl.load(b + inner[:, None] * n + columns[None, :], mask=«(inner[:, None] < k) & |»(columns[None, :] < n), other=0.0)
        total += tl.dot(x, y, input_precision='ieee')
    mask = (rows[:, None] < m) & (columns[None, :] < n)
    tl.store(c + rows[:, None] * n + columns[None, :], total, mask=«mask|rows[:, None] < m|columns[None, :] < n»)
''', (2, 3), [('in', 29 * 41), ('in', 41 * 35), ('out', 29 * 35), 29, 35, 41], dict(BM=16, BN=16, BK=16)),
    ('gather', '''@triton.jit
def kernel(x, index, out, n, limit, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    at = tl.load(index + offs, mask=mask, other=0)
    v = tl.load(x + at«| * 2| + 3», mask=mask, other=0.0)
    tl.store(out + offs, v, mask=mask)
''', (3,), [('in', 50), ('index', 80), ('out', 80), 80, 50], dict(BLOCK=32)),
    ('layer_norm', '''@triton.jit
def kernel(x, w, out, columns, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offs = tl.arange(0, BLOCK)
    mask = offs < columns
    v = tl.load(x + row * columns + offs, mask=mask, other=0.0)
    mean = tl.sum(v, axis=0) / columns
    d = tl.where(mask, v - mean, 0.0)
    r = 1.0 / tl.sqrt(tl.sum(d * d, axis=0) / columns + eps)
    g = tl.load(w + «offs|row * columns + offs», mask=«mask|offs < BLOCK», other=0.0)
    tl.store(out + row * columns + offs, d * r * g, mask=mask)
''', (5,), [('in', 5 * 75), ('in', 75), ('out', 5 * 75), 75, 1e-5], dict(BLOCK=128)),
    ('moving_average', '''@triton.jit
def kernel(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    left = tl.load(x + offs - 1, mask=mask« & (offs > 0)|», other=0.0)
    middle = tl.load(x + offs, mask=mask, other=0.0)
    right = tl.load(x + offs + 1, mask=«offs + 1 < n|mask», other=0.0)
    tl.store(out + offs, (left + middle + right) / 3.0, mask=mask)
''', (4,), [('in', 199), ('out', 199), 199], dict(BLOCK=64)),
    ('strided', '''@triton.jit
def kernel(x, out, n, stride, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + offs * «stride|(stride + 1)», mask=offs < n, other=0.0)
    tl.store(out + offs«| * 2», v, mask=offs < n)
''', (3,), [('in', 3 * 70), ('out', 70), 70, 3], dict(BLOCK=32)),
    ('bias_relu', '''@triton.jit
def kernel(x, b, out, m, n, BM: tl.constexpr, BN: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    bias = tl.load(b + columns«, mask=columns < n, other=0.0|»)
    at = rows[:, None] * n + columns[None, :]
    mask = (rows[:, None] < m«|+ 1») & (columns[None, :] < n)
    v = tl.load(x + at, mask=mask, other=0.0) + bias[None, :]
    tl.store(out + at«| + n», tl.maximum(v, 0.0), mask=mask)
''', (2, 2), [('in', 13 * 27), ('in', 27), ('out', 13 * 27), 13, 27], dict(BM=8, BN=16)),
    ('concatenate', '''@triton.jit
def kernel(x, y, out, m, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    first = tl.load(x + offs, mask=offs < m«| + n», other=0.0)
    second = tl.load(y + offs« - m|», mask=(offs >= m) & (offs < m + n), other=0.0)
    tl.store(out + offs, tl.where(offs < m, first, second), mask=offs < m + n«|+ 2»)
''', (4,), [('in', 41), ('in', 60), ('out', 101), 41, 60], dict(BLOCK=32)),
    ('column_maximum', '''@triton.jit
def kernel(x, out, rows, columns, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    best = tl.full((BLOCK,), -float('inf'), dtype=tl.float32)
    for row in range(0, rows«|+ 1»):
        best = tl.maximum(best, tl.load(x + row * columns + offs, mask=offs < columns, other=-float('inf')))
    tl.store(out + offs, best, mask=offs < columns«|+ rows»)
''', (2,), [('in', 9 * 50), ('out', 50), 9, 50], dict(BLOCK=32)),
    ('reverse', '''@triton.jit
def kernel(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + n «- 1 |»- offs, mask=offs < n, other=0.0)
    tl.store(out + offs, v, mask=offs < n)
''', (3,), [('in', 70), ('out', 70), 70], dict(BLOCK=32)),
]


def variants(text):
    """Returns [(source, line of the bug or 0)]: the right one first, then each wrong choice alone."""
    marks = list(re.finditer('«([^»]*)»', text))

    def choose(which, choice):
        out, at = '', 0
        for number, mark in enumerate(marks):
            options = mark.group(1).split('|')
            out += text[at:mark.start()] + options[choice if number == which else 0]
            at = mark.end()
        return out + text[at:]
    result = [(HEAD + choose(-1, 0), 0)]
    for number, mark in enumerate(marks):
        line = HEAD.count('\n') + text[:mark.start()].count('\n') + 1
        for choice in range(1, len(mark.group(1).split('|'))):
            wrong = HEAD + choose(number, choice)
            if wrong not in [source for source, _ in result]:
                result.append((wrong, line))
    return result


def kernels():
    """Returns [{name, source, buggy, line, grid, arguments, constants}]; `line` is that of the choice."""
    rows = []
    for name, text, grid, arguments, constants in FAMILIES:
        for number, (source, line) in enumerate(variants(text)):
            rows.append({'name': name if number == 0 else f'{name} bug {number}', 'family': name, 'source': source, 'buggy': number > 0,
                         'line': line, 'grid': grid, 'arguments': arguments, 'constants': constants})
    return rows
