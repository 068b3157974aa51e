#pragma once
// The candidates under corpus/: templates times tasks and parameters.
#include <string>
#include <vector>

#include "runtime/tasks/task.hpp"

namespace trl::runtime::corpus {

struct Candidate {
  std::string name;  ///< "tiled/matmul/PRECISION=ieee"
  Task task;
  std::string answer;
};

/// All candidates of a folder of corpus/ (honest, hostile), by file, then by place.
///
/// A template begins with a line `#: name | tasks a b | dtypes f32 f16 | PARAMETER one two` and gives a
/// candidate for each combination. In its text `__PARAMETER__` stands for the value, `__EXPR__` and the like
/// for what tasks.json says in the task's `words`, and `__IS_WORD__` for whether the task's name has that
/// word.
std::vector<Candidate> load(const std::string& folder);

}  // namespace trl::runtime::corpus
