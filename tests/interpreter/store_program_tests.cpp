// The real trl on stores that are in use, damaged, or to be cleaned up.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <sstream>
#include <thread>
#include <tuple>

#include "base/support/files.hpp"
#include "base/support/json_text.hpp"
#include "interpreter/store/index.hpp"
#include "tests/has.hpp"
#include "tests/interpreter/trl_process.hpp"

using namespace trl;
using namespace trl::interpreter;
using namespace trl::interpreter::testing;
namespace fs = std::filesystem;
using nlohmann::json;
using trl::has;

namespace {

class StoreOf : public ::testing::Test {
 protected:
  StoreOf() : folder_(TRL, FAKE_WORKER, fs::path(SOURCE) / "crash.trl") {}

  void make() {
    const auto made = folder_.trl("run study.trl");
    ASSERT_EQ(made.status, 0) << made.err;
    report_ = folder_.files("runs/study");
  }
  fs::path store() const { return folder_.path() / "runs/.store"; }
  fs::path folder_of(const std::string& kind) const { return file_of(kind, "").parent_path(); }
  /// Changes a digit of the value behind a field's name.
  static void change_digit(const fs::path& file, const std::string& field) {
    auto text = read_text(file);
    const auto digit = text.find_first_of("0123456789", text.find(field));
    ASSERT_NE(digit, std::string::npos) << file;
    text[digit] = text[digit] == '7' ? '8' : '7';
    write_text(file, text);
  }
  /// The path of a file in a result of the given kind.
  fs::path file_of(const std::string& kind, const std::string& name) const {
    for (const auto& entry : fs::recursive_directory_iterator(store() / "stages"))
      if (entry.path().filename() == "stage.json" && read_json(entry.path()).at("kind") == kind)
        return entry.path().parent_path() / name;
    throw std::runtime_error("no " + kind);
  }
  /// Checks that the next run repairs the store, reports that with these words, and writes the same report.
  void expect_mended(const std::string& words, const std::string& options = "") {
    const auto again = folder_.trl("run study.trl " + options);
    EXPECT_EQ(again.status, 0) << again.err;
    EXPECT_TRUE(has(unwrapped(again.err), words)) << again.err;
    EXPECT_EQ(folder_.files("runs/study"), report_);
    const auto after = folder_.trl("run study.trl");
    EXPECT_FALSE(has(after.err, "mended") || has(after.err, "damaged")) << after.err;
    EXPECT_TRUE(has(after.err, "all done")) << after.err;
  }
  /// Waits until a file contains the text.
  void await(const std::string& file, const std::string& text) const {
    while (!fs::exists(folder_.path() / file) || !has(read_text(folder_.path() / file), text))
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  /// Waits until a process has stopped itself.
  static void await_stop(pid_t child) {
    while (true) {
      const auto status = read_text("/proc/" + std::to_string(child) + "/stat");
      if (has(status, ") T ")) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }

  TrlFolder folder_;
  std::map<std::string, std::string> report_;
};

class IndexOfStore : public StoreOf, public ::testing::WithParamInterface<const char*> {};

TEST_P(IndexOfStore, ThatIsDamagedIsMadeAnewFromTheFoldersAndSaysSo) {
  make();
  const auto file = store() / "index.sqlite";
  const std::string how = GetParam();
  std::string words = "the store's index was damaged and is rebuilt from";
  if (how == "deleted") fs::remove(file), words = "the store had no index; it is rebuilt from";
  if (how == "emptied") write_text(file, "");
  if (how == "garbage") write_text(file, std::string(30000, 'x'));
  if (how == "truncated") fs::resize_file(file, fs::file_size(file) / 2);
  if (how == "folder") fs::remove(file), fs::create_directory(file);
  if (how == "lists_too_much") {
    Index::open(file).put({std::string(64, 'a'), "sample", "nowhere", 1});
    words = "the store's index is corrected: 0 results added, 1 removed";
  }
  if (how == "lists_too_little") {
    auto index = Index::open(file);
    index.remove(index.entries().front().key);
    words = "the store's index is corrected: 1 result added, 0 removed";
  }
  EXPECT_EQ(folder_.trl("table study.trl").status, 0) << "readers need no index";
  EXPECT_EQ(folder_.trl("status study.trl").status, 0);
  EXPECT_EQ(folder_.trl("plan study.trl --why --set reinforce.learning_rate=1e-4").status, 0);
  expect_mended(words);
}
INSTANTIATE_TEST_SUITE_P(How, IndexOfStore,
                         ::testing::Values("deleted", "emptied", "garbage", "truncated", "folder",
                                           "lists_too_much", "lists_too_little"),
                         [](const auto& info) { return std::string(info.param); });

TEST_F(StoreOf, AnIndexWhoseLogIsLostIsMended) {
  const auto killed = folder_.trl("run study.trl", {{"TRL_FAILPOINT", "indexed:5=kill"}});
  ASSERT_EQ(killed.signal, SIGKILL);
  ASSERT_TRUE(fs::exists(store() / "index.sqlite-wal"));
  fs::remove(store() / "index.sqlite-wal");
  const auto resumed = folder_.trl("run study.trl");
  EXPECT_EQ(resumed.status, 0) << resumed.err;
  EXPECT_TRUE(has(resumed.err, "the store's index")) << resumed.err;
  EXPECT_EQ(
      Index::open_to_read(store() / "index.sqlite")->entries().size(),
      static_cast<std::size_t>(json::parse(folder_.trl("plan study.trl --json").out)[0]["stages"].size()));
}

struct Harm {
  const char* name;
  const char* words;
};
class ResultOfStore : public StoreOf, public ::testing::WithParamInterface<Harm> {};

TEST_P(ResultOfStore, ThatIsDamagedIsPutAsideAndMadeAnew) {
  make();
  const std::string how = GetParam().name;
  const auto verdicts = file_of("verify", "verdicts.jsonl"), described = file_of("verify", "stage.json");
  if (how == "file_gone") fs::remove(verdicts);
  if (how == "file_empty") write_text(verdicts, "");
  if (how == "file_cut") fs::resize_file(verdicts, fs::file_size(verdicts) - 1);
  if (how == "description_gone") fs::remove(described);
  if (how == "description_cut") fs::resize_file(described, 100);
  if (how == "description_empty") write_text(described, "");
  const auto table = folder_.trl("table study.trl");
  EXPECT_EQ(table.status, 1) << table.out;
  EXPECT_TRUE(has(unwrapped(table.err), "trl run study.trl")) << table.err;
  EXPECT_TRUE(has(unwrapped(folder_.trl("status study.trl").out), GetParam().words));
  EXPECT_TRUE(has(unwrapped(folder_.trl("plan study.trl").out), GetParam().words));
  EXPECT_TRUE(has(unwrapped(folder_.trl("plan study.trl --why").out), "its result is damaged"));
  expect_mended(GetParam().words);
  EXPECT_EQ(std::distance(fs::directory_iterator(store() / "damaged"), fs::directory_iterator()), 1);
}
INSTANTIATE_TEST_SUITE_P(How, ResultOfStore,
                         ::testing::Values(Harm{"file_gone", "it has no verdicts.jsonl"},
                                           Harm{"file_empty", "verdicts.jsonl has 0 bytes instead of"},
                                           Harm{"file_cut", "verdicts.jsonl has"},
                                           Harm{"description_gone", "it has no stage.json"},
                                           Harm{"description_cut", "stage.json isn't complete"},
                                           Harm{"description_empty", "stage.json isn't complete"}),
                         [](const auto& info) { return std::string(info.param.name); });

/// A change that keeps a file's length and leaves it valid JSON.
struct Change {
  const char* kind;
  const char* file;
  const char* field;
};
class ChangedResult : public StoreOf, public ::testing::WithParamInterface<Change> {};

TEST_P(ChangedResult, MakesNoTableAndIsMadeAnewByARun) {
  make();
  const auto& [kind, file, field] = GetParam();
  change_digit(file_of(kind, file), field);
  const auto words = "the contents of " + std::string(file) + " have changed: their SHA-256 is ";
  const auto table = folder_.trl("table study.trl --out none");
  EXPECT_EQ(table.status, 1) << table.out;
  EXPECT_TRUE(has(unwrapped(table.err), words)) << table.err;
  EXPECT_TRUE(has(table.err, "help: ") && has(table.err, "trl run")) << table.err;
  EXPECT_FALSE(fs::exists(folder_.path() / "none/study"));
  expect_mended(words);
  EXPECT_EQ(std::distance(fs::directory_iterator(store() / "damaged"), fs::directory_iterator()), 1);
}
INSTANTIATE_TEST_SUITE_P(Of, ChangedResult,
                         ::testing::Values(Change{"verify", "verdicts.jsonl", "\"speedup\""},
                                           Change{"sample", "stage.json", "\"tokens\""},
                                           Change{"select", "rewards.jsonl", "\"reward\""},
                                           Change{"tasks", "tasks.json", "\"key\""},
                                           Change{"corpus", "samples.jsonl", "\"answer\""}),
                         [](const auto& info) {
                           std::string name = info.param.file;
                           return name.substr(0, name.find('.')) + "_of_" + info.param.kind;
                         });

TEST_F(StoreOf, AChangedVerdictIsNotTraced) {
  make();
  const auto provenance = read_json(folder_.path() / "runs/study/provenance.json");
  const auto& chain = provenance.at("rows").at(0).at("chains").at(0).at("stages");
  std::string exam;
  for (const auto& [slot, key] : chain.items())
    if (has(slot, "exam") && has(slot, "verify")) exam = key;
  const auto figure =
      "trace study.trl 'main[" + provenance["rows"][0]["row"].get<std::string>() + ", correct]'";
  ASSERT_EQ(folder_.trl(figure).status, 0) << folder_.trl(figure).err;
  const auto file = store() / "stages" / exam.substr(0, 2) / exam / "verdicts.jsonl";
  change_digit(file, "\"reference_us\"");
  const auto traced = folder_.trl(figure + " --json");
  EXPECT_EQ(traced.status, 1);
  EXPECT_EQ(traced.out, "");
  EXPECT_TRUE(has(unwrapped(traced.err), "the contents of verdicts.jsonl have changed")) << traced.err;
}

TEST_F(StoreOf, AStageIsNotMadeOfDamagedInputs) {
  make();
  // One stage of a worker, and one that trl runs itself.
  for (const auto& [input, file, field, user] :
       {std::tuple{"sample", "candidates.jsonl", "\"answer\"", "verify"},
        std::tuple{"verify", "verdicts.jsonl", "\"speedup\"", "select"}}) {
    SCOPED_TRACE(user);
    const auto users = folder_of(user);
    const auto inputs = read_json(users / "stage.json").at("inputs");
    const std::string key = inputs.at(std::string(input) == "sample" ? "candidates" : "verdicts");
    change_digit(store() / "stages" / key.substr(0, 2) / key / file, field);
    fs::remove_all(users);
    expect_mended("the contents of " + std::string(file) + " have changed");
  }
}

TEST_F(StoreOf, AResultThatIsDamagedWhenItIsMadeAnewEndsTheRun) {
  make();
  // No file of any result can be read.
  write_text(folder_.path() / "counter", std::string(8, '\0'));
  const auto ended = folder_.trl("run study.trl", {{"LD_PRELOAD", FAILING_DISK},
                                                   {"FAILING_DISK_UNDER", (store() / "stages").string()},
                                                   {"FAILING_DISK_COUNTER", folder_.path() / "counter"},
                                                   {"FAILING_DISK_OF", "reads"},
                                                   {"FAILING_DISK_AT", "1"},
                                                   {"FAILING_DISK_HOW", "on"},
                                                   {"FAILING_DISK_ERRNO", std::to_string(EIO)}});
  EXPECT_EQ(ended.status, 1) << ended.out;
  EXPECT_TRUE(has(ended.err, "error: ")) << ended.err;
}

TEST_F(StoreOf, ABitThatFlippedIsFoundByItsDigest) {
  make();
  const auto unread = file_of("finetune", "adapter_model.safetensors");
  auto weights = read_text(unread);
  weights[0] ^= 1;
  write_text(unread, weights);
  EXPECT_TRUE(has(folder_.trl("run study.trl").err, "all done")) << "no stage reads them any more";
  expect_mended("the contents of adapter_model.safetensors have changed", "--check-store");
  const auto file = file_of("sample", "candidates.jsonl");
  auto text = read_text(file);
  text[text.size() / 2] ^= 1;
  write_text(file, text);
  const auto verified = folder_.trl("gc --verify");
  EXPECT_EQ(verified.status, 1);
  EXPECT_TRUE(has(unwrapped(verified.out), "the contents of candidates.jsonl have changed")) << verified.out;
  EXPECT_TRUE(has(verified.out, "1 damaged")) << verified.out;
  EXPECT_EQ(folder_.trl("run study.trl").status, 0);
  EXPECT_EQ(folder_.trl("gc --verify").status, 0);
  EXPECT_EQ(folder_.files("runs/study"), report_);
}

TEST_F(StoreOf, GcKeepsWhatTheFilesNeedAndNothingElse) {
  make();
  ASSERT_EQ(folder_.trl("run study.trl --set reinforce.learning_rate=1e-4 --out other").status, 0);
  const auto before = folder_.files("runs/.store/stages").size();
  EXPECT_TRUE(has(folder_.trl("gc").err, "--leftovers"));
  EXPECT_EQ(folder_.trl("gc").status, 2);
  EXPECT_EQ(folder_.trl("gc --verify --leftovers").status, 2);
  write_text(folder_.path() / "broken.trl", "model {");
  EXPECT_EQ(folder_.trl("gc --yes --keep study.trl --keep broken.trl").status, 1);

  const auto shown = folder_.trl("gc --keep study.trl --dry-run");
  EXPECT_EQ(shown.status, 0) << shown.err;
  EXPECT_TRUE(has(shown.out, "would delete") && has(shown.out, "finetune")) << shown.out;
  EXPECT_EQ(folder_.files("runs/.store/stages").size(), before);

  fs::remove(file_of("tasks", "tasks.json"));
  EXPECT_EQ(folder_.trl("run study.trl --set reinforce.learning_rate=1e-4 --out other").status, 0);
  const auto unasked = folder_.trl("gc --keep study.trl");
  EXPECT_EQ(unasked.status, 2);
  EXPECT_TRUE(has(unasked.err, "--yes") && has(unasked.out, "finetune")) << unasked.out << unasked.err;
  EXPECT_FALSE(has(folder_.trl("gc --help").out, "...]")) << "a file alone is refused";
  const auto unclear = folder_.trl("gc study.trl");
  EXPECT_EQ(unclear.status, 2);
  EXPECT_TRUE(has(unclear.err, "trl gc --keep study.trl")) << unclear.err;
  const auto collected = folder_.trl("gc --yes --keep study.trl");
  EXPECT_EQ(collected.status, 0) << collected.err;
  EXPECT_TRUE(has(collected.out, "freed")) << collected.out;
  EXPECT_LT(folder_.files("runs/.store/stages").size(), before);
  EXPECT_FALSE(fs::exists(store() / "damaged") && !fs::is_empty(store() / "damaged"));
  const auto again = folder_.trl("run study.trl");
  EXPECT_TRUE(has(again.err, "all done")) << again.err;
  EXPECT_EQ(folder_.files("runs/study"), report_);
  EXPECT_TRUE(
      has(folder_.trl("gc --keep study.trl --set reinforce.learning_rate=1e-4 --dry-run").out, "finetune"));

  const auto secret = read_text(store() / "secret");
  EXPECT_EQ(folder_.trl("gc --yes --keep-nothing").status, 0);
  EXPECT_TRUE(folder_.files("runs/.store/stages").empty());
  EXPECT_EQ(read_text(store() / "secret"), secret);
  EXPECT_EQ(folder_.trl("run study.trl").status, 0);
  EXPECT_EQ(folder_.files("runs/study"), report_);
}

TEST_F(StoreOf, GcAsksBeforeItDeletesACheckpointThatNoFileNeeds) {
  make();
  const auto checkpoint = store() / "checkpoints" / std::string(64, 'a');
  fs::create_directories(checkpoint);
  write_text(checkpoint / "training.safetensors", "12345");
  EXPECT_EQ(folder_.trl("gc --leftovers").status, 0);
  EXPECT_TRUE(fs::exists(checkpoint));
  const auto unasked = folder_.trl("gc --keep study.trl");
  EXPECT_EQ(unasked.status, 2);
  EXPECT_TRUE(has(unasked.out, "a checkpoint of an unfinished stage")) << unasked.out;
  EXPECT_TRUE(fs::exists(checkpoint));
  const auto collected = folder_.trl("gc --yes --keep study.trl");
  EXPECT_EQ(collected.status, 0) << collected.err;
  EXPECT_TRUE(has(collected.out, "deleted 0 results and 1 checkpoint and 0 left-overs")) << collected.out;
  EXPECT_FALSE(fs::exists(checkpoint));
}

TEST_F(StoreOf, GcKilledAnywhereLeavesWholeResults) {
  make();
  for (const char* step : {"discarded", "discarded:3", "discarded from the index", "discarded for good"}) {
    SCOPED_TRACE(step);
    const auto killed =
        folder_.trl("gc --yes --keep-nothing", {{"TRL_FAILPOINT", std::string(step) + "=kill"}});
    ASSERT_EQ(killed.signal, SIGKILL) << killed.err;
    EXPECT_EQ(folder_.trl("gc --verify").status, 0);
    for (const auto& entry : fs::directory_iterator(store()))
      EXPECT_FALSE(entry.path().filename().string().starts_with("tmp-")) << entry.path();
    EXPECT_EQ(folder_.trl("run study.trl").status, 0);
    EXPECT_EQ(folder_.files("runs/study"), report_);
  }
}

TEST_F(StoreOf, GcKeepsAResultThatServesAsAModel) {
  make();
  const auto result = file_of("select", "").parent_path();
  write_model(folder_.path() / "m");
  for (const char* name : {"config.json", "tokenizer.json", "model.safetensors"})
    fs::copy_file(folder_.path() / "m/stdlib/windtunnel" / name, result / name);
  auto text = read_text(folder_.path() / "study.trl");
  const std::string named = "windtunnel.base";
  text.replace(text.find(named), named.size(), "path(\"" + result.string() + "\")");
  write_text(folder_.path() / "next.trl", text);
  ASSERT_EQ(folder_.trl("gc --yes --keep next.trl").status, 0);
  EXPECT_TRUE(fs::exists(result / "model.safetensors"));
  EXPECT_FALSE(fs::exists(store() / "damaged"));
}

TEST_F(StoreOf, IsNamedByTheCommandLineTheEnvironmentOrTheProject) {
  write_text(folder_.path() / "trl.toml",
             "# where results go\nstore = \"of project/store\"\nout = \"of project/out\"\n");
  ASSERT_EQ(folder_.trl("run study.trl --only base").status, 0);
  EXPECT_TRUE(fs::exists(folder_.path() / "of project/store/stages"));
  EXPECT_FALSE(fs::exists(folder_.path() / "runs"));
  EXPECT_TRUE(has(folder_.trl("run --help").out, "DIR=of project/store"));
  const auto elsewhere = folder_.trl("status study.trl", {{"TRL_STORE", "of environment"}});
  EXPECT_TRUE(has(elsewhere.out, "study: 0 of")) << elsewhere.out;
  EXPECT_FALSE(has(folder_.trl("status study.trl").out, "study: 0 of"));
  EXPECT_TRUE(has(folder_.trl("status study.trl --store other", {{"TRL_STORE", "of project/store"}}).out,
                  "study: 0 of"));
  fs::create_directory(folder_.path() / "below");
  EXPECT_FALSE(has(folder_.shell("cd below && $trl status ../study.trl").out, "study: 0 of"));
  for (const auto& [text, words] : std::vector<std::pair<const char*, const char*>>{
           {"stor = \"x\"\n", "a setting `stor`, which trl doesn't know"},
           {"\n[run\n", "trl.toml:2: this is no setting: [run"},
           {"store = \"\"\n", "gives `store` no folder"}}) {
    write_text(folder_.path() / "trl.toml", text);
    const auto refused = folder_.trl("status study.trl");
    EXPECT_EQ(refused.status, 1);
    EXPECT_TRUE(has(unwrapped(refused.err), words)) << refused.err;
  }
}

TEST_F(StoreOf, OneRowIsMadeAloneAndTheRestLater) {
  const auto unknown = folder_.trl("run study.trl --only nothing");
  EXPECT_EQ(unknown.status, 2);
  EXPECT_TRUE(has(unwrapped(unknown.err), "Its rows are: `imitate -> reinforce`, `base`; one seed of"))
      << unknown.err;
  const auto alone = folder_.trl("run study.trl --only base");
  EXPECT_EQ(alone.status, 0) << alone.err;
  EXPECT_TRUE(has(unwrapped(alone.out), "its tables come once all are: trl run study.trl")) << alone.out;
  EXPECT_TRUE(folder_.files("runs/study").empty());
  EXPECT_TRUE(has(alone.err, "base/seed 1/")) << alone.err;
  EXPECT_FALSE(has(alone.err, "finetune")) << alone.err;
  const auto rest = folder_.trl("run study.trl -q");
  EXPECT_EQ(rest.status, 0) << rest.err;
  EXPECT_EQ(rest.err, "") << "a quiet run says nothing where nothing is wrong";
  EXPECT_EQ(rest.out, "report: runs/study/report.html\n");
  report_ = folder_.files("runs/study");
  folder_.trl("gc --yes --keep-nothing");
  make();
  auto whole = folder_.files("runs/study");
  EXPECT_EQ(whole.at("main.md"), report_.at("main.md")) << "what is made alone is the same";
}

TEST_F(StoreOf, StatusIsToldToProgramsToo) {
  make();
  const auto told = folder_.trl("status study.trl --json");
  const auto status = nlohmann::json::parse(told.out);
  EXPECT_EQ(status.at("experiments").at(0).at("experiment"), "study");
  EXPECT_EQ(status["experiments"][0].at("done"), status["experiments"][0].at("total"));
  EXPECT_TRUE(status.at("running").empty());
  EXPECT_TRUE(has(status.at("events").back().at("text"), "finished: "));
  const auto watched = folder_.trl("status study.trl --json --watch");
  EXPECT_EQ(watched.status, 0) << "nothing is running, so that there is nothing to watch";
  EXPECT_EQ(nlohmann::json::parse(watched.out), status);
}

TEST_F(StoreOf, PlanSaysWhyAStageIsToDo) {
  const auto fresh = folder_.trl("plan study.trl --why");
  EXPECT_TRUE(has(unwrapped(fresh.out), "has no results yet: all")) << fresh.out;
  EXPECT_FALSE(has(fresh.out, "to do  ")) << fresh.out;
  make();
  const auto rate = unwrapped(folder_.trl("plan study.trl --why --set reinforce.learning_rate=3e-4").out);
  EXPECT_TRUE(has(rate, "learning_rate 2e-4 → 3e-4")) << rate;
  EXPECT_TRUE(has(rate, "that use what is made")) << rate;
  const auto seed = unwrapped(folder_.trl("plan study.trl --why --set study.seeds=[2]").out);
  EXPECT_TRUE(has(seed, "seed 1 → 2")) << seed;
  fs::remove_all(file_of("select", "").parent_path());
  const auto lost = unwrapped(folder_.trl("plan study.trl --why").out);
  EXPECT_TRUE(has(lost, "select: its result is no longer in the store")) << lost;
}

}  // namespace
