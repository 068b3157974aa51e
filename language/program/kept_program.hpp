// A checked program that is kept in memory to answer an editor's requests.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "language/modules/library.hpp"
#include "language/program/resolve.hpp"

namespace trl::language {

/// The results of checking a program. The parts refer to each other, so none may be moved.
struct KeptProgram {
  KeptProgram() = default;
  KeptProgram(const KeptProgram&) = delete;
  KeptProgram& operator=(const KeptProgram&) = delete;

  Checked checked;
  CheckOptions options;
  const Library* library = nullptr;  ///< null if the file could not be read
  Loaded loaded;                     ///< has no modules if the file could not be read
  std::vector<ast::Item> settings;
  std::vector<Elaborator::Use>
      uses;  ///< the uses of declarations' names; the same use may occur several times
  std::vector<Diagnostic>
      later;  ///< diagnostics that later evaluations repeat; the check has already reported them
  std::unique_ptr<Resolution> resolution;  ///< null if the file could not be read

  /// The module of a file; null if the file has none.
  const Module* module_of(FileId file) const;
};

/// Checks a file as `check_file` does, and keeps the checked program. Never null.
std::unique_ptr<KeptProgram> keep_file(const std::string& path, const CheckOptions& options);

}  // namespace trl::language
