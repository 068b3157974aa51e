// PyTorch's tensors as a wrapper sees them: shape, strides, type and device, without data. The recorder
// defines the functions that have no body here. A function annotated `trl::…` is refused for that reason
// wherever it is called; one that computes only where the call is carried out.
#pragma once

#define TRL_ANNOTATED(what) __attribute__((annotate("trl::" what)))
#define TRL_READS_DATA TRL_ANNOTATED("data_dependent")
#define TRL_COMPUTES TRL_ANNOTATED("framework_compute")

namespace c10 {

enum class ScalarType : signed char {
  Byte,
  Char,
  Short,
  Int,
  Long,
  Half,
  Float,
  Double,
  ComplexHalf,
  ComplexFloat,
  ComplexDouble,
  Bool,
  QInt8,
  QUInt8,
  QInt32,
  BFloat16,
  Float8_e5m2 = 23,
  Float8_e4m3fn,
  UInt16 = 27,
  UInt32,
  UInt64,
  Undefined = 44
};
inline constexpr ScalarType kByte = ScalarType::Byte, kUInt8 = kByte, kChar = ScalarType::Char, kInt8 = kChar,
                            kShort = ScalarType::Short, kInt16 = kShort, kInt = ScalarType::Int,
                            kInt32 = kInt, kLong = ScalarType::Long, kInt64 = kLong, kHalf = ScalarType::Half,
                            kFloat16 = kHalf, kFloat = ScalarType::Float, kFloat32 = kFloat,
                            kDouble = ScalarType::Double, kFloat64 = kDouble, kBool = ScalarType::Bool,
                            kBFloat16 = ScalarType::BFloat16, kFloat8_e5m2 = ScalarType::Float8_e5m2,
                            kFloat8_e4m3fn = ScalarType::Float8_e4m3fn, kUInt16 = ScalarType::UInt16,
                            kUInt32 = ScalarType::UInt32, kUInt64 = ScalarType::UInt64;

// 16-bit floats on the host. Their arithmetic is that of float.
struct Half {
  unsigned short x;
  Half() = default;
  __host__ __device__ Half(float);
  __host__ __device__ Half(const __half&);
  __host__ __device__ operator float() const;
  __device__ operator __half() const;
};
struct BFloat16 {
  unsigned short x;
  BFloat16() = default;
  __host__ __device__ BFloat16(float);
  __host__ __device__ BFloat16(const __nv_bfloat16&);
  __host__ __device__ operator float() const;
  __device__ explicit operator __nv_bfloat16() const;
};
#define TRL_ARITHMETIC(T)                                  \
  __host__ __device__ T operator+(const T&, const T&);     \
  __host__ __device__ T operator-(const T&, const T&);     \
  __host__ __device__ T operator*(const T&, const T&);     \
  __host__ __device__ T operator/(const T&, const T&);     \
  __host__ __device__ T operator-(const T&);               \
  __host__ __device__ T& operator+=(T&, const T&);         \
  __host__ __device__ T& operator-=(T&, const T&);         \
  __host__ __device__ T& operator*=(T&, const T&);         \
  __host__ __device__ T& operator/=(T&, const T&);         \
  __host__ __device__ float operator+(T, float);           \
  __host__ __device__ float operator-(T, float);           \
  __host__ __device__ float operator*(T, float);           \
  __host__ __device__ float operator/(T, float);           \
  __host__ __device__ float operator+(float, T);           \
  __host__ __device__ float operator-(float, T);           \
  __host__ __device__ float operator*(float, T);           \
  __host__ __device__ float operator/(float, T);           \
  __host__ __device__ float& operator+=(float&, const T&); \
  __host__ __device__ float& operator-=(float&, const T&); \
  __host__ __device__ float& operator*=(float&, const T&); \
  __host__ __device__ T operator+(T, int);                 \
  __host__ __device__ T operator-(T, int);                 \
  __host__ __device__ T operator*(T, int);                 \
  __host__ __device__ T operator/(T, int);                 \
  __host__ __device__ T operator+(int, T);                 \
  __host__ __device__ T operator-(int, T);                 \
  __host__ __device__ T operator*(int, T);                 \
  __host__ __device__ T operator/(int, T);                 \
  __host__ __device__ double operator*(T, double);         \
  __host__ __device__ double operator+(T, double);         \
  __host__ __device__ double operator-(T, double);         \
  __host__ __device__ double operator/(T, double);
TRL_ARITHMETIC(Half)
TRL_ARITHMETIC(BFloat16)
#undef TRL_ARITHMETIC
// Half values compare with any number as floats do.
#define TRL_COMPARE(T, op)                                              \
  __host__ __device__ inline bool operator op(const T& a, const T& b) { \
    return static_cast<float>(a) op static_cast<float>(b);              \
  }                                                                     \
  template <class N, class = std::enable_if_t<__is_arithmetic(N)>>      \
  __host__ __device__ inline bool operator op(const T& a, N b) {        \
    return static_cast<float>(a) op b;                                  \
  }                                                                     \
  template <class N, class = std::enable_if_t<__is_arithmetic(N)>>      \
  __host__ __device__ inline bool operator op(N a, const T& b) {        \
    return a op static_cast<float>(b);                                  \
  }
#define TRL_COMPARISONS(T) \
  TRL_COMPARE(T, <)        \
  TRL_COMPARE(T, <=)       \
  TRL_COMPARE(T, >)        \
  TRL_COMPARE(T, >=)       \
  TRL_COMPARE(T, ==)       \
  TRL_COMPARE(T, !=)
TRL_COMPARISONS(Half)
TRL_COMPARISONS(BFloat16)
#undef TRL_COMPARISONS
#undef TRL_COMPARE

template <class T>
inline constexpr ScalarType type_of = ScalarType::Undefined;
template <>
inline constexpr ScalarType type_of<unsigned char> = kByte;
template <>
inline constexpr ScalarType type_of<signed char> = kChar;
template <>
inline constexpr ScalarType type_of<short> = kShort;
template <>
inline constexpr ScalarType type_of<int> = kInt;
template <>
inline constexpr ScalarType type_of<long> = kLong;
template <>
inline constexpr ScalarType type_of<long long> = kLong;
template <>
inline constexpr ScalarType type_of<Half> = kHalf;
template <>
inline constexpr ScalarType type_of<float> = kFloat;
template <>
inline constexpr ScalarType type_of<double> = kDouble;
template <>
inline constexpr ScalarType type_of<bool> = kBool;
template <>
inline constexpr ScalarType type_of<BFloat16> = kBFloat16;
template <class T>
struct CppTypeToScalarType : std::integral_constant<ScalarType, type_of<T>> {};

inline const char* toString(ScalarType) { return ""; }
constexpr bool isFloatingType(ScalarType t) {
  return t == kHalf || t == kFloat || t == kDouble || t == kBFloat16;
}
constexpr bool isIntegralType(ScalarType t, bool with_bool = false) {
  return t <= kLong || (with_bool && t == kBool);
}
constexpr size_t elementSize(ScalarType t) {
  switch (t) {
    case kByte:
    case kChar:
    case kBool:
    case kFloat8_e5m2:
    case kFloat8_e4m3fn:
      return 1;
    case kUInt16:
    case kShort:
    case kHalf:
    case kBFloat16:
      return 2;
    case kInt:
    case kUInt32:
    case kFloat:
      return 4;
    default:
      return 8;
  }
}
}  // namespace c10

