#include "base/stage/stage.hpp"

#include <fmt/format.h>
#include <cmath>

#include "base/support/error.hpp"

namespace trl::runtime {

void Stage::metric(const std::string& name, std::int64_t step, double value) {
  if (!std::isfinite(value))
    throw UserError(fmt::format("training diverged: the {} of step {} is no finite number", name, step + 1),
                    "use a lower learning_rate, a longer warmup, or clip the gradients more");
  told_.push_back({name, step, value});
  send_metric(name, step, value);
}

const std::filesystem::path& Stage::input(const std::string& name) const {
  const auto found = inputs.find(name);
  if (found == inputs.end()) {
    throw UserError("the stage's input `" + name + "` is missing", "see docs/interfaces.md, section 3");
  }
  return found->second;
}

}  // namespace trl::runtime
