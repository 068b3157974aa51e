#include "interpreter/report/latex.hpp"

#include <algorithm>
#include <cstdint>
#include <map>

#include "interpreter/report/contents.hpp"
#include "interpreter/report/typeset.hpp"
#include "interpreter/wrap.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {

/// Widths in points: the text of an article, one column of a paper in two columns (ACL's, the narrowest of
/// the usual styles), and both columns.
constexpr double text_width = 340, column_text_width = 219, wide_text_width = 460, column_gap = 8;
constexpr std::size_t rows_beside_another_block = 8;

/// Font sizes of figures, and of intervals, counts and notes. They are absolute: \\footnotesize is 8 pt in a
/// class of 10 pt but 9 pt in a class of 11 pt, such as ACL's, where tables would be wider than planned.
constexpr const char* table_font = "\\fontsize{8}{9.5}\\selectfont";
constexpr const char* small_font = "\\fontsize{7}{8}\\selectfont";

constexpr std::string_view dagger = "†";
/// Estimates the width in points of a text at a font size, from the widths of Computer Modern's characters at
/// 7 pt. They are wider than the characters of Times, which most classes use.
double points_of(const std::string& text, double size) {
  double ems = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0) == 0x80) continue;  // the rest of a character
    if (text.compare(i, dagger.size(), dagger) == 0)
      ems += 0.55;
    else if (std::string_view("ijl.,:;'|![]").find(c) != std::string_view::npos)
      ems += 0.33;
    else if (std::string_view(" ()frst-").find(c) != std::string_view::npos)
      ems += 0.46;
    else if (byte >= 0x80 || std::string_view("mwMW%@=+").find(c) != std::string_view::npos)
      ems += 0.95;
    else
      ems += std::isupper(byte) != 0 ? 0.8 : 0.58;
  }
  return ems * size;
}

const std::map<char, const char*>& special() {
  static const std::map<char, const char*> table = {{'\\', "\\textbackslash{}"},
                                                    {'{', "\\{"},
                                                    {'}', "\\}"},
                                                    {'$', "\\$"},
                                                    {'&', "\\&"},
                                                    {'#', "\\#"},
                                                    {'_', "\\_"},
                                                    {'%', "\\%"},
                                                    {'~', "\\textasciitilde{}"},
                                                    {'<', "\\textless{}"},
                                                    {'|', "\\textbar{}"},
                                                    {'>', "\\textgreater{}"},
                                                    {'^', "\\textasciicircum{}"},
                                                    {'"', "''"}};
  return table;
}

const std::map<std::uint32_t, const char*>& beyond_ascii() {
  static const std::map<std::uint32_t, const char*> table = {{0x2013, "--"},
                                                             {0x2014, "---"},
                                                             {0x2018, "`"},
                                                             {0x2019, "'"},
                                                             {0x201C, "``"},
                                                             {0x201D, "''"},
                                                             {0x2026, "\\dots{}"},
                                                             {0x2192, "$\\to$"},
                                                             {0x00D7, "$\\times$"},
                                                             {0x00B1, "$\\pm$"},
                                                             {0x2264, "$\\le$"},
                                                             {0x2265, "$\\ge$"},
                                                             {0x2212, "$-$"},
                                                             {0x00B5, "$\\mu$"},
                                                             {0x03BC, "$\\mu$"},
                                                             {0x00A0, "~"},
                                                             {0x2260, "$\\ne$"},
                                                             {0x2248, "$\\approx$"},
                                                             {0x2020, "$\\dagger$"},
                                                             {0x2021, "$\\ddagger$"},
                                                             {0x00B7, "$\\cdot$"},
                                                             {0x221A, "$\\surd$"},
                                                             {0x03A3, "$\\Sigma$"},
                                                             {0x2022, "$\\bullet$"},
                                                             {0x2070, "$^0$"},
                                                             {0x00B9, "$^1$"},
                                                             {0x00B2, "$^2$"},
                                                             {0x00B3, "$^3$"},
                                                             {0x2074, "$^4$"},
                                                             {0x2075, "$^5$"},
                                                             {0x2076, "$^6$"},
                                                             {0x2077, "$^7$"},
                                                             {0x2078, "$^8$"},
                                                             {0x2079, "$^9$"},
                                                             {0x207B, "$^-$"},
                                                             {0x00B0, "$^\\circ$"},
                                                             {0x221E, "$\\infty$"},
                                                             {0x2190, "$\\leftarrow$"},
                                                             {0x2193, "$\\downarrow$"}};
  return table;
}

