// Which declaration refers to which.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "language/program/program.hpp"

namespace trl::language {

struct Reference {
  enum class Kind { value, derivation, override };
  std::size_t from = 0, to = 0;  ///< among the declarations
  std::string field;  ///< whose value it is in: "train"; empty for derivations and values of splits
  Kind kind = Kind::value;
  bool operator==(const Reference&) const = default;
};

struct References {
  struct Declaration {
    std::string kind, name;  ///< as the program says it, "windtunnel.level1"
    std::string variant;     ///< what it derives from in the end, `best_of_n`; empty for kinds without
  };
  Checked checked;
  std::vector<Declaration> declarations;  ///< in the order of their files: the program's first
  std::vector<Reference> references;      ///< by both ends
  std::vector<std::string> known;         ///< names that could be asked for
  bool found = false;                     ///< whether there is what was asked for
};

/// Checks a file and says what its declarations refer to: those of the file and what they reach in others, or
/// `name` and what it reaches. Nothing when the file has errors.
References references_of(const std::string& path, const CheckOptions& options, const std::string& name = "");

}  // namespace trl::language
