#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(adapter_scale)
namespace {

/// Scales whose ratio is at least this large may explain a difference by themselves. A factor of 2 in the
/// rank alone isn't reported.
constexpr double apart = 4;

/// The factor of an adapter's update, and the settings from which it follows.
struct Scale {
  double rank = 0, alpha = 0;
  bool stabilised = false;
  double value() const { return alpha / (stabilised ? std::sqrt(rank) : rank); }
};

std::optional<Scale> scale_of(const Resolved* experiment) {
  const Value* field = experiment == nullptr ? nullptr : experiment->field("adapter");
  if (field == nullptr || field->declaration == nullptr) return std::nullopt;
  const Resolved& adapter = *field->declaration;
  const Value *rank = adapter.field("rank"), *alpha = adapter.field("alpha"),
              *stabilised = adapter.field("use_rslora");
  if (rank == nullptr || alpha == nullptr || stabilised == nullptr || rank->number() < 1) return std::nullopt;
  return Scale{rank->number(), alpha->number(),
               stabilised->plain.is_boolean() && stabilised->plain.get<bool>()};
}

/// Returns the learning rates of all training stages as text. A design that varies them may use another
/// learning rate for each rank.
std::string rates_of(const Resolved& experiment) {
  std::string out;
  if (const Value* train = experiment.field("train"))
    for (const Value& stage : train->items)
      if (const Value* rate = stage.declaration ? stage.declaration->field("learning_rate") : nullptr)
        out += fmt::format("{} ", rate->number());
  return out;
}

/// The path of the adapter's rank in the design; empty if whole adapters are varied.
std::string path_of_rank(const Design& design) {
  for (const Factor& factor : design.factors)
    for (const std::string& path : factor.paths)
      if (path.ends_with(".rank")) return path;
  return "";
}

std::string listed(const std::vector<double>& numbers) {
  std::string out;
  for (const double number : numbers) out += fmt::format("{}{:g}", out.empty() ? "" : ", ", number);
  return "[" + out + "]";
}

void examine_design(Inspection& inspection) {
  if (inspection.design == nullptr || !inspection.experiment.sound("vary")) return;
  std::map<double, Scale> by_rank;
  std::map<double, std::string> rates;
  std::vector<double> ranks;
  for (const Resolved* cell : inspection.cells) {
    const auto scale = scale_of(cell);
    if (!scale || scale->stabilised) return;
    const auto [known, fresh] = by_rank.emplace(scale->rank, *scale);
    if (fresh) ranks.push_back(scale->rank);
    const std::string own = rates_of(*cell);
    // Cells of the same rank with different scales or learning rates make it possible to separate the effect
    // of the rank, so nothing is reported.
    if (known->second.value() != scale->value() || rates.emplace(scale->rank, own).first->second != own)
      return;
  }
  if (by_rank.size() < 2) return;
  const auto smaller = [](const auto& a, const auto& b) { return a.second.value() < b.second.value(); };
  const auto [least, most] = std::minmax_element(by_rank.begin(), by_rank.end(), smaller);
  const double ratio = most->second.value() / least->second.value();
  if (!(ratio >= apart)) return;
  const auto described = [](const Scale& scale) {
    return fmt::format("{:.4g} with rank {:g} and alpha {:g}", scale.value(), scale.rank, scale.alpha);
  };
  const Value* vary = inspection.experiment.field("vary");
  auto d = found(
      rules::adapter_scale, vary->range,
      fmt::format("the scale of the adapter's update, alpha / rank, differs {:.3g}-fold between cells: {}, "
                  "{}. A difference between them may be that of the step size, not of the rank",
                  ratio, described(most->second), described(least->second)));
  const std::string path = path_of_rank(*inspection.design);
  if (path.empty()) {
    d.helped("give the adapters one alpha / rank, or `use_rslora = true`");
  } else {
    const auto base = scale_of(&inspection.experiment);
    const double scale = base ? base->value() : least->second.value();
    std::vector<double> alphas;
    for (const double rank : ranks) alphas.push_back(rank * scale);
    const std::string of = path.substr(0, path.rfind('.'));
    d.helped(fmt::format(
        "keep alpha / rank: `zip({} = {}, {}.alpha = {})`; or write `use_rslora = true` in the adapter, "
        "which divides by the root of the rank; or vary the learning rate, too, and compare each rank at its "
        "best",
        path, listed(ranks), of, listed(alphas)));
  }
  inspection.report(std::move(d), {inspection.adapter()});
}

/// Reports an alpha as for plain LoRA (about twice the rank) with rsLoRA: the scale, alpha divided by the
/// root of the rank, is then much too large.
void examine_stabilised(Inspection& inspection) {
  constexpr double most = 16;
  const Resolved* adapter = inspection.adapter();
  const auto scale = scale_of(&inspection.experiment);
  if (adapter == nullptr || !scale || !scale->stabilised || !(scale->value() > most)) return;
  const Value *alpha = adapter->field("alpha"), *rank = adapter->field("rank");
  auto d =
      found(rules::adapter_scale, alpha->given ? alpha->range : adapter->range,
            fmt::format("the update of `{}` is multiplied by {:.4g}, alpha / sqrt(rank): by alpha / rank "
                        "it would be {:.4g}",
                        adapter->name, scale->value(), scale->alpha / scale->rank));
  if (rank->given) d.note("the rank", rank->range);
  d.helped(
      fmt::format("with `use_rslora` an alpha of 16 is usual at any rank (Kalajdzievski 2023); the scale "
                  "that alpha / rank would give takes alpha = {:.3g}",
                  scale->alpha / std::sqrt(scale->rank)));
  inspection.report(std::move(d), {adapter});
}

/// Reports an update that is multiplied by almost nothing, as when a share is given as alpha: `alpha = 5%`.
void examine_small(Inspection& inspection) {
  constexpr double least = 0.1, usual = 2;
  const Resolved* adapter = inspection.adapter();
  const auto scale = scale_of(&inspection.experiment);
  if (!scale || !(scale->value() < least * (1 - 1e-9))) return;
  const Value *alpha = adapter->field("alpha"), *rank = adapter->field("rank");
  auto d =
      found(rules::adapter_scale, alpha->given ? alpha->range : adapter->range,
            fmt::format("the update of `{}` is multiplied by {:.2g}, alpha / {}: it hardly changes the model",
                        adapter->name, scale->value(), scale->stabilised ? "sqrt(rank)" : "rank"));
  if (rank->given) d.note("the rank", rank->range);
  const std::string meant = fmt::format("{:g}", scale->stabilised ? 16 : usual * scale->rank);
  d.helped("alpha is no share: one to two times the rank is usual" +
           std::string(scale->stabilised ? ", and 16 with `use_rslora`" : "") + ", `alpha = " + meant + "`");
  if (alpha->given) d.suggest("write `" + meant + "`", alpha->range, meant);
  inspection.report(std::move(d), {adapter});
}

/// Reports an update that is multiplied by many times the usual factor: `alpha = 320` instead of 32. An alpha
/// up to `kept` isn't reported, since some people use 32 or 64 for all ranks.
void examine_large(Inspection& inspection) {
  constexpr double most = 8, kept = 64, usual = 2, slip = 10;
  const Resolved* adapter = inspection.adapter();
  const auto scale = scale_of(&inspection.experiment);
  if (!scale || scale->stabilised || scale->alpha <= kept || !(scale->value() > most)) return;
  if (is_varied(inspection, adapter->name + ".alpha") || is_varied(inspection, adapter->name + ".rank"))
    return;
  const Value *alpha = adapter->field("alpha"), *rank = adapter->field("rank");
  auto d = found(
      rules::adapter_scale, alpha->given ? alpha->range : adapter->range,
      fmt::format("the update of `{}` is multiplied by {:.3g}, alpha / rank: its steps are so many times "
                  "larger, too",
                  adapter->name, scale->value()));
  if (rank->given) d.note("the rank", rank->range);
  const double tenth = scale->alpha / slip;
  const bool slipped = tenth >= scale->rank && tenth <= usual * scale->rank;
  const std::string meant = fmt::format("{:g}", slipped ? tenth : usual * scale->rank);
  d.helped("one to two times the rank is usual, `alpha = " + meant + "`");
  if (alpha->given) d.suggest("write `" + meant + "`", alpha->range, meant);
  inspection.report(std::move(d), {adapter});
}

void check_adapter_scale(Inspection& inspection) {
  if (inspection.adapter() == nullptr || inspection.stages().empty()) return;
  examine_design(inspection);
  examine_stabilised(inspection);
  examine_small(inspection);
  examine_large(inspection);
}

}  // namespace

const Rule rules::adapter_scale{
    "adapter_scale",
    Severity::warning,
    true,
    "An adapter's update is multiplied by alpha / rank, so that a larger rank with the same alpha is also "
    "trained with a smaller step.",
    R"(import example
lora writer { rank = 16, alpha = 32 }
experiment e : example.study { adapter = writer, vary = zip(writer.rank = [8, 64], writer.alpha = [16, 128]) }
)",
    R"(import example
lora writer { rank = 16, alpha = 32 }
experiment e : example.study { adapter = writer, vary = grid(writer.rank = [8, 64]) }
)",
    check_adapter_scale};

}  // namespace trl::language
