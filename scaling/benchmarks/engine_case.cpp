#include "scaling/benchmarks/engine_case.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

namespace hiple::engine {

double Case::operations() const {
  double sum = 0;
  const Layout layout(shape);
  for (std::size_t i = 0; i < layout.layers.size(); ++i) {
    sum += (i == 0 ? 4.0 : 6.0) * static_cast<double>(layout.layers[i].rows * layout.layers[i].columns * batch);
  }
  return sum;
}

Case parse_case(const std::string& text) {
  const auto wrong = [&text] {
    return InputError({}, "the case '" + text + "' is none", "a case is WIDTH-...-WIDTH:BATCH, as 32-64-64-8:64");
  };
  const auto number = [&wrong](const std::string& part) {
    const auto value = parse_integer(part);
    if (!value || *value < 1) throw wrong();
    return *value;
  };
  const auto parts = split(text, ':');
  if (parts.size() != 2) throw wrong();
  const auto widths = split(parts[0], '-');
  if (widths.size() < 2) throw wrong();
  Case result{.name = text, .shape = {}, .batch = number(parts[1])};
  result.shape.inputs = number(widths.front());
  result.shape.outputs = number(widths.back());
  for (std::size_t i = 1; i + 1 < widths.size(); ++i) result.shape.hidden.push_back(number(widths[i]));
  return result;
}

}  // namespace hiple::engine
