#include "tests/fuzz/json_mutator.hpp"

#include <limits>
#include <random>
#include <string>
#include <vector>

#include "base/support/json_text.hpp"
#include "tests/fuzz/ttir_mutator.hpp"

namespace trl::fuzz {
namespace {

using nlohmann::json;
using Random = std::minstd_rand;

void collect(json& node, std::vector<json*>& into) {
  if (into.size() > 20'000) return;
  into.push_back(&node);
  if (node.is_structured())
    for (json& inner : node) collect(inner, into);
}

const json& any_node(const json& document, Random& random) {
  // The pointers are only read through.
  std::vector<json*> nodes;
  collect(const_cast<json&>(document), nodes);
  return *nodes[random() % nodes.size()];
}

json edge(Random& random) {
  switch (random() % 16) {
    case 0:
      return 0;
    case 1:
      return -1;
    case 2:
      return 1;
    case 3:
      return std::numeric_limits<std::int64_t>::max();
    case 4:
      return std::numeric_limits<std::int64_t>::min();
    case 5:
      return std::numeric_limits<std::uint64_t>::max();
    case 6:
      return std::int64_t{1} << 31;
    case 7:
      return (std::int64_t{1} << 31) - 1;
    case 8:
      return std::int64_t{1} << (random() % 63);
    case 9:
      return 0.5;
    case 10:
      return 1e308;
    case 11:
      return "nan";
    case 12:
      return nullptr;
    case 13:
      return true;
    case 14:
      return json::array();
    default:
      return json::object();
  }
}

void change(json& document, const json& other, Random& random) {
  std::vector<json*> nodes;
  collect(document, nodes);
  json& node = *nodes[random() % nodes.size()];
  switch (random() % 9) {
    case 0:
      node = edge(random);
      break;
    case 1:
      if (node.is_number_integer()) {
        // A value near the old one finds sizes that just fit or just don't.
        const auto value = node.is_number_unsigned()
                               ? static_cast<std::int64_t>(node.get<std::uint64_t>() & INT64_MAX)
                               : node.get<std::int64_t>();
        const auto more = static_cast<std::int64_t>(random() % 9) - 4;
        node = random() % 3 == 0                          ? value / 2
               : (value > INT32_MAX || value < INT32_MIN) ? value
                                                          : value + more;
      } else {
        node = edge(random);
      }
      break;
    case 2:
      if (node.is_object() && !node.empty()) {
        auto at = node.begin();
        std::advance(at, static_cast<std::ptrdiff_t>(random() % node.size()));
        node.erase(at);
      } else if (node.is_array() && !node.empty()) {
        node.erase(random() % node.size());
      }
      break;
    case 3:
      if (node.is_array() && !node.empty() && node.size() < 2000) {
        const json copy = node[random() % node.size()];
        for (std::size_t times = random() % 8 == 0 ? 300 : 1; times > 0; --times)
          node.insert(node.begin() + static_cast<std::ptrdiff_t>(random() % (node.size() + 1)), copy);
      }
      break;
    case 4: {
      const json copy = any_node(document, random);
      if (dumped(copy).size() < 20'000) node = copy;
      break;
    }
    case 5: {
      const json copy = any_node(other, random);
      node = copy;
      break;
    }
    case 6: {
      json& second = *nodes[random() % nodes.size()];
      if (!node.is_structured() && !second.is_structured()) std::swap(node, second);
      break;
    }
    case 7:
      if (node.is_object()) {
        static const char* const keys[] = {"error",  "alternatives", "launch",  "copy",  "fill",   "buffer",
                                           "bytes",  "addresses",    "f16",     "block", "shared", "language",
                                           "source", "expression",   "compile", "id",    "line"};
        const json copy = any_node(random() % 2 == 0 ? document : other, random);
        node[keys[random() % std::size(keys)]] = copy;
      }
      break;
    default:
      if (node.is_string()) {
        const auto text = node.get<std::string>();
        if (text.find("module") != std::string::npos)
          node = mutated_ttir(text, "", static_cast<std::uint32_t>(random()));
        else
          node = text.substr(0, random() % (text.size() + 1)) +
                 (random() % 2 == 0 ? std::string(random() % 300, 'a') : "");
      }
  }
}

}  // namespace

json mutated_json(json document, const json& other, std::uint32_t seed) {
  Random random(seed | 1);
  random.discard(3);
  for (std::size_t times = 1 + random() % 4; times > 0; --times) change(document, other, random);
  return document;
}

}  // namespace trl::fuzz
