"""PEFT loads the worker's adapters and the worker loads PEFT's, with the same logits and gradients."""
import json
import pathlib
import shutil
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


def compare(label, folder, model, adapter, gradients=True):
    """Compares logits and, unless a scale of its own is in a matrix B, the gradients of every matrix."""
    tokens = torch.randint(0, 300, (2, 40))
    (folder / "tokens.json").write_text(json.dumps(tokens.tolist()))
    probe("model", folder / "model", folder / "tokens.json", folder / "out.safetensors", adapter)
    ours = safetensors.load_file(folder / "out.safetensors")
    logits = model(input_ids=tokens).logits
    torch.nn.functional.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten()).backward()
    plain = load(folder / "model")(tokens).logits
    assert (plain - logits).abs().max() > 1e-3, "the adapter does nothing"
    worst, furthest, adapted = close("logits", ours["logits"], logits.detach(), 2e-5), 0, set()
    for path, parameter in model.named_parameters():
        if parameter.grad is not None:
            name = path.removeprefix("base_model.model.").removesuffix(".default.weight")
            adapted.add("gradient." + name)
            if gradients:
                furthest = max(furthest, close(name, ours["gradient." + name], parameter.grad, 2e-4))
    assert adapted == {name for name in ours if name.startswith("gradient.")}, "other modules are adapted"
    print(f"{label}: logits {worst:.1e}" + (f", gradients {furthest:.1e}" if gradients else ""))


def theirs(folder, gradients=True, **settings):
    """Saves an adapter of PEFT's, and compares what the worker makes of it."""
    model = peft.get_peft_model(load(folder / "model"), peft.LoraConfig(**{
        **dict(r=4, lora_alpha=8, lora_dropout=0.0, task_type="CAUSAL_LM"), **settings}))
    with torch.no_grad():
        for path, parameter in model.named_parameters():
            if "lora_B" in path:
                parameter.normal_(0, 0.1)
    model.save_pretrained(folder / "theirs")
    compare(f"PEFT's adapter with {settings}", folder, model.eval(), folder / "theirs", gradients)
    return model


def merged(folder, model):
    """The worker's merged weights, loaded by transformers, are those that PEFT merges."""
    output = folder / "merged"
    shutil.rmtree(output, ignore_errors=True)
    stage(folder, "merge", {}, dict(model=folder / "model", adapter=folder / "theirs"), output)
    shutil.copy(folder / "model" / "config.json", output)
    tokens = torch.randint(0, 300, (1, 30))
    expected = model.merge_and_unload()(tokens).logits.detach()
    ours, loading = transformers.AutoModelForCausalLM.from_pretrained(output, dtype=torch.float32, output_loading_info=True)
    assert not any(loading[what] for what in ("missing_keys", "unexpected_keys", "mismatched_keys")), loading
    print(f"merged: logits {close('merged', ours.eval()(tokens).logits.detach(), expected, 2e-5):.1e}")


PATTERNS = [
    dict(target_modules="all-linear", use_rslora=True, rank_pattern={"q_proj": 2, r"layers\.1\..*up_proj": 6},
         alpha_pattern={"v_proj": 3, "model.layers.0.mlp.down_proj": 1.5}, gradients=False),
    dict(target_modules=r".*layers\.1\.(self_attn\.[qk]_proj|mlp\.down_proj)", lora_alpha=5),
    dict(target_modules=["model.layers.0.mlp.up_proj", "v_proj"], exclude_modules=["layers.1.self_attn.v_proj"]),
    dict(target_modules=["q_proj", "o_proj"], layers_to_transform=[1], layers_pattern=["layers"]),
    dict(target_modules="all-linear", exclude_modules=r".*\.mlp\..*|.*k_proj"),
    dict(target_modules="all-linear", use_dora=True),
]


def check(folder, family):
    base(folder / "model", family)
    for targets in (["q_proj", "v_proj"], "all-linear"):
        theirs(folder, target_modules=targets)
    if family == "qwen2":
        for settings in PATTERNS:
            model = theirs(folder, **settings)
            if settings in (PATTERNS[0], PATTERNS[-1]):
                merged(folder, model)

    (folder / "model" / "tokenizer.json").write_bytes((folder / "tokenizer" / "tokenizer.json").read_bytes())
    stage(folder, "finetune", dict(adapter=dict(rank=4, alpha=8, dropout=0.0, targets=["all_linear"], use_rslora=True,
                                                use_dora=family == "starcoder2"), epochs=3, batch=4,
                                   learning_rate=1e-2, warmup=0.0, schedule="constant", weight_decay=0.0, clip=1.0,
                                   precision="bf16", seed=1, round=0),
          dict(model=folder / "model", samples=folder / "corpus"), folder / "ours")
    model = peft.get_peft_model(load(folder / "model"), peft.PeftConfig.from_pretrained(folder / "ours"))
    loading = peft.set_peft_model_state_dict(model, peft.load_peft_weights(folder / "ours"))
    assert not loading.unexpected_keys and not [key for key in loading.missing_keys if "lora" in key], loading
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
