// Evaluates expressions by the type that is expected of them.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/support/counted.hpp"
#include "base/support/error.hpp"
#include "base/support/named_path.hpp"
#include "language/diagnostics/habits.hpp"
#include "language/diagnostics/mismatch.hpp"
#include "language/diagnostics/pass_rules.hpp"
#include "language/diagnostics/respell.hpp"
#include "language/diagnostics/suggest.hpp"
#include "language/elaboration/elaborator.hpp"

namespace trl::language {

using ast::Expr;
using nlohmann::json;

Value Elaborator::wrong(const Expr& e) {
  faulty_ = true;
  Value value;
  value.range = e.range;
  value.given = true;
  return value;
}

std::string Elaborator::describe(const Expr& e) {
  switch (e.kind) {
    case Expr::Kind::number:
      return e.unit.empty() ? "a number" : "a quantity in `" + e.unit + "`";
    case Expr::Kind::text:
      return "a text";
    case Expr::Kind::name:
      return "the name `" + e.text + "`";
    case Expr::Kind::member:
      return "`" + e.dotted().value_or("…." + e.text) + "`";
    case Expr::Kind::list:
      return "a list";
    case Expr::Kind::call:
      return "a call of `" + e.args[0].dotted().value_or("…") + "`";
    case Expr::Kind::index:
      return "`" + e.args[0].dotted().value_or("…") + "[…]`";
    case Expr::Kind::range:
      return "a range";
    case Expr::Kind::conditional:
      return "a choice";
    case Expr::Kind::pipeline:
      return "a pipeline";
    case Expr::Kind::negative:
      return "a negative";
    case Expr::Kind::negation:
      return "a condition";
    case Expr::Kind::chain:
      return "an expression with `" + e.ops[0] + "`";
  }
  return "something else";
}

namespace {

std::string number_text(double number) { return fmt::format("{}", number); }

}  // namespace

std::string Elaborator::instead_of(const Expr& e, const std::string& wanted,
                                   const std::vector<std::string>& choices, Diagnostic& d) {
  std::string spelled;
  // A word in place of a number: other tools' words stand for choices.
  if (e.is(Expr::Kind::name) && (wanted == "an integer" || wanted == "a number" || wanted == "a fraction"))
    return "";
  if (e.is(Expr::Kind::name)) spelled = e.text;
  if (e.is(Expr::Kind::number) && e.unit.empty()) spelled = number_text(e.number);
  if (e.is(Expr::Kind::call)) spelled = e.args[0].dotted().value_or("") + "(…)";
  if (e.is(Expr::Kind::chain)) spelled = e.args[0].dotted().value_or("") + e.ops[0] + "…";
  if (e.is(Expr::Kind::pipeline)) spelled = wanted + " ->";
  if (e.is(Expr::Kind::text)) spelled = wanted.substr(0, wanted.find(" (")) + " \"…\"";
  if (e.is(Expr::Kind::list)) spelled = wanted.substr(0, wanted.find(" (")) + " […]";
  // Another tool's word for a choice, with or without quotes.
  const bool plain_word =
      e.is(Expr::Kind::name) || e.is(Expr::Kind::number) || (e.is(Expr::Kind::text) && !choices.empty());
  const auto words = foreign_words(Place::value, plain_word && e.is(Expr::Kind::text) ? e.text : spelled);
  for (const ForeignWord* word : words)
    if (plain_word && std::find(choices.begin(), choices.end(), word->meant) != choices.end()) {
      const std::string help = help_for(*word), meant = "`" + std::string(word->meant) + "`";
      if (help.find(meant) == std::string::npos) return help;  // the help already says more
      d.suggest("write " + meant, e.range, word->meant);
      d.fixes.back().certain = word->same && e.is(Expr::Kind::name);
      return help;
    }
  const bool lists = (!choices.empty() && e.is(Expr::Kind::name)) ||
                     e.is(Expr::Kind::number);  // the message lists the possible values
  if (words.empty() || lists) return "";
  std::string help = help_for(*words.front());
  // `pass@2` is `pass_at(2)`.
  const std::string open = "(…)";
  const std::size_t at = help.find(open);
  if (at != std::string::npos && e.is(Expr::Kind::chain) && e.args[1].is(Expr::Kind::number)) {
    help.replace(at, open.size(), "(" + number_text(e.args[1].number) + ")");
    const std::size_t begin = help.find('`') + 1, end = help.find('`', begin);
    if (e.args.size() == 2) d.suggest(help, e.range, help.substr(begin, end - begin));
  }
  return help;
}

Value Elaborator::wrong_type(const Expr& e, const std::string& wanted, const std::string& help) {
  auto d = found(rules::wrong_type, e.range, mismatch(wanted, describe(e)));
  const std::string instead = instead_of(e, wanted, {}, d);
  d.helped(instead.empty() ? help : instead);
  const auto plain = [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c == '.' || c == '%' || c == '-';
  };
  if (e.is(Expr::Kind::text) && !e.text.empty() && std::all_of(e.text.begin(), e.text.end(), plain))
    d.suggest("leave the quotes out", e.range, e.text);
  report(std::move(d));
  return wrong(e);
}

namespace {

/// Whether a name is `none`, or what another language calls it.
bool means_none(const Expr& e) {
  if (!e.is(Expr::Kind::name)) return false;
  const auto words = foreign_words(Place::value, e.text);
  return e.text == "none" || (!words.empty() && std::string_view(words.front()->meant) == "none");
}

/// A default that is a number or a word, as it is written; empty for others.
std::string default_text(const Spec& spec) {
  if (!spec.default_value) return "";
  const Expr& e = *spec.default_value;
  if (e.is(Expr::Kind::name)) return e.text;
  if (!e.is(Expr::Kind::number)) return "";
  return number_text(e.number) + (e.unit == "%" || e.unit.empty() ? "" : " ") + e.unit;
}

/// Whether the limits of a field allow 0.
bool takes_zero(const Spec& spec) {
  if (!spec.low) return spec.type.is(Type::Kind::fraction);
  return spec.low->is(Expr::Kind::number) && spec.low->number == 0 && !spec.above_low;
}

/// Whether a word is one of the choices of an enumeration type.
bool speaks(const Type& type, const std::string& word) {
  return std::find(type.choices.begin(), type.choices.end(), word) != type.choices.end() ||
         std::any_of(type.args.begin(), type.args.end(), [&](const Type& t) { return speaks(t, word); });
}

bool is_numeric(const Type& type) {
  using Kind = Type::Kind;
  return type.is(Kind::count) || type.is(Kind::number) || type.is(Kind::fraction) ||
         type.is(Kind::duration) || type.is(Kind::bytes) || type.is(Kind::money) || type.is(Kind::price) ||
         type.is(Kind::bandwidth) || (type.is(Kind::optional) && is_numeric(type.args.at(0)));
}

}  // namespace

Value Elaborator::never_none(const Expr& e, const Spec& spec) {
  const std::string otherwise = default_text(spec);
  const std::string out =
      spec.default_value ? "leave the field out" + (otherwise.empty() ? "" : ", which means " + otherwise)
                         : "give it a value";
  auto d = found(rules::wrong_type, e.range, "`" + spec.name + "` always has a value: it takes no `none`");
  d.helped(takes_zero(spec) ? "write 0, or " + out : out);
  if (takes_zero(spec)) d.suggest("write 0", e.range, "0");
  report(std::move(d));
  return wrong(e);
}

Value Elaborator::evaluate(const Expr& e, const Type& type, const Spec& spec, const Scope& scope) {
  using Kind = Type::Kind;
  // A name that is a choice of the type is preferred to a declaration of that name.
  const bool word =
      e.is(Expr::Kind::name) && (type.is(Kind::one_of) || type.is(Kind::either)) && speaks(type, e.text);
  const Type& meant = type.is(Kind::optional) ? type.args.at(0) : type;
  if (!word && !meant.is(Kind::share) && !meant.is(Kind::factor)) {
    if (const Symbol named = let(e, scope)) return evaluate_let(named, e, type, spec, scope);
    if (e.is(Expr::Kind::conditional)) return conditional(e, type, spec, scope);
    if (!is_numeric(type) && !type.is(Kind::suite))
      if (const auto field = field_of(e, scope)) return evaluate_field(*field, e, type);
  }
  const bool single =
      !type.is(Kind::optional) && (is_numeric(type) || type.is(Kind::boolean) || type.is(Kind::text));
  if (single && !spec.name.empty() && spec.type.kind == type.kind && means_none(e))
    return never_none(e, spec);
  Value value;
  value.kind = Value::Kind::plain;
  value.range = e.range;
  value.given = true;
  switch (type.kind) {
    case Kind::count:
    case Kind::number:
    case Kind::fraction:
    case Kind::duration:
    case Kind::bytes:
    case Kind::money:
    case Kind::price:
    case Kind::bandwidth:
      return number(e, type, spec, scope);
    case Kind::boolean:
      if (e.is(Expr::Kind::name) && e.text != "true" && e.text != "false")
        return wrong_type(e, "`true` or `false`");
      if (const auto of = boolean(e, scope)) {
        value.plain = *of;
        return value;
      }
      return wrong(e);
    case Kind::text:
      if (!e.is(Expr::Kind::text)) return wrong_type(e, "a text in double quotes");
      value.plain = e.text;
      return value;
    case Kind::one_of:
      return choice(e, type);
    case Kind::list:
      return list(e, type, spec, scope);
    case Kind::optional:
      if (e.is(Expr::Kind::name) && e.text == "none") {
        value.kind = Value::Kind::absent;
        return value;
      }
      return evaluate(e, type.args.at(0), spec, scope);
    case Kind::either:
      return either(e, type, spec, scope);
    case Kind::sum:
      return sum(e, type, spec, scope);
    case Kind::many:
      return evaluate(e, type.args.at(0), spec, scope);
    case Kind::suite:
      return tasks(e, scope);
    case Kind::condition:
      return value;  // selection.cpp reads the expression, when the tasks are known
    case Kind::group:
      return group(e, scope);
    case Kind::factor:
      return factor(e, scope);
    case Kind::declaration:
    case Kind::name_of:
      return reference(e, type, scope);
    case Kind::pipeline:
      return pipeline(e, type, spec, scope);
    case Kind::share:
      return share(e, scope);
    case Kind::result:
      if (type.name == "axes" && e.is(Expr::Kind::chain) &&
          std::all_of(e.ops.begin(), e.ops.end(), [](const auto& op) { return op == "*"; })) {
        value.kind = Value::Kind::call;
        value.name = "product";
        for (const Expr& part : e.args) value.items.push_back(evaluate(part, type, spec, scope));
        return value;
      }
      if (type.name == "axes" &&
          (e.is(Expr::Kind::chain) || e.is(Expr::Kind::list) || e.is(Expr::Kind::pipeline)) &&
          e.args.size() > 1 && std::all_of(e.args.begin(), e.args.end(), [&](const Expr& part) {
            return gives(part, type.name, *scope.module);
          })) {
        report(found(rules::wrong_type, e.range, mismatch("a design", describe(e)))
                   .helped("`subsets(a) * grid(b.c = [1, 2])` crosses two designs: each cell of the one with "
                           "each of the other. The cells of two designs side by side, without the "
                           "combinations, are two experiments: `experiment second : first { vary = … }`"));
        return wrong(e);
      }
      return call(e, type, scope);
    case Kind::map:
    case Kind::overrides:
    case Kind::record:
    case Kind::block:
    case Kind::expression:
      break;
  }
  return wrong_type(e, "a block");
}

Value Elaborator::choice(const Expr& e, const Type& type) {
  Value value;
  value.kind = Value::Kind::plain;
  value.range = e.range;
  value.given = true;
  if (e.is(Expr::Kind::text) && speaks(type, e.text)) {
    report(found(rules::wrong_type, e.range, "`" + e.text + "` is a word, not a text")
               .helped("leave the quotes out")
               .fix("leave the quotes out", e.range, e.text));
    return wrong(e);
  }
  if (!e.is(Expr::Kind::name)) {
    auto d = found(rules::wrong_type, e.range,
                   mismatch("one of " + enumeration(type.choices, 20, "or"), describe(e)));
    std::string word = e.is(Expr::Kind::text) ? e.text : "";
    std::replace(word.begin(), word.end(), '-', '_');
    if (speaks(type, word)) {
      report(d.helped("write `" + word + "`, without quotes").suggest("write `" + word + "`", e.range, word));
      return wrong(e);
    }
    const std::string help = instead_of(e, "one", type.choices, d);
    if (d.fixes.empty()) return wrong_type(e, "one of " + enumeration(type.choices, 20, "or"));
    report(std::move(d.helped(help)));
    return wrong(e);
  }
  if (std::find(type.choices.begin(), type.choices.end(), e.text) == type.choices.end()) {
    auto d = found(rules::unknown_name, e.range,
                   "`" + e.text + "` is not one of " + enumeration(type.choices, 20, "or"));
    d.helped(instead_of(e, "one", type.choices, d));
    if (d.help.empty()) {
      if (const auto best = closest(e.text, type.choices)) d.helped("did you mean `" + *best + "`?");
      respell(d, e.text, type.choices, e.range, Names::of_schema);
    }
    report(std::move(d));
    return wrong(e);
  }
  value.plain = e.text;
  return value;
}

bool Elaborator::gives(const Expr& e, const std::string& result, const Module& module) const {
  const Expr& callee = e.is(Expr::Kind::call) ? e.args[0] : e;
  const Function* f = function(callee, module);
  return f != nullptr && f->gives(result);
}

namespace {

/// The call that a name with a number at its end stands for: `fast(1)` for `fast_1`, if `fast(…)` is known.
std::optional<std::string> as_call(const std::string& name, const std::vector<std::string>& known) {
  const std::size_t line = name.rfind('_');
  if (line == name.npos || line + 1 == name.size() ||
      name.find_first_not_of("0123456789", line + 1) != name.npos)
    return std::nullopt;
  const std::string function = name.substr(0, line);
  if (std::find(known.begin(), known.end(), function + "(…)") == known.end()) return std::nullopt;
  return function + "(" + name.substr(line + 1) + ")";
}

}  // namespace

Value Elaborator::either(const Expr& e, const Type& type, const Spec& spec, const Scope& scope) {
  // A list in brackets can only mean a list, and nothing else can.
  std::vector<const Type*> possible;
  for (const Type& alternative : type.args)
    if (alternative.is(Type::Kind::list) == e.is(Expr::Kind::list)) possible.push_back(&alternative);
  if (possible.size() == 1) return evaluate(e, *possible.front(), spec, scope);
  std::vector<std::string> known;
  for (const Type& alternative : type.args) {
    // A call of a function that gives this alternative's result can only mean this alternative, whatever
    // errors the call has.
    if (alternative.is(Type::Kind::result) && gives(e, alternative.name, *scope.module))
      return evaluate(e, alternative, spec, scope);
    std::vector<Diagnostic> tried;
    std::vector<Diagnostic>* const outer = std::exchange(sink_, &tried);
    const bool before = std::exchange(faulty_, false);
    Value value = evaluate(e, alternative, spec, scope);
    const bool failed = std::exchange(faulty_, before);
    sink_ = outer;
    if (!failed) return value;
    known.insert(known.end(), alternative.choices.begin(), alternative.choices.end());
    if (alternative.is(Type::Kind::result))
      for (const auto& [name, f] : schema_.functions)
        if (f.result == alternative.name) known.push_back(name + "(…)");
  }
  const Expr& named = e.is(Expr::Kind::call) ? e.args[0] : e;
  if (!named.is(Expr::Kind::name))
    return wrong_type(e, "one of " + enumeration(known, 20, "or"),
                      e.is(Expr::Kind::list) ? "`" + spec.name + "` has one value, not a list" : "");
  auto d = found(rules::unknown_name, named.range,
                 "`" + named.text + "` is not one of " + enumeration(known, 20, "or"));
  std::vector<std::string> names;
  for (const std::string& k : known) names.push_back(k.substr(0, k.find('(')));
  const auto calls = foreign_words(Place::function, named.text);
  if (const auto meant = as_call(named.text, known); meant && e.is(Expr::Kind::name)) {
    d.helped("write `" + *meant + "`");
    d.suggest("write `" + *meant + "`", e.range, *meant);
  }
  if (d.help.empty()) d.helped(calls.empty() ? instead_of(named, "one", known, d) : help_for(*calls.front()));
  if (d.help.empty()) d.helped(instead_of(named, "one", {}, d));
  if (d.help.empty()) {
    if (const auto best = closest(named.text, names)) d.helped("did you mean `" + *best + "`?");
    respell(d, named.text, names, named.range, Names::of_schema);
  }
  report(std::move(d));
  return wrong(e);
}

namespace {

/// A part of a list as a message names it: `correct`, `fast(…)`, `imitate -> unfiltered`.
std::string in_words(const Value& part) {
  if (part.declaration) return "`" + part.declaration->name + "`";
  if (part.is(Value::Kind::call)) return "`" + part.name + (part.items.empty() ? "" : "(…)") + "`";
  if (part.plain.is_string()) return "`" + part.string() + "`";
  std::string chain;
  for (const Value& stage : part.items)
    if (stage.declaration) chain += (chain.empty() ? "" : " -> ") + stage.declaration->name;
  return chain.empty() ? "this" : "`" + chain + "`";
}

}  // namespace

Value Elaborator::list(const Expr& e, const Type& type, const Spec& spec, const Scope& scope) {
  constexpr double longest = 100000;
  Value value;
  value.kind = Value::Kind::list;
  value.range = e.range;
  value.given = true;
  const Type& element = type.args.at(0);
  const auto add = [&](const Expr& one) {
    if (one.is(Expr::Kind::range) && element.is(Type::Kind::count)) {
      const Value low = evaluate(one.args[0], element, spec, scope),
                  high = evaluate(one.args[1], element, spec, scope);
      if (low.absent() || high.absent()) return;
      if (high.number() < low.number()) {
        const std::string turned = std::to_string(static_cast<std::int64_t>(high.number())) + ".." +
                                   std::to_string(static_cast<std::int64_t>(low.number()));
        report(found(rules::out_of_range, one.range, "the range is empty: it ends before it begins")
                   .helped("both ends are included: did you mean `" + turned + "`?")
                   .suggest("swap the ends", one.range, turned));
        return;
      }
      if (high.number() - low.number() > longest) {
        report(found(rules::out_of_range, one.range, "the range has more than 100000 numbers"));
        return;
      }
      for (double n = low.number(); n <= high.number(); ++n) {
        Value v = low;
        v.plain = static_cast<std::int64_t>(n);
        value.items.push_back(std::move(v));
      }
      return;
    }
    Value v = evaluate(one, element, spec, scope);
    if (!v.absent()) value.items.push_back(std::move(v));
  };
  if (e.is(Expr::Kind::list))
    for (const Expr& one : e.args) add(one);
  else
    add(e);
  // A text may stand twice in a list; seeds have a rule of their own.
  if (!element.is(Type::Kind::count) && !element.is(Type::Kind::text)) refuse_repeated(value);
  return value;
}

void Elaborator::refuse_repeated(const Value& list) {
  std::map<std::string, const Value*> first;
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    const Value& item = list.items[i];
    const auto [known, added] = first.try_emplace(to_json(item).dump(), &item);
    if (added) continue;
    report(found(rules::duplicate_name, item.range, in_words(item) + " is in the list twice")
               .note("it is here already", known->second->range)
               .suggest("remove it", {item.range.file, list.items[i - 1].range.end, item.range.end}, ""));
  }
}

