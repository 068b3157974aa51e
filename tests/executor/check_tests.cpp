// What the machine relies on is checked: forged texts are refused with a position in the text. Programs that
// no text could produce, made by changing one thing at a time, are refused or run without a crash.
#include "verifier/executor/check/check.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>

#include "tests/executor/forged_texts.hpp"
#include "verifier/executor/executor.hpp"
#include "verifier/executor/launch/trace.hpp"
#include "verifier/executor/text/lexer.hpp"

namespace trl::executor {
namespace {

std::string checked_kernel(const std::string& body) {
  return "module {\n  tt.func public @k(%x: !tt.ptr<f32>, %n: i32, %c: i1) {\n" + body + "  }\n}\n";
}

void expect_refused(const std::string& body, const std::string& why, int line) {
  const auto parsed = parse(checked_kernel(body));
  const auto* error = std::get_if<ParseError>(&parsed);
  ASSERT_NE(error, nullptr) << body;
  EXPECT_NE(error->message.find(why), std::string::npos) << error->message << "\n" << body;
  EXPECT_EQ(error->line, line) << error->message << "\n" << body;
  EXPECT_GT(error->column, 0);
}

TEST(Check, ADefinitionComesBeforeItsUsesOnEveryPath) {
  const std::string why = "isn't defined on every path";
  // The definition is on a path that a branch skips.
  expect_refused(R"(    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    %v = arith.addi %n, %n : i32
    cf.br ^bb2
  ^bb2:
    %w = arith.addi %v, %n : i32
    tt.return
)",
                 why, 8);
  // The definition is in a block that never runs.
  expect_refused(R"(    cf.br ^bb2
  ^bb1:
    %v = arith.constant dense<1.0> : tensor<64xf32>
    %w = tt.reshape %v : tensor<64xf32> -> tensor<8x8xf32>
    cf.br ^bb2
  ^bb2:
    %u = tt.reshape %w : tensor<8x8xf32> -> tensor<64xf32>
    %s = arith.addf %u, %u : tensor<64xf32>
    tt.return
)",
                 why, 9);
  // The use is as a branch's value, and inside a region.
  expect_refused(R"(    cf.cond_br %c, ^bb1, ^bb2(%n : i32)
  ^bb1:
    %v = arith.addi %n, %n : i32
    cf.cond_br %c, ^bb2(%v : i32), ^bb3
  ^bb2(%a: i32):
    cf.br ^bb4(%v : i32)
  ^bb3:
    cf.br ^bb4(%n : i32)
  ^bb4(%b: i32):
    tt.return
)",
                 why, 8);
  expect_refused(R"(    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    %v = arith.addi %n, %n : i32
    cf.br ^bb2
  ^bb2:
    scf.if %c {
      %w = arith.addi %v, %n : i32
    }
    tt.return
)",
                 why, 9);
  // The use is in the graph of blocks of a reduction.
  expect_refused(R"(    %b = arith.constant dense<1> : tensor<8xi32>
    %r = "tt.reduce"(%b) <{axis = 0 : i32}> ({
    ^bb0(%l: i32, %m: i32):
      cf.cond_br %c, ^bb1, ^bb2
    ^bb1:
      %v = arith.addi %l, %m : i32
      cf.br ^bb2
    ^bb2:
      tt.reduce.return %v : i32
    }) : (tensor<8xi32>) -> i32
    tt.return
)",
                 why, 11);
}

