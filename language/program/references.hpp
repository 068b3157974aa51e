// The references between the declarations of a program.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "language/program/program.hpp"

namespace trl::language {

struct Reference {
  enum class Kind { value, derivation, override };
  std::size_t from = 0, to = 0;  ///< indices into `declarations`
  std::string field;  ///< the field that contains the reference, such as "train"; empty for derivations and
                      ///< values of splits
  Kind kind = Kind::value;
  bool operator==(const Reference&) const = default;
};

struct References {
  struct Declaration {
    std::string kind,
        name;  ///< its kind, and the name that the program uses for it, such as "windtunnel.level1"
    std::string variant;  ///< the variant from which it finally derives, such as `best_of_n`; empty for kinds
                          ///< without variants
  };
  Checked checked;
  std::vector<Declaration> declarations;  ///< sorted by file; the program's own declarations come first
  std::vector<Reference> references;      ///< sorted by `from` and `to`
  std::vector<std::string> known;  ///< the names of all declarations, for suggestions if `name` is unknown
  bool found = false;              ///< whether a declaration is called `name`
};

/// Checks a file and lists references between declarations. With an empty `name`, these are the references of
/// the file's declarations and of the declarations that they reach in other files. Otherwise they are the
/// references of `name` and of the declarations that it reaches. Nothing is listed if the file has errors.
References references_of(const std::string& path, const CheckOptions& options, const std::string& name = "");

}  // namespace trl::language
