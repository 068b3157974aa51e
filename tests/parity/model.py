"""Logits, gradients and greedy answers of small random models of every family equal those of transformers."""
import json
import pathlib
import tempfile

from support import close, need, probe

torch, transformers, safetensors = need("torch", "transformers", "safetensors.torch")
transformers.utils.logging.disable_progress_bar()

LINEAR = dict(rope_type="linear", factor=4.0, rope_theta=100000.0)  # DeepSeek-Coder's
LLAMA3 = dict(rope_type="llama3", factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0,
              original_max_position_embeddings=24, rope_theta=500000.0)
QWEN2, QWEN3, LLAMA = transformers.Qwen2Config, transformers.Qwen3Config, transformers.LlamaConfig
STARCODER2 = transformers.Starcoder2Config
VOCABULARY, POSITIONS = 131, 128

# (class, heads, heads of keys, head size or None for hidden / heads, hidden, tied, further fields)
MODELS = [
    (QWEN2, 4, 2, None, 64, True, {}),
    (QWEN2, 4, 4, None, 72, False, dict(rope_parameters=LINEAR)),
    (QWEN2, 6, 1, None, 84, True, dict(use_sliding_window=True, sliding_window=60, max_window_layers=1)),
    (QWEN3, 6, 2, 10, 36, False, {}),
    (QWEN3, 3, 3, 32, 55, True, dict(attention_bias=True)),
    (LLAMA, 4, 4, None, 72, False, {}),
    (LLAMA, 6, 3, None, 60, False, dict(rope_parameters=LINEAR)),
    (LLAMA, 4, 1, 18, 48, True, dict(rope_parameters=LLAMA3)),
    (LLAMA, 5, 5, None, 70, False, dict(rope_parameters=LLAMA3, attention_bias=True, mlp_bias=True)),
    (STARCODER2, 6, 2, None, 84, True, dict(sliding_window=60)),
    (STARCODER2, 4, 4, None, 56, False, dict(use_bias=False, sliding_window=None)),
]


def random_model(kind, heads, kv_heads, head_size, hidden, tied, further):
    sizes = dict(head_dim=head_size) if head_size else {}
    config = kind(vocab_size=VOCABULARY, hidden_size=hidden, intermediate_size=95, num_hidden_layers=3,
                  num_attention_heads=heads, num_key_value_heads=kv_heads, max_position_embeddings=POSITIONS,
                  tie_word_embeddings=tied, initializer_range=0.2, bos_token_id=1, eos_token_id=[2, 3], pad_token_id=0,
                  attention_dropout=0.0, **sizes, **further)
    if kind is STARCODER2:
        config.residual_dropout = config.embedding_dropout = 0.0
    model = transformers.AutoModelForCausalLM.from_config(config, attn_implementation="eager").float().eval()
    with torch.no_grad():
        for parameter in model.parameters():  # norms and biases too
            parameter += 0.1 * torch.randn_like(parameter)
    return model


def greedy(model, prompt, count):
    ids = torch.tensor([prompt])
    made = model.generate(ids, attention_mask=torch.ones_like(ids), do_sample=False, max_new_tokens=count)
    return made[0, len(prompt):].tolist()


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    for seed, description in enumerate(MODELS):
        torch.manual_seed(seed)
        theirs = random_model(*description)
        theirs.save_pretrained(folder / "model")
        window = description[-1].get("sliding_window") or POSITIONS
        tokens = torch.randint(1, VOCABULARY, (3, min(50, window)))  # 0 pads: it gets no gradient there
        (folder / "tokens.json").write_text(json.dumps(tokens.tolist()))
        probe("model", folder / "model", folder / "tokens.json", folder / "out.safetensors")
        ours = safetensors.load_file(folder / "out.safetensors")
        logits = theirs(tokens).logits
        torch.nn.functional.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten()).backward()
        worst = close("logits", ours["logits"], logits.detach(), 1e-5)
        gradients = 0
        for path, parameter in theirs.named_parameters():
            gradients = max(gradients, close(path, ours["gradient." + path], parameter.grad, 2e-4))

        prompts = [torch.randint(4, VOCABULARY, (length,)).tolist() for length in (1, 7, 20)]
        count = 39  # positions beyond the 24 of LLAMA3, and within the sliding windows
        (folder / "prompts.json").write_text(json.dumps(prompts))
        probe("greedy", folder / "model", folder / "prompts.json", count, folder / "greedy.json")
        found = json.loads((folder / "greedy.json").read_text())
        for prompt, by_loops, by_tensors in zip(prompts, found["loops"], found["tensors"]):
            expected = greedy(theirs, prompt, count)
            assert by_loops == expected, f"{description}: {by_loops} instead of {expected}"
            assert by_tensors == expected, f"{description}: {by_tensors} instead of {expected}"
        print(f"{description[0].model_type} {description[1:]}: logits {worst:.1e}, gradients {gradients:.1e}, "
              f"{[len(made) for made in found['loops']]} greedy tokens")
