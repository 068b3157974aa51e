"""GRPO, RLOO and DPO: loss, adapter gradients and metrics are those of Hugging Face TRL's own trainers.

TRL brings datasets, pyarrow and pandas, so `./trl test` doesn't install it: the test is skipped where it is missing."""
import collections
import json
import pathlib
import tempfile
import types

from support import close, need, probe

torch, transformers, peft, safetensors, trl = need("torch", "transformers", "peft", "safetensors.torch", "trl")
transformers.utils.logging.disable_progress_bar()
ADVANTAGES = [1.25, -0.25, 0.5, 2.0, -0.5, 0.75]  # whose losses do not nearly cancel


def base(folder):
    torch.manual_seed(0)
    config = transformers.AutoConfig.for_model(
        "qwen2", vocab_size=300, hidden_size=64, intermediate_size=96, num_hidden_layers=2, num_attention_heads=4,
        num_key_value_heads=2, max_position_embeddings=128, tie_word_embeddings=True, initializer_range=0.1,
        bos_token_id=0, eos_token_id=0)
    transformers.AutoModelForCausalLM.from_config(config).float().save_pretrained(folder)


def adapted(folder):
    """A model with three adapters, which differ a little, each of which is saved."""
    model = transformers.AutoModelForCausalLM.from_pretrained(folder / "model", dtype=torch.float32)
    config = peft.LoraConfig(r=4, lora_alpha=8, lora_dropout=0.0, target_modules="all-linear", task_type="CAUSAL_LM")
    model = peft.get_peft_model(model, config, adapter_name="current")
    for name in ("old", "reference"):
        model.add_adapter(name, config)
    parameters = dict(model.named_parameters())
    with torch.no_grad():
        for path, parameter in parameters.items():
            if ".current." in path:
                if "lora_B" in path:
                    parameter.normal_(0, 0.03)
                for name, size in (("old", 0.003), ("reference", 0.006)):
                    other = parameters[path.replace(".current.", f".{name}.")]
                    other.copy_(parameter + size * torch.randn_like(parameter) * ("lora_B" in path))
    model.save_pretrained(folder)
    return model.eval()


