#include "interpreter/assess/check.hpp"

#include <memory>
#include <utility>

#include "interpreter/assess/assessments.hpp"
#include "interpreter/schedule/interrupt.hpp"
#include "interpreter/schedule/progress.hpp"
#include "interpreter/schedule/verifier_process.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {
using nlohmann::json;

/// A line of progress while trl-verify works. It is only written to a terminal.
class Line {
 public:
  explicit Line(std::ostream& out) : out_(out), shown_(style_of_stderr().terminal) {}
  ~Line() {
    if (shown_) out_ << "\r\x1b[K" << std::flush;
  }
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;
  void show(std::size_t done, std::size_t all) {
    if (shown_)
      out_ << fmt::format("\rtrivial answers tried on {} of {} tasks\x1b[K", done, all) << std::flush;
  }

 private:
  std::ostream& out_;
  bool shown_;
};

}  // namespace

language::Checked check_with_assessments(const std::string& file, language::CheckOptions options,
                                         std::ostream& err) {
  Assessments assessments(shipped_assessments(), assessments_folder(),
                          [](const json& request, const auto& row) {
                            const Interrupt interrupt;
                            ask_verifier(request, row, interrupt);
                          });
  options.assess = [&](const std::vector<const json*>& tasks, const std::string& precision) {
    return assessments.of(tasks, precision);
  };
  auto checked = language::check_file(file, options);
  if (!assessments.wants_more()) return checked;
  {
    Line line(err);
    assessments.ask([&](std::size_t done, std::size_t all) { line.show(done, all); });
  }
  return language::check_file(file, options);
}

}  // namespace trl::interpreter
