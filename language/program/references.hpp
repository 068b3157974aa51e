// Which declarations refer to which others.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "language/program/program.hpp"

namespace trl::language {

struct Reference {
  enum class Kind { value, derivation, override };
  std::size_t from = 0, to = 0;  ///< indices into `declarations`
  std::string field;  ///< the field with the reference, "train"; empty for derivations and values of splits
  Kind kind = Kind::value;
  bool operator==(const Reference&) const = default;
};

struct References {
  struct Declaration {
    std::string kind, name;  ///< as the program calls it, "windtunnel.level1"
    std::string
        variant;  ///< the variant at the end of its bases, `best_of_n`; empty for kinds without variants
  };
  Checked checked;
  std::vector<Declaration> declarations;  ///< in the order of their files, the program's first
  std::vector<Reference> references;      ///< sorted by both ends
  std::vector<std::string> known;         ///< names that `name` may be
  bool found = false;                     ///< whether `name` exists
};

/// Checks a file and lists the references of its declarations and of the declarations that they reach in
/// other files, or of `name` and the declarations that it reaches. Nothing is listed if the file has errors.
References references_of(const std::string& path, const CheckOptions& options, const std::string& name = "");

}  // namespace trl::language
