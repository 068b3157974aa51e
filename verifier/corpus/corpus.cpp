#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <map>
#include <set>

#include "base/operators/overlap.hpp"
#include "base/stage/stage.hpp"
#include "base/support/asking.hpp"
#include "base/support/error.hpp"
#include "base/support/files.hpp"
#include "base/support/random.hpp"
#include "verifier/corpus/answer.hpp"
#include "verifier/corpus/chain.hpp"
#include "verifier/corpus/coverage.hpp"
#include "verifier/tasks/prompt.hpp"

namespace trl::runtime {
namespace {

using nlohmann::json;

/// Writes the rows of a corpus and collects its manifest.
class Corpus {
 public:
  explicit Corpus(Stage& stage)
      : stage_(stage),
        flawed_(stage.spec.at("flawed").get<double>()),
        seed_(stage.spec.at("seed").is_string() ? stage.spec["seed"].get<std::string>()
                                                : stage.spec["seed"].dump()),
        language_(language_of(stage.spec)),
        template_(stage.spec.value("prompt", "")),
        rows_(stage.output / "samples.jsonl") {
    if (!rows_) throw DiskError("write", stage.output / "samples.jsonl", errno);
    if (!(flawed_ >= 0 && flawed_ <= 1))
      throw UserError(fmt::format("`flawed` is {}, and a share lies between 0 and 1", flawed_),
                      "set it to a number from 0 to 1, or a percentage");
  }

  void add(const Task& task, const std::string& group, std::int64_t sample, std::int64_t total) {
    refuse_beyond(task.value);
    RandomStream random(fmt::format("{}/corpus/{}/0/{}", seed_, task.key, sample));
    const Style style = Style::draw(random);
    const Flaw flaw = random.uniform() < flawed_ ? draw_flaw(task, random, language_) : Flaw::None;
    json row = {{"task", task.name},
                {"group", group},
                {"key", task.key},
                {"prompt", asked(template_, prompt(task, language_))},
                {"answer", answer(task, style, flaw, language_)},
                {"flaw", nullptr}};
    if (flaw != Flaw::None) row["flaw"] = flaw_name(flaw, language_);
    rows_ << row.dump() << '\n';
    if (!rows_) throw DiskError("write", stage_.output / "samples.jsonl", errno);
    keys_.insert(task.key);
    for (const auto& [op, count] : count_operators(task.value)) operators_[op] += count;
    for (const auto& [first, second] : neighbours(task.value))
      pairs_.insert(name_of(first) + " > " + name_of(second));
    if (++count_ % 256 == 0 || count_ == total) {
      stage_.check_cancelled();
      stage_.progress(count_, total, "samples");
    }
  }

  json finish() {
    errno = 0;
    rows_.close();
    if (!rows_) throw DiskError("write", stage_.output / "samples.jsonl", errno);
    const json manifest = {{"rows", count_}, {"keys", keys_}, {"operators", operators_}, {"pairs", pairs_}};
    write_text(stage_.output / "manifest.json", manifest.dump() + '\n');
    return {{"rows", count_}};
  }

  const std::string& seed() const { return seed_; }

 private:
  Stage& stage_;
  double flawed_;
  std::string seed_;
  KernelLanguage language_;
  std::string template_;  // of prompts
  std::ofstream rows_;
  std::int64_t count_ = 0;
  std::set<std::string> keys_, pairs_;
  std::map<std::string, int> operators_;
};

/// Draws `count` tasks of each group. Each round of draws goes through all of a group's tasks in a new random
/// order.
void from_suites(Stage& stage, Corpus& corpus) {
  std::map<std::string, std::vector<Task>> groups;
  for (const json& object : stage.spec.at("tasks")) {
    Task task = Task::parse(object);
    groups[task.suite].push_back(std::move(task));
  }
  std::int64_t total = 0;
  for (const auto& [group, count] : stage.spec.at("samples").items()) {
    if (count.get<std::int64_t>() > 0 && !groups.contains(group))
      throw UserError(fmt::format("the corpus wants samples of {}, and no task of it is left", group),
                      "exclude fewer tasks, or take no samples of this group");
    total += count.get<std::int64_t>();
  }
  for (const auto& [group, wanted] : stage.spec["samples"].items()) {
    std::vector<Task>& tasks = groups[group];
    RandomStream order(fmt::format("{}/corpus order/{}/0/0", corpus.seed(), group));
    for (std::int64_t i = 0; i < wanted.get<std::int64_t>(); ++i) {
      const std::size_t place = static_cast<std::size_t>(i) % tasks.size();
      if (place == 0)
        for (std::size_t k = tasks.size(); k > 1; --k) std::swap(tasks[k - 1], tasks[order.below(k)]);
      corpus.add(tasks[place], group, i, total);
    }
  }
}

void from_chains(Stage& stage, Corpus& corpus) {
  const auto total = stage.spec.at("samples").get<std::int64_t>();
  ChainShape shape{2, stage.spec.value("longest", 8), {}};
  for (const json& pair : stage.spec.value("unseen_pairs", json::array()))
    shape.unseen.emplace(parse_operator(pair.at(0).get<std::string>()),
                         parse_operator(pair.at(1).get<std::string>()));
  if (shape.longest < shape.shortest)
    throw UserError(fmt::format("`longest` is {}, and a chain has at least two operators", shape.longest),
                    "set it to 2 or more");
  std::set<std::string> excluded;
  for (const json& key : stage.spec.value("exclude_keys", json::array()))
    excluded.insert(key.get<std::string>());
  operators::Functions functions;
  if (stage.spec.value("exclude_spellings", false))
    for (const std::string& key : excluded) functions.add(key);
  const auto is_excluded = [&](const Task& task) {
    return excluded.contains(task.key) || functions.find(task.key);
  };
  for (std::int64_t i = 0; i < total; ++i) {
    RandomStream random(fmt::format("{}/chains//0/{}", corpus.seed(), i));
    Task task = random_chain(random, shape);
    for (int attempt = 0; is_excluded(task); ++attempt) {
      if (attempt == 10000)
        throw UserError("every chain that is drawn is excluded",
                        "allow longer chains, or exclude fewer keys");
      task = random_chain(random, shape);
    }
    corpus.add(task, "chains", i, total);
  }
}

}  // namespace

nlohmann::json run_corpus(Stage& stage) {
  try {
    Corpus corpus(stage);
    const std::string source = stage.spec.at("source").get<std::string>();
    if (source == "suites")
      from_suites(stage, corpus);
    else if (source == "chains")
      from_chains(stage, corpus);
    else
      throw UserError(fmt::format("no corpus source is called \"{}\"", source), "sources: suites, chains");
    return corpus.finish();
  } catch (const json::exception& error) {
    throw UserError(fmt::format("the corpus stage's spec is malformed: {}", error.what()),
                    "docs/interfaces.md, 3, describes it");
  }
}

}  // namespace trl::runtime
