#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "tests/executor/compiled.hpp"
#include "verifier/executor/executor.hpp"
#include "verifier/executor/launch/program_order.hpp"

namespace trl::executor {
namespace {

std::span<const std::byte> raw(const std::vector<float>& values) { return std::as_bytes(std::span(values)); }

std::vector<float> floats(const Memory& memory, int buffer) {
  std::vector<float> values(memory.buffer(buffer).bytes.size() / 4);
  std::memcpy(values.data(), memory.buffer(buffer).bytes.data(), values.size() * 4);
  return values;
}

/// out[i] = 2 x[i] for i < n, in blocks of 64.
const char* const twice = R"(
module {
  tt.func public @twice(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32) {
    %c64 = arith.constant 64 : i32
    %pid = tt.get_program_id x : i32
    %start = arith.muli %pid, %c64 : i32
    %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %s = tt.splat %start : i32 -> tensor<64xi32>
    %i = arith.addi %s, %range : tensor<64xi32>
    %m = tt.splat %n : i32 -> tensor<64xi32>
    %mask = arith.cmpi slt, %i, %m : tensor<64xi32>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %px = tt.addptr %xs, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %v = tt.load %px, %mask : tensor<64x!tt.ptr<f32>> loc("kernel.py":7:8)
    %w = arith.addf %v, %v : tensor<64xf32>
    %os = tt.splat %out : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %po = tt.addptr %os, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    tt.store %po, %w, %mask : tensor<64x!tt.ptr<f32>> loc("kernel.py":8:4)
    tt.return
  }
}
)";

struct Twice {
  Module module = compiled(twice);
  Memory memory;
  Launch launch;
  explicit Twice(int n, std::uint32_t programs) {
    std::vector<float> x(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
    memory.add_buffer("x", raw(x), false);
    memory.add_unwritten("out", x.size() * 4);
    launch.grid[0] = programs;
    launch.args = {PointerArg{0, 0}, PointerArg{1, 0}, std::int32_t{n}};
  }
};

TEST(Run, ComputesAndCounts) {
  Twice work(100, 2);
  const Report report = run(work.module, work.launch, work.memory);
  EXPECT_TRUE(report.ok);
  EXPECT_TRUE(work.memory.all_written(1, 0, 400));
  for (std::size_t i = 0; i < 100; ++i) EXPECT_EQ(floats(work.memory, 1)[i], 2.0f * static_cast<float>(i));
  EXPECT_EQ(report.counters.programs, 2u);
  EXPECT_EQ(report.counters.loads, 2u);
  EXPECT_EQ(report.counters.stores, 2u);
  EXPECT_EQ(report.counters.bytes_read, 400u);
  EXPECT_EQ(report.counters.bytes_written, 400u);
  EXPECT_EQ(report.counters.sectors_read, 13u) << "400 bytes are 12.5 sectors of 32";
  EXPECT_EQ(report.counters.sectors_written_first, 13u);
  EXPECT_EQ(report.counters.flops, 128u);
}

TEST(Run, ReportsTheFirstByteOutside) {
  Twice work(100, 2);
  work.launch.args[2] = std::int32_t{128};
  const Report report = run(work.module, work.launch, work.memory);
  EXPECT_FALSE(report.ok);
  ASSERT_EQ(report.findings.size(), 2u);
  const Finding& load = report.findings[0];
  EXPECT_EQ(load.kind, Kind::out_of_bounds_load);
  EXPECT_EQ(load.message, "load of 4 bytes at offset 400 of x (400 bytes)");
  EXPECT_EQ(load.file, "kernel.py");
  EXPECT_EQ(load.line, 7);
  EXPECT_EQ(load.column, 9);
  EXPECT_EQ(load.program[0], 1u);
  EXPECT_EQ(load.buffer, 0);
  EXPECT_EQ(load.offset, 400);
  EXPECT_EQ(report.findings[1].kind, Kind::out_of_bounds_store);
}

TEST(Run, AStoreIsStrayThatIsNoTailOfABlock) {
  constexpr int end = 400 + (16 << 10) - 256;  // where 256 bytes end 16 KiB behind the buffer
  for (const auto& [offset, kind] : {std::pair{end, Kind::out_of_bounds_store},
                                     {end + 4, Kind::stray_store},
                                     {60000, Kind::stray_store},
                                     {-4, Kind::stray_store}}) {
    Twice work(100, 1);  // writes 256 of the buffer's 400 bytes
    work.launch.args[1] = PointerArg{1, offset};
    Options options;
    options.strict = false;
    const Report report = run(work.module, work.launch, work.memory, options);
    ASSERT_EQ(report.findings.empty(), false) << offset;
    EXPECT_EQ(report.findings.back().kind, kind) << offset;
    EXPECT_EQ(name(report.findings.back().kind), "out_of_bounds_store");
    EXPECT_EQ(report.ok, is_memory_error(kind));
  }
}

TEST(Run, StopsAtTheFirstFindingWhenAsked) {
  Twice work(100, 2);
  work.launch.args[2] = std::int32_t{128};
  Options options;
  options.max_findings = 1;
  EXPECT_EQ(run(work.module, work.launch, work.memory, options).findings.size(), 1u);
}

TEST(Run, TolerantReadsGivePoisonAndStrayStoresGoNowhere) {
  Twice work(100, 2);
  work.launch.args[0] = PointerArg{0, -8};
  Options options;
  options.strict = false;
  const Report report = run(work.module, work.launch, work.memory, options);
  EXPECT_TRUE(report.ok);
  EXPECT_EQ(report.findings.size(), 1u);
  EXPECT_TRUE(std::isnan(floats(work.memory, 1)[0]));
  EXPECT_EQ(floats(work.memory, 1)[2], 0.0f);
  EXPECT_EQ(floats(work.memory, 1)[3], 2.0f);
}

TEST(Run, AnotherPoisonIsLargeAndFinite) {
  Twice work(100, 2);
  work.launch.args[0] = PointerArg{0, -8};
  Options options;
  options.strict = false;
  options.poison = 0x7B;
  run(work.module, work.launch, work.memory, options);
  EXPECT_TRUE(std::isfinite(floats(work.memory, 1)[0]));
  EXPECT_GT(floats(work.memory, 1)[0], 1e30f);
}

TEST(Run, LanesThatAMaskLeavesOutAreZeroAndCounted) {
  const Module module =
      compiled(R"(module { tt.func public @k(%x: !tt.ptr<f16>, %out: !tt.ptr<f32>, %n: i32) {
    %i = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %m = tt.splat %n : i32 -> tensor<8xi32>
    %mask = arith.cmpi slt, %i, %m : tensor<8xi32>
    %xs = tt.splat %x : !tt.ptr<f16> -> tensor<8x!tt.ptr<f16>>
    %px = tt.addptr %xs, %i : tensor<8x!tt.ptr<f16>>, tensor<8xi32>
    %v = tt.load %px, %mask : tensor<8x!tt.ptr<f16>>
    %w = arith.extf %v : tensor<8xf16> to tensor<8xf32>
    %os = tt.splat %out : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
    %po = tt.addptr %os, %i : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    tt.store %po, %w : tensor<8x!tt.ptr<f32>>
    tt.return } })");
  const std::vector<std::uint16_t> ones(5, 0x3C00);
  for (const std::uint8_t poison : {0xFF, 0x7B}) {
    Memory memory;
    memory.add_buffer("x", std::as_bytes(std::span(ones)), false);
    memory.add_buffer("out", raw(std::vector<float>(8, 7.0f)), true);
    Launch launch;
    launch.args = {PointerArg{0, 0}, PointerArg{1, 0}, std::int32_t{5}};
    Options options;
    options.poison = poison;
    const Report report = run(module, launch, memory, options);
    EXPECT_TRUE(report.ok);
    EXPECT_EQ(report.counters.unfilled_loads, 1u);
    EXPECT_EQ(floats(memory, 1), (std::vector<float>{1, 1, 1, 1, 1, 0, 0, 0}));
    launch.args[2] = std::int32_t{0};
    EXPECT_EQ(run(module, launch, memory, options).counters.unfilled_loads, 1u);
    options.unfilled = 0x3C;  // 0x3C3C
    EXPECT_TRUE(run(module, launch, memory, options).ok);
    EXPECT_EQ(floats(memory, 1), std::vector<float>(8, 1.05859375f));
  }
  Twice work(128, 2);
  EXPECT_EQ(run(work.module, work.launch, work.memory).counters.unfilled_loads, 0u) << "no lane was left out";
}

