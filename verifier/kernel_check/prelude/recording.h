// Runs a wrapper while it is recorded: the functions that the prelude declares call a few functions of the
// loader (recorder/cuda_extension.py). All code here is inline, so that an object contains only what its
// candidate uses. When the loader refuses, control returns to `trl_enter` and nothing more of the wrapper
// runs.
#pragma once

enum trl_kind : long {
  trl_nothing,
  trl_a_tensor,
  trl_integer,
  trl_real,
  trl_boolean,
  trl_integers,
  trl_dtype,
  trl_device,
  trl_text,
  trl_list
};
/// A value that is passed between wrapper and loader. `integers` and `list` have `number` items.
struct trl_value {
  long kind;
  long number;  ///< of a tensor: its at::TensorState as an integer
  double real;
  const void* items;
};

extern "C" {
// The loader's functions. Each returns 0, or 1 where the wrapper may not go on.
int trl_host_call(const char* operation, const trl_value* arguments, long count, trl_value* result);
int trl_host_fail(const char* reason, const char* message, int line);
int trl_host_launch(const void* stub, const unsigned* grid_and_block, void** arguments, size_t shared,
                    const void* stream, int line);
/// The arguments are names and defaults, in pairs.
int trl_host_define(const char* name, void (*run)(void*, const trl_value*, trl_value*), void* function,
                    long count, const trl_value* arguments, long argument_count);
void* trl_host_malloc(size_t bytes);

void* trl_jump[5];
inline int trl_line = 0;

/// Calls a function of the candidate. Returns 1 where it was refused.
__attribute__((noinline)) int trl_enter(void (*run)(void*, const trl_value*, trl_value*), void* function,
                                        const trl_value* arguments, trl_value* result) {
  if (__builtin_setjmp(trl_jump)) return 1;
  run(function, arguments, result);
  return 0;
}
/// Replaces functions that print.
int trl_silent() { return 0; }
}
[[noreturn]] inline void trl_leave() { __builtin_longjmp(trl_jump, 1); }
[[noreturn]] inline void trl_fail(const char* reason, const char* message, int line = 0) {
  trl_host_fail(reason, message, line);
  trl_leave();
}

extern "C" {
// The loader uses these as malloc, exit and abort.
void* trl_malloc(size_t bytes) {
  void* room = trl_host_malloc(bytes);
  if (!room) trl_fail("memory", "the wrapper uses more memory than it may");
  return room;
}
// The loader has calls that are refused come here, with arguments of its own.
void trl_refused(const char* reason, const char* message, int line) { trl_fail(reason, message, line); }
void trl_exit() { trl_fail("exception", "the wrapper ends its process"); }
// A throw ends the call; nothing is unwound.
inline void* __cxa_allocate_exception(size_t bytes) { return malloc(bytes); }
inline void __cxa_free_exception(void*) {}
inline void __cxa_throw(void* thrown, void* type, void (*)(void*)) {
  // A type_info consists of a pointer to its virtual table and one to its name (Itanium C++ ABI, 2.9.5).
  const char* name = static_cast<const char* const*>(type)[1];
  for (const char* known : {"St9exception", "St13runtime_error", "St16invalid_argument", "N3c105ErrorE"})
    if (strcmp(name, known) == 0) trl_fail("thrown", static_cast<std::exception*>(thrown)->what());
  trl_fail("thrown", "the wrapper throws an exception");
}
inline void __cxa_rethrow() { trl_fail("exception", "the wrapper throws an exception"); }
inline int __cxa_atexit(void (*)(void*), void*, void*) { return 0; }
inline void __cxa_pure_virtual() { trl_fail("exception", "a pure virtual function is called"); }
}
inline void* operator new(size_t bytes) { return malloc(bytes); }
inline void* operator new[](size_t bytes) { return malloc(bytes); }
inline void operator delete(void* room) noexcept { free(room); }
inline void operator delete[](void* room) noexcept { free(room); }
inline void operator delete(void* room, size_t) noexcept { free(room); }
inline void operator delete[](void* room, size_t) noexcept { free(room); }

