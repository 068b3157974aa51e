#include <algorithm>
#include <string>
#include <string_view>

#include "language/check/endpoint.hpp"

namespace trl::language {
DECLARE_RULE(repository_name)
namespace {

/// Returns the published model that the schema lists under this name; empty if there is none.
std::string published_as(const Schema& schema, const std::string& name) {
  for (const auto& [repository, model] : schema.published)
    if (repository.ends_with("/" + name)) return repository;
  return "";
}

/// Reports a web address, or a name with a branch behind it, in place of OWNER/NAME.
void examine_address(Inspection& inspection, const Value& named) {
  std::string name = named.string(), revision;
  for (const char* before : {"https://", "http://", "hf://", "www.", "huggingface.co/", "hf.co/", "models/"})
    if (name.starts_with(before)) name.erase(0, std::string_view(before).size());
  for (const char* behind : {"/tree/", "/blob/", "/resolve/", ":", "@"})
    if (const std::size_t at = name.find(behind); at != name.npos && revision.empty()) {
      revision = name.substr(at + std::string_view(behind).size());
      name.resize(at);
    }
  while (name.ends_with('/')) name.pop_back();
  revision = revision.substr(0, revision.find('/'));
  if (name == named.string() || std::count(name.begin(), name.end(), '/') != 1) return;
  const std::string meant =
      "\"" + name + "\"" +
      (revision.empty() || revision == "main" ? "" : ", revision = \"" + revision + "\"");
  auto d = found(rules::repository_name, named.range,
                 "`" + named.string() + "` is no repository's name, which is OWNER/NAME");
  d.helped("write `huggingface(" + meant + ")`").suggest("write `" + meant + "`", named.range, meant);
  inspection.report(std::move(d), {inspection.model()});
}

void check_repository_name(Inspection& inspection) {
  const Value* weights = weights_called(inspection, "huggingface");
  if (weights == nullptr) return;
  const Value& named = weights->items.front();
  const std::string name = named.string();
  if (name.empty()) return;
  if (name.find('/') != name.npos) return examine_address(inspection, named);
  auto d =
      found(rules::repository_name, named.range, "`" + name + "` has no owner: repositories are OWNER/NAME");
  const std::string meant = published_as(inspection.schema, name);
  d.helped(meant.empty() ? "write `OWNER/" + name + "`, as the address of its page ends"
                         : "did you mean `" + meant + "`?");
  if (!meant.empty()) d.suggest("write `" + meant + "`", named.range, "\"" + meant + "\"");
  inspection.report(std::move(d), {inspection.model()});
}

}  // namespace

const Rule rules::repository_name{
    "repository_name",
    Severity::warning,
    true,
    "Hugging Face's repositories have an owner: a name alone is in no cache, and "
    "nothing is known of the model's sizes.",
    R"(import example
model m { weights = huggingface("Qwen/Qwen2.5-Coder-0.5B") }
experiment e : example.study { model = m }
)",
    R"(import example
model m { weights = huggingface("Qwen2.5-Coder-0.5B") }
experiment e : example.study { model = m }
)",
    check_repository_name};

}  // namespace trl::language
