// The parts of a store that nobody needs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "interpreter/store/store.hpp"

namespace trl::interpreter {

/// An item of a store and its size.
struct StoredThing {
  std::filesystem::path path;
  std::uint64_t bytes = 0;
  std::string key;   ///< the key of a result; empty for other items
  std::string what;  ///< "sample  none/seed 1/round 1/sample", "a damaged result"
};

struct Garbage {
  std::vector<StoredThing> results;      ///< unneeded results, complete or damaged; the largest first
  std::vector<StoredThing> checkpoints;  ///< of unfinished stages that aren't needed
  std::vector<StoredThing> leftovers;    ///< left by crashes, damage and old indices
  std::size_t kept = 0;
  std::uint64_t kept_bytes = 0;
};

/// The total size of the files under a path, in bytes.
std::uint64_t bytes_under(const std::filesystem::path& path);

/// Finds the results of a store that aren't in `needed`, and left-overs. Only reads.
Garbage find_garbage(const Store& store, const std::set<std::string>& needed);

/// Items that no run can use: damaged/, tmp-*, checkpoints of finished stages, index.sqlite.broken. Only
/// reads.
std::vector<StoredThing> find_leftovers(const Store& store);

}  // namespace trl::interpreter
