"""Compares sampling by trl-worker's kernels with its peers on a GPU: gpu_decode.py [BENCHMARK] [--quick]

A randomly initialised Qwen2.5-7B in bf16 and, for small models, the embedded model's sizes. The peers run in the same call:
transformers' generate, the same with a static cache and torch.compile, and a CUDA graph of ATen's operations made by hand (the
recipe of gpt-fast), and transformers' continuous batching, last and for 150 seconds at most. Limits are the bytes that have to be
read over the bandwidth of a copy measured here. --quick leaves out what takes minutes to compile. Libraries that can't be imported
are named and left out.
"""
import argparse
import os
import pathlib
import signal
import statistics
import sys
import tempfile
import time

import torch
import torch.nn.functional as F

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from programs import default_program, lines_of

try:
    import transformers

    transformers.utils.logging.disable_progress_bar()
except ImportError:
    transformers = None

HIDDEN, LAYERS, HEADS, KV_HEADS, HEAD, INNER, VOCABULARY = 3584, 28, 28, 4, 128, 18944, 152064


def seconds(work, repeats=3):
    work()
    times = []
    for _ in range(repeats):
        torch.cuda.synchronize()
        begin = time.perf_counter()
        work()
        torch.cuda.synchronize()
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


def seven_billion(attention="sdpa"):
    config = transformers.Qwen2Config(
        vocab_size=VOCABULARY, hidden_size=HIDDEN, intermediate_size=INNER, num_hidden_layers=LAYERS,
        num_attention_heads=HEADS, num_key_value_heads=KV_HEADS, max_position_embeddings=32768, rope_theta=1e6,
        tie_word_embeddings=False)
    with torch.device("cuda"):
        model = transformers.AutoModelForCausalLM.from_config(config, dtype=torch.bfloat16, attn_implementation=attention)
    return model.eval()


@torch.no_grad()
def generate(model, rows, prompt, new, **more):
    ids = torch.randint(0, VOCABULARY if prompt > 128 else 700, (1, prompt), device="cuda")
    model.generate(ids, attention_mask=torch.ones_like(ids), do_sample=True, temperature=0.8, num_return_sequences=rows,
                   min_new_tokens=new, max_new_tokens=new, pad_token_id=0, eos_token_id=None, **more)


@torch.no_grad()
def graph_of_operations(model, rows, context):
    """Seconds of one step: a CUDA graph over caches that were allocated once."""
    keys = torch.randn(LAYERS, rows, KV_HEADS, context + 64, HEAD, device="cuda", dtype=torch.bfloat16)
    values = torch.randn_like(keys)
    tokens = torch.randint(0, VOCABULARY, (rows,), device="cuda")
    position = torch.full((1,), context - 1, device="cuda")
    frequency = 1e6 ** (-torch.arange(0, HEAD, 2, device="cuda").float() / HEAD)
    weights = []
    for layer in model.model.layers:
        a, m = layer.self_attn, layer.mlp
        weights.append((torch.cat([a.q_proj.weight, a.k_proj.weight, a.v_proj.weight]),
                        torch.cat([a.q_proj.bias, a.k_proj.bias, a.v_proj.bias]), a.o_proj.weight,
                        m.gate_proj.weight, m.up_proj.weight, m.down_proj.weight,
                        layer.input_layernorm.weight, layer.post_attention_layernorm.weight))

    def norm(x, weight):
        return F.rms_norm(x, (HIDDEN,), weight, 1e-6)

    def rotate(x, cosine, sine):
        low, high = x.chunk(2, -1)
        return torch.cat([low * cosine - high * sine, high * cosine + low * sine], -1)

    def step():
        x = model.model.embed_tokens(tokens)
        angle = position.float() * frequency
        cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        for i, (qkv, bias, o, gate, up, down, first, second) in enumerate(weights):
            q, k, v = F.linear(norm(x, first), qkv, bias).split([HEADS * HEAD, KV_HEADS * HEAD, KV_HEADS * HEAD], -1)
            q = rotate(q.view(rows, HEADS, HEAD), cosine, sine)
            k = rotate(k.view(rows, KV_HEADS, HEAD), cosine, sine)
            keys[i].index_copy_(2, position, k.unsqueeze(2))
            values[i].index_copy_(2, position, v.reshape(rows, KV_HEADS, 1, HEAD))
            mixed = F.scaled_dot_product_attention(q.view(rows, HEADS, 1, HEAD), keys[i, :, :, :context],
                                                   values[i, :, :, :context], enable_gqa=True)
            x = x + F.linear(mixed.reshape(rows, HEADS * HEAD), o)
            h = norm(x, second)
            x = x + F.linear(F.silu(F.linear(h, gate)) * F.linear(h, up), down)
        p = torch.softmax(model.lm_head(norm(x, model.model.norm.weight)).float() / 0.8, -1)
        return (p / torch.empty_like(p).exponential_(1)).argmax(-1)

    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(3):
            step()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=stream):
        step()

    def many():
        for _ in range(20):
            graph.replay()
    return seconds(many) / 20


