"""Tries `endpoint(…)` against servers of others, with the embedded model's own weights behind them.

    real_servers.py [--transformers PYTHON] [--llama PYTHON] [--trl PROGRAM] [--samples N]

PYTHON has `transformers[serving]`, or `llama-cpp-python[server]` and `gguf`. The embedded model gets a chat template that writes the prompt
and its marker, so that it answers as it does without a server; llama.cpp gets it as GGUF in f32. Of each server the same exam is run: undisturbed; with
trl killed in the middle and started again; with the server killed in the middle and both started again; by a wrong name; and with nobody at the
address. It prints a line for each, with what the table says, and the exam of the same model sampled by trl itself for comparison.
"""

import argparse
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[3]
TEMPLATE = "{{ messages[-1]['content'] }}{% if add_generation_prompt %}{{ '<|answer|>' }}{% endif %}"
TO_GGUF = r"""
import json, sys
import gguf, numpy
from safetensors import safe_open
folder, out = sys.argv[1:]
config, tokenizer = (json.load(open(f"{folder}/{name}.json")) for name in ("config", "tokenizer"))
tokens = {**{i: t for t, i in tokenizer["model"]["vocab"].items()}, **{t["id"]: t["content"] for t in tokenizer["added_tokens"]}}
w = gguf.GGUFWriter(out, "qwen2")
w.add_context_length(config["max_position_embeddings"]); w.add_embedding_length(config["hidden_size"]); w.add_block_count(config["num_hidden_layers"])
w.add_feed_forward_length(config["intermediate_size"]); w.add_head_count(config["num_attention_heads"]); w.add_head_count_kv(config["num_key_value_heads"])
w.add_layer_norm_rms_eps(config["rms_norm_eps"]); w.add_rope_freq_base(config["rope_theta"]); w.add_vocab_size(config["vocab_size"])
w.add_tokenizer_model("gpt2"); w.add_tokenizer_pre("gpt-2")
w.add_token_list([tokens.get(i, f"<unused{i}>").encode() for i in range(config["vocab_size"])])
special = {t["id"] for t in tokenizer["added_tokens"]}
w.add_token_types([3 if i in special else 1 for i in range(config["vocab_size"])])
w.add_token_merges([m if isinstance(m, str) else " ".join(m) for m in tokenizer["model"]["merges"]])
w.add_eos_token_id(config["eos_token_id"]); w.add_bos_token_id(config["bos_token_id"]); w.add_add_bos_token(False)
w.add_chat_template(sys.stdin.read())
names = {"input_layernorm": "attn_norm", "post_attention_layernorm": "ffn_norm", "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k",
         "self_attn.v_proj": "attn_v", "self_attn.o_proj": "attn_output", "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down"}
with safe_open(f"{folder}/model.safetensors", "pt") as file:
    for name in file.keys():
        if name == "model.embed_tokens.weight":
            own = "token_embd.weight"
        elif name == "model.norm.weight":
            own = "output_norm.weight"
        elif name == "lm_head.weight":
            own = "output.weight"
        else:
            layer, rest = name.removeprefix("model.layers.").split(".", 1)
            part, kind = rest.rsplit(".", 1)
            own = f"blk.{layer}.{names[part]}.{kind}"
        w.add_tensor(own, file.get_tensor(name).float().numpy())
w.write_header_to_file(); w.write_kv_data_to_file(); w.write_tensors_to_file(); w.close()
"""
ALLOW = ', allow(pretrained_on_exam, "it is compared with itself")'
STUDY = """import windtunnel
model asked {{ weights = {weights}{allow} }}
evaluation exam {{ split = sample(windtunnel.level1, n = 10, seed = 1), samples = {samples}, temperature = 0.8, max_tokens = 600 }}
experiment study {{ model = asked, evaluate = exam }}
table main {{ of = study, columns = [valid, correct, tokens] }}
"""


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Server:
    def __init__(self, command, port, log):
        self.command, self.port, self.log = command, port, log
        self.process = None

    def start(self):
        self.process = subprocess.Popen(self.command, stdout=open(self.log, "ab"), stderr=subprocess.STDOUT, start_new_session=True)
        for _ in range(600):
            if self.process.poll() is not None:
                sys.exit(f"the server ended: {self.log}\n{pathlib.Path(self.log).read_text()[-2000:]}")
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/docs", timeout=2)
                return
            except OSError:
                time.sleep(0.2)
        sys.exit(f"the server doesn't answer: {self.log}")

    def stop(self):
        if self.process is not None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None