TEST(Run, FindsMisalignedAddresses) {
  Twice work(100, 1);
  work.launch.args[0] = PointerArg{0, 2};
  work.launch.args[2] = std::int32_t{10};
  const Report report = run(work.module, work.launch, work.memory);
  ASSERT_FALSE(report.findings.empty());
  EXPECT_EQ(report.findings[0].kind, Kind::misaligned);
}

TEST(Run, RefusesArgumentsThatDoNotFit) {
  Twice work(100, 2);
  const auto refused = [&work](std::vector<Argument> args) {
    Launch launch = work.launch;
    launch.args = std::move(args);
    const Report report = run(work.module, launch, work.memory);
    return !report.ok && report.findings.size() == 1 && report.findings[0].kind == Kind::launch;
  };
  EXPECT_TRUE(refused({}));
  EXPECT_TRUE(refused({PointerArg{0, 0}, PointerArg{1, 0}, 1.0f}));
  EXPECT_TRUE(refused({PointerArg{0, 0}, PointerArg{1, 0}, std::int64_t{1} << 40}));
  EXPECT_TRUE(refused({PointerArg{9, 0}, PointerArg{1, 0}, std::int32_t{1}}));
  EXPECT_TRUE(refused({std::int32_t{3}, PointerArg{1, 0}, std::int32_t{1}}));
  Launch unknown = work.launch;
  unknown.kernel = "other";
  EXPECT_EQ(run(work.module, unknown, work.memory).findings[0].kind, Kind::launch);
  Launch large = work.launch;
  large.grid[1] = 70000;
  EXPECT_EQ(run(work.module, large, work.memory).findings[0].kind, Kind::launch);
}

