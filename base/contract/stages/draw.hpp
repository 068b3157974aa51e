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

/// Which tasks a round works on.
struct DrawSpec {
  static constexpr const char* kind = "draw";
  using Share = std::vector<std::pair<std::string, GroupShare>>;
  std::uint64_t seed = 0;
  int round = 0;
  int count = 0;                                 ///< of all tasks; with `each`, of each group
  std::vector<Task> pool;                        ///< drawn from
  std::optional<Share> share;                    ///< of each group; none: as in the pool
  std::optional<std::vector<std::string>> each;  ///< groups to be measured
  static DrawSpec read(const nlohmann::json& spec);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

}  // namespace trl::contract
