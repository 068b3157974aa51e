// A mistake for each check of .clang-tidy, with the check's name in a comment behind it. `tests/fuzz/tidy
// --mistakes` fails unless clang-tidy finds all of them and nothing else. No program contains this file, and
// clang-format leaves it alone, since readability-misleading-indentation wants a mistake that it would mend.
// bugprone-dangling-handle has none: clang-tidy 16 finds no handle of a string in C++20, but the compiler
// does (-Wdangling-gsl).
// clang-format off
#include "tests/fuzz/linter/mistakes.hpp"

#include <algorithm>
#include <cstring>
#include <future>
#include <mutex>
#include <set>
#include <utility>

namespace trl::mistakes {
namespace {

void take(int width, int height);
void take_both() { take(/*height=*/1, /*width=*/2); }  // bugprone-argument-comment bugprone-argument-comment

struct Base {
  Base() = default;
  Base(const Base&) = default;
  int value = 0;
};
struct Copied : Base {
  Copied() = default;
  Copied(const Copied&) {}  // bugprone-copy-constructor-init
};

void erase_one(std::vector<int>& values) {
  values.erase(std::remove(values.begin(), values.end(), 3));  // bugprone-inaccurate-erase
}

int rounded(double value) { return (int)(value + 0.5); }  // bugprone-incorrect-roundings

int endless(int limit) {
  int i = 0, sum = 0;
  while (i < limit) ++sum;  // bugprone-infinite-loop
  return sum;
}

double ratio(int part, int whole) { return part / whole; }  // bugprone-integer-division

long product(int width, int height) { return static_cast<long>(width * height); }  // bugprone-misplaced-widening-cast

template <typename Value>
void forward_it(Value&& value) {
  Value other = std::move(value);  // bugprone-move-forwarding-reference
  static_cast<void>(other);
}

struct Cube : Square {
  int sides() const override { return Shape::sides() + 6; }  // bugprone-parent-virtual-call
};

std::size_t length_of(const std::vector<int>& values) { return sizeof(values); }  // bugprone-sizeof-container

std::size_t size_of_pointer(const char* text) { return std::strlen(text) + sizeof(sizeof(text)); }  // bugprone-sizeof-expression

std::string fifty() { return std::string('x', 50); }  // bugprone-string-constructor

void clear(int* values, int size) { std::memset(values, '0', size); }  // bugprone-suspicious-memset-usage

void report(int value) {
  if (value > 3);  // bugprone-suspicious-semicolon
  take(value, value);
}

void swapped(double part, int count);
void swap_them(double part, int count) { swapped(count, part); }  // bugprone-swapped-arguments

void once(bool again) {
  do {
    if (again) continue;  // bugprone-terminating-continue
    take(1, 2);
  } while (false);
}

int many(const std::vector<int>& values) {
  int sum = 0;
  for (short i = 0; i < static_cast<int>(values.size()); ++i) sum += i;  // bugprone-too-small-loop-variable
  return sum;
}

class Owner {
 public:
  Owner& operator=(const Owner& other) {  // bugprone-unhandled-self-assignment
    delete value_;
    value_ = new int(*other.value_);
    return *this;
  }

 private:
  int* value_ = nullptr;
};

struct Guard {
  explicit Guard(int);
  ~Guard();
};
void guarded() {
  Guard(3);  // bugprone-unused-raii
  take(1, 2);
}

void forgotten(const std::vector<int>& values) {
  values.empty();  // bugprone-unused-return-value
}

std::string used_after(std::string text) {
  const std::string other = std::move(text);
  return other + text;  // bugprone-use-after-move
}

std::size_t lengths(const std::vector<std::string>& words) {
  std::size_t sum = 0;
  for (const auto word : words) sum += word.size();  // performance-for-range-copy
  return sum;
}

std::size_t converted(const std::vector<int>& values) {
  struct Wrapped {
    Wrapped(int of) : words(1, std::to_string(of)) {}
    std::vector<std::string> words;
  };
  std::size_t sum = 0;
  for (const Wrapped& one : values) sum += one.words.size();
  struct Made {
    operator std::string() const { return "made"; }
  };
  const std::vector<Made> all(2);
  for (const std::string& text : all) sum += text.size();  // performance-implicit-conversion-in-loop
  return sum;
}

bool has(const std::set<int>& values) {
  return std::find(values.begin(), values.end(), 3) != values.end();  // performance-inefficient-algorithm
}

int moved_for_nothing(int value) { return std::move(value); }  // performance-move-const-arg

struct Moved {
  Moved(Moved&& other) : text(std::move(other.text)) {}  // performance-noexcept-move-constructor
  std::string text;
};

std::size_t copied(const std::vector<std::string>& words) {
  const std::string first = words.front();  // performance-unnecessary-copy-initialization
  return first.size();
}

std::size_t by_value(std::vector<std::string> words) { return words.size(); }  // performance-unnecessary-value-param

void misleading(bool first) {
  if (first)
    take(1, 2);
    take(3, 4);  // readability-misleading-indentation
}

/// Within a template, and a lambda in it, once it is instantiated or not.
template <typename Value>
std::string within(std::vector<Value> values) {
  const auto join = [](std::string text) {
    const std::string other = std::move(text);
    return other + text;  // bugprone-use-after-move
  };
  return join("a" + std::to_string(values.size()));
}
std::string use() { return within(std::vector<int>{1}); }

}  // namespace
}  // namespace trl::mistakes
