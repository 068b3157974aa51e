// The part of the C++ standard library that wrappers and kernels use. It is kept small because the process of
// every candidate begins with all of it parsed.
#pragma once

#define NULL __null
#define __CUDACC__ 1
#define __NVCC__ 1
#define offsetof(type, member) __builtin_offsetof(type, member)
#define assert(condition) ((void)sizeof((condition) ? 1 : 0))
#define INFINITY (__builtin_inff())
#define NAN (__builtin_nanf(""))
#define HUGE_VALF (__builtin_huge_valf())
#define FLT_MAX __FLT_MAX__
#define FLT_MIN __FLT_MIN__
#define FLT_EPSILON __FLT_EPSILON__
#define DBL_MAX __DBL_MAX__
#define DBL_MIN __DBL_MIN__
#define DBL_EPSILON __DBL_EPSILON__
#define INT_MAX __INT_MAX__
#define INT_MIN (-__INT_MAX__ - 1)
#define UINT_MAX (__INT_MAX__ * 2U + 1U)
#define INT8_MAX 127
#define INT8_MIN (-128)
#define UINT8_MAX 255
#define INT16_MAX 32767
#define INT32_MAX __INT_MAX__
#define INT32_MIN INT_MIN
#define UINT32_MAX UINT_MAX
#define INT64_MAX __LONG_MAX__
#define INT64_MIN (-__LONG_MAX__ - 1L)
#define UINT64_MAX (__LONG_MAX__ * 2UL + 1UL)
#define LONG_MAX __LONG_MAX__
#define SIZE_MAX UINT64_MAX
#define LLONG_MAX __LONG_LONG_MAX__
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define CHAR_BIT 8

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef long ssize_t;
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;
typedef long intptr_t;
typedef unsigned long uintptr_t;
typedef long intmax_t;
typedef unsigned long uintmax_t;
typedef unsigned int uint;
typedef unsigned short ushort;
typedef unsigned char uchar;
typedef unsigned long ulong;
typedef decltype(nullptr) nullptr_t;

// Only the standard streams can be written, and the verifier looks at neither.
struct FILE;
extern "C" {
extern FILE* stdout;
extern FILE* stderr;
__attribute__((host, device)) int printf(const char*, ...);
int fprintf(FILE*, const char*, ...);
int snprintf(char*, size_t, const char*, ...);
int fflush(FILE*);
int puts(const char*);
[[noreturn]] void exit(int);
[[noreturn]] void abort();
__attribute__((host, device)) void* malloc(size_t);
__attribute__((host, device)) void free(void*);
__attribute__((host, device)) void* memcpy(void*, const void*, size_t);
__attribute__((host, device)) void* memset(void*, int, size_t);
size_t strlen(const char*);
int strcmp(const char*, const char*);
}

__attribute__((host, device)) inline void* operator new(size_t, void* place) noexcept { return place; }

