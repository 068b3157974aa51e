#include <map>
#include <string_view>

#include "language/check/inspection.hpp"
#include "operators/overlap.hpp"

namespace trl::language {
namespace {

/// The wanted functions that are among the manifest's "keys", by overlap key, each with a key that it has
/// there: its own where that is there, too. A manifest has megabytes and keys contain no escapes, so that its
/// strings are looked at in place, without parsing the document.
std::map<std::string, std::string> seen_keys(std::string_view manifest, const operators::Functions& wanted,
                                             const std::set<std::string>& wanted_keys) {
  std::map<std::string, std::string> seen;
  bool in_keys = false;
  for (std::size_t at = manifest.find('"'); at != std::string_view::npos; at = manifest.find('"', at)) {
    std::size_t end = ++at;
    while ((end = manifest.find('"', end)) != std::string_view::npos && manifest[end - 1] == '\\') ++end;
    if (end == std::string_view::npos) break;
    const std::string_view text = manifest.substr(at, end - at);
    at = end + 1;
    const std::size_t next = manifest.find_first_not_of(" \t\r\n", at);
    if (next != std::string_view::npos && manifest[next] == ':')
      in_keys = text == "keys";
    else if (in_keys) {
      if (auto overlap = wanted.find(text)) {
        const auto [place, fresh] = seen.emplace(std::move(*overlap), text);
        if (!fresh && wanted_keys.contains(std::string(text))) place->second = text;
      }
    }
  }
  return seen;
}

/// The same, kept for the next cell of a design, which asks for the same tasks in the same manifest.
const std::map<std::string, std::string>& seen_keys_kept(std::string manifest,
                                                         const std::vector<const SuiteTask*>& tasks) {
  struct Kept {
    std::string manifest;
    std::set<std::string> keys;
    std::map<std::string, std::string> seen;
  };
  thread_local Kept kept;
  operators::Functions wanted;
  std::set<std::string> keys;
  for (const SuiteTask* t : tasks) keys.insert(t->key);
  if (kept.keys == keys && kept.manifest == manifest) return kept.seen;
  for (const std::string& key : keys) wanted.add(key);
  auto seen = seen_keys(manifest, wanted, keys);
  kept = {std::move(manifest), std::move(keys), std::move(seen)};
  return kept.seen;
}

void examine(Inspection& inspection, const Resolved* exam) {
  const Resolved* model = inspection.model();
  const Value* split = exam == nullptr ? nullptr : exam->field("split");
  const Value* weights = model == nullptr ? nullptr : model->field("weights");
  if (split == nullptr || !split->is(Value::Kind::tasks) || weights == nullptr ||
      !weights->is(Value::Kind::call))
    return;
  // The manifest of the model's pretraining, where it has one.
  const std::string path = model_file(*weights, "manifest.json", inspection.options, inspection.folder);
  auto manifest = path.empty() ? std::nullopt : inspection.options.read(path);
  if (!manifest) return;
  const auto& seen = seen_keys_kept(std::move(*manifest), split->tasks);
  std::vector<const SuiteTask*> same;
  const SuiteTask* respelt = nullptr;
  for (const SuiteTask* t : split->tasks)
    if (const auto at = seen.find(t->overlap); at != seen.end()) {
      same.push_back(t);
      if (respelt == nullptr && at->second != t->key) respelt = t;
    }
  if (same.empty()) return;
  auto d = found(
      rules::pretrained_on_exam, split->range,
      "the weights of `" + model->name + "` have seen tasks of `" + exam->name + "`: " + task_list(same));
  d.note("by the manifest `" + path + "`", weights->range);
  if (respelt != nullptr)
    d.note("`" + respelt->text() + "` is there as `" + seen.at(respelt->overlap) + "`", respelt->range);
  d.helped("take them out of `" + exam->name +
           "`: \"keys\" of that manifest are all tasks that the weights have seen, and a task with another "
           "operator is new to them");
  inspection.report(std::move(d), {model, exam});
}

void check_pretrained_on_exam(Inspection& inspection) {
  examine(inspection, inspection.evaluation());
  examine(inspection, inspection.dev());
}

}  // namespace

const Rule rules::pretrained_on_exam{
    "pretrained_on_exam",
    Severity::error,
    true,
    "An exam of what the model was pretrained on, in whatever spelling, measures memory, not skill.",
    R"(import example
experiment e : example.study { seeds = 1..3 }
)",
    R"(
)",
    check_pretrained_on_exam};

}  // namespace trl::language
