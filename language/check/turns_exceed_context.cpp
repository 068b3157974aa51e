#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/support/feedback.hpp"
#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(turns_exceed_context)
namespace {

void examine(Inspection& inspection, const Resolved& of) {
  const auto& architecture = inspection.architecture();
  const Value *turns = of.field("turns"), *feedback = of.field("feedback"), *tokens = of.field("max_tokens");
  if (!architecture || architecture->context <= 0 || turns == nullptr || feedback == nullptr ||
      tokens == nullptr || !of.sound("turns") || !of.sound("feedback") || !of.sound("max_tokens"))
    return;
  const double context = architecture->context, each = tokens->number();
  if (turns->number() <= 1 || each > context) return;  // context_exceeded reports the latter
  // The number of answers in the longest sequence: the answers that the last prompt shows, and the answer to
  // it.
  const bool all = mentions(feedback->string(), "prompt");
  const double answers = !mentions(feedback->string(), "answer") ? 1 : all ? turns->number() : 2;
  if (answers * each <= context) return;
  auto d = found(rules::turns_exceed_context, turns->given ? turns->range : tokens->range,
                 fmt::format("the last turn of `{}` has {} answers of up to {} tokens before it and at its "
                             "end, and the context of `{}` ends after {}",
                             of.name, answers, each, inspection.model()->name, context));
  d.note("by " + architecture->source, inspection.model()->field("weights")->range);
  if (tokens->given) d.note("the length of an answer", tokens->range);
  d.helped(
      all ? "write {task} in place of {prompt} in `feedback`, which shows the last answer alone, or lower "
            "max_tokens or turns"
          : fmt::format("lower max_tokens to {} or less: an episode whose next prompt leaves no room for "
                        "an answer ends early",
                        std::max(1.0, std::floor(context / 2.5))));
  inspection.report(std::move(d), {&of, inspection.model()});
}

void check_turns_exceed_context(Inspection& inspection) {
  if (inspection.model() == nullptr) return;
  for (const auto& stage : inspection.stages()) examine(inspection, *stage.train);
  for (const Resolved* evaluation : inspection.evaluations()) examine(inspection, *evaluation);
}

}  // namespace

const Rule rules::turns_exceed_context{
    "turns_exceed_context",
    Severity::error,
    true,
    "A later turn's prompt has earlier answers in it. Episodes whose prompts outgrow the context end early: "
    "those with the longest answers, which biases what is learnt.",
    R"(import example
model coder { weights = huggingface("Qwen/Qwen2.5-Coder-7B-Instruct") }
train t : grpo { tasks = example.easy, max_tokens = 4096, turns = 3 }
evaluation x : example.exam { max_tokens = 4096 }
experiment e : example.study { model = coder, train = t, evaluate = x }
)",
    R"(import example
model coder { weights = huggingface("Qwen/Qwen2.5-Coder-7B-Instruct") }
train t : grpo {
  tasks = example.easy, max_tokens = 16384, turns = 3
  feedback = "{prompt}\n{answer}\n# fails by {reason} in line {line}\n"
}
evaluation x : example.exam { max_tokens = 16384 }
experiment e : example.study { model = coder, train = t, evaluate = x }
)",
    check_turns_exceed_context};

}  // namespace trl::language
