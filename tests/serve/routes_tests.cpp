// The table of addresses, and the OpenAPI document that is made of it.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "interpreter/serve/routes.hpp"

using namespace trl::interpreter;
using nlohmann::json;

TEST(Routes, AreFoundByMethodAndPath) {
  EXPECT_EQ(route_of("POST", "/v1/verify").route->operation, Operation::verify);
  const auto task = route_of("GET", "/v1/tasks/level1/7%2F8");
  ASSERT_NE(task.route, nullptr);
  EXPECT_EQ(task.parts.at("suite"), "level1");
  EXPECT_EQ(task.parts.at("id"), "7/8");
  EXPECT_EQ(route_of("GET", "/v1/verify").allowed, "POST");
  for (const char* path :
       {"", "/", "//", "/v1", "/v1/verify/", "v1/verify", "*", "/v1/tasks/a/b/c", "/v1/tasks/a"}) {
    EXPECT_EQ(route_of("POST", path).route, nullptr) << path;
    EXPECT_TRUE(route_of("POST", path).allowed.empty()) << path;
  }
}

TEST(Routes, QueriesAreReadWithoutEscapes) {
  const auto values = query_values("suite=level%201&after=a%2fb&&flag&x=1=2&bad=%zz%2");
  EXPECT_EQ(values.at("suite"), "level 1");
  EXPECT_EQ(values.at("after"), "a/b");
  EXPECT_EQ(values.at("flag"), "");
  EXPECT_EQ(values.at("x"), "1=2");
  EXPECT_EQ(values.at("bad"), "%zz%2");
}

TEST(OpenApi, DescribesEveryRouteAndNoOther) {
  const json document = openapi();
  std::size_t described = 0;
  for (const auto& [path, methods] : document.at("paths").items()) described += methods.size();
  EXPECT_EQ(described, routes().size());
  for (const Route& route : routes()) {
    std::string method(route.method == "GET" ? "get" : "post");
    const json& about = document.at("paths").at(std::string(route.path)).at(method);
    EXPECT_TRUE(about.at("responses").contains("200")) << route.path;
    EXPECT_TRUE(about.at("responses").contains("default")) << route.path;
    EXPECT_EQ(about.contains("security"), route.open) << route.path;
  }
}

namespace {

void collect(const json& value, std::set<std::string>& found) {
  if (value.is_object() && value.contains("$ref")) found.insert(value["$ref"].get<std::string>());
  if (value.is_structured())
    for (const json& part : value) collect(part, found);
}

}  // namespace

TEST(OpenApi, RefersToSchemasThatExistAndUsesEach) {
  const json document = openapi();
  std::set<std::string> used, known;
  collect(document, used);
  for (const auto& [name, schema] : document.at("components").at("schemas").items())
    known.insert("#/components/schemas/" + name);
  EXPECT_EQ(used, known);
}

TEST(ErrorCodes, HaveAStatusEach) {
  for (const ErrorCode& code : error_codes()) {
    EXPECT_EQ(status_of(code.code), code.status);
    EXPECT_GE(code.status, 400);
  }
  EXPECT_THROW(status_of("nothing"), std::logic_error);
}
