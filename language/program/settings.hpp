// Suggestions for command-line settings (`--set path=value`) with wrong paths.
#pragma once
#include <string>
#include <vector>

#include "language/modules/module.hpp"

namespace trl::language {

/// The correct settings that a setting with a wrong path may mean. For example, `rounds=3`,
/// `train.reinforce.rounds=3`, `+reinforce.rounds=3` and `reinforce/rounds:3` may mean `reinforce.rounds=3`.
/// Empty if no correct setting is close.
std::vector<std::string> meant_settings(const std::string& setting, const Module& program,
                                        const Schema& schema);

/// Adds the settings that may be meant to each diagnostic about the path of a setting.
void help_with_settings(std::vector<Diagnostic>& diagnostics, const Sources& sources, const Module& program,
                        const Schema& schema);

}  // namespace trl::language
