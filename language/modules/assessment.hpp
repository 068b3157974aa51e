// The interface by which rules learn from a runtime which trivial answers pass a task without computing its
// function.
#pragma once
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace trl::language {

/// Facts about the trivial answers to one task: zeros, a constant, a copy of an input and the like.
struct Assessment {
  enum class Known {
    refused,     ///< every trivial answer fails in some variation
    degenerate,  ///< at least one trivial answer passes in every variation
    unknown      ///< the task was not assessed
  };
  struct Variation {
    std::string label;                ///< the variation's name, such as "scale(2)"
    std::vector<std::string> passes;  ///< the trivial answers that the variation accepts
  };
  Known known = Known::unknown;
  std::string passes;  ///< for a degenerate task: the trivial answer to report, such as "zeros"; may be empty
  std::vector<Variation> variations;
  std::string
      why;  ///< for `unknown`: the reason why the task was not assessed; empty if nobody has tried yet
};

/// A function that assesses tasks (docs/interfaces.md, section 1) with the inputs of an exam. The results
/// have the order of the tasks. `precision` is the lowest precision in which answers may multiply: task, tf32
/// or half.
using Assess = std::function<std::vector<Assessment>(const std::vector<const nlohmann::json*>& tasks,
                                                     const std::string& precision)>;

}  // namespace trl::language
