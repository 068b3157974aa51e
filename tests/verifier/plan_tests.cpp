// A plan comes from the process that ran a candidate, so reading it must be safe whatever it contains.
#include "verifier/plan/plan.hpp"

#include <gtest/gtest.h>

namespace trl::runtime {
namespace {

using nlohmann::json;

json sound() {
  return json::parse(R"({
    "kernels": [{"name": "k", "ttir": "module {}", "options": {"num_warps": 4, "num_stages": 3, "maxnreg": null, "enable_fp_fusion": true}}],
    "plans": [{"label": "original",
      "buffers": [{"bytes": 64, "role": "input", "input": 0}, {"bytes": 64, "role": "temporary"}],
      "steps": [{"fill": {"to": {"buffer": 1, "offset": 0, "dtype": "f32", "shape": [16], "strides": [1]}, "value": 0, "line": 3}},
                {"copy": {"to": {"buffer": 1, "offset": 0, "dtype": "f32", "shape": [4], "strides": [1]},
                          "from": {"buffer": 0, "offset": 16, "dtype": "f32", "shape": [4], "strides": [3]}}},
                {"launch": {"kernel": 0, "grid": [1, 1, 1], "args": [{"buffer": 0, "offset": 0, "dtype": "f32"}, {"i32": 16}, {"f32": 0.5}, {"i1": true}, {"i64": -1}], "num_warps": 4, "line": 9}}],
      "output": {"buffer": 1, "offset": 0, "dtype": "f32", "shape": [4, 4], "strides": [4, 1]}}]})");
}

Recording read_recording(const json& answer) { return parse_recording(answer, {{64}}); }

TEST(Plan, ReadsASoundOne) {
  const Recording recording = read_recording(sound());
  ASSERT_EQ(recording.plans.size(), 1u);
  EXPECT_EQ(recording.plans[0].steps.size(), 3u);
  EXPECT_EQ(recording.plans[0].launches(), 1);
  EXPECT_EQ(recording.commitment.size(), 64u);
  EXPECT_EQ(recording.commitment, read_recording(sound()).commitment);
}

TEST(Plan, AnotherPlanHasAnotherCommitment) {
  json other = sound();
  other["plans"][0]["steps"][2]["launch"]["args"][1]["i32"] = 17;
  EXPECT_NE(read_recording(other).commitment, read_recording(sound()).commitment);
}

/// The sound plan with a table of two addresses of the input.
json with_addresses() {
  json answer = sound();
  json& steps = answer["plans"][0]["steps"];
  const json step = json::parse(
      R"({"address": {"to": {"buffer": 1, "offset": 0, "dtype": "i64", "shape": [2], "strides": [1]},
                      "of": {"buffer": 0, "offset": 16}, "line": 5}})");
  steps.insert(steps.begin(), step);
  return answer;
}

TEST(Plan, HasTablesOfAddresses) {
  const Plan plan = read_recording(with_addresses()).plans[0];
  const auto& step = std::get<AddressStep>(plan.steps[0]);
  EXPECT_EQ(step.to.elements(), 2);
  EXPECT_EQ(step.of.buffer, 0);
  EXPECT_EQ(step.of.offset, 16);
  EXPECT_EQ(to_json(parse_plan(to_json(plan), {64}, 1)), to_json(plan));
}

TEST(Plan, RefusesAddressesOfNothing) {
  for (const auto& [pointer, value] : std::vector<std::pair<const char*, json>>{{"/of/buffer", 2},
                                                                                {"/of/buffer", -1},
                                                                                {"/of/offset", 65},
                                                                                {"/of/offset", -8},
                                                                                {"/of", 7},
                                                                                {"/to/dtype", "f64"},
                                                                                {"/to/dtype", "i32"},
                                                                                {"/to/shape", {9}},
                                                                                {"/line", "five"}}) {
    json answer = with_addresses();
    answer["plans"][0]["steps"][0]["address"][json::json_pointer(pointer)] = value;
    EXPECT_THROW(read_recording(answer), BadPlan) << pointer << " = " << value;
  }
}

// An offset of the candidate's choice says as much as a number.
TEST(Plan, CountsAddressesAsConstants) {
  json answer = with_addresses();
  json& steps = answer["plans"][0]["steps"];
  const json step = steps[0];
  for (int i = 0; i < 500; ++i) steps.insert(steps.begin(), step);
  EXPECT_NO_THROW(read_recording(answer));
  for (int i = 0; i < 12; ++i) steps.insert(steps.begin(), step);
  EXPECT_THROW(read_recording(answer), BadPlan);
}

struct Damage {
  const char* pointer;
  json value;
};

