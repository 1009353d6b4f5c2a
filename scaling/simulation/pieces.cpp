#include "scaling/simulation/pieces.hpp"

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.hpp"

namespace hiple::simulation {

const Pieces::Layer& Pieces::layer(std::int64_t inputs, std::int64_t outputs, std::int64_t rows) const {
  const auto found = layers.find({inputs, outputs, rows});
  if (found == layers.end())
    throw Error("nobody measured a layer of " + std::to_string(inputs) + " inputs, " + std::to_string(outputs) + " outputs and " +
                std::to_string(rows) + " rows (hiple-scaling pieces " + std::to_string(inputs) + "x" + std::to_string(outputs) +
                "x" + std::to_string(rows) + ")");
  return found->second;
}

double Pieces::adam_step(std::int64_t numbers) const {
  if (adam.empty()) throw Error("nobody measured Adam");
  double seconds = 0, nearest = INFINITY;
  for (const auto& [size, number] : adam) {
    const double distance = std::abs(std::log(static_cast<double>(size) / std::max(1.0, static_cast<double>(numbers))));
    if (distance < nearest) {
      nearest = distance;
      seconds = number * static_cast<double>(numbers);
    }
  }
  return seconds;
}

Pieces read_pieces(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw Error(path + ": cannot be read");
  try {
    const nlohmann::json json = nlohmann::json::parse(file);
    if (json.at("format") != "hiple pieces" || json.at("version") != 1) throw Error(path + ": holds no pieces of version 1");
    Pieces pieces;
    for (const auto& one : json.at("layers"))
      pieces.layers[{one.at("inputs"), one.at("outputs"), one.at("rows")}] = {.multiply = one.at("multiply"),
                                                                              .activate = one.at("activate"),
                                                                              .through_activation = one.at("through_activation"),
                                                                              .weight_row = one.at("weight_row"),
                                                                              .input = one.at("input")};
    for (const auto& one : json.at("adam")) pieces.adam[one.at("numbers")] = one.at("seconds");
    pieces.copy = json.at("copy");
    pieces.loss = json.at("loss");
    return pieces;
  } catch (const nlohmann::json::exception& error) {
    throw Error(path + ": is damaged: " + error.what());
  }
}

}  // namespace hiple::simulation
