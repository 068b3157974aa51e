// Writes messages of Protocol Buffers, with the few types that event files need
// (https://protobuf.dev/programming-guides/encoding).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace trl::interpreter {

/// A message that is built field by field. Each function appends the field with this number.
class ProtobufMessage {
 public:
  ProtobufMessage& integer(int field, std::int64_t value);
  ProtobufMessage& number(int field, double value);       ///< appends a field of type double
  ProtobufMessage& short_number(int field, float value);  ///< appends a field of type float
  /// Appends a field of type string, bytes or message.
  ProtobufMessage& text(int field, std::string_view value);
  ProtobufMessage& message(int field, const ProtobufMessage& value) { return text(field, value.bytes_); }
  const std::string& bytes() const { return bytes_; }

 private:
  void varint(std::uint64_t value);
  std::string bytes_;
};

/// The lowest `bytes` bytes of an integer, the least significant first.
std::string little_endian(std::uint64_t value, int bytes);

}  // namespace trl::interpreter
