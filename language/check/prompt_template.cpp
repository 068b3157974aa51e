#include <fmt/format.h>

#include <algorithm>

#include "base/support/asking.hpp"
#include "base/support/named_path.hpp"
#include "language/check/prompt_text.hpp"

namespace trl::language {
std::optional<std::string> prompt_text(const Inspection& inspection) {
  const Resolved* model = inspection.model();
  const Value* said = model == nullptr ? nullptr : model->field("prompt");
  if (said == nullptr || !model->sound("prompt")) return std::nullopt;
  if (said->is(Value::Kind::call))
    return said->items.empty()
               ? std::nullopt
               : inspection.options.read(
                     named_path(inspection.folder, said->items.front().string()).lexically_normal().string());
  if (said->string() == "module" || library_prompt(said->string())) return std::nullopt;
  return said->string();
}

DECLARE_RULE(prompt_template)
namespace {

/// "line 3, column 8"
std::string place_in(std::string_view text, std::size_t at) {
  const std::string_view before = text.substr(0, at);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  return fmt::format("line {}, column {}", line, at - (before.rfind('\n') + 1) + 1);
}

void examine_prompt(Inspection& inspection, const Value& said, const std::string& text,
                    const std::string& file) {
  const std::string what = file.empty() ? "the `prompt`" : "`" + file + "`";
  const auto report = [&](const std::string& fault, const std::string& remedy) {
    auto d = found(rules::prompt_template, said.range, fmt::format("{} {}", what, fault));
    d.helped(remedy);
    inspection.report(std::move(d), {inspection.model()});
  };
  for (const Mention& one : mentions(text)) {
    if (const std::string other = other_notation(text, one); !other.empty())
      return report(
          fmt::format("has {} in {}, of which more than the name stays", other, place_in(text, one.begin)),
          "write {" + one.name + "}, without another sign");
    const bool known = std::any_of(asked_placeholders.begin(), asked_placeholders.end(),
                                   [&](const Placeholder& p) { return p.name == one.name; });
    if (!known)
      return report(
          fmt::format("names {{{}}} in {}, for which nothing is put", one.name, place_in(text, one.begin)),
          "there are {task}, {language}, {gpu} and {example}");
  }
  if (!mentions(text, "task"))
    return report("doesn't say what the task is", "write {task} where the task's module is to stand");
  if (mentions(text, "gpu") && inspection.machine() == nullptr)
    report(fmt::format("names {{gpu}}, and `{}` has no machine", inspection.experiment.name),
           "declare one, `machine h100 { memory = 80 GiB, bandwidth = 3350e9 / 1024 ^ 3 * (1 GiB / 1 s), "
           "compute = 990e12 }`, "
           "and name it: `machine = h100`");
}

void check_prompt_template(Inspection& inspection) {
  const Resolved* model = inspection.model();
  const Value* said = model == nullptr ? nullptr : model->field("prompt");
  if (said == nullptr || !model->sound("prompt")) return;
  const bool file = said->is(Value::Kind::call) && !said->items.empty();
  const std::string written = file ? said->items.front().string() : "";
  if (const auto text = prompt_text(inspection)) return examine_prompt(inspection, *said, *text, written);
  if (!file) return;
  const auto path = named_path(inspection.folder, written).lexically_normal();
  auto d = found(rules::prompt_template, said->items.front().range, "there is no file " + path.string());
  d.helped(
      "a path is relative to the folder of the file that is checked or run; the file holds the prompt, with "
      "{task} in it");
  inspection.report(std::move(d), {inspection.model()});
}

}  // namespace

const Rule rules::prompt_template{"prompt_template",
                                  Severity::error,
                                  true,
                                  "A prompt without the task asks every task the same; a name in braces that "
                                  "stands for nothing is shown to "
                                  "the model as it is.",
                                  R"(import example
model asked : example.base { prompt = "Write a {language} kernel that computes this module:\n{task}" }
experiment e : example.study { model = asked }
)",
                                  R"(import example
model asked : example.base { prompt = "Write a kernel that computes this module:\n{module}" }
experiment e : example.study { model = asked }
)",
                                  check_prompt_template};

}  // namespace trl::language
