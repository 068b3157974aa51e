#include <cmath>

#include "interpreter/paper/paper.hpp"
#include "interpreter/plan/why.hpp"

#include <fmt/format.h>

namespace trl::interpreter::paper {

std::string enumerated(const std::vector<std::string>& texts) {
  std::string out;
  for (std::size_t i = 0; i < texts.size(); ++i)
    out += (i == 0 ? "" : i + 1 == texts.size() ? " and " : ", ") + texts[i];
  return out;
}

std::string number_word(std::size_t number) {
  static constexpr const char* words[] = {"no",    "one",   "two",  "three", "four",   "five",  "six",
                                          "seven", "eight", "nine", "ten",   "eleven", "twelve"};
  return number < std::size(words) ? words[number] : std::to_string(number);
}

std::string in_words(std::size_t number, const std::string& noun) {
  return number_word(number) + " " + noun + (number == 1 ? "" : "s");
}

std::string number_in_words(double number) {
  const auto text = number_text(number);
  const auto e = text.find('e');
  if (e == std::string::npos) return text;
  static constexpr const char* digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  const auto mantissa = text.substr(0, e);
  auto out = (mantissa == "1" ? "" : mantissa + "·") + "10";
  for (const char c : text.substr(e + 1))
    if (c == '-')
      out += "⁻";
    else if (c >= '0' && c <= '9')
      out += digits[c - '0'];
  return out;
}

std::string first_sentence(const std::string& text) {
  std::string flat;
  for (const char c : text)
    if (c != '\n')
      flat += c;
    else if (!flat.empty() && flat.back() != ' ')
      flat += ' ';
  while (!flat.empty() && flat.back() == ' ') flat.pop_back();
  static const std::set<std::string> abbreviations = {"al", "eq",  "e.g", "i.e", "cf",
                                                      "vs", "Fig", "Sec", "Dr"};
  for (std::size_t i = 0; i < flat.size(); ++i) {
    if (flat[i] != '.' && flat[i] != '?' && flat[i] != '!') continue;
    if (i + 1 < flat.size() && flat[i + 1] != ' ') continue;
    const auto word = flat.rfind(' ', i);
    const auto begin = word == std::string::npos ? 0 : word + 1;
    if (abbreviations.contains(flat.substr(begin, i - begin))) continue;
    return flat.substr(0, i + 1);
  }
  return flat.empty() ? flat : flat + ".";
}

std::string capitalised(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

std::string names_in_words(const std::vector<std::string>& names) {
  std::vector<std::string> quoted;
  for (const auto& name : names) quoted.push_back("`" + name + "`");
  return enumerated(quoted);
}

std::string seeds_in_words(const Plan& plan) {
  std::vector<std::string> seeds;
  if (!plan.rows.empty())
    for (const auto& trace : plan.rows.front().traces) seeds.push_back(std::to_string(trace.seed));
  return (seeds.size() == 1 ? "seed " : "seeds ") + enumerated(seeds);
}

std::string duration_in_words(double seconds) {
  const auto whole = static_cast<long long>(std::llround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

std::string measure_in_words(const Column& column, bool modelled) {
  const std::string begin = modelled && column.of_times() ? "modelled " : "";
  // For columns of whole stages, the axis' title would say "so far"; the column's title is used instead.
  if (!column.axis.empty()) return begin + (column.of_answers() ? std::string(column.axis) : column.title);
  const auto meaning = column.meaning.substr(0, column.meaning.find_first_of(":;"));
  const bool share = column.unit == Column::Unit::percent && column.which != ColumnName::pass_at;
  return begin + (share ? "share " : "") + "“" + column.title + "” (" + meaning + ")";
}

std::string contrast_in_words(const Column& column, const Comparison& comparison, bool modelled) {
  return "the " + measure_in_words(column, modelled) + ", " + comparison.words + ",";
}

}  // namespace trl::interpreter::paper
