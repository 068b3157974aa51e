#include "runtime/endpoint/chat.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cctype>
#include <iterator>
#include <optional>

#include "base/contract/asked_model.hpp"
#include "base/support/json_text.hpp"
#include "runtime/endpoint/reply.hpp"

namespace trl::runtime {
namespace {

using contract::Parameter;
using nlohmann::json;

/// A message's texts: the answer and the reasoning.
struct MessageText {
  std::string answer, reasoning;
};

/// Reads a message's text, which is a string or a list of parts of which some are text and some reasoning.
/// Servers put the reasoning in different fields, sometimes in two at once.
MessageText text_of_message(const json& message) {
  MessageText text;
  for (const char* name : {"reasoning_content", "reasoning", "thinking"})
    if (text.reasoning.empty()) text.reasoning = text_of(message, name);
  if (const auto details = message.find("reasoning_details");
      text.reasoning.empty() && details != message.end() && details->is_array())
    for (const auto& part : *details) text.reasoning += text_of(part, "text");
  const auto content = message.find("content");
  if (content == message.end() || content->is_null()) return text;
  if (content->is_string()) {
    text.answer = content->get<std::string>();
    return text;
  }
  if (!content->is_array())
    throw BadReply(std::string("the message's content is neither text nor a list of parts, but ") +
                   content->type_name());
  for (const auto& part : *content) {
    const auto type = text_of(part, "type");
    if (type != "thinking" && type != "reasoning") {
      text.answer += part.is_string() ? part.get<std::string>() : text_of(part, "text");
      continue;
    }
    text.reasoning += text_of(part, "text") + text_of(part, "thinking");
    if (const auto inner = part.find("thinking"); inner != part.end() && inner->is_array())
      for (const auto& piece : *inner) text.reasoning += text_of(piece, "text");
  }
  return text;
}

bool is_blank(const std::string& text) { return text.find_first_not_of(" \t\r\n") == std::string::npos; }

/// Why a message has no text.
contract::NoText cause_of(const contract::Asked& answer) {
  using enum contract::NoText;
  if (!answer.refusal.empty()) return refusal;
  if (answer.finish == "content_filter") return filtered;
  if (answer.finish == "length") return cut_off;
  if (!answer.tool_calls.is_null() || answer.finish == "tool_calls" || answer.finish == "function_call")
    return tool_call;
  return is_blank(answer.reasoning) ? empty : reasoning;
}

/// Returns a text in lower case, for comparisons with phrases.
std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// Joins the texts of a list of errors, each after the name of its field: "body.top_k: must be positive".
std::string listed(const json& errors) {
  std::string text;
  for (const auto& one : errors) {
    std::string where;
    if (const auto place = one.is_object() ? one.find("loc") : one.end();
        one.is_object() && place != one.end() && place->is_array())
      for (const auto& part : *place)
        where += (where.empty() ? "" : ".") + (part.is_string() ? part.get<std::string>() : part.dump());
    std::string what = one.is_string() ? one.get<std::string>() : "";
    for (const char* name : {"msg", "message", "error", "detail"})
      if (what.empty()) what = text_of(one, name);
    if (what.empty() && one.is_object() && one.contains("error")) what = text_of(one["error"], "message");
    if (what.empty()) what = dumped(one);
    text += (text.empty() ? "" : "; ") + (where.empty() ? "" : where + ": ") + what;
  }
  return text;
}

/// Returns the object that describes an error, from any of the forms that servers use; null without an error.
json error_of(const json& document) {
  if (document.is_array() && !document.empty() && document.front().is_object()) {
    // Google's are lists of one.
    if (document.front().contains("error")) return error_of(document.front());
    return {{"message", listed(document)}};
  }
  if (!document.is_object()) return nullptr;
  for (const char* name : {"error", "detail", "errors"}) {
    const auto found = document.find(name);
    if (found == document.end() || found->is_null()) continue;
    // Text Generation Inference puts the kind of error beside the text.
    if (found->is_string()) return {{"message", *found}, {"type", text_of(document, "error_type")}};
    // FastAPI sends a list if a request doesn't have the form that it expects.
    if (found->is_array() && !found->empty()) return {{"message", listed(*found)}};
    // OpenRouter passes on another server's message.
    if (const auto raw = found->is_object() ? text_of(found->value("metadata", json()), "raw") : "";
        !raw.empty()) {
      auto told = *found;
      told["message"] = text_of(*found, "message") + ": " + raw;
      return told;
    }
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
  body.update(model.body);
  return body;
}

contract::Asked chat_answer(const std::string& body) {
  const auto reply = read_leniently(body);
  if (reply.is_discarded()) throw BadReply(kind_of(body));
  if (!reply.is_object()) throw BadReply("JSON that isn't an object: " + shown(body));
  const auto choices = reply.find("choices");
  if (choices == reply.end() || !choices->is_array() || choices->empty() || !choices->front().is_object())
    throw BadReply("the reply has no `choices`: " + shown(body));
  const json& choice = choices->front();
  const auto message = choice.find("message");
  if (message == choice.end() || !message->is_object())
    throw BadReply("the reply's choice has no `message`: " + shown(dumped(choice)));
  contract::Asked answer;
  answer.finish = text_of(choice, "finish_reason");
  if (answer.finish == "abort" || answer.finish == "error")
    throw BadReply("the server gave the answer up (finish_reason " + answer.finish + ")");
  auto text = text_of_message(*message);
  answer.answer = std::move(text.answer), answer.reasoning = std::move(text.reasoning);
  answer.refusal = text_of(*message, "refusal");
  if (const auto content = message->find("content"); content != message->end() && content->is_array())
    for (const auto& part : *content) answer.refusal += text_of(part, "refusal");
  for (const char* name : {"function_call", "tool_calls"})
    if (const auto calls = message->find(name); calls != message->end() && !calls->empty())
      answer.tool_calls = *calls;
  if (is_blank(answer.answer)) answer.no_text = cause_of(answer);
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
  // Words by which servers say that a prompt is too long, in lower case: of OpenAI, Azure, OpenRouter, vLLM,
  // SGLang, llama.cpp, Text Generation Inference, TensorRT-LLM, Ollama, LM Studio, Anthropic, Bedrock,
  // Google, xAI, Groq, Mistral, Together, Fireworks, DashScope, Moonshot, MiniMax and GitHub.
  static constexpr std::string_view codes[] = {"context_length_exceeded",       "exceed_context_size_error",
                                               "model_context_window_exceeded", "string_above_max_length",
                                               "max_tokens_exceeded",           "context_window_exceeded"};
  static constexpr std::string_view phrases[] = {"context length",
                                                 "context size",
                                                 "context window",
                                                 "context limit",
                                                 "max_model_len",
                                                 "maximum model length",
                                                 "prompt is too long",
                                                 "prompt too long",
                                                 "input is too long",
                                                 "input too long",
                                                 "input length too long",
                                                 "maximum prompt length",
                                                 "maximum input length",
                                                 "maximum allowed input length",
                                                 "range of input length",
                                                 "reduce the length of the",
                                                 "exceeded model token limit",
                                                 "`max_new_tokens` must be <=",
                                                 "max_tokens must be at least 1, got",
                                                 "exceed max_input_len",
                                                 "exceeds max_input_len",
                                                 "max_seq_len",
                                                 "max_num_tokens",
                                                 "exceeds the maximum number of tokens",
                                                 "input tokens exceed",
                                                 "maximum context",
                                                 "prompt exceeds the",
                                                 "total number of tokens in the prompt cannot exceed"};
  // Words about an account's limits per minute or day, in messages that look alike.
  static constexpr std::string_view others[] = {"per minute", "per day", "rate limit", "rate_limit", "(tpm)"};
  const auto words = lower(message);
  const auto said = [&](const auto& list) {
    return std::any_of(std::begin(list), std::end(list),
                       [&](std::string_view part) { return words.find(part) != std::string::npos; });
  };
  for (const auto& one : codes)
    if (code == one || type == one) return true;
  return code != "rate_limit_exceeded" && !said(others) &&
         (said(phrases) || (words.find("prompt token count") != std::string::npos &&
                            words.find("exceeds the limit") != std::string::npos));
}

bool ServerError::filtered() const {
  const auto words = lower(message);
  return code == "content_filter" || code == "content_policy_violation" || type == "content_filter" ||
         words.find("content management policy") != std::string::npos ||
         words.find("content filtering policy") != std::string::npos;
}

bool ServerError::quota_exceeded() const {
  return code == "insufficient_quota" || code == "billing_hard_limit_reached";
}

ServerError server_error(const std::string& body) {
  ServerError error;
  const auto document = read_leniently(body);
  if (document.is_discarded()) {
    // An HTML page instead of an error message is of no use to people here.
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
  } else {
    error.type = printable(text_of(told, "type"));
  }
  return error;
}

bool says_error(const std::string& body) {
  const auto document = read_leniently(body);
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
