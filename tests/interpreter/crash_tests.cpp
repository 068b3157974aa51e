// The real trl, killed or with a failing disk at every place where it changes files: its store stays
// complete, and the next run gives the same tables. Every 41st place is tried, with TRL_LONG_TESTS every
// seventh, and with TRL_CRASH_STRIDE=1 each one.
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <set>
#include <sstream>

#include "base/support/files.hpp"
#include "tests/has.hpp"
#include "tests/interpreter/trl_process.hpp"
#include "tests/long_tests.hpp"

using namespace trl;
using namespace trl::interpreter;
using namespace trl::interpreter::testing;
namespace fs = std::filesystem;

using trl::has;

namespace {

unsigned long stride() {
  const char* wanted = std::getenv("TRL_CRASH_STRIDE");
  if (wanted) return std::strtoul(wanted, nullptr, 10);
  return trl::long_tests() ? 7 : 41;
}

class Crash : public ::testing::Test {
 protected:
  using Files = std::map<std::string, std::string>;

  Crash() : folder_(TRL, FAKE_WORKER, fs::path(SOURCE) / "crash.trl") {
    const auto whole = folder_.trl("run study.trl --store whole --out whole.out");
    EXPECT_EQ(whole.status, 0) << whole.err;
    expected_ = folder_.files("whole.out/study");
  }

  std::string run(const std::string& name) const {
    return "run study.trl --store " + name + " --out " + name + ".out";
  }

  /// The report of an undisturbed run with the secret of a given store.
  const Files& expected(const std::string& store) {
    const auto secret = read_text(folder_.path() / store / "secret");
    if (secret == read_text(folder_.path() / "whole/secret")) return expected_;
    auto& files = others_[secret];
    if (files.empty()) {
      folder_.make_store("other", store);
      EXPECT_EQ(folder_.trl(run("other")).status, 0);
      files = folder_.files("other.out/study");
      remove("other");
    }
    return files;
  }

  /// Checks the state after an interrupted run: readers never get half a result, the same command continues
  /// to the same bytes, every digest is right, and no left-overs remain.
  void expect_recovers(const std::string& name) {
    const auto table = folder_.trl("table study.trl --store " + name + " --out " + name + ".table");
    EXPECT_TRUE(table.status == 0 || has(table.err, " lacks ")) << table.err;
    const auto resumed = folder_.trl(run(name));
    ASSERT_EQ(resumed.status, 0) << resumed.err;
    EXPECT_FALSE(has(resumed.err, "damaged:")) << resumed.err;
    EXPECT_EQ(folder_.files(name + ".out/study"), expected(name));
    const auto verified = folder_.trl("gc --verify --store " + name);
    EXPECT_EQ(verified.status, 0) << verified.out;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path() / name))
      EXPECT_FALSE(entry.path().filename().string().starts_with("tmp-")) << entry.path();
  }

  void remove(const std::string& name) {
    for (const char* rest : {"", ".out", ".table"}) fs::remove_all(folder_.path() / (name + rest));
  }

  /// An environment in which the disk fails, or the process is killed, at the k-th change of a run.
  TrlFolder::Environment failing(const std::string& name, const std::string& how, unsigned long at,
                                 int error = ENOSPC) const {
    write_text(folder_.path() / "counter", std::string(8, '\0'));
    return {{"LD_PRELOAD", FAILING_DISK},
            {"FAILING_DISK_UNDER", (folder_.path() / name).string()},
            {"FAILING_DISK_COUNTER", (folder_.path() / "counter").string()},
            {"FAILING_DISK_AT", std::to_string(at)},
            {"FAILING_DISK_HOW", how},
            {"FAILING_DISK_ERRNO", std::to_string(error)}};
  }
  /// The number of changes in the last run.
  unsigned long changes() const {
    unsigned long count = 0;
    std::memcpy(&count, read_text(folder_.path() / "counter").data(), sizeof count);
    return count;
  }

  TrlFolder folder_;
  Files expected_;
  std::map<std::string, Files> others_;
};

