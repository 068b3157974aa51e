#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(empty_stop)
namespace {

void examine_stop(Inspection& inspection, const Resolved& of) {
  const Value* stop = of.field("stop");
  if (stop == nullptr) return;
  for (const Value& text : stop->items) {
    if (!text.plain.is_string() || !text.string().empty()) continue;
    auto d = found(rules::empty_stop, text.range, "`" + of.name + "` stops at an empty text");
    d.helped("leave it out: `stop = []` ends answers at the model's own end token alone");
    inspection.report(std::move(d), {&of});
  }
}

void check_empty_stop(Inspection& inspection) {
  for (const auto& stage : inspection.stages()) examine_stop(inspection, *stage.train);
  for (const Resolved* evaluation : inspection.evaluations()) examine_stop(inspection, *evaluation);
}

}  // namespace

const Rule rules::empty_stop{"empty_stop",
                             Severity::error,
                             false,
                             "An empty text is in every answer, which would end before its first token.",
                             R"(import example
train t : example.reinforce { top_p = 0.95, stop = ["\n```"] }
experiment e : example.study { train = t }
)",
                             R"(import example
train t : example.reinforce { top_p = 0.95, stop = [""] }
experiment e : example.study { train = t }
)",
                             check_empty_stop};

}  // namespace trl::language
