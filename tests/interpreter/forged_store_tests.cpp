// A published store is data: forgeries of it are found, and nothing of it runs, is pasted into code or
// reaches the terminal as it is. Forgers make every digest anew.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "base/contract/stages/kinds.hpp"
#include "base/contract/verdict_columns.hpp"
#include "interpreter/audit/signature.hpp"
#include "interpreter/audit/store_keys.hpp"
#include "interpreter/audit/verdict_columns.hpp"
#include "interpreter/report/candidate.hpp"
#include "interpreter/report/json_safe.hpp"
#include "tests/has.hpp"
#include "tests/interpreter/audited_store.hpp"
#include "tests/interpreter/finished_study.hpp"

using namespace trl;
using namespace trl::interpreter;
using namespace trl::interpreter::testing;
using nlohmann::json;
using trl::has;
namespace fs = std::filesystem;

namespace {

using Change = std::function<void(json&)>;

/// Changes a stage's description, and seals it again as its writer does.
void reseal(
    const fs::path& folder, const Change& change = [](json&) {}) {
  auto stage = json::parse(read_text(folder / "stage.json"));
  stage.erase("sha256");
  change(stage);
  describe_result(folder, stage);
}

/// The letters that no terminal may get from a store: an escape sequence, C1's CSI, and reversed text.
const std::string hostile_letters =
    "\x1b]0;owned\x07\x1b[2J\xC2\x9B"
    "31m\xE2\x80\xAE\r";

void expect_harmless(const Ended& ended) {
  for (const auto* text : {&ended.out, &ended.err})
    for (const char* letter : {"\x1b", "\x07", "\r", "\xC2\x9B", "\xE2\x80\xAE"})
      EXPECT_FALSE(has(*text, letter)) << json_safe(*text);
}

/// Appends the hostile letters to every text of a JSON value but the ones under these names.
void poison(json& value, const std::vector<std::string>& spared) {
  if (value.is_string()) value = value.get<std::string>() + hostile_letters;
  if (value.is_array())
    for (auto& one : value) poison(one, spared);
  if (value.is_object())
    for (const auto& [name, one] : value.items())
      if (std::find(spared.begin(), spared.end(), name) == spared.end()) poison(one, spared);
}

}  // namespace

TEST(AuditedColumns, AreAll) {
  auto known = contract::verdict_columns();
  std::vector<std::string> audited;
  for (const auto& column : audited_columns()) {
    audited.emplace_back(column.name);
    EXPECT_EQ(column.why.empty(), column.how != Compared::never) << column.name;
  }
  std::sort(known.begin(), known.end()), std::sort(audited.begin(), audited.end());
  EXPECT_EQ(audited, known)
      << "a new column of verdicts.jsonl says in verdict_columns.cpp whether it is compared";
}

TEST(AuditedColumns, EachThatIsComparedIsFoundWhenItChanges) {
  contract::VerdictRow honest;
  honest.valid = honest.correct = honest.values = true;
  honest.compiled = honest.tiny = true;
  honest.speedup = 2, honest.time_us = 1, honest.reference_us = 2;
  const std::map<std::string, json> forged = {
      {"valid", false},
      {"compiled", nullptr},
      {"tiny", false},
      {"correct", false},
      {"values", false},
      {"failed", "full"},
      {"reason", "race"},
      {"line", 7},
      {"claimed", true},
      {"variation", "extreme"},
      {"speedup", 3.0},
      {"time_us", 0.5},
      {"reference_us", 9.0},
      {"modelled", false},
      {"launches", 9},
      {"launched_us", 3.0},
      {"compiled_us", 99.0},
      {"paths", {{"sites", 1}}},
      {"no_evidence", {"original"}},
      {"left_alone", {"original"}},
      {"masked_without_other", 3},
      {"kernel_share", 0.8},
      {"own_sizes", {{"programs", 64}, {"all_programs", 99}, {"values", 1}, {"all_values", 9}}},
      {"kernelbench", {{"correct", true}}}};
  for (const auto& column : audited_columns()) {
    const std::string name(column.name);
    if (column.how == Compared::never || name == "task") continue;
    ASSERT_TRUE(forged.contains(name)) << name;
    auto row = honest.write();
    row[name] = forged.at(name);
    const auto modelled = compare_verdict(row, honest, Times::modelled);
    EXPECT_NE(modelled.difference, "") << name;
    const auto unmeasured = compare_verdict(row, honest, Times::unmeasured);
    if (column.how == Compared::as_time)
      EXPECT_EQ(unmeasured.unchecked, std::vector<std::string>{name});
    else
      EXPECT_NE(unmeasured.difference, "") << name;
  }
  EXPECT_EQ(compare_verdict(honest.write(), honest, Times::modelled).difference, "");
  auto row = honest.write();
  row["of_a_later_version"] = 1;
  EXPECT_EQ(compare_verdict(row, honest, Times::modelled).unchecked,
            std::vector<std::string>{"of_a_later_version"});
}

