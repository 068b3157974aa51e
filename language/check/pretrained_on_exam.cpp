#include <string_view>
#include <unordered_set>

#include "language/check/inspection.hpp"

namespace trl::language {
namespace {

/// The wanted keys that are in the manifest's "keys". A manifest has megabytes and keys contain no escapes,
/// so that its strings are compared in place, without parsing the document.
std::unordered_set<std::string_view> seen_keys(std::string_view manifest,
                                               const std::unordered_set<std::string_view>& wanted) {
  std::unordered_set<std::string_view> seen;
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
    else if (in_keys && wanted.contains(text))
      seen.insert(text);
  }
  return seen;
}

void check_pretrained_on_exam(Inspection& inspection) {
  const Resolved *exam = inspection.evaluation(), *model = inspection.model();
  const Value* split = exam == nullptr ? nullptr : exam->field("split");
  const Value* weights = model == nullptr ? nullptr : model->field("weights");
  if (split == nullptr || !split->is(Value::Kind::tasks) || weights == nullptr ||
      !weights->is(Value::Kind::call))
    return;
  // The manifest of the model's pretraining, where it has one.
  const std::string path = model_file(*weights, "manifest.json", inspection.options, inspection.folder);
  const auto manifest = path.empty() ? std::nullopt : inspection.options.read(path);
  if (!manifest) return;
  std::unordered_set<std::string_view> wanted;
  for (const SuiteTask* t : split->tasks) wanted.insert(t->key);
  const auto seen = seen_keys(*manifest, wanted);
  std::vector<const SuiteTask*> same;
  for (const SuiteTask* t : split->tasks)
    if (seen.contains(t->key)) same.push_back(t);
  if (same.empty()) return;
  auto d = found(
      rules::pretrained_on_exam, split->range,
      "the weights of `" + model->name + "` have seen tasks of `" + exam->name + "`: " + task_list(same));
  d.note("by the manifest `" + path + "`", weights->range);
  d.helped("take them out of the exam");
  inspection.report(std::move(d), {model, exam});
}

}  // namespace

const Rule rules::pretrained_on_exam{
    "pretrained_on_exam",
    Severity::error,
    true,
    "An exam of tasks that the base model was pretrained on measures memory instead of skill.",
    R"(import example
experiment e : example.study { seeds = 1..3 }
)",
    R"(
)",
    check_pretrained_on_exam};

}  // namespace trl::language
