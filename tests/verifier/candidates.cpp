#include "tests/verifier/candidates.hpp"

#include "base/support/child_process.hpp"
#include "tests/secret.hpp"

namespace trl::runtime::candidates {
namespace {

using nlohmann::json;

Task make(json inputs, json dims, json value, json output, const std::string& key) {
  return Task::parse({{"suite", "test"},
                      {"id", 1},
                      {"name", "test"},
                      {"doc", ""},
                      {"dims", dims},
                      {"inputs", inputs},
                      {"value", value},
                      {"output", {{"dtype", "f32"}, {"shape", output}}},
                      {"key", key}});
}

json tensor(const char* name, json shape) { return {{"name", name}, {"dtype", "f32"}, {"shape", shape}}; }
json input(const char* name) { return {{"input", name}}; }
json op(const char* name, json args, json attributes = json::object()) {
  json node = {{"op", name}, {"args", args}};
  if (!attributes.empty()) node["attrs"] = attributes;
  return node;
}
json dims(std::initializer_list<std::pair<const char*, int>> list) {
  json result = json::array();
  for (const auto& [name, size] : list) result.push_back(json::array({name, size}));
  return result;
}

const Installation& installation() {
  static const Installation found = find_installation();
  return found;
}

}  // namespace

Task relu() {
  return make(json::array({tensor("x", {"M", "N"})}), dims({{"M", 64}, {"N", 256}}),
              op("relu", json::array({input("x")})), {"M", "N"}, "relu(x0:f32[d0,d1])");
}

Task matmul() {
  return make(json::array({tensor("x", {"M", "K"}), tensor("w", {"K", "N"})}),
              dims({{"M", 64}, {"K", 64}, {"N", 48}}), op("matmul", json::array({input("x"), input("w")})),
              {"M", "N"}, "matmul(x0:f32[d0,d1],x1:f32[d1,d2])");
}

Task softmax() {
  return make(json::array({tensor("x", {"M", "N"})}), dims({{"M", 32}, {"N", 100}}),
              op("softmax", json::array({input("x")}), {{"axis", 1}}), {"M", "N"},
              "softmax[axis=1](x0:f32[d0,d1])");
}

Task row_sum() {
  return make(json::array({tensor("x", {"M", "N"})}), dims({{"M", 32}, {"N", 100}}),
              op("sum", json::array({input("x")}), {{"axis", 1}, {"keepdim", false}}), {"M"},
              "sum[axis=1,keepdim=false](x0:f32[d0,d1])");
}

Task add() {
  return make(json::array({tensor("x", {"M", "N"}), tensor("y", {"M", "N"})}), dims({{"M", 64}, {"N", 256}}),
              op("add", json::array({input("x"), input("y")})), {"M", "N"},
              "add(x0:f32[d0,d1],x1:f32[d0,d1])");
}

std::string relu_answer(const std::string& forward) {
  return relu_kernel + "class ModelNew(nn.Module):\n    def forward(self, x):\n" + forward;
}

bool unconfined() {
  static const bool refused = [] {
    ChildProcess probe({installation().sandbox.string(), "--", "/bin/true"});
    return probe.wait(std::chrono::seconds(20)) == 125;
  }();
  return refused;
}

Verifier& verifier() {
  static Verifier verifier(installation(), !unconfined());
  return verifier;
}

Recorder& recorder() {
  static Recorder process(installation(), !unconfined());
  return process;
}

Protocol exam() {
  return Protocol::parse({{"variations", {"original", "scale(2)", "reseed", "resize(150%)", "cast(f16)"}},
                          {"tiny", true},
                          {"compile", "all"},
                          {"strict", true},
                          {"limits", {{"seconds", 20}}}});
}

Protocol training() {
  return Protocol::parse(
      {{"variations", {"original"}}, {"compile", "after_values"}, {"limits", {{"seconds", 20}}}});
}

std::string secret() { return test_secret("a secret"); }

Verdict judge(const Task& task, const std::string& answer, const Protocol& protocol) {
  return verifier().verify(task, answer, protocol, secret());
}

}  // namespace trl::runtime::candidates
