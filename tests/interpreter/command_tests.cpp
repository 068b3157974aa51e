// The real binary with a fake worker: exit statuses, messages, kill -9, Ctrl-C.
#include <fcntl.h>
#include <gtest/gtest.h>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <set>

#include <csignal>
#include <cstdlib>
#include <sstream>

#include "base/support/files.hpp"
#include "base/support/random.hpp"
#include "interpreter/store/store.hpp"
#include "tests/has.hpp"
#include "tests/interpreter/fixture.hpp"

using namespace trl;
using namespace trl::interpreter;
using namespace trl::interpreter::testing;
namespace fs = std::filesystem;

using trl::has;

namespace {

struct Result {
  int status = 0;
  std::string out, err;
};

class Trl : public ::testing::Test {
 protected:
  Trl() {
    write_model(scratch_.path);
    fs::copy_file(fs::path(SOURCE) / "small.trl", scratch_.path / "small.trl");
    ::setenv("TRL_HOME", scratch_.path.c_str(), 1);
    ::setenv("TRL_WORKER", FAKE_WORKER, 1);
    ::setenv("NO_COLOR", "1", 1);
    ::setenv("HF_HUB_CACHE", (scratch_.path / "hub").c_str(), 1);
  }
  ~Trl() override {
    for (const char* name : {"FAKE_CRASH_ONCE", "FAKE_CRASH", "FAKE_WAIT", "FAKE_MADE_ON"}) ::unsetenv(name);
  }

  /// Starts trl in the scratch folder. Its standard error goes to the returned descriptor if `watch` is set,
  /// else to a file.
  pid_t start(const std::vector<std::string>& arguments, int* watch = nullptr) {
    int ends[2] = {-1, -1};
    if (watch && ::pipe(ends) != 0) throw std::runtime_error("no pipe");
    const pid_t child = ::fork();
    if (child == 0) {
      if (::chdir(scratch_.path.c_str()) != 0) ::_exit(99);
      const auto file = [](const char* name) { return ::open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644); };
      ::dup2(file("stdout"), 1);
      ::dup2(watch ? ends[1] : file("stderr"), 2);
      if (watch) ::close(ends[0]), ::close(ends[1]);
      std::vector<char*> values = {const_cast<char*>(TRL)};
      for (const auto& argument : arguments) values.push_back(const_cast<char*>(argument.c_str()));
      values.push_back(nullptr);
      ::execv(TRL, values.data());
      ::_exit(99);
    }
    if (watch) ::close(ends[1]), *watch = ends[0];
    return child;
  }
  Result trl(const std::vector<std::string>& arguments) {
    const pid_t child = start(arguments);
    int status = 0;
    ::waitpid(child, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_text(scratch_.path / "stdout"),
            read_text(scratch_.path / "stderr")};
  }
  std::map<std::string, std::string> report(const std::string& folder = "runs/study") const {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::directory_iterator(scratch_.path / folder))
      files[entry.path().filename()] = read_text(entry.path());
    return files;
  }
  static void expect_narrow(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
  }

  Scratch scratch_;
};

/// Reads the given number of lines, or up to the end.
std::string read_lines(int descriptor, int lines) {
  std::string text;
  char byte;
  while (lines > 0 && ::read(descriptor, &byte, 1) == 1) {
    text += byte;
    lines -= byte == '\n';
  }
  return text;
}

/// The text with line breaks replaced by blanks.
std::string on_one_line(std::string text) {
  for (char& c : text)
    if (c == '\n') c = ' ';
  return text;
}

}  // namespace

TEST_F(Trl, PlansEveryExperimentOfTheRepository) {
  int planned = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(SOURCE) / "../../experiments")) {
    if (entry.path().extension() != ".trl") continue;
    const auto result = trl({"plan", entry.path().string(), "--cost"});
    EXPECT_EQ(result.status, 0) << entry.path() << "\n" << result.err;
    EXPECT_TRUE(has(result.out, "Without sharing equal stages")) << entry.path();
    expect_narrow(result.out);
    ++planned;
  }
  EXPECT_GE(planned, 16);
}

TEST_F(Trl, WhatCantBeRunHereIsSaidBeforeAnythingIs) {
  const auto replication = (fs::path(SOURCE) / "../../experiments/replication.trl").string();
  const auto result = trl({"run", replication});
  EXPECT_EQ(result.status, 1);
  for (const char* part : {"hf download", "KernelBench/level2", "hf download GPUMODE/KernelBook"})
    EXPECT_TRUE(has(result.err, part)) << result.err;
  EXPECT_FALSE(fs::exists(scratch_.path / "runs"));
  const auto cost = trl({"plan", replication, "--cost"});
  for (const char* part : {"GPU-hours", "usd at the spot price", "usd on demand", "peak memory", "modelled"})
    EXPECT_TRUE(has(cost.out, part)) << cost.out;
}

TEST_F(Trl, CudaKernelsAreTrainedOnWhereTheyCanBeJudged) {
  const auto file = (fs::path(SOURCE) / "../../experiments/cuda_kernels.trl").string();
  const auto result = trl({"run", file});
  EXPECT_EQ(result.status, 1);
  for (const char* part : {"only run on a GPU", "--kernel-times measured"})
    EXPECT_TRUE(has(result.err, part)) << result.err;
  EXPECT_FALSE(fs::exists(scratch_.path / "runs"));
  EXPECT_FALSE(has(trl({"plan", file, "--kernel-times", "measured"}).out, "lacks"));
}

