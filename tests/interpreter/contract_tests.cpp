// The types on which language, interpreter and runtime agree: what they write is what docs/interfaces.md
// says, and reading it gives the same again.
#include <gtest/gtest.h>

#include "base/contract/document.hpp"
#include "base/contract/made_on.hpp"
#include "base/contract/protocol.hpp"
#include "base/contract/rows.hpp"
#include "base/contract/stages/draw.hpp"
#include "base/contract/stages/sample.hpp"
#include "base/contract/stages/tokenizer.hpp"
#include "base/contract/verdict.hpp"
#include "base/support/matrix_storage.hpp"
#include "interpreter/plan/exam.hpp"
#include "interpreter/plan/extension.hpp"
#include "interpreter/plan/trainers/rounds.hpp"
#include "language/diagnostics/source.hpp"
#include "language/modules/library.hpp"
#include "tests/interpreter/fixture.hpp"
#include "tests/language/stub.hpp"

using namespace trl;
using namespace trl::contract;
using nlohmann::json;

namespace {

template <class T>
void expect_same_again(const json& said) {
  EXPECT_EQ(T::read(said).write(), said);
}

/// What reading something wrong says.
template <class T>
std::string refusal(const json& said) {
  try {
    T::read(said);
  } catch (const ContractError& error) {
    return error.what();
  }
  return "";
}

/// The variants of a kind of the schema.
std::set<std::string> variants(const char* kind) {
  language::Sources sources;
  const auto& library = language::read_library(sources);
  std::set<std::string> names;
  for (const auto& [name, variant] : library.schema.kind(kind)->variants) names.insert(name);
  return names;
}

}  // namespace

TEST(Contract, AnExamsProtocolIsWrittenAsItAlwaysWas) {
  const json modelled =
      json::parse(R"({"variations": ["original", {"call": "scale", "args": [2], "named": {}}, "reseed",
    {"call": "resize", "args": [1.5], "named": {}}, {"call": "cast", "args": ["f16"], "named": {}}, "extreme"],
    "tiny": true, "compile": "all", "memory_checks": true, "strict": true, "timing": {},
    "limits": {"seconds": 20, "memory_bytes": 1073741824, "total_seconds": 60, "wall_seconds": 300},
    "modelled_for": "H200"})");
  EXPECT_EQ(interpreter::exam_protocol(false).write(), modelled);
  expect_same_again<Protocol>(modelled);
  json measured = modelled;
  measured.erase("modelled_for");
  measured["timed"] = true, measured["timing"] = {{"warmup", 10}, {"trials", 50}, {"trim", 0.1}};
  EXPECT_EQ(interpreter::exam_protocol(true).write(), measured);
  measured["language"] = "cuda", measured["precision"] = "tf32";
  expect_same_again<Protocol>(measured);
  measured["framework"] = "epilogue";
  expect_same_again<Protocol>(measured);
}

TEST(Contract, WhatASpecLeavesOutHasItsStandardMeaning) {
  const auto protocol = Protocol::read(json::object());
  ASSERT_EQ(protocol.variations.size(), 1u);
  EXPECT_EQ(protocol.variations[0].text(), "original");
  EXPECT_FALSE(protocol.language);
  EXPECT_EQ(protocol.compile, Compile::after_values);
  EXPECT_EQ(protocol.limits.seconds, 10);
}

TEST(Contract, ErrorsNameTheFieldAndWhatIsExpected) {
  EXPECT_EQ(refusal<TokenizerSpec>(json::object()), "there is no field `vocabulary`, which is needed");
  EXPECT_EQ(refusal<TokenizerSpec>({{"vocabulary", "many"}}),
            "`vocabulary` is \"many\", and should be an integer");
  EXPECT_EQ(refusal<TokenizerSpec>({{"vocabulary", 1.5}}), "`vocabulary` is 1.5, and should be an integer");
  EXPECT_EQ(refusal<Protocol>({{"compile", "some"}}),
            "`compile` is \"some\", and should be `all` or `after_values`");
  EXPECT_EQ(refusal<Protocol>({{"limits", {{"seconds", true}}}}),
            "`limits.seconds` is true, and should be an integer");
  EXPECT_EQ(refusal<Protocol>({{"variations", {"original", 3}}}),
            "`variations.[1]` is 3, and should be an object");
  EXPECT_EQ(refusal<VerdictRow>(json::array()), "the value is [], and should be an object");
  EXPECT_EQ(refusal<Reward>({{"task", -1}}), "`task` is -1, and should be an integer that fits");
}

