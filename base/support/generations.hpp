// The names of the files in which KernelBench stores the answers of a run, one file for each answer
// (KernelBench's scripts/generate_samples.py).
#pragma once

#include <fmt/format.h>

#include <charconv>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace trl {

inline constexpr std::uint64_t most_generation = std::uint64_t{16} << 20;  ///< bytes of an answer
inline constexpr std::size_t most_generations = 1'000'000;                 ///< answers of a run

/// Returns an answer's file name: "level_1_problem_19_sample_0_kernel.py". Problems count from 1, samples
/// from 0.
inline std::string generation_file(std::int64_t level, std::int64_t problem, std::int64_t sample) {
  return fmt::format("level_{}_problem_{}_sample_{}_kernel.py", level, problem, sample);
}

/// The place of an answer in a run: problems count from 1, samples from 0.
struct Generation {
  std::int64_t level = 0, problem = 0, sample = 0;
  auto operator<=>(const Generation&) const = default;
};

/// Returns the place that an answer's file name states; nothing if it isn't a name that `generation_file`
/// gives.
inline std::optional<Generation> generation_of(std::string_view name) {
  Generation place;
  std::string_view rest = name;
  for (const auto& [word, number] : {std::pair{std::string_view("level_"), &place.level},
                                     {std::string_view("_problem_"), &place.problem},
                                     {std::string_view("_sample_"), &place.sample}}) {
    if (!rest.starts_with(word)) return std::nullopt;
    rest.remove_prefix(word.size());
    const auto read = std::from_chars(rest.data(), rest.data() + rest.size(), *number);
    if (read.ec != std::errc()) return std::nullopt;
    rest.remove_prefix(static_cast<std::size_t>(read.ptr - rest.data()));
  }
  // Other spellings of the numbers, such as 007, are names of other files.
  if (name != generation_file(place.level, place.problem, place.sample)) return std::nullopt;
  return place;
}

}  // namespace trl