namespace std {
#define TRL_LIMITS(T, most, least, step)                                       \
  template <>                                                                  \
  struct numeric_limits<T> {                                                   \
    __host__ __device__ static T max() { return T(most); }                     \
    __host__ __device__ static T lowest() { return T(-(most)); }               \
    __host__ __device__ static T min() { return T(least); }                    \
    __host__ __device__ static T epsilon() { return T(step); }                 \
    __host__ __device__ static T infinity() { return T(__builtin_inff()); }    \
    __host__ __device__ static T quiet_NaN() { return T(__builtin_nanf("")); } \
  };
TRL_LIMITS(c10::Half, 65504.0f, 0x1p-14f, 0x1p-10f)
TRL_LIMITS(c10::BFloat16, 0x1.fep127f, 0x1p-126f, 0x1p-7f)
#undef TRL_LIMITS
}  // namespace std

namespace caffe2 {
struct TypeMeta {
  c10::ScalarType type;
  constexpr TypeMeta(c10::ScalarType type) : type(type) {}
  constexpr operator c10::ScalarType() const { return type; }
  constexpr c10::ScalarType toScalarType() const { return type; }
  constexpr size_t itemsize() const { return c10::elementSize(type); }
  const char* name() const { return ""; }
};
constexpr bool operator==(TypeMeta a, TypeMeta b) { return a.type == b.type; }
constexpr bool operator!=(TypeMeta a, TypeMeta b) { return a.type != b.type; }
constexpr bool operator==(TypeMeta a, c10::ScalarType b) { return a.type == b; }
constexpr bool operator!=(TypeMeta a, c10::ScalarType b) { return a.type != b; }
}  // namespace caffe2

