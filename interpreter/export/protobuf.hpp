// Writes messages of Protocol Buffers, as far as event files need them
// (https://protobuf.dev/programming-guides/encoding).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace trl::interpreter {

/// One message. A field is added with its number.
class ProtobufMessage {
 public:
  ProtobufMessage& integer(int field, std::int64_t value);
  ProtobufMessage& number(int field, double value);          ///< of type double
  ProtobufMessage& short_number(int field, float value);     ///< of type float
  ProtobufMessage& text(int field, std::string_view value);  ///< strings, bytes and messages
  ProtobufMessage& message(int field, const ProtobufMessage& value) { return text(field, value.bytes_); }
  const std::string& bytes() const { return bytes_; }

 private:
  void varint(std::uint64_t value);
  std::string bytes_;
};

/// The bytes of an integer, the lowest first.
std::string little_endian(std::uint64_t value, int bytes);

}  // namespace trl::interpreter
