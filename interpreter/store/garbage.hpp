// Finds parts of a store that aren't needed.
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
  std::string what;  ///< a description: "sample  none/seed 1/round 1/sample", "a damaged result"
};

struct Garbage {
  std::vector<StoredThing> results;      ///< unneeded results, complete or damaged; the largest first
  std::vector<StoredThing> checkpoints;  ///< checkpoints of unfinished stages that aren't needed
  std::vector<StoredThing> leftovers;    ///< files left by crashes, damaged results and broken indices
  std::size_t kept = 0;
  std::uint64_t kept_bytes = 0;
};

/// The total size of the files under a path, in bytes.
std::uint64_t bytes_under(const std::filesystem::path& path);

/// Finds the results of a store whose keys aren't in `needed`, and left-over files. Doesn't change the store.
Garbage find_garbage(const Store& store, const std::set<std::string>& needed);

/// Finds files and folders that no run can use: damaged/, tmp-*, checkpoints of finished stages,
/// index.sqlite.broken. Doesn't change the store.
std::vector<StoredThing> find_leftovers(const Store& store);

}  // namespace trl::interpreter
