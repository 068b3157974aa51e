// Shows the number of tasks that are done during work that takes long.
#pragma once

#include <ostream>
#include <string>

namespace trl::interpreter {

/// Shows progress on one line of a terminal, which is rewritten and removed at the end. Elsewhere, prints a
/// line after every 25 tasks, so that fewer tasks print nothing.
class TaskProgress {
 public:
  explicit TaskProgress(std::ostream& err);
  ~TaskProgress();
  TaskProgress(const TaskProgress&) = delete;
  TaskProgress& operator=(const TaskProgress&) = delete;

  /// `what` names the work, such as "trivial answers tried on"; it stands before "3 of 100 tasks".
  void show(const std::string& what, std::size_t done, std::size_t all);

 private:
  std::ostream& err_;
  bool terminal_;
};

}  // namespace trl::interpreter
