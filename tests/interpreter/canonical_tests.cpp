#include "base/support/digest.hpp"
#include "interpreter/canonical.hpp"

#include <gtest/gtest.h>

using namespace trl;
using namespace trl::interpreter;
using nlohmann::json;

TEST(Digest, IsSha256) {
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Canonical, IsOneTextForEqualValues) {
  EXPECT_EQ(canonical(json::parse(R"({"b": 1.0, "a": [2, 2.5]})")),
            canonical(json::parse(R"({"a":[2.0,2.5],"b":1})")));
  EXPECT_EQ(canonical(json::parse(R"({"b": 1.0, "a": 2e-4})")), R"({"a":0.0002,"b":1})");
}

TEST(Canonical, TellsValuesApart) {
  EXPECT_NE(canonical(json(1)), canonical(json("1")));
  EXPECT_NE(canonical(json(0.1)), canonical(json(0.1000000001)));
}
