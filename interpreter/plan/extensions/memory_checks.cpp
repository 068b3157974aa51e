// A memory error fails a candidate in training, too.
#include "base/contract/protocol.hpp"
#include "interpreter/plan/extensions/extensions.hpp"

namespace trl::interpreter {

const Extension extensions::memory_checks = {
    .variant = "memory_checks",
    .verify = [](const nlohmann::json&, contract::Protocol& protocol) { protocol.memory_checks = true; },
};

}  // namespace trl::interpreter