TEST(Contract, FormulasOfSpecsAreReadAndWrittenAsTheyAre) {
  const json reward = json::parse(
      R"({"formula": {"params": ["_0"], "body": {"if": [{"member": {"name": "_0"}, "name": "correct"}, 1, 0.5]}}})");
  json select = {{"seed", 1},         {"round", 2},       {"keep", 4},         {"keep_by", "reward"},
                 {"min_reward", 0.5}, {"reward", reward}, {"failing", nullptr}};
  expect_same_again<SelectSpec>(select);
  select["plan_reward"] = reward;
  expect_same_again<SelectSpec>(select);
  select["reward"]["formula"]["body"]["if"][0]["member"] = {{"op", "+"}, {"args", {1, "two"}}};
  EXPECT_EQ(refusal<SelectSpec>(select),
            "`reward.formula.body.if.[0].member.args.[1]` is \"two\", and should be an expression");
  select["reward"]["formula"]["body"] = {{"call", "min"}};
  EXPECT_EQ(refusal<SelectSpec>(select), "there is no field `reward.formula.body.args`, which is needed");
  select["reward"] = 1;
  EXPECT_EQ(refusal<SelectSpec>(select), "`reward` is 1, and should be an object");

  json draw = {{"seed", 1}, {"round", 2}, {"count", 3}, {"pool", json::array()}};
  expect_same_again<DrawSpec>(draw);
  const json share = {{"formula", {{"params", json::array()}, {"body", 0.4}}}};
  draw["share"] = json::array({json::array({"level2", share}), json::array({"level1", "rest"})});
  expect_same_again<DrawSpec>(draw);
  draw["share"][1][1] = "remainder";
  EXPECT_EQ(refusal<DrawSpec>(draw), "`share.[1]` is \"remainder\", and should be an object");
}

TEST(Contract, FormulasThatMeanTheSameAreNormalisedAlike) {
  const auto formula = [](const char* name, const json& at) {
    json member = {{"member", {{"name", name}}}, {"name", "c"}};
    if (!at.is_null()) member["at"] = at;
    return Formula::read({{"formula", {{"params", {name}}, {"body", {{"op", "neg"}, {"args", {member}}}}}}});
  };
  const json expected = json::parse(
      R"({"formula": {"params": ["_0"], "body": {"op": "neg", "args": [{"member": {"name": "_0"}, "name": "c"}]}}})");
  EXPECT_EQ(formula("c", nullptr).normalised().write(), expected) << "the field `c` keeps its name";
  EXPECT_EQ(formula("v", {3, 9}).normalised().write(), expected);
}

TEST(Contract, RowsAreReadAndWrittenAsTheyAre) {
  expect_same_again<VerdictRow>(json::parse(
      R"row({"task": 0, "sample": 0, "valid": true, "compiled": true, "tiny": true, "correct": false, "values": true,
 "failed": "full", "reason": "out_of_bounds", "message": "load of 4 bytes", "line": 9, "claimed": false,
 "variation": "resize(150%)", "speedup": 0.0, "time_us": null, "reference_us": 9.1, "modelled": true, "launches": 1})row"));
  expect_same_again<VerdictRow>(json::parse(
      R"row({"task": 3, "sample": 1, "valid": true, "compiled": null, "tiny": true, "correct": true, "values": true,
 "failed": null, "reason": null, "message": null, "line": null, "claimed": false, "variation": null, "speedup": 1.5,
 "time_us": 6.0, "reference_us": 9.0, "modelled": false, "launches": 1, "launched_us": 7.0, "compiled_us": 8.0,
 "paths": {"sites": 13}, "no_evidence": ["cast(f16)"], "left_alone": ["cast(bf16)"], "masked_without_other": 4,
 "kernel_share": 0.9, "own_sizes": {"programs": 64, "all_programs": 99, "values": 1024, "all_values": 2048}
})row"));
  const auto row =
      R"row({"task":0,"name":"relu","group":"level1","sample":2,"prompt":"p","answer":"a","tokens":7,"finish":"stop"})row";
  EXPECT_EQ(Candidate::read(json::parse(row)).ordered().dump(), row);
  expect_same_again<Sample>(
      {{"task", "t"}, {"group", "g"}, {"key", "k"}, {"prompt", "p"}, {"answer", "a"}, {"flaw", nullptr}});
  expect_same_again<Reward>({{"task", 1}, {"sample", 2}, {"reward", 0.5}, {"kept", true}});
}

TEST(Contract, HowAnswersAreDrawnIsLeftOutWhereItIsTheDefault) {
  json spec = {{"samples", 2}, {"temperature", 0.7}, {"max_tokens", 64},   {"purpose", "exam"},
               {"round", 0},   {"seed", 1},          {"precision", "bf16"}};
  expect_same_again<SampleSpec>(spec);
  spec["top_k"] = 50, spec["top_p"] = 0.95, spec["stop"] = {"\n```"}, spec["quantize"] = "nf4",
  spec["adapter"] = "unmerged";
  expect_same_again<SampleSpec>(spec);
  spec["top_k"] = 0, spec["top_p"] = 1, spec["stop"] = json::array(), spec["quantize"] = "none",
  spec["adapter"] = "merged";
  for (const char* field : {"top_k", "top_p", "stop", "quantize", "adapter"})
    EXPECT_FALSE(SampleSpec::read(spec).write().contains(field)) << field;
}