def documents():
    return [dict(tokens=torch.randint(0, 300, (length,)).tolist(), answer_begin=length // 3, weight=0.0)
            for length in (9, 17, 25, 34, 41, 48)]


def scores(model, adapter, document):
    """Log-probabilities and entropies of the answer's tokens: computed in f32, and given in f64, so that the sum over
    an answer loses nothing in TRL's arithmetic either."""
    model.set_adapter(adapter)
    tokens = torch.tensor([document["tokens"]])
    logp = torch.log_softmax(model(input_ids=tokens).logits[0, :-1], -1)[document["answer_begin"] - 1:]
    own = logp.gather(1, tokens[0, document["answer_begin"]:, None])[:, 0]
    return own.double(), -(logp.exp() * logp).sum(-1)


def padded(rows):
    return torch.nn.utils.rnn.pad_sequence(rows, batch_first=True)


def fake(model, **more):
    """What a trainer's loss asks of the trainer."""
    accelerator = types.SimpleNamespace(gather=lambda x: x, reduce=lambda x, reduction: x, num_processes=1,
                                        device="cpu", gather_for_metrics=lambda x: x)
    metrics = dict(train=collections.defaultdict(list), eval=collections.defaultdict(list))
    return types.SimpleNamespace(model=model, accelerator=accelerator, aux_loss_enabled=False, _metrics=metrics,
                                 current_gradient_accumulation_steps=1, **more)


def inputs_of(all_documents, advantages):
    masks = padded([torch.ones(len(one["tokens"]) - one["answer_begin"]) for one in all_documents])
    none = torch.zeros(len(all_documents), 0, dtype=torch.long)
    return dict(prompt_ids=none, prompt_mask=none, completion_ids=masks.long(), completion_mask=masks.long(),
                advantages=torch.tensor(advantages), num_items_in_batch=masks.sum())


def theirs_grpo(model, all_documents, said):
    def scored(*_, **__):
        found = [scores(model, "current", one) for one in all_documents]
        return padded([one for one, _ in found]), padded([entropy for _, entropy in found]), None
    loss_type = dict(answers="grpo", tokens="bnpo", constant="dr_grpo")[said["mean_over"]]
    args = types.SimpleNamespace(delta=None, use_bias_correction_kl=False, steps_per_generation=1)
    trainer = fake(model, args=args, top_entropy_quantile=1.0, off_policy_mask_threshold=None, use_vllm=False,
                   importance_sampling_level="token", beta=said.get("kl", 0.0), loss_type=loss_type,
                   epsilon_low=said["clip_low"], epsilon_high=said["clip_high"], _entropy_bonus_enabled=False,
                   max_completion_length=said.get("constant"), _get_per_token_logps_and_entropies=scored)
    inputs = inputs_of(all_documents, ADVANTAGES)
    with torch.no_grad():
        for name in ("old", "reference"):
            key = "ref_per_token_logps" if name == "reference" else "old_per_token_logps"
            inputs[key] = padded([scores(model, name, one)[0] for one in all_documents])
    loss = trl.GRPOTrainer._compute_loss(trainer, model, inputs)
    found = trainer._metrics["eval"]
    return loss, {name: found[key][0] for name, key in (
        ("entropy", "entropy"), ("clip_share", "clip_ratio/region_mean"), ("kl", "kl")) if key in found}


def theirs_rloo(model, all_documents, said):
    def scored(*_, **__):
        found = [scores(model, "current", one) for one in all_documents]
        return padded([one for one, _ in found]), padded([entropy for _, entropy in found]), None
    trainer = fake(model, epsilon_low=said["clip_low"], epsilon_high=said["clip_high"],
                   _get_per_token_logps_and_entropies=scored)
    inputs = inputs_of(all_documents, ADVANTAGES)
    with torch.no_grad():
        inputs["old_logps"] = torch.stack([scores(model, "old", one)[0].sum() for one in all_documents])
    loss = trl.RLOOTrainer._compute_loss(trainer, model, inputs)
    return loss, dict(entropy=trainer._metrics["eval"]["entropy"][0])


class Scored:
    """A model of whose outputs DPO's loss only wants what is known of the right and wrong answers' tokens."""
    training = False

    def __init__(self, model, ordered):
        self.model, self.ordered = model, ordered

    def __call__(self, **_):
        found = [scores(self.model, "current", one) for one in self.ordered]
        logp, entropy = padded([one for one, _ in found]), padded([entropy for _, entropy in found])
        return types.SimpleNamespace(log_probs=logp, entropy=entropy, mean_logits=logp, is_top1=logp > 0)


def theirs_dpo(model, all_documents, said):
    """TRL's batches have all right answers before all wrong ones."""
    ordered = all_documents[0::2] + all_documents[1::2]
    masks = padded([torch.ones(len(one["tokens"]) - one["answer_begin"] + 1) for one in ordered]).long()
    with torch.no_grad():
        reference = torch.stack([scores(model, "reference", one)[0].sum() for one in ordered]).chunk(2)
    trainer = fake(model, ld_alpha=None, precompute_ref_logps=True, f_divergence_type="reverse_kl", beta=said["beta"],
                   loss_types=["sigmoid"], loss_weights=[1.0], use_weighting=False, _total_train_tokens=0)
    inputs = dict(input_ids=masks, attention_mask=masks, completion_mask=masks, ref_chosen_logps=reference[0],
                  ref_rejected_logps=reference[1])
    loss = trl.DPOTrainer._compute_loss(trainer, Scored(model, ordered), inputs, False)
    found = trainer._metrics["eval"]
    return loss, {name: found[key][0] for name, key in (
        ("entropy", "entropy"), ("margin", "rewards/margins"), ("won", "rewards/accuracies"))}


def check(folder, model, name, said, theirs):
    torch.manual_seed(1)
    all_documents = documents()
    for i, one in enumerate(all_documents):
        one["weight"] = (1.0, -1.0)[i % 2] if said["loss"] == "preference" else ADVANTAGES[i]
    request = dict(documents=all_documents, objective=said,
                   **{one: str(folder / one) for one in ("current", "old", "reference")})
    (folder / "request.json").write_text(json.dumps(request))
    probe("objective", folder / "model", folder / "request.json", folder / "out.safetensors")
    ours = safetensors.load_file(folder / "out.safetensors")
    model.zero_grad()
    loss, metrics = theirs(model, all_documents, said)
    loss.backward()
    model.set_adapter("current")
    gradients = {path.removeprefix("base_model.model.").removesuffix(".current.weight"): parameter.grad
                 for path, parameter in model.named_parameters() if parameter.grad is not None}
    assert gradients, "nothing was learned"
    worst = 0
    for way in ("loops", "tensors"):
        close(f"{name}, {way}, loss", ours[f"{way}.loss"], loss.detach().double().reshape(1), 1e-5)
        whole = [torch.cat([of(path).flatten() for path in sorted(gradients)])
                 for of in (lambda path, way=way: ours[f"{way}.{path}"], gradients.__getitem__)]
        worst = max(worst, close(f"{name}, {way}, gradients", *whole, 1e-5))
        for metric, value in metrics.items():
            close(f"{name}, {way}, {metric}", ours[f"{way}.mean.{metric}"], torch.tensor([value]).double(), 1e-4)
    print(f"{name}: loss {loss.item():.6f}, gradients {worst:.1e}, and {', '.join(metrics)}")


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    base(folder / "model")
    model = adapted(folder)
    ratio = dict(loss="clipped_ratio", clip_low=0.02, clip_high=0.03)
    check(folder, model, "GRPO", dict(ratio, mean_over="answers", kl=0.04), theirs_grpo)
    check(folder, model, "GRPO over tokens", dict(ratio, mean_over="tokens"), theirs_grpo)
    check(folder, model, "Dr. GRPO", dict(ratio, mean_over="constant", constant=90), theirs_grpo)
    check(folder, model, "RLOO", dict(ratio, ratio="answer"), theirs_rloo)
    check(folder, model, "DPO", dict(loss="preference", beta=0.3), theirs_dpo)
