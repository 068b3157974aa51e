#include "runtime/worker/stage.hpp"

#include "ground/error.hpp"

namespace trl::runtime {

const std::filesystem::path& Stage::input(const std::string& name) const {
  const auto found = inputs.find(name);
  if (found == inputs.end()) {
    throw UserError("the stage's input `" + name + "` is missing", "see docs/interfaces.md, section 3");
  }
  return found->second;
}

}  // namespace trl::runtime
