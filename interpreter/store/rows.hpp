// Reads and writes rows of result files as types of base/contract.
#pragma once

#include <string>
#include <vector>

#include "base/contract/form.hpp"
#include "base/contract/task.hpp"
#include "interpreter/store/result.hpp"

namespace trl::interpreter {

/// Reads a file with one row on each line. Throws UserError naming file and row if a row differs from
/// docs/interfaces.md, and the exceptions of `Result::rows`.
template <class Row>
std::vector<Row> rows_as(const Result& result, const std::string& name) {
  std::vector<Row> rows;
  for (const auto& line : result.rows(name)) {
    try {
      rows.push_back(Row::read(line));
    } catch (const contract::ContractError& error) {
      throw UserError((result.folder() / name).string() + ", row " + std::to_string(rows.size() + 1) + ": " +
                      error.what());
    }
  }
  return rows;
}

/// Converts rows to JSON values for `write_json_lines`.
template <class Row>
std::vector<nlohmann::json> written_rows(const std::vector<Row>& rows) {
  std::vector<nlohmann::json> written;
  for (const Row& row : rows) written.push_back(row.write());
  return written;
}

/// Reads the tasks in tasks.json of a result.
inline std::vector<contract::Task> tasks_of(const Result& result) {
  return contract::read_as<std::vector<contract::Task>>(result.value("tasks.json"));
}

}  // namespace trl::interpreter