TEST(Check, WhatIsDefinedOnEveryPathMayBeUsed) {
  for (const char* body : {R"(    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    cf.br ^bb3(%n : i32)
  ^bb2:
    %v = arith.addi %n, %n : i32
    cf.br ^bb3(%v : i32)
  ^bb3(%a: i32):
    %w = arith.addi %a, %n : i32
    tt.return
)",
                           // A loop of branches, whose values are used in the blocks after it.
                           R"(    %v = arith.addi %n, %n : i32
    cf.br ^bb1(%n : i32)
  ^bb1(%i: i32):
    %w = arith.addi %i, %v : i32
    cf.cond_br %c, ^bb2, ^bb3
  ^bb2:
    %u = arith.addi %w, %i : i32
    cf.br ^bb1(%u : i32)
  ^bb3:
    %s = arith.addi %w, %i : i32
    tt.return
)",
                           // An unreachable block may use any value, since it never runs.
                           R"(    cf.br ^bb2
  ^bb1:
    %v = arith.addi %n, %n : i32
    cf.br ^bb2
  ^bb2:
    tt.return
  ^bb3:
    %w = arith.addi %v, %n : i32
    tt.return
)"}) {
    const auto parsed = parse(checked_kernel(body));
    if (const auto* error = std::get_if<ParseError>(&parsed)) ADD_FAILURE() << error->message << body;
  }
}

TEST(Check, AReductionIsTakenForALoopOnlyWhereItsRegionIsOneBlock) {
  // A branch replaces the return, so there is no operand to compare.
  expect_refused(R"(    %b = arith.constant dense<1> : tensor<8xi32>
    %r = "tt.reduce"(%b) <{axis = 0 : i32}> ({
    ^bb0(%l: i32, %m: i32):
      %v = arith.addi %l, %m : i32
      cf.br ^bb7
    }) : (tensor<8xi32>) -> i32
    tt.return
)",
                 "there is no block of this name", 7);
  const auto parsed = parse(checked_kernel(R"(    %b = arith.constant dense<1.0> : tensor<8xf32>
    %r = "tt.reduce"(%b) <{axis = 0 : i32}> ({
    ^bb0(%l: f32, %m: f32):
      %v = arith.addf %l, %m : f32
      cf.br ^bb1
    ^bb1:
      tt.reduce.return %l : f32
    }) : (tensor<8xf32>) -> f32
    tt.store %x, %r : !tt.ptr<f32>
    tt.return
)"));
  ASSERT_TRUE(std::holds_alternative<Module>(parsed));
  Memory memory;
  memory.add_unwritten("x", 4);
  Launch launch;
  launch.args = {PointerArg{0, 0}, std::int32_t{0}, true};
  EXPECT_TRUE(run(std::get<Module>(parsed), launch, memory).ok);
  float first = 0;
  std::memcpy(&first, memory.buffer(0).bytes.data(), 4);
  EXPECT_EQ(first, 1.0f) << "it gives its first, not the sum";
}

