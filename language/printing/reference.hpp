// The documentation of all that can be written, from the schema, the rules and the operators themselves.
#pragma once
#include <string>
#include <vector>

#include "language/modules/library.hpp"

namespace trl::language {

/// What is known of one name: `lora`, `lora.rank`, `subsets`, `gelu`, `KiB`, `count`.
struct Topic {
  std::string name;
  std::string text;  ///< lines, indented; paragraphs aren't broken
};

/// Every name that documentation speaks of but rules; a name may have several.
const std::vector<Topic>& topics();

/// The reference page, docs/reference.md.
std::string reference_markdown();

// What both are made of.

struct TypeDoc {
  std::string name, written, meaning;
};
const std::vector<TypeDoc>& type_docs();

/// A variant's fields; one that says nothing of itself is as in the kind's other variants.
std::vector<Spec> documented(std::vector<Spec> specs, const KindSpec& kind);
/// "rank: count in 1..1024 = 16", "reward(c: verdict): fraction = …".
std::string declared(const Spec& spec, const Sources& sources);
/// "1..1024" and "16"; empty where the schema says none.
std::string limits_of(const Spec& spec, const Sources& sources);
std::string standard_of(const Spec& spec, const Sources& sources);
/// "reward(c: verdict)".
std::string name_with_parameters(const Spec& spec);
/// "windtunnel.corpus(level1, …)": arguments in parentheses may be given without label.
std::string signature(const Function& function);

}  // namespace trl::language
