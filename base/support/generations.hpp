// The names of the files in which KernelBench stores the answers of a run, one file for each answer
// (KernelBench's packaging/scripts/generate_samples.py).
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>

namespace trl {

inline constexpr std::uint64_t most_generation = std::uint64_t{16} << 20;  ///< bytes of an answer
inline constexpr std::size_t most_generations = 1'000'000;                 ///< answers of a run

/// Returns an answer's file name: "level_1_problem_19_sample_0_kernel.py". Problems count from 1, samples
/// from 0.
inline std::string generation_file(std::int64_t level, std::int64_t problem, std::int64_t sample) {
  return fmt::format("level_{}_problem_{}_sample_{}_kernel.py", level, problem, sample);
}

}  // namespace trl