TEST(Run, EndsEndlessLoopsDeterministically) {
  const Module module = compiled(R"(module { tt.func public @k() {
    %true = arith.constant true
    scf.while : () -> () { scf.condition(%true) } do { scf.yield }
    tt.return } })");
  Memory memory;
  Options options;
  options.limits.max_operations = 100'000;
  const Report a = run(module, {}, memory, options), b = run(module, {}, memory, options);
  ASSERT_EQ(a.findings.size(), 1u);
  EXPECT_EQ(a.findings[0].kind, Kind::timeout);
  EXPECT_FALSE(a.ok);
  EXPECT_EQ(a.counters.operations, b.counters.operations);
}

TEST(Run, EndsEndlessBranches) {
  const Module module = compiled("module { tt.func public @k() { cf.br ^bb1 ^bb1: cf.br ^bb1 } }");
  Memory memory;
  Options options;
  options.limits.max_operations = 100'000;
  EXPECT_EQ(run(module, {}, memory, options).findings.at(0).kind, Kind::timeout);
}

TEST(Run, CarryingLargeBlocksThroughALoopIsWorkToo) {
  const Module module = compiled(R"(module { tt.func public @k(%n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %a = tt.make_range {end = 524288 : i32, start = 0 : i32} : tensor<524288xi32>
    %b = tt.make_range {end = 524289 : i32, start = 1 : i32} : tensor<524288xi32>
    %r:2 = scf.for %i = %zero to %n step %one iter_args(%x = %a, %y = %b) -> (tensor<524288xi32>, tensor<524288xi32>) : i32 {
      scf.yield %y, %x : tensor<524288xi32>, tensor<524288xi32>
    }
    tt.return } })");
  Memory memory;
  Launch launch;
  launch.args = {std::int32_t{1'000'000'000}};
  Options options;
  options.limits.max_operations = 20'000'000;
  EXPECT_EQ(run(module, launch, memory, options).findings.at(0).kind, Kind::timeout);
}

TEST(Run, AsksWhetherItIsCancelled) {
  Twice work(100, 2);
  Options options;
  options.limits.cancelled = [] { return true; };
  EXPECT_EQ(run(work.module, work.launch, work.memory, options).findings.at(0).kind, Kind::timeout);
}

TEST(Run, RefusesMoreBlocksThanAllowed) {
  Twice work(100, 2);
  Options options;
  options.limits.max_block_bytes = 1000;
  const Report report = run(work.module, work.launch, work.memory, options);
  EXPECT_EQ(report.findings.at(0).kind, Kind::unsupported);
}

TEST(Run, NoArithmeticReachesAnotherBuffer) {
  const Module module =
      compiled(R"(module { tt.func public @k(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %by: i64) {
    %p = tt.addptr %x, %by : !tt.ptr<f32>, i64
    %q = tt.addptr %p, %by : !tt.ptr<f32>, i64
    %r = tt.addptr %q, %by : !tt.ptr<f32>, i64
    %v = tt.load %r : !tt.ptr<f32>
    tt.store %out, %v : !tt.ptr<f32>
    tt.return } })");
  for (const std::int64_t by : {std::int64_t{1} << 46, std::int64_t{1} << 45, -(std::int64_t{1} << 46),
                                INT64_MAX, INT64_MIN, std::int64_t{1} << 62, (std::int64_t{1} << 46) / 3}) {
    Memory memory;
    for (int i = 0; i < 4; ++i)
      memory.add_buffer("b" + std::to_string(i), raw(std::vector<float>(4, 7.0f)), true);
    Launch launch;
    launch.args = {PointerArg{1, 0}, PointerArg{2, 0}, by};
    const Report report = run(module, launch, memory);
    ASSERT_EQ(report.findings.size(), 1u) << by;
    EXPECT_EQ(report.findings[0].kind, Kind::out_of_bounds_load);
    EXPECT_EQ(report.findings[0].buffer, 1);
  }
}

