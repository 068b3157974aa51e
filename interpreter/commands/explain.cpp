#include <algorithm>
#include <cctype>
#include <cstring>
#include <functional>
#include <memory>
#include <sstream>

#include "base/contract/measures.hpp"
#include "base/contract/reasons.hpp"
#include "base/statistics/decision.hpp"
#include "base/support/error.hpp"
#include "interpreter/commands/explain.hpp"
#include "interpreter/commands/library_tasks.hpp"
#include "interpreter/report/column.hpp"
#include "interpreter/report/report.hpp"
#include "interpreter/wrap.hpp"
#include "language/diagnostics/habits.hpp"
#include "language/diagnostics/rule.hpp"
#include "language/diagnostics/suggest.hpp"
#include "language/modules/library.hpp"
#include "language/printing/reference.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {

void list_rules(Console& console) {
  constexpr std::size_t column = 26;
  for (const auto* rule : language::all_rules()) {
    std::string line = "  " + std::string(rule->id);
    line.resize(std::max(column, line.size() + 1), ' ');
    console.out << wrapped(line + std::string(rule->reason), column) << '\n';
  }
}

void explain_rule(const language::Rule& rule, Console& console) {
  console.out << wrapped(std::string(rule.id) + ": " + std::string(rule.reason)) << '\n';
  if (rule.allowable) console.out << "allow(" << rule.id << ", \"why\") in a block silences it there.\n";
  // An example of one empty line means that several files would be needed to show it.
  if (rule.bad.size() > 1) console.out << "\nBreaks it:\n\n" << rule.bad;
  if (rule.good.size() > 1) console.out << "\nKeeps it:\n\n" << rule.good;
}

/// Prints lines of the reference; a line that is too long continues below with more indentation.
void print_lines(const std::string& text, Console& console) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    // A field's declaration, `rank: count in 1..1024 = 16`, and not a sentence with a colon.
    const bool head = indent > 0 && line[std::min(line.find_first_of(": ", indent), line.size() - 1)] == ':';
    console.out << wrapped(line, indent + (head ? 4 : 0)) << '\n';
  }
}

/// Returns every column that a table can have. Columns with an argument have the argument 1.
std::vector<Column> columns() {
  std::vector<Column> out;
  for (const auto& facts : contract::columns) out.push_back(column_of(facts.which));
  return out;
}

std::vector<std::string> kinds() {
  std::vector<std::string> out;
  for (const auto& [name, kind] : language::library_schema().kinds) out.push_back(name);
  return out;
}

/// Returns "; mean over answers (tokens)": the measure's formula and unit, if it has them.
std::string details_of(const contract::Measure& measure) {
  return (measure.formula.empty() ? "" : fmt::format("; {}", measure.formula)) +
         (measure.unit.empty() ? "" : fmt::format(" ({})", measure.unit));
}

/// The words that reports use for the verdict on a hypothesis.
struct FindingWord {
  statistics::Verdict verdict;
  const char* meaning;
};
constexpr FindingWord finding_words[] = {
    {statistics::Verdict::supported,
     "the difference is significant and has the expected direction; of `same`: it is shown to be smaller "
     "than the "
     "smallest effect"},
    {statistics::Verdict::refuted,
     "the difference is significant in the other direction; of `same`: it is significantly beyond the "
     "smallest "
     "effect"},
    {statistics::Verdict::equivalent,
     "the difference is shown to be smaller than the hypothesis' `smallest_effect`: real or not, too small "
     "to "
     "matter"},
    {statistics::Verdict::undecided,
     "the study can't tell: the difference may be 0 and may matter. `trl power` says what would find it"},
    {statistics::Verdict::inert,
     "the compared rows gave the same answers, or are the same experiment on this machine, so that there is "
     "nothing "
     "to judge: what they differ in never acted, or training was too short to change an answer"},
};

