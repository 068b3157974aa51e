// Formulas: checks names and types, and translates to expressions.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <initializer_list>
#include <optional>

#include "base/formulas/expression.hpp"
#include "base/formulas/formula_functions.hpp"
#include "base/support/counted.hpp"
#include "language/diagnostics/habits.hpp"
#include "language/diagnostics/mismatch.hpp"
#include "language/diagnostics/pass_rules.hpp"
#include "language/diagnostics/respell.hpp"
#include "language/diagnostics/suggest.hpp"
#include "language/elaboration/elaborator.hpp"

namespace trl::language {

using ast::Expr;

namespace {

constexpr int deepest = 150;

formulas::Place place_of(const Expr& e) { return {e.range.begin, e.range.end}; }

using formulas::Expression;

Expression number_of(double value) {
  return formulas::Node{formulas::Number{value, value == std::floor(value)}};
}
Expression call_of(const char* function, std::vector<Expression> arguments) {
  return formulas::Node{formulas::Call{function, std::move(arguments)}};
}
Expression joined_by(formulas::Operator op, Expression left, Expression right) {
  return formulas::Node{formulas::Binary{op, std::move(left), std::move(right)}};
}

/// What a function of other languages is in this one's, log1p(x) as log(1 + x); nothing for a function that
/// can't be said. Exponents are kept where they are finite.
std::optional<Expression> equivalent(std::string name, const std::vector<Expression>& x,
                                     const std::vector<bool>& boolean) {
  using formulas::Operator;
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto is = [&](std::initializer_list<const char*> names) {
    return std::any_of(names.begin(), names.end(), [&](const char* one) { return name == one; });
  };
  const auto choice = [](Expression condition, Expression then, Expression otherwise) {
    return Expression(
        formulas::Node{formulas::Choice{std::move(condition), std::move(then), std::move(otherwise)}});
  };
  const std::size_t given = x.size();
  const bool conditional = given > 0 && boolean[0];
  if (given == 1 && conditional) {
    if (is({"float", "int", "double", "bool", "number", "indicator", "to_float"}))
      return choice(x[0], number_of(1), number_of(0));
    return std::nullopt;
  }
  if (given == 3 && conditional && is({"where", "iif", "cond", "select", "ifelse", "if_else", "ternary"}))
    return choice(x[0], x[1], x[2]);
  if (std::find(boolean.begin(), boolean.end(), true) != boolean.end()) return std::nullopt;
  if (given == 2) {
    if (is({"pow", "power"})) return joined_by(Operator::power, x[0], x[1]);
    if (is({"fmod", "remainder"})) return call_of("mod", x);
    if (is({"div", "divide"})) return joined_by(Operator::divided, x[0], x[1]);
  }
  if (given == 3 && is({"clip", "bound", "saturate", "limit"})) return call_of("clamp", x);
  if (given > 1) {
    if (is({"maximum", "fmax", "amax"})) return call_of("max", x);
    if (is({"minimum", "fmin", "amin"})) return call_of("min", x);
    if (is({"mean", "avg", "average", "sum", "add"})) {
      Expression sum = x[0];
      for (std::size_t i = 1; i < given; ++i) sum = joined_by(Operator::plus, sum, x[i]);
      return is({"sum", "add"}) ? sum
                                : joined_by(Operator::divided, sum, number_of(static_cast<double>(given)));
    }
  }
  if (given != 1) return std::nullopt;
  constexpr double most_exponent = 20;
  const auto over = [&](Expression above, Expression below) {
    return joined_by(Operator::divided, std::move(above), std::move(below));
  };
  const auto plus = [&](Expression left, Expression right) {
    return joined_by(Operator::plus, std::move(left), std::move(right));
  };
  if (is({"tanh"}))
    return joined_by(
        Operator::minus, number_of(1),
        over(number_of(2), plus(call_of("exp", {joined_by(Operator::times, number_of(2),
                                                          call_of("min", {x[0], number_of(most_exponent)}))}),
                                number_of(1))));
  if (is({"sigmoid", "logistic", "expit"}))
    return over(
        number_of(1),
        plus(number_of(1),
             call_of("exp",
                     {formulas::Node{formulas::Negative{call_of(
                         "max", {x[0], formulas::Node{formulas::Negative{number_of(most_exponent)}}})}}})));
  if (is({"softplus"})) return call_of("log", {plus(number_of(1), call_of("exp", {x[0]}))});
  if (is({"log1p"})) return call_of("log", {plus(number_of(1), x[0])});
  if (is({"ln"})) return call_of("log", x);
  if (is({"log2", "log10", "lg"}))
    return over(call_of("log", x), call_of("log", {number_of(is({"log2"}) ? 2 : 10)}));
  if (is({"expm1"})) return joined_by(Operator::minus, call_of("exp", x), number_of(1));
  if (is({"exp2"})) return joined_by(Operator::power, number_of(2), x[0]);
  if (is({"square", "sq"})) return joined_by(Operator::power, x[0], number_of(2));
  if (is({"cbrt"})) return joined_by(Operator::power, x[0], over(number_of(1), number_of(3)));
  if (is({"reciprocal", "inv", "inverse"})) return over(number_of(1), x[0]);
  if (is({"relu", "positive"})) return call_of("max", {x[0], number_of(0)});
  if (is({"round", "rint", "nint"})) return call_of("floor", {plus(x[0], number_of(0.5))});
  if (is({"int", "trunc"})) return call_of("floor", x);
  if (is({"float", "double", "number"})) return x[0];
  if (is({"fabs", "absolute"})) return call_of("abs", x);
  if (is({"ceiling"})) return call_of("ceil", x);
  if (is({"sign", "sgn"}))
    return choice(joined_by(Operator::greater, x[0], number_of(0)), number_of(1),
                  choice(joined_by(Operator::less, x[0], number_of(0)),
                         formulas::Node{formulas::Negative{number_of(1)}}, number_of(0)));
  if (is({"step", "heaviside"}))
    return choice(joined_by(Operator::greater, x[0], number_of(0)), number_of(1), number_of(0));
  return std::nullopt;
}

}  // namespace

Elaborator::Parameters Elaborator::parameter_types(const std::vector<ast::Parameter>& parameters,
                                                   const std::vector<ast::Parameter>& defaults) {
  Parameters types;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const ast::Parameter& p = parameters[i];
    const std::string written = p.type ? p.type->text : "";
    const std::string name = !written.empty()                          ? written
                             : i < defaults.size() && defaults[i].type ? defaults[i].type->text
                                                                       : "";
    const auto type = parameter_types_.find(name);
    if (!written.empty() && type == parameter_types_.end()) {
      std::vector<std::string> known;
      for (const auto& [n, t] : parameter_types_) known.push_back(n);
      auto d = found(rules::unknown_name, p.type->range, "there is no type `" + written + "` of parameters");
      d.helped("types of parameters: " + enumeration(known, 12, "or"));
      respell(d, written, known, p.type->range, Names::of_schema);
      report(std::move(d));
    }
    if (!types.emplace(p.name, type == parameter_types_.end() ? nullptr : &type->second).second)
      report(found(rules::duplicate_name, p.name_range, "the parameter `" + p.name + "` is given twice"));
  }
  return types;
}