TEST(Run, RacesAreFoundOnlyWhenAskedFor) {
  const Module module = compiled(R"(module { tt.func public @k(%out: !tt.ptr<i32>) {
    %pid = tt.get_program_id x : i32
    tt.store %out, %pid : !tt.ptr<i32>
    tt.return } })");
  Launch launch;
  launch.grid[0] = 3;
  launch.args = {PointerArg{0, 0}};
  Options options;
  for (const bool races : {true, false}) {
    Memory memory;
    memory.add_unwritten("out", 4);
    options.races = races;
    const Report report = run(module, launch, memory, options);
    EXPECT_EQ(report.ok, !races);
    if (races) {
      EXPECT_EQ(report.findings.at(0).message,
                "program (1, 0, 0) stores to offset 0 of out, which program (0, 0, 0) writes too in the same "
                "launch");
    }
  }
}

TEST(Run, RacesAreSeenByteByByte) {
  // Programs store adjacent bytes after one stored a word elsewhere, which is no race; then over that word,
  // which is one.
  const auto text = [](const std::string& offset) {
    return "module { tt.func public @k(%out: !tt.ptr<i32>) {\n"
           "%pid = tt.get_program_id x : i32\n%zero = arith.constant 0 : i32\n%by = arith.constant " +
           offset +
           " : i32\n%first = arith.cmpi eq, %pid, %zero : i32\n"
           "scf.if %first { tt.store %out, %by : !tt.ptr<i32> }\n"
           "%b = tt.bitcast %out : !tt.ptr<i32> -> !tt.ptr<i8>\n%i = arith.addi %pid, %by : i32\n"
           "%p = tt.addptr %b, %i : !tt.ptr<i8>, i32\n%v = arith.trunci %pid : i32 to i8\n"
           "tt.store %p, %v : !tt.ptr<i8>\ntt.return } }";
  };
  for (const bool over : {false, true}) {
    Memory memory;
    memory.add_unwritten("out", 8);
    Launch launch;
    launch.grid[0] = 4;
    launch.args = {PointerArg{0, 0}};
    EXPECT_EQ(run(compiled(text(over ? "0" : "4")), launch, memory).ok, !over);
  }
}