class DamagedPlan : public testing::TestWithParam<Damage> {};

TEST_P(DamagedPlan, IsRefused) {
  json plan = sound();
  plan[json::json_pointer(GetParam().pointer)] = GetParam().value;
  EXPECT_THROW(read_recording(plan), BadPlan) << GetParam().pointer << " = " << GetParam().value;
}

INSTANTIATE_TEST_SUITE_P(
    , DamagedPlan,
    testing::Values(
        Damage{"/plans", 3}, Damage{"/plans", json::array()}, Damage{"/kernels", nullptr},
        Damage{"/kernels/0/options/extern_libs", "lib.bc"}, Damage{"/kernels/0/options/num_warps", 3},
        Damage{"/kernels/0/options/num_warps", 1e300}, Damage{"/kernels/0/ttir", 7},
        Damage{"/kernels/0/ttir", std::string(2 << 20, 'x')}, Damage{"/plans/0/buffers/0/bytes", -1},
        Damage{"/plans/0/buffers/0/bytes", 60}, Damage{"/plans/0/buffers/1/bytes", 1ull << 63},
        Damage{"/plans/0/buffers/1/bytes", 1ull << 40}, Damage{"/plans/0/buffers/1/role", "expected"},
        Damage{"/plans/0/buffers/0/input", 1}, Damage{"/plans/0/buffers/0/role", "temporary"},
        Damage{"/plans/0/steps/0/fill/to/buffer", 2}, Damage{"/plans/0/steps/0/fill/to/buffer", -1},
        Damage{"/plans/0/steps/0/fill/to/offset", 1}, Damage{"/plans/0/steps/0/fill/to/shape", {17}},
        Damage{"/plans/0/steps/0/fill/to/shape", {1ll << 31}},
        Damage{"/plans/0/steps/0/fill/to/strides", {-1}},
        Damage{"/plans/0/steps/0/fill/to/strides", json::array()},
        Damage{"/plans/0/steps/0/fill/to/dtype", "f8"}, Damage{"/plans/0/steps/0/fill/value", "zero"},
        Damage{"/plans/0/steps/1/copy/from/strides", {5}}, Damage{"/plans/0/steps/1/copy/from/shape", {5}},
        Damage{"/plans/0/steps/2/launch/kernel", 1}, Damage{"/plans/0/steps/2/launch/grid", {0, 1, 1}},
        Damage{"/plans/0/steps/2/launch/grid", {1, 1}}, Damage{"/plans/0/steps/2/launch/grid", {1, 70000, 1}},
        Damage{"/plans/0/steps/2/launch/args/0/offset", 65},
        Damage{"/plans/0/steps/2/launch/args/0", {{"file", "/etc/passwd"}}},
        Damage{"/plans/0/steps/2/launch/args/1/i32", 1ll << 33},
        Damage{"/plans/0/steps/2/launch/line", "nine"}, Damage{"/plans/0/output/buffer", 9},
        Damage{"/plans/0/output/shape", {1 << 30, 1 << 30, 4}},
        // 2^27 elements read from one: a view may be expanded, but not without limit
        Damage{"/plans/0/steps/0/fill/to",
               {{"buffer", 1}, {"offset", 0}, {"dtype", "f32"}, {"shape", {1 << 28}}, {"strides", {0}}}}));

TEST(Plan, AReasonThatTheRecorderDoesNotGiveIsACrash) {
  EXPECT_EQ(parse_plan_error({{"reason", "no_kernel"}}).reason, "no_kernel");
  for (const json& reason : {json("correct"), json("not_judged"), json(""), json(7), json(nullptr)})
    EXPECT_EQ(parse_plan_error({{"reason", reason}}).reason, "crashed");
  EXPECT_EQ(parse_plan_error(json::array()).reason, "crashed");
}

TEST(Plan, ALaterUnsoundOneIsATrialThatFails) {
  json plan = sound();
  plan["plans"].push_back(plan["plans"][0]);
  plan["plans"][1]["output"]["buffer"] = 9;
  const Recording recording = parse_recording(plan, {{64}, {64}});
  EXPECT_FALSE(recording.plans[0].error);
  ASSERT_TRUE(recording.plans[1].error);
  EXPECT_EQ(recording.plans[1].error->reason, "bad_plan");
}

TEST(Plan, ScalarsAndFillsAreCapped) {
  json plan = sound();
  json& args = plan["plans"][0]["steps"][2]["launch"]["args"];
  args = json::array();
  for (int i = 0; i < 200; ++i) args.push_back({{"i64", i}});
  json& steps = plan["plans"][0]["steps"];
  EXPECT_NO_THROW(read_recording(plan));
  const json launch = steps[2];
  for (int i = 0; i < 2; ++i) steps.push_back(launch);
  EXPECT_THROW(read_recording(plan), BadPlan);  // 3 · 200 · 8 bytes
}