TEST_F(Trl, RunsAGridAndComparesItsLevels) {
  auto text = read_text(scratch_.path / "small.trl");
  const auto at = text.find("  vary ");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, text.find('\n', at) - at, "  vary = grid(writer.rank = [2, 4])");
  const auto claim = text.find("hypothesis inputs_help");
  text.replace(claim, text.find('\n', claim) - claim,
               "hypothesis rank_helps { of = study, contrast = writer.rank, metric = correct }\n"
               "hypothesis rl_helps { of = study, against = imitate, metric = correct }");
  write_text(scratch_.path / "grid.trl", text);
  const auto result = trl({"run", "grid.trl"});
  ASSERT_EQ(result.status, 0) << result.err;
  for (const char* part :
       {"rank = 2", "rank = 4", "at `writer.rank` = 4 minus at 2", "of the cells minus of `imitate`"})
    EXPECT_TRUE(has(on_one_line(result.out), part)) << part << "\n" << result.out;
  const auto page = report().at("main.md");
  EXPECT_TRUE(has(page, "writer.rank: 4 minus 2")) << page;
  const auto html = report().at("report.html");
  for (const auto& text : {on_one_line(page), html}) {
    EXPECT_TRUE(has(text, "at the level that is named first minus"));
    EXPECT_FALSE(has(text, "extension minus")) << "this study varies none";
  }
  EXPECT_TRUE(has(html, "What each setting changes"));
  EXPECT_EQ(trl({"trace", "grid.trl", "main[rank = 4, correct]"}).status, 0);
  EXPECT_TRUE(report().at("main.csv").starts_with("row,kind,extensions,same_as,writer.rank,"))
      << "a column of levels";
  EXPECT_TRUE(has(report().at("main.csv"), "rank = 4,cell,,,4,")) << report().at("main.csv");
  EXPECT_TRUE(has(report().at("main.tex"), "\nrank & valid")) << report().at("main.tex");
}

TEST_F(Trl, RunsThenDoesNothingThenRegeneratesTheSameBytes) {
  const auto first = trl({"run", "small.trl"});
  ASSERT_EQ(first.status, 0) << first.err;
  EXPECT_TRUE(has(first.out, "runs/study/main.md"));
  const auto files = report();
  ::setenv("TRL_WORKER", "/nowhere", 1);  // no stage may be run
  const auto second = trl({"run", "small.trl"});
  EXPECT_EQ(second.status, 0) << second.err;
  EXPECT_TRUE(has(second.err, "all done"));
  EXPECT_EQ(report(), files);
  fs::remove_all(scratch_.path / "runs/study");
  EXPECT_EQ(trl({"table", "small.trl"}).status, 0);
  EXPECT_EQ(report(), files);
}

TEST_F(Trl, RunsAnotherExperimentOnlyWhenItIsNamed) {
  ASSERT_EQ(trl({"run", "small.trl"}).status, 0);
  EXPECT_FALSE(fs::exists(scratch_.path / "runs/longer"));
  const auto longer = trl({"run", "small.trl", "longer"});
  ASSERT_EQ(longer.status, 0) << longer.err;
  EXPECT_TRUE(fs::exists(scratch_.path / "runs/longer/main.md"));
  EXPECT_FALSE(has(longer.err, ": 0 done")) << "rounds 1 and 2 are shared\n" << longer.err;
}

TEST_F(Trl, SaysThatAStoreIsAboutToMixHardwareAndThatItHas) {
  const auto on = [](const char* loops) {
    const nlohmann::json made_on = {{"device", "cpu"}, {"capability", "AVX1"}, {"loops", loops}};
    ::setenv("FAKE_MADE_ON", made_on.dump().c_str(), 1);
  };
  on("x86-64-v0");
  const auto first = trl({"run", "small.trl"});
  ASSERT_EQ(first.status, 0) << first.err;
  EXPECT_FALSE(has(first.err, "hardware")) << first.err;
  EXPECT_FALSE(has(trl({"plan", "small.trl"}).out, "hardware")) << "nothing is to be run";

  const auto plan = trl({"plan", "small.trl", "longer"});
  EXPECT_TRUE(has(plan.out, "stages of sampling are stored from a CPU (AVX1, x86-64-v0)")) << plan.out;
  expect_narrow(plan.out);
  const auto others = nlohmann::json::parse(trl({"plan", "small.trl", "longer", "--json"}).out).at(0);
  ASSERT_EQ(others.at("other_hardware").size(), 2u) << others.dump(1);
  EXPECT_EQ(others["other_hardware"][0].at("work"), "sampling");
  EXPECT_EQ(others["other_hardware"][1].at("work"), "training");
  EXPECT_TRUE(has(trl({"plan", "small.trl", "longer", "--device", "cuda"}).out, "on a GPU"));

  on("x86-64-v1");
  const auto mixed = trl({"run", "small.trl", "longer"});
  EXPECT_EQ(mixed.status, 0) << mixed.err;
  EXPECT_TRUE(has(mixed.err, "stages of sampling are stored from a CPU (AVX1, x86-64-v0)")) << mixed.err;
  EXPECT_TRUE(has(mixed.err, "warning: these rows were made on different hardware")) << mixed.err;
  EXPECT_TRUE(fs::exists(scratch_.path / "runs/longer/main.md")) << "levels of rows are still written";

  auto text = read_text(scratch_.path / "small.trl");
  text.replace(text.find("experiment longer : study {"), 27,
               "experiment longer : study { allow(mixed_hardware, \"a test\") ");
  write_text(scratch_.path / "small.trl", text);
  const auto allowed = trl({"run", "small.trl", "longer"});
  EXPECT_EQ(allowed.status, 0) << allowed.err;
  EXPECT_TRUE(has(allowed.err, "all done")) << "the allowance enters no key\n" << allowed.err;
  EXPECT_FALSE(has(allowed.err, "hardware")) << allowed.err;
  EXPECT_TRUE(has(read_text(scratch_.path / "runs/longer/main.md"), "allowed: mixed_hardware"));
}