TEST(Run, EveryOrderRunsEachProgramOnce) {
  for (const std::uint64_t count : {1u, 2u, 3u, 4u, 5u, 31u, 64u, 65u, 1000u, 4096u, 70001u}) {
    for (const std::uint64_t seed :
         {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{2}, ~std::uint64_t{0}}) {
      const ProgramOrder order(count, seed);
      std::vector<bool> seen(count, false);
      std::uint64_t in_place = 0;
      for (std::uint64_t i = 0; i < count; ++i) {
        ASSERT_LT(order(i), count);
        EXPECT_FALSE(seen[order(i)]) << count << " programs, seed " << seed;
        seen[order(i)] = true;
        in_place += order(i) == i;
      }
      if (seed == 0) {
        EXPECT_EQ(in_place, count);
      } else if (count >= 31) {
        EXPECT_LT(in_place, count / 4);
      }
    }
  }
}

TEST(Run, AReversedOrderIsTheSameFromItsEnd) {
  for (const std::uint64_t seed : {0, 1, 2}) {
    const ProgramOrder order(70001, seed), reversed(70001, seed, true);
    for (std::uint64_t i = 0; i < 70001; ++i) ASSERT_EQ(reversed(i), order(70000 - i));
  }
}

TEST(Run, NeighboursRunInEitherOrder) {
  const std::uint64_t count = 512;
  for (std::uint64_t seed = 1; seed < 50; ++seed) {
    const ProgramOrder order(count, seed);
    std::vector<std::uint64_t> when(count);
    for (std::uint64_t i = 0; i < count; ++i) when[order(i)] = i;
    int later = 0;
    for (std::uint64_t i = 0; i + 1 < count; ++i) later += when[i] > when[i + 1];
    EXPECT_GT(later, 128) << "seed " << seed;
    EXPECT_LT(later, 384) << "seed " << seed;
  }
}

// Program i of 4 × 8 stores i + 1 at 2 i and, if there is no mask, zeros at 2 i + 1 and at 2 i + 2, which
// belongs to its neighbour.
const char* const overlapping = R"(module { tt.func public @k(%out: !tt.ptr<i32>) {
    %x = tt.get_program_id x : i32
    %y = tt.get_program_id y : i32
    %c4 = arith.constant 4 : i32
    %c1 = arith.constant 1 : i32
    %c0 = arith.constant dense<0> : tensor<4xi32>
    %row = arith.muli %y, %c4 : i32
    %pid = arith.addi %row, %x : i32
    %two = arith.addi %pid, %pid : i32
    %v = arith.addi %pid, %c1 : i32
    %range = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %is = tt.splat %two : i32 -> tensor<4xi32>
    %i = arith.addi %is, %range : tensor<4xi32>
    %first = arith.cmpi eq, %range, %c0 : tensor<4xi32>
    %vs = tt.splat %v : i32 -> tensor<4xi32>
    %w = arith.select %first, %vs, %c0 : tensor<4xi1>, tensor<4xi32>
    %o = tt.splat %out : !tt.ptr<i32> -> tensor<4x!tt.ptr<i32>>
    %p = tt.addptr %o, %i : tensor<4x!tt.ptr<i32>>, tensor<4xi32>
    tt.store %p, %w : tensor<4x!tt.ptr<i32>>
    tt.return } })";

