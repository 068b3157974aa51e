// `trl verify` and `trl audit` by the real binary; if the runtime is built, with real candidates.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <sstream>

#include "base/support/files.hpp"
#include "interpreter/files.hpp"
#include "interpreter/report/candidate.hpp"
#include "interpreter/schedule/worker_process.hpp"
#include "interpreter/stage/stage.hpp"
#include "interpreter/store/store.hpp"
#include "language/program/program.hpp"
#include "tests/has.hpp"
#include "tests/interpreter/audited_store.hpp"
#include "tests/interpreter/finished_study.hpp"
#include "tests/interpreter/trl_process.hpp"

using namespace trl;
using namespace trl::interpreter;
using namespace trl::interpreter::testing;
using nlohmann::json;
using trl::has;
namespace fs = std::filesystem;

namespace {

void expect_narrow(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
}

}  // namespace

TEST_F(VerifyCommand, AnUnknownTaskIsWrongUsage) {
  const auto ended = trl("verify relu.py --task my_very_own_norm");
  EXPECT_EQ(ended.status, 2);
  EXPECT_TRUE(has(ended.err, "there is no task `my_very_own_norm`") && has(ended.err, "--suite-file"))
      << ended.err;
  EXPECT_EQ(trl("verify relu.py").status, 2);
}

TEST_F(VerifyCommand, WhatIsNoCandidateIsWrongUsage) {
  EXPECT_EQ(trl("verify --task relu").status, 2);
  for (const std::string& secret : {std::string("xyz"), std::string("00ff"), std::string(63, '0'),
                                    std::string(65, '0'), std::string(64, 'g'), std::string(64, 'F')}) {
    const auto ended = trl("verify relu.py --task relu --secret " + secret);
    EXPECT_EQ(ended.status, 2) << secret;
    EXPECT_TRUE(has(ended.err, "64 digits")) << ended.err;
  }
  fs::create_directories(folder_.path() / "empty");
  const auto folder = trl("verify empty --task relu");
  EXPECT_EQ(folder.status, 2);
  EXPECT_TRUE(has(folder.err, "empty has no candidates")) << folder.err;
  EXPECT_EQ(trl("verify relu.py relu.py").status, 2) << "nothing names the task";
  for (const char* row :
       {"7", "{\"answer\": \"x\"}", "{\"task\": \"relu\"}", "{\"task\": \"nothing\", \"answer\": \"\"}"}) {
    write_text(folder_.path() / "rows.jsonl", std::string("\n") + row + "\n");
    const auto rows = trl("verify --rows rows.jsonl");
    EXPECT_EQ(rows.status, 2) << row << rows.out;
  }
  EXPECT_TRUE(has(trl("verify --rows rows.jsonl").err, "no task `nothing`"));
}

TEST_F(VerifyCommand, AMisspeltTaskIsGuessed) {
  const auto bare = trl("verify relu.py --task amax_row");
  EXPECT_EQ(bare.status, 2);
  EXPECT_TRUE(has(bare.err, "did you mean amax_rows?")) << bare.err;
  const auto full = trl("verify relu.py --task level1/rleu");
  EXPECT_TRUE(has(full.err, "did you mean level1/relu?")) << full.err;
}

TEST_F(VerifyCommand, AMissingFileIsNamed) {
  const auto ended = trl("verify nowhere.py --task level1/1");
  EXPECT_EQ(ended.status, 2);
  EXPECT_TRUE(has(ended.err, "nowhere.py")) << ended.err;
  const auto suite = trl("verify relu.py --task mine --suite-file nowhere.trl");
  EXPECT_EQ(suite.status, 2);
  EXPECT_TRUE(has(suite.err, "nowhere.trl")) << suite.err;
  const auto unknown = trl("verify 3fa2c1d09e.17");
  EXPECT_EQ(unknown.status, 2);
  EXPECT_TRUE(has(unknown.err, "3fa2c1d09e")) << unknown.err;
}