TEST(Check, ARegionThatHasBlocksOfItsOwnRunsOnSingleElements) {
  // There is one condition per element, but a block of another size: on whole blocks the two would be read
  // together.
  const auto parsed = parse(checked_kernel(R"(    %b = arith.constant dense<1.0> : tensor<4xf32>
    %t = arith.constant dense<2.0> : tensor<65536xf32>
    %ti = tt.make_range {end = 65536 : i32, start = 0 : i32} : tensor<65536xi32>
    %tf = arith.sitofp %ti : tensor<65536xi32> to tensor<65536xf32>
    %r = "tt.reduce"(%b) <{axis = 0 : i32}> ({
    ^bb0(%l: f32, %m: f32):
      %q = arith.cmpf olt, %l, %m : f32
      %w = arith.select %q, %tf, %t : tensor<65536xf32>
      %v = arith.addf %l, %m : f32
      tt.reduce.return %v : f32
    }) : (tensor<4xf32>) -> f32
    tt.store %x, %r : !tt.ptr<f32>
    tt.return
)"));
  ASSERT_TRUE(std::holds_alternative<Module>(parsed)) << std::get<ParseError>(parsed).message;
  Memory memory;
  memory.add_unwritten("x", 4);
  Launch launch;
  launch.args = {PointerArg{0, 0}, std::int32_t{0}, true};
  EXPECT_TRUE(run(std::get<Module>(parsed), launch, memory).ok);
  float sum = 0;
  std::memcpy(&sum, memory.buffer(0).bytes.data(), 4);
  EXPECT_EQ(sum, 4.0f);
}

TEST(Check, ValuesOfBlocksOutOfOrderKeepTheirPlaces) {
  // What ^bb2 defines stays alive while ^bb1, which precedes it in the text, works on blocks of the same
  // size.
  const auto parsed = parse(checked_kernel(R"(    %one = arith.constant dense<1.0> : tensor<64xf32>
    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %s = arith.sitofp %r : tensor<64xi32> to tensor<64xf32>
    %ps = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %p = tt.addptr %ps, %r : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    cf.br ^bb2
  ^bb1:
    %a = arith.mulf %s, %s : tensor<64xf32>
    %b = arith.mulf %a, %a : tensor<64xf32>
    %d = arith.addf %b, %a : tensor<64xf32>
    cf.br ^bb3
  ^bb2:
    %v = arith.addf %s, %one : tensor<64xf32>
    cf.br ^bb1
  ^bb3:
    tt.store %p, %v : tensor<64x!tt.ptr<f32>>
    tt.return
)"));
  if (const auto* error = std::get_if<ParseError>(&parsed)) {
    EXPECT_NE(error->message.find("is not defined here"), std::string::npos) << error->message;
    return;
  }
  Memory memory;
  memory.add_unwritten("x", 256);
  Launch launch;
  launch.args = {PointerArg{0, 0}, std::int32_t{0}, true};
  EXPECT_TRUE(run(std::get<Module>(parsed), launch, memory).ok);
  for (int i = 0; i < 64; ++i) {
    float value = 0;
    std::memcpy(&value, memory.buffer(0).bytes.data() + 4 * i, 4);
    EXPECT_EQ(value, static_cast<float>(i) + 1);
  }
}

TEST(Check, ForgedTextsAreRefusedWithAPlaceOrRun) {
  const std::vector<test::ForgedText> texts = test::forged_texts();
  EXPECT_GE(texts.size(), 100u);
  for (const test::ForgedText& forged : texts) {
    SCOPED_TRACE(forged.name);
    const auto parsed = parse(forged.text);
    if (const auto* error = std::get_if<ParseError>(&parsed)) {
      EXPECT_FALSE(error->message.empty());
      EXPECT_GT(error->line + (forged.name == "call_of_itself" ? 1 : 0), 0);
      continue;
    }
    EXPECT_TRUE(forged.may_run) << forged.text;
    Memory memory;
    memory.add_unwritten("x", 1024);
    memory.add_unwritten("y", 1024);
    Launch launch;
    launch.args = {PointerArg{0, 0}, PointerArg{1, 0}, std::int32_t{256}};
    Options options;
    options.limits.max_operations = 20'000'000;
    run(std::get<Module>(parsed), launch, memory, options);
  }
}

// ---- programs that no text can produce ----

// A kernel that runs and has most of what there is to check.
const char* const everything = R"(module {
  tt.func public @k(%x: !tt.ptr<f32>, %n: i32, %c: i1) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %ones = arith.constant dense<1.0> : tensor<16xf32>
    %small = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
    %pid = tt.get_program_id x : i32
    %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %ps = tt.splat %x : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %p = tt.addptr %ps, %r : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    %ns = tt.splat %n : i32 -> tensor<16xi32>
    %m = arith.cmpi slt, %r, %ns : tensor<16xi32>
    %v = tt.load %p, %m, %ones : tensor<16x!tt.ptr<f32>>
    %f = arith.sitofp %r : tensor<16xi32> to tensor<16xf32>
    %s = arith.select %m, %v, %f : tensor<16xi1>, tensor<16xf32>
    %q = math.fma %s, %s, %f : tensor<16xf32>
    %sq = tt.reshape %q : tensor<16xf32> -> tensor<4x4xf32>
    %tr = tt.trans %sq {order = array<i32: 1, 0>} : tensor<4x4xf32> -> tensor<4x4xf32>
    %d = tt.dot %sq, %tr, %sq : tensor<4x4xf32> * tensor<4x4xf32> -> tensor<4x4xf32>
    %e = tt.expand_dims %small {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
    %b = tt.broadcast %e : tensor<4x1xi32> -> tensor<4x4xi32>
    %j = tt.join %q, %f : tensor<16xf32> -> tensor<16x2xf32>
    %h, %g = tt.split %j : tensor<16x2xf32> -> tensor<16xf32>
    %cat = tt.cat %h, %g : tensor<16xf32> -> tensor<32xf32>
    %ga = tt.gather %q[%r] {axis = 0 : i32} : (tensor<16xf32>, tensor<16xi32>) -> tensor<16xf32>
    %hi = tt.histogram %r, %m : tensor<16xi32> -> tensor<16xi32>
    %sum = "tt.reduce"(%q) <{axis = 0 : i32}> ({
    ^bb0(%l: f32, %o: f32):
      %a = arith.addf %l, %o : f32
      tt.reduce.return %a : f32
    }) : (tensor<16xf32>) -> f32
    %best, %at = "tt.reduce"(%q, %r) <{axis = 0 : i32}> ({
    ^bb0(%l: f32, %li: i32, %o: f32, %oi: i32):
      %lt = arith.cmpf ogt, %l, %o : f32
      %va = arith.select %lt, %l, %o : f32
      %ix = arith.select %lt, %li, %oi : i32
      tt.reduce.return %va, %ix : f32, i32
    }) : (tensor<16xf32>, tensor<16xi32>) -> (f32, i32)
    %sc = "tt.scan"(%q) <{axis = 0 : i32, reverse = false}> ({
    ^bb0(%l: f32, %o: f32):
      %a = arith.mulf %l, %o : f32
      tt.scan.return %a : f32
    }) : (tensor<16xf32>) -> tensor<16xf32>
    %mp = "tt.map_elementwise"(%q, %f) <{pack = 2 : i32}> ({
    ^bb0(%m0: f32, %m1: f32, %m2: f32, %m3: f32):
      %a = arith.addf %m0, %m2 : f32
      %z = arith.addf %m1, %m3 : f32
      tt.map_elementwise.return %a, %z : f32, f32
    }) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %loop = scf.for %k = %c0 to %c4 step %c1 iter_args(%acc = %q) -> (tensor<16xf32>) : i32 {
      %nx = arith.addf %acc, %f : tensor<16xf32>
      scf.yield %nx : tensor<16xf32>
    }
    %wh = scf.while (%i = %c0) : (i32) -> i32 {
      %go = arith.cmpi slt, %i, %c4 : i32
      scf.condition(%go) %i : i32
    } do {
    ^bb0(%i: i32):
      %nx = arith.addi %i, %c1 : i32
      scf.yield %nx : i32
    }
    %if = scf.if %c -> (f32) {
      scf.yield %sum : f32
    } else {
      scf.yield %best : f32
    }
    %call = tt.call @f(%if, %wh) : (f32, i32) -> f32
    %old = tt.atomic_rmw fadd, acq_rel, gpu, %x, %call, %c : (!tt.ptr<f32>, f32, i1) -> f32
    %swap = tt.atomic_cas acq_rel, gpu, %x, %old, %sum : (!tt.ptr<f32>, f32, f32) -> f32
    tt.assert %m, "in bounds" : tensor<16xi1>
    cf.cond_br %c, ^bb1(%loop : tensor<16xf32>), ^bb2
  ^bb1(%out: tensor<16xf32>):
    tt.store %p, %out, %m : tensor<16x!tt.ptr<f32>>
    cf.br ^bb2
  ^bb2:
    tt.return
  }
  tt.func private @f(%a: f32, %b: i32) -> f32 {
    %bf = arith.sitofp %b : i32 to f32
    %s = arith.addf %a, %bf : f32
    tt.return %s : f32
  }
}
)";

