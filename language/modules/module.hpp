// A program's modules, which are its loaded files, and the names that they declare and import.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "language/ast/ast.hpp"
#include "language/diagnostics/diagnostic.hpp"
#include "language/modules/options.hpp"
#include "language/recovery/recovery.hpp"
#include "language/schema/schema.hpp"

namespace trl::language {

struct Module;

/// A declaration and the file in which its names are looked up.
struct Symbol {
  const ast::Declaration* declaration = nullptr;
  const Module* module = nullptr;
  bool operator==(const Symbol& other) const { return declaration == other.declaration; }
  explicit operator bool() const { return declaration != nullptr; }
};

struct ImportedModule {
  const Module* module = nullptr;  ///< null for a module that has only functions
  std::string prefix;              ///< before the names of its functions, `windtunnel`; empty if it has none
};

/// One loaded file with the names that it declares and imports.
struct Module {
  FileId file = 0;
  ast::File ast;
  std::string
      embedded;  ///< the name of an embedded file of the library, which is always the same; else empty
  bool misread = false;  ///< it has syntax errors, so a declaration may differ from its author's text
  std::map<std::string, Symbol> symbols;
  std::map<std::string, ImportedModule> imports;

  /// Whether a name stands in text that couldn't be parsed. It may be declared there, so it isn't reported as
  /// missing.
  bool may_declare(const std::string& name) const;

  /// Places with syntax errors whose intended text isn't certain: the author may have meant something else
  /// than was understood.
  std::vector<Doubt> doubtful;
  /// Whether one of them lies in a range or touches it.
  bool doubts(const Range& range) const;
  /// The same for doubtful places that may change the block to which the text around them belongs.
  bool doubts_structure(const Range& range) const;
};

struct Loaded {
  std::vector<std::unique_ptr<Module>> modules;  ///< the program first, then imported files
};

/// Loads a program, whose text is already among the sources, and its imports. Reports syntax errors, unknown
/// imports, cycles, duplicate names and unknown kinds.
Loaded load(FileId program, const CheckOptions& options, const Schema& schema, Sources& sources,
            std::vector<Diagnostic>& diagnostics);

}  // namespace trl::language
