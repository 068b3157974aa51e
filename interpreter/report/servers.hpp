// A report's sentences about the servers whose models it evaluates.
#pragma once

#include <string>
#include <vector>

#include "interpreter/report/evidence.hpp"

namespace trl::interpreter {

/// For each model that a server has: how many answers it gave to exams, in how many tokens as the server
/// counts them, at which prices, and its own name of its model: "a server answered as qwen …". Empty where no
/// row is of such a model.
std::vector<std::string> server_sentences(const Evidence& evidence);

}  // namespace trl::interpreter
