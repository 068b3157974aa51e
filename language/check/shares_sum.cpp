#include <fmt/format.h>

#include <numeric>

#include "language/check/shares.hpp"

namespace trl::language {
DECLARE_RULE(shares_sum)
namespace {

void check_shares_sum(Inspection& inspection) {
  for (const Resolved* extension : inspection.extensions()) {
    const Value* share = extension->field("share");
    if (share == nullptr || !share->is(Value::Kind::map)) continue;
    std::optional<formulas::Expression> sum;
    const Value* rest = nullptr;
    const Value* formula = nullptr;
    for (const auto& [group, value] : share->entries) {
      if (!value.is(Value::Kind::formula)) {
        if (rest != nullptr)
          inspection.report(found(rules::shares_sum, value.range, "`rest` is given twice")
                                .note("first here", rest->range)
                                .helped("only one group can have the remainder"),
                            {extension});
        rest = &value;
        continue;
      }
      formula = &value;
      sum = sum ? added(*sum, value.formula) : value.formula;
    }
    if (rest != nullptr || formula == nullptr) continue;
    const std::vector<double> counts = shares_as_counts(*share, inspection.schema);
    const double whole = std::accumulate(counts.begin(), counts.end(), 0.0);
    if (whole == 100) continue;  // rule curriculum_share reports that a share lacks its percent sign
    constexpr double rounding = 1e-9;
    const formulas::Proof proof =
        prove_within(*sum, ranges_of(*formula, inspection.schema), 1 - rounding, 1 + rounding);
    if (proof.verdict == formulas::Proof::Verdict::Proven) continue;
    const std::string witness = proof.witness.empty() ? "" : " when " + record_text(proof.witness);
    auto d = found(rules::shares_sum, share->range,
                   proof.verdict == formulas::Proof::Verdict::Refuted
                       ? fmt::format("the shares sum to {:.6g}{}, not to 1", proof.value, witness)
                       : "the shares are not proven to sum to 1");
    std::string fractions;
    for (std::size_t i = 0; i < counts.size(); ++i)
      fractions += (i ? ", " : "") + share->entries[i].first + " = " + percent_text(counts[i] / whole);
    d.helped(counts.empty() ? "give one group `rest`"
                            : "shares are fractions of a round: for this proportion write `share { " +
                                  fractions + " }`");
    inspection.report(std::move(d), {extension});
  }
}

}  // namespace

const Rule rules::shares_sum{"shares_sum",
                             Severity::error,
                             true,
                             "Shares that do not sum to 1 sample fewer or more tasks than a round has.",
                             R"(import example
extension p : adaptive_curriculum { share { hard = 40%, easy = 60% } }
experiment e : example.study { vary = subsets(p) }
)",
                             R"(import example
extension p : adaptive_curriculum { share { hard = 40%, easy = 40% } }
experiment e : example.study { vary = subsets(p) }
)",
                             check_shares_sum};

}  // namespace trl::language
