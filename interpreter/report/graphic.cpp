#include "interpreter/report/graphic.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "interpreter/report/escape.hpp"
#include "interpreter/report/typeset.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {
using nlohmann::json;

/// A number with at most two decimals and no zeros at its end.
std::string number(double value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string path(const std::vector<Place>& places) {
  std::string text;
  for (const Place& place : places)
    text += (text.empty() ? "M" : "L") + number(place.x) + " " + number(place.y);
  return text;
}

json places_of(const std::vector<Place>& places) {
  json out = json::array();
  for (const Place& place : places) out.push_back({place.x, place.y});
  return out;
}

constexpr const char* anchors[] = {"start", "middle", "end"};

json json_of(const LineMark& line) {
  return {{"kind", "line"},
          {"places", places_of(line.places)},
          {"colour", line.stroke.colour},
          {"width", line.stroke.width},
          {"dashes", line.stroke.dashes}};
}
json json_of(const AreaMark& area) {
  return {{"kind", "area"},
          {"places", places_of(area.outline)},
          {"colour", area.colour},
          {"opacity", area.opacity}};
}
json json_of(const DotMark& dot) {
  return {{"kind", "dot"},
          {"places", places_of({dot.centre})},
          {"radius", dot.radius},
          {"colour", dot.colour},
          {"filled", dot.filled}};
}
json json_of(const TextMark& text) {
  return {{"kind", "text"},
          {"places", places_of({text.place})},
          {"text", text.text},
          {"anchor", anchors[static_cast<int>(text.lettering.anchor)]},
          {"colour", text.lettering.colour},
          {"size", text.lettering.size},
          {"upright", text.lettering.upright},
          {"strong", text.lettering.strong}};
}

std::string as_svg(const LineMark& line) {
  std::string dashes;
  for (const double length : line.stroke.dashes)
    dashes += (dashes.empty() ? " stroke-dasharray=\"" : " ") + number(length);
  return fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"{}/>\n",
                     path(line.places), line.stroke.colour, number(line.stroke.width),
                     dashes.empty() ? "" : dashes + "\"");
}
std::string as_svg(const AreaMark& area) {
  return fmt::format("<path d=\"{}Z\" fill=\"{}\"{}/>\n", path(area.outline), area.colour,
                     area.opacity < 1 ? " fill-opacity=\"" + number(area.opacity) + "\"" : "");
}
std::string as_svg(const DotMark& dot) {
  return fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\" stroke=\"{}\" stroke-width=\"1\"/>\n",
                     number(dot.centre.x), number(dot.centre.y), number(dot.radius),
                     dot.filled ? dot.colour : "#ffffff", dot.colour);
}
std::string as_svg(const TextMark& text) {
  const auto& [anchor, colour, size, upright, strong] = text.lettering;
  const std::string x = number(text.place.x), y = number(text.place.y);
  return fmt::format(
      "<text x=\"{0}\" y=\"{1}\" font-size=\"{2}\" fill=\"{3}\"{4}{5}{6}>{7}</text>\n", x, y, number(size),
      colour,
      anchor == Anchor::start ? "" : fmt::format(" text-anchor=\"{}\"", anchors[static_cast<int>(anchor)]),
      strong ? " font-weight=\"600\"" : "",
      upright ? fmt::format(" transform=\"rotate(-90 {} {})\"", x, y) : "", html_escaped(text.text));
}

/// The code points of UTF-8 text, each as its bytes.
std::vector<std::string> characters_of(const std::string& text) {
  std::vector<std::string> out;
  for (const char c : text)
    if ((static_cast<unsigned char>(c) & 0xC0) == 0x80 && !out.empty())
      out.back() += c;
    else
      out.emplace_back(1, c);
  return out;
}

std::string joined(const std::vector<std::string>& characters, std::size_t begin, std::size_t end) {
  std::string text;
  for (std::size_t i = begin; i < end; ++i) text += characters[i];
  return text;
}

std::string shortened_to(const std::vector<std::string>& characters, std::size_t most) {
  if (characters.size() <= most) return joined(characters, 0, characters.size());
  const std::size_t front = most / 2, back = most - front - 1;
  return joined(characters, 0, front) + "…" + joined(characters, characters.size() - back, characters.size());
}

}  // namespace

double width_of_text(const std::string& text, double size) {
  double width = 0;
  for (const std::string& character : characters_of(typeset(text))) {
    const char c = character[0];
    const bool narrow = std::string_view("ijlIftr.,:;'|![]()/ -").find(c) != std::string_view::npos;
    const bool wide = std::string_view("mwMW%@").find(c) != std::string_view::npos || character.size() > 1;
    width += narrow ? 0.37 : wide ? 0.96 : std::isupper(static_cast<unsigned char>(c)) ? 0.72 : 0.63;
  }
  return width * size;
}

std::vector<std::string> shortened(const std::vector<std::string>& texts, std::size_t most) {
  std::vector<std::string> out;
  std::vector<std::vector<std::string>> characters;
  for (const auto& text : texts) characters.push_back(characters_of(text));
  std::vector<std::size_t> limits(texts.size(), most);
  for (bool again = true; again;) {
    again = false;
    out.clear();
    std::map<std::string, std::set<std::string>> shown;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      out.push_back(shortened_to(characters[i], limits[i]));
      shown[out.back()].insert(texts[i]);
    }
    for (std::size_t i = 0; i < texts.size(); ++i)
      if (shown[out[i]].size() > 1 && limits[i] < characters[i].size()) limits[i] += 2, again = true;
  }
  return out;
}

void Graphic::line(const std::vector<Place>& places, const Stroke& stroke) {
  marks_.push_back(LineMark{places, stroke});
}

void Graphic::area(const std::vector<Place>& outline, const std::string& colour, double opacity) {
  marks_.push_back(AreaMark{outline, colour, opacity});
}

void Graphic::dot(Place centre, double radius, const char* colour, bool filled) {
  marks_.push_back(DotMark{centre, radius, colour, filled});
}

void Graphic::text(Place place, const std::string& text, const Lettering& lettering) {
  marks_.push_back(TextMark{place, typeset(text), lettering});
}

json Graphic::as_json() const {
  json marks = json::array();
  for (const Mark& mark : marks_)
    marks.push_back(std::visit([](const auto& one) { return json_of(one); }, mark));
  return {{"width", width_}, {"height", height_}, {"marks", std::move(marks)}};
}

std::string Graphic::svg(const std::string& caption) const {
  std::string spoken = caption;  // without the marks of names
  std::erase(spoken, '`');
  // A point of print is 1.75 pixels, so that letters are as large as the letters of the page around the
  // picture.
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {} {}\" "
      "role=\"img\" "
      "aria-label=\"{}\" font-family=\"Helvetica, Arial, 'Liberation Sans', sans-serif\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
      number(1.75 * width_), number(1.75 * height_), number(width_), number(height_), html_typeset(spoken));
  for (const Mark& mark : marks_) text += std::visit([](const auto& one) { return as_svg(one); }, mark);
  return text + "</svg>\n";
}

}  // namespace trl::interpreter