// Mathematical functions that C's library has under other names.
#define TRL_FLOAT(name) \
  inline TRL_BOTH float name(float x) { return ::name##f(x); }
TRL_FLOAT(acos)
TRL_FLOAT(asin)
TRL_FLOAT(atan)
TRL_FLOAT(ceil) TRL_FLOAT(cos) TRL_FLOAT(cosh) TRL_FLOAT(erf) TRL_FLOAT(exp) TRL_FLOAT(exp2) TRL_FLOAT(expm1)
    TRL_FLOAT(fabs) TRL_FLOAT(floor) TRL_FLOAT(log) TRL_FLOAT(log10) TRL_FLOAT(log1p) TRL_FLOAT(log2)
        TRL_FLOAT(rint) TRL_FLOAT(round) TRL_FLOAT(sin) TRL_FLOAT(sinh) TRL_FLOAT(sqrt) TRL_FLOAT(tan)
            TRL_FLOAT(tanh) TRL_FLOAT(trunc)
#undef TRL_FLOAT
                inline TRL_BOTH float pow(float x, float y) {
  return powf(x, y);
}
inline TRL_BOTH float pow(float x, int y) { return powf(x, static_cast<float>(y)); }
inline TRL_BOTH double pow(double x, int y) { return pow(x, static_cast<double>(y)); }
inline TRL_BOTH float fmod(float x, float y) { return fmodf(x, y); }
inline TRL_BOTH float fmax(float x, float y) { return x < y ? y : x; }
inline TRL_BOTH float fmin(float x, float y) { return y < x ? y : x; }
inline TRL_BOTH long abs(long x) { return x < 0 ? -x : x; }
inline TRL_BOTH long long abs(long long x) { return x < 0 ? -x : x; }
inline TRL_BOTH float abs(float x) { return x < 0 ? -x : x; }
inline TRL_BOTH double abs(double x) { return x < 0 ? -x : x; }
inline TRL_BOTH bool isnan(float x) { return x != x; }
inline TRL_BOTH bool isnan(double x) { return x != x; }
inline TRL_BOTH bool isinf(float x) { return __builtin_isinf(x); }
inline TRL_BOTH bool isinf(double x) { return __builtin_isinf(x); }
inline TRL_BOTH bool isfinite(float x) { return __builtin_isfinite(x); }
inline TRL_BOTH bool isfinite(double x) { return __builtin_isfinite(x); }
extern "C" inline TRL_BOTH float rsqrtf(float x) { return 1.0f / sqrtf(x); }
extern "C" inline TRL_BOTH double rsqrt(double x) { return 1.0 / sqrt(x); }
inline TRL_BOTH float rsqrt(float x) { return rsqrtf(x); }
#define TRL_LEAST(A, B, R)                                                                  \
  inline TRL_BOTH R min(A a, B b) { return static_cast<R>(b) < static_cast<R>(a) ? b : a; } \
  inline TRL_BOTH R max(A a, B b) { return static_cast<R>(a) < static_cast<R>(b) ? b : a; }
TRL_LEAST(int, int, int)
TRL_LEAST(unsigned int, unsigned int, unsigned int)
TRL_LEAST(long, long, long)
TRL_LEAST(unsigned long, unsigned long, unsigned long)
TRL_LEAST(long long, long long, long long)
TRL_LEAST(unsigned long long, unsigned long long, unsigned long long)
TRL_LEAST(float, float, float)
TRL_LEAST(double, double, double)
TRL_LEAST(int, unsigned int, unsigned int)
TRL_LEAST(unsigned int, int, unsigned int)
TRL_LEAST(int, long, long)
TRL_LEAST(long, int, long)
TRL_LEAST(float, double, double)
TRL_LEAST(double, float, double)
#undef TRL_LEAST

namespace std {
inline string trl_digits(bool negative, unsigned long value) {
  char digits[24];
  char* at = digits + 23;
  *at = 0;
  do *--at = static_cast<char>('0' + value % 10);
  while (value /= 10);
  if (negative) *--at = '-';
  return string(at);
}
inline string to_string(long value) {
  return trl_digits(value < 0,
                    value < 0 ? 0ul - static_cast<unsigned long>(value) : static_cast<unsigned long>(value));
}
inline string to_string(long long value) { return to_string(static_cast<long>(value)); }
inline string to_string(int value) { return to_string(static_cast<long>(value)); }
inline string to_string(size_t value) { return trl_digits(false, value); }
inline string to_string(double value) {
  char text[64];
  snprintf(text, sizeof text, "%f", value);
  return string(text);
}
inline ostream& endl(ostream& to) { return to; }
template <class To, class From>
void trl_assign(To& to, From& from) {
  *to.head = from.head;
  if constexpr (sizeof(to.tail) > 1 || !__is_empty(decltype(to.tail))) trl_assign(to.tail, from.tail);
}
template <class... T>
template <class U>
References<T...>& References<T...>::operator=(U&& from) {
  trl_assign(to, from);
  return *this;
}
}  // namespace std

// 16-bit floats on the host, rounded to nearest, ties to even.
inline TRL_BOTH unsigned short trl_to_half(float value) {
  unsigned bits = __builtin_bit_cast(unsigned, value);
  const unsigned sign = bits >> 16 & 0x8000u;
  bits &= 0x7fffffffu;
  if (bits > 0x7f800000u) return static_cast<unsigned short>(sign | 0x7e00u);
  if (bits >= 0x47800000u) return static_cast<unsigned short>(sign | 0x7c00u);
  if (bits < 0x38800000u) {  // subnormal
    const float magnitude = __builtin_bit_cast(float, bits) + 0.5f;
    return static_cast<unsigned short>(sign | (__builtin_bit_cast(unsigned, magnitude) - 0x3f000000u));
  }
  return static_cast<unsigned short>(sign | ((bits + 0xc8000fffu + (bits >> 13 & 1u)) >> 13));
}
inline TRL_BOTH float trl_from_half(unsigned short half) {
  const unsigned sign = (half & 0x8000u) << 16, rest = half & 0x7fffu;
  if (rest >= 0x7c00u) return __builtin_bit_cast(float, sign | 0x7f800000u | (rest & 0x3ffu) << 13);
  const float value = __builtin_bit_cast(float, rest << 13) * 0x1p112f;
  return __builtin_bit_cast(float, sign | __builtin_bit_cast(unsigned, value));
}
inline TRL_BOTH unsigned short trl_to_bfloat16(float value) {
  const unsigned bits = __builtin_bit_cast(unsigned, value);
  if (value != value) return 0x7fc0u;
  return static_cast<unsigned short>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}
inline TRL_BOTH float trl_from_bfloat16(unsigned short bits) {
  return __builtin_bit_cast(float, static_cast<unsigned>(bits) << 16);
}
#define TRL_CONVERT(T, Name, member, to, from)                \
  inline TRL_BOTH T::Name(float value) : member(to(value)) {} \
  inline TRL_BOTH T::operator float() const { return from(member); }
TRL_CONVERT(__half, __half, bits, trl_to_half, trl_from_half)
TRL_CONVERT(__nv_bfloat16, __nv_bfloat16, bits, trl_to_bfloat16, trl_from_bfloat16)
TRL_CONVERT(c10::Half, Half, x, trl_to_half, trl_from_half)
TRL_CONVERT(c10::BFloat16, BFloat16, x, trl_to_bfloat16, trl_from_bfloat16)
#undef TRL_CONVERT
inline TRL_BOTH c10::Half::Half(const __half& other) : x(other.bits) {}
inline TRL_BOTH c10::BFloat16::BFloat16(const __nv_bfloat16& other) : x(other.bits) {}
#define TRL_NUMBERS(T, to)                                                           \
  inline TRL_BOTH T::T(double value) : bits(to(static_cast<float>(value))) {}        \
  inline TRL_BOTH T::T(int value) : bits(to(static_cast<float>(value))) {}           \
  inline TRL_BOTH T::T(unsigned int value) : bits(to(static_cast<float>(value))) {}  \
  inline TRL_BOTH T::T(long value) : bits(to(static_cast<float>(value))) {}          \
  inline TRL_BOTH T::T(unsigned long value) : bits(to(static_cast<float>(value))) {} \
  inline TRL_BOTH T& T::operator=(float value) {                                     \
    bits = to(value);                                                                \
    return *this;                                                                    \
  }
TRL_NUMBERS(__half, trl_to_half)
TRL_NUMBERS(__nv_bfloat16, trl_to_bfloat16)
#undef TRL_NUMBERS
inline TRL_BOTH __half __float2half(float value) { return __half(value); }
inline TRL_BOTH __half __float2half_rn(float value) { return __half(value); }
inline TRL_BOTH float __half2float(__half value) { return value; }
inline TRL_BOTH __nv_bfloat16 __float2bfloat16(float value) { return __nv_bfloat16(value); }
inline TRL_BOTH float __bfloat162float(__nv_bfloat16 value) { return value; }

namespace at {
/// A tensor as the loader describes it. The description lives until the recording ends.
struct TensorState {
  void* address;
  const int64_t* sizes;
  const int64_t* strides;
  int64_t dim, numel, offset, type, cuda, contiguous, item_bytes;

  static Tensor tensor(const trl_value& value) {
    Tensor made;
    made.state_ = value.kind == trl_a_tensor ? reinterpret_cast<TensorState*>(value.number) : nullptr;
    return made;
  }
  static TensorState* of(const Tensor& tensor) { return tensor.state_; }
  static const TensorState& defined(const Tensor& tensor) {
    if (!tensor.state_) trl_fail("exception", "an undefined tensor is used");
    return *tensor.state_;
  }
};
}  // namespace at

inline trl_value trl_pack(const at::Tensor& x) {
  const auto* state = at::TensorState::of(x);
  return {state ? trl_a_tensor : trl_nothing, reinterpret_cast<long>(state), 0, nullptr};
}
inline trl_value trl_pack(bool x) { return {trl_boolean, x, 0, nullptr}; }
template <class T, class = std::enable_if_t<__is_arithmetic(T)>>
trl_value trl_pack(T x) {
  return {__is_integral(T) ? trl_integer : trl_real, __is_integral(T) ? static_cast<long>(x) : 0l,
          static_cast<double>(x), nullptr};
}
inline trl_value trl_pack(const char* x) { return {trl_text, 0, 0, x}; }
inline trl_value trl_pack(const std::string& x) { return {trl_text, 0, 0, x.c_str()}; }
inline trl_value trl_pack(const c10::Scalar& x) { return {trl_real, 0, x.toDouble(), nullptr}; }
inline trl_value trl_pack(c10::ScalarType x) {
  return {x == c10::ScalarType::Undefined ? trl_nothing : trl_dtype, static_cast<long>(x), 0, nullptr};
}
inline trl_value trl_pack(c10::Device x) {
  return {x.number == -2 ? trl_nothing : trl_device, x.is_cuda(), 0, nullptr};
}
inline trl_value trl_pack(c10::IntArrayRef x) {
  return {trl_integers, static_cast<long>(x.size()), 0, x.data()};
}
inline trl_value trl_pack(const std::vector<int64_t>& x) { return trl_pack(c10::IntArrayRef(x)); }
inline trl_value trl_pack(std::nullopt_t) { return {trl_nothing, 0, 0, nullptr}; }
template <class T>
trl_value trl_pack(const std::optional<T>& x) {
  return x ? trl_pack(*x) : trl_value{trl_nothing, 0, 0, nullptr};
}
template <class T>
trl_value trl_pack(const std::vector<T>& all) {
  auto* items = static_cast<trl_value*>(malloc((all.size() + 1) * sizeof(trl_value)));
  for (size_t i = 0; i < all.size(); ++i) items[i] = trl_pack(all[i]);
  return {trl_list, static_cast<long>(all.size()), 0, items};
}
inline void trl_pack_each(trl_value*, const std::tuple<>&) {}
template <class H, class... T>
void trl_pack_each(trl_value* items, const std::tuple<H, T...>& all) {
  *items = trl_pack(all.head);
  trl_pack_each(items + 1, all.tail);
}
template <class... T>
trl_value trl_pack(const std::tuple<T...>& all) {
  auto* items = static_cast<trl_value*>(malloc((sizeof...(T) + 1) * sizeof(trl_value)));
  trl_pack_each(items, all);
  return {trl_list, sizeof...(T), 0, items};
}
template <class A, class B>
trl_value trl_pack(const std::pair<A, B>& both) {
  return trl_pack(std::make_tuple(both.first, both.second));
}
template <class T, size_t N>
trl_value trl_pack(const std::array<T, N>& all) {
  return trl_pack(std::vector<T>(all.begin(), all.end()));
}

inline trl_value trl_call(const char* operation, const trl_value* arguments, long count) {
  trl_value result;
  if (trl_host_call(operation, arguments, count, &result)) trl_leave();
  return result;
}
template <class... A>
at::Tensor trl_make(const char* operation, const A&... arguments) {
  const trl_value values[] = {trl_pack(arguments)..., {}};
  return at::TensorState::tensor(trl_call(operation, values, sizeof...(A)));
}

namespace c10 {
inline const char* trl_first() { return ""; }
template <class T, class... A>
const char* trl_first(const T& first, const A&...) {
  if constexpr (__is_convertible_to(T, const char*))
    return first;
  else
    return "";
}
inline void refuse(const char*, int line) {
  trl_fail("thrown", "no case of AT_DISPATCH is for this type", line);
}
[[noreturn]] inline void refuse(int line, const char* condition, const char* text) {
  std::string message = std::string(condition) + " does not hold";
  if (*text) message += std::string(": ") + text;
  trl_fail("thrown", message.c_str(), line);
}
inline Device::Device(const char* text) : kind(text[0] == 'c' && text[1] == 'u' ? kCUDA : kCPU), number(-1) {}
}  // namespace c10

namespace at {
inline IntArrayRef Tensor::sizes() const {
  const auto& state = TensorState::defined(*this);
  return {state.sizes, static_cast<size_t>(state.dim)};
}
inline IntArrayRef Tensor::strides() const {
  const auto& state = TensorState::defined(*this);
  return {state.strides, static_cast<size_t>(state.dim)};
}
inline int64_t trl_axis(const TensorState& state, int64_t axis) {
  if (axis < -state.dim || axis >= state.dim)
    trl_fail("exception", "a tensor is asked for a dimension that it lacks");
  return axis < 0 ? axis + state.dim : axis;
}
inline int64_t Tensor::size(int64_t axis) const {
  const auto& state = TensorState::defined(*this);
  return state.sizes[trl_axis(state, axis)];
}
inline int64_t Tensor::stride(int64_t axis) const {
  const auto& state = TensorState::defined(*this);
  return state.strides[trl_axis(state, axis)];
}
inline int64_t Tensor::dim() const { return TensorState::defined(*this).dim; }
inline int64_t Tensor::numel() const { return TensorState::defined(*this).numel; }
inline size_t Tensor::nbytes() const { return numel() * itemsize(); }
inline size_t Tensor::itemsize() const { return TensorState::defined(*this).item_bytes; }
inline int64_t Tensor::element_size() const { return TensorState::defined(*this).item_bytes; }
inline int64_t Tensor::storage_offset() const { return TensorState::defined(*this).offset; }
inline ScalarType Tensor::scalar_type() const {
  return static_cast<ScalarType>(TensorState::defined(*this).type);
}
inline caffe2::TypeMeta Tensor::dtype() const { return scalar_type(); }
inline caffe2::TypeMeta Tensor::type() const { return scalar_type(); }
inline bool Tensor::is_cuda() const { return TensorState::defined(*this).cuda; }
inline bool Tensor::is_cpu() const { return !is_cuda(); }
inline Device Tensor::device() const { return is_cuda() ? Device(kCUDA, 0) : Device(kCPU); }
inline DeviceIndex Tensor::get_device() const { return device().index(); }
inline Layout Tensor::layout() const { return kStrided; }
inline TensorOptions Tensor::options() const { return TensorOptions(scalar_type()).device(device()); }
inline bool Tensor::is_contiguous(MemoryFormat format) const {
  const auto& state = TensorState::defined(*this);
  return state.contiguous >> (format == MemoryFormat::ChannelsLast ? 1 : 0) & 1;
}
inline bool Tensor::is_floating_point() const { return isFloatingType(scalar_type()); }
inline bool Tensor::requires_grad() const { return false; }
inline bool Tensor::is_same(const Tensor& other) const { return state_ == other.state_; }

inline void* Tensor::data_ptr() const { return TensorState::defined(*this).address; }
inline const void* Tensor::const_data_ptr() const { return data_ptr(); }
inline void* Tensor::mutable_data_ptr() const { return data_ptr(); }
inline void* Tensor::typed_data_ptr(ScalarType type) const {
  const auto& state = TensorState::defined(*this);
  if (static_cast<int64_t>(type) != state.type)
    trl_fail("exception", "data_ptr<T>: the tensor's elements have another type");
  return state.address;
}
template <class T, size_t N, template <class> class Traits>
PackedTensorAccessor32<T, N, Traits> Tensor::packed_accessor32() const {
  PackedTensorAccessor32<T, N, Traits> made{data_ptr<T>(), {}};
  for (size_t i = 0; i < N; ++i) {
    made.shape_.sizes_[i] = static_cast<int32_t>(size(i));
    made.shape_.strides_[i] = static_cast<int32_t>(stride(i));
  }
  return made;
}
template <class T, size_t N, template <class> class Traits>
PackedTensorAccessor64<T, N, Traits> Tensor::packed_accessor64() const {
  PackedTensorAccessor64<T, N, Traits> made{data_ptr<T>(), {}};
  for (size_t i = 0; i < N; ++i) {
    made.shape_.sizes_[i] = size(i);
    made.shape_.strides_[i] = stride(i);
  }
  return made;
}

inline Tensor Tensor::contiguous(MemoryFormat format) const {
  return trl_make("contiguous", *this, static_cast<int>(format));
}
inline Tensor Tensor::clone() const { return trl_make("clone", *this); }
inline Tensor Tensor::detach() const { return trl_make("detach", *this); }
inline Tensor Tensor::data() const { return trl_make("detach", *this); }
inline Tensor Tensor::variable_data() const { return trl_make("detach", *this); }
inline Tensor Tensor::view(IntArrayRef shape) const { return trl_make("view", *this, shape); }
inline Tensor Tensor::view(ScalarType type) const { return trl_make("view", *this, type); }
inline Tensor Tensor::view_as(const Tensor& other) const { return view(other.sizes()); }
inline Tensor Tensor::reshape(IntArrayRef shape) const { return trl_make("reshape", *this, shape); }
inline Tensor Tensor::reshape_as(const Tensor& other) const { return reshape(other.sizes()); }
inline Tensor Tensor::flatten(int64_t first, int64_t last) const {
  return trl_make("flatten", *this, first, last);
}
inline Tensor Tensor::unflatten(int64_t axis, IntArrayRef shape) const {
  return trl_make("unflatten", *this, axis, shape);
}
inline Tensor Tensor::permute(IntArrayRef axes) const { return trl_make("permute", *this, axes); }
inline Tensor Tensor::transpose(int64_t a, int64_t b) const { return trl_make("transpose", *this, a, b); }
inline Tensor Tensor::t() const { return trl_make("t", *this); }
inline Tensor Tensor::mT() const { return transpose(-2, -1); }
inline Tensor Tensor::squeeze() const { return trl_make("squeeze", *this); }
inline Tensor Tensor::squeeze(int64_t axis) const { return trl_make("squeeze", *this, axis); }
inline Tensor Tensor::unsqueeze(int64_t axis) const { return trl_make("unsqueeze", *this, axis); }
inline Tensor Tensor::expand(IntArrayRef shape) const { return trl_make("expand", *this, shape); }
inline Tensor Tensor::expand_as(const Tensor& other) const { return expand(other.sizes()); }
inline Tensor Tensor::narrow(int64_t axis, int64_t first, int64_t count) const {
  return trl_make("narrow", *this, axis, first, count);
}
inline Tensor Tensor::select(int64_t axis, int64_t at) const { return trl_make("select", *this, axis, at); }
inline Tensor Tensor::slice(int64_t axis, int64_t first, int64_t last, int64_t step) const {
  return trl_make("slice", *this, axis, first, last, step);
}
inline Tensor Tensor::operator[](int64_t at) const { return select(0, at); }
inline Tensor Tensor::as_strided(IntArrayRef shape, IntArrayRef strides) const {
  return trl_make("as_strided", *this, shape, strides);
}
inline Tensor Tensor::to(ScalarType type, bool, bool copy) const {
  return trl_make("to", *this, type, nullopt, copy);
}
inline Tensor Tensor::to(caffe2::TypeMeta type) const { return to(type.type); }
inline Tensor Tensor::to(Device device) const { return trl_make("to", *this, nullopt, device, false); }
inline Tensor Tensor::to(DeviceType device) const { return to(Device(device)); }
inline Tensor Tensor::to(Device device, ScalarType type) const {
  return trl_make("to", *this, type, device, false);
}
inline Tensor Tensor::to(const TensorOptions& options) const {
  return trl_make("to", *this, options.type_, options.device_, false);
}
inline Tensor Tensor::toType(ScalarType type) const { return to(type); }
inline Tensor Tensor::type_as(const Tensor& other) const { return to(other.scalar_type()); }
inline Tensor Tensor::cuda() const { return to(kCUDA); }
inline Tensor& Tensor::copy_(const Tensor& from, bool) const {
  trl_make("copy_", *this, from);
  return const_cast<Tensor&>(*this);
}
inline Tensor& Tensor::fill_(const Scalar& value) const {
  trl_make("fill_", *this, value);
  return const_cast<Tensor&>(*this);
}
inline Tensor& Tensor::zero_() const {
  trl_make("zero_", *this);
  return const_cast<Tensor&>(*this);
}
inline Tensor Tensor::new_empty(IntArrayRef shape) const { return trl_make("new_empty", *this, shape); }
inline Tensor Tensor::new_zeros(IntArrayRef shape) const { return trl_make("new_zeros", *this, shape); }
inline Tensor& Tensor::requires_grad_(bool) const { return const_cast<Tensor&>(*this); }

inline Tensor empty(IntArrayRef shape, const TensorOptions& o) {
  return trl_make("empty", shape, o.type_, o.device_);
}
inline Tensor empty(IntArrayRef shape, const TensorOptions& o, MemoryFormat format) {
  return trl_make("empty", shape, o.type_, o.device_, static_cast<int>(format));
}
inline Tensor empty_like(const Tensor& x) { return trl_make("empty_like", x); }
inline Tensor empty_like(const Tensor& x, const TensorOptions& o) {
  return trl_make("empty_like", x, o.type_, o.device_);
}
inline Tensor empty_like(const Tensor& x, MemoryFormat format) {
  return trl_make("empty_like", x, nullopt, nullopt, static_cast<int>(format));
}
inline Tensor empty_strided(IntArrayRef shape, IntArrayRef strides, const TensorOptions& o) {
  return trl_make("empty_strided", shape, strides, o.type_, o.device_);
}
inline Tensor zeros(IntArrayRef shape, const TensorOptions& o) {
  return trl_make("zeros", shape, o.type_, o.device_);
}
inline Tensor zeros_like(const Tensor& x) { return trl_make("zeros_like", x); }
inline Tensor zeros_like(const Tensor& x, const TensorOptions& o) {
  return trl_make("zeros_like", x, o.type_, o.device_);
}
inline Tensor ones(IntArrayRef shape, const TensorOptions& o) {
  return trl_make("ones", shape, o.type_, o.device_);
}
inline Tensor ones_like(const Tensor& x) { return trl_make("ones_like", x); }
inline Tensor full(IntArrayRef shape, const Scalar& value, const TensorOptions& o) {
  return trl_make("full", shape, value, o.type_, o.device_);
}
inline Tensor full_like(const Tensor& x, const Scalar& value) { return trl_make("full_like", x, value); }
inline Tensor cat(const std::vector<Tensor>& all, int64_t axis) { return trl_make("cat", all, axis); }
inline Tensor stack(const std::vector<Tensor>& all, int64_t axis) { return trl_make("stack", all, axis); }
}  // namespace at

// CUDA's runtime.
struct trl_Configuration {
  dim3 grid, block;
  size_t shared;
  CUstream_st* stream;
  int line;
};
inline trl_Configuration trl_configuration = {dim3(), dim3(), 0, nullptr, 0};
extern "C" {
inline unsigned int __cudaPushCallConfiguration(dim3 trl_grid, dim3 trl_block, size_t trl_shared,
                                                CUstream_st* trl_stream, trl_Place trl_place) {
  trl_configuration = {trl_grid, trl_block, trl_shared, trl_stream, trl_place.line};
  return 0;
}
// Clang's host-side stub of a kernel calls this.
int __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared, void* stream) {
  *grid = trl_configuration.grid;
  *block = trl_configuration.block;
  *shared = trl_configuration.shared;
  *static_cast<CUstream_st**>(stream) = trl_configuration.stream;
  trl_line = trl_configuration.line;
  return 0;
}
// A kernel may use 48 KiB of dynamic shared memory unless it asked for more (CUDA programming guide, compute
// capability 9.0).
inline constexpr size_t trl_shared_unasked = 49152, trl_shared_most = 232448;
struct trl_Raised {
  const void* kernel;
  size_t bytes;
};
inline trl_Raised trl_raised[64] = {};
inline size_t trl_shared_of(const void* kernel) {
  for (const trl_Raised& one : trl_raised)
    if (one.kernel == kernel) return one.bytes;
  return trl_shared_unasked;
}
inline cudaError_t trl_raise(const void* kernel, int attribute, int value) {
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
  const size_t bytes = static_cast<size_t>(value);
  if (value < 0 || bytes > trl_shared_most) return cudaErrorInvalidValue;
  for (trl_Raised& one : trl_raised)
    if (!one.kernel || one.kernel == kernel) {
      one = {kernel, bytes > trl_shared_unasked ? bytes : trl_shared_unasked};
      return cudaSuccess;
    }
  trl_fail("too_large", "shared memory is asked for of more than 64 kernels");
}
cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, size_t shared,
                             cudaStream_t stream) {
  const unsigned sizes[] = {grid.x, grid.y, grid.z, block.x, block.y, block.z};
  const int line = trl_line;
  trl_line = 0;
  if (shared > trl_shared_of(kernel) && shared <= trl_shared_most)
    trl_fail("wrong_launch",
             (std::string("the launch has ") + std::to_string(shared) +
              " bytes of dynamic shared memory: more than " + std::to_string(trl_shared_of(kernel)) +
              " have to be asked for by cudaFuncSetAttribute(kernel, "
              "cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)")
                 .c_str(),
             line);
  if (trl_host_launch(kernel, sizes, arguments, shared, stream, line)) trl_leave();
  return cudaSuccess;
}
inline cudaError_t cudaLaunchCooperativeKernel(const void*, dim3, dim3, void**, size_t, cudaStream_t) {
  trl_fail("unsupported", "cooperative launches are not supported");
}
inline cudaError_t cudaGetLastError() { return cudaSuccess; }
inline cudaError_t cudaPeekAtLastError() { return cudaSuccess; }
inline const char* cudaGetErrorString(cudaError_t) { return "no error"; }
inline const char* cudaGetErrorName(cudaError_t) { return "cudaSuccess"; }
inline cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
inline cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaGetDevice(int* device) { return *device = 0, cudaSuccess; }
inline cudaError_t cudaSetDevice(int device) { return device == 0 ? cudaSuccess : cudaErrorInvalidValue; }
inline cudaError_t cudaGetDeviceCount(int* count) { return *count = 1, cudaSuccess; }
inline cudaError_t cudaFree(void*) { return cudaSuccess; }
inline cudaError_t cudaFreeAsync(void*, cudaStream_t) { return cudaSuccess; }
}
inline cudaDeviceProp trl_properties() {
  // The same answers as the recorder's torch.cuda gives: an H200.
  cudaDeviceProp it{};
  memcpy(it.name, "NVIDIA H200", 12);
  it.totalGlobalMem = size_t{150} << 30;
  it.sharedMemPerBlock = 49152;
  it.sharedMemPerBlockOptin = 232448;
  it.sharedMemPerMultiprocessor = 233472;
  it.warpSize = 32;
  it.maxThreadsPerBlock = it.maxThreadsDim[0] = it.maxThreadsDim[1] = 1024;
  it.maxThreadsDim[2] = 64;
  it.maxGridSize[0] = 2147483647;
  it.maxGridSize[1] = it.maxGridSize[2] = 65535;
  it.multiProcessorCount = 132;
  it.major = 9;
  it.maxThreadsPerMultiProcessor = 2048;
  it.l2CacheSize = 60 << 20;
  it.regsPerBlock = 65536;
  return it;
}
inline cudaDeviceProp* at::cuda::getCurrentDeviceProperties() {
  static cudaDeviceProp properties;
  properties = trl_properties();
  return &properties;
}
inline int trl_attribute(int which) {
#define TRL_ATTRIBUTE(name, number, value) \
  case number:                             \
    return value;
  switch (which) {
    TRL_DEVICE_ATTRIBUTES(TRL_ATTRIBUTE)
    default:
      trl_fail("unsupported", "cudaDeviceGetAttribute: an attribute that isn't known here");
  }
#undef TRL_ATTRIBUTE
}
inline void trl_copy(const void* to, const void* from, size_t bytes, int kind) {
  const trl_value values[] = {{trl_integer, reinterpret_cast<long>(to), 0, nullptr},
                              {trl_integer, reinterpret_cast<long>(from), 0, nullptr},
                              trl_pack(bytes),
                              trl_pack(kind)};
  trl_call("cudaMemcpy", values, 4);
}
inline void trl_set(const void* to, int value, size_t bytes) {
  const trl_value values[] = {
      {trl_integer, reinterpret_cast<long>(to), 0, nullptr}, trl_pack(value), trl_pack(bytes)};
  trl_call("cudaMemset", values, 3);
}
extern "C" {
inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp* to, int) {
  return *to = trl_properties(), cudaSuccess;
}
inline cudaError_t cudaDeviceGetAttribute(int* to, cudaDeviceAttr which, int) {
  return *to = trl_attribute(which), cudaSuccess;
}
inline cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return trl_copy(to, from, bytes, kind), cudaSuccess;
}
inline cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                                   cudaStream_t) {
  return trl_copy(to, from, bytes, kind), cudaSuccess;
}
inline cudaError_t cudaMemset(void* to, int value, size_t bytes) {
  return trl_set(to, value, bytes), cudaSuccess;
}
inline cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t) {
  return trl_set(to, value, bytes), cudaSuccess;
}
#define TRL_REFUSED(f, parameters) \
  inline cudaError_t f parameters { trl_fail("unsupported", #f ": kernels run on the current stream alone"); }
TRL_REFUSED(cudaStreamCreate, (cudaStream_t*))
TRL_REFUSED(cudaStreamCreateWithFlags, (cudaStream_t*, unsigned int))
TRL_REFUSED(cudaStreamCreateWithPriority, (cudaStream_t*, unsigned int, int))
TRL_REFUSED(cudaStreamDestroy, (cudaStream_t))
TRL_REFUSED(cudaStreamWaitEvent, (cudaStream_t, cudaEvent_t, unsigned int))
TRL_REFUSED(cudaStreamBeginCapture, (cudaStream_t, int))
TRL_REFUSED(cudaStreamEndCapture, (cudaStream_t, cudaGraph_t*))
TRL_REFUSED(cudaEventCreate, (cudaEvent_t*))
TRL_REFUSED(cudaEventRecord, (cudaEvent_t, cudaStream_t))
TRL_REFUSED(cudaEventSynchronize, (cudaEvent_t))
TRL_REFUSED(cudaEventElapsedTime, (float*, cudaEvent_t, cudaEvent_t))
TRL_REFUSED(cudaEventDestroy, (cudaEvent_t))
#undef TRL_REFUSED
}
inline void* trl_device_memory(size_t bytes) {
  const trl_value value = trl_pack(bytes);
  return at::TensorState::tensor(trl_call("cudaMalloc", &value, 1)).data_ptr();
}
template <class T>
cudaError_t cudaMalloc(T** to, size_t bytes) {
  return *to = static_cast<T*>(trl_device_memory(bytes)), cudaSuccess;
}
template <class T>
cudaError_t cudaMallocAsync(T** to, size_t bytes, cudaStream_t) {
  return cudaMalloc(to, bytes);
}
template <class T>
cudaError_t cudaMallocManaged(T**, size_t, unsigned int) {
  trl_fail("unsupported", "cudaMallocManaged: memory that the host reaches, too");
}
template <class T>
cudaError_t cudaMallocHost(T**, size_t, unsigned int) {
  trl_fail("unsupported", "cudaMallocHost: memory that the host reaches, too");
}
template <class T>
cudaError_t cudaFuncSetAttribute(T* kernel, cudaFuncAttribute attribute, int value) {
  return trl_raise(reinterpret_cast<const void*>(kernel), attribute, value);
}
template <class T>
cudaError_t cudaFuncSetCacheConfig(T*, cudaFuncCache) {
  return cudaSuccess;
}
template <class T>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, T*, int threads, size_t) {
  return *blocks = 2048 / max(threads, 64), cudaSuccess;
}
template <class T>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid, int* block, T*, size_t, int limit) {
  *block = limit > 0 && limit < 256 ? limit : 256;
  return *grid = 132 * 8, cudaSuccess;
}
template <class T>
cudaError_t cudaMemcpyToSymbol(const T&, const void*, size_t, size_t, cudaMemcpyKind) {
  trl_fail("unsupported", "cudaMemcpyToSymbol: contents come from the host");
}
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(const T&, const void*, size_t, size_t, cudaMemcpyKind, cudaStream_t) {
  trl_fail("unsupported", "cudaMemcpyToSymbolAsync: contents come from the host");
}
template <class... P, class... A>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(P...), A&&... arguments) {
  if (config->numAttrs)
    trl_fail("unsupported", "cudaLaunchKernelEx: launches with attributes are not supported");
  const auto launch = [&](P... values) {
    void* places[] = {const_cast<void*>(static_cast<const void*>(&values))..., nullptr};
    return cudaLaunchKernel(reinterpret_cast<const void*>(kernel), config->gridDim, config->blockDim, places,
                            config->dynamicSmemBytes, config->stream);
  };
  return launch(static_cast<P>(arguments)...);
}