Value Elaborator::pipeline(const Expr& e, const Type& type, const Spec&, const Scope& scope) {
  Value value;
  value.kind = Value::Kind::list;
  value.range = e.range;
  value.given = true;
  Type stage;
  stage.kind = Type::Kind::declaration;
  stage.name = type.name;
  Scope at = scope;
  const std::function<void(const Expr&)> add = [&](const Expr& one) {
    if (one.is(Expr::Kind::pipeline)) {
      for (const Expr& part : one.args) add(part);
      return;
    }
    if (const Symbol named = let(one, at)) {
      inside(named, one, at, [&](const Expr& body, const Scope& within) {
        const Scope outside = std::exchange(at, within);
        add(body);
        at = outside;
      });
      return;
    }
    if (one.is(Expr::Kind::list) || one.is(Expr::Kind::chain)) {
      std::string joined;
      for (const Expr& part : one.args)
        joined += (joined.empty() ? "" : " -> ") + part.dotted().value_or("…");
      auto d = found(rules::wrong_type, one.range,
                     mismatch(with_article(type.name) + ", or several joined by `->`", describe(one)));
      d.helped("write `" + joined + "`");
      if (!joined.empty() && joined.find("…") == std::string::npos)
        d.suggest("join them by `->`", one.range, joined);
      report(std::move(d));
      faulty_ = true;
      return;
    }
    Value v = reference(one, stage, at);
    if (!v.absent()) value.items.push_back(std::move(v));
  };
  add(e);
  return value;
}

