#include "tests/fuzz/ttir_mutator.hpp"

#include <algorithm>
#include <iterator>
#include <random>
#include <vector>

namespace trl::fuzz {
namespace {

using Random = std::minstd_rand;

std::size_t below(Random& random, std::size_t n) { return n == 0 ? 0 : random() % n; }

template <class List>
auto& any(Random& random, List& list) {
  return *std::next(std::begin(list), static_cast<std::ptrdiff_t>(below(random, std::size(list))));
}

/// The lines of a text. An operation is one line, or the lines from the one that opens a region to the one
/// that closes it.
class Lines {
 public:
  explicit Lines(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      lines_.emplace_back(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }

  std::string text() const {
    std::string all;
    for (const std::string& line : lines_) all += line + "\n";
    return all;
  }

  std::size_t size() const { return lines_.size(); }
  std::string& operator[](std::size_t i) { return lines_[i]; }

  /// A random line of a function's body: not the module's or a function's first line, and not a closing line.
  std::size_t operation(Random& random) const {
    for (int attempt = 0; attempt < 16; ++attempt) {
      const std::size_t at = below(random, lines_.size());
      const std::string& line = lines_[at];
      if (line.find("module") == std::string::npos && line.find("tt.func") == std::string::npos &&
          line.find_first_not_of(" })") != std::string::npos)
        return at;
    }
    return 0;
  }

  /// The index behind the operation that begins at a line.
  std::size_t end_of(std::size_t at) const {
    int open = 0;
    for (std::size_t i = at; i < lines_.size(); ++i) {
      for (const char c : lines_[i]) open += c == '{' || c == '(' ? 1 : c == '}' || c == ')' ? -1 : 0;
      if (open <= 0) return i + 1;
    }
    return at + 1;
  }

  std::vector<std::string> take(std::size_t from, std::size_t to) const {
    return {lines_.begin() + static_cast<std::ptrdiff_t>(from),
            lines_.begin() + static_cast<std::ptrdiff_t>(to)};
  }
  void erase(std::size_t from, std::size_t to) {
    lines_.erase(lines_.begin() + static_cast<std::ptrdiff_t>(from),
                 lines_.begin() + static_cast<std::ptrdiff_t>(to));
  }
  void insert(std::size_t at, const std::vector<std::string>& more) {
    lines_.insert(lines_.begin() + static_cast<std::ptrdiff_t>(std::min(at, lines_.size())), more.begin(),
                  more.end());
  }

 private:
  std::vector<std::string> lines_;
};

/// The positions of words that begin with a character: `%name` or `^name`.
std::vector<std::pair<std::size_t, std::size_t>> words_from(const std::string& text, char first) {
  std::vector<std::pair<std::size_t, std::size_t>> found;
  for (std::size_t at = text.find(first); at != std::string::npos; at = text.find(first, at + 1)) {
    std::size_t end = at + 1;
    while (end < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_' || text[end] == '#'))
      ++end;
    found.emplace_back(at, end - at);
  }
  return found;
}

void replace_everywhere(std::string& text, const std::string& from, const std::string& to) {
  if (from.empty()) return;
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

/// Renames everything that the lines define, so that they may occur twice.
void rename_results(std::vector<std::string>& lines, Random& random) {
  const std::string more = "_" + std::to_string(random() % 1000);
  std::vector<std::string> names;
  for (const std::string& line : lines) {
    const std::size_t sign = line.find(" = ");
    if (sign == std::string::npos) continue;
    for (const auto& [at, size] : words_from(line.substr(0, sign), '%'))
      names.push_back(line.substr(at, size));
  }
  for (std::string& line : lines)
    for (const std::string& name : names) {
      std::string changed;
      std::size_t done = 0;
      for (const auto& [at, size] : words_from(line, '%'))
        if (line.compare(at, size, name) == 0) {
          changed += line.substr(done, at + size - done) + more;
          done = at + size;
        }
      line = changed + line.substr(done);
    }
}

void change_operand(Lines& lines, Random& random) {
  std::string& line = lines[lines.operation(random)];
  const std::string& from = lines[lines.operation(random)];
  const auto mine = words_from(line, '%'), theirs = words_from(from, '%');
  if (mine.empty() || theirs.empty()) return;
  const auto [to, old_size] = any(random, mine);
  const auto [at, size] = any(random, theirs);
  line.replace(to, old_size, std::string(from, at, size));
}

/// Changes all equal dimensions, or all equal types, in the text or in a line.
void change_type(std::string& text, Random& random) {
  static const char* const scalars[] = {"i1",   "i8",  "i16", "i32",          "i64",   "f16",
                                        "bf16", "f32", "f64", "!tt.ptr<f32>", "f8E5M2"};
  static const char* const sizes[] = {"1x", "2x", "4x", "16x", "32x", "128x", "1024x", "1048576x", "3x"};
  if (random() % 2 == 0) {
    replace_everywhere(text, std::string("x") + any(random, scalars) + ">",
                       std::string("x") + any(random, scalars) + ">");
  } else {
    const std::string to = any(random, sizes);
    const std::size_t at = text.find("tensor<", below(random, text.size()));
    if (at == std::string::npos) return;
    const std::size_t end = text.find('x', at + 7);
    if (end == std::string::npos || end > at + 16) return;
    const std::string from = text.substr(at, end + 1 - at);
    if (random() % 2 == 0)
      replace_everywhere(text, from, "tensor<" + to);
    else
      text.replace(at, from.size(), random() % 4 == 0 ? "tensor<" + to + from.substr(7) : "tensor<" + to);
  }
}

void change_number(std::string& line, Random& random) {
  static const char* const numbers[] = {"0",
                                        "1",
                                        "2",
                                        "-1",
                                        "7",
                                        "31",
                                        "64",
                                        "1023",
                                        "2147483647",
                                        "-2147483648",
                                        "9223372036854775807",
                                        "4294967296",
                                        "0x7FC00000",
                                        "1.0e+300"};
  const std::size_t at = line.find_first_of("0123456789", below(random, line.size()));
  if (at == std::string::npos) return;
  std::size_t end = at;
  while (end < line.size() && (std::isalnum(static_cast<unsigned char>(line[end])) != 0 || line[end] == '.'))
    ++end;
  line.replace(at, end - at, any(random, numbers));
}

void change_operation(std::string& line, Random& random) {
  static const char* const names[][12] = {
      {"arith.addf", "arith.subf", "arith.mulf", "arith.divf", "arith.remf", "arith.maxnumf",
       "arith.minimumf", "math.powf", "math.atan2", "arith.maximumf", "tt.precise_divf", "math.copysign"},
      {"arith.addi", "arith.subi", "arith.muli", "arith.divsi", "arith.remui", "arith.andi", "arith.shli",
       "arith.shrui", "arith.ceildivsi", "arith.floordivsi", "tt.mulhiui", "arith.maxui"},
      {"math.exp", "math.log", "math.sqrt", "math.erf", "math.floor", "math.absf", "arith.negf", "math.rsqrt",
       "math.cbrt", "math.tan", "math.sinh", "math.round"},
      {"tt.reduce", "tt.scan", "tt.map_elementwise", "tt.histogram", "tt.gather", "tt.trans", "tt.reshape",
       "tt.splat", "tt.broadcast", "tt.expand_dims", "tt.unsplat", "tt.cat"},
      {"scf.if", "scf.for", "scf.while", "cf.br", "cf.cond_br", "scf.yield", "tt.reduce.return",
       "tt.scan.return", "tt.return", "scf.condition", "tt.call", "tt.assert"},
      {"tt.load", "tt.store", "tt.atomic_rmw", "tt.atomic_cas", "tt.addptr", "tt.dot", "tt.join", "tt.split",
       "arith.select", "arith.cmpi", "arith.cmpf", "ub.poison"},
      {"arith.extsi", "arith.extui", "arith.trunci", "arith.extf", "arith.truncf", "arith.sitofp",
       "arith.fptosi", "arith.bitcast", "tt.bitcast", "tt.fp_to_fp", "arith.index_cast", "arith.uitofp"}};
  for (const auto& family : names)
    for (const char* name : family)
      if (const std::size_t at = line.find(name); at != std::string::npos) {
        line.replace(at, std::char_traits<char>::length(name),
                     any(random, random() % 8 == 0 ? any(random, names) : family));
        return;
      }
}

/// Adds statements around an operation, or a branch past a block.
void add_control(Lines& lines, Random& random) {
  const std::size_t at = lines.operation(random), end = lines.end_of(at);
  const std::string number = std::to_string(random() % 1000);
  switch (random() % 6) {
    case 0:
      lines.insert(end, {"}"});
      lines.insert(at, {"%k" + number + " = arith.constant true", "scf.if %k" + number + " {"});
      break;
    case 1:
      lines.insert(end, {"}"});
      lines.insert(
          at,
          {"%l" + number + " = arith.constant 0 : i32", "%h" + number + " = arith.constant 3 : i32",
           "%s" + number + " = arith.constant 1 : i32",
           "scf.for %i" + number + " = %l" + number + " to %h" + number + " step %s" + number + " : i32 {"});
      break;
    case 2:  // a branch past it
      lines.insert(end, {"cf.br ^z" + number, "^z" + number + ":"});
      lines.insert(at, {"cf.br ^z" + number, "^y" + number + ":"});
      break;
    case 3:
      lines.insert(at, {"cf.br ^n" + number, "^n" + number + ":"});
      break;
    case 4:
      lines.insert(at, {"%c" + number + " = arith.constant false",
                        "cf.cond_br %c" + number + ", ^t" + number + ", ^e" + number, "^t" + number + ":",
                        "cf.br ^e" + number, "^e" + number + ":"});
      break;
    default: {
      static const char* const kinds[] = {"f32", "i32", "i1", "f64"};
      const std::string kind = any(random, kinds);
      lines.insert(at, {"%p" + number + " = ub.poison : tensor<2x64x" + kind + ">",
                        "%q" + number + " = \"tt.reduce\"(%p" + number +
                            ") <{axis = " + std::to_string(random() % 2) + " : i32}> ({",
                        "^bb0(%a" + number + ": " + kind + ", %b" + number + ": " + kind + "):",
                        "tt.reduce.return %a" + number + " : " + kind,
                        "}) : (tensor<2x64x" + kind + ">) -> tensor<" + (random() % 2 == 0 ? "64x" : "2x") +
                            kind + ">"});
    }
  }
}

std::string mutate_once(const std::string& text, std::string_view other, Random& random) {
  Lines lines(text);
  if (lines.size() < 3) return text;
  const std::size_t at = lines.operation(random), end = std::min(lines.end_of(at), lines.size());
  switch (random() % 12) {
    case 0:
      lines.erase(at, end);
      break;
    case 1: {
      std::vector<std::string> twin = lines.take(at, end);
      rename_results(twin, random);
      lines.insert(random() % 2 == 0 ? end : lines.operation(random), twin);
      break;
    }
    case 2: {
      const std::vector<std::string> moved = lines.take(at, end);
      lines.erase(at, end);
      if (lines.size() > 0) lines.insert(lines.operation(random), moved);
      break;
    }
    case 3:
    case 4:
      change_operand(lines, random);
      break;
    case 5: {
      std::string all = lines.text();
      change_type(all, random);
      return all;
    }
    case 6:
      change_type(lines[at], random);
      break;
    case 7:
      change_number(lines[at], random);
      break;
    case 8:
      change_operation(lines[at], random);
      break;
    case 9:
      add_control(lines, random);
      break;
    case 10: {
      Lines from(other);
      if (from.size() < 3) break;
      const std::size_t begin = from.operation(random);
      std::vector<std::string> piece = from.take(begin, std::min(from.end_of(begin), from.size()));
      if (piece.size() > 64) break;
      rename_results(piece, random);
      lines.insert(at, piece);
      break;
    }
    default: {  // the region returns another of its values
      std::string& line = lines[at];
      const auto names = words_from(line, '%');
      if (names.size() < 2) break;
      const auto [first, size] = names.front();
      const auto [last, last_size] = names.back();
      const std::string a = line.substr(first, size), b = line.substr(last, last_size);
      line.replace(last, last_size, a);
      line.replace(first, size, b);
    }
  }
  return lines.text();
}

}  // namespace

std::string mutated_ttir(std::string_view text, std::string_view other, std::uint32_t seed) {
  Random random(seed | 1);
  random.discard(3);
  std::string result(text);
  for (std::size_t times = 1 + random() % 4; times > 0; --times) result = mutate_once(result, other, random);
  return result;
}

}  // namespace trl::fuzz