TEST_F(Trl, KilledAtAnyMomentItGoesOnToTheSameFigures) {
  ASSERT_EQ(trl({"run", "small.trl", "--out", "whole"}).status, 0);
  const auto secret = read_text(scratch_.path / "runs/.store/secret");
  fs::remove_all(scratch_.path / "runs");
  fs::create_directories(scratch_.path / "runs/.store");
  write_text(scratch_.path / "runs/.store/secret", secret);
  RandomStream random("moments");
  for (int kill = 0; kill < 10; ++kill) {
    int watched = -1;
    const pid_t child = start({"run", "small.trl"}, &watched);
    read_lines(watched, 1 + static_cast<int>(random.below(6)));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    ::close(watched);
  }
  const auto resumed = trl({"run", "small.trl"});
  ASSERT_EQ(resumed.status, 0) << resumed.err;
  EXPECT_EQ(report().at("main.values.csv"), report("whole/study").at("main.values.csv"));
  EXPECT_EQ(report().at("learning.csv"), report("whole/study").at("learning.csv"));
}

TEST_F(Trl, CtrlCStopsAndSaysHowToGoOn) {
  ::setenv("FAKE_WAIT", "verify", 1);
  int watched = -1;
  const pid_t child = start({"run", "small.trl"}, &watched);
  read_lines(watched, 5);
  ::kill(child, SIGINT);
  const auto rest = read_lines(watched, 1000);
  int status = 0;
  ::waitpid(child, &status, 0);
  ::close(watched);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 130);
  EXPECT_TRUE(has(rest, "stopped; ")) << rest;
  EXPECT_TRUE(has(rest, "Go on with: trl run small.trl")) << rest;
  EXPECT_FALSE(has(rest, "checkpoint")) << rest;
  ::unsetenv("FAKE_WAIT");
  EXPECT_EQ(trl({"run", "small.trl"}).status, 0);
}

TEST_F(Trl, CtrlCSaysThatTrainingGoesOnFromItsCheckpoint) {
  std::string first;  // its key needs no secret
  const auto plan = nlohmann::json::parse(trl({"plan", "small.trl", "--json"}).out);
  for (const auto& stage : plan[0]["stages"])
    if (stage["kind"] == "finetune" && first.empty()) first = stage["key"];
  ASSERT_NE(first, "");
  fs::create_directories(Store(scratch_.path / "runs/.store").checkpoint_folder(first));
  ::setenv("FAKE_WAIT", "finetune", 1);
  int watched = -1;
  const pid_t child = start({"run", "small.trl"}, &watched);
  read_lines(watched, 2);  // the first one counts warnings, before the run has begun
  ::kill(child, SIGINT);
  const auto rest = read_lines(watched, 1000);
  ::waitpid(child, nullptr, 0);
  ::close(watched);
  ::unsetenv("FAKE_WAIT");
  EXPECT_TRUE(has(on_one_line(rest), "goes on from its checkpoint. Go on with:")) << rest;
}

TEST_F(Trl, ACrashOfTheWorkerIsTriedOnceMore) {
  ::setenv("FAKE_CRASH_ONCE", (scratch_.path / "marker").c_str(), 1);
  const auto result = trl({"run", "small.trl"});
  EXPECT_EQ(result.status, 0);
  EXPECT_TRUE(has(result.err, "signal 11")) << result.err;
}

TEST_F(Trl, AWorkerThatKeepsCrashingIsAnErrorWithItsLastWords) {
  ::setenv("FAKE_CRASH", "verify", 1);
  const auto result = trl({"run", "small.trl"});
  EXPECT_EQ(result.status, 1);
  for (const char* part : {"verify failed twice", "signal 11", "out of luck", "worker.log"})
    EXPECT_TRUE(has(result.err, part)) << result.err;
}

TEST_F(Trl, TheSecretIsNeverShown) {
  const auto result = trl({"run", "small.trl"});
  const auto secret = read_text(scratch_.path / "runs/.store/secret");
  EXPECT_FALSE(has(result.out + result.err, secret));
  for (const auto& [name, text] : report()) EXPECT_FALSE(has(text, secret)) << name;
}

TEST_F(Trl, TableSaysWhatIsMissingAndHowToGetIt) {
  const auto result = trl({"table", "small.trl"});
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(has(result.err, "lacks")) << result.err;
  EXPECT_TRUE(has(result.err, "trl run small.trl")) << result.err;
}

TEST_F(Trl, PlanSharesFoldsAndExplains) {
  const auto before = trl({"plan", "small.trl"});
  EXPECT_EQ(before.status, 0) << before.err;
  EXPECT_TRUE(has(before.out, "4 cells (2 distinct), 1 control, 1 seed")) << before.out;
  ASSERT_EQ(trl({"run", "small.trl"}).status, 0);
  const auto why = trl({"plan", "small.trl", "--why", "--set", "reinforce.learning_rate=1e-4"});
  EXPECT_TRUE(has(why.out, "learning_rate 2e-4 → 1e-4")) << why.out;
  EXPECT_TRUE(has(why.out, "  done   16 stages\n")) << why.out;
  EXPECT_TRUE(has(why.out, "with 12 stages that use what is made")) << why.out;
  EXPECT_EQ(nlohmann::json::parse(trl({"plan", "small.trl", "--json"}).out).size(), 1u);
}

