#include "language/format/alignment.hpp"

#include <algorithm>
#include <map>

namespace trl::language {
namespace {

bool begins_line(const Tokens& tokens, std::size_t i) { return i == 0 || tokens.all[i].newlines > 0; }

std::size_t usual_blanks(const Tokens& tokens, std::size_t i) {
  const Token &left = tokens.all[i - 1], &right = tokens.all[i];
  if (left.after == Beside::written || right.before == Beside::written) return right.blanks.size();
  if (left.after == Beside::none || right.before == Beside::none) return 0;
  return left.text == "{" && right.text == "}" ? 0 : 1;
}

/// A slot (see tokens.hpp) of an item, on the item's first line.
struct Place {
  std::size_t item = 0, token = 0;
};

class Aligner {
 public:
  explicit Aligner(const Tokens& tokens) : tokens_(tokens), blanks_(tokens.all.size(), 0) {
    for (std::size_t i = 1; i < blanks_.size(); ++i)
      if (!begins_line(tokens, i)) blanks_[i] = usual_blanks(tokens, i);
  }

  std::vector<std::size_t> run() {
    // A slot's column depends on the slots to its left, so `:` comes before `{` and `=`.
    for (const Slot slot : {Slot::base, Slot::block, Slot::value}) {
      runs_.clear();
      for (std::size_t i = 0; i < tokens_.all.size(); ++i) visit(i, slot);
      for (auto& [block, run] : runs_) finish(run);
    }
    return std::move(blanks_);
  }

 private:
  void visit(std::size_t i, Slot slot) {
    const Token& token = tokens_.all[i];
    if (token.of_block && (token.newlines > 1 || token.broken())) finish(runs_[token.block]);
    if (token.slot != slot || token.slot_of == Token::nothing) return;
    const std::size_t item = token.slot_of;
    if (!begins_line(tokens_, item)) return;
    for (std::size_t k = item + 1; k <= i; ++k)
      if (begins_line(tokens_, k)) return;
    runs_[tokens_.all[item].block].push_back({item, i});
  }

  /// Aligns neighbouring slots that the author wrote in one column, if at least one of them was padded with
  /// blanks to be there.
  void finish(std::vector<Place>& run) {
    std::map<std::size_t, std::vector<Place>> columns;
    for (const Place& place : run) columns[tokens_.all[place.token].column].push_back(place);
    for (const auto& [column, places] : columns) {
      const bool padded = std::any_of(places.begin(), places.end(),
                                      [&](const Place& p) { return width(tokens_.all[p.token].blanks) > 1; });
      if (places.size() < 2 || !padded) continue;
      std::size_t widest = 0;
      for (const Place& place : places) widest = std::max(widest, width_before(place));
      for (const Place& place : places) blanks_[place.token] = widest - width_before(place) + 1;
    }
    run.clear();
  }

  std::size_t width_before(const Place& place) const {
    std::size_t sum = tokens_.all[place.item].indent + width(tokens_.all[place.item].text);
    for (std::size_t k = place.item + 1; k < place.token; ++k) sum += blanks_[k] + width(tokens_.all[k].text);
    return sum;
  }

  const Tokens& tokens_;
  std::vector<std::size_t> blanks_;
  std::map<std::size_t, std::vector<Place>> runs_;  // the neighbouring slots so far, by block
};

}  // namespace

std::vector<std::size_t> blanks_before(const Tokens& tokens) { return Aligner(tokens).run(); }

}  // namespace trl::language
