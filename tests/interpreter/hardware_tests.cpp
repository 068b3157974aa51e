// What results were made on: how it gets into the store, and which rows it keeps from being compared.
#include "interpreter/report/findings.hpp"
#include "interpreter/report/hardware.hpp"
#include "interpreter/report/hypothesis.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "base/support/files.hpp"
#include "base/support/machine.hpp"
#include "interpreter/plan/hardware.hpp"
#include "interpreter/report/report.hpp"
#include "interpreter/schedule/scheduler.hpp"
#include "tests/has.hpp"
#include "tests/interpreter/fake_stages.hpp"
#include "tests/interpreter/finished_study.hpp"

using namespace trl;
using namespace trl::interpreter;
using namespace trl::interpreter::testing;
using contract::MadeOn;
using nlohmann::json;
using trl::has;
namespace fs = std::filesystem;

namespace {

MadeOn cpu(const std::string& capability, const std::string& loops) {
  MadeOn made_on;
  made_on.cpu = "Some CPU", made_on.capability = capability, made_on.loops = loops, made_on.threads = 2;
  made_on.versions = {{"libtorch", "2.11.0"}};
  return made_on;
}
const MadeOn older = cpu("AVX2", "x86-64-v3"), newer = cpu("AVX512", "x86-64-v4");

MadeOn gpu(const std::string& name) {
  MadeOn made_on = newer;
  made_on.device = name, made_on.driver = "570.86.15", made_on.cuda = "12.8";
  return made_on;
}

/// A study in which each row also samples for a round of its own.
json two_rounds() {
  json document = small_study();
  document["experiments"]["study"]["train"][1]["rounds"] = 2;
  return document;
}

/// A finished study whose results don't say what they were made on, until a test says it.
class HardwareTest : public ::testing::Test {
 protected:
  /// Stores a stage's result again, as made on something else.
  void make_again(const std::string& key, const std::optional<MadeOn>& made_on) {
    auto& store = study_.store;
    const Stage& stage = *study_.plan.find(key);
    const auto made = store.begin(stage);
    const auto description = store.stage(key);
    for (const auto& [name, file] : description.at("files").items())
      fs::copy_file(store.folder(key) / name, made / name);
    store.commit(stage, made, description.at("summary"), 1, made_on);
  }
  void make_all_again(const MadeOn& made_on) {
    for (const auto& stage : study_.plan.stages)
      if (!stage.local()) make_again(stage.key, made_on);
  }
  const Row& row(std::size_t number) const { return study_.plan.rows.at(number); }
  /// The key of a stage of a row, by its slot.
  std::string key(std::size_t of, const std::string& slot) const {
    return row(of).traces.at(0).slots.at(slot);
  }
  std::string exam_sample(std::size_t of) const { return row(of).traces.at(0).exam_sample; }
  std::optional<std::string> mixed(const std::vector<std::size_t>& rows) const {
    return mixed_hardware(study_.plan, study_.store, rows);
  }

  FinishedStudy study_{two_rounds()};
};

}  // namespace

TEST(WorkOf, StagesWhoseResultsDependOnHardware) {
  const auto of = [](const std::string& kind, const json& spec) {
    return work_of({kind, "", spec, {}, "", ""});
  };
  EXPECT_EQ(of("sample", json::object()), Work::sampling);
  EXPECT_EQ(of("finetune", json::object()), Work::training);
  EXPECT_EQ(of("pretrain", json::object()), Work::training);
  EXPECT_EQ(of("verify", {{"timed", true}}), Work::timing);
  for (const char* kind : {"verify", "corpus", "tokenizer", "tasks", "draw", "select"})
    EXPECT_EQ(of(kind, json::object()), std::nullopt) << kind;
}

TEST(HardwareText, IsTheGpuOrWhatTheCpuChose) {
  EXPECT_EQ(hardware_text(gpu("NVIDIA H200")), "NVIDIA H200");
  EXPECT_EQ(hardware_text(older), "a CPU (AVX2, x86-64-v3)");
  auto other_name = older;
  other_name.cpu = "Another CPU", other_name.threads = 64;
  EXPECT_EQ(hardware_text(other_name), hardware_text(older))
      << "neither threads nor a name are another kind of hardware";
  EXPECT_EQ(hardware_text(MadeOn()), "a CPU");
}

