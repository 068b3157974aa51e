// Opens and reads files that somebody else may have made. Every file that a program of this repository reads
// is opened here (tests/floors/opened_files.txt has the exceptions).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/support/files.hpp"

namespace trl {

/// The conditions under which a file may be read. A pipe, a socket or a device may never be read, since
/// reading it may never end.
struct Reading {
  /// A folder that somebody handed over. A link in this folder may only lead to a file in the folder, or to a
  /// blob of Hugging Face's cache, as the links in a snapshot do. If `within` is empty, the user named the
  /// file, and links may lead anywhere.
  std::filesystem::path within = {};
  std::uint64_t most = std::uint64_t{1} << 30;  ///< bytes
  /// Whether the file is an argument of the command line. Then `-` and /dev/stdin are standard input, and
  /// /dev/fd/N is an open descriptor; these may be pipes.
  bool argument = false;
};

/// The error for a file that exists but isn't read; the message has the reason.
struct RefusedFile : UserError {
  using UserError::UserError;
};

/// A file that is open for reading.
class OpenFile {
 public:
  /// Throws ReadError, and RefusedFile if `how` excludes the file.
  OpenFile(const std::filesystem::path& file, const Reading& how);
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile();

  int descriptor() const { return descriptor_; }
  std::uint64_t bytes() const { return bytes_; }  ///< 0 for a pipe

 private:
  int descriptor_;
  std::uint64_t bytes_ = 0;
};

/// Throws what reading the file would throw, and reads nothing.
inline void require_readable(const std::filesystem::path& file, const Reading& how) { OpenFile(file, how); }

/// Like the functions of files.hpp. They throw ReadError and RefusedFile.
std::string read_text(const std::filesystem::path& file, const Reading& how);
void read_blocks(const std::filesystem::path& file, const Reading& how,
                 const std::function<void(std::string_view)>& take);
/// Returns nothing if there is no such file.
std::optional<std::string> text_if_there(const std::filesystem::path& file, const Reading& how);

/// Calls `take` with each line, without its newline, as soon as the line has arrived. A line may have at most
/// 256 MiB.
void for_each_line(const std::filesystem::path& file, const Reading& how,
                   const std::function<void(const std::string&)>& take);

}  // namespace trl
