#include "interpreter/filter.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>

namespace trl::interpreter {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

std::string contents(std::FILE* file) {
  std::string text;
  std::rewind(file);
  char block[4096];
  while (const std::size_t n = std::fread(block, 1, sizeof block, file)) text.append(block, n);
  return text;
}

std::string name_of(const std::string& variable) { return variable.substr(0, variable.find('=')); }

std::vector<std::string> environment_with(const std::vector<std::string>& changes) {
  std::vector<std::string> variables;
  for (const std::string& change : changes)
    if (change.find('=') != std::string::npos) variables.push_back(change);
  for (char** variable = environ; *variable; ++variable)
    if (std::none_of(changes.begin(), changes.end(),
                     [&](const std::string& c) { return name_of(c) == name_of(*variable); }))
      variables.emplace_back(*variable);
  return variables;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (auto& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

bool Filtered::missing() const { return status == 127 || (status < 0 && code == ENOENT); }

Filtered run_filter(const std::string& program, const std::vector<std::string>& arguments,
                    const std::string& input, const std::vector<std::string>& environment) {
  Filtered result;
  const File in(std::tmpfile()), out(std::tmpfile()), err(std::tmpfile());
  if (!in || !out || !err) return {-1, errno, "", ""};
  std::fwrite(input.data(), 1, input.size(), in.get());
  std::rewind(in.get());
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, ::fileno(in.get()), 0);
  ::posix_spawn_file_actions_adddup2(&actions, ::fileno(out.get()), 1);
  ::posix_spawn_file_actions_adddup2(&actions, ::fileno(err.get()), 2);
  auto variables = environment_with(environment);
  std::vector<std::string> words = {program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, program.c_str(), &actions, nullptr, pointers_to(words).data(),
                                   pointers_to(variables).data());
  ::posix_spawn_file_actions_destroy(&actions);
  if (error) return {-1, error, "", ""};
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  result.out = contents(out.get());
  result.err = contents(err.get());
  return result;
}

}  // namespace trl::interpreter
