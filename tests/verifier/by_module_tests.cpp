// Tasks that no expression says: on machines without a GPU they are left unjudged, whatever an answer is.
#include <gtest/gtest.h>

#include "base/contract/reasons.hpp"
#include "base/tasks/footprint.hpp"
#include "base/tasks/key.hpp"
#include "tests/verifier/candidates.hpp"
#include "verifier/assess/assessment.hpp"
#include "verifier/examination/test_case.hpp"

namespace trl::runtime {
namespace {

using nlohmann::json;

json module_output(int number, json shape) {
  return {{"op", "module_output"},
          {"args", {{{"input", "x"}}, {{"input", "w"}}}},
          {"attrs", {{"module", "ab12cd"}, {"number", number}}},
          {"shape", std::move(shape)}};
}

json document() {
  return {{"suite", "level3"},
          {"id", 36},
          {"name", "lstm"},
          {"doc", ""},
          {"dims", json::array()},
          {"inputs",
           {{{"name", "x"}, {"dtype", "f32"}, {"shape", {4, 8}}},
            {{"name", "w"}, {"dtype", "f32"}, {"shape", {3, 8}}, {"parameter", "rnn.weight"}}}},
          {"value", module_output(0, {4, 3})},
          {"output", {{"dtype", "f32"}, {"shape", {4, 3}}}},
          {"key", ""},
          {"module",
           {{"code", "class Model: pass"},
            {"entry", "Model"},
            {"arguments", json::array()},
            {"keywords", json::object()}}}};
}

Task of(const json& written) {
  Task task = Task::read(written);
  task.key = task_key(task);
  return Task::parse(task.to_json());
}

TEST(ByModule, IsWhatATaskIsThatHasSuchAValue) {
  const Task task = of(document());
  EXPECT_TRUE(tasks::judged_by_module(task));
  EXPECT_FALSE(tasks::judged_by_module(candidates::relu()));
  json several = document();
  several["output"] = json::array({several["output"], {{"dtype", "f32"}, {"shape", {4}}}});
  several["value"] = {
      {"op", "results"}, {"args", {module_output(0, {4, 3}), module_output(1, {4})}}, {"shape", {16}}};
  EXPECT_TRUE(tasks::judged_by_module(of(several)));
  EXPECT_NE(of(several).key, task.key);
  json other = document();
  other["value"]["attrs"]["module"] = "ef34";
  EXPECT_NE(of(other).key, task.key) << "another module is another task";
}

TEST(ByModule, ATaskIsJudgedByNoCpuHoweverSmallItIs) {
  const auto footprint = tasks::footprint_of(of(document()));
  EXPECT_TRUE(footprint.by_module);
  EXPECT_FALSE(footprint.executed());
  tasks::Footprints all;
  all.add("level3/36 (lstm)", footprint);
  EXPECT_EQ(all.larger(), 1u);
  EXPECT_EQ(all.by_module(), 1u);
  EXPECT_EQ(
      all.where_judged(false).find("answers are judged by the tasks' modules alone, by a GPU of at least"),
      0u)
      << all.where_judged(false);
  EXPECT_TRUE(too_large_to_assess(of(document())));
}

TEST(ByModule, TestCasesAreAtTheFilesSizesAndInItsDtype) {
  const TestCases cases = choose_test_cases({of(document()), candidates::exam(), candidates::secret()});
  std::vector<std::string> tried, left;
  for (const TestCase& one : cases.all) {
    EXPECT_EQ(one.stage, "full");
    EXPECT_TRUE(one.variation.dims.empty());
    tried.push_back(one.variation.label());
  }
  for (const auto& one : cases.left_alone) left.push_back(one.label);
  EXPECT_EQ(tried, (std::vector<std::string>{"original", "scale(2)", "reseed"}));
  EXPECT_EQ(left, (std::vector<std::string>{"resize(150%)", "cast(f16)"}));
  EXPECT_TRUE(cases.stretched.empty());
  EXPECT_FALSE(cases.other_sizes);
}

TEST(ByModule, WithoutAGpuNoAnswerIsCalledWrong) {
  for (const Protocol& protocol : {candidates::exam(), candidates::training()}) {
    Protocol both = protocol;
    both.also_by_kernelbench = true;
    const Examined examined =
        candidates::verifier().examine(of(document()), "no code", both, candidates::secret());
    EXPECT_FALSE(examined.verdict.correct);
    EXPECT_EQ(examined.verdict.reason, contract::not_judged) << examined.verdict.to_json().dump(1);
    EXPECT_NE(examined.verdict.message.find("GPU"), std::string::npos);
    ASSERT_TRUE(examined.verdict.kernelbench);
    EXPECT_EQ(examined.verdict.kernelbench->correct, std::nullopt);
  }
}

}  // namespace
}  // namespace trl::runtime
