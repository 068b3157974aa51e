#include "language/check/pretraining.hpp"

#include <algorithm>
#include <functional>
#include <set>

#include "base/operators/overlap.hpp"
#include "language/elaboration/prepared.hpp"

namespace trl::language {
namespace {

/// Calls `visit` with each of the manifest's "keys". A manifest has megabytes, and keys contain no escapes,
/// so the strings are read in place without parsing the document.
template <typename Visit>
void each_key(std::string_view manifest, const Visit& visit) {
  bool in_keys = false;
  for (std::size_t at = manifest.find('"'); at != std::string_view::npos; at = manifest.find('"', at)) {
    std::size_t end = ++at;
    while ((end = manifest.find('"', end)) != std::string_view::npos && manifest[end - 1] == '\\') ++end;
    if (end == std::string_view::npos) break;
    const std::string_view text = manifest.substr(at, end - at);
    at = end + 1;
    const std::size_t next = manifest.find_first_not_of(" \t\r\n", at);
    if (next != std::string_view::npos && manifest[next] == ':')
      in_keys = text == "keys";
    else if (in_keys)
      visit(text);
  }
}

bool is_the_prepared_one(std::string_view manifest) {
  const PreparedManifest& prepared = prepared_manifest();
  return prepared.bytes == manifest.size() && prepared.hash == std::hash<std::string_view>()(manifest);
}

}  // namespace

SeenKeys seen_keys_by_reading(std::string_view manifest, const std::vector<const SuiteTask*>& tasks) {
  operators::Functions wanted;
  std::set<std::string, std::less<>> keys;
  for (const SuiteTask* task : tasks) keys.insert(task->key);
  for (const std::string& key : keys) wanted.add(key);
  SeenKeys seen;
  each_key(manifest, [&](std::string_view key) {
    auto overlap = wanted.find(key);
    if (!overlap) return;
    const auto [place, fresh] = seen.emplace(std::move(*overlap), key);
    if (!fresh && keys.contains(key)) place->second = key;
  });
  return seen;
}

SeenKeys seen_keys(std::string_view manifest, const std::vector<const SuiteTask*>& tasks) {
  if (is_the_prepared_one(manifest)) {
    const auto functions = prepared_manifest().functions;
    const bool none = std::none_of(tasks.begin(), tasks.end(), [&](const SuiteTask* task) {
      return std::binary_search(functions.begin(), functions.end(), function_number(task->overlap));
    });
    if (none) return {};
  }
  // Kept for the next check of an editor, which asks for the same tasks in the same manifest.
  struct Kept {
    std::string manifest;
    std::set<std::string> keys;
    SeenKeys seen;
  };
  thread_local Kept kept;
  std::set<std::string> keys;
  for (const SuiteTask* task : tasks) keys.insert(task->key);
  if (kept.keys != keys || kept.manifest != manifest)
    kept = {std::string(manifest), std::move(keys), seen_keys_by_reading(manifest, tasks)};
  return kept.seen;
}

std::vector<std::uint32_t> function_numbers(std::string_view manifest) {
  std::vector<std::uint32_t> numbers;
  each_key(manifest,
           [&](std::string_view key) { numbers.push_back(function_number(operators::overlap_key(key))); });
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

}  // namespace trl::language
