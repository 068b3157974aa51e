// What rules ask of a runtime: which answers pass a task without computing it?
#pragma once
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace trl::language {

/// What is known of the trivial answers to one task: zeros, a constant, a copy of an input and the like.
struct Assessment {
  enum class Known {
    refused,     ///< each trivial answer fails some variation
    degenerate,  ///< no variation refuses any of them
    unknown      ///< it was not assessed
  };
  struct Variation {
    std::string label;                ///< "scale(2)"
    std::vector<std::string> passes;  ///< the trivial answers that it accepts
  };
  Known known = Known::unknown;
  std::string passes;  ///< of a degenerate task: the trivial answer that is shown, "zeros"; may be empty
  std::vector<Variation> variations;
  std::string why;  ///< of an unknown one: why it wasn't assessed; empty where nobody has tried yet
};

/// Assesses tasks as docs/seams.md, 1, has them, under the inputs of an exam; in their order. `precision` is
/// the lowest in which answers may multiply: task, tf32 or half.
using Assess = std::function<std::vector<Assessment>(const std::vector<const nlohmann::json*>& tasks,
                                                     const std::string& precision)>;

}  // namespace trl::language
