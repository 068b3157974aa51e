// Defines what races and deadlocks are. case_tests.cpp runs the kernels of
// tests/benchmarks/executor/race_kernels.py, which test the same in Triton's own language.
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <random>
#include <regex>

#include "tests/executor/compiled.hpp"
#include "tests/executor/same_run.hpp"
#include "verifier/executor/access/clocks.hpp"
#include "verifier/executor/access/threads.hpp"
#include "verifier/executor/machine/fiber.hpp"

namespace trl::executor {
namespace {

using Times = std::map<std::uint32_t, std::uint32_t>;

TEST(Races, ClocksAreMapsThatAreJoined) {
  std::mt19937 random(5);
  ClockPool pool;
  std::vector<std::pair<Clock, Times>> all;
  all.emplace_back();
  for (int round = 0; round < 4000; ++round) {
    const auto& [clock, times] = all[random() % all.size()];
    const auto& [other, other_times] = all[random() % all.size()];
    Times want = times;
    Clock made;
    if (random() % 2 == 0) {
      const std::uint32_t line = random() % 2 == 0 ? random() % 8 : random() % (1u << 23);
      const std::uint32_t time = 1 + random() % 5;
      want[line] = std::max(want[line], time);
      made = Clock(pool, pool.with(clock.id(), line, time));
    } else {
      for (const auto& [line, time] : other_times) want[line] = std::max(want[line], time);
      made = Clock(pool, pool.join(clock.id(), other.id()));
    }
    for (const auto& [line, time] : want) ASSERT_EQ(pool.at(made.id(), line), time);
    ASSERT_EQ(pool.at(made.id(), 1u << 22 | 5), want.contains(1u << 22 | 5) ? want[1u << 22 | 5] : 0);
    const auto& [third, third_times] = all[random() % all.size()];
    bool knows = true;
    for (const auto& [line, time] : want)
      knows = knows && third_times.contains(line) && third_times.at(line) >= time;
    const auto beyond = pool.beyond(made.id(), third.id());
    ASSERT_EQ(!beyond, knows);
    if (beyond) {
      ASSERT_EQ(want.at(beyond->timeline), beyond->time);
      ASSERT_LT(pool.at(third.id(), beyond->timeline), beyond->time);
    }
    if (all.size() < 40) {
      all.emplace_back(std::move(made), std::move(want));
    } else {
      all[1 + random() % 39] = {std::move(made), std::move(want)};
    }
  }
}

// Without this, two counters that programs change by turns would take time that grows with the square of the
// programs.
TEST(Races, AJoinWithALaterClockIsThatClock) {
  std::mt19937 random(6);
  ClockPool pool;
  Clock earlier, later;
  for (std::uint32_t i = 1; i <= 300; ++i) {
    const std::uint32_t line = random() % 1000;
    earlier = Clock(pool, pool.with(earlier.id(), line, i));
    later = Clock(pool, pool.with(later.id(), line, i + 1));
    for (int again = 0; again < 2; ++again) {  // the second time it is remembered
      ASSERT_EQ(Clock(pool, pool.join(earlier.id(), later.id())).id(), later.id());
      ASSERT_EQ(Clock(pool, pool.join(later.id(), earlier.id())).id(), later.id());
    }
  }
}

TEST(Races, PiecesBelongToElements) {
  Threads threads;
  const auto piece = [](std::int64_t begin, std::int32_t elements, std::int32_t first) {
    Piece made;
    made.begin = begin;
    made.bytes = elements * 4;
    made.first = first;
    made.size = 4;
    made.runs = elements > 1;
    return made;
  };
  threads.stored(piece(0, 16, 0));
  EXPECT_EQ(threads.stored_elsewhere(piece(0, 16, 0)), nullptr);
  EXPECT_EQ(threads.stored_elsewhere(piece(8, 2, 2)), nullptr);
  EXPECT_NE(threads.stored_elsewhere(piece(8, 2, 0)), nullptr);
  EXPECT_NE(threads.stored_elsewhere(piece(60, 4, 0)), nullptr);
  EXPECT_EQ(threads.stored_elsewhere(piece(64, 4, 0)), nullptr) << "behind it";
  EXPECT_NE(threads.stored_elsewhere(piece(0, 1, Piece::by_all)), nullptr);
  threads.stored(piece(8, 2, 0));  // the newest store counts
  EXPECT_EQ(threads.stored_elsewhere(piece(8, 2, 0)), nullptr);
  EXPECT_EQ(threads.stored_elsewhere(piece(16, 12, 4)), nullptr) << "what it left";
  // All loads count.
  threads.loaded(piece(0, 16, 0));
  threads.loaded(piece(16, 1, Piece::by_all));
  EXPECT_EQ(threads.loaded_elsewhere(piece(0, 4, 0)), nullptr);
  EXPECT_EQ(threads.loaded_elsewhere(piece(20, 11, 5)), nullptr);
  EXPECT_NE(threads.loaded_elsewhere(piece(0, 16, 0)), nullptr);
  threads.barrier();
  EXPECT_EQ(threads.loaded_elsewhere(piece(0, 16, 3)), nullptr);
  EXPECT_EQ(threads.stored_elsewhere(piece(0, 16, 3)), nullptr);
}

TEST(Races, FibersTakeTurnsAndHandOnWhatTheyThrow) {
  std::string said;
  Fiber a(1 << 16), b(1 << 16);
  a.start([&] {
    said += "a1 ";
    a.suspend();
    said += "a2 ";
  });
  b.start([&] {
    said += "b1 ";
    b.suspend();
    throw std::runtime_error("b2");
  });
  a.resume();
  b.resume();
  a.resume();
  EXPECT_TRUE(a.ended());
  EXPECT_FALSE(b.ended());
  EXPECT_THROW(b.resume(), std::runtime_error);
  EXPECT_TRUE(b.ended());
  b.start([&] { said += "b3"; });
  b.resume();
  EXPECT_EQ(said, "a1 b1 a2 b3");
}

/// Lines of TTIR that access the word %w and the flag %f, named `add`, `wait 3`…; see below.
struct Words {
  Memory memory;
  Launch launch;
  Options options;

