#include <algorithm>

#include "language/check/inspection.hpp"
#include "language/diagnostics/suggest.hpp"

namespace trl::language {
DECLARE_RULE(module_patterns)
namespace {

/// Returns the paths of the matrices that an adapter changes; empty if too little is known of the model.
std::vector<std::string> adapted_paths(Inspection& inspection, const Resolved& adapter) {
  const auto& architecture = inspection.architecture();
  const Value* targets = adapter.field("targets");
  std::vector<std::string> paths;
  if (!architecture || !architecture->matrices || architecture->layers < 1 || targets == nullptr)
    return paths;
  const auto adapts = [&](const std::string& matrix) {
    return std::any_of(targets->items.begin(), targets->items.end(), [&](const Value& target) {
      return target.string() == "all_linear" || target.string() == matrix;
    });
  };
  for (int layer = 0; layer < architecture->layers; ++layer)
    for (const std::string& matrix : *architecture->matrices)
      if (adapts(matrix)) paths.push_back(Architecture::path(layer, matrix));
  return paths;
}

/// Converts a pattern of file names, in which `*` is any text, to a regular expression with the same matches:
/// `*mlp*` to `.*mlp.*`.
std::string expression_of_glob(const std::string& glob) {
  std::string out;
  for (const char c : glob) {
    if (c == '*') out += '.';
    out += c;
  }
  return out;
}

/// Returns whether a pattern is valid by itself; reports it if not.
bool check_one(Inspection& inspection, const Resolved& adapter, const Value& call,
               const ModulePattern& pattern) {
  const std::string quoted = "`" + pattern.pattern + "`";
  try {
    (void)ModulePatterns({pattern});
  } catch (const RefusedRegex& refused) {
    if (pattern.pattern.starts_with('*')) {
      const std::string meant = expression_of_glob(pattern.pattern);
      inspection.report(
          found(rules::module_patterns, call.items[0].range,
                quoted + " is no regular expression: nothing stands before its `*`")
              .helped("`*` alone stands for any text in names of files, here `.*` does: write `\"" + meant +
                      "\"`")
              .suggest("write `\"" + meant + "\"`", call.items[0].range, "\"" + meant + "\""),
          {&adapter});
      return false;
    }
    auto d = found(rules::module_patterns, call.items[0].range,
                   quoted + " is a regular expression " + refused.why);
    d.helped(
        "write the name that a module's path ends with, `\"down_proj\"`, or a regular expression of Python");
    inspection.report(std::move(d), {&adapter});
    return false;
  }
  if (pattern.rank || pattern.alpha) return true;
  auto d = found(rules::module_patterns, call.range, quoted + " says neither a rank nor an alpha");
  d.helped("write `modules(\"" + pattern.pattern + "\", rank = …)`, or leave it out");
  inspection.report(std::move(d), {&adapter});
  return false;
}

void check_module_patterns(Inspection& inspection) {
  const Resolved* adapter = inspection.adapter();
  const Value* field = adapter == nullptr ? nullptr : adapter->field("patterns");
  if (field == nullptr || field->items.empty()) return;
  const auto patterns = patterns_of(*adapter);
  if (patterns.size() != field->items.size()) return;
  bool usable = true;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    usable = check_one(inspection, *adapter, field->items[i], patterns[i]) && usable;
    const auto same = std::find_if(patterns.begin(), patterns.begin() + static_cast<std::ptrdiff_t>(i),
                                   [&](const auto& one) { return one.pattern == patterns[i].pattern; });
    if (same == patterns.begin() + static_cast<std::ptrdiff_t>(i)) continue;
    usable = false;
    auto d = found(rules::module_patterns, field->items[i].range,
                   "the pattern `" + patterns[i].pattern + "` is given twice");
    d.note("first here", field->items[static_cast<std::size_t>(same - patterns.begin())].range);
    d.helped("give rank and alpha in one of them, and remove the other");
    inspection.report(std::move(d), {adapter});
  }
  const auto paths = adapted_paths(inspection, *adapter);
  if (!usable || paths.empty()) return;
  const auto idle = ModulePatterns(patterns).idle(paths);
  for (std::size_t i = 0; i < idle.size(); ++i) {
    if (idle[i] == ModulePatterns::Idle::no) continue;
    const bool late = idle[i] == ModulePatterns::Idle::said_before;
    auto d =
        found(rules::module_patterns, field->items[i].range,
              late ? "`" + patterns[i].pattern + "` never counts: patterns before it fit the same modules"
                   : "`" + patterns[i].pattern + "` fits none of the modules that `" + adapter->name +
                         "` adapts in `" + inspection.model()->name + "`");
    if (!late) d.note("by " + inspection.architecture()->source, inspection.model()->field("weights")->range);
    // The pattern names a kind of module that adapters can change but this adapter leaves out.
    const bool left_out = patterns[i].pattern.ends_with("_proj");
    d.helped(late       ? "the first pattern that fits a module counts: put narrower patterns first"
             : left_out ? "add `" + patterns[i].pattern + "` to `targets`, or leave the pattern out"
                        : "a pattern fits the end of a path, from behind a dot: its modules are `" +
                              paths.front() + "` to `" + paths.back() + "`");
    inspection.report(std::move(d), {adapter, inspection.model()});
  }
}

}  // namespace

const Rule rules::module_patterns{
    "module_patterns",
    Severity::error,
    false,
    "A pattern that fits no module, or never counts, leaves ranks as they would be without it.",
    R"(import example
lora a { patterns = [modules("layers\\.0\\..*down_proj", rank = 64), modules("down_proj", rank = 32, alpha = 64)] }
experiment e : example.study { adapter = a }
)",
    R"(import example
lora a { patterns = [modules("donw_proj", rank = 32, alpha = 64)] }
experiment e : example.study { adapter = a }
)",
    check_module_patterns};

}  // namespace trl::language
