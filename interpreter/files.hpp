// Small files: whole texts, JSON lines, and changes to the disk that survive a power cut or say what the
// system refused.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/error.hpp"

namespace trl::interpreter {

/// A change to the disk that the system refused: full, over quota, failing, read-only. Says which file, how
/// much it needed and how much is free where that is known, and how to go on.
struct DiskError : UserError {
  /// `doing` is "write", "create", …; `code` is errno's; `bytes` is what the file was to hold.
  DiskError(const std::string& doing, const std::filesystem::path& file, int code,
            std::optional<std::uint64_t> bytes = {});
  int code;
};

/// A file that the system refused to give, wholly or from some byte on.
struct ReadError : UserError {
  /// `error_code` is errno's.
  ReadError(const std::filesystem::path& file, int error_code);
  int code;
};

/// "0 bytes", "310 bytes", "1.2 MiB".
std::string bytes_text(std::uint64_t bytes);

/// "Only 3.0 MiB are free in /store." where that may be why something failed; empty where there is room.
std::string room_remark(const std::filesystem::path& folder);

/// A whole file. Throws ReadError.
std::string read_text(const std::filesystem::path& file);
/// A whole file, block by block. Throws ReadError.
void read_blocks(const std::filesystem::path& file, const std::function<void(std::string_view)>& take);
/// Throws UserError naming the file when it isn't JSON.
nlohmann::json read_json(const std::filesystem::path& file);
/// One value a line; empty lines are skipped. Throws UserError naming file and line.
std::vector<nlohmann::json> read_json_lines(const std::filesystem::path& file);
/// The same of a text that was read already; `file` is what errors call it.
std::vector<nlohmann::json> parse_json_lines(const std::string& text, const std::string& file);

/// Writes a file and closes it. Throws DiskError.
void write_text(const std::filesystem::path& file, std::string_view text);
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
