"""The reader accepts and rejects mutated safetensors files as Hugging Face's library does, and finds the same tensors.

Where the two differ on purpose the library accepts the same key twice, which the format's description rules out."""
import hashlib
import json
import os
import pathlib
import random
import struct
import tempfile

from support import need, probe

(safetensors,) = need("safetensors")

COUNT = 10_000 if os.environ.get("TRL_LONG_TESTS") == "1" else 2_000
BITS = dict(F64=64, F32=32, F16=16, BF16=16, I64=64, I32=32, I16=16, I8=8, U8=8, BOOL=8, U16=16, U32=32, U64=64, F8_E4M3=8,
            F8_E5M2=8, F8_E8M0=8, F8_E4M3FNUZ=8, F8_E5M2FNUZ=8, F6_E2M3=6, F6_E3M2=6, F4=4, C64=64)
ODD = [0, 1, 2, 7, -1, -0.0, 1.0, 1.5, 2**31, 2**62, 2**63 - 1, 2**63, 2**64 - 1, 2**64, "1", None, True, [], [1], {}]


def valid(r):
    """A header as a list of pairs, and the data."""
    entries, data = [], b""
    for i in range(r.randint(0, 4)):
        dtype = r.choice(list(BITS))
        shape = [r.choice([0, 1, 2, 4, 8]) for _ in range(r.randint(0, 3))]
        count = 1
        for size in shape:
            count *= size
        if count * BITS[dtype] % 8:
            shape.append(8)
            count *= 8
        size = count * BITS[dtype] // 8
        entries.append((f"t{i}", dict(dtype=dtype, shape=shape, data_offsets=[len(data), len(data) + size])))
        data += r.randbytes(size)
    r.shuffle(entries)
    if r.random() < 0.3:
        entries.append(("__metadata__", {"format": "pt", "a\u00e9": ""}))
    return entries, data


def change_entry(r, info):
    """Changes one field of a tensor's description."""
    kind = r.choice(["dtype", "shape", "offset", "drop", "extra", "replace"])
    if kind == "dtype":
        info["dtype"] = r.choice(list(BITS) + ["F3", "f32", "", "F8", "I4", None, 1])
    elif kind == "shape" and info["shape"]:
        info["shape"][r.randrange(len(info["shape"]))] = r.choice(ODD)
    elif kind == "shape":
        info["shape"].append(r.choice(ODD))
    elif kind == "offset":
        i = r.randrange(2)
        info["data_offsets"][i] = r.choice(ODD + [info["data_offsets"][i] + r.choice([-1, 1, 8])])
    elif kind == "drop":
        del info[r.choice(list(info))]
    elif kind == "extra":
        info["extra"] = r.choice(ODD)
    else:
        info[r.choice(list(info))] = r.choice(ODD)


def text_of(entries):
    """JSON in which a key may stand twice."""
    return "{" + ",".join(f"{json.dumps(key)}:{json.dumps(value)}" for key, value in entries) + "}"


