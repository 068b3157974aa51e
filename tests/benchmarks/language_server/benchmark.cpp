// How long an editor waits for the language server, and whether it keeps memory.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "interpreter/assess/assessments.hpp"
#include "language/server/server.hpp"
#include "tests/benchmarks/language/generated.hpp"

namespace {

using nlohmann::json;
using trl::interpreter::Assessments;
using trl::language_server::Server;
using trl::language_server::World;

/// The processor's time for work of one thread: the time that an editor waits on a machine that does nothing
/// else.
double milliseconds(const std::function<void()>& work) {
  const auto now = [] {
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
  };
  const double begin = now();
  work();
  return now() - begin;
}

/// This process's memory in MiB.
double memory() {
  std::ifstream statm("/proc/self/statm");
  double all = 0, resident = 0;
  statm >> all >> resident;
  return resident * static_cast<double>(::sysconf(_SC_PAGESIZE)) / (1 << 20);
}

void print(const char* what, std::vector<double> times) {
  std::sort(times.begin(), times.end());
  const auto at = [&](double share) {
    return times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))];
  };
  std::printf("%-34s %9.2f %9.2f %9.2f\n", what, at(0.5), at(0.95), at(1));
}

/// Types in a file and prints how long the server needs.
void play(const char* title, const std::string& text, std::size_t edits) {
  const auto number_of_lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  json diagnostics_now = json::array();
  World world;
  world.options.assess =
      [known = std::make_shared<Assessments>(trl::interpreter::shipped_assessments(), std::filesystem::path(),
                                             [](const json&, const auto&) {})](
          const auto& tasks, const auto& precision) { return known->of(tasks, precision); };
  Server server(std::move(world), "benchmark", [&](const json& message) {
    if (message.contains("params") && message["params"].contains("diagnostics"))
      diagnostics_now = message["params"]["diagnostics"];
  });
  const auto settle = [&] {
    while (server.wants_to_settle()) server.settle();
  };
  int id = 0;
  const auto request = [&](const char* method, const json& params) {
    server.receive({{"jsonrpc", "2.0"}, {"id", ++id}, {"method", method}, {"params", params}});
  };
  const auto notify = [&](const char* method, const json& params) {
    server.receive({{"jsonrpc", "2.0"}, {"method", method}, {"params", params}});
  };
  const json document = {{"uri", "file:///benchmark/program.trl"}};
  request("initialize", {{"capabilities", json::object()}});
  json opened = document;
  opened["version"] = 1, opened["text"] = text, opened["languageId"] = "trl";
  notify("textDocument/didOpen", {{"textDocument", opened}});
  const double first = milliseconds(settle);
  const std::size_t found = diagnostics_now.size();
  const auto of_power = std::count_if(diagnostics_now.begin(), diagnostics_now.end(),
                                      [](const json& one) { return one["code"] == "underpowered"; });

  // A letter is typed at the end of a random line and taken away again.
  std::mt19937 random(1);
  int version = 1;
  const auto change = [&](std::size_t line, std::size_t from, std::size_t to, const std::string& with) {
    json versioned = document;
    versioned["version"] = ++version;
    notify("textDocument/didChange",
           {{"textDocument", versioned},
            {"contentChanges", json::array({{{"range",
                                              {{"start", {{"line", line}, {"character", from}}},
                                               {"end", {{"line", line}, {"character", to}}}}},
                                             {"text", with}}})}});
  };
  std::vector<double> diagnostics, effects, completion, hover, tokens, hints;
  double after_tenth = 0;
  for (std::size_t edit = 0; edit < edits; ++edit) {
    const std::size_t line = random() % number_of_lines;
    change(line, 0, 0, edit % 2 == 0 ? "#" : " ");
    diagnostics.push_back(milliseconds(settle));
    const json place = {{"textDocument", document}, {"position", {{"line", line}, {"character", 3}}}};
    if (edit % 10 == 0) {
      hover.push_back(milliseconds([&] { request("textDocument/hover", place); }));
      tokens.push_back(milliseconds([&] { request("textDocument/semanticTokens/full", place); }));
      json range = place;
      range["range"] = {{"start", {{"line", line}, {"character", 0}}},
                        {"end", {{"line", line + 50}, {"character", 0}}}};
      hints.push_back(milliseconds([&] { request("textDocument/inlayHint", range); }));
    }
    completion.push_back(milliseconds([&] { request("textDocument/completion", place); }));
    change(line, 0, 1, "");
    settle();
    if (edit + 1 == (edits + 9) / 10) after_tenth = memory();
  }
  // A digit of an effect is typed, so that power has to be computed anew.
  constexpr std::string_view effect = "smallest_effect = 4";
  if (const std::size_t at = text.find(effect); at != std::string::npos) {
    const auto line = static_cast<std::size_t>(
        std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    const std::size_t character = at + effect.size() - (text.rfind('\n', at) + 1);
    for (std::size_t edit = 0; edit < std::min<std::size_t>(edits, 100); ++edit) {
      const std::string digits = "." + std::to_string(100 + edit);
      change(line, character, character, digits);
      effects.push_back(milliseconds(settle));
      change(line, character, character + digits.size(), "");
      settle();
    }
  }
  std::printf(
      "%s: %zu lines with %zu findings, %zd of them of power, %zu edits; milliseconds\n%-34s %9s %9s %9s\n",
      title, number_of_lines, found, of_power, 2 * edits, "", "median", "95 %", "most");
  std::printf("%-34s %9.2f\n", "diagnostics after opening", first);
  print("diagnostics after a keystroke", diagnostics);
  if (!effects.empty()) print("the same, in a hypothesis' effect", effects);
  print("completion", completion);
  print("hover", hover);
  print("semantic tokens of the file", tokens);
  print("inlay hints of 50 lines", hints);
  std::printf("memory after a tenth of the edits %.1f MiB, after all %.1f MiB\n", after_tenth, memory());
}

}  // namespace

int main(int count, char** values) {
  const std::size_t lines = count > 1 ? std::strtoul(values[1], nullptr, 10) : 2000;
  const std::size_t edits = count > 2 ? std::strtoul(values[2], nullptr, 10) : 2000;
  play("a file without findings", trl::benchmarks::program(lines), edits);
  play("an unfinished file", trl::benchmarks::unfinished_program(std::max<std::size_t>(lines, 200)), edits);
}
