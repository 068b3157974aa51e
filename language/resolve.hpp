#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "language/meaning.hpp"
#include "language/program.hpp"

namespace trl::language {

/// A loaded program's document (docs/seams.md, 2), and on the way every diagnostic of names, types and
/// protocol. `settings` are the overrides of the command line; each is a parsed `path = value`.
nlohmann::json resolve(const Loaded& loaded, const Unit& schema_unit, const Schema& schema,
                       const std::vector<ast::Item>& settings, const CheckOptions& options,
                       const Sources& sources, std::vector<Diagnostic>& diagnostics);

}  // namespace trl::language