Elaborator::Formula Elaborator::lower_let(const Symbol& let, const Expr& use, const Parameters& parameters,
                                          const Scope& scope, int depth) {
  const ast::Declaration& d = *let.declaration;
  Formula out;
  const bool call = use.is(Expr::Kind::call);
  if (call != d.has_parameters) {
    report(
        found(rules::wrong_type, use.range,
              call ? "`" + d.name + "` takes no arguments" : "`" + d.name + "` is a formula with parameters")
            .note("declared here", d.name_range)
            .helped(call ? "write `" + d.name + "`" : "call it: `" + d.name + "(…)`"));
    return out;
  }
  if (report_cycle(let, *scope.context)) return out;
  std::map<std::string, formulas::Expression> arguments;
  if (call) {
    if (use.arguments.size() != d.parameters.size()) {
      if (let.module->misread) {
        faulty_ = true;
        return out;
      }
      report(found(rules::wrong_type, use.range,
                   "`" + d.name + "` takes " + std::to_string(d.parameters.size()) + " argument" +
                       (d.parameters.size() == 1 ? "" : "s") + ", not " +
                       std::to_string(use.arguments.size()))
                 .note("declared here", d.name_range));
      return out;
    }
    const Parameters types = parameter_types(d.parameters, {});
    for (std::size_t i = 0; i < d.parameters.size(); ++i) {
      const Expr& argument = use.arguments[i].value;
      if (!use.arguments[i].label.empty())
        report(found(rules::wrong_type, use.arguments[i].label_range,
                     "`" + d.name + "` takes its arguments without labels"));
      Formula f = lower(argument, parameters, scope, depth + 1);
      const auto type = types.find(d.parameters[i].name);
      const Type* wanted = type == types.end() ? nullptr : type->second;
      if (wanted != nullptr && wanted->is(Type::Kind::record)) {
        if (f.type != FormulaType::unknown && (f.type != FormulaType::record || f.record != wanted->name))
          report(found(rules::wrong_type, argument.range, mismatch("a " + wanted->name, said(f))));
      } else if (wanted != nullptr && wanted->is(Type::Kind::boolean)) {
        require_boolean(f, argument);
      } else if (!d.parameters[i].type && (f.type == FormulaType::record || f.type == FormulaType::boolean)) {
        const std::string type = f.type == FormulaType::record ? f.record : "bool";
        report(found(rules::wrong_type, argument.range, mismatch("a number", "a " + type))
                   .note("a parameter without a type is a number", d.parameters[i].name_range)
                   .helped("declare it as `" + d.parameters[i].name + ": " + type + "`"));
      } else {
        want_number(f, argument);
      }
      arguments[d.parameters[i].name] = std::move(f.body);
    }
  }
  std::vector<Diagnostic> inner;
  std::vector<Diagnostic>* const outer = std::exchange(sink_, &inner);
  const Body body = body_of(let, *scope.context);
  if (body.expr != nullptr) {
    scope.context->active.push_back(&d);
    out = lower(*body.expr, call ? parameter_types(d.parameters, {}) : Parameters{},
                {body.module, scope.context}, depth + 1);
    scope.context->active.pop_back();
  } else {
    faulty_ = true;
  }
  sink_ = outer;
  for (Diagnostic& problem : inner) {
    problem.note("`" + d.name + "` is used here", use.range);
    report(std::move(problem));
  }
  // The body of a `let` stands elsewhere.
  out.body = replaced(out.body, arguments, place_of(use));
  return out;
}