TEST_F(Crash, KilledAtEveryStepItGoesOnToTheSameBytes) {
  std::set<std::string> names;
  unsigned long kills = 0;
  // Runs with a store that already has its secret, and with one that has to create it, where the first steps
  // differ.
  for (const bool fresh : {false, true}) {
    remove("killed");
    if (!fresh) folder_.make_store("killed", "whole");
    const auto listed = folder_.trl(run("killed"), {{"TRL_FAILPOINT", "*=list"}});
    ASSERT_EQ(listed.status, 0) << listed.err;
    unsigned long count = 0;
    std::istringstream lines(listed.err);
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with("step: ")) names.insert(line.substr(6)), ++count;
    const auto last = fresh ? 6 : count;
    for (unsigned long k = 1; k <= last; k += fresh ? 1 : stride()) {
      SCOPED_TRACE("killed at step " + std::to_string(k) + " of " + std::to_string(count));
      remove("killed");
      if (!fresh) folder_.make_store("killed", "whole");
      const auto killed = folder_.trl(run("killed"), {{"TRL_FAILPOINT", "*:" + std::to_string(k) + "=kill"}});
      ASSERT_EQ(killed.signal, SIGKILL) << killed.err;
      ++kills;
      expect_recovers("killed");
    }
    std::cout << kills << " kills so far; " << count << " steps" << std::endl;
  }
  for (const char* name :
       {"locked", "left-overs removed", "secret begun", "secret written", "secret renamed", "index opened",
        "index repaired", "begun", "described", "synced", "shard made", "renamed", "rename synced", "indexed",
        "logged", "text written", "text synced", "text renamed"})
    EXPECT_TRUE(names.contains(name)) << name;
}

TEST_F(Crash, KilledAtEveryChangeOfAFileItGoesOnToTheSameBytes) {
  folder_.make_store("killed", "whole");
  ASSERT_EQ(folder_.trl(run("killed"), failing("killed", "kill", 0)).status, 0);
  const auto count = changes();
  ASSERT_GT(count, 100u);
  unsigned long kills = 0;
  for (unsigned long k = 1; k <= count; k += stride()) {
    SCOPED_TRACE("killed at change " + std::to_string(k) + " of " + std::to_string(count));
    remove("killed");
    folder_.make_store("killed", "whole");
    // A killed worker is started again, so trl itself may succeed.
    folder_.trl(run("killed"), failing("killed", "kill", k));
    kills += changes() >= k;
    expect_recovers("killed");
  }
  std::cout << kills << " kills at " << count << " changes of files" << std::endl;
}

class FullDisk : public Crash, public ::testing::WithParamInterface<const char*> {};

TEST_P(FullDisk, AtEveryChangeOfAFileSaysHowToGoOnAndGoesOn) {
  folder_.make_store("full", "whole");
  ASSERT_EQ(folder_.trl(run("full"), failing("full", "on", 0)).status, 0);
  const auto count = changes();
  const int reasons[] = {ENOSPC, EDQUOT, EIO};
  unsigned long failures = 0;
  for (unsigned long k = 1; k <= count; k += stride()) {
    const int reason = reasons[k / stride() % 3];
    SCOPED_TRACE("change " + std::to_string(k) + " of " + std::to_string(count) +
                 " fails: " + std::strerror(reason));
    remove("full");
    folder_.make_store("full", "whole");
    const auto failed = folder_.trl(run("full"), failing("full", GetParam(), k, reason));
    // SQLite tolerates some failures, such as a failing checkpoint.
    if (failed.status == 0) {
      EXPECT_EQ(folder_.files("full.out/study"), expected_);
    } else {
      ++failures;
      EXPECT_EQ(failed.status, 1) << failed.err;
      const auto words = unwrapped(failed.err);
      EXPECT_TRUE(has(words, "error: ") && has(words, "cannot ")) << failed.err;
      // For its own writes SQLite only reports that they failed. The reason is then asked of the disk, which
      // may work again by then.
      const bool lost = std::string(GetParam()) == "once" && has(words, "index.sqlite: Input/output error");
      EXPECT_TRUE(lost || has(words, std::strerror(reason))) << failed.err;
      EXPECT_TRUE(has(words, "run the same command again")) << failed.err;
      EXPECT_FALSE(has(words, "internal error of trl")) << failed.err;
    }
    expect_recovers("full");
  }
  EXPECT_GT(failures, 10u);
  std::cout << failures << " failed runs at " << count << " changes of files" << std::endl;
}
INSTANTIATE_TEST_SUITE_P(How, FullDisk, ::testing::Values("on", "once"),
                         [](const auto& info) { return std::string(info.param); });