namespace std {

using ::abort;
using ::exit;
using ::fprintf;
using ::int16_t;
using ::int32_t;
using ::int64_t;
using ::int8_t;
using ::intptr_t;
using ::memcpy;
using ::memset;
using ::nullptr_t;
using ::printf;
using ::ptrdiff_t;
using ::size_t;
using ::uint16_t;
using ::uint32_t;
using ::uint64_t;
using ::uint8_t;
using ::uintptr_t;

// <type_traits>
template <class T, T v>
struct integral_constant {
  static constexpr T value = v;
  using value_type = T;
  using type = integral_constant;
  constexpr operator T() const { return v; }
  constexpr T operator()() const { return v; }
};
template <bool b>
using bool_constant = integral_constant<bool, b>;
using true_type = bool_constant<true>;
using false_type = bool_constant<false>;
template <class A, class B>
struct is_same : bool_constant<__is_same(A, B)> {};
template <class A, class B>
inline constexpr bool is_same_v = __is_same(A, B);
template <bool, class T = void>
struct enable_if {};
template <class T>
struct enable_if<true, T> {
  using type = T;
};
template <bool b, class T = void>
using enable_if_t = typename enable_if<b, T>::type;
template <bool, class A, class B>
struct conditional {
  using type = A;
};
template <class A, class B>
struct conditional<false, A, B> {
  using type = B;
};
template <bool b, class A, class B>
using conditional_t = typename conditional<b, A, B>::type;
template <class...>
using void_t = void;
template <class T>
struct remove_reference {
  using type = T;
};
template <class T>
struct remove_reference<T&> {
  using type = T;
};
template <class T>
struct remove_reference<T&&> {
  using type = T;
};
template <class T>
using remove_reference_t = typename remove_reference<T>::type;
template <class T>
struct remove_cv {
  using type = T;
};
template <class T>
struct remove_cv<const T> {
  using type = T;
};
template <class T>
struct remove_cv<volatile T> {
  using type = T;
};
template <class T>
struct remove_cv<const volatile T> {
  using type = T;
};
template <class T>
using remove_cv_t = typename remove_cv<T>::type;
template <class T>
using remove_const_t = remove_cv_t<T>;
template <class T>
using remove_cvref_t = remove_cv_t<remove_reference_t<T>>;
template <class T>
using decay_t = __decay(T);
template <class T>
struct decay {
  using type = __decay(T);
};
template <class T>
using remove_pointer_t = __remove_pointer(T);
template <class T>
using underlying_type_t = __underlying_type(T);
template <class T>
using make_unsigned_t = __make_unsigned(T);
template <class T>
using make_signed_t = __make_signed(T);
template <class T>
inline constexpr bool is_integral_v = __is_integral(T);
template <class T>
inline constexpr bool is_floating_point_v = __is_floating_point(T);
template <class T>
inline constexpr bool is_arithmetic_v = __is_arithmetic(T);
template <class T>
inline constexpr bool is_signed_v = __is_signed(T);
template <class T>
inline constexpr bool is_unsigned_v = __is_unsigned(T);
template <class T>
inline constexpr bool is_pointer_v = __is_pointer(T);
template <class T>
inline constexpr bool is_const_v = __is_const(T);
template <class T>
inline constexpr bool is_trivially_copyable_v = __is_trivially_copyable(T);
template <class T>
struct is_integral : bool_constant<__is_integral(T)> {};
template <class T>
struct is_floating_point : bool_constant<__is_floating_point(T)> {};
template <class T>
struct is_arithmetic : bool_constant<__is_arithmetic(T)> {};
template <class T>
struct is_unsigned : bool_constant<__is_unsigned(T)> {};
template <class T>
struct is_pointer : bool_constant<__is_pointer(T)> {};
template <class T>
T&& declval() noexcept;
template <class F, class... A>
using invoke_result_t = decltype(declval<F>()(declval<A>()...));

// <utility>
template <class T>
constexpr remove_reference_t<T>&& move(T&& x) noexcept {
  return static_cast<remove_reference_t<T>&&>(x);
}
template <class T>
constexpr T&& forward(remove_reference_t<T>& x) noexcept {
  return static_cast<T&&>(x);
}
template <class T>
constexpr T&& forward(remove_reference_t<T>&& x) noexcept {
  return static_cast<T&&>(x);
}
template <class T>
constexpr void swap(T& a, T& b) {
  T kept = move(a);
  a = move(b);
  b = move(kept);
}
template <class A, class B>
struct pair {
  A first;
  B second;
};
template <class A, class B>
constexpr pair<decay_t<A>, decay_t<B>> make_pair(A&& a, B&& b) {
  return {forward<A>(a), forward<B>(b)};
}
template <size_t... I>
struct index_sequence {};

// <initializer_list>: the compiler constructs it, so the members must be those that it expects.
template <class E>
class initializer_list {
  const E* begin_ = nullptr;
  size_t size_ = 0;