class Study:
    def __init__(self, trl, folder, weights, samples):
        self.trl, self.folder = trl, folder
        folder.mkdir(parents=True)
        (folder / "study.trl").write_text(STUDY.format(weights=weights, samples=samples, allow=ALLOW if weights == "windtunnel.base" else ""))

    def begin(self):
        return subprocess.Popen([self.trl, "run", "study.trl"], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def run(self):
        begun = time.time()
        process = self.begin()
        said = process.communicate()[0]
        return process.returncode, said, time.time() - begun

    def journal(self):
        """Answers that are kept so far."""
        return sum(file.read_text().count("\n") for file in self.folder.glob("runs/.store/checkpoints/*/*.jsonl"))

    def figures(self):
        row = json.loads((self.folder / "runs/study/main.json").read_text())["rows"][0]["figures"]
        answers = next(self.folder.glob("runs/.store/stages/*/*/answers.jsonl"), None)
        count = len(answers.read_text().splitlines()) if answers else 0
        return f"{count:4d} answers kept, valid {row['valid']['value']:.3f}, correct {row['correct']['value']:.3f}"


def last_words(said):
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    at = next((i for i, line in enumerate(lines) if line.startswith("error")), len(lines) - 1)
    return " ".join(lines[at:at + 4])[:200]


def interrupted(study, server=None):
    """Kills trl, or the server, once some answers are there; then goes on."""
    process = study.begin()
    while study.journal() < 5 and process.poll() is None:
        time.sleep(0.02)
    before = study.journal()
    if server is None:
        process.kill()
        process.wait()
        return before, ""
    server.stop()
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    said = process.communicate()[0]
    server.start()
    return before, said


def try_server(name, make, trl, folder, samples):
    print(f"\n{name}")
    port = free_port()
    server = Server(make(port), port, str(folder / f"{name}.log"))
    server.start()
    weights = f'endpoint("http://127.0.0.1:{port}/v1", name = "{make.model}", concurrency = 2, timeout = 120 s)'
    try:
        study = Study(trl, folder / name / "undisturbed", weights, samples)
        status, said, seconds = study.run()
        print(f"  undisturbed      status {status}, {seconds:5.1f} s, {study.figures() if status == 0 else last_words(said)}")
        study = Study(trl, folder / name / "killed", weights, samples)
        before, _ = interrupted(study)
        status, said, seconds = study.run()
        print(f"  trl killed       after {before} answers; again: status {status}, {study.figures() if status == 0 else last_words(said)}")
        study = Study(trl, folder / name / "server_killed", weights, samples)
        before, said = interrupted(study, server)
        status, said, seconds = study.run()
        print(f"  server killed    after {before} answers; again: status {status}, {study.figures() if status == 0 else last_words(said)}")
        study = Study(trl, folder / name / "misnamed", weights.replace(make.model, "nobody/no-such-model"), 1)
        status, said, seconds = study.run()
        print(f"  another name     status {status}, {seconds:5.1f} s: {last_words(said) if status else 'the server answers whatever it is called'}")
    finally:
        server.stop()
    study = Study(trl, folder / name / "nobody", weights, 1)
    status, said, seconds = study.run()
    print(f"  nobody there     status {status}, {seconds:5.1f} s: {last_words(said)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--transformers", help="a Python with transformers[serving]")
    parser.add_argument("--llama", help="a Python with llama-cpp-python[server], gguf, torch and safetensors")
    parser.add_argument("--trl", default=str(ROOT / "trl"))
    parser.add_argument("--samples", type=int, default=4)
    given = parser.parse_args()
    given.trl = str(pathlib.Path(given.trl).resolve())
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        model = folder / "windtunnel"
        shutil.copytree(ROOT / "stdlib" / "windtunnel", model)
        # Transformers takes the tokenizer's class from the model's type, whose splitting is another; this class reads tokenizer.json as it is.
        (model / "own_tokenizer.py").write_text("from transformers import PreTrainedTokenizerFast\n\n\nclass Own(PreTrainedTokenizerFast):\n    pass\n")
        (model / "tokenizer_config.json").write_text(json.dumps({
            "tokenizer_class": "Own", "auto_map": {"AutoTokenizer": ["own_tokenizer.Own", None]}, "eos_token": "<|endoftext|>",
            "additional_special_tokens": ["<|answer|>"], "chat_template": TEMPLATE,
            # How the server finds the answer; what it takes for Qwen2 wants the marks of its chats.
            "response_template": {"defaults": {"role": "assistant"}, "start_anchor": "<|answer|>",
                                  "fields": {"content": {"close": "<|endoftext|>", "content": "text"}}}}))
        # Without do_sample it ignores the temperature that is asked for.
        (model / "generation_config.json").write_text(json.dumps({"do_sample": True, "top_k": 0, "eos_token_id": 0}))
        own = Study(given.trl, folder / "own", "windtunnel.base", given.samples)
        status, said, seconds = own.run()
        print(f"sampled by trl     status {status}, {seconds:5.1f} s, {own.figures() if status == 0 else last_words(said)}")

        def transformers(port):
            return [given.transformers, "-m", "transformers.cli.transformers", "serve", str(model), "--port", str(port), "--host", "127.0.0.1",
                    "--device", "cpu", "--dtype", "float32", "--trust-remote-code"]

        def llama(port):
            return [given.llama, "-m", "llama_cpp.server", "--model", str(folder / "windtunnel.gguf"), "--model_alias", "windtunnel", "--port", str(port),
                    "--host", "127.0.0.1", "--n_ctx", "2048"]

        transformers.model, llama.model = str(model), "windtunnel"
        if given.transformers:
            try_server("transformers", transformers, given.trl, folder, given.samples)
        if given.llama:
            subprocess.run([given.llama, "-c", TO_GGUF, str(model), str(folder / "windtunnel.gguf")], input=TEMPLATE, text=True, check=True)
            try_server("llama.cpp", llama, given.trl, folder, given.samples)


if __name__ == "__main__":
    main()