TEST_F(Trl, StatusSaysWhatIsDone) {
  EXPECT_TRUE(has(trl({"status", "small.trl"}).out, "study: 0 of"));
  ASSERT_EQ(trl({"run", "small.trl"}).status, 0);
  const auto result = trl({"status", "small.trl"});
  EXPECT_TRUE(has(result.out, "nothing is running")) << result.out;
  EXPECT_TRUE(has(result.out, "finished: ")) << result.out;
}

TEST_F(Trl, MistakesHaveAnExitStatusAndARemedy) {
  EXPECT_EQ(trl({}).status, 2);
  EXPECT_EQ(trl({"run"}).status, 2);
  EXPECT_EQ(trl({"run", "small.trl", "--device", "abacus"}).status, 2);
  const auto typo = trl({"rnu", "small.trl"});
  EXPECT_EQ(typo.status, 2);
  EXPECT_TRUE(has(typo.err, "did you mean run?"));
  const auto nowhere = trl({"run", "nowhere.trl"});
  EXPECT_EQ(nowhere.status, 1);
  EXPECT_TRUE(has(nowhere.err, "nowhere.trl"));
  const auto unnamed = trl({"run", "small.trl", "studdy"});
  EXPECT_EQ(unnamed.status, 1);
  EXPECT_TRUE(has(unnamed.err, "longer, study")) << unnamed.err;
}

