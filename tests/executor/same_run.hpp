#pragma once
// Compares all results of two runs byte by byte.
#include <string>

#include "verifier/executor/executor.hpp"

namespace trl::executor::test {

inline std::string everything(const Report& report, const Memory& memory) {
  const auto program = [](const std::uint32_t* at) {
    return std::to_string(at[0]) + "," + std::to_string(at[1]) + "," + std::to_string(at[2]);
  };
  std::string text = report.ok ? "ok\n" : "not ok\n";
  for (const Finding& finding : report.findings) {
    text += std::string(name(finding.kind)) + " " + finding.file + ":" + std::to_string(finding.line) + ":" +
            std::to_string(finding.column) + " " + finding.message + " in " + program(finding.program) +
            " at " + std::to_string(finding.buffer) + "+" + std::to_string(finding.offset) + " of " +
            std::to_string(finding.bytes);
    if (finding.other) {
      text += " with " + program(finding.other->program) + " " + finding.other->source.file + ":" +
              std::to_string(finding.other->source.line);
    }
    text += "\n";
  }
  const Counters& c = report.counters;
  for (const std::uint64_t count : {c.launches,
                                    c.programs,
                                    c.operations,
                                    c.loads,
                                    c.stores,
                                    c.sectors_read,
                                    c.sectors_written,
                                    c.sectors_read_first,
                                    c.sectors_written_first,
                                    c.bytes_read,
                                    c.bytes_written,
                                    c.flops,
                                    c.dot_flops,
                                    c.dots,
                                    c.unfilled_loads,
                                    c.sectors_by_program,
                                    c.steps,
                                    c.lanes,
                                    c.asks,
                                    c.same_place,
                                    c.most.loads,
                                    c.most.sectors,
                                    c.most.distinct,
                                    c.most.steps,
                                    c.most.lanes,
                                    c.most.flops,
                                    c.most.dot_flops}) {
    text += std::to_string(count) + " ";
  }
  for (int i = 0; i < memory.size(); ++i) {
    const Buffer& buffer = memory.buffer(i);
    text += "\n" + buffer.name + " ";
    text.append(reinterpret_cast<const char*>(buffer.bytes.data()), buffer.bytes.size());
    text.append(reinterpret_cast<const char*>(buffer.written.data()), buffer.written.size());
  }
  return text;
}

}  // namespace trl::executor::test
