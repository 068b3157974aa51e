"""Triton kernels whose programs or threads share memory: right ones, and twins with one race or deadlock each.

`cases()` gives {name, kernel, grid, args, constants, wrong, expected}: `wrong` is None, 'race' or 'deadlock'; `expected` are
the values of arguments, by their number, that a right run leaves whatever the order. A constant makes a kernel wrong; `# BAD`
marks the line that comes too early then, or that waits for ever.
"""
import torch
import triton
import triton.language as tl


@triton.jit
def last_block(x, partial, count, out, BLOCK: tl.constexpr, BARRIER: tl.constexpr, SEM: tl.constexpr, SCOPE: tl.constexpr):
    i = tl.arange(0, BLOCK)
    pid = tl.program_id(0)
    tl.store(partial + pid * BLOCK + i, tl.load(x + pid * BLOCK + i) * 2)
    if BARRIER:
        tl.debug_barrier()
    done = tl.atomic_add(count, 1, sem=SEM, scope=SCOPE)
    if done == tl.num_programs(0) - 1:
        total = tl.zeros((BLOCK,), tl.float32)
        for k in range(tl.num_programs(0)):
            total += tl.load(partial + k * BLOCK + i)  # BAD
        tl.store(out + i, total)


@triton.jit
def grid_sum(x, partial, count, out, turns, BLOCK: tl.constexpr, WAIT: tl.constexpr):
    i = tl.arange(0, BLOCK)
    pid = tl.program_id(0)
    tl.store(partial + pid, tl.sum(tl.load(x + pid * BLOCK + i)))
    if WAIT:
        tl.atomic_add(count, 1)
        while tl.atomic_add(count, 0) < tl.num_programs(0):
            pass
    else:
        k = turns
        while k > 0:  # the number never changes
            tl.atomic_add(count, 1)
            k -= 1
    total = 0.0
    for k in range(tl.num_programs(0)):
        total += tl.load(partial + k)  # BAD
    tl.store(out + pid, total)


@triton.jit
def locked(x, lock, out, BLOCK: tl.constexpr, LOCK: tl.constexpr, BARRIER: tl.constexpr, SEM: tl.constexpr):
    i = tl.arange(0, BLOCK)
    v = tl.load(x + tl.program_id(0) * BLOCK + i)
    if LOCK:
        while tl.atomic_cas(lock, 0, 1) == 1:
            pass
    sum = tl.load(out + i) + v  # BAD
    tl.store(out + i, sum)
    if BARRIER:
        tl.debug_barrier()
    tl.atomic_xchg(lock, 0, sem=SEM)


@triton.jit
def chain(x, flags, out, BLOCK: tl.constexpr, POLL: tl.constexpr, SCOPE: tl.constexpr):
    i = tl.arange(0, BLOCK)
    pid = tl.program_id(0)
    v = tl.load(x + pid * BLOCK + i)
    if pid > 0:
        while tl.atomic_add(flags + pid - 1, 0, sem=POLL, scope=SCOPE) == 0:
            pass
        v += tl.load(out + (pid - 1) * BLOCK + i)  # BAD
    tl.store(out + pid * BLOCK + i, v)
    tl.debug_barrier()
    tl.atomic_xchg(flags + pid, 1, sem='release', scope=SCOPE)


@triton.jit
def volatile_flag(x, flag, data, out, BLOCK: tl.constexpr, VOLATILE: tl.constexpr):
    i = tl.arange(0, BLOCK)
    pid = tl.program_id(0)
    if pid == 0:
        tl.store(data + i, tl.load(x + i) * 3)
        tl.debug_barrier()
        tl.atomic_xchg(flag, 1, sem='release')
    else:
        if VOLATILE:
            while tl.load(flag, volatile=True) == 0:
                pass
        else:
            while tl.atomic_add(flag, 0, sem='acquire') == 0:
                pass
        tl.store(out + pid * BLOCK + i, tl.load(data + i))  # BAD


@triton.jit
def histogram(x, bins, BLOCK: tl.constexpr, ATOMIC: tl.constexpr):
    i = tl.arange(0, BLOCK)
    v = tl.load(x + tl.program_id(0) * BLOCK + i)
    if ATOMIC:
        tl.atomic_add(bins + v, 1)
    else:
        old = tl.load(bins + v)  # BAD
        tl.store(bins + v, old + 1)


@triton.jit
def split_k(x, out, BLOCK: tl.constexpr, ATOMIC: tl.constexpr):
    i = tl.arange(0, BLOCK)
    s = tl.sum(tl.load(x + tl.program_id(0) * BLOCK + i))
    if ATOMIC:
        tl.atomic_add(out, s, sem='relaxed')
    else:
        old = tl.load(out)  # BAD
        tl.store(out, old + s)


