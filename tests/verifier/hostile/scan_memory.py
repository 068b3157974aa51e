# The first lines of a candidate: they search all accessible memory of its process for HIDDEN, whose bytes are
# written here with one bit flipped, so that this text doesn't contain it.
import ctypes
import gc
import linecache
import os
import re
import sys


def scan_memory():
    # A pattern of single letters, so that the word itself is nowhere in this process.
    wanted = re.compile(b"".join(b"[" + bytes([byte ^ 1]) + b"]" for byte in HIDDEN)).search
    libc = ctypes.CDLL(None, use_errno=True)
    libc.write.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t]
    libc.write.restype = ctypes.c_ssize_t
    libc.sbrk.restype = ctypes.c_void_p
    block = 1 << 18
    copy = os.open(os.environ["TMPDIR"] + "/copy", os.O_RDWR | os.O_CREAT)

    def copied(address):
        """Reads a block of memory, up to the first page that isn't mapped."""
        os.lseek(copy, 0, 0)
        count = libc.write(copy, address, block)
        return os.pread(copy, max(count, 0), 0), count

    def text(one):
        return one if isinstance(one, bytes) else one.encode(errors="replace") if isinstance(one, str) else b""

    found = []
    frame = sys._getframe()
    while frame is not None:
        if any(wanted(text(value)) for value in list(frame.f_locals.values())):
            found.append("a frame")
        frame = frame.f_back
    if any(wanted(text(line)) for entry in linecache.cache.values() for line in entry[2]):
        found.append("linecache")
    objects = gc.get_objects()
    addresses = {id(one) // block for one in objects}
    for one in objects:
        if isinstance(one, dict):
            for value in list(one.values()):
                addresses.add(id(value) // block)
                if wanted(text(value)):
                    found.append("an object")
    end = libc.sbrk(0)
    addresses |= set(range((end - (256 << 20)) // block, end // block + 1))
    addresses |= {one + near for one in list(addresses) for near in (-4, -3, -2, -1, 1, 2, 3, 4)}
    scanned = 0
    for number in sorted(addresses):
        at = number * block
        while at < (number + 1) * block:
            data, count = copied(at)
            scanned += len(data)
            if wanted(data):
                found.append("memory")
            at += max(len(data), 0) // 4096 * 4096 + 4096
            if count < 0 and at % 65536 == 4096:
                at += 65536 - 4096  # in a hole, it advances in larger steps
    for path in ("/proc/self/mem", "/proc/self/maps", "/proc/self/environ", "/proc/1/mem"):
        try:
            if wanted(open(path, "rb").read(1 << 20)):
                found.append(path)
        except OSError:
            pass
    os.close(copy)
    if wanted(b"\n".join(text(value) for value in os.environ.values())):
        found.append("the environment")
    if scanned < 20 << 20:
        raise AssertionError(f"only {scanned} bytes were looked at")
    if found:
        raise AssertionError("found in " + ", ".join(sorted(set(found))))


scan_memory()
