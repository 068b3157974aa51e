#include "language/server/feature.hpp"

namespace trl::language_server {

std::span<const Feature* const> all_features() {
  static constexpr const Feature* all[] = {
      &features::code_action,
      &features::code_lens,
      &features::completion,
      &features::definition,
      &features::document_highlight,
      &features::document_link,
      &features::document_symbol,
      &features::folding_range,
      &features::formatting,
      &features::hover,
      &features::inlay_hint,
      &features::prepare_rename,
      &features::range_formatting,
      &features::references,
      &features::rename,
      &features::selection_range,
      &features::semantic_tokens,
      &features::semantic_tokens_delta,
      &features::semantic_tokens_range,
      &features::signature_help,
      &features::text_document_content,
      &features::workspace_symbol,
  };
  return all;
}

}  // namespace trl::language_server