TEST_F(Trl, AnswersTheWordsOfOtherToolsOnTheCommandLine) {
  const std::string example = "small.trl";
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"train", example}, "did you mean run?"},
      {{"lint", example}, "did you mean check?"},
      {{"explain", "reinforce.keep"}, "`trl explain best_of_n.keep`"},
      {{"explain", "rloo"}, "see `trl explain policy_gradient`"},
      {{"explain", "ppo"}, "there is no critic here: `grpo` clips ratios as PPO does"},
      {{"explain", "KTO"}, "see `trl explain dpo`"},
      {{"check", example, "reinforce.rounds=3"}, "write --set reinforce.rounds=3"},
      {{"check", example, "--set", "reinforce.rounds=2,reinforce.keep=1"},
       "--set reinforce.rounds=2 --set reinforce.keep=1"},
      {{"check", example, "--set", "study.seeds=1,2,3"}, "--set study.seeds=[1,2,3]"},
      {{"check", example, "--set", "+reinforce.rounds=2"}, "write `--set reinforce.rounds=2`"},
      {{"run", example, "--seed", "3"}, "--set 'study.seeds=[3]'"},
      {{"run", example, "longer", "--seed=42"}, "--set 'longer.seeds=[42]'"},
      {{"run", example, "--seeds", "1", "2"}, "--set 'study.seeds=[1, 2]'"},
      {{"run", example, "--seeds", "3"}, "3 of them are --set 'study.seeds=1..3'"},
      {{"run", "--seed", "3"}, "--set 'EXPERIMENT.seeds=[3]'"},
      {{"run", example, "--seed"}, "--set 'study.seeds=[…]'"},
      {{"check", example, "--set", "study.seeds=[1,", "2]"}, "in quotes: --set 'study.seeds=[1, 2]'"},
      {{"check", example, "--set", "study.seeds", "=", "[1,", "2]"}, "--set 'study.seeds = [1, 2]'"},
      {{"check", "--set=study.seeds=[1,", "2]", example}, "--set 'study.seeds=[1, 2]'"},
      {{"plan", example, "--gpu", "4"}, "write --gpus 4"},
      {{"run", example, "--num-gpus=4"}, "write --gpus 4"},
      {{example}, "`trl run small.trl`, or `trl check small.trl`"},
      {{"run", example, "--dry-run"}, "`trl plan FILE`"},
      {{"run", example, "--num-gpus", "2"}, "--gpus 2"},
      {{"run", example, "--gpus", "two"}, "a number of GPUs, or `all`"},
      {{"run", example, "--gpus", "2", "--device", "cpu"}, "--gpus counts GPUs"},
      {{"run", example, "--device", "gpu"}, "--device cuda"},
      // An option of another command, as that command registers it.
      {{"plan", example, "--only", "seed=1"}, "`--only` is an option of `trl run`"},
      {{"check", example, "--override", "a.b=2"}, "write --set a.b=2"},
      {{"run", example, "--override=a.b=2"}, "write --set a.b=2"},
      {{"run", example, "-j", "4"}, "did you mean --workers?"},
      {{"paper", example, "--latex"}, "--format latex"},
      {{"power", example, "--smallest-effect", "10"}, "did you mean --effect?"},
      {{"power", example, "--alpha", "0.01"}, "--set inputs_help.alpha=0.01"},
      {{"status", example, "--name", "slow"}, "`trl status FILE NAME`"},
      {{"verify", example}, "`trl check FILE` checks a study"},
      {{"check", example, "--gpus", "2"}, "for `trl run` and `trl plan`"},
      {{"check", example, "--output", "x"}, "`--out` is an option of "},
      {{"check", example, "--fixx"}, "did you mean --fix?"},
      {{"run", example, "--output", "x"}, "did you mean --out?"},
      {{"table", example, "--format", "latex"}, "the table's field `latex`"},
      {{"fmt", "--inplace", example}, "`trl fmt FILE` writes the file itself"},
      {{"lock", example, "--check"}, "compare the file with its lock"},
      {{"check", example, "--fix", "--dry-run"}, "shows the fixes and changes nothing"},
      {{"explain", "--list"}, "`trl explain` alone lists"},
      {{"generate", "base", "--prompt", "x"}, "`trl generate MODEL "},
      {{"power", example, "--effect", "10%"}, "write the number alone: --effect 10"},
      {{"power", example, "--effect", "0.05"}, "it is of a hundred: --effect 5"},
      {{"grpo", "--config", "study.yaml"}, "`train NAME : grpo { … }`, and `trl run FILE` trains"},
      {{"dpo"}, "a way to train is written in a file"},
      {{"results", "export", example, "--csv"}, "--jsonl, a line for each number"},
      {{"verify", "answer.py"}, "--task with the task that it answers"},
      {{"verify", "answer.py", "--task", "level1/1", "--gpu"}, "--kernel-times measured"},
      {{"verify", "answer.py", "--task", "level1/101"}, "level1 has the tasks 1 to 60"},
      {{"verify", "answer.py", "--task", "level9/1"}, "there is no suite level9: suites are "},
      {{"run", example, "--only", "none/seed 9"}, "`none` has no seed 9"},
      {{"plan", "study"}, "a .trl file stands first"},
      {{"plan", example, "reinforce.rounds=2"}, "--set reinforce.rounds=2"},
      {{"plan", example, "--gpus", "2", "4"}, "--gpus 2,4"},
      {{"run", example, "inputs"}, "--only inputs"},
      {{"plan", example, "inputs"}, "it is a row of study, and is told with the others"},
      {{"plan", example, "main"}, "it is a table of study: write small.trl study"},
      {{"show", "study", example}, "write `trl show small.trl study`"},
      {{"run", example, "--device", "cuda:1"}, "CUDA_VISIBLE_DEVICES=1"},
      {{"check", example, "study"}, "leave `study` out"},
      {{"fmt", "notes.md"}, "`trl fmt` formats .trl files"},
      {{"results", "ls"}, "did you mean list?"},
      // Files and rows in other places, and words in another order.
      {{"results", "list", example}, "`trl table small.trl` shows the tables"},
      {{"results", "show", example}, "`trl table small.trl` shows the tables"},
      {{"results", example}, "`trl table small.trl` shows the tables"},
      {{"list", "results"}, "write `trl results list`"},
      {{"results", "diff", example, "other.trl"}, "compares reports, runs/EXPERIMENT"},
      {{"export", "adapter", example, "--row", "inputs", "--seed", "1"},
       "`trl export adapter small.trl 'inputs/seed 1'`"},
      {{"export", "kernel", example, "--row", "inputs"}, "`trl export kernel small.trl 'TABLE[inputs]'`"},
      {{"export", example, "adapter"}, "write `trl export adapter small.trl`"},
      {{"adapter", "export", example, "inputs + stages"},
       "write `trl export adapter small.trl 'inputs + stages'`"},
      {{example, "run", "study"}, "write `trl run small.trl study`"},
      {{"diff", "a", "b"}, "`trl results diff`"},
      {{"kill", example}, "Ctrl-C stops a run"},
      {{"sbatch", example}, "packaging/cluster"},
      {{"run", example, "--budget", "10"}, "`trl plan FILE --cost`"},
      {{"run", example, "--smoke"}, "--set DECLARATION.rounds=1"},
      {{"run", example, "--eval-only"}, "`experiment untrained : "},
      {{"run", example, "+reinforce.lr=1e-4"}, "write `--set reinforce.learning_rate=1e-4`"},
      {{"run", example, "reinforce.rounds=1,2"}, "`vary = grid(reinforce.rounds = [1,2])`"},
      {{"run", "-m", example, "reinforce.rounds=1,2"}, "`vary = grid(reinforce.rounds = [1,2])`"},
      {{"verify", "a.py", "--task", "19_ReLU"}, "--suite-file FILE.trl --task kb/19"},
      {{"verify", "a.py", "--task", "windtunnel.level1[7]"}, "write --task level1/7"},
      // Precisions and other values as others spell them.
      {{"verify", "a.py", "--task", "level1/1", "--precision", "fp16"}, "write --precision half"},
      {{"verify", "a.py", "--task", "level1/1", "--precision", "bfloat16"}, "write --precision half"},
      {{"verify", "a.py", "--task", "level1/1", "--precision=FP32"}, "write --precision task"},
      {{"verify", "a.py", "--task", "level1/1", "--fp16"}, "--precision half"},
      {{"generate", "windtunnel.base", "--precision", "float16"}, "write --precision bf16"},
      {{"generate", "windtunnel.base", "--precision", "half"}, "write --precision bf16"},
      {{"generate", "windtunnel.base", "--precision", "float32"}, "write --precision f32"},
      {{"generate", "windtunnel.base", "--quantize", "4bit"}, "write --quantize nf4"},
      {{"generate", "windtunnel.base", "--dtype", "fp16"}, "write --precision bf16"},
      {{"run", example, "--precision", "fp16"}, "precision=bf16"},
      {{"run", example, "--kernel-times", "real"}, "write --kernel-times measured"},
      {{"results"}, "write `trl results list`, "},
      // A field of the file before an option of another command, and before one that is only a little like
      // it.
      {{"run", example, "--temperature", "0.3"}, "the file says it: "},
      {{"run", example, "--lr", "1e-4"}, "the file says it: "},
      {{"results", "lst"}, "did you mean list?"},
      {{"check", "smal.trl"}, "did you mean `small.trl`?"},
      {{"check", "small.yaml"}, "did you mean `small.trl`?"}};
  for (const auto& [arguments, words] : cases) {
    const auto result = trl(arguments);
    EXPECT_NE(result.status, 0) << words;
    EXPECT_TRUE(has(result.err, words)) << words << "\n" << result.err;
  }
}

