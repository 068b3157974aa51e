// Tests of the stage `verify`, from its input files to its output files.
#include <gtest/gtest.h>

#include <atomic>
#include <cctype>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include "base/stage/cancelled.hpp"
#include "base/support/files.hpp"
#include "base/support/json_text.hpp"
#include "runtime/worker/stages.hpp"
#include "tests/verifier/candidates.hpp"
#include "verifier/stage/published_plan.hpp"

namespace trl::runtime {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class TestStage : public Stage {
 public:
  void progress(std::int64_t done, std::int64_t total, const std::string&) override { last = {done, total}; }
  void send_metric(const std::string&, std::int64_t, double) override {}
  void check_cancelled() override {
    if (cancel) throw Cancelled();
  }
  std::pair<std::int64_t, std::int64_t> last;
  bool cancel = false;
};

class VerifyStage : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/trl-verify-stage-XXXXXX";
    folder_ = mkdtemp(name);
    for (const char* part : {"tasks", "candidates", "one", "two"}) fs::create_directory(folder_ / part);
    write_text(folder_ / "tasks/tasks.json", json::array({candidates::relu().to_json()}).dump());
    std::string rows;
    const std::string wrong = candidates::relu_answer("        return x\n");
    int sample = 0;
    for (const std::string& answer : {candidates::honest_relu, wrong, candidates::honest_relu, wrong})
      rows += json{{"task", 0}, {"sample", sample++}, {"answer", answer}}.dump() + "\n";
    write_text(folder_ / "candidates/candidates.jsonl", rows);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string run(const char* output, int threads) {
    TestStage stage;
    prepare(stage, output, threads);
    const json summary = run_verify(stage);
    EXPECT_EQ(summary["candidates"], 4);
    std::ifstream in(stage.output / "verdicts.jsonl");
    return {std::istreambuf_iterator<char>(in), {}};
  }

  void prepare(TestStage& stage, const char* output, int threads) {
    stage.spec = {
        {"variations", {"original", {{"call", "resize"}, {"args", {1.5}}, {"named", json::object()}}}},
        {"tiny", true},
        {"compile", "after_values"},
        {"memory_checks", false},
        {"strict", false},
        {"modelled_for", "H200"}};
    stage.inputs = {{"tasks", folder_ / "tasks"}, {"candidates", folder_ / "candidates"}};
    stage.output = folder_ / output;
    stage.secret = "00ff";
    stage.threads = threads;
    stage.sandbox = !candidates::unconfined();
  }

  fs::path folder_;
};

TEST_F(VerifyStage, WritesOneRowACandidateInOrderWhateverTheSlots) {
  const std::string text = run("one", 2);
  EXPECT_EQ(text, run("two", 1));
  std::vector<json> rows;
  for_each_row(folder_ / "one/verdicts.jsonl", [&](const json& row) { rows.push_back(row); });
  ASSERT_EQ(rows.size(), 4u);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(rows[i]["sample"], i);
    EXPECT_EQ(rows[i]["correct"], i % 2 == 0) << rows[i];
    EXPECT_EQ(rows[i]["modelled"], true);
  }
  EXPECT_EQ(rows[1]["reason"], "no_kernel");
}

// A server's reply without text is no wrong answer unless the model refused, said nothing or was cut off. Its
// reasoning is judged if the protocol says so, and by nothing but a block.
TEST_F(VerifyStage, ARepliesReasoningIsJudgedWhereItIsWanted) {
  const std::string block = "So:\n```python\n" + candidates::honest_relu + "```\n";
  std::string rows;
  int sample = 0;
  for (const json& row :
       {json{{"answer", ""}, {"no_text", "reasoning"}, {"reasoning", block}},
        json{{"answer", ""}, {"no_text", "reasoning"}, {"reasoning", candidates::honest_relu}},
        json{{"answer", ""}, {"no_text", "refusal"}, {"reasoning", block}},
        json{{"answer", ""}, {"no_text", "cut_off"}, {"reasoning", block}, {"finish", "length"}},
        json{{"answer", block}}}) {
    auto one = row;
    one["task"] = 0, one["sample"] = sample++;
    rows += one.dump() + "\n";
  }
  write_text(folder_ / "candidates/candidates.jsonl", rows);
  const auto reasons = [&](const char* output, bool judge_reasoning) {
    TestStage stage;
    prepare(stage, output, 1);
    stage.spec["strict"] = true;
    if (judge_reasoning) stage.spec["judge_reasoning"] = true;
    run_verify(stage);
    std::vector<std::string> reasons;
    for_each_row(folder_ / output / "verdicts.jsonl", [&](const json& row) {
      reasons.push_back(row["correct"] == true ? "correct" : row.value("reason", ""));
    });
    return reasons;
  };
  using Reasons = std::vector<std::string>;
  EXPECT_EQ(reasons("one", false),
            (Reasons{"not_judged", "not_judged", "missing_model", "cut_off", "correct"}));
  EXPECT_EQ(reasons("two", true),
            (Reasons{"correct", "missing_model", "missing_model", "cut_off", "correct"}));
  // What nothing judged has no plan.
  std::set<std::size_t> planned;
  for_each_row(folder_ / "one/plans.jsonl", [&](const json& row) {
    for (const auto& one : row["rows"]) planned.insert(one.get<std::size_t>());
  });
  EXPECT_EQ(planned, (std::set<std::size_t>{2, 3, 4}));
}

