#include "interpreter/plan/hub_cache.hpp"

#include <algorithm>

#include "base/support/error.hpp"
#include "base/support/files.hpp"

namespace trl::interpreter {
namespace fs = std::filesystem;
namespace {

bool is_word(const std::string& text, const char* further) {
  return !text.empty() && text != "." && text != ".." && std::all_of(text.begin(), text.end(), [&](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) ||
           std::string_view(further).find(c) != std::string::npos;
  });
}

void check(const HubModel& model) {
  const auto slash = model.repository.find('/');
  const auto owner = model.repository.substr(0, slash == std::string::npos ? 0 : slash);
  const auto name = model.repository.substr(slash == std::string::npos ? 0 : slash + 1);
  if (!is_word(name, "-_.") || (slash != std::string::npos && !is_word(owner, "-_.")))
    throw UserError("`" + model.repository + "` is no name of a repository",
                    "Write OWNER/NAME, as in the address of the model's page.");
  for (const auto& part : fs::path(model.revision))
    if (!is_word(part.string(), "-_.+"))
      throw UserError("`" + model.revision + "` is no revision", "Use a branch, a tag or a commit.");
}

std::string command(const HubModel& model) {
  return "hf download " + model.repository +
         (model.revision == "main" ? "" : " --revision " + model.revision);
}

std::string called(const HubModel& model) {
  return "weights = huggingface(\"" + model.repository + "\"" +
         (model.revision == "main" ? "" : ", revision = \"" + model.revision + "\"") + ")";
}

std::string remedy(const HubModel& model, const HubCache& cache) {
  return "Nothing is downloaded by itself. Get it with `" + command(model) +
         "`, or set HF_HUB_CACHE or HF_HOME to the cache that holds it (" + cache.reason + ").";
}

/// Returns the advice to use a commit in the cache that has the file; empty if there is none. If only a
/// branch's tokenizer was downloaded again, the branch points to a newer commit, and the weights stay with
/// the older one.
std::string commit_with(const fs::path& snapshots, const fs::path& file) {
  std::string commit;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(snapshots, none))
    if (fs::exists(entry.path() / file, none)) commit = std::max(commit, entry.path().filename().string());
  return commit.empty() ? "" : "The commit " + commit + " is there: `revision = \"" + commit + "\"`. ";
}

fs::path folder_of(const HubModel& model, const HubCache& cache) {
  std::string name = "models--" + model.repository;
  if (const auto slash = name.find('/'); slash != std::string::npos) name.replace(slash, 1, "--");
  return cache.folder / name;
}

std::string trimmed(std::string text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.pop_back();
  return text;
}

}  // namespace

HubCache hub_cache(const std::function<const char*(const char*)>& variable) {
  const auto value = [&](const char* name) -> std::string {
    const char* text = variable(name);
    return text ? text : "";
  };
  const fs::path home = value("HOME").empty() ? fs::path("/") : fs::path(value("HOME"));
  const auto expanded = [&](const std::string& text) {
    return text == "~" || text.starts_with("~/") ? home / text.substr(std::min<std::size_t>(2, text.size()))
                                                 : fs::path(text);
  };
  const auto from = [&](const char* name, const char* below) -> std::optional<HubCache> {
    const auto text = value(name);
    if (text.empty()) return std::nullopt;
    const auto folder = fs::absolute(expanded(text) / below).lexically_normal();
    return HubCache{folder.has_filename() ? folder : folder.parent_path(), std::string(name) + " is " + text};
  };
  for (const auto& [name, below] : {std::pair{"HF_HUB_CACHE", ""},
                                    {"HUGGINGFACE_HUB_CACHE", ""},
                                    {"HF_HOME", "hub"},
                                    {"XDG_CACHE_HOME", "huggingface/hub"}}) {
    if (auto found = from(name, below)) return *found;
  }
  return {home / ".cache/huggingface/hub", "neither is set"};
}

fs::path find_snapshot(const HubModel& model, const HubCache& cache) {
  check(model);
  const auto folder = folder_of(model, cache);
  if (!fs::is_directory(folder))
    throw UserError(called(model) + ": the repository isn't in the cache " + cache.folder.string() +
                        ", which has no folder " + folder.filename().string(),
                    remedy(model, cache));
  const auto reference = folder / "refs" / model.revision;
  const bool named = fs::is_regular_file(reference);
  const auto commit = named ? trimmed(read_text(reference)) : model.revision;
  const auto snapshot = folder / "snapshots" / commit;
  if (!is_word(commit, "-_.+") || !fs::is_directory(snapshot))
    throw UserError(called(model) + ": this revision isn't in the cache: there is no folder " +
                        snapshot.string() + (named ? ", which " + reference.string() + " names" : ""),
                    commit_with(folder / "snapshots", "config.json") + remedy(model, cache));
  return snapshot;
}

void lacks_file(const HubModel& model, const HubCache& cache, const fs::path& file) {
  throw UserError(called(model) + ": the cache lacks the file " + file.string(),
                  commit_with(file.parent_path().parent_path(), file.filename()) + remedy(model, cache));
}

std::optional<std::string> blob_digest(const fs::path& file) {
  std::error_code error;
  const auto blob = fs::canonical(file, error);
  const auto name = blob.filename().string();
  if (error || blob.parent_path().filename() != "blobs" || name.size() != 64 ||
      !blob.parent_path().parent_path().filename().string().starts_with("models--") ||
      name.find_first_not_of("0123456789abcdef") != std::string::npos)
    return std::nullopt;
  return name;
}

}  // namespace trl::interpreter
