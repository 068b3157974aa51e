// A picture as data, from which SVG and PDF are written.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <variant>
#include <vector>

namespace trl::interpreter {

/// Widths in points of pictures for a column and for a page of a paper in ACL's style, the narrowest of the
/// usual ones, and the sizes of letters in both.
constexpr double narrow_picture = 219, wide_picture = 455, letter_size = 7.5, small_letter_size = 6.5;

/// The colours of rows in pictures: blue and vermilion of the palette of Okabe and Ito, which colour-blind
/// readers can tell apart and which differ in grey, too; grey for other rows, and for text.
constexpr const char *cell_colour = "#0072B2", *control_colour = "#D55E00", *other_colour = "#c4c4c4",
                     *ink = "#1f2328", *soft_ink = "#59636e", *rule_colour = "#888888",
                     *grid_colour = "#e6e6e6";

/// A place in points from the upper left corner.
struct Place {
  double x = 0, y = 0;
};

enum class Anchor { start, middle, end };

struct Stroke {
  const char* colour = ink;
  double width = 0.6;            ///< in points
  std::vector<double> dashes{};  ///< lengths of dashes and gaps in points; empty: a whole line
};

struct Lettering {
  Anchor anchor = Anchor::start;
  const char* colour = ink;
  double size = letter_size;
  bool upright = false;  ///< whether the text reads from below to above
  bool strong = false;
};

/// The elements that can be drawn at places of a picture.
struct LineMark {
  std::vector<Place> places;
  Stroke stroke;
};
struct AreaMark {
  std::vector<Place> outline;
  std::string colour;
  double opacity;
};
struct DotMark {
  Place centre;
  double radius;
  const char* colour;
  bool filled;
};
struct TextMark {
  Place place;
  std::string text;  ///< the text as it is drawn
  Lettering lettering;
};
using Mark = std::variant<LineMark, AreaMark, DotMark, TextMark>;

/// A list of lines, areas, dots and texts, each drawn over those before it.
class Graphic {
 public:
  Graphic() = default;
  /// An empty picture of this size in points.
  Graphic(double width, double height) : width_(width), height_(height) {}

  void line(const std::vector<Place>& places, const Stroke& stroke);
  /// Fills a polygon; `opacity` is between 0 and 1.
  void area(const std::vector<Place>& outline, const std::string& colour, double opacity = 1);
  /// A disk, or a ring if it isn't `filled`.
  void dot(Place centre, double radius, const char* colour, bool filled = true);
  /// A text whose baseline begins, has its middle or ends at a place. Its minus signs and arrows are written
  /// as such.
  void text(Place place, const std::string& text, const Lettering& lettering);

  /// Whether nothing was drawn.
  bool empty() const { return marks_.empty(); }
  double width() const { return width_; }
  double height() const { return height_; }
  /// An SVG document that is `caption` to readers who don't see it. The same picture gives the same bytes.
  std::string svg(const std::string& caption) const;
  /// {"width", "height", "marks": […]}, which interpreter/report/pdf.py reads. Every mark has a "kind".
  nlohmann::json as_json() const;

 private:
  double width_ = 0, height_ = 0;
  std::vector<Mark> marks_;
};

/// A picture of a report.
struct Picture {
  std::string name;     ///< its file's name without the ending: "main.effects"
  std::string caption;  ///< the content of the picture, in sentences
  Graphic graphic;
};

/// Estimates the width in points of a text in DejaVu Sans, the widest of the usual typefaces. Each character
/// counts as one of four widths.
double width_of_text(const std::string& text, double size = letter_size);

/// Returns the texts shortened to at most `most` characters: an ellipsis replaces the middle of a longer
/// text. Texts that would then look the same keep more characters.
std::vector<std::string> shortened(const std::vector<std::string>& texts, std::size_t most);

}  // namespace trl::interpreter
