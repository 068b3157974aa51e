"""Token ids and decoded texts beside Hugging Face's `tokenizers`: the project's own tokenizer.json, those that are trained here
in the configurations of published families, and files given with --files.

--strings N random strings for each (ctest takes few). --all-characters compares every code point in every family."""
import argparse
import json
import os
import pathlib
import random
import sys
import tempfile
import time

os.environ["TOKENIZERS_PARALLELISM"] = "false"

from support import need, probe, stage

tokenizers, decoders, models, normalizers, pre_tokenizers, processors, trainers = need(
    "tokenizers", *(f"tokenizers.{name}" for name in ("decoders", "models", "normalizers", "pre_tokenizers", "processors", "trainers")))
AddedToken, Regex = tokenizers.AddedToken, tokenizers.Regex

EVERY_CODE_POINT = [code for code in range(0x110000) if not 0xD800 <= code < 0xE000]
# Without the middles of large blocks of one category.
MOST_CODE_POINTS = [code for code in EVERY_CODE_POINT if code < 0x323C0 and code % (
    64 if 0x3400 <= code < 0xA000 or 0xAC00 <= code < 0xF900 or 0x17000 <= code < 0x18D00 or code >= 0x1FC00 else 1) == 0]
CODE = '''@triton.jit
def kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    x = tl.load(x_ptr + offs, mask=mask, other=0.0)
    tl.store(out_ptr + offs, x * tl.sigmoid(x), mask=mask)


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, out, x.numel(), BLOCK=256)
        return out  # it's here, they're there; 3.14e-5 == 0x1F
'''
RANGES = [(0x20, 0x7F), (0xA0, 0x24F), (0x300, 0x36F), (0x370, 0x3FF), (0x400, 0x4FF), (0x5D0, 0x5EA), (0x900, 0x963), (0xE00, 0xE5B),
          (0x1100, 0x11FF), (0x1E00, 0x1EFF), (0x2000, 0x206F), (0x2150, 0x218B), (0x2200, 0x22FF), (0x3040, 0x30FF), (0x4E00, 0x9FFF),
          (0xAC00, 0xD7A3), (0xF900, 0xFAFF), (0xFB00, 0xFB06), (0xFF00, 0xFFEF), (0x1D400, 0x1D7FF), (0x1F600, 0x1F64F), (0x2F800, 0x2FA1D),
          (0x9, 0xD)]
SPACES = " \t\n\r\x0b\x0c\x85\xa0\u1680\u2003\u2028\u3000\u180e\u200b\u2581"
MARKS = "\u0301\u0327\u0323\u0334\u0345\u05b0\u093c\u094d\u0f71\u0f72\u3099\u1e7f\ua82c\U0001d165\U00011930"
WORDS = ["'s", "'S", "'ſ", "'RE", "'ll", "'\u212a", "<0x41>", "<0xE2>", "<0x", "1234567", "٣", "Ⅷ", "½", "e\u0301", "가\u11a8", "가\u11a7", "\u1100\u1161", "ﬁ",
         "\r\n", "    ", "x", "_", "don't", "WE'LL"]
FIXED = [CODE, "", " ", "  a", "a  ", "\n\n\n x", "a\r\n\r\nb", "'s 'S don't WE'LL", "x" * 3000, " " * 500 + "y", "12345 ١٢٣ Ⅷ ½",
         "a" + MARKS * 30 + "b", "\u0301\u0301", "\u2581", " \u2581 \u2581\u2581a", "가" * 400]


def character(draw):
    while True:
        code = draw.randrange(0x110000) if draw.random() < 0.3 else draw.randint(*draw.choice(RANGES))
        if not 0xD800 <= code < 0xE000:
            return chr(code)


def text(draw, specials, lines):
    parts = []
    for _ in range(draw.randint(1, 25)):
        kind = draw.random()
        if kind < 0.35:
            parts.append(character(draw))
        elif kind < 0.5:
            parts.append(draw.choice(SPACES) * draw.randint(1, 4))
        elif kind < 0.58:
            parts.append(draw.choice(MARKS) * draw.randint(1, 3))
        elif kind < 0.7:
            parts.append(draw.choice(WORDS))
        elif kind < 0.85:
            line = draw.choice(lines)
            begin = draw.randrange(len(line) + 1)
            parts.append(line[begin:begin + draw.randint(1, 40)])
        elif kind < 0.95 and specials:
            special = draw.choice(specials)
            parts.append(special if draw.random() < 0.7 else special[:draw.randrange(len(special) + 1)])
        elif kind < 0.951:
            parts.append((draw.choice(SPACES) if draw.random() < 0.5 else character(draw)) * draw.randint(100, 3000))
        else:
            parts.append(chr(draw.randint(0x20, 0x7E)) * draw.randint(1, 8))
    return "".join(parts)