TEST(AuditedColumns, MeasuredTimesMayBeTwiceAsLong) {
  contract::VerdictRow honest;
  honest.correct = true, honest.modelled = false;
  honest.speedup = 2, honest.time_us = 1, honest.reference_us = 2, honest.compiled_us = 3;
  const auto difference = [&](double speedup, double compiled_us) {
    auto found = honest;
    found.speedup = speedup, found.compiled_us = compiled_us;
    return compare_verdict(honest.write(), found, Times::measured).difference;
  };
  EXPECT_EQ(difference(1.1, 2), "");
  EXPECT_TRUE(has(difference(0.9, 3), "measured again 0.90 times"));
  EXPECT_TRUE(has(difference(2, 1), "torch.compile's code"));
}

/// The study of the fake worker, all texts of which are hostile.
TEST(HostileStore, NoCommandPassesOnWhatControlsATerminal) {
  TrlFolder folder(TRL, FAKE_WORKER, fs::path(SOURCE) / "small.trl");
  ASSERT_EQ(folder.trl("run study.trl").status, 0);
  const Store store(folder.path() / "runs/.store");
  std::string sampled;
  const std::vector<std::string> spared = {"key",    "kind",   "implementation", "tool_chain",
                                           "inputs", "files",  "spec",           "made_on",
                                           "failed", "finish", "purpose"};
  for (const auto& key : store.keys()) {
    const auto at = store.folder(key);
    const auto kind = store.stage(key).value("kind", "");
    if (kind == "sample") sampled = key;
    for (const char* rows : {"candidates.jsonl", "verdicts.jsonl"}) {
      if (!fs::exists(at / rows)) continue;
      auto lines = read_json_lines(at / rows);
      for (auto& line : lines) poison(line, spared);
      write_json_lines(at / rows, lines);
    }
    reseal(at, [&](json& stage) { poison(stage, spared); });
  }
  const auto file = folder.path() / "runs/study/provenance.json";
  auto provenance = json::parse(read_text(file));
  for (auto& row : provenance["rows"]) row["row"] = row["row"].get<std::string>() + hostile_letters;
  poison(provenance["experiment"], {}), poison(provenance["trl"], {});
  write_text(file, provenance.dump());
  ASSERT_FALSE(sampled.empty());
  const auto id = candidate_id(sampled, 0);
  const std::string row = json::parse(read_text(folder.path() / "runs/study/main.json"))["rows"].at(1)["row"];
  for (const std::string& command :
       {"candidate " + id, "candidate " + id + " --json", std::string("results list"),
        std::string("results list --json"), std::string("results diff study study"),
        std::string("audit runs/.store"), std::string("audit runs/.store --json"),
        std::string("status study.trl"), std::string("gc study.trl"), std::string("plan study.trl --why"),
        "trace study.trl 'main[" + row + ", correct]'", std::string("results export study.trl"),
        std::string("table study.trl")}) {
    const auto ended = folder.trl(command);
    EXPECT_FALSE(ended.out.empty() && ended.err.empty()) << command;
    SCOPED_TRACE(command);
    expect_harmless(ended);
  }
  const auto shown = json::parse(folder.trl("candidate " + id + " --json").out);
  EXPECT_TRUE(has(shown["answer"], hostile_letters)) << "JSON has the same text, escaped";
}

#ifdef WITH_RUNTIME

namespace {

/// Audits of the store's copy, which `Audit` makes, after forgeries.
class ForgedStore : public Audit {
 protected:
  fs::path folder_of(const std::string& key) const { return Store(store()).folder(key); }
  std::string tasks() const { return Store(store()).stage(verified_).at("inputs").at("tasks"); }
  void reseal_exam(const Change& change = [](json&) {}) const { reseal(folder_of(verified_), change); }

