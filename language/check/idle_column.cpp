#include <algorithm>

#include "language/check/endpoint.hpp"

namespace trl::language {
DECLARE_RULE(idle_column)
namespace {

/// Whether some training allows PyTorch to finish the work of an answer's kernels.
bool allows_epilogues(const Inspection& inspection) {
  return std::any_of(inspection.stages().begin(), inspection.stages().end(), [](const auto& stage) {
    const Value* framework = stage.train->field("framework");
    return framework != nullptr && framework->string() == "epilogue";
  });
}

bool is_priced(const Inspection& inspection) {
  const Value* server = weights_called(inspection, "endpoint");
  if (server == nullptr) return false;
  for (const char* name : {"price_in", "price_out"})
    if (const Value* price = server->entry(name); price != nullptr && !price->absent()) return true;
  return false;
}

bool varies_field(const Inspection& inspection, const std::string& field) {
  if (inspection.design == nullptr) return false;
  return std::any_of(
      inspection.design->factors.begin(), inspection.design->factors.end(), [&](const Factor& factor) {
        return std::any_of(factor.paths.begin(), factor.paths.end(),
                           [&](const auto& path) { return path == field || path.ends_with("." + field); });
      });
}

/// Whether the weights of the experiment's model are known, without an error in them.
bool weights_known(const Inspection& inspection) {
  const Resolved* model = inspection.model();
  return inspection.experiment.sound("model") && (model == nullptr || model->sound("weights"));
}

void check_idle_column(Inspection& inspection) {
  const auto report = [&](const Inspection::Measure& measure, std::string why, std::string remedy) {
    inspection.report(found(rules::idle_column, measure.column->range,
                            "`" + called(*measure.column) + "` tells nothing here: " + std::move(why))
                          .helped(std::move(remedy)),
                      {measure.claim});
  };
  for (const auto& measure : inspection.measures()) {
    if (asks_for(*measure.column, contract::ColumnName::usd) && weights_known(inspection) &&
        !is_priced(inspection) && !varies_field(inspection, "model")) {
      if (weights_called(inspection, "endpoint") != nullptr)
        report(measure, "no price of the server's tokens is declared",
               "give endpoint(…) `price_in = … usd, price_out = … usd`, of a million tokens each");
      else
        report(measure,
               "it is what a server's answers cost, and `" + inspection.experiment.name + "` asks none",
               "leave it out; `cost` has the seconds, and `trl plan --cost` prices a `machine`");
    }
    if (asks_for(*measure.column, contract::ColumnName::kernel_share) && !allows_epilogues(inspection) &&
        !varies_field(inspection, "framework"))
      report(measure,
             inspection.stages().empty()
                 ? "it is measured of training's answers, and nothing is trained"
                 : "it is 100% of every answer, since nothing is trained with `framework = epilogue`",
             "leave it out");
  }
}

}  // namespace

const Rule rules::idle_column{
    "idle_column",
    Severity::warning,
    true,
    "A column that is empty, or the same in every row whatever is found, looks like a result.",
    R"(import example
train t : example.reinforce { framework = epilogue, allow(framework_refused, "exams are of kernels alone") }
train unfiltered : t { keep_by = random }
experiment e : example.study { train = t, controls = [unfiltered] }
table shares { of = e, rows = cells + controls, columns = [correct, kernel_share] }
)",
    R"(import example
train unfiltered : example.reinforce { keep_by = random }
experiment e : example.study { controls = [unfiltered] }
table prices { of = e, rows = cells + controls, columns = [correct, usd] }
)",
    check_idle_column};

}  // namespace trl::language