class Comparison:
    def __init__(self, folder, strings, seed):
        self.folder, self.strings, self.seed = folder, strings, seed
        self.lines = CODE.splitlines(keepends=True)

    def batch(self, name, theirs, file, given):
        (self.folder / "texts.json").write_text(json.dumps(given))
        probe("encode", file, self.folder / "texts.json", self.folder / "out.json")
        results = json.loads((self.folder / "out.json").read_text())
        assert len(results) == len(given)
        around = [one.ids for one in theirs.encode_batch(given)]
        plain = [one.ids for one in theirs.encode_batch(given, add_special_tokens=False)]
        theirs.encode_special_tokens = True
        ordinary = [one.ids for one in theirs.encode_batch(given, add_special_tokens=False)]
        theirs.encode_special_tokens = False
        kept = theirs.decode_batch(plain, skip_special_tokens=False)
        left = theirs.decode_batch(around, skip_special_tokens=True)
        wrong = 0
        for one, got, *wants in zip(given, results, plain, ordinary, around, kept, left):
            got[3:] = [bytes.fromhex(value).decode(errors="replace") for value in got[3:]]
            for what, a, b in zip(("tokens", "as ordinary text", "with surroundings", "decoded", "decoded without special ones"), got, wants):
                if a != b:
                    wrong += 1
                    if wrong <= 3:
                        print(f"{name}: {one!r}: {what}: {a!r} instead of {b!r}")
        return wrong

    def run(self, name, file, characters=()):
        begun = time.time()
        theirs = tokenizers.Tokenizer.from_file(str(file))
        specials = [token.content for token in theirs.get_added_tokens_decoder().values()]
        draw = random.Random(f"{self.seed} {name}")
        wrong = self.batch(name, theirs, file, FIXED + specials + [f"a {one} b{one}c  {one}\n" for one in specials])
        left = self.strings
        while left:
            given = [text(draw, specials, self.lines) for _ in range(min(left, 10_000))]
            wrong += self.batch(name, theirs, file, given)
            left -= len(given)
        for begin in range(0, len(characters), 400_000):
            part = characters[begin:begin + 400_000]
            wrong += self.batch(name, theirs, file, ["".join(f"x{chr(c)}1{chr(c)} {chr(c)}" for c in part[at:at + 64])
                                                     for at in range(0, len(part), 64)])
        print(f"{name}: {self.strings} random strings and {len(characters)} code points in order, {wrong} mismatches, "
              f"{time.time() - begun:.0f} s", flush=True)
        return wrong


def corpus():
    """Texts to train on. Of a long random one the beginning is enough: a single word of thousands of characters takes seconds."""
    draw = random.Random(1)
    here = pathlib.Path(__file__).resolve().parent
    return [CODE] * 3 + [path.read_text() for path in sorted(here.glob("*.py"))] + [text(draw, [], CODE.splitlines())[:300] for _ in range(300)]


def byte_level(specials, pre_tokenizer, normalizer=None, post_processor=None, vocabulary=1500):
    made = tokenizers.Tokenizer(models.BPE())
    if normalizer:
        made.normalizer = normalizer
    made.pre_tokenizer = pre_tokenizer
    made.decoder = decoders.ByteLevel()
    made.train_from_iterator(corpus(), trainers.BpeTrainer(vocab_size=vocabulary, special_tokens=specials, show_progress=False,
                                                           initial_alphabet=pre_tokenizers.ByteLevel.alphabet()))
    if post_processor:
        made.post_processor = post_processor(made)
    return made


def split(pattern, behavior="isolated", invert=False):
    return pre_tokenizers.Split(Regex(pattern), behavior=behavior, invert=invert)


def begin_with(name):
    return lambda made: processors.TemplateProcessing(single=f"{name} $A", pair=f"{name} $A {name} $B",
                                                      special_tokens=[(name, made.token_to_id(name))])


BYTES = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)


def gpt2():
    return byte_level(["<|endoftext|>"], pre_tokenizers.ByteLevel(add_prefix_space=True))


