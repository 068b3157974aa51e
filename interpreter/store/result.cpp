#include "interpreter/store/result.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "base/contract/form.hpp"
#include "base/support/digest.hpp"
#include "base/support/error.hpp"
#include "base/support/json_text.hpp"
#include "base/support/reading.hpp"
#include "interpreter/canonical.hpp"

namespace trl::interpreter {
namespace fs = std::filesystem;
using nlohmann::json;
namespace {

constexpr auto description_name = "stage.json";

/// Whether an errno value means that the file is missing or the disk has lost it. Other values mean that this
/// process can't read it now.
bool is_loss(int code) {
  constexpr std::array losses = {ENOENT, ENOTDIR, EISDIR, ELOOP, EIO, EBADMSG, EUCLEAN, ENODATA};
  return std::find(losses.begin(), losses.end(), code) != losses.end();
}

/// Whether a file that stage.json names is below the stage's folder.
bool stays_inside(const std::string& name) {
  const fs::path path(name);
  return !name.empty() && path.is_relative() &&
         std::none_of(path.begin(), path.end(),
                      [](const fs::path& part) { return part == ".." || part == "."; });
}

/// Whether JSON, or a line of JSON lines, is nested too deeply for recursive functions. Files of this project
/// aren't: an expression has at most some thousand operators.
bool too_deep(std::string_view text, bool lines = false) {
  constexpr std::size_t deepest = 10'000;
  std::size_t depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char letter = text[i];
    if (quoted && letter == '\\')
      ++i;
    else if (letter == '"')
      quoted = !quoted;
    else if (lines && letter == '\n')
      depth = 0, quoted = false;
    else if (!quoted && (letter == '[' || letter == '{') && ++depth > deepest)
      return true;
    else if (!quoted && (letter == ']' || letter == '}') && depth > 0)
      --depth;
  }
  return false;
}

/// Returns the first digits of a digest, enough to distinguish two.
std::string beginning(const std::string& digest) { return digest.substr(0, 12) + "…"; }

}  // namespace

DamagedResult::DamagedResult(const fs::path& folder, const std::string& slot, std::string how_damaged)
    : UserError("the result of " + (slot.empty() ? "a stage" : slot) + " (" + folder.string() +
                    ") is damaged: " + how_damaged,
                "`trl run` makes it again; `trl gc --verify` checks the whole store."),
      key(folder.filename().string()),
      how(std::move(how_damaged)) {}

void Result::damaged(const std::string& how) const { throw DamagedResult(folder_, record_->slot, how); }

template <typename Read>
auto Result::reading(const std::string& name, Read read) const {
  try {
    return read(folder_ / name);
  } catch (const RefusedFile& error) {
    damaged(error.what());
  } catch (const ReadError& error) {
    if (!is_loss(error.code)) throw;
    damaged(error.code == ENOENT ? "it has no " + name
                                 : name + " can't be read: " + std::strerror(error.code));
  }
}

json Result::description() const {
  const auto text =
      reading(description_name, [&](const fs::path& file) { return read_text(file, {.within = folder_}); });
  const auto text_digest = sha256_hex(text);
  if (too_deep(text)) damaged("stage.json is nested too deeply");
  auto read = json::parse(text, nullptr, false);
  const auto known = [&] {
    const std::lock_guard filling(record_->filling);
    return record_->digest == text_digest;
  };
  if (known()) {
    read.erase("sha256");
    return read;
  }
  if (!read.is_object()) damaged("stage.json isn't complete");
  const auto field = [&](const char* name, json::value_t type) -> const json& {
    const auto found = read.find(name);
    if (found == read.end() || found->type() != type)
      damaged(std::string("stage.json isn't as it was written: it has no ") + name);
    return *found;
  };
  const auto key = field("key", json::value_t::string).get<std::string>();
  if (key != folder_.filename().string()) damaged("stage.json belongs to another result");
  const auto digest = field("sha256", json::value_t::string).get<std::string>();
  read.erase("sha256");
  const auto found = sha256_hex(canonical(read));
  if (found != digest)
    damaged("the contents of stage.json have changed: their SHA-256 is " + beginning(found) + " instead of " +
            beginning(digest));
  for (const auto& [name, file] : field("files", json::value_t::object).items()) {
    if (!stays_inside(name)) damaged("stage.json names a file outside of its folder: " + name);
    if (!file.is_object() || !file.value("bytes", json()).is_number_unsigned() ||
        !file.value("sha256", json()).is_string())
      damaged("stage.json isn't as it was written: it has no size or digest of " + name);
  }
  std::optional<contract::MadeOn> made_on;
  try {
    contract::Reading(read).if_any("made_on", made_on);
  } catch (const contract::ContractError& error) {
    damaged(std::string("stage.json isn't as it was written: ") + error.what());
  }
  const auto slot = read.find("slot");
  if (slot != read.end() && !slot->is_string())
    damaged("stage.json isn't as it was written: its slot is no text");
  // If the record already holds this text, it isn't filled again, since another thread may refer to its
  // fields.
  if (const std::lock_guard filling(record_->filling); record_->digest != text_digest) {
    record_->digest = text_digest;
    record_->slot = slot == read.end() ? "" : slot->get<std::string>();
    record_->files = read["files"];
    record_->made_on = std::move(made_on);
  }
  return read;
}