  explicit Words(std::uint32_t programs) {
    const std::vector<std::int32_t> zeros(1024);
    memory.add_buffer("words", std::as_bytes(std::span(zeros)), true);
    memory.add_buffer("flags", std::as_bytes(std::span(zeros)), true);
    launch.grid[0] = programs;
    launch.args = {PointerArg{0, 0}, PointerArg{1, 0}};
    options.limits.max_operations = 50'000'000;
  }

  /// Runs `zero` in program 0, `one` in program 1, and `others` in all other programs.
  Report run(const std::string& zero, const std::string& one, const std::string& others = "") {
    const std::string text =
        "module { tt.func public @k(%w: !tt.ptr<i32>, %f: !tt.ptr<i32>) {\n"
        "%pid = tt.get_program_id x : i32\n%c0 = arith.constant 0 : i32\n%c1 = arith.constant 1 : i32\n"
        "%c7 = arith.constant 7 : i32\n%true = arith.constant true\n%r = tt.make_range {start = 0 : i32, end "
        "= 8 : i32} : "
        "tensor<8xi32>\n%ws = tt.splat %w : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>\n%wb = tt.addptr %ws, %r "
        ": "
        "tensor<8x!tt.ptr<i32>>, tensor<8xi32>\n%is0 = arith.cmpi eq, %pid, %c0 : i32\n%is1 = arith.cmpi eq, "
        "%pid, %c1 : "
        "i32\nscf.if %is0 {\n" +
        zero + "\n} else {\nscf.if %is1 {\n" + one + "\n} else {\n" + others + "\n}\n}\ntt.return } }";
    return executor::run(compiled(text), launch, memory, options);
  }
};

std::string rmw(const std::string& name, const std::string& kind, const std::string& order,
                const std::string& scope, const std::string& place, const std::string& value) {
  return "%" + name + " = tt.atomic_rmw " + kind + ", " + order + ", " + scope + ", %" + place + ", %" +
         value + ", %true : (!tt.ptr<i32>, i32, i1) -> i32\n";
}

/// A loop that runs until the flag isn't 0.
std::string poll(const std::string& order, const std::string& scope = "gpu") {
  return "scf.while : () -> () {\n" + rmw("seen", "add", order, scope, "f", "c0") +
         "%again = arith.cmpi eq, %seen, %c0 : i32\nscf.condition(%again)\n} do {\nscf.yield\n}\n";
}

const std::string store_word = "tt.store %w, %c7 : !tt.ptr<i32>\n",
                  load_word = "%v = tt.load %w : !tt.ptr<i32>\n",
                  store_block = "tt.store %wb, %r : tensor<8x!tt.ptr<i32>>\n",
                  load_block = "%v = tt.load %wb : tensor<8x!tt.ptr<i32>>\n", barrier = "gpu.barrier\n";

bool races(const std::string& zero, const std::string& one) {
  std::vector<bool> found;
  for (const std::uint64_t order : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}) {
    Words words(2);
    words.options.order = order;
    const Report report = words.run(zero, one);
    for (const Finding& finding : report.findings) EXPECT_EQ(finding.kind, Kind::race) << finding.message;
    found.push_back(!report.findings.empty());
  }
  EXPECT_EQ(std::count(found.begin(), found.end(), found[0]), 10) << "it depends on the order";
  return found[0];
}

TEST(Races, AFlagOrdersWhatLiesBeforeIt) {
  const std::string set = rmw("old", "exch", "release", "gpu", "f", "c1");
  EXPECT_FALSE(races(store_word + set, poll("acquire") + load_word));
  EXPECT_FALSE(races(store_word + rmw("old", "exch", "acq_rel", "sys", "f", "c1"),
                     poll("acq_rel", "sys") + load_word));
  EXPECT_TRUE(races(set + store_word, poll("acquire") + load_word)) << "behind the release";
  EXPECT_TRUE(races(store_word + set, load_word + poll("acquire"))) << "before the acquire";
  EXPECT_TRUE(races(store_word + set, poll("relaxed") + load_word));
  EXPECT_TRUE(races(store_word + set, poll("release") + load_word));
  EXPECT_TRUE(
      races(store_word + rmw("old", "exch", "relaxed", "gpu", "f", "c1"), poll("acquire") + load_word));
  EXPECT_TRUE(
      races(store_word + rmw("old", "exch", "acquire", "gpu", "f", "c1"), poll("acquire") + load_word));
}

TEST(Races, ScopesWithinAProgramOrderNothing) {
  EXPECT_TRUE(
      races(store_word + rmw("old", "exch", "release", "cta", "f", "c1"), poll("acquire") + load_word));
  EXPECT_TRUE(
      races(rmw("a", "add", "acq_rel", "cta", "w", "c1"), rmw("a", "add", "acq_rel", "cta", "w", "c1")));
  EXPECT_FALSE(
      races(rmw("a", "add", "relaxed", "gpu", "w", "c1"), rmw("a", "add", "relaxed", "sys", "w", "c1")));
}

TEST(Races, AReleaseByTheLeaderCoversTheBlockUpToABarrier) {
  const std::string set = rmw("old", "exch", "release", "gpu", "f", "c1");
  EXPECT_FALSE(races(store_block + barrier + set, poll("acquire") + load_block));
  EXPECT_TRUE(races(store_block + set, poll("acquire") + load_block));
  EXPECT_TRUE(races(barrier + store_block + set, poll("acquire") + load_block));
}

TEST(Races, AtomicsAndPlainAccessesMix) {
  const std::string add = rmw("a", "add", "relaxed", "gpu", "w", "c1");
  EXPECT_TRUE(races(add, store_word));
  EXPECT_TRUE(races(add, load_word));
  EXPECT_FALSE(races(rmw("a", "add", "relaxed", "gpu", "w", "c0"), load_word)) << "it changes nothing";
  EXPECT_FALSE(races(add, "%v = tt.load %w {isVolatile = true} : !tt.ptr<i32>\n"));
  EXPECT_TRUE(races(store_word, "%v = tt.load %w {isVolatile = true} : !tt.ptr<i32>\n"));
}

TEST(Races, StoresOfOneValueAreNone) {
  EXPECT_FALSE(races(store_word, store_word));
  EXPECT_TRUE(races(store_word, "tt.store %w, %c1 : !tt.ptr<i32>\n"));
}

/// The first word after `programs` programs have run what `text` says.
std::int32_t word_after(std::uint32_t programs, const std::string& text, std::uint64_t order,
                        bool interleaved) {
  Words words(programs);
  words.options.strict = false;
  words.options.order = order;
  words.options.interleaved = interleaved;
  words.run(text, text, text);
  std::int32_t word = 0;
  std::memcpy(&word, words.memory.buffer(0).bytes.data(), sizeof word);
  return word;
}

TEST(Races, ShowInTheValuesOfInterleavedPrograms) {
  const std::string count = load_word + "%n = arith.addi %v, %c1 : i32\ntt.store %w, %n : !tt.ptr<i32>\n",
                    atomically = rmw("a", "add", "relaxed", "gpu", "w", "c1"),
                    name = "tt.store %w, %pid : !tt.ptr<i32>\n";
  for (const std::uint64_t order : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
    for (const std::uint32_t programs : {2u, 20u, 300u}) {
      EXPECT_EQ(word_after(programs, count, order, false), static_cast<int>(programs));
      EXPECT_LT(word_after(programs, count, order, true), static_cast<int>(programs)) << "updates are lost";
      EXPECT_EQ(word_after(programs, atomically, order, true), static_cast<int>(programs));
      EXPECT_NE(word_after(programs, name, order, false), word_after(programs, name, order, true))
          << "another program is the last";
    }
}

TEST(Races, OfOneStoreEndTheOtherWayRoundToo) {
  const std::string twice =
      "%z = arith.constant dense<0> : tensor<8xi32>\n%same = tt.addptr %ws, %z : tensor<8x!tt.ptr<i32>>, "
      "tensor<8xi32>\ntt.store %same, %r : tensor<8x!tt.ptr<i32>>\n";
  EXPECT_EQ(word_after(1, twice, 0, false), 7);
  EXPECT_EQ(word_after(1, twice, 0, true), 0);
}

TEST(Races, AllReadersComeBeforeAStoreBehindABarrierOfAllPrograms) {
  // Every program reads the word, then counts; the first one waits for all others, and stores.
  const std::string count = load_word + barrier + rmw("n", "add", "acq_rel", "gpu", "f", "c1");
  const std::string wait =
      "%all = arith.constant 20 : i32\n" + count + "scf.while : () -> () {\n" +
      rmw("seen", "add", "acquire", "gpu", "f", "c0") +
      "%again = arith.cmpi ne, %seen, %all : i32\nscf.condition(%again)\n} do {\nscf.yield\n}\n" + store_word;
  for (const std::uint64_t order : {0, 1, 2, 3}) {
    Words words(20);
    words.options.order = order;
    const Report report = words.run(wait, count, count);
    EXPECT_TRUE(report.ok) << report.findings.at(0).message;
  }
  const std::string relaxed = std::regex_replace(count, std::regex("acq_rel"), "relaxed");
  Words words(20);
  EXPECT_FALSE(words.run(wait, relaxed, count).ok) << "one of many doesn't release";
}

TEST(Races, ThreadsOfOneProgramMeetAtBarriers) {
  // The block stores its elements, then every thread loads the word of element 0.
  const auto alone = [](const std::string& text) {
    Words words(1);
    return words.run(text, "");
  };
  EXPECT_TRUE(alone(store_block + barrier + load_word).ok);
  EXPECT_TRUE(alone(store_block + load_block).ok) << "each thread its own";
  const Report report = alone(store_block + load_word);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].kind, Kind::race);
  EXPECT_EQ(report.findings[0].message,
            "program (0, 0, 0) loads offset 0 of words, which another of its threads stores, with no barrier "
            "between them");
  ASSERT_TRUE(report.findings[0].other);
  EXPECT_EQ(report.findings[0].other->program[0], 0u);
  const std::string to_one =
      "%q = tt.splat %w : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>\n%half = arith.divsi %r, %two : "
      "tensor<8xi32>\n%p = tt.addptr %q, %half : tensor<8x!tt.ptr<i32>>, tensor<8xi32>\n";
  const std::string two = "%two = arith.constant dense<2> : tensor<8xi32>\n";
  EXPECT_TRUE(alone(two + to_one + "tt.store %p, %half : tensor<8x!tt.ptr<i32>>\n").ok);
  const Report twice = alone(two + to_one + "tt.store %p, %r : tensor<8x!tt.ptr<i32>>\n");
  ASSERT_EQ(twice.findings.size(), 1u);
  EXPECT_NE(twice.findings[0].message.find("twice at once"), std::string::npos) << twice.findings[0].message;
}