namespace c10 {

enum class DeviceType : signed char { CPU, CUDA };
inline constexpr DeviceType kCPU = DeviceType::CPU, kCUDA = DeviceType::CUDA;
using DeviceIndex = signed char;
struct Device {
  DeviceType kind;
  DeviceIndex number;
  constexpr Device(DeviceType kind, DeviceIndex number = -1) : kind(kind), number(number) {}
  Device(const char* text);
  constexpr DeviceType type() const { return kind; }
  constexpr DeviceIndex index() const { return number; }
  constexpr bool is_cuda() const { return kind == kCUDA; }
  constexpr bool is_cpu() const { return kind == kCPU; }
};
constexpr bool operator==(Device a, Device b) { return a.kind == b.kind && a.number == b.number; }
constexpr bool operator!=(Device a, Device b) { return !(a == b); }

enum class MemoryFormat : signed char { Contiguous, Preserve, ChannelsLast, ChannelsLast3d };
enum class Layout : signed char { Strided };
inline constexpr Layout kStrided = Layout::Strided;

template <class T>
class ArrayRef {
  const T* items_ = nullptr;
  size_t size_ = 0;

 public:
  constexpr ArrayRef() = default;
  constexpr ArrayRef(const T* items, size_t size) : items_(items), size_(size) {}
  ArrayRef(const std::vector<T>& all) : items_(all.data()), size_(all.size()) {}
  constexpr ArrayRef(const std::initializer_list<T>& all) : items_(all.begin()), size_(all.size()) {}
  template <size_t N>
  constexpr ArrayRef(const std::array<T, N>& all) : items_(all.data()), size_(N) {}
  ArrayRef(const T& one) : items_(&one), size_(1) {}
  constexpr size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr const T* data() const { return items_; }
  constexpr const T* begin() const { return items_; }
  constexpr const T* end() const { return items_ + size_; }
  constexpr const T& operator[](size_t i) const { return items_[i]; }
  constexpr const T& front() const { return items_[0]; }
  constexpr const T& back() const { return items_[size_ - 1]; }
  ArrayRef slice(size_t from, size_t count) const { return {items_ + from, count}; }
  std::vector<T> vec() const { return std::vector<T>(begin(), end()); }
  bool equals(ArrayRef other) const { return *this == other; }
  friend bool operator==(ArrayRef a, ArrayRef b) {
    if (a.size_ != b.size_) return false;
    for (size_t i = 0; i < a.size_; ++i)
      if (a.items_[i] != b.items_[i]) return false;
    return true;
  }
  friend bool operator!=(ArrayRef a, ArrayRef b) { return !(a == b); }
};
/// The axis that a number means, negative ones from the end. A number is an axis of a scalar if it is -1 or
/// 0.
inline int64_t maybe_wrap_dim(int64_t axis, int64_t rank, bool = true) {
  const int64_t axes = rank > 0 ? rank : 1;
  if (axis < -axes || axis >= axes) throw std::runtime_error("Dimension out of range");
  return axis < 0 ? axis + axes : axis;
}
using IntArrayRef = ArrayRef<int64_t>;
using std::optional;
inline constexpr std::nullopt_t nullopt = std::nullopt;

class Scalar {
  double value_;

 public:
  template <class T, class = std::enable_if_t<__is_arithmetic(T)>>
  Scalar(T value) : value_(value) {}
  template <class T>
  T to() const {
    return static_cast<T>(value_);
  }
  double toDouble() const { return value_; }
  float toFloat() const { return value_; }
};

/// An argument of any type, a list of numbers in braces among them.
struct Anything {
  Anything() = default;
  template <class T>
  Anything(const T&) {}
  Anything(std::initializer_list<int64_t>) {}
};

class TensorOptions {
 public:
  // An option that isn't given is taken from another tensor, or is the default.
  ScalarType type_ = ScalarType::Undefined;
  Device device_ = Device(kCPU, -2);

  constexpr TensorOptions() = default;
  constexpr TensorOptions(ScalarType type) : type_(type) {}
  constexpr TensorOptions(caffe2::TypeMeta type) : type_(type) {}
  constexpr TensorOptions(Device device) : device_(device) {}
  constexpr TensorOptions(DeviceType device) : device_(device) {}
  constexpr TensorOptions dtype(ScalarType type) const {
    TensorOptions changed = *this;
    changed.type_ = type;
    return changed;
  }
  constexpr TensorOptions dtype(caffe2::TypeMeta type) const { return dtype(type.type); }
  template <class T>
  constexpr TensorOptions dtype() const {
    return dtype(type_of<T>);
  }
  constexpr TensorOptions device(Device device) const {
    TensorOptions changed = *this;
    changed.device_ = device;
    return changed;
  }
  constexpr TensorOptions device(DeviceType kind, DeviceIndex number) const {
    return device(Device(kind, number));
  }
  constexpr TensorOptions layout(Layout) const { return *this; }
  constexpr TensorOptions requires_grad(bool) const { return *this; }
  constexpr TensorOptions memory_format(MemoryFormat) const { return *this; }
  constexpr TensorOptions pinned_memory(bool) const { return *this; }
  constexpr caffe2::TypeMeta dtype() const { return type_ == ScalarType::Undefined ? kFloat : type_; }
  constexpr Device device() const { return device_.number == -2 ? Device(kCPU) : device_; }
};

struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};
[[noreturn]] void refuse(const char* file, int line);

}  // namespace c10

