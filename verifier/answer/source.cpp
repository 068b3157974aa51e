#include "verifier/answer/source.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "verifier/answer/fences.hpp"

namespace trl::runtime {
namespace {

using answers::Fence;
using answers::find_fences;
using answers::find_quotations;
using answers::language_of;
using answers::Quotation;
using answers::quotation_at;
using Language = Source::Language;

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF", blanks = " \t\r\n";

struct Block {
  Fence opening;
  std::size_t end;  // the end of the block's text, which begins with the line after the fence
  bool complete;    // whether a fence closes the block
};

// In an answer with more fences than people write, no fence is taken as quoted, so that reading any answer
// takes moderate time.
constexpr std::size_t most_quoting_fences = 100;

// Whether a fence is part of a program's text instead of the answer's Markdown. A text of several lines (a
// Python string or a C++ comment) quotes the fences in it, unless a fence with a tag stands in it while a
// block is open: then the text's beginning and end belong to two programs, of which the first was cut off.
bool is_quoted(const Fence& fence, const std::vector<Fence>& fences,
               const std::vector<Quotation>& quotations) {
  if (fences.size() > most_quoting_fences) return false;
  const Quotation* const around = quotation_at(quotations, fence.at);
  if (around == nullptr || around->kind != Quotation::Kind::long_text) return around != nullptr;
  bool open = false;
  for (const Fence& one : fences) {
    if (one.behind_words || one.at <= around->begin || one.at >= around->end) continue;
    const bool bare = one.tag.find_first_not_of(blanks) == std::string_view::npos || one.next > around->end;
    if (open && !bare) return false;
    open = !open;
  }
  return true;
}

bool contains(std::string_view text, std::string_view what) {
  return text.find(what) != std::string_view::npos;
}

// Finds fenced blocks. A block goes from the line after a fence to the next fence that the block's program
// doesn't quote, or to the end of an answer that was cut off. If another block begins before that fence, the
// first block was cut off, too.
std::vector<Block> find_blocks(std::string_view answer, const std::vector<Fence>& fences) {
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < fences.size();) {
    const Fence& opening = fences[i++];
    if (!opening.opens()) continue;
    std::vector<Quotation> quotations;
    if (fences.size() <= most_quoting_fences)
      quotations =
          find_quotations(answer, opening.next, language_of(answer.substr(opening.next), opening.tag));
    const auto ends_here = [&](const Fence& one) {
      return one.closes(opening) && (one.bare() || one.opens()) && !is_quoted(one, fences, quotations);
    };
    while (i < fences.size() && !ends_here(fences[i])) ++i;
    const bool ended = i < fences.size();
    const std::size_t end = !ended                                       ? answer.size()
                            : fences[i].behind_words && fences[i].bare() ? fences[i].at
                                                                         : fences[i].begin;
    const bool complete = ended && fences[i].bare();
    if (complete) ++i;
    blocks.push_back({opening, std::max(opening.next, end), complete});
  }
  return blocks;
}

// Whether a line of a text looks like the definition of a candidate. A line that begins within a comment or a
// literal doesn't count.
bool defines_candidate(std::string_view text, const std::vector<Quotation>& quotations, Language language) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    const bool quoted = quotation_at(quotations, at) != nullptr;
    line.remove_prefix(std::min(line.find_first_not_of(" \t>"), line.size()));
    if (!quoted &&
        (language == Language::cuda ? contains(line, "__global__")
                                    : line.starts_with("class ModelNew") ||
                                          line.starts_with("def ModelNew") || line.starts_with("ModelNew =")))
      return true;
    at = end + 1;
  }
  return false;
}

// Whether an answer as a whole is a program, which quotes every fence in it. (In prose, an apostrophe begins
// no literal.)
bool is_bare(std::string_view answer, const std::vector<Fence>& fences) {
  if (fences.size() > most_quoting_fences) return false;
  const Language language = language_of(answer, "");
  const auto quotations = find_quotations(answer, 0, language);
  return std::all_of(fences.begin(), fences.end(),
                     [&](const Fence& one) {
                       const Quotation* const around = quotation_at(quotations, one.at);
                       return around != nullptr && around->kind != Quotation::Kind::literal &&
                              is_quoted(one, fences, quotations);
                     }) &&
         defines_candidate(answer, quotations, language);
}

