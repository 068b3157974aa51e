// OpenAI's API for chats, POST …/chat/completions: requests and replies. Replies are a
// server's, and may hold anything.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>

#include "base/contract/asked.hpp"
#include "base/contract/stages/ask.hpp"

namespace trl::runtime {

/// The path of the API behind an address such as http://localhost:8000/v1.
constexpr const char* chat_path = "/chat/completions";

/// The body of a request for one answer. It holds the parameters that the model's declaration says are sent;
/// `seed` is the answer's own.
nlohmann::json chat_request(const contract::AskSpec& spec, const std::string& prompt, std::uint32_t seed);

/// A reply that should have been an answer and is none. It is asked for again.
struct BadReply : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The answer in the body of a reply of status 200: the fields of the row that a reply has. Throws BadReply.
contract::Asked chat_answer(const std::string& body);

/// Whether the server cut the answer off, at its largest number of tokens or for another reason.
bool is_cut_off(const std::string& finish);

/// A server's error.
struct ServerError {
  std::string message;  ///< one line of printable characters, at most 400 bytes; empty: it says nothing
  std::string code;     ///< "context_length_exceeded"
  int status = 0;       ///< the status in the body; 0: none
  /// Whether the prompt and its answer don't fit the model's context.
  bool context_exceeded() const;
  /// Whether there is no money left, which waiting doesn't mend.
  bool quota_exceeded() const;
};

/// Reads the body of an error: of OpenAI's form, of others that servers have, or plain text.
ServerError server_error(const std::string& body);

/// Whether a reply of status 200 is an error all the same: some servers say so in the body alone.
bool says_error(const std::string& body);

/// The contradiction in the server's counts of an answer's tokens; empty where there is none.
std::string doubt_about_counts(const contract::Asked& answer, std::int64_t max_tokens);

}  // namespace trl::runtime