Value Elaborator::sum(const Expr& e, const Type& type, const Spec& spec, const Scope& scope) {
  const auto only_plus = [&] {
    return std::all_of(e.ops.begin(), e.ops.end(), [](const auto& op) { return op == "+"; });
  };
  if (e.is(Expr::Kind::list)) {
    std::string joined;
    for (const Expr& one : e.args) joined += (joined.empty() ? "" : " + ") + one.dotted().value_or("…");
    return wrong_type(e, "a sum", "join what is in it by `+`: `" + joined + "`");
  }
  if (!e.is(Expr::Kind::chain) || !only_plus()) return evaluate(e, type.args.at(0), spec, scope);
  Value value;
  value.kind = Value::Kind::sum;
  value.range = e.range;
  value.given = true;
  for (const Expr& one : e.args) {
    Value v = evaluate(one, type.args.at(0), spec, scope);
    if (!v.absent()) value.items.push_back(std::move(v));
  }
  return value;
}

Value Elaborator::reference(const Expr& e, const Type& type, const Scope& scope) {
  if (!e.dotted()) return wrong_type(e, "the name of " + with_article(type.name));
  const Symbol symbol = lookup(e, scope, {type.name});
  if (!symbol) return wrong(e);
  if (symbol.declaration->kind != type.name) {
    if (schema_.kind(symbol.declaration->kind) == nullptr) return wrong(e);  // reported at its declaration
    auto d = found(
        rules::wrong_type, e.range,
        mismatch_of(with_article(type.name), *e.dotted(), "is " + with_article(symbol.declaration->kind)));
    d.note("declared here", symbol.declaration->name_range);
    const auto others = names_of_kind(*scope.module, type.name);
    if (!others.empty())
      d.helped(std::string(others.size() == 1 ? "there is the " : "there are these: ") +
               (others.size() == 1 ? type.name + " " : "") + enumeration(others));
    if (others.size() == 1) d.suggest("write `" + others[0] + "`", e.range, others[0]);
    if (type.name == "train" && symbol.declaration->kind == "model") {
      d.fixes.clear();
      d.helped(
          "the model without training is the last row of every table; what stands here is a way to train" +
          (others.empty() ? std::string() : ": " + enumeration(others, 6)));
    }
    report(std::move(d));
    return wrong(e);
  }
  Value value;
  value.range = e.range;
  value.given = true;
  if (type.is(Type::Kind::name_of)) {
    value.kind = Value::Kind::plain;
    value.plain = *e.dotted();
    return value;
  }
  value.kind = Value::Kind::declaration;
  value.declaration = resolve(symbol, *scope.context);
  if (value.declaration == nullptr) return wrong(e);
  return value;
}