@torch.no_grad()
def read_prompts(model):
    ids = torch.randint(0, VOCABULARY, (4, 1000), device="cuda")
    return seconds(lambda: [model.model(ids, use_cache=True) for _ in range(16)], repeats=2)


def flash_attention_of_torch(module, query, key, value, attention_mask, cache, cu_seq_lens_q, cu_seq_lens_k, max_seqlen_q,
                             max_seqlen_k, read_index, write_index, **_):
    """Attention for continuous batching by the flash attention that torch carries, since transformers wants a package that has
    no wheel for this torch, and would compare each token with those of all sequences without it."""
    if isinstance(cu_seq_lens_k, dict):
        cu_seq_lens_k, max_seqlen_k = cu_seq_lens_k["full_attention"], max_seqlen_k["full_attention"]
    key, value = cache.update(key_states=key, value_states=value, layer_idx=module.layer_idx, read_index=read_index,
                              write_index=write_index)
    result = torch.ops.aten._flash_attention_forward(
        query.transpose(1, 2).squeeze(0).contiguous(), key.contiguous(), value.contiguous(), cu_seq_lens_q.to(torch.int32),
        cu_seq_lens_k.to(torch.int32).clone(), max_seqlen_q, max_seqlen_k, 0.0, True, False, scale=module.scaling)
    return result[0], None


@torch.no_grad()
def continuous(model, attention, samples, new, limit):
    """Tokens per second of transformers' continuous batching, for 64 prompts of 100 to 1,000 tokens; TimeoutError after limit seconds."""
    transformers.AttentionInterface.register("aten_varlen", flash_attention_of_torch)
    transformers.AttentionInterface.register("paged|aten_varlen", flash_attention_of_torch)
    model.set_attn_implementation(attention)
    generator = torch.Generator().manual_seed(1)
    lengths = torch.randint(100, 1000, (64,), generator=generator).tolist()
    prompts = [torch.randint(0, VOCABULARY, (length,), generator=generator).tolist() for length in lengths]
    config = transformers.GenerationConfig(max_new_tokens=new, do_sample=True, temperature=0.8, eos_token_id=-1, pad_token_id=0)
    inputs = [prompt for prompt in prompts for _ in range(samples)]

    def stop(*_):
        raise TimeoutError(f"no result within {limit} s")
    signal.signal(signal.SIGALRM, stop)
    signal.alarm(limit)
    model.generate_batch(inputs=inputs[:20], generation_config=config, progress_bar=False)
    begin = time.perf_counter()
    answers = model.generate_batch(inputs=inputs, generation_config=config, progress_bar=False)
    torch.cuda.synchronize()
    spent = time.perf_counter() - begin
    signal.alarm(0)
    tokens = sum(len(answer.generated_tokens) for answer in answers.values())
    if tokens != len(inputs) * new:
        raise ValueError(f"{tokens} of {len(inputs) * new} tokens came back")
    return tokens / spent


