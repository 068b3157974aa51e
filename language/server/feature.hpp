// The features of the server. Each feature answers one kind of request and has a file in requests/.
#pragma once
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>

#include "language/server/session.hpp"

namespace trl::language_server {

/// A kind of request and the function that answers it.
struct Feature {
  std::string_view method;  ///< the request's method, such as "textDocument/hover"
  /// Answers a request. Throws RequestError if it can't be answered.
  nlohmann::json (*answer)(Session& session, const nlohmann::json& params);
  std::string_view
      capability;  ///< the key in the server's capabilities, such as "hoverProvider"; may be empty
  /// Returns the capability's value; if null, the value is `true`.
  nlohmann::json (*options)() = nullptr;
};

namespace features {
extern const Feature code_action, code_lens, completion, definition, document_highlight, document_link,
    document_symbol, folding_range, formatting, hover, inlay_hint, prepare_rename, range_formatting,
    references, rename, selection_range, semantic_tokens, semantic_tokens_delta, semantic_tokens_range,
    signature_help, text_document_content, workspace_symbol;
}  // namespace features

/// All features, sorted by name.
std::span<const Feature* const> all_features();

}  // namespace trl::language_server