/// Prints the meaning of a word that is a verdict's reason, a finding, a column of tables or a measure.
/// Returns false if it is none of them.
bool explain_result(const std::string& name, Console& console, bool found) {
  bool any = false;
  const auto say = [&](const std::string& text) {
    if (found || any) console.out << '\n';
    console.out << wrapped(text) << '\n';
    any = true;
  };
  for (const auto& reason : contract::reasons())
    if (reason.name == name) say(fmt::format("{}, a verdict's reason: {}", name, reason.meaning));
  for (const auto& word : finding_words)
    if (name_of(word.verdict) == name)
      say(fmt::format("{}, what a report finds of a hypothesis: {}.", name, word.meaning));
  for (const auto& column : columns()) {
    if (column.name != name && column.title != name) continue;
    say(fmt::format("{}, a column of tables, of {}: {}.", column.id, column.counted, column.meaning));
  }
  for (const auto& measure : contract::measures())
    if (measure.name == name)
      say(fmt::format("{}, a measure of {}{}: {}{}.", name, measure.of,
                      measure.of_step ? " at each step" : " as a whole", measure.meaning,
                      details_of(measure)));
  return any;
}

/// Returns all names that `explain` accepts: rules, topics, and the other words.
std::vector<std::string> known_names() {
  std::vector<std::string> known = {"exam", "tolerance", "reasons", "columns", "measures"};
  for (const auto& topic : language::topics()) known.push_back(topic.name);
  for (const auto* rule : language::all_rules()) known.emplace_back(rule->id);
  for (const auto& reason : contract::reasons()) known.emplace_back(reason.name);
  for (const auto& word : finding_words) known.emplace_back(name_of(word.verdict));
  for (const auto& column : columns()) known.emplace_back(column.name);
  for (const auto& measure : contract::measures()) known.emplace_back(measure.name);
  return known;
}

/// Returns the topics of fields with this name. If the written word begins with a kind or a variant,
/// `lora_alpha` for `alpha` of `lora`, only that field's topic is returned.
std::vector<std::string> fields_called(const std::string& field, const std::vector<std::string>& known,
                                       const std::string& written) {
  std::vector<std::string> all;
  for (const auto& topic : known) {
    if (!topic.ends_with("." + field)) continue;
    const std::string owner = topic.substr(0, topic.size() - field.size() - 1);
    if (written.starts_with(owner + "_")) return {topic};
    all.push_back(topic);
  }
  return all;
}

/// The commands that explain each of the topics.
std::vector<std::string> commands_for(std::vector<std::string> topics) {
  for (std::string& topic : topics) topic = "trl explain " + topic;
  return topics;
}

/// The text of a field's topic behind its first line, which names its owner and its default.
std::string said_of_field(const std::string& topic) {
  for (const auto& one : language::topics())
    if (one.name == topic) return one.text.substr(std::min(one.text.find('\n') + 1, one.text.size()));
  return "";
}

/// Explains a name that fields of several owners have: what is said of it, once for all owners of which the
/// same is said, and then where it stands.
void explain_fields(const std::string& name, const std::vector<std::string>& topics, Console& console) {
  std::vector<std::pair<std::string, std::vector<std::string>>> meanings;
  for (const std::string& topic : topics) {
    std::string said = said_of_field(topic);
    auto at = std::find_if(meanings.begin(), meanings.end(),
                           [&](const auto& meaning) { return meaning.first == said; });
    if (at == meanings.end()) at = meanings.insert(at, {std::move(said), {}});
    at->second.push_back(topic.substr(0, topic.size() - name.size() - 1));
  }
  // What most fields of the name have in common comes first.
  std::stable_sort(meanings.begin(), meanings.end(),
                   [](const auto& a, const auto& b) { return a.second.size() > b.second.size(); });
  for (const auto& [said, owners] : meanings) {
    console.out << wrapped(fmt::format("field {} of {}", name, language::enumeration(owners, 12))) << '\n';
    print_lines(said, console);
  }
  console.out << wrapped("With types and defaults: " + language::enumeration(commands_for(topics), 8) + ".")
              << '\n';
}

