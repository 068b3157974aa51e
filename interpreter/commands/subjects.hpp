#pragma once
// The candidates of one command: files, folders, lines of JSON.
#include <string>
#include <vector>

#include "interpreter/commands/subject.hpp"

namespace trl::interpreter {

/// The candidates of files and of all *.py, *.cu and *.md below folders (except hidden ones), sorted by path,
/// and of the lines {"task", "answer"} of the JSON Lines file `rows` (-: standard input; empty: none). Each
/// is for `options.task`. If that is empty, a candidate is for the task that its line names or contains, or
/// that its path names: level1/7/mine.py, level2/gemm_bias_gelu/a/b.cu, level1/7.py. Throws WrongUsage if
/// there is no candidate, or no task for one.
std::vector<Subject> find_subjects(const std::vector<std::string>& paths, const std::string& rows,
                                   const SubjectOptions& options, Console& console);

}  // namespace trl::interpreter
