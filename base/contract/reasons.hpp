// Explanations, for people, of the reasons that verdicts give.
#pragma once
#include <span>
#include <string_view>

namespace trl::contract {

/// The reason of a verdict on an answer to a task that can't be judged here, whatever the answer is. It is
/// the verifier's own: no answer's process can give it.
inline constexpr std::string_view not_judged = "not_judged";

struct Reason {
  std::string_view name;     ///< as in a verdict: "framework_compute"
  std::string_view meaning;  ///< the finding, in a sentence or two
};

/// Every reason that a verdict can give, sorted by name.
std::span<const Reason> reasons();

}  // namespace trl::contract
