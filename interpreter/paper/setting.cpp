// Writes the setting of a study: model, tasks, training, the varied settings, evaluation.
#include <algorithm>
#include <map>
#include <set>

#include "base/contract/sampling.hpp"
#include "base/contract/variation.hpp"
#include "base/support/counted.hpp"
#include "interpreter/paper/paper.hpp"
#include "interpreter/report/settings.hpp"

#include <fmt/format.h>

namespace trl::interpreter::paper {
namespace {
using nlohmann::json;

std::string percent_words(double share) { return fmt::format("{:.3g}\u00a0%", 100 * share); }

/// The numbers of tasks as ranges: "1 to 40 and 43".
std::string ranges(std::vector<int> ids) {
  std::sort(ids.begin(), ids.end());
  std::vector<std::string> out;
  for (std::size_t i = 0; i < ids.size();) {
    std::size_t end = i;
    while (end + 1 < ids.size() && ids[end + 1] == ids[end] + 1) ++end;
    out.push_back(end == i ? std::to_string(ids[i]) : fmt::format("{} to {}", ids[i], ids[end]));
    i = end + 1;
  }
  // If there are many ranges, as in a random sample, their number is clearer.
  return out.size() > 6 ? std::to_string(ids.size()) + " tasks" : enumerated(out);
}

/// "60 tasks (41 to 60 of `level1` and 61 to 100 of `level2`)".
std::string tasks_in_words(const json& split, const json& document) {
  std::map<std::string, std::vector<int>> groups;
  const auto& tasks = document.at("tasks");
  for (const auto& id : split.at("tasks")) {
    const auto& task = tasks.at(id.get<std::string>());
    groups[task.at("suite").get<std::string>()].push_back(task.at("id").get<int>());
  }
  std::vector<std::string> parts;
  for (auto& [suite, ids] : groups) parts.push_back(ranges(std::move(ids)) + " of `" + suite + "`");
  return counted(split.at("tasks").size(), "task") + (parts.empty() ? "" : " (" + enumerated(parts) + ")");
}

/// A declaration whose fields are described one after another. Fields that no sentence has described are
/// listed at the end.
class Told {
 public:
  explicit Told(const json& declaration) : declaration_(declaration) {
    for (const char* facts : {"kind", "variant", "implementation", "version", "name", "doc", "needs", "with"})
      told_.insert(facts);
  }
  const json& of() const { return declaration_; }
  bool has(const std::string& field) const {
    return declaration_.contains(field) && !declaration_[field].is_null();
  }
  const json& take(const std::string& field) {
    told_.insert(field);
    return declaration_.at(field);
  }
  /// Marks a field as described without a sentence, since it has its usual value or other fields imply it.
  void drop(const std::string& field) { told_.insert(field); }
  double number(const std::string& field) { return take(field).get<double>(); }
  std::size_t count(const std::string& field) { return take(field).get<std::size_t>(); }
  /// Returns "`a = 1`, `b = 2`" for the fields with a value that haven't been described.
  std::string rest() const {
    std::vector<std::string> out;
    for (const auto& [field, value] : declaration_.items()) {
      const bool empty = value.is_null() || (value.is_array() && value.empty());
      if (!told_.contains(field) && !empty) out.push_back("`" + field + " = " + value_in_words(value) + "`");
    }
    return enumerated(out);
  }

