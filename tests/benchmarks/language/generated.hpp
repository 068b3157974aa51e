// Files of the language, generated, for benchmarks.
#pragma once
#include <algorithm>
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

/// A file of this many lines in which somebody works: a study of the library's tasks with two hypotheses that
/// its design can't decide, and eighteen other findings among the declarations of `program`.
inline std::string unfinished_program(std::size_t lines) {
  std::string text =
      "import windtunnel\n"
      "model base { weights = windtunnel.base }\n"
      "lora writer { rank = 16, alpha = 32, dropout = 5%, targets = all_linear }\n"
      "split seen     = windtunnel.level1[1..40] + windtunnel.level2[1..60]\n"
      "split held_out = windtunnel.level1[41..60] + windtunnel.level2[61..100]\n"
      "extension inputs : multi_input   { variations = [original, scale(2), reseed] }\n"
      "extension memory : memory_checks {}\n"
      "train reinforce : best_of_n {\n  tasks = seen, rounds = 1, tasks_per_round = 24, candidates = 8, keep "
      "= 4\n"
      "  epochs = 2, batch = 4, learning_rate = 1e-3, temperature = 0.8, max_tokens = 512, min_reward = 0.5\n"
      "  reward(c) = if c.correct then 0.7 + 0.3 * min(c.speedup, 1) else c.credit\n}\n"
      "train unfiltered : reinforce { keep_by = random }\n"
      "evaluation exam { split = held_out, samples = 1, temperature = 0.7, max_tokens = 512 }\n"
      "experiment ablation {\n  model = base, adapter = writer, train = reinforce, controls = [unfiltered]\n"
      "  evaluate = exam, vary = subsets(inputs, memory), seeds = 1..3\n}\n";
  for (const char* extension : {"inputs", "memory"})
    text += std::string("hypothesis ") + extension + "_help { of = ablation, contrast = " + extension +
            ", metric = correct, expect = greater, smallest_effect = 4% }\n";
  for (int i = 0; i < 6; ++i) {
    const std::string n = std::to_string(i);
    text += "lora misspelt_" + n + " { rnak = 16 }\nlora wide_" + n + " { rank = 0 }\n";
    text += "hypothesis unclear_" + n + " { of = ablation, contrast = nothing_" + n + " }\n";
  }
  return text + program(lines - static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')));
}

}  // namespace trl::benchmarks
