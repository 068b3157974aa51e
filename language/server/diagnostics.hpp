// Findings of a check as the protocol's diagnostics.
#pragma once
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "language/server/session.hpp"

namespace trl::language_server {

nlohmann::json diagnostic_json(Session& session, Analysis& analysis, const language::Diagnostic& diagnostic);

/// The diagnostics that are published for a program: by address, of its file and of files that aren't open
/// themselves. The program's own file is always among them.
std::map<std::string, nlohmann::json> diagnostics_of(Session& session, const Document& document);

}  // namespace trl::language_server
