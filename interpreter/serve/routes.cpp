#include "interpreter/serve/routes.hpp"

#include <algorithm>
#include <stdexcept>

namespace trl::interpreter {
using nlohmann::json;

namespace {

std::vector<std::string_view> parts_of(std::string_view path) {
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    path.remove_prefix(1);  // the slash
    const auto end = std::min(path.find('/'), path.size());
    parts.push_back(path.substr(0, end));
    path.remove_prefix(end);
  }
  return parts;
}

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// The text of a part of an address: %2F is a slash.
std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && digit(text[i + 1]) >= 0 && digit(text[i + 2]) >= 0) {
      out += static_cast<char>(16 * digit(text[i + 1]) + digit(text[i + 2]));
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

bool matches(const Route& route, const std::vector<std::string_view>& parts,
             std::map<std::string, std::string>& named) {
  const auto wanted = parts_of(route.path);
  if (wanted.size() != parts.size()) return false;
  named.clear();
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i].starts_with('{'))
      named[std::string(wanted[i].substr(1, wanted[i].size() - 2))] = unescaped(parts[i]);
    else if (wanted[i] != parts[i])
      return false;
  }
  return true;
}

}  // namespace

const std::vector<Route>& routes() {
  static const std::vector<Route> all = {
      {Operation::verify, "POST", "/v1/verify", "Judge one answer, or a batch whose verdicts are streamed"},
      {Operation::reward, "POST", "/v1/reward", "Judge and reward one answer, or a batch that is streamed"},
      {Operation::tasks, "GET", "/v1/tasks", "List the tasks with their prompts"},
      {Operation::task, "GET", "/v1/tasks/{suite}/{id}", "Show one task"},
      {Operation::protocols, "GET", "/v1/protocols", "Show the protocols and the formulas of rewards"},
      {Operation::health, "GET", "/healthz", "Say whether the process lives", true},
      {Operation::readiness, "GET", "/readyz", "Say whether worker slots are warm", true},
      {Operation::metrics, "GET", "/metrics", "Tell counters in the text format of Prometheus"},
      {Operation::openapi, "GET", "/openapi.json", "Show this document", true},
  };
  return all;
}

Routed route_of(std::string_view method, std::string_view path) {
  Routed routed;
  if (!path.starts_with('/')) return routed;
  const auto parts = parts_of(path);
  for (const Route& route : routes()) {
    std::map<std::string, std::string> named;
    if (!matches(route, parts, named)) continue;
    if (route.method == method) {
      routed.route = &route, routed.parts = std::move(named);
      routed.allowed.clear();
      return routed;
    }
    routed.allowed += (routed.allowed.empty() ? "" : ", ") + std::string(route.method);
  }
  return routed;
}

std::map<std::string, std::string> query_values(std::string_view query) {
  std::map<std::string, std::string> values;
  while (!query.empty()) {
    const auto end = std::min(query.find('&'), query.size());
    const auto one = query.substr(0, end);
    const auto equals = std::min(one.find('='), one.size());
    values[unescaped(one.substr(0, equals))] = equals < one.size() ? unescaped(one.substr(equals + 1)) : "";
    query.remove_prefix(std::min(end + 1, query.size()));
  }
  return values;
}

const std::vector<ErrorCode>& error_codes() {
  static const std::vector<ErrorCode> all = {
      {"bad_request", 400, "The request isn't HTTP, JSON in UTF-8, or an object with these fields."},
      {"unauthorized", 401, "The header Authorization lacks a token of the server."},
      {"not_found", 404, "There is nothing at this path."},
      {"unknown_task", 404, "The server has no task with this ID."},
      {"method_not_allowed", 405, "The path takes other methods, which the header Allow names."},
      {"idempotency_conflict", 409, "The idempotency key was used for another request."},
      {"too_large", 413, "The body is larger than the server reads, or the batch has too many answers."},
      {"unknown_protocol", 422, "The server's file has no such protocol."},
      {"unknown_reward", 422, "The server's file has no such reward, or several and none was named."},
      {"unjudged_task", 422, "Answers to this task can't be judged here."},
      {"too_many_requests", 429, "The queue is full. Try again after the seconds of Retry-After."},
      {"verifier_failed", 500,
       "The verifier's process ended over the answer each time, or the reward has no value."},
      {"draining", 503, "The server is about to end."},
      {"overloaded", 503, "The queue was too long for the deadline, so nothing is known about the answer."},
  };
  return all;
}

int status_of(std::string_view code) {
  for (const ErrorCode& one : error_codes())
    if (one.code == code) return one.status;
  throw std::logic_error("no error has the code " + std::string(code));
}

json error_body(std::string_view code, std::string_view message, std::string_view help) {
  return {{"error", {{"code", code}, {"message", message}, {"help", help}}}};
}

}  // namespace trl::interpreter
