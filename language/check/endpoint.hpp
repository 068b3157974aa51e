// Helpers for the rules about servers, and about models without local weights: a server runs the model, or
// only its recorded answers are known.
#pragma once
#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <string_view>

#include "language/check/inspection.hpp"

namespace trl::language {

/// Returns the weights of the experiment's model if they are a call of the function `name` with an argument,
/// such as `endpoint(…)`; otherwise null.
inline const Value* weights_called(const Inspection& inspection, std::string_view name) {
  const Resolved* model = inspection.model();
  const Value* weights = model == nullptr ? nullptr : model->field("weights");
  const bool called = weights != nullptr && weights->is(Value::Kind::call) && weights->name == name &&
                      !weights->items.empty();
  return called ? weights : nullptr;
}

/// A server that an experiment sends requests to.
struct AskedServer {
  const Resolved* of;     ///< the model or the way to train that names it
  const Value* endpoint;  ///< the call of `endpoint`
  bool rollout = false;   ///< whether it samples in training
};

/// Returns the server of the experiment's model and the servers that sample answers for its ways to train. A
/// server that several ways to train inherit from one base occurs once.
std::vector<AskedServer> asked_servers(const Inspection& inspection);

/// Returns the server that samples answers for a way to train: the call of `endpoint` in its field `rollout`.
/// Null if this machine samples the answers, or if training samples none.
const Value* rollout_of(const Resolved& train);

/// Reports why this machine can't use the weights or answers of the experiment's model, as far as files show
/// it. Unusable files are an error. Missing files are only a note, since a program may be checked on another
/// machine than it runs on. Returns whether something was reported.
bool report_trouble(Inspection& inspection, const Rule& rule, const Value& weights);

/// Returns why no machine can use the weights of the experiment's model, as far as the repository's name or
/// the folder shows it: their architecture or their format isn't supported. Nothing if no such reason is
/// known.
std::optional<Diagnostic> unsupported(const Inspection& inspection);

/// Whether a text can be the name of an environment variable. Any other text may be a secret API key.
inline bool is_variable(const Value& text) {
  const std::string name = text.string();
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) == 0 && name.size() <= 64 &&
         std::all_of(name.begin(), name.end(),
                     [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

}  // namespace trl::language
