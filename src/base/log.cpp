#include "base/log.hpp"

#include <spdlog/sinks/stdout_color_sinks.h>

namespace hiple {

void start_log(const std::string& who, bool verbose) {
  auto logger = std::make_shared<spdlog::logger>(who, std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
  logger->set_pattern(who.empty() ? "%H:%M:%S %^%l%$: %v" : "%H:%M:%S [%n] %^%l%$: %v");
  logger->set_level(verbose ? spdlog::level::debug : spdlog::level::info);
  spdlog::set_default_logger(std::move(logger));
}

}  // namespace hiple
