"""Logits and gradients of a small random model equal those of transformers' Qwen2ForCausalLM."""
import json
import pathlib
import tempfile

from support import close, need, probe

torch, transformers, safetensors = need("torch", "transformers", "safetensors.torch")

with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    for tied, heads, kv_heads in ((True, 4, 2), (False, 4, 4), (True, 6, 1)):
        torch.manual_seed(0)
        config = transformers.Qwen2Config(vocab_size=131, hidden_size=16 * heads, intermediate_size=96, num_hidden_layers=3,
                                          num_attention_heads=heads, num_key_value_heads=kv_heads,
                                          max_position_embeddings=128, tie_word_embeddings=tied, initializer_range=0.2)
        theirs = transformers.Qwen2ForCausalLM(config).float()
        with torch.no_grad():
            for parameter in theirs.parameters():  # norms and biases too
                parameter += 0.1 * torch.randn_like(parameter)
        theirs.save_pretrained(folder / "model")
        tokens = torch.randint(0, 131, (3, 50))
        (folder / "tokens.json").write_text(json.dumps(tokens.tolist()))
        probe("model", folder / "model", folder / "tokens.json", folder / "out.safetensors")
        ours = safetensors.load_file(folder / "out.safetensors")
        logits = theirs(tokens).logits
        torch.nn.functional.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten()).backward()
        worst = close("logits", ours["logits"], logits.detach(), 2e-5)
        gradients = 0
        for path, parameter in theirs.named_parameters():
            gradients = max(gradients, close(path, ours["gradient." + path], parameter.grad, 2e-4))
        print(f"tied {tied}, heads {heads}/{kv_heads}: logits {worst:.1e}, gradients {gradients:.1e}")