TEST_F(VerifyCommand, SaysWhatItTakesOnANarrowPage) {
  for (const char* command : {"verify", "audit"}) {
    const auto help = trl(std::string(command) + " --help");
    EXPECT_EQ(help.status, 0);
    EXPECT_TRUE(has(help.out, "Examples:\n  trl " + std::string(command))) << help.out;
    EXPECT_TRUE(has(help.out, "Exit status: 0 "));
    expect_narrow(help.out);
  }
  const auto audit = trl("audit nowhere");
  EXPECT_EQ(audit.status, 2);
  EXPECT_TRUE(has(audit.err, "nowhere isn't a store")) << audit.err;
}

TEST_F(VerifyCommand, ARunWithoutItsTasksOrAnswersIsWrongUsage) {
  const auto absent = trl("verify --runs nowhere");
  EXPECT_EQ(absent.status, 2);
  EXPECT_TRUE(has(absent.err, "there is no folder nowhere")) << absent.err;
  write_text(folder_.path() / "mine.trl", "suite mine { task r[N = 100](x: f32[N]) = relu(x) }\n");
  fs::create_directories(folder_.path() / "run");
  EXPECT_TRUE(has(trl("verify --runs run --suite-file mine.trl").err, "there are no answers in run"));
  write_text(folder_.path() / "run/my_kernel.py", "");
  EXPECT_TRUE(has(trl("verify --runs run").err, "no answer in run has a name of KernelBench's runs"));
  write_text(folder_.path() / "run/level_1_problem_1_sample_0_kernel.py", "");
  const auto unknown = trl("verify --runs run");
  EXPECT_EQ(unknown.status, 2);
  EXPECT_TRUE(has(unknown.err, "lies in no checkout of KernelBench") && has(unknown.err, "--suite-file"))
      << unknown.err;
}

// Nothing of such a run needs the verifier.
TEST_F(VerifyCommand, AnAnswerWithoutATaskOrAFileIsARowThatIsNotJudged) {
  write_text(folder_.path() / "mine.trl", "suite mine { task r[N = 100](x: f32[N]) = relu(x) }\n");
  fs::create_directories(folder_.path() / "run");
  EXPECT_EQ(trl("verify --runs run --suite-file mine.trl --task relu").status, 2);
  for (const char* name :
       {"level_1_problem_10_sample_0_kernel.py", "level_1_problem_9_sample_9223372036854775807_kernel.py"})
    write_text(folder_.path() / "run" / name, "");
  const auto ended = trl("verify --runs run --suite-file mine.trl");
  EXPECT_EQ(ended.status, 3) << ended.err;
  EXPECT_TRUE(has(ended.out,
                  "-    level1/9 problem_9: run/level_1_problem_9_sample_9223372036854775807_kernel.py\n    "
                  "not judged: no suite "
                  "has this task\n-    level1/10 "))
      << ended.out;
  EXPECT_TRUE(has(ended.out, "\n2 candidates: 0 correct, 2 not judged\n")) << ended.out;
  const auto lines = trl("verify --runs run --suite-file mine.trl --json").out;
  const auto row = json::parse(lines.substr(0, lines.find('\n')));
  EXPECT_EQ(row["reason"], "not_judged");
  EXPECT_EQ(row["correct"], false);
  EXPECT_EQ(row["number"], 0);
  EXPECT_TRUE(has(lines, R"("number":1)")) << lines;
}

// The numbers of rows are those of the candidates that were given, whichever of them are asked of.
TEST_F(VerifyCommand, RowsBehindOneThatIsNotJudgedKeepTheirNumbers) {
  fs::create_directories(folder_.path() / "given");
  fs::create_symlink("/etc/hostname", folder_.path() / "given/a.py");
  for (const char* name : {"b.py", "c.py"}) write_text(folder_.path() / "given" / name, kernel);
  const auto ended = trl("verify given --task relu --json");
  EXPECT_EQ(ended.status, 3) << ended.err;
  std::istringstream in(ended.out);
  std::size_t count = 0;
  for (std::string line; std::getline(in, line); ++count) {
    const auto row = json::parse(line);
    EXPECT_EQ(row["number"], count);
    EXPECT_EQ(row["reason"] == "not_judged", row["candidate"] == "given/a.py") << line;
  }
  EXPECT_EQ(count, 3u) << ended.out;
}

