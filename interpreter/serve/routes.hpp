// The addresses of the service's interface, from which both requests are dispatched and the OpenAPI document
// is made.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trl::interpreter {

enum class Operation { verify, reward, tasks, task, protocols, health, readiness, metrics, openapi };

struct Route {
  Operation operation;
  std::string_view method, path;  ///< a part of the path in braces is any text: /v1/tasks/{suite}/{id}
  std::string_view summary;
  bool open = false;  ///< whether it needs no token
};

const std::vector<Route>& routes();

/// The route of a request, with the texts that stand for the parts in braces.
struct Routed {
  const Route* route = nullptr;  ///< null if there is none
  std::map<std::string, std::string> parts;
  std::string allowed;  ///< where a path exists for other methods only: "GET, POST"
};
Routed route_of(std::string_view method, std::string_view path);

/// The values of a query, `suite=level1&limit=10`, without escapes.
std::map<std::string, std::string> query_values(std::string_view query);

/// An error's code, with the status and the meaning that clients get for it.
struct ErrorCode {
  std::string_view code;
  int status;
  std::string_view meaning;
};
const std::vector<ErrorCode>& error_codes();
/// The body of an error: {"error": {"code", "message", "help"}}.
nlohmann::json error_body(std::string_view code, std::string_view message, std::string_view help = {});
/// The status of an error's code.
int status_of(std::string_view code);

/// The description of the interface as an OpenAPI document, version 3.0.
nlohmann::json openapi();

}  // namespace trl::interpreter