// Returns the block with the answer's program; nothing if the answer has no block, or if the answer as a
// whole is a program.
std::optional<Block> program_block(std::string_view answer) {
  const std::vector<Fence> fences = find_fences(answer);
  if (fences.empty() || is_bare(answer, fences)) return std::nullopt;
  const std::vector<Block> blocks = find_blocks(answer, fences);
  if (blocks.empty()) return std::nullopt;
  const auto last = [&](const auto& wanted) { return std::find_if(blocks.rbegin(), blocks.rend(), wanted); };
  const auto text_of = [&](const Block& block) {
    return answer.substr(block.opening.next, block.end - block.opening.next);
  };
  const auto is = [&](const Block& block, Language language) {
    return language_of(text_of(block), block.opening.tag) == language;
  };
  const auto defines = [&](const Block& block, Language language) {
    return is(block, language) &&
           defines_candidate(text_of(block), find_quotations(text_of(block), 0, language), language);
  };
  auto chosen = blocks.rend();
  for (const Language language : {Language::python, Language::cuda}) {
    if (chosen == blocks.rend())
      chosen = last([&](const Block& block) { return block.complete && defines(block, language); });
    if (chosen == blocks.rend()) chosen = last([&](const Block& block) { return defines(block, language); });
    if (chosen == blocks.rend() && language == Language::python)
      chosen = last(
          [&](const Block& block) { return is(block, language) && contains(text_of(block), "ModelNew"); });
  }
  if (chosen == blocks.rend()) chosen = blocks.rbegin();
  return *chosen;
}

// For a model whose messages go over channels: returns the offset at which the answer begins behind the
// reasoning. That is behind the last beginning of the final channel; if there is no final channel, behind the
// last message, or at the end of a message that was cut off. Nothing for texts without channels.
std::optional<std::size_t> end_of_channels(std::string_view text) {
  constexpr std::string_view channel = "<|channel|>", final = "<|channel|>final", message = "<|message|>",
                             end = "<|end|>";
  constexpr std::size_t longest_header = 64;  // the text between the two: the type of the content
  if (const std::size_t at = text.rfind(final); at != std::string_view::npos)
    if (const std::size_t begin = text.substr(at, longest_header).find(message);
        begin != std::string_view::npos)
      return at + begin + message.size();
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos || !text.substr(first).starts_with(channel)) return std::nullopt;
  const std::size_t at = text.rfind(end);
  return at == std::string_view::npos ? text.size() : at + end.size();
}

// The tags around models' reasoning: the tags of Qwen, DeepSeek and many others; the tags of models that are
// told to reason; and the tags of Mistral's, ByteDance's, Moonshot's and Cohere's models.
struct ReasoningTags {
  std::string_view opening, closing;
};
constexpr ReasoningTags reasoning_tags[] = {{"<think>", "</think>"},
                                            {"<thinking>", "</thinking>"},
                                            {"<thought>", "</thought>"},
                                            {"<reasoning>", "</reasoning>"},
                                            {"[THINK]", "[/THINK]"},
                                            {"<seed:think>", "</seed:think>"},
                                            {"\u25c1think\u25b7", "\u25c1/think\u25b7"},
                                            {"<|START_THINKING|>", "<|END_THINKING|>"}};

// Returns the offset at which the answer begins behind reasoning between these tags: after the last closing
// tag, or at the end of a text that begins with the opening tag and never closes it. Some chat templates
// write the opening tag themselves, so the text may lack it. A program may mention the closing tag, so in
// such a text the closing tag only counts outside of blocks and with something like code behind it. Returns 0
// if there is no such reasoning.
std::size_t end_of_reasoning(std::string_view text, const ReasoningTags& tags) {
  const std::size_t first = text.find_first_not_of(blanks);
  const bool opened = first != std::string_view::npos && text.substr(first).starts_with(tags.opening);
  const std::size_t closed = text.rfind(tags.closing);
  if (closed == std::string_view::npos) return opened ? text.size() : 0;
  const std::size_t end = closed + tags.closing.size();
  const std::string_view rest = text.substr(end);
  const std::vector<Block> before = find_blocks(text.substr(0, closed), find_fences(text.substr(0, closed)));
  const bool within_block = !before.empty() && !before.back().complete;
  const bool has_code =
      contains(rest, "class ModelNew") || contains(rest, "__global__") || !find_fences(rest).empty();
  return opened || (has_code && !within_block) ? end : 0;
}

