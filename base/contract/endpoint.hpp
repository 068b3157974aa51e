// The address of a model's server, which is part of no stage's key (docs/interfaces.md, 3).
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace trl::contract {

/// The address of a model's server, and the limits on its use. It is part of no stage's key and the store
/// doesn't keep it: a request to the worker holds it beside the spec, as it holds the store's secret.
struct Endpoint {
  std::string address;  ///< "http://localhost:8000/v1"
  std::string key_env;  ///< the environment variable that holds the API key; empty: the server needs no key
  std::string key_header = "Authorization";    ///< the header that carries the API key
  std::map<std::string, std::string> headers;  ///< further headers of each request
  std::string place;  ///< position of the declaration in the source file, for messages: "study.trl:3:20"
  std::int64_t concurrency = 8;               ///< number of requests at the same time
  std::optional<double> requests_per_minute;  ///< none: no limit
  std::optional<double> tokens_per_minute;    ///< prompt and answer tokens together; none: no limit
  double timeout = 600;                       ///< seconds for one request
  std::int64_t attempts = 8;                  ///< at most so many requests for one answer
  std::optional<std::int64_t> context;        ///< tokens that prompt and answer may have; none: unknown
  double max_without_text = 0.1;  ///< the largest share of answers without text with which a stage goes on
  bool judge_reasoning = false;   ///< whether answers that are all reasoning are judged by it
  /// For the stage `rollout`: the folder into which adapters are copied for the server, which sees the folder
  /// by the same path. Empty: the server reads adapters from the store.
  std::string adapters;
  static Endpoint read(const nlohmann::json& input);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

}  // namespace trl::contract
