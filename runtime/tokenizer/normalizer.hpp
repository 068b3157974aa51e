// The changes to a text before it is split: tokenizer.json's `normalizer`.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "runtime/tokenizer/component.hpp"
#include "runtime/tokenizer/regular_expression.hpp"
#include "runtime/tokenizer/unicode.hpp"

namespace trl::runtime {

class Normalizer {
 public:
  Normalizer() = default;
  /// Reads NFC, NFD, NFKC, NFKD, Prepend, Replace, Strip, or a Sequence of these. Throws UserError for other
  /// normalizers.
  explicit Normalizer(Component component) { read(component); }

  bool empty() const { return steps_.empty(); }

  /// Returns the normalised text. Bytes that aren't UTF-8 are kept; for normal forms they separate the text
  /// into parts.
  std::string apply(std::string_view text) const;

 private:
  struct Prepend {
    std::string text;
  };
  struct Replace {
    RegularExpression pattern;
    std::string content;
  };
  struct Strip {
    bool left, right;
  };
  using Step = std::variant<NormalForm, Prepend, Replace, Strip>;

  void read(Component& component);

  std::vector<Step> steps_;
};

/// Reads the field `pattern`, which is {"String": …} or {"Regex": …}. Throws UserError naming the component.
RegularExpression read_pattern(Component& component);

/// Return the text without white space (`is_white_space`) at its beginning or, respectively, at its end.
std::string_view without_leading_space(std::string_view text);
std::string_view without_trailing_space(std::string_view text);

}  // namespace trl::runtime