TEST_F(HardwareTest, TheStoreKeepsWhatTheWorkerSaysAndKeysIgnoreIt) {
  FinishedStudy other(two_rounds());
  const auto& stage = *std::find_if(study_.plan.stages.begin(), study_.plan.stages.end(),
                                    [](const Stage& one) { return one.kind == "sample"; });
  EXPECT_EQ(study_.store.result(stage.key).made_on(), std::nullopt);
  EXPECT_FALSE(study_.store.stage(stage.key).contains("made_on"));
  make_again(stage.key, older);
  EXPECT_EQ(study_.store.result(stage.key).made_on(), older);
  EXPECT_EQ(study_.store.stage(stage.key).at("made_on"), older.write());
  EXPECT_EQ(study_.store.stage(stage.key).at("files"), other.store.stage(stage.key).at("files"));
}

TEST_F(HardwareTest, AnswersOfAWorkerAreStoredForItsStagesAlone) {
  Scratch scratch;
  StoreWriter store(write_secret(scratch.path / "store"));
  FakeClient worker(store.secret());
  worker.made_on = gpu("NVIDIA H200");
  std::ostringstream out;
  Progress progress(out, {}, [] { return 0.0; });
  OneSeat seat(worker);
  carry_out(
      study_.plan, store, seat, progress, [] { return false; }, [] { return 0.0; });
  for (const auto& stage : study_.plan.stages)
    EXPECT_EQ(store.result(stage.key).made_on(),
              stage.local() ? std::nullopt : std::optional(gpu("NVIDIA H200")))
        << stage.slot;
}

TEST_F(HardwareTest, RowsOfOneMachineAndRowsWithoutARecordAreCompared) {
  EXPECT_EQ(mixed({0, 1}), std::nullopt) << "nothing is recorded";
  make_again(exam_sample(1), older);
  EXPECT_EQ(mixed({0, 1}), std::nullopt) << "one is recorded";
  make_all_again(newer);
  EXPECT_EQ(mixed({0, 1, 2}), std::nullopt);
}

TEST_F(HardwareTest, RowsOfSeveralMachinesAreRefusedByName) {
  make_all_again(newer);
  make_again(exam_sample(1), older);
  const auto refusal = mixed({0, 1});
  ASSERT_TRUE(refusal);
  EXPECT_TRUE(has(*refusal, "sampling on a CPU (AVX2, x86-64-v3) for `" + row(1).label + "` (1 stage)"))
      << *refusal;
  EXPECT_TRUE(has(*refusal, "on a CPU (AVX512, x86-64-v4) for `" + row(0).label + "`")) << *refusal;
  EXPECT_TRUE(has(*refusal, "allow(mixed_hardware, ")) << *refusal;
  EXPECT_TRUE(has(*refusal, "--store DIR")) << *refusal;
  EXPECT_FALSE(has(*refusal, "training")) << *refusal;
  EXPECT_EQ(mixed({0, 2}), std::nullopt) << "the third row's machine is the first's";
  EXPECT_EQ(mixed({1}), std::nullopt) << "one row is compared with nothing";
}

TEST_F(HardwareTest, ADifferenceBetweenMachinesIsNotReported) {
  make_all_again(newer);
  make_again(exam_sample(1), older);
  const auto& experiment = study_.document["experiments"]["study"];
  const json declared = {{"contrast", "inputs"}, {"metric", "correct"}, {"expect", "different"}};
  const auto result = test_hypotheses({{"h", declared}}, study_.inference, experiment).front();
  EXPECT_FALSE(result.difference);
  EXPECT_EQ(result.verdict(), "undecided");
  EXPECT_TRUE(has(sentence(result), "made on different hardware")) << sentence(result);
  EXPECT_TRUE(has(as_json(result).at("refused"), "different hardware"));
  for (const auto& effect : effects_of({parse_column("correct")}, study_.inference, {}))
    if (effect.comparison.name == "inputs") {
      EXPECT_FALSE(effect.differences.front());
    }
  EXPECT_TRUE(study_.inference.interactions(parse_column("correct")).empty());
}

