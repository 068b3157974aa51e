// Names, tags and exports of runs, by the real trl with the fake worker.
#include <gtest/gtest.h>

#include <signal.h>
#include <unistd.h>

#include <boost/crc.hpp>
#include <cstring>
#include <set>
#include <sstream>

#include "base/contract/measures.hpp"
#include "base/support/files.hpp"
#include "interpreter/export/tensorboard.hpp"
#include "interpreter/export/wandb.hpp"
#include "interpreter/report/observed.hpp"
#include "interpreter/report/settings.hpp"
#include "interpreter/report/studies.hpp"
#include "tests/has.hpp"
#include "tests/interpreter/trl_process.hpp"
#include "tests/interpreter/typed_signs.hpp"

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

TEST_F(Results, OfStudiesAreComparedTextByTextAndAsAPage) {
  ASSERT_EQ(folder_.trl("run study.trl --name before --set study.seeds=[1,2]").status, 0);
  ASSERT_EQ(folder_.trl("run study.trl --name now --set study.seeds=[1,2] --set reinforce.learning_rate=1e-3")
                .status,
            0);
  ASSERT_EQ(folder_.trl("run study.trl --name other --set 'study.seeds=[3]'").status, 0);
  const auto text = folder_.trl("results diff study.before study.now");
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_TRUE(has(text.out, "  reinforce.learning_rate 2e-4 → 0.001\n")) << text.out;
  EXPECT_FALSE(has(text.out, "entries") || has(text.out, "{")) << text.out;
  EXPECT_TRUE(has(text.out, "B against A")) << text.out;
  EXPECT_TRUE(has(folder_.trl("results diff study.before study.before").out, "table main: the same figures"));
  EXPECT_EQ(folder_.trl("results diff study.before").status, 2);
  EXPECT_EQ(finding_text({{"verdict", "supported"}, {"metric", "correct"}, {"estimate", -0.1}}),
            "supported (-10.0 points)");
  EXPECT_EQ(finding_text({{"verdict", "supported"}, {"metric", "of later"}, {"estimate", 0.25}}),
            "supported (0.25)");
  EXPECT_EQ(finding_interval({{"metric", "speedup"}, {"low", 0.9}, {"high", 1.25}}), "[x0.90, x1.25]");
  EXPECT_EQ(finding_interval({{"metric", "correct"}, {"low", nullptr}}), "");
  EXPECT_EQ(finding_text(nullptr) + finding_interval(nullptr), "not there");
  const auto three = folder_.trl("results diff study.before study.now study.other");
  EXPECT_TRUE(has(three.out, "C against A")) << three.out;

  const auto written = folder_.trl("results diff study.before study.now study.other --html page.html");
  EXPECT_EQ(written.status, 0) << written.err;
  EXPECT_EQ(written.out, "comparison: page.html\n");
  const auto page = read_text(folder_.path() / "page.html");
  EXPECT_EQ(typed_sign(page), "");
  folder_.trl("results diff study.before study.now study.other --html again.html");
  EXPECT_EQ(read_text(folder_.path() / "again.html"), page) << "the same reports give the same bytes";
  for (const char* part : {"<th scope=\"row\">runs/study.before</th>", "<script", "://", "src="})
    EXPECT_FALSE(has(page, part)) << part;
  for (const char* part :
       {"<main>", "<nav aria-label", "<th scope=\"col\">B − A", "<h3>C against A</h3>", "<caption>",
        "lang=\"en\"", "base (baseline)", "B over A", "learning_rate 2e-4 → 0.001", "differences are clear"})
    EXPECT_TRUE(has(page, part)) << part << page;

  // A report of before has no samples, and one from elsewhere may be anything.
  fs::remove(folder_.path() / "runs/study.now/main.samples.json");
  const auto without = folder_.trl("results diff study.before study.now --html old.html");
  EXPECT_EQ(without.status, 0);
  EXPECT_TRUE(has(read_text(folder_.path() / "old.html"), "doesn’t tell the samples"));
  write_text(folder_.path() / "runs/study.now/main.samples.json", "{\"of\": \"main\", \"tasks\": 3}");
  const auto damaged = folder_.trl("results diff study.before study.now");
  EXPECT_EQ(damaged.status, 1);
  EXPECT_TRUE(has(damaged.err, "main.samples.json") && has(damaged.err, "trl table")) << damaged.err;
}

