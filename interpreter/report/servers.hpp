// What a report says of the servers whose models it is about.
#pragma once

#include <string>
#include <vector>

#include "interpreter/report/evidence.hpp"

namespace trl::interpreter {

/// For each model that a server has: how many answers it gave to exams, in how many tokens as the server
/// counts them, at which prices, and what it calls its model: "a server answered as qwen …". Empty where no
/// row is of such a model.
std::vector<std::string> server_sentences(const Evidence& evidence);

}  // namespace trl::interpreter
