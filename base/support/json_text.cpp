#include "base/support/json_text.hpp"

#include <cstdint>

#include "base/support/files.hpp"

namespace trl {
namespace {

using nlohmann::json;

/// Takes a text in pieces, and calls `row` for each of its lines.
class Rows {
 public:
  Rows(std::string file, const std::function<void(const json&)>& row) : file_(std::move(file)), row_(row) {}

  void add(std::string_view piece) {
    for (auto end = piece.find('\n'); end != std::string_view::npos; end = piece.find('\n')) {
      begun_ += piece.substr(0, end);
      piece.remove_prefix(end + 1);
      finish_line();
    }
    begun_ += piece;
  }

  void finish_line() {
    ++number_;
    const std::string line = std::exchange(begun_, {});
    if (line.empty()) return;
    const auto place = [&] { return file_ + ":" + std::to_string(number_) + ": "; };
    try {
      row_(json::parse(line));
    } catch (const json::parse_error& error) {
      throw UserError(place() + "not JSON: " + error.what(), damaged);
    } catch (const json::exception& error) {
      throw UserError(place() + error.what(), damaged);
    }
  }

 private:
  static constexpr const char* damaged = "The file is damaged: remove the result and run again.";

  std::string file_;
  const std::function<void(const json&)>& row_;
  std::string begun_;  // the line whose end isn't there yet
  std::int64_t number_ = 0;
};

}  // namespace

std::string dumped(const json& document, int indent) {
  return document.dump(indent, ' ', false, json::error_handler_t::replace);
}

json read_json(const std::filesystem::path& file) {
  try {
    return json::parse(read_text(file));
  } catch (const json::exception& error) {
    throw UserError(file.string() + ": not JSON: " + error.what());
  }
}

void for_each_row(const std::filesystem::path& file, const std::function<void(const json&)>& row) {
  Rows rows(file.string(), row);
  read_blocks(file, [&](std::string_view block) { rows.add(block); });
  rows.finish_line();
}

void for_each_row(std::string_view text, const std::string& file,
                  const std::function<void(const json&)>& row) {
  Rows rows(file, row);
  rows.add(text);
  rows.finish_line();
}

}  // namespace trl
