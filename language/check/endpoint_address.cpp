#include "base/support/web_address.hpp"
#include "language/check/endpoint.hpp"

namespace trl::language {
DECLARE_RULE(endpoint_address)
namespace {

/// Whether a query has a parameter that servers take for a key.
bool holds_key(const std::string& query) {
  for (std::size_t at = 0; at < query.size(); at = std::min(query.find('&', at + 1), query.size())) {
    const std::string name = query.substr(at + 1, query.find('=', at) - at - 1);
    for (const char* key : {"key", "api_key", "api-key", "apikey", "token", "access_token", "sig", "code"})
      if (name == key) return true;
  }
  return false;
}

void examine_address(Inspection& inspection, const AskedServer& server) {
  const Value* endpoint = server.endpoint;
  const Value& written = endpoint->items.front();
  const std::string address = written.string();
  const auto report = [&](Diagnostic d) { inspection.report(std::move(d), {server.of}); };
  const auto read = read_address(address);
  const std::string end = server.rollout ? "/completions" : "/chat/completions";
  if (!read.address) {
    report(
        found(rules::endpoint_address, written.range, "this address " + read.problem)
            .helped("write `http://HOST:PORT/v1` or `https://…/v1`; a key's variable is named by `key_env`"));
  } else if (read.address->path.ends_with(end)) {
    auto d = found(rules::endpoint_address, written.range, end + " is appended to this address anyway");
    const std::string without = address.substr(0, address.rfind(end)) + read.address->query;
    report(std::move(d.helped("leave it out").suggest("leave it out", written.range, "\"" + without + "\"")));
  }
  if (read.address && holds_key(read.address->query))
    report(
        found(rules::endpoint_address, written.range,
              "this address holds a key, which doesn't belong in a file")
            .helped(
                "name the variable that holds it by `key_env`, and the header by `key_header`; if this is a "
                "key, have another made"));
  if (const Value* name = endpoint->entry("name"); name != nullptr && name->string().empty())
    report(found(rules::endpoint_address, name->range, "the model has no name")
               .helped("write what the server calls it; most list their models at /v1/models"));
  const Value* key = endpoint->entry("key_env");
  if (key != nullptr && !key->absent() && !is_variable(*key))
    // The message doesn't repeat the text, since it may be a key.
    report(
        found(rules::endpoint_address, key->range, "`key_env` isn't the name of an environment variable")
            .helped(
                "name the variable that holds the key, `key_env = \"API_KEY\"`; a key itself doesn't belong "
                "in a file: if this is one, have another made"));
}

void check_endpoint_address(Inspection& inspection) {
  for (const auto& server : asked_servers(inspection)) examine_address(inspection, server);
}

}  // namespace

const Rule rules::endpoint_address{"endpoint_address",
                                   Severity::error,
                                   false,
                                   "What can't be an address, a model's name or a variable's asks nobody.",
                                   R"(import example
model asked { weights = endpoint("http://[::1]:8000/v1", name = "qwen") }
experiment e { model = asked, evaluate = example.exam }
)",
                                   R"(import example
model asked { weights = endpoint("localhost:8000/v1", name = "qwen") }
experiment e { model = asked, evaluate = example.exam }
)",
                                   check_endpoint_address};

}  // namespace trl::language