// Returns the offset at which the answer begins behind a model's reasoning.
std::size_t end_of_reasoning(std::string_view text) {
  if (const auto end = end_of_channels(text)) return *end;
  for (const auto& tags : reasoning_tags)
    if (const std::size_t end = end_of_reasoning(text, tags); end > 0) return end;
  return 0;
}

// Returns a text without the byte-order mark at its beginning.
std::string_view without_mark(std::string_view text) {
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  return text;
}

// Returns the blanks before the text of the first line that isn't blank.
std::string_view first_indentation(std::string_view text) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  const std::size_t line = text.find_last_of('\n', first);
  const std::size_t begin = line == std::string_view::npos ? 0 : line + 1;
  return text.substr(begin, first - begin);
}

// Returns a text without an indentation; nothing unless every line that isn't blank begins with it. Lines
// that begin within a comment or a literal needn't.
std::optional<std::string> without_indentation(std::string_view text, std::string_view indentation,
                                               const std::vector<Quotation>& quotations) {
  const bool quoted = contains(indentation, ">");
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t next = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::string_view line = text.substr(at, next - at);
    const std::size_t content = std::min(line.find_first_not_of(quoted ? "> \t\r\n" : blanks), line.size());
    const bool indented = line.starts_with(indentation), blank = content == line.size();
    if (!indented && !blank && quotation_at(quotations, at) == nullptr) return std::nullopt;
    result += indented ? line.substr(indentation.size())
              : blank  ? line.substr(std::min(line.find_first_of("\r\n"), line.size()))
                       : line;
    at = next;
  }
  return result;
}

// Returns a block's text without the marks of a list or a quotation before its lines, and without
// indentation.
std::string dedented(std::string_view text, const Fence& opening, Language language) {
  const auto without = [&](std::string_view from, std::string_view indentation) {
    return indentation.empty() ? std::nullopt
                               : without_indentation(from, indentation, find_quotations(from, 0, language));
  };
  std::string program = without(text, opening.indentation()).value_or(std::string(text));
  return without(program, first_indentation(program)).value_or(program);
}

// Returns a text without the tags <answer> that may stand around the program instead of fences, and without
// the token that ends a message.
std::string_view unwrapped(std::string_view text) {
  constexpr std::string_view opening = "<answer>\n", closing = "\n</answer>";
  if (const std::size_t begin = text.find(opening);
      begin != std::string_view::npos && (begin == 0 || text[begin - 1] == '\n'))
    text.remove_prefix(begin + opening.size());
  if (const std::size_t end = text.rfind(closing); end != std::string_view::npos)
    text = text.substr(0, end + 1);
  const std::size_t last = text.find_last_not_of(blanks);
  if (last != std::string_view::npos && text.substr(0, last + 1).ends_with("|>"))
    text = text.substr(0, text.rfind("<|"));
  return text;
}

}  // namespace

Source extract_source(const std::string& whole) {
  const std::string_view text = without_mark(whole);
  const std::string_view answer = text.substr(end_of_reasoning(text));
  const auto block = program_block(answer);
  std::string_view program = unwrapped(answer);
  if (block) program = answer.substr(block->opening.next, block->end - block->opening.next);
  program = without_mark(program);
  const Language language = language_of(program, block ? block->opening.tag : "");
  const auto lines = std::count(whole.data(), program.data(), '\n');
  std::string placed(static_cast<std::size_t>(lines), '\n');
  return {placed.append(block ? dedented(program, block->opening, language) : program), language};
}

bool ends_after_program(const std::string& whole) {
  const std::string_view text = without_mark(whole);
  const auto block = program_block(text.substr(end_of_reasoning(text)));
  return block && block->complete;
}

std::size_t bytes_of_plan(std::string_view whole) {
  const std::string_view text = without_mark(whole);
  const std::size_t reasoning = end_of_reasoning(text), begin = whole.size() - text.size() + reasoning;
  const auto block = program_block(whole.substr(begin));
  if (!block) return reasoning == 0 ? 0 : begin;
  return begin + (block->opening.behind_words ? block->opening.at : block->opening.begin);
}

}  // namespace trl::runtime
