// OpenAI's API for chats, POST …/chat/completions: requests and replies. Replies come from a server that
// isn't trusted, and may hold anything.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/contract/asked.hpp"
#include "base/contract/stages/ask.hpp"
#include "runtime/endpoint/reply.hpp"

namespace trl::runtime {

/// The path of the API, which follows an address such as http://localhost:8000/v1.
constexpr const char* chat_path = "/chat/completions";

/// Returns the body of a request for one answer, with the parameters that the model's declaration lists.
/// `seed` belongs to this answer alone.
nlohmann::json chat_request(const contract::AskSpec& spec, const std::string& prompt, std::uint32_t seed);

/// Returns the answer in the body of a reply of status 200. Bytes that aren't UTF-8 and halves of surrogate
/// pairs become U+FFFD, numbers that JSON doesn't have (NaN) become null. Throws BadReply, whose message says
/// what came.
contract::Asked chat_answer(const std::string& body);

/// Whether the finish reason of an answer says that the server cut the answer off, at its largest number of
/// tokens or for another reason.
bool is_cut_off(const std::string& finish);

/// A server's error.
struct ServerError {
  /// one line of printable characters, at most 400 bytes; empty if the reply has no message
  std::string message;
  std::string code;  ///< the error's code, such as "context_length_exceeded"
  std::string type;  ///< the error's type, such as "invalid_request_error", if it has a code besides
  int status = 0;    ///< the status in the body; 0 if there is none
  /// Whether the prompt and its answer don't fit the model's context.
  bool context_exceeded() const;
  /// Whether the server's filter refuses the prompt, so that this one question has no answer.
  bool filtered() const;
  /// Whether the account has no money left, so that sending again is useless.
  bool quota_exceeded() const;
};

/// Reads the body of an error reply: OpenAI's JSON, other servers' JSON, lists of errors, or plain text.
ServerError server_error(const std::string& body);

/// Whether the body of a reply of status 200 is an error; some servers report errors so.
bool says_error(const std::string& body);

/// Returns a description of the contradiction in the server's counts of an answer's tokens; empty if they are
/// consistent.
std::string doubt_about_counts(const contract::Asked& answer, std::int64_t max_tokens);

}  // namespace trl::runtime
