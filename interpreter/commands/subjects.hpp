#pragma once
// Finds all candidates of a command: files, files in folders, and lines of JSON.
#include <string>
#include <vector>

#include "interpreter/commands/subject.hpp"

namespace trl::interpreter {

/// Finds candidates in files, in all *.py, *.cu and *.md files below folders (except hidden files), sorted by
/// path, and in the lines {"task", "answer"} of the JSON Lines file `rows` ("-" means standard input, and an
/// empty text no file). Every candidate is for `options.task`. If this option is empty, a candidate is for
/// the task that its line names or contains, or that its path names: level1/7/mine.py,
/// level2/gemm_bias_gelu/a/b.cu, level1/7.py. Throws WrongUsage if there is no candidate, or no task for one.
std::vector<Subject> find_subjects(const std::vector<std::string>& paths, const std::string& rows,
                                   const SubjectOptions& options, Console& console);

}  // namespace trl::interpreter
