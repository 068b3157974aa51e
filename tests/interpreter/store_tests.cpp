#include "interpreter/store/store.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "interpreter/error.hpp"
#include "interpreter/files.hpp"
#include "tests/interpreter/fixture.hpp"

using namespace trl::interpreter;
using namespace trl::interpreter::testing;
namespace fs = std::filesystem;

namespace {

Stage some_stage(int number) {
  return make_stage("tasks", {{"tasks", {number}}}, {}, "slot " + std::to_string(number));
}

void put(StoreWriter& store, const Stage& stage) {
  const auto made = store.begin(stage);
  write_text(made / "tasks.json", stage.spec.dump());
  store.commit(stage, made, {{"tasks", 1}}, 0.5);
}

}  // namespace

TEST(Store, HasAStageOnceItIsCommitted) {
  Scratch scratch;
  StoreWriter store(scratch.path / "store");
  const auto stage = some_stage(1);
  const auto made = store.begin(stage);
  write_text(made / "tasks.json", "x");
  EXPECT_FALSE(store.has(stage.key));
  store.commit(stage, made, {{"tasks", 1}}, 0.5);
  EXPECT_TRUE(store.has(stage.key));
  EXPECT_EQ(read_text(store.folder(stage.key) / "tasks.json"), "x");
  const auto described = store.stage(stage.key);
  EXPECT_EQ(described["kind"], "tasks");
  EXPECT_EQ(described["summary"]["tasks"], 1);
  EXPECT_EQ(described["seconds"], 0.5);
  EXPECT_TRUE(Store(store.root()).has(stage.key));
}

TEST(Store, NextWriterRemovesWhatACrashLeft) {
  Scratch scratch;
  const auto stage = some_stage(1);
  fs::path made;
  {
    StoreWriter store(scratch.path);
    made = store.begin(stage);
    write_text(made / "half", "x");
  }
  EXPECT_TRUE(fs::exists(made));
  StoreWriter store(scratch.path);
  EXPECT_FALSE(fs::exists(made));
  EXPECT_FALSE(store.has(stage.key));
}

TEST(Store, RefusesASecondWriterAndNamesTheFirst) {
  Scratch scratch;
  StoreWriter first(scratch.path);
  try {
    StoreWriter second(scratch.path);
    FAIL() << "two writers";
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find("process " + std::to_string(::getpid())), std::string::npos);
    EXPECT_FALSE(error.help.empty());
  }
  EXPECT_EQ(Lock::holder(scratch.path / "lock"), ::getpid());
}

TEST(Store, LockGoesWithItsHolder) {
  Scratch scratch;
  { StoreWriter first(scratch.path); }
  EXPECT_EQ(Lock::holder(scratch.path / "lock"), 0);
  StoreWriter second(scratch.path);
}

class BrokenIndex : public ::testing::TestWithParam<const char*> {};

TEST_P(BrokenIndex, IsRebuiltFromTheFolders) {
  Scratch scratch;
  {
    StoreWriter store(scratch.path);
    put(store, some_stage(1));
    put(store, some_stage(2));
  }
  const auto file = scratch.path / "index.sqlite";
  const std::string how = GetParam();
  if (how == "missing") fs::remove(file);
  if (how == "empty") write_text(file, "");
  if (how == "garbage") write_text(file, std::string(5000, 'x'));
  if (how == "cut") fs::resize_file(file, 5000);
  EXPECT_TRUE(Store(scratch.path).has(some_stage(1).key));
  {
    StoreWriter store(scratch.path);
    put(store, some_stage(3));
  }
  const auto index = Index::open_to_read(file);
  ASSERT_TRUE(index);
  const auto entries = index->entries();
  ASSERT_EQ(entries.size(), 3u);
  for (const auto& entry : entries) EXPECT_EQ(entry.kind, "tasks");
}
INSTANTIATE_TEST_SUITE_P(How, BrokenIndex, ::testing::Values("missing", "empty", "garbage", "cut"),
                         [](const auto& info) { return std::string(info.param); });

TEST(Store, ForgetsStagesWhoseFolderIsGone) {
  Scratch scratch;
  {
    StoreWriter store(scratch.path);
    put(store, some_stage(1));
    fs::remove_all(store.folder(some_stage(1).key));
  }
  StoreWriter store(scratch.path);
  EXPECT_FALSE(store.has(some_stage(1).key));
  EXPECT_TRUE(Index::open_to_read(scratch.path / "index.sqlite")->entries().empty());
}

TEST(Store, SecretIsMadeOnceAndItsOwnersAlone) {
  Scratch scratch;
  std::string secret;
  {
    StoreWriter store(scratch.path);
    secret = store.secret();
  }
  EXPECT_EQ(secret.size(), 64u);
  EXPECT_EQ(StoreWriter(scratch.path).secret(), secret);
  struct stat status {};
  ASSERT_EQ(::stat((scratch.path / "secret").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
  Scratch other;
  EXPECT_NE(StoreWriter(other.path).secret(), secret);
  write_text(scratch.path / "secret", "damaged");
  EXPECT_THROW(StoreWriter{scratch.path}, UserError);
}

TEST(Store, KeepsTheLastEvents) {
  Scratch scratch;
  StoreWriter store(scratch.path);
  for (const char* event : {"one", "two", "three"}) store.log(event);
  const auto events = Index::open_to_read(scratch.path / "index.sqlite")->last_events(2);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].text, "two");
  EXPECT_EQ(events[1].text, "three");
}