TEST(Races, AWaitThatNobodyEndsIsADeadlock) {
  for (const std::uint64_t order : {0, 1, 2}) {
    Words words(3);
    words.options.order = order;
    const Report report = words.run(poll("acquire"), poll("acquire"), store_word);
    ASSERT_EQ(report.findings.size(), 1u);
    EXPECT_EQ(report.findings[0].kind, Kind::deadlock);
    EXPECT_FALSE(report.ok);
    EXPECT_EQ(report.findings[0].message,
              "program (0, 0, 0) waits for offset 0 of flags to change, and every other program has ended or "
              "waits too");
    EXPECT_LT(report.counters.operations, 10'000u) << "no time is spent on waiting";
  }
}

TEST(Races, ProgramsMayBeWaitedForThatAGpuHasBegun) {
  const std::string set = rmw("old", "exch", "release", "gpu", "f", "c1");
  // Program 0 waits for program `last`, which sets the flag.
  const auto report = [&](std::uint32_t programs, std::uint32_t last, std::uint64_t order) {
    Words words(programs);
    words.options.order = order;
    return words.run(poll("acquire"), "",
                     "%last = arith.constant " + std::to_string(last) +
                         " : i32\n%mine = arith.cmpi eq, %pid, %last : i32\n"
                         "scf.if %mine {\n" +
                         set + "}\n");
  };
  for (const std::uint64_t order : {0, 3}) {
    EXPECT_TRUE(report(200, 199, order).ok) << "the others end and make room";
    EXPECT_TRUE(report(100, 99, order).ok);
  }
  // All but the last program wait for it.
  const auto all_wait = [&](std::uint32_t programs) {
    Words words(programs);
    words.options.order = 5;
    return words.run(poll("acquire"), poll("acquire"),
                     "%last = arith.constant " + std::to_string(programs - 1) +
                         " : i32\n%mine = arith.cmpi eq, %pid, %last : i32\nscf.if %mine {\n" + set +
                         "} else {\n" + poll("acquire") + "}\n");
  };
  EXPECT_TRUE(all_wait(132).ok);
  const Report stuck = all_wait(134);
  ASSERT_FALSE(stuck.findings.empty());
  EXPECT_EQ(stuck.findings.back().kind, Kind::deadlock);
}

TEST(Races, RunsWithWaitsRepeat) {
  const std::string count = rmw("n", "add", "acq_rel", "gpu", "f", "c1");
  for (const std::uint64_t order : {0, 1, 2, 3}) {
    std::string first;
    for (int round = 0; round < 2; ++round) {
      Words words(50);
      words.options.order = order;
      const Report report = words.run(poll("acquire") + store_word, count + load_word, count + store_word);
      const std::string all = test::everything(report, words.memory);
      if (round == 0) first = all;
      EXPECT_EQ(all, first);
    }
  }
}

}  // namespace
}  // namespace trl::executor
