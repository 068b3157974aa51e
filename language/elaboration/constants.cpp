// Values of `let`s, fields of other declarations as values, and conditions that are known before a run.
#include <algorithm>
#include <utility>

#include "language/diagnostics/mismatch.hpp"
#include "language/diagnostics/pass_rules.hpp"
#include "language/diagnostics/suggest.hpp"
#include "language/elaboration/elaborator.hpp"

namespace trl::language {

using ast::Expr;
using nlohmann::json;

namespace {

/// One unit of what values of a type are normalised to.
Quantity in_unit_of(const Type& type, double value) {
  Quantity q;
  q.value = value;
  const bool rate = type.is(Type::Kind::price) || type.is(Type::Kind::bandwidth);
  q.seconds = rate ? -1 : type.is(Type::Kind::duration);
  q.bytes = type.is(Type::Kind::bytes) || type.is(Type::Kind::bandwidth);
  q.usd = type.is(Type::Kind::money) || type.is(Type::Kind::price);
  return q;
}

const Type& without_optional(const Type& type) {
  return type.is(Type::Kind::optional) ? without_optional(type.args.at(0)) : type;
}

}  // namespace

Symbol Elaborator::let(const Expr& e, const Scope& scope) const {
  const auto dotted = e.dotted();
  if (!dotted) return {};
  const Symbol symbol = lookup(ast::split_dotted(*dotted), *scope.module);
  const KindSpec* kind = symbol ? schema_.kind(symbol.declaration->kind) : nullptr;
  const bool named = kind != nullptr && kind->value && kind->value->is(Type::Kind::expression);
  return named ? note(e.range, symbol) : Symbol{};
}

void Elaborator::read_let(const Symbol& let, Context& context) {
  const ast::Declaration& d = *let.declaration;
  if (d.block || !d.base.empty() || !d.dimensions.empty() || !d.value) {
    std::string parameters;
    for (const ast::Parameter& p : d.parameters)
      parameters +=
          (parameters.empty() ? "(" : ", ") + p.name + (p.type ? ": " + p.type->dotted().value_or("…") : "");
    if (!parameters.empty()) parameters += ")";
    auto diagnostic = found(rules::wrong_type, d.name_range,
                            d.has_parameters ? "a `let` with parameters is a formula of them, without a type"
                                             : "a `let` is a name and its value");
    diagnostic.helped("write `let " + d.name + parameters + " = …`");
    if (d.value && !d.block && !d.base.empty())
      diagnostic.suggest(
          "leave the type out",
          {d.name_range.file, d.parameters.empty() ? d.name_range.end : d.parameters.back().range.end,
           d.base.range.end},
          d.parameters.empty() ? "" : ")");
    report(std::move(diagnostic));
    return;
  }
  if (!d.has_parameters) return;
  const Formula f = lower(*d.value, parameter_types(d.parameters, {}), {let.module, &context}, 0);
  (void)f;
}

Elaborator::Body Elaborator::body_of(const Symbol& let, Context& context) {
  const ast::Declaration& d = *let.declaration;
  const Override* last = nullptr;
  for (const Override& o : context.overrides)
    if (o.target == let && o.path.empty()) {
      context.applied.insert(o.item);  // an override that a later one replaces counts as used
      last = &o;
    }
  if (last != nullptr) return {&*last->item->value, last->module};
  if (!d.value) return {};  // read_let reported it
  if (let.module->doubts(d.range)) return {};
  return {&*d.value, let.module};
}

void Elaborator::inside(const Symbol& let, const Expr& use, const Scope& scope,
                        const std::function<void(const Expr& body, const Scope& within)>& with) {
  if (report_cycle(let, *scope.context)) return;
  if (let.declaration->has_parameters) {
    report(found(rules::wrong_type, use.range,
                 mismatch_of("a value", let.declaration->name, "is a formula with parameters"))
               .note("declared here", let.declaration->name_range)
               .helped("use it in a formula, as a call: `" + let.declaration->name + "(…)`"));
    return;
  }
  std::vector<Diagnostic> inner;
  std::vector<Diagnostic>* const outer = std::exchange(sink_, &inner);
  if (const Body body = body_of(let, *scope.context); body.expr != nullptr) {
    scope.context->active.push_back(let.declaration);
    with(*body.expr, Scope{body.module, scope.context});
    scope.context->active.pop_back();
  } else {
    faulty_ = true;
  }
  sink_ = outer;
  for (Diagnostic& d : inner) {
    if (d.range.file != use.range.file || d.range.begin < use.range.begin || d.range.end > use.range.end)
      d.note("`" + let.declaration->name + "` is used here", use.range);
    report(std::move(d));
  }
}

Value Elaborator::evaluate_let(const Symbol& let, const Expr& use, const Type& type, const Spec& spec,
                               const Scope& scope) {
  Value value;
  value.given = true;
  const bool before = std::exchange(faulty_, false);
  bool done = false;
  inside(let, use, scope, [&](const Expr& e, const Scope& within) {
    value = evaluate(e, type, spec, within);
    done = true;
  });
  faulty_ = faulty_ || before || !done;
  value.range = use.range;
  return value;
}

std::optional<Quantity> Elaborator::quantity_of_let(const Symbol& let, const Expr& use,
                                                    const std::string& wanted, const Scope& scope) {
  std::optional<Quantity> q;
  inside(let, use, scope, [&](const Expr& e, const Scope& within) { q = quantity(e, wanted, within); });
  if (!q) faulty_ = true;
  return q;
}

std::optional<Elaborator::FieldValue> Elaborator::field_of(const Expr& e, const Scope& scope) {
  const auto dotted = e.dotted();
  if (!dotted) return std::nullopt;
  const std::vector<std::string> parts = ast::split_dotted(*dotted);
  std::size_t taken = 1;
  const bool imported = scope.module->imports.contains(parts[0]);
  if (imported) ++taken;
  if (parts.size() <= taken) return std::nullopt;
  const Symbol symbol =
      lookup(std::vector<std::string>(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(taken)),
             *scope.module);
  const KindSpec* kind = symbol ? schema_.kind(symbol.declaration->kind) : nullptr;
  if (kind == nullptr || kind->value || symbol.declaration->kind == "suite") return std::nullopt;
  note(e.range, symbol);
  const std::vector<std::string> path(parts.begin() + static_cast<std::ptrdiff_t>(taken), parts.end());
  FieldValue out;
  const auto resolved = resolve(symbol, *scope.context);
  if (resolved == nullptr) {
    faulty_ = true;
    return out;
  }
  const std::vector<Spec>* specs = nullptr;
  std::vector<Spec> all = kind->fields;
  if (resolved->variant != nullptr)
    all.insert(all.end(), resolved->variant->fields.begin(), resolved->variant->fields.end());
  specs = &all;
  const Value* at = nullptr;
  const Spec* spec = nullptr;
  for (std::size_t i = 0; i < path.size(); ++i) {
    spec = find(*specs, path[i]);
    if (spec == nullptr && i == 0 && resolved->unsound.contains("")) {
      faulty_ = true;  // the variant is unknown, which was reported, and so are its fields
      return out;
    }
    if (spec == nullptr) {
      std::vector<std::string> known;
      for (const Spec& s : *specs) known.push_back(s.name);
      // The range of this part of the path, which ends with this member.
      const Expr* part = &e;
      for (std::size_t up = parts.size() - 1; up > taken + i; --up) part = &part->args[0];
      const std::string owner = resolved->variant != nullptr && i == 0 ? resolved->variant->name
                                : i == 0                               ? kind->name
                                                                       : path[i - 1];
      auto d =
          found(rules::unknown_field, part->text_range, "`" + owner + "` has no field `" + path[i] + "`");
      d.note("`" + symbol.declaration->name + "` is declared here", symbol.declaration->name_range);
      help_with_field(d, path[i], known, part->text_range);
      report(std::move(d));
      return out;
    }
    at = at == nullptr ? resolved->field(path[i]) : at->entry(path[i]);
    specs = &spec->fields;
  }
  if (at == nullptr) {
    faulty_ = true;  // the error was reported at its declaration
    return out;
  }
  out.type = without_optional(spec->type);
  out.value = *at;
  out.value.range = e.range;
  out.value.given = true;
  return out;
}

std::optional<Quantity> Elaborator::quantity_of_field(const FieldValue& field, const Expr& use,
                                                      const std::string& wanted) {
  if (field.type && field.value.is(Value::Kind::plain) && field.value.plain.is_number())
    return in_unit_of(*field.type, field.value.number());
  if (field.type)
    report(
        found(rules::wrong_type, use.range,
              mismatch_of(wanted, *use.dotted(),
                          field.value.absent() ? "is left out there" : "is of type " + field.type->text())));
  faulty_ = true;
  return std::nullopt;
}

Value Elaborator::evaluate_field(const FieldValue& field, const Expr& use, const Type& type) {
  if (!field.type) return wrong(use);
  if (field.type->text() == without_optional(type).text()) return field.value;
  return wrong_type(use, "a value of type " + without_optional(type).text(),
                    "`" + *use.dotted() + "` is of type " + field.type->text());
}

std::optional<bool> Elaborator::boolean(const Expr& e, const Scope& scope) {
  const auto fail = [&]() -> std::optional<bool> {
    if (e.dotted() && scope.module->may_declare(*e.dotted()))
      faulty_ = true;
    else
      wrong_type(e, "a condition", "compare numbers or names that are known before the run: `a.rank > 16`");
    return std::nullopt;
  };
  switch (e.kind) {
    case Expr::Kind::name:
    case Expr::Kind::member: {
      if (e.is(Expr::Kind::name) && (e.text == "true" || e.text == "false")) return e.text == "true";
      if (const Symbol named = let(e, scope)) {
        std::optional<bool> value;
        inside(named, e, scope,
               [&](const Expr& body, const Scope& within) { value = boolean(body, within); });
        if (!value) faulty_ = true;
        return value;
      }
      if (const auto field = field_of(e, scope)) {
        if (field->value.plain.is_boolean()) return field->value.plain.get<bool>();
        return field->type ? fail() : std::nullopt;
      }
      return fail();
    }
    case Expr::Kind::negation: {
      const auto of = boolean(e.args[0], scope);
      return of ? std::optional(!*of) : std::nullopt;
    }
    case Expr::Kind::conditional: {
      const auto c = boolean(e.args[0], scope), yes = boolean(e.args[1], scope),
                 no = boolean(e.args[2], scope);
      return c && yes && no ? (*c ? yes : no) : std::nullopt;
    }
    case Expr::Kind::chain: {
      const std::string& op = e.ops[0];
      if (op == "and" || op == "or") {
        bool out = op == "and", known = true;
        for (const Expr& part : e.args) {
          const auto of = boolean(part, scope);
          known = known && of.has_value();
          if (of) out = op == "and" ? out && *of : out || *of;
        }
        return known ? std::optional(out) : std::nullopt;
      }
      if (op != "==" && op != "!=" && op != "<" && op != "<=" && op != ">" && op != ">=") return fail();
      if (op == "==" || op == "!=") {
        const auto left = name_of(e.args[0], scope), right = name_of(e.args[1], scope);
        if (left && right) return (*left == *right) == (op == "==");
      }
      const auto left = quantity(e.args[0], "a number", scope),
                 right = quantity(e.args[1], "a number", scope);
      if (!left || !right) return std::nullopt;
      if (!left->same_unit(*right)) {
        report(found(rules::wrong_unit, e.range, "`" + op + "` compares quantities of different units")
                   .helped("both sides need the same unit"));
        return std::nullopt;
      }
      const double a = left->value, b = right->value;
      return op == "=="   ? a == b
             : op == "!=" ? a != b
             : op == "<"  ? a < b
             : op == "<=" ? a <= b
             : op == ">"  ? a > b
                          : a >= b;
    }
    default:
      return fail();
  }
}

std::optional<std::string> Elaborator::name_of(const Expr& e, const Scope& scope) {
  if (!e.dotted()) return std::nullopt;
  if (const auto field = field_of(e, scope))
    return field->value.plain.is_string() ? std::optional(field->value.string()) : std::nullopt;
  if (e.is(Expr::Kind::name) && !let(e, scope) && e.text != "true" && e.text != "false") return e.text;
  return std::nullopt;
}

Value Elaborator::conditional(const Expr& e, const Type& type, const Spec& spec, const Scope& scope) {
  const auto condition = boolean(e.args[0], scope);
  // Both branches are checked, since another experiment may take the other one.
  Value yes = evaluate(e.args[1], type, spec, scope), no = evaluate(e.args[2], type, spec, scope);
  if (!condition) return wrong(e);
  Value value = *condition ? std::move(yes) : std::move(no);
  value.range = e.range;
  return value;
}

}  // namespace trl::language