  /// The audit's list of stages.
  json audited(int status, const std::string& more = "") const {
    const auto ended = trl("audit copy --json" + more);
    EXPECT_EQ(ended.status, status) << ended.out << ended.err;
    auto stages = json::parse(ended.out, nullptr, false);
    return stages.is_array() ? stages : json::array();
  }
  /// What is found of keys and tasks, one after another.
  std::string findings() const {
    const Store store(this->store());
    std::string text;
    for (const auto& [key, what] : check_keys(store, store.keys()).findings) text += what + "\n";
    return text;
  }
  void expect_found(const std::string& what) const {
    const auto ended = trl("audit copy");
    EXPECT_EQ(ended.status, 1) << ended.out << ended.err;
    std::string text = ended.out;
    std::replace(text.begin(), text.end(), '\n', ' ');
    for (auto at = text.find("   "); at != std::string::npos; at = text.find("   ")) text.erase(at, 2);
    EXPECT_TRUE(has(text, what)) << ended.out;
  }
};

constexpr const char* no_commitment = "no commitment to its spec";

}  // namespace

TEST_F(ForgedStore, EachChangeOfADescriptionBreaksItsKey) {
  const std::vector<std::pair<const char*, json>> changes = {{"precision", "half"},
                                                             {"tiny", false},
                                                             {"memory_checks", false},
                                                             {"strict", false},
                                                             {"compile", "after_values"},
                                                             {"variations", {"original"}},
                                                             {"timed", true},
                                                             {"limits", {{"total_seconds", 1e6}}},
                                                             {"also_by", "kernelbench"},
                                                             {"modelled_for", ""}};
  const auto original = read_text(file("stage.json"));
  const auto expect_broken = [&](const std::string& what) {
    EXPECT_TRUE(has(findings(), no_commitment)) << what;
    write_text(file("stage.json"), original);
  };
  for (const auto& [name, value] : changes) {
    reseal_exam([&, name = name, value = value](json& stage) { stage["spec"][name] = value; });
    expect_broken(name);
  }
  for (const char* name : {"implementation", "tool_chain"}) {
    reseal_exam([&](json& stage) { stage[name] = "9"; });
    expect_broken(name);
  }
  for (const char* name : {"candidates", "tasks"}) {
    reseal_exam([&](json& stage) { stage["inputs"][name] = std::string(64, '0'); });
    expect_broken(name);
  }
  EXPECT_EQ(findings(), "");
  reseal_exam([](json& stage) { stage["spec"]["precision"] = "half"; });
  expect_found(no_commitment);
}

TEST_F(ForgedStore, AWeakerProtocolUnderAKeyOfItsOwnIsNamed) {
  respecify([](json& spec) { spec["precision"] = "half"; });
  const auto ended = trl("audit copy");
  EXPECT_EQ(ended.status, 0) << ended.out << ended.err;
  EXPECT_TRUE(has(ended.out, "protocol isn't that of a usual exam") && has(ended.out, "precision"))
      << ended.out;
}

TEST_F(ForgedStore, AnExamThatCallsItselfTrainingIsFound) {
  respecify([](json& spec) { spec["strict"] = false; });
  expect_found("judges an exam's answers by a protocol of training");
}

TEST_F(ForgedStore, OtherTasksAreFound) {
  const auto at = folder_of(tasks());
  auto changed = json::parse(read_text(at / "tasks.json"));
  changed[0]["dims"][0][1] = 8;
  write_text(at / "tasks.json", changed.dump());
  reseal(at);
  EXPECT_TRUE(has(findings(), "its tasks.json isn't what its spec lists"));
  reseal(at, [&](json& stage) { stage["spec"]["tasks"] = changed; });
  EXPECT_TRUE(has(findings(), no_commitment));
}

TEST_F(ForgedStore, OmittedPlansAreCountedAsUnchecked) {
  auto verdicts = read_json_lines(file("verdicts.jsonl"));
  for (std::size_t i = 1; i < verdicts.size(); ++i) {
    const auto sample = verdicts[i]["sample"];
    verdicts[i] = verdicts[0], verdicts[i]["sample"] = sample;
  }
  write_json_lines(file("verdicts.jsonl"), verdicts);
  auto plans = read_json_lines(file("plans.jsonl"));
  for (auto& plan : plans)
    plan = {{"rows", plan["rows"]}, {"task", 0}, {"seal", std::string(64, '0')}, {"omitted", 9 << 20}};
  write_json_lines(file("plans.jsonl"), plans);
  reseal_exam();
  const auto ended = trl("audit copy");
  EXPECT_EQ(ended.status, 3) << ended.out << ended.err;
  EXPECT_TRUE(has(ended.out, "not checked: 4 verdicts whose plans were too large")) << ended.out;
  EXPECT_TRUE(has(ended.out, "published as correct: " + candidate_id(sampled_, 0))) << ended.out;
  EXPECT_TRUE(has(ended.out, "0 agree, 0 differ, 4 unchecked")) << ended.out;
}