 public:
  using value_type = E;
  constexpr initializer_list() = default;
  constexpr size_t size() const { return size_; }
  constexpr const E* begin() const { return begin_; }
  constexpr const E* end() const { return begin_ + size_; }
};

// <algorithm>, <numeric>
template <class T>
constexpr const T& min(const T& a, const T& b) {
  return b < a ? b : a;
}
template <class T>
constexpr const T& max(const T& a, const T& b) {
  return a < b ? b : a;
}
template <class T>
constexpr T min(initializer_list<T> all) {
  T least = *all.begin();
  for (const T& one : all) least = one < least ? one : least;
  return least;
}
template <class T>
constexpr T max(initializer_list<T> all) {
  T most = *all.begin();
  for (const T& one : all) most = most < one ? one : most;
  return most;
}
template <class T>
constexpr const T& clamp(const T& x, const T& low, const T& high) {
  return x < low ? low : high < x ? high : x;
}
template <class I, class T>
constexpr T accumulate(I begin, I end, T sum) {
  for (; begin != end; ++begin) sum = sum + *begin;
  return sum;
}
template <class I, class T, class F>
constexpr T accumulate(I begin, I end, T sum, F join) {
  for (; begin != end; ++begin) sum = join(sum, *begin);
  return sum;
}
template <class I, class T>
constexpr void fill(I begin, I end, const T& value) {
  for (; begin != end; ++begin) *begin = value;
}
template <class I, class O>
constexpr O copy(I begin, I end, O to) {
  for (; begin != end; ++begin, ++to) *to = *begin;
  return to;
}
template <class T = void>
struct multiplies {
  template <class A, class B>
  constexpr auto operator()(const A& a, const B& b) const {
    return a * b;
  }
};
template <class T = void>
struct plus {
  template <class A, class B>
  constexpr auto operator()(const A& a, const B& b) const {
    return a + b;
  }
};

// <limits>
template <class T>
struct numeric_limits;
template <class T>
struct IntegerLimits {
  static constexpr bool is_signed = __is_signed(T);
  static constexpr int digits = sizeof(T) * 8 - is_signed;
  static constexpr T max() { return static_cast<T>(~0ull >> (64 - digits)); }
  static constexpr T min() { return is_signed ? static_cast<T>(-max() - 1) : static_cast<T>(0); }
  static constexpr T lowest() { return min(); }
};
#define TRL_INTEGER_LIMITS(T) \
  template <>                 \
  struct numeric_limits<T> : IntegerLimits<T> {};
TRL_INTEGER_LIMITS(char)
TRL_INTEGER_LIMITS(signed char)
TRL_INTEGER_LIMITS(short)
TRL_INTEGER_LIMITS(int)
TRL_INTEGER_LIMITS(long)
TRL_INTEGER_LIMITS(long long)
TRL_INTEGER_LIMITS(unsigned char)
TRL_INTEGER_LIMITS(unsigned short)
TRL_INTEGER_LIMITS(unsigned int)
TRL_INTEGER_LIMITS(unsigned long)
TRL_INTEGER_LIMITS(unsigned long long)
#undef TRL_INTEGER_LIMITS
template <>
struct numeric_limits<float> {
  static constexpr float max() { return __FLT_MAX__; }
  static constexpr float min() { return __FLT_MIN__; }
  static constexpr float lowest() { return -__FLT_MAX__; }
  static constexpr float epsilon() { return __FLT_EPSILON__; }
  static constexpr float infinity() { return __builtin_inff(); }
  static constexpr float quiet_NaN() { return __builtin_nanf(""); }
};
template <>
struct numeric_limits<double> {
  static constexpr double max() { return __DBL_MAX__; }
  static constexpr double min() { return __DBL_MIN__; }
  static constexpr double lowest() { return -__DBL_MAX__; }
  static constexpr double epsilon() { return __DBL_EPSILON__; }
  static constexpr double infinity() { return __builtin_inf(); }
  static constexpr double quiet_NaN() { return __builtin_nan(""); }
};

// <vector>, <array>, <string>, <tuple>, <optional>
template <class T>
class vector {
  T* items_ = nullptr;
  size_t size_ = 0, room_ = 0;

  void grow(size_t room) {
    T* items = static_cast<T*>(malloc(room * sizeof(T)));
    for (size_t i = 0; i < size_; ++i) new (items + i) T(std::move(items_[i]));
    free(items_);
    items_ = items;
    room_ = room;
  }

