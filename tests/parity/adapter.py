"""PEFT loads the worker's adapters and the worker loads PEFT's, with the same logits and gradients."""
import json
import pathlib
import tempfile

from support import close, need, probe, stage

torch, transformers, peft, safetensors = need("torch", "transformers", "peft", "safetensors.torch")
transformers.utils.logging.disable_progress_bar()


def base(folder, family):
    torch.manual_seed(0)
    config = transformers.AutoConfig.for_model(
        family, vocab_size=300, hidden_size=64, intermediate_size=96, num_hidden_layers=2, num_attention_heads=4,
        num_key_value_heads=2, max_position_embeddings=128, tie_word_embeddings=True, initializer_range=0.2,
        bos_token_id=0, eos_token_id=0)
    model = transformers.AutoModelForCausalLM.from_config(config).float()
    model.save_pretrained(folder)


def load(folder):
    return transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()


def compare(label, folder, model, adapter):
    tokens = torch.randint(0, 300, (2, 40))
    (folder / "tokens.json").write_text(json.dumps(tokens.tolist()))
    probe("model", folder / "model", folder / "tokens.json", folder / "out.safetensors", adapter)
    ours = safetensors.load_file(folder / "out.safetensors")
    logits = model(input_ids=tokens).logits
    torch.nn.functional.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten()).backward()
    plain = load(folder / "model")(tokens).logits
    assert (plain - logits).abs().max() > 1e-3, "the adapter does nothing"
    worst, gradients = close("logits", ours["logits"], logits.detach(), 2e-5), 0
    for path, parameter in model.named_parameters():
        if parameter.grad is not None:
            name = path.removeprefix("base_model.model.").removesuffix(".default.weight")
            gradients = max(gradients, close(name, ours["gradient." + name], parameter.grad, 2e-4))
    print(f"{label}: logits {worst:.1e}, gradients {gradients:.1e}")


def check(folder, family):
    base(folder / "model", family)
    for targets in (["q_proj", "v_proj"], "all-linear"):
        theirs = peft.get_peft_model(load(folder / "model"), peft.LoraConfig(
            r=4, lora_alpha=8, lora_dropout=0.0, target_modules=targets, task_type="CAUSAL_LM"))
        with torch.no_grad():
            for path, parameter in theirs.named_parameters():
                if "lora_B" in path:
                    parameter.normal_(0, 0.1)
        theirs.save_pretrained(folder / "theirs")
        compare(f"{family}: PEFT's adapter on {targets}", folder, theirs.eval(), folder / "theirs")

    (folder / "model" / "tokenizer.json").write_bytes((folder / "tokenizer" / "tokenizer.json").read_bytes())
    stage(folder, "finetune", dict(adapter=dict(rank=4, alpha=8, dropout=0.0, targets=["all_linear"]), epochs=3, batch=4,
                                   learning_rate=1e-2, warmup=0.0, schedule="constant", weight_decay=0.0, clip=1.0,
                                   precision="bf16", seed=1, round=0),
          dict(model=folder / "model", samples=folder / "corpus"), folder / "ours")
    model = peft.PeftModel.from_pretrained(load(folder / "model"), folder / "ours", is_trainable=True)
    compare(f"{family}: our adapter", folder, model.eval(), folder / "ours")


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    corpus = folder / "corpus"
    corpus.mkdir()
    (corpus / "samples.jsonl").write_text("".join(
        json.dumps(dict(prompt=f"task {i}", answer=f"answer {i * 7}")) + "\n" for i in range(12)))
    stage(folder, "tokenizer", dict(vocabulary=300), dict(corpus=corpus), folder / "tokenizer")
    # Training takes the loops written for the CPU for the first, and tensor operations for the second.
    for family in ("qwen2", "starcoder2"):
        (folder / family).mkdir()
        for shared in ("corpus", "tokenizer"):
            (folder / family / shared).symlink_to(folder / shared)
        check(folder / family, family)
