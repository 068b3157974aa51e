#include "tests/verifier/corpus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

namespace trl::runtime::corpus {
namespace {

using nlohmann::json;

/// The folder of the sources, or the one in which a package has them.
std::filesystem::path root() {
  const std::filesystem::path built_from = TRL_VERIFY_CORPUS;
  const char* home = std::getenv("TRL_HOME");
  if (std::filesystem::exists(built_from) || home == nullptr) return built_from;
  return std::filesystem::path(home) / "tests/verifier/corpus";
}

struct Template {
  std::string name, text, of;
  std::vector<std::string> tasks, dtypes;
  std::map<std::string, std::int64_t> dims;
  Expectation expect;
  std::string protocol = "exam", earns = "full";
  std::vector<std::string> claims;
  bool neighbour = false, slow = false;
  std::vector<std::pair<std::string, std::vector<std::string>>> parameters;
};

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

Expectation parse_expectation(const std::vector<std::string>& words) {
  using When = Expectation::When;
  static const std::map<std::string, When> whens = {{"static", When::refused},
                                                    {"compile", When::compiled},
                                                    {"form", When::formed},
                                                    {"values", When::replayed}};
  if (words.size() < 2 || !whens.contains(words[0]))
    throw std::runtime_error("`expect` takes static, compile, form or values, and reasons");
  return {whens.at(words[0]), {words.begin() + 1, words.end()}};
}

std::pair<std::string, std::int64_t> parse_dim(const std::string& word) {
  const std::size_t sign = word.find('=');
  if (sign == std::string::npos) throw std::runtime_error("`dims` takes sizes as M=60, not " + word);
  return {word.substr(0, sign), std::stoll(word.substr(sign + 1))};
}

/// How a value in a head writes characters that would end it.
const std::pair<std::string, std::string> escapes[] = {
    {"\\x20", " "}, {"\\x09", "\t"}, {"\\x00", std::string(1, '\0')}};

Template parse_header(const std::string& line) {
  Template result;
  std::istringstream fields(line.substr(2));
  for (std::string field; std::getline(fields, field, '|');) {
    std::istringstream words(field);
    std::string key;
    std::vector<std::string> values;
    words >> key;
    for (std::string value; words >> value; values.push_back(value))
      for (const auto& [escape, character] : escapes) replace_all(value, escape, character);
    if (result.name.empty())
      result.name = key;
    else if (key == "tasks")
      result.tasks = values;
    else if (key == "dtypes")
      result.dtypes = values;
    else if (key == "of")
      result.of = values.at(0);
    else if (key == "expect")
      result.expect = parse_expectation(values);
    else if (key == "protocol")
      result.protocol = values.at(0);
    else if (key == "earns")
      result.earns = values.at(0);
    else if (key == "claims")
      result.claims = values;
    else if (key == "neighbour")
      result.neighbour = true;
    else if (key == "slow")
      result.slow = true;
    else if (key == "dims")
      for (const std::string& one : values) result.dims.insert(parse_dim(one));
    else
      result.parameters.emplace_back(key, values);
  }
  return result;
}

std::vector<Template> read_templates(const std::filesystem::path& file) {
  std::vector<Template> result;
  std::string beginning;  // the text that precedes each template of the file
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("#: ")) {
      result.push_back(parse_header(line));
      result.back().text = beginning;
    } else {
      (result.empty() ? beginning : result.back().text) += line + "\n";
    }
  return result;
}

/// Applies a twin's lines to its right template: pairs of a text, which must occur once, and its replacement.
std::string changed(std::string text, const std::string& lines) {
  std::istringstream in(lines + "- \n");
  std::string before, after;
  char last = '+';
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || (line[0] != '-' && line[0] != '+') || (line.size() > 1 && line[1] != ' '))
      throw std::runtime_error("a twin's lines begin with `- ` or `+ `: " + line);
    if (line[0] == '-' && last == '+' && !before.empty()) {
      const std::size_t at = text.find(before);
      if (at == std::string::npos || text.find(before, at + 1) != std::string::npos)
        throw std::runtime_error("the right one has not exactly once: " + before);
      text.replace(at, before.size(), after);
      before.clear(), after.clear(), last = '-';
    }
    std::string& to = line[0] == '-' ? before : after;
    to += (to.empty() || line[0] != last ? "" : "\n") + (line.size() > 2 ? line.substr(2) : "");
    last = line[0];
  }
  if (before != "") throw std::runtime_error("nothing stands in the place of: " + before);
  return text;
}