TEST(AuditCommand, StagesFromBeforePlansWereKeptAreNotChecked) {
  TrlFolder folder(TRL, FAKE_WORKER, fs::path(SOURCE) / "small.trl");
  const auto ended = folder.trl("audit " + finished_study().store.root().string());
  EXPECT_EQ(ended.status, 3) << ended.out << ended.err;
  EXPECT_TRUE(has(ended.out, "made before plans were stored")) << ended.out;
  EXPECT_TRUE(has(ended.out, "0 verdicts computed again")) << ended.out;
  expect_narrow(ended.out);
}

TEST(AuditCommand, ADamagedExamIsNamedAndNothingElse) {
  TrlFolder folder(TRL, FAKE_WORKER, fs::path(SOURCE) / "small.trl");
  const auto& finished = finished_study();
  const auto copy = folder.path() / "copy";
  std::string key;
  for (const auto& row : finished.plan.rows) key = row.traces.front().exam_verify;
  const auto damage_of = [&](const char* name, const std::string& text) {
    fs::remove_all(copy);
    fs::copy(finished.store.root(), copy, fs::copy_options::recursive);
    const auto file = Store(copy).folder(key) / name;
    write_text(file, text.empty() ? read_text(file).substr(1) : text);
    const auto ended = folder.trl("audit copy");
    EXPECT_EQ(ended.status, 1) << ended.err;
    EXPECT_TRUE(ended.err.find("error:") == std::string::npos) << ended.err;
    const auto as_json = json::parse(folder.trl("audit copy --json").out);
    for (const auto& stage : as_json) EXPECT_EQ(stage["damaged"], stage["stage"] == key) << stage.dump(1);
    return ended.out;
  };
  const auto nonsense = damage_of("verdicts.jsonl", "what is this?\n");
  EXPECT_TRUE(has(nonsense, key.substr(0, 10) + ": damaged, or changed by hand: verdicts.jsonl has"))
      << nonsense;
  EXPECT_TRUE(has(nonsense, "not JSON")) << nonsense;
  EXPECT_TRUE(has(damage_of("verdicts.jsonl", ""), "not JSON"));
  EXPECT_TRUE(has(damage_of("verdicts.jsonl", "[1]\n"), "isn't a verdict"));
  EXPECT_TRUE(has(damage_of("stage.json", "what is this?\n"), "stage.json isn't complete"));
}

#ifdef WITH_RUNTIME

TEST_F(VerifyCommand, AnHonestCandidateIsCorrect) {
  const auto ended = trl("verify relu.py --task level1/relu");
  EXPECT_EQ(ended.status, 0) << ended.out << ended.err;
  for (const char* part : {"level1/1 relu: relu.py", "ok   syntax", "ok   compile", "ok   tiny",
                           "resize(150%)", "cast(f16)", "ok   timed", "modelled", "\ncorrect\n"})
    EXPECT_TRUE(has(ended.out, part)) << part << "\n" << ended.out;
  expect_narrow(ended.out);
}

TEST_F(VerifyCommand, WhatARightCandidateReliesOnIsNoted) {
  const auto columns = [&](const std::string& other) {
    write_text(
        folder_.path() / "columns.py",
        "@triton.jit\ndef kernel(x_ptr, y_ptr, M, N, BLOCK: tl.constexpr):\n    c = tl.program_id(0)\n"
        "    r = tl.arange(0, BLOCK)\n    x = tl.load(x_ptr + r * N + c, mask=r < M" +
            other +
            ")\n    tl.store(y_ptr + c, tl.sum(x, axis=0))\n\nclass ModelNew(nn.Module):\n"
            "    def forward(self, x):\n        M, N = x.shape\n"
            "        y = torch.empty((1, N), device=x.device, dtype=x.dtype)\n"
            "        kernel[(N,)](x, y, M, N, BLOCK=2 * triton.next_power_of_2(M))\n        return y\n");
    const auto ended = trl("verify columns.py --task sum_columns_keepdim");
    EXPECT_EQ(ended.status, 0) << ended.out << ended.err;
    expect_narrow(ended.out);
    return has(ended.out, "note: the values depend on the lanes that a mask disables");
  };
  EXPECT_TRUE(columns(""));
  EXPECT_FALSE(columns(", other=0.0"));
}

