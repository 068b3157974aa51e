// What those write who come from other languages and tools gets an answer that names what to write instead.
#include "tests/language/habits.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <set>

#include "language/diagnostics/habits.hpp"
#include "language/diagnostics/render.hpp"
#include "language/modules/library.hpp"
#include "tests/language/stub.hpp"

namespace trl::language {
namespace {

TEST(Habits, GetAnAnswerThatCanBeActedOn) {
  std::string missed;
  const auto all = test::habits();
  std::size_t answered = 0;
  for (const test::Habit& habit : all) {
    const Checked checked = test::check_text(habit.program);
    const std::string said = render(checked.diagnostics, checked.sources);
    bool right = habit.words.empty() ? checked.diagnostics.empty() : checked.has_errors();
    for (const std::string& word : habit.words) right = right && said.find(word) != std::string::npos;
    answered += right;
    if (!right) missed += "----- " + habit.what + "\n" + said + "\n";
  }
  std::printf("habits of other tools: %zu, answered %zu\n", all.size(), answered);
  EXPECT_GE(all.size(), 90u);
  EXPECT_EQ(answered, all.size()) << missed;
}

// Who knows a way to train by another tool's name for it finds it here.
TEST(Habits, NameEveryWayToTrain) {
  const std::set<std::string> same_everywhere = {"pretrain"};
  Sources sources;
  std::set<std::string> wanted, named = same_everywhere;
  const auto library = read_library(sources);
  for (const auto& [name, variant] : library.schema.kind("train")->variants) wanted.insert(name);
  for (const ForeignWord* word : foreign_words(Place::variant)) named.insert(word->meant);
  for (const std::string& name : wanted) EXPECT_TRUE(named.contains(name)) << name;
  for (const std::string& name : same_everywhere) EXPECT_TRUE(wanted.contains(name)) << name;
}

/// The spellings of a word, which `|` separates.
std::vector<std::string> spellings(const ForeignWord& word) {
  std::vector<std::string> out(1);
  for (const char* c = word.written; *c != 0; ++c)
    if (*c == '|')
      out.emplace_back();
    else
      out.back() += *c;
  return out;
}

// Who writes a field by another tool's name for it is told where it lives, in whatever declaration it stands.
TEST(Habits, OfFieldsAreAnsweredInEveryDeclaration) {
  std::set<std::string> words;
  for (const ForeignWord* word : foreign_words(Place::field))
    for (const std::string& one : spellings(*word)) words.insert(one);
  std::string unanswered;
  std::size_t answered = 0;
  for (const std::string& word : words) {
    const std::string field = word + " = 1";
    const Checked checked = test::check_text(
        "import example\nmodel m : example.base { " + field + " }\nlora l : example.writer { " + field +
        " }\ntrain s : sft { " + field + " }\ntrain t : example.reinforce { " + field +
        " }\nevaluation x : example.exam { " + field + " }\nmachine h { memory = 80 GiB, " + field +
        " }\nexperiment e : example.study { " + field + " }\nhypothesis y { of = e, " + field +
        " }\ntable k { of = e, " + field + " }\nplot p { of = e, " + field + " }\n");
    for (const Diagnostic& d : checked.diagnostics) {
      if (d.rule != "unknown_field") continue;
      const bool general =
          d.help.empty() || d.help.starts_with("there are ") || d.help.starts_with("its fields: ");
      answered += !general;
      if (general) unanswered += d.message + ": " + d.help + "\n";
    }
  }
  std::printf("other tools' words for fields: %zu, answers %zu\n", words.size(), answered);
  EXPECT_GE(words.size(), 400u);
  EXPECT_EQ(unanswered, "");
}

TEST(Habits, OfFieldsNameFieldsThatExist) {
  Sources sources;
  const Schema& schema = read_library(sources).schema;
  std::set<std::string> fields;
  const auto add = [&](const std::vector<Spec>& specs) {
    for (const Spec& spec : specs) fields.insert(spec.name);
  };
  for (const auto& [kind_name, kind] : schema.kinds) {
    add(kind.fields);
    for (const auto& [name, variant] : kind.variants) add(variant.fields);
  }
  for (const auto& [name, function] : schema.functions) add(function.fields);
  for (const ForeignWord* word : foreign_words(Place::field))
    EXPECT_TRUE(*word->meant == 0 || fields.contains(word->meant)) << word->meant;
}

TEST(Habits, AreOneFindingEach) {
  std::string several;
  std::size_t more = 0;
  const auto all = test::habits();
  for (const test::Habit& habit : all) {
    const Checked checked = test::check_text(habit.program);
    // Warnings are about what the program says besides.
    const auto errors = std::count_if(checked.diagnostics.begin(), checked.diagnostics.end(),
                                      [](const Diagnostic& d) { return d.severity == Severity::error; });
    if (errors <= 1) continue;
    ++more;
    several += "----- " + habit.what + "\n" + render(checked.diagnostics, checked.sources) + "\n";
  }
  // Those that have the habit twice, `;` and `"q_proj"`, a name that is declared by another tool's word, and
  // another tool's field with another tool's sign or value, `lr: 1e-3` and `dtype = "bfloat16"`.
  EXPECT_LE(more, 8u) << several;
}

}  // namespace
}  // namespace trl::language
