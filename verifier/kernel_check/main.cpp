// trl-kernel-check finds mistakes of a CUDA candidate in its text.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <sstream>

#include "base/support/json_text.hpp"
#include "base/support/reading.hpp"
#include "verifier/kernel_check/check.hpp"
#include "verifier/kernel_check/serve.hpp"

namespace {

using namespace trl::kernel_check;

constexpr const char* help =
    R"(Checks the CUDA kernels of a file and the C++ that launches them, without CUDA, PyTorch or a GPU.

usage: trl-kernel-check FILE.cu…          prints what it finds as FILE:LINE:COLUMN
       trl-kernel-check --serve           requests as JSON lines on standard input, answers on standard output
       trl-kernel-check --checks          lists the checks

  --launch-wrapper   FILE is C++ that launches kernels from elsewhere
  --json             prints answers as JSON lines
  --strict           warnings are errors, too
  --help

exit status: 0 nothing refused, 1 something is, 2 wrong usage or a file that can't be read
)";

/// Escapes control characters for the terminal, since the text is a candidate's.
std::string shown(const std::string& text) {
  std::string out;
  for (const char letter : text) {
    const auto code = static_cast<unsigned char>(letter);
    if (code < 32 || code == 127)
      out += fmt::format("\\x{:02x}", code);
    else
      out += letter;
  }
  return out;
}

void print(const Answer& answer, const std::string& file, const std::string& source, bool color) {
  const auto painted = [&](const char* code, const std::string& text) {
    return color ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : text;
  };
  std::vector<std::string> lines;
  std::istringstream text(source);
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  for (const Finding& one : answer.findings) {
    const bool refused = one.severity == Severity::refuse;
    fmt::print("{}: {} {} [{}]\n", painted("1", fmt::format("{}:{}:{}", shown(file), one.line, one.column)),
               refused ? painted("1;31", "error:") : painted("1;35", "warning:"), shown(one.message),
               one.check);
    if (one.line > 0 && one.line <= static_cast<int>(lines.size())) {
      const std::string& line = lines[one.line - 1];
      fmt::print("{:5} | {}\n      | {}{}\n", one.line, shown(line),
                 std::string(std::max(0, std::min<int>(one.column, line.size() + 1) - 1), ' '),
                 painted("1;32", "^"));
    }
    if (!one.help.empty()) fmt::print("      = help: {}\n", shown(one.help));
  }
}

int list_checks() {
  for (const Check* one : all_checks())
    fmt::print("{:24} {:7} {:18} {}\n", one->id, one->severity == Severity::refuse ? "refuses" : "warns",
               one->reason, one->why);
  return 0;
}

int check_files(const std::vector<std::string>& files, Language language, bool as_json, bool strict) {
  const char* plain = std::getenv("NO_COLOR");
  const bool color = isatty(STDOUT_FILENO) && !(plain && *plain);
  int status = 0;
  for (const std::string& file : files) {
    Request request;
    request.id = file;
    try {
      request.source = trl::read_text(file, {.argument = true});
    } catch (const trl::UserError& error) {
      fmt::print(stderr, "error: {}\n", shown(error.what()));
      return 2;
    }
    request.language = language;
    const Answer answer = check_apart(request);
    if (as_json)
      fmt::print("{}\n", trl::dumped(to_json(answer, file)));
    else
      print(answer, file, request.source, color);
    if (answer.refused() || (strict && !answer.findings.empty())) status = 1;
  }
  return status;
}

}  // namespace

int main(int count, char** words) {
  std::vector<std::string> files;
  Language language = Language::cuda;
  bool as_json = false, strict = false;
  for (int i = 1; i < count; ++i) {
    const std::string_view word = words[i];
    if (word == "--help" || word == "-h") {
      fmt::print("{}", help);
      return 0;
    }
    if (word == "--serve" && count == 2) return serve();
    if (word == "--checks") return list_checks();
    if (word == "--launch-wrapper") {
      language = Language::launch_wrapper;
    } else if (word == "--json") {
      as_json = true;
    } else if (word == "--strict") {
      strict = true;
    } else if (word.substr(0, 1) == "-") {
      fmt::print(stderr, "error: no option {} here; see trl-kernel-check --help\n", shown(words[i]));
      return 2;
    } else {
      files.emplace_back(word);
    }
  }
  if (files.empty()) {
    fmt::print(stderr, "error: a file is needed; see trl-kernel-check --help\n");
    return 2;
  }
  try {
    return check_files(files, language, as_json, strict);
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 2;
  }
}
