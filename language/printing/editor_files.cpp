#include "language/printing/editor_files.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "base/support/error.hpp"
#include "base/support/files.hpp"
#include "language/printing/vocabulary.hpp"

namespace trl::language {
namespace {
namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr std::size_t widest = 116;

[[noreturn]] void mistake(std::size_t line, const std::string& what) {
  throw UserError("line " + std::to_string(line) + ": " + what, "");
}

/// The words of "kinds+variants", each once, sorted.
std::vector<std::string> words_of(const std::string& names, std::size_t line) {
  std::set<std::string> out;
  std::istringstream parts(names);
  for (std::string name; std::getline(parts, name, '+');) {
    const auto list = word_lists().find(name);
    if (list == word_lists().end()) mistake(line, "there are no words called `" + name + "`");
    out.insert(list->second.begin(), list->second.end());
  }
  return {out.begin(), out.end()};
}

/// "a|b". A word that begins another one stands after it: some engines take the first alternative that fits.
std::string alternatives(std::vector<std::string> words) {
  std::sort(words.begin(), words.end(), std::greater<>());
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : "|") + word;
  return out;
}

/// The lines of a list of words in a format.
std::string listed(const std::vector<std::string>& words, const std::string& format, std::size_t line) {
  const auto split = [&](const std::string& mark) {
    const std::size_t at = format.find(mark);
    return at == std::string::npos ? std::pair<std::string, std::string>{}
                                   : std::pair{format.substr(0, at), format.substr(at + mark.size())};
  };
  if (format.find("@alternatives") != std::string::npos) {
    const auto [before, after] = split("@alternatives");
    return before + alternatives(words) + after + "\n";
  }
  struct Form {
    const char *mark, *open, *close;
  };
  for (const Form& form : {Form{"@words", "", ""}, Form{"@quoted", "\"", "\""}, Form{"@list", "'", "',"},
                           Form{"@comma", "", ","}}) {
    if (format.find(form.mark) == std::string::npos) continue;
    const auto [before, after] = split(form.mark);
    std::string out, row;
    for (const std::string& word : words) {
      const std::string one = form.open + word + form.close;
      if (!row.empty() && before.size() + row.size() + 1 + one.size() + after.size() > widest) {
        out += before + row + after + "\n";
        row.clear();
      }
      row += (row.empty() ? "" : " ") + one;
    }
    return out + before + row + after + "\n";
  }
  mistake(line, "the format has none of @words, @quoted, @list, @comma and @alternatives");
}

// The part of YAML that grammars are written in.

struct YamlLine {
  std::size_t indent = 0, number = 0;
  std::string text;
};

class Yaml {
 public:
  explicit Yaml(const std::string& text) {
    std::istringstream in(text);
    std::size_t number = 0;
    for (std::string line; std::getline(in, line);) {
      ++number;
      const std::size_t indent = line.find_first_not_of(' ');
      if (indent == std::string::npos || line[indent] == '#') continue;
      lines_.push_back({indent, number, line.substr(indent)});
    }
  }

  ordered_json all() {
    ordered_json out = block();
    if (at_ < lines_.size()) mistake(lines_[at_].number, "the line isn't indented as those before it");
    return out;
  }

 private:
  ordered_json block() {
    if (at_ >= lines_.size()) return nullptr;
    const std::size_t indent = lines_[at_].indent;
    if (lines_[at_].text.starts_with("- ")) {
      ordered_json out = ordered_json::array();
      while (at_ < lines_.size() && lines_[at_].indent == indent && lines_[at_].text.starts_with("- ")) {
        // The text behind the dash is a block of its own, two columns further.
        lines_[at_].indent += 2;
        lines_[at_].text.erase(0, 2);
        if (key(lines_[at_]).empty()) {
          out.push_back(scalar(lines_[at_].text, lines_[at_].number));
          ++at_;
        } else {
          out.push_back(block());
        }
      }
      return out;
    }
    ordered_json out = ordered_json::object();
    while (at_ < lines_.size() && lines_[at_].indent == indent) {
      const YamlLine& line = lines_[at_++];
      const std::string name = key(line);
      if (name.empty()) mistake(line.number, "expected `key: value`");
      const std::size_t value = line.text.find_first_not_of(' ', name.size() + 1);
      if (value != std::string::npos)
        out[name] = scalar(line.text.substr(value), line.number);
      else if (at_ < lines_.size() && lines_[at_].indent > indent)
        out[name] = block();
      else
        mistake(line.number, "`" + name + "` has no value");
    }
    return out;
  }