TEST_F(ForgedStore, OneOmittedPlanHidesNothing) {
  auto plans = read_json_lines(file("plans.jsonl"));
  plans[1] = {{"rows", plans[1]["rows"]}, {"task", 0}, {"seal", ""}, {"omitted", 9 << 20}};
  write_json_lines(file("plans.jsonl"), plans);
  change("verdicts.jsonl", 1,
         [](json& row) { row["correct"] = true, row["failed"] = row["reason"] = nullptr; });
  reseal_exam();
  const auto exam = audited(3).at(0);
  EXPECT_EQ(exam["unchecked_correct"], json::array({candidate_id(sampled_, 1)}));
  EXPECT_EQ(exam["agreeing"], 3);
}

TEST_F(ForgedStore, TimesOfAGpuAreCountedAsUnchecked) {
  change("verdicts.jsonl", 0, [](json& row) { row["modelled"] = false, row["speedup"] = 70.0; });
  respecify([](json& spec) { spec["timed"] = true, spec.erase("modelled_for"); });
  const auto exam = audited(3).at(0);
  EXPECT_EQ(exam["unchecked_columns"]["speedup"], 1) << exam.dump(1);
}

TEST_F(ForgedStore, ColumnsThatAreAddedAreFound) {
  change("verdicts.jsonl", 0, [](json& row) {
    row["compiled_us"] = 99.0, row["kernelbench"] = {{"correct", true}};
  });
  change("verdicts.jsonl", 2, [](json& row) { row["stars"] = 5; });
  reseal_exam();
  const auto exam = audited(1).at(0);
  EXPECT_TRUE(has(exam["differing"].dump(), "its compiled_us, kernelbench differs")) << exam.dump(1);
  EXPECT_EQ(exam["unchecked_columns"]["stars"], 1);
}

TEST_F(ForgedStore, AVerdictCountsOnce) {
  change("verdicts.jsonl", 1, [](json& row) { row["sample"] = 0; });
  reseal_exam();
  expect_found("a second verdict on sample 0 of task 0");
}

TEST_F(ForgedStore, VerdictsBelongToTheAnswersThatAreStored) {
  fs::copy(Store(whole_).folder(sampled_), folder_of(sampled_), fs::copy_options::recursive);
  EXPECT_TRUE(audited(0).at(0)["differing"].empty());
  change("verdicts.jsonl", 3, [](json& row) { row["sample"] = 9; });
  reseal_exam();
  expect_found("its verdict is on another task or sample");
  auto answers = read_json_lines(folder_of(sampled_) / "candidates.jsonl");
  answers.push_back(answers.back());
  write_json_lines(folder_of(sampled_) / "candidates.jsonl", answers);
  reseal(folder_of(sampled_));
  expect_found("5 answers have 4 verdicts");
}

TEST_F(ForgedStore, PathsOutOfTheStoreAreNotFollowed) {
  write_text(folder_.path() / "private", "mine");
  for (const char* outside : {"../../../../private", "/etc/hostname", "./verdicts.jsonl"}) {
    const auto original = read_text(file("stage.json"));
    auto stage = json::parse(original);
    stage.erase("sha256");
    stage["files"][outside] = {{"bytes", 4}, {"sha256", std::string(64, '0')}};
    stage["sha256"] = "";
    write_text(file("stage.json"), stage.dump());
    const auto ended = trl("audit copy");
    EXPECT_EQ(ended.status, 1) << outside << ended.out << ended.err;
    write_text(file("stage.json"), original);
  }
  fs::remove(file("verdicts.jsonl"));
  fs::create_symlink(folder_.path() / "private", file("verdicts.jsonl"));
  expect_found("leads out of the folder");
}

