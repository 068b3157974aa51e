"""In verifiers' environment: `load_environment` makes the environment of the page, and the package exports what verifiers looks for."""

import verifiers.v1 as vf

import trl_kernels
from trl_kernels.verifiers import KernelEnv, KernelTaskset, load_environment

environment = load_environment("level1", turns=3, retries={"max_retries": 2})
tasks = list(environment.taskset)
assert isinstance(environment, KernelEnv) and environment.config.turns == 3 and environment.config.retries.max_retries == 2
assert tasks[0].data.task_id == "level1/1" and "relu" in tasks[0].data.prompt
assert trl_kernels.KernelTaskset is KernelTaskset and set(trl_kernels.__all__) >= {"KernelEnv", "KernelTaskset"}
assert isinstance(vf.load_environment(environment.config), KernelEnv)
print(f"load_environment: {len(tasks)} tasks")
