"""The evaluations of other projects, as they are at their defaults: each class imports one project's code from a checkout and asks it for a reward.

A row of a candidate has "program" (its Python), "module" (the task as a module in KernelBench's form), "dtypes" of the task's inputs, "outputs" and
"language". Where a package that the evaluation doesn't use isn't installed, an empty module stands for it.
"""

import asyncio
import atexit
import importlib
import inspect
import json
import os
import pathlib
import select
import signal
import subprocess
import sys
import time
import traceback
import types
import weakref
from unittest import mock

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "kernelbench"))
import beside  # noqa: E402

# What an answer may use without an import, here as for `trl verify`.
ANSWER_HEAD = "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\nimport triton\nimport triton.language as tl\n"
PRECISIONS = {"f32": "fp32", "f16": "fp16", "bf16": "bf16"}


class Settings:
    """Stands for pydantic's BaseSettings: the fields' defaults, whether pydantic's own Field holds them or `field` below."""

    def __init__(self):
        for name in getattr(type(self), "__annotations__", {}):
            value = getattr(type(self), name)
            if hasattr(value, "default_factory"):
                setattr(self, name, value.default_factory() if value.default_factory else value.default)


def field(default=None, *, default_factory=None, **_):
    return default_factory() if default_factory else default


def stand_in(name, **members):
    """Puts a module with these members in the place of one that isn't installed."""
    try:
        importlib.import_module(name)
    except ImportError:
        sys.modules[name] = types.ModuleType(name)
        vars(sys.modules[name]).update(members)


def stand_ins():
    """Modules that the peers import where they evaluate, and don't use there."""
    for name, members in beside.STUBS.items():
        stand_in(name, **{member: lambda *_, **__: None for member in members})
    stand_in("pydantic", BaseModel=beside.Record, Field=field, validator=lambda *_, **__: lambda function: function)
    stand_in("pydantic_settings", BaseSettings=Settings)


def without_cuda():
    """For what asks for the GPU in a process that is to fork: a fork can't use CUDA once its parent has asked."""
    import torch
    return mock.patch.object(torch.cuda, "is_available", lambda: False)


def imported(name):
    """Imports a module, whose default arguments may ask for the current GPU."""
    with without_cuda():
        return importlib.import_module(name)


def forked():
    """os.fork, for a child that is to use CUDA."""
    import torch
    child = os.fork()
    if child == 0 and torch.cuda._is_in_bad_fork():
        print("the process that forks has asked for the GPU", file=sys.stderr, flush=True)
        os._exit(1)
    return child


def package(name, folder):
    """A package whose own __init__ isn't run, since it imports servers."""
    module = types.ModuleType(name)
    module.__path__ = [str(folder)]
    sys.modules[name] = module


def answer(row):
    return ANSWER_HEAD + row["program"]


class KernelBench:
    title, option = "KernelBench", "kernelbench"
    claims = ("the values of 5 drawn inputs, by torch.allclose with 1e-4 (f32) or 1e-2 (f16, bf16), shapes; a speed-up above 10 is noted, and refuses nothing",
              "src/kernelbench/eval.py: eval_kernel_against_ref; scripts/eval_from_generations.py: EvalConfig")
    reward = "correct; it is a benchmark, whose score counts correct answers (and fast ones among them)"

    def __init__(self, folder):
        stand_ins()
        sys.path.insert(0, str(folder / "src"))
        self.evaluation = imported("kernelbench.eval")
        evaluate = self.evaluation.eval_kernel_against_ref
        evaluate.__defaults__ = tuple(0 if one.name == "device" else one.default for one in inspect.signature(evaluate).parameters.values() if one.default is not one.empty)
        self.checker = imported("kernelbench.kernel_static_checker")
        imported("kernelbench.utils")

    @staticmethod
    def unasked(row):
        if row["outputs"] != 1:
            return "it compares one tensor"
        if len(set(row["dtypes"])) != 1 or row["dtypes"][0] not in PRECISIONS:
            return "it casts all inputs to one floating-point dtype"
        return None

    def __call__(self, row):
        import torch
        precision = PRECISIONS[row["dtypes"][0]]
        found = self.evaluation.eval_kernel_against_ref(
            row["module"], answer(row), measure_performance=True, timing_method="cuda_event", num_correct_trials=5, num_perf_trials=100, build_dir=None,
            device=torch.device("cuda:0"), backend=row["language"], precision=self.evaluation.get_torch_dtype_from_string(precision))
        valid, errors, _ = self.checker.validate_kernel_static(answer(row), backend=row["language"], precision=precision)
        right = bool(found and found.correctness)
        return {"right": right, "rewarded": right, "speedup": found.ref_runtime / found.runtime if right and found.runtime > 0 and found.ref_runtime > 0 else None,
                "flagged": bool(right and found.metadata.get("excessive_speedup")), "static": valid,
                "why": "; ".join(errors) or ("" if right else why_of(found and found.metadata))}


