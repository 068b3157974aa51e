#include "interpreter/assess/task_progress.hpp"

#include <fmt/format.h>

#include "interpreter/schedule/progress.hpp"

namespace trl::interpreter {

TaskProgress::TaskProgress(std::ostream& err) : err_(err), terminal_(style_of_stderr().terminal) {}

TaskProgress::~TaskProgress() {
  if (terminal_) err_ << "\r\x1b[K" << std::flush;
}

void TaskProgress::show(const std::string& what, std::size_t done, std::size_t all) {
  constexpr std::size_t lines_apart = 25;
  if (terminal_)
    err_ << fmt::format("\r{} {} of {} tasks\x1b[K", what, done, all) << std::flush;
  else if (done % lines_apart == 0 || (done == all && all > lines_apart))
    err_ << fmt::format("{} {} of {} tasks\n", what, done, all) << std::flush;
}

}  // namespace trl::interpreter
