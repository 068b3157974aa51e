// Explanations, for people, of the reasons that verdicts give.
#pragma once
#include <span>
#include <string_view>

namespace trl::contract {

/// The reason of a verdict on an answer that wasn't judged: answers to its task can't be judged here,
/// whatever they are, or its file wasn't read. The process in which an answer runs can't give this reason.
inline constexpr std::string_view not_judged = "not_judged";

struct Reason {
  std::string_view name;     ///< as in a verdict: "framework_compute"
  std::string_view meaning;  ///< the finding, in a sentence or two
};

/// Every reason that a verdict can give, sorted by name.
std::span<const Reason> reasons();

}  // namespace trl::contract
