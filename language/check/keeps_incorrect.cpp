#include <fmt/format.h>

#include <array>

#include "language/evaluate.hpp"

#include "language/check/inspection.hpp"

namespace trl::language {
namespace {

/// A verdict of a candidate that is not correct.
struct Failing {
  std::string stage;  ///< that it failed
  nlohmann::json verdict;
};

/// One verdict for each stage that a candidate can fail; when staged evaluation is off, credit is 0.
std::vector<Failing> failing_verdicts(const Resolved* staged) {
  constexpr std::array<const char*, 4> stages = {"syntax", "compile", "tiny", "full"};
  const Value* credits = staged == nullptr ? nullptr : staged->field("failing");
  std::vector<Failing> out;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const Value* credit = credits == nullptr ? nullptr : credits->entry(stages[i]);
    const nlohmann::json points = credit == nullptr ? nlohmann::json(0) : credit->plain;
    // `compiled` may not be claimed yet when values decide first, and `tiny` is not tried without the
    // extension.
    for (const bool compiled : {true, false})
      for (const bool tiny : {true, false}) {
        if ((i < 2 && compiled) || (i < 3 && tiny)) continue;
        out.push_back({stages[i],
                       {{"valid", i > 0},
                        {"compiled", compiled},
                        {"tiny", tiny},
                        {"correct", false},
                        {"speedup", 0},
                        {"credit", points}}});
      }
  }
  return out;
}

void check(Inspection& inspection) {
  for (const auto& stage : inspection.stages()) {
    const Value *reward = stage.train->field("reward"), *least = stage.train->field("min_reward");
    const Value* by = stage.train->field("keep_by");
    if (reward == nullptr || least == nullptr || !reward->is(Value::Kind::formula) ||
        reward->parameters.size() != 1)
      continue;
    if (by != nullptr && by->string() == "random") continue;  // ignores the reward
    std::vector<const Resolved*> ways = {nullptr};
    for (const Resolved* extension : stage.extensions)
      if (extension->is_a("staged_evaluation")) ways.push_back(extension);
    const Failing* worst = nullptr;
    const Resolved* of = nullptr;
    double most = least->number();
    std::vector<std::vector<Failing>> kept;
    kept.reserve(ways.size());
    for (const Resolved* way : ways) {
      kept.push_back(failing_verdicts(way));
      for (const Failing& f : kept.back()) {
        try {
          const double value = evaluate_number(reward->plain, {{{reward->parameters[0], f.verdict}}, {}});
          if (value > most) {
            most = value;
            worst = &f;
            of = way;
          }
        } catch (const EvaluationError&) {
          // Other rules speak of formulas without a value.
        }
      }
    }
    if (worst == nullptr) continue;
    auto d = found(
        rules::keeps_incorrect, reward->range,
        fmt::format(
            "a candidate that fails `{}` gets the reward {:.6g}, above min_reward {:.6g}: `{}` trains on "
            "incorrect kernels",
            worst->stage, most, least->number(), stage.train->name));
    if (least->given) d.note("what is kept exceeds this", least->range);
    if (of != nullptr)
      if (const Value* credits = of->field("failing"))
        if (const Value* credit = credits->entry(worst->stage))
          d.note(fmt::format("`{}` gives it the credit {:.6g}", of->name, credit->number()), credit->range);
    d.helped(fmt::format(
        "raise min_reward to {:.6g}, lower the credit, or allow(keeps_incorrect, \"why\") in `{}`", most,
        stage.train->name));
    inspection.report(std::move(d), {stage.train});
  }
}

}  // namespace

const Rule rules::keeps_incorrect{
    "keeps_incorrect",
    Severity::error,
    true,
    "A reward that exceeds min_reward for an incorrect kernel trains on wrong kernels.",
    R"(import example
extension strict : staged_evaluation { failing { full = 0.5 } }
experiment e : example.study { vary = subsets(strict) }
)",
    R"(import example
experiment e : example.study { vary = subsets(example.stages) }
)",
    check};

}  // namespace trl::language
