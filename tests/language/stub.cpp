#include "tests/language/stub.hpp"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace trl::language::test {
namespace {

/// A file with three suites of 60, 100 and 9 tasks, all different, which is what language tests need of
/// windtunnel.trl.
std::string windtunnel() {
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

/// A stand-in for a runtime's assessments. Its inputs stay far below 10, so that relu(x - 20) is 0 and an
/// answer of zeros passes.
std::vector<Assessment> assess(const std::vector<const nlohmann::json*>& tasks, const std::string&) {
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

/// A stand-in for tasks that are kept elsewhere: a path that ends in "bench" has five tasks at level 1, of
/// which the last two are one function at two sizes, and three at level 2; one in "damaged" has a row that
/// can't be read; one in "gap" lacks a task.
std::shared_ptr<const ForeignTasks> read_foreign(const std::string& path) {
  auto out = std::make_shared<ForeignTasks>();
  const std::string name = path.substr(path.find_last_of('/') + 1);
  if (name != "bench" && name != "damaged" && name != "gap") {
    out->error = "there is nothing at " + path;
    out->help = "bring it";
    return out;
  }
  const auto add = [&](int level, int id, const std::string& key, std::vector<std::string> operators) {
    out->tasks.push_back({{"level", level},
                          {"id", id},
                          {"name", "task_" + std::to_string(id)},
                          {"key", "python:" + key},
                          {"code", "class Model: pass"},
                          {"inputs", nlohmann::json::array({nullptr, nullptr})},
                          {"operators", std::move(operators)}});
  };
  for (int id = 1; id <= 5; ++id)
    if (name != "gap" || id != 3)
      add(1, id, id == 5 ? "1/4" : "1/" + std::to_string(id), {id < 3 ? "matmul" : "swish"});
  for (int id = 1; id <= 3; ++id) add(2, id, "2/" + std::to_string(id), {"linear", "relu"});
  if (name == "damaged") out->problems.push_back({"rows.jsonl, row 7", 0, "it is no JSON"});
  return out;
}

}  // namespace

CheckOptions in_memory(std::map<std::string, std::string> files) {
  CheckOptions options;
  options.search = {"memory"};
  options.library = "memory";
  options.assess = assess;
  options.read_foreign = read_foreign;
  files.emplace("memory/windtunnel.trl", windtunnel());
  options.read = [files = std::move(files)](const std::string& path) -> std::optional<std::string> {
    const auto at = files.find(path);
    if (at == files.end()) return read_from_disk(path);
    return at->second;
  };
  return options;
}

Checked check_text(const std::string& text, std::map<std::string, std::string> files) {
  files["test.trl"] = text;
  return check_file("test.trl", in_memory(std::move(files)));
}

}  // namespace trl::language::test
