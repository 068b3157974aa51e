// The page's functions as WebAssembly exports them. Texts are UTF-8; answers are lists of messages, as JSON.
#include <string>

#include "editors/web/page.hpp"

#include <emscripten/emscripten.h>

#ifndef TRL_VERSION
#define TRL_VERSION "unknown"
#endif

namespace {

trl::page::Page& page() {
  static trl::page::Page page(TRL_VERSION);
  return page;
}

/// Joins the messages to one text, which lives until the next call.
const char* listed(const std::vector<std::string>& messages) {
  static std::string text;
  text = "[";
  for (const std::string& message : messages) text += (text.size() > 1 ? "," : "") + message;
  text += "]";
  return text.c_str();
}

}  // namespace

extern "C" {

EMSCRIPTEN_KEEPALIVE const char* trl_receive(const char* message) { return listed(page().receive(message)); }
EMSCRIPTEN_KEEPALIVE const char* trl_settle() { return listed(page().settle()); }
}
