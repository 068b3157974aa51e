#include "interpreter/plan/asking.hpp"

#include <fmt/format.h>

#include <map>

#include "base/contract/call.hpp"
#include "base/support/asking.hpp"
#include "base/support/error.hpp"
#include "base/support/named_path.hpp"
#include "base/support/reading.hpp"

namespace trl::interpreter {
namespace fs = std::filesystem;
using nlohmann::json;
namespace {

/// "a GPU with 80 GiB of memory, 3120 GiB/s and 990 TFLOP/s in 16 bits"
std::string gpu_of(const json& machine) {
  constexpr double gib = 1024.0 * 1024.0 * 1024.0;
  return fmt::format("a GPU with {:.0f} GiB of memory, {:.0f} GiB/s and {:.0f} TFLOP/s in 16 bits",
                     machine.at("memory").get<double>() / gib, machine.at("bandwidth").get<double>() / gib,
                     machine.at("compute").get<double>() / 1e12);
}

}  // namespace

std::string asked_template(const json& said, contract::KernelLanguage language, const json& machine,
                           const fs::path& folder) {
  std::string text;
  if (said.is_object()) {
    const auto call = contract::Call::read(said);
    const std::string path = call.args.at(0);
    const fs::path written(path), file = named_path(folder, path);
    if (!fs::exists(file))
      throw UserError("there is no file " + file.string(), "It holds the prompt, with {task} in it.");
    // The prompt is published with the study. So a study that others made must not read a file outside of its
    // folder through a link.
    const bool below =
        written.is_relative() && !path.starts_with('~') && *written.lexically_normal().begin() != "..";
    text = read_text(file, {.within = !below           ? fs::path()
                                      : folder.empty() ? fs::path(".")
                                                       : folder,
                            .most = std::uint64_t{1} << 20});
  } else if (said != "module") {
    const auto known = library_prompt(said.get<std::string>());
    text = known ? std::string(*known) : said.get<std::string>();
  }
  const bool cuda = language == contract::KernelLanguage::cuda;
  std::map<std::string, std::string> values = {{"language", language_in_prompt(cuda)},
                                               {"example", example_in_prompt(cuda)}};
  if (mentions(text, "gpu") && machine.is_object()) values["gpu"] = gpu_of(machine);
  return filled(text, values);
}

}  // namespace trl::interpreter