// An answer that ended at its largest number of tokens within its program has a reason of its own, and an
// audit finds it again.
TEST_F(VerifyStage, AnAnswerThatWasCutOffSaysSo) {
  const std::string& whole = candidates::honest_relu;
  const std::string half = whole.substr(0, whole.find("def forward") + 8);
  std::string rows;
  int sample = 0;
  for (const auto& [answer, finish] : std::vector<std::pair<std::string, const char*>>{
           {"```python\n" + half, "length"},
           {"```python\n" + half, "stop"},
           {"```python\n" + half + "```\n", "length"},
           {"```python\n" + whole + "```\nIt is fast bec", "length"},
           {"```python\n" + whole, "length"},
           {"First I think ab", "length"}})
    rows += json{{"task", 0}, {"sample", sample++}, {"answer", answer}, {"finish", finish}}.dump() + "\n";
  write_text(folder_ / "candidates/candidates.jsonl", rows);
  TestStage stage;
  prepare(stage, "one", 1);
  stage.spec["strict"] = true;
  run_verify(stage);
  std::vector<std::string> reasons;
  for_each_row(folder_ / "one/verdicts.jsonl", [&](const json& row) {
    reasons.push_back(row["correct"] == true ? "correct" : row.value("reason", ""));
  });
  EXPECT_EQ(reasons[0], "cut_off");
  EXPECT_NE(reasons[1], "cut_off");
  EXPECT_NE(reasons[2], "cut_off") << "the program is whole";
  EXPECT_EQ(reasons[3], "correct");
  EXPECT_EQ(reasons[4], "correct") << "what there is is right";
  EXPECT_EQ(reasons[5], "cut_off");
  bool found = false;
  for_each_row(folder_ / "one/plans.jsonl", [&](const json& row) {
    if (row["rows"] == json::array({0})) found = row["error"]["reason"] == "cut_off";
  });
  EXPECT_TRUE(found);
}

TEST_F(VerifyStage, SaysWhichPackagesReadAndCompiledTheCandidates) {
  TestStage stage;
  prepare(stage, "one", 1);
  stage.made_on.versions = {{"libtorch", "the server's"}};
  run_verify(stage);
  EXPECT_EQ(stage.made_on.device, "cpu");
  ASSERT_EQ(stage.made_on.versions.size(), 3u);
  EXPECT_EQ(stage.made_on.versions.at("libtorch"), "the server's");
  for (const char* package : {"torch", "triton"})
    EXPECT_TRUE(std::isdigit(stage.made_on.versions.at(package)[0])) << stage.made_on.versions.at(package);
}

TEST_F(VerifyStage, AnExamKeepsThePlansThatItsVerdictsFollowFrom) {
  run("one", 1);
  EXPECT_FALSE(fs::exists(folder_ / "one/plans.jsonl")) << "training keeps none";
  const auto exam = [&](const char* output, int threads) {
    TestStage stage;
    prepare(stage, output, threads);
    stage.spec["strict"] = true;
    fs::create_directory(stage.output);
    run_verify(stage);
    return stage.spec;
  };
  const json spec = exam("exam", 1);
  exam("again", 2);
  std::vector<json> verdicts, plans, again;
  for_each_row(folder_ / "exam/verdicts.jsonl", [&](const json& row) { verdicts.push_back(row); });
  for_each_row(folder_ / "exam/plans.jsonl", [&](const json& row) { plans.push_back(row); });
  for_each_row(folder_ / "again/plans.jsonl", [&](const json& row) { again.push_back(row); });
  EXPECT_EQ(plans, again);
  ASSERT_EQ(plans.size(), 2u);
  EXPECT_EQ(plans[0]["rows"], json({0, 2}));
  EXPECT_EQ(plans[1]["rows"], json({1, 3}));
  for (const json& row : plans) {
    const PublishedPlan plan = read_published(row);
    const Examined examined = candidates::verifier().examine_recorded(candidates::relu(), plan.recorded,
                                                                      Protocol::parse(spec), "00ff");
    EXPECT_EQ(examined.commitment, plan.commitment);
    json found = examined.verdict.to_json();
    const json& published = verdicts[row["rows"][0].get<std::size_t>()];
    found["task"] = published["task"], found["sample"] = published["sample"];
    EXPECT_EQ(found, published);
  }
}

