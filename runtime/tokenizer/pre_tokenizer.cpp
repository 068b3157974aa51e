#include "runtime/tokenizer/pre_tokenizer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/tokenizer/normalizer.hpp"

namespace trl::runtime {

const char* const kByteLevelPattern =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

PreTokenizer PreTokenizer::byte_level() {
  PreTokenizer made;
  made.steps_.push_back(Split{RegularExpression(kByteLevelPattern), Behavior::Isolated, false});
  made.bytes_ = true;
  return made;
}

void PreTokenizer::read(Component& component) {
  const std::string type = component.type();
  if (bytes_) component.refuse(fmt::format("{} after ByteLevel", type));
  if (type == "Sequence") {
    for (Component& part : component.list("pretokenizers")) read(part);
  } else if (type == "ByteLevel") {
    component.ignore("trim_offsets");  // offsets aren't told here
    if (component.boolean("add_prefix_space")) steps_.emplace_back(PrefixSpace{});
    if (component.boolean("use_regex", true))
      steps_.push_back(Split{RegularExpression(kByteLevelPattern), Behavior::Isolated, false});
    bytes_ = true;
  } else if (type == "Split") {
    auto pattern = read_pattern(component);
    const std::string name = component.text("behavior");
    static constexpr const char* kNames[] = {"Removed", "Isolated", "MergedWithPrevious", "MergedWithNext",
                                             "Contiguous"};
    const auto found = std::find(std::begin(kNames), std::end(kNames), name);
    if (found == std::end(kNames)) component.refuse(fmt::format("the behavior {} is not supported", name));
    steps_.push_back(Split{std::move(pattern), static_cast<Behavior>(found - std::begin(kNames)),
                           component.boolean("invert")});
  } else if (type == "Digits") {
    steps_.push_back(Split{RegularExpression::digit(),
                           component.boolean("individual_digits") ? Behavior::Isolated : Behavior::Contiguous,
                           false});
  } else if (type == "WhitespaceSplit") {
    steps_.push_back(Split{RegularExpression("\\s"), Behavior::Removed, false});
  } else if (type == "Metaspace") {
    const std::string replacement = utf8(component.character("replacement"));
    const std::string scheme =
        component.optional("prepend_scheme") ? component.text("prepend_scheme") : "always";
    auto prepend = Metaspace::Prepend::always;
    if (scheme == "first")
      prepend = Metaspace::Prepend::first;
    else if (scheme == "never")
      prepend = Metaspace::Prepend::never;
    else if (scheme != "always")
      component.refuse(fmt::format("the prepend_scheme {} is not supported", scheme));
    if (!component.boolean("add_prefix_space", true)) {
      // tokenizers refuses this, too.
      if (prepend != Metaspace::Prepend::never)
        component.refuse("add_prefix_space is false, but prepend_scheme is not never");
    }
    component.ignore("str_rep");
    steps_.push_back(Metaspace{prepend, replacement});
    if (component.boolean("split", true))
      steps_.push_back(Split{RegularExpression::literal(replacement), Behavior::MergedWithNext, false});
  } else {
    component.refuse(fmt::format("the pre_tokenizer {} is not supported", type));
  }
  component.finish();
}

bool PreTokenizer::depends_on_start() const {
  return std::any_of(steps_.begin(), steps_.end(), [](const Step& step) {
    const auto* metaspace = std::get_if<Metaspace>(&step);
    return metaspace && metaspace->prepend == Metaspace::Prepend::first;
  });
}

void PreTokenizer::apply(const Split& split, Pieces& pieces) {
  pieces.all.clear();
  for (const auto& piece : pieces.previous) {
    split.pattern.find(piece.text, pieces.spans);
    const std::size_t first = pieces.all.size();
    const auto add = [&](std::size_t begin, std::size_t end) {
      pieces.all.push_back({piece.text.substr(begin, end - begin), piece.at_start && begin == 0});
    };
    // Extends the last piece of this text to `end`.
    const auto extend = [&](std::size_t end) {
      auto& last = pieces.all.back().text;
      last = {last.data(), static_cast<std::size_t>(piece.text.data() + end - last.data())};
    };
    bool previous = false;  // whether the span before was a match
    const auto& spans = pieces.spans;
    for (std::size_t i = 0; i < spans.size(); ++i) {
      const Span& span = spans[i];
      const bool match = span.match != split.invert;
      const bool any = pieces.all.size() > first;
      switch (split.behavior) {
        case Behavior::Removed:
          if (!match) add(span.begin, span.end);
          break;
        case Behavior::Isolated:
          add(span.begin, span.end);
          break;
        case Behavior::Contiguous:
          if (match == previous && any)
            extend(span.end);
          else
            add(span.begin, span.end);
          break;
        case Behavior::MergedWithPrevious:
          if (match && !previous && any)
            extend(span.end);
          else
            add(span.begin, span.end);
          break;
        case Behavior::MergedWithNext: {
          // A match is joined to the next span, unless that span is a match, too.
          const bool next_is_other = i + 1 < spans.size() && (spans[i + 1].match != split.invert) != match;
          if (match && next_is_other) {
            add(span.begin, spans[i + 1].end);
            ++i;
          } else {
            add(span.begin, span.end);
          }
          break;
        }
      }
      previous = match;
    }
  }
}

void PreTokenizer::split(std::string_view text, bool at_start, Pieces& pieces) const {
  pieces.all.clear();
  pieces.changed.clear();
  if (text.empty()) return;
  pieces.all.push_back({text, at_start});
  for (const Step& step : steps_) {
    if (const auto* split = std::get_if<Split>(&step)) {
      std::swap(pieces.all, pieces.previous);
      apply(*split, pieces);
      continue;
    }
    for (auto& piece : pieces.all) {
      if (const auto* metaspace = std::get_if<Metaspace>(&step)) {
        std::string& changed = pieces.changed.emplace_back();
        for (const char c : piece.text)
          if (c == ' ')
            changed += metaspace->replacement;
          else
            changed += c;
        const bool wanted = metaspace->prepend == Metaspace::Prepend::always ||
                            (metaspace->prepend == Metaspace::Prepend::first && piece.at_start);
        if (wanted && !changed.starts_with(metaspace->replacement)) changed.insert(0, metaspace->replacement);
        piece.text = changed;
      } else if (!piece.text.starts_with(' ')) {
        piece.text = pieces.changed.emplace_back(" " + std::string(piece.text));
      }
    }
  }
}

}  // namespace trl::runtime