// A copy of the program without the storage that the parser has assigned.
ir::Program fresh() {
  auto parsed = parse(everything);
  if (const auto* error = std::get_if<ParseError>(&parsed)) {
    ADD_FAILURE() << error->line << ": " << error->message;
    return {};
  }
  ir::Program program = std::get<Module>(parsed).program();
  for (ir::Function& function : program.functions) {
    function.arena_bytes = 0;
    for (ir::Value& value : function.values) value.offset = 0, value.external = value.invariant = false;
    const auto clear = [](auto&& self, ir::Region& region) -> void {
      for (ir::Block& block : region.blocks)
        for (ir::Operation& op : block.operations) {
          op.once = false;
          for (ir::Region& nested : op.regions) self(self, nested);
        }
    };
    clear(clear, function.body);
  }
  return program;
}

std::vector<ir::Operation*> operations(ir::Program& program) {
  std::vector<ir::Operation*> all;
  const auto collect = [&](auto&& self, ir::Region& region) -> void {
    for (ir::Block& block : region.blocks)
      for (ir::Operation& op : block.operations) {
        all.push_back(&op);
        for (ir::Region& nested : op.regions) self(self, nested);
      }
  };
  for (ir::Function& function : program.functions) collect(collect, function.body);
  return all;
}

bool refused(const ir::Program& program) {
  try {
    check(program);
    return false;
  } catch (const Failure& failure) {
    EXPECT_FALSE(failure.message.empty());
    return true;
  }
}

