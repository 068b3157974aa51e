#include "interpreter/report/gnuplot.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include <fmt/format.h>

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

/// The caller's environment with LC_ALL=C.UTF-8 and without a terminal of gnuplot's.
std::vector<std::string> environment() {
  std::vector<std::string> variables = {"LC_ALL=C.UTF-8"};
  for (char** variable = environ; *variable; ++variable)
    if (std::strncmp(*variable, "LC_ALL=", 7) != 0 && std::strncmp(*variable, "GNUTERM=", 8) != 0)
      variables.emplace_back(*variable);
  return variables;
}

/// Exit status of `program -d` between the three files; -1 where it can't be started, with errno set.
int run_program(const std::string& program, std::FILE* in, std::FILE* out, std::FILE* err) {
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, ::fileno(in), 0);
  ::posix_spawn_file_actions_adddup2(&actions, ::fileno(out), 1);
  ::posix_spawn_file_actions_adddup2(&actions, ::fileno(err), 2);
  auto variables = environment();
  std::vector<char*> pointers;
  for (auto& variable : variables) pointers.push_back(variable.data());
  pointers.push_back(nullptr);
  std::string name = program, defaults = "-d";
  char* arguments[] = {name.data(), defaults.data(), nullptr};
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, program.c_str(), &actions, nullptr, arguments, pointers.data());
  ::posix_spawn_file_actions_destroy(&actions);
  if (error) {
    errno = error;
    return -1;
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

/// The last line that says something: before it gnuplot repeats the command.
std::string reason_in(const std::string& text) {
  const auto end = text.find_last_not_of("\n ");
  if (end == std::string::npos) return "it gave no reason";
  const auto begin = text.rfind('\n', end);
  return text.substr(begin == std::string::npos ? 0 : begin + 1, std::min<std::size_t>(end - begin, 200));
}

/// gnuplot takes letters, digits and _ as a picture's name.
std::string plain(std::string name) {
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

/// Without the line that names gnuplot's version.
std::string without_version(std::string svg) {
  const auto begin = svg.find("<desc>"), end = svg.find("</desc>\n");
  if (begin != std::string::npos && end != std::string::npos) svg.erase(begin, end + 8 - begin);
  return svg;
}

}  // namespace

Drawing draw_with_gnuplot(const std::string& script) {
  const char* named = std::getenv("TRL_GNUPLOT");
  const std::string program = named && *named ? named : "gnuplot";
  const File in(std::tmpfile()), out(std::tmpfile()), err(std::tmpfile());
  if (!in || !out || !err) return {"", std::string("no temporary file: ") + std::strerror(errno)};
  std::fwrite(script.data(), 1, script.size(), in.get());
  std::rewind(in.get());
  const int status = run_program(program, in.get(), out.get(), err.get());
  if (status == 127 || (status < 0 && errno == ENOENT))
    return {"", "there is no " + program + " on this machine; `apt-get install gnuplot-nox` brings it"};
  if (status < 0) return {"", program + " can't be started: " + std::strerror(errno)};
  auto svg = contents(out.get());
  if (status != 0 || svg.find("</svg>") == std::string::npos)
    return {"", program + " failed: " + reason_in(contents(err.get()))};
  return {without_version(std::move(svg)), ""};
}

std::string svg_terminal(const std::string& name, int width, int height) {
  return fmt::format(
      "set terminal svg size {},{} dynamic noenhanced font \"sans-serif,12\" background \"#ffffff\" name {}\n"
      "set encoding utf8\n",
      width, height, gnuplot_quoted(plain(name)));
}

std::string gnuplot_quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "''" : c == '\n' || c == '\r' ? " " : std::string(1, c);
  return quoted + "'";
}

}  // namespace trl::interpreter
