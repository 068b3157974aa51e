#include "tests/fuzz/targets.hpp"

#include <cstdio>
#include <cstdlib>

#include "base/support/json_text.hpp"
#include "language/diagnostics/render.hpp"
#include "language/format/format.hpp"
#include "language/program/program.hpp"
#include "language/recovery/recovery.hpp"
#include "language/syntax/parse.hpp"

namespace trl::language::fuzz {
namespace {

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "not so: %s\n", what);
  std::abort();
}

void require_within(const Range& range, std::size_t size) {
  require(range.begin <= range.end && range.end <= size, "a finding lies within its text");
}

void require_findings(const std::vector<Diagnostic>& diagnostics, std::size_t size) {
  require(diagnostics.size() <= 2 * most_syntax_errors, "findings are few");
  for (const Diagnostic& d : diagnostics) {
    require(!d.message.empty(), "a finding says something");
    require_within(d.range, size);
    for (const Note& note : d.notes) require_within(note.range, size);
    for (const Fix& fix : d.fixes) require_within(fix.range, size);
  }
}

/// Two suites in place of those that `import windtunnel` brings: the library's own is too large to be read a
/// thousand times.
constexpr std::string_view windtunnel =
    "suite level1 {\n  task a[N = 64](x: f32[N]) = relu(x)\n  task b[N = 64](x: f32[N]) = gelu(x)\n}\n"
    "suite level2 {\n  task c[N = 64](x: f32[N]) = relu(gelu(x))\n}\n"
    "suite pairs {\n  task d[N = 64](x: f32[N]) = sin(x)\n}\n";

}  // namespace

void parser(std::string_view text) {
  Parsed parsed = parse(text);
  require(text_of(parsed.tree, text) == text, "the tree holds every byte");
  require_findings(parsed.diagnostics, text.size());
  const bool sound = parsed.diagnostics.empty();
  static const std::vector<std::string> kinds = {"model", "train", "experiment"};
  const Recovered recovered = recover(text, 0, std::move(parsed), kinds);
  require(text_of(recovered.tree, recovered.text) == recovered.text, "the recovered tree holds every byte");
  require_findings(recovered.diagnostics, text.size());
  require(sound == recovered.diagnostics.empty(), "what is recovered is said");
  std::size_t before = 0;
  for (std::size_t i = 0; i <= recovered.text.size(); i += 1 + recovered.text.size() / 256) {
    const std::size_t original = recovered.original(i);
    require(before <= original && original <= text.size(), "offsets are taken back in order");
    before = original;
  }
}

void checker(std::string_view text) {
  CheckOptions options;
  options.read = [text](const std::string& path) -> std::optional<std::string> {
    if (path == "fuzz.trl") return std::string(text);
    if (path == "windtunnel.trl") return std::string(windtunnel);
    return std::nullopt;
  };
  const Checked checked = check_file("fuzz.trl", options);
  require(checked.resolved.has_value() == !checked.has_errors(), "a document, or errors");
  for (const Diagnostic& d : checked.diagnostics) {
    require_within(d.range, checked.sources[d.range.file].text().size());
    for (const Fix& fix : d.fixes) require_within(fix.range, checked.sources[fix.range.file].text().size());
  }
  (void)render(checked.diagnostics, checked.sources);
  (void)dumped(render_json(checked.diagnostics, checked.sources));
}

void formatter(std::string_view text) {
  const Formatted once = format(text);
  require(same_but_for_layout(text, once.text), "the layout alone changes");
  require(format(once.text).text == once.text, "a second time nothing changes");
}

}  // namespace trl::language::fuzz
