#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(descending_claim)
namespace {

/// A level as a number, `4`, `1e-4`, `50%`, with false and true as 0 and 1; nothing for other texts.
std::optional<double> level_number(std::string text) {
  const bool percent = text.ends_with('%');
  if (percent) text.pop_back();
  const auto value = nlohmann::json::parse(text, nullptr, false);
  if (value.is_boolean()) return value.get<bool>() ? 1 : 0;
  if (!value.is_number()) return std::nullopt;
  return percent ? value.get<double>() / 100 : value.get<double>();
}

void check_descending_claim(Inspection& inspection) {
  if (inspection.design == nullptr) return;
  for (const Resolved* hypothesis : inspection.hypotheses) {
    const Value *contrast = hypothesis->field("contrast"), *expect = hypothesis->field("expect"),
                *metric = hypothesis->field("metric");
    if (contrast == nullptr || contrast->absent() || expect == nullptr || metric == nullptr) continue;
    const std::string direction = expect->string();
    if (direction != "greater" && direction != "less") continue;
    for (const Factor& factor : inspection.design->factors) {
      const auto path = std::find(factor.paths.begin(), factor.paths.end(), contrast->string());
      if (path == factor.paths.end() || factor.levels.size() < 2) continue;
      const auto which = static_cast<std::size_t>(path - factor.paths.begin());
      const std::string &first = factor.levels.front().parts.at(which),
                        &last = factor.levels.back().parts.at(which);
      const auto from = level_number(first), to = level_number(last);
      if (!from || !to || *from <= *to) continue;
      const std::string name = path->substr(path->rfind('.') + 1), of = called(*metric),
                        more = direction == "greater" ? "more" : "less";
      auto d =
          found(rules::descending_claim, expect->given ? expect->range : contrast->range,
                fmt::format("`{}` claims that `{}` is {} with {} = {} than with {} = {}: the last value is "
                            "compared with the first",
                            hypothesis->name, of, more, name, last, name, first));
      const std::string opposite = direction == "greater" ? "less" : "greater";
      std::string turned;
      for (auto level = factor.levels.rbegin(); level != factor.levels.rend(); ++level)
        turned += (turned.empty() ? "" : ", ") + level->parts.at(which);
      d.helped(fmt::format(
          "if it is meant of {} = {}, turn the list, `[{}]`, or write `expect = {}`; if it is meant "
          "as it stands, turn both, so that the last value is the larger",
          name, first, turned, opposite));
      inspection.report(std::move(d), {hypothesis});
    }
  }
}

}  // namespace

const Rule rules::descending_claim{"descending_claim",
                                   Severity::note,
                                   true,
                                   "A contrast compares the last value of a list with the first, so that a "
                                   "claim over a list that descends is "
                                   "about the smaller value.",
                                   R"(import example
train rl : example.reinforce { max_tokens = 256 }
experiment e : example.study { train = rl, vary = grid(rl.keep = [1, 2]), seeds = 1..3 }
hypothesis fewer_are_better { of = e, contrast = rl.keep, expect = less }
)",
                                   R"(import example
train rl : example.reinforce { max_tokens = 256 }
experiment e : example.study { train = rl, vary = grid(rl.keep = [2, 1]), seeds = 1..3 }
hypothesis fewer_are_better { of = e, contrast = rl.keep, expect = less }
)",
                                   check_descending_claim};

}  // namespace trl::language
