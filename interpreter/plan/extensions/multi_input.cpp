// Training tries candidates with several inputs.
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
};

}  // namespace trl::interpreter
