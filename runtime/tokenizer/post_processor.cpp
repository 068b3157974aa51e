#include "runtime/tokenizer/post_processor.hpp"

#include <fmt/format.h>

#include <map>

namespace trl::runtime {

void PostProcessor::read(Component& component) {
  const std::string type = component.type();
  if (type == "Sequence") {
    for (Component& part : component.list("processors")) read(part);
  } else if (type == "ByteLevel") {
    for (const char* field : {"add_prefix_space", "trim_offsets", "use_regex"}) component.ignore(field);
  } else if (type == "TemplateProcessing") {
    component.ignore("pair");  // there are no pairs of texts here
    std::map<std::string, std::vector<Token>> special;
    Component table = component.object("special_tokens");
    for (const auto& [name, value] : component.required("special_tokens").items()) {
      Component entry = table.object(name.c_str());
      entry.text("id");
      entry.ignore("tokens");
      const auto& ids = entry.required("ids");
      if (!ids.is_array()) entry.refuse("ids is no list");
      for (const auto& id : ids) {
        if (!id.is_number_integer() || id < 0 || id > 10'000'000) entry.refuse("an id is out of range");
        special[name].push_back(id.get<Token>());
      }
      entry.finish();
    }
    Template made;
    bool text_seen = false;
    for (Component& part : component.list("single")) {
      if (part.optional("Sequence")) {
        Component sequence = part.object("Sequence");
        if (sequence.text("id") != "A" || text_seen) sequence.refuse("more than one text");
        sequence.ignore("type_id");
        sequence.finish();
        text_seen = true;
      } else {
        Component token = part.object("SpecialToken");
        const std::string name = token.text("id");
        token.ignore("type_id");
        token.finish();
        const auto found = special.find(name);
        if (found == special.end()) token.refuse(fmt::format("special_tokens lacks {}", name));
        auto& side = text_seen ? made.after : made.before;
        side.insert(side.end(), found->second.begin(), found->second.end());
      }
      part.finish();
    }
    if (!text_seen) component.refuse("the template has no text");
    templates_.push_back(std::move(made));
  } else {
    component.refuse(fmt::format("the post_processor {} is not supported", type));
  }
  component.finish();
}

std::vector<Token> PostProcessor::apply(std::vector<Token> tokens) const {
  for (const Template& one : templates_) {
    tokens.insert(tokens.begin(), one.before.begin(), one.before.end());
    tokens.insert(tokens.end(), one.after.begin(), one.after.end());
  }
  return tokens;
}

}  // namespace trl::runtime