/// The entry of this language for a field as others write it, behind a way to train or another owner:
/// `grpo.kl_coef` is `grpo.kl`, `GRPOConfig.num_generations` is `grpo.candidates`. `owner` may be another
/// tool's word, too. Prints it and returns true where there is one.
bool explain_foreign(const std::string& name, std::size_t dot, const std::vector<std::string>& known,
                     Console& console) {
  const auto is_known = [&](const std::string& topic) {
    return std::find(known.begin(), known.end(), topic) != known.end();
  };
  std::string owner = name.substr(0, dot);
  const std::string field = name.substr(dot + 1);
  if (!is_known(owner)) {
    // TRL's classes of settings: GRPOConfig, DPOTrainer.
    std::string plain;
    for (const char c : owner.substr(owner.rfind('.') + 1))
      plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    for (const char* behind : {"config", "trainer", "_config", "_trainer", "args"})
      if (plain.ends_with(behind)) plain.resize(plain.size() - std::strlen(behind));
    if (const auto words = language::foreign_words(language::Place::variant, plain);
        !is_known(plain) && !words.empty())
      plain = words.front()->meant;
    if (!is_known(plain)) return false;
    owner = plain;
  }
  if (is_known(owner + "." + field)) {
    if (owner + "." + field == name) return false;
    console.out << wrapped("(" + name + " is `" + owner + "." + field + "` here)") << "\n\n";
    return explain(owner + "." + field, console) == fine;
  }
  const auto words = language::foreign_words(language::Place::field, field);
  for (const auto* word : words)
    if (const std::string meant = owner + "." + word->meant; *word->meant != 0 && is_known(meant)) {
      console.out << wrapped("(" + name + " is `" + meant + "` here" +
                             (*word->help != 0 ? ": " + language::help_for(*word) : "") + ")")
                  << "\n\n";
      return explain(meant, console) == fine;
    }
  for (const auto* word : words)
    if (*word->help != 0)
      throw UserError(fmt::format("{} has no field {}", owner, field),
                      fmt::format("{}; `trl explain {}` lists the fields of {}", language::help_for(*word),
                                  owner, owner));
  return false;
}

/// The topics that have a word in their names or texts, those with it in the name first.
std::vector<std::string> named_in(std::string word) {
  std::vector<std::string> names, texts;
  if (word.size() < 4 || language::closest(word, known_names())) return {};
  std::transform(word.begin(), word.end(), word.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const auto& topic : language::topics()) {
    if (topic.name.find(word) != topic.name.npos)
      names.push_back(topic.name);
    else if (topic.text.find(" " + word) != topic.text.npos)
      texts.push_back(topic.name);
  }
  constexpr std::size_t few = 3;
  if (names.size() < few) names.insert(names.end(), texts.begin(), texts.end());
  return names;
}

/// For a field that its owner doesn't have, `dpo.data`, or whose owner is unknown. If only verdicts have a
/// field of this name, explains it and returns true. If others have one, throws UserError, which names them.
/// Returns false if there is no field of this name.
bool explain_lacking(const std::string& name, std::size_t dot, const std::vector<std::string>& known,
                     Console& console) {
  const std::string owner = name.substr(0, dot);
  const auto others = fields_called(name.substr(dot + 1), known, "");
  if (others.empty()) return false;
  // `c.speedup`: the parameter of a reward.
  if (others.size() == 1 && others.front().starts_with("verdict.")) {
    explain(others.front(), console);
    return true;
  }
  if (std::find(known.begin(), known.end(), owner) == known.end())
    throw UserError(
        fmt::format("there is no kind or way to train called {}", owner),
        fmt::format(
            "a declaration of a file has the fields of what stands behind its colon: {}; `trl show FILE {}` "
            "prints its values.",
            language::enumeration(commands_for(others), 4, "or"), owner));
  throw UserError(fmt::format("{} has no field {}", owner, name.substr(dot + 1)),
                  fmt::format("others have one: {}; `trl explain {}` lists the fields of {}.",
                              language::enumeration(others, 8), owner, owner));
}

