#include <algorithm>
#include <array>

#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(precision_refused)
namespace {

/// Returns the lowest precision that a declaration's `precision` allows, as a rank: 0 for the task's own
/// precision, higher ranks for lower precisions, -1 if there is no such field.
int allowance(const Resolved& declaration) {
  static constexpr std::array<std::string_view, 3> words = {"task", "tf32", "half"};
  const Value* precision = declaration.field("precision");
  if (precision == nullptr) return -1;
  const auto at = std::find(words.begin(), words.end(), precision->string());
  return at == words.end() ? -1 : static_cast<int>(at - words.begin());
}

void check_precision_refused(Inspection& inspection) {
  const Resolved* exam = inspection.evaluation();
  const int examined = exam == nullptr ? -1 : allowance(*exam);
  if (examined < 0) return;
  for (const auto& stage : inspection.stages()) {
    if (allowance(*stage.train) <= examined) continue;
    const Value& trained = *stage.train->field("precision");
    inspection.report(
        found(rules::precision_refused, trained.range,
              "`" + stage.train->name + "` rewards answers that compute in " +
                  (trained.string() == "half" ? "half precision" : trained.string()) + ", and `" +
                  exam->name + "` refuses them")
            .note("the exam allows less", exam->field("precision")->range)
            .helped("write `precision = " + exam->field("precision")->string() +
                    "` in training, or give the exam the same precision, which then holds for every row"),
        {stage.train, exam});
  }
}

}  // namespace

const Rule rules::precision_refused{"precision_refused",
                                    Severity::warning,
                                    true,
                                    "A model that is rewarded for a lower precision than the exam allows "
                                    "learns answers that the exam refuses.",
                                    R"(import example
evaluation x : example.exam { precision = tf32 }
train t : example.reinforce { precision = tf32 }
experiment e : example.study { evaluate = x, train = t }
)",
                                    R"(import example
train t : example.reinforce { precision = half }
experiment e : example.study { train = t }
)",
                                    check_precision_refused};

}  // namespace trl::language