namespace {

/// The labels of a call, `grid(a.rank = [8, 16])`, and of those within an expression.
void add_labels(const Expr& e, std::vector<std::string>& out) {
  for (const ast::Argument& a : e.arguments)
    if (!a.label.empty()) out.push_back(a.label);
  for (const Expr& part : e.args) add_labels(part, out);
}

/// Returns the values that a file's experiments give a field; with `of`, only the values of the experiment of
/// that name.
std::vector<const Expr*> values_of_experiments(const Module& module, std::string_view field,
                                               std::string_view of = "") {
  std::vector<const Expr*> out;
  for (const ast::Declaration& d : module.ast.declarations) {
    if (d.kind != "experiment" || !d.block || (!of.empty() && d.name != of)) continue;
    for (const ast::Item& item : d.block->items)
      if (item.path.text() == field && item.value) out.push_back(&*item.value);
  }
  return out;
}

/// The paths that the experiments of a file vary.
std::vector<std::string> varied_paths(const Module& module) {
  std::vector<std::string> out;
  for (const Expr* vary : values_of_experiments(module, "vary")) add_labels(*vary, out);
  return out;
}

/// Returns the controls of a file's experiments that have a stage of this name, as they are written: "imitate
/// -> unfiltered". With `of`, only that experiment's controls.
std::vector<std::string> controls_with(const Module& module, const std::string& stage,
                                       std::string_view of = "") {
  std::vector<std::string> out;
  const auto add = [&](const Expr& control) {
    std::string text;
    bool has = false;
    for (const Expr& one : control.is(Expr::Kind::pipeline) ? control.args : std::vector<Expr>{control}) {
      const std::string name = one.dotted().value_or("");
      if (name.empty()) return;
      text += (text.empty() ? "" : " -> ") + name;
      has = has || name == stage;
    }
    if (has && std::find(out.begin(), out.end(), text) == out.end()) out.push_back(text);
  };
  for (const Expr* controls : values_of_experiments(module, "controls", of))
    if (controls->is(Expr::Kind::list))
      for (const Expr& one : controls->args) add(one);
    else
      add(*controls);
  return out;
}

/// The first experiment of a file with a control that has a stage of this name.
std::string experiment_with(const Module& module, const std::string& stage) {
  for (const ast::Declaration& d : module.ast.declarations)
    if (d.kind == "experiment" && !controls_with(module, stage, d.name).empty()) return d.name;
  return "";
}

}  // namespace

