#include "language/elaboration/value.hpp"

#include "base/operators/overlap.hpp"

namespace trl::language {

using nlohmann::json;

void SuiteTask::means(trl::tasks::Task task) {
  key = task.key;
  overlap = operators::overlap_key(key);
  own = task.to_json();
  own_task = std::make_shared<const trl::tasks::Task>(std::move(task));
}

Value::Value() = default;

const Value* Value::entry(const std::string& wanted) const {
  for (const auto& [key, value] : entries)
    if (key == wanted) return &value;
  return nullptr;
}

bool is_cell(const Value& against) {
  return against.is(Value::Kind::list) &&
         std::all_of(against.items.begin(), against.items.end(), [](const Value& one) {
           return one.declaration != nullptr && one.declaration->kind == "extension";
         });
}

const Value* Resolved::field(const std::string& wanted) const {
  for (const auto& [key, value] : fields)
    if (key == wanted) return &value;
  return nullptr;
}

json to_json(const Value& value) {
  const auto list = [&] {
    json out = json::array();
    for (const Value& v : value.items) out.push_back(to_json(v));
    return out;
  };
  switch (value.kind) {
    case Value::Kind::absent:
      return nullptr;
    case Value::Kind::plain:
      return value.plain;
    case Value::Kind::list:
      return list();
    case Value::Kind::sum:
      return {{"op", "+"}, {"args", list()}};
    case Value::Kind::map: {
      json out = json::array();
      for (const auto& [key, v] : value.entries) out.push_back(json::array({key, to_json(v)}));
      return out;
    }
    case Value::Kind::block: {
      json out = json::object();
      for (const auto& [key, v] : value.entries)
        if (!v.absent()) out[key] = to_json(v);
      return out;
    }
    case Value::Kind::tasks: {
      json ids = json::array();
      for (const SuiteTask* t : value.tasks) ids.push_back(t->text());
      return {{"tasks", std::move(ids)}};
    }
    case Value::Kind::declaration:
      return value.declaration ? to_json(*value.declaration) : json();
    case Value::Kind::formula:
      return {{"formula", {{"params", value.parameters}, {"body", without_places(value.formula).write()}}}};
    case Value::Kind::call: {
      json named = json::object();
      for (const auto& [key, v] : value.entries)
        if (!v.absent()) named[key] = to_json(v);
      return {{"call", value.name}, {"args", list()}, {"named", std::move(named)}};
    }
  }
  return nullptr;
}

json to_json(const Resolved& d) {
  json out = {{"kind", d.kind}, {"name", d.name}, {"doc", d.doc}};
  if (d.variant != nullptr) {
    out["variant"] = d.variant->name;
    out["implementation"] = d.variant->implementation;
    out["version"] = d.variant->version;
  }
  for (const auto& [key, value] : d.fields)
    if (!value.absent()) out[key] = to_json(value);
  return out;
}

}  // namespace trl::language