// A program that passes the check must run; a crash here fails the test.
void run_it(ir::Program program) {
  for (ir::Function& function : program.functions) ir::place_values(function);
  const Module module(std::make_shared<const ir::Program>(std::move(program)));
  for (const bool traced : {false, true}) {
    Memory memory;
    memory.add_unwritten("x", 64);
    Launch launch;
    launch.args = {PointerArg{0, 0}, std::int32_t{16}, true};
    launch.kernel = "k";
    launch.grid[0] = 3;
    Options options;
    Trace trace;
    if (traced) options.trace = &trace;
    options.strict = false;
    options.limits.max_operations = 100'000;
    run(module, launch, memory, options);
  }
}

struct Change {
  const char* name;
  bool always;  // whether the program is wrong for every operation that is changed
  std::function<bool(ir::Operation&, ir::Function&)> make;  // returns false when there is nothing to change
};

const std::vector<Change>& changes() {
  const auto drop = [](std::vector<int>& list, bool front) {
    if (list.empty()) return false;
    list.erase(front ? list.begin() : list.end() - 1);
    return true;
  };
  static const std::vector<Change> all = {
      {"an operand fewer", true,
       [drop](auto& op, auto&) { return op.code != Code::nothing && drop(op.operands, false); }},
      {"the first operand gone", true,
       [drop](auto& op, auto&) { return op.code != Code::nothing && drop(op.operands, true); }},
      {"no operands", true,
       [](auto& op, auto&) {
         return op.code != Code::nothing && !op.operands.empty() && (op.operands.clear(), true);
       }},
      {"an operand more", true,
       [](auto& op, auto&) { return op.code != Code::nothing && (op.operands.push_back(0), true); }},
      {"an operand beyond all values", true,
       [](auto& op, auto& function) {
         return !op.operands.empty() && (op.operands[0] = static_cast<int>(function.values.size()), true);
       }},
      {"a negative operand", true,
       [](auto& op, auto&) { return !op.operands.empty() && (op.operands.back() = -1, true); }},
      {"an operand of its own result", true,
       [](auto& op, auto&) {
         return !op.operands.empty() && !op.results.empty() && (op.operands[0] = op.results[0], true);
       }},
      {"the last value as operand", false,
       [](auto& op, auto& function) {
         return !op.operands.empty() && (op.operands[0] = static_cast<int>(function.values.size()) - 1, true);
       }},
      {"a result fewer", true, [drop](auto& op, auto&) { return drop(op.results, false); }},
      {"a result more", true, [](auto& op, auto&) { return op.results.push_back(0), true; }},
      {"a result that a parameter is", true,
       [](auto& op, auto&) { return !op.results.empty() && (op.results[0] = 0, true); }},
      {"a result of another block's size", false,
       [](auto& op, auto& function) {
         if (op.results.empty()) return false;
         ir::Value& value = function.values[static_cast<std::size_t>(op.results[0])];
         value.type.tensor = true;
         value.type.shape = {1 << 16};
         value.count = value.capacity = 1 << 16;
         return true;
       }},
      {"a result of another type", false,
       [](auto& op, auto& function) {
         if (op.results.empty()) return false;
         ir::Value& value = function.values[static_cast<std::size_t>(op.results[0])];
         value.type = value.type.with(value.type.scalar == Scalar::i64 ? Scalar::i8 : Scalar::i64);
         return true;
       }},
      {"a result whose size is not its type's", true,
       [](auto& op, auto& function) {
         if (op.results.empty()) return false;
         function.values[static_cast<std::size_t>(op.results[0])].count += 1;
         return true;
       }},
      {"no loop", true, [](auto& op, auto&) { return op.kernel != nullptr && (op.kernel = nullptr, true); }},
      {"another type's loop", true,
       [](auto& op, auto&) {
         const Kernel other = kernels().elementwise(Code::powf, Scalar::f64, Scalar::f64);
         return op.kernel != nullptr && (op.kernel = other, true);
       }},
      {"another reduction's loop", true,
       [](auto& op, auto&) {
         return (op.code == Code::reduce || op.code == Code::scan) &&
                (op.axis_kernel = kernels().reduce(Code::addf, Scalar::f64), true);
       }},
      {"a number far off", false, [](auto& op, auto&) { return op.number = 1 << 20, true; }},
      {"a negative number", false, [](auto& op, auto&) { return op.number = -1, true; }},
      {"a constant cut short", true,
       [](auto& op, auto&) { return !op.payload.empty() && (op.payload.pop_back(), true); }},
      {"an order that is none", true,
       [](auto& op, auto&) { return !op.list.empty() && (op.list[0] = op.list[1], true); }},
      {"an order out of range", true,
       [](auto& op, auto&) { return !op.list.empty() && (op.list[0] = 7, true); }},
      {"the mask forgotten", true,
       [](auto& op, auto&) { return op.has_mask && (op.has_mask = false, true); }},
      {"a mask that isn't there", false,
       [](auto& op, auto&) { return !op.has_mask && (op.has_mask = true, true); }},
      {"`other` that isn't there", false,
       [](auto& op, auto&) { return !op.has_other && (op.has_other = true, true); }},
      {"elements of another type", false,
       [](auto& op, auto&) { return op.scalar = op.scalar == Scalar::f64 ? Scalar::i8 : Scalar::f64, true; }},
      {"a region fewer", true,
       [](auto& op, auto&) { return !op.regions.empty() && (op.regions.pop_back(), true); }},
      {"a region more", true, [](auto& op, auto&) { return op.regions.emplace_back(), true; }},
      {"a region without blocks", false,
       [](auto& op, auto&) { return !op.regions.empty() && (op.regions[0].blocks.clear(), true); }},
      {"a block without operations", true,
       [](auto& op, auto&) {
         return !op.regions.empty() && (op.regions[0].blocks[0].operations.clear(), true);
       }},
      {"a block without its terminator", true,
       [](auto& op, auto&) {
         return !op.regions.empty() && (op.regions[0].blocks[0].operations.pop_back(), true);
       }},
      {"a block's argument fewer", true,
       [drop](auto& op, auto&) {
         return !op.regions.empty() && drop(op.regions[0].blocks[0].arguments, false);
       }},
      {"two blocks where one belongs", false,
       [](auto& op, auto&) {
         if (op.regions.empty()) return false;
         ir::Block again = op.regions[0].blocks[0];
         op.regions[0].blocks.push_back(std::move(again));
         return true;
       }},
      {"a region on whole blocks", false,
       [](auto& op, auto&) { return !op.regions.empty() && (op.regions[0].elementwise = true, true); }},
      {"a target beyond all blocks", true,
       [](auto& op, auto&) { return !op.successors.empty() && (op.successors[0].block = 1000, true); }},
      {"the entry as target", true,
       [](auto& op, auto&) { return !op.successors.empty() && (op.successors[0].block = 0, true); }},
      {"a target fewer", true,
       [](auto& op, auto&) { return !op.successors.empty() && (op.successors.pop_back(), true); }},
      {"a target more", true, [](auto& op, auto&) { return op.successors.emplace_back(), true; }},
      {"a target's value more", true,
       [](auto& op, auto&) {
         return !op.successors.empty() && (op.successors[0].operands.push_back(0), true);
       }},
  };
  return all;
}

