#pragma once
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "language/check/inspection.hpp"
#include "language/elaboration/elaborator.hpp"
#include "language/program/program.hpp"

namespace trl::language {

/// A program without errors, in memory, for callers that need more than its document.
struct InMemory {
  Elaborator& meaning;
  const Loaded& loaded;
  const Schema& schema;
  const Sources& sources;
  const std::vector<Override>& settings;
  const CheckOptions& options;
  const AllowsInUse& allows;
};
using ProgramCallback = std::function<void(const InMemory&)>;

/// Like `check_file` of program.hpp, but calls `callback` if there are no errors.
Checked check_file(const std::string& path, const CheckOptions& options, const ProgramCallback& callback);

/// Resolves a loaded program to its document (docs/interfaces.md, section 2) and reports every diagnostic of
/// names, types and protocol. `settings` are the overrides of the command line; each is a parsed `path =
/// value`.
nlohmann::json resolve(const Loaded& loaded, const Module& schema_module, const Schema& schema,
                       const std::vector<ast::Item>& settings, const CheckOptions& options,
                       const Sources& sources, std::vector<Diagnostic>& diagnostics,
                       const ProgramCallback& callback = {});

}  // namespace trl::language
