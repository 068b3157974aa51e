#include "interpreter/store/store.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/support/digest.hpp"
#include "base/support/error.hpp"
#include "base/support/files.hpp"
#include "interpreter/store/file_digests.hpp"
#include "interpreter/store/garbage.hpp"
#include "tests/interpreter/fixture.hpp"

using namespace trl;
using namespace trl::interpreter;
using namespace trl::interpreter::testing;
namespace fs = std::filesystem;
using nlohmann::json;

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

TEST(Store, ACheckpointStaysUntilItsStageIsStored) {
  Scratch scratch;
  const auto root = scratch.path / "store";
  const auto trained = make_stage("finetune", {{"seed", 1}}, {}, "imitate"),
             unneeded = make_stage("finetune", {{"seed", 2}}, {}, "imitate");
  const auto keep = [&](const Store& store, const Stage& stage) {
    fs::create_directories(store.checkpoint_folder(stage.key));
    write_text(store.checkpoint_folder(stage.key) / "training.safetensors", "12345");
  };
  {
    StoreWriter store(root);
    keep(store, trained), keep(store, unneeded);
    store.abandon(store.begin(trained));
  }
  {
    StoreWriter store(root);
    EXPECT_EQ(store.checkpoints().size(), 2u) << "neither an interruption nor the next run removes one";
    const auto made = store.begin(trained);
    store.commit(trained, made, json::object(), 1);
    EXPECT_EQ(store.checkpoints(), std::vector{unneeded.key});
    keep(store, trained);  // as if it had been killed before it removed it
  }
  const Store reader(root);
  ASSERT_EQ(find_leftovers(reader).size(), 1u);
  EXPECT_EQ(find_leftovers(reader)[0].path, reader.checkpoint_folder(trained.key));
  EXPECT_TRUE(find_garbage(reader, {trained.key, unneeded.key}).checkpoints.empty());
  const auto garbage = find_garbage(reader, {trained.key}).checkpoints;
  ASSERT_EQ(garbage.size(), 1u);
  EXPECT_EQ(garbage[0].path, reader.checkpoint_folder(unneeded.key));
  EXPECT_EQ(garbage[0].bytes, 5u);
  StoreWriter next(root);
  EXPECT_EQ(next.checkpoints(), std::vector{unneeded.key});
}

TEST(Store, RefusesARunWhileAnotherProcessHasItAloneAndNamesThatOne) {
  Scratch scratch;
  StoreWriter first(scratch.path, {}, {.alone = true});
  try {
    StoreWriter second(scratch.path);
    FAIL() << "two writers";
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find("process " + std::to_string(::getpid())), std::string::npos);
    EXPECT_FALSE(error.help.empty());
  }
  const auto users = store_users(scratch.path);
  ASSERT_EQ(users.size(), 1u);
  EXPECT_EQ(users[0].holder.pid, ::getpid());
  EXPECT_EQ(users[0].holder.host, host_name());
  EXPECT_EQ(users[0].holder.since.size(), std::string("2025-01-31 12:00:00").size());
  EXPECT_NE(users[0].holder.command.find("interpreter_tests"), std::string::npos);
}

TEST(Store, IsSharedByRunsAndNotByWhatDeletes) {
  Scratch scratch;
  {
    StoreWriter first(scratch.path, {}, {.details = {{"file", "a.trl"}}}), second(scratch.path);
    EXPECT_EQ(first.number(), 1);
    EXPECT_EQ(second.number(), 2);
    EXPECT_NE(first.worker_log(), second.worker_log());
    ASSERT_EQ(store_users(scratch.path).size(), 2u);
    EXPECT_EQ(store_users(scratch.path)[0].holder.detail("file"), "a.trl");
    EXPECT_TRUE(first.has_others());
    EXPECT_THROW(StoreWriter(scratch.path, {}, {.alone = true}), UserError);
    int waited = 0;
    EXPECT_THROW(
        StoreWriter(scratch.path, {}, {.alone = true, .wait = [&](const Holder&) { return ++waited < 3; }}),
        UserError);
    EXPECT_EQ(waited, 3);
  }
  EXPECT_TRUE(store_users(scratch.path).empty()) << "locks go with their holders";
  StoreWriter alone(scratch.path, {}, {.alone = true});
  EXPECT_FALSE(alone.has_others());
}

TEST(Store, AStageIsClaimedByOneRunAtATime) {
  Scratch scratch;
  StoreWriter first(scratch.path), second(scratch.path);
  const auto stage = some_stage(1);
  {
    const auto claim = first.claim(stage);
    ASSERT_TRUE(claim);
    EXPECT_FALSE(second.claim(stage));
    EXPECT_TRUE(second.claim(some_stage(2)));
    EXPECT_EQ(second.maker(stage.key)->pid, ::getpid());
    EXPECT_EQ(second.maker(stage.key)->detail("stage"), stage.slot);
  }
  EXPECT_FALSE(second.maker(stage.key));
  EXPECT_TRUE(second.claim(stage));
  EXPECT_TRUE(fs::is_empty(scratch.path / "claims"));
}