bool Elaborator::means_control(const Expr& e, const std::string& stage, const Scope& scope) {
  const auto controls = controls_with(*scope.module, stage);
  if (controls.empty()) return false;
  auto d =
      found(rules::wrong_type, e.range,
            "a control is no contrast, which an experiment varies: `" + stage + "` is a stage of a control");
  std::string against = "against = " + controls[0];
  std::vector<std::string> settings, extensions;
  const std::string experiment = experiment_with(*scope.module, stage);
  for (const Expr* vary : values_of_experiments(*scope.module, "vary", experiment)) {
    add_labels(*vary, settings);
    if (vary->is(Expr::Kind::call) && vary->args[0].dotted() == "subsets") extensions.emplace_back("subsets");
  }
  if (!settings.empty()) {
    // Cells with other settings than the control's aren't like it.
    d.helped("compare with it in an experiment of its own, without what is varied: `experiment NAME : " +
             experiment + " { vary = none }`, and in the hypothesis `of = NAME, " + against + "`");
  } else {
    // A control has no extension.
    if (!extensions.empty()) against += ", cell = []";
    d.helped("compare with it by `" + against + "`");
    if (controls.size() == 1 && scope.field) {
      const Range field{e.range.file, scope.field->begin, e.range.end};
      d.suggest("write `" + against + "`", field, against);
    }
  }
  report(std::move(d));
  return true;
}

bool Elaborator::means_cells(const Expr& e, const Scope& scope) {
  std::vector<std::string> names;
  if (e.is(Expr::Kind::chain) || e.is(Expr::Kind::list))
    for (const Expr& part : e.args)
      if (const Symbol symbol = find_declaration(part, scope);
          symbol && symbol.declaration->kind == "extension")
        names.push_back(*part.dotted());
  if (names.size() < 2 || names.size() != e.args.size()) return false;
  const bool product = e.is(Expr::Kind::chain) && e.ops[0] == "*",
             difference = e.is(Expr::Kind::chain) && e.ops[0] == "-";
  const auto list = [](const std::vector<std::string>& of) {
    return fmt::format("[{}]", fmt::join(of, ", "));
  };
  std::vector<std::string> cell = names, against;
  if (product) against.assign(names.begin(), names.end() - 1);
  if (difference) cell = {names[0]}, against.assign(names.begin() + 1, names.end());
  const std::string meant = fmt::format("cell = {}, against = {}", list(cell), list(against));
  auto d = found(rules::wrong_type, e.range, "a contrast is one extension, or one path that is varied");
  d.helped(
      fmt::format("`{}` compares {}; each extension's own effect is a hypothesis of its own, "
                  "`contrast = {}`{}",
                  meant,
                  product ? fmt::format("cells with and without `{}` where the others are on", names.back())
                  : difference ? "cells with either"
                               : "all together with none",
                  names[0], product ? ", and the report has the interactions of all pairs" : ""));
  if (scope.field) d.suggest("write `" + meant + "`", {e.range.file, scope.field->begin, e.range.end}, meant);
  report(std::move(d));
  return true;
}

Value Elaborator::factor(const Expr& e, const Scope& scope) {
  Value value;
  value.kind = Value::Kind::plain;
  value.range = e.range;
  value.given = true;
  const auto dotted = e.dotted();
  if (!dotted && means_cells(e, scope)) return wrong(e);
  if (!dotted) return wrong_type(e, "the name of an extension, or of a field that is varied");
  // The last part of a path that an experiment of the file varies.
  const auto means_path = [&](const std::string& message) {
    for (const std::string& path : varied_paths(*scope.module))
      if (path.ends_with("." + *dotted)) {
        report(found(rules::unknown_name, e.range, message)
                   .helped("name the whole path that is varied: `" + path + "`")
                   .suggest("write `" + path + "`", e.range, path));
        return true;
      }
    return false;
  };
  if (const Symbol symbol = find_declaration(e, scope)) {
    const std::string& kind = symbol.declaration->kind;
    if (kind == "extension" || let(e, scope)) {
      note(e.range, symbol);
      value.plain = kind == "extension" ? symbol.declaration->name : *dotted;
      return value;
    }
    if (means_path("`" + *dotted + "` is " + with_article(kind) + ", not what an experiment varies"))
      return wrong(e);
    if (means_control(e, *dotted, scope)) return wrong(e);
    Type extension;
    extension.kind = Type::Kind::name_of;
    extension.name = "extension";
    return reference(e, extension, scope);  // reports what the name stands for instead
  }
  const bool known = field_of(e, scope).has_value();
  if (!known) {
    if (means_path("there is no `" + *dotted + "`")) return wrong(e);
    const Symbol owner = lookup({dotted->substr(0, dotted->find('.'))}, *scope.module);
    if (owner && schema_.kind(owner.declaration->kind) == nullptr) return wrong(e);  // its kind was reported
    (void)lookup(e, scope, {"extension"});  // reports the names that exist
    return wrong(e);
  }
  value.plain = *dotted;
  return value;
}