TEST(Run, WhatANeighbourDamagesShowsOutOfTheGridsOrder) {
  const Module module = compiled(overlapping);
  Launch launch;
  launch.grid[0] = 4;
  launch.grid[1] = 8;
  launch.args = {PointerArg{0, 0}};
  const auto values = [&](std::uint64_t seed) {
    Memory memory;
    memory.add_unwritten("out", 64 * 4);
    Options options;
    options.strict = false;
    options.order = seed;
    EXPECT_FALSE(run(module, launch, memory, options).findings.empty());
    std::vector<std::int32_t> out(64);
    std::memcpy(out.data(), memory.buffer(0).bytes.data(), 64 * 4);
    return out;
  };
  const auto damaged = [&](std::uint64_t seed) {
    int count = 0;
    const std::vector<std::int32_t> out = values(seed);
    for (int i = 0; i < 32; ++i) count += out[static_cast<std::size_t>(2 * i)] != i + 1;
    return count;
  };
  EXPECT_EQ(damaged(0), 0) << "the next program repairs it";
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    EXPECT_GT(damaged(seed), 0) << "seed " << seed;
    EXPECT_EQ(values(seed), values(seed));
  }
}

TEST(Run, AnOrderChangesNothingForProgramsThatKeepApart) {
  for (const std::uint64_t seed : {0u, 1u, 2u, 3u}) {
    Twice work(1000, 16);
    Options options;
    options.order = seed;
    const Report report = run(work.module, work.launch, work.memory, options);
    EXPECT_TRUE(report.ok);
    EXPECT_EQ(report.counters.programs, 16u);
    EXPECT_EQ(report.counters.sectors_read_first, 125u);
    for (std::size_t i = 0; i < 1000; ++i) EXPECT_EQ(floats(work.memory, 1)[i], 2.0f * static_cast<float>(i));
  }
}

TEST(Run, WaitingForAnEarlierProgramEnds) {
  // Each program waits until the count equals its own number, then increments it.
  const Module module = compiled(R"(module { tt.func public @k(%count: !tt.ptr<i32>) {
    %pid = tt.get_program_id x : i32
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %true = arith.constant true
    %done = scf.while (%a = %zero) : (i32) -> i32 {
      %now = tt.atomic_rmw add, acq_rel, gpu, %count, %zero, %true : (!tt.ptr<i32>, i32, i1) -> i32
      %again = arith.cmpi ne, %now, %pid : i32
      scf.condition(%again) %a : i32
    } do {
    ^bb0(%b: i32):
      scf.yield %b : i32
    }
    %old = tt.atomic_rmw add, acq_rel, gpu, %count, %one, %true : (!tt.ptr<i32>, i32, i1) -> i32
    tt.return } })");
  Memory memory;
  memory.add_buffer("count", std::vector<std::byte>(4), true);
  Launch launch;
  launch.grid[0] = 16;
  launch.args = {PointerArg{0, 0}};
  Options options;
  options.order = 7;
  options.limits.max_operations = 1'000'000;
  EXPECT_TRUE(run(module, launch, memory, options).ok);
}

TEST(Run, AssertionsFail) {
  const Module module = compiled(R"(module { tt.func public @k(%c: i1) {
    tt.assert %c, "n must be even" : i1
    tt.return } })");
  Memory memory;
  Launch launch;
  launch.args = {false};
  EXPECT_EQ(run(module, launch, memory).findings.at(0).message, "device assertion failed: n must be even");
  launch.args = {true};
  EXPECT_TRUE(run(module, launch, memory).ok);
}