 public:
  using value_type = T;
  using iterator = T*;
  using const_iterator = const T*;
  vector() = default;
  explicit vector(size_t count) { resize(count); }
  vector(size_t count, const T& value) {
    while (size_ < count) push_back(value);
  }
  vector(initializer_list<T> all) : vector(all.begin(), all.end()) {}
  template <class I, class = decltype(*declval<I>())>
  vector(I begin, I end) {
    for (; begin != end; ++begin) push_back(*begin);
  }
  vector(const vector& other) : vector(other.begin(), other.end()) {}
  vector& operator=(vector other) {
    std::swap(items_, other.items_);
    std::swap(size_, other.size_);
    std::swap(room_, other.room_);
    return *this;
  }
  ~vector() {
    clear();
    free(items_);
  }
  void push_back(const T& value) {
    if (size_ == room_) grow(room_ ? 2 * room_ : 4);
    new (items_ + size_++) T(value);
  }
  template <class... A>
  T& emplace_back(A&&... arguments) {
    if (size_ == room_) grow(room_ ? 2 * room_ : 4);
    return *new (items_ + size_++) T(std::forward<A>(arguments)...);
  }
  void pop_back() { items_[--size_].~T(); }
  void resize(size_t count, const T& value = T()) {
    while (size_ < count) push_back(value);
    while (size_ > count) pop_back();
  }
  void reserve(size_t room) {
    if (room > room_) grow(room);
  }
  void clear() {
    while (size_) pop_back();
  }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* erase(T* at) {
    for (T* i = at; i + 1 < end(); ++i) *i = std::move(i[1]);
    pop_back();
    return at;
  }
  T* insert(T* at, const T& value) {
    const size_t place = at - items_;
    push_back(value);
    for (size_t i = size_ - 1; i > place; --i) std::swap(items_[i], items_[i - 1]);
    return items_ + place;
  }
  T* data() { return items_; }
  const T* data() const { return items_; }
  T& operator[](size_t i) { return items_[i]; }
  const T& operator[](size_t i) const { return items_[i]; }
  T& at(size_t i) { return items_[i]; }
  const T& at(size_t i) const { return items_[i]; }
  T& front() { return items_[0]; }
  const T& front() const { return items_[0]; }
  T& back() { return items_[size_ - 1]; }
  const T& back() const { return items_[size_ - 1]; }
  T* begin() { return items_; }
  T* end() { return items_ + size_; }
  const T* begin() const { return items_; }
  const T* end() const { return items_ + size_; }
};

template <class T, size_t N>
struct array {
  T items[N ? N : 1];
  constexpr size_t size() const { return N; }
  constexpr T& operator[](size_t i) { return items[i]; }
  constexpr const T& operator[](size_t i) const { return items[i]; }
  constexpr T* data() { return items; }
  constexpr const T* data() const { return items; }
  constexpr T* begin() { return items; }
  constexpr T* end() { return items + N; }
  constexpr const T* begin() const { return items; }
  constexpr const T* end() const { return items + N; }
  constexpr T& at(size_t i) { return items[i]; }
  constexpr const T& at(size_t i) const { return items[i]; }
  constexpr const T& front() const { return items[0]; }
  constexpr const T& back() const { return items[N - 1]; }
  constexpr bool empty() const { return N == 0; }
  constexpr void fill(const T& value) {
    for (size_t i = 0; i < N; ++i) items[i] = value;
  }
};

class string {
  vector<char> text_;

 public:
  string(const char* text = "") : text_(text, text + strlen(text) + 1) {}
  const char* c_str() const { return text_.data(); }
  size_t size() const { return text_.size() - 1; }
  bool empty() const { return size() == 0; }
  string& operator+=(const string& more) {
    text_.pop_back();
    for (const char* at = more.c_str(); *at; ++at) text_.push_back(*at);
    text_.push_back(0);
    return *this;
  }
};
inline string operator+(string a, const string& b) { return a += b; }
inline bool operator==(const string& a, const string& b) { return strcmp(a.c_str(), b.c_str()) == 0; }
inline bool operator!=(const string& a, const string& b) { return !(a == b); }
string to_string(long long value);
string to_string(long value);
string to_string(int value);
string to_string(size_t value);
string to_string(double value);

class exception {
 public:
  virtual ~exception() = default;
  virtual const char* what() const noexcept { return ""; }
};
class runtime_error : public exception {
  string text_;

