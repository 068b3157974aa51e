// The spec of the stage `served` (docs/interfaces.md, 3).
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

namespace trl::contract {

/// The spec of a stage `served`, whose result is the answers that clients of `trl serve` sent to be judged.
/// The answers aren't known when the stage gets its key, so the spec names the server's start (by random
/// digits) and a number.
struct ServedSpec {
  static constexpr const char* kind = "served";
  std::string session;    ///< random hexadecimal digits, drawn by each start of a server
  std::string protocol;   ///< the name under which the server offers the protocol
  std::int64_t part = 0;  ///< the stage's number among the stages of this session and protocol, from 1
  static ServedSpec read(const nlohmann::json& spec);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

}  // namespace trl::contract