TEST_F(HardwareTest, PairsAreJudgedEachForItself) {
  const auto mixed_pairs = [&](const std::vector<std::pair<std::size_t, std::size_t>>& pairs) {
    return mixed_hardware(study_.plan, study_.store, pairs);
  };
  ASSERT_GE(study_.plan.rows.size(), 4u);
  make_all_again(newer);
  for (const std::size_t of : {2, 3}) make_again(exam_sample(of), older);
  EXPECT_EQ(mixed_pairs({}), std::nullopt);
  EXPECT_EQ(mixed_pairs({{1, 1}}), std::nullopt);
  EXPECT_EQ(mixed_pairs({{0, 1}, {2, 3}}), std::nullopt) << "each pair is from one machine";
  const auto refusal = mixed_pairs({{0, 1}, {2, 1}});
  ASSERT_TRUE(refusal);
  EXPECT_TRUE(has(*refusal, "`" + row(1).label + "`")) << *refusal;
  EXPECT_TRUE(has(*refusal, "`" + row(2).label + "`")) << *refusal;
  EXPECT_FALSE(has(*refusal, "`" + row(0).label + "`")) << "its pair is from one machine: " << *refusal;
  EXPECT_EQ(mixed_pairs({{1, 2}}), mixed_pairs({{2, 1}}));
  EXPECT_TRUE(mixed({0, 1, 2, 3})) << "every two of them";
  EXPECT_THROW(mixed_pairs({{0, study_.plan.rows.size()}}), std::out_of_range);
}

TEST_F(HardwareTest, RowsThatAreSpreadOverMachinesAlikeAreRefused) {
  make_all_again(newer);
  for (const std::size_t of : {0, 1}) {
    std::set<std::string> own;
    for (const auto& [slot, key] : row(of).traces[0].slots)
      if (study_.plan.find(key)->kind == "sample") own.insert(key);
    for (const auto& [slot, key] : row(1 - of).traces[0].slots) own.erase(key);
    ASSERT_GE(own.size(), 2u) << "samples of training and of the exam";
    make_again(exam_sample(of), older);
  }
  EXPECT_TRUE(mixed({0, 1})) << "that this is fair is for the experiment to say";
}

TEST_F(HardwareTest, GpusOfTwoNamesAreTwoKinds) {
  make_all_again(gpu("NVIDIA H200"));
  make_again(exam_sample(1), gpu("NVIDIA H100"));
  EXPECT_TRUE(mixed({0, 1}));
  auto elsewhere = gpu("NVIDIA H200");
  elsewhere.cpu = "Another CPU", elsewhere.capability = "AVX2", elsewhere.driver = "580.1";
  make_again(exam_sample(1), elsewhere);
  EXPECT_EQ(mixed({0, 1}), std::nullopt) << "the GPU computes, not the CPU beside it";
}

TEST_F(HardwareTest, SharedStagesMakeNoDifference) {
  make_all_again(newer);
  std::vector<std::string> shared;
  for (const auto& [slot, key] : row(0).traces[0].slots)
    for (const auto& [other_slot, other] : row(1).traces[0].slots)
      if (key == other && study_.plan.find(key)->kind == "finetune") shared.push_back(key);
  ASSERT_FALSE(shared.empty());
  make_again(shared.front(), older);
  EXPECT_EQ(mixed({0, 1}), std::nullopt);
  const auto base = study_.plan.rows.size() - 1;
  EXPECT_EQ(mixed({0, base}), std::nullopt) << "only one of the two rows trains, on two machines";
}

TEST_F(HardwareTest, VerificationWithModelledTimesIsTheSameEverywhere) {
  make_all_again(newer);
  make_again(row(1).traces[0].exam_verify, older);
  EXPECT_EQ(mixed({0, 1}), std::nullopt);
}