void list_reasons(Console& console) {
  constexpr std::size_t column = 22;
  console.out << "Reasons of verdicts:\n";
  for (const auto& reason : contract::reasons()) {
    std::string line = fmt::format("  {:<{}}", reason.name, column - 2);
    console.out << wrapped(line + std::string(reason.meaning), column) << '\n';
  }
}

void list_columns(Console& console) {
  constexpr std::size_t column = 16;
  console.out << "Columns of tables:\n";
  for (const auto& one : columns())
    console.out << wrapped(fmt::format("  {:<{}}{} ({})", one.id, column - 2, one.meaning, one.counted),
                           column)
                << '\n';
}

void list_measures(Console& console) {
  constexpr std::size_t column = 22;
  for (const bool of_step : {true, false}) {
    console.out << (of_step ? "What training tells at each step:\n" : "\nWhat stages have as a whole:\n");
    for (const auto& one : contract::measures())
      if (one.of_step == of_step)
        console.out << wrapped(fmt::format("  {:<{}}{}{}: {}", one.name, column - 2, one.meaning,
                                           details_of(one), one.of),
                               column)
                    << '\n';
  }
}

/// Returns the entry that a word in another spelling means: `KL` for `kl`, `pass@k` for `pass_at`. Empty if
/// there is none.
std::string as_written_here(const std::string& name, const std::vector<std::string>& known) {
  std::string plain;
  for (const char c : name)
    plain += c == '-' || c == ' ' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (const std::size_t at = plain.find('@'); at != std::string::npos && at > 0)
    plain = plain.substr(0, at) + "_at";
  else if (const std::size_t call = plain.find('('); call != std::string::npos)
    plain = plain.substr(0, call);
  for (const char* argument : {"_k", "_p", "_1"}) {
    const bool is_known = std::find(known.begin(), known.end(), plain) != known.end();
    if (!is_known && plain.ends_with(argument)) plain.resize(plain.size() - std::strlen(argument));
  }
  return plain != name && std::find(known.begin(), known.end(), plain) != known.end() ? plain : "";
}

}  // namespace