// `sound()` with alternatives to its launch.
json tuned(json alternatives) {
  json plan = sound();
  plan["plans"][0]["steps"][2]["launch"]["alternatives"] = std::move(alternatives);
  return plan;
}

json alternative() {
  json launch = sound()["plans"][0]["steps"][2]["launch"];
  return {{"kernel", 0}, {"grid", {2, 1, 1}}, {"args", launch["args"]}};
}

TEST(Plan, AnAutotunedLaunchHasAlternatives) {
  const Recording recording = read_recording(tuned(json::array({alternative(), alternative()})));
  const auto& launch = std::get<LaunchStep>(recording.plans[0].steps[2]);
  ASSERT_EQ(launch.alternatives.size(), 2u);
  EXPECT_EQ(launch.grid[0], 1u);
  EXPECT_EQ(launch.alternatives[0].grid[0], 2u);
  EXPECT_EQ(launch.alternatives[0].args.size(), launch.args.size());
  EXPECT_NE(recording.commitment, read_recording(tuned(json::array({alternative()}))).commitment);
}

TEST(Plan, AlternativesAreReadAsLaunchesAre) {
  const auto refused = [](const char* pointer, json value) {
    json plan = tuned(json::array({alternative()}));
    plan["/plans/0/steps/2/launch/alternatives/0"_json_pointer][json::json_pointer(pointer)] =
        std::move(value);
    EXPECT_THROW(read_recording(plan), BadPlan) << pointer;
  };
  refused("/kernel", 1);
  refused("/grid", {0, 1, 1});
  refused("/args/0/offset", 65);
  refused("/args/0/buffer", 1);  // a buffer that this launch doesn't have
  EXPECT_THROW(read_recording(tuned(7)), BadPlan);
  json many = json::array();
  for (int i = 0; i < 64; ++i) many.push_back(alternative());
  EXPECT_NO_THROW(read_recording(tuned(many)));
  many.push_back(alternative());
  EXPECT_THROW(read_recording(tuned(many)), BadPlan);
}

TEST(Plan, ScalarsOfAlternativesAreCappedUnlessTheLaunchHasThem) {
  json one = alternative();
  for (int i = 0; i < 200; ++i) one["args"].push_back({{"i64", i}});
  json many = json::array({one, one});
  EXPECT_NO_THROW(read_recording(tuned(many)));
  many.push_back(one);
  EXPECT_THROW(read_recording(tuned(many)), BadPlan);  // 3 · 200 · 8 bytes that the launch doesn't have
}

// `sound()` with a CUDA kernel whose launch has this argument last.
json cuda_with(json argument) {
  json plan = sound();
  plan["kernels"] = json::array({{{"name", "k"},
                                  {"language", "cuda"},
                                  {"source", ""},
                                  {"expression", "k"},
                                  {"options", json::object()}}});
  json& launch = plan["plans"][0]["steps"][2]["launch"];
  launch["block"] = {32, 1, 1};
  launch["args"].push_back(std::move(argument));
  return plan;
}

const json a_struct = {{"bytes", "0100000000000000000000000000000002000000"},
                       {"addresses", {{{"at", 8}, {"buffer", 1}, {"offset", 4}}}}};

TEST(Plan, StructsAreTheirBytesAndAddresses) {
  const Plan plan = read_recording(cuda_with(a_struct)).plans[0];
  const auto& one = std::get<StructArgument>(std::get<LaunchStep>(plan.steps[2]).args.back());
  ASSERT_EQ(one.bytes.size(), 20u);
  EXPECT_EQ(one.bytes[0], 1);
  EXPECT_EQ(one.bytes[16], 2);
  ASSERT_EQ(one.addresses.size(), 1u);
  EXPECT_EQ(one.addresses[0].at, 8u);
  EXPECT_EQ(one.addresses[0].to.buffer, 1);
  EXPECT_EQ(to_json(plan)["steps"][2]["launch"]["args"].back(), a_struct);
}

TEST(Plan, AnAlternativeIsInTheLanguageOfItsLaunch) {
  // A Triton launch with an alternative in CUDA, and the other way round.
  json both = sound();
  both["kernels"].push_back(cuda_with({{"i32", 1}})["kernels"][0]);
  json cuda = alternative();
  cuda["kernel"] = 1, cuda["block"] = {32, 1, 1};
  json& launch = both["plans"][0]["steps"][2]["launch"];
  EXPECT_NO_THROW(read_recording(both));
  launch["alternatives"] = json::array({cuda});
  EXPECT_THROW(read_recording(both), BadPlan);
  launch["kernel"] = 1, launch["block"] = {32, 1, 1};
  EXPECT_NO_THROW(read_recording(both));
  launch["alternatives"] = json::array({alternative()});
  EXPECT_THROW(read_recording(both), BadPlan);
}

