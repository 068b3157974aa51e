#include "interpreter/plan/finished.hpp"

namespace trl::interpreter {

Finished finished_in(const Store& store) {
  return [&store](const Stage& stage) -> std::optional<double> {
    if (!store.has(stage.key) || store.damage(stage.key, Check::sizes)) return std::nullopt;
    return store.stage(stage.key).value("seconds", 0.0);
  };
}

}  // namespace trl::interpreter
