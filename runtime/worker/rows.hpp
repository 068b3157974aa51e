// Reads and writes the small files of a stage, with errors that name the file and the line.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "runtime/worker/stage.hpp"

namespace trl::runtime {

/// Returns spec[name] as T. Throws StageError when it is missing or has another type.
template <typename T>
T field(const nlohmann::json& spec, const std::string& name) {
  const auto found = spec.find(name);
  if (found == spec.end()) {
    throw StageError(fmt::format("the stage's spec has no field `{}`", name), "see docs/seams.md, section 3");
  }
  try {
    return found->template get<T>();
  } catch (const nlohmann::json::exception&) {
    throw StageError(
        fmt::format("the spec's field `{}` is {}, which has the wrong type", name, found->dump()),
        "see docs/seams.md, section 3");
  }
}

/// Returns spec[name] as T, or `otherwise` when it is absent or null.
template <typename T>
T field_or(const nlohmann::json& spec, const std::string& name, T otherwise) {
  const auto found = spec.find(name);
  return found == spec.end() || found->is_null() ? otherwise : field<T>(spec, name);
}

/// Calls `row` for each line of a JSON-lines file. Throws StageError, which names the file and the line.
inline void for_each_row(const std::filesystem::path& file,
                         const std::function<void(const nlohmann::json&)>& row) {
  std::ifstream in(file);
  if (!in)
    throw StageError(fmt::format("{}: cannot be read", file.string()), "run the stage that writes it again");
  std::string line;
  for (std::int64_t number = 1; std::getline(in, line); ++number) {
    if (line.empty()) continue;
    try {
      row(nlohmann::json::parse(line));
    } catch (const nlohmann::json::exception& error) {
      throw StageError(fmt::format("{}:{}: {}", file.string(), number, error.what()),
                       "the file is damaged: remove the result and run again");
    }
  }
  // A read error of the disk looks like the end of the file otherwise.
  if (in.bad())
    throw StageError(fmt::format("{}: cannot be read to its end", file.string()),
                     "the disk fails, or the file is damaged: `trl gc --verify` says which");
}

/// Reads the whole file as JSON. Throws StageError, which names the file.
inline nlohmann::json read_json(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) throw StageError(fmt::format("{}: cannot be read", file.string()), "is this the right folder?");
  try {
    return nlohmann::json::parse(in);
  } catch (const nlohmann::json::exception& error) {
    throw StageError(fmt::format("{}: {}", file.string(), error.what()));
  }
}

/// Writes and closes a file. Throws StageError when it could not be written completely.
inline void write_text(const std::filesystem::path& file, const std::string& text) {
  errno = 0;
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (!out) unwritten(file, text.size());
}

}  // namespace trl::runtime
