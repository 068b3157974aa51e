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
    sizes = dict(head_dim=24) if family == "qwen3" else {}
    config = transformers.AutoConfig.for_model(
        family, **sizes, vocab_size=300, hidden_size=64, intermediate_size=96, num_hidden_layers=2, num_attention_heads=4,
        num_key_value_heads=2, max_position_embeddings=128, tie_word_embeddings=True, initializer_range=0.2,
        bos_token_id=0, eos_token_id=0)
    model = transformers.AutoModelForCausalLM.from_config(config).float()
    with torch.no_grad():
        for path, parameter in model.named_parameters():
            if "norm" in path:  # which would be 1
                parameter += 0.2 * torch.randn_like(parameter)
    model.save_pretrained(folder)


def load(folder):
    return transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()


def compare(label, folder, model, adapter):
    """Compares logits and the gradients of every matrix."""
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
            furthest = max(furthest, close(name, ours["gradient." + name], parameter.grad, 2e-4))
    assert adapted == {name for name in ours if name.startswith("gradient.")}, "other modules are adapted"
    print(f"{label}: logits {worst:.1e}, gradients {furthest:.1e}")


def theirs(folder, **settings):
    """Saves an adapter of PEFT's, and compares what the worker makes of it."""
    model = peft.get_peft_model(load(folder / "model"), peft.LoraConfig(**{
        **dict(r=4, lora_alpha=8, lora_dropout=0.0, task_type="CAUSAL_LM"), **settings}))
    with torch.no_grad():
        for path, parameter in model.named_parameters():
            if "lora_B" in path:
                parameter.normal_(0, 0.1)
    model.save_pretrained(folder / "theirs")
    compare(f"PEFT's adapter with {settings}", folder, model.eval(), folder / "theirs")
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
         alpha_pattern={"v_proj": 3, "model.layers.0.mlp.down_proj": 1.5}),
    dict(target_modules=r".*layers\.1\.(self_attn\.[qk]_proj|mlp\.down_proj)", lora_alpha=5),
    dict(target_modules=["model.layers.0.mlp.up_proj", "v_proj"], exclude_modules=["layers.1.self_attn.v_proj"]),
    dict(target_modules=["q_proj", "o_proj"], layers_to_transform=[1], layers_pattern=["layers"]),
    dict(target_modules="all-linear", exclude_modules=r".*\.mlp\..*|.*k_proj"),
    dict(target_modules="all-linear", use_dora=True),
]


def call(pattern, **said):
    return dict(call="modules", args=[pattern], named=said)


# Of rank_pattern and of alpha_pattern, the first that fits counts.
OURS = [call(r"layers\.1\..*(up|k)_proj", rank=6, alpha=3), call("v_proj|k_proj", rank=2), call("up_proj", rank=20),
        call(r"model\.layers\.0\.mlp\.down_proj", alpha=1.5)]


def step(label, folder, model, adapter):
    """One step's loss and every gradient of an adapter, by both trainers in f32, beside PEFT's in f64."""
    documents = [dict(tokens=torch.randint(0, 300, (length,)).tolist(), answer_begin=length // 3, weight=1.0)
                 for length in (9, 17, 25, 34, 41, 48)]
    (folder / "request.json").write_text(json.dumps(dict(documents=documents, current=str(adapter))))
    probe("objective", folder / "model", folder / "request.json", folder / "out.safetensors")
    ours = safetensors.load_file(folder / "out.safetensors")
    model = model.double().eval()
    model.zero_grad()
    losses = []
    for one in documents:
        tokens, begin = torch.tensor([one["tokens"]]), one["answer_begin"]
        logits = model(input_ids=tokens).logits[0, begin - 1:-1]
        losses.append(torch.nn.functional.cross_entropy(logits, tokens[0, begin:], reduction="none"))
    loss = torch.cat(losses).mean()
    loss.backward()
    worst, count = 0, 0
    for way in ("loops", "tensors"):
        close(f"{label}, {way}, loss", ours[f"{way}.loss"], loss.detach().reshape(1), 1e-5)
        for path, parameter in model.named_parameters():
            if parameter.grad is None:
                continue
            name = way + "." + path.removeprefix("base_model.model.").removesuffix(".default.weight")
            assert ours[name].shape == parameter.grad.shape, name
            error = float((ours[name] - parameter.grad).norm() / parameter.grad.norm())
            assert error < 1e-5, f"{label}, {name}: relative error {error:.2e}"
            worst, count = max(worst, error), count + 1
    assert count == len(ours) - 2, "other modules are adapted"
    print(f"{label}: loss {loss.item():.6f}, each of {count // 2} gradients {worst:.1e}")


def trained_by_pattern(folder, family, **settings):
    """PEFT loads what training with ranks and alphas by pattern writes, and goes on with the same gradients."""
    output = folder / "patterned"
    shutil.rmtree(output, ignore_errors=True)
    stage(folder, "finetune", dict(adapter=dict(rank=4, alpha=8, dropout=0.0, targets=["all_linear"], patterns=OURS,
                                                **settings), epochs=3, batch=4, learning_rate=1e-2, warmup=0.0,
                                   schedule="constant", weight_decay=0.0, clip=1.0, precision="f32", seed=1, round=0),
          dict(model=folder / "model", samples=folder / "corpus"), output)
    config = peft.PeftConfig.from_pretrained(output)
    assert config.rank_pattern == {one["args"][0]: one["named"]["rank"] for one in OURS if "rank" in one["named"]}
    assert config.alpha_pattern == {one["args"][0]: one["named"]["alpha"] for one in OURS if "alpha" in one["named"]}
    model = peft.get_peft_model(load(folder / "model"), config)
    loading = peft.set_peft_model_state_dict(model, peft.load_peft_weights(output))
    assert not loading.unexpected_keys and not [key for key in loading.missing_keys if "lora" in key], loading
    ranks = {module.lora_A["default"].out_features for module in model.modules() if hasattr(module, "lora_A")}
    assert ranks == {2, 4, 6, 20}, ranks
    label = f"{family}: trained by pattern with {settings}"
    model = peft.PeftModel.from_pretrained(load(folder / "model"), output, is_trainable=True)
    compare(label, folder, model.eval(), output)
    if not settings.get("use_dora"):
        step(label, folder, model, output)


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
    if family != "starcoder2":
        step(f"{family}: our adapter", folder, model, folder / "ours")
        for settings in (dict(), dict(use_rslora=True), dict(use_dora=True)):
            trained_by_pattern(folder, family, **settings)


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    corpus = folder / "corpus"
    corpus.mkdir()
    (corpus / "samples.jsonl").write_text("".join(
        json.dumps(dict(prompt=f"task {i}", answer=f"answer {i * 7}")) + "\n" for i in range(12)))
    stage(folder, "tokenizer", dict(vocabulary=300), dict(corpus=corpus), folder / "tokenizer")
    # Training takes the loops written for the CPU for the first two, and tensor operations for the last.
    for family in ("qwen2", "qwen3", "starcoder2"):
        (folder / family).mkdir()
        for shared in ("corpus", "tokenizer"):
            (folder / family / shared).symlink_to(folder / shared)
        check(folder / family, family)