TEST_F(VerifyCommand, WhatPyTorchFinishesIsRefusedButWithTheOption) {
  write_text(folder_.path() / "mine.trl",
             "suite mine { task norms[M = 32, N = 96](x: f32[M, N]) = sqrt(sum(x * x, axis = 1)) }\n");
  write_text(folder_.path() / "norms.py", R"(@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + tl.program_id(0) * N + c, mask=c < N, other=0.0).to(tl.float32)
    tl.store(y_ptr + tl.program_id(0), tl.sum(x * x))

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape[0], device=x.device, dtype=torch.float32)
        kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return y.sqrt().to(x.dtype)
)");
  const auto refused = trl("verify norms.py --task norms --suite-file mine.trl");
  EXPECT_EQ(refused.status, 1) << refused.out << refused.err;
  for (const char* part :
       {"PyTorch's sqrt; only kernels may compute", "`framework = epilogue`", "--epilogue"})
    EXPECT_TRUE(has(refused.out, part)) << part << "\n" << refused.out;
  const auto finished = trl("verify norms.py --task norms --suite-file mine.trl --epilogue");
  EXPECT_EQ(finished.status, 0) << finished.out << finished.err;
  EXPECT_TRUE(has(finished.out, "the answer's kernels do 9")) << finished.out;
  EXPECT_FALSE(has(finished.out, "note: where PyTorch")) << finished.out;
  const auto row =
      json::parse(trl("verify norms.py --task norms --suite-file mine.trl --epilogue --json").out);
  EXPECT_GT(row.at("kernel_share").get<double>(), 0.9);
  EXPECT_LT(row.at("kernel_share").get<double>(), 1);
  expect_narrow(refused.out);
  expect_narrow(finished.out);
}

TEST_F(VerifyCommand, AMissingMaskIsShownAtItsLine) {
  write_text(folder_.path() / "answer.txt", "Sure:\n```python\n" + instead(", mask=i < n", "") + "```\n");
  const auto ended = folder_.shell("$trl verify - --task relu <answer.txt" + sandbox_option(),
                                   {{"TRL_HOME", SOURCE "/../.."}, {"NO_COLOR", ""}, {"LC_ALL", "C.UTF-8"}});
  EXPECT_EQ(ended.status, 1) << ended.out << ended.err;
  for (const char* part :
       {"✗ tiny", "✓ full     original", "✗ full     resize(150%)", "– timed", "out_of_bounds",
        "   11 |     x = tl.load(x_ptr + i)\n       |     ^^^^", "  kernel, grid [", "not correct"})
    EXPECT_TRUE(has(ended.out, part)) << part << "\n" << ended.out;
  const auto as_json = json::parse(trl("verify answer.txt --task relu --json").out);
  EXPECT_EQ(as_json["correct"], false);
  EXPECT_EQ(as_json["failed"], "tiny");
  EXPECT_EQ(as_json["stages"].back()["outcome"], "skipped");
  EXPECT_EQ(as_json["values"], true);
  // In training, values alone decide.
  const auto tolerant = trl("verify answer.txt --task relu --tolerant");
  EXPECT_EQ(tolerant.status, 0) << tolerant.out;
  EXPECT_TRUE(has(tolerant.out, "out_of_bounds_load, allowed")) << tolerant.out;
}

