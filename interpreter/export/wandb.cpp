#include "interpreter/export/wandb.hpp"

#include <algorithm>
#include <array>
#include <ctime>
#include <map>

#include <boost/crc.hpp>

#include "interpreter/export/protobuf.hpp"

namespace trl::interpreter {
namespace {
using nlohmann::json;

/// A log of LevelDB's form: blocks of 32 KiB with records, which are cut at the ends of blocks.
class Log {
 public:
  Log() : text_(":W&B") { text_ += little_endian(0xbee1, 2) + little_endian(0, 1); }

  void add(const ProtobufMessage& content, int field) {
    const auto all = ProtobufMessage().integer(1, ++records_).message(field, content).bytes();
    std::size_t at = 0;
    do {
      auto left = block - text_.size() % block;
      if (left < header) text_.append(std::exchange(left, block), '\0');
      const auto size = std::min(left - header, all.size() - at);
      const bool first = at == 0, last = at + size == all.size();
      put(first && last ? whole : first ? begin : last ? end : middle, all.substr(at, size));
      at += size;
    } while (at < all.size());
  }
  const std::string& text() const { return text_; }

 private:
  static constexpr std::size_t block = 32768, header = 7;
  static constexpr char whole = 1, begin = 2, middle = 3, end = 4;

  void put(char type, const std::string& part) {
    boost::crc_32_type crc;
    crc.process_byte(static_cast<unsigned char>(type));
    crc.process_bytes(part.data(), part.size());
    text_ += little_endian(crc.checksum(), 4) + little_endian(part.size(), 2) + type + part;
  }

  std::string text_;
  std::int64_t records_ = 0;
};

// The field numbers of `Record`, by the message that the field holds.
constexpr int history = 2, summary = 3, run_record = 17, exit_record = 18, header_record = 21;

ProtobufMessage item(const std::string& key, const json& value) {
  return ProtobufMessage().text(1, key).text(16, value.dump());
}

/// The titles and definitions of the numbers' measures, by series.
json series_json(const std::vector<Measured>& numbers) {
  json series = json::object();
  for (const auto& one : numbers)
    if (one.known) series[one.series] = one.known->heading() + ": " + one.known->definition();
  return series;
}

ProtobufMessage described(const WandbRun& run, const json& series, double begun) {
  ProtobufMessage config, message;
  if (!series.empty()) config.message(1, item("series", series));
  for (const auto& [key, value] : run.config.items()) config.message(1, item(key, value));
  message.text(1, run.id).text(3, run.project).message(4, config).text(6, run.group).text(8, run.name);
  for (const auto& tag : run.tags) message.text(10, tag);
  return message.message(17, ProtobufMessage().integer(1, static_cast<std::int64_t>(begun)));
}

double begin_of(const std::vector<Measured>& numbers) {
  double begun = numbers.empty() ? 0 : numbers.front().time;
  for (const auto& one : numbers) begun = std::min(begun, one.time);
  return begun;
}

}  // namespace

std::string wandb_log(const WandbRun& run, const std::vector<Measured>& numbers) {
  const double begun = begin_of(numbers);
  Log log;
  log.add(ProtobufMessage().message(1, ProtobufMessage().text(1, "0.31.0").text(2, "0.70.0")), header_record);
  log.add(described(run, series_json(numbers), begun), run_record);
  std::map<std::string, json> last;
  std::int64_t line = 0;
  // All numbers of one step of a stage are one line of W&B's history.
  for (std::size_t i = 0; i < numbers.size();) {
    ProtobufMessage message;
    const auto& first = numbers[i];
    const auto put = [&](const std::string& key, const json& value) {
      message.message(1, item(key, value));
      last[key] = value;
    };
    const auto place = first.series.substr(0, first.series.rfind('/'));
    put(place + "/step", first.total);
    for (; i < numbers.size() && numbers[i].stage == first.stage && numbers[i].step == first.step &&
           numbers[i].total == first.total;
         ++i)
      put(numbers[i].series, numbers[i].value);
    put("_step", line), put("_timestamp", first.time), put("_runtime", first.time - begun);
    log.add(message.message(2, ProtobufMessage().integer(1, line)), history);
    ++line;
  }
  ProtobufMessage ends;
  for (const auto& [key, value] : last) ends.message(1, item(key, value));
  log.add(ends, summary);
  log.add(ProtobufMessage().integer(1, 0), exit_record);
  return log.text();
}

std::string wandb_folder(const WandbRun& run, const std::vector<Measured>& numbers) {
  const auto begun = static_cast<std::time_t>(begin_of(numbers));
  std::tm utc{};
  ::gmtime_r(&begun, &utc);
  std::array<char, 32> time{};
  std::strftime(time.data(), time.size(), "%Y%m%d_%H%M%S", &utc);
  return std::string("offline-run-") + time.data() + "-" + run.id;
}

}  // namespace trl::interpreter
