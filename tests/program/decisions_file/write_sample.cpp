// Writes the decisions of tests/law/sample_decisions.hpp, for test_decisions_file.py: write_sample FILE CASES.
#include <string>

#include "base/text.hpp"
#include "law/sample_decisions.hpp"

int main(int count, char** arguments) {
  if (count != 3) return 2;
  const auto cases = hiple::parse_unsigned(arguments[2]);
  if (!cases) return 2;
  hiple::law::Decisions decisions = hiple::law::sample_decisions(*cases);
  decisions.root = hiple::law::root_hash(decisions);
  hiple::law::write_decisions(arguments[1], decisions);
}
