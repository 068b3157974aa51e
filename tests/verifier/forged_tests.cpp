// Plans that no recorder makes, judged by the stage between honest candidates.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "base/support/files.hpp"
#include "base/support/json_text.hpp"
#include "runtime/worker/stages.hpp"
#include "tests/executor/forged_texts.hpp"
#include "tests/verifier/by_hand.hpp"
#include "tests/verifier/candidates.hpp"

namespace trl::runtime {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class QuietStage : public Stage {
 public:
  void progress(std::int64_t, std::int64_t, const std::string&) override {}
  void send_metric(const std::string&, std::int64_t, double) override {}
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
  const Examined examined = candidates::examine_recorded(
      candidates::relu(), recording(executor::test::honest_text()), candidates::training(), "00ff");
  EXPECT_TRUE(examined.verdict.correct) << examined.verdict.to_json().dump(1);
}

TEST(ForgedPlans, EachHasAVerdictOfItsOwn) {
  for (const executor::test::ForgedText& forged : executor::test::forged_texts()) {
    const Examined examined = candidates::examine_recorded(candidates::relu(), recording(forged.text),
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
  const json spec = {{"variations", {"original"}}, {"compile", "after_values"}, {"modelled_for", "H200"}};
  const auto by_hand = [&](const std::string& ttir) {
    return candidates::refusing_other_sizes(recording(ttir), candidates::relu(), Protocol::parse(spec),
                                            "00ff");
  };
  const auto add = [&](const std::string& answer, bool is_honest) {
    rows += json{{"task", 0}, {"sample", honest.size()}, {"answer", answer}}.dump() + "\n";
    honest.push_back(is_honest);
  };
  std::size_t forged = 0;
  for (const executor::test::ForgedText& one : executor::test::forged_texts()) {
    if (one.name.starts_with("early_") || one.name.starts_with("twice_")) continue;
    add("import os\nos.write(3, " + json(by_hand(one.text).dump()).dump() + ".encode())\nos._exit(0)\n",
        false);
    if (forged++ % 12 == 0) add(candidates::honest_relu + "# " + std::to_string(forged) + "\n", true);
  }
  ASSERT_GE(forged, 100u);
  write_text(folder / "candidates/candidates.jsonl", rows);
  QuietStage stage;
  stage.spec = spec;
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
