#include "tests/interpreter/trl_process.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "base/support/files.hpp"

namespace trl::interpreter::testing {
namespace fs = std::filesystem;
using nlohmann::json;
namespace {

void blank_seconds(json& value) {
  if (value.is_object() && value.contains("seconds")) value["seconds"] = 0;
  if (value.is_structured())
    for (auto& item : value) blank_seconds(item);
}

}  // namespace

TrlFolder::TrlFolder(const fs::path& trl, const fs::path& worker, const fs::path& study)
    : trl_(trl), worker_(worker) {
  write_model(scratch_.path);
  fs::copy_file(study, scratch_.path / "study.trl");
}

Ended TrlFolder::trl(const std::string& arguments, const Environment& environment) const {
  return shell("exec $trl " + arguments, environment);
}

Ended TrlFolder::shell(const std::string& command, const Environment& environment) const {
  return wait(start(command, "last", environment), "last");
}

pid_t TrlFolder::start(const std::string& command, const std::string& name,
                       const Environment& environment) const {
  const pid_t child = ::fork();
  if (child != 0) return child;
  if (::chdir(scratch_.path.c_str()) != 0) ::_exit(99);
  const auto file = [](const std::string& to) {
    return ::open(to.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  };
  ::dup2(file(name + ".out"), 1);
  ::dup2(file(name + ".err"), 2);
  ::setenv("TRL_HOME", scratch_.path.c_str(), 1);
  ::setenv("TRL_WORKER", worker_.c_str(), 1);
  ::setenv("NO_COLOR", "1", 1);
  for (const char* name : {"HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "HF_HOME"}) ::unsetenv(name);
  ::setenv("XDG_CACHE_HOME", (scratch_.path / "cache").c_str(), 1);
  ::setenv("trl", trl_.c_str(), 1);
  for (const auto& [variable, value] : environment) ::setenv(variable.c_str(), value.c_str(), 1);
  ::execl("/bin/sh", "sh", "-c", command.c_str(), static_cast<char*>(nullptr));
  ::_exit(99);
}

Ended TrlFolder::wait(pid_t child, const std::string& name) const {
  int status = 0;
  ::waitpid(child, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, WIFSIGNALED(status) ? WTERMSIG(status) : 0,
          read_text(scratch_.path / (name + ".out")), read_text(scratch_.path / (name + ".err"))};
}

void TrlFolder::make_store(const std::string& name, const std::string& like) const {
  const auto secret = scratch_.path / name / "secret";
  fs::create_directories(secret.parent_path());
  fs::copy_file(scratch_.path / like / "secret", secret);
  fs::permissions(secret, fs::perms::owner_read | fs::perms::owner_write);
}

std::map<std::string, std::string> TrlFolder::files(const std::string& folder) const {
  std::map<std::string, std::string> files;
  const auto root = scratch_.path / folder;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (!entry.is_regular_file()) continue;
    auto text = read_text(entry.path());
    if (entry.path().extension() == ".json") {
      auto value = json::parse(text);
      blank_seconds(value);
      text = value.dump();
    }
    files[entry.path().lexically_relative(root)] = text;
  }
  return files;
}

}  // namespace trl::interpreter::testing