/// The code point at an offset of UTF-8 text, and its number of bytes; U+FFFD and 1 for invalid bytes.
std::pair<std::uint32_t, std::size_t> code_point(const std::string& text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(i < text.size() ? text[i] : 0); };
  const unsigned char first = byte(at);
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 1;
  if (length == 1) return {0xFFFD, 1};
  std::uint32_t value = first & (0xFF >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xC0) != 0x80) return {0xFFFD, 1};
    value = value << 6 | (byte(at + i) & 0x3F);
  }
  return {value, length};
}

/// A column's title with its unit, as plain text: "correct (%)", "cost (s) ↓".
std::string heading(const Column& column) {
  const auto unit = unit_text(column);
  return column.title + (unit.empty() ? "" : " (" + unit + ")") + direction_mark(column);
}

std::size_t digits_before_point(const std::string& value) {
  return std::min(value.find('.'), value.size()) - (value.starts_with('-') ? 1 : 0);
}

/// Returns invisible digits that take the room of missing ones, so that the decimal points of a centred
/// column are aligned.
std::string hidden_digits(std::size_t wanted, std::size_t there) {
  return wanted > there ? "\\phantom{" + std::string(wanted - there, '0') + "}" : "";
}

/// Returns a value in a column whose widest value has `value_digits` digits and whose widest count has
/// `count_digits`; with `count_digits` 0, without its count.
std::string value_cell(const Column& column, const Figure& figure, bool best, std::size_t value_digits,
                       std::size_t count_digits) {
  if (!figure.value) return "--";
  auto text = value_text(column, *figure.value);
  const auto room = hidden_digits(value_digits, digits_before_point(text));
  text = text.starts_with('-') ? "$-$" + text.substr(1) : text;
  text = room + (best ? "\\textbf{" + text + "}" : text);
  if (count_digits == 0) return text;
  const auto n = std::to_string(figure.n);
  return fmt::format("{} {{{}({}){}}}", text, small_font, n, hidden_digits(count_digits, n.size()));
}

std::string interval_cell(const Column& column, const Figure& figure) {
  return figure.value && figure.interval
             ? fmt::format("{{{} {}}}", small_font, latex_escaped(typeset(interval_text(column, figure))))
             : "";
}

/// Neighbouring columns that are shares of the same things, with the same number of observations in every
/// row. A common head says once what they are shares of.
struct ColumnGroup {
  std::size_t begin = 0, end = 0;
  int n = 0;
};

std::vector<ColumnGroup> groups_of(const Table& table, std::size_t begin, std::size_t end) {
  std::vector<ColumnGroup> groups;
  for (std::size_t i = begin; i < end;) {
    const auto& first = table.columns[i];
    const int n = first.unit == Column::Unit::percent ? common_n(table, i) : 0;
    std::size_t after = i + 1;
    while (n > 0 && after < end && table.columns[after].unit == first.unit &&
           table.columns[after].counted == first.counted && common_n(table, after) == n)
      ++after;
    if (after > i + 1) groups.push_back({i, after, n});
    i = after;
  }
  return groups;
}

/// Returns the lines above a block's first rule: heads over groups of columns, the columns' titles, and the
/// number of observations if no head states it.
std::string heads_of(const Table& table, std::size_t begin, std::size_t end, const std::string& row_titles,
                     std::size_t row_columns) {
  const auto groups = groups_of(table, begin, end);
  const auto group_at = [&](std::size_t column) {
    return std::find_if(groups.begin(), groups.end(), [&](const ColumnGroup& group) {
      return group.begin <= column && column < group.end;
    });
  };
  const std::string no_row_title(row_columns - 1, '&');
  std::string over = no_row_title, rules, titles = row_titles, counts = no_row_title;
  bool any_count = false;
  for (std::size_t i = begin; i < end; ++i) {
    const auto group = group_at(i);
    const bool grouped = group != groups.end();
    const auto& column = table.columns[i];
    titles += " & " + latex_escaped(grouped ? column.title + direction_mark(column) : heading(column));
    counts += " &";
    const bool any_value = std::any_of(table.rows.begin(), table.rows.end(),
                                       [&](const TableRow& row) { return row.figures[i].value.has_value(); });
    if (!grouped && any_value) {
      const int n = common_n(table, i);
      counts += n ? fmt::format(" {{{} $n={}$}}", small_font, n) : fmt::format(" {{{} ($n$)}}", small_font);
      any_count = true;
    }
    if (!grouped) {
      over += " &";
    } else if (group->begin == i) {
      over += fmt::format(" & \\multicolumn{{{}}}{{c}}{{\\% of {} {}}}", group->end - i, group->n,
                          latex_escaped(std::string(column.counted)));
      const auto left = row_columns + i - begin + 1;
      rules += fmt::format("\\cmidrule(lr){{{}-{}}}", left, left + group->end - i - 1);
    }
  }
  return (groups.empty() ? "" : over + " \\\\\n" + rules + "\n") + titles + " \\\\\n" +
         (any_count ? counts + " \\\\\n" : "");
}