TEST(Check, TheKernelItselfIsSound) {
  EXPECT_FALSE(refused(fresh()));
  run_it(fresh());
}

TEST(Check, EveryChangeIsRefusedOrRuns) {
  ir::Program counted = fresh();
  const std::size_t count = operations(counted).size();
  ASSERT_GT(count, 60u);
  int made = 0, found = 0;
  for (const Change& change : changes()) {
    for (std::size_t i = 0; i < count; ++i) {
      ir::Program program = fresh();
      ir::Operation& op = *operations(program)[i];
      // The operations of the second function follow the first one's.
      std::size_t own = 0;
      for (ir::Program one = fresh(); own == 0;) {
        one.functions.pop_back();
        own = operations(one).size();
      }
      ir::Function& function = program.functions[i < own ? 0 : 1];
      if (!change.make(op, function)) continue;
      ++made;
      const bool is_refused = refused(program);
      found += is_refused;
      if (change.always) {
        EXPECT_TRUE(is_refused) << change.name << ", operation " << i << ", code " << int(op.code);
      }
      if (!is_refused) run_it(std::move(program));
    }
  }
  EXPECT_GT(made, 1000);
  EXPECT_GT(found, 800);
}

// Replaces the code of one operation by any other.
TEST(Check, EveryOtherCodeIsRefusedOrRuns) {
  ir::Program counted = fresh();
  const std::size_t count = operations(counted).size();
  for (std::size_t i = 0; i < count; ++i)
    for (int code = 0; code <= static_cast<int>(Code::branch_if); ++code) {
      ir::Program program = counted;
      operations(program)[i]->code = static_cast<Code>(code);
      if (!refused(program)) run_it(std::move(program));
    }
}

// Replaces each operand by any other value, one after the other.
TEST(Check, EveryOtherOperandIsRefusedOrRuns) {
  ir::Program counted = fresh();
  const std::size_t count = operations(counted).size(), values = counted.functions[0].values.size();
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t o = 0; o < operations(counted)[i]->operands.size(); ++o)
      for (std::size_t value = 0; value < values; value += 3) {
        ir::Program program = counted;
        operations(program)[i]->operands[o] = static_cast<int>(value);
        if (!refused(program)) run_it(std::move(program));
      }
}

TEST(Check, FunctionsThatCallThemselvesAreRefused) {
  ir::Program program = fresh();
  ir::Operation call;
  for (ir::Operation* op : operations(program))
    if (op->code == Code::call) call = *op;
  // In the callee: its own parameters and its own result.
  ir::Function& callee = program.functions[1];
  call.operands = callee.parameters;
  call.results = {static_cast<int>(callee.values.size())};
  ir::Value result;
  result.type = callee.results[0];
  callee.values.push_back(result);
  callee.body.blocks[0].operations.insert(callee.body.blocks[0].operations.begin(), call);
  EXPECT_TRUE(refused(program));
}

}  // namespace
}  // namespace trl::executor
