#include "base/support/web_address.hpp"

#include <gtest/gtest.h>

namespace trl {
namespace {

TEST(WebAddress, OfANameOrANumber) {
  struct Case {
    const char *text, *host, *path, *authority;
    int port;
    bool secure, local;
  };
  const Case cases[] = {
      {"http://localhost:8000/v1", "localhost", "/v1", "localhost:8000", 8000, false, true},
      {"https://api.example.com/v1/", "api.example.com", "/v1", "api.example.com", 443, true, false},
      {"HTTP://h", "h", "", "h", 80, false, false},
      {"http://h/", "h", "", "h", 80, false, false},
      {"https://h:80", "h", "", "h:80", 80, true, false},
      {"http://[::1]:8000/v1", "::1", "/v1", "[::1]:8000", 8000, false, true},
      {"https://[2001:db8::1]", "2001:db8::1", "", "[2001:db8::1]", 443, true, false},
      {"http://[fe80::1%eth0]:1/a/b", "fe80::1%eth0", "/a/b", "[fe80::1%eth0]:1", 1, false, false},
      {"http://127.0.0.2:65535", "127.0.0.2", "", "127.0.0.2:65535", 65535, false, true},
      {"http://models_1.internal:8/x", "models_1.internal", "/x", "models_1.internal:8", 8, false, false},
  };
  for (const auto& one : cases) {
    const auto read = read_address(one.text);
    ASSERT_TRUE(read.address) << one.text << ": " << read.problem;
    EXPECT_EQ(read.address->host, one.host) << one.text;
    EXPECT_EQ(read.address->path, one.path) << one.text;
    EXPECT_EQ(read.address->port, one.port) << one.text;
    EXPECT_EQ(read.address->secure, one.secure) << one.text;
    EXPECT_EQ(read.address->local(), one.local) << one.text;
    EXPECT_EQ(read.address->authority(), one.authority) << one.text;
  }
}

TEST(WebAddress, AQueryIsKeptApart) {
  const auto read = read_address("https://h.example/openai/deployments/m/?api-version=2024-10-21&a=b/c");
  ASSERT_TRUE(read.address) << read.problem;
  EXPECT_EQ(read.address->path, "/openai/deployments/m");
  EXPECT_EQ(read.address->query, "?api-version=2024-10-21&a=b/c");
  EXPECT_EQ(read_address("http://h?x=1").address->host, "h");
  EXPECT_EQ(read_address("http://h:8/v1").address->query, "");
}

TEST(WebAddress, WhatIsNoneSaysWhy) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "begin with"},
      {"localhost:8000/v1", "begin with"},
      {"ftp://h/", "begin with"},
      {"://h", "begin with"},
      {"http://", "no host"},
      {"http:///v1", "no host"},
      {"http://:80", "no host"},
      {"http://h:", "port"},
      {"http://h:0", "port"},
      {"http://h:65536", "port"},
      {"http://h:-1", "port"},
      {"http://h:80x/", "port"},
      {"http://h:99999999999999999999", "port"},
      {"http://::1:8000", "colons"},
      {"http://[::1", "without its `]`"},
      {"http://[::1]8000", "behind its `]`"},
      {"http://[h]:8000", "IPv6"},
      {"http://user:key@h/v1", "before `@`"},
      {"http://h/v1#x", "`#`"},
      {"http://h/v1?a=1#x", "`#`"},
      {"http://h/v1?a=\r\nX: y", "blanks"},
      {"http://h /v1", "blanks"},
      {"http://h/v1\r\nX: y", "blanks"},
      {"http://h\xc3\xa4user/", "letters"},
      {"http://h$/", "letters"},
  };
  for (const auto& [text, problem] : cases) {
    const auto read = read_address(text);
    EXPECT_FALSE(read.address) << text;
    EXPECT_NE(read.problem.find(problem), std::string::npos) << text << ": " << read.problem;
  }
}

}  // namespace
}  // namespace trl
