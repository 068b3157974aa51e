// Finds models in Hugging Face's cache of repositories on this machine. Nothing is ever downloaded.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace trl::interpreter {

/// The folder in which repositories are cached.
struct HubCache {
  std::filesystem::path folder;
  std::string reason;  ///< the setting that determined the folder, for messages: "HF_HOME is /data/hf"
};

/// The cache's folder as huggingface_hub determines it: HF_HUB_CACHE (before it was renamed,
/// HUGGINGFACE_HUB_CACHE), else HF_HOME/hub, else XDG_CACHE_HOME/huggingface/hub, else
/// ~/.cache/huggingface/hub. An empty variable counts as unset; `~` is the home folder. The function
/// `variable` returns the value of an environment variable, or null.
HubCache hub_cache(const std::function<const char*(const char*)>& variable);

/// A repository at a revision: `huggingface("OWNER/NAME", revision = "main")`.
struct HubModel {
  std::string repository, revision = "main";
};

/// The folder of the repository's files: models--OWNER--NAME/snapshots/COMMIT, where COMMIT is the text of
/// refs/REVISION, or the revision itself. Throws UserError if the repository is not in the cache; the message
/// names the paths that were searched and the command that downloads the repository.
std::filesystem::path find_snapshot(const HubModel& model, const HubCache& cache);

/// Throws UserError about a file that the cached repository lacks.
[[noreturn]] void lacks_file(const HubModel& model, const HubCache& cache, const std::filesystem::path& file);

/// The SHA-256 of a cached file without reading it: large files are stored as blobs/SHA256, and the snapshot
/// has a link to them. Nothing for other files.
std::optional<std::string> blob_digest(const std::filesystem::path& file);

}  // namespace trl::interpreter