def mutated(seed):
    r = random.Random(seed)
    entries, data = valid(r)
    tensors = [i for i, (key, _) in enumerate(entries) if key != "__metadata__"]
    for _ in range(r.choice([0, 1, 1, 1, 2])):
        kind = r.choice(["entry", "entry", "entry", "data", "metadata", "rename", "gap", "twice"])
        if kind == "entry" and tensors:
            change_entry(r, entries[r.choice(tensors)][1])
            tensors = [i for i in tensors if {"dtype", "shape", "data_offsets"} <= set(entries[i][1])
                       and isinstance(entries[i][1]["shape"], list) and isinstance(entries[i][1]["data_offsets"], list)
                       and len(entries[i][1]["data_offsets"]) == 2
                       and all(type(x) is int for x in entries[i][1]["data_offsets"])]
        elif kind == "data":
            data = r.choice([data[:-1], data + b"\0", data[: len(data) // 2], data * 2])
        elif kind == "metadata":
            entries = [e for e in entries if e[0] != "__metadata__"]
            tensors = []
            entries.append(("__metadata__", r.choice([None, {}, {"a": "b"}, {"a": 1}, {"a": None}, [], "x", {"a": {}}])))
        elif kind == "rename" and entries:
            i = r.randrange(len(entries))
            if entries[i][0] != "__metadata__":
                entries[i] = (r.choice(["", "\u2028", "a\"b", "x" * 300]) + str(i), entries[i][1])
        elif kind == "twice" and entries and r.random() < 0.1:
            entries.append(r.choice(entries))
        elif kind == "gap" and tensors:
            offsets = entries[r.choice(tensors)][1]["data_offsets"]
            shift = r.choice([-4, -1, 1, 4])
            if offsets[0] + shift >= 0:
                offsets[0] += shift
                offsets[1] += shift
    text = text_of(entries).encode()
    if r.random() < 0.2:
        text += r.choice([b" ", b"  \n\t", b"\0", b"x", b" " * 64, b"}"])
    if r.random() < 0.05:
        text = r.choice([b" ", b"\n", b"\xef\xbb\xbf", b"//\n", b"[", b"\0"]) + text
    length = len(text)
    file = bytearray(struct.pack("<Q", length) + text + data)
    chance = r.random()
    if chance < 0.15 and text:  # bytes of the header
        for _ in range(r.randint(1, 3)):
            file[8 + r.randrange(length)] = r.choice([r.randrange(256), r.choice(b'{}[]",:0123456789-.eE\\ntu')])
    elif chance < 0.25:
        length = r.choice([0, 1, length - 1, length + 1, length + len(data), 2**32, 10**8, 10**8 + 1, 2**63, 2**64 - 1])
        file[:8] = struct.pack("<Q", max(0, length))
    elif chance < 0.3:
        del file[r.randrange(len(file) + 1):]
    elif chance < 0.33:
        depth = r.choice([3, 100, 123, 124, 125, 126, 127, 128, 200])
        nested = b'"deep":{"dtype":"U8","shape":[0],"data_offsets":[0,0],"x":' + b"[" * depth + b"]" * depth + b"},"
        if text.startswith(b"{\""):
            file[9:9] = nested
            file[:8] = struct.pack("<Q", length + len(nested))
    return bytes(file)


def of_reference(file):
    """The library's tensors by name: shape and digest of the bytes. None when it rejects the file."""
    try:
        found = safetensors.deserialize(file)
    except safetensors.SafetensorError:
        return None
    return {name: dict(shape=info["shape"], sha256=hashlib.sha256(bytes(info["data"])).hexdigest()) for name, info in found}


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    files = [mutated(seed) for seed in range(COUNT)]
    (folder / "files.bin").write_bytes(b"".join(struct.pack("<Q", len(file)) + file for file in files))
    probe("safetensors", folder / "files.bin", folder / "out.json")
    ours = json.loads((folder / "out.json").read_text())
    assert len(ours) == COUNT
    accepted = stricter = 0
    different = []
    for seed, (file, mine) in enumerate(zip(files, ours)):
        theirs = of_reference(file)
        if theirs is not None and " twice" in mine.get("error", ""):
            stricter += 1
            continue
        if (theirs is not None) != ("tensors" in mine):
            different.append(f"file {seed}: {file[:400]}\nreference: {theirs}\nhere: {mine}")
        if theirs is None or "tensors" not in mine:
            continue
        accepted += 1
        assert set(theirs) == set(mine["tensors"]), f"file {seed}: {file[:400]}"
        for tensor, found in mine["tensors"].items():
            assert found is None or found == theirs[tensor], f"file {seed}, {tensor}: {found} instead of {theirs[tensor]}"
    assert not different, f"{len(different)} files, among them\n" + "\n".join(different[:8])
    print(f"{COUNT} files: {accepted} accepted by both, {COUNT - accepted - stricter} rejected by both, {stricter} rejected "
          "here alone")
    assert COUNT * 0.2 < accepted < COUNT * 0.8 and stricter < COUNT * 0.01
