"""Compares the tokenizer with Hugging Face's `tokenizers` on one thread: tokenizer.py TOKENIZER_BENCHMARK [--files TOKENIZER.json…]

The texts are the repository's own source files. Tokenizers are trained on them in the configurations of the families, or given
with --files. Both sides encode every text as often, alternating; medians of the rounds and their ratio are printed.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

os.environ["TOKENIZERS_PARALLELISM"] = "false"
os.environ["RAYON_NUM_THREADS"] = "1"
import tokenizers

ROOT = pathlib.Path(__file__).resolve().parents[3]


def source_texts():
    suffixes = {".cpp", ".hpp", ".py", ".md", ".trl"}
    names = subprocess.run(["git", "-C", ROOT, "ls-files"], capture_output=True, text=True, check=True).stdout.splitlines()
    return [(ROOT / name).read_text() for name in names if pathlib.Path(name).suffix in suffixes and (ROOT / name).stat().st_size < 200_000]


def trained(folder):
    """The families of the parity test, with a larger vocabulary from the texts."""
    sys.argv[1:] = ["probe", "worker"]
    sys.path.insert(0, str(ROOT / "tests" / "parity"))
    import tokenizer as parity

    parity.corpus = source_texts
    for make in (parity.qwen2, parity.llama3, parity.deepseek_coder, parity.starcoder2, parity.llama2, parity.codellama):
        file = folder / f"{make.__name__}.json"
        make().save(str(file))
        yield make.__name__, file


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("benchmark")
    parser.add_argument("--files", nargs="*", default=[])
    parser.add_argument("--rounds", type=int, default=5)
    chosen = parser.parse_args()
    texts = source_texts()
    size = sum(len(one.encode()) for one in texts)
    print(f"{len(texts)} source files, {size / 1e6:.1f} MB, one thread, tokenizers {tokenizers.__version__}; medians of {chosen.rounds} rounds")
    print(f"{'tokenizer':<40} {'here MB/s':>10} {'theirs MB/s':>12} {'ratio':>7} {'load here s':>12} {'theirs s':>9}")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "texts.json").write_text(json.dumps(texts))
        for label, file in [(one[-40:], one) for one in chosen.files] or trained(folder):
            begun = time.perf_counter()
            theirs = tokenizers.Tokenizer.from_file(str(file))
            load = time.perf_counter() - begun
            process = subprocess.Popen([chosen.benchmark, file, folder / "texts.json"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            here_load = float(process.stdout.readline())
            here, there = [], []
            for _ in range(chosen.rounds):
                process.stdin.write("go\n")
                process.stdin.flush()
                seconds, count = process.stdout.readline().split()
                here.append(float(seconds))
                begun = time.perf_counter()
                tokens = sum(len(theirs.encode(one, add_special_tokens=False).ids) for one in texts)
                there.append(time.perf_counter() - begun)
                assert tokens == int(count), f"{label}: {count} tokens instead of {tokens}"
            process.stdin.close()
            process.wait()
            a, b = statistics.median(here), statistics.median(there)
            print(f"{label:<40} {size / a / 1e6:>10.1f} {size / b / 1e6:>12.1f} {b / a:>7.1f} {here_load:>12.2f} {load:>9.2f}", flush=True)


main()
