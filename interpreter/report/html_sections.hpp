// Sections of report.html that read the store. A section without content is empty.
#pragma once

#include <string>

#include "interpreter/report/contents.hpp"

namespace trl::interpreter {

/// The tasks that each round sampled, and the accuracy that the curriculum used.
std::string curriculum_section(const ReportContents& contents);

/// For each reason for which the exam refused candidates: their number, and one of them with the line at
/// fault.
std::string failures_section(const ReportContents& contents);

/// Versions, seeds, digests, machines, allowed rules and their reasons.
std::string provenance_section(const ReportContents& contents);

}  // namespace trl::interpreter