TEST_F(ForgedStore, AStageIsNoPath) {
  fs::copy(folder_of(tasks()), folder_.path() / "outside", fs::copy_options::recursive);
  for (const json& key : {json("../../../outside"), json(""), json("/etc"), json(7)}) {
    const auto original = read_text(file("stage.json"));
    reseal_exam([&](json& stage) { stage["inputs"]["tasks"] = key; });
    const auto ended = trl("audit copy");
    EXPECT_NE(ended.status, 0) << key;
    EXPECT_NE(ended.status, 3) << key;
    EXPECT_FALSE(has(ended.out, " 4 agree")) << key << ended.out;
    write_text(file("stage.json"), original);
  }
}

TEST_F(ForgedStore, MalformedStagesAreFoundAndNothingElseFails) {
  const auto original = read_text(file("stage.json"));
  for (const auto& [name, value] : std::vector<std::pair<const char*, json>>{
           {"slot", 7}, {"kind", json::array()}, {"spec", "verify"}, {"inputs", 3}, {"implementation", 1}}) {
    reseal_exam([&, name = name, value = value](json& stage) { stage[name] = value; });
    const auto ended = trl("audit copy");
    EXPECT_EQ(ended.status, 1) << name << ended.out << ended.err;
    write_text(file("stage.json"), original);
  }
}

TEST_F(ForgedStore, DeepNestingEndsNothing) {
  auto text = read_text(file("stage.json"));
  text.replace(text.find("{"), 1,
               "{\"deep\": " + std::string(1 << 20, '[') + std::string(1 << 20, ']') + ", ");
  write_text(file("stage.json"), text);
  expect_found("nested too deeply");
}

TEST_F(ForgedStore, TheReportIsAPage) {
  auto row = read_json_lines(file("verdicts.jsonl")).at(0);
  auto plans = read_json_lines(file("plans.jsonl"));
  std::vector<json> rows;
  for (int i = 0; i < 300; ++i) {
    row["sample"] = i, row["launches"] = 5;
    rows.push_back(row);
  }
  plans.resize(1);
  plans[0]["rows"] = json::array();
  for (int i = 0; i < 300; ++i) plans[0]["rows"].push_back(i);
  write_json_lines(file("verdicts.jsonl"), rows), write_json_lines(file("plans.jsonl"), plans);
  reseal_exam();
  const auto ended = trl("audit copy");
  EXPECT_EQ(ended.status, 1) << ended.err;
  EXPECT_LE(std::count(ended.out.begin(), ended.out.end(), '\n'), 60) << ended.out;
  EXPECT_TRUE(has(ended.out, "300 differ") && has(ended.out, "more such lines")) << ended.out;
}

namespace {

/// The same store, signed.
class SignedStore : public ForgedStore {
 protected:
  void SetUp() override {
    if (std::system("command -v ssh-keygen >/dev/null") != 0) GTEST_SKIP() << "there is no ssh-keygen";
    ForgedStore::SetUp();
    for (const char* name : {"ours", "theirs"})
      ASSERT_EQ(folder_.shell(std::string("ssh-keygen -q -t ed25519 -N '' -f ") + name).status, 0);
    const auto written = trl("audit copy --write-digests");
    ASSERT_EQ(written.status, 0) << written.err;
    EXPECT_TRUE(has(written.out, "ssh-keygen -Y sign -n trl-store"));
    sign("trl-store");
  }
  void sign(const std::string& purpose) const {
    fs::remove(store() / signature_file);
    const auto ended = folder_.shell("ssh-keygen -q -Y sign -n " + purpose + " -f ours copy/digests");
    ASSERT_EQ(ended.status, 0) << ended.err;
  }
  void expect_unsigned(const std::string& why, const std::string& key = "ours.pub") const {
    const Store store(this->store());
    std::string text;
    const auto checked = check_signature(store, (folder_.path() / key).string(), store.keys());
    for (const auto& [stage, what] : checked.findings) text += what + "\n";
    EXPECT_TRUE(has(text, why)) << text;
  }
};

}  // namespace

TEST_F(SignedStore, IsCheckedByKeyFileAndListOfSigners) {
  const auto file = read_text(folder_.path() / "ours.pub");
  write_text(folder_.path() / "signers", "anna namespaces=\"trl-store\" " + file);
  const Store store(this->store());
  for (const std::string& signer : {(folder_.path() / "ours.pub").string(),
                                    (folder_.path() / "signers").string(), file.substr(0, file.size() - 1)}) {
    const auto checked = check_signature(store, signer, store.keys());
    EXPECT_TRUE(checked.findings.empty() && has(checked.signer, "Good \"trl-store\" signature")) << signer;
  }
  const auto ended = trl("audit copy --signed-by ours.pub");
  EXPECT_EQ(ended.status, 0) << ended.out << ended.err;
  EXPECT_TRUE(has(ended.out, "Good \"trl-store\" signature")) << ended.out;
  EXPECT_EQ(folder_.shell("cd copy && sha256sum -c digests").status, 0) << "the list is one of sha256sum";
}

