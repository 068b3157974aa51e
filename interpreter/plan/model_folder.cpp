#include "interpreter/plan/model_folder.hpp"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <optional>
#include <set>
#include <vector>

#include "base/support/digest.hpp"
#include "base/support/error.hpp"
#include "base/support/files.hpp"

namespace trl::interpreter {
namespace fs = std::filesystem;
namespace {

constexpr const char* whole_model =
    "A model is a folder with config.json, tokenizer.json, and model.safetensors or the shards that "
    "model.safetensors.index.json names.";

struct Place {
  fs::path folder;
  std::optional<HubModel> hub;  // set if it is in Hugging Face's cache
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
  if (call == "path") {
    const fs::path path = argument("folder", 0).value();
    return {path.is_absolute() ? path : file_folder / path, {}};
  }
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
  throw UserError("weights = " + call + "(…) isn't carried out by this version",
                  "Use windtunnel.base, huggingface(\"OWNER/NAME\") or path(\"FOLDER\").");
}

/// The names of the files that hold weights: the ones that the worker reads.
std::vector<std::string> weight_files(const fs::path& folder) {
  constexpr const char *whole = "model.safetensors", *index = "model.safetensors.index.json";
  if (fs::exists(folder / whole) || !fs::exists(folder / index)) return {whole};
  std::set<std::string> files = {index};
  const auto text = nlohmann::json::parse(read_text(folder / index), nullptr, false);
  const auto map = text.is_object() ? text.find("weight_map") : text.end();
  if (!text.is_object() || map == text.end() || !map->is_object())
    throw UserError((folder / index).string() + ": `weight_map` is missing", "Copy it again.");
  for (const auto& [tensor, file] : map->items()) {
    if (!file.is_string() || fs::path(file.get<std::string>()).filename() != file.get<std::string>())
      throw UserError((folder / index).string() + ": " + tensor + " has no file in the folder",
                      "Copy it again.");
    files.insert(file.get<std::string>());
  }
  return {files.begin(), files.end()};
}

}  // namespace

void check_safetensors(const fs::path& file) {
  const std::uint64_t size = fs::file_size(file);
  std::ifstream in(file, std::ios::binary);
  std::uint64_t header_size = 0;
  in.read(reinterpret_cast<char*>(&header_size), 8);
  if (!in || header_size > 100'000'000 || 8 + header_size > size)
    throw UserError(file.string() + " isn't a complete safetensors file", "Copy it again.");
  std::string text(header_size, '\0');
  in.read(text.data(), static_cast<std::streamsize>(header_size));
  const auto header = nlohmann::json::parse(text, nullptr, false);
  if (!in || !header.is_object()) throw UserError(file.string() + " has a broken header", "Copy it again.");
  std::uint64_t end = 0;
  for (const auto& [name, tensor] : header.items()) {
    if (name == "__metadata__") continue;
    const auto offsets = tensor.is_object() ? tensor.find("data_offsets") : tensor.end();
    if (!tensor.is_object() || offsets == tensor.end() || !offsets->is_array() || offsets->size() != 2 ||
        !(*offsets)[1].is_number_unsigned())
      throw UserError(file.string() + ": tensor " + name + " has no data_offsets", "Copy it again.");
    end = std::max(end, (*offsets)[1].get<std::uint64_t>());
  }
  if (8 + header_size + end != size)
    throw UserError(file.string() + " has " + std::to_string(size) + " bytes where its header says " +
                        std::to_string(8 + header_size + end),
                    "The file is incomplete or damaged: copy it again.");
}

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

ModelFolder find_model(const nlohmann::json& weights, const fs::path& home, const fs::path& file_folder,
                       FileDigests digests, const HubCache& cache) {
  ModelFolder model;
  const auto place = place_of(weights, home, file_folder, cache);
  model.path = place.folder;
  if (!fs::is_directory(model.path))
    throw UserError("the model's folder " + model.path.string() + " doesn't exist",
                    home.empty() ? "Set TRL_HOME to the folder that holds stdlib/." : whole_model);
  const auto lacks = [&](const std::string& name) {
    if (place.hub) lacks_file(*place.hub, cache, model.path / name);
    throw UserError("the model has no " + (model.path / name).string(), whole_model);
  };
  std::set<std::string> names;
  for (const char* name : {"config.json", "tokenizer.json"}) names.insert(name);
  for (const auto& name : weight_files(model.path)) names.insert(name);
  for (const auto& name : names)
    if (!fs::exists(model.path / name)) lacks(name);
  names.merge(files_beside_weights(model.path));

  std::string text = "model";
  for (const auto& name : names) {
    const auto file = model.path / name;
    const auto check = [&] {
      if (file.extension() == ".safetensors")
        check_safetensors(file);
      else if (file.extension() == ".json" && !nlohmann::json::accept(read_text(file)))
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
  model.key = sha256_hex(text);
  model.path = fs::absolute(model.path).lexically_normal();
  return model;
}

}  // namespace trl::interpreter