std::string Elaborator::said(const Formula& formula) {
  switch (formula.type) {
    case FormulaType::number:
      return "a number";
    case FormulaType::boolean:
      return "a boolean";
    case FormulaType::group:
      return "a group of tasks";
    case FormulaType::record:
      return "a " + formula.record;
    case FormulaType::unknown:
      break;
  }
  return "something else";
}

void Elaborator::want_number(Formula& f, const Expr& e) {
  if (f.type == FormulaType::number || f.type == FormulaType::unknown) return;
  auto d = found(rules::wrong_type, e.range, mismatch("a number", said(f)));
  if (f.type != FormulaType::boolean) {
    report(std::move(d.helped(
        f.type == FormulaType::record ? "use one of its parts: `" + std::string("….credit") + "`" : "")));
    return;
  }
  f = {formulas::Node{formulas::Choice{f.body, number_of(1), number_of(0)}}, FormulaType::number, ""};
  const std::string instead = "(" + formula_text(without_places(f.body)) + ")";
  report_mended(
      std::move(d.helped("write `" + instead + "`").suggest("write `" + instead + "`", e.range, instead)));
}

void Elaborator::require_boolean(const Formula& f, const Expr& e) {
  if (f.type == FormulaType::boolean || f.type == FormulaType::unknown) return;
  report(found(rules::wrong_type, e.range, mismatch("a boolean", said(f))).helped("compare it: `… > 0`"));
}

void Elaborator::report_unlike(const Expr& e, std::size_t i, const Formula& left, const Formula& right) {
  auto d =
      found(rules::wrong_type, e.range, "`" + e.ops[i] + "` compares " + said(left) + " with " + said(right));
  const bool first = left.type == FormulaType::boolean;
  if (first || right.type == FormulaType::boolean) {
    const Expr &boolean = e.args[first ? i : i + 1], &other = e.args[first ? i + 1 : i];
    const auto name = boolean.dotted();
    d.helped("a boolean needs no comparison: `" + name.value_or("…") + "`, or `not " + name.value_or("…") +
             "`");
    const bool one = other.number == 1;
    if (name && e.args.size() == 2 && other.is(Expr::Kind::number) && (one || other.number == 0)) {
      const std::string meant = (one == (e.ops[i] == "==") ? "" : "not ") + *name;
      d.suggest("write `" + meant + "`", e.range, meant);
    }
  }
  report(std::move(d));
}