namespace at {

using namespace c10;
template <size_t N, class Index>
struct AccessorSizes {
  Index sizes_[N], strides_[N];
  __host__ __device__ Index size(int i) const { return sizes_[i]; }
  __host__ __device__ Index stride(int i) const { return strides_[i]; }
};
template <class T>
struct DefaultPtrTraits {
  using PtrType = T*;
};
template <class T>
struct RestrictPtrTraits {
  using PtrType = T* __restrict__;
};
template <class T, size_t N, template <class> class Traits, class Index>
struct TensorAccessor {
  T* data_;
  const Index* sizes_;
  const Index* strides_;
  __host__ __device__ auto operator[](Index i) const {
    return TensorAccessor<T, N - 1, Traits, Index>{data_ + i * strides_[0], sizes_ + 1, strides_ + 1};
  }
  __host__ __device__ Index size(int i) const { return sizes_[i]; }
  __host__ __device__ Index stride(int i) const { return strides_[i]; }
  __host__ __device__ T* data() const { return data_; }
};
template <class T, template <class> class Traits, class Index>
struct TensorAccessor<T, 1, Traits, Index> {
  T* data_;
  const Index* sizes_;
  const Index* strides_;
  __host__ __device__ T& operator[](Index i) const { return data_[i * strides_[0]]; }
  __host__ __device__ Index size(int i) const { return sizes_[i]; }
  __host__ __device__ Index stride(int i) const { return strides_[i]; }
  __host__ __device__ T* data() const { return data_; }
};
template <class T, size_t N, template <class> class Traits = DefaultPtrTraits, class Index = int64_t>
struct GenericPackedTensorAccessor {
  T* data_;
  AccessorSizes<N, Index> shape_;
  __host__ __device__ decltype(auto) operator[](Index i) const {
    return TensorAccessor<T, N, Traits, Index>{data_, shape_.sizes_, shape_.strides_}[i];
  }
  __host__ __device__ Index size(int i) const { return shape_.size(i); }
  __host__ __device__ Index stride(int i) const { return shape_.stride(i); }
  __host__ __device__ T* data() const { return data_; }
};
template <class T, size_t N, template <class> class Traits = DefaultPtrTraits>
using PackedTensorAccessor32 = GenericPackedTensorAccessor<T, N, Traits, int32_t>;
template <class T, size_t N, template <class> class Traits = DefaultPtrTraits>
using PackedTensorAccessor64 = GenericPackedTensorAccessor<T, N, Traits, int64_t>;

struct TensorState;
class Tensor {
  TensorState* state_ = nullptr;  // owned by the recorder until it ends
  friend struct TensorState;

 public:
  Tensor() = default;
  bool defined() const { return state_ != nullptr; }

  IntArrayRef sizes() const;
  IntArrayRef strides() const;
  int64_t size(int64_t axis) const;
  int64_t stride(int64_t axis) const;
  int64_t dim() const;
  int64_t ndimension() const { return dim(); }
  int64_t numel() const;
  size_t nbytes() const;
  size_t itemsize() const;
  int64_t element_size() const;
  int64_t storage_offset() const;
  caffe2::TypeMeta dtype() const;
  ScalarType scalar_type() const;
  caffe2::TypeMeta type() const;
  Device device() const;
  DeviceIndex get_device() const;
  Layout layout() const;
  TensorOptions options() const;
  bool is_contiguous(MemoryFormat = MemoryFormat::Contiguous) const;
  bool is_cuda() const;
  bool is_cpu() const;
  bool is_floating_point() const;
  bool requires_grad() const;
  bool is_same(const Tensor&) const;

  void* data_ptr() const;
  const void* const_data_ptr() const;
  void* mutable_data_ptr() const;
  /// Throws where `type` isn't the tensor's type.
  void* typed_data_ptr(ScalarType type) const;
  template <class T>
  T* data_ptr() const {
    return static_cast<T*>(typed_data_ptr(type_of<T>));
  }
  template <class T>
  const T* const_data_ptr() const {
    return static_cast<const T*>(typed_data_ptr(type_of<T>));
  }
  template <class T>
  T* mutable_data_ptr() const {
    return static_cast<T*>(typed_data_ptr(type_of<T>));
  }
  template <class T>
  [[deprecated]] T* data() const {
    return data_ptr<T>();
  }
  template <class T, size_t N, template <class> class Traits = DefaultPtrTraits>
  PackedTensorAccessor32<T, N, Traits> packed_accessor32() const;
  template <class T, size_t N, template <class> class Traits = DefaultPtrTraits>
  PackedTensorAccessor64<T, N, Traits> packed_accessor64() const;

