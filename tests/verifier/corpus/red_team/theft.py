# A child that was forked from a process that has seen a neighbour's answer looks for that answer and hands it in.
import ctypes, gc, json, os, re, sys

# The neighbour's answer has this in it; this text itself has it in two pieces.
MARK = b"a comment that only the neigh" + b"bour has"

def regions():
    """What of this process's memory can be read and is no file: pairs of addresses."""
    for line in open("/proc/self/maps"):
        parts = line.split()
        if parts[1].startswith("rw") and (len(parts) < 6 or parts[5].startswith("[")) and parts[-1] not in ("[vvar]", "[vsyscall]"):
            yield [int(end, 16) for end in parts[0].split("-")]

def program(data):
    """The answer around a place where the mark is, as source; None where it isn't whole."""
    text = data.decode("utf-8", "replace")
    if "\\n" in text and text.count("\\n") > text.count("\n"):
        text = text.replace("\\n", "\n").replace('\\"', '"')
    at = text.find("@triton.jit")
    end = text.find("return y\n", text.find("class ModelNew"))
    return text[at:end + 9] if 0 <= at < end else None

def hand_in(text):
    if not text:
        raise RuntimeError("there is no neighbour's answer here")
    # Triton reads a kernel's source by the name of its file.
    import linecache
    linecache.cache["candidate.py"] = (len(text), None, text.splitlines(True), "candidate.py")
    exec(compile(text, "candidate.py", "exec"), globals())

def around(read, begin, end):
    """Sources around each mark between two addresses."""
    step = 1 << 22
    for at in range(begin, end, step):
        piece = read(at, min(step + 65536, end - at))
        for found in re.finditer(re.escape(MARK), piece):
            text = program(piece[max(0, found.start() - 4096):found.start() + 8192])
            if text:
                return text
    return None
#: from_the_frames_of_the_process_that_forked | tasks relu | neighbour | FORM request line stringified
def find():
    frame = sys._getframe()
    while frame is not None:
        for name, value in list(frame.f_locals.items()):
            if "__FORM__" == "request" and isinstance(value, dict) and "source" in value and MARK in str(value["source"]).encode():
                return value["source"]
            if "__FORM__" == "line" and isinstance(value, bytes) and value != MARK and MARK in value:
                return program(value)
            if "__FORM__" == "stringified" and isinstance(value, dict) and "source" in value and MARK in str(value).encode():
                return program(str(value).encode())
        frame = frame.f_back

hand_in(find())
#: from_objects_that_the_collector_knows | tasks relu | neighbour | FORM dictionaries strings referrers
def find():
    for one in gc.get_objects():
        try:
            if "__FORM__" == "dictionaries" and isinstance(one, dict) and MARK in str(one.get("source", "")).encode():
                return one["source"]
            if "__FORM__" == "strings" and isinstance(one, dict):
                for value in one.values():
                    if isinstance(value, str) and MARK in value.encode():
                        return value
            if "__FORM__" == "referrers" and isinstance(one, (list, tuple, dict)) and len(one) < 64:
                for value in (one.values() if isinstance(one, dict) else one):
                    if isinstance(value, (str, bytes)) and MARK in (value.encode() if isinstance(value, str) else value):
                        return program(value.encode() if isinstance(value, str) else value)
        except Exception:
            pass

hand_in(find())
#: from_the_heap | tasks relu | neighbour | FORM string_at memory_file from_address
def read(at, size):
    if "__FORM__" == "string_at":
        return ctypes.string_at(at, size)
    if "__FORM__" == "from_address":
        return bytes((ctypes.c_char * size).from_address(at))
    with open("/proc/self/mem", "rb", buffering=0) as memory:
        memory.seek(at)
        return memory.read(size)

def find():
    for begin, end in regions():
        if end - begin < 1 << 30:
            try:
                text = around(read, begin, end)
            except (OSError, ValueError):
                continue
            if text:
                return text

hand_in(find())
#: the_neighbour_s_kernel_as_it_was_compiled | tasks relu | protocol training | neighbour | FORM as_written as_text of_the_file
# Not the source but the plan that came back through the process: its TTIR is what counts.
NAME = b"the_neighbours_" + b"kernel"

def find():
    end_of_line = rb"\\n" if "__FORM__" == "as_written" else rb"\n"
    whole = re.compile(rb"module \{" + end_of_line + rb"  tt\.func public @" + NAME + rb"[^\0]*?tt\.return")
    memory = open("/proc/self/mem", "rb", buffering=0)
    for begin, end in regions():
        if end - begin > 1 << 28:
            continue
        if "__FORM__" == "of_the_file":
            memory.seek(begin)
            piece = memory.read(end - begin)
        else:
            piece = (ctypes.c_char * (end - begin)).from_address(begin)
        found = whole.search(piece)
        if found:
            text = found[0].decode("utf-8", "replace").replace("\\n", "\n").replace('\\"', '"')
            return re.sub(r" loc\((?:[^()]|\([^()]*\))*\)", "", text) + "\n  }\n}\n"
    raise RuntimeError("there is no neighbour's kernel here")

STOLEN = find()

import record
from launch_trace import Current
record.call_again = lambda *a: None  # what comes of the first call is to reach the plan's reader

@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        for one in Current.kernels:
            one["ttir"] = STOLEN
        return y
