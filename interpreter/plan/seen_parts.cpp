#include "interpreter/plan/seen_parts.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/operators/overlap.hpp"
#include "base/support/files.hpp"

namespace trl::interpreter {

std::optional<std::string> seen_parts(const std::vector<std::string>& keys,
                                      const std::filesystem::path& model) {
  std::error_code none;
  const auto file = model / "manifest.json";
  if (!std::filesystem::is_regular_file(file, none)) return std::nullopt;
  const auto manifest = nlohmann::json::parse(read_text(file), nullptr, false);
  const auto seen = manifest.is_object() ? manifest.find("keys") : manifest.end();
  if (!manifest.is_object() || seen == manifest.end() || !seen->is_array()) return std::nullopt;
  operators::SharedParts shared(keys);
  for (const auto& key : *seen)
    if (key.is_string()) shared.see(key.get_ref<const std::string&>());
  int composed = 0, met = 0;
  double shares = 0;
  for (const auto& [parts, found] : shared.counts()) {
    if (parts == 0) continue;
    ++composed;
    met += found > 0;
    shares += static_cast<double>(found) / static_cast<double>(parts);
  }
  if (composed == 0) return std::nullopt;
  return fmt::format(
      "Of the exam's {} tasks {} have parts of two or more operators (the whole task among them). "
      "Pretraining "
      "had such parts of {} of them in some spelling, on average {:.0f} % of a task's, by {}.",
      keys.size(), composed, met, 100 * shares / composed,
      (model.filename() / "manifest.json").generic_string());
}

std::vector<std::string> notes_for_people(const Plan& plan) {
  auto notes = plan.notes;
  for (const auto& [key, folder] : plan.models)
    if (auto sentence = seen_parts(plan.exam_tasks, folder)) notes.push_back(std::move(*sentence));
  return notes;
}

}  // namespace trl::interpreter