const Result::Record& Result::known() const {
  const auto is_read = [&] {
    const std::lock_guard filling(record_->filling);
    return !record_->digest.empty();
  };
  if (!is_read()) description();
  return *record_;
}

std::optional<contract::MadeOn> Result::made_on() const { return known().made_on; }

const json& Result::files() const { return known().files; }

const json& Result::recorded(const std::string& name) const {
  const auto found = files().find(name);
  if (found == files().end()) damaged("it has no " + name);
  return *found;
}

void Result::check_size(const std::string& name, const json& recorded) const {
  struct stat found {};
  if (::stat((folder_ / name).c_str(), &found) != 0) {
    const int reason = errno;
    reading(name, [&](const fs::path& file) { throw ReadError(file, reason); });
  }
  if (!S_ISREG(found.st_mode)) damaged(name + " isn't a file");
  const auto bytes = recorded.at("bytes").get<std::uint64_t>();
  if (static_cast<std::uint64_t>(found.st_size) != bytes)
    damaged(name + " has " + bytes_text(static_cast<std::uint64_t>(found.st_size)) + " instead of " +
            bytes_text(bytes));
}

void Result::check_digest(const std::string& name, const json& recorded, const std::string& found) const {
  const auto expected = recorded.at("sha256").get<std::string>();
  if (found != expected)
    damaged("the contents of " + name + " have changed: their SHA-256 is " + beginning(found) +
            " instead of " + beginning(expected));
}

std::string Result::text(const std::string& name) const {
  const auto& described = recorded(name);
  check_size(name, described);
  auto text = reading(name, [&](const fs::path& file) { return read_text(file, {.within = folder_}); });
  if (const auto bytes = described.at("bytes").get<std::uint64_t>(); text.size() != bytes)
    damaged(name + " ends after " + bytes_text(text.size()) + " of " + bytes_text(bytes));
  check_digest(name, described, sha256_hex(text));
  return text;
}

json Result::value(const std::string& name) const {
  const auto written = text(name);
  if (too_deep(written)) damaged(name + " is nested too deeply");
  auto value = json::parse(written, nullptr, false);
  if (value.is_discarded()) damaged(name + " isn't JSON");
  return value;
}

std::vector<json> Result::rows(const std::string& name) const {
  const auto lines = text(name);
  if (too_deep(lines, true)) damaged(name + " is nested too deeply");
  try {
    std::vector<json> rows;
    for_each_row(lines, name, [&](const json& row) { rows.push_back(row); });
    return rows;
  } catch (const UserError& error) {
    damaged(error.what());
  }
}

std::string Result::digest(const std::string& name) const {
  const auto& described = recorded(name);
  check_size(name, described);
  auto found = reading(name, [&](const fs::path& file) {
    require_readable(file, {.within = folder_, .most = UINT64_MAX});
    return sha256_of_file(file);
  });
  check_digest(name, described, found);
  return found;
}

fs::path Result::file(const std::string& name) const {
  digest(name);
  return folder_ / name;
}

void Result::check(Check check) const {
  for (const auto& [name, described] : files().items())
    if (check == Check::contents)
      digest(name);
    else
      check_size(name, described);
}

std::string Result::identity() const {
  std::string text;
  const auto add = [&](const std::string& name) {
    struct stat found {};
    if (::stat((folder_ / name).c_str(), &found) != 0) return;
    for (const auto number : {static_cast<long>(found.st_ino), static_cast<long>(found.st_size),
                              static_cast<long>(found.st_mtim.tv_sec), found.st_mtim.tv_nsec,
                              static_cast<long>(found.st_ctim.tv_sec), found.st_ctim.tv_nsec})
      text += std::to_string(number) + " ";
  };
  add(description_name);
  for (const auto& [name, described] : files().items()) add(name);
  return text;
}

std::optional<std::string> Result::damage(Check check) const {
  try {
    this->check(check);
    return std::nullopt;
  } catch (const DamagedResult& damage) {
    return damage.how;
  }
}

void describe_result(const fs::path& folder, json description) {
  auto& files = description["files"] = json::object();
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (const auto name = entry.path().lexically_relative(folder).string();
        entry.is_regular_file() && !entry.is_symlink() && name != description_name)
      files[name] = {{"bytes", entry.file_size()}, {"sha256", sha256_of_file(entry.path())}};
  description["sha256"] = sha256_hex(canonical(description));
  write_text(folder / description_name, description.dump(1) + "\n");
}

}  // namespace trl::interpreter
