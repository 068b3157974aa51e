#include "interpreter/assess/check.hpp"

#include <memory>
#include <utility>

#include "interpreter/assess/assessments.hpp"
#include "interpreter/assess/task_progress.hpp"
#include "interpreter/schedule/interrupt.hpp"
#include "interpreter/schedule/verifier_process.hpp"

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
  auto checked = language::check_file(file, options);
  if (!assessments.wants_more()) return checked;
  {
    TaskProgress progress(err);
    assessments.ask(
        [&](std::size_t done, std::size_t all) { progress.show("trivial answers tried on", done, all); });
  }
  return language::check_file(file, options);
}

}  // namespace trl::interpreter
