// Where KernelBench's runs keep answers: a folder with a file for each (its
// packaging/scripts/generate_samples.py).
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>

namespace trl {

/// "level_1_problem_19_sample_0_kernel.py". Problems count from 1, samples from 0.
inline std::string generation_file(std::int64_t level, std::int64_t problem, std::int64_t sample) {
  return fmt::format("level_{}_problem_{}_sample_{}_kernel.py", level, problem, sample);
}

}  // namespace trl
