// Several threads have the same results as one: bytes, findings and counters.
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "tests/executor/compiled.hpp"
#include "tests/executor/same_run.hpp"

namespace trl::executor::test {
namespace {

/// Program i reads `block` elements from i · read_step + read_shift on, of x or, with `reads_output`, of the
/// output itself; then it stores `block` elements of the output from i · write_step + write_shift on. Where
/// the steps are smaller than the block, programs access the same elements; without masks they leave the
/// buffers.
struct Pattern {
  int n = 0, programs = 0, rows = 1, block = 0;
  int read_step = 0, read_shift = 0, write_step = 0, write_shift = 0;
  bool masked = true, reads_output = false, same_value = false, unwritten = false, loops = false,
       divides = false;

  std::string text() const {
    const std::string t = "tensor<" + std::to_string(block) + "xi32>",
                      p = "tensor<" + std::to_string(block) + "x!tt.ptr<i32>>",
                      m = masked ? ", %mask_read" : "", w = masked ? ", %mask_write" : "";
    const auto number = [](int value) { return std::to_string(value) + " : i32\n"; };
    std::string s = "module { tt.func public @k(%x: !tt.ptr<i32>, %out: !tt.ptr<i32>, %n: i32) {\n";
    s += "%read_step = arith.constant " + number(read_step) + "%write_step = arith.constant " +
         number(write_step);
    s += "%read_shift = arith.constant " + number(read_shift) + "%write_shift = arith.constant " +
         number(write_shift);
    s += "%one = arith.constant 1 : i32\n%zero = arith.constant 0 : i32\n";
    s += "%pid = tt.get_program_id x : i32\n%y = tt.get_program_id y : i32\n";
    s += "%range = tt.make_range {start = 0 : i32, end = " + std::to_string(block) + " : i32} : " + t + "\n";
    s += "%limit = tt.splat %n : i32 -> " + t + "\n%seven = arith.constant dense<7> : " + t + "\n";
    for (const std::string kind : {"read", "write"}) {
      s += "%a_" + kind + " = arith.muli %pid, %" + kind + "_step : i32\n%b_" + kind + " = arith.addi %a_" +
           kind + ", %" + kind + "_shift : i32\n%s_" + kind + " = tt.splat %b_" + kind + " : i32 -> " + t +
           "\n%i_" + kind + " = arith.addi %s_" + kind + ", %range : " + t + "\n%mask_" + kind +
           " = arith.cmpi ult, %i_" + kind + ", %limit : " + t + "\n";
    }
    s += "%xs = tt.splat %x : !tt.ptr<i32> -> " + p + "\n%os = tt.splat %out : !tt.ptr<i32> -> " + p + "\n";
    s += "%px = tt.addptr %xs, %i_read : " + p + ", " + t + "\n%po = tt.addptr %os, %i_write : " + p + ", " +
         t + "\n";
    s += "%v0 = tt.load %px" + m + " : " + p + " loc(\"k.py\":7:8)\n";
    if (reads_output) {
      s += "%pr = tt.addptr %os, %i_read : " + p + ", " + t + "\n%r = tt.load %pr" + m + " : " + p +
           " loc(\"k.py\":8:8)\n%v1 = arith.addi %v0, %r : " + t + "\n";
    } else {
      s += "%v1 = arith.addi %v0, %range : " + t + "\n";
    }
    if (loops) {  // later programs take longer
      s += "%v2 = scf.for %k = %zero to %pid step %one iter_args(%acc = %v1) -> (" + t +
           ") : i32 { %z = arith.addi %acc, %seven : " + t + " scf.yield %z : " + t + " }\n";
    } else {
      s += "%v2 = arith.muli %v1, %seven : " + t + "\n";
    }
    if (divides) s += "%q = arith.divsi %n, %pid : i32 loc(\"k.py\":9:4)\n";
    s += "tt.store %po, " + std::string(same_value ? "%seven" : "%v2") + w + " : " + p +
         " loc(\"k.py\":10:4)\ntt.return } }";
    return s;
  }

