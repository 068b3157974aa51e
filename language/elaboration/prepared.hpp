// Facts about the embedded library that the build has computed, so that no process has to compute them again.
#pragma once
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>

#include "base/tasks/task.hpp"

namespace trl::language {

/// A task of the embedded library as `read_suites` lowers it.
struct PreparedTask {
  std::string_view file;     ///< "stdlib:windtunnel.trl"
  std::size_t at = 0;        ///< the offset of the task's name in that file
  std::string_view lowered;  ///< JSON, docs/interfaces.md, section 1
  std::string_view key, overlap;
};

/// The manifest of the embedded model's pretraining.
struct PreparedManifest {
  std::size_t bytes = 0, hash = 0;           ///< its length, and `std::hash` of its text
  std::span<const std::uint32_t> functions;  ///< `function_number` of its functions, sorted
};

/// Sorted by file and offset; empty in the program that computes them, language/prepare/prepare.cpp.
std::span<const PreparedTask> prepared_tasks();
const PreparedManifest& prepared_manifest();

/// The task at a place of a file of the embedded library; null for places of other files.
const PreparedTask* prepared_task(std::string_view file, std::size_t at);

/// `lowered` of one of the prepared tasks, parsed once a process.
const nlohmann::json& lowered_form(const PreparedTask& task);
/// The task that it says, read once a process.
const trl::tasks::Task& typed_form(const PreparedTask& task);

/// A number for an overlap key. Few keys share one.
std::uint32_t function_number(std::string_view overlap_key);

}  // namespace trl::language
