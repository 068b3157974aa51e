#pragma once
// Many candidates that one command names: files, folders, lines of JSON.
#include <string>
#include <vector>

#include "interpreter/commands/subject.hpp"

namespace trl::interpreter {

/// The candidates of files, of all *.py, *.cu and *.md below folders (hidden ones aside), sorted by path, and
/// of the lines {"task", "answer"} of a JSON lines file (`rows`; -: standard input; empty: none). Each is for
/// `options.task`; where that is empty, for the task that its line names (or is), or that its path names:
/// level1/7/mine.py, level2/gemm_bias_gelu/a/b.cu, level1/7.py. Throws WrongUsage where there is no
/// candidate, or no task for one.
std::vector<Subject> find_subjects(const std::vector<std::string>& paths, const std::string& rows,
                                   const SubjectOptions& options, Console& console);

}  // namespace trl::interpreter