TEST_F(VerifyCommand, WrongValuesComeWithPlaceAndNumbers) {
  write_text(folder_.path() / "wrong.py", instead("tl.maximum(x, 0.0)", "x"));
  const auto ended = trl("verify wrong.py --task level1/1");
  EXPECT_EQ(ended.status, 1);
  EXPECT_TRUE(has(ended.out, "wrong_values, on tiny") && has(ended.out, "instead of 0")) << ended.out;
  expect_narrow(ended.out);
  write_text(folder_.path() / "broken.py", instead("def forward(self, x):", "def forward(self, x)"));
  const auto broken = trl("verify broken.py --task level1/1");
  EXPECT_EQ(broken.status, 1);
  EXPECT_TRUE(has(broken.out, "FAIL syntax") && has(broken.out, "^^^")) << broken.out;
  expect_narrow(broken.out);
}

TEST_F(VerifyCommand, ManyAreVerifiedInOneStart) {
  const auto file = [&](const char* name, const std::string& text) {
    fs::create_directories((folder_.path() / name).parent_path());
    write_text(folder_.path() / name, text);
  };
  const std::string wrong = instead("tl.maximum(x, 0.0)", "x");
  file("answers/level1/relu/a.py", kernel);
  file("answers/level1/1/b.py", wrong);
  file("answers/level1/1.md", "Here:\n```python\n" + kernel + "```\n");
  file("answers/.hidden/c.py", "no");
  file("answers/level1/notes.json", "no");
  write_json_lines(folder_.path() / "rows.jsonl",
                   {{{"task", "level1/relu"}, {"answer", wrong}},
                    {{"task", "level1/relu"}, {"answer", "def"}, {"more", 1}}});
  const auto ended = trl("verify answers --rows rows.jsonl --parallel 2");
  EXPECT_EQ(ended.status, 1) << ended.err;
  std::size_t at = 0;
  for (const char* part :
       {"FAIL level1/1 relu: answers/level1/1/b.py\n    wrong_values at tiny\n",
        "ok   level1/1 relu: answers/level1/1.md\n    ", " times as fast, modelled\n",
        "ok   level1/1 relu: answers/level1/relu/a.py\n", "FAIL level1/1 relu: rows.jsonl:1\n",
        "FAIL level1/1 relu: rows.jsonl:2\n    syntax_error at syntax, line 1\n",
        "\n5 candidates: 2 correct, 3 not: 2 wrong_values, 1 syntax_error\n", "secret: "}) {
    at = ended.out.find(part, at);
    ASSERT_NE(at, std::string::npos) << part << "\n" << ended.out;
  }
  EXPECT_FALSE(has(ended.err, "\x1b")) << ended.err;
  const auto lines = trl("verify answers/level1/1/b.py relu.py --task relu --json");
  EXPECT_EQ(lines.status, 1) << lines.err;
  std::istringstream in(lines.out);
  std::vector<json> verdicts;
  for (std::string line; std::getline(in, line);) verdicts.push_back(json::parse(line));
  ASSERT_EQ(verdicts.size(), 2u);
  EXPECT_EQ(verdicts[0]["candidate"], "answers/level1/1/b.py");
  EXPECT_EQ(verdicts[0]["reason"], "wrong_values");
  EXPECT_EQ(verdicts[1]["task"], "level1/1");
  EXPECT_EQ(verdicts[1]["correct"], true);
  EXPECT_FALSE(verdicts[1]["stages"].empty());
  EXPECT_EQ(trl("verify relu.py answers/level1/1.md --task relu").status, 0);
}

// A task that can't be read or computed is a row, and the others are judged.
TEST_F(VerifyCommand, ATaskThatCantBeJudgedIsNotTheEndOfABatch) {
  json broken = {{"suite", "s"}, {"id", 1}, {"name", "b"}, {"dims", "none"}};
  write_json_lines(folder_.path() / "rows.jsonl", {{{"task", broken}, {"answer", kernel}},
                                                   {{"task", "level1/1"}, {"answer", kernel}},
                                                   {{"task", broken}, {"answer", kernel}}});
  const auto ended = trl("verify --rows rows.jsonl --parallel 1");
  EXPECT_EQ(ended.status, 3) << ended.out << ended.err;
  EXPECT_TRUE(has(ended.out, "-    s/1 b: rows.jsonl:1\n    not judged: ")) << ended.out;
  EXPECT_TRUE(has(ended.out, "ok   level1/1 relu: rows.jsonl:2\n")) << ended.out;
  EXPECT_TRUE(has(ended.out, "\n3 candidates: 1 correct, 2 not judged\n")) << ended.out;
  write_json_lines(folder_.path() / "rows.jsonl", {{{"task", broken}, {"answer", kernel}}});
  EXPECT_EQ(trl("verify --rows rows.jsonl").status, 2) << "nothing was judged, so that there is no verdict";
}

