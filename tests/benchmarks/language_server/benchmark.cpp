// How long an editor waits for the language server, and whether it keeps memory.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "language/server/server.hpp"
#include "tests/benchmarks/language/generated.hpp"

namespace {

using nlohmann::json;
using trl::language_server::Server;

double milliseconds(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
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

}  // namespace

int main(int count, char** values) {
  const std::size_t lines = count > 1 ? std::strtoul(values[1], nullptr, 10) : 2000;
  const std::size_t edits = count > 2 ? std::strtoul(values[2], nullptr, 10) : 2000;
  const std::string text = trl::benchmarks::program(lines);
  const auto number_of_lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  std::size_t answers = 0;
  Server server({}, "benchmark", [&](const json&) { ++answers; });
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
  const double first = milliseconds([&] { server.settle(); });

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
  std::vector<double> diagnostics, completion, hover, tokens, hints;
  double after_tenth = 0;
  for (std::size_t edit = 0; edit < edits; ++edit) {
    const std::size_t line = random() % number_of_lines;
    change(line, 0, 0, edit % 2 == 0 ? "#" : " ");
    diagnostics.push_back(milliseconds([&] { server.settle(); }));
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
    server.settle();
    if (edit + 1 == (edits + 9) / 10) after_tenth = memory();
  }
  std::printf("%zu lines, %zu edits; milliseconds\n%-34s %9s %9s %9s\n", lines, 2 * edits, "", "median",
              "95 %", "most");
  std::printf("%-34s %9.2f\n", "diagnostics after opening", first);
  print("diagnostics after a keystroke", diagnostics);
  print("completion", completion);
  print("hover", hover);
  print("semantic tokens of the file", tokens);
  print("inlay hints of 50 lines", hints);
  std::printf("memory after a tenth of the edits %.1f MiB, after all %.1f MiB\n", after_tenth, memory());
}