TEST(Run, LoopsCountAsTheirTypeDoes) {
  // 250 to 255 in unsigned i8 is -6 to -1 in signed: the same loop. 5 to 250 unsigned is an empty loop when
  // signed.
  const auto rounds = [](const std::string& keyword, int low, int high, int step) {
    Memory memory;
    memory.add_buffer("out", std::vector<std::byte>(4), true);
    const Module module = compiled(
        "module { tt.func public @k(%out: !tt.ptr<i32>, %low: i8, %high: i8, %step: i8) {\n"
        "%one = arith.constant 1 : i32\n%zero = arith.constant 0 : i32\n"
        "%n = scf.for " +
        keyword +
        "%i = %low to %high step %step iter_args(%a = %zero) -> (i32) : i8 {\n"
        "%b = arith.addi %a, %one : i32\nscf.yield %b : i32 }\n"
        "tt.store %out, %n : !tt.ptr<i32>\ntt.return } }");
    Launch launch;
    launch.args = {PointerArg{0, 0}, std::int32_t{low}, std::int32_t{high}, std::int32_t{step}};
    const Report report = run(module, launch, memory);
    std::int32_t count;
    std::memcpy(&count, memory.buffer(0).bytes.data(), 4);
    return report.ok ? count : -1;
  };
  EXPECT_EQ(rounds("", 0, 10, 3), 4);
  EXPECT_EQ(rounds("", 5, 250, 1), 0);
  EXPECT_EQ(rounds("unsigned ", 5, 250, 5), 49);
  EXPECT_EQ(rounds("", -128, 127, 127), 3);
  EXPECT_EQ(rounds("", 0, 10, 0), -1);
}

TEST(Run, PackedConstantsAreTheirBytes) {
  const auto stored = [](const std::string& constant) {
    const std::size_t element = constant.rfind('x') + 1;
    const std::string type = constant.substr(element, constant.rfind('>') - element);
    const std::string pointer = "!tt.ptr<" + (type == "i1" ? "i8" : type) + ">";
    const Module module = compiled(
        "module { tt.func public @k(%out: " + pointer + ") {\n%c = arith.constant dense<" + constant + "\n" +
        (type == "i1" ? "%v = arith.extui %c : tensor<4xi1> to tensor<4xi8>\n" : "") +
        "%i = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>\n%s = tt.splat %out : " +
        pointer + " -> tensor<4x" + pointer + ">\n%p = tt.addptr %s, %i : tensor<4x" + pointer +
        ">, tensor<4xi32>\ntt.store %p, " + (type == "i1" ? "%v" : "%c") + " : tensor<4x" + pointer +
        ">\ntt.return } }");
    Memory memory;
    memory.add_unwritten("out", 32, true);
    Launch launch;
    launch.args = {PointerArg{0, 0}};
    EXPECT_TRUE(run(module, launch, memory).ok);
    std::vector<int> bytes;
    for (const std::byte one : memory.buffer(0).bytes) bytes.push_back(std::to_integer<int>(one));
    return bytes;
  };
  const auto begins = [](std::vector<int> bytes, const std::vector<int>& wanted) {
    bytes.resize(wanted.size());
    return bytes == wanted;
  };
  EXPECT_TRUE(begins(stored("\"0x0100FF7F\"> : tensor<4xi8>"), {1, 0, 255, 127}));
  EXPECT_TRUE(begins(stored("\"0x803F0040404080FF\"> : tensor<4xbf16>"),
                     {0x80, 0x3F, 0, 0x40, 0x40, 0x40, 0x80, 0xFF}));
  EXPECT_TRUE(begins(stored("\"0x0000803F\"> : tensor<4xf32>"),
                     {0, 0, 0x80, 0x3F, 0, 0, 0x80, 0x3F, 0, 0, 0x80, 0x3F}));
  EXPECT_TRUE(begins(stored("\"0x0A\"> : tensor<4xi1>"), {0, 1, 0, 1}));
  for (const std::string wrong :
       {"\"0x01\"> : tensor<4xi32>", "\"0x0\"> : tensor<4xi8>", "\"0102\"> : tensor<4xi8>",
        "\"\"> : tensor<4xi8>", "\"0x0G\"> : tensor<4xi8>", "\"0x010203\"> : tensor<4xi8>"}) {
    EXPECT_TRUE(std::holds_alternative<ParseError>(
        parse("module { tt.func public @k() {\n%c = arith.constant dense<" + wrong + "\ntt.return } }")))
        << wrong;
  }
}

}  // namespace
}  // namespace trl::executor
