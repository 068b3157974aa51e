// The meaning of declarations and fields of a checked program: their values, and their entries in the schema.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/tasks/task.hpp"
#include "language/server/session.hpp"

namespace trl::language_server {

/// A declaration with all its fields, an experiment under its own overrides; null where its kind is unknown.
std::shared_ptr<const language::Resolved> resolved(Analysis& analysis, const language::Symbol& symbol);

/// A field's value, `failing.full`; null where the declaration has no such field or its value has an error.
const language::Value* value_at(const language::Resolved& of, const std::vector<std::string>& path);

/// A value as text of the language.
std::string printed(Analysis& analysis, const language::Value& value, const language::Spec& spec);

/// Where a value comes from, in words: "from reinforce, ablation.trl:31"; empty for a field that is written
/// in its own declaration.
std::string origin_text(Analysis& analysis, const language::Origin& origin,
                        const language::ast::Declaration& own);

/// The schema's entry for a field; null where there is none.
const language::Spec* spec_of(Analysis& analysis, const language::Symbol& symbol,
                              const std::vector<std::string>& path);

/// The fields that a block of a declaration can have; the declaration's own for an empty path.
std::vector<language::Spec> fields_of(Analysis& analysis, const language::Symbol& symbol,
                                      const std::vector<std::string>& path);

/// The task that a declaration of a suite declares; null if it has an error.
const language::SuiteTask* task_of(Analysis& analysis, const language::ast::Declaration& declaration);

/// `(x: f32[M, K], b: f32[N]) -> f32[M, N]`.
std::string signature_of(const tasks::Task& task);

/// The library's name of a function: "windtunnel.corpus" of `w.corpus` after `import windtunnel as w`.
std::string full_name(const language::Module& module, const std::string& written);

/// The reference's entries for a name, as Markdown; empty if there are none.
std::string documentation(std::string_view name);
/// One line of it, for lists: its first sentence.
std::string summary(std::string_view name);

/// The words that a type admits: choices, `none`, `true`.
std::vector<std::string> words_of(const language::Type& type);
/// The kinds of declarations whose names a type admits, "train"; with `suite` for sets of tasks.
std::vector<std::string> kinds_of(const language::Type& type);
/// The results that functions must give to be of this type, "weights".
std::vector<std::string> results_of(const language::Type& type);
/// The units that numbers of a type have; empty for a type without numbers.
std::vector<std::string> units_of(const language::Type& type);

}  // namespace trl::language_server
