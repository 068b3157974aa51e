// The sections of report.html that look into the store. Each is empty where there is nothing to show.
#pragma once

#include <string>

#include "interpreter/report/contents.hpp"

namespace trl::interpreter {

/// What each round drew, and the accuracy that gave it.
std::string curriculum_section(const ReportContents& contents);

/// Of each reason for which the exam refused a candidate: how many, and one of them with the line that is to
/// blame.
std::string failures_section(const ReportContents& contents);

/// Versions, seeds, digests, what was allowed and why.
std::string provenance_section(const ReportContents& contents);

}  // namespace trl::interpreter
