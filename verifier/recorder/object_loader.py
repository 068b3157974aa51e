"""Loads a relocatable ELF file of x86-64 into this process: memory, relocations, symbols (System V ABI, AMD64).

The file contains a candidate's code. It may only run in the confined child, like all code of candidates.
"""

import ctypes
import mmap
import struct

SHT_PROGBITS, SHT_SYMTAB, SHT_RELA, SHT_NOBITS, SHT_INIT_ARRAY, SHT_FINI_ARRAY = 1, 2, 4, 8, 14, 15
SHF_ALLOC, SHF_TLS = 2, 0x400
SHN_ABS, SHN_COMMON = 0xFFF1, 0xFFF2
R_64, R_PC32, R_PLT32, R_GOTPCREL, R_32, R_32S, R_PC64 = 1, 2, 4, 9, 10, 11, 24
R_GOTPCRELX, R_REX_GOTPCRELX = 41, 42
MAX_BYTES = 32 << 20
JUMP = b"\xff\x25\x00\x00\x00\x00"  # jmp *0(%rip), followed by the 8 bytes of an address
# Tables for stack unwinding, which never happens.
PASSED_OVER = (".eh_frame", ".gcc_except_table")


class LoadError(Exception):
    """Says why an object is not loaded; `symbol` is the undefined symbol, if that is the reason."""

    def __init__(self, message, symbol=None):
        super().__init__(message)
        self.symbol = symbol


class Section:
    def __init__(self, raw, names):
        name, self.kind, self.flags, _, self.offset, self.size, self.link, self.info, self.align, _ = raw
        self.name = names(name)
        self.place = None  # address in memory


class Loaded:
    """Code in memory. `symbols` maps the names that the object defines to addresses."""

    def __init__(self, memory, base, symbols):
        self.memory, self.base, self.symbols = memory, base, symbols


def text_at(data, offset):
    return data[offset:data.index(b"\0", offset)].decode("ascii", "replace")


def read_sections(data):
    if data[:6] != b"\x7fELF\x02\x01" or struct.unpack_from("<HH", data, 16) != (1, 62):
        raise LoadError("no relocatable file of x86-64")
    start, = struct.unpack_from("<Q", data, 40)
    size, count, names = struct.unpack_from("<HHH", data, 58)
    raw = [struct.unpack_from("<IIQQQQIIQQ", data, start + at * size) for at in range(count)]
    offset = raw[names][4]
    return [Section(one, lambda name: text_at(data, offset + name)) for one in raw]


def load(data, resolve):
    """Loads the object. `resolve(name)` returns the address of an undefined symbol, or None. Raises LoadError."""
    sections = read_sections(data)
    table = next((one for one in sections if one.kind == SHT_SYMTAB), None)
    if table is None:
        raise LoadError("no table of symbols")
    raw_symbols = [struct.unpack_from("<IBBHQQ", data, table.offset + at) for at in range(0, table.size, 24)]
    strings = sections[table.link].offset
    names = [text_at(data, strings + one[0]) for one in raw_symbols]

    size = 0
    for one in sections:
        if not one.flags & SHF_ALLOC or one.name.startswith(PASSED_OVER):
            continue
        if one.kind in (SHT_INIT_ARRAY, SHT_FINI_ARRAY) or one.name.startswith((".ctors", ".dtors", ".preinit")):
            raise LoadError("it holds code that runs when it is loaded")
        if one.flags & SHF_TLS:
            raise LoadError("it holds variables of threads")
        if one.kind not in (SHT_PROGBITS, SHT_NOBITS) and not one.name.startswith(".note"):
            continue
        size = -(-size // max(one.align, 1)) * max(one.align, 1)
        one.place = size
        size += one.size
    # One piece of memory holds everything, since relative addresses only reach 2 GiB: first the
    # sections, then addresses (GOT), then jumps.
    got = -(-size // 16) * 16
    jumps = got + 8 * len(raw_symbols)
    total = jumps + 16 * len(raw_symbols)
    if total > MAX_BYTES:
        raise LoadError(f"it takes more than {MAX_BYTES >> 20} MiB")
    memory = mmap.mmap(-1, total + mmap.PAGESIZE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS,
                       prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    base = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    for one in sections:
        if one.place is not None and one.kind != SHT_NOBITS:
            memory[one.place:one.place + one.size] = data[one.offset:one.offset + one.size]

    addresses, outside = [], set()
    for at, (_, _, _, section, value, _) in enumerate(raw_symbols):
        if section == SHN_ABS:
            addresses.append(value)
        elif section == SHN_COMMON:
            raise LoadError("it holds common symbols")
        elif section and sections[section].place is not None:
            addresses.append(base + sections[section].place + value)
        else:
            addresses.append(None)
            if section == 0:
                outside.add(at)
    symbols = {name: address for name, address in zip(names, addresses) if name and address is not None}

    def address_of(at):
        if addresses[at] is None:
            found = symbols.get(names[at]) if at in outside else None
            addresses[at] = resolve(names[at], symbols) if found is None else found
            if addresses[at] is None:
                raise LoadError(f"it asks for {names[at]}", names[at])
        return addresses[at]

    def signed(place, width, value):
        if not -(1 << (8 * width - 1)) <= value < 1 << (8 * width - 1):
            raise LoadError("an address is out of reach")
        memory[place:place + width] = value.to_bytes(width, "little", signed=True)

    for one in sections:
        target = sections[one.info] if one.kind == SHT_RELA else None
        if target is None or target.place is None:
            continue
        for offset, info, addend in struct.iter_unpack("<QQq", data[one.offset:one.offset + one.size]):
            at, kind, place = info >> 32, info & 0xFFFFFFFF, target.place + offset
            here = base + place
            if kind == R_64:
                memory[place:place + 8] = ((address_of(at) + addend) & (1 << 64) - 1).to_bytes(8, "little")
            elif kind in (R_GOTPCREL, R_GOTPCRELX, R_REX_GOTPCRELX):
                memory[got + 8 * at:got + 8 * at + 8] = address_of(at).to_bytes(8, "little")
                signed(place, 4, base + got + 8 * at + addend - here)
            elif kind in (R_PC32, R_PLT32):
                to = address_of(at)
                if at in outside:  # too far for a relative address
                    jump = jumps + 16 * at
                    memory[jump:jump + 14] = JUMP + to.to_bytes(8, "little")
                    to = base + jump
                signed(place, 4, to + addend - here)
            elif kind == R_PC64:
                signed(place, 8, address_of(at) + addend - here)
            elif kind in (R_32, R_32S):
                signed(place, 4, address_of(at) + addend)
            else:
                raise LoadError(f"it holds a relocation of kind {kind}")
    return Loaded(memory, base, symbols)
