#include "interpreter/files.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "interpreter/error.hpp"

namespace trl::interpreter {
namespace fs = std::filesystem;

std::string read_text(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  if (!in || fs::is_directory(file) || (in.peek() != EOF && !(text << in.rdbuf())))
    throw UserError("cannot read " + file.string());
  return std::move(text).str();
}

nlohmann::json read_json(const fs::path& file) {
  auto value = nlohmann::json::parse(read_text(file), nullptr, false);
  if (value.is_discarded()) throw UserError(file.string() + " isn't JSON");
  return value;
}

std::vector<nlohmann::json> read_json_lines(const fs::path& file) {
  std::istringstream in(read_text(file));
  std::vector<nlohmann::json> rows;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    if (line.empty()) continue;
    rows.push_back(nlohmann::json::parse(line, nullptr, false));
    if (rows.back().is_discarded())
      throw UserError(file.string() + ":" + std::to_string(number) + ": not JSON");
  }
  return rows;
}

void write_text(const fs::path& file, std::string_view text) {
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  out.close();
  if (!out) throw UserError("cannot write " + file.string(), "Is the disk full, or the folder read-only?");
}

void write_json_lines(const fs::path& file, const std::vector<nlohmann::json>& rows) {
  std::string text;
  for (const auto& row : rows) text += row.dump() + '\n';
  write_text(file, text);
}

void replace_text(const fs::path& file, std::string_view text) {
  const fs::path beside = file.parent_path() / (".tmp-" + file.filename().string());
  write_text(beside, text);
  sync_path(beside);
  fs::rename(beside, file);
}

void sync_path(const fs::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw UserError("cannot open " + path.string() + ": " + std::strerror(errno));
  const int failed = ::fsync(descriptor);
  const int reason = errno;
  ::close(descriptor);
  // Some file systems can't sync a folder; they say EINVAL.
  if (failed && reason != EINVAL)
    throw UserError("cannot sync " + path.string() + ": " + std::strerror(reason));
}

void sync_tree(const fs::path& folder) {
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.is_symlink()) continue;
    if (entry.is_directory())
      sync_tree(entry.path());
    else
      sync_path(entry.path());
  }
  sync_path(folder);
}

}  // namespace trl::interpreter
