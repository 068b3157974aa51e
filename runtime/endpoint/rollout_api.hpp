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

/// Returns the path of a call: "/v1/load_lora_adapter". It begins with the path of the server's address, from
/// which "/v1" is removed for SGLang, whose calls aren't below /v1.
std::string path_of(contract::ServerKind server, ServerCall call, const std::string& address_path);
/// Returns the part of a call's path that follows the address, for messages: "/completions".
const char* name_of(contract::ServerKind server, ServerCall call);

/// Returns the body of the call that loads an adapter, from a folder that the server sees.
nlohmann::json load_request(const std::string& name, const std::string& folder);
nlohmann::json unload_request(const std::string& name);

/// Whether an error message of the call that loads an adapter says that an adapter of this name is already
/// loaded.
bool says_loaded(std::string_view message);

/// Returns advice for the case that a server of this kind refused to load an adapter of rank `rank` from a
/// folder.
std::string remedy_for_load(contract::ServerKind server, int status, std::string_view message,
                            std::int64_t rank, const std::string& folder);

/// One answer to sample: its prompt and the settings that belong to this answer alone.
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
/// the server returns them, and their log-probabilities, if it returns one for each token. An answer without
/// visible text is valid, since a model may sample one. Throws BadReply.
contract::Asked rollout_answer(contract::ServerKind server, const std::string& body);

}  // namespace trl::runtime
