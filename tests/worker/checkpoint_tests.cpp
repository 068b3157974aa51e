#include "runtime/train/checkpoint.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "base/tensors/safetensors.hpp"
#include "runtime/worker/stages.hpp"
#include "tests/worker/training_fixture.hpp"

namespace trl::runtime {
namespace {

using testing::FakeStage;
using testing::TemporaryFolder;
using testing::TrainingTest;

/// What a stage leaves that must be the same whether it was interrupted or not.
struct Left {
  nlohmann::json summary;
  std::vector<std::tuple<std::string, std::int64_t, double>> metrics;

  explicit Left(const FakeStage& stage, nlohmann::json made) : summary(std::move(made)) {
    summary.erase("seconds"), summary.erase("peak_bytes");
    for (const auto& [name, step, value] : stage.metrics)
      if (!name.ends_with("_per_second") && !name.ends_with("_bytes"))
        metrics.emplace_back(name, step, value);
  }
  bool operator==(const Left&) const = default;
};

class CheckpointTest : public TrainingTest {
 protected:
  using Make = std::function<FakeStage(const std::string& output)>;

  CheckpointPlace place(const std::string& key = "this stage") { return {folder_ / "checkpoint", key, 0}; }
  std::filesystem::path file() { return folder_ / "checkpoint/training.safetensors"; }

  FakeStage short_finetuning(const std::string& output) {
    auto stage = finetuning(output);
    stage.spec["epochs"] = 2;
    return stage;
  }

  /// Carries a stage out whole, and learns how often it looks whether it is cancelled before its first step;
  /// after that it does so between steps.
  Left whole(FakeStage stage, StageFunction run, std::int64_t steps) {
    auto summary = run(stage);
    checks_before_ = stage.checks - steps;
    return Left(stage, std::move(summary));
  }
  /// A stage that is cancelled after so many steps more.
  FakeStage stopping(FakeStage stage, std::int64_t steps) {
    stage.checkpoint = place();
    stage.checks_until_cancel = checks_before_ + steps;
    return stage;
  }

  /// Carries a stage out in as many pieces as it has steps: it is stopped after each of them, and goes on in
  /// a new folder, as a new worker would. Returns what the last piece leaves; its folder is `output`.
  Left in_pieces(const Make& make, StageFunction run, const std::string& output) {
    for (std::int64_t stops = 0;; ++stops) {
      std::filesystem::remove_all(folder_ / output);
      auto stage = stopping(make(output), 1);
      try {
        auto summary = run(stage);
        EXPECT_EQ(stage.resumed_at, stops);
        EXPECT_EQ(stage.notes, std::vector<std::string>());
        pieces_ = stops + 1;
        return Left(stage, std::move(summary));
      } catch (const Cancelled&) {
        EXPECT_EQ(stage.resumed_at, stops);
      }
    }
  }

