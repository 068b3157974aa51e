// Writes operators as calls of PyTorch.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "verifier/tasks/task.hpp"

namespace trl::runtime {

/// What surrounds a call.
struct PythonContext {
  std::function<std::string(const Extent&)> size;  ///< writes a size
  std::string device;                              ///< the device of new tensors: "x.device"
  bool integers = false;  ///< the first argument has integers, and so have numbers beside it
};

/// The Python expression of an operator's node. `args` are the variables or numbers of its arguments.
std::string python_call(const Expression& node, const std::vector<std::string>& args,
                        const PythonContext& context);

/// "2.0", or "2" beside integers.
std::string python_number(double number, bool integers);

}  // namespace trl::runtime
