#include "tests/language/mistakes.hpp"

#include <stdexcept>
#include <utility>

#include "language/program/program.hpp"

namespace trl::language::test {
namespace {

using Words = std::vector<std::pair<std::string, std::string>>;

std::size_t only(const std::string& text, const std::string& part) {
  const std::size_t at = text.find(part);
  if (at == std::string::npos || text.find(part, at + 1) != std::string::npos)
    throw std::logic_error("it must occur exactly once: " + part);
  return at;
}

/// A misspelling of a word; `way` selects the kind of slip.
std::string misspelt(const std::string& word, std::size_t way) {
  std::string out = word;
  const std::size_t middle = word.size() / 2;
  switch (way % 4) {
    case 0:  // two letters are swapped
      for (std::size_t i = middle; i + 1 < word.size(); ++i)
        if (word[i] != word[i + 1]) {
          std::swap(out[i], out[i + 1]);
          return out;
        }
      return out.erase(middle, 1);
    case 1:  // a letter is missing
      return out.erase(middle, 1);
    case 2:  // a letter is doubled
      return out.insert(middle, 1, word[middle]);
    default:  // a neighbouring key
      out[middle] = word[middle] == 'e' ? 'r' : word[middle] == 'o' ? 'p' : 'e';
      return out;
  }
}

class Maker {
 public:
  explicit Maker(std::string good) : good_(std::move(good)) {}

  /// `context` must occur once in the program; the last `word` in it is misspelt.
  void misspell(const std::string& kind, const std::string& rule, const Words& places) {
    for (const auto& [context, word] : places) {
      const std::size_t at = only(good_, context) + context.rfind(word);
      std::string changed = good_;
      changed.replace(at, word.size(), misspelt(word, way_++));
      out.push_back({kind, std::move(changed), at, rule, true, good_});
    }
  }

  /// Replaces `from` by `to`. The finding must begin at the `^` in `to`, which is removed. If `mendable`, the
  /// first fix must correct the mistake.
  void change(const std::string& kind, const std::string& rule, const std::string& from, std::string to,
              bool mendable = false) {
    const std::size_t begin = only(good_, from), caret = to.find('^');
    if (caret == std::string::npos) throw std::logic_error("no `^` in " + to);
    to.erase(caret, 1);
    std::string changed = good_;
    changed.replace(begin, from.size(), to);
    out.push_back({kind, std::move(changed), begin + caret, rule, mendable, ""});
  }

  /// Makes another change first, which isn't a mistake by itself.
  Maker& given(const std::string& from, const std::string& to) {
    if (base_.empty()) base_ = good_;
    good_.replace(only(good_, from), from.size(), to);
    return *this;
  }
  void again() { good_ = std::exchange(base_, {}); }

  std::vector<Mistake> out;