def why_of(metadata):
    for key in ("correctness_issue", "runtime_error", "compilation_error", "error"):
        if metadata and metadata.get(key):
            return str(metadata[key])[:200]
    return "no result"


class KernelGym:
    title, option = "KernelGYM", "kernelgym"
    claims = ("the values of 5 drawn inputs, by torch.allclose with 1e-2, shapes; that a Triton kernel is launched (a hook on Triton's launchers); by torch.profiler, that a "
              "kernel of that name ran, else the answer is a decoy; the kernels' share of the time",
              "kernelgym/toolkit/kernelbench/{pipeline,correctness,triton_detect,profiling}.py; drkernel/kernel/rewards/reward_client.py, coverage_helper.py")
    reward = ("above 0 by calculate_reward_speedup, as in the released recipe scripts/rl/14b_trloo_mrs_pr_prs.sh; *kept* are answers that its coverage_rs then leaves in the "
              "loss with a probability above one half, since their kernels' share of the time is above 0.35")

    def __init__(self, folder):
        stand_ins()
        remote = types.SimpleNamespace(remote=lambda *_: None)
        for name, members in (("ray", {"remote": lambda one: one, "ObjectRef": object}), ("httpx", {"Client": None}), ("verl", {}), ("verl.tools", {}),
                              ("verl.tools.sandbox_fusion_tools", {"TokenBucketWorker": remote})):
            stand_in(name, **members)
        package("kernelgym", folder / "kernelgym")
        package("kernelgym.workflow", folder / "kernelgym/workflow")
        package("kernelgym.rewards", folder / "drkernel/kernel/rewards")
        for module in ("kernelgym.toolkit.kernelbench.toolkit", "kernelgym.backend", "kernelgym.workflow.kernelbench", "kernelgym.rewards.reward_client",
                       "kernelgym.utils.error_classifier"):
            imported(module)
        self.workflow = sys.modules["kernelgym.workflow.kernelbench"].KernelBenchWorkflowController
        # The weights are those of config/kernel_trainer.yaml, all else is the recipe's.
        coverage = types.SimpleNamespace(enable=True, weight=0.5, reward_type="time_coverage")
        client = sys.modules["kernelgym.rewards.reward_client"].KernelRewardClient
        self.client = client.__new__(client)
        vars(self.client).update(penalty_score=0.0, init_correct_weight=0.5, init_performance_weight=0.5, speedup_reward_upper_bound=3.0, speedup_reward_lower_bound=0.0,
                                 reward_config=types.SimpleNamespace(coverage_reward=coverage))

    @staticmethod
    def unasked(row):
        if row["language"] != "triton":
            return "its reward client asks for Triton alone"
        if row["outputs"] != 1:
            return "it compares one tensor"
        if row["output_dtype"] in ("bool", "f8e4m3", "f8e5m2"):
            return "torch.allclose has no such dtype"
        return None

    def __call__(self, row):
        result = asyncio.run(self.workflow().handle_request({
            "task_id": "one", "reference_code": row["module"], "kernel_code": answer(row), "entry_point": "Model", "backend": "triton", "num_correct_trials": 5,
            "num_perf_trials": 100, "enable_profiling": True, "timeout": 300}, Scheduler()))
        reward = self.client.calculate_reward_speedup(result)
        coverage = self.client.compute_coverage_reward(result)["coverage"]
        kept = min(max((coverage - 0.3) / 0.1, 0), 1)
        right = bool(result.get("compiled") and result.get("correctness") and not result.get("decoy_kernel"))
        return {"right": right, "rewarded": reward["reward"] > 0, "kept": reward["reward"] > 0 and kept > 0.5, "reward": reward["reward"], "speedup": reward.get("speedup"), "coverage": coverage,
                "why": "decoy" if result.get("decoy_kernel") else "" if right else why_of({"error": result.get("error_message"), **(result.get("metadata") or {})})}


