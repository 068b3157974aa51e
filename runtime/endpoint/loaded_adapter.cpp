#include "runtime/endpoint/loaded_adapter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <system_error>
#include <utility>

#include "base/support/error.hpp"
#include "base/support/files.hpp"
#include "base/support/json_text.hpp"
#include "runtime/endpoint/chat.hpp"
#include "runtime/endpoint/retry.hpp"
#include "runtime/endpoint/rollout_api.hpp"

namespace trl::runtime {
namespace {
namespace fs = std::filesystem;

/// The files of an adapter in PEFT's format.
constexpr const char* config_file = "adapter_config.json";
constexpr const char* weights_file = "adapter_model.safetensors";
/// The most times that a call is sent, if nobody answers it or a busy server refuses it.
constexpr std::int64_t most_attempts = 3;

std::int64_t rank_of(const fs::path& folder) {
  const auto config = read_json(folder / config_file);
  return config.value("r", std::int64_t{0});
}

}  // namespace

LoadedAdapter::LoadedAdapter(Server server, std::string name, const fs::path& folder)
    : server_(std::move(server)), name_(std::move(name)) {
  const auto rank = rank_of(folder);
  const fs::path shared = server_.options.endpoint.adapters;
  if (!shared.empty()) {
    copy_ = shared / name_;
    std::error_code error;
    fs::create_directories(copy_, error);
    for (const char* file : {config_file, weights_file})
      if (!error) fs::copy_file(folder / file, copy_ / file, fs::copy_options::overwrite_existing, error);
    if (error) {
      remove_copy();
      throw DiskError("write an adapter to", copy_, error.value());
    }
  }
  try {
    load(copy_.empty() ? folder : copy_, rank);
  } catch (...) {
    remove_copy();
    throw;
  }
}

LoadedAdapter::~LoadedAdapter() {
  try {
    server_.unload()->post(dumped(unload_request(name_)));
  } catch (...) {
    // The server may be gone.
  }
  remove_copy();
}

void LoadedAdapter::remove_copy() noexcept {
  std::error_code ignored;
  if (!copy_.empty()) fs::remove_all(copy_, ignored);
}

void LoadedAdapter::fail(const std::string& what, const std::string& help) const {
  const auto& endpoint = server_.options.endpoint;
  auto message = fmt::format("{}the server {} {}", endpoint.place.empty() ? "" : endpoint.place + ": ",
                             endpoint.address, what);
  throw UserError(without_key(std::move(message), server_.options.key), help);
}

void LoadedAdapter::load(const fs::path& folder, std::int64_t rank) {
  const auto& options = server_.options;
  const auto body = dumped(load_request(name_, folder.string()));
  const auto transport = server_.load();
  for (std::int64_t attempt = 1;; ++attempt) {
    std::string trouble;
    try {
      const auto reply = transport->post(body);
      // On success, vLLM sends a sentence and SGLang an object.
      const auto own = read_leniently(reply.body);
      const bool failed = own.is_object() && own.value("success", nlohmann::json(true)) == false;
      if (reply.status == 200 && !failed && !says_error(reply.body)) return;
      auto error = server_error(reply.body);
      // SGLang puts the reason in a separate field.
      if (error.message.empty()) error.message = printable(text_of(own, "error_message"));
      if (says_loaded(error.message)) return;
      trouble = fmt::format("doesn't load the adapter: it says {}{}{}", reply.status,
                            error.message.empty() ? "" : ": ", error.message);
      // vLLM sends status 500 for an adapter that it can't load.
      if (!is_transient(reply.status) || reply.status == 500 ||
          attempt >= std::min(most_attempts, options.endpoint.attempts))
        fail(trouble, remedy_for_load(server_.kind, reply.status, error.message, rank, folder.string()));
    } catch (const TransportError& error) {
      trouble = std::string("isn't there to load the adapter: ") + error.what();
      if (error.kind == TransportError::Kind::untrusted ||
          attempt >= std::min(most_attempts, options.endpoint.attempts))
        fail(trouble,
             "Start it, or correct the address. What was sampled is kept: the same command goes on.");
    }
    options.clock->wait_until(options.clock->seconds() + backoff(attempt, options.draw()), server_.stop);
    if (server_.stop()) throw Stopped();
  }
}

}  // namespace trl::runtime