TEST_F(SignedStore, OfAnotherKeyOrPurposeIsNot) {
  expect_unsigned("its signature isn't one of", "theirs.pub");
  sign("file");
  expect_unsigned("its signature isn't one of");
  fs::remove(store() / signature_file);
  expect_unsigned("it isn't signed");
  const auto nothing = trl("audit copy --signed-by nobody.pub");
  EXPECT_EQ(nothing.status, 2) << nothing.out;
}

TEST_F(SignedStore, WhatChangedSinceIsFound) {
  change("verdicts.jsonl", 0, [](json& row) { row["message"] = "changed"; });
  reseal_exam();
  expect_unsigned("it isn't as the signed list says");
  write_text(store() / digests_file, digests_of(Store(store())));
  expect_unsigned("its signature isn't one of");
  EXPECT_EQ(trl("audit copy --signed-by ours.pub").status, 1);
}

TEST_F(SignedStore, WhatWasAddedSinceIsFound) {
  const auto other = make_stage("tasks", {{"tasks", json::array()}}, {}, "exam/tasks");
  fs::create_directories(folder_of(other.key).parent_path());
  fs::copy(folder_of(tasks()), folder_of(other.key), fs::copy_options::recursive);
  write_text(folder_of(other.key) / "tasks.json", "[]");
  reseal(folder_of(other.key), [&](json& stage) { stage["key"] = other.key, stage["spec"] = other.spec; });
  expect_unsigned("it isn't in the signed list");
}

TEST_F(SignedStore, AnotherSecretIsFound) {
  fs::permissions(store() / "secret", fs::perms::owner_write, fs::perm_options::add);
  write_text(store() / "secret", std::string(64, '1'));
  expect_unsigned("it isn't as the signed list says");
}

TEST_F(SignedStore, WithoutSshKeygenThatIsSaid) {
  fs::create_directories(folder_.path() / "nothing");
  const auto ended =
      folder_.trl("audit copy --signed-by ours.pub" + sandbox_option(),
                  {{"TRL_HOME", SOURCE "/../.."}, {"PATH", (folder_.path() / "nothing").string()}});
  EXPECT_EQ(ended.status, 2) << ended.out;
  EXPECT_TRUE(has(ended.err, "there is no ssh-keygen") && has(ended.err, "openssh-client")) << ended.err;
}

namespace {

constexpr const char* square = R"(import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return x * x


rows = 32


def get_inputs():
    return [torch.randn(rows, 48)]


def get_init_inputs():
    return []
)";

constexpr const char* study_of_others = R"(suite single { source = kernelbench(path("checkout"), level = 1) }
model others { weights = generations(path("runs/others")) }
evaluation exam { split = single, samples = 2, also_by = kernelbench }
experiment study { model = others, evaluate = exam }
table main { of = study, columns = [valid, correct, pass_at(2), kernelbench, speedup] }
)";

