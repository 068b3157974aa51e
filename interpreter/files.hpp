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

/// Returns "Only 3.0 MiB are free in /store." if a full disk may explain a failure, and an empty text if
/// there is enough space.
std::string room_remark(const std::filesystem::path& folder);

/// Reads a file with one JSON value on each line; empty lines are skipped. Throws ReadError if the file can't
/// be read, and UserError naming file and line if a line isn't JSON.
std::vector<nlohmann::json> read_json_lines(const std::filesystem::path& file);
/// Writes one JSON value on each line. Throws DiskError.
void write_json_lines(const std::filesystem::path& file, const std::vector<nlohmann::json>& rows);
/// Replaces a file atomically: writes and syncs a temporary file, renames it and syncs the folder. The file
/// keeps its mode; a file that already has this text stays untouched. Throws DiskError: no temporary file is
/// then left, and the file has its old text unless only the folder couldn't be synced.
void replace_text(const std::filesystem::path& file, std::string_view text);

/// Creates a folder whose parent exists; returns false if it already exists. Throws DiskError.
bool make_folder(const std::filesystem::path& folder);
/// Removes a file, or a folder with its contents; does nothing if the path doesn't exist. Throws DiskError.
void remove_tree(const std::filesystem::path& path);

/// Calls fsync on every file and folder under `folder`, and last on `folder` itself.
void sync_tree(const std::filesystem::path& folder);

}  // namespace trl::interpreter