TEST(Plan, LinesOfACudaTextLeadToThoseOfTheAnswer) {
  json plan = cuda_with({{"i32", 1}});
  plan["kernels"][0]["lines"] = {{1, 10, 5}, {11, 20, nullptr}, {21, 30, -20}};
  const PlanKernel kernel = read_recording(plan).kernels[0];
  EXPECT_EQ(kernel.line_of_answer(3), 8);
  EXPECT_EQ(kernel.line_of_answer(12), 0) << "the answer has no such line";
  EXPECT_EQ(kernel.line_of_answer(21), 1);
  EXPECT_EQ(kernel.line_of_answer(31), 31);
  for (const json& lines : {json(7), json{{1, 2}}, json{{1, 2, "3"}}, json{{-1, 2, 3}}, json{{1, 1e12, 3}}}) {
    plan["kernels"][0]["lines"] = lines;
    EXPECT_THROW(read_recording(plan), BadPlan) << lines;
  }
}

TEST(Plan, StructsThatHoldWhatTheyMayNotAreRefused) {
  const auto refused = [](const char* pointer, json value) {
    json damaged = a_struct;
    damaged[json::json_pointer(pointer)] = std::move(value);
    EXPECT_THROW(read_recording(cuda_with(damaged)), BadPlan) << damaged;
  };
  refused("/bytes", "");
  refused("/bytes", "0");
  refused("/bytes", "0G");
  refused("/bytes", 7);
  refused("/bytes", std::string(2 * 4097, '0'));
  refused("/addresses", nullptr);
  refused("/addresses/0/at", 13);  // it ends behind the struct's end
  refused("/addresses/0/at", -1);
  refused("/addresses/0/at", 0);  // at the offset of a number
  refused("/addresses/0/buffer", 2);
  refused("/addresses/0/offset", 65);
  refused("/addresses/1", {{"at", 12}, {"buffer", 1}, {"offset", 0}});  // inside the previous one
}

TEST(Plan, BytesOfStructsAreCappedAsScalarsAre) {
  json plan = cuda_with({{"bytes", std::string(2 * 4000, '1')}, {"addresses", json::array()}});
  EXPECT_NO_THROW(read_recording(plan));
  json& steps = plan["plans"][0]["steps"];
  const json launch = steps[2];
  steps.push_back(launch);
  EXPECT_THROW(read_recording(plan), BadPlan);
}

TEST(Plan, HalvesAreTheirBits) {
  const auto bits = [](const json& argument) {
    const Plan plan = read_recording(cuda_with(argument)).plans[0];
    EXPECT_EQ(to_json(plan)["steps"][2]["launch"]["args"].back(), argument);
    return std::get<HalfArgument>(std::get<LaunchStep>(plan.steps[2]).args.back()).bits;
  };
  EXPECT_EQ(bits({{"f16", 0.5}}), 0x3800);
  EXPECT_EQ(bits({{"f16", -65504.0}}), 0xFBFF);
  EXPECT_EQ(bits({{"f16", "inf"}}), 0x7C00);
  EXPECT_EQ(bits({{"bf16", 0.5}}), 0x3F00);
  EXPECT_EQ(bits({{"bf16", "-inf"}}), 0xFF80);
  EXPECT_THROW(read_recording(cuda_with({{"f16", "half"}})), BadPlan);
}

TEST(Plan, TritonTakesNeitherStructsNorHalves) {
  for (const json& argument : {a_struct, json{{"f16", 0.5}}, json{{"bf16", 0.5}}}) {
    json plan = sound();
    plan["plans"][0]["steps"][2]["launch"]["args"].push_back(argument);
    EXPECT_THROW(read_recording(plan), BadPlan) << argument;
  }
}

TEST(Plan, ARecordersWordOnALaunchStays) {
  for (const char* reason : {"wrong_launch", "missing_function"})
    EXPECT_EQ(parse_plan_error({{"reason", reason}}).reason, reason);
}

TEST(Plan, NumbersThatJsonLacksAreTexts) {
  json plan = sound();
  plan["plans"][0]["steps"][0]["fill"]["value"] = "-inf";
  EXPECT_NO_THROW(read_recording(plan));
}

}  // namespace
}  // namespace trl::runtime
