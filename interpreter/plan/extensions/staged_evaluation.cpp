// Candidates are tried at small sizes first, and one that fails earns credit for the stage that it reached.
#include "base/contract/form.hpp"
#include "base/contract/protocol.hpp"
#include "base/contract/stages/select.hpp"
#include "interpreter/plan/extensions/extensions.hpp"

namespace trl::interpreter {

const Extension extensions::staged_evaluation = {
    .variant = "staged_evaluation",
    .verify = [](const nlohmann::json&, contract::Protocol& protocol) { protocol.tiny = true; },
    .select =
        [](const nlohmann::json& declared, contract::SelectSpec& spec) {
          spec.failing = contract::field_of<std::map<std::string, double>>(declared, "failing");
        },
};

}  // namespace trl::interpreter
