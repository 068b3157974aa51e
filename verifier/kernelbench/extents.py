"""Sizes of which values and how they hang together are known: sums of products of named constants and of floors, in the normal form in
which tasks write them (docs/interfaces.md, 1; language/tasks/dimension.hpp has the same): "2 * C", "(H + 1) // 2 - 2".

Where something can't be said of every size (a branch, a window, a count of groups), the constants on which it depends are fixed: they
are numbers from there on, in sizes that were made before, too. A window that has to fit, and groups that have to be equal, leave
constants free as far as they can: `features` becomes `8 * features_over_8`, `height` becomes `height_less_7 + 7`.
"""

TINY = 4  # what every dimension is at `tiny`
MOST_TERMS, MOST_FACTORS, MOST_TEXT, LARGEST = 64, 16, 1_000, 1 << 62
MOST_MORE = 4096  # how much larger than at `tiny` a constant is made
_LAST = 1 << 62


class TooLarge(Exception):
    """A size, or its text, is beyond what tasks hold."""


class Size:
    """A size with at least one named constant. Products are tuples of atoms, ascending; an atom is (place, text, dividend, divisor): a
    constant, whose dividend is None, or a floor."""

    __slots__ = ("terms", "text_", "names_", "since", "now", "least")

    def __init__(self, terms):
        self.terms, self.text_, self.names_, self.since, self.now, self.least = terms, None, None, -1, self, None

    def __eq__(self, other):
        return isinstance(other, Size) and (self is other or self.terms == other.terms)

    def __hash__(self):
        return hash(frozenset(self.terms.items()))

    def text(self):
        if self.text_ is None:
            out = ""
            for product, amount in sorted(self.terms.items(), key=_order):
                term, size = _product_text(product), str(abs(amount))
                if not product:
                    term = size
                elif size != "1" or amount < 0 and not out and _product_is_floor(product):
                    # Python's sign comes before its division: -(H // 2).
                    term = f"({term})" if size == "1" else size + " * " + (f"({term})" if _product_is_floor(product) else term)
                out += (" - " if amount < 0 else " + ") if out else "-" if amount < 0 else ""
                out += term
            self.text_ = out
        return self.text_

    def at(self, sizes):
        """Returns the size as a number, for these values of the constants."""
        total = 0
        for product, amount in self.terms.items():
            for _, text, dividend, divisor in product:
                amount *= sizes[text] if dividend is None else at(dividend, sizes) // divisor
            total += amount
        return total

    def names(self):
        if self.names_ is None:
            out = set()
            for product in self.terms:
                for _, text, dividend, _ in product:
                    out |= {text} if dividend is None else names(dividend)
            self.names_ = frozenset(out)
        return self.names_

    def symbol(self):
        """Returns the name of the constant if the size is one; else None."""
        if len(self.terms) == 1:
            (product, amount), = self.terms.items()
            if amount == 1 and len(product) == 1 and product[0][2] is None:
                return product[0][1]
        return None


def _order(term):
    return -len(term[0]), term[0] and tuple(atom[:2] for atom in term[0])


def _product_is_floor(product):
    return len(product) == 1 and product[0][2] is not None


def _product_text(product):
    return " * ".join(f"({atom[1]})" if len(product) > 1 and atom[2] is not None else atom[1] for atom in product)


def at(size, sizes):
    return size.at(sizes) if isinstance(size, Size) else size


def names(size):
    return size.names() if isinstance(size, Size) else frozenset()


def written(size):
    """Returns a size as an integer or as its text."""
    return size.text() if isinstance(size, Size) else size


def _terms(size):
    return size.terms if isinstance(size, Size) else {(): size} if size else {}


def _made(terms):
    if not terms:
        return 0
    if len(terms) == 1 and () in terms:
        return terms[()]
    if len(terms) > MOST_TERMS or any(len(p) > MOST_FACTORS or abs(a) > LARGEST for p, a in terms.items()):
        raise TooLarge("its sizes are too large")
    return Size(terms)


