// Adds special tokens around the tokens of a text, such as <s> at the beginning: `post_processor` of
// tokenizer.json.
#pragma once

#include <vector>

#include "runtime/tokenizer/component.hpp"
#include "runtime/tokenizer/token.hpp"

namespace trl::runtime {

class PostProcessor {
 public:
  PostProcessor() = default;
  /// Reads TemplateProcessing of one text, ByteLevel (which changes no tokens), or a Sequence of these.
  /// Throws UserError for other post-processors.
  explicit PostProcessor(Component component) { read(component); }

  /// Returns the tokens with the special tokens around them.
  std::vector<Token> apply(std::vector<Token> tokens) const;

 private:
  struct Template {
    std::vector<Token> before, after;
  };
  void read(Component& component);

  std::vector<Template> templates_;
};

}  // namespace trl::runtime
