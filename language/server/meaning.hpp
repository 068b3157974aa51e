// Looks up the values of declarations and fields in a checked program, and their entries in the schema.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/tasks/task.hpp"
#include "language/server/session.hpp"

namespace trl::language_server {

/// Returns a declaration with all its fields; null if its kind is unknown. An experiment is resolved under
/// its own overrides.
std::shared_ptr<const language::Resolved> resolved(Analysis& analysis, const language::Symbol& symbol);

/// The value of the field at a path, such as `failing.full`; null if the declaration has no such field or the
/// value has an error.
const language::Value* value_at(const language::Resolved& of, const std::vector<std::string>& path);

/// A value as text of the language.
std::string printed(Analysis& analysis, const language::Value& value, const language::Spec& spec);

/// The origin of a value in words: "from reinforce, ablation.trl:31". Empty if `own` itself contains the
/// value.
std::string origin_text(Analysis& analysis, const language::Origin& origin,
                        const language::ast::Declaration& own);

/// The schema's entry for a field; null if there is none.
const language::Spec* spec_of(Analysis& analysis, const language::Symbol& symbol,
                              const std::vector<std::string>& path);

/// The fields that the block at `path` of a declaration can have. An empty path stands for the declaration
/// itself.
std::vector<language::Spec> fields_of(Analysis& analysis, const language::Symbol& symbol,
                                      const std::vector<std::string>& path);

/// The task that a declaration in a suite defines; null if the declaration has an error.
const language::SuiteTask* task_of(Analysis& analysis, const language::ast::Declaration& declaration);

/// The signature of a task: `(x: f32[M, K], b: f32[N]) -> f32[M, N]`.
std::string signature_of(const tasks::Task& task);

/// Converts a function's written name to its full name in the library: after `import windtunnel as w`,
/// `w.corpus` gives "windtunnel.corpus".
std::string full_name(const language::Module& module, const std::string& written);

/// The entries for a name in the language's reference, as Markdown; empty if there are none.
std::string documentation(std::string_view name);
/// The first sentence of `documentation`, for lists.
std::string summary(std::string_view name);

/// The words that are values of a type: its choices, `none`, `true`.
std::vector<std::string> words_of(const language::Type& type);
/// The kinds of declarations whose names are values of a type, such as "train". For a set of tasks they are
/// "suite" and "split".
std::vector<std::string> kinds_of(const language::Type& type);
/// The result types of the functions whose calls are values of a type, such as "weights".
std::vector<std::string> results_of(const language::Type& type);
/// The units that numbers of a type can have; empty for a type without numbers.
std::vector<std::string> units_of(const language::Type& type);

}  // namespace trl::language_server