  // Views and copies are recorded.
  Tensor contiguous(MemoryFormat = MemoryFormat::Contiguous) const;
  Tensor clone() const;
  Tensor detach() const;
  Tensor data() const;
  Tensor variable_data() const;
  Tensor view(IntArrayRef shape) const;
  Tensor view(ScalarType) const;
  Tensor view_as(const Tensor&) const;
  Tensor reshape(IntArrayRef shape) const;
  Tensor reshape_as(const Tensor&) const;
  Tensor flatten(int64_t first = 0, int64_t last = -1) const;
  Tensor unflatten(int64_t axis, IntArrayRef shape) const;
  Tensor permute(IntArrayRef axes) const;
  Tensor transpose(int64_t a, int64_t b) const;
  Tensor t() const;
  Tensor mT() const;
  Tensor squeeze() const;
  Tensor squeeze(int64_t axis) const;
  Tensor unsqueeze(int64_t axis) const;
  Tensor expand(IntArrayRef shape) const;
  Tensor expand_as(const Tensor&) const;
  Tensor narrow(int64_t axis, int64_t first, int64_t count) const;
  Tensor select(int64_t axis, int64_t at) const;
  Tensor slice(int64_t axis, int64_t first, int64_t last, int64_t step = 1) const;
  Tensor operator[](int64_t at) const;
  Tensor as_strided(IntArrayRef shape, IntArrayRef strides) const;
  Tensor to(ScalarType, bool non_blocking = false, bool copy = false) const;
  Tensor to(caffe2::TypeMeta) const;
  Tensor to(Device) const;
  Tensor to(DeviceType) const;
  Tensor to(Device, ScalarType) const;
  Tensor to(const TensorOptions&) const;
  Tensor toType(ScalarType) const;
  Tensor type_as(const Tensor&) const;
  Tensor cuda() const;
  Tensor& copy_(const Tensor&, bool non_blocking = false) const;
  Tensor& fill_(const Scalar&) const;
  Tensor& zero_() const;
  Tensor new_empty(IntArrayRef shape) const;
  Tensor new_zeros(IntArrayRef shape) const;
  Tensor& requires_grad_(bool = true) const;

  // Functions that need data, or that leave the device.
  TRL_READS_DATA Scalar item() const;
  template <class T>
  TRL_READS_DATA T item() const;
  TRL_READS_DATA Tensor cpu() const;
  TRL_READS_DATA Tensor nonzero() const;
  template <class T, size_t N>
  TRL_READS_DATA TensorAccessor<T, N, DefaultPtrTraits, int64_t> accessor() const;
  TRL_READS_DATA bool equal(const Tensor&) const;

