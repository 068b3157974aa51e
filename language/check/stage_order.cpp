#include <fmt/format.h>

#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(stage_order)
namespace {

void check_stage_order(Inspection& inspection) {
  const Value* train = inspection.experiment.field("train");
  if (train == nullptr) return;
  for (const Value& stage : train->items)
    if (!stage.declaration || stage.declaration->variant == nullptr) return;
  for (std::size_t i = 1; i < train->items.size(); ++i) {
    const Resolved &stage = *train->items[i].declaration, &before = *train->items[i - 1].declaration;
    const Value* controls = inspection.experiment.field("controls");
    // With controls in another order, `unequal_control` tells of it.
    if (stage.is_a("sft") && before.field("rounds") != nullptr &&
        (controls == nullptr || controls->items.empty())) {
      std::string text = stage.name;
      for (std::size_t k = 0; k < train->items.size(); ++k)
        if (k != i) text += " -> " + train->items[k].declaration->name;
      auto d = found(rules::stage_order, train->range,
                     fmt::format("`{}` comes behind `{}`: imitation overwrites what rewards taught",
                                 stage.name, before.name));
      d.helped(fmt::format("imitate first: `train = {}`", text));
      if (train->range.file == inspection.experiment.range.file)
        d.suggest("write `" + text + "`", train->range, text);
      return inspection.report(std::move(d), {&stage, &before});
    }
  }
}

}  // namespace

const Rule rules::stage_order{
    "stage_order",
    Severity::warning,
    true,
    "Imitation of written answers behind training by rewards overwrites what the rewards taught.",
    R"(import windtunnel
import example
train first : sft { data = windtunnel.corpus(level1 = 160), batch = 16 }
experiment e : example.study { train = first -> example.reinforce }
)",
    R"(import windtunnel
import example
train first : sft { data = windtunnel.corpus(level1 = 160), batch = 16 }
experiment e : example.study { train = example.reinforce -> first }
)",
    check_stage_order};

}  // namespace trl::language
