// The request `serves`: checks whether a server has the base model of rollouts, and whether it can load
// adapters. It changes nothing on the server.
#include <fmt/format.h>

#include <algorithm>

#include "base/contract/form.hpp"
#include "base/contract/stages/rollout.hpp"
#include "base/stage/contract.hpp"
#include "base/stage/stage.hpp"
#include "base/support/error.hpp"
#include "base/support/json_text.hpp"
#include "base/support/web_address.hpp"
#include "runtime/endpoint/options.hpp"
#include "runtime/endpoint/reply.hpp"
#include "runtime/endpoint/rollout_api.hpp"

namespace trl::runtime {
namespace {

using nlohmann::json;

/// The most seconds that a server may take for each of the two questions.
constexpr double question_seconds = 20;

/// Says what is wrong and how to repair it; both texts are empty if nothing is wrong.
json trouble(const std::string& what, const std::string& remedy) {
  return {{"trouble", what}, {"remedy", remedy}};
}

std::string said(const Reply& reply, const ServerError& error) {
  return fmt::format("it says {}{}{}", reply.status, error.message.empty() ? "" : ": ", error.message);
}

/// Asks the model for one token, and says what is wrong if it or its log-probability doesn't come back.
json trouble_of_model(contract::ServerKind server, const contract::RolloutModel& model, Transport& transport,
                      const std::string& key) {
  contract::RolloutSpec spec;
  spec.model = model, spec.sampling.temperature = 1;
  const auto reply = transport.post(dumped(rollout_request(spec, {{0}, "", 1, 0}, {})));
  auto error = server_error(reply.body);
  error.message = without_key(error.message, key);
  if (reply.status != 200 || says_error(reply.body))
    return trouble(said(reply, error),
                   reply.status == 401 || reply.status == 403
                       ? "Look at the key that `key_env` names."
                       : "Correct `name`, the address, which usually ends with /v1, or `server`.");
  try {
    const auto answer = rollout_answer(server, reply.body);
    if (!answer.drawn) return trouble("it gives no tokens", "Use a newer version of it.");
    if (answer.drawn->scores.empty())
      return trouble("it gives no log-probabilities", "Without them `mismatch` compares nothing.");
  } catch (const BadReply& bad) {
    return trouble(std::string("it sends no answer: ") + bad.what(), "Correct the address, or `server`.");
  }
  return trouble("", "");
}

/// Asks whether the server has the call that loads adapters, and says what is wrong if it hasn't. The call
/// refuses a request without a name and a folder, which loads nothing.
json trouble_of_adapters(contract::ServerKind server, std::int64_t rank, Transport& transport,
                         const std::string& key) {
  const auto reply = transport.post(dumped(load_request("", "")));
  auto message = server_error(reply.body).message;
  if (message.empty()) message = printable(text_of(read_leniently(reply.body), "error_message"));
  message = without_key(message, key);
  // A message about adapters can only come from the call itself.
  const bool own = message.find("dapter") != std::string::npos || message.find("lora") != std::string::npos;
  const bool absent = ((reply.status == 404 || reply.status == 405 || reply.status == 501) && !own) ||
                      message.find("not enabled") != std::string::npos;
  if (!absent && reply.status != 401 && reply.status != 403) return trouble("", "");
  return trouble(fmt::format("it says {}{}{}", reply.status, message.empty() ? "" : ": ", message),
                 remedy_for_load(server, reply.status, "", rank, ""));
}

}  // namespace

nlohmann::json run_serves(Stage& stage) {
  contract::RolloutModel model;
  std::int64_t rank = 0;
  contract::Reading form(stage.spec);
  form.field("model", model);
  form.field("rank", rank);
  if (!stage.endpoint)
    throw UserError("the request names no `endpoint`", "see docs/interfaces.md, section 3");
  const auto options = ask_options(stage);
  const auto path = read_address(options.endpoint.address).address->path;
  const auto transport = [&](ServerCall call) {
    return transport_for(options, path_of(model.server, call, path),
                         std::min(options.endpoint.timeout, question_seconds), stop_of(stage))();
  };
  try {
    const auto of_model = trouble_of_model(model.server, model, *transport(ServerCall::sample), options.key);
    const auto of_adapters =
        trouble_of_adapters(model.server, rank, *transport(ServerCall::load), options.key);
    return {{"model", of_model}, {"adapters", of_adapters}};
  } catch (const TransportError& error) {
    return {{"model", trouble(without_key(error.what(), options.key), "Start it, or correct the address.")}};
  } catch (const Stopped&) {
    stage.check_cancelled();
    throw;
  }
}

}  // namespace trl::runtime
