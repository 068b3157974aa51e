"""Makes the inputs of a rehearsal of the published recipe: a randomly initialised model and rows in KernelBook's form.

    prepare.py CHECKOUT FOLDER [--size tiny|1.5B|7B] [--rows N] [--largest N]

CHECKOUT is a clone of https://github.com/ScalingIntelligence/KernelBench. In FOLDER there will be model/ (config.json, tokenizer.json, a chat
template, weights in shards as Qwen2.5-Coder's are), KernelBook/pairs.jsonl, KernelBench (a link), recipe.trl and rehearsal.trl (copies), and
kernelbench.trl, which takes the place of the library's there and names the checkout. Such a model has learnt nothing, so no answer is right; what
the rehearsal shows is that every stage runs, and how long it takes.
"""

import argparse
import itertools
import json
import pathlib
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
CHAT_TEMPLATE = (
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + '\\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"
)
SPECIAL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
# Qwen2.5's sizes, from the model cards' config.json; `tiny` has the same parts and can be trained on a CPU.
SIZES = {
    "tiny": dict(hidden_size=64, intermediate_size=160, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2,
                 vocab_size=2048, tie_word_embeddings=True),
    "1.5B": dict(hidden_size=1536, intermediate_size=8960, num_hidden_layers=28, num_attention_heads=12, num_key_value_heads=2,
                 vocab_size=151936, tie_word_embeddings=True),
    "7B": dict(hidden_size=3584, intermediate_size=18944, num_hidden_layers=28, num_attention_heads=28, num_key_value_heads=4,
               vocab_size=152064, tie_word_embeddings=False),
}
# What a module computes of each element, and the same in Triton.
FUNCTIONS = {
    "relu": ("torch.relu({})", "tl.maximum({}, 0.0)"),
    "sigmoid": ("torch.sigmoid({})", "tl.sigmoid({})"),
    "exp": ("torch.exp({})", "tl.exp({})"),
    "abs": ("torch.abs({})", "tl.abs({})"),
    "neg": ("torch.neg({})", "-({})"),
    "sin": ("torch.sin({})", "tl.sin({})"),
    "cos": ("torch.cos({})", "tl.cos({})"),
    "square": ("torch.square({})", "({0}) * ({0})"),
    "floor": ("torch.floor({})", "tl.floor({})"),
    "ceil": ("torch.ceil({})", "tl.ceil({})"),
    "silu": ("torch.nn.functional.silu({})", "({0}) * tl.sigmoid({0})"),
    "softplus": ("torch.nn.functional.softplus({})", "tl.log(1.0 + tl.exp({}))"),
    "clamp": ("torch.clamp({}, -1.0, 1.0)", "tl.minimum(tl.maximum({}, -1.0), 1.0)"),
    "leaky_relu": ("torch.nn.functional.leaky_relu({})", "tl.where(({0}) > 0.0, {0}, 0.01 * ({0}))"),
    "tanh": ("torch.tanh({})", "2.0 * tl.sigmoid(2.0 * ({})) - 1.0"),
    "log1p": ("torch.log1p(torch.abs({}))", "tl.log(1.0 + tl.abs({}))"),
    "reciprocal": ("torch.reciprocal({})", "1.0 / ({})"),
    "hardtanh": ("torch.nn.functional.hardtanh({}, 0.0, 2.0)", "tl.minimum(tl.maximum({}, 0.0), 2.0)"),
}


def pair(names):
    """A row: a module that applies functions one after the other, and its kernel."""
    entry = "".join(name.title().replace("_", "") for name in names)
    module, lines = "x", []
    for name in names:
        module = FUNCTIONS[name][0].format(module)
        lines.append(f"    v = {FUNCTIONS[name][1].format('v')}\n")
    python = f"""import torch


class {entry}(torch.nn.Module):
    def forward(self, x):
        return {module}


def get_inputs():
    return [torch.rand([4, 4, 4, 4])]


def get_init_inputs():
    return [[], {{}}]
"""
    triton = f"""import torch
import triton
import triton.language as tl


@triton.jit
def {"_".join(names)}_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x_ptr + i, mask=i < n, other=0.0)
{"".join(lines)}    tl.store(y_ptr + i, v, mask=i < n)


class {entry}New(torch.nn.Module):
    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        n = x.numel()
        {"_".join(names)}_kernel[(triton.cdiv(n, 1024),)](x, y, n, BLOCK=1024)
        return y
"""
    return {"entry_point": entry, "repo_name": "made/here", "module_name": entry, "python_code": python, "triton_code": triton, "licenses": ["MIT"],
            "stars": 0, "sha": "0" * 40}