TEST_F(VerifyCommand, ASecretIsDrawnEachTimeAndRepeatsAVerdict) {
  write_text(folder_.path() / "wrong.py", instead("tl.maximum(x, 0.0)", "x"));
  const auto verdict = [&](const std::string& more) {
    json row = json::parse(trl("verify wrong.py --task level1/1 --json" + more).out);
    EXPECT_TRUE(row.contains("budget"));
    row.erase("budget");  // measured
    return row;
  };
  const json first = verdict(""), second = verdict("");
  const std::string secret = first["secret"];
  EXPECT_EQ(secret.size(), 64u);
  EXPECT_NE(secret, second["secret"]);
  EXPECT_NE(first["message"], second["message"]) << "other inputs";
  EXPECT_EQ(verdict(" --secret " + secret), first);
}

TEST_F(VerifyCommand, TheFastestOfARowIsExported) {
  write_secret(folder_.path() / "runs/.store");
  const auto at_home = [&](const std::string& arguments) {
    return folder_.trl(arguments, {{"TRL_HOME", SOURCE "/../.."}});
  };
  ASSERT_EQ(at_home("run study.trl").status, 0);
  const auto table = json::parse(read_text(folder_.path() / "runs/study/main.json"));
  const std::string row = table["rows"].at(1)["row"];
  const auto traced = json::parse(at_home("trace study.trl 'main[" + row + ", speedup]' --json").out);
  json fastest;
  for (const json& one : traced["candidates"])
    if (one["correct"] && (fastest.is_null() || one["speedup"] > fastest["speedup"])) fastest = one;
  ASSERT_FALSE(fastest.is_null());
  const std::string id = fastest["id"];
  // The fake worker's candidate is not a program. The test shows that it is verified again and not exported.
  const auto ended = trl("export kernel study.trl 'main[" + row + "]'");
  EXPECT_EQ(ended.status, 1);
  EXPECT_TRUE(has(ended.err, id) && has(ended.err, "isn't exported")) << id << "\n" << ended.out << ended.err;
  const auto wrong = trl("export kernel study.trl 'main[" + row + "]' --task no_such_task");
  EXPECT_TRUE(has(wrong.err, "correct for no_such_task")) << wrong.err;
  EXPECT_EQ(trl("export kernel study.trl").status, 2);
  EXPECT_TRUE(has(trl("export kernel study.trl 'main[nothing]'").err, "nothing"));
}

TEST_F(VerifyCommand, TasksOfAFileAreFound) {
  write_text(folder_.path() / "mine.trl", "suite mine { task rectified[N = 100](x: f32[N]) = relu(x) }\n");
  const auto ended = trl("verify relu.py --task rectified --suite-file mine.trl");
  EXPECT_EQ(ended.status, 0) << ended.out << ended.err;
  EXPECT_TRUE(has(ended.out, "mine/1 rectified: relu.py")) << ended.out;
}

TEST_F(VerifyCommand, ANameIsLookedForInTheFileFirst) {
  const std::string suite = "suite mine { task relu[N = 100](x: f32[N]) = relu(x) }\n";
  for (const std::string import : {"", "import windtunnel\n"}) {
    write_text(folder_.path() / "mine.trl", import + suite);
    const auto ended = trl("verify relu.py --task relu --suite-file mine.trl");
    EXPECT_EQ(ended.status, 0) << ended.out << ended.err;
    EXPECT_TRUE(has(ended.out, "mine/1 relu: relu.py")) << ended.out;
  }
  const auto others = trl("verify relu.py --task abs --suite-file mine.trl");
  EXPECT_EQ(others.status, 1) << "the library's tasks are also found" << others.err;
}

