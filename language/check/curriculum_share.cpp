#include <fmt/format.h>

#include <numeric>

#include "language/check/shares.hpp"
#include "language/check/undefined.hpp"

namespace trl::language {
DECLARE_RULE(curriculum_share)
namespace {

/// Returns the finding about a share that is outside [0, 1] in every round.
Diagnostic constant_outside(double share, const Value* written, const Range& range, const std::string& what) {
  auto d = found(rules::curriculum_share, range,
                 fmt::format("{} is {:.6g}, {}", what, share, share > 1 ? "above 1" : "below 0"));
  const std::string number = fmt::format("{:.6g}", share);
  // `200%` is 2, too.
  const bool plain = written != nullptr && written->formula.as<formulas::Number>() != nullptr &&
                     range.end - range.begin == number.size();
  if (plain && share > 1 && share <= 100) {
    d.helped("a share is a fraction of a round: did you mean " + number + "%?");
    d.suggest("write `" + number + "%`", range, number + "%");
  } else {
    d.helped("a share is a fraction of a round, from 0% to 100%");
  }
  return d;
}

void check_curriculum_share(Inspection& inspection) {
  for (const Resolved* extension : inspection.extensions()) {
    const Value* share = extension->field("share");
    if (share == nullptr || !share->is(Value::Kind::map)) continue;
    std::optional<formulas::Expression> sum;
    bool each = true, rest = false;
    const std::vector<double> counts = shares_as_counts(*share, inspection.schema);
    // The rule shares_sum reports these shares.
    if (!counts.empty() && std::accumulate(counts.begin(), counts.end(), 0.0) != 100) continue;
    // With two shares, one of them follows from the other.
    const auto left = [&](const Range& range) {
      return !each && share->entries.size() == 2 && share->entries[1].second.range.begin == range.begin;
    };
    const auto examine = [&](const formulas::Expression& body, const Value& at, const Range& range,
                             const std::string& what) {
      const formulas::Proof proof = prove_within(body, ranges_of(at, inspection.schema), 0, 1);
      if (proof.verdict == formulas::Proof::Verdict::Proven) return true;
      if (proof.enclosure.low == proof.enclosure.high) {
        inspection.report(
            constant_outside(proof.enclosure.low, at.is(Value::Kind::formula) ? &at : nullptr, range, what),
            {extension});
        return false;
      }
      std::string message = what + " cannot be proven to stay in [0, 1]";
      if (proof.verdict == formulas::Proof::Verdict::Refuted)
        message = proof.no_value.empty() ? fmt::format("{} can be {:.6g}, outside [0, 1]: {}", what,
                                                       proof.value, record_text(proof.witness))
                                         : what + " can have no value: " + proof.no_value;
      auto d = found(rules::curriculum_share, range, std::move(message));
      if (left(range)) {
        d.helped("write `rest`, which is what the other share leaves").suggest("write `rest`", range, "rest");
        inspection.report(std::move(d), {extension});
        return false;
      }
      const bool undefined = proof.undefined && (!proof.no_value.empty() || proof.hint.empty());
      d.helped(undefined
                   ? remedy_of_undefined(*proof.undefined)
                   : "clamp it: " + (proof.hint.empty() ? std::string("`clamp(…, 0, 1)`") : proof.hint));
      inspection.report(std::move(d), {extension});
      return false;
    };
    for (const auto& [group, value] : share->entries) {
      if (!value.is(Value::Kind::formula)) {
        rest = true;
        continue;
      }
      each = examine(value.formula, value, value.range, "the share of `" + group + "`") && each;
      sum = sum ? added(*sum, value.formula) : value.formula;
    }
    // What remains for `rest` must not be negative.
    if (each && rest && share->entries.size() > 2)
      examine(*sum, *share, share->range, "the sum of the shares before `rest`");
  }
}

}  // namespace

const Rule rules::curriculum_share{
    "curriculum_share",
    Severity::error,
    true,
    "A share of a round that leaves [0, 1] asks for more tasks than the round has, or for fewer than none.",
    R"(import example
extension p : adaptive_curriculum { share { hard = 0.1 + 0.4 * min(accuracy(easy) / 0.4, 1), easy = rest } }
experiment e : example.study { vary = subsets(p) }
)",
    R"(import example
extension p : adaptive_curriculum { share { hard = 0.1 + accuracy(easy), easy = rest } }
experiment e : example.study { vary = subsets(p) }
)",
    check_curriculum_share};

}  // namespace trl::language
