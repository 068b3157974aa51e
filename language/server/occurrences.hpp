// The places at which a declaration is named, in all files of a workspace.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "language/server/feature.hpp"

namespace trl::language_server {

/// A declaration as all programs of a workspace know it: by the file and the place at which it stands.
struct Subject {
  std::string path, name, kind;
  std::size_t begin = 0;
  explicit operator bool() const { return !name.empty(); }
};

/// The declaration that is named or declared at a request's position; none where there is no such name.
Subject subject_of(Session& session, const nlohmann::json& params);

struct Occurrence {
  std::string path;
  nlohmann::json range;
  std::size_t begin = 0, end = 0;
  bool declaration = false;  ///< it is the declaration's own name
};

/// The occurrences in one program and the files that it imports, in the order of files and places.
std::vector<Occurrence> occurrences_in(Session& session, const Subject& subject, const std::string& program);
/// The occurrences in all programs of the workspace.
std::vector<Occurrence> occurrences(Session& session, const Subject& subject);

/// Throws RequestError if a declaration can't have a name: it isn't one, it is taken, or the declaration is
/// the library's.
void refuse_rename(Session& session, const Subject& subject, const std::string& name);

}  // namespace trl::language_server
