// Addresses that a host put into a table, which a kernel makes pointers of.
#include <gtest/gtest.h>

#include <cstring>

#include "tests/executor/compiled.hpp"
#include "verifier/executor/executor.hpp"

namespace trl::executor {
namespace {

constexpr std::uint64_t address_of_x = 0x1234'5678'9ABC'DE00, address_of_out = 0x2345'0000'0000'0100;

/// Loads a float from the address table[0] and stores it at table[1].
const char* const moves = R"(
module {
  tt.func public @moves(%table: !tt.ptr<i64>) {
    %one = arith.constant 1 : i32
    %a = tt.load %table : !tt.ptr<i64>
    %next = tt.addptr %table, %one : !tt.ptr<i64>, i32
    %b = tt.load %next : !tt.ptr<i64>
    %x = tt.int_to_ptr %a : i64 -> !tt.ptr<f32>
    %out = tt.int_to_ptr %b : i64 -> !tt.ptr<f32>
    %v = tt.load %x : !tt.ptr<f32> loc("kernel.py":7:8)
    tt.store %out, %v : !tt.ptr<f32> loc("kernel.py":8:4)
    tt.return
  }
}
)";

/// Two buffers that have addresses, one of 8 bytes that has none, and a table.
struct Tables {
  Memory memory;
  Launch launch;

  Tables(std::uint64_t from, std::uint64_t to) {
    const float x[] = {1, 2, 3, 4};
    memory.add_buffer("x", std::as_bytes(std::span(x)), false);
    memory.add_unwritten("out", 16);
    memory.add_unwritten("hidden", 8);
    const std::uint64_t table[] = {from, to};
    memory.add_buffer("table", std::as_bytes(std::span(table)), true);
    memory.buffer(0).address = address_of_x;
    memory.buffer(1).address = address_of_out;
    launch.args = {PointerArg{3, 0}};
  }

  Report run() { return executor::run(compiled(moves), launch, memory); }

  float out(int at) const {
    float value;
    std::memcpy(&value, memory.buffer(1).bytes.data() + 4 * at, sizeof value);
    return value;
  }
};

TEST(Addresses, LeadToTheirBuffers) {
  Tables tables(address_of_x + 8, address_of_out + 4);
  EXPECT_TRUE(tables.run().ok);
  EXPECT_EQ(tables.out(1), 3);
  EXPECT_TRUE(tables.memory.all_written(1, 4, 4));
  EXPECT_FALSE(tables.memory.all_written(1, 0, 4));
}

TEST(Addresses, AreCheckedLikePointers) {
  const Report behind = Tables(address_of_x + 16, address_of_out).run();
  ASSERT_EQ(behind.findings.size(), 1u);
  EXPECT_EQ(behind.findings[0].message, "load of 4 bytes at offset 16 of x (16 bytes)");
  EXPECT_EQ(behind.findings[0].line, 7);
  const Report before = Tables(address_of_x, address_of_out - 4).run();
  ASSERT_EQ(before.findings.size(), 1u);
  EXPECT_EQ(before.findings[0].message, "store of 4 bytes at offset -4 of out (16 bytes)");
  const Report crooked = Tables(address_of_x + 2, address_of_out).run();
  ASSERT_EQ(crooked.findings.size(), 1u);
  EXPECT_EQ(crooked.findings[0].kind, Kind::misaligned);
  const Report written = Tables(address_of_x, address_of_x).run();
  ASSERT_EQ(written.findings.size(), 1u);
  EXPECT_EQ(written.findings[0].kind, Kind::read_only_store);
}

// What a kernel holds as a pointer within the executor, numbers near 0, and what is far from every address.
TEST(Addresses, OtherNumbersLeadNowhere) {
  for (const std::uint64_t number :
       {std::uint64_t{0}, std::uint64_t{1} << 48, (std::uint64_t{1} << 48) + (std::uint64_t{1} << 47),
        (std::uint64_t{3} << 48) + (std::uint64_t{1} << 47), address_of_x + Memory::address_distance,
        address_of_x - Memory::address_distance, ~std::uint64_t{0}}) {
    const Report report = Tables(number, address_of_out).run();
    ASSERT_EQ(report.findings.size(), 1u) << number;
    EXPECT_EQ(report.findings[0].message, "load of 4 bytes through a pointer that belongs to no buffer");
  }
}

TEST(Addresses, AreWhatPointersAreAsNumbers) {
  const Module module = compiled(R"(
module {
  tt.func public @numbers(%x: !tt.ptr<f32>, %table: !tt.ptr<i64>) {
    %two = arith.constant 2 : i32
    %there = tt.addptr %x, %two : !tt.ptr<f32>, i32
    %number = tt.ptr_to_int %there : !tt.ptr<f32> -> i64
    tt.store %table, %number : !tt.ptr<i64>
    tt.return
  }
}
)");
  Tables tables(0, 0);
  const auto number = [&](int buffer) {
    tables.launch.args = {PointerArg{buffer, 4}, PointerArg{3, 0}};
    EXPECT_TRUE(run(module, tables.launch, tables.memory).ok);
    std::uint64_t value;
    std::memcpy(&value, tables.memory.buffer(3).bytes.data(), sizeof value);
    return value;
  };
  EXPECT_EQ(number(0), address_of_x + 12);
  EXPECT_EQ(number(2), 0u) << "the buffer has no address";
}

TEST(Addresses, OfAPlaceMayBeAnArgument) {
  const Module module = compiled(R"(
module {
  tt.func public @fills(%where: i64) {
    %v = arith.constant 5.0 : f32
    %range = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %bytes = arith.extsi %range : tensor<4xi32> to tensor<4xi64>
    %four = arith.constant dense<4> : tensor<4xi64>
    %steps = arith.muli %bytes, %four : tensor<4xi64>
    %base = tt.splat %where : i64 -> tensor<4xi64>
    %numbers = arith.addi %base, %steps : tensor<4xi64>
    %to = tt.int_to_ptr %numbers : tensor<4xi64> -> tensor<4x!tt.ptr<f32>>
    %vs = tt.splat %v : f32 -> tensor<4xf32>
    tt.store %to, %vs : tensor<4x!tt.ptr<f32>>
    tt.return
  }
}
)");
  Tables tables(0, 0);
  tables.launch.args = {PointerArg{1, 0}};
  EXPECT_TRUE(run(module, tables.launch, tables.memory).ok);
  EXPECT_EQ(tables.out(0), 5);
  EXPECT_EQ(tables.out(3), 5);
  tables.launch.args = {PointerArg{2, 0}};
  EXPECT_FALSE(run(module, tables.launch, tables.memory).ok) << "the buffer has no address";
}

}  // namespace
}  // namespace trl::executor
