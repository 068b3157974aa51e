// Where a server that answers is, which is in no key (docs/interfaces.md, 3).
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace trl::contract {

/// Where a server is, and how it may be used. Beside a request, as a store's secret is: in no key, and not in
/// the store.
struct Endpoint {
  std::string address;           ///< "http://localhost:8000/v1"
  std::string key_env;           ///< the environment variable that holds the key; empty: there is none
  std::string place;             ///< where the file says so, for messages: "study.trl:3:20"
  std::int64_t concurrency = 8;  ///< requests at the same time
  std::optional<double> requests_per_minute;  ///< none: as many as there are answers
  std::optional<double> tokens_per_minute;    ///< of prompts and answers
  double timeout = 600;                       ///< seconds for one request
  std::int64_t attempts = 8;                  ///< for one answer
  static Endpoint read(const nlohmann::json& input);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

}  // namespace trl::contract