double points_of(const Table& table, std::size_t column) {
  double width = points_of(heading(table.columns[column]), 8);
  const char* count = common_n(table, column) > 0 ? "" : " (000)";
  for (const auto& row : table.rows) {
    const auto& figure = row.figures[column];
    width = std::max(width, points_of(interval_text(table.columns[column], figure), 7));
    if (figure.value)
      width = std::max(width, points_of(value_text(table.columns[column], *figure.value) + count, 8));
  }
  return width + column_gap;
}

/// The columns left of the figures: one with the row's name or, for a design of settings, one for each
/// setting, after a column with the extensions if there are any.
class RowHeads {
 public:
  /// A name with more than `longest` characters is continued on the line of the intervals.
  explicit RowHeads(const Table& table, std::size_t longest) : table_(table), longest_(longest) {
    for (const auto& row : table.rows)
      for (const auto& [factor, level] : row.row->levels) extensions_ |= !is_setting(factor);
  }
  std::size_t columns() const {
    return table_.settings.empty() ? 1 : table_.settings.size() + (extensions_ ? 1 : 0);
  }
  std::string titles() const {
    if (table_.settings.empty()) return "row";
    std::string text = extensions_ ? "row" : "";
    for (const auto& setting : table_.settings)
      text += (text.empty() ? "" : " & ") + latex_escaped(last_parts(setting));
    return text;
  }
  /// Returns the text left of a row's figures, and the text left of its intervals, which is the rest of a
  /// long name.
  std::pair<std::string, std::string> of(const Row& row) const {
    if (table_.settings.empty() || row.kind != Row::Kind::cell) {
      const auto [first, second] = lines_of_label(row);
      if (columns() == 1)
        return {latex_escaped(first), second.empty() ? "" : "\\quad " + latex_escaped(second)};
      return {fmt::format("\\multicolumn{{{}}}{{@{{}}l}}{{{}}}", columns(),
                          latex_escaped(typeset(row_label(row)))),
              ""};
    }
    // In a row's name, the words behind the extensions are its settings.
    std::string text = extensions_ ? latex_escaped(extensions_of(row)) : "";
    for (const auto& setting : table_.settings)
      text += (text.empty() && !extensions_ ? "" : " & ") + latex_escaped(level_of(row, setting));
    // For a row of one suite or seed, this part follows the last setting, as in the row's label.
    return {text + latex_escaped(row.part), ""};
  }
  /// The width in points of the names, with the gaps between their columns.
  double width() const {
    double widest = 0;
    std::vector<double> of_columns;
    const auto add = [&](std::size_t column, const std::string& text) {
      of_columns.resize(std::max(of_columns.size(), column + 1));
      of_columns[column] = std::max(of_columns[column], points_of(text, 8));
    };
    for (std::size_t i = 0; i < table_.settings.size(); ++i)
      add(i + (extensions_ ? 1 : 0), last_parts(table_.settings[i]));
    for (const auto& row : table_.rows) {
      if (!table_.settings.empty() && row.row->kind == Row::Kind::cell) {
        if (extensions_) add(0, extensions_of(*row.row));
        for (std::size_t i = 0; i < table_.settings.size(); ++i)
          add(i + (extensions_ ? 1 : 0), level_of(*row.row, table_.settings[i]) +
                                             (i + 1 == table_.settings.size() ? row.row->part : ""));
        continue;
      }
      const auto [first, second] =
          columns() == 1 ? lines_of_label(*row.row) : std::pair(typeset(row_label(*row.row)), std::string());
      widest = std::max({widest, points_of(first, 8), second.empty() ? 0 : points_of(second, 8) + 8});
    }
    double all = of_columns.empty() ? 0 : -column_gap;
    for (const double one : of_columns) all += one + column_gap;
    return std::max(widest, all);
  }

