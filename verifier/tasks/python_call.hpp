// Writes operators as calls of PyTorch functions.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "verifier/tasks/task.hpp"

namespace trl::runtime {

/// The context of a call.
struct PythonContext {
  std::function<std::string(const Extent&)> size;  ///< returns the Python expression of a size
  std::string device;  ///< the Python expression of the device for new tensors: "x.device"
  bool integers =
      false;  ///< whether the first argument has integers, so that numbers are written as integers, too
};

/// Returns the Python expression that computes a node. `args` are the variables or numbers that stand for the
/// node's arguments.
std::string python_call(const Expression& node, const std::vector<std::string>& args,
                        const PythonContext& context);

/// Returns a number as Python text: "2.0", or "2" with `integers`.
std::string python_number(double number, bool integers);

}  // namespace trl::runtime
