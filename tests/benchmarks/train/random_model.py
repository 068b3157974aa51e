"""The tensors of a Qwen2 model whose weights are drawn, and the head of the safetensors file that holds them."""
import json
import math


def shapes_of(config):
    """The shape of each tensor by its name, in the order of the file; `config` is that of config.json."""
    hidden, inner = config["hidden_size"], config["intermediate_size"]
    keys = config["num_key_value_heads"] * (hidden // config["num_attention_heads"])
    shapes = {"model.embed_tokens.weight": [config["vocab_size"], hidden], "model.norm.weight": [hidden]}
    if not config["tie_word_embeddings"]:
        shapes["lm_head.weight"] = [config["vocab_size"], hidden]
    for layer in range(config["num_hidden_layers"]):
        for name, out, into in (("self_attn.q", hidden, hidden), ("self_attn.k", keys, hidden), ("self_attn.v", keys, hidden),
                                ("self_attn.o", hidden, hidden), ("mlp.gate", inner, hidden), ("mlp.up", inner, hidden),
                                ("mlp.down", hidden, inner)):
            shapes[f"model.layers.{layer}.{name}_proj.weight"] = [out, into]
            if name[-1] in "qkv":
                shapes[f"model.layers.{layer}.{name}_proj.bias"] = [out]
        for name in ("input", "post_attention"):
            shapes[f"model.layers.{layer}.{name}_layernorm.weight"] = [hidden]
    return shapes


def head_of(shapes):
    """What stands before the tensors in a safetensors file, in bf16, and the number of bytes of all of them."""
    header, at = {}, 0
    for name, shape in shapes.items():
        end = at + 2 * math.prod(shape)
        header[name] = dict(dtype="BF16", shape=shape, data_offsets=[at, end])
        at = end
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text, at
