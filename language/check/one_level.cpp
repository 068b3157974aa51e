#include <algorithm>

#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(one_level)
namespace {

void check_one_level(Inspection& inspection) {
  const Value* vary = inspection.experiment.field("vary");
  if (inspection.design == nullptr || vary == nullptr || !inspection.experiment.sound("vary")) return;
  for (const Factor& factor : inspection.design->factors) {
    if (factor.levels.size() != 1 || factor.paths.empty()) continue;
    const std::string& level = factor.levels[0].text;
    bool contrasted = false;
    for (const Resolved* hypothesis : inspection.hypotheses) {
      const Value* contrast = hypothesis->field("contrast");
      if (contrast == nullptr || contrast->absent() ||
          std::find(factor.paths.begin(), factor.paths.end(), contrast->string()) == factor.paths.end())
        continue;
      contrasted = true;
      auto d = found(rules::one_level, contrast->range,
                     "`" + contrast->string() + "` has one level, " + level + ": nothing is compared, and `" +
                         hypothesis->name + "` can't be decided");
      d.note("what is varied", vary->range);
      d.helped("give `" + contrast->string() + "` a second value, whose last is compared with the first");
      inspection.report(std::move(d), {hypothesis});
    }
    if (contrasted) continue;
    inspection.report(
        found(rules::one_level, vary->range,
              "`" + factor.paths[0] + "` is varied and has one level, " + level + ": nothing is compared")
            .helped("give it a second value, or write the value where it is declared: `" + factor.paths[0] +
                    "` has it in controls, too, then"),
        {});
  }
}

}  // namespace

const Rule rules::one_level{"one_level",
                            Severity::warning,
                            true,
                            "A contrast compares the last level of what is varied with the first, which are "
                            "the same if there is one.",
                            R"(import example
train rl : example.reinforce { max_tokens = 256 }
experiment e : example.study { train = rl, vary = grid(rl.keep = [1, 2]), seeds = 1..3 }
hypothesis more_helps { of = e, contrast = rl.keep }
)",
                            R"(import example
train rl : example.reinforce { max_tokens = 256 }
experiment e : example.study { train = rl, vary = grid(rl.keep = [2]), seeds = 1..3 }
hypothesis more_helps { of = e, contrast = rl.keep }
)",
                            check_one_level};

}  // namespace trl::language
