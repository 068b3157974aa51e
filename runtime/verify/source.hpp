#pragma once
// The program in a model's answer.
#include <string>

namespace trl::runtime {

/// The answer itself, or the contents of its last fenced code block that defines ModelNew (else the last
/// one). Line numbers stay those of the answer: what comes before the block becomes empty lines.
std::string extract_source(const std::string& answer);

/// The source without what can't change its verdict: blanks at the ends of lines, blank lines at the end, and
/// comments on lines without quotes, from the third line on (the first two may name an encoding). Lines keep
/// their numbers. A source with triple quotes, carriage returns or lines that end in a backslash is left as
/// it is.
std::string normalised_source(const std::string& source);

}  // namespace trl::runtime
