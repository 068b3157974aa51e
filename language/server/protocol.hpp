// Errors of JSON-RPC and of the Language Server Protocol, as its specification numbers them.
#pragma once
#include <stdexcept>
#include <string>

namespace trl::language_server {

enum class ErrorCode : int {
  parse_error = -32700,
  invalid_request = -32600,
  method_not_found = -32601,
  invalid_params = -32602,
  internal_error = -32603,
  server_not_initialized = -32002,
  request_failed = -32803,
  content_modified = -32801,
  request_cancelled = -32800,
};

/// The error with which a request is answered.
struct RequestError : std::runtime_error {
  RequestError(ErrorCode error, const std::string& message) : std::runtime_error(message), code(error) {}
  ErrorCode code;
};

/// The error for a request whose parameters don't follow the protocol.
struct InvalidParams : RequestError {
  explicit InvalidParams(const std::string& message) : RequestError(ErrorCode::invalid_params, message) {}
};

}  // namespace trl::language_server