def plus(a, b, times=1):
    """Returns a + times * b."""
    if not isinstance(a, Size) and not isinstance(b, Size):
        return a + times * b
    out = dict(_terms(a))
    for product, amount in _terms(b).items():
        total = out.get(product, 0) + times * amount
        if total:
            out[product] = total
        else:
            out.pop(product, None)
    return _made(out)


def product_of(a, b):
    if not isinstance(a, Size) and not isinstance(b, Size):
        return a * b
    out = {}
    for one, x in _terms(a).items():
        for other, y in _terms(b).items():
            both = tuple(sorted(one + other, key=_atom)) if one and other else one or other
            total = out.get(both, 0) + x * y
            if total:
                out[both] = total
            else:
                out.pop(both, None)
    return _made(out)


def _atom(atom):
    return atom[:2]


def over(size, by):
    """Returns the floor division of a size by a number of at least 1."""
    if not isinstance(size, Size):
        return size // by
    if by == 1:
        return size
    whole, rest, common = {}, {}, by
    for product, amount in size.terms.items():
        quotient, left = divmod(amount, by)
        if quotient:
            whole[product] = quotient
        if left:
            rest[product] = left
        if product:
            common = _gcd(common, left)
    whole, remains = _made(whole), _made(rest)
    if not isinstance(remains, Size):
        return plus(whole, remains // by)
    if common > 1:
        smaller = _made({p: a // common for p, a in rest.items() if a // common})
        return plus(whole, over(smaller, by // common))
    for product, amount in rest.items():
        if len(product) == 1 and amount == 1 and product[0][2] is not None:
            _, _, dividend, divisor = product[0]
            others = plus(remains, _made({product: 1}), -1)
            return plus(whole, over(plus(dividend, product_of(others, divisor)), divisor * by))
    text = f"{remains.text()} // {by}" if len(rest) == 1 else f"({remains.text()}) // {by}"
    if len(text) > MOST_TEXT:
        raise TooLarge("its sizes are too large")
    return plus(whole, Size({((_LAST, text, remains, by),): 1}))


def _gcd(a, b):
    while b:
        a, b = b, a % b
    return a


def exactly_over(size, by):
    """Returns the quotient if the division is exact whatever the sizes are; else None."""
    if not isinstance(by, Size):
        if by == 0 or any(amount % by for amount in _terms(size).values()):
            return None
        return _made({p: a // by for p, a in _terms(size).items()})
    leading, coefficient = min(by.terms.items(), key=_order)
    rest, quotient = size, 0
    for _ in range(2 * MOST_TERMS):
        if not isinstance(rest, Size):
            return quotient if rest == 0 else None
        product, amount = min(rest.terms.items(), key=_order)
        left = list(product)
        for atom in leading:
            if atom not in left:
                return None
            left.remove(atom)
        if amount % coefficient:
            return None
        step = _made({tuple(left): amount // coefficient})
        quotient, rest = plus(quotient, step), plus(rest, product_of(step, by), -1)
    return None


class Extents:
    """The named constants of a file, and which of them are fixed."""

    def __init__(self):
        self.values, self.places, self.replaced, self.changes = {}, {}, {}, 0
        self.tiny, self.grown = {}, {}

    def symbol(self, name, value, place=None):
        self.values[name], self.places[name] = value, len(self.places) if place is None else place
        self.tiny[name] = TINY
        self.grown[name] = (3 * value + 1) // 2 | 1
        return Size({((self.places[name], name, None, 1),): 1})

    def now(self, size):
        """Returns the size after everything that has been fixed since it was made: an integer or a Size."""
        if not isinstance(size, Size):
            return size
        if size.since != self.changes:
            now = size.now if isinstance(size.now, Size) else size
            if any(name in self.replaced for name in now.names()):
                now = self._substituted(now)
                while isinstance(now, Size) and any(name in self.replaced for name in now.names()):
                    now = self._substituted(now)
                size.now = now
            size.since = self.changes
        return size.now

    def _substituted(self, size):
        total = 0
        for product, amount in size.terms.items():
            term = amount
            for atom in product:
                _, text, dividend, divisor = atom
                factor = self.replaced.get(text) if dividend is None else None
                if dividend is not None:
                    factor = over(self._substituted(dividend), divisor) if isinstance(dividend, Size) else dividend // divisor
                term = product_of(term, Size({(atom,): 1}) if factor is None else factor)
            total = plus(total, term)
        return total

    def value(self, size):
        """Returns a size as a number, at the task's own sizes."""
        return at(size, self.values)

    def fixed(self, size):
        """Fixes a size: returns its number, which it has from now on."""
        size = self.now(size)
        if not isinstance(size, Size):
            return size
        for name in size.names():
            self.replaced[name] = self.values[name]
        self.changes += 1
        return size.at(self.values)

    def another(self, name, ending, value):
        """Makes a new constant and returns it. The caller then replaces the constant `name` by a multiple of it, or by the
        sum of it and a number."""
        fresh = f"{name}_{ending}"
        while fresh in self.values:
            fresh += "_"
        return self.symbol(fresh, value, self.places[name])

    def replace(self, name, size):
        self.replaced[name] = size
        self.changes += 1

    def divided(self, size, by):
        """Returns the quotient; None if the division isn't exact at the task's own sizes. If a constant has to be a
        multiple of a number, it is replaced by that number times a new, smaller constant. Other sizes are fixed."""
        size, by = self.now(size), self.now(by)
        exact = exactly_over(size, by)
        if exact is not None:
            return exact
        value = self.value(size)
        number = self.value(by)
        if number < 1 or value % number:
            return None
        if value == number:
            return 1 if self.same(size, by) else None
        if isinstance(by, Size):
            self.fixed(by)
            size = self.now(size)
        name = size.symbol() if isinstance(size, Size) else None
        if name is None:
            return self.fixed(size) // number
        self.replace(name, product_of(number, self.another(name, f"over_{number}", value // number)))
        return exactly_over(self.now(size), number)

    def same(self, a, b):
        """Whether two sizes are equal. If only their numbers at the task's own sizes are equal: a size that is a
        constant is replaced by the other size; else both are fixed."""
        a, b = self.now(a), self.now(b)
        if a == b:
            return True
        if self.value(a) != self.value(b):
            return False
        for one, other in ((b, a), (a, b)):
            if isinstance(one, Size) and isinstance(other, Size) and (name := one.symbol()) and name not in other.names():
                self.replace(name, other)
                return True
        self.fixed(a)
        self.fixed(b)
        return True

    def at_least(self, size, least):
        """Whether a size is at least this large at the task's own sizes. If it would be smaller at other sizes at which
        tasks are tried and depends on a single constant, the constant is replaced by the sum of a number and a new,
        smaller constant; if that isn't possible or doesn't help, the size is fixed."""
        size = self.now(size)
        if not isinstance(size, Size):
            return size >= least
        if size.least is None:
            size.least = min(size.at(self.tiny), size.at(self.grown), size.at(self.values))
        if size.least >= least:
            return True
        own = self.value(size)
        if own < least:
            return False
        if len(size.names()) == 1:
            name, = size.names()
            more = next((v for v in range(1, min(self.values[name], MOST_MORE)) if size.at({name: TINY + v}) >= least), None)
            if more is not None:
                self.replace(name, plus(self.another(name, f"less_{more}", self.values[name] - more), more))
                smaller = self.now(size)
                if min(smaller.at(self.tiny), smaller.at(self.grown)) >= least:
                    return True
        self.fixed(size)
        return True

    def solved(self, shapes):
        """Returns the constants whose values can be read off the inputs' shapes (verifier/tasks/variation,
        solved_dims)."""
        known, sizes = set(), [s for shape in shapes for s in map(self.now, shape) if isinstance(s, Size)]
        more = True
        while more:
            more = False
            for size in sizes:
                left = size.names() - known
                if len(left) == 1 and _linear(size, *left):
                    known |= left
                    more = True
        return known


def _linear(size, name):
    times = 0
    for product, amount in size.terms.items():
        inside = [atom for atom in product if atom[1] == name or (atom[2] is not None and name in names(atom[2]))]
        if inside and (len(product) > 1 or inside[0][2] is not None):
            return False
        if inside:
            times += amount
    return times > 0