// The arguments that Python passes to a function of the candidate.
[[noreturn]] inline void trl_mismatch() {
  trl_fail("wrong_arguments", "an argument has another type than the function takes");
}
template <class T, class = void>
struct trl_argument;
template <class T>
struct trl_argument<T, std::enable_if_t<__is_integral(T)>> {
  static T from(const trl_value& x) {
    if (x.kind != trl_boolean && (x.kind != trl_integer || __is_same(T, bool))) trl_mismatch();
    return static_cast<T>(x.number);
  }
};
template <class T>
struct trl_argument<T, std::enable_if_t<__is_floating_point(T)>> {
  static T from(const trl_value& x) {
    if (x.kind != trl_real && x.kind != trl_integer && x.kind != trl_boolean) trl_mismatch();
    return static_cast<T>(x.kind == trl_real ? x.real : static_cast<double>(x.number));
  }
};
template <>
struct trl_argument<at::Tensor> {
  static at::Tensor from(const trl_value& x) {
    if (x.kind != trl_a_tensor && x.kind != trl_nothing) trl_mismatch();
    return at::TensorState::tensor(x);
  }
};
template <>
struct trl_argument<c10::Scalar> {
  static c10::Scalar from(const trl_value& x) { return trl_argument<double>::from(x); }
};
template <>
struct trl_argument<c10::ScalarType> {
  static c10::ScalarType from(const trl_value& x) {
    if (x.kind != trl_dtype) trl_mismatch();
    return static_cast<c10::ScalarType>(x.number);
  }
};
template <>
struct trl_argument<std::string> {
  static std::string from(const trl_value& x) {
    if (x.kind != trl_text) trl_mismatch();
    return static_cast<const char*>(x.items);
  }
};
template <>
struct trl_argument<c10::IntArrayRef> {
  static c10::IntArrayRef from(const trl_value& x) {
    if (x.kind != trl_integers) trl_mismatch();
    return {static_cast<const int64_t*>(x.items), static_cast<size_t>(x.number)};
  }
};
template <class T>
struct trl_argument<std::optional<T>> {
  static std::optional<T> from(const trl_value& x) {
    if (x.kind == trl_nothing) return std::nullopt;
    return trl_argument<T>::from(x);
  }
};
/// The items of a list or tuple of Python: how many there are, and one of them.
inline long trl_items(const trl_value& x) {
  if (x.kind != trl_list && x.kind != trl_integers) trl_mismatch();
  return x.number;
}
inline trl_value trl_item(const trl_value& x, size_t i) {
  if (x.kind == trl_list) return static_cast<const trl_value*>(x.items)[i];
  return {trl_integer, static_cast<const int64_t*>(x.items)[i], 0, nullptr};
}
template <class T>
struct trl_argument<std::vector<T>> {
  static std::vector<T> from(const trl_value& x) {
    std::vector<T> all;
    for (long i = 0; i < trl_items(x); ++i)
      all.push_back(trl_argument<T>::from(trl_item(x, static_cast<size_t>(i))));
    return all;
  }
};
template <class T, size_t N>
struct trl_argument<std::array<T, N>> {
  static std::array<T, N> from(const trl_value& x) {
    if (trl_items(x) != N) trl_mismatch();
    std::array<T, N> all;
    for (size_t i = 0; i < N; ++i) all[i] = trl_argument<T>::from(trl_item(x, i));
    return all;
  }
};
template <class T, T... I>
struct trl_places {};
template <class... T>
struct trl_argument<std::tuple<T...>> {
  template <size_t... I>
  static std::tuple<T...> each(const trl_value& x, trl_places<size_t, I...>) {
    return std::tuple<T...>(trl_argument<T>::from(trl_item(x, I))...);
  }
  static std::tuple<T...> from(const trl_value& x) {
    if (trl_items(x) != sizeof...(T)) trl_mismatch();
    return each(x, __make_integer_seq<trl_places, size_t, sizeof...(T)>());
  }
};
template <class A, class B>
struct trl_argument<std::pair<A, B>> {
  static std::pair<A, B> from(const trl_value& x) {
    if (trl_items(x) != 2) trl_mismatch();
    return {trl_argument<A>::from(trl_item(x, 0)), trl_argument<B>::from(trl_item(x, 1))};
  }
};

