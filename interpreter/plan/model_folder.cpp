#include "interpreter/plan/model_folder.hpp"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <vector>

#include "ground/digest.hpp"
#include "ground/error.hpp"
#include "ground/files.hpp"

namespace trl::interpreter {
namespace fs = std::filesystem;
namespace {

constexpr const char* whole_model =
    "A model is a folder with config.json, model.safetensors and tokenizer.json.";

fs::path folder_of(const nlohmann::json& weights, const fs::path& home, const fs::path& file_folder) {
  if (weights.is_object() && weights.contains("call")) {
    const auto& call = weights["call"].get_ref<const std::string&>();
    if (call == "windtunnel.base") return home / "stdlib" / "windtunnel";
    if (call == "path") {
      const fs::path path = weights.at("args").at(0).get<std::string>();
      return path.is_absolute() ? path : file_folder / path;
    }
    throw UserError(
        "weights = " + call + "(…) isn't carried out by this version",
        "Use windtunnel.base or path(\"folder with config.json, model.safetensors, tokenizer.json\").");
  }
  throw UserError("the model's weights aren't a call: " + weights.dump());
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

ModelFolder find_model(const nlohmann::json& weights, const fs::path& home, const fs::path& file_folder,
                       FileDigests digests) {
  ModelFolder model;
  model.path = folder_of(weights, home, file_folder);
  if (!fs::is_directory(model.path))
    throw UserError("the model's folder " + model.path.string() + " doesn't exist",
                    home.empty() ? "Set TRL_HOME to the folder that holds stdlib/." : whole_model);
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(model.path)) {
    const auto name = entry.path().filename().string();
    if (name == "config.json" || name == "tokenizer.json" || entry.path().extension() == ".safetensors")
      files.push_back(fs::weakly_canonical(entry.path()).parent_path() / name);
  }
  std::sort(files.begin(), files.end());
  const auto has = [&](const char* name) {
    return std::any_of(files.begin(), files.end(), [&](const fs::path& f) { return f.filename() == name; });
  };
  for (const char* name : {"config.json", "tokenizer.json"})
    if (!has(name)) throw UserError("the model has no " + (model.path / name).string(), whole_model);
  if (!has("model.safetensors") && !has("model-00001-of-00002.safetensors") && files.size() < 3)
    throw UserError("the model has no " + (model.path / "model.safetensors").string(), whole_model);

  std::string text = "model";
  for (const auto& file : files) {
    const auto check = [&] {
      if (file.extension() == ".safetensors")
        check_safetensors(file);
      else if (!nlohmann::json::accept(read_text(file)))
        throw UserError(file.string() + " isn't complete JSON", "Copy it again.");
    };
    const std::string name = file.filename().string();
    model.files[name] = digests.of(file, check);
    text += "\n" + name + " " + model.files[name];
  }
  model.key = sha256_hex(text);
  model.path = fs::absolute(model.path).lexically_normal();
  return model;
}

}  // namespace trl::interpreter
