#include "judgment/request.hpp"

#include <algorithm>
#include <functional>

#include "base/error.hpp"
#include "h5/h5.hpp"

namespace hiple {

namespace {

constexpr const char* format = "hiple request";
constexpr std::uint32_t version = 1;

bool is_ascending(const std::vector<std::uint64_t>& ids) {
  return std::adjacent_find(ids.begin(), ids.end(), std::greater_equal<>()) == ids.end();
}

}  // namespace

void write_request(const std::filesystem::path& path, const JudgingRequest& request) {
  if (!is_ascending(request.case_id)) throw Error(path.string() + ": the cases of a request are not ascending");
  h5::Writer file(path, format, version);
  file.attribute("/", "engine", request.engine);
  file.attribute("/", "config_sha256", request.config_sha256);
  file.attribute("/", "data_sha256", request.data_sha256);
  file.attribute("/", "law_sha256", request.law_sha256);
  file.attribute("/", "round", request.round);
  file.attribute("/", "times", request.times);
  file.write("case_id", request.case_id);
  file.finish();
}

JudgingRequest read_request(const std::filesystem::path& path, const std::string& engine) {
  const h5::Reader file(path, format, version);
  JudgingRequest request;
  request.engine = file.attribute_text("/", "engine");
  request.config_sha256 = file.attribute_text("/", "config_sha256");
  request.data_sha256 = file.attribute_text("/", "data_sha256");
  request.law_sha256 = file.attribute_text("/", "law_sha256");
  request.round = file.attribute<std::uint64_t>("/", "round");
  request.times = file.attribute<std::uint64_t>("/", "times");
  request.case_id = file.read<std::uint64_t>("case_id");
  if (request.engine != engine)
    throw InputError(Place{path.string()}, "asks engine " + request.engine + ", not " + engine, {},
                     "remove it, and ask again with `hiple integrate`");
  if (!is_ascending(request.case_id))
    throw InputError(Place{path.string()}, "its cases are not ascending", {}, "remove it, and ask again with `hiple integrate`");
  return request;
}

}  // namespace hiple
