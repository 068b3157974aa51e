#include "base/support/home.hpp"

#include <cstdlib>
#include <system_error>

namespace trl {
namespace fs = std::filesystem;

fs::path find_home(const fs::path& marker) {
  if (const char* named = std::getenv("TRL_HOME"); named && *named) return named;
  std::error_code error;
  fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (; folder.has_relative_path(); folder = folder.parent_path())
    for (const fs::path& candidate : {folder, folder / "share/trl"})
      if (fs::exists(candidate / marker, error)) return candidate;
  return {};
}

fs::path find_python(const fs::path& home) {
  std::error_code error;
  if (const char* named = std::getenv("TRL_PYTHON"); named && *named && fs::exists(named, error))
    return named;
  if (const fs::path own = home / ".venv/bin/python"; fs::exists(own, error)) return own;
  return "python3";
}

}  // namespace trl