TEST(Store, ARunThatBeginsLeavesTheFilesOfOthers) {
  Scratch scratch;
  StoreWriter first(scratch.path);
  const auto made = first.begin(some_stage(1));
  const auto claim = first.claim(some_stage(1));
  write_text(made / "tasks.json", "x");
  write_text(scratch.path / "tmp-run7-1-left", "by a run that was killed");
  StoreWriter second(scratch.path);
  EXPECT_FALSE(fs::exists(scratch.path / "tmp-run7-1-left"));
  EXPECT_FALSE(second.claim(some_stage(1)));
  first.commit(some_stage(1), made, {}, 1);
  EXPECT_TRUE(second.has(some_stage(1).key));
  EXPECT_TRUE(second.notices().empty());
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

TEST(Store, KnowsWhenAResultWasDamaged) {
  Scratch scratch;
  StoreWriter store(scratch.path);
  const auto stage = some_stage(1);
  put(store, stage);
  const auto file = store.folder(stage.key) / "tasks.json";
  EXPECT_FALSE(store.damage(stage.key, Check::contents));
  EXPECT_FALSE(store.damage(some_stage(2).key, Check::contents)) << "what is absent isn't damaged";
  const auto text = read_text(file);
  write_text(file, std::string(text.size(), 'x'));
  EXPECT_FALSE(store.damage(stage.key, Check::sizes));
  const auto digest = [](const std::string& contents) { return sha256_hex(contents).substr(0, 12) + "…"; };
  EXPECT_EQ(store.damage(stage.key, Check::contents),
            "the contents of tasks.json have changed: their SHA-256 is " +
                digest(std::string(text.size(), 'x')) + " instead of " + digest(text));
  write_text(file, "");
  EXPECT_EQ(store.damage(stage.key, Check::sizes),
            "tasks.json has 0 bytes instead of " + std::to_string(text.size()) + " bytes");
  const auto place = store.put_aside(stage.key);
  EXPECT_FALSE(store.has(stage.key));
  EXPECT_TRUE(fs::exists(place / "tasks.json"));
  put(store, stage);
  EXPECT_NE(store.put_aside(stage.key), place) << "a second one doesn't replace the first";
}

TEST(Store, NothingOfADamagedFileIsRead) {
  Scratch scratch;
  StoreWriter store(scratch.path);
  const auto stage = some_stage(1);
  put(store, stage);
  const auto file = store.folder(stage.key) / "tasks.json",
             described = store.folder(stage.key) / "stage.json";
  const auto result = store.result(stage.key);
  const auto text = read_text(file), description = read_text(described);
  EXPECT_EQ(result.value("tasks.json"), stage.spec);
  EXPECT_EQ(store.checked_folder(stage.key), store.folder(stage.key));
  const auto expect_damage = [&](const auto& read, const std::string& how) {
    try {
      read();
      ADD_FAILURE() << "nothing was found of: " << how;
    } catch (const DamagedResult& damage) {
      EXPECT_EQ(damage.key, stage.key);
      EXPECT_NE(damage.how.find(how), std::string::npos) << damage.how;
      EXPECT_NE(std::string(damage.what()).find(store.folder(stage.key).string()), std::string::npos);
      EXPECT_FALSE(damage.help.empty());
    }
  };
  const auto expect_everywhere = [&](const std::string& how) {
    expect_damage([&] { result.text("tasks.json"); }, how);
    expect_damage([&] { result.rows("tasks.json"); }, how);
    expect_damage([&] { result.digest("tasks.json"); }, how);
    expect_damage([&] { store.checked_folder(stage.key); }, how);
  };
  auto changed = text;
  changed[changed.find('1')] = '2';
  write_text(file, changed);
  expect_everywhere("the contents of tasks.json have changed");
  write_text(file, text.substr(1));
  expect_everywhere("tasks.json has ");
  fs::remove(file);
  expect_everywhere("it has no tasks.json");
  fs::create_directory(file);
  expect_everywhere("tasks.json isn't a file");
  fs::remove(file);
  write_text(file, text);
  expect_damage([&] { result.text("others.json"); }, "it has no others.json");

  for (const char* part : {"\"tasks\"", "\"bytes\"", "\"sha256\"", "0.5"}) {
    auto other = description;
    other[other.rfind(part) + 2] ^= 1;
    write_text(described, other);
    EXPECT_TRUE(Store(scratch.path).damage(stage.key, Check::sizes)) << part;
    expect_damage([&] { store.stage(stage.key); }, "stage.json");
  }
  write_text(described, description);
  EXPECT_EQ(store.stage(stage.key)["seconds"], 0.5);
  EXPECT_EQ(result.text("tasks.json"), text);
}

TEST(Store, AFileThatIsOutOfReachIsNoDamage) {
  if (::geteuid() == 0) GTEST_SKIP() << "root reads everything";
  Scratch scratch;
  StoreWriter store(scratch.path);
  const auto stage = some_stage(1);
  put(store, stage);
  fs::permissions(store.folder(stage.key) / "tasks.json", fs::perms::none);
  EXPECT_THROW(store.result(stage.key).text("tasks.json"), ReadError);
  EXPECT_THROW(store.damage(stage.key, Check::contents), ReadError);
}

TEST(Store, AResultThatIsMadeAnewIsReadByItsNewDigests) {
  Scratch scratch;
  StoreWriter store(scratch.path);
  const auto stage = some_stage(1);
  put(store, stage);
  store.checked_folder(stage.key);
  store.put_aside(stage.key);
  const auto made = store.begin(stage);
  write_text(made / "tasks.json", "other");
  store.commit(stage, made, {{"tasks", 1}}, 0.5);
  EXPECT_EQ(store.result(stage.key).text("tasks.json"), "other");
}

TEST(Store, ADamagedFolderInTheWayIsPutAside) {
  Scratch scratch;
  StoreWriter store(scratch.path);
  const auto stage = some_stage(1);
  fs::create_directories(store.folder(stage.key));
  write_text(store.folder(stage.key) / "half", "x");
  put(store, stage);
  EXPECT_FALSE(store.damage(stage.key, Check::contents));
}

TEST(Index, AnswersOfTenThousandResultsAreFew) {
  Scratch scratch;
  auto index = Index::open(scratch.path / "index.sqlite");
  std::vector<IndexEntry> entries;
  for (int i = 0; i < 10'000; ++i)
    entries.push_back({some_stage(i).key, i % 2 ? "sample" : "verify", "slot " + std::to_string(i / 40), 1});
  index.change(entries, {});
  EXPECT_EQ(index.entries().size(), 10'000u);
  EXPECT_EQ(index.keys_of("sample", "slot 3", 16).size(), 16u);
  EXPECT_EQ(index.keys_of("sample", "slot 3", 16).front(), entries[159].key) << "the latest first";
  EXPECT_EQ(index.keys_of("sample", "nowhere", 16).size(), 16u);
  EXPECT_TRUE(index.keys_of("corpus", "slot 3", 16).empty());
}

TEST(FileDigests, AreRememberedUntilTheFileChanges) {
  Scratch scratch;
  const auto file = scratch.path / "weights";
  write_text(file, std::string(1 << 20, '1'));
  const auto later = [] { return std::int64_t{1} << 40; };
  int checks = 0;
  const auto check = [&] { ++checks; };
  FileDigests first(scratch.path, later);
  const auto digest = first.of(file, check);
  FileDigests second(scratch.path, later);
  EXPECT_EQ(second.of(file, check), digest);
  EXPECT_EQ(second.computed(), 0);
  EXPECT_EQ(checks, 1);
  // The same length, written through another path to the same file, and with its old time.
  const auto time = fs::last_write_time(file);
  write_text(file, std::string(1 << 20, '2'));
  fs::last_write_time(file, time);
  FileDigests third(scratch.path, later);
  EXPECT_NE(third.of(file, check), digest);
  EXPECT_EQ(third.computed(), 1);
}

TEST(FileDigests, OfAFileThatMayStillChangeAreNotRemembered) {
  Scratch scratch;
  write_text(scratch.path / "weights", std::string(1 << 20, '1'));
  FileDigests(scratch.path).of(scratch.path / "weights", [] {});
  EXPECT_FALSE(fs::exists(scratch.path / "file_digests.json"));
}

TEST(FileDigests, ThatAreDamagedAreComputedAgain) {
  Scratch scratch;
  const auto file = scratch.path / "weights", kept = scratch.path / "file_digests.json";
  write_text(file, std::string(1 << 20, '1'));
  const auto later = [] { return std::int64_t{1} << 40; };
  const auto digest = FileDigests(scratch.path, later).of(file, [] {});
  auto text = read_text(kept);
  text[text.find(digest)] = digest[0] == '0' ? '1' : '0';
  for (const auto& damaged : {text, text.substr(0, 40), std::string()}) {
    write_text(kept, damaged);
    FileDigests digests(scratch.path, later);
    EXPECT_EQ(digests.of(file, [] {}), digest);
    EXPECT_EQ(digests.computed(), 1);
  }
}
