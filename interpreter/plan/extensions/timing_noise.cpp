// Rewards read times with a random error.
#include "base/contract/form.hpp"
#include "base/contract/stages/select.hpp"
#include "interpreter/plan/extensions/extensions.hpp"

namespace trl::interpreter {

const Extension extensions::timing_noise = {
    .variant = "timing_noise",
    .select =
        [](const nlohmann::json& declared, contract::SelectSpec& spec) {
          spec.timing_noise = contract::field_of<double>(declared, "cv");
        },
    .acts =
        [](const nlohmann::json&, const std::set<std::string>& read) {
          return read.contains("speedup") || read.contains("time");
        },
};

}  // namespace trl::interpreter