 private:
  /// A long name is broken at the blank that leaves the longer line shortest.
  std::pair<std::string, std::string> lines_of_label(const Row& row) const {
    const auto label = typeset(row_label(row));
    if (display_width(label) <= longest_) return {label, ""};
    std::size_t best = std::string::npos, best_width = display_width(label);
    for (auto at = label.find(' '); at != std::string::npos; at = label.find(' ', at + 1)) {
      const auto width = std::max(display_width(label.substr(0, at)), display_width(label.substr(at + 1)));
      if (width < best_width) best = at, best_width = width;
    }
    if (best == std::string::npos) return {label, ""};
    return {label.substr(0, best), label.substr(best + 1)};
  }

  bool is_setting(const std::string& factor) const {
    return std::find(table_.settings.begin(), table_.settings.end(), factor) != table_.settings.end();
  }
  /// "rank" of "writer.rank"; of a `zip` the last parts of its paths.
  static std::string last_parts(const std::string& setting) {
    std::string text;
    for (std::size_t at = 0; at < setting.size();) {
      const auto comma = std::min(setting.find(", ", at), setting.size());
      const auto path = setting.substr(at, comma - at);
      text += (text.empty() ? "" : ", ") + path.substr(path.rfind('.') + 1);
      at = comma + 2;
    }
    return text;
  }
  static std::string extensions_of(const Row& row) {
    std::string text;
    for (const auto& name : row.extensions) text += (text.empty() ? "" : " + ") + name;
    return text.empty() ? "none" : text;
  }

  const Table& table_;
  std::size_t longest_;
  bool extensions_ = false;
};

/// Returns a block with some of the columns. Each row has two lines: figures and intervals. With `stretched`,
/// the block is as wide as the text around it.
std::string block(const Table& table, const RowHeads& heads, std::size_t begin, std::size_t end,
                  bool stretched) {
  const std::string blank = [&] {
    std::string text;
    for (std::size_t i = 1; i < heads.columns(); ++i) text += " &";
    return text;
  }();
  const std::string environment = stretched ? "tabular*" : "tabular";
  std::string text = "\\begin{" + environment + "}" +
                     (stretched ? "{\\linewidth}{@{\\extracolsep{\\fill}}" : "{@{}") +
                     std::string(heads.columns(), 'l') + std::string(end - begin, 'c') + "@{}}\n\\toprule\n" +
                     heads_of(table, begin, end, heads.titles(), heads.columns()) + "\\midrule\n";
  std::vector<std::size_t> value_digits(end - begin, 0), count_digits(end - begin, 0);
  for (std::size_t i = begin; i < end; ++i) {
    const bool has_common = common_n(table, i) > 0;
    for (const auto& row : table.rows) {
      const Figure& figure = row.figures[i];
      if (!figure.value) continue;
      value_digits[i - begin] =
          std::max(value_digits[i - begin], digits_before_point(value_text(table.columns[i], *figure.value)));
      if (!has_common)
        count_digits[i - begin] = std::max(count_digits[i - begin], std::to_string(figure.n).size());
    }
  }
  for (const auto& row : table.rows) {
    if (&row != &table.rows.front())
      text += row.row->kind != Row::Kind::cell && (&row - 1)->row->kind == Row::Kind::cell
                  ? "\\midrule\n"
                  : "\\addlinespace[2pt]\n";
    const auto [head, rest] = heads.of(*row.row);
    // LaTeX would take a text that begins with a bracket or a star for an argument of the command before it.
    text += (head.starts_with('[') || head.starts_with('*') ? "{}" : "") + head;
    std::string below = rest + blank;
    for (std::size_t i = begin; i < end; ++i) {
      text += " & " + value_cell(table.columns[i], row.figures[i], is_best(table, row, i),
                                 value_digits[i - begin], count_digits[i - begin]);
      below += " & " + interval_cell(table.columns[i], row.figures[i]);
    }
    text +=
        below.find_first_not_of(" &") == std::string::npos ? " \\\\\n" : " \\\\[-2pt]\n" + below + " \\\\\n";
  }
  return text + "\\bottomrule\n\\end{" + environment + "}\n";
}

}  // namespace