 public:
  explicit runtime_error(const string& text) : text_(text) {}
  const char* what() const noexcept override { return text_.c_str(); }
};
class invalid_argument : public runtime_error {
  using runtime_error::runtime_error;
};

template <class... T>
struct tuple {};
template <class H, class... T>
struct tuple<H, T...> {
  H head;
  tuple<T...> tail;
  constexpr tuple() = default;
  constexpr tuple(H h, T... t) : head(std::move(h)), tail(std::move(t)...) {}
};
template <class T>
struct tuple_size;
template <class... T>
struct tuple_size<tuple<T...>> : integral_constant<size_t, sizeof...(T)> {};
template <class A, class B>
struct tuple_size<pair<A, B>> : integral_constant<size_t, 2> {};
template <class T, size_t N>
struct tuple_size<array<T, N>> : integral_constant<size_t, N> {};
template <size_t I, class T>
struct tuple_element;
template <size_t I, class H, class... T>
struct tuple_element<I, tuple<H, T...>> : tuple_element<I - 1, tuple<T...>> {};
template <class H, class... T>
struct tuple_element<0, tuple<H, T...>> {
  using type = H;
};
template <size_t I, class A, class B>
struct tuple_element<I, pair<A, B>> {
  using type = conditional_t<I == 0, A, B>;
};
template <size_t I, class T, size_t N>
struct tuple_element<I, array<T, N>> {
  using type = T;
};
template <size_t I, class T, size_t N>
constexpr T& get(array<T, N>& all) {
  return all.items[I];
}
template <size_t I, class T, size_t N>
constexpr const T& get(const array<T, N>& all) {
  return all.items[I];
}
template <class T>
struct tuple_size<const T> : tuple_size<T> {};
template <size_t I, class T>
struct tuple_element<I, const T> {
  using type = const typename tuple_element<I, T>::type;
};
template <size_t I, class... T>
constexpr auto& get(tuple<T...>& all) {
  if constexpr (I == 0)
    return all.head;
  else
    return get<I - 1>(all.tail);
}
template <size_t I, class... T>
constexpr const auto& get(const tuple<T...>& all) {
  return get<I>(const_cast<tuple<T...>&>(all));
}
template <size_t I, class... T>
constexpr auto&& get(tuple<T...>&& all) {
  return move(get<I>(all));
}
template <size_t I, class... T>
constexpr const auto&& get(const tuple<T...>&& all) {
  return move(get<I>(all));
}
template <size_t I, class A, class B>
constexpr auto& get(pair<A, B>& both) {
  if constexpr (I == 0)
    return both.first;
  else
    return both.second;
}
template <class... T>
constexpr tuple<decay_t<T>...> make_tuple(T&&... all) {
  return tuple<decay_t<T>...>(forward<T>(all)...);
}
template <class... T>
struct References {
  tuple<T*...> to;
  template <class U>
  References& operator=(U&& from);
};
template <class... T>
References<T...> tie(T&... all) {
  return {tuple<T*...>(&all...)};
}

struct nullopt_t {};
inline constexpr nullopt_t nullopt{};
template <class T>
class optional {
  bool full_ = false;
  T value_{};

 public:
  optional() = default;
  optional(nullopt_t) {}
  optional(const T& value) : full_(true), value_(value) {}
  bool has_value() const { return full_; }
  explicit operator bool() const { return full_; }
  const T& value() const { return value_; }
  T value_or(const T& other) const { return full_ ? value_ : other; }
  const T& operator*() const { return value_; }
  T& operator*() { return value_; }
  const T* operator->() const { return &value_; }
};

template <class F>
class function;

// <iostream>, for the standard streams alone.
struct ostream {
  template <class T>
  ostream& operator<<(const T&) {
    return *this;
  }
  ostream& operator<<(ostream& (*)(ostream&)) { return *this; }
};
extern ostream cout, cerr;
ostream& endl(ostream&);

}  // namespace std
