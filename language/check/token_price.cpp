#include <fmt/format.h>

#include "language/check/endpoint.hpp"

namespace trl::language {
DECLARE_RULE(token_price)
namespace {

/// Dollars for a million tokens. Servers take from about a cent to a hundred dollars; the limits are twice as
/// wide. A price below `cheapest` is reported: it is probably the price of one token or of a thousand.
constexpr double cheapest = 5e-3, dearest = 200, cheapest_answers = 0.01;
constexpr double thousand = 1e3, million = 1e6;

/// Reports a price of answers below the price of prompts: no server has such prices.
void examine_order(Inspection& inspection, const AskedServer& server) {
  const Value *in = server.endpoint->entry("price_in"), *out = server.endpoint->entry("price_out");
  if (in == nullptr || out == nullptr || in->absent() || out->absent() || !(in->number() > out->number()) ||
      out->number() <= 0)
    return;
  inspection.report(found(rules::token_price, in->range,
                          fmt::format("a token of the prompt costs more than one of an answer, {:.6g} usd a "
                                      "million against {:.6g}",
                                      in->number(), out->number()))
                        .note("the price of answers", out->range)
                        .helped(fmt::format("servers take more for what they write: `price_in = {:.6g} usd, "
                                            "price_out = {:.6g} usd`?",
                                            out->number(), in->number())),
                    {server.of});
}

void examine_prices(Inspection& inspection, const AskedServer& server) {
  examine_order(inspection, server);
  for (const char* name : {"price_in", "price_out"}) {
    const Value* price = server.endpoint->entry(name);
    if (price == nullptr || price->absent() || price->number() <= 0 || price->number() >= cheapest) continue;
    const auto of = [&](double tokens) { return price->number() * tokens; };
    const auto likely = [&](double tokens) {
      return of(tokens) >= cheapest_answers && of(tokens) <= dearest;
    };
    const auto written = [](double usd) { return fmt::format("{:.6g} usd", usd); };
    auto d = found(rules::token_price, price->range,
                   fmt::format("`{}` is of a million tokens, and {:.6g} usd is less than any server takes",
                               name, price->number()));
    const double meant = likely(thousand) && !likely(million) ? thousand : million;
    if (likely(thousand) && likely(million))
      d.helped(
          fmt::format("write the price of a million: `{}` if this is that of one token, `{}` if it is that "
                      "of a thousand",
                      written(of(million)), written(of(thousand))));
    else
      d.helped(fmt::format("if it is the price of {}, write that of a million: `{}`",
                           meant == thousand ? "a thousand tokens" : "one token", written(of(meant))));
    d.suggest("write `" + written(of(meant)) + "`", price->range, written(of(meant)));
    inspection.report(std::move(d), {server.of});
  }
}

void check_token_price(Inspection& inspection) {
  for (const auto& server : asked_servers(inspection)) examine_prices(inspection, server);
}

}  // namespace

const Rule rules::token_price{
    "token_price",
    Severity::warning,
    true,
    "Prices are of a million tokens: with the price of one token, or of a thousand, every "
    "cost comes out far too small.",
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
