#include "interpreter/plan/plan.hpp"
#include "base/contract/kernel_language.hpp"
#include "interpreter/plan/asking.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "base/support/error.hpp"
#include "interpreter/plan/cells.hpp"
#include "interpreter/plan/chain.hpp"
#include "interpreter/plan/extension.hpp"
#include "interpreter/plan/trainer.hpp"

namespace trl::interpreter {
namespace {
using nlohmann::json;

std::string name_of(const json& declaration) { return contract::Declaration::read(declaration).name; }

std::vector<std::string> names_of(const std::vector<json>& declarations) {
  std::vector<std::string> names;
  for (const auto& declaration : declarations) names.push_back(name_of(declaration));
  return names;
}

/// The extensions that are on in some cell, without duplicates.
std::vector<json> varied_extensions(const std::vector<Cell>& cells) {
  std::vector<json> out;
  for (const auto& cell : cells)
    for (const auto& extension : cell.on)
      if (std::find(out.begin(), out.end(), extension) == out.end()) out.push_back(extension);
  return out;
}

/// Whether two rows have the same chains: chains that end in the same stages are equal.
bool same_chains(const Row& a, const Row& b) {
  return std::equal(a.traces.begin(), a.traces.end(), b.traces.begin(), b.traces.end(),
                    [](const Trace& x, const Trace& y) { return x.slots == y.slots; });
}

void require_carried_out(const std::vector<json>& extensions, ChainBuilder& builder) {
  for (const auto& declared : extensions) {
    const auto declaration = contract::Declaration::read(declared);
    if (!extension_called(declaration.variant))
      builder.missing("extension " + declaration.name + " : " + declaration.variant +
                          " isn't carried out by this version",
                      "Leave it out.");
  }
}

/// Notes which extensions change nothing on this machine.
void note_inert(const std::vector<json>& extensions, Plan& plan) {
  for (const auto& declared : extensions) {
    const auto declaration = contract::Declaration::read(declared);
    const auto* extension = extension_called(declaration.variant);
    if (!extension || !extension->needs_gpu() || plan.times_kernels) continue;
    plan.inert.push_back(declaration.name);
    plan.notes.push_back("Without a GPU kernel times are modelled, so `" + declaration.name + "` (" +
                         declaration.variant +
                         ") changes nothing: cells that differ only in it are one cell.");
  }
}

std::vector<json> as_phases(const json& train) {
  if (train.is_null()) return {};
  if (train.is_array()) return train.get<std::vector<json>>();
  return {train};
}

}  // namespace

std::string pipeline_label(const json& phases) {
  std::string text;
  for (const auto& phase : phases) text += (text.empty() ? "" : " -> ") + name_of(phase);
  return text;
}

const Stage* Plan::find(const std::string& key) const {
  const auto found = std::find_if(stages.begin(), stages.end(), [&](const Stage& s) { return s.key == key; });
  return found == stages.end() ? nullptr : &*found;
}

std::vector<const Row*> Plan::all_rows() const {
  std::vector<const Row*> all;
  for (const auto& row : rows) all.push_back(&row);
  for (const auto& [call, row] : imported) all.push_back(&row);
  return all;
}

void Plan::require_all() const {
  if (missing.empty()) return;
  std::string text = experiment + " can be planned, but not run here:", help;
  for (const auto& [what, remedy] : missing) {
    text += "\n  - " + what;
    if (help.find(remedy) == std::string::npos) help += (help.empty() ? "" : "\n        ") + remedy;
  }
  throw UserError(text, help);
}

namespace {

/// Adds the rows of the experiment's tables whose results were made elsewhere.
void add_imported(const json& document, std::uint64_t seed, const std::optional<contract::Evaluation>& exam,
                  ChainBuilder& builder, Plan& plan) {
  const json tables = document.value("tables", json::object());
  for (const auto& [name, table] : tables.items()) {
    if (table.value("of", "") != plan.experiment) continue;
    for (const auto& call : imported_calls(table.value("rows", json()))) {
      if (!exam) {
        builder.missing("a table shows imported results, and the experiment has no exam to show them beside",
                        "Give it `evaluate = …`.");
        continue;
      }
      const auto [row, added] = plan.imported.try_emplace(imported_key(call));
      if (!added) continue;
      row->second.kind = Row::Kind::imported;
      row->second.label = call.named.at("name").get<std::string>() + imported_mark;
      row->second.from = contract::Call::read(call.args.at(0)).args.at(0);
      row->second.traces.push_back(builder.imported(call, seed, exam->split));
    }
  }
}

/// The suites of the exam's tasks, each once, in their order.
std::vector<std::string> exam_suites(const json& document, const json& experiment) {
  std::vector<std::string> suites;
  const auto exam = experiment.value("evaluate", json());
  if (!exam.is_object()) return suites;
  for (const auto& key : exam.at("split").at("tasks")) {
    const std::string suite = document.at("tasks").at(key.get<std::string>()).at("suite");
    if (std::find(suites.begin(), suites.end(), suite) == suites.end()) suites.push_back(suite);
  }
  return suites;
}

}  // namespace

const char* kind_name(Row::Kind kind) {
  switch (kind) {
    case Row::Kind::cell:
      return "cell";
    case Row::Kind::control:
      return "control";
    case Row::Kind::imported:
      return "imported";
    case Row::Kind::base:
      break;
  }
  return "base";
}

std::vector<contract::Call> imported_calls(const json& rows) {
  std::vector<contract::Call> calls;
  if (!rows.is_object()) return calls;
  const bool alone = rows.contains("call");  // else they are parts of a sum
  for (const auto& part : alone ? json::array({rows}) : rows.at("args"))
    if (part.is_object()) calls.push_back(contract::Call::read(part));
  return calls;
}

std::string imported_key(const contract::Call& call) { return call.write().dump(); }

Plan make_plan(const json& document, const std::string& name, const PlanOptions& options) {
  const auto& experiments = document.at("experiments");
  if (!experiments.contains(name)) {
    std::string known;
    for (const auto& [other, value] : experiments.items()) known += (known.empty() ? "" : ", ") + other;
    throw UserError("there is no experiment " + name,
                    known.empty() ? "The file declares none." : "There is: " + known);
  }
  const auto& experiment = experiments[name];
  Plan plan;
  plan.experiment = name;
  plan.home = options.home;
  ChainBuilder builder(document, options, plan);

  const auto seeds = experiment.value("seeds", json::array({1})).get<std::vector<std::uint64_t>>();
  const auto phases = as_phases(experiment.value("train", json()));
  for (const auto& allowed : experiment.value("allowed", json::array()))
    plan.allowed.emplace(allowed.at("rule"), allowed.at("reason"));
  plan.factors = factors_of(experiment);
  if (const auto fraction = experiment.value("design", json::object()).value("fraction", json());
      !fraction.is_null()) {
    plan.resolution = fraction.value("resolution", 0);
    std::string aliases;
    for (const auto& alias : fraction.value("aliases", json::array()))
      aliases += (aliases.empty() ? "" : "; ") + alias.get<std::string>();
    plan.notes.push_back("A fraction of resolution " + std::to_string(plan.resolution) +
                         ": these effects cannot be told apart: " + aliases + ".");
  }
  const auto cells = cells_of(experiment);
  plan.times_kernels = options.times_kernels;
  plan.exam_suites = exam_suites(document, experiment);
  note_inert(varied_extensions(cells), plan);

  const auto read_experiment = [&](const json& fields) {
    auto read = contract::Experiment::read(fields);
    read.model.prompt = asked_template(read.model.prompt, read.language, fields.value("machine", json()),
                                       options.file_folder);
    return read;
  };
  const auto common = read_experiment(experiment);
  const bool unjudged = common.language == contract::KernelLanguage::cuda && !options.times_kernels;
  bool rewarded = false;
  const auto require_rewards = [&](const std::vector<json>& chain) {
    for (const auto& phase : chain) {
      const bool rewards = trainer_of(phase).uses_rewards(phase);
      rewarded = rewarded || rewards;
      if (unjudged && rewards)
        builder.missing(
            "`" + name_of(phase) +
                "` trains on rewards for CUDA kernels, which only run on a GPU: without one none is "
                "found right",
            "Run it on a machine with a GPU: trl run … --device cuda --kernel-times measured");
    }
  };

  const auto row_of = [&](Row::Kind kind, std::string text, const contract::Experiment& fields,
                          const std::vector<json>& chain, const std::vector<json>& extensions) {
    require_rewards(chain);
    Row row;
    row.kind = kind;
    row.label = std::move(text);
    for (const auto seed : seeds)
      row.traces.push_back(builder.build({row.label, seed, fields, chain, extensions}));
    return row;
  };

  for (const auto& cell : cells) {
    // The experiment's list of all cells is left out, since every cell would repeat it.
    json fields = json::object();
    for (const char* field :
         {"model", "adapter", "evaluate", "dev", "language", "machine", "train", "extensions"})
      if (const auto& from = cell.with.contains(field) ? cell.with : experiment; from.contains(field))
        fields[field] = from[field];
    auto extensions = fields.value("extensions", json::array()).get<std::vector<json>>();
    extensions.insert(extensions.end(), cell.on.begin(), cell.on.end());
    require_carried_out(extensions, builder);
    const auto chain = as_phases(fields.value("train", json()));
    auto row = row_of(Row::Kind::cell,
                      !plan.factors.empty() ? cell.label
                      : phases.empty()      ? common.model.name
                                            : pipeline_label(phases),
                      read_experiment(fields), chain, extensions);
    row.extensions = names_of(cell.on);
    row.levels = cell.levels;
    ++plan.cells;
    const auto twin =
        std::find_if(plan.rows.begin(), plan.rows.end(), [&](const Row& r) { return same_chains(r, row); });
    if (twin == plan.rows.end()) {
      plan.rows.push_back(std::move(row));
    } else {
      twin->same_as.push_back(row.label);
      twin->folded.push_back(row.levels);
    }
  }
  for (const auto& control : experiment.value("controls", json::array())) {
    const auto chain = as_phases(control);
    plan.rows.push_back(row_of(Row::Kind::control,
                               pipeline_label(control.is_array() ? control : json::array({control})), common,
                               chain, {}));
  }
  const bool from_nothing = std::any_of(phases.begin(), phases.end(),
                                        [](const json& phase) { return trainer_of(phase).from_nothing; });
  if (!from_nothing && !phases.empty() && common.evaluate)
    plan.rows.push_back(row_of(Row::Kind::base, common.model.name, common, {}, {}));
  add_imported(document, seeds.front(), common.evaluate, builder, plan);
  if (common.evaluate)
    for (const auto& task : builder.tasks_of(common.evaluate->split)) plan.exam_tasks.push_back(task.key);
  std::set<std::string> asked;
  for (const auto& [key, declared] : plan.endpoints)
    if (const auto& model = declared.model; asked.insert(model.name + "\n" + model.revision).second)
      plan.notes.push_back("A server answers as " + model.name +
                           (model.revision.empty() ? "" : ", revision " + model.revision) +
                           ": nobody here can tell which weights it has.");
  if (unjudged && !rewarded)
    plan.notes.push_back(
        "CUDA kernels only run on a GPU: without `--kernel-times measured` they are compiled, and their "
        "values and "
        "speedups are not judged, so that none counts as correct.");
  return plan;
}

}  // namespace trl::interpreter