/// A store whose task is a file of KernelBench's, whose protocol judged the answers, too. `runs/.store` is
/// somebody else's: the forger has changed it.
class ForgedModule : public ::testing::Test {
 protected:
  ForgedModule() : folder_(TRL, WORKER, fs::path(SOURCE) / "small.trl") {
    static const TrlFolder& made = made_once();
    fs::copy(made.path() / "runs", folder_.path() / "runs", fs::copy_options::recursive);
  }
  fs::path stage_of(const std::string& kind) const {
    const Store store(folder_.path() / "runs/.store");
    for (const auto& key : store.keys())
      if (store.stage(key).at("kind") == kind) return store.folder(key);
    throw std::logic_error("no stage of kind " + kind);
  }
  /// Changes the task in tasks.json and in the spec that it follows from, and all keys, so that only its code
  /// is another.
  void forge_task(const Change& change) const {
    const auto tasks = stage_of("tasks"), given = stage_of("generations"), verify = stage_of("verify");
    auto all = json::parse(read_text(tasks / "tasks.json"));
    change(all.at(0));
    write_text(tasks / "tasks.json", all.dump());
    const auto key = rekeyed(tasks, [&](json& stage) { stage["spec"]["tasks"] = all; });
    const auto answers = rekeyed(given, [&](json& stage) { stage["inputs"]["tasks"] = key; });
    rekeyed(verify, [&](json& stage) { stage["inputs"] = {{"tasks", key}, {"candidates", answers}}; });
  }
  /// The answers as a model's, since `trl verify ID` reads no others.
  std::string as_sample() const {
    const auto given = stage_of("generations");
    reseal(given, [](json& stage) {
      stage["kind"] = "sample";
      stage["spec"] = {{"samples", 2}, {"temperature", 0.7}, {"max_tokens", 768}, {"purpose", "exam"}};
    });
    return candidate_id(given.filename(), 0);
  }
  Ended trl(const std::string& arguments) const {
    return folder_.trl(arguments, {{"TRL_HOME", SOURCE "/../.."}});
  }
  std::string escape(const std::string& proof) const {
    return "import pathlib, sys\ntry:\n    pathlib.Path('" + (folder_.path() / proof).string() +
           "').write_text('owned')\nexcept OSError as error:\n    print('held', error, file=sys.stderr)\n";
  }
  TrlFolder folder_;

 private:
  static std::string rekeyed(const fs::path& folder, const Change& change) {
    auto stage = json::parse(read_text(folder / "stage.json"));
    stage.erase("sha256");
    change(stage);
    const auto made = make_stage(stage["kind"], stage["spec"], stage["inputs"], stage["slot"]);
    stage["key"] = made.key, stage["implementation"] = made.implementation;
    describe_result(folder, stage);
    const auto place = folder.parent_path().parent_path() / made.key.substr(0, 2) / made.key;
    fs::create_directories(place.parent_path());
    if (place != folder) fs::rename(folder, place);
    return made.key;
  }
  static const TrlFolder& made_once() {
    static const TrlFolder folder(TRL, WORKER, fs::path(SOURCE) / "small.trl");
    static const bool made = [] {
      const auto write = [&](const fs::path& file, const std::string& text) {
        fs::create_directories((folder.path() / file).parent_path());
        write_text(folder.path() / file, text);
      };
      std::string right = instead("tl.maximum(x, 0.0)", "x * x");
      write("checkout/KernelBench/level1/1_Square.py", square);
      write("runs/others/level_1_problem_1_sample_0_kernel.py", right);
      write("runs/others/level_1_problem_1_sample_1_kernel.py", instead("tl.maximum(x, 0.0)", "x + x"));
      write("study.trl", study_of_others);
      const auto ended = folder.trl("run study.trl", {{"TRL_HOME", SOURCE "/../.."}});
      EXPECT_EQ(ended.status, 0) << ended.out << ended.err;
      return true;
    }();
    (void)made;
    return folder;
  }
};

}  // namespace

TEST_F(ForgedModule, AnHonestStoreAgrees) {
  const auto ended = trl("audit runs/.store");
  EXPECT_EQ(ended.status, 0) << ended.out << ended.err;
  EXPECT_TRUE(has(ended.out, "2 agree, 0 differ, 0 unchecked")) << ended.out;
}

TEST_F(ForgedModule, ItsCodeRunsInTheSandboxAlone) {
  forge_task([&](json& task) {
    task["module"]["code"] = escape("PROOF") + task["module"]["code"].get<std::string>();
  });
  const auto ended = trl("audit runs/.store");
  EXPECT_EQ(ended.status, 0) << "the module computes what it did: " << ended.out << ended.err;
  EXPECT_FALSE(fs::exists(folder_.path() / "PROOF"));
  const auto again = trl("verify " + as_sample());
  EXPECT_EQ(again.status, 0) << again.out << again.err;
  EXPECT_TRUE(has(again.out, "KernelBench's protocol accepts it")) << again.out;
  EXPECT_FALSE(fs::exists(folder_.path() / "PROOF"));
}

TEST_F(ForgedModule, WithoutASandboxItsCodeDoesNotRun) {
  forge_task([&](json& task) {
    task["module"]["code"] = escape("PROOF") + task["module"]["code"].get<std::string>();
  });
  const auto ended = trl("audit runs/.store --no-sandbox");
  EXPECT_EQ(ended.status, 3) << ended.out << ended.err;
  EXPECT_TRUE(has(ended.out, "not checked: kernelbench of 2 verdicts")) << ended.out;
  const auto again = trl("verify --no-sandbox " + as_sample());
  EXPECT_TRUE(has(again.out, "runs in the sandbox alone")) << again.out << again.err;
  EXPECT_FALSE(fs::exists(folder_.path() / "PROOF"));
}

