// Finds the uses of a declaration's name in all files of a workspace.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "language/server/feature.hpp"

namespace trl::language_server {

/// A declaration, identified by its file and its position there, so that all programs of a workspace agree on
/// it.
struct Subject {
  std::string path, name, kind;
  std::size_t begin = 0;
  explicit operator bool() const { return !name.empty(); }
};

/// The declaration whose name is at a request's position; empty if there is none.
Subject subject_of(Session& session, const nlohmann::json& params);

struct Occurrence {
  std::string path;
  nlohmann::json range;
  std::size_t begin = 0, end = 0;
  bool declaration = false;  ///< the occurrence is the name in the declaration itself
};

/// The occurrences in one program and in the files that it imports, sorted by file and position.
std::vector<Occurrence> occurrences_in(Session& session, const Subject& subject, const std::string& program);
/// The occurrences in all programs of the workspace.
std::vector<Occurrence> occurrences(Session& session, const Subject& subject);

/// Throws RequestError if a declaration can't be renamed to `name`: `name` isn't a valid name or is taken, or
/// the declaration belongs to the library.
void refuse_rename(Session& session, const Subject& subject, const std::string& name);

}  // namespace trl::language_server