TEST_F(HardwareTest, AnAllowanceLetsRowsBeCompared) {
  make_all_again(newer);
  make_again(exam_sample(1), older);
  ASSERT_TRUE(mixed({0, 1}));
  auto document = two_rounds();
  document["experiments"]["study"]["allowed"].push_back(
      {{"rule", "mixed_hardware"}, {"reason", "studied"}, {"where", "a.trl:4:1"}});
  const auto allowing = make_plan(document, "study", options(study_.scratch.path));
  EXPECT_EQ(allowing.allowed.at("mixed_hardware"), "studied");
  ASSERT_EQ(allowing.stages.size(), study_.plan.stages.size());
  for (std::size_t i = 0; i < allowing.stages.size(); ++i)
    EXPECT_EQ(allowing.stages[i].key, study_.plan.stages[i].key);
  EXPECT_EQ(mixed_hardware(allowing, study_.store, std::vector<std::size_t>{0, 1}), std::nullopt);
}

TEST_F(HardwareTest, TheReportWarnsOfMixedRowsAndListsTheMachines) {
  make_all_again(newer);
  EXPECT_TRUE(std::none_of(study_.report().warnings.begin(), study_.report().warnings.end(),
                           [](const std::string& one) { return has(one, "different hardware"); }));
  make_again(exam_sample(1), gpu("NVIDIA <H200>"));
  make_again(exam_sample(0), std::nullopt);
  const auto report = study_.report();
  EXPECT_TRUE(std::any_of(report.warnings.begin(), report.warnings.end(),
                          [](const std::string& one) { return has(one, "different hardware"); }));

  const auto provenance = json::parse(report.files.at("provenance.json"));
  EXPECT_EQ(provenance.at("stages").at(exam_sample(1)).at("made_on"), gpu("NVIDIA <H200>").write());
  const auto& machines = provenance.at("machines");
  ASSERT_EQ(machines.size(), 3u) << machines.dump(1);
  EXPECT_EQ(machines[0].at("device"), "NVIDIA <H200>");
  EXPECT_EQ(machines[0].at("stages"), (json{{"sample", 1}}));
  EXPECT_EQ(machines[1].at("capability"), "AVX512");
  EXPECT_EQ(machines[1].at("threads"), json::array({2}));
  EXPECT_EQ(machines[1].at("versions"), (json{{"libtorch", "2.11.0"}}));
  EXPECT_EQ(machines[2], (json{{"device", nullptr}, {"stages", {{"sample", 1}}}}));
  int counted = 0, worked = 0;
  for (const auto& machine : machines)
    for (const auto& [kind, count] : machine.at("stages").items()) counted += count.get<int>();
  for (const auto& stage : study_.plan.stages) worked += !stage.local();
  EXPECT_EQ(counted, worked);

  const auto& html = report.files.at("report.html");
  EXPECT_TRUE(has(html,
                  "NVIDIA &lt;H200&gt;, driver 570.86.15, CUDA 12.8, Some CPU, AVX512, x86-64-v4, 2 threads, "
                  "libtorch 2.11.0: 1 sample"));
  EXPECT_TRUE(has(html, "not recorded: 1 sample"));
}

TEST_F(HardwareTest, TheMachinesOfOneKindHaveTheirThreadsAndVersionsTogether) {
  auto wide = newer;
  wide.threads = 16, wide.versions = {{"libtorch", "2.12.0"}, {"triton", "3.6.0"}};
  make_all_again(newer);
  make_again(exam_sample(1), wide);
  const auto machines = machines_of(study_.plan, study_.store);
  ASSERT_EQ(machines.size(), 1u);
  EXPECT_TRUE(has(machine_text(machines[0]),
                  "Some CPU, AVX512, x86-64-v4, 2 or 16 threads, libtorch 2.11.0, 2.12.0, triton 3.6.0: "))
      << machine_text(machines[0]);
}

