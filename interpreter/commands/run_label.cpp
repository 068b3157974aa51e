#include "interpreter/commands/run_label.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/support/files.hpp"
#include "interpreter/commands/console.hpp"
#include "interpreter/files.hpp"

namespace trl::interpreter {
namespace fs = std::filesystem;
using nlohmann::json;
namespace {

constexpr const char* label_file = "run.json";
constexpr std::size_t longest = 64;
constexpr auto letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

bool is_word(const std::string& text, const std::string& signs) {
  return !text.empty() && text.size() <= longest &&
         std::string(letters).find(text.front()) != std::string::npos &&
         text.find_first_not_of(letters + signs) == std::string::npos;
}

}  // namespace

void add_run_name(Command command, RunLabel& label) {
  command
      .add_option("--name", label.name,
                  "The run's name. Its report is in the folder EXPERIMENT.NAME, beside those of other runs")
      .type_name("NAME");
}

void add_tags(Command command, RunLabel& label, const std::string& description) {
  command.add_option("--tag", label.tags, description).type_name("TAG").repeatable();
}

void check_label(const RunLabel& label) {
  if (!label.name.empty() && !is_word(label.name, "-_."))
    throw WrongUsage(
        "`" + label.name + "` is no name for a run",
        "A name begins with a letter or digit, goes on with those, -, _ and ., and has at most 64.");
  for (const auto& tag : label.tags)
    if (!is_word(tag, "-_.:=/+"))
      throw WrongUsage(
          "`" + tag + "` is no tag",
          "A tag begins with a letter or digit, goes on with those and - _ . : = / +, and has at "
          "most 64.");
}

RunLabel read_label(const fs::path& folder) {
  RunLabel label;
  std::error_code none;
  if (!fs::exists(folder / label_file, none)) return label;
  const auto read = json::parse(read_text(folder / label_file), nullptr, false);
  if (!read.is_object()) return label;
  if (read.contains("name") && read["name"].is_string()) label.name = read["name"];
  for (const auto& tag : read.value("tags", json::array()))
    if (tag.is_string()) label.tags.push_back(tag);
  for (const auto& set : read.value("set", json::array()))
    if (set.is_string()) label.sets.push_back(set);
  return label;
}

void write_label(const RunLabel& label, const fs::path& folder) {
  replace_text(folder / label_file, json{{"name", label.name.empty() ? json() : json(label.name)},
                                         {"tags", label.tags},
                                         {"set", label.sets}}
                                            .dump(1) +
                                        "\n");
}

std::vector<std::string> settings_of_run(const std::string& name, const fs::path& out) {
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(out, none))
    if (auto label = read_label(entry.path()); !name.empty() && label.name == name) return label.sets;
  return {};
}

bool matches(const RunLabel& label, const RunLabel& wanted) {
  return (wanted.name.empty() || label.name == wanted.name) &&
         std::all_of(wanted.tags.begin(), wanted.tags.end(), [&](const std::string& tag) {
           return std::find(label.tags.begin(), label.tags.end(), tag) != label.tags.end();
         });
}

std::string tags_text(const RunLabel& label) {
  std::string text;
  for (const auto& tag : label.tags) text += (text.empty() ? "" : ", ") + tag;
  return text;
}

}  // namespace trl::interpreter
