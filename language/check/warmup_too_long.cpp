#include <fmt/format.h>

#include "language/check/steps.hpp"

namespace trl::language {
DECLARE_RULE(warmup_too_long)
namespace {

void check_warmup_too_long(Inspection& inspection) {
  for (const auto& stage : inspection.stages()) {
    const Value* warmup = stage.train->field("warmup");
    if (warmup == nullptr || warmup->number() <= longest_warm_up) continue;
    const double share = warmup->number() * 100;
    auto d = found(
        rules::warmup_too_long, warmup->range,
        share >= 100
            ? fmt::format("`{}` warms up over all of its steps: its learning rate is never reached",
                          stage.train->name)
            : fmt::format("`{}` warms up over {:.6g}% of its steps, longer than the {:.6g}% that follow",
                          stage.train->name, share, 100 - share));
    d.helped("5% to 10% is usual");
    if (warmup->given) d.suggest("write `10%`", warmup->range, "10%");
    inspection.report(std::move(d), {stage.train});
  }
}

}  // namespace

const Rule rules::warmup_too_long{"warmup_too_long",
                                  Severity::warning,
                                  true,
                                  "With a warm-up longer than the training after it, most steps have another "
                                  "learning rate than was chosen.",
                                  R"(import example
train t : example.reinforce { warmup = 50% }
experiment e : example.study { train = t }
)",
                                  R"(import example
train t : example.reinforce { warmup = 90% }
experiment e : example.study { train = t }
)",
                                  check_warmup_too_long};

}  // namespace trl::language
