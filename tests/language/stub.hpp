// A reader for tests: files in memory, and a wind tunnel to import.
#pragma once
#include <map>
#include <optional>
#include <string>

#include "language/program/program.hpp"

namespace trl::language::test {

/// 60 tasks of one suite, 100 of another and 9 of a third, no two equal: what language tests need of the wind
/// tunnel.
inline std::string windtunnel() {
  const char* const operators[] = {"relu",   "sigmoid",  "tanh", "silu",      "gelu", "exp", "abs",
                                   "square", "softplus", "elu",  "hardswish", "mish", "sin"};
  std::string out;
  int made = 0;
  const auto suite = [&](const std::string& name, int tasks) {
    out += "suite " + name + " {\n";
    for (int i = 0; i < tasks; ++i, ++made)
      out += "  task t" + std::to_string(made) + "[M = 64, N = 256](x: f32[M, N]) = " + operators[made / 13] +
             "(" + operators[made % 13] + "(x))\n";
    out += "}\n";
  };
  suite("level1", 60);
  suite("level2", 100);
  suite("pairs", 9);
  return out;
}

/// Stands in for a runtime: what is drawn stays far below 10, so relu(x - 20) is 0 and zeros pass.
inline std::vector<Assessment> assess(const std::vector<const nlohmann::json*>& tasks, const std::string&) {
  std::vector<Assessment> out;
  for (const nlohmann::json* task : tasks) {
    Assessment& one = out.emplace_back();
    const nlohmann::json& value = task->at("value");
    const nlohmann::json inner = value.value("args", nlohmann::json::array({nullptr}))[0];
    const bool zero = value.value("op", "") == "relu" && inner.value("op", "") == "sub" &&
                      inner["args"][1].value("const", 0.0) >= 10;
    one.known = zero ? Assessment::Known::degenerate : Assessment::Known::refused;
    if (zero) one.passes = "zeros";
    for (const char* label : {"original", "reseed"})
      one.variations.push_back(
          {label, zero ? std::vector<std::string>{"zeros"} : std::vector<std::string>()});
  }
  return out;
}

/// Files of this map, then the disk; `windtunnel.trl` is the one above.
inline CheckOptions in_memory(std::map<std::string, std::string> files) {
  CheckOptions options;
  options.search = {"memory"};
  options.library = "memory";
  options.assess = assess;
  files.emplace("memory/windtunnel.trl", windtunnel());
  options.read = [files = std::move(files)](const std::string& path) -> std::optional<std::string> {
    const auto at = files.find(path);
    if (at == files.end()) return read_from_disk(path);
    return at->second;
  };
  return options;
}

inline Checked check_text(const std::string& text, std::map<std::string, std::string> files = {}) {
  files["test.trl"] = text;
  return check_file("test.trl", in_memory(std::move(files)));
}

}  // namespace trl::language::test
