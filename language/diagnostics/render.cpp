#include "language/diagnostics/render.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "base/support/code_points.hpp"
#include "base/support/counted.hpp"

namespace trl::language {
namespace {

struct Palette {
  const char *bold = "", *red = "", *yellow = "", *blue = "", *off = "";
};

Palette palette(bool colour) {
  if (!colour) return {};
  return {"\x1b[1m", "\x1b[1;31m", "\x1b[1;33m", "\x1b[1;34m", "\x1b[0m"};
}

const char* word(Severity severity) {
  switch (severity) {
    case Severity::error:
      return "error";
    case Severity::warning:
      return "warning";
    case Severity::note:
      return "note";
  }
  return "note";
}

/// The text with control characters (tabs too, so that carets line up) shown as blanks.
std::string printable(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  return out;
}

/// The source line behind its number and, under it, carets below the part of the range that lies on it. If
/// this is wider than `width` columns, the part of the line around the beginning of the range is shown, with
/// … where the line is cut.
void excerpt(std::string& out, const Range& range, const Sources& sources, const Palette& p,
             const char* mark_colour, std::size_t width) {
  const Source& source = sources[range.file];
  if (source.text().empty()) return;
  const Position place = source.position(range.begin), stop = source.position(range.end);
  const std::string line = printable(source.line(place.line));
  const std::size_t start = source.offset({place.line, 1});
  const std::size_t begin = std::min(range.begin - std::min(range.begin, start), line.size());
  const std::size_t end =
      stop.line == place.line ? std::clamp(range.end - start, begin, line.size()) : line.size();
  const std::string number = std::to_string(place.line);
  const std::size_t margin = number.size() + std::string_view("  | ").size(),
                    room = std::max<std::size_t>(width - std::min(width, margin), 20);

  std::size_t from = 0, to = line.size();
  if (code_points(line) > room) {
    // The line is shown from its beginning if the whole range then fits; else the range begins at a third.
    const std::size_t before = code_points(std::string_view(line).substr(0, begin));
    const std::size_t marked = code_points(std::string_view(line).substr(begin, end - begin));
    const auto advance = [&](std::size_t at, std::size_t columns) {
      while (at < line.size() && columns > 0) {
        ++at;
        while (at < line.size() && continues_code_point(line[at])) ++at;
        --columns;
      }
      return at;
    };
    const std::size_t skipped = before + marked < room ? 0 : before - std::min(before, room / 3);
    from = advance(0, skipped);
    const std::size_t left = room - (from > 0 ? 1 : 0);
    to = code_points(std::string_view(line).substr(from)) > left ? advance(from, left - 1) : line.size();
  }
  const std::string_view shown = std::string_view(line).substr(from, to - from);
  const std::size_t indent =
      (from > 0 ? 1 : 0) + code_points(std::string_view(line).substr(from, begin - from));
  const std::size_t carets =
      std::max<std::size_t>(code_points(std::string_view(line).substr(begin, std::min(end, to) - begin)), 1);
  out += fmt::format(" {}{} |{} {}{}{}\n", p.blue, number, p.off, from > 0 ? "…" : "", shown,
                     to < line.size() ? "…" : "");
  out += fmt::format(" {}{:>{}} |{} {:>{}}{}{}{}\n", p.blue, "", number.size(), p.off, "", indent,
                     mark_colour, std::string(carets, '^'), p.off);
}

/// Returns a part of a text around some of its bytes, with … where it was cut. Characters aren't split.
std::string window(std::string_view text, std::size_t begin, std::size_t end, std::size_t width) {
  const std::size_t around = width > end - begin ? (width - (end - begin)) / 2 : 0;
  std::size_t from = begin - std::min(begin, around),
              to = std::min({text.size(), end + around, from + width});
  while (from < text.size() && continues_code_point(text[from])) ++from;
  while (to < text.size() && continues_code_point(text[to])) ++to;
  return (from > 0 ? "…" : "") + std::string(text.substr(from, to - from)) + (to < text.size() ? "…" : "");
}

/// The lines that a fix touches, as it leaves them, without their indentation; of longer lines, the part
/// around the change. Empty if nothing is left.
std::string changed_lines(const Fix& fix, const Sources& sources) {
  constexpr std::size_t longest = 160;
  const std::string& text = sources[fix.range.file].text();
  const std::size_t begin =
      fix.range.begin == 0 ? 0 : text.find_last_of('\n', fix.range.begin - 1) + 1;  // npos + 1 is 0
  const std::size_t end = std::min(text.find('\n', fix.range.end), text.size());
  const std::string changed = text.substr(begin, fix.range.begin - begin) + fix.text +
                              text.substr(fix.range.end, end - fix.range.end);
  std::string out;
  for (std::size_t at = 0; at < changed.size();) {
    const std::size_t stop = std::min(changed.find('\n', at), changed.size());
    const std::string line = printable(std::string_view(changed).substr(at, stop - at));
    at = stop + 1;
    const std::size_t first = line.find_first_not_of(' ');
    if (first == std::string::npos) continue;
    const std::size_t last = line.find_last_not_of(' ');
    out += (out.empty() ? "" : " ⏎ ") + line.substr(first, last - first + 1);
  }
  if (out.size() <= longest) return out;
  // Finds where the change begins and ends in the lines as they are shown. Its end is counted back from the
  // end of the lines, over the unchanged text behind the change; its beginning is counted back from its end.
  const auto shown = [](std::string_view part) {
    std::size_t length = 0;
    for (const char c : part) length += c == '\n' ? std::string_view(" ⏎ ").size() : 1;
    return length;
  };
  const std::size_t behind =
      std::min(shown(std::string_view(text).substr(fix.range.end, end - fix.range.end)), out.size());
  const std::size_t stop = out.size() - behind, changed_size = std::min(shown(fix.text), stop);
  return window(out, stop - changed_size, stop, longest);
}

}  // namespace

std::string render(const Diagnostic& d, const Sources& sources, const Look& look) {
  const Palette p = palette(look.colour);
  const char* tint = d.severity == Severity::error     ? p.red
                     : d.severity == Severity::warning ? p.yellow
                                                       : p.blue;
  std::string out;
  const auto say = [&](const std::string& line) { out += (look.folded ? look.folded(line) : line) + '\n'; };
  const auto add = [&](const char* what, const std::string& text) {
    say(fmt::format("  = {}{}{}: {}", p.blue, what, p.off, text));
  };
  say(fmt::format("{}{}:{} {}{}[{}]{}: {}{}{}", p.bold, sources.where(d.range), p.off, tint, word(d.severity),
                  d.rule, p.off, p.bold, d.message, p.off));
  excerpt(out, d.range, sources, p, tint, look.width);
  for (const Note& note : d.notes) {
    if (note.has_range) {
      say(fmt::format("{}: {}note{}: {}", sources.where(note.range), p.blue, p.off, note.message));
      excerpt(out, note.range, sources, p, p.blue, look.width);
    } else {
      add("note", note.message);
    }
  }
  if (!d.help.empty()) add("help", d.help);
  if (!d.fixes.empty()) {
    const Fix& fix = d.fixes.front();
    const std::string lines = changed_lines(fix, sources);
    add(fix.certain ? "fix" : "perhaps", lines.empty() ? fix.title : lines);
  }
  return out;
}

std::string render(const std::vector<Diagnostic>& diagnostics, const Sources& sources, const Look& look) {
  std::string out;
  for (const Diagnostic& d : diagnostics) {
    if (!out.empty()) out += '\n';
    out += render(d, sources, look);
  }
  const auto [errors, warnings] = severities_of(diagnostics);
  if (errors + warnings > 0) out += '\n';
  if (errors > 0) out += counted(errors, "error") + (warnings > 0 ? ", " : "\n");
  if (warnings > 0) out += counted(warnings, "warning") + "\n";
  return out;
}

std::string render_count(const std::vector<Diagnostic>& diagnostics, const std::string& file,
                         const std::string& command) {
  if (diagnostics.empty()) return "";
  std::set<std::string> rules;
  for (const Diagnostic& d : diagnostics) rules.emplace(d.rule);
  const std::size_t warnings = severities_of(diagnostics).warnings;
  std::vector<std::string> counts;
  if (warnings > 0) counts.push_back(counted(warnings, "warning"));
  if (warnings < diagnostics.size()) counts.push_back(counted(diagnostics.size() - warnings, "note"));
  return fmt::format("{}: {} ({}); see `{}`\n", file, fmt::join(counts, ", "), fmt::join(rules, ", "),
                     command);
}

nlohmann::json render_json(const std::vector<Diagnostic>& diagnostics, const Sources& sources) {
  using nlohmann::json;
  const auto place = [&](json& into, const Range& range) {
    const Position begin = sources[range.file].position(range.begin),
                   end = sources[range.file].position(range.end);
    into["file"] = sources[range.file].path();
    into["line"] = begin.line;
    into["column"] = begin.column;
    into["end_line"] = end.line;
    into["end_column"] = end.column;
  };
  json out = json::array();
  for (const Diagnostic& d : diagnostics) {
    json entry{{"rule", d.rule}, {"severity", word(d.severity)}, {"message", d.message}, {"help", d.help}};
    place(entry, d.range);
    entry["notes"] = json::array();
    for (const Note& note : d.notes) {
      json n{{"message", note.message}};
      if (note.has_range) place(n, note.range);
      entry["notes"].push_back(std::move(n));
    }
    entry["fixes"] = json::array();
    for (const Fix& fix : d.fixes) {
      json f{{"title", fix.title}, {"text", fix.text}, {"certain", fix.certain}};
      place(f, fix.range);
      entry["fixes"].push_back(std::move(f));
    }
    out.push_back(std::move(entry));
  }
  return out;
}

}  // namespace trl::language
