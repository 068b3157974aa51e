// Plans that no recorder makes, judged by the stage between honest candidates.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "ground/files.hpp"
#include "ground/json_text.hpp"
#include "runtime/worker/stage.hpp"
#include "tests/executor/forged_texts.hpp"
#include "tests/verify/candidates.hpp"

namespace trl::runtime {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class QuietStage : public Stage {
 public:
  void progress(std::int64_t, std::int64_t, const std::string&) override {}
  void metric(const std::string&, std::int64_t, double) override {}
  void check_cancelled() override {}
};

// A recording of relu on 64 × 256 elements with a kernel text that the candidate wrote itself.
json recording(const std::string& ttir) {
  const auto view = [](int buffer) { return json{{"buffer", buffer}, {"offset", 0}, {"dtype", "f32"}}; };
  json output = view(1);
  output["shape"] = {64, 256}, output["strides"] = {256, 1};
  return {
      {"ok", true},
      {"kernels",
       {{{"name", "k"},
         {"ttir", ttir},
         {"options",
          {{"num_warps", 4}, {"num_stages", 3}, {"maxnreg", nullptr}, {"enable_fp_fusion", true}}}}}},
      {"plans",
       {{{"label", "original"},
         {"buffers",
          {{{"bytes", 65536}, {"role", "input"}, {"input", 0}}, {{"bytes", 65536}, {"role", "temporary"}}}},
         {"steps",
          {{{"launch",
             {{"kernel", 0},
              {"grid", {64, 1, 1}},
              {"args", {view(0), view(1), {{"i32", 16384}}}},
              {"num_warps", 4},
              {"line", 1}}}}}},
         {"output", output}}}}};
}

TEST(ForgedPlans, AnHonestKernelByHandIsRight) {
  const Examined examined = candidates::lane().examine_recorded(
      candidates::relu(), recording(executor::test::honest_text()), candidates::training(), "00ff");
  EXPECT_TRUE(examined.verdict.correct) << examined.verdict.to_json().dump(1);
}

// Kernel 0 at the task's own sizes; at 96 × 384 elements kernel 1, and kernel 2 where that doesn't compile.
json recording_with_alternative(const std::string& fails_to_compile, const std::string& unsupported) {
  json recorded = recording(executor::test::honest_text());
  for (const std::string& text : {fails_to_compile, unsupported}) {
    recorded["kernels"].push_back(recorded["kernels"][0]);
    recorded["kernels"].back()["ttir"] = text;
  }
  json plan = recorded["plans"][0];
  for (json& buffer : plan["buffers"]) buffer["bytes"] = 4 * 96 * 384;
  plan["output"]["shape"] = {96, 384}, plan["output"]["strides"] = {384, 1};
  json& launch = plan["steps"][0]["launch"];
  launch["kernel"] = 1, launch["grid"] = {144, 1, 1}, launch["args"][2] = {{"i32", 96 * 384}};
  json alternative = launch;
  alternative["kernel"] = 2;
  launch["alternatives"] = json::array({alternative});
  recorded["plans"].push_back(plan);
  return recorded;
}

TEST(ForgedPlans, AnAlternativeThatTheExecutorRefusesFailsItsTrial) {
  const auto with = [](const std::string& operations) {
    std::string text = executor::test::honest_text();
    return text.insert(text.rfind("    tt.return"), operations);
  };
  const std::string odd = with(
      "    %odd = arith.constant dense<1.0> : tensor<48xf32>\n    %even = arith.negf %odd : "
      "tensor<48xf32>\n");
  const std::string assembly = with(
      "    %one = arith.constant dense<1.0> : tensor<64xf32>\n    %two = tt.elementwise_inline_asm "
      "\"mov.b32 $0, $1;\" {constraints = \"=r,r\", packed_element = 1 : i32, pure = true} %one : "
      "tensor<64xf32> -> tensor<64xf32>\n");
  Protocol protocol = candidates::training();
  protocol.compile = Protocol::Compile::all;
  protocol.variations = {Variation{}, Variation::parse("resize(150%)")};
  const Examined examined = candidates::lane().examine_recorded(
      candidates::relu(), recording_with_alternative(odd, assembly), protocol, "00ff");
  EXPECT_EQ(examined.verdict.failed, "full");
  EXPECT_EQ(examined.verdict.reason, "unsupported") << examined.verdict.message;
  for (const ExaminedStep& step : examined.steps) {
    if (step.variation == "resize(150%)") {
      EXPECT_EQ(step.outcome, ExaminedStep::Outcome::failed);
      EXPECT_EQ(step.reason, "unsupported");
    }
  }
}

TEST(ForgedPlans, EachHasAVerdictOfItsOwn) {
  for (const executor::test::ForgedText& forged : executor::test::forged_texts()) {
    const Examined examined = candidates::lane().examine_recorded(candidates::relu(), recording(forged.text),
                                                                  candidates::training(), "00ff");
    const Verdict& verdict = examined.verdict;
    if (!verdict.correct) {
      EXPECT_FALSE(verdict.reason.empty()) << forged.name;
    }
    EXPECT_NE(verdict.reason, "crashed") << forged.name;
    if (!forged.may_run) {
      EXPECT_EQ(verdict.reason, "unsupported") << forged.name << verdict.to_json().dump(1);
    }
  }
}

// The answers write their recordings themselves, to the recorder's descriptor.
TEST(ForgedPlans, CostNobodyElseAVerdict) {
  char name[] = "/tmp/trl-forged-XXXXXX";
  const fs::path folder = mkdtemp(name);
  for (const char* part : {"tasks", "candidates", "out"}) fs::create_directory(folder / part);
  write_text(folder / "tasks/tasks.json", json::array({candidates::relu().to_json()}).dump());
  std::string rows;
  std::vector<bool> honest;
  const auto add = [&](const std::string& answer, bool is_honest) {
    rows += json{{"task", 0}, {"sample", honest.size()}, {"answer", answer}}.dump() + "\n";
    honest.push_back(is_honest);
  };
  std::size_t forged = 0;
  for (const executor::test::ForgedText& one : executor::test::forged_texts()) {
    if (one.name.starts_with("early_") || one.name.starts_with("twice_")) continue;
    add("import os\nos.write(3, " + json(recording(one.text).dump()).dump() + ".encode())\nos._exit(0)\n",
        false);
    if (forged++ % 12 == 0) add(candidates::honest_relu + "# " + std::to_string(forged) + "\n", true);
  }
  ASSERT_GE(forged, 100u);
  write_text(folder / "candidates/candidates.jsonl", rows);
  QuietStage stage;
  stage.spec = {{"variations", {"original"}}, {"compile", "after_values"}, {"modelled_for", "H200"}};
  stage.inputs = {{"tasks", folder / "tasks"}, {"candidates", folder / "candidates"}};
  stage.output = folder / "out";
  stage.secret = "00ff";
  stage.threads = 2;
  stage.sandbox = !candidates::unconfined();
  run_verify(stage);
  std::size_t row = 0;
  std::map<std::string, int> reasons;
  for_each_row(folder / "out/verdicts.jsonl", [&](const json& verdict) {
    ASSERT_LT(row, honest.size());
    EXPECT_EQ(verdict["sample"], row);
    if (honest[row]) {
      EXPECT_EQ(verdict["correct"], true) << verdict.dump(1);
    }
    ++row;
    if (!verdict["reason"].is_null()) ++reasons[verdict["reason"].get<std::string>()];
  });
  EXPECT_EQ(row, honest.size());
  EXPECT_FALSE(reasons.contains("crashed"));
  EXPECT_GT(reasons["unsupported"], 60) << json(reasons).dump();
  fs::remove_all(folder);
}

}  // namespace
}  // namespace trl::runtime