std::string latex_escaped(const std::string& text) {
  std::string out;
  bool typewriter = false;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (static_cast<unsigned char>(c) >= 0x80) {
      const auto [point, length] = code_point(text, i);
      if (const auto found = beyond_ascii().find(point); found != beyond_ascii().end())
        out += found->second;
      else if (point >= 0xC0 && point <= 0xFF && point != 0xD0 && point != 0xF0 && point != 0xDE &&
               point != 0xFE)
        out += text.substr(i, length);
      else
        out += '?';
      i += length;
      continue;
    }
    ++i;
    if (c == '`') {
      const bool closes = typewriter || text.find('`', i) != std::string::npos;
      out += !closes ? "\\textasciigrave{}" : typewriter ? "}" : "\\texttt{";
      if (closes) typewriter = !typewriter;
    } else if (typewriter && std::string_view("<>|").find(c) != std::string_view::npos) {
      // Every encoding of typewriter letters has these characters at their ASCII codes. That isn't true of
      // LaTeX's commands for them.
      out += fmt::format("{{\\char{}}}", static_cast<int>(c));
    } else if (const auto found = special().find(c); found != special().end()) {
      out += found->second;
    } else {
      out += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? ' ' : c;
    }
  }
  return out;
}

namespace {

/// Returns the group of a column by the kind of quantity that it measures. Columns of one group are kept
/// together.
int group_of(const Column& column) {
  if (!column.of_answers()) return 2;
  return column.of_times() ? 1 : 0;
}

/// Returns the end (exclusive) of the block of columns that begins at `begin`.
std::size_t block_end(const Table& table, std::size_t begin, double label_width, double available) {
  std::size_t end = begin;
  double width = label_width + column_gap;
  while (end < table.columns.size() && (end == begin || width + points_of(table, end) <= available))
    width += points_of(table, end++);
  if (end == table.columns.size()) return end;
  std::size_t whole = end;
  while (whole > begin && group_of(table.columns[whole]) == group_of(table.columns[whole - 1])) --whole;
  return whole > begin ? whole : end;
}

/// Returns the end of each block into which a table's columns are split. There are as few blocks as possible,
/// and they are as equally wide as possible.
std::vector<std::size_t> block_ends(const Table& table, double label_width, double available) {
  const auto within = [&](double width) {
    std::vector<std::size_t> ends;
    for (std::size_t begin = 0; begin < table.columns.size(); begin = ends.back())
      ends.push_back(block_end(table, begin, label_width, width));
    return ends;
  };
  auto ends = within(available);
  const auto blocks = ends.size();
  for (double width = available; blocks > 1 && width > label_width; width -= column_gap) {
    auto even = within(width);
    if (even.size() > blocks) break;
    ends = std::move(even);
  }
  return ends;
}

/// Returns the heads of a table's rows with names on one line; on two lines if more columns then fit beside
/// each other, or any at all.
RowHeads heads_for(const Table& table, double available) {
  constexpr std::size_t third_of_a_column = 20, any = std::string::npos;
  const RowHeads whole(table, any), broken(table, third_of_a_column);
  const auto too_wide = [&](std::size_t column) {
    return whole.width() + column_gap + points_of(table, column) > available;
  };
  bool breaks = block_ends(table, broken.width(), available).size() <
                block_ends(table, whole.width(), available).size();
  for (std::size_t i = 0; i < table.columns.size(); ++i) breaks |= too_wide(i);
  return RowHeads(table, breaks ? third_of_a_column : any);
}

/// Returns the blocks of columns into which a table is split. If there are several, each is as wide as the
/// text around it.
std::vector<std::string> blocks_of(const Table& table, double available) {
  const auto heads = heads_for(table, available);
  const auto ends = block_ends(table, heads.width(), available);
  std::vector<std::string> blocks;
  for (std::size_t i = 0; i < ends.size(); ++i)
    blocks.push_back(block(table, heads, i == 0 ? 0 : ends[i - 1], ends[i], ends.size() > 1));
  return blocks;
}

std::string commented(const std::string& text) {
  std::string out = "% ";
  for (const char c : text) out += c == '\n' ? std::string("\n% ") : std::string(1, c);
  return out + "\n";
}

/// The blocks of columns without a float around them.
std::string tabular_alone(const Table& table, const LatexText& text) {
  std::string out = commented(wrapped(text.caption, 0, 100));
  for (const auto& note : text.notes) out += commented(wrapped(note, 0, 100));
  // The letters have the size of the surrounding text, up to 10 pt instead of 8 pt, so the blocks are planned
  // narrower.
  const auto blocks = blocks_of(table, 0.8 * text_width);
  for (const auto& block : blocks)
    out += (&block == &blocks.front() ? "" : "\\par\\medskip\n") +
           std::string(blocks.size() > 1 ? "\\noindent\n" : "") + block;
  return out;
}

}  // namespace