class Scheduler:
    """Carries out each of the workflow's tasks in a process of its own, as its worker pool does (max_tasks_per_worker = 1)."""

    def __init__(self):
        self.results = {}

    async def submit(self, spec):
        toolkit = sys.modules["kernelgym.toolkit.kernelbench.toolkit"].KernelBenchToolkit
        backend = sys.modules["kernelgym.backend"].get_backend("kernelbench")
        reading, writing = os.pipe()
        child = forked()
        if child == 0:
            os.close(reading)
            os.set_inheritable(writing, False)
            result = toolkit().evaluate(spec.payload, backend=backend)
            with os.fdopen(writing, "w") as out:
                out.write(json.dumps(result, default=str))
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading) as given:
            text = given.read()
        status = os.waitpid(child, 0)[1]
        self.results[spec.kind] = json.loads(text) if text else {"error_message": f"the worker ended with status {status}"}
        return spec.kind

    async def wait(self, kind):
        return self.results[kind]


class Forked:
    """Stands for the module subprocess where an evaluation runs scripts by `python -c`: a fork, which has imported PyTorch already, executes the script."""

    TimeoutExpired = subprocess.TimeoutExpired

    @staticmethod
    def run(command, *, capture_output, text, timeout):
        assert command[:2] == [sys.executable, "-c"] and capture_output and text
        pipes = [os.pipe(), os.pipe()]
        child = forked()
        if child == 0:
            os.setpgid(0, 0)
            for at, (_, writing) in enumerate(pipes):
                os.dup2(writing, at + 1)
            os.closerange(3, 1 << 10)
            sys.argv = ["-c"]
            atexit._clear()  # what is to be done at the end is the script's own
            weakref.finalize._registry.clear()
            weakref.finalize._registered_with_atexit = False
            status = 0
            try:
                exec(compile(command[2], "<string>", "exec"), {"__name__": "__main__"})
            except SystemExit as end:
                status = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
            except BaseException:
                status = 1
                traceback.print_exc()
            atexit._run_exitfuncs()
            for stream in (sys.stdout, sys.stderr):
                stream.flush()
            os._exit(status & 255)
        said, open_ones, end = {reading: b"" for reading, _ in pipes}, {reading for reading, _ in pipes}, time.monotonic() + timeout
        for _, writing in pipes:
            os.close(writing)
        while open_ones and time.monotonic() < end:
            for reading in select.select(list(open_ones), [], [], max(0, end - time.monotonic()))[0]:
                piece = os.read(reading, 1 << 16)
                said[reading] += piece
                if not piece:
                    open_ones.discard(reading)
        if open_ones:
            os.kill(child, signal.SIGKILL)
        status = os.waitpid(child, 0)[1]
        for reading in said:
            os.close(reading)
        if open_ones:
            raise subprocess.TimeoutExpired(command, timeout)
        out, errors = (text.decode(errors="replace") for text in said.values())
        return subprocess.CompletedProcess(command, os.waitstatus_to_exitcode(status), out, errors)


