"""The project's tokenizer.json loads in Hugging Face's tokenizers with identical encodings, and theirs loads here."""
import json
import pathlib
import random
import tempfile

from support import need, probe, stage

(tokenizers,) = need("tokenizers")

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
RANGES = [(0x20, 0x7F), (0xA0, 0x24F), (0x370, 0x3FF), (0x400, 0x4FF), (0x5D0, 0x5EA), (0x905, 0x939), (0x2000, 0x206F),
          (0x2200, 0x22FF), (0x3040, 0x30FF), (0x4E00, 0x9FFF), (0xAC00, 0xD7A3), (0x1F600, 0x1F64F), (0x9, 0xD)]
SPACES = " \t\n\r\x0b\x0c\x85\xa0\u1680\u2003\u2028\u3000\u180e\u200b"


def texts():
    draw = random.Random(1)
    out = [CODE, "", " ", "  a", "a  ", "\n\n\n x", "a\r\n\r\nb", "'s 'S don't WE'LL", "x" * 3000, " " * 500 + "y",
           "<|answer|>", "a<|endoftext|>b <|answer|> c", "12345 ١٢٣ Ⅷ ½"]
    for _ in range(400):
        text = ""
        for _ in range(draw.randint(1, 60)):
            if draw.random() < 0.25:
                text += draw.choice(SPACES) * draw.randint(1, 3)
            else:
                text += chr(draw.randint(*draw.choice(RANGES)))
        out.append(text)
    lines = CODE.splitlines(keepends=True)
    out += ["".join(draw.choices(lines, k=5)) for _ in range(100)]
    return out


def compare(name, file, folder):
    theirs = tokenizers.Tokenizer.from_file(str(file))
    given = texts()
    (folder / "texts.json").write_text(json.dumps(given))
    probe("encode", file, folder / "texts.json", folder / "out.json")
    for text, got in zip(given, json.loads((folder / "out.json").read_text())):
        want = theirs.encode(text).ids
        assert got["tokens"] == want, f"{name}: {text!r}: {got['tokens']} instead of {want}"
        assert got["text"] == text, f"{name}: {text!r} comes back as {got['text']!r}"
    print(f"{name}: {len(given)} texts agree")


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    corpus = folder / "corpus"
    corpus.mkdir()
    rows = [dict(prompt=text, answer=CODE) for text in texts()]
    (corpus / "samples.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    stage(folder, "tokenizer", dict(vocabulary=600), dict(corpus=corpus), folder / "trained")
    compare("trained here", folder / "trained" / "tokenizer.json", folder)

    from tokenizers import Regex, decoders, models, pre_tokenizers, trainers

    gpt2 = tokenizers.Tokenizer(models.BPE())
    gpt2.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    gpt2.decoder = decoders.ByteLevel()
    qwen = tokenizers.Tokenizer(models.BPE())
    qwen.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Split(Regex(r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+"
                                   r"[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"), behavior="isolated"),
        pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    qwen.decoder = decoders.ByteLevel()
    for label, tokenizer in (("GPT-2's form", gpt2), ("Qwen2's form", qwen)):
        tokenizer.train_from_iterator(texts(), trainers.BpeTrainer(
            vocab_size=700, special_tokens=["<|endoftext|>", "<|answer|>"], show_progress=False,
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet()))
        tokenizer.save(str(folder / "theirs.json"))
        compare(label, folder / "theirs.json", folder)
