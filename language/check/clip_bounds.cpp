#include <fmt/format.h>

#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(clip_bounds)
namespace {

/// Reports `clip` if the author probably meant `clip_ratio`, the lower bound of the ratio. That is assumed if
/// `clip` is a share, stands beside `clip_higher` and isn't larger than it, and if `clip_ratio` isn't
/// written.
void examine_norm(Inspection& inspection, const Resolved& train) {
  const Value *norm = train.field("clip"), *below = train.field("clip_ratio"),
              *above = train.field("clip_higher");
  if (norm == nullptr || below == nullptr || above == nullptr || !norm->given || !above->given ||
      norm->absent() || above->absent() || below->given || norm->number() >= 1 ||
      norm->number() > above->number())
    return;
  auto d = found(rules::clip_bounds, norm->origin.range,
                 fmt::format("`clip` of `{}` bounds the norm of the gradient, and `clip_higher` the ratio of "
                             "probabilities; below, its bound is `clip_ratio`",
                             train.name));
  d.note("the bound above", above->range);
  d.helped(fmt::format("write `clip_ratio = {:.6g}%`, and leave `clip` out", 100 * norm->number()));
  if (norm->origin.kind == Origin::Kind::written)
    d.suggest("write `clip_ratio`", norm->origin.range, "clip_ratio");
  inspection.report(std::move(d), {&train});
}

void check_clip_bounds(Inspection& inspection) {
  for (const auto& stage : inspection.stages()) {
    examine_norm(inspection, *stage.train);
    const Value *below = stage.train->field("clip_ratio"), *above = stage.train->field("clip_higher");
    if (below == nullptr || above == nullptr || above->absent() || !stage.train->sound("clip_ratio") ||
        !stage.train->sound("clip_higher"))
      continue;
    const bool narrower = above->number() < below->number();
    if (!narrower && above->number() < 1) continue;
    auto d =
        found(rules::clip_bounds, above->range,
              narrower ? fmt::format("`{}` lets a token's probability rise by {:.6g} % and fall by {:.6g} %, "
                                     "and `clip_higher` is there to give it more room above",
                                     stage.train->name, 100 * above->number(), 100 * below->number())
                       : fmt::format("`{}` lets a token's probability rise to {:.6g} times what it was: the "
                                     "bound of the ratio is 1 + clip_higher",
                                     stage.train->name, 1 + above->number()));
    if (below->given) d.note("the bound below", below->range);
    d.helped(narrower ? "write more than `clip_ratio`, as DAPO does with 28%, or leave `clip_higher` out"
                      : "write how much it may rise, `clip_higher = 28%`");
    if (!narrower && above->number() > 1 && above->number() < 2)
      d.suggest("if the ratio itself was meant", above->range,
                fmt::format("{:.6g}%", 100 * (above->number() - 1)));
    inspection.report(std::move(d), {stage.train});
  }
}

}  // namespace

const Rule rules::clip_bounds{
    "clip_bounds",
    Severity::warning,
    true,
    "The bound above is there to leave unlikely tokens room to become likely. Below `clip_ratio` it takes "
    "that "
    "room, and from 100 % on it hardly bounds: often a ratio such as 1.28 was written in place of 28 %. "
    "`clip` is the "
    "bound of the gradient's norm.",
    R"(import example
train t : grpo { tasks = example.easy, max_tokens = 256, learning_rate = 1e-4, clip_ratio = 20%, clip_higher = 28% }
experiment e : example.study { train = t }
)",
    R"(import example
train t : grpo { tasks = example.easy, max_tokens = 256, learning_rate = 1e-4, clip_ratio = 20%, clip_higher = 1.28 }
experiment e : example.study { train = t }
)",
    check_clip_bounds};

}  // namespace trl::language