std::size_t blocks_within(const Table& table, double width) {
  return block_ends(table, heads_for(table, width).width(), width).size();
}

LatexForm narrowest_form(const Table& table, double column_width) {
  return blocks_within(table, column_width) <= 1 ? LatexForm::column : LatexForm::wide;
}

std::string as_latex(const Table& table, const LatexText& text) {
  std::string out =
      "% Needs \\usepackage{booktabs}. Written by trl from the store; `trl table` writes it again.\n";
  if (text.form == LatexForm::tabular) return out + tabular_alone(table, text);
  const bool wide = text.form == LatexForm::wide;
  const double available = text.width > 0                   ? text.width
                           : wide                           ? wide_text_width
                           : text.form == LatexForm::column ? column_text_width
                                                            : text_width;
  const std::string environment = wide ? "table*" : "table";
  const auto begin_table = [&](const std::string& caption) {
    return "\\begin{" + environment +
           "}[tbp]\n\\centering\n"
           // LaTeX leaves no room between a caption above a table and the rule. The package caption uses one
           // of the two lengths, depending on where it assumes the caption to be; so both are set.
           "\\setlength{\\abovecaptionskip}{0pt}\\setlength{\\belowcaptionskip}{5pt}\n"
           "\\ifdefined\\captionsetup\\captionsetup{position=top,skip=5pt}\\fi\n" +
           fmt::format("\\caption{{{}}}\n", latex_escaped(typeset_sentence(caption)));
  };
  out += begin_table(text.caption);
  const auto fonts = fmt::format("{}\\setlength{{\\tabcolsep}}{{4pt}}\n", table_font);
  out += fmt::format("\\label{{{}}}\n", text.label) + fonts;
  const auto blocks = blocks_of(table, available);
  for (const auto& block : blocks) {
    if (&block != &blocks.front()) {
      // Two long blocks with the notes don't fit on one page.
      out += table.rows.size() > rows_beside_another_block
                 ? "\\end{" + environment + "}\n\\addtocounter{table}{-1}\n" +
                       begin_table(text.caption + " (continued)") + fonts
                 : "\\par\\medskip\n";
    }
    // Notes are as wide as the table above them, unless the table is very narrow.
    out += blocks.size() > 1 ? block
                             : "\\setbox0=\\hbox{" + block.substr(0, block.find_last_not_of('\n') + 1) +
                                   "}\n\\edef\\trlwidth{\\ifdim\\wd0<0.5\\linewidth 0.5\\linewidth"
                                   "\\else\\the\\wd0\\fi}\n\\leavevmode\\box0\n";
  }
  out += fmt::format("\\par\\smallskip\n\\begin{{minipage}}{{{}}}\\raggedright{}\n",
                     blocks.size() > 1 ? "\\linewidth" : "\\trlwidth", small_font);
  for (const auto& note : text.notes)
    out += wrapped(latex_escaped(typeset_sentence(note)), 0, 100) + "\\par\n";
  return out + "\\end{minipage}\n\\end{" + environment + "}\n";
}

std::string latex_figures(const ReportContents& contents) {
  std::string out =
      "% Pictures of the report, as wide as a column or, in a paper of two columns, as its page. In the "
      "preamble:\n"
      "% \\usepackage{graphicx} and \\graphicspath{{FOLDER/}} with this folder.\n"
      "\\providecommand{\\trlcolumn}{\\ifdim\\columnwidth>300pt 3.1in\\else\\columnwidth\\fi}\n";
  for (const Picture* picture : contents.pictures())
    if (contents.pdfs.contains(picture->name)) out += latex_figure(*picture);
  return out;
}

std::string latex_figure(const Picture& picture) {
  const bool wide = picture.graphic.width() > narrow_picture;
  return fmt::format(
      "\\begin{{figure{3}}}[tbp]\n\\centering\n\\includegraphics[width={2}]{{{{{0}}}.pdf}}\n\\caption{{{1}}}"
      "\n"
      "\\label{{fig:{0}}}\n\\end{{figure{3}}}\n",
      picture.name, latex_escaped(typeset_sentence(picture.caption)), wide ? "\\textwidth" : "\\trlcolumn",
      wide ? "*" : "");
}

}  // namespace trl::interpreter