/// Makes a complete template of a twin.
Template twin(const Template& one, const std::vector<Template>& right) {
  const auto from =
      std::find_if(right.begin(), right.end(), [&](const Template& other) { return other.name == one.of; });
  if (from == right.end()) throw std::runtime_error(one.name + ": there is no right one called " + one.of);
  Template made = *from;
  made.name = one.name, made.of = one.of, made.expect = one.expect, made.parameters = one.parameters;
  if (!one.dims.empty()) made.dims = one.dims;
  if (!one.tasks.empty()) made.tasks = one.tasks;
  if (!one.dtypes.empty()) made.dtypes = one.dtypes;
  try {
    made.text = changed(made.text, one.text);
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(one.name + ": " + error.what());
  }
  return made;
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

Task task_of(json task, const std::string& dtype, const std::map<std::string, std::int64_t>& dims) {
  for (const auto& [name, size] : dims) {
    const auto own = std::find_if(task["dims"].begin(), task["dims"].end(),
                                  [&](const json& dim) { return dim[0] == name; });
    if (own == task["dims"].end()) throw std::runtime_error("the task has no dimension " + name);
    (*own)[1] = size;
  }
  for (json& input : task["inputs"])
    if (input["dtype"] == "f32") input["dtype"] = dtype;
  if (task["output"].is_object() && task["output"]["dtype"] == "f32") task["output"]["dtype"] = dtype;
  std::string key = task["key"];
  replace_all(key, ":f32", ":" + dtype);
  task["key"] = key;
  task["doc"] = "";
  return Task::parse(task);
}

void expand(const Template& from, const std::string& family, const json& tasks,
            std::vector<Candidate>& into) {
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
  const std::vector<std::string> dtypes = from.dtypes.empty() ? std::vector<std::string>{"f32"} : from.dtypes;
  for (const std::string& task : from.tasks)
    for (const std::string& dtype : dtypes)
      for (const auto& [name, text] : texts) {
        if (!tasks.contains(task)) throw std::runtime_error(from.name + ": no task " + task);
        Candidate candidate{fmt::format("{}/{}/{}", name, task, dtype),
                            family,
                            task_of(tasks[task]["task"], dtype, from.dims),
                            text,
                            from.expect,
                            from.of,
                            from.protocol,
                            from.earns,
                            from.claims,
                            from.neighbour,
                            from.slow,
                            ""};
        for (const auto& [word, value] : tasks[task]["words"].items())
          replace_all(candidate.answer, "__" + word + "__", value.get<std::string>());
        answer_questions(candidate.answer, task);
        constexpr std::string_view separator = "#; twin\n";
        if (const std::size_t at = candidate.answer.find(separator); at != std::string::npos) {
          candidate.twin = candidate.answer.substr(at + separator.size());
          candidate.answer.resize(at);
          for (std::string* text : {&candidate.answer, &candidate.twin})
            text->pop_back();  // the last newline
        }
        into.push_back(std::move(candidate));
      }
}

/// The templates of each file, by the files' names.
std::vector<std::pair<std::string, std::vector<Template>>> read_folder(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(root() / folder))
    files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<std::pair<std::string, std::vector<Template>>> result;
  for (const auto& path : files) result.emplace_back(path.stem().string(), read_templates(path));
  return result;
}

}  // namespace

bool Expectation::accepts(const std::string& reason) const {
  // These two reasons are refinements of wrong_values.
  const bool values = reason == "low_precision" || reason == "overflow";
  return std::find(reasons.begin(), reasons.end(), values ? "wrong_values" : reason) != reasons.end();
}

std::vector<Candidate> load(const std::string& folder) {
  std::ifstream file(root() / "tasks.json");
  const json tasks = json::parse(file);
  std::vector<Template> right;
  std::vector<Candidate> result;
  for (const auto& [family, templates] : read_folder(folder))
    for (const Template& one : templates) {
      if (!one.of.empty() && right.empty())
        for (const auto& [other, all] : read_folder("cuda_right"))
          right.insert(right.end(), all.begin(), all.end());
      expand(one.of.empty() ? one : twin(one, right), family, tasks, result);
    }
  return result;
}

}  // namespace trl::runtime::corpus
