// For tests: a reader of files in memory, and a stand-in for the embedded library's windtunnel.trl.
#pragma once
#include <map>
#include <string>

#include "language/program/program.hpp"

namespace trl::language::test {

/// Returns options that read files from this map, then from the disk. `windtunnel.trl` is replaced by a file
/// with three suites of 60, 100 and 9 different tasks, enough for the language's tests. Assessments, and
/// tasks that are stored elsewhere, are made up (stub.cpp).
CheckOptions in_memory(std::map<std::string, std::string> files);

Checked check_text(const std::string& text, std::map<std::string, std::string> files = {});

}  // namespace trl::language::test
