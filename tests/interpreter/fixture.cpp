#include "tests/interpreter/fixture.hpp"

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <vector>

#include "base/support/files.hpp"

namespace trl::interpreter::testing {
namespace fs = std::filesystem;
using nlohmann::json;
namespace {

json number(double value) { return value; }
json name(const char* text) { return {{"name", text}}; }
json op(const char* symbol, std::vector<json> args) { return {{"op", symbol}, {"args", args}}; }
json call(const char* function, std::vector<json> args) { return {{"call", function}, {"args", args}}; }
json member(const char* field) { return {{"member", name("c")}, {"name", field}}; }
json formula(std::vector<std::string> params, const json& body) {
  return {{"formula", {{"params", params}, {"body", body}}}};
}
json outer_call(const char* function, std::vector<json> args, const json& named = json::object()) {
  return {{"call", function}, {"args", args}, {"named", named}};
}

json ids(const char* suite, int first, int last) {
  auto list = json::array();
  for (int id = first; id <= last; ++id) list.push_back(suite + ("/" + std::to_string(id)));
  return list;
}

json joined(json a, const json& b) {
  for (const auto& item : b) a.push_back(item);
  return a;
}

}  // namespace

Scratch::Scratch() {
  // In memory if possible, since the tests sync often.
  const fs::path memory = "/dev/shm";
  auto pattern =
      ((::access(memory.c_str(), W_OK) == 0 ? memory : fs::temp_directory_path()) / "trl-test-XXXXXX")
          .string();
  if (!::mkdtemp(pattern.data())) throw std::runtime_error("no temporary folder");
  path = pattern;
}

Scratch::~Scratch() {
  std::error_code ignored;
  fs::remove_all(path, ignored);
}

void write_model(const fs::path& home, const std::string& contents) {
  const auto folder = home / "stdlib" / "windtunnel";
  fs::create_directories(folder);
  const auto header =
      json{{"w", {{"dtype", "U8"}, {"shape", {contents.size()}}, {"data_offsets", {0, contents.size()}}}}}
          .dump();
  const std::uint64_t size = header.size();
  std::string file(reinterpret_cast<const char*>(&size), 8);
  write_text(folder / "model.safetensors", file + header + contents);
  write_text(folder / "config.json", "{}");
  write_text(folder / "tokenizer.json", "{}");
}

json task(const std::string& suite, int id) {
  const auto number_text = std::to_string(id);
  return {{"suite", suite},
          {"id", id},
          {"name", suite + "_task" + number_text},
          {"doc", "Task " + number_text + "."},
          {"dims", json::array({json::array({"M", 64})})},
          {"inputs", json::array({{{"name", "x"}, {"dtype", "f32"}, {"shape", {"M"}}}})},
          {"value", {{"op", "relu"}, {"args", json::array({{{"input", "x"}}})}}},
          {"output", {{"dtype", "f32"}, {"shape", {"M"}}}},
          {"key", suite + "-" + number_text}};
}

json extension(const std::string& name, const std::string& variant, const json& fields) {
  json declaration = {{"kind", "extension"},       {"name", name}, {"doc", ""}, {"variant", variant},
                      {"implementation", variant}, {"version", 1}};
  declaration.update(fields);
  return declaration;
}

json study() {
  json tasks = json::object();
  for (int id = 1; id <= 6; ++id) tasks["level1/" + std::to_string(id)] = task("level1", id);
  for (int id = 1; id <= 9; ++id) tasks["level2/" + std::to_string(id)] = task("level2", id);
  const json seen = {{"tasks", joined(ids("level1", 1, 4), ids("level2", 1, 6))}};
  const json held_out = {{"tasks", joined(ids("level1", 5, 6), ids("level2", 7, 9))}};

  const json inputs =
      extension("inputs", "multi_input",
                {{"variations", json::array({"original", outer_call("scale", {2}), "reseed",
                                             outer_call("resize", {1.5}), outer_call("cast", {"f16"})})}});
  const json stages =
      extension("stages", "staged_evaluation",
                {{"failing", {{"syntax", 0}, {"compile", 0.3}, {"tiny", 0.5}, {"full", 0.7}}}});
  const json share = formula(
      {},
      op("+", {number(0.1),
               op("*", {number(0.4), call("min", {op("/", {call("accuracy", {name("level1")}), number(0.4)}),
                                                  number(1)})})}));
  const json pace =
      extension("pace", "adaptive_curriculum",
                {{"share", json::array({json::array({"level2", share}), json::array({"level1", "rest"})})}});
  const json clock = extension("clock", "calibrated_timing", {{"warmup", 10}, {"trials", 50}, {"trim", 0.1}});

  const json imitate = {
      {"kind", "train"},
      {"name", "imitate"},
      {"doc", ""},
      {"variant", "sft"},
      {"implementation", "sft"},
      {"version", 1},
      {"data", outer_call("windtunnel.corpus", {},
                          {{"level1", 3}, {"level2", 5}, {"flawed", 0.5}, {"exclude", held_out}})},
      {"epochs", 1},
      {"batch", 4},
      {"learning_rate", 2e-4},
      {"warmup", 0.1},
      {"schedule", "cosine"},
      {"weight_decay", 0},
      {"clip", 1}};
  const json reward = formula(
      {"c"}, {{"if",
               {member("correct"),
                op("+", {number(0.7), op("*", {number(0.3), call("min", {member("speedup"), number(1)})})}),
                member("credit")}}});
  json reinforce = {{"kind", "train"},
                    {"name", "reinforce"},
                    {"doc", ""},
                    {"variant", "best_of_n"},
                    {"implementation", "best_of_n"},
                    {"version", 1},
                    {"tasks", seen},
                    {"rounds", 2},
                    {"tasks_per_round", 5},
                    {"candidates", 4},
                    {"keep", 2},
                    {"keep_by", "reward"},
                    {"epochs", 2},
                    {"batch", 4},
                    {"temperature", 0.8},
                    {"max_tokens", 64},
                    {"learning_rate", 3e-4},
                    {"min_reward", 0.5},
                    {"reward", reward},
                    {"warmup", 0.1},
                    {"schedule", "cosine"},
                    {"weight_decay", 0},
                    {"clip", 1}};
  json unfiltered = reinforce;
  unfiltered["name"] = "unfiltered", unfiltered["keep_by"] = "random";

  const json experiment = {
      {"kind", "experiment"},
      {"name", "study"},
      {"doc", "Which extension helps?"},
      {"model",
       {{"kind", "model"},
        {"name", "base"},
        {"weights", outer_call("windtunnel.base", {})},
        {"precision", "bf16"},
        {"quantize", "none"}}},
      {"adapter",
       {{"kind", "lora"},
        {"name", "writer"},
        {"rank", 16},
        {"alpha", 32},
        {"dropout", 0.05},
        {"targets", {"all_linear"}}}},
      {"train", {imitate, reinforce}},
      {"controls", json::array({json::array({imitate}), json::array({imitate, unfiltered})})},
      {"evaluate",
       {{"kind", "evaluation"},
        {"name", "exam"},
        {"split", held_out},
        {"samples", 2},
        {"temperature", 0.7},
        {"max_tokens", 64}}},
      {"extensions", json::array()},
      {"vary", outer_call("subsets", {inputs, stages, pace, clock})},
      {"seeds", {1}},
      {"allowed",
       json::array({{{"rule", "keeps_incorrect"}, {"reason", "studied"}, {"where", "a.trl:3:1"}}})}};
  json document = {{"file", "a.trl"}, {"doc", ""}, {"tasks", tasks}};
  document["experiments"]["study"] = experiment;
  document["tables"]["main"] = {
      {"of", "study"},
      {"rows", {{"op", "+"}, {"args", {"cells", "controls"}}}},
      {"columns", json::array({"valid", "compiled", "correct", outer_call("pass_at", {1}),
                               outer_call("fast", {1.0}), "speedup", "purity", "cost"})}};
  document["plots"]["learning"] = {{"of", "study"}, {"x", "round"}, {"y", "reward"}, {"by", "cell"}};
  document["hypotheses"]["inputs_help"] = {
      {"of", "study"}, {"contrast", "inputs"}, {"metric", "correct"}, {"expect", "greater"}};
  make_cells(document["experiments"]["study"]);
  return document;
}

void make_cells(json& experiment) {
  std::vector<std::string> names;
  for (const auto& extension : experiment["vary"]["args"]) names.push_back(extension["name"]);
  auto& factors = experiment["design"]["factors"] = json::array();
  for (const auto& name : names)
    factors.push_back({{"name", name}, {"extension", true}, {"levels", {"off", "on"}}});
  std::vector<unsigned> masks;
  for (unsigned mask = 0; mask < 1u << names.size(); ++mask) masks.push_back(mask);
  std::stable_sort(masks.begin(), masks.end(),
                   [](unsigned a, unsigned b) { return std::popcount(a) < std::popcount(b); });
  experiment["cells"] = json::array();
  for (const unsigned mask : masks) {
    std::string label;
    json levels = json::array();
    for (std::size_t i = 0; i < names.size(); ++i) {
      levels.push_back(mask >> i & 1);
      if (mask >> i & 1) label += (label.empty() ? "" : " + ") + names[i];
    }
    experiment["cells"].push_back({{"label", label.empty() ? "none" : label}, {"levels", levels}});
  }
}

json small_study() {
  json document = study();
  auto& experiment = document["experiments"]["study"];
  experiment["vary"]["args"].erase(experiment["vary"]["args"].begin() + 1, experiment["vary"]["args"].end());
  make_cells(experiment);
  experiment["controls"].erase(1);
  experiment["train"][1]["rounds"] = 1;
  return document;
}

PlanOptions options(const fs::path& home, bool purity) {
  PlanOptions options;
  options.home = home;
  options.purity = purity;
  return options;
}

}  // namespace trl::interpreter::testing
