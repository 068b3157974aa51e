#include "tests/language/mistakes.hpp"

#include <stdexcept>
#include <utility>

#include "language/program.hpp"

namespace trl::language::test {
namespace {

using Words = std::vector<std::pair<std::string, std::string>>;

std::size_t only(const std::string& text, const std::string& part) {
  const std::size_t at = text.find(part);
  if (at == std::string::npos || text.find(part, at + 1) != std::string::npos)
    throw std::logic_error("not there exactly once: " + part);
  return at;
}

/// The ways in which a word is misspelt, one after the other.
std::string misspelt(const std::string& word, std::size_t way) {
  std::string out = word;
  const std::size_t middle = word.size() / 2;
  switch (way % 4) {
    case 0:  // two letters exchanged
      for (std::size_t i = middle; i + 1 < word.size(); ++i)
        if (word[i] != word[i + 1]) {
          std::swap(out[i], out[i + 1]);
          return out;
        }
      return out.erase(middle, 1);
    case 1:  // one left out
      return out.erase(middle, 1);
    case 2:  // one doubled
      return out.insert(middle, 1, word[middle]);
    default:  // a neighbour on the keyboard
      out[middle] = word[middle] == 'e' ? 'r' : word[middle] == 'o' ? 'p' : 'e';
      return out;
  }
}

class Maker {
 public:
  explicit Maker(std::string good) : good_(std::move(good)) {}

  /// `context` stands in the program once; the last `word` in it is misspelt.
  void misspell(const std::string& kind, const std::string& rule, const Words& places) {
    for (const auto& [context, word] : places) {
      const std::size_t at = only(good_, context) + context.rfind(word);
      std::string changed = good_;
      changed.replace(at, word.size(), misspelt(word, way_++));
      out.push_back({kind, std::move(changed), at, rule, true, good_});
    }
  }

  /// `from` becomes `to`; the finding begins at the `^` in `to`, which is no part of it. One that is mendable
  /// must be mended by the first fix.
  void change(const std::string& kind, const std::string& rule, const std::string& from, std::string to,
              bool mendable = false) {
    const std::size_t begin = only(good_, from), caret = to.find('^');
    if (caret == std::string::npos) throw std::logic_error("no place in " + to);
    to.erase(caret, 1);
    std::string changed = good_;
    changed.replace(begin, from.size(), to);
    out.push_back({kind, std::move(changed), begin + caret, rule, mendable, ""});
  }

  /// After another change, which is none of the mistake by itself.
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
  m.change("wrong unit", "wrong_unit", "warmup = 10, trials", "warmup = 10 ^ms, trials", true);
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
  m.change("not a whole number", "wrong_type", "keep = 3", "keep = ^2.5");
  m.change("not a whole number", "wrong_type", "epochs = 1", "epochs = ^1.5");
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
  m.change("a truth for a number", "wrong_type", reward, "^c.correct");
  m.change("a number for a truth", "wrong_type", "if c.correct then", "if ^c.speedup then");
  m.change("a member without its record", "unknown_name", "min(c.speedup, 1)", "min(^speedup, 1)", true);
  m.change("a formula without its parameter", "wrong_type", "reward(c) =", "^reward =", false);
  m.out.back().at = m.out.back().program.find("reward = if");
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
           "dropout = 5%, targets = all_linear\n^");
  m.out.back().at = m.out.back().program.find("{ rank");
  m.change("missing parenthesis", "syntax", "exclude = held_out)", "exclude = held_out^");
  m.out.back().at = m.out.back().program.find("(level1 = 150");
  m.change("missing parenthesis", "syntax", "resize(150%)", "resize^(150%");
  m.change("missing bracket", "syntax", "cast(f16)] }", "cast(f16) }^");
  m.out.back().at = m.out.back().program.find("[original");
  m.change("missing quote", "syntax", "is what is studied\")", "is what is studied)^");
  m.out.back().at = m.out.back().program.find("\"the recipe's");
  m.change("missing `=`", "syntax", "rank = 16", "rank ^16", true);
  m.change("missing value", "syntax", "rank = 16,", "rank =^ ,");
  m.out.back().at += 1;
  m.change("`:` for `=`", "unknown_name", "rank = 16", "rank: ^16");
  m.out.back().rule = "syntax";
  m.change("`==` for `=`", "syntax", "rank = 16", "rank ^== 16", true);
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
  m.change("min_reward out of reach", "unreachable_min_reward",
           "learning_rate = 3e-4, min_reward = 0.5\n  allow(keeps_incorrect, \"the recipe's partial credit "
           "is what is studied\")",
           "learning_rate = 3e-4, min_reward = ^100%", true);
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
  m.change("more memory than there is", "memory_exceeded", base,
           "model base {^\n  weights = huggingface(\"Qwen/Qwen2.5-Coder-7B-Instruct\")\n");
  m.out.back().program += "machine node { gpus = 1, memory = 8 GiB }\n";
  m.out.back().at = m.out.back().program.find("ablation {");
  m.again();
  m.given(base, "model base {\n  weights = huggingface(\"bigcode/starcoder2-7b\")\n")
      .change("a matrix that the model lacks", "lora_targets", "targets = all_linear",
              "targets = [q_proj, ^up_proj]");
  m.change("a matrix that the model lacks", "lora_targets", "targets = all_linear", "targets = ^gate_proj",
           true);
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

}  // namespace

std::string ablation() { return read_from_disk(TRL_EXPERIMENTS "/ablation.trl").value(); }

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

}  // namespace trl::language::test
