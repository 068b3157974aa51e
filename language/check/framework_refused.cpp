#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(framework_refused)
namespace {

void check_framework_refused(Inspection& inspection) {
  const Resolved* exam = inspection.evaluation();
  if (exam == nullptr) return;
  for (const auto& stage : inspection.stages()) {
    const Value* framework = stage.train->field("framework");
    if (framework == nullptr || framework->string() != "epilogue") continue;
    inspection.report(
        found(rules::framework_refused, framework->range,
              "`" + stage.train->name + "` rewards answers that PyTorch finishes, and `" + exam->name +
                  "` refuses them")
            .note("an exam leaves PyTorch nothing to compute, whatever training does")
            .helped("let a later stage of training have `framework = none`, which teaches answers "
                    "of kernels alone"),
        {stage.train, exam});
  }
}

}  // namespace

const Rule rules::framework_refused{"framework_refused",
                                    Severity::note,
                                    true,
                                    "Training may let PyTorch finish what kernels computed; every exam "
                                    "refuses such answers.",
                                    R"(import example
train t : example.reinforce { framework = none }
experiment e : example.study { train = t }
)",
                                    R"(import example
train t : example.reinforce { framework = epilogue }
experiment e : example.study { train = t }
)",
                                    check_framework_refused};

}  // namespace trl::language