  /// Returns the text before the colon; empty where the line has none.
  static std::string key(const YamlLine& line) {
    std::size_t end = 0;
    while (end < line.text.size() && (std::isalnum(static_cast<unsigned char>(line.text[end])) != 0 ||
                                      line.text[end] == '_' || line.text[end] == '-'))
      ++end;
    const bool colon = end < line.text.size() && line.text[end] == ':' &&
                       (end + 1 == line.text.size() || line.text[end + 1] == ' ');
    return colon ? line.text.substr(0, end) : "";
  }

  static std::string scalar(const std::string& text, std::size_t number) {
    if (!text.starts_with('\'')) {
      if (text.find_first_of("\"#{}[]&*!|>%@`") != std::string::npos || text.find(": ") != std::string::npos)
        mistake(number, "a text with such characters has to be quoted by '");
      return text;
    }
    std::string out;
    for (std::size_t i = 1; i < text.size(); ++i) {
      if (text[i] != '\'') {
        out += text[i];
      } else if (i + 1 < text.size() && text[i + 1] == '\'') {
        out += text[++i];
      } else if (i + 1 == text.size()) {
        return out;
      } else {
        break;
      }
    }
    mistake(number, "a quoted text has to end with its line");
  }

  std::vector<YamlLine> lines_;
  std::size_t at_ = 0;
};

}  // namespace

std::string with_words(const std::string& text) {
  static const std::string begin = "<words ", end = "</words>", as = " as ";
  std::string out;
  std::istringstream in(text);
  std::size_t number = 0, opened = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (opened > 0 && line.find(end) == std::string::npos) continue;
    opened = 0;
    out += line + "\n";
    const std::size_t at = line.find(begin), of = line.find(as, at);
    if (at == std::string::npos || of == std::string::npos || !line.ends_with('>')) continue;
    const std::size_t names = at + begin.size(), format = of + as.size();
    out += listed(words_of(line.substr(names, of - names), number),
                  line.substr(format, line.size() - 1 - format), number);
    opened = number;
  }
  if (opened > 0) mistake(opened, "these words have no end, `</words>`");
  if (!text.ends_with('\n') && !out.empty()) out.pop_back();
  return out;
}

std::string textmate_json(const std::string& yaml) {
  std::string text;
  std::size_t number = 1;
  for (std::size_t i = 0; i < yaml.size(); ++i) {
    if (yaml[i] == '\n') ++number;
    const std::size_t end = yaml.compare(i, 2, "@(") == 0 ? yaml.find(')', i) : std::string::npos;
    if (end == std::string::npos) {
      text += yaml[i];
      continue;
    }
    text += alternatives(words_of(yaml.substr(i + 2, end - i - 2), number));
    i = end;
  }
  return Yaml(text).all().dump(2) + "\n";
}

std::vector<EditorFile> outdated_editor_files(const fs::path& editors) {
  std::vector<EditorFile> out;
  std::set<fs::path> files;  // in an order that doesn't depend on the disk
  for (auto entry = fs::recursive_directory_iterator(editors); entry != fs::recursive_directory_iterator();
       ++entry) {
    if (entry->is_directory() && entry->path().filename() == "node_modules")
      entry.disable_recursion_pending();
    if (entry->is_regular_file() && !entry->is_symlink()) files.insert(entry->path());
  }
  const auto expect = [&](const fs::path& path, const std::string& now, const std::string& wanted) {
    if (now != wanted) out.push_back({path, wanted});
  };
  for (const fs::path& file : files) {
    if (file.extension() == ".png" || file.filename() == "parser.c") continue;
    const std::string text = read_text(file);
    try {
      if (file.extension() == ".yaml") {
        const fs::path made = fs::path(file).replace_extension(".json");
        expect(made, files.contains(made) ? read_text(made) : "", textmate_json(text));
      } else if (text.find("<words ") != std::string::npos) {
        expect(file, text, with_words(text));
      }
    } catch (const UserError& e) {
      throw UserError(file.string() + ", " + e.what(), "");
    }
  }
  return out;
}

}  // namespace trl::language
