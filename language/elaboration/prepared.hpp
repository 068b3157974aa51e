// Facts about the embedded library that were computed when the program was built, so that no process has to
// compute them again.
#pragma once
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>

#include "base/tasks/task.hpp"

namespace trl::language {

/// A task of the embedded library, lowered as `Elaborator::read_suites` does.
struct PreparedTask {
  std::string_view file;     ///< "stdlib:windtunnel.trl"
  std::size_t at = 0;        ///< the offset of the task's name in that file
  std::string_view lowered;  ///< JSON, docs/interfaces.md, section 1
  std::string_view key, overlap;
};

/// The manifest of the embedded model's pretraining.
struct PreparedManifest {
  std::size_t bytes = 0, hash = 0;  ///< the manifest's length, and `std::hash` of its text
  std::span<const std::uint32_t>
      functions;  ///< the `function_number` of each function in the manifest, sorted
};

/// The prepared tasks, sorted by file and offset. Empty in the build's own program that computes them,
/// language/prepare/prepare.cpp.
std::span<const PreparedTask> prepared_tasks();
const PreparedManifest& prepared_manifest();

/// The prepared task whose name is at the offset `at` of a file; null if the file isn't one of the embedded
/// library or has no task there.
const PreparedTask* prepared_task(std::string_view file, std::size_t at);

/// The member `lowered` of a prepared task as JSON. A process parses it only once.
const nlohmann::json& lowered_form(const PreparedTask& task);
/// The task that `lowered_form` describes, as an object. A process builds it only once.
const trl::tasks::Task& typed_form(const PreparedTask& task);

/// A hash of an overlap key. Different keys rarely have the same hash.
std::uint32_t function_number(std::string_view overlap_key);

}  // namespace trl::language