  std::int64_t pieces_ = 0, checks_before_ = 0;
};

TEST_F(CheckpointTest, FinetuningThatIsStoppedAfterEveryStepLeavesWhatItWouldHave) {
  pretrain();
  write_text(folder_ / "corpus/samples.jsonl",
             testing::changed_rows(folder_ / "corpus/samples.jsonl", [](auto& row, int number) {
               row["answer"] = "By rows:\n```python\n" + row["answer"].template get<std::string>() + "```\n";
               row["plan"] = number % 2 == 0 ? 0.5 : -1;
             }));
  for (const std::string name : {"loops", "patterns", "tensors", "magnitudes", "old policy"}) {
    const auto make = [&](const std::string& output) {
      auto stage = finetuning(output);
      stage.spec["optimiser_state"] = "carried";
      stage.spec["batch"] = 7;  // the last batch of an epoch is smaller
      stage.spec["epochs"] = 3;
      if (name == "tensors") stage.spec["quantize"] = "int8";  // which the loops lack, as they do DoRA
      if (name != "loops" && name != "old policy")
        stage.spec["adapter"]["patterns"] = {testing::modules("layers\\.1\\..*", {{"rank", 18}}),
                                             testing::modules("up_proj|v_proj", {{"rank", 2}, {"alpha", 3}})};
      if (name == "magnitudes") stage.spec["adapter"]["use_dora"] = true;
      // Ratios are to the adapter that the stage begins with, not to that of the checkpoint.
      if (name == "old policy")
        stage.spec["objective"] = {{"loss", "clipped_ratio"},
                                   {"mean_over", "answers"},
                                   {"clip_low", 0.2},
                                   {"clip_high", 0.2},
                                   {"kl", 0.1},
                                   {"plan_weight", 0.5}};
      return stage;
    };
    const auto left = whole(make(name + " whole"), run_finetune, 12);
    EXPECT_EQ(left.summary.at("steps"), 12);
    EXPECT_EQ(in_pieces(make, run_finetune, name + " pieces"), left) << name;
    EXPECT_EQ(pieces_, 12) << name;
    for (const char* file : {"adapter_model.safetensors", "optimiser.safetensors", "adapter_config.json"})
      EXPECT_EQ(bytes(name + " pieces/" + file), bytes(name + " whole/" + file)) << name << ", " << file;
    std::filesystem::remove_all(folder_ / "checkpoint");
  }
}

TEST_F(CheckpointTest, PretrainingThatIsStoppedAfterEveryStepLeavesWhatItWouldHave) {
  const auto make = [&](const std::string& output) {
    auto stage = pretraining(output);
    stage.spec["steps"] = 23;  // metrics are told of the first step, the 21st and the last
    return stage;
  };
  const auto left = whole(make("whole"), run_pretrain, 23);
  EXPECT_EQ(in_pieces(make, run_pretrain, "pieces"), left);
  EXPECT_EQ(pieces_, 23);
  EXPECT_EQ(bytes("pieces/model.safetensors"), bytes("whole/model.safetensors"));
}

TEST_F(CheckpointTest, OneThatCannotBeUsedIsSaidAndTheStageBeginsAnew) {
  pretrain();
  whole(short_finetuning("whole"), run_finetune, 8);
  const auto stopped = [&] {
    std::filesystem::remove_all(folder_ / "checkpoint");
    std::filesystem::remove_all(folder_ / "stopped");
    auto stage = stopping(short_finetuning("stopped"), 3);
    EXPECT_THROW(run_finetune(stage), Cancelled);
    EXPECT_TRUE(std::filesystem::exists(file()));
  };
  const auto expect_anew = [&](const std::string& why, FakeStage stage) {
    std::filesystem::remove_all(stage.output);
    std::filesystem::create_directories(stage.output);
    if (!stage.checkpoint) stage.checkpoint = place();
    run_finetune(stage);
    EXPECT_EQ(stage.resumed_at, 0) << why;
    ASSERT_EQ(stage.notes.size(), 1u) << why;
    EXPECT_NE(stage.notes[0].find(why), std::string::npos) << stage.notes[0];
    EXPECT_NE(stage.notes[0].find(file().string()), std::string::npos) << stage.notes[0];
    EXPECT_EQ(bytes("anew/adapter_model.safetensors"), bytes("whole/adapter_model.safetensors")) << why;
  };
  stopped();
  const auto good = bytes("checkpoint/training.safetensors");
  // Every place of a flipped byte that is tried: the header, the metadata, the tensors, the last byte.
  for (const std::size_t at : {std::size_t{3}, std::size_t{40}, good.size() / 2, good.size() - 1}) {
    auto damaged = good;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    write_text(file(), damaged);
    expect_anew("isn't used", short_finetuning("anew"));
  }
  write_text(file(), good.substr(0, good.size() / 2));
  expect_anew("truncated", short_finetuning("anew"));
  write_text(file(), "");
  expect_anew("0 bytes", short_finetuning("anew"));

  stopped();
  auto other = short_finetuning("anew");
  other.checkpoint = place("another stage");
  expect_anew("another stage", other);

  stopped();
  auto moved = short_finetuning("anew");
  moved.made_on.cpu = "another CPU";
  expect_anew("another kind of device", moved);
}

TEST_F(CheckpointTest, AnotherNumberOfThreadsGoesOn) {
  pretrain();
  whole(short_finetuning("whole"), run_finetune, 8);
  auto stopped = stopping(short_finetuning("stopped"), 5), on = short_finetuning("on");
  EXPECT_THROW(run_finetune(stopped), Cancelled);
  on.checkpoint = place();
  on.threads = on.made_on.threads = 2;
  run_finetune(on);
  EXPECT_EQ(on.resumed_at, 5);
  EXPECT_EQ(bytes("on/adapter_model.safetensors"), bytes("whole/adapter_model.safetensors"));
}

/// One parameter that an optimiser changes, and a clock that is set.
class CheckpointClockTest : public ::testing::Test {
 protected:
  CheckpointClockTest() : parameter_(at::ones({3})), optimiser_({parameter_}, 0.9, 0.999, 0) {
    stage_.checkpoint = {folder_ / "deep/checkpoint", "key", 60};
  }
  /// Whether a checkpoint is written after so many steps at this time.
  bool writes(Checkpoints& checkpoints, std::int64_t done, double now) {
    std::filesystem::remove_all(stage_.checkpoint->folder);
    now_ = now;
    checkpoints.between_steps(done);
    return std::filesystem::exists(stage_.checkpoint->folder / "training.safetensors");
  }
  TemporaryFolder folder_;
  FakeStage stage_;
  const Group alone_;
  at::Tensor parameter_;
  AdamW optimiser_;
  double now_ = 100;
};

TEST_F(CheckpointClockTest, OneIsWrittenEachTimeThatItsSecondsHavePassed) {
  Checkpoints checkpoints(stage_, alone_, {parameter_}, optimiser_, [this] { return now_; });
  EXPECT_FALSE(writes(checkpoints, 0, 1000)) << "the time begins with the first step";
  EXPECT_FALSE(writes(checkpoints, 1, 1059));
  EXPECT_TRUE(writes(checkpoints, 2, 1060));
  EXPECT_FALSE(writes(checkpoints, 3, 1119));
  EXPECT_TRUE(writes(checkpoints, 4, 1125));
  EXPECT_FALSE(writes(checkpoints, 4, 2000)) << "no step since";
}

TEST_F(CheckpointClockTest, AMetricThatIsNoNumberEndsTheStageWithItsReason) {
  EXPECT_EQ(testing::stage_error([&] { stage_.metric("loss", 6, std::nan("")); }),
            "training diverged: the loss of step 7 is no finite number");
}

TEST_F(CheckpointClockTest, WritingTakesAFiftiethOfTheTimeAtMost) {
  double reading = 0;
  Checkpoints checkpoints(stage_, alone_, {parameter_}, optimiser_, [&] { return now_ += reading; });
  EXPECT_FALSE(writes(checkpoints, 0, 0));
  reading = 2;  // each reading of the clock: writing takes two seconds
  EXPECT_TRUE(writes(checkpoints, 1, 60));
  reading = 0;
  const double written = now_;
  EXPECT_FALSE(writes(checkpoints, 2, written + 99));
  EXPECT_TRUE(writes(checkpoints, 3, written + 100));
}

TEST_F(CheckpointClockTest, WithoutAPlaceThereIsNoneAndCancellingIsOnlyCancelling) {
  stage_.checkpoint.reset();
  Checkpoints checkpoints(stage_, alone_, {parameter_}, optimiser_, [this] { return now_; });
  EXPECT_EQ(checkpoints.resume(10).steps, 0);
  checkpoints.between_steps(1);
  stage_.checks_until_cancel = 0;
  EXPECT_THROW(checkpoints.between_steps(2), Cancelled);
}

TEST_F(CheckpointClockTest, ADiskThatRefusesIsSaidOnceAndTrainingGoesOn) {
  write_text(folder_ / "deep", "a file where a folder should be");
  stage_.checkpoint->seconds = 0;
  Checkpoints checkpoints(stage_, alone_, {parameter_}, optimiser_, [this] { return now_; });
  checkpoints.between_steps(1);
  checkpoints.between_steps(2);
  ASSERT_EQ(stage_.notes.size(), 1u);
  EXPECT_NE(stage_.notes[0].find("no checkpoint was written"), std::string::npos) << stage_.notes[0];
}

}  // namespace
}  // namespace trl::runtime
