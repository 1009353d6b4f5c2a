// A project of somebody else that uses the installed libraries.
#include <base/build_info.hpp>
#include <iostream>
#include <plan/plan.hpp>

int main() {
  const hiple::Plan plan = hiple::make_plan({{"a", 1.0}, {"b", 3.0}}, 3);
  std::cout << hiple::software() << ": " << plan.engines.at(0).size() + plan.engines.at(1).size() << " engines\n";
}