TEST_F(Results, TheDifferenceOfAFigureIsThatOfTheTables) {
  ASSERT_EQ(folder_.trl("run study.trl --name before").status, 0);
  ASSERT_EQ(folder_.trl("run study.trl --name now --set reinforce.learning_rate=1e-3").status, 0);
  std::vector<json> tables;
  std::vector<Observed> samples;
  for (const char* name : {"study.before", "study.now"}) {
    const auto folder = folder_.path() / "runs" / name;
    tables.push_back(json::parse(read_text(folder / "main.json")));
    samples.push_back(read_samples(json::parse(read_text(folder / "main.samples.json"))));
  }
  std::size_t compared = 0;
  for (const char* id : {"valid", "correct", "purity"})
    for (std::size_t r = 0; r < tables[0]["rows"].size(); ++r) {
      const auto row = tables[0]["rows"][r]["row"].get<std::string>();
      if (!samples[0].contains({row, id})) continue;
      const auto found =
          study_difference(parse_column(id), samples[1].at({row, id}), samples[0].at({row, id}));
      ASSERT_TRUE(found) << row << id;
      if (found->other_tasks > 0) continue;  // training may have drawn other tasks
      const auto value = [&](std::size_t t) {
        return tables[t]["rows"][r]["figures"][id]["value"].get<double>();
      };
      EXPECT_NEAR(found->difference.value, value(1) - value(0), 1e-12) << row << id;
      EXPECT_TRUE(found->same_seeds);
      ++compared;
    }
  EXPECT_GE(compared, 2u);
}

TEST(SettingDifferences, AreThoseOfTheFileInItsWords) {
  const json before = study()["experiments"]["study"];
  EXPECT_EQ(setting_differences(before, before), std::vector<std::string>());
  // What isn't a setting: comments, silenced checks, estimates, what follows from `vary`.
  auto now = before;
  now["doc"] = "another", now["name"] = "other", now["estimate"] = {{"weights", 7}};
  now["allowed"] = {{{"rule", "few_seeds"}, {"reason", "a test"}, {"where", "study.trl:1:1"}}};
  now["train"][1]["doc"] = "another", now["cells"] = json::array(), now["design"] = json::object();
  EXPECT_EQ(setting_differences(before, now), std::vector<std::string>());

  now = before;
  now["seeds"] = {1, 2};
  now["adapter"]["rank"] = 8;
  now["train"][1]["reward"]["formula"]["body"] = 1;
  now["evaluate"]["split"]["tasks"].erase(0);
  const auto found = setting_differences(before, now);
  ASSERT_EQ(found.size(), 4u) << json(found).dump(1);
  EXPECT_TRUE(has(found[0], "seeds [") && has(found[0], "] → [1, 2]")) << found[0];
  EXPECT_TRUE(has(found[1], ".split 5 tasks → 4 tasks, 4 in both")) << found[1];
  EXPECT_TRUE(has(found[2], "reinforce.reward ") && has(found[2], " → 1")) << found[2];
  EXPECT_TRUE(has(found[3], ".rank ") && has(found[3], " → 8")) << found[3];
  for (const auto& one : found)
    for (const char* noise : {"entries", "{", "formula", "kind"}) EXPECT_FALSE(has(one, noise)) << one;

  // Another declaration in the same place is compared field by field; a long text near where it differs.
  now = before;
  now["model"]["name"] = "larger", now["model"]["precision"] = "f32";
  now["model"]["prompt"] = std::string(200, 'a') + "b";
  auto from = before;
  from["model"]["prompt"] = std::string(200, 'a') + "c";
  const auto renamed = setting_differences(from, now);
  ASSERT_EQ(renamed.size(), 3u) << json(renamed).dump(1);
  EXPECT_EQ(renamed[0], "model base → larger");
  EXPECT_TRUE(has(renamed[1], "larger.precision ") && has(renamed[1], " → f32")) << renamed[1];
  EXPECT_TRUE(has(renamed[2], "aac → …") && has(renamed[2], "aab")) << renamed[2];
  EXPECT_LT(renamed[2].size(), 120u);
}