/// The commands that `trl --help` lists.
std::vector<std::string> commands_of(const std::string& help) {
  std::vector<std::string> names;
  std::istringstream lines(help.substr(help.find("Subcommands:\n") + 13));
  for (std::string line; std::getline(lines, line) && !line.starts_with("Examples");)
    if (line.size() > 2 && line.starts_with("  ") && line[2] != ' ')
      names.push_back(line.substr(2, line.find(' ', 2) - 2));
  return names;
}

TEST_F(Trl, EveryCommandHasHelpWithAnExample) {
  const auto commands = commands_of(trl({"--help"}).out);
  EXPECT_GE(commands.size(), 20u);
  for (const std::string& command : commands) {
    const auto help = trl({command, "--help"});
    EXPECT_EQ(help.status, 0);
    EXPECT_TRUE(has(help.out, "Examples:\n  trl " + command)) << command;
    EXPECT_TRUE(has(help.out, "Exit status: 0 ")) << command;
    expect_narrow(help.out);
    EXPECT_EQ(trl({"help", command}).out, help.out);
  }
  expect_narrow(trl({"--help"}).out);
  EXPECT_EQ(trl({"--version"}).out, trl({"version"}).out);
}

// A new command says its findings as JSON, or is added to those that write files, texts or pages.
TEST_F(Trl, WhatCommandsFindOutIsThereAsJson) {
  const std::set<std::string> without{"completions", "docs",  "editor", "explain", "export", "fmt",
                                      "gc",          "graph", "lock",   "lsp",     "new",    "paper",
                                      "results",     "run",   "serve",  "table"};
  for (const std::string& command : commands_of(trl({"--help"}).out))
    EXPECT_NE(has(trl({command, "--help"}).out, "--json"), without.contains(command)) << command;
}

TEST_F(Trl, AWrongOptionIsAnErrorOfItsCommand) {
  const std::string help = "`trl run --help`";
  for (const auto& [arguments, said] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"run", "small.trl", "--thraeds", "2"}, "did you mean --threads?"},
           {{"run", "small.trl", "--xyzzy"}, help},
           {{"run"}, help},
           {{"run", "small.trl", "--threads", "0"}, help}}) {
    const auto result = trl(arguments);
    EXPECT_EQ(result.status, 2);
    EXPECT_TRUE(has(result.err, "error: ") && has(result.err, said)) << result.err;
    expect_narrow(result.err);
  }
}

TEST_F(Trl, AFileWithoutExperimentsHasNothingToRun) {
  write_text(scratch_.path / "empty.trl", "");
  EXPECT_EQ(trl({"check", "empty.trl"}).status, 0);
  for (const char* command : {"plan", "run", "table", "status"}) {
    const auto result = trl({command, "empty.trl"});
    EXPECT_EQ(result.status, 1) << command;
    EXPECT_TRUE(has(result.err, "declares no experiment")) << result.err;
  }
  EXPECT_FALSE(fs::exists(scratch_.path / "runs"));
}

TEST_F(Trl, AFolderThatCannotTakeTheReportIsSaidBeforeTheWork) {
  write_text(scratch_.path / "file", "");
  const auto result = trl({"run", "small.trl", "--out", "file"});
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(has(result.err, "--out DIR")) << result.err;
  EXPECT_FALSE(fs::exists(scratch_.path / "runs/.store"));
}

TEST_F(Trl, DiagnosticsOfAFileThatIsNotTextAreJsonAllTheSame) {
  write_text(scratch_.path / "bytes.trl", "model \xff {}\n");
  const auto result = trl({"check", "bytes.trl", "--json"});
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(nlohmann::json::parse(result.out)[0]["rule"], "syntax");
}

TEST_F(Trl, ADamagedResultIsNamedWithItsRemedy) {
  ASSERT_EQ(trl({"run", "small.trl"}).status, 0);
  for (const auto& entry : fs::recursive_directory_iterator(scratch_.path / "runs/.store/stages"))
    if (entry.path().filename() == "verdicts.jsonl") fs::remove(entry.path());
  const auto table = trl({"table", "small.trl"});
  EXPECT_EQ(table.status, 1);
  EXPECT_TRUE(has(table.err, "it has no verdicts.jsonl") && has(table.err, "again")) << table.err;
}

TEST_F(Trl, TheManifestOfTheInstalledLibraryIsCompared) {
  write_text(scratch_.path / "own.trl",
             "import windtunnel\nimport example\nmodel m { weights = windtunnel.base }\n"
             "evaluation x : example.exam { split = windtunnel.level2[99..100] }\n"
             "experiment e : example.study { model = m, evaluate = x }\n");
  const auto before = trl({"check", "own.trl"});
  EXPECT_EQ(before.status, 0) << before.err;
  const auto plan = nlohmann::json::parse(trl({"plan", "own.trl", "--json"}).out);
  for (const auto& stage : plan[0]["stages"])
    if (stage["kind"] == "tasks")
      write_text(scratch_.path / "stdlib/windtunnel/manifest.json",
                 nlohmann::json{{"keys", {stage["spec"]["tasks"][1]["key"]}}}.dump());
  const auto seen = trl({"check", "own.trl"});
  EXPECT_EQ(seen.status, 1);
  EXPECT_TRUE(has(seen.err, "pretrained_on_exam") && has(seen.err, "`level2/100`")) << seen.err;
}

