#pragma once
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "language/check/inspection.hpp"
#include "language/elaboration/elaborator.hpp"
#include "language/program/program.hpp"

namespace trl::language {

/// A program without errors, in memory, for callers that need more than its resolved document.
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

/// The resolution of one program, from its names to its document. It stays alive so that callers can evaluate
/// more of the program.
class Resolution {
 public:
  Resolution() = default;
  Resolution(const Resolution&) = delete;
  Resolution& operator=(const Resolution&) = delete;
  virtual ~Resolution() = default;
  /// Resolves the program to its document (docs/interfaces.md, section 2) and reports every diagnostic of
  /// names, types and protocol. `settings` are the overrides of the command line; each is a parsed `path =
  /// value`. May be called only once.
  virtual nlohmann::json run(const std::vector<ast::Item>& settings, const ProgramCallback& callback) = 0;
  virtual Elaborator& meaning() = 0;
  /// The context for declarations that are resolved outside of any experiment, so that no override applies.
  virtual Context& plain() = 0;
  /// The overrides from the command line.
  virtual const std::vector<Override>& overrides() const = 0;
};

/// All arguments must outlive the resolution.
std::unique_ptr<Resolution> make_resolution(const Loaded& loaded, const Module& schema_module,
                                            const Schema& schema, const CheckOptions& options,
                                            const Sources& sources, std::vector<Diagnostic>& diagnostics);

}  // namespace trl::language