 private:
  std::string good_, base_;
  std::size_t way_ = 0;
};

void misspellings(Maker& m) {
  m.misspell("misspelt field", "unknown_field",
             {{"lora writer { rank", "rank"},
              {"dropout = 5%", "dropout"},
              {"precision = bf16", "precision"},
              {"variations = [", "variations"},
              {"failing {", "failing"},
              {"tiny = 0.5", "tiny"},
              {"trials = 50", "trials"},
              {"schedule = cosine", "schedule"},
              {"tasks = seen, rounds", "rounds"},
              {"candidates = 8", "candidates"},
              {"min_reward = 0.5", "min_reward"},
              {"keep_by = random", "keep_by"},
              {"evaluation exam { split", "split"},
              {"controls = [imitate", "controls"},
              {"contrast = inputs", "contrast"},
              {"columns = [", "columns"}});
  m.misspell("misspelt kind", "unknown_kind",
             {{"model base", "model"},
              {"lora writer", "lora"},
              {"split seen", "split"},
              {"extension pace", "extension"},
              {"train reinforce :", "train"},
              {"evaluation exam", "evaluation"},
              {"hypothesis inputs_help", "hypothesis"},
              {"plot learning", "plot"}});
  m.misspell("misspelt variant", "unknown_name",
             {{": multi_input", "multi_input"},
              {": staged_evaluation", "staged_evaluation"},
              {": adaptive_curriculum", "adaptive_curriculum"},
              {": calibrated_timing", "calibrated_timing"},
              {": best_of_n", "best_of_n"}});
  m.misspell("misspelt value", "unknown_name",
             {{"= bf16", "bf16"},
              {"schedule = cosine", "cosine"},
              {"targets = all_linear", "all_linear"},
              {"keep_by = random", "random"},
              {"expect = greater", "greater"},
              {"metric = correct", "correct"},
              {"y = reward", "reward"},
              {"cast(f16)", "f16"}});
  m.misspell("misspelt function", "unknown_name",
             {{"resize(150%)", "resize"},
              {"subsets(inputs", "subsets"},
              {"pass_at(1)", "pass_at"},
              {"min(accuracy", "min"},
              {"(accuracy(level1)", "accuracy"},
              {"windtunnel.corpus(", "corpus"}});
  m.misspell("misspelt name", "unknown_name",
             {{"tasks = seen", "seen"},
              {"split = held_out", "held_out"},
              {"adapter = writer", "writer"},
              {"train    = imitate", "imitate"},
              {"evaluate = exam", "exam"},
              {"of = ablation, contrast", "ablation"},
              {"contrast = inputs", "inputs"},
              {"unfiltered : reinforce", "reinforce"},
              {"ablation_full : ablation", "ablation"},
              {"(inputs, stages,", "stages"}});
  m.misspell("misspelt suite", "unknown_name",
             {{"windtunnel.level1[1..40]", "level1"},
              {"windtunnel.level2[61..100]", "level2"},
              {"accuracy(level1)", "level1"},
              {"    level1 = rest", "level1"}});
  m.misspell("misspelt argument", "unknown_field",
             {{"level1 = 150", "level1"}, {"flawed = 50%", "flawed"}, {"exclude = held_out", "exclude"}});
  m.misspell("misspelt member", "unknown_name",
             {{"if c.correct", "correct"}, {"min(c.speedup", "speedup"}, {"else c.credit", "credit"}});
  m.misspell("misspelt import", "unknown_import", {{"import windtunnel", "windtunnel"}});
  m.misspell("misspelt rule", "allow_unknown_rule", {{"allow(keeps_incorrect", "keeps_incorrect"}});
  m.misspell("misspelt path of an override", "unknown_field",
             {{"reinforce.tasks_per_round", "tasks_per_round"}});
  m.misspell("misspelt path of an override", "unknown_name", {{"override { reinforce", "reinforce"}});
}

void units_and_numbers(Maker& m) {
  m.change("wrong unit", "wrong_unit", "rank = 16", "rank = 16 ^GiB", true);
  m.change("wrong unit", "wrong_unit", "temperature = 0.8", "temperature = 0.8 ^s", true);
  m.change("wrong unit", "wrong_unit", "warmup = 10, trials", "warmup = 10 ^ms, trials");
  m.change("wrong unit", "wrong_unit", "dropout = 5%", "dropout = 5 ^usd");
  m.change("wrong unit", "wrong_unit", "batch = 16, learning_rate", "batch = 16 ^%, learning_rate", true);
  m.change("misspelt unit", "syntax", "max_tokens = 768\n  learning", "max_tokens = 768 ^token\n  learning",
           true);
  m.change("number for percent", "out_of_range", "dropout = 5%", "dropout = ^5", true);
  m.change("number for percent", "out_of_range", "flawed = 50%", "flawed = ^50", true);
  m.change("number for percent", "out_of_range", "warmup = 10%", "warmup = ^10", true);
  m.change("number for percent", "out_of_range", "trim = 10%", "trim = ^10", true);
  m.change("number for percent", "out_of_range", "min_reward = 0.5", "min_reward = ^50", true);
  m.change("out of range", "out_of_range", "rank = 16", "rank = ^0");
  m.change("out of range", "out_of_range", "rounds = 2,", "rounds = ^0,");
  m.change("out of range", "out_of_range", "temperature = 0.8", "temperature = ^-1");
  m.change("out of range", "out_of_range", "trim = 10%", "trim = ^60%");
  m.change("out of range", "out_of_range", "pass_at(1)", "pass_at(^0)");
  m.change("not an integer", "wrong_type", "keep = 3", "keep = ^2.5");
  m.change("not an integer", "wrong_type", "epochs = 1", "epochs = ^1.5");
}

void sets(Maker& m) {
  m.change("swapped range", "empty_split", "level1[1..40]", "level1[^40..1]", true);
  m.change("swapped range", "empty_split", "level1[41..60]", "level1[^60..41]", true);
  m.change("swapped range", "empty_split", "level2[61..100]", "level2[^100..61]", true);
  m.change("swapped range", "out_of_range", "seeds = 1..5", "seeds = ^5..1", true);
  m.change("id outside the suite", "range_outside_suite", "level2[61..100]", "level2[^61..101]", true);
  m.change("id outside the suite", "range_outside_suite", "level2[61..100]", "level2[^100..119]", true);
  m.change("id outside the suite", "range_outside_suite", "level1[1..40]", "level1[^0..39]", true);
  m.change("id outside the suite", "range_outside_suite", "level1[41..60]", "level1[41..60, ^61]");
  m.change("overlap of exam and training", "exam_overlap", "split = held_out", "split = ^seen");
  m.given("level1[41..60]", "level1[40..60]")
      .change("overlap of exam and training", "exam_overlap", "split = held_out", "split = ^held_out");
  m.again();
  m.given(", exclude = held_out", "")
      .change("overlap of exam and training", "exam_overlap", "data = windtunnel.corpus",
              "data = ^windtunnel.corpus");
  m.again();
  m.change("a task twice", "duplicate_task", "level1[1..40] + windtunnel.level2[1..60]",
           "level1[1..40] + ^windtunnel.level1[40..50]");
  m.given(", exclude = held_out", ", exclude = seen")
      .change("training left out in place of the exam", "exam_overlap", "data = windtunnel.corpus",
              "data = ^windtunnel.corpus", true);
  m.again();
  m.change("a difference of nothing", "empty_difference",
           "windtunnel.level1[41..60] + windtunnel.level2[61..100]",
           "windtunnel.level2[61..100] - ^windtunnel.level1[41..60]", true);
  m.change("a sample larger than its set", "sample_too_large", "windtunnel.level1[41..60] +",
           "sample(windtunnel.level1[41..60], n = ^30, seed = 1) +", true);
  m.change("a condition of no task", "empty_split", "windtunnel.level1[41..60] +",
           "where(windtunnel.level1[41..60], ^operators > 8) +");
  m.change("a misspelt property", "unknown_name", "windtunnel.level1[41..60] +",
           "where(windtunnel.level1[41..60], ^operater > 1) +", true);
}

void types_and_names(Maker& m) {
  m.change("missing field", "missing_field", "model base {\n  weights   = windtunnel.base ",
           "model ^base {\n ");
  m.change("missing field", "missing_field", "evaluation exam { split = held_out, ", "evaluation ^exam { ");
  m.change("missing field", "missing_field", "  tasks = seen, rounds", "  rounds^", false);
  m.out.back().at = m.out.back().program.find("reinforce : best_of_n");
  m.change("missing field", "missing_field", "plot learning { of = ablation, ", "plot ^learning { ");
  m.change("missing field", "missing_field", "experiment ablation {\n  model    = base, adapter",
           "experiment ^ablation {\n  adapter");
  m.change("missing field", "missing_field", ", adapter = writer\n", "\n^", false);
  m.out.back().at = m.out.back().program.find("ablation {\n  model");
  m.change("missing variant", "missing_field", "train imitate : sft {", "train ^imitate {");
  m.change("missing argument", "missing_field", "scale(2)", "^scale()");
  m.change("text for a number", "wrong_type", "rank = 16", "rank = ^\"16\"", true);
  m.change("text for a name", "wrong_type", "precision = bf16", "precision = ^\"bf16\"", true);
  m.change("a list for one", "wrong_type", "temperature = 0.8", "temperature = ^[0.8, 1.0]");
  m.change("a block for a value", "wrong_type", "adapter = writer\n", "^adapter { rank = 8 }\n");
  m.change("a value for a block", "wrong_type",
           "failing { syntax = 0, compile = 0.3, tiny = 0.5, full = 0.7 }", "^failing = 0.7");
  m.change("a name of another kind", "wrong_type", "model    = base", "model    = ^writer", true);
  m.change("a name of another kind", "wrong_type", "evaluate = exam", "evaluate = ^held_out", true);
  m.change("a name of another kind", "wrong_type", "tasks = seen", "tasks = ^imitate");
  m.change("a base of another kind", "wrong_type", "unfiltered : reinforce", "unfiltered : ^writer");
  m.change("a function of another type", "wrong_type", "weights   = windtunnel.base ",
           "weights   = ^scale(2) ");
  m.change("a field of another variant", "unknown_field", "warmup = 10, trials",
           "^variations = [original], trials");
  m.change("an argument too many", "wrong_type", "resize(150%)", "resize(150%, ^2)");
  m.change("an argument twice", "duplicate_name", "level2 = 50", "level2 = 50, ^level2 = 60", true);
  m.change("a field twice", "duplicate_name", "rank = 16,", "rank = 16, ^rank = 8,", true);
  m.change("a field twice", "duplicate_name", "seeds    = [1]", "^model = base, seeds = [1]", true);
  m.change("a name twice", "duplicate_name", "split held_out =", "split ^seen =");
  m.change("a name twice", "duplicate_name", "train unfiltered :", "train ^reinforce :");
  m.change("a missing import", "unknown_name", "import windtunnel\n", "\n^");
  m.out.back().at = m.out.back().program.find("windtunnel.base");
  m.change("a cycle", "reference_cycle", "split seen     = windtunnel.level1[1..40]",
           "split ^seen     = seen");
  m.given("split seen     = windtunnel.level1[1..40] + windtunnel.level2[1..60]", "split seen     = held_out")
      .change("a cycle", "reference_cycle", "windtunnel.level1[41..60] + windtunnel.level2[61..100]",
              "^seen");
  m.out.back().at = m.out.back().program.find("seen ");
  m.again();
  m.change("a cycle", "reference_cycle", "train reinforce : best_of_n", "train ^reinforce : unfiltered");
  m.change("an empty list", "empty_list",
           "variations = [original, scale(2), reseed, resize(150%), cast(f16)]", "variations = ^[]");
  m.change("an empty list", "empty_list", "seeds    = [1]", "seeds    = ^[]");
  m.change("a type in a field", "misplaced", "rank = 16", "^rank: count = 16", true);
  m.change("a declaration inside another", "misplaced", "  seeds    = [1]",
           "  ^lora inner { rank = 4 }\n  seeds = [1]");
  m.change("an override of nothing used", "unused_override", "override { reinforce.rounds = 6,",
           "override { ^writer_two.rank = 6,");
  m.out.back().program += "lora writer_two { rank = 4 }\n";
}

void formulas(Maker& m) {
  const std::string reward = "if c.correct then 0.7 + 0.3 * min(c.speedup, 1) else c.credit";
  m.change("a reward out of range", "reward_range", reward,
           "^if c.correct then 0.7 + 0.3 * c.speedup else 0");
  m.change("a reward out of range", "reward_range", reward,
           "^if c.correct then 1 + 0.3 * min(c.speedup, 1) else 0");
  m.change("a share out of range", "curriculum_share", "0.1 + 0.4 * min(accuracy(level1) / 0.4, 1)",
           "^0.1 + accuracy(level1)");
  m.change("shares that do not sum to 1", "shares_sum",
           "  share {\n    level2 = 0.1 + 0.4 * min(accuracy(level1) / 0.4, 1)\n    level1 = rest",
           "  ^share {\n    level2 = 0.4\n    level1 = 0.5");
  m.change("`rest` twice", "shares_sum",
           "level2 = 0.1 + 0.4 * min(accuracy(level1) / 0.4, 1)\n    level1 = rest",
           "level2 = rest\n    level1 = ^rest");
  m.change("division by zero", "zero_denominator", "min(accuracy(level1) / 0.4, 1)",
           "min(0.1 / ^accuracy(level1), 1)");
  m.change("division by zero", "zero_denominator", reward, "if c.correct then min(1 / ^c.speedup, 1) else 0");
  m.change("a boolean for a number", "wrong_type", reward, "^c.correct");
  m.change("a number for a boolean", "wrong_type", "if c.correct then", "if ^c.speedup then");
  m.change("a member without its record", "unknown_name", "min(c.speedup, 1)", "min(^speedup, 1)", true);
  m.change("a formula without its parameter", "wrong_type", "reward(c) =", "^reward =", false);
  m.out.back().at = m.out.back().program.find("reward = if") + 9;
  m.change("too few arguments", "wrong_type", "min(accuracy(level1) / 0.4, 1)",
           "^clamp(accuracy(level1) / 0.4, 1)");
  m.change("a unit in a formula", "wrong_unit", "0.7 + 0.3 * min", "0.7 ^ms + 0.3 * min", true);
  m.change("a list for a formula", "wrong_type", reward, "^[0, 1]");
}

void syntax(Maker& m) {
  m.change("missing comma", "syntax", "rank = 16, alpha", "rank = 16 ^alpha", true);
  m.change("missing comma", "syntax", "rounds = 2, tasks_per_round = 16\n",
           "rounds = 2 ^tasks_per_round = 16\n", true);
  m.change("missing comma", "syntax", "subsets(inputs, stages,", "subsets(inputs ^stages,", true);
  m.change("missing brace", "syntax", "dropout = 5%, targets = all_linear }",
           "dropout = 5%, targets = all_linear^", true);
  m.change("missing parenthesis", "syntax", "exclude = held_out)", "exclude = held_out^", true);
  m.change("missing parenthesis", "syntax", "resize(150%), cast(f16)]", "resize(150%, cast(f16)^]", true);
  m.change("missing bracket", "syntax", "cast(f16)] }", "cast(f16) ^}", true);
  m.change("missing quote", "syntax", "is what is studied\")", "is what is studied)^");
  m.change("missing `=`", "syntax", "rank = 16", "rank ^16", true);
  m.change("missing value", "syntax", "rank = 16,", "rank = ^,");
  m.change("`:` for `=`", "syntax", "rank = 16", "rank: ^16");
  m.change("`==` for `=`", "syntax", "rank = 16", "rank =^= 16", true);
  m.change("brace too many", "syntax", "targets = all_linear }", "targets = all_linear } ^}");
  m.change("a foreign operator", "syntax", "if c.correct then", "if c.correct ^&& c.valid then");
  m.change("a line that begins with an operator", "syntax", "windtunnel.level1[1..40] + windtunnel",
           "windtunnel.level1[1..40]\n  ^+ windtunnel");
  m.change("a reserved word as name", "syntax", "split seen ", "split ^in ");
}

void protocol(Maker& m) {
  m.change("keep above candidates", "keep_exceeds_candidates", "keep = 3", "keep = ^9", true);
  m.change("an incorrect kernel is kept", "keeps_incorrect",
           "  allow(keeps_incorrect, \"the recipe's partial credit is what is studied\")\n  reward(c) = if",
           "  reward(c) = ^if", true);
  m.change("min_reward out of reach", "unreachable_min_reward", "min_reward = 0.5", "min_reward = ^100%",
           true);
  m.change(
      "a reward without correctness", "ignores_correctness",
      "learning_rate = 3e-4, min_reward = 0.5\n  allow(keeps_incorrect, \"the recipe's partial credit is "
      "what is studied\")\n  reward(c) = if c.correct then 0.7 + 0.3 * min(c.speedup, 1) else c.credit",
      "reward(c) = ^if c.compiled then 1 else 0");
  m.change("an exam shorter than training", "truncated_exam", "temperature = 0.7, max_tokens = 768",
           "temperature = 0.7, max_tokens = ^512", true);
  m.change("beyond the context", "context_exceeded", "temperature = 0.7, max_tokens = 768",
           "temperature = 0.7, max_tokens = ^4096", true);
  m.out.back().program.replace(m.out.back().program.find("windtunnel.base "), 16, "random()        ");
  m.change("warm-up longer than training", "warmup_too_long", "warmup = 10%", "warmup = ^100%", true);
  m.change("greedy candidates", "greedy_candidates", "temperature = 0.8", "temperature = ^0", true);
  m.given("samples = 1", "samples = 5")
      .given(", exam.samples = 4", "")
      .change("greedy candidates", "greedy_candidates", "temperature = 0.7", "temperature = ^0", true);
  m.again();
  m.change("steps against epochs", "steps_against_epochs", "epochs = 1, batch",
           "epochs = 1, steps = ^50, batch", true);
  m.change("too few steps", "too_few_steps", "windtunnel.corpus(level1 = 150, level2 = 50",
           "^windtunnel.corpus(level1 = 20, level2 = 5", true);
  m.change("a corpus of excluded tasks", "corpus_without_tasks",
           "level1 = 150, level2 = 50, flawed = 50%, exclude = held_out",
           "level1 = ^150, level2 = 50, exclude = windtunnel.level1 + held_out", true);
  m.out.back().program.replace(m.out.back().program.find("windtunnel.level1[41..60] + "), 28,
                               "                            ");
  m.change("a curriculum without tasks", "curriculum_group", "level1 = rest", "level1 = rest, pairs = ^0");
  m.change("a saturated curriculum", "curriculum_saturated", "0.1 + 0.4 * min(accuracy(level1) / 0.4, 1)",
           "^0.1 + 0.4 * min((accuracy(level1) + 1) / 0.4, 1)", true);
  m.change("an unequal control", "unequal_control", "controls = [imitate, imitate -> unfiltered]",
           "controls = [imitate, ^imitate -> unfiltered]");
  m.out.back().program.replace(m.out.back().program.find("keep_by = random"), 16,
                               "keep_by = random, epochs = 1, batch = 8");
  m.out.back().at += 23;
  m.change("no control without a filter", "no_filter_control", "controls = [imitate, imitate -> unfiltered]",
           "controls = [imitate]^");
  m.out.back().at = m.out.back().program.find("ablation {");
  m.out.back().program.replace(
      m.out.back().program.find("train unfiltered : reinforce { keep_by = random }\n"), 50, "");
  m.out.back().at -= 50;
  m.change("a contrast that is not varied", "contrast_not_varied",
           "vary     = subsets(inputs, stages, pace, clock)",
           "vary     = subsets(stages, pace, clock), extensions = [inputs]^");
  m.out.back().at = m.out.back().program.find("inputs, metric");
  m.change("too little power", "underpowered", "expect = greater", "smallest_effect = ^2%");
  m.change("an unused declaration", "unused_declaration",
           "split held_out = ", "split ^spare = windtunnel.pairs\nsplit held_out = ");
  m.change("an `allow` of nothing", "unused_allow", "  learning_rate = 3e-4, min_reward = 0.5\n",
           "  ^allow(truncated_exam, \"it is short\")\n  learning_rate = 3e-4, min_reward = 0.5\n", true);
}

void machines(Maker& m) {
  const std::string base =
      "model base {\n  weights   = windtunnel.base        # or "
      "huggingface(\"Qwen/Qwen2.5-Coder-7B-Instruct\"), or path(\"…\")\n";
  const std::string experiment = "  seeds    = [1]\n";
  m.given(experiment, "  seeds    = [1], machine = node\n")
      .change("a batch that does not divide", "batch_over_gpus", "epochs = 1, batch = 16",
              "epochs = 1, batch = ^20", true);
  m.out.back().program += "machine node { gpus = 8, memory = 80 GiB }\n";
  m.change("a size without unit", "wrong_unit", "plot learning",
           "machine node { gpus = 8, memory = ^80 }\nplot learning");
  m.change("more memory than there is", "model_above_gpu", base,
           "model base {^\n  weights = huggingface(\"Qwen/Qwen2.5-Coder-7B-Instruct\")\n");
  m.out.back().program += "machine node { gpus = 1, memory = 8 GiB }\n";
  m.out.back().at = m.out.back().program.find("ablation {");
  m.again();
  m.given(base, "model base {\n  weights = huggingface(\"bigcode/starcoder2-7b\")\n")
      .change("a matrix that the model lacks", "lora_targets", "targets = all_linear",
              "targets = [q_proj, ^up_proj]");
  m.change("a matrix that the model lacks", "lora_targets", "targets = all_linear", "targets = ^gate_proj",
           true);
  m.change("a pattern that fits no module", "module_patterns", "targets = all_linear",
           "targets = [q_proj, c_fc], patterns = [^modules(\"down_proj\", rank = 4)]");
  m.again();
}

void tasks(Maker& m) {
  m.change("shapes that do not fit", "task_type", "plot learning",
           "suite own { task t[M = 64, N = 32](x: f32[M], y: f32[N]) = ^x + y }\nplot learning");
  m.change("shapes that do not fit", "task_type", "plot learning",
           "suite own { task t[M = 64, N = 32](x: f32[M, N], w: f32[M, N]) = ^x @ w }\nplot learning");
  m.change("an unknown operator", "task_type", "plot learning",
           "suite own { task t[N = 64](x: f32[N]) = ^rleu(x) }\nplot learning");
  m.change("a size without value", "task_type", "plot learning",
           "suite own { task t[^N](x: f32[N]) = relu(x) }\nplot learning");
  m.change("a task outside a suite", "misplaced", "plot learning",
           "^task t[N = 64](x: f32[N]) = relu(x)\nplot learning");
}

/// Changes of the ablation that look wrong, but are correct.
void unusual_ablations(std::vector<NearMiss>& out) {
  const std::string good = ablation();
  const auto change = [&](const std::string& what, const std::string& from, const std::string& to) {
    std::string changed = good;
    changed.replace(only(good, from), from.size(), to);
    out.push_back({what, std::move(changed)});
  };
  change("a quantity with its unit where none is needed", "max_tokens = 768\n  learning",
         "max_tokens = 768 tokens\n  learning");
  change("a percentage over 100", "scale(2)", "scale(200%)");
  change("a fraction as a number", "dropout = 5%", "dropout = 0.05");
  change("a fraction of nothing", "dropout = 5%", "dropout = 0");
  change("arithmetic in a field", "rank = 16", "rank = 2 ^ 4");
  change("a negative in arithmetic", "alpha = 32", "alpha = -8 + 40");
  change("a sum of fractions", "min_reward = 0.5", "min_reward = 30% + 0.2");
  change("a number with an exponent", "learning_rate = 2e-4", "learning_rate = 0.2e-3");
  change("spaces around brackets' contents", "subsets(inputs, stages, pace, clock)",
         "subsets( inputs,stages , pace,clock, )");
  change("a list over lines", "variations = [original, scale(2), reseed,",
         "variations = [\n  original, # as it is\n  scale(2),\n  reseed,");
  change("a list of one", "seeds    = [1]", "seeds    = 1");
  change("a range as a list", "seeds    = [1]", "seeds    = [1..3, 7]");
  change("a range of one", "seeds = 1..5", "seeds = 5..5");
  change("the last id", "level2[61..100]", "level2[61..99, 100]");
  change("single ids", "level1[1..40]", "level1[1, 2, 3..40]");
  change("an index of a union", "windtunnel.level1[1..40] + windtunnel.level2[1..60]",
         "(windtunnel.level1 + windtunnel.level2)[1..40, 61..120]");
  change("an index of an index", "level1[1..40]", "level1[1..60][1..40]");
  change("a difference instead of a range", "windtunnel.level1[41..60]",
         "(windtunnel.level1 - windtunnel.level1[1..40])");
  change("a difference of what is partly there", "windtunnel.level1[41..60]",
         "(windtunnel.level1[30..60] - windtunnel.level1[1..40])");
  change("a sample of all", "windtunnel.level1[41..60]",
         "sample(windtunnel.level1[41..60], n = 20, seed = 0)");
  change("a condition that holds of all", "windtunnel.level1[41..60]",
         "where(windtunnel.level1[41..60], operators >= 1)");
  change("a declaration after its use", "split seen     = ",
         "split first = windtunnel.level1[1..40]\nsplit seen     = first - first[40] + ");
  out.back().program.replace(out.back().program.find("+ windtunnel.level1[1..40] + "), 29, "+ ");
  change("keep all candidates", "keep = 3", "keep = 8");
  change("min_reward just in reach", "min_reward = 0.5", "min_reward = 0.99");
  const std::string allow = "  allow(keeps_incorrect, \"the recipe's partial credit is what is studied\")\n";
  out.back().program.erase(out.back().program.find(allow), allow.size());
  change("an exam longer than training", "temperature = 0.7, max_tokens = 768",
         "temperature = 0.7, max_tokens = 1024");
  change("as many tokens as the context", "temperature = 0.7, max_tokens = 768",
         "temperature = 0.7, max_tokens = 2048");
  change("a greedy exam of one sample", "samples = 1, temperature = 0.7", "samples = 1, temperature = 0");
  out.back().program.replace(out.back().program.find(", exam.samples = 4"), 18, "");
  change("a long warm-up", "warmup = 10%", "warmup = 50%");
  change("no warm-up", "warmup = 10%", "warmup = 0");
  change("steps that agree with the epochs", "epochs = 1, batch", "epochs = 1, steps = 13, batch");
  change("steps of several epochs", "epochs = 1, batch", "epochs = 3, steps = 39, batch");
  change("shares that sum to 1", "    level2 = 0.1 + 0.4 * min(accuracy(level1) / 0.4, 1)\n    level1 = rest",
         "    level2 = 40%\n    level1 = 60%");
  change("shares that sum to 1 whatever the accuracy",
         "    level2 = 0.1 + 0.4 * min(accuracy(level1) / 0.4, 1)\n    level1 = rest",
         "    level2 = 0.5 * accuracy(level1)\n    level1 = 1 - 0.5 * accuracy(level1)");
  change("a share that reaches both ends", "0.1 + 0.4 * min(accuracy(level1) / 0.4, 1)", "accuracy(level1)");
  change("a share that falls", "0.1 + 0.4 * min(accuracy(level1) / 0.4, 1)", "1 - accuracy(level2)");
  change("a division by what is kept from zero", "accuracy(level1) / 0.4",
         "0.1 / max(accuracy(level1), 0.1)");
  change("a reward over several lines", "if c.correct then 0.7 + 0.3 * min(c.speedup, 1) else c.credit",
         "if c.correct\n    then 0.7 +\n      0.3 * min(c.speedup, 1)\n    else c.credit");
  change("another name for the verdict",
         "reward(c) = if c.correct then 0.7 + 0.3 * min(c.speedup, 1) else c.credit",
         "reward(correct) = if correct.correct then 0.7 + 0.3 * min(correct.speedup, 1) else correct.credit");
  change("a reward that clamps", "0.7 + 0.3 * min(c.speedup, 1)", "clamp(0.7 + c.speedup / 10, 0, 1)");
  change("a control that ignores another reward", "{ keep_by = random }",
         "{ keep_by = random, match = none, min_reward = 0.9 }");
  change("a control of one other setting", "{ keep_by = random }",
         "{ keep_by = random }\ntrain patient : reinforce { rounds = 4 }");
  out.back().program.replace(out.back().program.find("imitate -> unfiltered]"), 22,
                             "imitate -> unfiltered, imitate -> patient]");
  change("a hypothesis with what it wants", "expect = greater",
         "expect = different, alpha = 1%, smallest_effect = 30%");
  change("a machine that nothing exceeds", "seeds    = [1]", "seeds    = [1], machine = laptop");
  out.back().program += "machine laptop { memory = 4 GiB }\n";
  change("a batch over GPUs", "seeds    = [1]", "seeds    = [1], machine = node");
  out.back().program += "machine node { gpus = 16, memory = 80 GiB }\n";
  change("some of the matrices", "targets = all_linear", "targets = [q_proj, v_proj]");
  change("a matrix without brackets", "targets = all_linear", "targets = o_proj");
  change("a reason that quotes", "\"the recipe's partial credit is what is studied\"",
         "\"\\\"partial credit\\\", \\u{2713}\"");
  change("a comment that looks like a field", "# int8, nf4", "# quantize = int8 }");
  change("a doc comment on a field's declaration", "lora writer {",
         "## rank = 0 would be wrong.\nlora writer {");
  change("names that are functions", "extension clock  :", "extension scale  :");
  for (std::size_t at; (at = out.back().program.find("clock)")) != std::string::npos;)
    out.back().program.replace(at, 5, "scale");
  change("an import under another name", "import windtunnel\n", "import windtunnel as wind\n");
  for (std::size_t at = 0; (at = out.back().program.find("windtunnel.", at)) != std::string::npos;)
    out.back().program.replace(at, 11, "wind.");
}

/// Small programs that look wrong, but are correct.
void unusual_programs(std::vector<NearMiss>& out) {
  const auto program = [&](const std::string& what, const std::string& text) {
    out.push_back({what, "import example\n" + text});
  };
  out.push_back({"an empty file", ""});
  out.push_back({"nothing but a comment", "# import nothing\n"});
  program("an import that nothing uses", "");
  program("a library, whose declarations are for others",
          "lora spare { rank = 4 }\nsplit tail = example.hard[4]\n");
  program("a task called like its operator", "suite mine { task relu[N = 8](x: f32[N]) = relu(relu(x)) }\n");
  program("broadcasting over an axis of one",
          "suite mine { task t[M = 8, N = 4](x: f32[M, N], c: f32[M, 1]) = tanh(x * c) }\n");
  program("a negative axis",
          "suite mine { task t[M = 8, N = 4](x: f32[M, N]) = sum(exp(x), axis = -1, keepdim = true) / 2 }\n");
  program(
      "a base that is derived",
      "lora a : b {}\nlora b : example.writer { rank = 2 }\nexperiment e : example.study { adapter = a }\n");
  program("a stage twice",
          "experiment e : example.study { train = example.reinforce -> example.reinforce }\n");
  program("an experiment that changes nothing", "experiment e : example.study {}\n");
  program("an override of an override",
          "train t : example.reinforce { rounds = 3 }\nexperiment e : example.study { train = t, override { "
          "t.rounds = 4 } }\nexperiment f : e { override { t.rounds = 5 } }\n");
  program("quantised weights of a known model",
          "model m { weights = huggingface(\"Qwen/Qwen2.5-Coder-7B-Instruct\"), quantize = nf4 }\nexperiment "
          "e : example.study { model = m }\n");
  program("a model that nobody knows",
          "model m { weights = huggingface(\"someone/something\", revision = \"abc\") }\nexperiment e : "
          "example.study { model = m }\n");
  program("a model that a server has",
          "model m { weights = endpoint(\"https://models.example/v1\", name = \"a\", key_env = \"A_KEY\", "
          "price_in = "
          "1 usd, price_out = 3 usd) }\n"
          "experiment e { model = m, evaluate = example.exam }\ntable main { of = e, columns = [correct, "
          "usd] }\n");
  program("a model that is only evaluated",
          "experiment e : example.study { train = none, adapter = none }\ntable main { of = e, columns = "
          "[correct] }\n");
}

}  // namespace

std::string ablation() { return read_from_disk(TRL_LANGUAGE_TESTS "/ablation.trl").value(); }
std::vector<Mistake> mistakes() {
  Maker m(ablation());
  misspellings(m);
  units_and_numbers(m);
  sets(m);
  types_and_names(m);
  formulas(m);
  syntax(m);
  protocol(m);
  machines(m);
  tasks(m);
  return std::move(m.out);
}

std::vector<NearMiss> near_misses() {
  std::vector<NearMiss> out;
  unusual_ablations(out);
  unusual_programs(out);
  return out;
}

}  // namespace trl::language::test
