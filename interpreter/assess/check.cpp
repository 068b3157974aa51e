#include "interpreter/assess/check.hpp"

#include <memory>
#include <utility>

#include "interpreter/assess/assessments.hpp"
#include "interpreter/assess/task_progress.hpp"
#include "interpreter/schedule/interrupt.hpp"
#include "interpreter/schedule/verifier_process.hpp"
#include "language/program/tried_fixes.hpp"

namespace trl::interpreter {
using nlohmann::json;

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
  // Corrections are tried once, on the findings that are shown.
  const bool tries = std::exchange(options.try_fixes, false);
  auto checked = language::check_file(file, options);
  if (assessments.wants_more()) {
    TaskProgress progress(err);
    assessments.ask(
        [&](std::size_t done, std::size_t all) { progress.show("trivial answers tried on", done, all); });
    checked = language::check_file(file, options);
  }
  if (tries) language::try_fixes(checked.diagnostics, checked.sources, options);
  return checked;
}

}  // namespace trl::interpreter