  Memory memory() const {
    Memory memory;
    std::vector<std::int32_t> x(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<std::int32_t>(i * 37 % 1001);
    memory.add_buffer("x", std::as_bytes(std::span(x)), false);
    if (unwritten) {
      memory.add_unwritten("out", x.size() * 4);
    } else {
      memory.add_buffer("out", std::as_bytes(std::span(x)), true);
    }
    return memory;
  }

  Launch launch() const {
    Launch launch;
    launch.grid[0] = static_cast<std::uint32_t>(programs);
    launch.grid[1] = static_cast<std::uint32_t>(rows);
    launch.args = {PointerArg{0, 0}, PointerArg{1, 0}, std::int32_t{n}};
    return launch;
  }
};

Pattern random_pattern(std::mt19937& random) {
  const auto below = [&random](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  Pattern pattern;
  pattern.block = 1 << below(8);
  pattern.programs = 1 + below(40);
  pattern.rows = below(4) == 0 ? 2 : 1;
  pattern.n = std::max(1, pattern.programs * pattern.block - below(pattern.block + 3) + below(3));
  pattern.read_step = below(4) == 0 ? below(pattern.block + 1) : pattern.block;
  pattern.write_step = below(4) == 0 ? below(pattern.block + 1) : pattern.block;
  pattern.read_shift = below(4) == 0 ? below(5) - 2 : 0;
  pattern.write_shift = below(5) == 0 ? below(5) - 2 : 0;
  pattern.masked = below(4) != 0;
  pattern.reads_output = below(4) == 0;
  pattern.same_value = below(5) == 0;
  pattern.unwritten = below(3) != 0;
  pattern.loops = below(3) == 0;
  pattern.divides = below(12) == 0;
  return pattern;
}

TEST(Threads, GiveWhatOneGives) {
  std::mt19937 random(11);
  int together = 0, with_findings = 0, races = 0;
  for (int round = 0; round < 400; ++round) {
    const Pattern pattern = random_pattern(random);
    const Module module = compiled(pattern.text());
    Options options;
    options.strict = random() % 2 == 0;
    options.races = random() % 4 != 0;
    options.order = random() % 2 == 0 ? 0 : random() | 1;
    options.threads_from = 0;
    if (random() % 8 == 0) options.limits.max_operations = 200 + random() % 20'000;
    Memory alone = pattern.memory();
    const Report expected = run(module, pattern.launch(), alone, options);
    EXPECT_EQ(expected.threads, 1);
    with_findings += !expected.findings.empty();
    for (const Finding& finding : expected.findings) races += finding.kind == Kind::race;
    for (const int threads : {2, 3, 8}) {
      options.threads = threads;
      Memory memory = pattern.memory();
      const Report report = run(module, pattern.launch(), memory, options);
      ASSERT_EQ(everything(report, memory), everything(expected, alone))
          << "round " << round << ", " << threads << " threads\n"
          << pattern.text();
      together += report.threads > 1;
    }
  }
  // All outcomes must have occurred, or the test would prove little.
  EXPECT_GT(together, 100);
  EXPECT_GT(with_findings, 50);
  EXPECT_GT(races, 50);
}

TEST(Threads, KeepApartProgramsThatWriteTheSameBytes) {
  Pattern pattern;
  pattern.n = 256;
  pattern.programs = 16;
  pattern.block = 32;
  pattern.read_step = 16;
  pattern.write_step = 16;
  pattern.same_value = true;
  Options options;
  options.threads = 4;
  options.threads_from = 0;
  Memory memory = pattern.memory();
  const Report report = run(compiled(pattern.text()), pattern.launch(), memory, options);
  EXPECT_TRUE(report.ok) << "the same bytes whatever the order are no race";
}

TEST(Threads, AtomicsStayInOrder) {
  // Each program takes a ticket and stores it at its own index, which shows the order.
  const Module module = compiled(R"(module { tt.func public @k(%next: !tt.ptr<i32>, %out: !tt.ptr<i32>) {
    %pid = tt.get_program_id x : i32
    %one = arith.constant 1 : i32
    %true = arith.constant true
    %t = tt.atomic_rmw add, acq_rel, gpu, %next, %one, %true : (!tt.ptr<i32>, i32, i1) -> i32
    %p = tt.addptr %out, %pid : !tt.ptr<i32>, i32
    tt.store %p, %t : !tt.ptr<i32>
    tt.return } })");
  Memory memory;
  const std::vector<std::int32_t> zero(1, 0);
  memory.add_buffer("next", std::as_bytes(std::span(zero)), true);
  memory.add_unwritten("out", 4 * 100);
  Launch launch;
  launch.grid[0] = 100;
  launch.args = {PointerArg{0, 0}, PointerArg{1, 0}};
  Options options;
  options.threads = 4;
  options.threads_from = 0;
  const Report report = run(module, launch, memory, options);
  EXPECT_TRUE(report.ok);
  EXPECT_EQ(report.threads, 1);
  for (std::int32_t i = 0; i < 100; ++i) {
    std::int32_t ticket;
    std::memcpy(&ticket, memory.buffer(1).bytes.data() + 4 * i, 4);
    EXPECT_EQ(ticket, i);
  }
}

TEST(Threads, LittleWorkStaysOnOne) {
  Pattern pattern;
  pattern.n = 256;
  pattern.programs = 4;
  pattern.block = 64;
  pattern.read_step = pattern.write_step = 64;
  Options options;
  options.threads = 4;
  Memory memory = pattern.memory();
  Launch launch = pattern.launch();
  EXPECT_EQ(run(compiled(pattern.text()), launch, memory, options).threads, 1);
  options.threads_from = 0;
  EXPECT_GT(run(compiled(pattern.text()), launch, memory, options).threads, 1);
}

TEST(Threads, EndlessProgramsEndAtTheSameOperation) {
  const Module module = compiled(R"(module { tt.func public @k(%out: !tt.ptr<i32>) {
    %pid = tt.get_program_id x : i32
    %five = arith.constant 5 : i32
    %p = tt.addptr %out, %pid : !tt.ptr<i32>, i32
    tt.store %p, %pid : !tt.ptr<i32>
    %stuck = arith.cmpi eq, %pid, %five : i32
    scf.while : () -> () { scf.condition(%stuck) } do { scf.yield }
    tt.return } })");
  std::string expected;
  for (const int threads : {1, 2, 5}) {
    Memory memory;
    memory.add_unwritten("out", 4 * 20);
    Launch launch;
    launch.grid[0] = 20;
    launch.args = {PointerArg{0, 0}};
    Options options;
    options.threads = threads;
    options.threads_from = 0;
    options.limits.max_operations = 30'000'000;
    const Report report = run(module, launch, memory, options);
    ASSERT_EQ(report.findings.size(), 1u);
    EXPECT_EQ(report.findings[0].kind, Kind::timeout);
    if (expected.empty()) expected = everything(report, memory);
    EXPECT_EQ(everything(report, memory), expected);
  }
}

}  // namespace
}  // namespace trl::executor::test
