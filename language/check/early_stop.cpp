#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(early_stop)
namespace {

/// The reason why an answer would be empty, or nearly empty, before this stop text, and the remedy; empty if
/// whole answers can come before it.
struct Early {
  std::string why, remedy;
};

Early early(const std::string& text) {
  const std::string_view blanks = " \t\r\n";
  if (text.find_first_not_of(blanks) == text.npos) {
    const auto lines = std::count(text.begin(), text.end(), '\n');
    return {lines == 0   ? "an answer ends before its first blank"
            : lines == 1 ? "an answer ends with its first line"
                         : "an answer ends at its first empty line, which code has, too",
            "leave it out, or write a text that stands behind the code: `\"\\n```\"` is the fence that "
            "closes it"};
  }
  // An opening fence has a language's name behind it; without a name it looks like a closing fence.
  const std::string_view behind = std::string_view(text).substr(text.find_first_not_of('\n'));
  const bool named = behind.starts_with("```") && behind.size() > 3 && std::isalpha(behind[3]) != 0,
             bare = behind.size() == text.size() && text.find_first_not_of('`') == text.npos;
  if (named || bare)
    return {"a fence opens the code, so that an answer ends before it",
            "write the fence that closes the code, on a line of its own: `\"\\n```\"`"};
  return {};
}

/// A token that ends a turn of a chat, as its template writes it.
bool is_special(const std::string& text) {
  return text == "</s>" || text == "<eos>" || (text.starts_with("<|") && text.ends_with("|>")) ||
         (text.starts_with("<\uFF5C") && text.ends_with("\uFF5C>"));
}

void examine(Inspection& inspection, const Resolved& of) {
  const Value* stop = of.field("stop");
  if (stop == nullptr || !of.sound("stop")) return;
  for (const Value& one : stop->items) {
    if (!one.plain.is_string() || one.string().empty()) continue;
    const auto [why, remedy] = early(one.string());
    if (!why.empty())
      inspection.report(found(rules::early_stop, one.range,
                              "`" + of.name + "` stops at a text that answers have early: " + why)
                            .helped(remedy),
                        {&of});
    else if (is_special(one.string()))
      inspection.report(
          found(rules::early_stop, one.range,
                "`" + of.name + "` stops at a model's special token, which is no text of an answer")
              .helped("leave it out: the tokens that end a model's answers do so anyway"),
          {&of});
  }
}

void check_early_stop(Inspection& inspection) {
  for (const auto& stage : inspection.stages()) examine(inspection, *stage.train);
  for (const Resolved* evaluation : inspection.evaluations()) examine(inspection, *evaluation);
}

}  // namespace

const Rule rules::early_stop{
    "early_stop",
    Severity::warning,
    true,
    "An answer ends where a stop text begins: a text that stands before the code, or in "
    "it, cuts every answer off.",
    R"(import example
train t : example.reinforce { stop = ["\n```"] }
experiment e : example.study { train = t }
)",
    R"(import example
train t : example.reinforce { stop = ["```"] }
experiment e : example.study { train = t }
)",
    check_early_stop};

}  // namespace trl::language
