#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>

#include "interpreter/schedule/interrupt.hpp"

namespace trl::interpreter {

/// The path of the verifier: `$TRL_VERIFY`, or trl-verify in the folder of this program. Throws UserError if
/// it doesn't exist.
std::filesystem::path find_verifier();

/// Starts `trl-verify --request` with the request, and passes each row of its answer to `row`. trl-verify
/// ends when this process ends. Throws UserError with the verifier's message if it fails, or if its answer is
/// malformed. If the user interrupts, throws Interrupted after trl-verify has ended.
void ask_verifier(const nlohmann::json& request, const std::function<void(const nlohmann::json&)>& row,
                  const Interrupt& interrupt);

}  // namespace trl::interpreter