  // Methods that compute are declared so that they can be refused by name. An argument list in braces has no
  // type that could be deduced.
#define TRL_METHOD(f)                       \
  template <class... A>                     \
  TRL_COMPUTES Tensor f(const A&...) const; \
  TRL_COMPUTES Tensor f(Anything, Anything = {}, Anything = {}, Anything = {}, Anything = {}) const;
#include <trl/tensor_methods.def>
#undef TRL_METHOD
  // With an axis, these give values and places.
#define TRL_METHOD(f)                                                            \
  template <class Axis, class = std::enable_if_t<std::is_integral<Axis>::value>> \
  TRL_COMPUTES std::tuple<Tensor, Tensor> f(Axis axis, bool keep = false) const;
  TRL_METHOD(max)
  TRL_METHOD(min)
  TRL_METHOD(median)
#undef TRL_METHOD
};

#define TRL_OPERATOR(op)                                         \
  TRL_COMPUTES Tensor operator op(const Tensor&, const Tensor&); \
  TRL_COMPUTES Tensor operator op(const Tensor&, const Scalar&); \
  TRL_COMPUTES Tensor operator op(const Scalar&, const Tensor&);
TRL_OPERATOR(+)
TRL_OPERATOR(-)
TRL_OPERATOR(*)
TRL_OPERATOR(/)
TRL_OPERATOR(%)
TRL_OPERATOR(<)
TRL_OPERATOR(<=)
TRL_OPERATOR(>)
TRL_OPERATOR(>=)
TRL_OPERATOR(==)
TRL_OPERATOR(!=)
#undef TRL_OPERATOR
TRL_COMPUTES Tensor& operator+=(const Tensor&, const Tensor&);
TRL_COMPUTES Tensor& operator-=(const Tensor&, const Tensor&);
TRL_COMPUTES Tensor& operator*=(const Tensor&, const Tensor&);
TRL_COMPUTES Tensor& operator/=(const Tensor&, const Tensor&);
TRL_COMPUTES Tensor& operator+=(const Tensor&, const Scalar&);
TRL_COMPUTES Tensor& operator*=(const Tensor&, const Scalar&);
TRL_COMPUTES Tensor operator-(const Tensor&);

Tensor empty(IntArrayRef shape, const TensorOptions& = {});
Tensor empty(IntArrayRef shape, const TensorOptions&, MemoryFormat);
Tensor empty_like(const Tensor&);
Tensor empty_like(const Tensor&, const TensorOptions&);
Tensor empty_like(const Tensor&, MemoryFormat);
Tensor empty_strided(IntArrayRef shape, IntArrayRef strides, const TensorOptions& = {});
Tensor zeros(IntArrayRef shape, const TensorOptions& = {});
Tensor zeros_like(const Tensor&);
Tensor zeros_like(const Tensor&, const TensorOptions&);
Tensor ones(IntArrayRef shape, const TensorOptions& = {});
Tensor ones_like(const Tensor&);
Tensor full(IntArrayRef shape, const Scalar&, const TensorOptions& = {});
Tensor full_like(const Tensor&, const Scalar&);
Tensor cat(const std::vector<Tensor>&, int64_t axis = 0);
Tensor stack(const std::vector<Tensor>&, int64_t axis = 0);
inline Tensor flatten(const Tensor& x, int64_t first = 0, int64_t last = -1) {
  return x.flatten(first, last);
}
inline Tensor narrow(const Tensor& x, int64_t axis, int64_t first, int64_t count) {
  return x.narrow(axis, first, count);
}
inline Tensor permute(const Tensor& x, IntArrayRef axes) { return x.permute(axes); }
inline Tensor reshape(const Tensor& x, IntArrayRef shape) { return x.reshape(shape); }
inline Tensor select(const Tensor& x, int64_t axis, int64_t at) { return x.select(axis, at); }
inline Tensor squeeze(const Tensor& x) { return x.squeeze(); }
inline Tensor squeeze(const Tensor& x, int64_t axis) { return x.squeeze(axis); }
inline Tensor transpose(const Tensor& x, int64_t a, int64_t b) { return x.transpose(a, b); }
inline Tensor unsqueeze(const Tensor& x, int64_t axis) { return x.unsqueeze(axis); }
constexpr TensorOptions dtype(ScalarType type) { return TensorOptions(type); }
constexpr TensorOptions dtype(caffe2::TypeMeta type) { return TensorOptions(type); }
constexpr TensorOptions device(Device device) { return TensorOptions(device); }
constexpr TensorOptions device(DeviceType device) { return TensorOptions(device); }
using TensorList = ArrayRef<Tensor>;

#define TRL_FUNCTION(f)                                                                                      \
  template <class... A>                                                                                      \
  TRL_COMPUTES Tensor f(const A&...);                                                                        \
  TRL_COMPUTES Tensor f(const Tensor&, Anything, Anything = {}, Anything = {}, Anything = {}, Anything = {}, \
                        Anything = {}, Anything = {}, Anything = {});
#include <trl/tensor_functions.def>
#undef TRL_FUNCTION
#define TRL_FUNCTION(f)                                                          \
  template <class Axis, class = std::enable_if_t<std::is_integral<Axis>::value>> \
  TRL_COMPUTES std::tuple<Tensor, Tensor> f(const Tensor&, Axis axis, bool keep = false);
TRL_FUNCTION(max)
TRL_FUNCTION(min)
TRL_FUNCTION(median)
#undef TRL_FUNCTION

namespace cuda {
struct CUDAStream {
  cudaStream_t stream_ = nullptr;
  operator cudaStream_t() const { return stream_; }
  cudaStream_t stream() const { return stream_; }
  DeviceIndex device_index() const { return 0; }
};
inline CUDAStream getCurrentCUDAStream(DeviceIndex = -1) { return {}; }
inline CUDAStream getDefaultCUDAStream(DeviceIndex = -1) { return {}; }
TRL_ANNOTATED("other_stream") CUDAStream getStreamFromPool(bool = false, DeviceIndex = -1);
TRL_ANNOTATED("other_stream") CUDAStream getStreamFromExternal(cudaStream_t, DeviceIndex);
TRL_ANNOTATED("other_stream") void setCurrentCUDAStream(CUDAStream);
struct CUDAGuard {
  explicit CUDAGuard(Device) {}
  explicit CUDAGuard(DeviceIndex) {}
};
struct OptionalCUDAGuard {
  explicit OptionalCUDAGuard(std::optional<Device> = std::nullopt) {}
};
struct TRL_ANNOTATED("other_stream") CUDAStreamGuard {
  explicit CUDAStreamGuard(CUDAStream) {}
};
cudaDeviceProp* getCurrentDeviceProperties();
inline DeviceIndex current_device() { return 0; }
}  // namespace cuda

}  // namespace at

