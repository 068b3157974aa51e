#include <map>

#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(repeated_claim)
namespace {

/// Returns, as text, what a hypothesis compares (the fields `contrast`, `against` and `cell`) and its metric.
std::string question_of(const Resolved& hypothesis) {
  std::string question;
  for (const char* name : {"contrast", "against", "cell", "metric"}) {
    const Value* value = hypothesis.field(name);
    question += (value == nullptr || value->absent() ? std::string() : to_json(*value).dump()) + '\n';
  }
  return question;
}

std::string expectation_of(const Resolved& hypothesis) {
  const Value* expect = hypothesis.field("expect");
  return expect == nullptr ? std::string() : expect->string();
}

void check_repeated_claim(Inspection& inspection) {
  std::map<std::string, const Resolved*> first;
  for (const Resolved* hypothesis : inspection.hypotheses) {
    bool sound = true;
    for (const char* name : {"contrast", "against", "cell", "metric", "expect"})
      sound &= hypothesis->sound(name);
    if (!sound) continue;
    const auto [known, added] = first.try_emplace(question_of(*hypothesis), hypothesis);
    if (added) continue;
    const auto one = expectation_of(*known->second), other = expectation_of(*hypothesis);
    const bool repeats = one == other;
    auto d = found(rules::repeated_claim, hypothesis->range,
                   repeats ? "`" + hypothesis->name + "` claims what `" + known->second->name + "` claims"
                           : "`" + hypothesis->name + "` expects " + other + " where `" +
                                 known->second->name + "` expects " + one);
    d.note("the other claim about the same difference", known->second->range);
    d.helped(repeats ? "remove one of them: each hypothesis more makes all of them harder to support"
                     : "keep the one that you believe; `expect = different` is about both directions");
    inspection.report(std::move(d), {hypothesis});
  }
}

}  // namespace

const Rule rules::repeated_claim{"repeated_claim",
                                 Severity::warning,
                                 true,
                                 "A claim that is made twice is paid for twice in the adjustment for several "
                                 "hypotheses (Holm), and of two "
                                 "that contradict each other one is false whatever is found.",
                                 R"(import windtunnel
import example
evaluation x : example.exam { split = windtunnel.level2, samples = 4 }
experiment e : example.study { evaluate = x, vary = subsets(example.pace), seeds = 1..5 }
hypothesis pace_helps { of = e, contrast = example.pace }
hypothesis pace_is_fast { of = e, contrast = example.pace, metric = speedup }
)",
                                 R"(import windtunnel
import example
evaluation x : example.exam { split = windtunnel.level2, samples = 4 }
experiment e : example.study { evaluate = x, vary = subsets(example.pace), seeds = 1..5 }
hypothesis pace_helps { of = e, contrast = example.pace }
hypothesis pace_harms { of = e, contrast = example.pace, expect = less }
)",
                                 check_repeated_claim};

}  // namespace trl::language
