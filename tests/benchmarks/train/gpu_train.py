"""Compares LoRA's training step of trl-worker with its peers on a GPU: gpu_train.py [BENCHMARK] [--quick]

A randomly initialised Qwen2.5-7B in bf16, rank 16 on all linear layers, dropout 0.05, and the embedded model's sizes. The peers run in the same
call: PEFT on transformers, the same compiled by torch.compile, bitsandbytes' NF4 under PEFT, and Hugging Face TRL's GRPOTrainer. --quick leaves out what takes minutes to
compile, and how cost grows. Libraries that can't be imported are named and left out.
"""
import argparse
import gc
import pathlib
import statistics
import sys
import tempfile
import time

import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from programs import default_program, lines_of

try:
    import peft
    import transformers

    transformers.utils.logging.disable_progress_bar()
    transformers.utils.logging.set_verbosity_error()
except ImportError as missing:
    peft = None
    print(f"gpu_train.py: {missing}: without PEFT")
try:
    import trl
except Exception as missing:
    trl = None
    print(f"gpu_train.py: {missing}: without Hugging Face TRL")
try:
    import bitsandbytes
except Exception as missing:
    bitsandbytes = None
    print(f"gpu_train.py: {missing}: without bitsandbytes")

VOCABULARY = 152064
TARGETS = [f"{name}_proj" for name in ("q", "k", "v", "o", "gate", "up", "down")]


def with_adapter(config, storage=None):
    with torch.device("cuda"):
        model = transformers.AutoModelForCausalLM.from_config(config, dtype=torch.bfloat16, attn_implementation="sdpa")
    model.config.use_cache = False
    if storage == "nf4":
        for module in list(model.modules()):
            for name, child in list(module.named_children()):
                if isinstance(child, torch.nn.Linear) and name != "lm_head":
                    few = bitsandbytes.nn.Linear4bit(child.in_features, child.out_features, bias=child.bias is not None,
                                                     compute_dtype=torch.bfloat16, quant_type="nf4", device="meta")
                    few.weight = bitsandbytes.nn.Params4bit(child.weight.data.cpu(), requires_grad=False, quant_type="nf4")
                    few.bias = child.bias
                    setattr(module, name, few.to("cuda"))
        gc.collect()
        torch.cuda.empty_cache()
    model.train()
    return peft.get_peft_model(model, peft.LoraConfig(r=16, lora_alpha=32, lora_dropout=0.05, task_type="CAUSAL_LM", target_modules=TARGETS))


def seven_billion(storage=None):
    return with_adapter(transformers.Qwen2Config(
        vocab_size=VOCABULARY, hidden_size=3584, intermediate_size=18944, num_hidden_layers=28, num_attention_heads=28,
        num_key_value_heads=4, max_position_embeddings=32768, rope_theta=1e6, rms_norm_eps=1e-6, tie_word_embeddings=False), storage)


def timed(model, batches, repeats, loss_of=None):
    """Median seconds of an optimiser step over micro-batches, and the most memory that it takes, in GiB."""
    optimiser = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=1e-4, fused=True)
    loss_of = loss_of or (lambda batch: model(**batch).loss / len(batches))
    times = []
    for i in range(repeats + 2):
        if i == 2:
            torch.cuda.reset_peak_memory_stats()
        torch.cuda.synchronize()
        begin = time.perf_counter()
        for batch in batches:
            loss_of(batch).backward()
        torch.nn.utils.clip_grad_norm_([p for p in model.parameters() if p.requires_grad], 1.0)
        optimiser.step()
        optimiser.zero_grad(set_to_none=True)
        torch.cuda.synchronize()
        times.append(time.perf_counter() - begin)
    return statistics.median(times[2:]), torch.cuda.max_memory_allocated() / 2**30


def padded(lengths, vocabulary, budget):
    """Documents in micro-batches of at most `budget` tokens after padding, of similar lengths."""
    batches = []
    lengths = sorted(lengths)
    while lengths:
        count = 1
        while count < len(lengths) and (count + 1) * lengths[count] <= budget:
            count += 1
        own, lengths = lengths[:count], lengths[count:]
        ids = torch.randint(0, vocabulary, (count, own[-1]), device="cuda")
        mask = torch.arange(own[-1], device="cuda") < torch.tensor(own, device="cuda").unsqueeze(1)
        batches.append({"input_ids": ids, "attention_mask": mask.long(), "labels": ids.masked_fill(~mask, -100)})
    return batches


