// Training verifies candidates with several inputs.
#include <algorithm>

#include "base/contract/form.hpp"
#include "base/contract/protocol.hpp"
#include "interpreter/plan/extensions/extensions.hpp"

namespace trl::interpreter {

const Extension extensions::multi_input = {
    .variant = "multi_input",
    .verify =
        [](const nlohmann::json& declared, contract::Protocol& protocol) {
          protocol.variations = contract::field_of<std::vector<contract::Variation>>(declared, "variations");
        },
    .acts =
        [](const nlohmann::json& declared, const std::set<std::string>&) {
          const auto& variations = declared.at("variations");
          return std::any_of(variations.begin(), variations.end(),
                             [](const nlohmann::json& one) { return one != "original"; });
        },
};

}  // namespace trl::interpreter