namespace c10 {
namespace cuda = at::cuda;
inline Device device_of(const at::Tensor& x) { return x.device(); }
}  // namespace c10
namespace at {
using c10::device_of;
template <class T>
constexpr T ceil_div(T a, T b) {
  return (a + b - 1) / b;
}
template <class T>
struct OpMathType {
  using type = float;
};
template <>
struct OpMathType<double> {
  using type = double;
};
template <class T>
using opmath_type = typename OpMathType<T>::type;
template <class T, bool cuda>
using acc_type = typename OpMathType<T>::type;
}  // namespace at

namespace torch {
using namespace at;
using at::Tensor;
namespace indexing {}
struct NoGradGuard {
  NoGradGuard() {}
};
template <class T>
using PackedPtrTraits = at::RestrictPtrTraits<T>;

class Library {
 public:
  template <class... A>
  Library& def(const char*, A&&...) {
    return *this;
  }
  template <class... A>
  Library& impl(const char*, A&&...) {
    return *this;
  }
};
}  // namespace torch
namespace torch::linalg {
template <class... A>
TRL_COMPUTES Tensor vector_norm(const A&...);
}  // namespace torch::linalg
namespace torch::nn::functional {
#define TRL_FUNCTION(f) \
  template <class... A> \
  TRL_COMPUTES Tensor f(const A&...);
#include <trl/tensor_functions.def>
#undef TRL_FUNCTION
}  // namespace torch::nn::functional

#define TORCH_EXTENSION_NAME extension
#define PYBIND11_MODULE(name, variable) \
  [[maybe_unused]] static void trl_bind_module([[maybe_unused]] pybind11::module_& variable)
#define TORCH_LIBRARY(name, variable) \
  [[maybe_unused]] static void trl_bind_library_##name([[maybe_unused]] torch::Library& variable)
#define TORCH_LIBRARY_IMPL(name, key, variable) \
  [[maybe_unused]] static void trl_bind_##name##_##key([[maybe_unused]] torch::Library& variable)
#define TORCH_FN(f) f

template <class... A>
constexpr void trl_unused(const A&...) {}
#define TORCH_CHECK(condition, ...)                                       \
  do {                                                                    \
    if (!(condition)) {                                                   \
      trl_unused(__VA_ARGS__);                                            \
      ::c10::refuse(__LINE__, #condition, ::c10::trl_first(__VA_ARGS__)); \
    }                                                                     \
  } while (0)
#define TORCH_CHECK_EQ(a, b) TORCH_CHECK((a) == (b))
#define TORCH_CHECK_LE(a, b) TORCH_CHECK((a) <= (b))
#define TORCH_CHECK_LT(a, b) TORCH_CHECK((a) < (b))
#define TORCH_CHECK_GE(a, b) TORCH_CHECK((a) >= (b))
#define TORCH_CHECK_GT(a, b) TORCH_CHECK((a) > (b))
#define TORCH_CHECK_NE(a, b) TORCH_CHECK((a) != (b))
#define TORCH_CHECK_VALUE TORCH_CHECK
#define TORCH_CHECK_TYPE TORCH_CHECK
#define TORCH_CHECK_NOT_IMPLEMENTED TORCH_CHECK
#define TORCH_INTERNAL_ASSERT TORCH_CHECK
#define AT_ASSERTM TORCH_CHECK
#define AT_ASSERT TORCH_CHECK
#define AT_ERROR(...) TORCH_CHECK(false, __VA_ARGS__)
#define TORCH_WARN(...) trl_unused(__VA_ARGS__)
#define TORCH_WARN_ONCE(...) trl_unused(__VA_ARGS__)
#define C10_CUDA_CHECK(call) TORCH_CHECK((call) == cudaSuccess)
#define AT_CUDA_CHECK C10_CUDA_CHECK
#define C10_CUDA_KERNEL_LAUNCH_CHECK() C10_CUDA_CHECK(cudaGetLastError())
#define C10_HOST_DEVICE __host__ __device__
#define C10_DEVICE __device__
#define C10_WARP_SIZE 32
#define WARP_SHFL(v, lane) __shfl_sync(0xffffffff, v, lane)
#define WARP_SHFL_DOWN(v, delta) __shfl_down_sync(0xffffffff, v, delta)
#define WARP_SHFL_XOR(v, lanes) __shfl_xor_sync(0xffffffff, v, lanes)
#define C10_LIKELY(x) (x)
#define C10_UNLIKELY(x) (x)
#define C10_LAUNCH_BOUNDS_1 __launch_bounds__
#define CUDA_KERNEL_LOOP(i, n) \
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += blockDim.x * gridDim.x)

