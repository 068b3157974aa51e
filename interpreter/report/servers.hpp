// A report's sentences about the servers whose models it evaluates.
#pragma once

#include <string>
#include <vector>

#include "interpreter/report/evidence.hpp"

namespace trl::interpreter {

/// A sentence for each model that runs on a server: the number of answers that it gave to exams, their tokens
/// as the server counts them, their prices, and the server's name for the model: "a server answered as qwen
/// …". Empty if no row has such a model.
std::vector<std::string> server_sentences(const Evidence& evidence);

/// A sentence for each model on a server that gave exam answers without text, with the causes: "3 of 200
/// answers of qwen have no text: 2 only reasoning, 1 refusal; …".
std::vector<std::string> without_text_sentences(const Evidence& evidence);

}  // namespace trl::interpreter