Value Elaborator::group(const Expr& e, const Scope& scope) {
  std::vector<std::string> known;
  for (const auto& [name, tasks] : suites_) known.push_back(name);
  Value value;
  value.kind = Value::Kind::plain;
  value.range = e.range;
  value.given = true;
  if (!e.dotted()) return wrong_type(e, "the name of a suite");
  // Finds the suite that the name stands for in this file. A suite that only an imported file imports has no
  // such name; it is found by its own name.
  const auto named = suite_names_.find(find_declaration(e, scope).declaration);
  const std::string name = named != suite_names_.end() ? named->second : e.text;
  if (!suites_.contains(name)) {
    auto d = found(rules::unknown_name, e.range, "there is no suite `" + *e.dotted() + "`");
    d.helped(suggestion(name, known));
    respell(d, name, known, e.range, Names::of_file);
    report(std::move(d));
    return wrong(e);
  }
  note_suite(e.range, name);
  value.plain = name;
  return value;
}

Value Elaborator::call(const Expr& e, const Type& type, const Scope& scope) {
  const Expr& callee = e.is(Expr::Kind::call) ? e.args[0] : e;
  std::vector<std::string> known;
  for (const auto& [name, f] : schema_.functions)
    if (f.gives(type.name)) known.push_back(name);
  if (e.is(Expr::Kind::text) && known.size() == 1 && !e.text.empty()) {
    // If only one function gives a value of the expected type, a text is probably meant as its argument.
    const std::string meant = known[0] + "(" + std::string(1, '"') + e.text + "\")";
    report(found(rules::wrong_type, e.range, mismatch(type.name + " (`" + known[0] + "`)", "a text"))
               .helped("write `" + meant + "`")
               .suggest("write `" + meant + "`", e.range, meant));
    return wrong(e);
  }
  if (!callee.dotted()) return wrong_type(e, type.name + " (" + enumeration(known, 12, "or") + ")");
  const std::string name = *callee.dotted();
  const Function* f = function(callee, *scope.module);
  if (f == nullptr) {
    if (const Symbol symbol = find_declaration(callee, scope)) {
      report(found(rules::wrong_type, callee.range,
                   mismatch_of(type.name, name, "is " + with_article(symbol.declaration->kind)))
                 .note("declared here", symbol.declaration->name_range)
                 .helped("use one of the functions that give it: " + enumeration(known)));
      return wrong(e);
    }
    if (scope.module->may_declare(name)) return wrong(e);
    const std::string module = name.substr(0, name.find('.'));
    const bool in_module = callee.is(Expr::Kind::member) && schema_.modules.contains(module) &&
                           scope.module->imports.contains(module);
    const Range misspelt = in_module ? callee.text_range : callee.range;
    auto d = found(rules::unknown_name, misspelt, "there is no function `" + name + "`");
    if (schema_.functions.contains(name) && !scope.module->imports.contains(module)) {
      d.helped("`import " + module + "` is missing");
    } else {
      const auto words = foreign_words(Place::function, name);
      d.helped(words.empty() ? suggestion(name, known) : help_for(*words.front()));
      if (words.empty()) respell(d, name, known, misspelt, Names::of_schema);
      if (in_module && !d.fixes.empty() && d.fixes.front().text.starts_with(module + "."))
        d.fixes.front().text.erase(0, module.size() + 1);
    }
    report(std::move(d));
    return wrong(e);
  }
  if (!f->gives(type.name)) {
    report(found(rules::wrong_type, callee.range, mismatch_of(type.name, name, "gives " + f->result))
               .helped("use one of the functions that give it: " + enumeration(known)));
    return wrong(e);
  }
  Value value;
  value.kind = Value::Kind::call;
  value.name = f->name;
  value.range = e.range;
  value.given = true;
  std::map<std::string, std::vector<Value>> given;
  std::map<std::string, Range> labels;
  std::set<std::string> misread;  // arguments that are there, wrongly written
  std::vector<std::string> names;
  for (const Spec& s : f->fields) names.push_back(s.name);
  std::size_t position = 0;
  static const std::vector<ast::Argument> none;
  for (const ast::Argument& a : e.is(Expr::Kind::call) ? e.arguments : none) {
    if (f->open && !a.label.empty()) {
      if (!labels.emplace(a.label, a.label_range).second) {
        report(found(rules::duplicate_name, a.label_range, "`" + a.label + "` is given twice"));
        continue;
      }
      value.entries.emplace_back(a.label, axes_argument(a, scope));
      continue;
    }
    std::string label = a.label;
    if (label.empty()) {
      if (position >= f->positional.size()) {
        auto d = found(rules::wrong_type, a.range,
                       f->positional.empty()
                           ? "`" + name + "` takes arguments by label only"
                           : "`" + name + "` takes " + std::to_string(f->positional.size()) + " argument" +
                                 (f->positional.size() == 1 ? "" : "s") + " without label");
        d.helped(f->open         ? "a path's values stand in brackets: `" + name + "(path = [1, 2])`"
                 : names.empty() ? "it takes none"
                                 : "its arguments: " + enumeration(names));
        // The first parameter that must be given is probably meant.
        const auto meant = std::find_if(f->fields.begin(), f->fields.end(), [&](const Spec& one) {
          return !one.default_value && !one.type.is(Type::Kind::optional) && !labels.contains(one.name) &&
                 !misread.contains(one.name) &&
                 std::find(f->positional.begin(), f->positional.end(), one.name) == f->positional.end();
        });
        if (meant != f->fields.end()) {
          misread.insert(meant->name);
          d.helped("write its label: `" + meant->name + " = …`");
          d.suggest("write `" + meant->name + " = `", {a.range.file, a.range.begin, a.range.begin},
                    meant->name + " = ");
        }
        report(std::move(d));
        faulty_ = true;
        continue;
      }
      label = f->positional[position];
      if (!find(f->fields, label)->type.is(Type::Kind::many)) ++position;
    }
    const Spec* spec = find(f->fields, label);
    if (spec == nullptr) {
      auto d = found(rules::unknown_field, a.label_range, "`" + name + "` has no argument `" + label + "`");
      const auto condition = std::find_if(f->fields.begin(), f->fields.end(),
                                          [](const Spec& one) { return one.type.is(Type::Kind::condition); });
      if (condition != f->fields.end() && !closest(label, names)) {
        // `where(tasks, name = x)`: the condition is there, written as an argument.
        misread.insert(condition->name);
        const std::string word = a.value.is(Expr::Kind::text) ? a.value.text : a.value.dotted().value_or("…");
        const std::string instead = label + " == " + word;
        d.helped("a condition compares with `==`: `" + instead + "`");
        if (word != "…")
          d.suggest("write `==`", {a.range.file, a.label_range.begin, a.value.range.end}, instead);
        report(std::move(d));
        faulty_ = true;
        continue;
      }
      if (!foreign_words(Place::field, label).empty() || !closest(label, names)) {
        help_with_field(d, label, names, a.label_range);
      } else {
        d.helped(suggestion(label, names));
        respell(d, label, names, a.label_range, Names::of_schema);
      }
      report(std::move(d));
      continue;
    }
    const bool many = spec->type.is(Type::Kind::many);
    if (!many && !labels.emplace(label, a.range).second) {
      const std::size_t number = static_cast<std::size_t>(&a - e.arguments.data());
      report(found(rules::duplicate_name, a.range, "`" + label + "` is given twice")
                 .note("first here", labels[label])
                 .helped("remove one of them")
                 .suggest("remove this one", {a.range.file, e.arguments[number - 1].range.end, a.range.end},
                          ""));
      continue;
    }
    // A set that is left out may name a task twice: an exam and a split that overlap are told of as such.
    const bool before = std::exchange(repeats_allowed_, spec->name == "exclude");
    if (many && a.value.is(Expr::Kind::list)) {
      for (const Expr& one : a.value.args) given[label].push_back(evaluate(one, spec->type, *spec, scope));
    } else {
      given[label].push_back(evaluate(a.value, spec->type, *spec, scope));
    }
    repeats_allowed_ = before;
  }
  for (const Spec& spec : f->fields) {
    const bool positional =
        std::find(f->positional.begin(), f->positional.end(), spec.name) != f->positional.end();
    std::vector<Value>& values = given[spec.name];
    if (values.empty() && !spec.type.is(Type::Kind::many)) {
      auto fallback = default_of(spec, e.range, *scope.context);
      if (!fallback && misread.contains(spec.name)) continue;
      if (!fallback) {
        auto d = found(rules::missing_field, e.range,
                       "`" + name + "` needs " + (positional ? "an argument, its " : "`") + spec.name +
                           (positional ? "" : "`"));
        const bool numeric = spec.type.is(Type::Kind::number) || spec.type.is(Type::Kind::count);
        d.helped((positional ? "write `" + name + "(" + (numeric ? "1" : "…") + ")`"
                             : "add `" + spec.name + " = …`") +
                 (spec.doc.empty() ? "" : ": " + spec.doc));
        // A name alone, as other tools write it: `fast`.
        if (positional && numeric && e.is(Expr::Kind::name))
          d.suggest("write `" + name + "(1)`", e.range, name + "(1)");
        report(std::move(d));
        faulty_ = true;
        continue;
      }
      values.push_back(std::move(*fallback));
    }
    for (Value& v : values) {
      if (positional)
        value.items.push_back(std::move(v));
      else
        value.entries.emplace_back(spec.name, std::move(v));
    }
  }
  unfilled(value);
  if (value.name == "path" && !value.items.empty() && value.items[0].plain.is_string()) try {
      (void)named_path(folder_, value.items[0].string());
    } catch (const UserError& error) {
      report(found(rules::unreadable, value.items[0].range, error.what()).helped(error.help));
      return wrong(e);
    }
  return value;
}

