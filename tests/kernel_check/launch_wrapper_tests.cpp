// Launch plans written as C++, and trl-kernel-check's findings on that.
#include "verifier/plan/launch_wrapper.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "tests/kernel_check/checker.hpp"

namespace trl::test {
namespace {

using runtime::BufferArgument;
using runtime::BufferView;
using runtime::ElementType;
using runtime::LaunchStep;
using runtime::Plan;

const BufferView output{1, 0, ElementType::f32, {64, 256}, {256, 1}};

Plan plan() {
  Plan plan;
  plan.label = "original";
  plan.buffers = {{65536, 0}, {65536, -1}, {4, -1}, {16, -1}};
  plan.outputs = {output};
  plan.steps.push_back(
      runtime::FillStep{{2, 0, ElementType::f32, {1}, {1}}, -std::numeric_limits<double>::infinity()});
  plan.steps.push_back(runtime::CopyStep{output, {0, 0, ElementType::f32, {64, 256}, {1, 64}}});
  plan.steps.push_back(runtime::AddressStep{{3, 8, ElementType::i64, {1}, {1}}, {0, 256}});
  LaunchStep launch;
  launch.grid = {64, 1, 1};
  launch.line = 21;
  launch.args = {
      BufferArgument{0, 128}, BufferArgument{1, 0}, std::int32_t{16384}, std::int64_t{-1}, 0.1f, 1e300, true};
  plan.steps.push_back(launch);
  return plan;
}

const std::vector<runtime::WrapperKernel> kernels = {{"softmax_kernel", 128, 4096, 2}};
const std::vector<runtime::WrapperInput> inputs = {{"x", ElementType::f32, {64, 256}}};

nlohmann::json checked(const std::string& text) {
  Checker checker;
  return checker.check(text, {{"language", "launch_wrapper"}});
}

TEST(LaunchWrapper, IsReadAndNothingIsSaidOfIt) {
  const std::string text = launch_wrapper(plan(), kernels, inputs);
  EXPECT_EQ(shown(checked(text)), "") << text;
}

TEST(LaunchWrapper, SaysWhatThePlanDoes) {
  const std::string text = launch_wrapper(plan(), kernels, inputs);
  for (const char* line :
       {"  Kernel<2, CUdeviceptr, CUdeviceptr, int32_t, int64_t, float, double, bool> softmax_kernel;\n",
        "at::Tensor forward([[maybe_unused]] const Kernels& kernels, [[maybe_unused]] const at::Tensor& x) "
        "{\n",
        "  TORCH_CHECK(x.sizes() == at::IntArrayRef({64, 256}), \"x: {64, 256}\");\n",
        "  const at::Tensor buffer_0 = bytes(x);\n",
        "  const at::Tensor buffer_1 = at::empty({65536}, options);\n",
        "  view(buffer_2, 0, at::kFloat, {1}, {1}).fill_(-std::numeric_limits<double>::infinity());\n",
        "  view(buffer_1, 0, at::kFloat, {64, 256}, {256, 1}).copy_(view(buffer_0, 0, at::kFloat, {64, 256}, "
        "{1, 64}));\n",
        "  view(buffer_3, 8, at::kLong, {1}, {1}).fill_(static_cast<int64_t>(address(buffer_0, 256)));\n",
        "  kernels.softmax_kernel(CUlaunchConfig{64, 1, 1, 128, 1, 1, 4096, stream, nullptr, 0}, "
        "address(buffer_0, 128), address(buffer_1, 0), int32_t(16384), int64_t(-1), 0.1f, 1e+300, true);\n",
        "  return view(buffer_1, 0, at::kFloat, {64, 256}, {256, 1});\n"})
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
}

TEST(LaunchWrapper, WritesStructsAndHalvesByTheirBytes) {
  Plan other = plan();
  auto& launch = std::get<LaunchStep>(other.steps.back());
  launch.args = {runtime::HalfArgument{ElementType::f16, 0x3801}, runtime::StructArgument{{1, 2, 3, 4}, {}},
                 runtime::StructArgument{std::vector<std::uint8_t>(16), {{8, {1, 64}}}}};
  const std::string text = launch_wrapper(other, kernels, inputs);
  EXPECT_EQ(shown(checked(text)), "") << text;
  for (const char* part : {"Kernel<2, Bytes<2>, Bytes<4>, Bytes<16>> softmax_kernel;",
                           "Bytes<2>{{1, 56}}, Bytes<4>{{1, 2, 3, 4}}, ",
                           "with_addresses(Bytes<16>{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}}, {{8, "
                           "address(buffer_1, 64)}})"})
    EXPECT_NE(text.find(part), std::string::npos) << part << text;
  launch.args[1] = runtime::StructArgument{{1, 2, 3}, {}};
  EXPECT_EQ(shown(checked(launch_wrapper(other, kernels, inputs))), "") << "its size is part of its type";
  LaunchStep another = launch;
  another.args[1] = runtime::StructArgument{{1, 2, 3, 4}, {}};
  other.steps.push_back(another);
  EXPECT_FALSE(checked(launch_wrapper(other, kernels, inputs)).at("ok"));
}

TEST(LaunchWrapper, OneKernelWithOtherTypesIsRefused) {
  Plan other = plan();
  LaunchStep launch = std::get<LaunchStep>(other.steps.back());
  launch.args[2] = std::int64_t{16384};
  other.steps.push_back(launch);
  const auto answer = checked(launch_wrapper(other, kernels, inputs));
  EXPECT_FALSE(answer.at("ok"));
  EXPECT_NE(shown(answer).find("arguments of the kernel's types"), std::string::npos) << shown(answer);
  launch.args.pop_back();
  other.steps.back() = launch;
  EXPECT_FALSE(checked(launch_wrapper(other, kernels, inputs)).at("ok"));
}

TEST(LaunchWrapper, LaunchesBeyondTheDeviceAreRefused) {
  Plan tall = plan();
  std::get<LaunchStep>(tall.steps.back()).grid = {1, 70000, 1};
  EXPECT_NE(shown(checked(launch_wrapper(tall, kernels, inputs))).find("driver_launch"), std::string::npos);
  EXPECT_NE(shown(checked(launch_wrapper(plan(), {{"k", 2048, 0, 2}}, inputs))).find("driver_launch"),
            std::string::npos);
  EXPECT_NE(shown(checked(launch_wrapper(plan(), {{"k", 128, 300000, 2}}, inputs))).find("driver_launch"),
            std::string::npos);
}

TEST(LaunchWrapper, NamesAreTheCandidatesAndStayNames) {
  for (const char* name : {"", "int", "a b", "x; system(\"id\"); //", "\xff", "1st", "kernels", "_"}) {
    Plan named = plan();
    named.label = name;
    const std::string text =
        launch_wrapper(named, {{name, 128, 0, 2}}, {{name, ElementType::f32, {64, 256}}});
    EXPECT_EQ(shown(checked(text)), "") << text;
    EXPECT_EQ(text.find("system("), name[0] == 'x' ? text.find("`x; system(") + 4 : std::string::npos);
  }
}

TEST(LaunchWrapper, EveryTypeHasAName) {
  for (const ElementType type :
       {ElementType::f64, ElementType::f32, ElementType::f16, ElementType::bf16, ElementType::f8e4m3,
        ElementType::f8e5m2, ElementType::i64, ElementType::i32, ElementType::i16, ElementType::i8,
        ElementType::u64, ElementType::u32, ElementType::u16, ElementType::u8, ElementType::i1}) {
    Plan typed = plan();
    typed.outputs[0].type = type;
    EXPECT_EQ(shown(checked(launch_wrapper(typed, kernels, {{"x", type, {64, 256}}}))), "")
        << runtime::name(type);
  }
}

TEST(LaunchWrapper, WhatIsNotAllThereIsAnError) {
  EXPECT_THROW(launch_wrapper(plan(), {}, inputs), std::invalid_argument);
  EXPECT_THROW(launch_wrapper(plan(), kernels, {}), std::invalid_argument);
  Plan failed;
  failed.error = runtime::PlanError{"unsupported", "no", 0};
  EXPECT_THROW(launch_wrapper(failed, kernels, inputs), std::invalid_argument);
}

}  // namespace
}  // namespace trl::test
