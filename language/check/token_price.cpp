#include <fmt/format.h>

#include "language/check/endpoint.hpp"

namespace trl::language {
DECLARE_RULE(token_price)
namespace {

/// Below this many usd for a million tokens no server sells answers: the cheapest take some cents.
constexpr double least = 1e-3;
constexpr double million = 1e6;

void check_token_price(Inspection& inspection) {
  const Value* server = weights_called(inspection, "endpoint");
  if (server == nullptr) return;
  for (const char* name : {"price_in", "price_out"}) {
    const Value* price = server->entry(name);
    if (price == nullptr || price->absent() || price->number() <= 0 || price->number() >= least) continue;
    const std::string meant = fmt::format("{:.6g} usd", price->number() * million);
    inspection.report(
        found(rules::token_price, price->range,
              fmt::format("`{}` is of a million tokens, and {:.6g} usd is less than any server takes", name,
                          price->number()))
            .helped("if it is the price of one token, write that of a million: `" + meant + "`")
            .suggest("write `" + meant + "`", price->range, meant),
        {inspection.model()});
  }
}

}  // namespace

const Rule rules::token_price{
    "token_price",
    Severity::warning,
    true,
    "Prices are of a million tokens: with the price of one token every cost comes out a "
    "million times too small.",
    R"(import example
model m { weights = endpoint("http://localhost:8000/v1", name = "qwen", price_in = 0.05 usd, price_out = 0.4 usd) }
experiment e { model = m, evaluate = example.exam }
)",
    R"(import example
model m { weights = endpoint("http://localhost:8000/v1", name = "qwen", price_in = 0.00000005 usd) }
experiment e { model = m, evaluate = example.exam }
)",
    check_token_price};

}  // namespace trl::language
