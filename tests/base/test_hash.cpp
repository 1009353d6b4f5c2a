#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/hash.hpp"

namespace hiple {
namespace {

// The examples of FIPS 180-4.
TEST(Sha256, KnownAnswers) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Sha256, TextsInARowAreNotConfused) {
  EXPECT_NE(Sha256().update_text("ab").update_text("c").digest(), Sha256().update_text("a").update_text("bc").digest());
}

TEST(Sha256, MissingFileIsNamed) {
  try {
    (void)sha256_file("/nowhere/at/all");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("/nowhere/at/all"), std::string::npos);
  }
}

}  // namespace
}  // namespace hiple