def qwen2():
    """Qwen2, Qwen2.5, Qwen2.5-Coder, Qwen3."""
    made = byte_level(["<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|fim_prefix|>"], pre_tokenizers.Sequence([
        split(r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"), BYTES]),
        normalizers.NFC())
    made.add_tokens([AddedToken(name, normalized=False) for name in ("<tool_call>", "</tool_call>", "<think>")])
    return made


def llama3():
    made = byte_level(["<|begin_of_text|>", "<|eot_id|>"], pre_tokenizers.Sequence([
        split(r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"), BYTES]),
        post_processor=lambda made: processors.Sequence([processors.ByteLevel(trim_offsets=False), begin_with("<|begin_of_text|>")(made)]))
    document = json.loads(made.to_str())
    document["model"]["ignore_merges"] = True
    # Entries that merges alone wouldn't reach.
    vocabulary = document["model"]["vocab"]
    document["model"]["merges"] = [merge for at, merge in enumerate(document["model"]["merges"]) if at % 7]
    assert len(vocabulary) > 1000
    return tokenizers.Tokenizer.from_str(json.dumps(document))


def deepseek_coder():
    made = byte_level([], pre_tokenizers.Sequence([
        split(r"[\r\n]"), split(r"\s?\p{L}+"), split(r"\s?\p{P}+"), split("[一-龥ࠀ-一가-\ud7ff]+"), pre_tokenizers.Digits(individual_digits=True),
        BYTES]), normalizers.Sequence([]))
    made.add_tokens([AddedToken(name) for name in ("õ", "÷", "<|User|>", "<|EOT|>", "<｜fim▁begin｜>")])
    made.add_special_tokens([AddedToken(name, normalized=True, special=True) for name in ("<｜begin▁of▁sentence｜>", "<｜end▁of▁sentence｜>")])
    made.post_processor = begin_with("<｜begin▁of▁sentence｜>")(made)
    return made


def starcoder2():
    return byte_level(["<|endoftext|>", "<fim_prefix>", "<jupyter_code>", "<reponame>"], pre_tokenizers.Sequence([
        pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)]))


def four_o():
    """The pattern of GPT-4o, which several newer families took over."""
    return byte_level(["<|endoftext|>"], pre_tokenizers.Sequence([split(
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|"
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|"
        r"\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"), BYTES]))


def sentencepiece(pre_tokenizer=None, normalizer=None, extra=(), normalized=False, **model):
    """Characters with byte fallback, as SentencePiece's BPE is converted."""
    names = ["<unk>", "<s>", "</s>"]
    fallback = [f"<0x{byte:02X}>" for byte in range(256)]
    made = tokenizers.Tokenizer(models.BPE(unk_token="<unk>"))
    replace = normalizers.Replace(" ", "\u2581")
    made.normalizer = normalizers.Sequence([normalizers.Prepend("\u2581"), replace])
    made.pre_tokenizer = pre_tokenizers.Split("\u2581", "merged_with_next")
    made.train_from_iterator(corpus(), trainers.BpeTrainer(vocab_size=1500, special_tokens=names + fallback, show_progress=False,
                                                           limit_alphabet=150))
    document = json.loads(made.to_str())
    document["added_tokens"] = [token for token in document["added_tokens"] if token["content"] in names]
    for token in document["added_tokens"]:
        token["normalized"] = normalized
    document["pre_tokenizer"] = document["normalizer"] = None
    document["model"].update(dict(dict(byte_fallback=True, fuse_unk=True), **model))
    made = tokenizers.Tokenizer.from_str(json.dumps(document))
    if normalizer:
        made.normalizer = normalizer
    if pre_tokenizer:
        made.pre_tokenizer = pre_tokenizer
    made.decoder = decoders.Sequence([decoders.Replace("\u2581", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)])
    made.post_processor = begin_with("<s>")(made)
    made.add_special_tokens(list(extra))
    return made


def llama2():
    return sentencepiece(normalizer=normalizers.Sequence([normalizers.Prepend("\u2581"), normalizers.Replace(" ", "\u2581")]))


def llama2_normalized():
    """The same with added tokens that are searched in the normalised text, as older files have them."""
    return sentencepiece(normalizer=normalizers.Sequence([normalizers.Prepend("\u2581"), normalizers.Replace(" ", "\u2581")]), normalized=True)


def codellama():
    made = sentencepiece(pre_tokenizers.Metaspace("\u2581", prepend_scheme="first", split=False),
                         extra=[AddedToken(f"\u2581<{name}>", special=True, normalized=False) for name in ("PRE", "MID", "SUF", "EOT")])
    return made


def metaspace():
    made = sentencepiece(pre_tokenizers.Metaspace("\u2581", prepend_scheme="always", split=True), byte_fallback=False, fuse_unk=False)
    made.decoder = decoders.Metaspace("\u2581", prepend_scheme="always")
    return made


FAMILIES = [gpt2, qwen2, llama3, deepseek_coder, starcoder2, four_o, llama2, llama2_normalized, codellama, metaspace]


def mixture(seed):
    """Components that the families don't have, at random."""
    draw = random.Random(seed)
    behaviors = ["removed", "isolated", "merged_with_previous", "merged_with_next", "contiguous"]
    steps = [draw.choice([
        lambda: split(r"\s+|\p{N}", draw.choice(behaviors), draw.random() < 0.5),
        lambda: pre_tokenizers.Split(draw.choice([".", "a", "ab", "\u0301"]), draw.choice(behaviors), draw.random() < 0.5),
        lambda: pre_tokenizers.Digits(individual_digits=draw.random() < 0.5),
        pre_tokenizers.WhitespaceSplit,
        lambda: split(r"[^\p{L}\p{M}]++|\p{Lu}?\p{Ll}*?\p{Sm}|\P{L}{2,3}?(?=x)|(?:ab|\d)+", draw.choice(behaviors)),
    ])() for _ in range(draw.randint(1, 3))]
    forms = [draw.choice([normalizers.NFC, normalizers.NFD, normalizers.NFKC, normalizers.NFKD,
                          lambda: normalizers.Strip(draw.random() < 0.5, draw.random() < 0.5),
                          lambda: normalizers.Replace(Regex(r"\s{2,}|\p{Mn}" if draw.random() < 0 else r"\s{2,}|\p{Sc}"), draw.choice(["", " ", "ab"])),
                          lambda: normalizers.Replace("e", "\u00e9"),
                          lambda: normalizers.Prepend("_")])() for _ in range(draw.randint(0, 3))]
    if draw.random() < 0.5:
        made = byte_level(["<|endoftext|>"], pre_tokenizers.Sequence([*steps, pre_tokenizers.ByteLevel(
            add_prefix_space=draw.random() < 0.5, use_regex=draw.random() < 0.5)]), normalizers.Sequence(forms), vocabulary=800)
    else:
        made = sentencepiece(pre_tokenizers.Sequence([*steps, pre_tokenizers.Metaspace(prepend_scheme=draw.choice(["always", "never"]),
                                                                                      split=draw.random() < 0.5)]),
                             normalizers.Sequence(forms), byte_fallback=draw.random() < 0.5, fuse_unk=draw.random() < 0.5)
    made.add_tokens([AddedToken(name, single_word=draw.random() < 0.5, lstrip=draw.random() < 0.5, rstrip=draw.random() < 0.5,
                                normalized=draw.random() < 0.5, special=draw.random() < 0.5)
                     for name in ("<mask>", "kernel", "<mask>x", " ", "e\u0301", "\ufb01", "tl.", "\u2581a", "<|e")])
    return made


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("probe")
    parser.add_argument("worker")
    parser.add_argument("--strings", type=int, default=300)
    parser.add_argument("--mixtures", type=int, default=8)
    parser.add_argument("--all-characters", action="store_true")
    parser.add_argument("--only", help="a family's name")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--files", nargs="*", default=[], help="tokenizer.json files to compare instead")
    chosen = parser.parse_args()
    wrong = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        comparison = Comparison(folder, chosen.strings, chosen.seed)
        if chosen.files:
            for file in chosen.files:
                wrong += comparison.run(file, file, EVERY_CODE_POINT if chosen.all_characters else ())
            sys.exit(1 if wrong else 0)
        if not chosen.only:
            (folder / "corpus").mkdir()
            rows = [dict(prompt=one, answer=CODE) for one in corpus()]
            (folder / "corpus" / "samples.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
            stage(folder, "tokenizer", dict(vocabulary=600), dict(corpus=folder / "corpus"), folder / "trained")
            wrong += comparison.run("trained here", folder / "trained" / "tokenizer.json")
        for family in FAMILIES:
            if chosen.only in (None, family.__name__):
                family().save(str(folder / "theirs.json"))
                few = MOST_CODE_POINTS if family is qwen2 else ()
                wrong += comparison.run(family.__name__, folder / "theirs.json", EVERY_CODE_POINT if chosen.all_characters else few)
        for seed in range(chosen.mixtures if chosen.only in (None, "mixture") else 0):
            mixture(chosen.seed * 1000 + seed).save(str(folder / "theirs.json"))
            wrong += comparison.run(f"mixture {chosen.seed * 1000 + seed}", folder / "theirs.json")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
