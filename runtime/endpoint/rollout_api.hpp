// The calls by which vLLM and SGLang load adapters and sample from tokens: requests and replies. Replies come
// from a server that isn't trusted, and may hold anything.
//
// vLLM: /v1/completions, /v1/load_lora_adapter and /v1/unload_lora_adapter
// (docs.vllm.ai/en/latest/features/lora). SGLang: /generate, /load_lora_adapter and /unload_lora_adapter
// (docs.sglang.io, "LoRA Serving" and "Sampling Parameters").
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/contract/asked.hpp"
#include "base/contract/stages/rollout.hpp"

namespace trl::runtime {

/// A call of a server.
enum class ServerCall { sample, load, unload };

/// Returns the path of a call, of which the address's own path is the beginning: "/v1/load_lora_adapter".
/// SGLang has its calls beside /v1, which is taken off.
std::string path_of(contract::ServerKind server, ServerCall call, const std::string& address_path);
/// Returns what a call appends to an address, for messages: "/completions".
const char* name_of(contract::ServerKind server, ServerCall call);

/// Returns the body of the call that loads an adapter, from a folder that the server sees.
nlohmann::json load_request(const std::string& name, const std::string& folder);
nlohmann::json unload_request(const std::string& name);

/// Whether the reply to a call that loads an adapter says that one of that name is there.
bool says_loaded(std::string_view message);

/// Returns the remedy where a server of this kind refused to load an adapter of some rank from a folder.
std::string remedy_for_load(contract::ServerKind server, int status, std::string_view message,
                            std::int64_t rank, const std::string& folder);

/// Where an answer to a prompt is sampled.
struct RolloutPrompt {
  std::vector<std::int64_t> tokens;
  std::string adapter;          ///< the name of a loaded adapter; empty: the base model's own answers
  std::int64_t max_tokens = 0;  ///< at most
  std::uint32_t seed = 0;       ///< of this answer alone; SGLang takes none
};

/// Returns the body of a request for one answer. It names every parameter that a server would otherwise take
/// from the model's generation_config.json. `ends`: the tokens that end an answer.
nlohmann::json rollout_request(const contract::RolloutSpec& spec, const RolloutPrompt& prompt,
                               const std::vector<std::int64_t>& ends);

/// Returns the answer in the body of a reply of status 200, as `chat_answer` does. `drawn` has the tokens, if
/// the server gives them, and their log-probabilities if it gives one for each. An answer may be blank, as
/// any that a model gives. Throws BadReply.
contract::Asked rollout_answer(contract::ServerKind server, const std::string& body);

}  // namespace trl::runtime