void Elaborator::unfilled(const Value& call) {
  for (const char* name : {"path", "huggingface", "endpoint"}) {
    if (call.name != name) continue;
    std::vector<const Value*> texts;
    for (const Value& item : call.items) texts.push_back(&item);
    for (const char* label : {"name", "key_env", "revision"})
      if (const Value* entry = call.entry(label)) texts.push_back(entry);
    for (const Value* text : texts) {
      const std::string written = text->string();
      const std::size_t sign = written.find('$');
      if (sign == written.npos || sign + 1 == written.size() ||
          (written[sign + 1] != '{' && std::isalpha(static_cast<unsigned char>(written[sign + 1])) == 0))
        continue;
      auto d = found(rules::wrong_type, text->range,
                     "nothing is filled in a text: `" + written + "` keeps its `$`");
      d.severity = Severity::warning;
      const bool home =
          call.name == "path" && (written.starts_with("$HOME/") || written.starts_with("${HOME}/"));
      const std::string meant = home ? "\"~" + written.substr(written.find('/')) + "\"" : "";
      if (home) d.suggest("write `~`", text->range, meant);
      d.helped(home ? "write " + meant + ": `~/` is the home folder"
               : text == call.entry("key_env")
                   ? "write the variable's name alone: `key_env = \"OPENAI_API_KEY\"`"
                   : "write it out, or change it when a command is called: `--set "
                     "NAME.weights='" +
                         call.name + "(…)'`");
      report(std::move(d));
    }
  }
}