def seconds_of_grpo(model, answers, prompt, length, micro, steps, vocabulary, warm=1):
    """Seconds and GiB that Hugging Face TRL's GRPOTrainer itself takes to train on given answers, generation left out: what it
    computes before (the old policy's and the base model's log-probabilities) and so many optimiser steps of micro-batches."""
    import datasets
    import pyarrow
    import tokenizers

    class Trained(trl.GRPOTrainer):
        def _generate_and_score_completions(self, inputs):
            torch.cuda.synchronize()
            begins.append(time.perf_counter())
            device = self.accelerator.device
            prompts, completions = (torch.randint(1, vocabulary, (answers, n), device=device) for n in (prompt, length))
            mask = torch.ones_like(completions)
            given = dict(prompt_ids=prompts, prompt_mask=torch.ones_like(prompts), completion_ids=completions, completion_mask=mask,
                         advantages=torch.randn(answers, device=device), num_items_in_batch=mask.sum())
            ids = torch.cat([prompts, completions], 1)
            with torch.no_grad():
                given["old_per_token_logps"] = self._get_per_token_logps_and_entropies(
                    self.model, ids, torch.ones_like(ids), length, micro)[0]
                with self.accelerator.unwrap_model(self.model).disable_adapter():
                    given["ref_per_token_logps"] = self._get_per_token_logps_and_entropies(
                        self.model, ids, torch.ones_like(ids), length, micro)[0]
            return given

    begins = []
    rows = datasets.Dataset(pyarrow.table({"prompt": ["x"] * (4 * answers)}), fingerprint="rows")
    words = tokenizers.Tokenizer(tokenizers.models.WordLevel({"x": 0, "<pad>": 1, "<eos>": 2}, unk_token="x"))
    with tempfile.TemporaryDirectory() as folder:
        settings = trl.GRPOConfig(
            output_dir=folder, per_device_train_batch_size=micro, gradient_accumulation_steps=answers // micro // steps,
            steps_per_generation=answers // micro, num_generations=answers // micro // steps, max_completion_length=length, beta=0.01,
            epsilon=0.2, loss_type="grpo", scale_rewards="group", gradient_checkpointing=False, learning_rate=1e-4, optim="adamw_torch_fused",
            max_steps=(warm + 1) * steps, report_to=[], save_strategy="no", logging_strategy="no", disable_tqdm=True,
            bf16=True, dataloader_pin_memory=False)
        trainer = Trained(model, reward_funcs=lambda completions, **_: [0.0] * len(completions), args=settings, train_dataset=rows,
                          processing_class=transformers.PreTrainedTokenizerFast(tokenizer_object=words, pad_token="<pad>", eos_token="<eos>"))
        torch.cuda.reset_peak_memory_stats()
        trainer.train()
        torch.cuda.synchronize()
        end = time.perf_counter()
    return end - begins[warm], torch.cuda.max_memory_allocated() / 2**30


def row(work, figure, memory="", peer="", ratio=""):
    print(f"{work:<34}{figure:>16}{memory:>11}  {peer:<52}{ratio:>8}", flush=True)


