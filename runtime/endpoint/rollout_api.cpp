#include "runtime/endpoint/rollout_api.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>

#include "base/support/json_text.hpp"
#include "runtime/endpoint/reply.hpp"

namespace trl::runtime {
namespace {

using contract::ServerKind;
using nlohmann::json;

/// Reads a token's number; nothing if the value is anything else.
std::optional<std::int64_t> token_of(const json& value) {
  if (!value.is_number_integer()) return std::nullopt;
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > std::uint64_t{INT32_MAX})
    return std::nullopt;
  const auto token = value.get<std::int64_t>();
  return token < 0 || token > INT32_MAX ? std::nullopt : std::optional(token);
}

/// A token as vLLM writes it in place of its text: "token_id:42".
std::optional<std::int64_t> token_in_words(const json& value) {
  constexpr std::string_view begin = "token_id:";
  if (!value.is_string()) return std::nullopt;
  const auto& text = value.get_ref<const std::string&>();
  if (!text.starts_with(begin)) return std::nullopt;
  std::int64_t token = 0;
  const auto [end, error] = std::from_chars(text.data() + begin.size(), text.data() + text.size(), token);
  if (error != std::errc() || end != text.data() + text.size() || token < 0 || token > INT32_MAX)
    return std::nullopt;
  return token;
}

/// Reads each value of a list by `read`, which returns nothing for a value of another kind. Returns nothing
/// if one value can't be read.
template <class T>
std::optional<std::vector<T>> all_of(const json& list, std::optional<T> (*read)(const json&)) {
  if (!list.is_array()) return std::nullopt;
  std::vector<T> values;
  for (const auto& one : list) {
    const auto value = read(one);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

std::optional<double> score_of(const json& value) {
  if (!value.is_number()) return std::nullopt;
  const auto score = value.get<double>();
  return std::isfinite(score) ? std::optional(score) : std::nullopt;
}

/// Joins tokens and their scores. The scores only count if each token has one.
std::optional<contract::Drawn> drawn_of(std::optional<std::vector<std::int64_t>> tokens,
                                        std::optional<std::vector<double>> scores) {
  if (!tokens) return std::nullopt;
  if (!scores || scores->size() != tokens->size()) scores.emplace();
  return contract::Drawn{std::move(*tokens), std::move(*scores)};
}

/// Returns a field of an object; null if there is no field of that name.
json part(const json& object, const char* name) {
  return object.is_object() ? object.value(name, json()) : json();
}

contract::Asked answer_of_vllm(const json& reply) {
  const auto choices = reply.find("choices");
  if (choices == reply.end() || !choices->is_array() || choices->empty() || !choices->front().is_object())
    throw BadReply("the reply has no `choices`: " + shown(dumped(reply)));
  const json& choice = choices->front();
  if (const auto text = choice.find("text"); text == choice.end() || !text->is_string())
    throw BadReply("the reply's choice has no `text`: " + shown(dumped(choice)));
  contract::Asked answer;
  answer.answer = text_of(choice, "text");
  answer.finish = text_of(choice, "finish_reason");
  const auto scores = part(choice, "logprobs");
  auto tokens = all_of<std::int64_t>(part(choice, "token_ids"), token_of);
  if (!tokens) tokens = all_of<std::int64_t>(part(scores, "tokens"), token_in_words);
  answer.drawn = drawn_of(std::move(tokens), all_of<double>(part(scores, "token_logprobs"), score_of));
  const auto usage = part(reply, "usage");
  answer.prompt_tokens = count_of(usage, "prompt_tokens");
  answer.answer_tokens = count_of(usage, "completion_tokens");
  answer.model = printable(text_of(reply, "model"));
  answer.id = printable(text_of(reply, "id"));
  return answer;
}

contract::Asked answer_of_sglang(const json& reply) {
  if (const auto text = reply.find("text"); text == reply.end() || !text->is_string())
    throw BadReply("the reply has no `text`: " + shown(dumped(reply)));
  const auto meta = part(reply, "meta_info");
  contract::Asked answer;
  answer.answer = text_of(reply, "text");
  const auto finish = part(meta, "finish_reason");
  answer.finish = finish.is_object() ? text_of(finish, "type") : text_of(meta, "finish_reason");
  // Each entry is a list of the log-probability, the token, and the token's text or null.
  const auto each = part(meta, "output_token_logprobs");
  std::optional<std::vector<std::int64_t>> tokens;
  std::optional<std::vector<double>> scores;
  if (each.is_array() && !each.empty()) {
    auto ids = json::array(), values = json::array();
    for (const auto& one : each) {
      const bool whole = one.is_array() && one.size() >= 2;
      values.push_back(whole ? one[0] : json()), ids.push_back(whole ? one[1] : json());
    }
    tokens = all_of<std::int64_t>(ids, token_of), scores = all_of<double>(values, score_of);
  }
  if (!tokens) tokens = all_of<std::int64_t>(part(reply, "output_ids"), token_of);
  answer.drawn = drawn_of(std::move(tokens), std::move(scores));
  answer.prompt_tokens = count_of(meta, "prompt_tokens");
  answer.answer_tokens = count_of(meta, "completion_tokens");
  answer.id = printable(text_of(meta, "id"));
  return answer;
}

bool holds(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

}  // namespace

const char* name_of(ServerKind server, ServerCall call) {
  if (call == ServerCall::load) return "/load_lora_adapter";
  if (call == ServerCall::unload) return "/unload_lora_adapter";
  return server == ServerKind::vllm ? "/completions" : "/generate";
}

std::string path_of(ServerKind server, ServerCall call, const std::string& address_path) {
  std::string path = address_path;
  constexpr std::string_view version = "/v1";
  if (server == ServerKind::sglang && path.ends_with(version)) path.resize(path.size() - version.size());
  return path + name_of(server, call);
}

json load_request(const std::string& name, const std::string& folder) {
  return {{"lora_name", name}, {"lora_path", folder}};
}

json unload_request(const std::string& name) { return {{"lora_name", name}}; }

bool says_loaded(std::string_view message) { return holds(message, "already") && holds(message, "loaded"); }

std::string remedy_for_load(ServerKind server, int status, std::string_view message, std::int64_t rank,
                            const std::string& folder) {
  const bool vllm = server == ServerKind::vllm;
  if (status == 401 || status == 403)
    return "Name the environment variable that holds the server's key: `key_env = \"…\"`.";
  if (holds(message, "rank")) return fmt::format("Start it with --max-lora-rank {} or more.", rank);
  const bool of_folder = holds(message, "No adapter found") || holds(message, "does not exist") ||
                         holds(message, "No such file") || holds(message, "HFValidationError") ||
                         holds(message, "Repo id") || holds(message, "allowed");
  if (of_folder)
    return fmt::format(
        "The server must see the folder {}, as it is called here; else name a folder that both see by "
        "`adapters = path(\"…\")` of endpoint(…).",
        folder);
  const auto start =
      vllm
          ? fmt::format(
                "Start vLLM with VLLM_ALLOW_RUNTIME_LORA_UPDATING=True in its environment, --enable-lora and "
                "--max-lora-rank {}",
                rank)
          : fmt::format("Start SGLang with --enable-lora, --max-lora-rank {} and --lora-target-modules all",
                        rank);
  return start + (vllm ? "; if it is SGLang, say so: `server = sglang`."
                       : "; if it is vLLM, leave `server = sglang` out.");
}

json rollout_request(const contract::RolloutSpec& spec, const RolloutPrompt& prompt,
                     const std::vector<std::int64_t>& ends) {
  const auto& sampling = spec.sampling;
  json parameters = {{"temperature", sampling.temperature},
                     {"top_p", sampling.top_p},
                     {"top_k", sampling.top_k > 0 ? sampling.top_k : -1},
                     {"min_p", 0},
                     {"repetition_penalty", 1},
                     {"stop_token_ids", ends}};
  if (!sampling.stop.empty()) parameters["stop"] = sampling.stop;
  json body;
  if (spec.model.server == ServerKind::vllm) {
    body = std::move(parameters);
    body["model"] = prompt.adapter.empty() ? spec.model.name : prompt.adapter;
    body["prompt"] = prompt.tokens;
    body["max_tokens"] = prompt.max_tokens;
    body["seed"] = prompt.seed;
    body["stream"] = false;
    body["return_token_ids"] = true;
    // 0 asks for the log-probabilities of the sampled tokens alone. Versions without `return_token_ids`
    // report the tokens in them.
    body["logprobs"] = 0;
    body["return_tokens_as_token_ids"] = true;
  } else {
    parameters["max_new_tokens"] = prompt.max_tokens;
    body = {{"input_ids", prompt.tokens},
            {"sampling_params", std::move(parameters)},
            {"return_logprob", true},
            {"stream", false}};
    if (!prompt.adapter.empty()) body["lora_path"] = prompt.adapter;
  }
  body.merge_patch(spec.model.body);
  return body;
}

contract::Asked rollout_answer(ServerKind server, const std::string& body) {
  const auto reply = read_leniently(body);
  if (reply.is_discarded()) throw BadReply(kind_of(body));
  if (!reply.is_object()) throw BadReply("JSON that isn't an object: " + shown(body));
  auto answer = server == ServerKind::vllm ? answer_of_vllm(reply) : answer_of_sglang(reply);
  answer.finish = printable(answer.finish);
  if (answer.finish == "abort" || answer.finish == "error")
    throw BadReply("the server gave the answer up (finish_reason " + answer.finish + ")");
  return answer;
}

}  // namespace trl::runtime
