"""Makes a Qwen2 of some hundred thousand weights that writes Triton kernels for one task, some of them right, in seconds on a CPU.

    tiny_model.py FOLDER PROMPT_FILE      # the folder that from_pretrained reads; the file has the task's prompt

Everything is made here: tokenizer, chat template and weights. The model is fine-tuned on texts that combine, each independently, a
formula, a mask and a block size, so that training with a reward has something to find. Two of the 16 texts are right for relu, and
are drawn three times as often as others.
"""

import pathlib
import random
import sys

import torch
from relu_answers import answers, pieces
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import AutoTokenizer, PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM

# Qwen2's own form, by whose marks servers find the answer.
TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def make_tokenizer(prompt):
    """Byte pairs of the prompt, and a token for each piece of an answer, so that an answer has nine tokens and sampling takes moments."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    special = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    tokenizer.train_from_iterator([prompt], trainers.BpeTrainer(vocab_size=600, special_tokens=special, initial_alphabet=alphabet))
    tokenizer.add_tokens([AddedToken(piece, normalized=False) for piece in pieces()])
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, pad_token="<|endoftext|>", eos_token="<|im_end|>", chat_template=TEMPLATE)


def make_model(tokenizer):
    config = Qwen2Config(
        vocab_size=len(tokenizer), hidden_size=96, intermediate_size=192, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2,
        max_position_embeddings=2048, tie_word_embeddings=True, pad_token_id=tokenizer.pad_token_id, eos_token_id=tokenizer.eos_token_id,
        bos_token_id=None,
    )  # fmt: skip
    model = Qwen2ForCausalLM(config)
    model.generation_config.update(pad_token_id=tokenizer.pad_token_id, eos_token_id=tokenizer.eos_token_id, do_sample=True)
    return model


def finetune(model, tokenizer, prompt, steps=120, batch=16):
    """Supervised fine-tuning on answers that are drawn at random."""
    texts = [*answers()]
    asked = tokenizer.apply_chat_template([{"role": "user", "content": prompt}], add_generation_prompt=True, tokenize=False)
    before = tokenizer(asked, add_special_tokens=False)["input_ids"]
    rows = [tokenizer(text + "<|im_end|>", add_special_tokens=False)["input_ids"] for text in texts]
    optimiser = torch.optim.AdamW(model.parameters(), lr=3e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 3e-3, total_steps=steps)
    draw = random.Random(0)
    for step in range(steps):
        chosen = draw.choices(rows, [3, 3] + [1] * (len(rows) - 2), k=batch)
        longest = max(map(len, chosen))
        ids = torch.tensor([before + row + [tokenizer.pad_token_id] * (longest - len(row)) for row in chosen])
        labels = torch.tensor([[-100] * len(before) + row + [-100] * (longest - len(row)) for row in chosen])
        loss = model(input_ids=ids, labels=labels).loss
        loss.backward()
        optimiser.step()
        schedule.step()
        optimiser.zero_grad()
        if step % 20 == 0 or step == steps - 1:
            print(f"fine-tuning step {step}: loss {loss.item():.3f} of {len(before)} + {longest} tokens", flush=True)


def main(folder, prompt_file):
    torch.manual_seed(0)
    prompt = pathlib.Path(prompt_file).read_text()
    tokenizer = make_tokenizer(prompt)
    model = make_model(tokenizer)
    print(f"{sum(weights.numel() for weights in model.parameters())} weights, {len(tokenizer)} tokens")
    finetune(model, tokenizer, prompt)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    assert all(AutoTokenizer.from_pretrained(folder)(text)["input_ids"] == tokenizer(text)["input_ids"] for text in answers())


if __name__ == "__main__":
    main(*sys.argv[1:])
