// Binds the launch's arguments to the kernel's parameters.
#include "verifier/executor/machine/machine.hpp"

#include <cstring>
#include <limits>

#include "verifier/executor/values/bytes.hpp"
#include "verifier/executor/values/half.hpp"

namespace trl::executor {

bool Machine::bind_arguments() {
  Frame& frame = *frames_[static_cast<std::size_t>(&kernel_ - program_.functions.data())];
  const auto reject = [this](std::size_t i, const std::string& why) {
    refuse(Kind::launch, kernel_.location,
           "argument " + std::to_string(i + 1) + " (" + kernel_.parameter_names[i] + ") " + why);
    return false;
  };
  if (launch_.args.size() != kernel_.parameters.size()) {
    refuse(Kind::launch, kernel_.location,
           "the kernel takes " + std::to_string(kernel_.parameters.size()) + " arguments, the launch gives " +
               std::to_string(launch_.args.size()));
    return false;
  }
  for (std::size_t i = 0; i < launch_.args.size(); ++i) {
    const Argument& argument = launch_.args[i];
    const Type& type = value(frame, kernel_.parameters[i]).type;
    const std::string wanted = to_string(type);
    if (type.tensor) return reject(i, "is a block, which a launch can't give");
    std::byte* const to = prepare(frame, kernel_.parameters[i], 1);
    if (type.scalar == Scalar::ptr) {
      const PointerArg* const pointer = std::get_if<PointerArg>(&argument);
      if (pointer == nullptr) return reject(i, "must be a pointer");
      if (pointer->buffer < 0 || pointer->buffer >= places_.size()) return reject(i, "points to no buffer");
      const std::uint64_t packed = address::pack(pointer->buffer, pointer->offset);
      std::memcpy(to, &packed, sizeof packed);
    } else if (is_integer(type.scalar)) {
      std::int64_t number = 0;
      if (const auto* flag = std::get_if<bool>(&argument)) {
        number = *flag ? 1 : 0;
      } else if (const auto* narrow = std::get_if<std::int32_t>(&argument)) {
        number = *narrow;
      } else if (const auto* wide = std::get_if<std::int64_t>(&argument)) {
        number = *wide;
      } else if (const auto* pointer = std::get_if<PointerArg>(&argument);
                 pointer != nullptr && type.scalar == Scalar::i64) {
        if (pointer->buffer < 0 || pointer->buffer >= places_.size()) return reject(i, "points to no buffer");
        number = static_cast<std::int64_t>(places_.number_of(pointer->buffer, pointer->offset));
      } else {
        return reject(i, "must be an integer (" + wanted + ")");
      }
      const int width = bits(type.scalar);
      if (width < 64 &&
          (number < -(std::int64_t{1} << (width - 1)) || number >= (std::int64_t{1} << width))) {
        return reject(i, "is " + std::to_string(number) + ", which doesn't fit " + wanted);
      }
      if (type.scalar == Scalar::i1) number &= 1;
      std::memcpy(to, &number, as_size(storage_bytes(type.scalar)));  // little endian
    } else {
      double number = 0;
      if (const auto* narrow = std::get_if<float>(&argument)) {
        number = *narrow;
      } else if (const auto* wide = std::get_if<double>(&argument)) {
        number = *wide;
      } else {
        return reject(i, "must be a real number (" + wanted + ")");
      }
      float single = static_cast<float>(number);
      if (type.scalar == Scalar::f16) single = half::round_f16(single);
      if (type.scalar == Scalar::bf16) single = half::round_bf16(single);
      if (type.scalar == Scalar::f64) {
        std::memcpy(to, &number, sizeof number);
      } else {
        std::memcpy(to, &single, sizeof single);
      }
    }
    if (!divides(kernel_.divisibility[i], kernel_.parameters[i])) {
      refuse(Kind::untrue_hint, kernel_.location,
             kernel_.parameter_names[i] + " is no multiple of " + std::to_string(kernel_.divisibility[i]) +
                 ", for which the kernel is compiled");
      return false;
    }
  }
  return true;
}

}  // namespace trl::executor
