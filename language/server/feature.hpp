// The features of the server, one for each kind of request, each in a file of requests/.
#pragma once
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>

#include "language/server/session.hpp"

namespace trl::language_server {

/// A kind of request and the answer to it.
struct Feature {
  std::string_view method;  ///< "textDocument/hover"
  /// The answer to a request. Throws RequestError.
  nlohmann::json (*answer)(Session& session, const nlohmann::json& params);
  std::string_view capability;  ///< the key of the server's capabilities, "hoverProvider"; may be empty
  /// The capability's value, `true` where it is null.
  nlohmann::json (*options)() = nullptr;
};

namespace features {
extern const Feature code_action, code_lens, completion, definition, document_highlight, document_link,
    document_symbol, folding_range, formatting, hover, inlay_hint, prepare_rename, range_formatting,
    references, rename, selection_range, semantic_tokens, semantic_tokens_delta, semantic_tokens_range,
    signature_help, text_document_content, workspace_symbol;
}  // namespace features

/// All of them, in the order of their names.
std::span<const Feature* const> all_features();

}  // namespace trl::language_server
