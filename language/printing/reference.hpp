// The documentation of the language, made from the schema, the rules and the tables of functions and
// operators.
#pragma once
#include <string>
#include <vector>

#include "language/modules/library.hpp"

namespace trl::language {

/// The documentation of one name, such as `lora`, `lora.rank`, `subsets`, `gelu`, `KiB`, `count` or `cosine`.
struct Topic {
  std::string name;
  std::string text;  ///< indented lines; paragraphs aren't wrapped
};

/// Every documented name except rules; a name may have several topics.
const std::vector<Topic>& topics();

/// The text of the reference page, docs/reference.md.
std::string reference_markdown();

// Functions that both `topics` and `reference_markdown` use.

struct TypeDoc {
  std::string name, written, meaning;
};
const std::vector<TypeDoc>& type_docs();

/// Returns the fields of a variant with documentation. A field without documentation takes it from another
/// variant of the kind.
std::vector<Spec> documented(std::vector<Spec> specs, const KindSpec& kind);
/// The declaration of a field as text: "rank: count in 1..1024 = 16", "reward(c: verdict): fraction = …".
std::string declared(const Spec& spec, const Sources& sources);
/// `limits_of` returns a field's limits as text ("1..1024"), and `default_of` its default ("16"). The text is
/// empty if the schema states none.
std::string limits_of(const Spec& spec, const Sources& sources);
std::string default_of(const Spec& spec, const Sources& sources);
/// The name of a field with its parameters, if it has any: "reward(c: verdict)".
std::string name_with_parameters(const Spec& spec);
/// The signature of a function: "windtunnel.corpus(level1, …)". Arguments in parentheses may be passed
/// without a label.
std::string signature(const Function& function);

}  // namespace trl::language
