// The interface by which rules ask a runtime which trivial answers pass a task without computing it.
#pragma once
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace trl::language {

/// Facts about the trivial answers to one task: zeros, a constant, a copy of an input and the like.
struct Assessment {
  enum class Known {
    refused,     ///< each trivial answer fails some variation
    degenerate,  ///< no variation refuses any of them
    unknown      ///< the task was not assessed
  };
  struct Variation {
    std::string label;                ///< the variation, "scale(2)"
    std::vector<std::string> passes;  ///< the trivial answers that the variation accepts
  };
  Known known = Known::unknown;
  std::string passes;  ///< for a degenerate task: the trivial answer to report, "zeros"; may be empty
  std::vector<Variation> variations;
  std::string why;  ///< for an unknown one: why it wasn't assessed; empty if nobody has tried yet
};

/// Assesses tasks (docs/interfaces.md, section 1) under the inputs of an exam. Results have the order of the
/// tasks. `precision` is the lowest in which answers may multiply: task, tf32 or half.
using Assess = std::function<std::vector<Assessment>(const std::vector<const nlohmann::json*>& tasks,
                                                     const std::string& precision)>;

}  // namespace trl::language
