#include "runtime/endpoint/options.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <utility>

#include "base/support/error.hpp"
#include "base/support/random.hpp"
#include "base/support/web_address.hpp"
#include "runtime/endpoint/chat.hpp"

namespace trl::runtime {
namespace {

std::string key_of(const contract::Endpoint& endpoint) {
  if (endpoint.key_env.empty()) return {};
  const char* key = std::getenv(endpoint.key_env.c_str());
  const std::string text = key == nullptr ? "" : key;
  const auto place = endpoint.place.empty() ? "" : endpoint.place + ": ";
  if (text.empty())
    throw UserError(
        place + "the environment variable " + endpoint.key_env + ", which `key_env` names, isn't set",
        "Put the server's key in it: export " + endpoint.key_env + "=…");
  if (std::any_of(text.begin(), text.end(), [](unsigned char c) { return c <= ' ' || c >= 127; }))
    throw UserError(
        place + "the environment variable " + endpoint.key_env + " holds blanks or letters that no key has",
        "Set it to the key alone.");
  return text;
}

}  // namespace

StopRequested stop_of(Stage& stage) {
  return [&stage] {
    try {
      stage.check_cancelled();
      return false;
    } catch (const Cancelled&) {
      return true;
    }
  };
}

AskOptions ask_options(Stage& stage) {
  const auto& endpoint = *stage.endpoint;
  const auto read = read_address(endpoint.address);
  if (!read.address) throw UserError("the address \"" + endpoint.address + "\" " + read.problem);
  AskOptions options{endpoint, key_of(endpoint), {}, &real_clock(), {}};
  // The draws are used for waits alone; nothing that is stored depends on them.
  options.draw = [draws = std::make_shared<RandomStream>(random_secret())] { return draws->uniform(); };
  options.transport =
      transport_for(options, read.address->path + chat_path, endpoint.timeout, stop_of(stage));
  return options;
}

MakeTransport transport_for(const AskOptions& options, const std::string& path, double seconds,
                            StopRequested stop) {
  return [address = *read_address(options.endpoint.address).address, path,
          headers = headers_of(options.endpoint, options.key), seconds, stop = std::move(stop)] {
    return web_transport(address, path + address.query, headers, seconds, stop);
  };
}

}  // namespace trl::runtime
