#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>

#include "interpreter/schedule/interrupt.hpp"

namespace trl::interpreter {

/// `$TRL_VERIFY`, or trl-verify beside this program. Throws UserError when there is none.
std::filesystem::path find_verifier();

/// Starts `trl-verify --request`, hands it the request and each row that it answers to `row`. It dies with
/// us. Throws UserError with its own words when it fails, or when it answers nonsense; Interrupted once asked
/// to stop, when the process is gone.
void ask_verifier(const nlohmann::json& request, const std::function<void(const nlohmann::json&)>& row,
                  const Interrupt& interrupt);

}  // namespace trl::interpreter
