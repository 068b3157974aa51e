// Numbers with units.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/formulas/evaluate.hpp"
#include "base/formulas/formula_functions.hpp"
#include "language/diagnostics/habits.hpp"
#include "language/diagnostics/mismatch.hpp"
#include "language/diagnostics/pass_rules.hpp"
#include "language/diagnostics/respell.hpp"
#include "language/diagnostics/suggest.hpp"
#include "language/elaboration/elaborator.hpp"
#include "language/elaboration/measure.hpp"

namespace trl::language {
namespace {

using ast::Expr;

/// The unit as a factor and a dimension.
Quantity unit(const std::string& name) {
  Quantity q{1, 0, 0, 0, 0, false};
  const MeasureUnit* of = find_measure_unit(name);
  if (of == nullptr) return q;
  q.value = of->factor;
  q.seconds = of->of == Type::Kind::duration;
  q.bytes = of->of == Type::Kind::bytes;
  q.usd = of->of == Type::Kind::money;
  q.tokens = of->of == Type::Kind::count;
  q.percent = of->of == Type::Kind::fraction;
  return q;
}

std::string dimension(const Quantity& q) {
  std::string out;
  const auto add = [&](const char* name, int power) {
    if (power == 0) return;
    if (!out.empty()) out += " · ";
    out += name;
    if (power != 1) out += fmt::format("^{}", power);
  };
  add("a duration", q.seconds);
  add("bytes", q.bytes);
  add("usd", q.usd);
  add("tokens", q.tokens);
  return out.empty() ? "a plain number" : out;
}

/// A documentation's first sentence, on one line.
std::string first_sentence(const std::string& doc) {
  std::string out = doc.substr(0, doc.find(". "));
  std::replace(out.begin(), out.end(), '\n', ' ');
  if (const std::size_t stop = out.find(". "); stop != out.npos) out.resize(stop);
  return out.ends_with('.') ? out : out + ".";
}

/// A number as a user would write it.
std::string show(double value) { return fmt::format("{:.6g}", value); }

/// Advice on the name of a field alone in place of a number, `alpha = 2 * rank`; empty for another name.
std::string advice_on_field(const Schema& schema, const Expr& e) {
  const auto has = [&](const std::vector<Spec>& fields) { return find(fields, e.text) != nullptr; };
  const bool field =
      e.is(Expr::Kind::name) && std::any_of(schema.kinds.begin(), schema.kinds.end(), [&](const auto& kind) {
        const auto& variants = kind.second.variants;
        return has(kind.second.fields) || std::any_of(variants.begin(), variants.end(), [&](const auto& one) {
                 return has(one.second.fields);
               });
      });
  return field
             ? fmt::format(
                   "`{0}` is a field: give what fields share a name, `let shared = 16` and `{0} = shared`; a "
                   "field of another declaration is `NAME.{0}`",
                   e.text)
             : "";
}

}  // namespace

std::optional<Quantity> Elaborator::quantity(const Expr& e, const std::string& wanted, const Scope& scope) {
  const auto fail = [&]() -> std::optional<Quantity> {
    if (const Symbol of = find_declaration(e, scope); of && schema_.kind(of.declaration->kind) == nullptr) {
      faulty_ = true;  // the error in its kind was reported
      return std::nullopt;
    }
    const auto lets = names_of_kind(*scope.module, "let");
    const auto best = e.is(Expr::Kind::name) ? closest(e.text, lets) : std::nullopt;
    if (best && !find_declaration(e, scope)) {
      auto d = found(rules::unknown_name, e.range, "there is no `" + e.text + "`");
      d.helped("did you mean `" + *best + "`?");
      respell(d, e.text, lets, e.range, Names::of_file);
      report(std::move(d));
    } else if (!e.dotted() || !(scope.module->misread ||
                                scope.module->may_declare(e.dotted()->substr(0, e.dotted()->find('.'))))) {
      wrong_type(e, wanted, advice_on_field(schema_, e));
    }
    faulty_ = true;
    return std::nullopt;
  };
  switch (e.kind) {
    case Expr::Kind::number: {
      Quantity q = e.unit.empty() ? Quantity{1, 0, 0, 0, 0, false} : unit(e.unit);
      // `5%` must equal `0.05`, which a division by 100 gives and a product with 0.01 doesn't.
      q.value = e.unit == "%" ? e.number / 100 : q.value * e.number;
      return q;
    }
    case Expr::Kind::negative: {
      auto q = quantity(e.args[0], wanted, scope);
      if (q) q->value = -q->value;
      return q;
    }
    case Expr::Kind::chain: {
      auto left = quantity(e.args[0], wanted, scope);
      for (std::size_t i = 0; i < e.ops.size() && left; ++i) {
        const std::string& op = e.ops[i];
        if (op != "+" && op != "-" && op != "*" && op != "/" && op != "^") return fail();
        const auto right = quantity(e.args[i + 1], wanted, scope);
        if (!right) return std::nullopt;
        if (op == "+" || op == "-") {
          if (!left->same_unit(*right)) {
            report(found(rules::wrong_unit, e.args[i + 1].range,
                         "`" + op + "` joins " + dimension(*left) + " and " + dimension(*right))
                       .helped("both sides need the same unit"));
            return std::nullopt;
          }
          left->value = op == "+" ? left->value + right->value : left->value - right->value;
          left->percent = left->percent && right->percent;
        } else if (op == "*" || op == "/") {
          const int sign = op == "*" ? 1 : -1;
          if (op == "/" && right->value == 0) {
            report(found(rules::out_of_range, e.args[i + 1].range, "division by zero"));
            return std::nullopt;
          }
          left->value = op == "*" ? left->value * right->value : left->value / right->value;
          left->seconds += sign * right->seconds;
          left->bytes += sign * right->bytes;
          left->usd += sign * right->usd;
          left->tokens += sign * right->tokens;
          left->percent = false;
        } else {
          if (!right->plain() || !left->plain()) {
            report(found(rules::wrong_unit, e.range, "`^` takes plain numbers"));
            return std::nullopt;
          }
          left->value = std::pow(left->value, right->value);
          left->percent = false;
        }
      }
      return left;
    }
    case Expr::Kind::call: {
      const std::string name = e.args[0].dotted().value_or("");
      if (formulas::function(name) == nullptr) return fail();
      formulas::Call of{name, {}};
      for (const ast::Argument& a : e.arguments) {
        const auto q = quantity(a.value, wanted, scope);
        if (!q) return std::nullopt;
        if (!q->plain()) {
          report(found(rules::wrong_unit, a.value.range, "`" + name + "` takes plain numbers here"));
          return std::nullopt;
        }
        of.arguments.push_back(formulas::Node{formulas::Number{q->value}});
      }
      try {
        return Quantity{evaluate_number(formulas::Node{of}, {}), 0, 0, 0, 0, false};
      } catch (const formulas::EvaluationError& error) {
        report(found(rules::wrong_type, e.range, error.what()));
        return std::nullopt;
      }
    }
    case Expr::Kind::name:
    case Expr::Kind::member:
      if (const Symbol named = let(e, scope)) return quantity_of_let(named, e, wanted, scope);
      if (const auto field = field_of(e, scope)) return quantity_of_field(*field, e, wanted);
      if (e.is(Expr::Kind::name) && find_measure_unit(e.text) != nullptr) {
        report(found(rules::wrong_type, e.range, "the unit `" + e.text + "` has no number")
                   .helped("write `1 " + e.text + "`: a price is `3.5 usd / 1 h`")
                   .suggest("write `1 " + e.text + "`", e.range, "1 " + e.text));
        return std::nullopt;
      }
      return fail();
    case Expr::Kind::conditional: {
      const auto condition = boolean(e.args[0], scope);
      const auto yes = quantity(e.args[1], wanted, scope), no = quantity(e.args[2], wanted, scope);
      if (!condition || !yes || !no) return std::nullopt;
      return *condition ? yes : no;
    }
    default:
      return fail();
  }
}

Value Elaborator::number(const Expr& e, const Type& type, const Spec& spec, const Scope& scope) {
  using Kind = Type::Kind;
  struct Wanted {
    const char *text, *units;
    bool fits;
  };
  const std::string name = type.is(Kind::count)       ? "an integer"
                           : type.is(Kind::number)    ? "a number"
                           : type.is(Kind::fraction)  ? "a fraction"
                           : type.is(Kind::duration)  ? "a duration"
                           : type.is(Kind::bytes)     ? "a size in bytes"
                           : type.is(Kind::price)     ? "a price"
                           : type.is(Kind::bandwidth) ? "a bandwidth"
                                                      : "an amount of money";
  const auto q = quantity(e, name, scope);
  if (!q) return wrong(e);
  const bool one_second = q->seconds == 1 && q->bytes == 0 && q->usd == 0 && q->tokens == 0;
  const bool one_byte = q->bytes == 1 && q->seconds == 0 && q->usd == 0 && q->tokens == 0;
  const bool one_usd = q->usd == 1 && q->seconds == 0 && q->bytes == 0 && q->tokens == 0;
  const bool tokens = q->tokens == 1 && q->seconds == 0 && q->bytes == 0 && q->usd == 0;
  Wanted wanted{"", "", true};
  switch (type.kind) {
    case Kind::count:
      wanted = type.unit == "tokens"
                   ? Wanted{"an integer", "no unit, or `tokens`", (q->plain() && !q->percent) || tokens}
                   : Wanted{"an integer", "none", q->plain() && !q->percent};
      break;
    case Kind::number:
      wanted = {"a number", "no unit, or `%`", q->plain()};
      break;
    case Kind::fraction:
      wanted = {"a fraction", "`%`, or no unit and a number from 0 to 1", q->plain()};
      break;
    case Kind::duration:
      wanted = {"a duration", "`us`, `ms`, `s`, `min` or `h`", one_second};
      break;
    case Kind::bytes:
      wanted = {"a size", "`KiB`, `MiB` or `GiB`", one_byte || (q->plain() && q->value == 0)};
      break;
    case Kind::money:
      wanted = {"an amount of money", "`usd`", one_usd};
      break;
    case Kind::price:
      wanted = {"a price", "`usd` over a duration, `6.84 usd / 1 h`",
                q->usd == 1 && q->seconds == -1 && q->bytes == 0 && q->tokens == 0};
      break;
    case Kind::bandwidth:
      wanted = {"a bandwidth", "bytes over a duration, `4000 GiB / 1 s`",
                q->bytes == 1 && q->seconds == -1 && q->usd == 0 && q->tokens == 0};
      break;
    default:
      break;
  }
  if (!wanted.fits) {
    const std::string is = q->percent ? "a percentage" : dimension(*q);
    const Range at = e.is(Expr::Kind::number) && !e.unit.empty() ? e.unit_range : e.range;
    auto d = found(rules::wrong_unit, at, mismatch(wanted.text, is));
    // An author who writes a time or an amount of money means something else than a number.
    const bool other_thing =
        (type.is(Kind::count) || type.is(Kind::fraction)) && (q->seconds != 0 || q->usd != 0);
    d.helped(other_thing && !spec.doc.empty()
                 ? fmt::format("`{}` is {}, not {}: \"{}\"", spec.name,
                               type.is(Kind::count) ? "a count" : "a share",
                               q->usd != 0 ? "an amount of money" : "a time", first_sentence(spec.doc))
             : type.is(Kind::count) && q->percent && !spec.doc.empty()
                 ? fmt::format("`{}` is a count, not a share: \"{}\"", spec.name, first_sentence(spec.doc))
                 : std::string("units that fit: ") + wanted.units);
    const bool without = !other_thing && (type.is(Kind::count) || type.is(Kind::number) ||
                                          (type.is(Kind::fraction) && e.number <= 1));
    if (e.is(Expr::Kind::number) && !e.unit.empty() && without) {
      // `2 KiB` of what is counted is 2048 of it.
      const bool thousands = type.is(Kind::count) && one_byte && q->value < 9007199254740992.0;
      d.suggest("leave the unit out", e.range, fmt::format("{}", thousands ? q->value : e.number));
    }
    // A number without its unit, which is most often this one.
    const bool of_hours = type.is(Kind::price) && (q->plain() || one_usd);
    const char* const most = type.is(Kind::money)      ? " usd"
                             : type.is(Kind::duration) ? " s"
                             : type.is(Kind::bytes)    ? q->value >= 1024 ? " MiB" : " GiB"
                             : of_hours                ? one_usd ? " / 1 h" : " usd / 1 h"
                                                       : "";
    if (*most != 0 && (q->plain() || of_hours) && !q->percent && e.is(Expr::Kind::number)) {
      const std::string meant = fmt::format("{}{}{}", e.number, one_usd ? " usd" : "", most);
      d.helped(std::string("units that fit: ") + wanted.units + "; did you mean `" + meant + "`?");
      d.suggest("write `" + meant + "`", e.range, meant);
    }
    report(std::move(d));
    return wrong(e);
  }
  Value value;
  value.kind = Value::Kind::plain;
  value.range = e.range;
  value.given = true;
  if (!std::isfinite(q->value)) {
    report(found(rules::out_of_range, e.range, "the number is too large"));
    return wrong(e);
  }
  const bool integral = q->value == std::floor(q->value) && std::abs(q->value) < 9007199254740992.0;
  if (type.is(Kind::count) && !integral) {
    auto d = found(rules::wrong_type, e.range, mismatch("an integer", show(q->value)));
    if (q->plain() && q->value > 0 && q->value < 1)
      d.helped(spec.name == "epochs"
                   ? "a part of an epoch is one epoch of fewer samples: `epochs = 1`, and " +
                         show(q->value * 100) + "% of the samples"
                   : "it is a count, of 1 or more");
    else if (q->plain() && q->value > 1)
      d.helped("it is a count: `" + show(std::floor(q->value)) + "` or `" + show(std::ceil(q->value)) + "`");
    report(std::move(d));
    return wrong(e);
  }
  double low = -HUGE_VAL, high = HUGE_VAL;
  bool in_percent = false;
  if (type.is(Kind::count) || type.is(Kind::duration) || type.is(Kind::bytes) || type.is(Kind::money) ||
      type.is(Kind::price) || type.is(Kind::bandwidth))
    low = 0;
  if (type.is(Kind::fraction)) {
    low = 0;
    high = 1;
  }
  if (spec.low && spec.high) {
    const auto a = quantity(*spec.low, name, scope), b = quantity(*spec.high, name, scope);
    if (a && b) {
      low = a->value;
      high = b->value;
      in_percent = a->percent && b->percent;
    }
  }
  if (q->value < low || q->value > high || (spec.above_low && q->value == low)) {
    // A number may be a share, too: its limits are written in percent.
    const bool percent = type.is(Kind::fraction) || in_percent;
    const auto bound = [&](double v) { return percent ? show(v * 100) + "%" : show(v); };
    const std::string is = percent && q->percent ? show(q->value * 100) + "%" : show(q->value);
    auto d =
        found(rules::out_of_range, e.range,
              high == HUGE_VAL                      ? "it is negative: " + show(q->value)
              : spec.above_low && !(q->value > low) ? is + " is not above " + bound(low)
                                                    : is + " is outside " + bound(low) + ".." + bound(high));
    // Other tools have a field that counts here, as in `warmup = 100`. Nobody means half of everything, or
    // more, by that.
    const auto counted = foreign_words(Place::field, spec.name + "_steps");
    const bool counts = percent && !q->percent && !counted.empty() && *counted[0]->meant == 0;
    const auto fits = [&](double v) { return v >= low && v <= high && !(spec.above_low && v == low); };
    // 95 and 95% leave 5%.
    const double rest = std::round((1 - (q->value > 1 ? q->value / 100 : q->value)) * 1e9) / 1e9;
    if (counts && q->value >= 50) {
      d.helped(counted[0]->help);
    } else if (percent && !q->percent && q->value > 1 && fits(q->value / 100) && e.is(Expr::Kind::number)) {
      d.helped((counts ? "`" + spec.name + "` is a share of the steps: " : "") + "did you mean " +
               show(q->value) + "%?");
      d.suggest("write `" + show(q->value) + "%`", e.range, show(q->value) + "%");
    } else if (type.is(Type::Kind::fraction) && !spec.doc.empty() && q->value > high && fits(rest) &&
               e.is(Expr::Kind::number)) {
      // The author probably wrote the complement: a confidence instead of the chance of an error, or the
      // share that is kept instead of the share that is dropped.
      const std::string meant = show(rest * 100) + "%";
      d.helped(fmt::format("did you mean {}, the rest of {}%? `{}`: \"{}\"", meant, show(100 - rest * 100),
                           spec.name, first_sentence(spec.doc)));
      d.suggest("write `" + meant + "`", e.range, meant);
    } else if (const std::string instead = instead_of(e, "", {}, d); !instead.empty()) {
      d.helped(instead);
    } else if (!spec.name.empty() && high != HUGE_VAL) {
      d.helped("`" + spec.name + "` " +
               (spec.above_low ? "is above " + bound(low) + " and at most " + bound(high)
                               : "goes from " + bound(low) + " to " + bound(high)) +
               (spec.type.is(Kind::optional) ? ", or `none`" : ""));
    }
    report(std::move(d));
    Value refused = wrong(e);
    if (!q->percent) refused.plain = q->value;
    return refused;
  }
  if (integral)
    value.plain = static_cast<std::int64_t>(q->value);
  else
    value.plain = q->value;
  return value;
}

}  // namespace trl::language
