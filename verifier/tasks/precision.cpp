#include "verifier/tasks/precision.hpp"

#include "base/support/error.hpp"

namespace trl::runtime {

Precision parse_precision(const std::string& text) {
  for (const Precision precision : {Precision::task, Precision::tf32, Precision::half})
    if (text == name(precision)) return precision;
  throw UserError("no precision is called " + text, "precisions: task, tf32, half");
}

std::string name(Precision precision) {
  return precision == Precision::task ? "task" : precision == Precision::tf32 ? "tf32" : "half";
}

}  // namespace trl::runtime
