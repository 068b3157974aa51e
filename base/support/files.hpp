// Reads and writes whole files, with errors that give the system's reason.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/support/error.hpp"

namespace trl {

/// A change to a disk that the system refused, because the disk is full, over quota, failing or read-only.
/// The message names the file, the space that it needed and the free space (if known), and how to continue.
struct DiskError : UserError {
  /// `doing` is the failed action, such as "write" or "create"; `code` is the value of errno, or 0 if
  /// unknown; `bytes` is the size that the file should have got.
  DiskError(const std::string& doing, const std::filesystem::path& file, int code,
            std::optional<std::uint64_t> bytes = {});
  int code;
};

/// A file that the system couldn't read to its end.
struct ReadError : UserError {
  /// `error_code` is the value of errno.
  ReadError(const std::filesystem::path& file, int error_code);
  int code;
};

/// Returns a size in words: "0 bytes", "310 bytes", "1.2 MiB".
std::string bytes_text(std::uint64_t bytes);

/// Reads a whole file. Throws ReadError.
std::string read_text(const std::filesystem::path& file);
/// Like `read_text`, but returns nothing if there is no such file.
std::optional<std::string> text_if_there(const std::filesystem::path& file);
/// Reads a whole file and calls `take` with each block. Throws ReadError.
void read_blocks(const std::filesystem::path& file, const std::function<void(std::string_view)>& take);

/// Writes a file and closes it. Throws DiskError.
void write_text(const std::filesystem::path& file, std::string_view text);

/// Renames a file or a folder by rename(2). Throws DiskError.
void move_path(const std::filesystem::path& from, const std::filesystem::path& to);
/// Flushes a file or a folder to disk by fsync(2). Throws DiskError.
void sync_path(const std::filesystem::path& path);

}  // namespace trl