def gibibytes(line):
    return f"{line['peak_gibibytes']:.1f} GiB"


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("benchmark", nargs="?")
    arguments.add_argument("--quick", action="store_true")
    given = arguments.parse_args()
    if not torch.cuda.is_available():
        sys.exit("gpu_train.py: torch finds no usable NVIDIA GPU here")
    program = given.benchmark or default_program("train_benchmark")
    print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}, "
          f"{'transformers ' + transformers.__version__ + ', PEFT ' + peft.__version__ if peft else 'without PEFT'}", flush=True)
    row("7B, rank 16", "trl", "memory", "peer", "ratio")
    for line in lines_of(program, "products"):
        row("products alone, 4,096 tokens", f"{line['tokens_per_second']:,.0f} tok/s", "", f"{line['teraflops']:.0f} TFLOP/s")
    step = lines_of(program, "step")
    for line in step:
        row("step, 2 x 2,048 tokens", f"{line['tokens_per_second']:,.0f} tok/s", gibibytes(line))
    lengths = [torch.randint(100, 701, (1,)).item() for _ in range(64)]

    def against(line, seconds, memory, tokens, name):
        rate = tokens / seconds
        row("", "", "", f"{rate:,.0f} tok/s, {memory:.1f} GiB: {name}", f"{line['tokens_per_second'] / rate:.2f}")

    def failing(name, work):
        try:
            work()
        except Exception as error:  # a peer that fails is said, and leaves the others alone
            print(f"{name} fails: {type(error).__name__}: {str(error)[:120]}", flush=True)

    packed, policy = lines_of(program, "packed"), lines_of(program, "policy")
    if peft and step:
        model = seven_billion()
        ids = torch.randint(0, VOCABULARY, (2, 2048), device="cuda")
        whole = [{"input_ids": ids, "labels": ids}]
        failing("PEFT", lambda: against(step[0], *timed(model, whole, 3), 4096, "PEFT"))
        for line in packed:
            row("64 documents of 100 to 700 tokens", f"{line['tokens_per_second']:,.0f} tok/s", gibibytes(line))
            failing("PEFT", lambda: against(line, *timed(model, padded(lengths, VOCABULARY, 8192), 1), sum(lengths), "PEFT, padded"))
        for line in policy:
            row("policy gradient, 640 x (100 + 500)", f"{line['seconds']:.1f} s", gibibytes(line))

            def scores(batch):
                logits = model(input_ids=batch).logits[:, 99:-1]
                return torch.log_softmax(logits.float(), -1).gather(2, batch[:, 100:].unsqueeze(2)).squeeze(2)

            def grpo(batch):
                with torch.no_grad():
                    before = scores(batch)
                    with model.disable_adapter():
                        base = scores(batch)
                now = scores(batch)
                ratio, back = (now - before).exp(), (base - now).exp()
                return (-torch.minimum(ratio, ratio.clamp(0.8, 1.2)) + 0.01 * (back - (base - now) - 1)).mean() / 8

            def measure():
                seconds, memory = timed(model, [torch.randint(0, VOCABULARY, (5, 600), device="cuda") for _ in range(8)], 1, grpo)
                row("", "", "", f"{16 * seconds:.1f} s, {memory:.1f} GiB: PEFT, from 40 samples", f"{16 * seconds / line['seconds']:.2f}")
            failing("PEFT", measure)
        if not given.quick:
            compiled = torch.compile(model)
            failing("PEFT compiled", lambda: against(step[0], *timed(compiled, whole, 4), 4096, "PEFT compiled"))
            torch._dynamo.reset()
            del compiled
        for line in policy if trl else []:  # after the others, since the trainer rewrites the model's forward pass
            def measure():
                seconds, memory = seconds_of_grpo(model, 80, 100, 500, 5, 2, VOCABULARY)
                row("", "", "", f"{8 * seconds:.1f} s, {memory:.1f} GiB: TRL's GRPOTrainer, from 80 samples",
                    f"{8 * seconds / line['seconds']:.2f}")
            failing("Hugging Face TRL", measure)
        del model
        gc.collect()
        torch.cuda.empty_cache()
    for line in lines_of(program, "step", "7b", "nf4", "16", "2048", "2", "9"):
        row("nf4, 9 layers computed again", f"{line['tokens_per_second']:,.0f} tok/s", gibibytes(line), "of bf16's speed",
            f"{line['tokens_per_second'] / step[0]['tokens_per_second']:.2f}" if step else "")
        if peft and bitsandbytes:
            def few():
                model = seven_billion("nf4")
                ids = torch.randint(0, VOCABULARY, (2, 2048), device="cuda")
                against(line, *timed(model, [{"input_ids": ids, "labels": ids}], 3), 4096, "PEFT on bitsandbytes")
            failing("bitsandbytes", few)
            gc.collect()
            torch.cuda.empty_cache()
    for line in lines_of(program, "step", "7b", "int8", "16", "2048", "2", "8"):
        row("int8, 8 layers computed again", f"{line['tokens_per_second']:,.0f} tok/s", gibibytes(line))
    for line in lines_of(program, "windtunnel"):
        if line["work"] != "windtunnel":
            row("", "", "", f"{line['tokens_per_second']:,.0f} tok/s: trl by tensor operations")
            continue
        row("embedded model's sizes, packed", f"{line['tokens_per_second']:,.0f} tok/s", gibibytes(line))
        if peft:
            config = transformers.Qwen2Config(vocab_size=764, hidden_size=256, intermediate_size=640, num_hidden_layers=6,
                                              num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=2048, tie_word_embeddings=True)
            model = with_adapter(config)
            short = [torch.randint(60, 301, (1,)).item() for _ in range(64)]
            batches = padded(short, 764, 20000)
            failing("PEFT", lambda: against(line, *timed(model, batches, 5), sum(short), "PEFT, padded"))
            if not given.quick:
                compiled = torch.compile(model)
                failing("PEFT compiled", lambda: against(line, *timed(compiled, batches, 5), sum(short), "PEFT compiled, padded"))
    if given.quick:
        return
    for words in (("1.5b", "none", "16"), ("3b", "none", "16"), ("0.5b", "none", "16"), ("7b", "none", "8"), ("7b", "none", "32"), ("7b", "none", "64"),
                  ("7b", "none", "16", "512", "8"), ("7b", "none", "16", "1024", "4"), ("7b", "none", "16", "4096", "1"), ("7b", "none", "16", "8192", "1")):
        for line in lines_of(program, "step", *words):
            count, length = (words[4], words[3]) if len(words) > 4 else ("2", "2048")
            row(f"{words[0]}, rank {words[2]}, {count} x {length}",
                f"{line['tokens_per_second']:,.0f} tok/s", gibibytes(line))


if __name__ == "__main__":
    main()