template <class A>
struct trl_held {
  std::remove_cvref_t<A> value;
  A get() { return static_cast<A>(value); }
};
template <class R, class... A, size_t... I>
void trl_run(R (*function)(A...), const trl_value* arguments, trl_value* result, trl_places<size_t, I...>) {
  if constexpr (__is_void(R)) {
    function(trl_held<A>{trl_argument<std::remove_cvref_t<A>>::from(arguments[I])}.get()...);
    *result = {trl_nothing, 0, 0, nullptr};
  } else {
    *result =
        trl_pack(function(trl_held<A>{trl_argument<std::remove_cvref_t<A>>::from(arguments[I])}.get()...));
  }
}
template <class R, class... A>
void trl_run_any(void* function, const trl_value* arguments, trl_value* result) {
  trl_run(reinterpret_cast<R (*)(A...)>(function), arguments, result,
          __make_integer_seq<trl_places, size_t, sizeof...(A)>());
}
template <class R, class... A>
void trl_define(const char* name, R (*function)(A...), const trl_value* named, long count) {
  trl_host_define(name, &trl_run_any<R, A...>, reinterpret_cast<void*>(function), sizeof...(A), named, count);
}
// A lambda that was passed to m.def.
template <class F>
void trl_define(const char* name, F function, const trl_value* named, long count) {
  trl_define(name, +function, named, count);
}

