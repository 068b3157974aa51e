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

/// A server that an experiment asks.
struct AskedServer {
  const Resolved* of;     ///< the model or the way to train that names it
  const Value* endpoint;  ///< the call of `endpoint`
  bool rollout = false;   ///< whether it samples in training
};

/// The server of the experiment's model, and those of its ways to train. One that is inherited counts once.
std::vector<AskedServer> asked_servers(const Inspection& inspection);

/// The `rollout` of a way to train: a call of `endpoint`; null if its answers are sampled here, or if it
/// samples none.
const Value* rollout_of(const Resolved& train);

/// Reports what keeps this machine from using the weights or answers of the experiment's model, as far as
/// files tell: an error if they can't be used as they are, and a note if they are missing, since files are
/// checked on other machines than they are run on. Returns whether something was reported.
bool report_trouble(Inspection& inspection, const Rule& rule, const Value& weights);

/// What keeps the weights of the experiment's model from being read by anybody: another architecture, or the
/// format of another program; nothing if none is known.
std::optional<Diagnostic> unsupported(const Inspection& inspection);

/// Whether a text can be the name of an environment variable. Any other text may be a secret API key.
inline bool is_variable(const Value& text) {
  const std::string name = text.string();
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) == 0 && name.size() <= 64 &&
         std::all_of(name.begin(), name.end(),
                     [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

}  // namespace trl::language
