#pragma once
// plans.jsonl holds an exam's record of each candidate, so that others can judge it again
// (docs/interfaces.md, 3).
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

#include "verifier/examination/verdict.hpp"

namespace trl::runtime {

/// A row of plans.jsonl as read back.
struct PublishedPlan {
  nlohmann::json recorded;  ///< the recorder's answer; null where it was omitted
  std::size_t omitted = 0;  ///< size in bytes of a plan that was omitted
  std::string commitment;   ///< empty for an unsound plan
};

/// Larger plans are omitted, since the candidate determines how large its plans are.
inline constexpr std::size_t most_published_bytes = std::size_t{8} << 20;

/// The members of a row other than `task` and `rows`: `seal`, `kernels` and `plans`; or the recorder's
/// `error`; or `omitted`.
nlohmann::json publish(const Examined& examined);

/// Reads a row as hostile data. With any contents, `recorded` can be passed to a verifier.
PublishedPlan read_published(const nlohmann::json& row);

}  // namespace trl::runtime
