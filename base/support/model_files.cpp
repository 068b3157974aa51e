#include "base/support/model_files.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "base/support/counted.hpp"
#include "base/support/reading.hpp"

namespace trl {
namespace fs = std::filesystem;
using nlohmann::json;
namespace {

constexpr std::uint64_t longest_header = 100'000'000, largest_file = std::uint64_t{1} << 46;
constexpr const char *whole = "model.safetensors", *index = "model.safetensors.index.json";
constexpr const char *embedding_name = "model.embed_tokens.weight", *head_name = "lm_head.weight";

bool read_at(const OpenFile& file, std::uint64_t at, char* into, std::size_t bytes) {
  while (bytes > 0) {
    const auto n = ::pread(file.descriptor(), into, bytes, static_cast<off_t>(at));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += static_cast<std::uint64_t>(n), into += n, bytes -= static_cast<std::size_t>(n);
  }
  return true;
}

/// Returns the JSON object in a file of the folder; an empty object if there is no such file, or if it holds
/// something else.
json object_in(const fs::path& folder, const char* name, const json::parser_callback_t& keep = nullptr) {
  const auto text = text_if_there(folder / name, {.within = folder});
  auto value = text ? json::parse(*text, keep, false) : json();
  return value.is_object() ? value : json::object();
}

std::optional<std::int64_t> integer(const json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_number_integer() ? std::optional(found->get<std::int64_t>())
                                                             : std::nullopt;
}

/// A matrix of the weights, as the header of its file describes it.
struct Matrix {
  fs::path file;
  std::string dtype;
  std::vector<std::int64_t> shape;   ///< [rows, columns]
  std::uint64_t begin = 0, end = 0;  ///< the place of its bytes in the file
};

std::optional<Matrix> matrix_in(const SafetensorsHeader& header, const fs::path& file, const char* name) {
  const auto found = header.tensors.find(name);
  if (found == header.tensors.end()) return std::nullopt;
  try {
    const auto& offsets = found->at("data_offsets");
    Matrix matrix{file, found->at("dtype"), found->at("shape"),
                  header.data + offsets.at(0).get<std::uint64_t>(),
                  header.data + offsets.at(1).get<std::uint64_t>()};
    if (matrix.shape.size() == 2 && matrix.begin <= matrix.end) return matrix;
  } catch (const json::exception&) {
  }
  throw UserError(file.string() + ": the tensor " + name + " is no matrix", "Copy the file again.");
}

/// Compares 4 KiB at each of 256 places, which include the beginning and the end.
bool have_equal_parts(const Matrix& a, const Matrix& b) {
  constexpr std::uint64_t part = 4096, parts = 256;
  const std::uint64_t bytes = a.end - a.begin;
  if (a.dtype != b.dtype || a.shape != b.shape || bytes != b.end - b.begin) return false;
  const Reading how{.most = largest_file};
  const OpenFile first(a.file, how), second(b.file, how);
  std::string one(std::min(part, bytes), '\0'), other = one;
  for (std::uint64_t i = 0; i < parts; ++i) {
    const std::uint64_t at = (bytes - one.size()) / (parts - 1) * i;
    if (!read_at(first, a.begin + at, one.data(), one.size()) ||
        !read_at(second, b.begin + at, other.data(), other.size()) || one != other)
      return false;
  }
  return true;
}

/// Ids of a tokenizer.json: how many are needed, and the tokens whose id is beyond a number of rows.
struct TokenIds {
  std::int64_t count = 0;  ///< one more than the largest id
  std::vector<std::string> beyond;
};

TokenIds ids_of(const json& tokenizer, std::int64_t rows) {
  TokenIds ids;
  const auto add = [&](const std::string& token, const json& id) {
    if (!id.is_number_unsigned() || id.get<std::uint64_t>() >= INT64_MAX) return;
    const auto number = id.get<std::int64_t>();
    ids.count = std::max(ids.count, number + 1);
    if (number >= rows) ids.beyond.push_back(fmt::format("`{}` ({})", token, number));
  };
  if (const auto model = tokenizer.find("model"); model != tokenizer.end() && model->is_object())
    if (const auto vocabulary = model->find("vocab"); vocabulary != model->end() && vocabulary->is_object())
      for (const auto& [token, id] : vocabulary->items()) add(token, id);
  if (const auto added = tokenizer.find("added_tokens"); added != tokenizer.end() && added->is_array())
    for (const auto& one : *added)
      if (one.is_object() && one.contains("id"))
        if (const auto content = one.value("content", json()); content.is_string()) add(content, one["id"]);
  return ids;
}

/// Ids of one field: a number, or a list of numbers.
void require_rows_for(const json& object, const fs::path& file, const char* name, std::int64_t rows,
                      bool may_be_negative) {
  const auto found = object.find(name);
  if (found == object.end()) return;
  for (const auto& id : found->is_array() ? *found : json::array({*found}))
    if (id.is_number_integer() &&
        (id.get<std::int64_t>() >= rows || (id.get<std::int64_t>() < 0 && !may_be_negative)))
      throw UserError(fmt::format("{}: `{}` names the token {}, and the embedding has {}", file.string(),
                                  name, id.dump(), counted(rows, "row")),
                      "Use the config.json and generation_config.json that belong to these weights.");
}

/// Whether the embedding is also the output matrix, as transformers reads config.json.
bool is_tied(const json& config) {
  const auto said = config.value("tie_word_embeddings", json());
  return said.is_boolean() ? said.get<bool>() : config.value("model_type", json()) == "starcoder2";
}

/// The prefix that a wrapper around a model (such as FSDP) adds to the names of its tensors, and how to save
/// the model without the wrapper.
struct Wrapping {
  std::string_view prefix;
  const char *how, *remedy;
};
constexpr Wrapping wrappings[] = {
    {"_orig_mod.", "the model was saved while compiled", "save `model._orig_mod`"},
    {"module.", "the model was saved within DataParallel or DDP", "save `model.module`"},
    {"base_model.model.", "the model was saved together with PEFT's adapters",
     "save what `model.merge_and_unload()` gives"},
    {"_fsdp_wrapped_module.", "the model was saved within FSDP", "gather its full state before saving"}};

/// Throws UserError if the tensors' names have the prefix of a wrapper around the model, or belong to a model
/// without an output matrix. transformers would read none, or only some, of these tensors.
void require_plain_names(const fs::path& folder, const std::set<std::string>& names) {
  if (names.contains(embedding_name)) return;
  for (const auto& name : names) {
    for (const auto& [prefix, how, remedy] : wrappings)
      if (name.starts_with(prefix))
        throw UserError(
            fmt::format("{}: the tensor {}: {}", folder.string(), name, how),
            fmt::format("In PyTorch, {} by save_pretrained; or take `{}` out of the names.", remedy, prefix));
    if (name == "embed_tokens.weight")
      throw UserError(
          fmt::format("{}: the tensor {}: the model was saved without its head", folder.string(), name),
          "Load it by AutoModelForCausalLM and save it again, which gives the names that are read here.");
  }
}

void compare_matrices(const fs::path& folder, const json& config, const std::optional<Matrix>& embedding,
                      const std::optional<Matrix>& head) {
  if (!embedding && head && !config.empty())
    throw UserError(
        fmt::format("{} has {} and no {}, and {} doesn't say `tie_word_embeddings`", folder.string(),
                    head_name, embedding_name, (folder / "config.json").string()),
        "Set `tie_word_embeddings` to true if both are one matrix; otherwise get the files again.");
  if (!embedding) return;
  const auto file = folder / "config.json";
  const auto says = [&](const char* name, std::size_t dimension) {
    const auto said = integer(config, name);
    if (said && *said != embedding->shape[dimension])
      throw UserError(
          fmt::format("{} says {} = {}, and {} has {} {}", file.string(), name, *said, embedding_name,
                      embedding->shape[dimension], dimension == 0 ? "rows" : "columns"),
          dimension == 0
              ? fmt::format("Use the config.json that belongs to these weights; if the embedding was "
                            "resized, write `vocab_size` = {} in it.",
                            embedding->shape[0])
              : "Use the config.json that belongs to these weights.");
  };
  says("vocab_size", 0), says("hidden_size", 1);
  const bool tied = is_tied(config);
  if (!head && !tied && !config.empty())
    throw UserError(fmt::format("{} has no {}, and {} doesn't say `tie_word_embeddings`", folder.string(),
                                head_name, file.string()),
                    "Set `tie_word_embeddings` to true if the embedding is the output matrix, too.");
  if (head && tied && !have_equal_parts(*embedding, *head)) throw differing_head(folder);
  if (head && head->shape != embedding->shape)
    throw UserError(
        fmt::format("{}: {} is {} × {}, and {} is {} × {}", folder.string(), head_name, head->shape[0],
                    head->shape[1], embedding_name, embedding->shape[0], embedding->shape[1]),
        "The files belong to different models: get them again.");
}

}  // namespace

std::vector<std::string> weight_files(const fs::path& folder) {
  if (fs::exists(folder / whole) || !fs::exists(folder / index)) return {whole};
  const auto all = json::parse(read_text(folder / index, {.within = folder}), nullptr, false);
  const auto map = all.is_object() ? all.find("weight_map") : all.end();
  if (!all.is_object() || map == all.end() || !map->is_object())
    throw UserError((folder / index).string() + ": `weight_map` is missing", "Copy it again.");
  std::set<std::string> files;
  for (const auto& [tensor, file] : map->items()) {
    if (!file.is_string() || fs::path(file.get<std::string>()).filename() != file.get<std::string>())
      throw UserError((folder / index).string() + ": " + tensor + " has no file in the folder",
                      "Copy it again.");
    files.insert(file.get<std::string>());
  }
  return {files.begin(), files.end()};
}

SafetensorsHeader safetensors_header(const fs::path& path) {
  const OpenFile file(path, {.within = path.parent_path(), .most = largest_file});
  std::uint64_t header_size = 0;
  if (!read_at(file, 0, reinterpret_cast<char*>(&header_size), 8) || header_size > longest_header ||
      8 + header_size > file.bytes())
    throw UserError(path.string() + " isn't a complete safetensors file", "Copy it again.");
  std::string text(header_size, '\0');
  const bool read = read_at(file, 8, text.data(), text.size());
  auto header = json::parse(text, nullptr, false);
  if (!read || !header.is_object()) throw UserError(path.string() + " has a broken header", "Copy it again.");
  std::uint64_t end = 0;
  for (const auto& [name, tensor] : header.items()) {
    if (name == "__metadata__") continue;
    const auto offsets = tensor.is_object() ? tensor.find("data_offsets") : tensor.end();
    if (!tensor.is_object() || offsets == tensor.end() || !offsets->is_array() || offsets->size() != 2 ||
        !(*offsets)[1].is_number_unsigned())
      throw UserError(path.string() + ": tensor " + name + " has no data_offsets", "Copy it again.");
    end = std::max(end, (*offsets)[1].get<std::uint64_t>());
  }
  if (8 + header_size + end != file.bytes())
    throw UserError(fmt::format("{} has {} bytes where its header says {}", path.string(), file.bytes(),
                                8 + header_size + end),
                    "The file is incomplete or damaged: copy it again.");
  return {std::move(header), 8 + header_size};
}

void require_fitting_files(const fs::path& folder) {
  const auto config = object_in(folder, "config.json");
  std::optional<Matrix> embedding, head;
  std::set<std::string> names;
  for (const auto& name : weight_files(folder)) {
    const auto file = folder / name;
    if (file.extension() != ".safetensors" || !fs::exists(file)) continue;
    const auto header = safetensors_header(file);
    for (const auto& [tensor, place] : header.tensors.items()) names.insert(tensor);
    if (auto found = matrix_in(header, file, embedding_name)) embedding = std::move(found);
    if (auto found = matrix_in(header, file, head_name)) head = std::move(found);
  }
  require_plain_names(folder, names);
  if (!embedding && is_tied(config)) embedding = head;
  compare_matrices(folder, config, embedding, head);
  const auto rows = embedding ? std::optional(embedding->shape[0]) : integer(config, "vocab_size");
  if (!rows) return;
  for (const char* name : {"config.json", "generation_config.json"}) {
    const auto object = object_in(folder, name);
    require_rows_for(object, folder / name, "eos_token_id", *rows, false);
    // A negative number means that there is no such token.
    require_rows_for(object, folder / name, "bos_token_id", *rows, true);
    require_rows_for(object, folder / name, "pad_token_id", *rows, true);
  }
  const auto tokenizer = object_in(folder, "tokenizer.json", [](int, json::parse_event_t event, json& value) {
    return event != json::parse_event_t::key || value != "merges";  // merges make up most of the file
  });
  const auto ids = ids_of(tokenizer, *rows);
  if (ids.beyond.empty()) return;
  std::string some;
  for (std::size_t i = 0; i < std::min<std::size_t>(ids.beyond.size(), 3); ++i)
    some += (i == 0 ? "" : ", ") + ids.beyond[i];
  throw UserError(
      fmt::format(
          "{}: the tokenizer has ids up to {}, and the embedding has {}: {} without a row, such as {}",
          folder.string(), ids.count - 1, counted(*rows, "row"), counted(ids.beyond.size(), "token"), some),
      "Enlarge the embedding and save the model again (`model.resize_token_embeddings(len(tokenizer))` in "
      "PyTorch), or take these tokens out of tokenizer.json.");
}

UserError differing_head(const fs::path& folder) {
  return UserError(
      fmt::format("{}: {} differs from the embedding, and config.json says that both are one matrix "
                  "(tie_word_embeddings), so that one of them would be lost",
                  folder.string(), head_name),
      "Set `tie_word_embeddings` to false in config.json, which has the effect that version 5 of "
      "transformers "
      "gives such a file (version 4 drops lm_head.weight), or take lm_head.weight out of the weights.");
}

}  // namespace trl