TEST_F(Audit, AnHonestStoreAgreesFromItsPlansAlone) {
  const auto verdicts = read_json_lines(file("verdicts.jsonl"));
  ASSERT_EQ(verdicts.size(), 4u);
  EXPECT_TRUE(verdicts[0]["correct"] == true && verdicts[2]["correct"] == true);
  EXPECT_EQ(verdicts[1]["reason"], "out_of_bounds_load");
  const auto plans = read_json_lines(file("plans.jsonl"));
  ASSERT_EQ(plans.size(), 3u);
  EXPECT_EQ(plans[0]["rows"], json({0, 2}));
  EXPECT_EQ(plans[2]["error"]["reason"], "missing_model");
  const auto ended = trl("audit copy");
  EXPECT_EQ(ended.status, 0) << ended.out << ended.err;
  EXPECT_TRUE(has(ended.out, "4 verdicts computed again: 4 agree, 0 differ")) << ended.out;
  EXPECT_TRUE(has(ended.out, "1 of them without a plan")) << ended.out;
  EXPECT_TRUE(has(ended.err, "[1/1]")) << ended.err;
  expect_narrow(ended.out);
}

TEST_F(Audit, AForgedVerdictIsFound) {
  change("verdicts.jsonl", 1, [](json& row) {
    row["correct"] = true;
    row["failed"] = row["reason"] = nullptr;
  });
  const auto ended = trl("audit copy");
  EXPECT_EQ(ended.status, 1);
  EXPECT_TRUE(has(ended.out, "3 agree, 1 differ")) << ended.out;
  EXPECT_TRUE(has(ended.out, candidate_id(sampled_, 1) + ": published as correct, but the plan fails tiny"))
      << ended.out;
  EXPECT_TRUE(has(ended.out, "changed by hand")) << ended.out;
  const auto as_json = json::parse(trl("audit copy --json").out);
  EXPECT_EQ(as_json[0]["differing"][0]["candidate"], candidate_id(sampled_, 1));
}

TEST_F(Audit, AForgedPlanIsFound) {
  // Three forgeries: the correct candidate's plan in place of the wrong one's, under the wrong one's seal; a
  // candidate without a plan that is published as correct; a missing plan.
  auto plans = read_json_lines(file("plans.jsonl"));
  plans[1]["plans"] = plans[0]["plans"], plans[1]["kernels"] = plans[0]["kernels"];
  plans.erase(plans.begin());
  write_json_lines(file("plans.jsonl"), plans);
  change("verdicts.jsonl", 3, [](json& row) { row["correct"] = true; });
  const auto ended = trl("audit copy");
  EXPECT_EQ(ended.status, 1);
  EXPECT_TRUE(has(ended.out, candidate_id(sampled_, 1) + ": its plan isn't the one of its commitment"))
      << ended.out;
  EXPECT_TRUE(has(ended.out, candidate_id(sampled_, 0) + ": plans.jsonl lacks its plan")) << ended.out;
  EXPECT_TRUE(has(ended.out, candidate_id(sampled_, 3) + ": published as correct")) << ended.out;
  EXPECT_TRUE(has(ended.out, "0 agree, 4 differ")) << ended.out;
}

TEST_F(Audit, AForgedSpeedIsFound) {
  change("verdicts.jsonl", 2, [](json& row) { row["speedup"] = 99.0; });
  const auto ended = trl("audit copy");
  EXPECT_EQ(ended.status, 1);
  EXPECT_TRUE(has(ended.out, "its speedup differs from the plan's")) << ended.out;
}

TEST_F(Audit, WhatAGpuDidIsNotCompared) {
  change("verdicts.jsonl", 0, [](json& row) { row["modelled"] = false, row["speedup"] = 7.5; });
  change("verdicts.jsonl", 2, [](json& row) {
    row["correct"] = row["values"] = false;
    row["failed"] = "timed", row["reason"] = "wrong_values",
    row["message"] = "1 of 2 values are wrong, on the GPU";
  });
  respecify([](json& spec) { spec["timed"] = true; });
  const auto ended = trl("audit copy");
  EXPECT_EQ(ended.status, 3) << ended.out << ended.err;
  EXPECT_TRUE(has(ended.out, "1 from a GPU's results")) << ended.out << ended.err;
  EXPECT_TRUE(has(ended.out, "3 agree, 0 differ")) << ended.out;
}

