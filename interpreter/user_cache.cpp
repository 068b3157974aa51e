#include "interpreter/user_cache.hpp"

#include <cstdlib>

#include "base/support/error.hpp"
#include "base/support/files.hpp"
#include "interpreter/files.hpp"

namespace trl::interpreter {
namespace fs = std::filesystem;
using nlohmann::json;

fs::path user_cache_folder(const std::string& name) {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  // The XDG specification says that a path which isn't absolute is ignored.
  if (cache != nullptr && *cache == '/') return fs::path(cache) / "trl" / name;
  return home != nullptr && *home == '/' ? fs::path(home) / ".cache" / "trl" / name : fs::path();
}

std::optional<json> UserCache::find(const std::string& key) const {
  std::error_code absent;
  if (folder_.empty() || !fs::is_regular_file(file_of(key), absent)) return std::nullopt;
  try {
    json kept = json::parse(read_text(file_of(key)), nullptr, false);
    if (!kept.is_discarded()) return kept;
  } catch (const UserError&) {
    // An entry that can't be read counts as missing, so its contents are asked for again.
  }
  return std::nullopt;
}

void UserCache::keep(const std::string& key, const std::string& text) const {
  if (folder_.empty()) return;
  std::error_code refused;
  fs::create_directories(folder_, refused);
  try {
    if (!refused) replace_text(file_of(key), text + "\n");
  } catch (const DiskError&) {
    // Treated as if the value hadn't been cached.
  }
}

}  // namespace trl::interpreter