def rollout_beside_continuous_batching(program, samples, new, limit):
    """The last of all: what a peer leaves behind when it is stopped must not stand beside a measurement."""
    mine = statistics.median(line["tokens_per_second"] for line in lines_of(program, "rollout", "7b", "bf16", f"{new}"))
    work, figure = f"rollout, 64 prompts x N {samples} x {new}", f"{mine:,.0f} tok/s"
    for attention, words in (("paged|aten_varlen", "torch's flash attention"), ("paged|sdpa", "sdpa")):
        try:
            peer = continuous(seven_billion(), attention, samples, new, limit)
            row(work, figure, f"{peer:,.0f} tok/s continuous, {words}", f"{mine / peer:.2f}")
        except TimeoutError as error:
            row(work, figure, f"continuous, {words}: {error}")
            os._exit(0)  # its thread goes on
        except Exception as error:
            row(work, figure, f"continuous, {words}: {type(error).__name__}: {str(error)[:200]}")
        work = figure = ""
    sys.stdout.flush()
    os._exit(0)


def windtunnel(quick):
    config = transformers.Qwen2Config(vocab_size=764, hidden_size=256, intermediate_size=640, num_hidden_layers=6,
                                      num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=2048,
                                      tie_word_embeddings=True)
    with torch.device("cuda"):
        model = transformers.AutoModelForCausalLM.from_config(config, dtype=torch.bfloat16).eval()
    rows, new = 640, 256
    rates = {"generate": rows * new / seconds(lambda: generate(model, rows, 110, new), repeats=1)}
    if not quick:
        rates["generate, static cache, compiled"] = rows * new / seconds(
            lambda: generate(model, rows, 110, new, cache_implementation="static"), repeats=2)
    return rates


def load(model, program):
    """Seconds to load 15 GB from the page cache to the GPU: ours, transformers'."""
    with tempfile.TemporaryDirectory() as folder:
        model.save_pretrained(folder, max_shard_size="4GB")
        del model
        torch.cuda.empty_cache()
        mine = [line["seconds"] for line in lines_of(program, "load", folder)]

        def theirs():
            transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.bfloat16, device_map="cuda")
            torch.cuda.empty_cache()
        try:
            other = seconds(theirs, 2)
        except (ImportError, ValueError):  # device_map needs accelerate
            other = seconds(lambda: transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.bfloat16).to("cuda"), 2)
        return statistics.median(mine[1:]) if len(mine) > 1 else float("nan"), other