TEST_F(Audit, ACandidateOfTheStoreMeetsItsExamAgain) {
  const auto verify = "verify " + candidate_id(sampled_, 1) + " --store " + whole_.string();
  const auto ended = trl(verify + " --json");
  EXPECT_EQ(ended.status, 1) << ended.err;
  auto found = json::parse(ended.out);
  EXPECT_EQ(found["stages"].size(), 10u) << "the exam's own variations, directed inputs, sizes that its "
                                            "secret draws, and a stretched one for each "
                                            "dimension";
  EXPECT_FALSE(found.contains("secret")) << "a store's secret is never printed";
  EXPECT_EQ(found["made_on"]["device"], "cpu");
  EXPECT_TRUE(found["made_on"]["versions"].contains("triton")) << found["made_on"];
  found.erase("stages");
  found.erase("budget");  // measured
  found.erase("made_on");
  const auto published = read_json_lines(file("verdicts.jsonl")).at(1);
  found["task"] = published["task"], found["sample"] = published["sample"];
  EXPECT_EQ(found, published);
  EXPECT_TRUE(has(trl(verify).out, "level1/1 relu: " + candidate_id(sampled_, 1)));
}

TEST_F(Audit, DamagedTasksAreNamed) {
  const std::string tasks = Store(store()).stage(verified_).at("inputs").at("tasks");
  const auto tasks_file = Store(store()).folder(tasks) / "tasks.json";
  auto text = read_text(tasks_file);
  text.replace(text.find("relu"), 4, "sqrt");
  write_text(tasks_file, text);
  const auto ended = trl("audit copy --json");
  EXPECT_EQ(ended.status, 1) << ended.err;
  const auto stage = json::parse(ended.out).at(0);
  EXPECT_TRUE(has(stage["remark"], "the contents of tasks.json have changed")) << ended.out;
  EXPECT_EQ(stage["again"], 0);
}

TEST_F(Audit, PlansThatAreNoJsonAreNamed) {
  write_text(file("plans.jsonl"), std::string(fs::file_size(file("plans.jsonl")), '?'));
  const auto ended = trl("audit copy --json");
  EXPECT_EQ(ended.status, 1) << ended.err;
  const std::string remark = json::parse(ended.out).at(0).at("remark");
  EXPECT_TRUE(has(remark, "the contents of plans.jsonl have changed")) << remark;
  EXPECT_TRUE(has(remark, "nothing is compared")) << remark;
}

TEST_F(Audit, AnExperimentsStagesAloneAreAudited) {
  fs::create_directories(folder_.path() / "reports/other");
  write_text(folder_.path() / "reports/other/provenance.json", R"({"stages": {"abc": {}}})");
  const auto ended = trl("audit copy other --out reports");
  EXPECT_EQ(ended.status, 2);
  EXPECT_TRUE(has(ended.err, "no exam to audit in copy")) << ended.err;
}

TEST_F(Audit, WithoutTheSecretNothingIsCompared) {
  fs::remove(store() / "secret");
  const auto ended = trl("audit copy");
  EXPECT_EQ(ended.status, 2);
  EXPECT_TRUE(has(ended.err, "has no secret")) << ended.err;
}

TEST_F(Audit, AnUnknownExperimentIsWrongUsage) {
  fs::create_directories(folder_.path() / "reports/ablation");
  write_text(folder_.path() / "reports/ablation/provenance.json",
             json{{"stages", {{verified_, json::object()}}}}.dump());
  const auto unknown = trl("audit copy ablatoin --out reports");
  EXPECT_EQ(unknown.status, 2);
  EXPECT_TRUE(has(unknown.err, "did you mean ablation?")) << unknown.err;
}

#endif
