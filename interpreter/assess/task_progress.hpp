// Shows how many tasks a long work has done.
#pragma once

#include <ostream>
#include <string>

namespace trl::interpreter {

/// On a terminal one line, which is rewritten and removed at the end; otherwise a line for each 25 tasks, so
/// that short work says nothing.
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