TEST(WithoutASandbox, CandidatesAreJudgedAllTheSame) {
  Verifier unconfined(find_installation(), false);
  const auto judge = [&](const std::string& answer) {
    return unconfined.verify(candidates::relu(), answer, candidates::training(), candidates::secret());
  };
  const Verdict right = judge(candidates::honest_relu);
  EXPECT_TRUE(right.correct) << right.reason << ": " << right.message;
  EXPECT_EQ(judge("class ModelNew(nn.Module):\n    def forward(self, x):\n        return x\n").reason,
            "no_kernel");
}

TEST(PublishedPlan, WhateverARowHoldsCanBeExamined) {
  for (const char* text :
       {R"({})", R"({"kernels": 7, "plans": "x", "seal": 3})", R"({"error": []})",
        R"({"error": {"stage": 7, "line": -1}})", R"({"kernels": [], "plans": [], "seal": ""})",
        R"({"plans": [{"label": "original", "error": 1}], "kernels": []})"}) {
    const PublishedPlan plan = read_published(json::parse(text));
    const Examined examined = candidates::verifier().examine_recorded(candidates::relu(), plan.recorded,
                                                                      candidates::training(), "00ff");
    EXPECT_FALSE(examined.verdict.correct || examined.verdict.values) << text;
    EXPECT_FALSE(examined.verdict.reason.empty()) << text;
  }
  EXPECT_GT(read_published({{"omitted", 9'000'000}, {"seal", "ab"}}).omitted, 0u);
  EXPECT_GT(read_published({{"omitted", "many"}}).omitted, 0u);
}

TEST(Examined, TellsOfEachStep) {
  const std::string unmasked = candidates::relu_kernel.substr(0, candidates::relu_kernel.find(", mask=m)")) +
                               ")\n    tl.store(y_ptr + i, tl.maximum(x, 0.0), mask=m)\n\n";
  const std::string answer =
      unmasked + candidates::honest_relu.substr(candidates::honest_relu.find("class ModelNew"));
  const Examined examined =
      candidates::verifier().examine(candidates::relu(), answer, candidates::exam(), candidates::secret());
  using Outcome = ExaminedStep::Outcome;
  std::vector<std::pair<std::string, Outcome>> steps;
  for (const ExaminedStep& step : examined.steps)
    if (!step.variation.starts_with("sizes("))  // sizes drawn from the secret
      steps.emplace_back(step.variation.empty()                     ? step.stage
                         : step.variation.starts_with("stretched(") ? "stretched"
                                                                    : step.variation,
                         step.outcome);
  EXPECT_EQ(steps, (std::vector<std::pair<std::string, Outcome>>{{"syntax", Outcome::passed},
                                                                 {"compile", Outcome::passed},
                                                                 {"tiny", Outcome::failed},
                                                                 {"original", Outcome::passed},
                                                                 {"scale(2)", Outcome::passed},
                                                                 {"reseed", Outcome::passed},
                                                                 {"resize(150%)", Outcome::failed},
                                                                 {"cast(f16)", Outcome::passed},
                                                                 {"stretched", Outcome::failed},
                                                                 {"stretched", Outcome::failed},
                                                                 {"directed", Outcome::passed},
                                                                 {"timed", Outcome::skipped}}));
  EXPECT_EQ(examined.steps[2].reason, examined.verdict.reason);
  EXPECT_EQ(examined.steps[2].line, 5);
  ASSERT_EQ(examined.steps[4].launches.size(), 1u);
  EXPECT_EQ(examined.steps[4].launches[0].kernel, "kernel");
  EXPECT_EQ(examined.steps[4].launches[0].grid[0], 64u);
}

TEST_F(VerifyStage, EqualAnswersShareAVerificationAndDifferentTasksNever) {
  // The second is the first with other text around it; the third is the first, for a task that it doesn't
  // solve.
  write_text(folder_ / "tasks/tasks.json",
             json::array({candidates::relu().to_json(), candidates::row_sum().to_json()}).dump());
  std::string rows;
  int sample = 0;
  for (const auto& [task, answer] : {std::pair{0, candidates::honest_relu},
                                     {0, "```python\n" + candidates::honest_relu + "```\n"},
                                     {1, candidates::honest_relu},
                                     {0, candidates::honest_relu}})
    rows += json{{"task", task}, {"sample", sample++}, {"answer", answer}}.dump() + "\n";
  write_text(folder_ / "candidates/candidates.jsonl", rows);
  TestStage stage;
  prepare(stage, "one", 1);
  EXPECT_EQ(run_verify(stage)["candidates"], 4);
  EXPECT_EQ(stage.last.second, 3) << "what was verified: the second's lines have other numbers";
  std::vector<json> verdicts;
  for_each_row(stage.output / "verdicts.jsonl", [&](const json& row) { verdicts.push_back(row); });
  ASSERT_EQ(verdicts.size(), 4u);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(verdicts[i]["sample"], i);
    EXPECT_EQ(verdicts[i]["task"], i == 2 ? 1 : 0);
    EXPECT_EQ(verdicts[i]["correct"], i != 2) << verdicts[i];
  }
}

