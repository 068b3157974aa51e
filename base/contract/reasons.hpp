// Explanations, for people, of the reasons that verdicts give.
#pragma once
#include <span>
#include <string_view>

namespace trl::contract {

/// The reason of a verdict "not judged": the task can't be judged on this machine, whatever the answer is.
/// Only the verifier gives this reason; the process in which an answer runs can't.
inline constexpr std::string_view not_judged = "not_judged";

struct Reason {
  std::string_view name;     ///< as in a verdict: "framework_compute"
  std::string_view meaning;  ///< the finding, in a sentence or two
};

/// Every reason that a verdict can give, sorted by name.
std::span<const Reason> reasons();

}  // namespace trl::contract
