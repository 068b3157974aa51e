#pragma once

#include <string>
#include <vector>

namespace trl::interpreter {

/// Details of the exam that a report's sentences leave out: inputs, tolerance and evidence.
std::vector<std::string> exam_details();

}  // namespace trl::interpreter