// AT_DISPATCH instantiates the same code for each type, of which one runs.
#define TRL_CASE(T, ...)                 \
  if (trl_type == ::c10::type_of<T>) {   \
    using scalar_t [[maybe_unused]] = T; \
    return __VA_ARGS__();                \
  }
#define TRL_DISPATCH(type, name, cases)      \
  [&] {                                      \
    const ::c10::ScalarType trl_type = type; \
    cases ::c10::refuse(__FILE__, __LINE__); \
  }()
#define TRL_FLOATS(...) TRL_CASE(float, __VA_ARGS__) TRL_CASE(double, __VA_ARGS__)
#define TRL_INTEGERS(...)              \
  TRL_CASE(unsigned char, __VA_ARGS__) \
  TRL_CASE(signed char, __VA_ARGS__)   \
  TRL_CASE(short, __VA_ARGS__) TRL_CASE(int, __VA_ARGS__) TRL_CASE(long, __VA_ARGS__)
#define TRL_NAMED(TYPE, ...)                                \
  if (trl_type == TYPE) {                                   \
    using scalar_t [[maybe_unused]] = ::c10::CppType<TYPE>; \
    return __VA_ARGS__();                                   \
  }
namespace c10 {
template <ScalarType>
struct CppTypeOf;
#define TRL_TYPE(T)              \
  template <>                    \
  struct CppTypeOf<type_of<T>> { \
    using type = T;              \
  };
TRL_TYPE(unsigned char)
TRL_TYPE(signed char)
TRL_TYPE(short)
TRL_TYPE(int)
TRL_TYPE(long)
TRL_TYPE(Half)
TRL_TYPE(float)
TRL_TYPE(double)
TRL_TYPE(bool)
TRL_TYPE(BFloat16)
#undef TRL_TYPE
template <ScalarType type>
using CppType = typename CppTypeOf<type>::type;
}  // namespace c10
#define AT_DISPATCH_FLOATING_TYPES(type, name, ...) TRL_DISPATCH(type, name, TRL_FLOATS(__VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND_HALF(type, name, ...) \
  TRL_DISPATCH(type, name, TRL_FLOATS(__VA_ARGS__) TRL_CASE(::c10::Half, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND(TYPE, type, name, ...) \
  TRL_DISPATCH(type, name, TRL_FLOATS(__VA_ARGS__) TRL_NAMED(TYPE, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND2(A, B, type, name, ...) \
  TRL_DISPATCH(type, name, TRL_FLOATS(__VA_ARGS__) TRL_NAMED(A, __VA_ARGS__) TRL_NAMED(B, __VA_ARGS__))
#define AT_DISPATCH_REDUCED_FLOATING_TYPES(type, name, ...) \
  TRL_DISPATCH(type, name, TRL_CASE(::c10::Half, __VA_ARGS__) TRL_CASE(::c10::BFloat16, __VA_ARGS__))
#define AT_DISPATCH_INTEGRAL_TYPES(type, name, ...) TRL_DISPATCH(type, name, TRL_INTEGERS(__VA_ARGS__))
#define AT_DISPATCH_INDEX_TYPES(type, name, ...) \
  [&] {                                          \
    const ::c10::ScalarType trl_type = type;     \
    if (trl_type == ::c10::kInt) {               \
      using index_t = int;                       \
      return __VA_ARGS__();                      \
    }                                            \
    using index_t = long;                        \
    return __VA_ARGS__();                        \
  }()
#define AT_DISPATCH_ALL_TYPES(type, name, ...) \
  TRL_DISPATCH(type, name, TRL_INTEGERS(__VA_ARGS__) TRL_FLOATS(__VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND(TYPE, type, name, ...) \
  TRL_DISPATCH(type, name, TRL_INTEGERS(__VA_ARGS__) TRL_FLOATS(__VA_ARGS__) TRL_NAMED(TYPE, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND2(A, B, type, name, ...)                                  \
  TRL_DISPATCH(type, name,                                                                 \
               TRL_INTEGERS(__VA_ARGS__) TRL_FLOATS(__VA_ARGS__) TRL_NAMED(A, __VA_ARGS__) \
                   TRL_NAMED(B, __VA_ARGS__))
#define AT_DISPATCH_SWITCH(type, name, ...)        \
  [&] {                                            \
    const ::c10::ScalarType trl_type = type;       \
    __VA_ARGS__ ::c10::refuse(__FILE__, __LINE__); \
  }()
#define AT_DISPATCH_CASE(TYPE, ...) TRL_NAMED(TYPE, __VA_ARGS__)
#define AT_DISPATCH_CASE_FLOATING_TYPES(...) TRL_FLOATS(__VA_ARGS__)
