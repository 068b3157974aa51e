#include "interpreter/export/tensorboard.hpp"

#include <boost/crc.hpp>
#include <set>

#include "interpreter/export/protobuf.hpp"

namespace trl::interpreter {
namespace {

/// Returns the CRC-32C, rotated and shifted as TFRecord requires, so that checksums of data that contains
/// checksums stay useful.
std::uint32_t masked_checksum(const std::string& bytes) {
  boost::crc_optimal<32, 0x1EDC6F41, 0xFFFFFFFF, 0xFFFFFFFF, true, true> crc;
  crc.process_bytes(bytes.data(), bytes.size());
  const auto value = static_cast<std::uint32_t>(crc.checksum());
  return (value >> 15 | value << 17) + 0xa282ead8u;
}

std::string record(const std::string& data) {
  const auto size = little_endian(data.size(), 8);
  return size + little_endian(masked_checksum(size), 4) + data + little_endian(masked_checksum(data), 4);
}

/// Returns the SummaryMetadata of a tag. TensorBoard shows its name, which is the measure's title and unit,
/// and its description, which is the measure's definition.
ProtobufMessage described(const contract::Measure& measure) {
  return ProtobufMessage()
      .message(1, ProtobufMessage().text(1, "scalars"))
      .text(2, measure.heading())
      .text(3, measure.definition());
}

}  // namespace

std::string tensorboard_events(const std::vector<Measured>& numbers) {
  const double begun = numbers.empty() ? 0 : numbers.front().time;
  std::string text = record(ProtobufMessage().number(1, begun).text(3, "brain.Event:2").bytes());
  std::set<std::string> named;
  for (const auto& one : numbers) {
    auto value = ProtobufMessage().text(1, one.series).short_number(2, static_cast<float>(one.value));
    // The first value of a tag describes it.
    if (named.insert(one.series).second && one.known) value.message(9, described(*one.known));
    text += record(ProtobufMessage()
                       .number(1, one.time)
                       .integer(2, one.total)
                       .message(5, ProtobufMessage().message(1, value))
                       .bytes());
  }
  return text;
}

}  // namespace trl::interpreter