 private:
  const json& declaration_;
  std::set<std::string> told_;
};

/// "at temperature 0.8, at most 512 tokens each".
std::string sampled_in_words(Told& told) {
  const auto sampling = contract::Sampling::read(told.of());
  for (const char* field : {"temperature", "top_k", "top_p", "stop", "max_tokens"}) told.drop(field);
  return "sampled with " + sampling_words(sampling);
}

std::string turns_in_words(Told& told) {
  if (!told.has("turns")) return {};
  const auto turns = told.count("turns");
  told.drop("feedback");
  if (turns == 1) {
    told.drop("discount");
    return {};
  }
  return fmt::format(
      " An answer that fails is followed by another one whose prompt says why, up to {} in an episode.",
      in_words(turns, "answer"));
}

std::string optimiser_in_words(Told& told) {
  if (!told.has("learning_rate")) return {};
  std::string text = "The optimiser is AdamW";
  if (told.has("epochs")) text += " over " + in_words(told.count("epochs"), "epoch");
  if (told.has("steps")) text += " for " + counted(told.count("steps"), "step");
  if (told.has("batch")) text += " with batches of " + std::to_string(told.count("batch"));
  const double warmup = told.has("warmup") ? told.number("warmup") : 0;
  const auto schedule = told.has("schedule") ? told.take("schedule").get<std::string>() : std::string();
  text +=
      fmt::format(", at a {}learning rate of {}", schedule == "constant" && warmup == 0 ? "constant " : "",
                  number_in_words(told.number("learning_rate")));
  if (warmup > 0) text += " that rises over the first " + percent_words(warmup) + " of the steps";
  if (schedule == "constant" && warmup > 0) text += " and stays constant";
  if (!schedule.empty() && schedule != "constant")
    text += (warmup > 0 ? " and falls by a " : " that falls by a ") + schedule + " schedule";
  if (told.has("weight_decay")) {
    const double decay = told.number("weight_decay");
    text += decay > 0 ? ", with weight decay " + number_in_words(decay) : ", without weight decay";
  }
  if (told.has("clip")) text += fmt::format("; gradients are clipped at a norm of {:g}", told.number("clip"));
  return text + ".";
}

/// Returns the members that a formula reads of its parameter, each once, sorted by name.
std::set<std::string> members_of(const formulas::Expression& expression) {
  std::set<std::string> names;
  if (const auto* member = expression.as<formulas::Member>()) names.insert(member->name);
  formulas::each_part(expression.node(),
                      [&](const formulas::Expression& part) { names.merge(members_of(part)); });
  return names;
}

std::string lower_first(std::string text) {
  const bool acronym = text.size() > 1 && std::isupper(static_cast<unsigned char>(text[1])) != 0;
  if (!text.empty() && !acronym)
    text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  return text;
}

/// Facts about ways to train, each with the name of the first way to train for which it was written: the key
/// is a sentence, or a reward as JSON. If the fact also holds for a later way to train, the paper refers to
/// the first.
using SaidOf = std::map<std::string, std::string>;

/// If the fact was already written, returns the way to train for which it was, in backquotes. Otherwise
/// records it for `name` and returns an empty text.
std::string told_before(SaidOf& said, const std::string& fact, const std::string& name) {
  const auto [before, fresh] = said.try_emplace(fact, name);
  return fresh ? "" : "`" + before->second + "`";
}

/// Adds the rewards of the way to train `name`, and the fields of verdicts in them. If an earlier way to
/// train has the same rewards, returns a sentence that refers to it instead.
std::string add_rewards(Told& told, const std::string& name, SaidOf& said, const Study& study,
                        std::vector<Block>& out) {
  Equations equations;
  std::set<std::string> asked;
  std::string written;
  for (const auto& [field, symbol] : {std::pair("reward", "r"), std::pair("plan_reward", "r.plan")}) {
    if (!told.has(field)) continue;
    const auto& formula = told.take(field).at("formula");
    written += std::string(field) + formula.dump();
    Equation equation{symbol, formula.at("params"), formulas::Expression::read(formula.at("body"))};
    asked.merge(members_of(equation.body));
    equations.all.push_back(std::move(equation));
  }
  if (equations.all.empty()) return {};
  if (const auto of = told_before(said, written, name); !of.empty())
    return equations.all.size() == 1 ? "The reward is that of " + of + "."
                                     : "The rewards are those of " + of + ".";
  out.push_back(Paragraph{"", "The reward of an answer with verdict `c` is"});
  out.push_back(std::move(equations));
  std::vector<std::string> meanings;
  for (const auto& name : asked) {
    auto doc = first_sentence(study.documentation("verdict." + name));
    if (doc.empty()) continue;
    doc.pop_back();
    meanings.push_back("`" + name + "`: " + lower_first(doc));
  }
  std::string text;
  for (const auto& meaning : meanings) text += (text.empty() ? "Here " : "; ") + meaning;
  if (!text.empty()) out.push_back(Paragraph{"", text + "."});
  return {};
}

/// Returns the number of pairs of prompt and answer in the study's first corpus that the store has; 0 if it
/// has none.
std::size_t corpus_rows(const Study& study) {
  for (const auto& stage : study.plan().stages)
    if (stage.kind == "corpus" && study.evidence.store().has(stage.key))
      return study.evidence.store().stage(stage.key).at("summary").value("rows", std::size_t{0});
  return 0;
}

/// Which server samples a round's answers, as a sentence with a blank before it; empty if they are sampled
/// here.
std::string rollout_in_words(const json& rollout) {
  if (!rollout.is_object()) return {};
  const auto named = rollout.value("named", json::object());
  const auto kind = named.value("server", std::string("vllm"));
  return " They are sampled by " + std::string(kind == "sglang" ? "SGLang" : "vLLM") +
         ", which serves the model as `" + value_in_words(named.value("name", json("?"))) +
         "` and loads the adapter of each round.";
}

/// Adds one or two paragraphs about a way to train, and its rewards. For facts that also hold for an earlier
/// one, it refers to that one.
void add_phase(const json& phase, SaidOf& said, const Study& study, std::vector<Block>& out) {
  Told told(phase);
  const auto name = phase.at("name").get<std::string>(), variant = phase.value("variant", std::string());
  auto text = first_sentence(study.documentation(variant));
  for (const char* field : {"micro_batch", "accumulation"}) told.drop(field);
  for (const auto& [field, usual] : {std::pair("framework", "none"), {"precision", "task"}})
    if (told.has(field) && told.of()[field] == usual) told.drop(field);
  const auto add = [&](const std::string& sentence) {
    if (!sentence.empty()) text += (text.empty() ? "" : " ") + sentence;
  };
  if (told.has("data")) {
    const auto data = value_in_words(told.take("data"));
    const auto rows = corpus_rows(study);
    add("The data are " + (rows > 0 ? counted(rows, "pair") + " of prompt and answer, `" : "`") + data +
        "`.");
  }
  if (told.has("rounds")) {
    const auto rounds = told.count("rounds");
    auto sentence = rounds == 1 ? std::string("In one round") : "In each of " + in_words(rounds, "round");
    if (told.has("tasks_per_round"))
      sentence += fmt::format(", {} are drawn from {}", counted(told.count("tasks_per_round"), "task"),
                              told.has("tasks") && is_tasks(phase["tasks"])
                                  ? tasks_in_words(told.take("tasks"), study.document)
                                  : "the tasks");
    if (told.has("candidates"))
      sentence += fmt::format(", and {} to each are ", counted(told.count("candidates"), "answer")) +
                  sampled_in_words(told);
    sentence += "." + turns_in_words(told);
    if (told.has("rollout")) sentence += rollout_in_words(told.take("rollout"));
    const auto of = told_before(said, sentence, name);
    add(of.empty() ? sentence : "Rounds, tasks and sampling are as for " + of + ".");
  }
  told.drop("rollout_place");
  if (told.has("keep")) {
    const auto keep = told.count("keep");
    const bool random = told.has("keep_by") && told.take("keep_by") == "random";
    auto sentence = random ? "Of a task's answers, " + number_word(keep) + " are kept at random"
                           : "Of a task's answers, the best " + number_word(keep) + " are kept";
    if (told.has("min_reward"))
      sentence += fmt::format(", {} their rewards are above {:g}", random ? "as many as would be if" : "if",
                              told.number("min_reward"));
    if (!random) told.drop("match");
    add(sentence + ".");
  }
  if (const auto optimiser = optimiser_in_words(told); !optimiser.empty()) {
    const auto of = told_before(said, optimiser, name);
    add(of.empty() ? optimiser : "The optimiser is that of " + of + ".");
  }
  std::vector<Block> rewards;
  add(add_rewards(told, name, said, study, rewards));
  if (const auto rest = told.rest(); !rest.empty()) add("Further settings: " + rest + ".");
  out.push_back(Paragraph{"Training: `" + name + "`.", text});
  out.insert(out.end(), rewards.begin(), rewards.end());
}

/// "4.32 million", "7.62 billion".
std::string weights_in_words(double weights) {
  return weights >= 1e9   ? fmt::format("{:.3g} billion", weights / 1e9)
         : weights >= 1e5 ? fmt::format("{:.3g} million", weights / 1e6)
                          : fmt::format("{:.0f}", weights);
}

/// Returns the source of a model: ", with the weights `Qwen/Qwen2.5-Coder-7B-Instruct` of Hugging Face", or
/// the call in the file. For a server, the settings of requests are left to the file.
std::string source_in_words(const json& weights) {
  const auto call = weights.value("call", std::string());
  const auto args = weights.value("args", json::array()), named = weights.value("named", json::object());
  const bool at_text = !args.empty() && args[0].is_string();
  if (call == "huggingface" && at_text)
    return ", with the weights `" + args[0].get<std::string>() + "` of Hugging Face";
  if (call == "endpoint" && at_text)
    return ", which a server has as `" + value_in_words(named.value("name", json("?"))) + "` (`" +
           args[0].get<std::string>() + "`)";
  return ", with the weights `" + value_in_words(weights) + "`";
}

std::string model_paragraph(const Study& study) {
  const auto& experiment = study.experiment();
  if (!experiment.contains("model") || !experiment["model"].is_object()) return {};
  Told told(experiment["model"]);
  const auto weights = experiment["model"].value("weights", json::object());
  const bool of_server = weights.is_object() && weights.value("call", "") == "endpoint";
  auto text = "The model is `" + experiment["model"].value("name", std::string()) + "`";
  if (told.has("weights")) text += source_in_words(told.take("weights"));
  if (of_server) told.drop("precision"), told.drop("quantize");
  if (!of_server && told.has("precision"))
    text += fmt::format(", declared in {}", value_in_words(told.take("precision")));
  if (told.has("quantize"))
    if (const auto quantize = value_in_words(told.take("quantize")); quantize != "none")
      text += " with the matrices of its layers stored as `" + quantize + "`";
  text += ".";
  if (told.has("prompt")) {
    const auto prompt = value_in_words(told.take("prompt"));
    text += prompt == "module" ? " Its prompt is the task's PyTorch module alone."
                               : " Its prompt is `" + prompt + "`.";
  }
  told.drop("place");
  if (const auto rest = told.rest(); !rest.empty()) text += " Further settings: " + rest + ".";
  if (experiment.contains("adapter") && experiment["adapter"].is_object()) {
    Told adapter(experiment["adapter"]);
    const bool dora = adapter.has("use_dora") && adapter.take("use_dora").get<bool>();
    text += fmt::format(" Training changes a {} adapter of rank {}", dora ? "DoRA" : "LoRA",
                        adapter.count("rank"));
    std::vector<std::string> details;
    if (adapter.has("alpha")) details.push_back(fmt::format("alpha {:g}", adapter.number("alpha")));
    if (adapter.has("use_rslora") && adapter.take("use_rslora").get<bool>())
      details.emplace_back("rank-stabilised");
    if (adapter.has("dropout")) details.push_back("dropout " + percent_words(adapter.number("dropout")));
    if (!details.empty()) text += " (" + enumerated(details) + ")";
    if (adapter.has("targets")) {
      const auto targets = value_in_words(adapter.take("targets"));
      text += targets == "[all_linear]" ? " on all linear layers" : " on `" + targets + "`";
    }
    text += ".";
    if (const auto estimate = experiment.value("estimate", json::object()); estimate.contains("trained"))
      text += fmt::format(" It has {} weights beside the model's {}.", weights_in_words(estimate["trained"]),
                          weights_in_words(estimate.value("weights", 0.0)));
    if (const auto rest = adapter.rest(); !rest.empty()) text += " Further settings: " + rest + ".";
  }
  if (experiment.value("language", "triton") == "cuda") text += " Answers are written in CUDA C++.";
  return text;
}

/// An extension in a sentence, with its settings, and its curriculum's formulas.
void add_extension(const json& extension, const Study& study, std::vector<Block>& out) {
  Told told(extension);
  const auto name = extension.value("name", std::string()),
             variant = extension.value("variant", std::string());
  auto text = first_sentence(study.documentation(variant));
  if (told.has("variations")) {
    std::vector<std::string> names;
    for (const auto& one : told.take("variations")) names.push_back(contract::Variation::read(one).text());
    text += " The inputs are " + names_in_words(names) + ".";
  }
  Equations equations;
  bool remainder = false;
  if (told.has("share")) {
    for (const auto& pair : told.take("share")) {
      const auto group = pair.at(0).get<std::string>();
      if (pair.at(1).is_object() && pair[1].contains("formula"))
        equations.all.push_back(
            {"s." + group, {}, formulas::Expression::read(pair[1]["formula"].at("body"))});
      else if (pair.at(1).is_number())
        equations.all.push_back({"s." + group, {}, formulas::Expression::read(pair[1])});
      else
        remainder = true, text += " The share of `" + group + "` is what the others leave.";
    }
  }
  if (const auto rest = told.rest(); !rest.empty()) text += " Its settings are " + rest + ".";
  if (!equations.all.empty())
    text += remainder ? " The others have the shares" : " The shares of a round's tasks are";
  text.erase(0, text.find_first_not_of(' '));
  out.push_back(Paragraph{"Extension: `" + name + "`.", text});
  if (!equations.all.empty()) out.push_back(std::move(equations));
}

/// The fields in which a control's phase differs from a phase of the cells' training: "`keep_by = random`".
std::string differences(const json& phase, const json& from) {
  std::vector<std::string> out;
  for (const auto& [field, value] : phase.items())
    if (field != "name" && field != "doc" && field != "rollout_place" &&
        (!from.contains(field) || from[field] != value))
      out.push_back("`" + field + " = " + value_in_words(value) + "`");
  return enumerated(out);
}

/// Describes the controls by their differences from the cells' training.
std::string controls_paragraph(const Study& study, SaidOf& said, std::vector<Block>& phases) {
  const auto& experiment = study.experiment();
  const auto train = experiment.value("train", json::array());
  std::set<std::string> known;
  for (const auto& phase : train) known.insert(phase.at("name").get<std::string>());
  std::vector<std::string> all;
  for (const auto& control : experiment.value("controls", json::array())) {
    std::string how;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < control.size(); ++i) {
      const auto& phase = control[i];
      const auto name = phase.at("name").get<std::string>();
      names.push_back(name);
      if (known.contains(name)) continue;
      const auto alike = std::find_if(train.begin(), train.end(), [&](const json& one) {
        return one.value("variant", "") == phase.value("variant", "");
      });
      if (alike == train.end()) {
        known.insert(name);
        add_phase(phase, said, study, phases);
        continue;
      }
      how += fmt::format(", where `{}` is `{}` but for {}", name, alike->at("name").get<std::string>(),
                         differences(phase, *alike));
    }
    if (how.empty() && control.size() < train.size()) how = ", which leaves the later training out";
    all.push_back("`" + pipeline_label(control) + "`" + how);
  }
  if (all.empty()) return {};
  const bool extensions = !experiment.value("extensions", json::array()).empty() ||
                          std::any_of(study.plan().factors.begin(), study.plan().factors.end(),
                                      [](const Factor& factor) { return factor.extension; });
  const std::string off = extensions ? ", trained with every extension off," : "";
  if (all.size() == 1) return " A control" + off + " is " + all.front() + ".";
  std::string text = " The controls" + off + " are ";
  for (std::size_t i = 0; i < all.size(); ++i)
    text += (i == 0 ? "" : i + 1 == all.size() ? "; and " : "; ") + all[i];
  return text + ".";
}

/// The levels of a factor. Levels of several settings that vary together stand in brackets.
std::string levels_in_words(const Factor& factor) {
  const bool several = factor.name.find(", ") != std::string::npos;
  std::vector<std::string> levels;
  for (const auto& level : factor.levels) levels.push_back(several ? "(" + level + ")" : level);
  return enumerated(levels);
}

std::string design_paragraph(const Study& study) {
  const auto& plan = study.plan();
  std::vector<std::string> extensions, settings;
  for (const auto& factor : plan.factors) {
    if (factor.extension)
      extensions.push_back("`" + factor.name + "`");
    else
      settings.push_back("`" + factor.name + "` (" + levels_in_words(factor) + ")");
  }
  std::string text;
  if (!extensions.empty())
    text = "The design turns " + enumerated(extensions) +
           (extensions.size() == 1 ? " on and off" : " on and off independently");
  if (!settings.empty())
    text += (text.empty() ? "The design varies " : ", and varies ") + enumerated(settings) +
            ", in the place of what is said of " + (settings.size() == 1 ? "it" : "them") + " above";
  if (text.empty()) text = "Nothing is varied";
  text += fmt::format(", which gives {}", in_words(static_cast<std::size_t>(plan.cells), "cell"));
  if (plan.resolution > 0) text += fmt::format(", a fraction of resolution {}", plan.resolution);
  const auto seeds = plan.rows.empty() ? 0 : plan.rows.front().traces.size();
  text += fmt::format(". Each cell{} is run with {}.",
                      study.experiment().value("controls", json::array()).empty() ? "" : " and control",
                      seeds == 1 ? seeds_in_words(plan)
                                 : in_words(seeds, "seed") + " (" + seeds_in_words(plan).substr(6) + ")");
  if (std::any_of(plan.rows.begin(), plan.rows.end(),
                  [](const Row& row) { return row.kind == Row::Kind::base; }))
    text += " The baseline is the model before training.";
  return text;
}

std::string exam_paragraph(const json& exam, const Study& study, const char* begin) {
  Told told(exam);
  auto text = begin + tasks_in_words(told.take("split"), study.document);
  const auto samples = told.count("samples");
  text += fmt::format(", {} each, {}.", samples == 1 ? "one answer" : in_words(samples, "answer"),
                      sampled_in_words(told));
  text += turns_in_words(told);
  for (const char* field : {"precision", "also_by", "second_baseline"})
    if (told.has(field) && (told.of()[field] == "none" || told.of()[field] == "task")) told.drop(field);
  if (const auto rest = told.rest(); !rest.empty()) text += " Further settings: " + rest + ".";
  return text;
}

}  // namespace