TEST_F(HardwareTest, AStoreThatIsAboutToMixIsNoticed) {
  make_all_again(older);
  const Here same{false, "x86-64-v3", ""}, newer_here{false, "x86-64-v4", ""},
      gpu_here{true, "x86-64-v3", ""};
  EXPECT_TRUE(other_hardware(study_.plan, study_.store, newer_here).empty()) << "nothing is missing";
  study_.store.discard({exam_sample(0), exam_sample(1)});
  EXPECT_TRUE(other_hardware(study_.plan, study_.store, same).empty());
  for (const auto& here : {newer_here, gpu_here}) {
    const auto others = other_hardware(study_.plan, study_.store, here);
    ASSERT_EQ(others.size(), 1u) << "nothing is to be trained any more";
    EXPECT_EQ(others[0].work, Work::sampling);
    EXPECT_EQ(others[0].to_do, 2);
    EXPECT_EQ(others[0].stages + 2, std::count_if(study_.plan.stages.begin(), study_.plan.stages.end(),
                                                  [](const Stage& stage) { return stage.kind == "sample"; }));
    EXPECT_EQ(as_json(others[0]).at("made_on"), "a CPU (AVX2, x86-64-v3)");
    EXPECT_TRUE(has(sentence(others[0], here), here.gpu ? "on a GPU" : "on a CPU (x86-64-v4)"));
  }
  auto allowing = study_.plan;
  allowing.allowed["mixed_hardware"] = "studied";
  EXPECT_TRUE(other_hardware(allowing, study_.store, newer_here).empty());
  EXPECT_FALSE(this_machine("cpu").gpu);
  EXPECT_TRUE(this_machine("cuda").gpu);
  EXPECT_EQ(this_machine("cpu").loops, vector_level_name());
}

TEST_F(HardwareTest, AStoreThatIsAboutToMixGpusIsNoticedWhereTheirModelIsKnown) {
  make_all_again(gpu("NVIDIA H200"));
  study_.store.discard({exam_sample(0)});
  const Here unknown{true, "x86-64-v4", ""}, same{true, "x86-64-v3", "NVIDIA H200"},
      other{true, "x86-64-v4", "NVIDIA H100"};
  EXPECT_TRUE(other_hardware(study_.plan, study_.store, unknown).empty());
  EXPECT_TRUE(other_hardware(study_.plan, study_.store, same).empty());
  const auto others = other_hardware(study_.plan, study_.store, other);
  ASSERT_EQ(others.size(), 1u);
  const auto text = sentence(others[0], other);
  EXPECT_TRUE(has(text, "stored from NVIDIA H200, and 1 is to be run here, on NVIDIA H100: ")) << text;
  EXPECT_EQ(other_hardware(study_.plan, study_.store, {false, "", "NVIDIA H200"}).size(), 1u)
      << "models run on the CPU";
}

TEST_F(HardwareTest, TimesBelongToTheGpuWhereverModelsRun) {
  auto timed = study_.plan;
  for (auto& stage : timed.stages)
    if (stage.kind == "verify") stage.spec["timed"] = true;
  make_all_again(gpu("NVIDIA H200"));
  study_.store.discard({row(0).traces[0].exam_verify});
  for (const bool models_on_gpu : {false, true}) {
    EXPECT_TRUE(other_hardware(timed, study_.store, {models_on_gpu, "", "NVIDIA H200"}).empty());
    const Here here{models_on_gpu, "", "NVIDIA H100"};
    const auto others = other_hardware(timed, study_.store, here);
    ASSERT_EQ(others.size(), 1u);
    EXPECT_EQ(others[0].work, Work::timing);
    EXPECT_TRUE(has(sentence(others[0], here), "on NVIDIA H100: ")) << sentence(others[0], here);
  }
}

TEST_F(HardwareTest, ADamagedDescriptionIsDamageAndNoHardware) {
  make_all_again(older);
  const auto damaged = exam_sample(0);
  auto description = study_.store.stage(damaged);
  description["made_on"] = "here";
  description.erase("files");
  describe_result(study_.store.folder(damaged), description);
  const Store store(study_.store.root());
  EXPECT_THROW(store.result(damaged).made_on(), DamagedResult);
  study_.store.discard({exam_sample(1)});
  const auto others = other_hardware(study_.plan, store, {true, "", ""});
  ASSERT_EQ(others.size(), 1u);
  EXPECT_EQ(others[0].to_do, 1);
}
