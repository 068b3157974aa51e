#include <algorithm>
#include <cctype>

#include "language/check/inspection.hpp"
#include "language/diagnostics/suggest.hpp"

namespace trl::language {
DECLARE_RULE(license_name)
namespace {

/// The SPDX names (spdx.org/licenses) that rows of code carry most often.
const std::vector<std::string>& spdx() {
  static const std::vector<std::string> names = {
      "0BSD",         "AFL-3.0",      "AGPL-3.0",          "AGPL-3.0-only", "AGPL-3.0-or-later",
      "Apache-2.0",   "Artistic-2.0", "BlueOak-1.0.0",     "BSD-2-Clause",  "BSD-3-Clause",
      "BSD-4-Clause", "BSL-1.0",      "CC-BY-4.0",         "CC-BY-SA-4.0",  "CC-BY-NC-4.0",
      "CC0-1.0",      "CECILL-2.1",   "ECL-2.0",           "EPL-1.0",       "EPL-2.0",
      "EUPL-1.2",     "GPL-2.0",      "GPL-2.0-only",      "GPL-3.0",       "GPL-3.0-only",
      "ISC",          "LGPL-2.1",     "LGPL-2.1-only",     "LGPL-3.0",      "LGPL-3.0-only",
      "MIT",          "MIT-0",        "MPL-2.0",           "MS-PL",         "MulanPSL-2.0",
      "NCSA",         "OSL-3.0",      "GPL-2.0-or-later",  "PostgreSQL",    "PSF-2.0",
      "Python-2.0",   "Unlicense",    "GPL-3.0-or-later",  "UPL-1.0",       "LGPL-2.1-or-later",
      "WTFPL",        "Zlib",         "LGPL-3.0-or-later", "BSD-1-Clause",  "BSD-3-Clause-Clear"};
  return names;
}

/// The letters and digits of a name, in lower case, without the word licence.
std::string bare(const std::string& name) {
  std::string out;
  for (const unsigned char c : name)
    if (std::isalnum(c) != 0) out += static_cast<char>(std::tolower(c));
  if (out.starts_with("the")) out.erase(0, 3);
  for (const char* word : {"license", "licence"})
    if (const std::size_t at = out.find(word); at != out.npos && out != "unlicense") out.erase(at, 7);
  return out;
}

/// Returns the SPDX name that another spelling means; nothing if no name is close.
std::optional<std::string> meant_by(const std::string& written) {
  constexpr std::size_t enough = 4;  // `bsd` is the beginning of several licences
  const std::string wanted = bare(written);
  std::vector<std::string> bares;
  std::optional<std::string> begins;
  for (const std::string& name : spdx()) {
    bares.push_back(bare(name));
    if (bares.back() == wanted) return name;
    if (wanted.size() >= enough && bares.back().starts_with(wanted) &&
        (!begins || name.size() < begins->size()))
      begins = name;
  }
  if (begins) return begins;
  if (const auto best = closest(wanted, bares))
    return spdx()[static_cast<std::size_t>(std::find(bares.begin(), bares.end(), *best) - bares.begin())];
  return std::nullopt;
}

void check_license_name(Inspection& inspection) {
  for (const auto& stage : inspection.stages()) {
    const Value* data = stage.train->field("data");
    const Value* licenses =
        data == nullptr || !data->is(Value::Kind::call) ? nullptr : data->entry("licenses");
    if (licenses == nullptr || !licenses->given) continue;
    for (const Value& one : licenses->items) {
      const std::string written = one.string();
      if (std::find(spdx().begin(), spdx().end(), written) != spdx().end()) continue;
      const auto meant = meant_by(written);
      if (!meant) continue;
      auto d = found(rules::license_name, one.range,
                     "`" + written + "` is no name of SPDX, and rows are compared with it letter by letter");
      d.helped("did you mean `" + *meant + "`?");
      d.suggest("write `" + *meant + "`", one.range, "\"" + *meant + "\"");
      inspection.report(std::move(d), {stage.train});
    }
  }
}

}  // namespace

const Rule rules::license_name{"license_name",
                               Severity::warning,
                               true,
                               "Rows whose licence isn't among those that are allowed are left out: a "
                               "licence in another spelling leaves out all "
                               "of its rows.",
                               R"(import example
train imitate : sft { data = kernelbook(path("rows.jsonl"), samples = 160, licenses = ["MIT"], exclude = example.hard) }
experiment e : example.study { train = imitate }
)",
                               R"(import example
train imitate : sft { data = kernelbook(path("rows.jsonl"), samples = 160, licenses = ["Apache 2.0"], exclude = example.hard) }
experiment e : example.study { train = imitate }
)",
                               check_license_name};

}  // namespace trl::language