// A read that fails, or finds the end of its file too early, at every place in the making of a table: the
// table is either the same or not written. The next run makes the unreadable results again.
TEST_F(Crash, AReadThatFailsMakesNoOtherTable) {
  const auto reads = [&](const std::string& how, unsigned long at) {
    auto environment = failing("whole", how, at, EIO);
    environment["FAILING_DISK_OF"] = "reads";
    return environment;
  };
  ASSERT_EQ(folder_.trl("table study.trl --store whole --out again", reads("once", 0)).status, 0);
  const auto count = changes();
  ASSERT_GT(count, 50u);
  EXPECT_EQ(folder_.files("again/study"), expected_);
  unsigned long refused = 0;
  for (unsigned long k = 1; k <= count; ++k)
    for (const char* how : {"once", "end"}) {
      SCOPED_TRACE("read " + std::to_string(k) + " of " + std::to_string(count) + ": " + how);
      fs::remove_all(folder_.path() / "again");
      const auto table = folder_.trl("table study.trl --store whole --out again", reads(how, k));
      if (table.status == 0) {
        EXPECT_EQ(folder_.files("again/study"), expected_);
        continue;
      }
      ++refused;
      EXPECT_EQ(table.status, 1) << table.err;
      EXPECT_TRUE(has(table.err, "error: ") && !has(table.err, "internal error of trl")) << table.err;
      EXPECT_FALSE(fs::exists(folder_.path() / "again/study")) << table.err;
    }
  EXPECT_GT(refused, 10u);
  unsigned long mended = 0;
  for (unsigned long k = 1; k <= count; k += std::max(1ul, stride() / 6)) {
    SCOPED_TRACE("run, read " + std::to_string(k));
    remove("broken");
    fs::copy(folder_.path() / "whole", folder_.path() / "broken", fs::copy_options::recursive);
    auto environment = reads(k % 2 ? "end" : "once", k);
    environment["FAILING_DISK_UNDER"] = (folder_.path() / "broken/stages").string();
    const auto ran = folder_.trl(run("broken"), environment);
    ASSERT_EQ(ran.status, 0) << ran.err;
    mended += has(ran.err, "damaged:");
    EXPECT_EQ(folder_.files("broken.out/study"), expected_);
  }
  EXPECT_GT(mended, 0u);
  std::cout << refused << " refused tables of " << count << " reads, " << mended << " mended runs"
            << std::endl;
}

// A file system that is really full: a tmpfs in a user namespace.
TEST_F(Crash, ARunOnATinyDiskGoesOnWhenThereIsRoom) {
  const auto mountable = folder_.shell("unshare -Urm sh -c 'mount -t tmpfs none /mnt'");
  if (mountable.status != 0) GTEST_SKIP() << "no tmpfs can be mounted in a user namespace: " << mountable.err;
  const auto result = folder_.shell(
      "mkdir tiny && unshare -Urm sh -c '"
      "mount -t tmpfs -o size=160k none tiny && mkdir tiny/store && cp whole/secret tiny/store/secret;"
      "$trl run study.trl --store tiny/store --out tiny/out; echo first $?;"
      "mount -o remount,size=64m tiny;"
      "$trl run study.trl --store tiny/store --out tiny/out >/dev/null; echo second $?;"
      "$trl gc --verify --store tiny/store >/dev/null; echo verified $?;"
      "cp -r tiny/out copied'");
  EXPECT_TRUE(has(result.out, "first 1\n")) << result.out << result.err;
  EXPECT_TRUE(has(unwrapped(result.err), "No space left on device")) << result.err;
  EXPECT_TRUE(has(unwrapped(result.err), "Free space there and run the same command again")) << result.err;
  EXPECT_TRUE(has(result.out, "second 0\nverified 0\n")) << result.out << result.err;
  EXPECT_EQ(folder_.files("copied/study"), expected_);
}

TEST_F(Crash, ATableThatAFullDiskCutShortIsAnError) {
  const auto result = folder_.shell("$trl table study.trl --store whole --out whole.out > /dev/full");
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(has(result.err, "cannot write to standard output")) << result.err;
}

TEST_F(Crash, ATestingAidThatIsMisspeltIsAnError) {
  const auto result = folder_.trl(run("some"), {{"TRL_FAILPOINT", "renamed"}});
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(has(result.err, "TRL_FAILPOINT")) << result.err;
}

}  // namespace
