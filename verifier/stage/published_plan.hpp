#pragma once
// Writes and reads rows of plans.jsonl. This file holds the launch plans of each candidate of an exam, so
// that anybody can repeat the verdicts (docs/interfaces.md, 3).
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

#include "verifier/examination/verdict.hpp"

namespace trl::runtime {

/// The contents of a row of plans.jsonl.
struct PublishedPlan {
  nlohmann::json recorded;  ///< the recorder's answer; null if it was omitted
  std::size_t omitted = 0;  ///< size in bytes of an omitted answer; 0 if it isn't omitted
  std::string commitment;   ///< empty for an unsound plan
};

/// The maximum size of a published plan in bytes. Larger plans are omitted, since a candidate can make its
/// plans arbitrarily large.
inline constexpr std::size_t most_published_bytes = std::size_t{8} << 20;

/// Returns the members of a row except `task` and `rows`. These are `seal`, `kernels` and `plans`; or the
/// recorder's `error`; or `omitted`.
nlohmann::json publish(const Examined& examined);

/// Reads a row as hostile data. Whatever the row contains, the resulting `recorded` is safe to pass to a
/// verifier.
PublishedPlan read_published(const nlohmann::json& row);

}  // namespace trl::runtime
