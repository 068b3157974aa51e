#include "tests/verify/corpus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

namespace trl::runtime::corpus {
namespace {

using nlohmann::json;

const std::filesystem::path root = TRL_VERIFY_CORPUS;

struct Template {
  std::string name, text;
  std::vector<std::string> tasks, dtypes = {"f32"};
  std::vector<std::pair<std::string, std::vector<std::string>>> parameters;
};

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

Template parse_header(const std::string& line) {
  Template result;
  std::istringstream fields(line.substr(2));
  for (std::string field; std::getline(fields, field, '|');) {
    std::istringstream words(field);
    std::string key;
    std::vector<std::string> values;
    words >> key;
    for (std::string value; words >> value; values.push_back(value)) replace_all(value, "\\x20", " ");
    if (result.name.empty())
      result.name = key;
    else if (key == "tasks")
      result.tasks = values;
    else if (key == "dtypes")
      result.dtypes = values;
    else
      result.parameters.emplace_back(key, values);
  }
  return result;
}

std::vector<Template> read_templates(const std::filesystem::path& file) {
  std::vector<Template> result;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("#: "))
      result.push_back(parse_header(line));
    else if (!result.empty())
      result.back().text += line + "\n";
  return result;
}

void answer_questions(std::string& text, const std::string& task) {
  for (std::size_t at = text.find("__IS_"); at != std::string::npos; at = text.find("__IS_", at)) {
    const std::size_t end = text.find("__", at + 5);
    std::string word = text.substr(at + 5, end - at - 5);
    std::transform(word.begin(), word.end(), word.begin(),
                   [](char c) { return static_cast<char>(c | 0x20); });
    const bool is = ("_" + task + "_").find("_" + word + "_") != std::string::npos;
    text.replace(at, end + 2 - at, is ? "True" : "False");
  }
}

Task task_of(json task, const std::string& dtype) {
  for (json& input : task["inputs"])
    if (input["dtype"] == "f32") input["dtype"] = dtype;
  if (task["output"]["dtype"] == "f32") task["output"]["dtype"] = dtype;
  std::string key = task["key"];
  replace_all(key, ":f32", ":" + dtype);
  task["key"] = key;
  task["doc"] = "";
  return Task::parse(task);
}

void expand(const Template& from, const json& tasks, std::vector<Candidate>& into) {
  std::vector<std::pair<std::string, std::string>> texts = {{from.name, from.text}};
  for (const auto& [parameter, values] : from.parameters) {
    std::vector<std::pair<std::string, std::string>> more;
    for (const auto& [name, text] : texts)
      for (const std::string& value : values) {
        more.emplace_back(fmt::format("{}/{}={}", name, parameter, value), text);
        replace_all(more.back().second, "__" + parameter + "__", value);
      }
    texts = std::move(more);
  }
  for (const std::string& task : from.tasks)
    for (const std::string& dtype : from.dtypes)
      for (const auto& [name, text] : texts) {
        if (!tasks.contains(task)) throw std::runtime_error(from.name + ": no task " + task);
        Candidate candidate{fmt::format("{}/{}/{}", name, task, dtype), task_of(tasks[task]["task"], dtype),
                            text};
        for (const auto& [word, value] : tasks[task]["words"].items())
          replace_all(candidate.answer, "__" + word + "__", value.get<std::string>());
        answer_questions(candidate.answer, task);
        into.push_back(std::move(candidate));
      }
}

}  // namespace

std::vector<Candidate> load(const std::string& folder) {
  std::ifstream file(root / "tasks.json");
  const json tasks = json::parse(file);
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(root / folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<Candidate> result;
  for (const auto& path : files)
    for (const Template& one : read_templates(path)) expand(one, tasks, result);
  return result;
}

}  // namespace trl::runtime::corpus
