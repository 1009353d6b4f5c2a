#include <gtest/gtest.h>

#include "base/error.hpp"
#include "condition/condition.hpp"

namespace hiple::condition {
namespace {

Scope one_engine(Vocabulary& vocabulary) {
  Scope scope;
  scope.vocabulary = &vocabulary;
  scope.engines["hypo"] = {.index = 0, .classes = {"none", "p"}, .group = ""};
  scope.panels["root"] = {"hypo"};
  return scope;
}

// As for any real: only a whole constant can be met exactly.
TEST(AggregateEquality, NeedsAWholeConstant) {
  Vocabulary vocabulary;
  const Scope scope = one_engine(vocabulary);
  EXPECT_THROW(Condition("count(root, each.judged) == 0.5", scope, Place{}), InputError);
  EXPECT_THROW(Condition("mean(root.confidence) != 0.5", scope, Place{}), InputError);
  EXPECT_NO_THROW(Condition("count(root, each.judged) == 1", scope, Place{}));
  EXPECT_NO_THROW(Condition("mean(root.confidence) != 1", scope, Place{}));
}

}  // namespace
}  // namespace hiple::condition
