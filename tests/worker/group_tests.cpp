#include "runtime/group/group.hpp"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <thread>

#include "base/support/random.hpp"
#include "runtime/group/tree_sum.hpp"
#include "runtime/sample/share.hpp"
#include "tests/worker/training_fixture.hpp"
#include "tests/worker/worker_process.hpp"

namespace trl::runtime {
namespace {

using nlohmann::json;
using testing::TemporaryFolder;

/// Calls body(group) for each rank of a group of threads, which are processes as far as a group can tell.
template <typename Body>
void in_threads(int size, const Body& body) {
  const TemporaryFolder folder;
  const auto meeting = folder.folder(std::string(200, 'm'));  // a longer path than a socket's address holds
  std::vector<std::thread> threads;
  for (int rank = 0; rank < size; ++rank)
    threads.emplace_back([&, rank] { body(Group({rank, size, meeting}, [] {})); });
  for (auto& thread : threads) thread.join();
}

at::Tensor drawn(RandomStream& random, std::int64_t elements) {
  const auto values = at::empty({elements}, at::kFloat);
  for (std::int64_t i = 0; i < elements; ++i)
    values.mutable_data_ptr<float>()[i] = static_cast<float>(random.normal() * std::exp(4 * random.normal()));
  return values;
}

/// The definition of the tree.
at::Tensor sum_of(const std::vector<at::Tensor>& leaves, std::size_t first, std::size_t count) {
  if (count == 1) return leaves[first];
  std::size_t left = 1;
  while (2 * left < count) left *= 2;
  return sum_of(leaves, first, left) + sum_of(leaves, first + left, count - left);
}

TEST(TreeSumTest, HasTheBitsOfTheTreeWhoeverAddsTheLeaves) {
  RandomStream random("tree sums");
  for (std::size_t count = 0; count <= 40; ++count) {
    const auto elements = static_cast<std::int64_t>(1 + random.below(300));
    std::vector<at::Tensor> leaves;
    for (std::size_t i = 0; i < count; ++i) leaves.push_back(drawn(random, elements));
    const auto zeros = at::zeros({elements});
    const auto expected = count == 0 ? zeros : sum_of(leaves, 0, count);
    for (int size = 1; size <= 4; ++size) {
      // Any bounds, some of them equal: a process may have nothing to add.
      std::vector<std::size_t> bounds = {0};
      for (int r = 1; r < size; ++r) bounds.push_back(random.below(count + 1));
      bounds.push_back(count);
      std::sort(bounds.begin(), bounds.end());
      in_threads(size, [&](const Group& group) {
        TreeSum own;
        const auto rank = static_cast<std::size_t>(group.rank());
        for (auto leaf = bounds[rank]; leaf < bounds[rank + 1]; ++leaf)
          own.add(leaf, 1, leaves[leaf].clone());
        EXPECT_LE(static_cast<double>(own.blocks().size()), 2 * std::log2(count + 1.0) + 1);
        const auto found = sum_in_group(group, bounds, own, zeros);
        EXPECT_TRUE(found.equal(expected)) << count << " leaves, rank " << rank << " of " << size;
      });
    }
  }
}

TEST(GroupTest, ExchangesTensorsAndTextsOfAnySize) {
  in_threads(3, [](const Group& group) {
    const auto rank = static_cast<std::int64_t>(group.rank());
    // So many that sockets can't hold them: who sends must receive at the same time.
    const auto count = [](std::int64_t from, std::int64_t to) {
      return from == to ? 0 : 300'000 * from + to;
    };
    std::vector<std::int64_t> sent, received;
    for (std::int64_t r = 0; r < 3; ++r) sent.push_back(count(rank, r)), received.push_back(count(r, rank));
    const auto own = at::full({std::accumulate(sent.begin(), sent.end(), std::int64_t{0})}, rank, at::kFloat);
    const auto found = group.exchange(own, sent, received);
    std::int64_t at = 0;
    for (std::int64_t r = 0; r < 3; ++r) {
      EXPECT_TRUE(found.narrow(0, at, received[static_cast<std::size_t>(r)]).eq(r).all().item<bool>());
      at += received[static_cast<std::size_t>(r)];
    }
    EXPECT_TRUE(group.gather(at::full({2}, rank)).equal(at::tensor({0, 0, 1, 1, 2, 2}).view({3, 2})));
    EXPECT_EQ(group.gather(std::string(static_cast<std::size_t>(rank) * 400'000, 'x')),
              (std::vector<std::string>{"", std::string(400'000, 'x'), std::string(800'000, 'x')}));
    EXPECT_TRUE(group.any(rank == 1));
    EXPECT_FALSE(group.any(false));
    group.barrier();
  });
}

TEST(GroupTest, WhatStopsAProcessIsThrownInTheOthers) {
  const auto stage_of = [](int rank, const TemporaryFolder& meeting) {
    testing::FakeStage stage;
    stage.group = {rank, 2, meeting / ""};
    return stage;
  };
  const auto thrown = [&](const std::function<void()>& by_second) {
    const TemporaryFolder meeting;
    std::array<std::string, 2> messages;
    std::vector<std::thread> threads;
    for (int rank = 0; rank < 2; ++rank) {
      threads.emplace_back([&, rank] {
        auto stage = stage_of(rank, meeting);
        auto& message = messages[static_cast<std::size_t>(rank)];
        try {
          in_group(stage, [&](const Group& group) {
            if (rank == 1) by_second();
            group.barrier();
            return json();
          });
        } catch (const UserError& error) {
          message = fmt::format("{} ({})", error.what(), error.help);
        } catch (const std::exception& error) {
          message = error.what();
        }
      });
    }
    for (auto& thread : threads) thread.join();
    return messages;
  };
  EXPECT_EQ(thrown([] { throw UserError("no room", "make some"); }),
            (std::array<std::string, 2>{"rank 1 of 2: no room (make some)", "no room (make some)"}));
  EXPECT_EQ(thrown([] { throw std::runtime_error("odd"); }),
            (std::array<std::string, 2>{"rank 1 of 2: odd ()", "odd"}));
  EXPECT_EQ(thrown([] { throw Cancelled(); }), (std::array<std::string, 2>{"cancelled", "cancelled"}));
}

TEST(GroupTest, ProcessesThatRoundDifferentlyAreRefused) {
  in_threads(2, [](const Group& group) {
    contract::MadeOn made_on;
    made_on.threads = 1 + group.rank();
    EXPECT_EQ(testing::stage_error([&] { require_alike(group, made_on); }), "");
    made_on.device = group.first() ? "NVIDIA H200" : "NVIDIA H100";
    EXPECT_NE(testing::stage_error([&] { require_alike(group, made_on); }).find("machines that differ"),
              std::string::npos);
  });
}

TEST(GroupTest, TwoProcessesOfARankAreRefused) {
  const TemporaryFolder meeting;
  write_text(meeting / "0", "");
  EXPECT_NE(testing::stage_error([&] {
              Group({0, 2, meeting / ""}, [] {});
            }).find("rank 0 has no place there"),
            std::string::npos);
}

TEST(SharesTest, FollowEachOtherAndAreWithinOnePieceOfEqual) {
  RandomStream random("shares");
  for (int turn = 0; turn < 300; ++turn) {
    std::vector<std::int64_t> costs(random.below(30));
    for (auto& cost : costs) cost = static_cast<std::int64_t>(random.below(100));
    const int size = 1 + static_cast<int>(random.below(5));
    const auto bounds = shares(costs, size);
    ASSERT_EQ(bounds.size(), static_cast<std::size_t>(size) + 1);
    EXPECT_EQ(bounds.front(), 0u);
    EXPECT_EQ(bounds.back(), costs.size());
    const auto all = std::accumulate(costs.begin(), costs.end(), 0.0);
    const auto largest = costs.empty() ? 0 : *std::max_element(costs.begin(), costs.end());
    for (std::size_t r = 0; r + 1 < bounds.size(); ++r) {
      ASSERT_LE(bounds[r], bounds[r + 1]);
      const auto own = std::accumulate(costs.begin() + static_cast<std::ptrdiff_t>(bounds[r]),
                                       costs.begin() + static_cast<std::ptrdiff_t>(bounds[r + 1]), 0.0);
      EXPECT_LE(std::abs(own - all / size), static_cast<double>(largest));
    }
  }
}

TEST(SampleSharesTest, SplitThePromptsOfManyAndTheSamplesOfFew) {
  const auto sizes = [](std::size_t prompts, std::size_t samples, int size) {
    std::vector<Prompt> all;
    for (std::size_t p = 0; p < prompts; ++p) {
      all.push_back({{static_cast<Token>(p)}, {}});
      for (std::size_t s = 0; s < samples; ++s) all.back().samples.push_back({p * 1000 + s});
    }
    std::vector<std::pair<std::size_t, std::size_t>> found;  // prompts and samples of each process
    std::vector<std::uint64_t> keys;
    for (const auto& share : sample_shares(all, size)) {
      found.emplace_back(share.prompts.size(), 0);
      for (std::size_t i = 0; i < share.prompts.size(); ++i) {
        EXPECT_EQ(share.prompts[i].tokens, all[share.numbers[i]].tokens);
        found.back().second += share.prompts[i].samples.size();
        for (const auto key : share.prompts[i].samples) keys.push_back(key.value);
      }
    }
    EXPECT_EQ(keys.size(), prompts * samples);
    EXPECT_TRUE(std::is_sorted(keys.begin(), keys.end()));
    return found;
  };
  using Sizes = std::vector<std::pair<std::size_t, std::size_t>>;
  EXPECT_EQ(sizes(64, 10, 4), (Sizes(4, {16, 160})));
  EXPECT_EQ(sizes(1, 100, 4), (Sizes(4, {1, 25})));
  EXPECT_EQ(sizes(3, 5, 2), (Sizes{{2, 8}, {2, 7}}));
  EXPECT_EQ(sizes(2, 1, 4), (Sizes{{1, 1}, {0, 0}, {1, 1}, {0, 0}}));
  EXPECT_EQ(sizes(0, 1, 2), (Sizes(2, {0, 0})));
  EXPECT_EQ(sizes(9, 2, 2), (Sizes{{5, 10}, {4, 8}}));
}

/// Stages that several real workers carry out.
class GroupStageTest : public testing::TrainingTest {
 protected:
  static constexpr int kMost = 4;

  /// A worker of this rank, which lives through all tests unless one kills it.
  static testing::Worker& worker(int rank) {
    auto& one = workers_[static_cast<std::size_t>(rank)];
    if (!one) one = std::make_unique<testing::Worker>();
    return *one;
  }
  static void TearDownTestSuite() {
    for (auto& one : workers_) one.reset();
  }

  /// Sends a stage to the workers of a group. Rank 0 writes to `output`.
  void send(const char* name, testing::FakeStage stage, int size, const std::string& output) {
    json inputs = json::object();
    for (const auto& [input, path] : stage.inputs) inputs[input] = path.string();
    json request = {{"id", 1}, {"stage", name}, {"spec", stage.spec}, {"inputs", inputs}};
    if (stage.checkpoint)
      request["checkpoint"] = {{"folder", stage.checkpoint->folder.string()},
                               {"key", stage.checkpoint->key},
                               {"seconds", stage.checkpoint->seconds}};
    const auto meeting = folder_.folder(output + " meeting").string();
    for (int rank = 0; rank < size; ++rank) {
      const auto own = rank == 0 ? output : fmt::format("{} {}", output, rank);
      request["output"] = (folder_ / own).string();
      if (size > 1) request["group"] = {{"rank", rank}, {"size", size}, {"meeting", meeting}};
      worker(rank).send(request);
    }
  }

  /// Everything that must not depend on the number of processes.
  struct Left {
    json summary;
    std::vector<json> metrics;
    std::map<std::string, std::string> files;
    bool operator==(const Left&) const = default;
  };

  /// What is left once all workers have ended the stage.
  Left left(int size, const std::string& output) {
    Left left;
    for (int rank = 0; rank < size; ++rank) {
      for (;;) {
        auto event = worker(rank).next();
        const auto kind = event.at("event").get<std::string>();
        if (rank == 0 && kind == "metric") {
          const auto name = event.at("name").get<std::string>();
          if (!name.ends_with("_per_second") && !name.ends_with("_bytes")) left.metrics.push_back(event);
        }
        EXPECT_TRUE(rank == 0 || kind == "done" || kind == "alive") << event.dump();
        if (kind == "error" || kind == "gone") {
          ADD_FAILURE() << event.dump();
          break;
        }
        if (kind != "done") continue;
        if (rank == 0) left.summary = event.at("summary");
        break;
      }
    }
    left.summary.erase("seconds"), left.summary.erase("peak_bytes");
    for (const auto& file : std::filesystem::directory_iterator(folder_ / output))
      left.files[file.path().filename()] = read_text(file.path());
    for (int rank = 1; rank < size; ++rank)
      EXPECT_TRUE(std::filesystem::is_empty(folder_ / fmt::format("{} {}", output, rank)));
    return left;
  }

  Left carried_out(const char* name, const testing::FakeStage& stage, int size, const std::string& output) {
    send(name, stage, size, output);
    return left(size, output);
  }

  Left expect_the_same(const char* name, const testing::FakeStage& stage, const std::string& what) {
    const auto alone = carried_out(name, stage, 1, what + " 1");
    EXPECT_FALSE(alone.files.empty());
    for (int size = 2; size <= kMost; ++size) {
      const auto together = carried_out(name, stage, size, fmt::format("{} {}", what, size));
      EXPECT_EQ(together.summary, alone.summary) << what << ", " << size;
      EXPECT_EQ(together.metrics, alone.metrics) << what << ", " << size;
      EXPECT_TRUE(together.files == alone.files) << what << ", " << size;
    }
    return alone;
  }

  /// Answers of very different lengths with advantages, of which every fifth teaches nothing.
  void write_advantages() {
    write_text(folder_ / "corpus/samples.jsonl",
               testing::changed_rows(folder_ / "corpus/samples.jsonl", [](json& row, int number) {
                 row["answer"] = row["answer"].get<std::string>() + std::string(number % 7 * 4, 'b');
                 row["weight"] = number % 5 == 0 ? 0 : number % 2 == 0 ? 0.7 : -1.2;
               }));
  }

  static std::array<std::unique_ptr<testing::Worker>, kMost> workers_;
};
std::array<std::unique_ptr<testing::Worker>, GroupStageTest::kMost> GroupStageTest::workers_;

TEST_F(GroupStageTest, AnyNumberOfProcessesLeavesTheSameBits) {
  pretrain();
  auto stage = finetuning("unused");
  stage.spec["batch"] = 7;  // the last batch of an epoch is smaller
  stage.spec["epochs"] = 2;
  stage.spec["optimiser_state"] = "carried";
  expect_the_same("finetune", stage, "likelihood");
  stage.spec["batch"] = 3;  // fewer leaves than processes
  stage.spec["quantize"] = "int8";
  expect_the_same("finetune", stage, "tensors");
  stage.spec.erase("quantize");
  stage.spec["batch"] = 7;

  write_advantages();
  stage.spec["objective"] = {{"loss", "clipped_ratio"},
                             {"clip_low", 0.2},
                             {"clip_high", 0.2},
                             {"mean_over", "answers"},
                             {"kl", 0.1}};
  stage.inputs["reference"] = stage.inputs["adapter"] = folder_ / "likelihood 1";
  expect_the_same("finetune", stage, "grpo");
  stage.spec["objective"] = {{"loss", "clipped_ratio"}, {"ratio", "answer"}, {"clip_low", 0.2}};
  expect_the_same("finetune", stage, "rloo");
}

TEST_F(GroupStageTest, AnyNumberOfProcessesLearnsTheSameFromPairs) {
  pretrain();
  write_text(folder_ / "corpus/samples.jsonl",
             testing::changed_rows(folder_ / "corpus/samples.jsonl", [](json& row, int number) {
               row["pair"] = number / 2;
               row["weight"] = number % 2 == 0 ? 1 : -1;
               row["answer"] = row["answer"].get<std::string>() + std::string(number % 5, 'c');
             }));
  auto stage = finetuning("unused");
  stage.spec["epochs"] = 2;
  stage.spec["batch"] = 5;
  stage.spec["objective"] = {{"loss", "preference"}, {"beta", 0.3}};
  expect_the_same("finetune", stage, "pairs");
  stage.spec["quantize"] = "int8";
  expect_the_same("finetune", stage, "pairs by tensors");
}

TEST_F(GroupStageTest, AnyNumberOfProcessesSamplesTheSameAnswers) {
  pretrain();
  auto training = finetuning("adapter");
  training.spec["epochs"] = 1;
  run_finetune(training);
  auto tasks = json::array();
  for (int t = 0; t < 17; ++t) {
    tasks.push_back(json::parse(R"json({"suite": "s", "id": 1, "name": "t", "doc": "", "dims": [["N", 4]],
      "inputs": [{"name": "x", "dtype": "f32", "shape": ["N"]}], "value": {"op": "relu", "args": [{"input": "x"}]},
      "output": {"dtype": "f32", "shape": ["N"]}, "key": "relu(x0:f32[d0])"})json"));
    tasks.back()["name"] = fmt::format("t{}", t);
  }
  testing::FakeStage stage;
  stage.spec = {{"samples", 3}, {"temperature", 1.0}, {"max_tokens", 20},    {"purpose", "train"},
                {"round", 0},   {"seed", 1},          {"precision", "bf16"}, {"scores", true}};
  // The prompt of a task is longer than the context of the fixture's model.
  auto config = json::parse(read_text(folder_ / "model/config.json"));
  config["max_position_embeddings"] = 4096;
  write_text(folder_ / "model/config.json", config.dump());
  stage.inputs = {
      {"model", folder_ / "model"}, {"adapter", folder_ / "adapter"}, {"tasks", folder_.folder("tasks")}};
  write_text(folder_ / "tasks/tasks.json", tasks.dump());
  const auto many = expect_the_same("sample", stage, "many prompts");
  EXPECT_GT(many.summary.at("tokens"), 17 * 3);
  EXPECT_GT(many.summary.at("kl"), 0);
  stage.spec["samples"] = 7;
  write_text(folder_ / "tasks/tasks.json", json::array({tasks[0]}).dump());
  expect_the_same("sample", stage, "one prompt");
  stage.spec["samples"] = 1;  // fewer answers than processes
  expect_the_same("sample", stage, "one answer");
}

TEST_F(GroupStageTest, GoesOnWithAnotherNumberOfProcessesAfterOneWasKilled) {
  pretrain();
  write_advantages();
  auto stage = finetuning("unused");
  stage.spec["batch"] = 5;
  stage.spec["epochs"] = 30;
  const auto alone = carried_out("finetune", stage, 1, "whole");
  const auto until_step = [](std::int64_t step) {
    for (;;) {
      const auto event = worker(0).next();
      ASSERT_NE(event.at("event"), "done");
      ASSERT_NE(event.at("event"), "error") << event.dump();
      if (event.at("event") == "metric" && event.at("step") >= step) return;
    }
  };
  stage.checkpoint = {folder_ / "checkpoint", "key", 0};
  send("finetune", stage, 3, "killed");
  until_step(4);
  workers_[2].reset();  // by SIGKILL
  for (int rank = 0; rank < 2; ++rank) {
    auto event = worker(rank).last();
    EXPECT_EQ(event.at("event"), "error");
    EXPECT_EQ(event.value("lost", -1), 2) << event.dump();
    EXPECT_EQ(event.at("message"), "the process of rank 2 of 3 has ended without a word");
  }
  // Cancelled in the middle by all, and gone on with by one more.
  send("finetune", stage, 2, "cancelled");
  const auto resumed = worker(0).last();
  EXPECT_EQ(resumed.at("event"), "resumed");
  EXPECT_GE(resumed.at("done"), 4);
  until_step(12);
  for (int rank = 0; rank < 2; ++rank) worker(rank).send({{"id", 1}, {"cancel", true}});
  for (int rank = 0; rank < 2; ++rank) EXPECT_EQ(worker(rank).last().value("cancelled", false), true) << rank;

  send("finetune", stage, 4, "resumed");
  EXPECT_GE(worker(0).last().at("done"), 12);
  const auto together = left(4, "resumed");
  EXPECT_EQ(together.summary, alone.summary);
  EXPECT_EQ(together.metrics, alone.metrics);
  EXPECT_TRUE(together.files == alone.files);
}

TEST_F(GroupStageTest, RequestsThatCannotBeCarriedOutTogetherAreRefused) {
  const auto refused = [&](const char* stage, json group) {
    worker(0).send({{"id", 1},
                    {"stage", stage},
                    {"output", (folder_ / "refused").string()},
                    {"group", std::move(group)}});
    return worker(0).last().value("message", "");
  };
  EXPECT_EQ(refused("pretrain", {{"rank", 0}, {"size", 2}, {"meeting", "/tmp"}}),
            "several processes can't carry out a stage `pretrain` together");
  EXPECT_EQ(refused("sample", {{"rank", 2}, {"size", 2}, {"meeting", "/tmp"}}),
            "the request's `group` has rank 2 of 2");
  EXPECT_EQ(refused("sample", {{"rank", 0}, {"size", 2}}), "the path of `group.meeting` is not absolute: ");
}

TEST_F(GroupStageTest, AWorkerSaysThatItIsAlive) {
  // Rank 1 never comes.
  worker(0).send({{"id", 1},
                  {"stage", "finetune"},
                  {"output", (folder_ / "waits").string()},
                  {"spec", finetuning("unused").spec},
                  {"group", {{"rank", 0}, {"size", 2}, {"meeting", folder_.folder("meeting").string()}}}});
  EXPECT_EQ(worker(0).next(), (json{{"id", 1}, {"event", "alive"}}));
  worker(0).send({{"id", 1}, {"cancel", true}});
  EXPECT_EQ(worker(0).last().value("cancelled", false), true);
}

TEST_F(GroupStageTest, AWorkerSaysThatItIsAliveBeforeItDoesAnything) {
  worker(0).send({{"id", 1},
                  {"stage", "finetune"},
                  {"output", (folder_ / "fails").string()},
                  {"spec", finetuning("unused").spec},
                  {"group", {{"rank", 0}, {"size", 2}, {"meeting", (folder_ / "no such folder").string()}}}});
  EXPECT_EQ(worker(0).next(), (json{{"id", 1}, {"event", "alive"}}));
  EXPECT_EQ(worker(0).last().value("event", ""), "error");
}

}  // namespace
}  // namespace trl::runtime