Elaborator::Formula Elaborator::lower(const Expr& e, const Parameters& parameters, const Scope& scope,
                                      int depth) {
  const auto here = [&](auto form) {
    return formulas::Expression(formulas::Node{std::move(form), place_of(e)});
  };
  const auto nothing = [&] {
    faulty_ = true;
    return Formula{};
  };
  if (depth > deepest) {
    report(
        found(rules::wrong_type, e.range, "the formula is nested too deeply").helped("at most 150 levels"));
    return nothing();
  }
  const auto sub = [&](const Expr& part) { return lower(part, parameters, scope, depth + 1); };
  switch (e.kind) {
    case Expr::Kind::number: {
      const auto q = quantity(e, "a number", scope);
      if (!q) return nothing();
      if (!q->plain()) {
        auto d =
            found(rules::wrong_unit, e.unit_range, "formulas have plain numbers, and no `" + e.unit + "`");
        const bool duration = q->seconds == 1 && q->bytes == 0 && q->usd == 0 && q->tokens == 0;
        if (duration) {
          const std::string in_us = fmt::format("{}", q->value * 1e6);
          d.helped("times in formulas, such as `c.time`, are in microseconds");
          d.suggest("write microseconds", e.range, in_us);
        } else {
          d.helped("units that fit: `%`");
        }
        d.suggest("leave the unit out", e.range, fmt::format("{}", e.number));
        report(std::move(d));
        return nothing();
      }
      const bool integral = q->value == std::floor(q->value) && std::abs(q->value) < 1e15;
      return {formulas::Node{formulas::Number{q->value, integral}}, FormulaType::number, ""};
    }
    case Expr::Kind::name: {
      if (e.text == "true" || e.text == "false")
        return {here(formulas::Boolean{e.text == "true"}), FormulaType::boolean, ""};
      if (const auto p = parameters.find(e.text); p != parameters.end()) {
        Formula f{here(formulas::Name{e.text}), FormulaType::number, ""};
        if (p->second == nullptr) f.type = FormulaType::unknown;
        if (p->second != nullptr && p->second->is(Type::Kind::record)) {
          f.type = FormulaType::record;
          f.record = p->second->name;
        }
        if (p->second != nullptr && p->second->is(Type::Kind::boolean)) f.type = FormulaType::boolean;
        return f;
      }
      if (const Symbol named = let(e, scope)) return lower_let(named, e, parameters, scope, depth);
      if (scope.module->may_declare(e.text)) return nothing();
      std::vector<std::string> known;
      for (const auto& [name, type] : parameters) known.push_back(name);
      for (const std::string& name : names_of_kind(*scope.module, "let")) known.push_back(name);
      auto d = found(rules::unknown_name, e.range, "there is no `" + e.text + "` in this formula");
      std::string member;
      for (const auto& [name, type] : parameters)
        if (type != nullptr && type->is(Type::Kind::record) &&
            find(schema_.records.at(type->name).fields, e.text))
          member = name + "." + e.text;
      d.helped(instead_of(e, "", {"true", "false"}, d));
      if (!d.help.empty()) {
        // The name is a word of another language.
      } else if (!member.empty()) {
        d.helped("did you mean `" + member + "`?");
        d.suggest("write `" + member + "`", e.range, member);
      } else if (suites_.contains(e.text)) {
        d.helped("`" + e.text + "` is a suite: write `accuracy(" + e.text + ")`");
      } else {
        d.helped(known.empty()
                     ? "it has no parameters; it can use functions of groups such as `accuracy(level1)`"
                     : suggestion(e.text, known));
      }
      report(std::move(d));
      return nothing();
    }
    case Expr::Kind::member: {
      if (const auto dotted = e.dotted();
          dotted && !parameters.contains(dotted->substr(0, dotted->find('.')))) {
        if (const Symbol named = let(e, scope)) return lower_let(named, e, parameters, scope, depth);
        if (const auto field = field_of(e, scope)) {
          if (field->value.plain.is_boolean())
            return {here(formulas::Boolean{field->value.plain.get<bool>()}), FormulaType::boolean, ""};
          const auto q = quantity_of_field(*field, e, "a number");
          if (!q) return nothing();
          return {
              formulas::Node{formulas::Number{field->value.number(), field->value.plain.is_number_integer()}},
              FormulaType::number, ""};
        }
      }
      const Formula of = sub(e.args[0]);
      if (of.type == FormulaType::unknown) return nothing();
      if (of.type != FormulaType::record) {
        report(found(rules::wrong_type, e.range, "`." + e.text + "` is asked of a value that has no parts"));
        return nothing();
      }
      const std::vector<Spec>& fields = schema_.records.at(of.record).fields;
      const Spec* spec = find(fields, e.text);
      if (spec == nullptr) {
        std::vector<std::string> known;
        for (const Spec& s : fields) known.push_back(s.name);
        auto d = found(rules::unknown_name, e.text_range, "a " + of.record + " has no `" + e.text + "`");
        for (const ForeignWord* word : foreign_words(Place::value, e.text))
          if (find(fields, word->meant) != nullptr && d.help.empty())
            d.helped(help_for(*word))
                .suggest("write `" + std::string(word->meant) + "`", e.text_range, word->meant);
        if (d.help.empty()) d.helped(suggestion(e.text, known));
        if (d.fixes.empty()) respell(d, e.text, known, e.text_range, Names::of_schema);
        report(std::move(d));
        return nothing();
      }
      return {here(formulas::Member{of.body, e.text}),
              spec->type.is(Type::Kind::boolean) ? FormulaType::boolean : FormulaType::number, ""};
    }
    case Expr::Kind::negative: {
      Formula of = sub(e.args[0]);
      want_number(of, e.args[0]);
      return {here(formulas::Negative{std::move(of.body)}), FormulaType::number, ""};
    }
    case Expr::Kind::negation: {
      Formula of = sub(e.args[0]);
      require_boolean(of, e.args[0]);
      return {here(formulas::Negation{std::move(of.body)}), FormulaType::boolean, ""};
    }
    case Expr::Kind::conditional: {
      Formula c = sub(e.args[0]), t = sub(e.args[1]), f = sub(e.args[2]);
      require_boolean(c, e.args[0]);
      if (t.type != FormulaType::unknown && f.type != FormulaType::unknown && t.type != f.type)
        report(found(rules::wrong_type, e.args[2].range, "`then` and `else` give different types")
                   .note("the other is here", e.args[1].range)
                   .helped("both must be numbers, or both booleans"));
      return {here(formulas::Choice{std::move(c.body), std::move(t.body), std::move(f.body)}), t.type,
              t.record};
    }
    case Expr::Kind::chain: {
      if (static_cast<int>(e.ops.size()) + depth > deepest) {
        report(found(rules::wrong_type, e.range, "the formula is too long").helped("at most 150 terms"));
        return nothing();
      }
      Formula left = sub(e.args[0]);
      for (std::size_t i = 0; i < e.ops.size(); ++i) {
        const auto op = formulas::operator_written(e.ops[i]);
        if (!op) {
          report(found(rules::wrong_type, e.range, "`@` multiplies matrices; it is only allowed in tasks"));
          return nothing();
        }
        Formula right = sub(e.args[i + 1]);
        if (is_logic(*op)) {
          if (i == 0) require_boolean(left, e.args[0]);
          require_boolean(right, e.args[i + 1]);
        } else if (is_equality(*op)) {
          if (left.type != right.type && left.type != FormulaType::unknown &&
              right.type != FormulaType::unknown)
            report_unlike(e, i, left, right);
        } else {
          if (i == 0) want_number(left, e.args[0]);
          want_number(right, e.args[i + 1]);
        }
        left = {formulas::Node{formulas::Binary{*op, std::move(left.body), std::move(right.body)},
                               formulas::Place{e.args[0].range.begin, e.args[i + 1].range.end}},
                is_logic(*op) || is_comparison(*op) ? FormulaType::boolean : FormulaType::number, ""};
      }
      return left;
    }
    case Expr::Kind::call: {
      if (const Symbol named = let(e.args[0], scope)) return lower_let(named, e, parameters, scope, depth);
      const std::string name = e.args[0].dotted().value_or("");
      const formulas::Function* built_in = formulas::function(name);
      const Function* f = function(e.args[0], *scope.module);
      if (f != nullptr && !f->formula) f = nullptr;
      const bool known = built_in != nullptr;
      if (f == nullptr && !known && scope.module->misread) return nothing();
      if (f == nullptr && !known) {
        if (scope.module->may_declare(name)) return nothing();
        std::vector<std::string> names = formulas::function_names();
        for (const auto& [n, candidate] : schema_.functions)
          if (candidate.formula) names.push_back(n);
        for (const std::string& let : names_of_kind(*scope.module, "let")) names.push_back(let);
        auto d = found(rules::unknown_name, e.args[0].range, "formulas have no function `" + name + "`");
        // `Math.max`, `np.clip`: a function of another language's module.
        const std::string last = name.substr(name.rfind('.') + 1);
        const auto words = foreign_words(Place::function, last);
        const bool there = std::find(names.begin(), names.end(), last) != names.end();
        std::vector<Expression> arguments;
        std::vector<bool> boolean;
        bool lowered = !there;
        for (const ast::Argument& a : e.arguments) {
          if (!lowered || !a.label.empty()) break;
          const Formula argument = sub(a.value);
          lowered = argument.type == FormulaType::number || argument.type == FormulaType::boolean;
          arguments.push_back(argument.body);
          boolean.push_back(argument.type == FormulaType::boolean);
        }
        if (lowered && arguments.size() == e.arguments.size())
          if (const auto same = equivalent(last, arguments, boolean)) {
            const std::string text = formula_text(without_places(*same));
            const bool joined =
                same->as<formulas::Binary>() != nullptr || same->as<formulas::Choice>() != nullptr;
            const std::string instead = joined ? "(" + text + ")" : text;
            report_mended(std::move(
                d.helped("write `" + text + "`").suggest("write `" + instead + "`", e.range, instead)));
            return {*same, FormulaType::number, ""};
          }
        if (there || !words.empty()) {
          d.helped("write `" + (there ? last : words.front()->meant) + "(…)`");
        } else {
          const auto near = closest(name, names);
          d.helped(near ? "did you mean `" + *near + "`?"
                        : "functions of formulas are " + enumeration(names));
          respell(d, name, names, e.args[0].range, Names::of_file);
        }
        report(std::move(d));
        return nothing();
      }
      const std::size_t given = e.arguments.size();
      if (f != nullptr ? given != f->positional.size() : !built_in->accepts(given)) {
        const std::size_t wanted = f == nullptr ? 0 : f->positional.size();
        report(found(rules::wrong_type, e.range,
                     fmt::format("`{}` takes {}, not {}", name,
                                 f == nullptr ? built_in->takes() : counted(wanted, "argument"), given)));
        return nothing();
      }
      formulas::Call call{name, {}};
      for (std::size_t i = 0; i < e.arguments.size(); ++i) {
        const ast::Argument& a = e.arguments[i];
        if (!a.label.empty()) {
          report(
              found(rules::wrong_type, a.label_range, "`" + name + "` takes its arguments without labels"));
          continue;
        }
        const Spec* spec = f == nullptr ? nullptr : find(f->fields, f->positional[i]);
        if (spec != nullptr && spec->type.is(Type::Kind::group)) {
          const Value g = group(a.value, scope);
          call.arguments.push_back(formulas::Node{formulas::Name{g.string()}, place_of(a.value)});
          continue;
        }
        Formula argument = sub(a.value);
        want_number(argument, a.value);
        call.arguments.push_back(std::move(argument.body));
      }
      return {here(std::move(call)), FormulaType::number, ""};
    }
    case Expr::Kind::text:
    case Expr::Kind::list:
    case Expr::Kind::index:
    case Expr::Kind::range:
    case Expr::Kind::pipeline:
      break;
  }
  wrong_type(e, "a formula", "numbers, names, + - * / ^, comparisons, if … then … else, and functions");
  return nothing();
}

}  // namespace trl::language