namespace pybind11 {
struct none {};
struct arg {
  const char* name;
  bool has_value = false;
  trl_value value{};
  explicit constexpr arg(const char* name) : name(name) {}
  template <class T>
  arg operator=(T&& default_value) const {
    arg changed = *this;
    changed.has_value = true;
    if constexpr (std::is_same_v<std::remove_cvref_t<T>, none>)
      changed.value = {trl_nothing, 0, 0, nullptr};
    else
      changed.value = trl_pack(default_value);
    return changed;
  }
};
namespace literals {
constexpr arg operator""_a(const char* name, size_t) { return arg(name); }
}  // namespace literals
class module_ {
  static void name(trl_value*& to, const arg& it) {
    *to++ = trl_pack(it.name);
    *to++ = it.has_value ? it.value : trl_value{-1, 0, 0, nullptr};
  }
  template <class T>
  static void name(trl_value*&, const T&) {}

 public:
  template <class F, class... A>
  module_& def(const char* called, F&& function, const A&... more) {
    trl_value named[2 * sizeof...(A) + 1];
    trl_value* end = named;
    (name(end, more), ...);
    trl_define(called, function, named, end - named);
    return *this;
  }
  const char*& doc() {
    static const char* text;
    return text;
  }
};
}  // namespace pybind11
namespace py = pybind11;
