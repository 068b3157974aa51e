#include <fmt/format.h>

#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(context_exceeded)
namespace {

/// `prompted` says whether the tokens follow a prompt, which needs room, too.
void examine(Inspection& inspection, const Resolved& user, const char* field, bool prompted) {
  const auto& architecture = inspection.architecture();
  const Value* tokens = user.field(field);
  if (!architecture || architecture->context <= 0 || tokens == nullptr) return;
  const double context = architecture->context;
  if (tokens->number() <= context) return;
  auto d = found(rules::context_exceeded, tokens->given ? tokens->range : inspection.experiment.range,
                 fmt::format("`{}` has {} = {}, and the context of `{}` ends after {} tokens{}", user.name,
                             field, tokens->number(), inspection.model()->name, context,
                             prompted ? ", the prompt among them" : ""));
  d.note("by " + architecture->source, inspection.model()->field("weights")->range);
  const double most = prompted ? context / 2 : context;
  d.helped(prompted ? fmt::format("{} leave half of it to the prompt", most)
                    : fmt::format("`{}` is at most {}: prompt and answer together", field, most));
  if (tokens->given) d.suggest(fmt::format("write `{}`", most), tokens->range, count_text(most));
  inspection.report(std::move(d), {&user, inspection.model()});
}

void check_context_exceeded(Inspection& inspection) {
  if (inspection.model() == nullptr) return;
  for (const auto& stage : inspection.stages()) {
    examine(inspection, *stage.train, "max_tokens", true);
    examine(inspection, *stage.train, "sequence", false);
  }
  for (const Resolved* exam : inspection.evaluations()) examine(inspection, *exam, "max_tokens", true);
}

}  // namespace

const Rule rules::context_exceeded{
    "context_exceeded",
    Severity::error,
    true,
    "Beyond its context a model has no positions: what it writes there is noise, or the sampler stops.",
    R"(import example
model coder { weights = huggingface("Qwen/Qwen2.5-Coder-7B-Instruct") }
evaluation x : example.exam { max_tokens = 4096 }
experiment e : example.study { model = coder, evaluate = x }
)",
    R"(import example
model coder { weights = huggingface("Qwen/Qwen2.5-Coder-7B-Instruct") }
evaluation x : example.exam { max_tokens = 40000 }
experiment e : example.study { model = coder, evaluate = x }
)",
    check_context_exceeded};

}  // namespace trl::language