def pairs(count):
    """Rows of one function, then of two, then of three."""
    chosen = itertools.chain.from_iterable(itertools.permutations(FUNCTIONS, n) for n in (1, 2, 3))
    return [pair(names) for names in itertools.islice(chosen, count)]


def write_tokenizer(folder, texts):
    """A byte-level BPE with Qwen2's splitting and special tokens, learnt from these texts."""
    from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.normalizer = normalizers.NFC()
    split = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(split), "isolated"),
                                                       pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(vocab_size=2048 - len(SPECIAL), initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False)
    tokenizer.train_from_iterator(texts, trainer)
    tokenizer.add_special_tokens(list(SPECIAL))
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "tokenizer_config.json").write_text(json.dumps(
        {"tokenizer_class": "Qwen2Tokenizer", "eos_token": "<|im_end|>", "pad_token": "<|endoftext|>", "bos_token": None,
         "chat_template": CHAT_TEMPLATE}, indent=1))
    return {name: tokenizer.token_to_id(name) for name in SPECIAL}


def write_model(folder, size, special):
    import torch
    import transformers

    config = transformers.Qwen2Config(**SIZES[size], rope_theta=1e6, max_position_embeddings=32768, rms_norm_eps=1e-6,
                                      bos_token_id=special["<|endoftext|>"], eos_token_id=special["<|im_end|>"])
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    with torch.device(device):
        model = transformers.AutoModelForCausalLM.from_config(config, dtype=torch.bfloat16)
    model.save_pretrained(folder, max_shard_size="4GB")
    (folder / "generation_config.json").write_text(json.dumps({"eos_token_id": [special["<|im_end|>"], special["<|endoftext|>"]]}))


def write_study(folder, checkout, rows, largest=0):
    """The study's files, and what they name but the model: a link to the checkout, and rows in KernelBook's form."""
    (folder / "KernelBook").mkdir(parents=True, exist_ok=True)
    (folder / "KernelBook" / "pairs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    link = folder / "KernelBench"
    if not link.exists():
        link.symlink_to(checkout.resolve(), target_is_directory=True)
    shutil.copy(HERE.parents[2] / "experiments" / "recipe.trl", folder)
    shutil.copy(HERE / "rehearsal.trl", folder)
    most = f", largest = {largest}" if largest else ""
    (folder / "kernelbench.trl").write_text("## KernelBench's tasks in the checkout beside this file, for all that import `kernelbench` here.\n\n" + "".join(
        f'suite level{level} {{ source = kernelbench(path("KernelBench"), level = {level}{most}) }}\n' for level in (1, 2)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--size", choices=SIZES, default="tiny")
    parser.add_argument("--rows", type=int, default=300, help="pairs in KernelBook's form (default 300)")
    parser.add_argument("--largest", type=int, default=0, help="the most elements of a task's tensor; 0: the files' own sizes")
    given = parser.parse_args()
    if not (given.checkout / "KernelBench" / "level1").is_dir():
        sys.exit(f"prepare.py: {given.checkout} is no checkout of KernelBench: it has no KernelBench/level1")
    model = given.folder / "model"
    model.mkdir(parents=True, exist_ok=True)
    rows = pairs(given.rows)
    write_study(given.folder, given.checkout, rows, given.largest)
    tasks = [file.read_text() for level in (1, 2) for file in sorted((given.checkout / "KernelBench" / f"level{level}").glob("*.py"))]
    special = write_tokenizer(model, tasks + [row["python_code"] + row["triton_code"] for row in rows])
    write_model(model, given.size, special)
    print(f"{given.folder}: a {given.size} model with random weights, {len(rows)} pairs; now: trl run {given.folder}/rehearsal.trl")


if __name__ == "__main__":
    main()
