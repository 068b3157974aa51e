// The documentation of the language, from the schema, the rules and the tables of functions and operators.
#pragma once
#include <string>
#include <vector>

#include "language/modules/library.hpp"

namespace trl::language {

/// The documentation of one name: `lora`, `lora.rank`, `subsets`, `gelu`, `KiB`, `count`, `cosine`.
struct Topic {
  std::string name;
  std::string text;  ///< indented lines; paragraphs aren't wrapped
};

/// Every documented name except rules; a name may have several topics.
const std::vector<Topic>& topics();

/// The reference page, docs/reference.md.
std::string reference_markdown();

// Shared by the topics and the page.

struct TypeDoc {
  std::string name, written, meaning;
};
const std::vector<TypeDoc>& type_docs();

/// The fields of a variant with documentation; a field without any takes it from the kind's other variants.
std::vector<Spec> documented(std::vector<Spec> specs, const KindSpec& kind);
/// A field's declaration: "rank: count in 1..1024 = 16", "reward(c: verdict): fraction = …".
std::string declared(const Spec& spec, const Sources& sources);
/// The limits and the default as text, "1..1024" and "16"; empty where the schema has none.
std::string limits_of(const Spec& spec, const Sources& sources);
std::string default_of(const Spec& spec, const Sources& sources);
/// "reward(c: verdict)".
std::string name_with_parameters(const Spec& spec);
/// "windtunnel.corpus(level1, …)": arguments in parentheses may be given without label.
std::string signature(const Function& function);

}  // namespace trl::language
