#pragma once
// plans.jsonl: what an exam keeps of a candidate, so that others can judge it again (docs/seams.md, 3).
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

#include "runtime/verify/examination/verdict.hpp"

namespace trl::runtime {

/// A row of plans.jsonl that is read again.
struct PublishedPlan {
  nlohmann::json recorded;  ///< as a recorder answers; null where it was left out
  std::size_t omitted = 0;  ///< bytes of a plan that was left out
  std::string seal;         ///< empty of what is no sound plan
};

/// Plans of more bytes are left out: a candidate says how large its plans are.
inline constexpr std::size_t most_published_bytes = std::size_t{8} << 20;

/// The members of a row but `task` and `rows`: `seal`, `kernels` and `plans`; or the recorder's `error`; or
/// `omitted`.
nlohmann::json publish(const Examined& examined);

/// Reads a row as hostile data: whatever it holds, `recorded` can be handed to a verifier.
PublishedPlan read_published(const nlohmann::json& row);

}  // namespace trl::runtime
