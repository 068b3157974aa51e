#include "interpreter/export/protobuf.hpp"

#include <bit>

namespace trl::interpreter {
namespace {

// Wire types.
constexpr int of_varint = 0, of_64_bits = 1, of_length = 2, of_32_bits = 5;

std::uint64_t tag(int field, int type) {
  return static_cast<std::uint64_t>(field) << 3 | static_cast<unsigned>(type);
}

}  // namespace

void ProtobufMessage::varint(std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
  bytes_ += static_cast<char>(value);
}

ProtobufMessage& ProtobufMessage::integer(int field, std::int64_t value) {
  varint(tag(field, of_varint));
  varint(static_cast<std::uint64_t>(value));
  return *this;
}

ProtobufMessage& ProtobufMessage::number(int field, double value) {
  varint(tag(field, of_64_bits));
  bytes_ += little_endian(std::bit_cast<std::uint64_t>(value), 8);
  return *this;
}

ProtobufMessage& ProtobufMessage::short_number(int field, float value) {
  varint(tag(field, of_32_bits));
  bytes_ += little_endian(std::bit_cast<std::uint32_t>(value), 4);
  return *this;
}

ProtobufMessage& ProtobufMessage::text(int field, std::string_view value) {
  varint(tag(field, of_length));
  varint(value.size());
  bytes_ += value;
  return *this;
}

std::string little_endian(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> 8 * i & 0xff);
  return text;
}

}  // namespace trl::interpreter