TEST(Contract, ARowFromBeforeThereWereValuesSaysWhatWasCorrect) {
  EXPECT_TRUE(VerdictRow::read({{"task", 0}, {"sample", 0}, {"correct", true}}).values);
  EXPECT_FALSE(VerdictRow::read({{"task", 0}, {"sample", 0}, {"correct", false}}).values);
}

TEST(Contract, WhatAResultWasMadeOnIsReadAndWrittenAsItIs) {
  json cpu = json::parse(R"({"device": "cpu", "cpu": "AMD EPYC", "capability": "AVX512", "loops": "x86-64-v4",
    "threads": 2, "versions": {"libtorch": "2.11.0", "torch": "2.11.0", "triton": "3.6.0"}})");
  expect_same_again<MadeOn>(cpu);
  EXPECT_FALSE(MadeOn::read(cpu).on_gpu());
  cpu["device"] = "NVIDIA H200", cpu["driver"] = "570.86.15", cpu["cuda"] = "12.8";
  expect_same_again<MadeOn>(cpu);
  EXPECT_TRUE(MadeOn::read(cpu).on_gpu());
  EXPECT_EQ(MadeOn::read({{"device", "cpu"}}), MadeOn());
  EXPECT_EQ(refusal<MadeOn>(json::object()), "there is no field `device`, which is needed");
}

TEST(Storages, OfTheSchemaAreThoseOfTheTable) {
  language::Sources sources;
  const auto library = language::read_library(sources);
  const auto* quantize = language::find(library.schema.kinds.at("model").fields, "quantize");
  ASSERT_NE(quantize, nullptr);
  std::vector<std::string> names;
  for (const auto& storage : matrix_storages()) names.emplace_back(storage.name);
  EXPECT_EQ(quantize->type.choices, names);
}

TEST(Extensions, OfTheSchemaAreThoseThatAreCarriedOut) {
  std::set<std::string> registered;
  for (const auto* extension : interpreter::all_extensions()) {
    registered.insert(extension->variant);
    EXPECT_TRUE(extension->verify || extension->time || extension->draw || extension->select ||
                extension->seed)
        << extension->variant << " changes no stage";
  }
  EXPECT_EQ(registered, variants("extension"));
}

// Rules prove bounds of rewards (language/check/verdicts.cpp): they have to know what an extension makes of
// them.
TEST(Extensions, ThatActOnRewardsAreKnownToWhatRulesProve) {
  const std::set<std::string> known = {"staged_evaluation",  // its credit is a case of the verdicts there
                                       "timing_noise"};      // a time's factor: any speedup is a case already
  std::set<std::string> acting;
  for (const auto* extension : interpreter::all_extensions())
    if (extension->select) acting.insert(extension->variant);
  EXPECT_EQ(acting, known);
}

TEST(Trainers, OfTheSchemaAreCarriedOut) {
  std::set<std::string> known;
  for (const auto* trainer : interpreter::all_trainers()) EXPECT_TRUE(known.insert(trainer->variant).second);
  EXPECT_EQ(known, variants("train"));
}

// Which trainers choose by rewards alone is said by what they read of a declaration, and the rule that wants
// a control without rewards knows it by fields.
TEST(Trainers, ThatFilterByRewardsAreAskedForAControlWithoutThem) {
  int filtering = 0;
  for (const auto* trainer : interpreter::all_trainers()) {
    if (!trainer->has_rounds()) continue;
    const auto checked =
        language::test::check_text(std::string("import example\ntrain t : ") + trainer->variant +
                                   " { tasks = example.easy[1..4], max_tokens = 256, candidates = 4 }\n" +
                                   "experiment e : example.study { train = t }\ntable main { of = e }\n");
    ASSERT_TRUE(checked.resolved) << trainer->variant << " isn't understood";
    const auto declared = checked.resolved->at("experiments").at("e").at("train").at(0);
    const bool filters = std::get<interpreter::ReadRounds>(trainer->stages)(declared).select.filters();
    const bool asked = std::any_of(checked.diagnostics.begin(), checked.diagnostics.end(),
                                   [](const auto& one) { return one.rule == "no_filter_control"; });
    EXPECT_EQ(asked, filters) << trainer->variant << ": a field `keep_by`, `reward` or `random`, says it";
    filtering += filters;
  }
  EXPECT_GT(filtering, 0);
}
