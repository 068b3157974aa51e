// Converts the findings of a check to diagnostics of the Language Server Protocol.
#pragma once
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "language/server/session.hpp"

namespace trl::language_server {

nlohmann::json diagnostic_json(Session& session, Analysis& analysis, const language::Diagnostic& diagnostic);

/// The diagnostics to publish for a program, by the address of a file. They are about the program's own file,
/// which always has an entry, and about imported files that aren't open in the editor.
std::map<std::string, nlohmann::json> diagnostics_of(Session& session, const Document& document);

}  // namespace trl::language_server
