// The reference: docs/reference.md is up to date, and every name has an entry.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>

#include "base/formulas/formula_functions.hpp"
#include "language/diagnostics/rule.hpp"
#include "language/printing/reference.hpp"
#include "language/program/program.hpp"
#include "language/tasks/tasks.hpp"

namespace trl::language {
namespace {

TEST(Reference, EveryRuleAndFunctionIsOnThePage) {
  const std::string page = reference_markdown();
  for (const Rule* rule : all_rules())
    EXPECT_NE(page.find("\n### " + std::string(rule->id) + "\n"), std::string::npos) << rule->id;
  for (const TensorFunction& f : tensor_functions())
    EXPECT_NE(page.find("| `" + f.signature + "` | "), std::string::npos) << f.name;
  for (const std::string& name : formulas::function_names())
    EXPECT_NE(page.find("| `" + name + "("), std::string::npos) << name;
}

TEST(Reference, EveryFieldSaysWhatItIs) {
  std::istringstream page(reference_markdown());
  for (std::string line; std::getline(page, line);) {
    EXPECT_FALSE(line.starts_with("| `") && line.ends_with("|  |")) << line;
  }
}

TEST(Reference, EveryNameOfTheSchemaHasAnEntry) {
  std::set<std::string> names;
  for (const Topic& topic : topics()) {
    names.insert(topic.name);
    EXPECT_TRUE(topic.text.ends_with("\n")) << topic.name;
    EXPECT_EQ(topic.text.find("\n\n\n"), std::string::npos) << topic.name;
  }
  Sources sources;
  const Library library = read_library(sources);
  const auto expect_fields = [&](const std::string& owner, const std::vector<Spec>& fields) {
    EXPECT_TRUE(names.contains(owner)) << owner;
    for (const Spec& spec : fields)
      EXPECT_TRUE(names.contains(owner + "." + spec.name)) << owner << "." << spec.name;
  };
  for (const auto& [name, kind] : library.schema.kinds) {
    expect_fields(name, kind.fields);
    for (const auto& [variant, v] : kind.variants) expect_fields(variant, v.fields);
  }
  for (const auto& [name, record] : library.schema.records) expect_fields(name, record.fields);
  for (const auto& [name, function] : library.schema.functions) expect_fields(name, function.fields);
  for (const char* name :
       {"staged_evaluation.failing.full", "gelu", "min", "corpus", "KiB", "%", "count", "list"})
    EXPECT_TRUE(names.contains(name)) << name;
}

// Variants share the fields of a mixin, each with its own defaults.
TEST(Schema, AVariantMayGiveItsMixinsFieldsOtherDefaults) {
  Sources sources;
  const Library library = read_library(sources);
  const auto field = [&](const std::string& variant, const std::string& name) {
    const auto& fields = library.schema.kinds.at("train").variants.at(variant).fields;
    const auto found =
        std::find_if(fields.begin(), fields.end(), [&](const Spec& one) { return one.name == name; });
    EXPECT_NE(found, fields.end()) << variant << '.' << name;
    return *found;
  };
  EXPECT_EQ(field("sft", "schedule").default_value->text, "cosine");
  EXPECT_EQ(field("grpo", "schedule").default_value->text, "constant");
  EXPECT_EQ(field("pretrain", "learning_rate").default_value->number, 2e-3);
  EXPECT_EQ(field("pretrain", "clip").doc, field("sft", "clip").doc);
  EXPECT_FALSE(field("pretrain", "clip").doc.empty());
}

/// Every string literal of the sources that use the language's fields.
std::set<std::string> words_of_sources() {
  const std::filesystem::path root = std::filesystem::path(TRL_DOCS).parent_path();
  std::set<std::string> words;
  const std::regex literal(R"re("([a-z_0-9]+)")re");
  for (const char* folder : {"language", "interpreter", "base"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
      if (entry.path().extension() != ".cpp" && entry.path().extension() != ".hpp") continue;
      if (entry.path().filename() == "habits.cpp") continue;  // a table of words, which reads no field
      const std::string text = read_from_disk(entry.path().string()).value_or("");
      for (auto at = std::sregex_iterator(text.begin(), text.end(), literal); at != std::sregex_iterator();
           ++at)
        words.insert((*at)[1]);
    }
  return words;
}

// A field that no code reads would be accepted and have no effect.
TEST(Schema, EveryFieldIsReadSomewhere) {
  const std::set<std::string> words = words_of_sources();
  Sources sources;
  const Library library = read_library(sources);
  const auto expect_read = [&](const std::string& owner, const std::vector<Spec>& fields) {
    for (const Spec& field : fields) EXPECT_TRUE(words.contains(field.name)) << owner << "." << field.name;
  };
  for (const auto& [name, kind] : library.schema.kinds) {
    expect_read(name, kind.fields);
    for (const auto& [variant, v] : kind.variants) expect_read(variant, v.fields);
  }
}

const std::string& text_of_topic(const std::string& name) {
  static const std::string none;
  for (const Topic& topic : topics())
    if (topic.name == name) return topic.text;
  return none;
}

TEST(Reference, AKindListsEveryFieldOfItsVariants) {
  const std::string& train = text_of_topic("train");
  Sources sources;
  for (const auto& [variant, v] : read_library(sources).schema.kinds.at("train").variants) {
    const std::size_t at = train.find("\n  " + variant + "\n");
    ASSERT_NE(at, std::string::npos) << variant;
    for (const Spec& spec : v.fields)
      EXPECT_NE(train.find("\n      " + name_with_parameters(spec) + ": ", at), std::string::npos)
          << variant << "." << spec.name;
  }
}

TEST(Reference, AWordSaysWhereItCanStand) {
  EXPECT_NE(text_of_topic("suites").find("a value of table.rows"), std::string::npos);
  EXPECT_NE(text_of_topic("cosine").find("How the learning rate falls"), std::string::npos);
  EXPECT_NE(text_of_topic("leave_one_out").find("policy_gradient.baseline"), std::string::npos);
}

TEST(Reference, AFieldThatSaysNothingIsAsInTheOtherVariants) {
  const auto& all = topics();
  const auto warmup =
      std::find_if(all.begin(), all.end(), [](const Topic& t) { return t.name == "best_of_n.warmup"; });
  ASSERT_NE(warmup, all.end());
  EXPECT_EQ(warmup->text,
            "in best_of_n: warmup: fraction = 10%\nShare of the steps in which the learning rate rises.\n");
}

}  // namespace
}  // namespace trl::language
