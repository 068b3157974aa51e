"""Runs the files of docs/integrations.md with real trainers, against the real `trl serve`.

    trainers_tests.py TRL hf_trl|verl|verifiers|openenv

TRL is the program. `environments` beside this file makes the Python environments; without one the test is skipped. The figures printed
last are those that were compared.
"""

import ast
import json
import pathlib
import re
import sys
import tempfile

import service
import setting

TRL = sys.argv[1]


def hf_trl(python, folder, url):
    """GRPO raises the share of right answers of a small model, on the CPU."""
    setting.small_model(python, folder, url)
    said = setting.run(
        python, "grpo.py", "--model_name_or_path", "tiny", "--tasks", "1", "--output_dir", "grpo", "--max_steps", "20", "--num_generations", "16",
        "--per_device_train_batch_size", "16", "--max_completion_length", "16", "--learning_rate", "1e-3", "--logging_steps", "1",
        "--report_to", "none", "--use_cpu", "true", "--bf16", "false", "--seed", "1", folder=folder, TRL_SERVE_URL=url,
    )  # fmt: skip
    correct = [float(share) for share in re.findall(r"'kernels/correct': '?([0-9.e-]+)", said)]
    rewards = [float(reward) for reward in re.findall(r"'reward': '?([0-9.e-]+)", said)]
    unjudged = [float(share) for share in re.findall(r"'kernels/unjudged': '?([0-9.e-]+)", said)]
    assert len(rewards) == len(correct) == 20 and not any(unjudged), said
    first, last = sum(rewards[:5]) / 5, sum(rewards[-5:]) / 5
    print("mean rewards of the steps:", *(f"{reward:.2f}" for reward in rewards))
    print(f"the first five steps: {first:.2f}, the last five: {last:.2f}")
    assert last > first + 0.2, "training with the service's reward raised it by less than 0.2"


def verl(python, folder, url):
    """verl loads its own configuration with the page's settings, and its reward loop scores answers in Ray."""
    setting.small_model(setting.python_of("hf_trl"), folder, url)
    said = setting.run(
        python, "train_verl.py", "--check", "actor_rollout_ref.model.path=tiny", "reward.num_workers=1", folder=folder, TRL_SERVE_URL=url,
        RAY_DEDUP_LOGS="0",
    )  # fmt: skip
    print(scored := re.search(r"^rewards (\[.*\]) reasons (\[.*\])$", said, re.MULTILINE)[0])
    right, wrong = ast.literal_eval(re.search(r"\[.*?\]", scored)[0])
    assert right > 0.7 and wrong == 0, scored
    print(setting.run(python, setting.HERE / "inside_verl.py", folder=folder, TRL_SERVE_URL=url).strip())


def verifiers(python, folder, url):
    """verifiers' own evaluation asks a model behind a server, tells it why answers are wrong, and records rewards."""
    served = setting.python_of("hf_trl")
    setting.small_model(served, folder, url)
    with setting.model_server(served, folder) as model:
        configuration = (folder / "kernels.toml").read_text()
        changes = {"http://127.0.0.1:8000/v1": model, "Qwen/Qwen2.5-Coder-7B-Instruct": "tiny", "limit = 20": "limit = 1", "rollouts = 4": "rollouts = 6"}
        for old, new in changes.items():
            assert old in configuration, old
            configuration = configuration.replace(old, new)
        (folder / "kernels.toml").write_text(configuration)
        path = f"{python.parent}:/usr/bin:/bin"
        setting.run(python.parent / "vf-eval", "@", "kernels.toml", "--rich", "None", folder=folder, TRL_SERVE_URL=url, PATH=path, OPENAI_API_KEY="none")
    traces = [trace for file in folder.glob("outputs/*/traces.jsonl") for line in file.read_text().splitlines() for trace in json.loads(line)["traces"]]
    assert len(traces) == 6 and all(trace["ok"] for trace in traces), traces
    turns = [trace["metrics"]["turns"] for trace in traces]
    for trace in traces:
        texts = [node["message"]["content"] for node in trace["nodes"]]
        assert len(texts) == 2 * trace["metrics"]["turns"], "an answer follows each message"
        assert all(text.startswith("The kernel isn't right. ") for text in texts[2::2]), texts
        right = trace["metrics"]["correct"] == 1
        assert (trace["rewards"]["kernel_reward"]["score"] > 0.7) == right and (right or trace["metrics"]["turns"] == 3)
    print("turns", turns, "correct", [trace["metrics"]["correct"] for trace in traces])
    print(setting.run(python, setting.HERE / "inside_verifiers.py", folder=folder, TRL_SERVE_URL=url).strip())
    print("without the service:", *absent_from_verifiers(python, served, folder))


