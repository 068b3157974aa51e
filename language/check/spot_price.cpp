#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(spot_price)
namespace {

void check_spot_price(Inspection& inspection) {
  const Resolved* machine = inspection.machine();
  const Value* spot = machine == nullptr ? nullptr : machine->field("spot");
  const Value* on_demand = machine == nullptr ? nullptr : machine->field("on_demand");
  if (spot == nullptr || on_demand == nullptr || spot->absent() || on_demand->absent() ||
      spot->number() <= on_demand->number())
    return;
  inspection.report(found(rules::spot_price, spot->range,
                          "`" + machine->name + "` costs more if it may be taken away than if it may not")
                        .note("the price on demand", on_demand->range)
                        .helped("exchange the two prices, or leave `spot` out"),
                    {machine});
}

}  // namespace

const Rule rules::spot_price{"spot_price",
                             Severity::warning,
                             true,
                             "A machine that may be taken away is sold for less than one that may not: a "
                             "higher price is a slip, and every "
                             "estimate of costs goes by it.",
                             R"(import example
machine m { memory = 80 GiB, spot = 6.84 usd / 1 h, on_demand = 32.77 usd / 1 h }
experiment e : example.study { machine = m }
)",
                             R"(import example
machine m { memory = 80 GiB, spot = 32.77 usd / 1 h, on_demand = 6.84 usd / 1 h }
experiment e : example.study { machine = m }
)",
                             check_spot_price};

}  // namespace trl::language
