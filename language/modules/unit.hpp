// Loaded files and what their names stand for.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "language/ast/ast.hpp"
#include "language/diagnostics/diagnostic.hpp"
#include "language/modules/options.hpp"
#include "language/schema/schema.hpp"

namespace trl::language {

struct Unit;

/// A declaration and the file whose names it sees.
struct Symbol {
  const ast::Declaration* declaration = nullptr;
  const Unit* unit = nullptr;
  bool operator==(const Symbol& other) const { return declaration == other.declaration; }
  explicit operator bool() const { return declaration != nullptr; }
};

struct ImportedModule {
  const Unit* unit = nullptr;  ///< null when the library has functions of that name but no file
  std::string module;          ///< prefix of its functions, `windtunnel`; empty when it has none
};

/// One loaded file.
struct Unit {
  FileId file = 0;
  ast::File ast;
  bool misread = false;  ///< it has syntax errors: what a name says may not be what was written
  std::map<std::string, Symbol> symbols;
  std::map<std::string, ImportedModule> imports;

  /// Whether a name stands in text that could not be read: then its absence is no news.
  bool may_declare(const std::string& name) const;
};

struct Loaded {
  std::vector<std::unique_ptr<Unit>> units;  ///< the first is the program; the others are imported
};

/// Reads a program, already among the sources, and what it imports: parse, declare, report syntax errors,
/// unknown imports, cycles, duplicate names and unknown kinds.
Loaded load(FileId program, const CheckOptions& options, const Schema& schema, Sources& sources,
            std::vector<Diagnostic>& diagnostics);

}  // namespace trl::language
