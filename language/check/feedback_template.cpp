#include <fmt/format.h>

#include <algorithm>

#include "language/check/prompt_text.hpp"

namespace trl::language {
DECLARE_RULE(feedback_template)
namespace {

/// "{task}, {prompt}, {answer}, …"
std::string known_placeholders() {
  std::string text;
  for (const auto& one : placeholders) text += fmt::format("{}{{{}}}", text.empty() ? "" : ", ", one.name);
  return text;
}

/// Names the placeholders that a template also lacks, to be added to another finding; empty if it has all of
/// them.
std::string missing(const std::string& text) {
  std::string out;
  if (!mentions(text, "task") && !mentions(text, "prompt")) out += " {task}";
  if (!mentions(text, "answer")) out += std::string(out.empty() ? "" : " and") + " {answer}";
  return out.empty() ? "" : "; it needs" + out + ", too";
}

/// Returns the fault of a template and the remedy; two empty texts if there is none.
std::pair<std::string, std::string> fault_of(const std::string& text) {
  for (const auto& one : mentions(text))
    if (const std::string other = other_notation(text, one); !other.empty())
      return {fmt::format("has {}, of which more than the name stays", other),
              "write {" + one.name + "}, without another sign"};
    else if (std::none_of(placeholders.begin(), placeholders.end(),
                          [&](const Placeholder& known) { return known.name == one.name; }))
      return {fmt::format("names {{{}}}, for which nothing is put", one.name),
              "there are " + known_placeholders() + missing(text)};
  if (!mentions(text, "task") && !mentions(text, "prompt"))
    return {"doesn't say what the task is",
            "write {task}, or {prompt} for the last turn's prompt with all earlier answers"};
  if (!mentions(text, "answer"))
    return {"doesn't show the answer that failed",
            "write {answer}; without it a turn is another try at the task"};
  if (std::none_of(placeholders.begin(), placeholders.end(), [&](const Placeholder& one) {
        return one.name != "task" && one.name != "prompt" && one.name != "answer" && mentions(text, one.name);
      }))
    return {"doesn't say why the answer fails",
            "write {reason}, and {line} or {message}; a control without them may allow(feedback_template, "
            "\"why\")"};
  return {};
}

void examine(Inspection& inspection, const Resolved& of) {
  const Value *turns = of.field("turns"), *feedback = of.field("feedback");
  if (turns == nullptr || feedback == nullptr || !of.sound("turns") || !of.sound("feedback")) return;
  if (turns->number() <= 1 && !feedback->given) return;
  const auto [fault, remedy] = fault_of(feedback->string());
  if (fault.empty()) return;
  auto d = found(rules::feedback_template, feedback->range,
                 fmt::format("the `feedback` of `{}` {}", of.name, fault));
  d.helped(remedy);
  inspection.report(std::move(d), {&of});
}

void check_feedback_template(Inspection& inspection) {
  for (const auto& stage : inspection.stages()) examine(inspection, *stage.train);
  for (const Resolved* evaluation : inspection.evaluations()) examine(inspection, *evaluation);
}

}  // namespace

const Rule rules::feedback_template{
    "feedback_template",
    Severity::error,
    true,
    "A later turn sees its prompt alone: without the task, the answer that failed and the reason it can't "
    "mend that answer.",
    R"(import example
train t : grpo {
  tasks = example.easy, max_tokens = 256, turns = 3
  feedback = "{answer}\n# fails by {reason} in line {line}: {code}\n{task}"
}
experiment e : example.study { train = t }
)",
    R"(import example
train t : grpo {
  tasks = example.easy, max_tokens = 256, turns = 3
  feedback = "{answer}\n# That fails.\n{task}"
}
experiment e : example.study { train = t }
)",
    check_feedback_template};

}  // namespace trl::language