int explain(const std::string& name, Console& console) {
  if (name.empty()) {
    console.out << "Rules of `trl check`:\n";
    list_rules(console);
    console.out
        << "\n"
        << exam_text() << "\n"
        << wrapped(
               "`trl explain lora` and `trl explain lora.rank` show the reference's entries for a "
               "kind, a field, and so on for functions, types, units and words such as `cosine`; `trl "
               "explain reasons`, `trl explain columns` and `trl explain measures` list what verdicts, "
               "tables and stages say.")
        << '\n';
    return fine;
  }
  if (name == "exam" || name == "tolerance") {
    console.out << exam_text();
    return fine;
  }
  if (name == "reasons") {
    list_reasons(console);
    return fine;
  }
  if (name == "columns") {
    list_columns(console);
    return fine;
  }
  if (name == "measures") {
    list_measures(console);
    return fine;
  }
  bool found = false;
  if (const auto* rule = language::find_rule(name)) {
    explain_rule(*rule, console);
    found = true;
  }
  const std::vector<std::string> known = known_names();
  // A field says more of its name than places where it is a word, as `reward` and `seed` of plots.
  const auto of_fields = fields_called(name, known, name);
  const auto is_word = [](const language::Topic& topic) { return topic.text.starts_with("word "); };
  bool fields_first = !found && !of_fields.empty();
  for (const auto& topic : language::topics())
    if (topic.name == name && !is_word(topic)) fields_first = false;
  if (fields_first) {
    explain_fields(name, of_fields, console);
    found = true;
  }
  for (const auto& topic : language::topics()) {
    if (topic.name != name) continue;
    if (found) console.out << '\n';
    print_lines(topic.text, console);
    found = true;
  }
  if (const std::string suites = suites_text(name); !suites.empty()) {
    if (found) console.out << '\n';
    print_lines(suites, console);
    found = true;
  }
  found = explain_result(name, console, found) || found;
  if (found) {
    // `kl` is a value of plots, and a field of `grpo`.
    const auto& also = of_fields;
    if (!also.empty() && !fields_first)
      console.out << wrapped("There are fields of this name, too: " +
                             language::enumeration(commands_for(also), 8))
                  << '\n';
    return fine;
  }
  // `KL`, `pass@k`, `pass@8`: papers write a word of the language like this.
  if (const auto meant = as_written_here(name, known); !meant.empty()) {
    console.out << wrapped("(" + name + " is written `" + meant + "` here)") << "\n\n";
    return explain(meant, console);
  }
  // `corpus.flawed` finds windtunnel.corpus.flawed, since a file that imports windtunnel may use the short
  // name.
  const auto fields = fields_called(name, known, name);
  if (!fields.empty()) {
    explain_fields(name, fields, console);
    return fine;
  }
  if (const std::string tasks = tasks_text(name); !tasks.empty()) {
    print_lines(tasks, console);
    return fine;
  }
  for (const auto* word : language::foreign_words(language::Place::field, name)) {
    const auto meant =
        *word->meant != 0 ? fields_called(word->meant, known, name) : std::vector<std::string>();
    if (meant.empty()) continue;
    console.out << wrapped("(" + name + " is `" + word->meant + "` here" +
                           (*word->help != 0 ? ": " + language::help_for(*word) : "") + ")")
                << "\n\n";
    explain_fields(meant.size() == 1 ? meant.front().substr(meant.front().find('.') + 1) : word->meant, meant,
                   console);
    return fine;
  }
  // Another tool's name for a way to train: `rloo`.
  for (const auto* word : language::foreign_words(language::Place::variant, name))
    if (*word->meant != 0)
      throw UserError("there is no entry for " + name,
                      language::help_for(*word) + "; see `trl explain " + word->meant + "`");
  if (const std::size_t dot = name.rfind('.'); dot != std::string::npos) {
    if (explain_foreign(name, dot, known, console)) return fine;
    if (explain_lacking(name, dot, known, console)) return fine;
  }
  // `epoch` for a field `epochs`, `curriculum` for `adaptive_curriculum`.
  for (const std::string& other : {name + "s", name.ends_with("s") ? name.substr(0, name.size() - 1) : name})
    if (other != name && (!fields_called(other, known, other).empty() ||
                          std::find(known.begin(), known.end(), other) != known.end())) {
      console.out << wrapped("(" + name + " is written `" + other + "` here)") << "\n\n";
      return explain(other, console);
    }
  if (const auto places = named_in(name); !places.empty())
    throw UserError("there is no entry for " + name,
                    "it is spoken of in others: " + language::enumeration(commands_for(places), 6, "or"));
  const auto best = language::closest(name, known);
  throw UserError(
      "there is no entry for " + name,
      (best ? "did you mean " + *best + "? " : "") +
          "It takes rules (`trl explain` lists them), kinds such as " + language::enumeration(kinds(), 4) +
          ", fields such as `lora.rank`, functions, types, units, words such as `cosine`, columns "
          "(`trl explain columns`), measures (`trl explain measures`), verdicts' reasons (`trl explain "
          "reasons`), suites such as `windtunnel.level1` and `exam`; `trl docs` prints the whole reference.");
}

void add_explain(Command trl, Console& console, int& status) {
  auto name = std::make_shared<std::string>();
  auto command = trl.add_command(
      "explain", "Explain a rule, kind, field, function, column, measure or verdict's reason");
  command
      .add_option(
          "NAME", *name,
          "A rule's id, as diagnostics print it; a kind, field, function, type, unit or word; a column, a "
          "measure, a verdict's reason; `columns`, `measures` and `reasons` for all of these; a suite of the "
          "library, for its tasks; or `exam`, for how exams judge. By default all rules are listed")
      .type_name("");
  add_examples(command,
               "  trl explain keeps_incorrect\n  trl explain best_of_n.reward\n  trl explain gelu\n"
               "  trl explain out_of_bounds_load\n  trl explain clip_share\n  trl explain columns\n"
               "  trl explain windtunnel.level1\n  trl explain exam");
  command.callback([name, &console, &status] { status = explain(*name, console); });
}

}  // namespace trl::interpreter
