// What of a store nobody needs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "interpreter/store/store.hpp"

namespace trl::interpreter {

/// One thing of a store and what it takes up.
struct StoredThing {
  std::filesystem::path path;
  std::uint64_t bytes = 0;
  std::string key;   ///< of a result; empty for others
  std::string what;  ///< "sample  none/seed 1/round 1/sample", "a damaged result"
};

struct Garbage {
  std::vector<StoredThing> results;    ///< whole or not, that nothing needs; the largest first
  std::vector<StoredThing> leftovers;  ///< of crashes, damage and old indices
  std::size_t kept = 0;
  std::uint64_t kept_bytes = 0;
};

/// Sizes of files under a path, in bytes.
std::uint64_t bytes_under(const std::filesystem::path& path);

/// Splits the results of a store into those in `needed` and the rest. Reads only.
Garbage find_garbage(const Store& store, const std::set<std::string>& needed);

/// What no run can use: damaged/, tmp-*, index.sqlite.broken. Reads only.
std::vector<StoredThing> find_leftovers(const Store& store);

}  // namespace trl::interpreter
