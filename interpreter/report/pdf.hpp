// Pictures as PDF, for papers.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "interpreter/report/graphic.hpp"

namespace trl::interpreter {

/// The default font of pictures in PDF. Most two-column papers use it, and it comes with matplotlib.
constexpr const char* usual_font = "STIXGeneral";

/// Draws all pictures with matplotlib (interpreter/report/pdf.py), in one process, and returns the bytes of
/// each file by the picture's name. `font` is the name of a font's family. Throws UserError without
/// matplotlib, and for a font that it doesn't find.
std::map<std::string, std::string> pdfs_of(const std::vector<const Picture*>& pictures,
                                           const std::string& font);

}  // namespace trl::interpreter
