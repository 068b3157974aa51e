#pragma once
// Finds all candidates of a command: files, files in folders, and lines of JSON.
#include <string>
#include <vector>

#include "interpreter/commands/subject.hpp"

namespace trl::interpreter {

/// Where candidates are looked for.
struct Sources {
  std::vector<std::string> paths;  ///< files and folders
  std::string rows;                ///< a JSON Lines file, "-" for standard input; empty for none
  std::string run;                 ///< the folder of a run of KernelBench; empty for none
};

struct FoundSubjects {
  std::vector<Subject> subjects;
  /// The number of a run's answers that are missing, and a sentence about them; 0 and empty if none is.
  std::size_t absent = 0;
  std::string remark;
};

/// Finds candidates in files, in all *.py, *.cu and *.md files below folders (except hidden files), sorted by
/// path, and in the lines {"task", "answer"} of the JSON Lines file `rows` ("-" means standard input, and an
/// empty text no file). Every candidate is for `options.task`. If this option is empty, a candidate is for
/// the task that its line names or contains, or that its path names: level1/7/mine.py,
/// level2/gemm_bias_gelu/a/b.cu, level1/7.py. A run's answers are files level_1_problem_7_sample_0_kernel.py;
/// their tasks are the suites of `options.suite_file` whose source is kernelbench(…), or, without that file,
/// the tasks of the checkout of KernelBench in which the run lies (runs/NAME). A candidate whose task can't
/// be judged, or whose file in a folder isn't read, is found with the reason (`Subject::unjudged`). Throws
/// WrongUsage if there is no candidate, or no task for one.
FoundSubjects find_subjects(const Sources& sources, const SubjectOptions& options, Console& console);

}  // namespace trl::interpreter
