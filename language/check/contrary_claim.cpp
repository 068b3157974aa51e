#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(contrary_claim)
namespace {

/// Whether a name has one of the words, between its `_`: `reward_helps`.
bool says(const std::string& name, std::initializer_list<const char*> words) {
  for (std::size_t at = 0, end = 0; at <= name.size(); at = end + 1) {
    end = std::min(name.find('_', at), name.size());
    std::string part = name.substr(at, end - at);
    std::transform(part.begin(), part.end(), part.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (std::any_of(words.begin(), words.end(), [&](const char* word) { return part == word; })) return true;
  }
  return false;
}

bool claims_better(const std::string& name) {
  return says(name,
              {"help", "helps", "helped", "improve", "improves", "improved", "better", "win", "wins", "beat",
               "beats", "gain", "gains", "boost", "boosts", "benefit", "benefits", "pays", "works"}) &&
         !says(name, {"not", "no", "never", "hurt", "hurts", "harm", "harms", "worse"});
}

/// Whether a hypothesis is about a control or an extension: of a setting that is varied, a name may mean the
/// smaller value.
bool about_training(const Inspection& inspection, const Resolved& hypothesis) {
  if (!hypothesis.sound("against") || !hypothesis.sound("contrast")) return false;
  const Value *against = hypothesis.field("against"), *contrast = hypothesis.field("contrast");
  if (against != nullptr && !against->absent()) return true;
  if (contrast == nullptr || contrast->absent() || inspection.design == nullptr) return false;
  const std::string name = contrast->declaration ? contrast->declaration->name : called(*contrast);
  return std::any_of(
      inspection.design->factors.begin(), inspection.design->factors.end(), [&](const Factor& factor) {
        return factor.extension != nullptr && (name == factor.name || name.ends_with("." + factor.name));
      });
}

void check_contrary_claim(Inspection& inspection) {
  for (const Resolved* hypothesis : inspection.hypotheses) {
    const Value *expect = hypothesis->field("expect"), *metric = hypothesis->field("metric");
    if (expect == nullptr || metric == nullptr || !hypothesis->sound("expect") ||
        !hypothesis->sound("metric"))
      continue;
    const auto* facts = column_of(*metric);
    if (facts == nullptr || facts->better == contract::Better::unknown || !claims_better(hypothesis->name))
      continue;
    if (!about_training(inspection, *hypothesis)) continue;
    const bool higher = facts->better == contract::Better::higher;
    if (expect->string() != (higher ? "less" : "greater")) continue;
    const std::string meant = higher ? "greater" : "less";
    auto d = found(
        rules::contrary_claim, expect->given ? expect->range : metric->range,
        fmt::format("`{}` claims by its name that something is better, and by `expect = {}` that `{}` is "
                    "worse: {} is better",
                    hypothesis->name, expect->string(), called(*metric), higher ? "more" : "less"));
    const Value* against = hypothesis->field("against");
    if (against != nullptr && !against->absent())
      d.note("the difference is that of the experiment's rows less this", against->range);
    d.helped(fmt::format("write `expect = {}`, or name the hypothesis by what it claims", meant));
    if (expect->given) d.suggest("write `" + meant + "`", expect->range, meant);
    inspection.report(std::move(d), {hypothesis});
  }
}

}  // namespace

const Rule rules::contrary_claim{
    "contrary_claim",
    Severity::warning,
    true,
    "A hypothesis whose sign isn't the meant one is refuted by the very effect that was hoped for.",
    R"(import example
experiment e : example.study { vary = subsets(example.pace), seeds = 1..3 }
hypothesis pace_helps { of = e, contrast = example.pace, expect = greater }
)",
    R"(import example
experiment e : example.study { vary = subsets(example.pace), seeds = 1..3 }
hypothesis pace_helps { of = e, contrast = example.pace, expect = less }
)",
    check_contrary_claim};

}  // namespace trl::language
