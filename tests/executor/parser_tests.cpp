#include <gtest/gtest.h>

#include "verifier/executor/executor.hpp"

namespace trl::executor {
namespace {

std::string kernel(const std::string& body, const std::string& parameters = "%x: !tt.ptr<f32>, %n: i32") {
  return "module {\n  tt.func public @k(" + parameters + ") {\n" + body + "    tt.return\n  }\n}\n";
}

ParseError refused(const std::string& text) {
  const auto parsed = parse(text);
  const auto* error = std::get_if<ParseError>(&parsed);
  EXPECT_NE(error, nullptr) << "was accepted";
  return error == nullptr ? ParseError{} : *error;
}

bool accepted(const std::string& text) { return std::holds_alternative<Module>(parse(text)); }

TEST(Parser, TellsKernelsAndParameters) {
  const auto parsed =
      parse(kernel("", "%x: !tt.ptr<f16> {tt.divisibility = 16 : i32} loc(\"x\"(#loc)), %n: i32, %s: f32"));
  const auto& module = std::get<Module>(parsed);
  EXPECT_EQ(module.kernels(), std::vector<std::string>{"k"});
  const std::vector<Parameter> parameters = module.parameters("k");
  ASSERT_EQ(parameters.size(), 3u);
  EXPECT_TRUE(parameters[0].pointer);
  EXPECT_EQ(parameters[0].type, "f16");
  EXPECT_EQ(parameters[1].name, "n");
  EXPECT_EQ(parameters[2].type, "f32");
  EXPECT_TRUE(module.parameters("other").empty());
}

TEST(Parser, NamesAnUnknownOperationAndItsPlace) {
  const ParseError error = refused(kernel("    %a = tt.foo %n : i32\n"));
  EXPECT_EQ(error.message, "operation tt.foo isn't supported by the executor");
  EXPECT_EQ(error.line, 3);
  EXPECT_EQ(error.column, 10);
}

TEST(Parser, TakesPointersForNumbersOf64Bits) {
  EXPECT_TRUE(accepted(kernel("    %a = tt.ptr_to_int %x : !tt.ptr<f32> -> i64\n")));
  EXPECT_FALSE(accepted(kernel("    %a = tt.ptr_to_int %x : !tt.ptr<f32> -> i32\n")));
  EXPECT_FALSE(accepted(kernel("    %a = tt.ptr_to_int %n : i32 -> i64\n")));
  EXPECT_FALSE(accepted(kernel("    %a = tt.int_to_ptr %n : i32 -> !tt.ptr<f32>\n")));
}

TEST(Parser, RefusesWhatDoesNotFit) {
  EXPECT_FALSE(accepted(kernel("    %a = arith.addi %n, %m : i32\n"))) << "undefined value";
  EXPECT_FALSE(accepted(kernel("    %a = arith.addi %n, %x : i32\n"))) << "operand's type";
  EXPECT_FALSE(accepted(kernel("    %a = arith.addf %n, %n : i32\n"))) << "a float operation on integers";
  EXPECT_FALSE(accepted(kernel("    %n = arith.constant 1 : i32\n"))) << "defined twice";
  EXPECT_FALSE(accepted(kernel("    %a = tt.make_range {end = 5 : i32, start = 0 : i32} : tensor<4xi32>\n")));
  EXPECT_FALSE(accepted(kernel("    %a = arith.constant dense<[1, 2]> : tensor<4xi32>\n")));
  EXPECT_FALSE(accepted(kernel("    cf.br ^bb7\n"))) << "something follows a terminator";
  EXPECT_FALSE(accepted("module { tt.func public @k() { cf.br ^bb7 } }"));
  EXPECT_FALSE(accepted("module { tt.func public @k() { } }")) << "no terminator";
  EXPECT_FALSE(accepted("module { tt.func public @k() -> i32 { tt.return } }"));
  EXPECT_FALSE(accepted("module { tt.func public @k() { tt.return } tt.func public @k() { tt.return } }"));
  EXPECT_FALSE(accepted(""));
  EXPECT_FALSE(accepted("module {"));
}

TEST(Parser, RefusesHugeBlocks) {
  const ParseError error = refused(kernel("    %a = arith.constant dense<0> : tensor<2097152xi32>\n"));
  EXPECT_NE(error.message.find("more than 1048576 elements"), std::string::npos);
  EXPECT_FALSE(accepted(kernel("    %a = arith.constant dense<0> : tensor<4096x4096xi32>\n")));
  EXPECT_FALSE(accepted(kernel("    %a = arith.constant dense<0> : tensor<99999999999999999999x4xi32>\n")));
  EXPECT_FALSE(accepted(kernel("    %a = arith.constant dense<0> : tensor<0xi32>\n")));
}

TEST(Parser, RefusesRecursion) {
  EXPECT_NE(refused("module { tt.func public @k() { tt.call @f() : () -> () tt.return }"
                    " tt.func private @f() { tt.call @f() : () -> () tt.return } }")
                .message.find("call themselves"),
            std::string::npos);
}

TEST(Parser, LimitsNesting) {
  std::string body, end;
  for (int i = 0; i < 1000; ++i) {
    body += "scf.if %c {\n";
    end += "}\n";
  }
  EXPECT_NE(refused(kernel("%c = arith.constant true\n" + body + end)).message.find("nested too deeply"),
            std::string::npos);
  std::string attributes(100'000, '[');
  EXPECT_FALSE(accepted("#a = " + attributes + "\nmodule {}"));
  std::string locations;
  for (int i = 0; i < 100'000; ++i) locations += "callsite(";
  EXPECT_FALSE(accepted("#loc = loc(" + locations));
}

TEST(Parser, FollowsLongAndCircularLocationChains) {
  std::string chain;
  for (int i = 0; i < 50'000; ++i)
    chain += "#l" + std::to_string(i) + " = loc(\"a\"(#l" + std::to_string(i + 1) + "))\n";
  chain += "#c = loc(\"a\"(#c))\n";
  EXPECT_TRUE(accepted(
      chain +
      kernel("    %a = arith.addi %n, %n : i32 loc(#l0)\n    %b = arith.addi %n, %n : i32 loc(#c)\n")));
}

TEST(Parser, ReadsConstants) {
  EXPECT_TRUE(accepted(kernel(R"(
    %a = arith.constant 0xFF800000 : f32
    %b = arith.constant dense<0xFC00> : tensor<64xf16>
    %c = arith.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
    %d = arith.constant dense<true> : tensor<64xi1>
    %e = arith.constant true
    %f = arith.constant -2147483648 : i64
    %g = arith.constant 4.6566126E-10 : f32
    %h = arith.constant dense<[0.5, 1.0e-3]> : tensor<2xbf16>
)")));
}

}  // namespace
}  // namespace trl::executor
