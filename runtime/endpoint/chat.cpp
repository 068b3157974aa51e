#include "runtime/endpoint/chat.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <optional>

#include "base/contract/asked_model.hpp"
#include "base/support/feedback.hpp"

namespace trl::runtime {
namespace {

using contract::Parameter;
using nlohmann::json;

constexpr std::size_t most_message_bytes = 400;
constexpr std::int64_t most_tokens = 1'000'000'000;  // counts beyond are none

/// A text of an object; empty where it has none of that name.
std::string text_of(const json& object, const char* name) {
  if (!object.is_object()) return {};
  const auto found = object.find(name);
  if (found == object.end()) return {};
  if (found->is_string()) return found->get<std::string>();
  return found->is_number() ? found->dump() : "";
}

std::optional<std::int64_t> count_of(const json& object, const char* name) {
  if (!object.is_object()) return std::nullopt;
  const auto found = object.find(name);
  if (found == object.end() || !found->is_number_integer()) return std::nullopt;
  if (found->is_number_unsigned() && found->get<std::uint64_t>() > std::uint64_t{most_tokens})
    return std::nullopt;
  const auto count = found->get<std::int64_t>();
  if (count < 0 || count > most_tokens) return std::nullopt;
  return count;
}

/// The text of a message: a string, or a list of parts of which some are text.
std::string content_of(const json& message) {
  const auto content = message.find("content");
  if (content == message.end() || content->is_null()) return {};
  if (content->is_string()) return content->get<std::string>();
  if (!content->is_array()) throw BadReply("the message's content is neither text nor parts");
  std::string text;
  for (const auto& part : *content) text += text_of(part, "text");
  return text;
}

/// One line without control characters, which a terminal would obey.
std::string printable(const std::string& text) {
  std::string line;
  for (const char c : text) line += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
  const auto begin = line.find_first_not_of(' '), end = line.find_last_not_of(' ');
  return begin == std::string::npos ? ""
                                    : first_line(line.substr(begin, end - begin + 1), most_message_bytes);
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

/// The object that tells of an error, in the forms that servers have.
json error_of(const json& document) {
  if (!document.is_object()) return nullptr;
  for (const char* name : {"error", "detail"}) {
    const auto found = document.find(name);
    if (found == document.end() || found->is_null()) continue;
    if (found->is_string()) return {{"message", *found}};
    // FastAPI's, of a request that has another form than it wants.
    if (found->is_array() && !found->empty()) return {{"message", text_of(found->front(), "msg")}};
    return *found;
  }
  return document.contains("message") && !document.contains("choices") ? document : json();
}

}  // namespace

json chat_request(const contract::AskSpec& spec, const std::string& prompt, std::uint32_t seed) {
  json messages = json::array();
  if (spec.model.system) messages.push_back({{"role", "system"}, {"content", *spec.model.system}});
  messages.push_back({{"role", "user"}, {"content", prompt}});
  json body = {{"model", spec.model.name}, {"messages", std::move(messages)}, {"stream", false}};
  const auto& sampling = spec.sampling;
  const auto& model = spec.model;
  if (model.sends(Parameter::temperature)) body["temperature"] = sampling.temperature;
  if (model.sends(Parameter::top_p) && sampling.top_p != 1) body["top_p"] = sampling.top_p;
  if (model.sends(Parameter::top_k) && sampling.top_k > 0) body["top_k"] = sampling.top_k;
  if (model.sends(Parameter::max_tokens)) body["max_tokens"] = sampling.max_tokens;
  if (model.sends(Parameter::max_completion_tokens)) body["max_completion_tokens"] = sampling.max_tokens;
  if (model.sends(Parameter::stop) && !sampling.stop.empty()) body["stop"] = sampling.stop;
  if (model.sends(Parameter::seed)) body["seed"] = seed;
  return body;
}

contract::Asked chat_answer(const std::string& body) {
  const auto reply = json::parse(body, nullptr, false);
  if (!reply.is_object()) throw BadReply("the reply isn't an object of JSON");
  const auto choices = reply.find("choices");
  if (choices == reply.end() || !choices->is_array() || choices->empty() || !choices->front().is_object())
    throw BadReply("the reply has no `choices`");
  const json& choice = choices->front();
  const auto message = choice.find("message");
  if (message == choice.end() || !message->is_object()) throw BadReply("the reply's choice has no `message`");
  contract::Asked answer;
  answer.finish = text_of(choice, "finish_reason");
  if (answer.finish == "abort" || answer.finish == "error")
    throw BadReply("the server gave the answer up (finish_reason " + answer.finish + ")");
  answer.answer = content_of(*message);
  const auto usage = reply.value("usage", json());
  answer.prompt_tokens = count_of(usage, "prompt_tokens");
  answer.answer_tokens = count_of(usage, "completion_tokens");
  answer.model = printable(text_of(reply, "model"));
  answer.id = printable(text_of(reply, "id"));
  answer.fingerprint = printable(text_of(reply, "system_fingerprint"));
  answer.finish = printable(answer.finish);
  return answer;
}

bool is_cut_off(const std::string& finish) { return finish == "length" || finish == "content_filter"; }

bool ServerError::context_exceeded() const {
  return code == "context_length_exceeded" || code == "exceed_context_size_error" ||
         has(message, "maximum context length") || has(message, "context length") ||
         has(message, "context size") || has(message, "context window") || has(message, "max_model_len");
}

bool ServerError::quota_exceeded() const {
  return code == "insufficient_quota" || code == "billing_hard_limit_reached";
}

ServerError server_error(const std::string& body) {
  ServerError error;
  const auto document = json::parse(body, nullptr, false);
  if (document.is_discarded()) {
    // A page of HTML tells people nothing here.
    const auto begin = body.find_first_not_of(" \t\r\n");
    if (begin != std::string::npos && body[begin] != '<') error.message = printable(body.substr(begin, 4096));
    return error;
  }
  const auto told = error_of(document);
  error.message = printable(text_of(told, "message"));
  error.code = printable(text_of(told, "code"));
  if (error.code.empty() || error.code.find_first_not_of("0123456789") == std::string::npos) {
    if (const auto status = count_of(told, "code"); status && *status >= 400 && *status < 600)
      error.status = static_cast<int>(*status);
    error.code = printable(text_of(told, "type"));
  }
  return error;
}

bool says_error(const std::string& body) {
  const auto document = json::parse(body, nullptr, false);
  return document.is_object() && document.contains("error") && !document["error"].is_null() &&
         !document.contains("choices");
}

std::string doubt_about_counts(const contract::Asked& answer, std::int64_t max_tokens) {
  if (!answer.answer_tokens) return {};
  const auto tokens = *answer.answer_tokens;
  const auto bytes = static_cast<std::int64_t>(answer.answer.size());
  constexpr std::int64_t end_tokens = 16;      // that some servers count besides
  constexpr std::int64_t longest_token = 256;  // bytes; vocabularies have none that is longer on average
  if (tokens > max_tokens + end_tokens)
    return fmt::format("counts {} tokens in an answer that was to have {} at most", tokens, max_tokens);
  if (bytes > longest_token * (tokens + 1))
    return fmt::format("counts {} tokens in an answer of {} bytes", tokens, bytes);
  return {};
}

}  // namespace trl::runtime