TEST_F(ForgedModule, OfRowsOfOthersRunsInTheSandboxAlone) {
  auto task = json::parse(read_text(stage_of("tasks") / "tasks.json")).at(0);
  task["module"]["code"] = escape("PROOF") + task["module"]["code"].get<std::string>();
  write_json_lines(folder_.path() / "rows.jsonl",
                   {{{"task", task}, {"answer", instead("tl.maximum(x, 0.0)", "x * x")}}});
  const auto ended = trl("verify --rows rows.jsonl --kernelbench --json");
  EXPECT_EQ(ended.status, 0) << ended.out << ended.err;
  EXPECT_EQ(json::parse(ended.out)["kernelbench"]["correct"], true) << ended.out;
  EXPECT_FALSE(fs::exists(folder_.path() / "PROOF"));
}

TEST_F(ForgedModule, ItsAnswersAreReadAsForged) {
  // The code writes the process' messages itself: too many bytes, no tensors, another file, endless lines.
  for (const std::string& message :
       {std::string(R"({"file": "state.safetensors", "bytes": 99999999999999})"),
        std::string(R"({"file": "../../../owned", "bytes": 3}\nabc)"),
        std::string(R"({"file": "state.safetensors", "bytes": 8}\n\xff\xff\xff\xff\xff\xff\xff\x7f)")}) {
    forge_task([&](json& task) {
      task["module"]["code"] = "import os\nfor d in range(3, 9):\n    try: os.write(d, b'" + message +
                               "\\n')\n    except OSError: pass\nos._exit(0)\n";
    });
    const auto ended = trl("audit runs/.store");
    EXPECT_EQ(ended.status, 3) << message << ended.out << ended.err;
    EXPECT_TRUE(has(ended.out, "not checked: kernelbench")) << ended.out;
  }
}

TEST_F(ForgedModule, AForgedVerdictOfKernelBenchIsFound) {
  const auto verify = stage_of("verify");
  auto rows = read_json_lines(verify / "verdicts.jsonl");
  for (auto& row : rows) row["kernelbench"] = {{"correct", true}};
  write_json_lines(verify / "verdicts.jsonl", rows);
  reseal(verify);
  const auto ended = trl("audit runs/.store");
  EXPECT_EQ(ended.status, 1) << ended.err;
  EXPECT_TRUE(has(ended.out, "its kernelbench differs")) << ended.out;
}

TEST_F(ForgedModule, ItsNamesBecomeNoCode) {
  const std::string code = "x){}\nstatic int owned = system(\"touch OWNED\");\nvoid f(const at::Tensor& x";
  const std::function<void(json&)> rename = [&](json& node) {
    if (node.is_object() && node.contains("input") && node["input"] == "x") node["input"] = code;
    if (node.is_structured())
      for (auto& one : node) rename(one);
  };
  const std::vector<Change> changes = {
      [&](json& task) { rename(task["value"]), task["inputs"][0]["name"] = code; },
      [&](json& task) { task["module"]["entry"] = "Model\nimport os\nos.system('touch OWNED')"; },
      [&](json& task) { task["inputs"][0]["dtype"] = "f32\"); system(\""; }};
  const auto original = json::parse(read_text(stage_of("tasks") / "tasks.json")).at(0);
  for (const auto& change : changes) {
    forge_task(change);
    const auto ended = trl("audit runs/.store");
    EXPECT_EQ(ended.status, 2) << ended.out << ended.err;
    EXPECT_TRUE(has(ended.err, "task ")) << ended.err;
    forge_task([&](json& task) { task = original; });
  }
  const std::string doc =
      "harmless \\\nstatic int owned = system(\"touch OWNED\"); <script>alert(1)</script>";
  forge_task([&](json& task) { task["doc"] = task["name"] = doc; });
  const auto exported = trl("export kernel " + as_sample() + " --to out --name k");
  EXPECT_EQ(exported.status, 0) << exported.out << exported.err;
  for (const auto& [name, text] : folder_.files("out")) {
    EXPECT_FALSE(has(text, "\nstatic int owned")) << name << text;
    EXPECT_FALSE(has(text, "<script>") && name == "README.md") << text;
  }
}

#endif
