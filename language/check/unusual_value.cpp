#include <fmt/format.h>

#include <limits>
#include <string_view>

#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(unusual_value)
namespace {

constexpr double none = std::numeric_limits<double>::infinity();

/// For a field: the values beyond which experiments make no sense, although they can be run, and the values
/// that papers usually use.
struct Usual {
  const char *of, *field;        ///< a kind of declarations, and the field's name
  double low, high;              ///< a smaller or a larger value is reported
  const char *below, *above;     ///< the effects of a smaller and of a larger value
  double usual_low, usual_high;  ///< the usual values
  double instead;                ///< the commonest one
  const char* usual;             ///< the usual values in words
  bool only_of_several = false;  ///< whether small values only matter where a task has several candidates
};

constexpr const char *nearly_random = "tokens are drawn nearly at random",
                     *nearly_equal = "the candidates of a task are nearly one and the same",
                     *temperatures = "0.6 to 1.0 is usual";

constexpr Usual table[] = {
    {"train", "temperature", 0.1, 2, nearly_equal, nearly_random, 0.1, 1, 0.8, temperatures, true},
    {"evaluation", "temperature", 0, 2, "", nearly_random, 0.1, 1, 0.8, temperatures},
    {"evaluation", "samples", 0, 256, "",
     "each further sample costs as much and tells less than another task", 1, 10, 10,
     "1 to 10 are usual, and 200 where `pass_at(100)` is measured (Chen et al. 2021)"},
    {"train", "epochs", 0, 20, "", "the same answers are learnt by heart", 1, 5, 2,
     "1 to 3 are usual, and more rounds or more data teach more"},
    {"train", "weight_decay", 0, 1, "", "a step shrinks the weights by more than it teaches", 0.01, 0.1, 0.1,
     "0 to 0.1 is usual"},
    {"train", "clip", 1e-3, none,
     "gradients of that norm are no larger than what AdamW adds to them, so that "
     "steps vanish",
     "", 0.1, 1, 1, "0.1 to 1 is usual"},
    {"train", "kl", 0, 1, "", "the divergence outweighs every reward, so that the model stays as it is", 1e-3,
     0.1, 0.04, "0 to 0.1 is usual (GRPO: 0.04)"},
    {"lora", "dropout", 0, 0.5, "", "most of the adapter's inputs are left out in each step", 0.001, 0.1,
     0.05, "0% to 10% is usual (Hu et al. 2022, Dettmers et al. 2023)"},
    {"hypothesis", "alpha", 0, 0.2, "", "so many claims of nothing at all would be found true", 0.001, 0.1,
     0.05, "5% or 1% is usual"},
    {"hypothesis", "smallest_effect", 0, 0.5, "", "any smaller difference counts as none", 0.02, 0.25, 0.05,
     "2% to 20% is usual: the smallest difference that would change what you do"},
    {"experiment", "seeds", 0, 100, "", "each seed trains everything once more", 3, 10, 5,
     "3 to 10 seeds are usual, and `trl power FILE` says how many a hypothesis needs"},
};

/// With more answers than this for each task of a suite, written answers would be copies of each other.
constexpr double most_answers_of_task = 1000;

double number_of(const Value& value) {
  if (!value.items.empty()) return static_cast<double>(value.items.size());
  return value.plain.is_array() ? static_cast<double>(value.plain.size()) : value.number();
}

bool is_fraction(const Inspection& inspection, const Resolved& of, const char* field) {
  const Spec* spec = spec_of(inspection, of, field);
  if (spec == nullptr) return false;
  const Type* type = &spec->type;
  while (type->is(Type::Kind::optional) && !type->args.empty()) type = &type->args.front();
  return type->is(Type::Kind::fraction);
}

/// Whether a value is written in `vary`. A design may vary a field beyond its usual values on purpose.
bool is_of_design(const Inspection& inspection, const Value& value) {
  const Value* vary = inspection.experiment.field("vary");
  return vary != nullptr && vary->range.file == value.range.file && vary->range.begin <= value.range.begin &&
         value.range.end <= vary->range.end;
}

void examine_field(Inspection& inspection, const Resolved& of, const Usual& usual) {
  const Value* value = of.field(usual.field);
  if (value == nullptr || !value->given || value->absent()) return;
  if (is_of_design(inspection, *value) || is_varied(inspection, of.name + "." + usual.field)) return;
  const double number = number_of(*value);
  bool below = number < usual.low;
  const Value* candidates = of.field("candidates");
  if (usual.only_of_several) below = below && number > 0 && candidates != nullptr && candidates->number() > 1;
  if (!below && !(number > usual.high)) return;
  const bool percent = is_fraction(inspection, of, usual.field), list = number != value->number();
  const auto text = [&](double n) {
    return percent ? fmt::format("{:g}%", 100 * n)
           : list  ? fmt::format("1..{:g}", n)
                   : fmt::format("{:g}", n);
  };
  auto d = found(rules::unusual_value, value->range,
                 fmt::format("`{}` of `{}` is {}: {}", usual.field, of.name,
                             list ? fmt::format("a list of {:g}", number) : text(number),
                             below ? usual.below : usual.above));
  if (usual.only_of_several && below) d.note("the number that is sampled", candidates->range);
  d.helped(usual.usual);
  constexpr double slip = 10;  // 7 for 0.7
  const double slipped = number / slip;
  const bool by_slip = !below && !list && slipped >= usual.usual_low && slipped <= usual.usual_high;
  const std::string instead = text(by_slip ? slipped : usual.instead);
  d.suggest("write `" + instead + "`", value->range, instead);
  inspection.report(std::move(d), {&of});
}

void examine_corpus(Inspection& inspection, const Resolved& train) {
  const Value* data = train.field("data");
  if (data == nullptr || !data->is(Value::Kind::call)) return;
  for (const auto& [name, value] : data->entries) {
    const auto* suite = labelled_suite(*data, name, inspection.suites);
    if (suite == nullptr || suite->empty() || !value.given) continue;
    const auto tasks = static_cast<double>(suite->size());
    if (!(value.number() > most_answers_of_task * tasks)) continue;
    auto d = found(rules::unusual_value, value.range,
                   fmt::format("`{}` are {:.0f} answers to {:g} tasks: most of them are near copies", name,
                               value.number(), tasks));
    d.helped("1 to 100 answers to each task are usual; more tasks teach more");
    inspection.report(std::move(d), {&train});
  }
}

void compare_with_usual(Inspection& inspection, const Resolved& of) {
  for (const Usual& usual : table)
    if (of.kind == usual.of) examine_field(inspection, of, usual);
}

void check_unusual_value(Inspection& inspection) {
  for (const auto& stage : inspection.stages()) {
    compare_with_usual(inspection, *stage.train);
    examine_corpus(inspection, *stage.train);
  }
  for (const Resolved* evaluation : inspection.evaluations()) compare_with_usual(inspection, *evaluation);
  if (const Resolved* adapter = inspection.adapter()) compare_with_usual(inspection, *adapter);
  for (const Resolved* hypothesis : inspection.hypotheses) compare_with_usual(inspection, *hypothesis);
  compare_with_usual(inspection, inspection.experiment);
}

}  // namespace

const Rule rules::unusual_value{
    "unusual_value",
    Severity::warning,
    true,
    "A value far beyond those of papers is often one on another scale, 7 for 0.7, and a run by it teaches or "
    "measures nothing.",
    R"(import example
evaluation x : example.exam { temperature = 0.7, samples = 4 }
experiment e : example.study { evaluate = x }
)",
    R"(import example
evaluation x : example.exam { temperature = 7, samples = 4 }
experiment e : example.study { evaluate = x }
)",
    check_unusual_value};

}  // namespace trl::language
