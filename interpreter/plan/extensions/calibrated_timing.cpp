// Kernels are timed over many trials. It has no effect on modelled times.
#include "base/contract/protocol.hpp"
#include "interpreter/plan/extensions/extensions.hpp"

namespace trl::interpreter {

const Extension extensions::calibrated_timing = {
    .variant = "calibrated_timing",
    .time = [](const nlohmann::json& declared,
               contract::Protocol& protocol) { protocol.timing = contract::Timing::read(declared); },
    .acts =
        [](const nlohmann::json&, const std::set<std::string>& read) {
          return read.contains("speedup") || read.contains("time");
        },
};

}  // namespace trl::interpreter