@triton.jit
def one_place(out, SAME: tl.constexpr):
    tl.store(out, 7 if SAME else tl.program_id(0))  # BAD


@triton.jit
def reversed_block(x, scratch, out, BLOCK: tl.constexpr, BARRIER: tl.constexpr):
    i = tl.arange(0, BLOCK)
    base = tl.program_id(0) * BLOCK
    tl.store(scratch + base + i, tl.load(x + base + i))
    if BARRIER:
        tl.debug_barrier()
    tl.store(out + base + i, tl.load(scratch + base + BLOCK - 1 - i))  # BAD


@triton.jit
def shifted_in_place(x, BLOCK: tl.constexpr, BARRIER: tl.constexpr):
    i = tl.arange(0, BLOCK)
    base = tl.program_id(0) * (BLOCK + 1)
    v = tl.load(x + base + i + 1)
    if BARRIER:
        tl.debug_barrier()
    tl.store(x + base + i, v)  # BAD


@triton.jit
def two_to_one(out, BLOCK: tl.constexpr, SAME: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out + tl.program_id(0) * BLOCK + i // 2, i // 2 if SAME else i)  # BAD


@triton.jit
def one_of_all(x, scratch, out, BLOCK: tl.constexpr, BARRIER: tl.constexpr):
    i = tl.arange(0, BLOCK)
    base = tl.program_id(0) * BLOCK
    tl.store(scratch + base + i, tl.load(x + base + i))
    if BARRIER:
        tl.debug_barrier()
    first = tl.load(scratch + base + BLOCK - 1)  # BAD
    tl.store(out + base + i, first + i)


@triton.jit
def transposed(x, scratch, out, BLOCK: tl.constexpr, BARRIER: tl.constexpr):
    a, b = tl.arange(0, BLOCK)[:, None], tl.arange(0, BLOCK)[None, :]
    base = tl.program_id(0) * BLOCK * BLOCK
    tl.store(scratch + base + a * BLOCK + b, tl.load(x + base + a * BLOCK + b))
    if BARRIER:
        tl.debug_barrier()
    tl.store(out + base + a * BLOCK + b, tl.load(scratch + base + b * BLOCK + a))  # BAD


@triton.jit
def scattered(x, order, scratch, out, BLOCK: tl.constexpr, BARRIER: tl.constexpr):
    i = tl.arange(0, BLOCK)
    base = tl.program_id(0) * BLOCK
    tl.store(scratch + base + tl.load(order + i), tl.load(x + base + i))
    if BARRIER:
        tl.debug_barrier()
    tl.store(out + base + i, tl.load(scratch + base + i) * 2)  # BAD


@triton.jit
def smooth(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    left = tl.load(x + i - 1, mask=(i > 0) & (i < n), other=0.0)  # BAD
    here = tl.load(x + i, mask=i < n, other=0.0)
    tl.debug_barrier()
    tl.store(out + i, left + here, mask=i < n)


@triton.jit
def tiles(out, n, STEP: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    at = tl.program_id(0) * STEP + i
    tl.store(out + at, tl.program_id(0) + i * 0, mask=at < n)  # BAD


@triton.jit
def counted(count, RESET: tl.constexpr):
    if RESET:
        if tl.program_id(0) == 1:
            tl.store(count, 0)  # BAD
    tl.atomic_add(count, 1)


@triton.jit
def largest(x, most, out, BLOCK: tl.constexpr, WAIT: tl.constexpr, done):
    i = tl.arange(0, BLOCK)
    pid = tl.program_id(0)
    tl.atomic_max(most, tl.max(tl.load(x + pid * BLOCK + i)))  # BAD
    if WAIT:
        tl.atomic_add(done, 1)
        while tl.atomic_add(done, 0) < tl.num_programs(0):
            pass
    tl.store(out + pid, tl.load(most))


@triton.jit
def handed_on(x, flag, data, out, BLOCK: tl.constexpr, ATOMIC: tl.constexpr):
    i = tl.arange(0, BLOCK)
    pid = tl.program_id(0)
    if pid == 0:
        tl.store(data + i, tl.load(x + i) + 1)
        tl.debug_barrier()
        tl.atomic_xchg(flag, 1, sem='release')
    elif pid == 1:
        while tl.atomic_add(flag, 0, sem='relaxed') == 0:
            pass
        if ATOMIC:
            tl.atomic_add(flag, 1, sem='relaxed')  # continues the release sequence
        else:
            tl.store(flag, 2)
    else:
        while tl.atomic_add(flag, 0, sem='acquire') != 2:
            pass
        tl.store(out + pid * BLOCK + i, tl.load(data + i))


@triton.jit
def waits_for(flags, out, first, last, other):
    pid = tl.program_id(0)
    if (pid >= first) & (pid <= last):
        while tl.atomic_add(flags + other, 0) == 0:  # BAD
            pass
    tl.store(out + pid, pid)
    tl.atomic_xchg(flags + pid, 1)


@triton.jit
def relaxed_sums(x, sums, count, out, BLOCK: tl.constexpr, SEM: tl.constexpr):
    i = tl.arange(0, BLOCK)
    pid = tl.program_id(0)
    tl.atomic_add(sums + i, tl.load(x + pid * BLOCK + i), sem=SEM)
    tl.debug_barrier()
    done = tl.atomic_add(count, 1, sem=SEM)
    if done == tl.num_programs(0) - 1:
        tl.store(out + i, tl.load(sums + i))  # BAD


def cases():
    generator = torch.Generator().manual_seed(11)
    made = []

    def randn(*shape):
        return torch.randn(*shape, generator=generator)

    def words(*values):
        return torch.tensor(values or [0], dtype=torch.int32)

    def add(name, kernel, grid, args, constants, expected, wrong=None):
        made.append({'name': name, 'kernel': kernel, 'grid': (grid,), 'args': args, 'constants': constants, 'wrong': wrong,
                     'expected': expected})

    def nowhere(count, dtype=torch.float32):
        return torch.zeros(count, dtype=dtype)

    n, g = 256, 12
    x = randn(g * n)
    rows = x.view(g, n)
    for name, barrier, sem, scope, wrong in (('right', True, 'acq_rel', 'gpu', None), ('sys', True, 'acq_rel', 'sys', None),
                                             ('relaxed', True, 'relaxed', 'gpu', 'race'), ('cta', True, 'acq_rel', 'cta', 'race'),
                                             ('release alone', True, 'release', 'gpu', 'race'),
                                             ('no barrier', False, 'acq_rel', 'gpu', 'race')):
        add(f'last block, {name}', last_block, g, [x, nowhere(g * n), words(), nowhere(n)],
            {'BLOCK': n, 'BARRIER': barrier, 'SEM': sem, 'SCOPE': scope}, {3: (rows * 2).sum(0)}, wrong)
    for wait in (True, False):
        add('grid sum, ' + ('right' if wait else 'a loop that never turns'), grid_sum, g, [x, nowhere(g), words(), nowhere(g), 0],
            {'BLOCK': n, 'WAIT': wait}, {3: x.sum().expand(g)}, None if wait else 'race')
    for name, lock, barrier, sem, wrong in (('right', True, True, 'release', None), ('no lock', False, True, 'release', 'race'),
                                            ('no barrier', True, False, 'release', 'race'), ('relaxed', True, True, 'relaxed', 'race')):
        add(f'locked, {name}', locked, g, [x, words(), nowhere(n)], {'BLOCK': n, 'LOCK': lock, 'BARRIER': barrier, 'SEM': sem},
            {2: rows.sum(0)}, wrong)
    for name, poll, scope, wrong in (('right', 'acquire', 'gpu', None), ('relaxed', 'relaxed', 'gpu', 'race'), ('cta', 'acquire', 'cta', 'race')):
        add(f'chain, {name}', chain, g, [x, words(*[0] * g), nowhere(g * n)], {'BLOCK': n, 'POLL': poll, 'SCOPE': scope},
            {2: rows.cumsum(0).reshape(-1)}, wrong)
    long = randn(300 * 16)
    add('chain, long', chain, 300, [long, words(*[0] * 300), nowhere(300 * 16)], {'BLOCK': 16, 'POLL': 'acquire', 'SCOPE': 'gpu'},
        {2: long.view(300, 16).double().cumsum(0).reshape(-1)})
    for volatile in (False, True):
        add('flag, ' + ('volatile' if volatile else 'right'), volatile_flag, g, [x, words(), nowhere(n), nowhere(g * n)],
            {'BLOCK': n, 'VOLATILE': volatile}, {3: torch.cat([torch.zeros(n)] + [rows[0] * 3] * (g - 1))}, 'race' if volatile else None)
    v = torch.randint(0, 16, (g * n,), generator=generator, dtype=torch.int32)
    for atomic in (True, False):
        wrong = None if atomic else 'race'
        add('histogram, ' + ('right' if atomic else 'no atomic'), histogram, g, [v, words(*[0] * 16)], {'BLOCK': n, 'ATOMIC': atomic},
            {1: torch.bincount(v.long(), minlength=16)}, wrong)
        add('split k, ' + ('right' if atomic else 'no atomic'), split_k, g, [x, nowhere(1)], {'BLOCK': n, 'ATOMIC': atomic},
            {1: x.sum().view(1)}, wrong)
    for same in (True, False):
        add('one place, ' + ('one value' if same else 'many values'), one_place, g, [words()], {'SAME': same}, {0: words(7)} if same else {},
            None if same else 'race')
    for barrier in (True, False):
        name, wrong = ('right', None) if barrier else ('no barrier', 'race')
        constants = {'BLOCK': n, 'BARRIER': barrier}
        add(f'reversed, {name}', reversed_block, g, [x, nowhere(g * n), nowhere(g * n)], constants, {2: rows.flip(1).reshape(-1)}, wrong)
        y = randn(g * (n + 1))
        shifted = y.view(g, n + 1).clone()
        shifted[:, :n] = y.view(g, n + 1)[:, 1:]
        add(f'shifted in place, {name}', shifted_in_place, g, [y, ], constants, {0: shifted.reshape(-1)}, wrong)
        add(f'one of all, {name}', one_of_all, g, [x, nowhere(g * n), nowhere(g * n)], constants,
            {2: (rows[:, -1:] + torch.arange(n)).reshape(-1)}, wrong)
        order = torch.randperm(n, generator=generator).to(torch.int32)
        moved = torch.zeros(g, n)
        moved[:, order.long()] = rows
        add(f'scattered, {name}', scattered, g, [x, order, nowhere(g * n), nowhere(g * n)], constants, {3: (moved * 2).reshape(-1)}, wrong)
        square = randn(g * 32 * 32)
        add(f'transposed, {name}', transposed, g, [square, nowhere(g * 1024), nowhere(g * 1024)], {'BLOCK': 32, 'BARRIER': barrier},
            {2: square.view(g, 32, 32).transpose(1, 2).reshape(-1)}, wrong)
    add('two to one, one value', two_to_one, g, [words(*[0] * (g * n))], {'BLOCK': n, 'SAME': True},
        {0: torch.cat([torch.arange(n // 2), torch.zeros(n // 2, dtype=torch.int64)]).repeat(g)})
    add('two to one, two values', two_to_one, g, [words(*[0] * (g * n))], {'BLOCK': n, 'SAME': False}, {}, 'race')
    smoothed = x + torch.cat([torch.zeros(1), x[:-1]])
    add('smooth, right', smooth, g, [x, nowhere(g * n), g * n], {'BLOCK': n}, {1: smoothed})
    z = x.clone()
    add('smooth, in place', smooth, g, [z, z, g * n], {'BLOCK': n}, {1: smoothed}, 'race')
    for step in (n, n - 1):
        add('tiles, ' + ('right' if step == n else 'overlapping'), tiles, g, [words(*[0] * (g * n)), g * n], {'STEP': step, 'BLOCK': n},
            {0: torch.arange(g).repeat_interleave(n)} if step == n else {}, None if step == n else 'race')
    for reset in (False, True):
        add('counted, ' + ('reset by one' if reset else 'right'), counted, g, [words()], {'RESET': reset}, {0: words(g)}, 'race' if reset else None)
    v = (torch.arange(g).repeat_interleave(n) * 100 + v).to(torch.int32)
    for wait in (True, False):
        add('largest, ' + ('right' if wait else 'no wait'), largest, g, [v, words(), words(*[0] * g), words()], {'BLOCK': n, 'WAIT': wait},
            {2: v.max().expand(g)}, None if wait else 'race')
    for atomic in (True, False):
        add('handed on, ' + ('right' if atomic else 'by a store'), handed_on, 4, [x, words(), nowhere(n), nowhere(4 * n)],
            {'BLOCK': n, 'ATOMIC': atomic}, {3: torch.cat([torch.zeros(2 * n), rows[0] + 1, rows[0] + 1])}, None if atomic else 'race')
    for sem in ('acq_rel', 'relaxed'):
        add(f'sums, {sem}', relaxed_sums, g, [x, nowhere(n), words(), nowhere(n)], {'BLOCK': n, 'SEM': sem}, {3: rows.sum(0)},
            None if sem == 'acq_rel' else 'race')
    for name, programs, first, last, other, wrong in (
            ('an earlier one', 300, 299, 299, 0, None), ('a later one at once', 100, 0, 98, 99, None),
            ('one behind those that end', 300, 0, 0, 299, None), ('one that may not have begun', 300, 0, 199, 299, 'deadlock'),
            ('itself', 4, 2, 2, 2, 'deadlock')):
        flags = words(*[0] * programs)
        add(f'waits for {name}', waits_for, programs, [flags, words(*[0] * programs), first, last, other], {},
            {1: torch.arange(programs)}, wrong)
    return made


def bad_line(kernel):
    """The line of the kernel's file that its text marks, from 1; None when none is."""
    lines = enumerate(kernel.raw_src, kernel.starting_line_number)
    return next((number for number, line in lines if '# BAD' in line), None)