TEST_F(Trl, ExplainsTheRulesThatItApplies) {
  EXPECT_TRUE(has(trl({"explain", "keeps_incorrect"}).out, "keeps_incorrect: "));
  EXPECT_TRUE(has(trl({"explain"}).out, "exam_overlap"));
  EXPECT_TRUE(has(trl({"explain", "pass@k"}).out, "function pass_at"));
  EXPECT_TRUE(has(trl({"explain", "KL"}).out, "kl"));
  EXPECT_EQ(trl({"explain", "nonsense"}).status, 1);
  // A field that several have: what it is, and then where.
  const std::string batch = on_one_line(trl({"explain", "batch"}).out);
  EXPECT_TRUE(has(batch, "Samples in an optimiser step, over all GPUs.") &&
              has(batch, "`trl explain grpo.batch`"))
      << batch;
  EXPECT_TRUE(has(on_one_line(trl({"explain", "schedule"}).out), "How the learning rate falls after that."));
  EXPECT_TRUE(has(on_one_line(trl({"explain", "lr"}).out), "lr is `learning_rate` here"));
  // Other libraries' names of settings, behind a way to train.
  for (const auto& [written, meant] : std::vector<std::pair<std::string, std::string>>{
           {"grpo.kl_coef", "in grpo: kl:"},
           {"grpo.beta", "in grpo: kl:"},
           {"grpo.num_generations", "in grpo: candidates:"},
           {"grpo.clip_range", "in grpo: clip_ratio:"},
           {"grpo.lr", "in grpo: learning_rate:"},
           {"GRPOConfig.num_generations", "in grpo: candidates:"},
           {"trl.DPOConfig.beta", "in dpo: beta:"},
           {"ppo.cliprange", "clip_ratio:"},
           {"LoraConfig.r", "in lora: rank:"},
           {"sft.num_train_epochs", "in sft: epochs:"}}) {
    const auto result = trl({"explain", written});
    EXPECT_TRUE(has(result.out, meant)) << written << "\n" << result.out << result.err;
  }
  EXPECT_TRUE(has(on_one_line(trl({"explain", "grpo.gradient_accumulation_steps"}).err),
                  "write as `batch` the samples of an optimiser step"));
  // Suites, and tasks of them.
  const std::string suite = on_one_line(trl({"explain", "windtunnel.level1"}).out);
  EXPECT_TRUE(has(suite, "60 tasks") && has(suite, "1 relu") && has(suite, "x f32[64, 256]")) << suite;
  expect_narrow(trl({"explain", "windtunnel.level1"}).out);
  EXPECT_TRUE(has(trl({"explain", "windtunnel"}).out, "`trl explain windtunnel.level2`"));
  EXPECT_TRUE(has(trl({"explain", "kernelbench_like.kb_level1"}).out, "square_matmul"));
  EXPECT_TRUE(has(trl({"explain", "level1/1"}).out, "task level1/1 of windtunnel: relu("));
  EXPECT_TRUE(has(trl({"explain", "kernelbench.level1"}).out, "checkout"));
  EXPECT_TRUE(has(on_one_line(trl({"explain", "reward"}).out), "field reward of `best_of_n`"));
  EXPECT_TRUE(has(trl({"explain", "c.speedup"}).out, "in verdict: speedup:"));
  EXPECT_TRUE(has(trl({"explain", "epoch"}).out, "epoch is written `epochs` here"));
  EXPECT_TRUE(has(trl({"explain", "curriculum"}).err, "`trl explain adaptive_curriculum`"));
  EXPECT_TRUE(
      has(on_one_line(trl({"explain", "advantage"}).err), "it is spoken of in others: `trl explain "));
  // `trl docs NAME` says the same.
  for (const char* name : {"grpo", "lora", "windtunnel", "grpo.kl_coef"})
    EXPECT_EQ(trl({"docs", name}).out, trl({"explain", name}).out);
  // A word that is also a command's name is no second command.
  EXPECT_TRUE(has(trl({"explain", "table"}).out, "kind table"));
  EXPECT_TRUE(has(trl({"explain", "windtunnel"}).out, "windtunnel.level1"));
  EXPECT_TRUE(has(trl({"explain", "inert"}).out, "what a report finds of a hypothesis"));
  EXPECT_TRUE(has(trl({"explain", "dpo.data"}).err, "`sft.data`"));
  EXPECT_TRUE(has(trl({"explain", "new"}).err, "there is no entry for new"));
  EXPECT_TRUE(has(trl({"export", "kernel"}).err, "`trl export kernel --help`"));
  EXPECT_TRUE(has(trl({"explain", "exam_overlapp"}).err, "did you mean exam_overlap?"));
  expect_narrow(trl({"explain"}).out);
  for (const char* part : {"a measure of finetune at each step", "share of r > 1 + clip_higher"})
    EXPECT_TRUE(has(on_one_line(trl({"explain", "clip_share"}).out), part));
  EXPECT_TRUE(has(trl({"explain", "measures"}).out, "What stages have as a whole:"));
  expect_narrow(trl({"explain", "measures"}).out);
}

