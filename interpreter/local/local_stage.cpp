#include "interpreter/local/local_stage.hpp"

#include <stdexcept>

#include "ground/files.hpp"

namespace trl::interpreter {

nlohmann::json run_tasks(const LocalStage& stage) {
  write_text(stage.output / "tasks.json", stage.spec.at("tasks").dump());
  return {{"tasks", stage.spec.at("tasks").size()}};
}

nlohmann::json run_local(const std::string& kind, const LocalStage& stage) {
  if (kind == "tasks") return run_tasks(stage);
  if (kind == "draw") return run_draw(stage);
  if (kind == "select") return run_select(stage);
  throw std::logic_error("not a local stage: " + kind);
}

}  // namespace trl::interpreter
