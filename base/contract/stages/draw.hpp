// The spec of the stage `draw` (docs/interfaces.md, 3).
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/contract/formula.hpp"
#include "base/contract/task.hpp"

namespace trl::contract {

/// The spec of a stage `draw`, which chooses a round's tasks at random.
struct DrawSpec {
  static constexpr const char* kind = "draw";
  using Share = std::vector<std::pair<std::string, GroupShare>>;
  std::uint64_t seed = 0;
  int round = 0;
  int count = 0;           ///< the number of tasks; with `each`, the number for each group
  std::vector<Task> pool;  ///< the tasks to choose from
  /// Each group's share of the tasks. Nothing: in proportion to the group's tasks in the pool.
  std::optional<Share> share;
  /// The groups that get `count` tasks each, to measure their accuracy.
  std::optional<std::vector<std::string>> each;
  static DrawSpec read(const nlohmann::json& spec);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

}  // namespace trl::contract