TEST_F(Trl, CheckNotesThatARepositoryIsNotOnThisMachine) {
  write_text(scratch_.path / "hub.trl",
             "import example\nmodel m { weights = huggingface(\"Qwen/Qwen3-8B\") }\n"
             "experiment e : example.study { model = m }\n");
  const auto absent = trl({"check", "--strict", "hub.trl"});
  EXPECT_EQ(absent.status, 0) << absent.err;
  EXPECT_TRUE(has(absent.err, "note[missing_weights]") && has(absent.err, "hf download Qwen/Qwen3-8B"))
      << absent.err;
  const auto folder = scratch_.path / "hub/models--Qwen--Qwen3-8B";
  fs::create_directories(folder / "refs"), fs::create_directories(folder / "snapshots/abc");
  write_text(folder / "refs/main", "abc");
  // A branch whose files were never downloaded, as `hf` leaves it where it was stopped.
  EXPECT_TRUE(has(on_one_line(trl({"check", "hub.trl"}).err), "the cache lacks the file"));
  fs::copy(scratch_.path / "stdlib/windtunnel", folder / "snapshots/abc");
  EXPECT_EQ(trl({"check", "hub.trl"}).err, "");
}
TEST_F(Trl, CheckComparesTheFilesOfAModel) {
  const auto folder = scratch_.path / "model";
  fs::copy(scratch_.path / "stdlib/windtunnel", folder);
  write_text(folder / "config.json", R"({"vocab_size": 260})");
  write_text(folder / "tokenizer.json", R"({"added_tokens": [{"id": 260, "content": "<new>"}]})");
  write_text(scratch_.path / "near.trl",
             "import example\nmodel m { weights = path(\"model\") }\n"
             "experiment e : example.study { model = m }\n");
  for (const char* command : {"check", "plan"}) {
    const auto near = trl({command, "near.trl"});
    EXPECT_TRUE(has(on_one_line(near.err + near.out), "`<new>` (260)")) << command << near.err << near.out;
  }
  EXPECT_EQ(trl({"check", "near.trl"}).status, 1);
  fs::remove(folder / "config.json");
  ASSERT_EQ(::mkfifo((folder / "config.json").c_str(), 0600), 0);
  EXPECT_TRUE(has(on_one_line(trl({"check", "near.trl"}).err), "is a named pipe"));
}

TEST_F(Trl, NoPipeAndNoDeviceIsWaitedFor) {
  ASSERT_EQ(::mkfifo((scratch_.path / "pipe.trl").c_str(), 0600), 0);
  ASSERT_EQ(::mkfifo((scratch_.path / "pipe").c_str(), 0600), 0);
  write_text(scratch_.path / "imports.trl", "import pipe\nimport example\nexperiment e : example.study {}\n");
  write_text(scratch_.path / "asks.trl",
             "import example\nmodel m : example.base { prompt = path(\"pipe\") }\n"
             "experiment e : example.study { model = m }\n");
  EXPECT_TRUE(has(trl({"check", "pipe.trl"}).err, "`pipe.trl` is no regular file"));
  EXPECT_TRUE(has(trl({"check", "/dev/zero"}).err, "`/dev/zero` is no regular file"));
  EXPECT_TRUE(has(trl({"check", "imports.trl"}).err, "there is no `pipe.trl` to import"));
  EXPECT_EQ(trl({"check", "asks.trl"}).status, 1);
  EXPECT_TRUE(has(trl({"fmt", "pipe.trl"}).err, "is a named pipe"));
  EXPECT_TRUE(has(trl({"verify", "pipe", "--task", "level1/1"}).err, "is a named pipe"));
  EXPECT_TRUE(has(trl({"verify", "--rows", "pipe"}).err, "is a named pipe"));
  fs::create_directories(scratch_.path / "given");
  write_text(scratch_.path / "private.py", "secret");
  fs::create_symlink("../private.py", scratch_.path / "given/a.py");
  const auto refused = trl({"verify", "given", "--task", "level1/1"});
  EXPECT_EQ(refused.status, 3);
  EXPECT_TRUE(has(on_one_line(refused.out), "not judged: given/a.py leads out of the folder")) << refused.out;
}

TEST_F(Trl, ResultsAreListedAndCompared) {
  ASSERT_EQ(trl({"run", "small.trl"}).status, 0);
  ASSERT_EQ(trl({"run", "small.trl", "--set", "reinforce.learning_rate=1e-4", "--out", "other"}).status, 0);
  const auto listed = trl({"results", "list"});
  EXPECT_EQ(listed.status, 0) << listed.err;
  EXPECT_TRUE(has(listed.out, "runs/study  seeds 1")) << listed.out;
  const auto elsewhere = nlohmann::json::parse(trl({"results", "list", "--out", "other", "--json"}).out);
  ASSERT_EQ(elsewhere.size(), 1u);
  EXPECT_EQ(elsewhere[0]["set"], nlohmann::json({"reinforce.learning_rate=1e-4"}));
  EXPECT_TRUE(has(trl({"results", "list", "--out", "nothing"}).out, "there is no report in nothing"));
  const auto same = trl({"results", "diff", "study", "runs/study"});
  EXPECT_TRUE(has(same.out, "settings: the same") && has(same.out, "main: the same figures"))
      << same.out << same.err;
  const auto different = trl({"results", "diff", "study", "other/study"});
  EXPECT_EQ(different.status, 0);
  EXPECT_TRUE(has(different.out, "learning_rate")) << different.out;
  EXPECT_TRUE(has(different.out, "| figure")) << different.out;
  EXPECT_EQ(trl({"results", "diff", "study", "missing"}).status, 1);
}

TEST_F(Trl, TheManualPageHasEveryCommand) {
  const auto page = trl({"docs", "--format", "man"}).out;
  for (const char* part :
       {".TH TRL 1", ".SS trl run", ".SS trl results diff", "\\-\\-set PATH=VALUE", "TRL_STORE"})
    EXPECT_TRUE(has(page, part)) << part;
}
