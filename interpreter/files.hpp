// Changes to the disk that survive a power cut or say what the system refused, and files of rows.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "ground/files.hpp"

namespace trl::interpreter {

/// "Only 3.0 MiB are free in /store." where that may be why something failed; empty where there is room.
std::string room_remark(const std::filesystem::path& folder);

/// One value a line; empty lines are skipped. Throws ReadError, and UserError naming file and line.
std::vector<nlohmann::json> read_json_lines(const std::filesystem::path& file);
/// Throws DiskError.
void write_json_lines(const std::filesystem::path& file, const std::vector<nlohmann::json>& rows);
/// Replaces a file as one act: written beside, synced, renamed, the folder synced. It keeps its mode. A file
/// that holds the text already is left alone. Throws DiskError; the old file is then still there, and nothing
/// beside it.
void replace_text(const std::filesystem::path& file, std::string_view text);

/// Creates a folder whose parent exists; false when it is there already. Throws DiskError.
bool make_folder(const std::filesystem::path& folder);
/// rename(2). Throws DiskError.
void move_path(const std::filesystem::path& from, const std::filesystem::path& to);
/// Removes a file or a folder with all that it holds; nothing where there is none. Throws DiskError.
void remove_tree(const std::filesystem::path& path);

/// fsync of a file or a folder. Throws DiskError.
void sync_path(const std::filesystem::path& path);
/// fsync of every file and folder under `folder`, itself last.
void sync_tree(const std::filesystem::path& folder);

}  // namespace trl::interpreter
