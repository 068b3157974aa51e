#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>

#include "interpreter/schedule/interrupt.hpp"

namespace trl::interpreter {

/// `$TRL_VERIFY`, or trl-verify beside this program. Throws UserError if there is none.
std::filesystem::path find_verifier();

/// Starts `trl-verify --request` with the request and passes each row of its answer to `row`. The process
/// ends when this one does. Throws UserError with its own message if it fails, or if its answer is malformed;
/// Interrupted once the user interrupts, when the process has ended.
void ask_verifier(const nlohmann::json& request, const std::function<void(const nlohmann::json&)>& row,
                  const Interrupt& interrupt);

}  // namespace trl::interpreter
