#include "base/support/reading.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <vector>

#include <fmt/format.h>

namespace trl {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t block_bytes = 256 << 10;
constexpr std::uint64_t most_line = std::uint64_t{256} << 20;

/// Returns the number of the descriptor that an argument of the command line names; -1 for other files.
int descriptor_named(const fs::path& file) {
  const std::string name = file.string();
  if (name == "-" || name == "/dev/stdin") return STDIN_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    int number = -1;
    if (!name.starts_with(folder)) continue;
    const auto read = std::from_chars(name.data() + folder.size(), name.data() + name.size(), number);
    if (read.ec == std::errc() && read.ptr == name.data() + name.size()) return number;
  }
  return -1;
}

void require_regular(const fs::path& file, const struct stat& found) {
  if (S_ISREG(found.st_mode)) return;
  if (S_ISDIR(found.st_mode)) throw ReadError(file, EISDIR);
  throw RefusedFile(fmt::format("{} is a {}, and only regular files are read", file.string(),
                                S_ISFIFO(found.st_mode)   ? "named pipe"
                                : S_ISSOCK(found.st_mode) ? "socket"
                                                          : "device"),
                    "Remove it, or put a file with its contents in its place.");
}

bool is_blob(const fs::path& file) {
  const auto folder = file.parent_path();
  const auto repository = folder.parent_path().filename().string();
  return folder.filename() == "blobs" &&
         (repository.starts_with("models--") || repository.starts_with("datasets--"));
}

/// Compares the path of the file that was actually opened with the allowed folder, so that nobody can replace
/// a link between a check and the opening.
void require_within(const fs::path& file, int descriptor, const fs::path& folder) {
  std::error_code error;
  auto place = fs::read_symlink(fmt::format("/proc/self/fd/{}", descriptor), error);
  if (error) place = fs::canonical(file);
  const auto root = fs::canonical(folder);
  if (std::mismatch(root.begin(), root.end(), place.begin(), place.end()).first == root.end()) return;
  if (is_blob(place)) return;
  throw RefusedFile(
      fmt::format("{} leads out of the folder {}, to {}", file.string(), folder.string(), place.string()),
      "A link in a folder that is read as a whole may lead to a file in it only, since it could "
      "publish a private one. If that file is meant, copy it into the folder.");
}

[[noreturn]] void too_large(const fs::path& file, const std::string& bytes, std::uint64_t most) {
  throw RefusedFile(fmt::format("{} has {}, and at most {} are read", file.string(), bytes, bytes_text(most)),
                    "Is it the right file?");
}

}  // namespace

OpenFile::OpenFile(const fs::path& file, const Reading& how) {
  struct stat found {};
  if (const int number = how.argument ? descriptor_named(file) : -1; number >= 0) {
    descriptor_ = ::fcntl(number, F_DUPFD_CLOEXEC, 0);
    if (descriptor_ < 0) throw ReadError(file, errno);
    return;
  }
  // Checked before the file is opened: opening a device may have effects, and opening a pipe may wait.
  if (::stat(file.c_str(), &found) != 0) throw ReadError(file, errno);
  require_regular(file, found);
  descriptor_ = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (descriptor_ < 0) throw ReadError(file, errno);
  try {
    if (::fstat(descriptor_, &found) != 0) throw ReadError(file, errno);
    require_regular(file, found);
    if (!how.within.empty()) require_within(file, descriptor_, how.within);
    bytes_ = static_cast<std::uint64_t>(found.st_size);
    if (bytes_ > how.most) too_large(file, bytes_text(bytes_), how.most);
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

OpenFile::~OpenFile() { ::close(descriptor_); }

void read_blocks(const fs::path& file, const Reading& how,
                 const std::function<void(std::string_view)>& take) {
  const OpenFile opened(file, how);
  std::vector<char> block(block_bytes);
  std::uint64_t bytes = 0;
  while (true) {
    const auto n = ::read(opened.descriptor(), block.data(), block.size());
    if (n == 0) return;
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw ReadError(file, errno);
    bytes += static_cast<std::uint64_t>(n);
    if (bytes > how.most) too_large(file, "more than that", how.most);
    take({block.data(), static_cast<std::size_t>(n)});
  }
}

void read_blocks(const fs::path& file, const std::function<void(std::string_view)>& take) {
  read_blocks(file, {.most = UINT64_MAX}, take);
}

std::string read_text(const fs::path& file, const Reading& how) {
  std::string text;
  read_blocks(file, how, [&](std::string_view block) { text += block; });
  return text;
}

std::string read_text(const fs::path& file) { return read_text(file, Reading()); }

std::optional<std::string> text_if_there(const fs::path& file, const Reading& how) {
  try {
    return read_text(file, how);
  } catch (const ReadError& error) {
    if (error.code != ENOENT && error.code != ENOTDIR) throw;
    return std::nullopt;
  }
}

std::optional<std::string> text_if_there(const fs::path& file) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return std::nullopt;
  return read_text(file);
}

void for_each_line(const fs::path& file, const Reading& how,
                   const std::function<void(const std::string&)>& take) {
  std::string line;
  read_blocks(file, how, [&](std::string_view block) {
    for (auto end = block.find('\n'); end != std::string_view::npos; end = block.find('\n')) {
      line += block.substr(0, end);
      block.remove_prefix(end + 1);
      take(line);
      line.clear();
    }
    line += block;
    if (line.size() > most_line) too_large(file, "a line with more than that", most_line);
  });
  if (!line.empty()) take(line);
}

}  // namespace trl