def absent_from_verifiers(python, served, folder):
    """Episodes at a stand-in that goes away: without a retry no reward and an error, with one as ever."""
    with service.running() as gone, setting.model_server(served, folder) as model:
        for name, away, retries in (("failed", 2, 0), ("repeated", 1, 1)):
            gone.away = away
            setting.run(
                python.parent / "vf-eval", "trl-kernels", "--env.taskset.url", gone.url, "--env.timeout_s", "5", "--env.retries.max_retries", retries,
                "-n", "1", "-r", "2", "--model", "tiny", "--client.base_url", model, "--sampling.max_tokens", "16", "--no-push", "--rich", "None",
                "--run.dir", name, "--max_concurrent", "1", folder=folder, PATH=f"{python.parent}:/usr/bin:/bin", OPENAI_API_KEY="none",
            )  # fmt: skip
            episodes = [json.loads(line) for line in next(folder.glob(f"**/{name}/traces.jsonl")).read_text().splitlines()]
            rewards = [trace["rewards"] for episode in episodes for trace in episode["traces"]]
            assert len(episodes) == 2, episodes
            if retries:
                assert all(episode["ok"] for episode in episodes) and all(reward["kernel_reward"]["score"] == 0 for reward in rewards), episodes
            else:
                assert not any(rewards) and all("draining" in str(episode["errors"]) for episode in episodes), episodes
            yield f"{name} {rewards}"


def openenv(python, folder, url):
    """OpenEnv's client plays episodes at our server with a model behind another."""
    served = setting.python_of("hf_trl")
    setting.small_model(served, folder, url)
    port = setting.free_port()
    environment = f"http://127.0.0.1:{port}"
    command = (python, "-m", "trl_kernels.openenv", "--suite", "level1", "--turns", "3", "--port", port)
    with setting.started(*command, folder=folder, ready=environment + "/health", TRL_SERVE_URL=url), setting.model_server(served, folder) as model:
        said = setting.run(python, "episodes.py", environment, model, "tiny", "6", "level1/1", folder=folder)
        print(said.strip())
        episodes = re.findall(r"^level1/1: (\d) answers, reward ([0-9.]+), correct (True|False)$", said, re.MULTILINE)
        assert len(episodes) == 6 and all((float(reward) > 0.7) == (correct == "True") for _, reward, correct in episodes), said
        assert all(correct == "True" or turns == "3" for turns, _, correct in episodes), said
        print(setting.run(python, setting.HERE / "inside_openenv.py", environment, folder=folder, TRL_SERVE_URL=url).strip())
    with service.running() as gone, setting.started(*command, folder=folder, ready=environment + "/health", TRL_SERVE_URL=gone.url):
        gone.away = 1
        print(setting.run(python, setting.HERE / "inside_openenv.py", environment, "away", folder=folder).strip())


def main():
    test = {"hf_trl": hf_trl, "verl": verl, "verifiers": verifiers, "openenv": openenv}[sys.argv[2]]
    python = setting.python_of(sys.argv[2])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        setting.write_files(folder)
        with setting.service(TRL, folder) as url:
            test(python, folder, url)


if __name__ == "__main__":
    main()
