#include "interpreter/plan/model_folder.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "base/support/digest.hpp"
#include "base/support/error.hpp"
#include "base/support/model_files.hpp"
#include "base/support/named_path.hpp"
#include "base/support/reading.hpp"

namespace trl::interpreter {
namespace fs = std::filesystem;
namespace {

constexpr const char* whole_model =
    "A model is a folder with config.json, tokenizer.json, and model.safetensors or the shards that "
    "model.safetensors.index.json names.";

struct Place {
  fs::path folder;
  std::optional<HubModel> hub;  // set if the folder is in Hugging Face's cache
};

Place place_of(const nlohmann::json& weights, const fs::path& home, const fs::path& file_folder,
               const HubCache& cache) {
  if (!weights.is_object() || !weights.contains("call"))
    throw UserError("the model's weights aren't a call: " + weights.dump());
  const auto& call = weights["call"].get_ref<const std::string&>();
  const auto argument = [&](const char* name, std::size_t position) -> std::optional<std::string> {
    const auto named = weights.value("named", nlohmann::json::object());
    const auto unnamed = weights.value("args", nlohmann::json::array());
    if (named.contains(name)) return named[name].get<std::string>();
    if (position < unnamed.size()) return unnamed[position].get<std::string>();
    return std::nullopt;
  };
  if (call == "windtunnel.base") return {home / "stdlib" / "windtunnel", {}};
  if (call == "path") return {named_path(file_folder, argument("folder", 0).value()), {}};
  if (call == "huggingface") {
    HubModel hub{argument("repository", 0).value(), argument("revision", 1).value_or("main")};
    return {find_snapshot(hub, cache), hub};
  }
  if (call == "endpoint")
    throw UserError("the weights of a model that a server has aren't here: it can be evaluated, not trained",
                    "Leave `train` out, or use huggingface(\"OWNER/NAME\") or path(\"FOLDER\").");
  if (call == "generations")
    throw UserError("of a model's answers there are no weights: they can be evaluated, and no model trained",
                    "Leave `train` out, or use huggingface(\"OWNER/NAME\") or path(\"FOLDER\").");
  if (call == "random")
    throw UserError("random weights can write nothing yet",
                    "Let `train` begin with `pretrain`, which makes a model of them, or use windtunnel.base, "
                    "huggingface(\"OWNER/NAME\") or path(\"FOLDER\").");
  throw UserError("weights = " + call + "(…) isn't carried out by this version",
                  "Use windtunnel.base, huggingface(\"OWNER/NAME\") or path(\"FOLDER\").");
}

}  // namespace

std::set<std::string> files_beside_weights(const fs::path& folder) {
  std::set<std::string> names;
  for (const char* name : {"config.json", "tokenizer.json", "generation_config.json", "tokenizer_config.json",
                           "special_tokens_map.json", "chat_template.jinja"})
    if (fs::exists(folder / name)) names.insert(name);
  const fs::path templates = "additional_chat_templates";
  if (fs::is_directory(folder / templates))
    for (const auto& entry : fs::directory_iterator(folder / templates))
      if (entry.path().extension() == ".jinja") names.insert((templates / entry.path().filename()).string());
  return names;
}

std::set<std::string> needed_model_files(const fs::path& folder, const std::optional<HubModel>& hub,
                                         const HubCache& cache) {
  std::set<std::string> names = {"config.json", "tokenizer.json"};
  const auto weights = weight_files(folder);
  names.insert(weights.begin(), weights.end());
  if (!names.contains("model.safetensors")) names.insert("model.safetensors.index.json");
  for (const auto& name : names) {
    if (fs::exists(folder / name)) continue;
    if (name.find("safetensors") != std::string::npos &&
        (fs::exists(folder / "pytorch_model.bin") || fs::exists(folder / "pytorch_model.bin.index.json")))
      throw UserError(folder.string() + " has pytorch_model.bin, a pickle, which isn't read, and no " + name,
                      "Load the model with transformers and save it again, which writes safetensors.");
    if (hub) lacks_file(*hub, cache, folder / name);
    throw UserError("the model has no " + (folder / name).string(), whole_model);
  }
  return names;
}

ModelFolder find_model(const nlohmann::json& weights, const fs::path& home, const fs::path& file_folder,
                       FileDigests digests, const HubCache& cache) {
  ModelFolder model;
  const auto place = place_of(weights, home, file_folder, cache);
  model.path = place.folder;
  if (!fs::is_directory(model.path))
    throw UserError("the model's folder " + model.path.string() + " doesn't exist",
                    home.empty() ? "Set TRL_HOME to the folder that holds stdlib/." : whole_model);
  auto names = needed_model_files(model.path, place.hub, cache);
  names.merge(files_beside_weights(model.path));

  std::string text = "model";
  for (const auto& name : names) {
    const auto file = model.path / name;
    require_readable(file, {.within = model.path, .most = UINT64_MAX});
    const auto check = [&] {
      if (file.extension() == ".safetensors")
        safetensors_header(file);
      else if (file.extension() == ".json" &&
               !nlohmann::json::accept(read_text(file, {.within = model.path})))
        throw UserError(file.string() + " isn't complete JSON", "Copy it again.");
    };
    if (const auto digest = place.hub ? blob_digest(file) : std::nullopt) {
      check();
      model.files[name] = *digest;
    } else {
      model.files[name] = digests.of(fs::weakly_canonical(file), check);
    }
    text += "\n" + name + " " + model.files[name];
  }
  require_fitting_files(model.path);
  model.key = sha256_hex(text);
  model.path = fs::absolute(model.path).lexically_normal();
  return model;
}

}  // namespace trl::interpreter