TEST_F(VerifyStage, NoAnswerTakesTheVerdictOfOneThatMerelyLooksLikeIt) {
  // A blank after a backslash is a syntax error; without it the line continues in the next.
  const std::string right = "\n\nseen = 1 + \\\n    2\n" + candidates::honest_relu;
  std::string wrong = right;
  wrong.insert(wrong.find('\\') + 1, " ");
  std::string rows;
  int sample = 0;
  for (const std::string& answer : {wrong, right, right + "\n", right + "# a comment\n", wrong})
    rows += json{{"task", 0}, {"sample", sample++}, {"answer", answer}}.dump() + "\n";
  write_text(folder_ / "candidates/candidates.jsonl", rows);
  TestStage stage;
  prepare(stage, "one", 1);
  run_verify(stage);
  EXPECT_EQ(stage.last.second, 4) << "what was verified";
  std::vector<json> verdicts;
  for_each_row(stage.output / "verdicts.jsonl", [&](const json& row) { verdicts.push_back(row); });
  ASSERT_EQ(verdicts.size(), 5u);
  for (const std::size_t i : {0, 4}) EXPECT_EQ(verdicts[i]["reason"], "syntax_error") << verdicts[i];
  for (const std::size_t i : {1, 2, 3}) EXPECT_EQ(verdicts[i]["correct"], true) << verdicts[i];
}

TEST_F(VerifyStage, AVerdictThatIsKnownIsTheSameAndCostsWhatItCost) {
  TestStage first, again, other;
  prepare(first, "one", 1);
  prepare(again, "two", 1);
  fs::create_directory(folder_ / "three");
  prepare(other, "three", 1);
  first.secret = again.secret = "known";
  other.secret = "unknown";
  const double seconds = run_verify(first)["seconds"];
  const auto begin = std::chrono::steady_clock::now();
  const double known = run_verify(again)["seconds"];
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  EXPECT_LE(known, seconds + took.count())
      << "the seconds that the verdicts took first, and those of looking";
  EXPECT_GT(known, 0);
  run_verify(other);
  const auto text = [&](const char* output) {
    std::ifstream in(folder_ / output / "verdicts.jsonl");
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  EXPECT_EQ(text("one"), text("two"));
  EXPECT_EQ(text("one"), text("three"));
}

TEST(CompiledKernels, EachIsCompiledOnceWhateverTheThreads) {
  CompiledKernels kernels;
  std::atomic<int> compiled = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int k = 0; k < 50; ++k) {
        const auto found = kernels.get(std::to_string(k), [&] {
          ++compiled;
          Compiled made;
          made.message = std::to_string(k);
          return made;
        });
        EXPECT_EQ(found.message, std::to_string(k));
      }
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(compiled, 50);
}

TEST(CompiledKernels, TheOldestIsForgottenWhereAllTakeTooMuch) {
  CompiledKernels kernels(1000);
  int compiled = 0;
  const auto get = [&](const std::string& key, std::size_t bytes) {
    return kernels.get(key, [&] {
      ++compiled;
      Compiled made;
      made.cubin = std::string(bytes, 'x');
      return made;
    });
  };
  for (const char* key : {"a", "b", "a", "b"}) get(key, 400);
  EXPECT_EQ(compiled, 2);
  get("c", 400);
  get("b", 400);
  EXPECT_EQ(compiled, 3);
  get("a", 400);
  EXPECT_EQ(compiled, 4);
  EXPECT_EQ(get("larger than all that may be kept", 5000).cubin.size(), 5000u);
}

TEST(CompiledKernels, AFailureToCompileIsNotKept) {
  CompiledKernels kernels;
  EXPECT_THROW(kernels.get("k", []() -> Compiled { throw Cancelled(); }), Cancelled);
  Compiled made;
  made.ok = true;
  EXPECT_TRUE(kernels.get("k", [&] { return made; }).ok);
}

TEST_F(VerifyStage, StopsWhenCancelled) {
  TestStage stage;
  prepare(stage, "one", 1);
  stage.cancel = true;
  EXPECT_THROW(run_verify(stage), Cancelled);
  EXPECT_FALSE(fs::exists(folder_ / "one/verdicts.jsonl"));
}

}  // namespace
}  // namespace trl::runtime
