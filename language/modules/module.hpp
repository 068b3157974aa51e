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
  const Module* module = nullptr;  ///< null for a module that has functions but no file
  std::string prefix;  ///< the prefix of the names of the module's functions, such as `windtunnel`; empty if
                       ///< it has none
};

/// One loaded file with the names that it declares and imports.
struct Module {
  FileId file = 0;
  ast::File ast;
  std::string name;      ///< the name in the first import, such as `windtunnel`; empty for the program's file
  Range imported_at;     ///< the first import of it; only for an imported file
  std::string embedded;  ///< the name of the file, if it is embedded in the library and so never changes;
                         ///< otherwise empty
  bool misread =
      false;  ///< the file has syntax errors, so a declaration may differ from its author's intention
  std::map<std::string, Symbol> symbols;
  std::map<std::string, ImportedModule> imports;

  /// Whether a name may be declared in a part of the file that could not be parsed. If so, the name isn't
  /// reported as unknown.
  bool may_declare(const std::string& name) const;

  /// The ranges of syntax errors that error recovery could not correct for certain: the author may have meant
  /// something else.
  std::vector<Doubt> doubtful;
  /// Whether an element of `doubtful` overlaps or touches a range.
  bool doubts(const Range& range) const;
  /// Like `doubts`, but only for elements that may change which block contains the text around them.
  bool doubts_structure(const Range& range) const;
};

struct Loaded {
  std::vector<std::unique_ptr<Module>> modules;  ///< the program's file first, then imported files
};

/// Loads a program, whose text is already among the sources, and its imports. Reports syntax errors, unknown
/// imports, cycles, duplicate names and unknown kinds.
Loaded load(FileId program, const CheckOptions& options, const Schema& schema, Sources& sources,
            std::vector<Diagnostic>& diagnostics);

}  // namespace trl::language
