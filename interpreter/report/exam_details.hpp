#pragma once

#include <string>
#include <vector>

namespace trl::interpreter {

/// What a report's sentences on its exam leave out: inputs, tolerance and evidence in full.
std::vector<std::string> exam_details();

}  // namespace trl::interpreter
