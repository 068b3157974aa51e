// Small files: whole texts, JSON lines, and changes to the disk that either survive a power failure or report
// the system's refusal.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/support/files.hpp"

namespace trl::interpreter {

/// "Only 3.0 MiB are free in /store." if that may explain a failure; empty if there is enough space.
std::string room_remark(const std::filesystem::path& folder);

/// One value a line; empty lines are skipped. Throws ReadError, and UserError naming file and line.
std::vector<nlohmann::json> read_json_lines(const std::filesystem::path& file);
/// Throws DiskError.
void write_json_lines(const std::filesystem::path& file, const std::vector<nlohmann::json>& rows);
/// Replaces a file atomically: a temporary file is written and synced, renamed, and the folder synced. The
/// file keeps its mode. If it already has this text, nothing happens. Throws DiskError; the old file then
/// still exists, and no temporary file is left.
void replace_text(const std::filesystem::path& file, std::string_view text);

/// Creates a folder whose parent exists; returns false if it already exists. Throws DiskError.
bool make_folder(const std::filesystem::path& folder);
/// Removes a file, or a folder with its contents; does nothing if it doesn't exist. Throws DiskError.
void remove_tree(const std::filesystem::path& path);

/// fsync of every file and folder under `folder`, which is synced last.
void sync_tree(const std::filesystem::path& folder);

}  // namespace trl::interpreter
