// Whole files, and errors that name the system's refusal.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/support/error.hpp"

namespace trl {

/// A change to the disk that the system refused: full, over quota, failing, read-only. The message names the
/// file, how much space it needed and how much is free (if known), and how to continue.
struct DiskError : UserError {
  /// `doing` is "write", "create", …; `code` is errno's, 0 where it isn't known; `bytes` is the size that
  /// the file was to have.
  DiskError(const std::string& doing, const std::filesystem::path& file, int code,
            std::optional<std::uint64_t> bytes = {});
  int code;
};

/// A file that the system couldn't read, as a whole or from some byte on.
struct ReadError : UserError {
  /// `error_code` is errno's.
  ReadError(const std::filesystem::path& file, int error_code);
  int code;
};

/// "0 bytes", "310 bytes", "1.2 MiB".
std::string bytes_text(std::uint64_t bytes);

/// Reads a whole file. Throws ReadError.
std::string read_text(const std::filesystem::path& file);
/// The same; nothing where there is no such file.
std::optional<std::string> text_if_there(const std::filesystem::path& file);
/// Reads a whole file block by block. Throws ReadError.
void read_blocks(const std::filesystem::path& file, const std::function<void(std::string_view)>& take);

/// Writes a file and closes it. Throws DiskError.
void write_text(const std::filesystem::path& file, std::string_view text);

/// rename(2). Throws DiskError.
void move_path(const std::filesystem::path& from, const std::filesystem::path& to);
/// fsync of a file or a folder. Throws DiskError.
void sync_path(const std::filesystem::path& path);

}  // namespace trl
