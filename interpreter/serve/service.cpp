#include "interpreter/serve/service.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <openssl/crypto.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <exception>
#include <set>
#include <string_view>
#include <utility>

#include "base/contract/next_prompt.hpp"
#include "base/contract/verdict.hpp"
#include "base/support/digest.hpp"
#include "base/support/error.hpp"
#include "base/support/json_text.hpp"
#include "interpreter/local/reward.hpp"
#include "language/diagnostics/suggest.hpp"

namespace trl::interpreter {
using nlohmann::json;
using Clock = Pool::Clock;

namespace {

/// Thrown if a request can't be carried out, because of the client's mistake or the server's state.
struct Refused {
  std::string code, message, help;
  int retry_after = 0;
};

constexpr double least_deadline = 0.05;  // seconds
constexpr std::size_t most_key = 256, most_tasks_shown = 1000;
constexpr std::size_t most_named = 200;  // bytes of an unknown name that an error repeats

/// Returns help for an unknown name: the closest known name, or all known names.
std::string known_names(const std::string& name, const std::vector<std::string>& known,
                        const std::string& listed) {
  const auto close = language::closest(name.substr(0, most_named), known);
  return close ? fmt::format("Did you mean `{}`?", *close)
               : fmt::format("{} {}.", listed, language::enumeration(known));
}

template <class Value>
std::vector<std::string> names_of(const std::map<std::string, Value>& named) {
  std::vector<std::string> out;
  for (const auto& [name, value] : named) out.push_back(name);
  return out;
}

/// Refuses unknown fields, which are probably misspelt.
void expect_fields(const json& object, const std::set<std::string>& known, const std::string& what) {
  if (!object.is_object()) throw Refused{"bad_request", what + " is no JSON object", "", 0};
  for (const auto& [name, value] : object.items()) {
    if (known.contains(name)) continue;
    throw Refused{"bad_request", fmt::format("{} has no field `{}`", what, name.substr(0, most_named)),
                  known_names(name, {known.begin(), known.end()}, "Its fields are"), 0};
  }
}

std::string text_in(const json& object, const char* name, const std::string& what) {
  const auto found = object.find(name);
  if (found == object.end() || !found->is_string())
    throw Refused{"bad_request", fmt::format("{} needs the field `{}`, a text", what, name), "", 0};
  return found->get<std::string>();
}

bool same_token(const std::string& a, const std::string& b) {
  const Digest left = sha256(a), right = sha256(b);
  return CRYPTO_memcmp(left.data(), right.data(), left.size()) == 0;
}

int retry_seconds(double expected) { return static_cast<int>(std::clamp(std::ceil(expected), 1.0, 600.0)); }

}  // namespace

/// An answer that is to be judged.
struct Service::Asked {
  std::size_t task = 0;  ///< index into the offer's tasks
  std::string answer, protocol, prompt;
  std::int64_t tokens = 0;
  bool has_tokens = false;
  const OfferedReward* reward = nullptr;  ///< null: only the verdict is requested
  double deadline = 0;                    ///< seconds
  Clock::time_point received = Clock::now();
};

/// A batch whose verdicts are streamed.
struct Service::Batch {
  std::size_t left = 0;
  std::vector<Pool::Ticket> tickets;
};

Service::Service(const Offer& offer, Pool& pool, Archive* archive, ServiceOptions options, Post post)
    : offer_(offer),
      pool_(pool),
      archive_(archive),
      options_(std::move(options)),
      post_(std::move(post)),
      repeated_(options_.most_repeated) {
  metrics_.declare("trl_requests_total", "counter", "Requests by operation and status.");
  metrics_.declare("trl_verdicts_total", "counter", "Verdicts by protocol, failed stage and reason.");
  metrics_.declare("trl_answers_without_verdict_total", "counter", "Answers that got no verdict, by cause.");
  metrics_.declare("trl_step_seconds_total", "counter", "Seconds of candidates by clock and kind of work.");
  metrics_.declare("trl_judging_seconds_total", "counter", "Seconds in which worker slots judged.");
  metrics_.declare("trl_queue_seconds_total", "counter",
                   "Seconds that judged answers had waited in the queue.");
  metrics_.declare("trl_queue_length", "gauge", "Answers that wait for a worker slot.");
  metrics_.declare("trl_slots", "gauge", "Worker slots by state.");
  metrics_.declare("trl_slot_restarts_total", "counter",
                   "Processes of worker slots that ended and were started again.");
  metrics_.declare("trl_connections", "gauge", "Open connections.");
  metrics_.declare("trl_requests_in_flight", "gauge", "Requests that aren't answered completely.");
}

HttpReply Service::error(std::string_view code, const std::string& message, const std::string& help,
                         int retry_after) const {
  HttpReply reply;
  reply.status = status_of(code);
  reply.body = dumped(error_body(code, message, help)) + "\n";
  if (retry_after > 0) reply.headers.emplace_back("Retry-After", std::to_string(retry_after));
  if (reply.status == 401) reply.headers.emplace_back("WWW-Authenticate", "Bearer");
  return reply;
}

std::string Service::client_of(const HttpRequest& request) const {
  constexpr std::string_view scheme = "Bearer ";
  if (options_.tokens.empty()) return request.address;
  if (!request.authorization.starts_with(scheme)) return {};
  const std::string token = request.authorization.substr(scheme.size());
  std::string name;
  for (const auto& [known, client] : options_.tokens)
    if (same_token(token, known)) name = client;
  return name;
}

std::optional<HttpReply> Service::screen(const HttpRequest& request) {
  const auto counted = [&](HttpReply reply) {
    metrics_.add("trl_requests_total", {{"operation", "refused"}, {"status", std::to_string(reply.status)}});
    return reply;
  };
  const Routed routed = route_of(request.method, request.path);
  if ((routed.route == nullptr || !routed.route->open) && client_of(request).empty())
    return counted(
        error("unauthorized", "this server needs a token", "Send the header `Authorization: Bearer TOKEN`."));
  if (routed.route == nullptr && !routed.allowed.empty()) {
    HttpReply reply = error("method_not_allowed", request.path + " takes " + routed.allowed);
    reply.headers.emplace_back("Allow", routed.allowed);
    return counted(reply);
  }
  if (routed.route == nullptr)
    return counted(error("not_found", "there is nothing at this path", "GET /openapi.json lists all paths."));
  if (draining_ && routed.route->method == "POST")
    return counted(error("draining", "the server is about to end", "", 5));
  return std::nullopt;
}

void Service::handle(const HttpRequest& request, const std::shared_ptr<Exchange>& exchange) {
  const Routed routed = route_of(request.method, request.path);
  const auto reply = [&](HttpReply reply) {
    metrics_.add("trl_requests_total",
                 {{"operation", std::string(routed.route->path)}, {"status", std::to_string(reply.status)}});
    exchange->reply(std::move(reply));
  };
  try {
    switch (routed.route->operation) {
      case Operation::verify:
        return judge(request, exchange, false);
      case Operation::reward:
        return judge(request, exchange, true);
      case Operation::tasks:
        return reply(tasks(request));
      case Operation::task:
        return reply(task(routed.parts.at("suite") + "/" + routed.parts.at("id")));
      case Operation::protocols:
        return reply(protocols());
      case Operation::health:
        return reply({200, "{\"status\": \"alive\"}\n"});
      case Operation::readiness:
        return reply(readiness());
      case Operation::metrics:
        return reply(metrics());
      case Operation::openapi:
        return reply({200, dumped(openapi(), 1) + "\n"});
    }
  } catch (const Refused& refused) {
    reply(error(refused.code, refused.message, refused.help, refused.retry_after));
  } catch (const std::exception& failure) {
    reply(error("verifier_failed", failure.what()));
  }
}

void Service::note_connections(std::size_t connections, std::size_t requests) {
  metrics_.set("trl_connections", {}, static_cast<double>(connections));
  metrics_.set("trl_requests_in_flight", {}, static_cast<double>(requests));
}

double Service::deadline_in(const json& body) const {
  const auto found = body.find("deadline_s");
  if (found == body.end() || found->is_null()) return options_.deadline;
  if (!found->is_number() || !(found->get<double>() > 0))
    throw Refused{"bad_request", "`deadline_s` is no positive number of seconds", "", 0};
  return std::clamp(found->get<double>(), least_deadline, options_.deadline);
}

const std::string& Service::reward_named(const json& body) const {
  const auto found = body.find("reward");
  const bool named = found != body.end() && !found->is_null();
  if (!named && offer_.rewards.size() == 1) return offer_.rewards.begin()->first;
  if (offer_.rewards.empty())
    throw Refused{"unknown_reward", "the server has no reward",
                  "Start the server with a file that has an experiment with `reward(c) = …`.", 0};
  const std::vector<std::string> all = names_of(offer_.rewards);
  if (!named)
    throw Refused{"unknown_reward", "no reward is named",
                  fmt::format("Name one of {}.", language::enumeration(all)), 0};
  const std::string name = found->is_string() ? found->get<std::string>() : "";
  const auto reward = offer_.rewards.find(name);
  if (reward == offer_.rewards.end())
    throw Refused{"unknown_reward", "the server has no such reward", known_names(name, all, "Name one of"),
                  0};
  return reward->first;
}

/// Reads an answer from its own fields and the fields of the whole body.
Service::Asked Service::read_asked(const json& item, const json& body, bool rewards) const {
  Asked asked;
  const std::string id = text_in(item, "task", "an answer");
  const auto task = offer_.find(id);
  if (!task) {
    std::vector<std::string> names;
    for (const OfferedTask& one : offer_.tasks)
      names.push_back(fmt::format("{}/{}", one.task.at("suite").get_ref<const std::string&>(),
                                  one.task.at("name").get_ref<const std::string&>()));
    const std::string name = id.substr(0, most_named);
    const auto close = language::closest(name, names);
    throw Refused{"unknown_task", fmt::format("there is no task `{}`", name),
                  (close ? fmt::format("Did you mean `{}`? ", *close) : "") + "GET /v1/tasks lists them.", 0};
  }
  asked.task = *task;
  if (const auto& why = offer_.tasks[*task].unjudged; !why.empty())
    throw Refused{"unjudged_task", "answers to this task can't be judged: " + why, "", 0};
  asked.answer = text_in(item, "answer", "an answer");
  asked.prompt = offer_.tasks[*task].prompt;
  if (item.contains("prompt") && !item["prompt"].is_null())
    asked.prompt = text_in(item, "prompt", "an answer");
  if (const auto tokens = item.find("tokens"); tokens != item.end() && !tokens->is_null()) {
    if (!tokens->is_number_unsigned()) throw Refused{"bad_request", "`tokens` is no count", "", 0};
    asked.tokens =
        static_cast<std::int64_t>(std::min<std::uint64_t>(tokens->get<std::uint64_t>(), INT32_MAX));
    asked.has_tokens = true;
  }
  if (rewards) {
    asked.reward = &offer_.rewards.at(reward_named(body));
    asked.protocol = asked.reward->protocol;
  } else {
    asked.protocol = body.contains("protocol") ? text_in(body, "protocol", "the request") : "exam";
    if (!offer_.protocols.contains(asked.protocol)) {
      throw Refused{"unknown_protocol", "the server has no such protocol",
                    known_names(asked.protocol, names_of(offer_.protocols), "Name one of"), 0};
    }
  }
  asked.deadline = deadline_in(body);
  return asked;
}

void Service::judge(const HttpRequest& request, const std::shared_ptr<Exchange>& exchange, bool rewards) {
  const std::string operation = rewards ? "/v1/reward" : "/v1/verify", client = client_of(request);
  const json body = json::parse(request.body, nullptr, false);
  if (body.is_discarded()) throw Refused{"bad_request", "the body isn't JSON in UTF-8", "", 0};
  const bool many = body.is_object() && body.contains("answers");
  std::set<std::string> of_item = {"task", "answer", "prompt", "tokens"};
  std::set<std::string> of_body = {"deadline_s", rewards ? "reward" : "protocol"};
  if (many)
    of_body.insert("answers");
  else
    of_body.insert(of_item.begin(), of_item.end());
  expect_fields(body, of_body, "the request");
  if (request.idempotency_key.size() > most_key)
    throw Refused{"bad_request", fmt::format("the idempotency key has more than {} bytes", most_key), "", 0};
  const std::string key = request.idempotency_key.empty()
                              ? ""
                              : client + "\n" + operation + "\n" + request.idempotency_key + "\n";

  if (!many) {
    const Asked asked = read_asked(body, body, rewards);
    const auto ticket = begin(asked, client, key, [this, exchange, operation](const Answer& answer) {
      HttpReply reply;
      reply.status = answer.status, reply.body = dumped(answer.body) + "\n";
      if (answer.retry_after > 0)
        reply.headers.emplace_back("Retry-After", std::to_string(answer.retry_after));
      metrics_.add("trl_requests_total",
                   {{"operation", operation}, {"status", std::to_string(answer.status)}});
      exchange->reply(std::move(reply));
    });
    // A request with an idempotency key may be repeated, so its answer is still needed.
    if (ticket && key.empty()) exchange->when_gone([this, ticket] { pool_.stop(*ticket); });
    return;
  }

  const json& answers = body["answers"];
  if (!answers.is_array()) throw Refused{"bad_request", "`answers` is no array", "", 0};
  if (answers.size() > options_.most_batch)
    throw Refused{"too_large",
                  fmt::format("the batch has {} answers, more than {}", answers.size(), options_.most_batch),
                  "Send several requests.", 0};
  std::vector<Asked> all;
  try {
    for (const json& item : answers) {
      expect_fields(item, of_item, "an answer");
      all.push_back(read_asked(item, body, rewards));
    }
  } catch (Refused& refused) {
    refused.message = fmt::format("answers[{}]: {}", all.size(), refused.message);
    throw;
  }
  HttpReply head;
  head.content_type = "application/x-ndjson";
  metrics_.add("trl_requests_total", {{"operation", operation}, {"status", "200"}});
  exchange->begin(std::move(head));
  const auto batch = std::make_shared<Batch>();
  batch->left = all.size();
  if (all.empty()) exchange->end();
  for (std::size_t index = 0; index < all.size(); ++index) {
    const auto ticket = begin(all[index], client, key.empty() ? "" : key + std::to_string(index),
                              [exchange, batch, index](const Answer& answer) {
                                json line = answer.body;
                                line["index"] = index;
                                exchange->send(dumped(line) + "\n");
                                if (--batch->left == 0) exchange->end();
                              });
    if (ticket && key.empty()) batch->tickets.push_back(*ticket);
  }
  exchange->when_gone([this, batch] {
    for (const Pool::Ticket ticket : batch->tickets) pool_.stop(ticket);
  });
}

/// Queues an answer, unless an earlier request with the same key has queued it. `take` is called with the
/// reply, which may be an error, possibly within this call.
std::optional<Pool::Ticket> Service::begin(const Asked& asked, const std::string& client,
                                           const std::string& key, const RepeatedRequests::Take& take) {
  if (!key.empty()) {
    const std::string digest =
        sha256_hex(json::array({offer_.tasks[asked.task].id, asked.answer, asked.protocol, asked.prompt,
                                asked.tokens, asked.reward != nullptr ? asked.reward->text() : ""})
                       .dump());
    switch (repeated_.ask(key, digest, take)) {
      case RepeatedRequests::Found::known:
        return std::nullopt;
      case RepeatedRequests::Found::conflict:
        take({409, error_body("idempotency_conflict", "this idempotency key was used for another answer")});
        return std::nullopt;
      case RepeatedRequests::Found::fresh:
        break;
    }
  }
  const auto& protocol = offer_.protocols.at(asked.protocol);
  Submission submission{client, offer_.tasks[asked.task].task, asked.answer, protocol.write(),
                        archive_ != nullptr && protocol.strict};
  const auto deadline = asked.received + std::chrono::duration_cast<Clock::duration>(
                                             std::chrono::duration<double>(asked.deadline));
  // The function that the pool calls passes `take` on to the server's thread and keeps nothing of it: the
  // objects to which `take` refers belong to that thread.
  const auto ticket =
      pool_.submit(std::move(submission), deadline, [this, asked, key, take](SlotResult judged) mutable {
        post_([this, asked = std::move(asked), key = std::move(key), take = std::move(take),
               judged = std::move(judged)]() mutable {
          const Answer answer = answer_of(asked, std::move(judged));
          if (key.empty())
            take(answer);
          else
            repeated_.settle(key, answer);
        });
      });
  if (ticket) return ticket;
  metrics_.add("trl_answers_without_verdict_total", {{"cause", "too_many_requests"}});
  const Answer full{429, error_body("too_many_requests", "the queue is full"),
                    retry_seconds(pool_.expected_wait())};
  if (key.empty())
    take(full);
  else
    repeated_.settle(key, full);
  return std::nullopt;
}

void Service::count(const Asked& asked, const contract::Examined& verdict, const SlotResult& judged) {
  metrics_.add("trl_judging_seconds_total", {}, judged.seconds);
  metrics_.add("trl_queue_seconds_total", {}, judged.waited);
  metrics_.add("trl_verdicts_total",
               {{"protocol", asked.protocol}, {"stage", verdict.failed}, {"reason", verdict.reason}});
  if (!verdict.budget) return;
  for (const auto& [clock, steps] : *verdict.budget)
    for (const auto& [step, seconds] : steps)
      if (step != "limit")
        metrics_.add("trl_step_seconds_total", {{"clock", clock}, {"step", step}}, seconds);
}

Answer Service::answer_of(const Asked& asked, SlotResult judged) {
  const auto without = [&](const char* cause, const char* code, const std::string& message, int retry_after) {
    metrics_.add("trl_answers_without_verdict_total", {{"cause", cause}});
    return Answer{status_of(code), error_body(code, message), retry_after};
  };
  switch (judged.kind) {
    case SlotResult::Kind::unbegun:
      return without(
          "overloaded", "overloaded",
          fmt::format("its turn didn't come soon enough for a deadline of {:g} s; nothing is known about it",
                      asked.deadline),
          retry_seconds(pool_.expected_wait()));
    case SlotResult::Kind::lost:
      return without("verifier_failed", "verifier_failed", "the verifier's process ended over it each time",
                     0);
    case SlotResult::Kind::stopped:
      return without("stopped", "draining", "the server ended before it was judged", 5);
    case SlotResult::Kind::late:
      return without(
          "late", "verifier_failed",
          fmt::format("there was no verdict within {:g} s, and the verifier didn't say which step took them; "
                      "nothing is known about the answer",
                      asked.deadline),
          0);
    case SlotResult::Kind::verdict:
      break;
  }
  try {
    return {200, verdict_body(asked, std::move(judged))};
  } catch (const UserError& error) {
    return without("verifier_failed", "verifier_failed", error.what(), 0);
  } catch (const std::exception& error) {
    return without("verifier_failed", "verifier_failed",
                   std::string("a verdict can't be read: ") + error.what(), 0);
  }
}

json Service::verdict_body(const Asked& asked, SlotResult judged) {
  const auto verdict = contract::Examined::read(judged.row);
  count(asked, verdict, judged);
  std::string id;
  if (archive_ != nullptr)
    id = archive_->add(asked.protocol, {asked.task, asked.prompt, asked.answer, asked.tokens,
                                        std::move(judged.row), std::move(judged.plan)});
  json row = verdict.write();
  row["task"] = offer_.tasks[asked.task].id;
  row["protocol"] = asked.protocol;
  if (!id.empty()) row["id"] = id;
  return asked.reward == nullptr ? row : reward_body(asked, std::move(row), id);
}

json Service::reward_body(const Asked& asked, json row, const std::string& id) const {
  const auto verdict = contract::Verdict::read(row);
  const contract::SelectSpec& select = asked.reward->select;
  json body = {{"reward", nullptr}, {"parts", json::object()}, {"feedback", nullptr}};
  if (verdict.judged()) {
    double noise = 1;
    if (select.timing_noise)
      noise = timer_noise(*select.timing_noise, RandomStream("served/timer/" + id + "/" + asked.answer));
    const auto record = reward_record(verdict, noise, asked.tokens, select);
    body["reward"] = reward_of(select.reward, record);
    for (const auto& [text, value] : reward_parts(select.reward, record)) {
      json& part = body["parts"][text];
      part = part.is_number() ? part.get<double>() + value : value;
    }
    if (!verdict.correct && !asked.reward->feedback.empty()) {
      contract::Candidate last;
      last.prompt = asked.prompt, last.answer = asked.answer;
      body["feedback"] =
          contract::next_prompt(asked.reward->feedback, offer_.tasks[asked.task].prompt, last, verdict);
    }
  }
  body["verdict"] = std::move(row);
  if (!id.empty()) body["id"] = id;
  return body;
}

namespace {

json shown(const OfferedTask& task) {
  json out = {{"id", task.id},
              {"suite", task.task.at("suite")},
              {"name", task.task.at("name")},
              {"prompt", task.prompt},
              {"can_be_judged", task.unjudged.empty()}};
  if (!task.unjudged.empty()) out["why"] = task.unjudged;
  return out;
}

}  // namespace

HttpReply Service::tasks(const HttpRequest& request) const {
  auto values = query_values(request.query);
  for (const auto& [name, value] : values)
    if (name != "suite" && name != "after" && name != "limit")
      throw Refused{"bad_request", "there is no parameter `" + name.substr(0, 200) + "`",
                    "Parameters are suite, after and limit.", 0};
  if (const auto suite = values.find("suite"); suite != values.end()) {
    std::set<std::string> suites;
    for (const OfferedTask& task : offer_.tasks) suites.insert(task.task.at("suite").get<std::string>());
    if (!suites.contains(suite->second))
      throw Refused{"not_found", "there is no suite `" + suite->second.substr(0, 200) + "`",
                    fmt::format("Suites are {}.", fmt::join(suites, ", ")), 0};
  }
  std::size_t limit = most_tasks_shown, from = 0;
  if (const auto found = values.find("limit"); found != values.end()) {
    const std::string& text = found->second;
    const auto end = text.data() + text.size();
    if (std::from_chars(text.data(), end, limit).ptr != end || limit == 0)
      throw Refused{"bad_request", "`limit` is no positive number", "", 0};
    limit = std::min(limit, most_tasks_shown);
  }
  if (const auto after = values.find("after"); after != values.end()) {
    const auto place = offer_.find(after->second);
    if (!place)
      throw Refused{"unknown_task", "there is no task `" + after->second.substr(0, 200) + "`", "", 0};
    from = *place + 1;
  }
  json body = {{"tasks", json::array()}, {"next", nullptr}};
  for (std::size_t i = from; i < offer_.tasks.size(); ++i) {
    const OfferedTask& task = offer_.tasks[i];
    if (values.contains("suite") && task.task.at("suite") != values["suite"]) continue;
    if (body["tasks"].size() == limit) {
      body["next"] = body["tasks"].back()["id"];
      break;
    }
    body["tasks"].push_back(shown(task));
  }
  return {200, dumped(body) + "\n"};
}

HttpReply Service::task(const std::string& id) const {
  const auto place = offer_.find(id);
  if (!place)
    throw Refused{"unknown_task", "there is no task `" + id.substr(0, 200) + "`", "GET /v1/tasks lists them.",
                  0};
  return {200, dumped(shown(offer_.tasks[*place])) + "\n"};
}

HttpReply Service::protocols() const {
  json body = {{"protocols", json::object()}, {"rewards", json::object()}, {"deadline_s", options_.deadline}};
  for (const auto& [name, protocol] : offer_.protocols) body["protocols"][name] = protocol.write();
  for (const auto& [name, reward] : offer_.rewards) body["rewards"][name] = reward.text();
  return {200, dumped(body) + "\n"};
}

HttpReply Service::readiness() const {
  const auto state = pool_.state();
  const bool ready = state.ready > 0 && !draining_;
  const char* status = draining_ ? "draining" : ready ? "ready" : "starting";
  HttpReply reply;
  reply.status = ready ? 200 : 503;
  reply.body = dumped(json{{"status", status}, {"slots", state.slots}, {"ready", state.ready}}) + "\n";
  if (!ready) reply.headers.emplace_back("Retry-After", "1");
  return reply;
}

HttpReply Service::metrics() {
  const auto state = pool_.state();
  metrics_.set("trl_queue_length", {}, static_cast<double>(state.waiting));
  metrics_.set("trl_slots", {{"state", "ready"}}, static_cast<double>(state.ready));
  metrics_.set("trl_slots", {{"state", "busy"}}, static_cast<double>(state.busy));
  metrics_.set("trl_slots", {{"state", "starting"}},
               static_cast<double>(state.slots - std::min(state.slots, state.ready)));
  metrics_.set("trl_slot_restarts_total", {}, static_cast<double>(state.restarts));
  HttpReply reply;
  reply.content_type = "text/plain; version=0.0.4; charset=utf-8";
  reply.body = metrics_.text();
  return reply;
}

}  // namespace trl::interpreter
