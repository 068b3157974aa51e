#include "interpreter/local/local_stage.hpp"

#include <stdexcept>

#include "base/contract/form.hpp"
#include "base/contract/stages/tasks.hpp"
#include "base/support/files.hpp"
#include "interpreter/files.hpp"

namespace trl::interpreter {

nlohmann::json run_tasks(const LocalStage& stage) {
  const auto spec = contract::TasksSpec::read(stage.spec);
  write_text(stage.output / "tasks.json", contract::written(spec.tasks).dump());
  return {{"tasks", spec.tasks.size()}};
}

nlohmann::json run_local(const std::string& kind, const LocalStage& stage) {
  if (kind == "tasks") return run_tasks(stage);
  if (kind == "draw") return run_draw(stage);
  if (kind == "select") return run_select(stage);
  if (kind == "pairs") return run_pairs(stage);
  if (kind == "generations") return run_generations(stage);
  if (kind == "imported") return run_imported(stage);
  throw std::logic_error("not a local stage: " + kind);
}

}  // namespace trl::interpreter
