// A checked program that is kept in memory, for an editor's questions about its text.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "language/modules/library.hpp"
#include "language/program/resolve.hpp"

namespace trl::language {

/// Everything that a check found out about a program. Nothing in it may be moved, since its parts refer to
/// each other.
struct KeptProgram {
  KeptProgram() = default;
  KeptProgram(const KeptProgram&) = delete;
  KeptProgram& operator=(const KeptProgram&) = delete;

  Checked checked;
  CheckOptions options;
  const Library* library = nullptr;  ///< null if the file could not be read
  Loaded loaded;                     ///< without modules if the file could not be read
  std::vector<ast::Item> settings;
  std::vector<Elaborator::Use>
      uses;  ///< names that stand for declarations; a name may be there several times
  std::vector<Diagnostic>
      later;  ///< diagnostics that answers to questions cause again; they were reported before
  std::unique_ptr<Resolution> resolution;  ///< null if the file could not be read

  /// The module of a file; null if it has none.
  const Module* module_of(FileId file) const;
};

/// Checks a file as `check_file` does, and keeps the checked program. Never null.
std::unique_ptr<KeptProgram> keep_file(const std::string& path, const CheckOptions& options);

}  // namespace trl::language
