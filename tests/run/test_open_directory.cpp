#include <gmock/gmock.h>

#include "run/open_directory.hpp"

namespace hiple {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

EngineConfig engine(const std::string& name) {
  EngineConfig engine;
  engine.name = name;
  engine.target = "t";
  engine.features = {"a", "b"};
  return engine;
}

RunConfig config() {
  RunConfig config;
  config.name = "study";
  config.seed = 7;
  config.data.table = "/data/cases.csv";
  config.data.schema = "/data/schema.yaml";
  config.law = "/data/law.yaml";
  config.output = "/out";
  config.engines = {engine("one"), engine("two")};
  return config;
}

TEST(Differences, NoneBetweenEquals) { EXPECT_THAT(differences(config(), config()), IsEmpty()); }

TEST(Differences, OrderOfEnginesAndWhatDecidesMayChange) {
  RunConfig wanted = config();
  std::swap(wanted.engines[0], wanted.engines[1]);
  wanted.output = "/elsewhere";
  wanted.law = "/data/new_law.yaml";
  wanted.gates = "/data/gates.yaml";
  wanted.integrate.deadline = 5;
  EXPECT_THAT(differences(config(), wanted), IsEmpty());
}

TEST(Differences, ASettingIsNamedWithBothValues) {
  RunConfig wanted = config();
  wanted.engines[1].train.epochs = 80;
  wanted.seed = 8;
  EXPECT_THAT(differences(config(), wanted), ElementsAre("engines.two.train.epochs: was 100, is 80", "seed: was 7, is 8"));
}

TEST(Differences, FeaturesAreNamedOneByOne) {
  RunConfig wanted = config();
  wanted.engines[0].features = {"a", "b", "c"};
  EXPECT_THAT(differences(config(), wanted), ElementsAre(HasSubstr("engines.one.features.3")));
}

TEST(Differences, AnEngineMayJoinButNotLeave) {
  RunConfig wanted = config();
  wanted.engines.push_back(engine("three"));
  EXPECT_THAT(differences(config(), wanted), IsEmpty());
  EXPECT_THAT(differences(wanted, config()), testing::Contains(HasSubstr("engines.three.name: was three, is gone")));
}

}  // namespace
}  // namespace hiple