def row(work, figure, peer="", ratio="", limit=""):
    print(f"{work:<34}{figure:>16}  {peer:<44}{ratio:>8}{limit:>9}", flush=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("benchmark", nargs="?")
    arguments.add_argument("--quick", action="store_true")
    arguments.add_argument("--only-continuous", metavar="TOKENS", type=int,
                           help="only the rollout beside continuous batching, with so many new tokens for each answer")
    given = arguments.parse_args()
    if not torch.cuda.is_available():
        sys.exit("gpu_decode.py: torch finds no usable NVIDIA GPU here")
    program = given.benchmark or default_program("decode_benchmark")
    print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}, "
          f"{'transformers ' + transformers.__version__ if transformers else 'without transformers'}", flush=True)
    if given.only_continuous:
        rollout_beside_continuous_batching(program, 10, given.only_continuous, 240)
    lines = lines_of(program, "steps")
    bandwidth = next((line["terabytes_per_second"] for line in lines if line["work"] == "copy"), float("nan"))
    print(f"bandwidth of a copy: {bandwidth:.2f} TB/s; limits are bytes to read over it", flush=True)
    steps = {(line["columns"], line["context"]): line for line in lines if line["work"] == "step"}
    peers = {}
    model = seven_billion() if transformers else None
    if model:
        for rows in (1, 10, 64):
            peers[rows] = [("CUDA graph of ATen operations", graph_of_operations(model, rows, 512) * 1e3)]
        new = 64
        peers[10].append(("transformers generate", seconds(lambda: generate(model, 10, 480, new), 1) * 1e3 / new))
        if not given.quick:
            try:
                compiled = seconds(lambda: generate(model, 10, 480, new, cache_implementation="static"), 2)
                peers[10].append(("the same, static cache, compiled", compiled * 1e3 / new))
            except Exception as error:  # a peer that fails is said, and leaves the others alone
                print(f"transformers with a static cache fails: {type(error).__name__}: {str(error)[:120]}")
    row("7B, bf16", "trl", "peer", "ratio", "of limit")
    for (columns, context), line in sorted(steps.items()):
        limit = line["bytes"] / bandwidth / 1e9
        share = f"{limit / line['milliseconds']:.0%}"
        others = peers.get(columns, []) if context == 512 else []
        row(f"step, N {columns}, context {context}", f"{line['milliseconds']:.2f} ms", limit=share)
        for name, milliseconds in others:
            row("", "", f"{milliseconds:.2f} ms {name}", f"{milliseconds / line['milliseconds']:.2f}")
    for line in lines_of(program, "prompts"):
        peer = read_prompts(model) if model else None
        row("64 prompts of 1,000 tokens", f"{line['seconds']:.2f} s", f"{peer:.2f} s transformers, sdpa" if peer else "",
            f"{peer / line['seconds']:.2f}" if peer else "")
    if model and not given.quick:
        mine, other = load(model, program)
        row("load 15 GB from the page cache", f"{mine:.2f} s", f"{other:.2f} s transformers", f"{other / mine:.2f}")
    model = None
    torch.cuda.empty_cache()
    for words in (("int8",), ("nf4",), ("bf16", "adapter")):
        for line in lines_of(program, "steps", "7b", *words):
            if line["work"] == "step" and (line["columns"], line["context"]) in ((1, 512), (10, 512), (64, 512)):
                limit = line["bytes"] / bandwidth / 1e9
                merged = line["milliseconds"] / steps[line["columns"], 512]["milliseconds"]
                row(f"{' '.join(words)}: step, N {line['columns']}, context 512", f"{line['milliseconds']:.2f} ms",
                    f"{merged:.3f} of bf16 merged", limit=f"{limit / line['milliseconds']:.0%}")
    for line in lines_of(program, "rollout"):
        best = min((s["milliseconds"] / s["columns"] for s in steps.values() if s["context"] == 512), default=float("nan"))
        row("rollout, 64 prompts x N 10 x 512", f"{line['tokens_per_second']:,.0f} tok/s", "a step's time, all columns busy",
            limit=f"{line['tokens_per_second'] * best / 1e3:.0%}")
    for line in lines_of(program, "windtunnel"):
        row("embedded model's sizes, 640 x 256", f"{line['tokens_per_second']:,.0f} tok/s")
        for name, rate in (windtunnel(given.quick) if transformers else {}).items():
            row("", "", f"{rate:,.0f} tok/s transformers {name}", f"{line['tokens_per_second'] / rate:.2f}")
    for name in ("0.5b", "1.5b", "3b"):
        for line in lines_of(program, "steps", name):
            if line["work"] == "step" and (line["columns"], line["context"]) in ((1, 512), (10, 512), (64, 512)):
                limit = line["bytes"] / bandwidth / 1e9
                row(f"{name}: step, N {line['columns']}, context 512", f"{line['milliseconds']:.2f} ms",
                    limit=f"{limit / line['milliseconds']:.0%}")
    if transformers:
        rollout_beside_continuous_batching(program, 10, 128, 150)


if __name__ == "__main__":
    main()