class Kernrl:
    title, option = "kernrl", "kernrl"
    claims = ("the values of one drawn input: the largest error against 0.05 + 0.02 times the largest value", "envs/kernrl/server/evaluator.py: LocalGPUEvaluator")
    reward = "its _compute_reward: positive if the answer is right and faster than PyTorch, by the wall clock"

    def __init__(self, folder):
        folder = folder / "envs/kernrl" if (folder / "envs").is_dir() else folder
        package("kernrl_server", folder / "server")
        evaluator = imported("kernrl_server.evaluator")
        evaluator.subprocess = Forked
        # Sanitizer and profilers write feedback, and no reward reads them. The evaluator asks for the GPU's name, for them.
        with without_cuda():
            self.evaluator = evaluator.LocalGPUEvaluator(
                device="cpu" if os.environ.get("PEERS_DRY") else "cuda:0", enable_nsys=False, enable_sanitizer=False, enable_torch_profiler=False,
                enable_assembly=False, enable_roofline=False)

    @staticmethod
    def unasked(row):
        return None if row["outputs"] == 1 else "it compares one tensor"

    def __call__(self, row):
        # An answer's module is called Model here.
        result = self.evaluator.evaluate(answer(row) + "\nModel = ModelNew\n", row["module"])
        checked = result.correctness
        right = bool(result.compilation.success and checked and checked.correct)
        error = result.compilation.error if not result.compilation.success else (checked and checked.error) or (result.benchmark and result.benchmark.error)
        return {"right": right, "rewarded": result.reward > 0, "reward": result.reward, "speedup": result.benchmark.speedup if result.benchmark else None,
                "why": str(error or "")[-200:]}


class Tinker(KernelBench):
    title, option = "kernelbench-tinker", "tinker"
    claims = ("what KernelBench's evaluation checks, which it calls; no static check", "src/kernelbench_tinker/modal/app.py: KernelEvaluator.evaluate; training/reward.py: compute_reward")
    reward = "compute_reward with the weights of config/rl_kernelbench.yaml: 0.3 for all trials right, and more for a speed-up, which that evaluation doesn't report"

    def __init__(self, folder, kernelbench):
        super().__init__(kernelbench)
        same = lambda *_, **__: lambda one: one
        modal = types.ModuleType("modal")
        modal.App = lambda *_: types.SimpleNamespace(cls=same)
        modal.method, modal.Image, modal.Retries, modal.experimental = same, mock.MagicMock(), mock.MagicMock(), mock.MagicMock()
        sys.modules.update({"modal": modal, "modal.experimental": modal.experimental})
        package("kernelbench_tinker", folder / "src/kernelbench_tinker")
        package("kernelbench_tinker.modal", folder / "src/kernelbench_tinker/modal")
        package("kernelbench_tinker.training", folder / "src/kernelbench_tinker/training")
        self.app, self.rewards = imported("kernelbench_tinker.modal.app"), imported("kernelbench_tinker.training.reward")

    def __call__(self, row):
        result = self.app.KernelEvaluator().evaluate(
            row["module"], answer(row), row["language"], num_correct_trials=5, measure_performance=True, num_perf_trials=100, gpu_arch=["Hopper"],
            precision=PRECISIONS[row["dtypes"][0]], timing_method="cuda_event", check_for_excessive_speedup=True, excessive_speedup_threshold=10.0)
        reward = self.rewards.compute_reward(result, self.rewards.RewardConfig())
        return {"right": bool(result["correctness"]), "rewarded": reward > 0, "reward": reward, "speedup": result["speedup"], "why": str(result["error_message"] or "")[:200]}


PEERS = {peer.option: peer for peer in (KernelBench, KernelGym, Kernrl, Tinker)}


def prepared(option, folders):
    """The evaluation of a peer, whose checkout is folders[option]."""
    import torch  # noqa: F401
    import triton.language  # noqa: F401
    # What an answer's first use would import.
    for name in ("triton.compiler", "torch._dynamo.config", "numpy"):
        importlib.import_module(name)
    peer = PEERS[option]
    more = [pathlib.Path(folders["kernelbench"])] if peer is Tinker else []
    return peer(pathlib.Path(folders[option]), *more)
