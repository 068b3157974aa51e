// Files of the language, generated, for benchmarks.
#pragma once
#include <cstddef>
#include <string>

namespace trl::benchmarks {

/// A file of this many lines: adapters, extensions, trainings, suites and experiments, as in real files.
inline std::string program(std::size_t lines) {
  std::string text = "## A generated file.\nimport example\n\n";
  std::size_t written = 3;
  for (std::size_t i = 0; written + 19 <= lines; ++i, written += 19) {
    const std::string n = std::to_string(i);
    text += "lora writer_" + n + " { rank = " + std::to_string(1 + i % 64) + ", alpha = 32, dropout = 5% }\n";
    text += "extension stages_" + n +
            " : staged_evaluation { failing { syntax = 0, compile = 0.3, tiny = 0.5 } }\n";
    text += "train reinforce_" + n + " : best_of_n {\n  tasks = suite_" + n +
            "\n  rounds = 2, tasks_per_round = 16\n" +
            "  candidates = 8, keep = 3  # of each task\n  max_tokens = 256\n" +
            "  reward(c) = if c.correct then 0.7 + 0.3 * min(c.speedup, 1) else 0\n}\n";
    text += "suite suite_" + n + " {\n  task t" + n + "[M = 64, N = " + std::to_string(i + 1) +
            "](x: f32[M, N]) = relu(x) * " + n + "\n}\n";
    text += "experiment study_" + n + " : example.study {\n  adapter = writer_" + n +
            "\n  train = reinforce_" + n + "\n  vary = subsets(stages_" + n + ")\n  seeds = 1..3\n}\n\n";
  }
  for (; written < lines; ++written) text += "# the rest\n";
  return text;
}

}  // namespace trl::benchmarks
