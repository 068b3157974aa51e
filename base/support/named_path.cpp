#include "base/support/named_path.hpp"

#include <cstdlib>

#include "base/support/error.hpp"

namespace trl {

std::filesystem::path named_path(const std::filesystem::path& folder, const std::string& written) {
  if (!written.starts_with('~')) return folder / written;
  const std::string user = written.substr(0, written.find('/')), rest = written.substr(user.size());
  if (user != "~")
    throw UserError(
        "`" + written + "` names the home folder of another user, which isn't looked up",
        "Write the whole path. A folder that is really called `" + user + "` is `./" + written + "`.");
  const char* home = std::getenv("HOME");
  if (home == nullptr || *home != '/')
    throw UserError("`" + written + "` begins at the home folder, and HOME " +
                        (home == nullptr || *home == 0 ? "isn't set" : "is no absolute path"),
                    "Set HOME, or write the whole path.");
  return home + rest;
}

}  // namespace trl
