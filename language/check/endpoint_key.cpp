#include "base/support/web_address.hpp"
#include "language/check/endpoint.hpp"

namespace trl::language {
DECLARE_RULE(endpoint_key)
namespace {

void examine_key(Inspection& inspection, const AskedServer& server) {
  const Value* endpoint = server.endpoint;
  const Value* key = endpoint->entry("key_env");
  if (key == nullptr || key->absent() || !is_variable(*key)) return;  // rule endpoint_address says more
  const auto read = read_address(endpoint->items.front().string());
  if (read.address && !read.address->secure && !read.address->local()) {
    auto d = found(
        rules::endpoint_key, endpoint->items.front().range,
        "the key of `" + server.of->name + "` is sent to " + read.address->host + " without encryption");
    d.note("this names the key", key->range);
    d.helped("write `https://…`; or reach the server through a tunnel, at localhost");
    inspection.report(std::move(d), {server.of});
  }
  // Only a note, since a program may be checked on another machine than it runs on.
  if (!inspection.options.unset || !inspection.options.unset(key->string())) return;
  auto d = found(rules::endpoint_key, key->range,
                 "`trl run` can't ask the server of `" + server.of->name +
                     "` here: the environment "
                     "variable " +
                     key->string() + " isn't set");
  d.severity = Severity::note;
  d.helped("put the server's key in it: export " + key->string() + "=…");
  inspection.report(std::move(d), {server.of});
}

void check_endpoint_key(Inspection& inspection) {
  for (const auto& server : asked_servers(inspection)) examine_key(inspection, server);
}

}  // namespace

const Rule rules::endpoint_key{
    "endpoint_key",
    Severity::warning,
    true,
    "A key that is sent without encryption can be read on its way, and one that isn't there opens nothing.",
    R"(import example
model asked { weights = endpoint("https://models.example/v1", name = "qwen", key_env = "MODELS_KEY") }
experiment e { model = asked, evaluate = example.exam }
)",
    R"(import example
model asked { weights = endpoint("http://models.example/v1", name = "qwen", key_env = "MODELS_KEY") }
experiment e { model = asked, evaluate = example.exam }
)",
    check_endpoint_key};

}  // namespace trl::language
