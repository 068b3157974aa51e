#include "interpreter/plan/corpora.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "base/contract/form.hpp"
#include "base/contract/words.hpp"
#include "base/operators/overlap.hpp"
#include "base/support/error.hpp"
#include "base/tasks/task.hpp"

namespace trl::interpreter {
namespace {
using contract::Task;
using nlohmann::json;

/// The arguments of the library's functions that make corpora.
struct Arguments {
  double flawed = 0;
  contract::TaskSet exclude, unseen_pairs;
  bool pairs = false;  ///< whether `unseen_pairs` is said
  std::map<std::string, std::int64_t> samples_by_group;
  std::int64_t samples = 0;
  std::optional<int> longest;
};

Arguments arguments_of(const json& named) {
  contract::Reading form(named);
  Arguments arguments;
  std::optional<contract::TaskSet> unseen;
  form.field_or("flawed", arguments.flawed);
  form.field_or("exclude", arguments.exclude);
  form.if_any("unseen_pairs", unseen);
  for (const char* group : {"level1", "level2"}) {
    std::optional<std::int64_t> samples;
    form.if_any(group, samples);
    if (samples) arguments.samples_by_group[group] = *samples;
  }
  form.field_or("samples", arguments.samples);
  form.if_any("longest", arguments.longest);
  arguments.pairs = unseen.has_value();
  if (unseen) arguments.unseen_pairs = std::move(*unseen);
  return arguments;
}

contract::SuitesCorpusSpec suites(const Arguments& arguments, const std::vector<std::string>& excluded,
                                  const CorpusContext& context) {
  operators::Functions left_out;
  for (const auto& key : excluded) left_out.add(key);
  // If another suite of the program has the same name, windtunnel's suite is named with its module.
  std::map<std::string, std::string> group_of;
  for (const auto& [group, wanted] : arguments.samples_by_group) {
    const std::string full = "windtunnel." + group;
    group_of[context.all_tasks.contains(full + "/1") ? full : group] = group;
  }
  std::vector<Task> tasks;
  for (const auto& [id, task] : context.all_tasks.items()) {
    auto read = Task::read(task);
    const auto group = group_of.find(read.suite);
    if (group == group_of.end() || left_out.find(read.key)) continue;
    read.suite = group->second, read.whole["suite"] = group->second;
    tasks.push_back(read.undocumented());
  }
  std::sort(tasks.begin(), tasks.end(),
            [](const Task& a, const Task& b) { return std::pair(a.suite, a.id) < std::pair(b.suite, b.id); });
  for (const auto& [group, wanted] : arguments.samples_by_group)
    if (wanted != 0 && std::none_of(tasks.begin(), tasks.end(),
                                    [&group = group](const Task& t) { return t.suite == group; }))
      throw UserError("the corpus asks for samples of " + group + ", all of whose tasks are excluded");
  return {std::move(tasks), arguments.samples_by_group, arguments.flawed,
          context.seed,     context.language,           context.prompt};
}

contract::ChainsCorpusSpec chains(const Arguments& arguments, std::vector<std::string> excluded,
                                  const CorpusContext& context) {
  contract::ChainsCorpusSpec spec;
  spec.samples = arguments.samples, spec.longest = arguments.longest, spec.flawed = arguments.flawed;
  spec.seed = context.seed, spec.language = context.language, spec.prompt = context.prompt;
  std::sort(excluded.begin(), excluded.end());
  excluded.erase(std::unique(excluded.begin(), excluded.end()), excluded.end());
  spec.exclude_spellings = !excluded.empty();
  spec.exclude_keys = std::move(excluded);
  if (arguments.pairs) {
    std::set<std::pair<std::string, std::string>> pairs;
    for (const auto& task : context.tasks_of(arguments.unseen_pairs))
      for (const auto& [first, second] : neighbours(tasks::Task::read(task.whole).value))
        pairs.emplace(operators::name_of(first), operators::name_of(second));
    spec.unseen_pairs.emplace(pairs.begin(), pairs.end());
  }
  return spec;
}

/// Makes a spec for data that only a later version can make.
json planned(const contract::Call& data, double flawed, const CorpusContext& context) {
  json spec = {{"flawed", flawed}, {"seed", context.seed}, {"source", data.call}, {"arguments", data.args}};
  spec.update(data.named);
  if (context.language != contract::KernelLanguage::triton)
    spec["language"] = contract::word(context.language);
  return spec;
}

contract::ExcludedTask excluded_task(const std::string& id, const json& task) {
  contract::ExcludedTask out;
  out.name = id;
  if (const auto module = task.find("module"); module != task.end()) {
    const auto missed = [](const json& one) { return one.at("of") == "operators"; };
    const auto unread = module->value("unread", json::array());
    if (std::none_of(unread.begin(), unread.end(), missed)) module->at("operators").get_to(out.operators);
    out.sketch = module->value("sketch", "");
  } else if (task.at("value").is_object()) {
    each_operator(tasks::Task::read(task).value, [&](const tasks::Expression& node) {
      out.operators.push_back(operators::name_of(node.op));
    });
  }
  return out;
}

}  // namespace

PairsPlanned pairs_of(const contract::Call& data, const json& all_tasks) {
  PairsPlanned out;
  contract::TaskSet exclude;
  contract::Reading form(data.named);
  form.if_any("licenses", out.pairs.licenses);
  form.field_or("near", out.pairs.near);
  form.field_or("malformed", out.pairs.malformed);
  form.if_any("seed", out.pairs.seed);
  form.if_any("longest", out.corpus.longest);
  form.field_or("exclude", exclude);
  std::int64_t all = 0;
  for (const auto& [name, label] :
       {std::pair("level1", "level1"), {"level2", "level2"}, {"samples", "any"}}) {
    std::int64_t count = 0;
    form.field_or(name, count);
    if (count > 0) out.corpus.samples[label] = count;
    all += count;
  }
  if (all == 0)
    throw UserError("kernelbook(…) asks for no pairs",
                    "Say how many: `level1 = 150, level2 = 50`, or `samples = 200`.");
  for (const auto& id : exclude.tasks) {
    const json& task = all_tasks.at(id);
    out.pairs.excluded.push_back(excluded_task(id, task));
    const auto source = task.find("source");
    if (source != task.end() && !task.contains("module") &&
        std::find(out.unknown.begin(), out.unknown.end(), source->get<std::string>()) == out.unknown.end())
      out.unknown.push_back(*source);
  }
  return out;
}

PlannedCorpus corpus_spec(const contract::Call& data, const CorpusContext& context) {
  const bool of_suites = data.call == "windtunnel.corpus", of_chains = data.call == "windtunnel.chains";
  if (!of_suites && !of_chains) {
    double flawed = 0;
    contract::Reading(data.named).field_or("flawed", flawed);
    return {planned(data, flawed, context), false};
  }
  const auto arguments = arguments_of(data.named);
  std::vector<std::string> excluded;
  for (const auto& task : context.tasks_of(arguments.exclude)) excluded.push_back(task.key);
  return {
      of_suites ? suites(arguments, excluded, context).write() : chains(arguments, excluded, context).write(),
      true};
}

}  // namespace trl::interpreter
