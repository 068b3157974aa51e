#include "language/elaboration/condition.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/formulas/evaluate.hpp"
#include "base/formulas/formula_functions.hpp"
#include "language/diagnostics/habits.hpp"
#include "language/diagnostics/mismatch.hpp"
#include "language/diagnostics/pass_rules.hpp"
#include "language/diagnostics/respell.hpp"
#include "language/diagnostics/suggest.hpp"
#include "language/tasks/tasks.hpp"

namespace trl::language {
namespace {

using ast::Expr;
using nlohmann::json;

/// The properties of a task that a condition can use.
struct Facts {
  std::map<std::string, double> numbers;
  std::map<std::string, std::string> words;
  std::set<std::string> operators;
};

Facts facts_of(const SuiteTask& task) {
  Facts facts;
  facts.words = {{"suite", task.suite}, {"name", task.name}, {"dtype", ""}};
  facts.numbers = {
      {"id", static_cast<double>(task.id)}, {"operators", 0}, {"inputs", 0}, {"rank", 0}, {"judged", 0}};
  if (const trl::tasks::Task* typed = task.typed()) {
    facts.numbers["judged"] = 1;
    for (const auto& [name, count] : count_operators(typed->value)) {
      facts.operators.insert(name);
      facts.numbers["operators"] += count;
    }
    // A tensor that a module keeps is no input of its forward.
    facts.numbers["inputs"] = static_cast<double>(
        std::count_if(typed->inputs.begin(), typed->inputs.end(),
                      [](const trl::tasks::TaskInput& input) { return input.parameter.empty(); }));
    // If there are several results, the first one counts.
    const trl::tasks::TaskResult first = typed->outputs().front();
    facts.numbers["rank"] = static_cast<double>(first.shape.size());
    facts.words["dtype"] = first.dtype;
  } else if (task.is_lowered() && task.lowered().contains("module")) {
    const json& module = task.lowered()["module"];
    for (const json& one : module.at("operators")) facts.operators.insert(one.get<std::string>());
    facts.numbers["operators"] = static_cast<double>(module["operators"].size());
    if (module.contains("inputs") && module["inputs"].is_array())
      facts.numbers["inputs"] = static_cast<double>(module["inputs"].size());
  }
  return facts;
}

const std::vector<std::string> number_properties = {"id", "operators", "inputs", "rank"};
/// A task of KernelBench is judged where its forward is known as an expression; every task of this language
/// is.
const std::vector<std::string> truth_properties = {"judged"};
const std::vector<std::string> word_properties = {"suite", "name", "dtype"};

std::vector<std::string> all_properties() {
  std::vector<std::string> all = number_properties;
  all.insert(all.end(), word_properties.begin(), word_properties.end());
  all.insert(all.end(), truth_properties.begin(), truth_properties.end());
  all.emplace_back("has(…)");
  return all;
}

bool among(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Translates a condition to an expression, and checks every name and type.
class ConditionReader {
 public:
  enum class Type { number, boolean, word, wrong };
  struct Read {
    formulas::Expression body;
    Type type = Type::wrong;
    std::string property;  ///< for a word: the property of which it is a value
  };

  ConditionReader(const std::vector<const SuiteTask*>& tasks, const std::function<void(Diagnostic)>& report,
                  std::set<std::string>& properties)
      : tasks_(tasks), report_(report), properties_(properties) {}

  Read read(const Expr& e, int depth = 0) {
    if (depth > 100) return wrong(e, "the condition is nested too deeply", "at most 100 levels");
    switch (e.kind) {
      case Expr::Kind::number:
        if (!e.unit.empty())
          return wrong(e, "a property of a task has no unit, and this is in `" + e.unit + "`", "",
                       &rules::wrong_unit, e.unit_range);
        return {formulas::Node{formulas::Number{e.number}}, Type::number, ""};
      case Expr::Kind::name:
        return name(e);
      case Expr::Kind::negation: {
        Read of = boolean(e.args[0], depth);
        return {formulas::Node{formulas::Negation{of.body}}, of.type, ""};
      }
      case Expr::Kind::negative: {
        Read of = number(e.args[0], depth);
        return {formulas::Node{formulas::Negative{of.body}}, of.type, ""};
      }
      case Expr::Kind::chain:
        return chain(e, depth);
      case Expr::Kind::call:
        return call(e, depth);
      default:
        return wrong(e, "this is not allowed in a condition on tasks", "it can use " + properties());
    }
  }

  Read boolean(const Expr& e, int depth) {
    Read of = read(e, depth + 1);
    if (of.type == Type::boolean || of.type == Type::wrong) return of;
    return wrong(
        e, mismatch("a boolean", say(of)),
        "compare it: `" + (of.type == Type::word ? "… == " + of.property : std::string("… <= 3")) + "`");
  }

 private:
  Read number(const Expr& e, int depth) {
    Read of = read(e, depth + 1);
    if (of.type == Type::number || of.type == Type::wrong) return of;
    return wrong(e, mismatch("a number", say(of)), "numbers are " + enumeration(number_properties));
  }

  Read name(const Expr& e) {
    if (among(truth_properties, e.text)) {
      properties_.insert(e.text);
      const formulas::Expression fact = formulas::Node{formulas::Name{e.text}},
                                 zero = formulas::Node{formulas::Number{}};
      return {formulas::Node{formulas::Binary{formulas::Operator::greater, fact, zero}}, Type::boolean, ""};
    }
    if (among(number_properties, e.text) || among(word_properties, e.text)) {
      properties_.insert(e.text);
      return {formulas::Node{formulas::Name{e.text}},
              among(number_properties, e.text) ? Type::number : Type::word, e.text};
    }
    std::vector<std::string> known = number_properties;
    known.insert(known.end(), word_properties.begin(), word_properties.end());
    known.insert(known.end(), truth_properties.begin(), truth_properties.end());
    auto d = found(rules::unknown_name, e.range, "a task has no property `" + e.text + "`");
    const auto best = closest(e.text, known);
    d.helped(best ? "did you mean `" + *best + "`?" : "it has " + properties());
    respell(d, e.text, known, e.range, Names::of_schema);
    report_(std::move(d));
    return {};
  }

  Read chain(const Expr& e, int depth) {
    Read left;
    for (std::size_t i = 0; i < e.ops.size(); ++i) {
      const std::string& op = e.ops[i];
      const Expr &a = e.args[i], &b = e.args[i + 1];
      const auto means = formulas::operator_written(op);
      if (!means || means == formulas::Operator::power)
        return wrong(e, "`" + op + "` is not allowed in a condition on tasks");
      const bool logic = is_logic(*means);
      Read right;
      if (is_equality(*means) && (word_property(a) || word_property(b))) {
        const Expr& of = word_property(a) ? a : b;
        properties_.insert(of.text);
        left = {formulas::Node{formulas::Name{of.text}}, Type::word, of.text};
        right = word_property(a) && word_property(b)
                    ? Read{formulas::Node{formulas::Name{b.text}}, Type::word, b.text}
                    : word(word_property(a) ? b : a, of.text);
      } else {
        if (i == 0) left = logic ? boolean(a, depth) : number(a, depth);
        right = logic ? boolean(b, depth) : number(b, depth);
      }
      const bool broken = left.type == Type::wrong || right.type == Type::wrong;
      left = {formulas::Node{formulas::Binary{*means, std::move(left.body), std::move(right.body)}},
              broken                           ? Type::wrong
              : logic || is_comparison(*means) ? Type::boolean
                                               : Type::number,
              ""};
    }
    return left;
  }

  Read call(const Expr& e, int depth) {
    const std::string function = e.args[0].dotted().value_or("");
    if (function == "has") {
      if (e.arguments.size() != 1 || !e.arguments[0].label.empty() ||
          !e.arguments[0].value.is(Expr::Kind::name))
        return wrong(e, "`has` takes the name of one operator", "write `has(matmul)`");
      const Expr& op = e.arguments[0].value;
      std::vector<std::string> known;
      for (const TensorFunction& f : tensor_functions()) known.push_back(f.name);
      for (const SuiteTask* task : tasks_)
        if (task->is_lowered() && task->lowered().contains("module"))
          for (const std::string& one : facts_of(*task).operators)
            if (!among(known, one)) known.push_back(one);
      if (!among(known, op.text)) return unknown_operator(op, known);
      return {formulas::Node{formulas::Call{"has", {formulas::Node{formulas::Word{op.text}}}}}, Type::boolean,
              ""};
    }
    const formulas::Function* const built_in = formulas::function(function);
    if (built_in == nullptr) {
      std::vector<std::string> known = formulas::function_names();
      known.emplace_back("has");
      return unknown(e.args[0], "conditions on tasks have no function `" + function + "`", known);
    }
    if (!built_in->accepts(e.arguments.size()))
      return wrong(e, fmt::format("`{}` takes {}, not {}", function, built_in->takes(), e.arguments.size()));
    formulas::Call call{function, {}};
    Type type = Type::number;
    for (const ast::Argument& a : e.arguments) {
      if (!a.label.empty()) return wrong(e, "`" + function + "` takes its arguments without labels");
      const Read of = number(a.value, depth);
      if (of.type == Type::wrong) type = Type::wrong;
      call.arguments.push_back(of.body);
    }
    if (type == Type::wrong) return {};
    return {formulas::Node{std::move(call)}, Type::number, ""};
  }

  /// Reads the right side of `dtype == f16`.
  Read word(const Expr& e, const std::string& property) {
    std::set<std::string> values;
    for (const SuiteTask* t : tasks_) values.insert(facts_of(*t).words.at(property));
    if (property == "dtype") values.insert({"f32", "f16", "bf16"});
    const std::vector<std::string> known(values.begin(), values.end());
    if (!e.is(Expr::Kind::name) && !e.is(Expr::Kind::text))
      return wrong(e, "`" + property + "` is compared with a name",
                   "such as `" + property + " == " + known[0] + "`");
    if (!values.contains(e.text))
      return unknown(e, "no task has the " + property + " `" + e.text + "`", known);
    return {formulas::Node{formulas::Word{e.text}}, Type::word, property};
  }

  bool word_property(const Expr& e) const { return e.is(Expr::Kind::name) && among(word_properties, e.text); }

  /// Reports an operator that doesn't exist. The help is another tool's word for one, a word that is nearly
  /// one, or the operators that the tasks have.
  Read unknown_operator(const Expr& op, const std::vector<std::string>& known) {
    auto d = found(rules::unknown_name, op.range, "there is no operator `" + op.text + "`");
    for (const ForeignWord* word : foreign_words(Place::function, op.text))
      if (among(known, word->meant)) {
        report_(d.helped(help_for(*word))
                    .suggest("write `" + std::string(word->meant) + "`", op.range, word->meant));
        return {};
      }
    std::set<std::string> here;
    for (const SuiteTask* task : tasks_)
      if (task->is_lowered())
        for (const std::string& one : facts_of(*task).operators) here.insert(one);
    const auto near = closest(op.text, known);
    constexpr std::size_t most = 30;
    if (near)
      d.helped("did you mean `" + *near + "`?");
    else if (!here.empty())
      d.helped("these tasks have " + enumeration({here.begin(), here.end()}, most));
    respell(d, op.text, known, op.range, Names::of_schema);
    report_(std::move(d));
    return {};
  }

  Read unknown(const Expr& e, std::string message, const std::vector<std::string>& known) {
    auto d = found(rules::unknown_name, e.range, std::move(message));
    d.helped(suggestion(e.text, known));
    respell(d, e.text, known, e.range, Names::of_schema);
    report_(std::move(d));
    return {};
  }

  Read wrong(const Expr& e, std::string message, std::string help = "", const Rule* rule = &rules::wrong_type,
             std::optional<Range> range = std::nullopt) {
    report_(found(*rule, range.value_or(e.range), std::move(message)).helped(std::move(help)));
    return {};
  }

  static std::string properties() { return enumeration(all_properties()); }
  static std::string say(const Read& of) {
    return of.type == Type::number ? "a number" : of.type == Type::boolean ? "a condition" : "a name";
  }

  const std::vector<const SuiteTask*>& tasks_;
  const std::function<void(Diagnostic)>& report_;
  std::set<std::string>& properties_;
};

}  // namespace

std::optional<Condition> Condition::read(const Expr& e, const std::vector<const SuiteTask*>& tasks,
                                         const std::function<void(Diagnostic)>& report) {
  Condition out;
  ConditionReader reader(tasks, report, out.properties_);
  ConditionReader::Read of = reader.boolean(e, 0);
  if (of.type != ConditionReader::Type::boolean) return std::nullopt;
  out.body_ = std::move(of.body);
  return out;
}

bool Condition::holds(const SuiteTask& task) const {
  const Facts facts = facts_of(task);
  formulas::Bindings bindings;
  for (const auto& [name, value] : facts.numbers) bindings.names[name] = value;
  for (const auto& [name, value] : facts.words) bindings.names[name] = value;
  bindings.functions["has"] = [&](const std::vector<formulas::Value>& arguments) -> formulas::Value {
    return facts.operators.contains(value_text(arguments.at(0)));
  };
  return evaluate_bool(body_, bindings);
}

std::string Condition::spread(const std::vector<const SuiteTask*>& tasks) const {
  std::string out;
  for (const std::string& property : properties_) {
    std::set<double> numbers;
    for (const SuiteTask* t : tasks) {
      const Facts facts = facts_of(*t);
      if (const auto at = facts.numbers.find(property); at != facts.numbers.end()) numbers.insert(at->second);
    }
    if (numbers.empty()) continue;
    out += fmt::format("{}`{}` goes from {} to {} there", out.empty() ? "" : ", ", property, *numbers.begin(),
                       *numbers.rbegin());
  }
  return out;
}

}  // namespace trl::language
