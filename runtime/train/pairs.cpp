// Takes pairs from a data set: of each level, the first pairs that fit into the model's context.
#include <fmt/format.h>

#include <cerrno>
#include <fstream>

#include "base/contract/stages/corpus.hpp"
#include "base/stage/contract.hpp"
#include "base/stage/stage.hpp"
#include "base/support/asking.hpp"
#include "base/support/error.hpp"
#include "base/support/files.hpp"
#include "base/support/json_text.hpp"
#include "runtime/model/config.hpp"
#include "runtime/train/documents.hpp"

namespace trl::runtime {
namespace {

using nlohmann::json;

/// The numbers of pairs that are still to be taken, by level. "any" takes the pairs that their own level
/// doesn't take.
class Wanted {
 public:
  explicit Wanted(std::map<std::string, std::int64_t> samples) : left_(std::move(samples)) {
    for (const auto& [level, count] : left_) all_ += count;
  }

  /// Returns the name of the entry that takes a pair of this level: "level1" or "any"; empty if none does.
  std::string taker_of(const std::string& level) const {
    for (const std::string& name : {level, std::string("any")})
      if (const auto at = left_.find(name); at != left_.end() && at->second > 0) return name;
    return {};
  }
  void take(const std::string& taker) { --left_.at(taker), ++taken_; }
  bool done() const { return taken_ == all_; }
  std::int64_t taken() const { return taken_; }
  std::int64_t all() const { return all_; }

  /// Describes the pairs that are still missing: "3 more of level1, 5 more of any".
  std::string lacking() const {
    std::string text;
    for (const auto& [level, count] : left_)
      if (count > 0) text += fmt::format("{}{} more of {}", text.empty() ? "" : ", ", count, level);
    return text;
  }

 private:
  std::map<std::string, std::int64_t> left_;
  std::int64_t all_ = 0, taken_ = 0;
};

}  // namespace

json run_pairs_corpus(Stage& stage) {
  const auto spec = spec_as<contract::PairsCorpusSpec>(stage.spec);
  const auto& folder = stage.input("model");
  const auto config = read_config(folder);
  const auto tokenizer = Tokenizer::load(folder / "tokenizer.json");
  const auto format = format_of(folder, config, tokenizer);
  const auto longest =
      static_cast<std::size_t>(std::min(spec.longest.value_or(config.context), config.context));
  const auto file = stage.output / "samples.jsonl";
  std::ofstream rows(file);
  if (!rows) throw DiskError("write", file, errno);
  Wanted wanted(spec.samples);
  std::int64_t seen = 0, too_long = 0;
  std::size_t tokens = 0;
  std::map<std::string, std::int64_t> levels;
  for_each_row(stage.input("pairs") / "pairs.jsonl", [&](const json& pair) {
    if (++seen % 64 == 0) stage.check_cancelled();
    if (wanted.done()) return;
    const std::string level = fmt::format("level{}", pair.at("level").get<int>());
    const std::string taker = wanted.taker_of(level);
    if (taker.empty()) return;
    const std::string prompt = asked(spec.prompt, pair.at("prompt"));
    const auto document = make_document(*format, prompt, pair.at("answer"));
    if (document.tokens.size() > longest) {
      ++too_long;
      return;
    }
    rows << json{{"task", pair.at("task")},     {"group", level}, {"key", pair.at("key")}, {"prompt", prompt},
                 {"answer", pair.at("answer")}, {"flaw", nullptr}}
                .dump()
         << '\n';
    wanted.take(taker);
    ++levels[level];
    tokens += document.tokens.size();
    if (wanted.taken() % 64 == 0 || wanted.done()) stage.progress(wanted.taken(), wanted.all(), "samples");
  });
  if (!wanted.done())
    throw UserError(fmt::format("of {} pairs {} are longer than {} tokens, and {} are lacking", seen,
                                too_long, longest, wanted.lacking()),
                    "ask for fewer, allow longer ones, or more licences");
  errno = 0;
  rows.close();
  if (!rows) throw DiskError("write", file, errno);
  const json manifest = {{"rows", wanted.taken()},
                         {"levels", levels},
                         {"tokens", tokens},
                         {"too_long", too_long},
                         {"longest", longest}};
  write_text(stage.output / "manifest.json", manifest.dump() + '\n');
  return {{"rows", wanted.taken()}, {"levels", levels}, {"tokens", tokens}, {"too_long", too_long}};
}

}  // namespace trl::runtime
