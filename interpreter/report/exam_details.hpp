#pragma once

#include <string>
#include <vector>

namespace trl::interpreter {

/// Sentences on details of the exam that the report's main text leaves out: inputs, tolerance and evidence.
std::vector<std::string> exam_details();

}  // namespace trl::interpreter