Value Elaborator::axes_argument(const ast::Argument& argument, const Scope& scope) {
  ast::Item item;
  std::size_t at = 0;
  const std::string& label = argument.label;
  while (at <= label.size()) {
    const std::size_t dot = std::min(label.find('.', at), label.size());
    item.path.parts.push_back(label.substr(at, dot - at));
    item.path.ranges.push_back(
        {argument.label_range.file, argument.label_range.begin + at, argument.label_range.begin + dot});
    at = dot + 1;
  }
  item.path.range = argument.label_range;
  const auto target = find_override(item, *scope.module);
  if (!target || schema_.kind(target->target.declaration->kind) == nullptr)  // such a kind was reported
    return wrong(argument.value);
  const Spec* spec = spec_at(target->target, target->path);
  Type one;
  static const Spec by_value;
  if (target->path.empty()) {
    one = *schema_.kind(target->target.declaration->kind)->value;
    spec = &by_value;
  } else if (spec == nullptr) {
    Context aside;
    if (merge(target->target, aside).faulty) return wrong(argument.value);  // its fields aren't known
    auto d = found(rules::unknown_field, argument.label_range,
                   "`" + target->target.declaration->name + "` has no field `" + target->path.back() + "`");
    std::vector<std::string> known;
    if (const KindSpec* kind = schema_.kind(target->target.declaration->kind); kind != nullptr) {
      for (const Spec& field : kind->fields) known.push_back(field.name);
      for (const auto& [name, variant] : kind->variants)
        for (const Spec& field : variant.fields) known.push_back(field.name);
    }
    d.helped(closest(target->path.back(), known)
                 ? suggestion(target->path.back(), known)
                 : "`trl show FILE " + target->target.declaration->name + "` lists its fields");
    report(std::move(d));
    return wrong(argument.value);
  } else {
    one = spec->type;
  }
  const Expr& values = argument.value;
  if (!values.is(Expr::Kind::list) && !values.is(Expr::Kind::range))
    return wrong_type(values, "a list of values for `" + label + "`", "write `" + label + " = […]`");
  Value out;
  out.kind = Value::Kind::list;
  out.range = values.range;
  out.given = true;
  const auto add = [&](const Expr& written, const Expr& meant) {
    Value v;
    if (one.is(Type::Kind::expression)) {
      v.kind = Value::Kind::plain;  // the value gets its type where its name is used
    } else if (spec->has_parameters) {
      v = named_formula(meant, *spec, scope);
    } else {
      v = evaluate(meant, one, *spec, scope);
    }
    v.range = written.range;
    auto setting = std::make_shared<Setting>();
    setting->item = item;
    setting->item.value = meant;
    setting->item.range = written.range;
    setting->module = scope.module;
    v.setting = std::move(setting);
    out.items.push_back(std::move(v));
  };
  const auto expand = [&](const Expr& range) {
    const auto low = quantity(range.args[0], "an integer", scope),
               high = quantity(range.args[1], "an integer", scope);
    if (!low || !high) return;
    if (!low->plain() || !high->plain() || low->value != std::floor(low->value) || high->value < low->value ||
        high->value - low->value > 1000) {
      report(found(rules::out_of_range, range.range,
                   "a range of levels goes up from an integer and has at most 1000 levels")
                 .helped("write the values themselves: `[1e-4, 1e-3]`"));
      return;
    }
    for (double n = low->value; n <= high->value; ++n) {
      Expr number;
      number.kind = Expr::Kind::number;
      number.range = range.range;
      number.number = n;
      add(range, number);
    }
  };
  if (values.is(Expr::Kind::range)) expand(values);
  for (const Expr& value : values.is(Expr::Kind::list) ? values.args : std::vector<Expr>{})
    value.is(Expr::Kind::range) ? expand(value) : add(value, value);
  return out;
}

Value Elaborator::named_formula(const Expr& e, const Spec& spec, const Scope& scope) {
  if (spec.type.is(Type::Kind::optional) && e.is(Expr::Kind::name) && e.text == "none")
    return evaluate(e, spec.type, spec, scope);
  std::string names;
  for (const ast::Parameter& p : spec.parameters) names += (names.empty() ? "" : ", ") + p.name;
  const Symbol named = let(e, scope);
  if (!named && e.dotted() && scope.module->may_declare(*e.dotted())) return wrong(e);
  if (!named || !named.declaration->has_parameters ||
      named.declaration->parameters.size() != spec.parameters.size() || !named.declaration->value) {
    if (scope.module->misread) return wrong(e);  // its declaration may be in unparsed text
    auto d = found(rules::wrong_type, e.range,
                   mismatch("a formula of " + counted(spec.parameters.size(), "parameter"), describe(e)));
    if (named) d.note("declared here", named.declaration->name_range);
    d.helped("write `" + spec.name + "(" + names + ") = …`, in an override `DECLARATION." + spec.name + "(" +
             names + ") = …`, or name a `let` with as many parameters");
    report(std::move(d));
    return wrong(e);
  }
  const Body body = body_of(named, *scope.context);
  if (body.expr == nullptr) return wrong(e);
  Value value = formula(named.declaration->parameters, *body.expr, spec, {body.module, scope.context});
  value.range = e.range;
  return value;
}

Value Elaborator::share(const Expr& e, const Scope& scope) {
  if (e.is(Expr::Kind::name) && e.text == "rest") {
    Value value;
    value.kind = Value::Kind::plain;
    value.plain = "rest";
    value.range = e.range;
    value.given = true;
    return value;
  }
  Spec spec;
  spec.name = "share";
  spec.type.kind = Type::Kind::fraction;
  return formula({}, e, spec, scope);
}

Value Elaborator::formula(const std::vector<ast::Parameter>& parameters, const Expr& body, const Spec& spec,
                          const Scope& scope) {
  Value value;
  value.kind = Value::Kind::formula;
  value.range = body.range;
  value.given = true;
  for (const ast::Parameter& p : parameters) value.parameters.push_back(p.name);
  const Parameters types = parameter_types(parameters, spec.parameters);
  Formula f = lower(body, types, scope, 0);
  if (spec.type.is(Type::Kind::boolean))
    require_boolean(f, body);
  else
    want_number(f, body);
  value.formula = std::move(f.body);
  return value;
}

}  // namespace trl::language
