// Compiles LaTeX in tests.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>

#include "base/support/files.hpp"
#include "tests/has.hpp"
#include "tests/interpreter/fixture.hpp"

namespace trl::interpreter::testing {

/// pdfTeX's messages about a document.
struct Typeset {
  std::string complaint;  ///< the error, or a box that is too wide, or a character or label that is missing;
                          ///< empty if there is none
  int pages = 0;
};

/// Compiles `page.tex` twice in a temporary folder with these files.
inline Typeset typeset_by_pdflatex(const std::map<std::string, std::string>& files) {
  const Scratch scratch;
  for (const auto& [name, text] : files) write_text(scratch.path / name, text);
  const std::string once = "pdflatex -interaction=nonstopmode -halt-on-error page.tex >said 2>&1";
  const int status = std::system(("cd " + scratch.path.string() + " && " + once + " && " + once).c_str());
  const auto said = read_text(scratch.path / "said");
  if (has(said, "pdflatex: not found"))
    return {"pdflatex isn't here: apt-get install texlive-latex-recommended"};
  if (status != 0) return {said};
  for (const char* complaint :
       {"Overfull \\hbox", "Missing character", "undefined", "multiply defined", "Float too large"})
    if (const auto at = said.find(complaint); at != std::string::npos) return {said.substr(at, 300)};
  const auto written = said.find("Output written on page.pdf (");
  if (written == std::string::npos) return {"no page"};
  if (const char* kept = std::getenv("TRL_KEEP_PDF")) {
    static int number = 0;
    std::filesystem::copy_file(scratch.path / "page.pdf",
                               std::filesystem::path(kept) / (std::to_string(number++) + ".pdf"),
                               std::filesystem::copy_options::overwrite_existing);
  }
  return {"", std::atoi(said.c_str() + written + 28)};
}

}  // namespace trl::interpreter::testing