TEST(StudyDifference, ComparesCommonTasksAndSharedSeedsAlone) {
  const auto correct = parse_column("correct");
  const auto cell = [](std::uint64_t seed, const char* task, double n, double sum) {
    return ObservedCell{seed, task, n, sum, sum};
  };
  const std::vector<ObservedCell> before = {cell(1, "a", 2, 0), cell(1, "b", 2, 1), cell(1, "c", 2, 1)};
  const std::vector<ObservedCell> now = {cell(1, "a", 2, 1), cell(1, "b", 2, 2), cell(1, "d", 2, 0)};
  const auto found = study_difference(correct, now, before);
  ASSERT_TRUE(found);
  EXPECT_DOUBLE_EQ(found->difference.value, 0.5);
  EXPECT_EQ(found->tasks, 2u);
  EXPECT_EQ(found->other_tasks, 2u);
  EXPECT_FALSE(study_difference(correct, {cell(1, "x", 1, 1)}, before)) << "no task in common";
  EXPECT_FALSE(study_difference(correct, {}, before));
  const auto cost = parse_column("cost");
  const auto whole = [](std::uint64_t seed, double seconds) {
    return ObservedCell{seed, "", 1, seconds, seconds * seconds};
  };
  const auto paired = study_difference(cost, {whole(1, 11), whole(2, 22), whole(3, 33)},
                                       {whole(1, 10), whole(2, 20), whole(3, 30)});
  ASSERT_TRUE(paired);
  EXPECT_DOUBLE_EQ(paired->difference.value, 2);
  ASSERT_TRUE(paired->difference.interval);
  EXPECT_LT(paired->difference.interval->high - paired->difference.interval->low, 6)
      << "seeds are compared with themselves";
  EXPECT_FALSE(study_difference(cost, {whole(4, 1)}, {whole(1, 10)})) << "other seeds have no common unit";
}

TEST_F(Results, ThatGoOnAreServedByStatus) {
  ASSERT_EQ(folder_.trl("run study.trl").status, 0);
  const auto server = folder_.start("exec $trl status study.trl --live 0", "live");
  std::string port;
  for (int i = 0; i < 600 && port.empty(); ++i) {
    ::usleep(50'000);
    const auto said = read_text(folder_.path() / "live.err");
    if (const auto at = said.find("127.0.0.1:"); at != std::string::npos && has(said, "/\n"))
      port = said.substr(at + 10, said.rfind('/') - at - 10);
  }
  ASSERT_FALSE(port.empty());
  const auto state = folder_.shell("exec bash -c 'exec 3<>/dev/tcp/127.0.0.1/" + port +
                                   "; printf \"GET /state HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: "
                                   "close\\r\\n\\r\\n\" >&3; cat <&3'");
  EXPECT_TRUE(has(state.out, "200 OK") && has(state.out, "\"experiment\":\"study\""))
      << state.out << state.err;
  const auto taken = folder_.trl("run study.trl --set reinforce.learning_rate=1e-3 --live " + port);
  EXPECT_EQ(taken.status, 1);
  EXPECT_TRUE(has(taken.err, "port " + port + " can't be listened on")) << taken.err;
  EXPECT_FALSE(has(taken.err, "finetune")) << "nothing was run";
  ::kill(server, SIGINT);
  EXPECT_EQ(folder_.wait(server, "live").status, 0);
  for (const char* wrong : {" 70000", "=ninety", "=80x", "=-1", "=70000"}) {
    const auto refused = folder_.trl(std::string("run study.trl --live") + wrong);
    EXPECT_EQ(refused.status, 2) << wrong << refused.err;
    EXPECT_TRUE(has(refused.err, "--live")) << refused.err;
  }
  // An argument or an option behind it is no port.
  for (const char* fine : {"run --live study.trl", "run --live study.trl -q", "run -q --live study.trl study",
                           "run study.trl --live study", "run --live 0 study.trl -q",
                           "run --live=0 study.trl study", "run study.trl study --live -q"}) {
    const auto served = folder_.trl(fine);
    EXPECT_EQ(served.status, 0) << fine << served.err;
    EXPECT_TRUE(has(served.err, "the page of this run is")) << fine << served.err;
  }
  const auto unknown = folder_.trl("run study.trl --live ninety");
  EXPECT_NE(unknown.status, 0);
  EXPECT_TRUE(has(unknown.err, "ninety")) << unknown.err;
  EXPECT_EQ(folder_.trl("status study.trl --live --watch").status, 2);
  const auto run = folder_.trl("run study.trl --set reinforce.learning_rate=1e-3 --live 0");
  EXPECT_EQ(run.status, 0);
  EXPECT_TRUE(has(run.err, "the page of this run is http://127.0.0.1:")) << run.err;
  const auto curves = folder_.trl("status study.trl --watch");
  EXPECT_TRUE(has(curves.out, "mean reward (reinforce/select)")) << curves.out;
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

TEST(Tensorboard, TheFirstValueOfATagIsDescribed) {
  auto one = number(0, 0.5), other = number(1, 0.25);
  one.known = other.known = contract::measure_called("entropy", "finetune", true);
  const auto bytes = tensorboard_events({one, other});
  const auto at = bytes.find("entropy, nats a token");
  ASSERT_NE(at, std::string::npos);
  EXPECT_TRUE(has(bytes, "mean of -sum p log p"));
  EXPECT_EQ(bytes.find("entropy, nats a token", at + 1), std::string::npos);
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
