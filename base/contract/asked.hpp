// What was asked of a server, and what it answered.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace trl::contract {

/// The file of a stage's checkpoints that has the answers so far.
constexpr const char* journal_file = "answers.jsonl";

/// A row of answers.jsonl, which the stage `ask` leaves beside candidates.jsonl: what was asked, and what the
/// server said besides the answer.
struct Asked {
  std::string asked;    ///< the digest of the request's body
  nlohmann::json body;  ///< the request, as it was sent
  std::string answer;
  std::string finish;                         ///< the server's own word
  std::optional<std::int64_t> prompt_tokens;  ///< as the server counts; none: it doesn't say
  std::optional<std::int64_t> answer_tokens;
  std::string model, id, fingerprint;  ///< that the server names; empty: it names none
  std::int64_t attempts = 1;           ///< requests that it took
  double seconds = 0;                  ///< of the last of them
  static Asked read(const nlohmann::json& row);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

}  // namespace trl::contract
