#include "verifier/services/service.hpp"

#include "base/stage/cancelled.hpp"
#include "verifier/services/patience.hpp"

namespace trl::runtime {

nlohmann::json first_words(ChildProcess& service, std::chrono::milliseconds time,
                           const std::function<bool()>& cancelled) {
  const double most = std::chrono::duration<double>(time).count();
  Patience patience(service.pid(), {most, most});
  const auto line = service.read_line(patience.wait_limit(cancelled));
  if (cancelled && cancelled()) throw Cancelled();
  nlohmann::json words = nlohmann::json::parse(line.value_or(""), nullptr, false);
  return words.is_object() ? words : nullptr;
}

std::string with_id(std::int64_t id, const std::string& request) {
  return "{\"id\":" + std::to_string(id) + "," + request.substr(1);
}

nlohmann::json answer_to(std::int64_t id, const std::optional<std::string>& line) {
  nlohmann::json answer = nlohmann::json::parse(line.value_or(""), nullptr, false);
  const bool its = answer.is_object() && answer.value("id", nlohmann::json()) == nlohmann::json(id);
  return its ? answer : nullptr;
}

}  // namespace trl::runtime
