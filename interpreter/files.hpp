// Small files: whole texts, JSON lines, and changes to the disk that either survive a power failure or report
// what the system refused.
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

/// A change to the disk that the system refused: full, over quota, failing, read-only. The message names the
/// file, how much space it needed and how much is free (if known), and how to continue.
struct DiskError : UserError {
  /// `doing` is "write", "create", …; `code` is an errno value; `bytes` is the size of the file that was to
  /// be written.
  DiskError(const std::string& doing, const std::filesystem::path& file, int code,
            std::optional<std::uint64_t> bytes = {});
  int code;
};

/// A file that the system couldn't read, as a whole or from some byte on.
struct ReadError : UserError {
  /// `error_code` is an errno value.
  ReadError(const std::filesystem::path& file, int error_code);
  int code;
};

/// "0 bytes", "310 bytes", "1.2 MiB".
std::string bytes_text(std::uint64_t bytes);

/// "Only 3.0 MiB are free in /store." if that may explain a failure; empty if there is enough space.
std::string room_remark(const std::filesystem::path& folder);

/// Reads a whole file. Throws ReadError.
std::string read_text(const std::filesystem::path& file);
/// Reads a whole file block by block. Throws ReadError.
void read_blocks(const std::filesystem::path& file, const std::function<void(std::string_view)>& take);
/// Reads a file of JSON. Throws UserError, naming the file, if it isn't JSON.
nlohmann::json read_json(const std::filesystem::path& file);
/// Reads one value from each line; empty lines are skipped. Throws UserError, naming file and line.
std::vector<nlohmann::json> read_json_lines(const std::filesystem::path& file);
/// The same for a text in memory; `file` is its name in errors.
std::vector<nlohmann::json> parse_json_lines(const std::string& text, const std::string& file);

/// Writes a file and closes it. Throws DiskError.
void write_text(const std::filesystem::path& file, std::string_view text);
void write_json_lines(const std::filesystem::path& file, const std::vector<nlohmann::json>& rows);
/// Replaces a file atomically: a temporary file is written and synced, renamed, and the folder synced. The
/// file keeps its mode. If it already has this text, nothing happens. Throws DiskError; the old file then
/// still exists, and no temporary file is left.
void replace_text(const std::filesystem::path& file, std::string_view text);

/// Creates a folder whose parent exists; returns false if it already exists. Throws DiskError.
bool make_folder(const std::filesystem::path& folder);
/// rename(2). Throws DiskError.
void move_path(const std::filesystem::path& from, const std::filesystem::path& to);
/// Removes a file, or a folder with its contents; does nothing if it doesn't exist. Throws DiskError.
void remove_tree(const std::filesystem::path& path);

/// fsync of a file or a folder. Throws DiskError.
void sync_path(const std::filesystem::path& path);
/// fsync of every file and folder under `folder`, which is synced last.
void sync_tree(const std::filesystem::path& folder);

}  // namespace trl::interpreter
