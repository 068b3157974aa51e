#include <fmt/format.h>

#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(short_answers)
namespace {

/// A kernel with the code that launches it has more tokens than this by any tokenizer.
constexpr double shortest_answer = 128, usual_answer = 512;

void examine_length(Inspection& inspection, const Resolved& user) {
  const Value* limit = user.field("max_tokens");
  if (limit == nullptr || !limit->given || !(limit->number() < shortest_answer)) return;
  if (is_varied(inspection, user.name + ".max_tokens")) return;
  auto d =
      found(rules::short_answers, limit->range,
            fmt::format("`{}` ends answers after {:.6g} tokens, which hold no kernel and its launch: all "
                        "of them are cut off",
                        user.name, limit->number()));
  d.helped(fmt::format("small kernels take 200 to {:.6g} tokens, others 2048 and more", usual_answer));
  d.suggest(fmt::format("write `{:.6g}`", usual_answer), limit->range, count_text(usual_answer));
  inspection.report(std::move(d), {&user});
}

void check_short_answers(Inspection& inspection) {
  for (const auto& stage : inspection.stages()) examine_length(inspection, *stage.train);
  for (const Resolved* exam : inspection.evaluations()) examine_length(inspection, *exam);
}

}  // namespace

const Rule rules::short_answers{"short_answers",
                                Severity::warning,
                                true,
                                "An answer that is cut off is no kernel, so that nothing is learnt and "
                                "nothing is measured.",
                                R"(import example
evaluation x : example.exam { max_tokens = 512 }
experiment e : example.study { evaluate = x }
)",
                                R"(import example
train t : example.reinforce { max_tokens = 32 }
experiment e : example.study { train = t }
)",
                                check_short_answers};

}  // namespace trl::language
