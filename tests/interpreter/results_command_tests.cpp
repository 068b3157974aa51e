// Names, tags and exports of runs, by the real trl with the fake worker.
#include <gtest/gtest.h>

#include <boost/crc.hpp>
#include <cstring>
#include <set>
#include <sstream>

#include "base/contract/measures.hpp"
#include "base/support/files.hpp"
#include "interpreter/export/tensorboard.hpp"
#include "interpreter/export/wandb.hpp"
#include "tests/has.hpp"
#include "tests/interpreter/trl_process.hpp"

using namespace trl;
using namespace trl::interpreter;
using namespace trl::interpreter::testing;
namespace fs = std::filesystem;
using nlohmann::json;
using trl::has;

namespace {

class Results : public ::testing::Test {
 protected:
  Results() : folder_(TRL, FAKE_WORKER, fs::path(SOURCE) / "crash.trl") {}
  std::vector<json> exported(const std::string& options) const {
    const auto lines = folder_.trl("results export study.trl --jsonl " + options);
    EXPECT_EQ(lines.status, 0) << lines.err;
    std::vector<json> rows;
    std::istringstream in(lines.out);
    for (std::string line; std::getline(in, line);) rows.push_back(json::parse(line));
    return rows;
  }
  TrlFolder folder_;
};

TEST_F(Results, OfNamedRunsLieBesideEachOtherAndAreListedByNameAndTag) {
  ASSERT_EQ(folder_.trl("run study.trl").status, 0);
  const auto plain = folder_.files("runs/study");
  const auto named = folder_.trl("run study.trl --name slow --tag sweep --tag lr=1e-6");
  EXPECT_EQ(named.status, 0) << named.err;
  EXPECT_TRUE(has(named.err, "all done")) << named.err << "a name is in no key";
  ASSERT_EQ(folder_.trl("run study.trl --name fast --tag sweep --set reinforce.learning_rate=1e-3").status,
            0);
  auto same = folder_.files("runs/study.slow");
  EXPECT_EQ(json::parse(same.at("run.json")),
            (json{{"name", "slow"}, {"tags", {"sweep", "lr=1e-6"}}, {"set", json::array()}}));
  same.erase("run.json");
  EXPECT_EQ(same, plain) << "a name is in no file of the report";

  const auto all = folder_.trl("results list");
  EXPECT_TRUE(has(all.out, "runs/study.slow  seeds 1  name slow  tags sweep, lr=1e-6")) << all.out;
  const auto one = folder_.trl("results list --tag sweep --tag lr=1e-6");
  EXPECT_TRUE(has(one.out, "study.slow") && !has(one.out, "study.fast")) << one.out;
  const auto by_name = json::parse(folder_.trl("results list --name fast --json").out);
  ASSERT_EQ(by_name.size(), 1u);
  EXPECT_EQ(by_name[0].at("name"), "fast");
  EXPECT_EQ(by_name[0].at("tags"), json::array({"sweep"}));
  EXPECT_TRUE(has(folder_.trl("results list --tag other").out, "no report in runs has"));
  EXPECT_TRUE(has(folder_.trl("results diff study.slow study.fast").out, "learning_rate"));

  // A name stands for the settings of its run.
  const auto fast = folder_.files("runs/study.fast");
  EXPECT_EQ(folder_.trl("table study.trl --name fast").status, 0);
  EXPECT_EQ(folder_.files("runs/study.fast"), fast);
  const auto of_fast = exported("--name fast");
  EXPECT_EQ(of_fast, exported("--name fast --set reinforce.learning_rate=1e-3"));
  const auto other = exported("--name fast --set reinforce.learning_rate=1e-5");
  EXPECT_NE(of_fast, other) << "settings that are given count";

  fs::remove(folder_.path() / "runs/study.slow/main.md");
  EXPECT_EQ(folder_.trl("table study.trl --name slow").status, 0);
  EXPECT_TRUE(fs::exists(folder_.path() / "runs/study.slow/main.md"));
  for (const char* wrong : {"--name ../x", "--name ''", "--tag 'a b'", "--name .hidden"}) {
    const auto refused = folder_.trl(std::string("run study.trl ") + wrong);
    EXPECT_EQ(refused.status == 2, std::string(wrong) != "--name ''") << wrong << refused.err;
  }
}

TEST_F(Results, AreExportedAsLines) {
  EXPECT_EQ(folder_.trl("results export study.trl").status, 2);
  EXPECT_EQ(folder_.trl("results export study.trl --jsonl --wandb").status, 2);
  const auto nothing = folder_.trl("results export study.trl --jsonl");
  EXPECT_EQ(nothing.status, 1);
  EXPECT_TRUE(has(nothing.err, "has a result")) << nothing.err;
  ASSERT_EQ(folder_.trl("run study.trl").status, 0);
  const auto rows = exported("");
  std::set<std::string> measures, stages;
  for (const auto& row : rows) {
    for (const char* field : {"experiment", "row", "seed", "stage", "round", "step", "measure", "value"})
      EXPECT_TRUE(row.contains(field)) << row;
    // A round isn't a step: training tells steps, and a stage belongs to a round.
    const auto stage = row.at("stage").get<std::string>();
    EXPECT_EQ(row["round"].is_null(), stage.find("/round ") == std::string::npos) << row;
    EXPECT_EQ(row["step"].is_null(), row["measure"] != "loss") << row;
    const auto known = contract::measures();
    EXPECT_TRUE(
        std::any_of(known.begin(), known.end(), [&](const auto& one) { return one.name == row["measure"]; }))
        << row << " has no row in base/contract/measures.cpp";
    measures.insert(row.at("measure")), stages.insert(row.at("stage"));
  }
  for (const char* measure : {"loss", "mean_reward", "correct", "valid", "kept"})
    EXPECT_TRUE(measures.contains(measure)) << measure;
  for (const char* stage : {"imitate/finetune", "reinforce/round 1/select", "exam/verify"})
    EXPECT_TRUE(stages.contains(stage)) << stage;
  // The exam's figure is the table's.
  const auto table = json::parse(read_text(folder_.path() / "runs/study/main.json"));
  for (const auto& row : table.at("rows"))
    for (const auto& one : rows)
      if (one["row"] == row["row"] && one["stage"] == "exam/verify" && one["measure"] == "correct") {
        EXPECT_DOUBLE_EQ(one["value"], row["figures"]["correct"]["value"]);
      }
  EXPECT_EQ(folder_.trl("results export study.trl --jsonl").err, "");
  const auto more = folder_.trl("results export study.trl --jsonl --set study.seeds=[1,2]");
  EXPECT_EQ(more.status, 0);
  EXPECT_TRUE(has(more.err, "have no result yet")) << more.err;
  EXPECT_EQ(folder_.trl("results export study.trl --jsonl --to lines.jsonl").out, "");
  EXPECT_EQ(read_text(folder_.path() / "lines.jsonl"), folder_.trl("results export study.trl --jsonl").out);
}

TEST_F(Results, AreExportedAsFilesOfOtherToolsWithTheSameBytesEachTime) {
  ASSERT_EQ(folder_.trl("run study.trl").status, 0);
  EXPECT_TRUE(has(folder_.trl("results export study.trl --tensorboard").out, "tensorboard --logdir"));
  EXPECT_TRUE(has(folder_.trl("results export study.trl --wandb --to offline").out, "wandb sync offline/"));
  const auto events = folder_.files("runs/tensorboard"), runs = folder_.files("offline");
  EXPECT_EQ(events.size(), 2u);
  EXPECT_EQ(runs.size(), 2u);
  EXPECT_TRUE(events.contains("study/imitate_reinforce/seed_1/events.out.tfevents.0.trl"));
  folder_.trl("results export study.trl --tensorboard");
  folder_.trl("results export study.trl --wandb --to offline");
  EXPECT_EQ(folder_.files("runs/tensorboard"), events);
  EXPECT_EQ(folder_.files("offline"), runs);
}

Measured number(std::int64_t step, double value) {
  return {"none", 1, "imitate/finetune", {}, step, "loss", value, "imitate/finetune/loss", step, 1.5};
}

TEST(Tensorboard, EventsHaveTheBytesThatTensorFlowWrites) {
  const auto bytes = tensorboard_events({});
  // Its reader checks both sums; these bytes were read by tensorboard 2.20.
  EXPECT_EQ(bytes.size(), 8u + 4 + 24 + 4);
  EXPECT_EQ(bytes.substr(0, 8), std::string("\x18\0\0\0\0\0\0\0", 8));
  EXPECT_TRUE(has(bytes, "brain.Event:2"));
  EXPECT_EQ(bytes.substr(8, 4), "\xa3\x7f\x4b\x22");
}

TEST(Wandb, ALogOfManyBlocksIsWhole) {
  std::vector<Measured> numbers;
  for (int i = 0; i < 3000; ++i) numbers.push_back(number(i, 1.0 / (i + 1)));
  WandbRun run;
  run.id = "0123abcd", run.name = std::string(40'000, 'n');  // longer than a block
  const auto log = wandb_log(run, numbers);
  ASSERT_EQ(log.substr(0, 7), std::string(":W&B\xe1\xbe\0", 7));
  std::size_t records = 0;
  std::string open;
  for (std::size_t at = 7; at < log.size();) {
    const auto left = 32768 - at % 32768;
    if (left < 7) {
      at += left;
      continue;
    }
    std::uint32_t sum = 0;
    std::uint16_t size = 0;
    std::memcpy(&sum, log.data() + at, 4), std::memcpy(&size, log.data() + at + 4, 2);
    const char type = log[at + 6];
    ASSERT_LE(7u + size, left) << "no record goes over the end of a block";
    boost::crc_32_type crc;
    crc.process_bytes(log.data() + at + 6, 1u + size);
    ASSERT_EQ(crc.checksum(), sum) << at;
    ASSERT_EQ(type == 1 || type == 2, open.empty());
    open += log.substr(at + 7, size);
    if (type == 1 || type == 4) ++records, open.clear();
    at += 7u + size;
  }
  EXPECT_EQ(records, 2 + numbers.size() + 2) << "header, run, a line for each number, summary, exit";
  EXPECT_EQ(wandb_folder(run, numbers), "offline-run-19700101_000001-0123abcd");
}

}  // namespace