std::vector<Block> setting(const Study& study) {
  const auto& experiment = study.experiment();
  std::vector<Block> out = {Section{"Setting"}};
  if (auto model = model_paragraph(study); !model.empty())
    out.push_back(Paragraph{"Model.", std::move(model)});
  const auto train = experiment.value("train", json::array());
  if (train.empty())
    out.push_back(Paragraph{"Training.", "Nothing is trained: the model is evaluated as it is."});
  std::set<std::string> described;
  SaidOf said;
  for (const auto& phase : train)
    if (described.insert(phase.at("name").get<std::string>()).second) add_phase(phase, said, study, out);
  std::vector<Block> of_controls;
  auto design = design_paragraph(study) + controls_paragraph(study, said, of_controls);
  out.insert(out.end(), of_controls.begin(), of_controls.end());
  std::set<std::string> extensions;
  std::vector<const json*> told;
  const auto vary = experiment.value("vary", json());
  // Varied extensions are the arguments of `subsets` and `fractional`; these may be crossed with other
  // factors.
  const std::function<void(const json&)> collect = [&](const json& node) {
    if (node.is_array())
      for (const auto& one : node) collect(one);
    if (!node.is_object()) return;
    if (node.value("kind", "") == "extension") {
      if (extensions.insert(node.value("name", "")).second) told.push_back(&node);
      return;
    }
    if (node.contains("args")) collect(node["args"]);
  };
  const auto always = experiment.value("extensions", json::array());
  collect(vary), collect(always);
  for (const auto* extension : told) add_extension(*extension, study, out);
  if (!always.empty()) {
    std::vector<std::string> names;
    for (const auto& one : always) names.push_back(one.value("name", ""));
    design +=
        fmt::format(" {} {} on in every cell.", names_in_words(names), names.size() == 1 ? "is" : "are");
  }
  out.push_back(Paragraph{"Design.", design});
  if (experiment.contains("evaluate") && experiment["evaluate"].is_object())
    out.push_back(Paragraph{
        "Evaluation.", exam_paragraph(experiment["evaluate"], study,
                                      train.empty() ? "Every row answers the same exam of "
                                                    : "After training every row answers the same exam of ")});
  if (experiment.contains("dev") && experiment["dev"].is_object())
    out.push_back(Paragraph{"Development.",
                            exam_paragraph(experiment["dev"], study,
                                           "Before the first round and after each, rows also answer ")});
  return out;
}

}  // namespace trl::interpreter::paper
