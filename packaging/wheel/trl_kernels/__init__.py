"""trl, a language for experiments in reinforcement learning of models that write GPU kernels. The command is trl-lang."""
