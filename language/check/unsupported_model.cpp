#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <optional>

#include "language/check/endpoint.hpp"

namespace trl::language {
DECLARE_RULE(unsupported_model)
namespace {

std::string in_small_letters(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

bool alphanumeric(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

/// Returns the position of a word in a name, where `-`, `_`, `.` and the name's ends separate words; npos if
/// it isn't there. With `whole`, the word must also end there.
std::size_t word_in(const std::string& name, const std::string& word, bool whole) {
  for (std::size_t at = 0; (at = name.find(word, at)) != name.npos; ++at) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !alphanumeric(name[at - 1])) &&
        (!whole || end == name.size() || !alphanumeric(name[end])))
      return at;
  }
  return name.npos;
}

/// The names of formats that only other programs can read, as they occur in names of repositories.
constexpr std::array formats = {"gguf", "ggml",  "awq",  "gptq", "exl2", "exl3", "mlx",  "onnx", "bnb",
                                "fp8",  "w4a16", "w8a8", "int4", "4bit", "int8", "8bit", "hqq",  "aqlm"};

struct Format {
  std::string name;
  std::size_t at = std::string::npos;  ///< where it begins in the repository's name
};

Format format_of(const std::string& name) {
  Format out;
  for (const char* format : formats)
    if (const std::size_t at = word_in(name, format, true); at < out.at) out = {format, at};
  return out;
}

std::string running(const Schema& schema) {
  std::string out;
  for (const auto& [name, family] : schema.families)
    if (family.runs) out += (out.empty() ? "" : ", ") + name;
  return out;
}

/// Returns the word in a repository's name which shows that its architecture isn't supported; empty if there
/// is none.
std::string foreign_architecture(const Schema& schema, const std::string& name) {
  std::size_t runs = name.npos, length = 0;
  for (const auto& [type, family] : schema.families)
    for (const std::string& word : family.names)
      if (const std::size_t at = family.runs ? word_in(name, word, false) : name.npos; at != name.npos)
        runs = at, length = word.size();
  for (const auto& [type, family] : schema.families)
    for (const std::string& word : family.names)
      if (const std::size_t at = family.runs ? name.npos : word_in(name, word, true); at != name.npos)
        // A model of one architecture may also have the name of the model from which it was distilled.
        if (runs == name.npos || (at == 0 && runs == 0 && word.size() > length)) return word;
  return "";
}

std::optional<Diagnostic> fault_of_repository(const Inspection& inspection, const Value& named) {
  const std::string repository = named.string(), name = in_small_letters(repository);
  const std::size_t owner = name.find('/');
  if (owner == name.npos) return std::nullopt;
  const std::string own = name.substr(owner + 1);
  if (const Format format = format_of(own); format.at != std::string::npos) {
    auto d = found(rules::unsupported_model, named.range,
                   "`" + repository + "` is named as one in a format of another program (" + format.name +
                       "), which isn't read");
    const std::string made_of = "/" + own.substr(0, format.at == 0 ? 0 : format.at - 1);
    const auto& known = inspection.schema.published;
    const auto published = std::find_if(known.begin(), known.end(), [&](const auto& one) {
      return in_small_letters(one.first).ends_with(made_of);
    });
    if (format.at == 0 || published == known.end())
      return d.helped(
          "take the repository that it was made of, with weights in safetensors; `quantize = nf4` of the "
          "model "
          "stores them in 4 bits");
    d.suggest("write `" + published->first + "`", named.range, "\"" + published->first + "\"");
    return d.helped("write `" + published->first +
                    "`, which it was made of; `quantize = nf4` of the model stores its weights in 4 bits");
  }
  const std::string word = foreign_architecture(inspection.schema, own);
  if (word.empty()) return std::nullopt;
  return found(rules::unsupported_model, named.range,
               "by its name (`" + word + "`) `" + repository + "` has an architecture that can't be run")
      .helped("models of these types of config.json can be run: " + running(inspection.schema) +
              "; a server's model, `endpoint(…)`, may be of any");
}

/// Checks the ending of the path, and config.json, which is more reliable than a name.
std::optional<Diagnostic> fault_of_folder(const Inspection& inspection, const Value& weights) {
  const Value& named = weights.items.front();
  const std::string extension = in_small_letters(std::filesystem::path(named.string()).extension().string());
  for (const char* file : {".gguf", ".ggml", ".bin", ".pt", ".pth", ".safetensors", ".onnx"})
    if (extension == file)
      return found(rules::unsupported_model, named.range,
                   "`" + named.string() + "` names a file, not a model's folder")
          .helped(extension == ".safetensors"
                      ? "name the folder in which config.json, tokenizer.json and model.safetensors are"
                      : "a model is a folder with config.json, tokenizer.json and model.safetensors, as "
                        "`save_pretrained` of transformers writes it; other formats aren't read");
  const auto text =
      inspection.options.read(model_file(weights, "config.json", inspection.options, inspection.folder));
  const auto config = nlohmann::json::parse(text.value_or(""), nullptr, false);
  if (!config.is_object()) return std::nullopt;
  const auto refused = [&](const std::string& what, const std::string& remedy) {
    auto d = found(rules::unsupported_model, named.range,
                   "`" + inspection.model()->name + "` can't be run: its config.json " + what);
    d.severity = Severity::error;
    return d.helped(remedy);
  };
  const auto type = config.find("model_type");
  const std::string called = type != config.end() && type->is_string() ? type->get<std::string>() : "";
  const auto family = inspection.schema.families.find(called);
  if (!called.empty() && (family == inspection.schema.families.end() || !family->second.runs))
    return refused("has the `model_type` " + called,
                   "models of these types can be run: " + running(inspection.schema));
  if (const auto quantised = config.find("quantization_config");
      quantised != config.end() && !quantised->is_null())
    return refused("says that its weights are quantised (`quantization_config`)",
                   "take the weights from before that; `quantize = nf4` of the model stores them in 4 bits");
  return std::nullopt;
}

}  // namespace

std::optional<Diagnostic> unsupported(const Inspection& inspection) {
  if (const Value* repository = weights_called(inspection, "huggingface"))
    return fault_of_repository(inspection, repository->items.front());
  if (const Value* weights = weights_called(inspection, "path")) return fault_of_folder(inspection, *weights);
  return std::nullopt;
}

namespace {

void check_unsupported_model(Inspection& inspection) {
  if (auto finding = unsupported(inspection)) inspection.report(std::move(*finding), {inspection.model()});
}

}  // namespace

const Rule rules::unsupported_model{
    "unsupported_model",
    Severity::warning,
    true,
    "Weights of another architecture, or in the format of another program, can't be read, which a run would "
    "find out after they were fetched.",
    R"(import example
model m { weights = huggingface("Qwen/Qwen2.5-Coder-0.5B"), quantize = nf4 }
experiment e : example.study { model = m }
)",
    R"(import example
model m { weights = huggingface("TheBloke/CodeLlama-7B-GGUF") }
experiment e : example.study { model = m }
)",
    check_unsupported_model};

}  // namespace trl::language
