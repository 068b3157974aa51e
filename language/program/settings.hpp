// Settings of the command line whose paths lead nowhere, and the paths that were meant.
#pragma once
#include <string>
#include <vector>

#include "language/modules/module.hpp"

namespace trl::language {

/// The settings that a setting may mean whose path is wrong: `reinforce.rounds=3` for `rounds=3`,
/// `train.reinforce.rounds=3`, `+reinforce.rounds=3` or `reinforce/rounds:3`. Empty if nothing is close.
std::vector<std::string> meant_settings(const std::string& setting, const Module& program,
                                        const Schema& schema);

/// Tells in each diagnostic about a setting's path which settings may be meant.
void help_with_settings(std::vector<Diagnostic>& diagnostics, const Sources& sources, const Module& program,
                        const Schema& schema);

}  // namespace trl::language
