#include <nlohmann/json.hpp>

#include "base/build_info.hpp"
#include "base/date.hpp"
#include "base/file.hpp"
#include "mpi/ledger/certificate.hpp"

namespace hiple::mpi {

namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Share& share) {
  return {{"calls", share.calls},
          {"bytes", share.bytes},
          {"wait_seconds", share.wait_seconds},
          {"seconds_in_mpi", share.seconds_in_mpi},
          {"seconds", share.seconds}};
}

Json json_of(const RankShare& share) {
  Json json = {{"rank", share.rank}, {"host", share.host}, {"steps", share.steps}};
  json["training"] = json_of(share.training);
  json["outside"] = json_of(share.outside);
  json["watched"] = share.not_watched.empty();
  if (!share.not_watched.empty()) json["why_not"] = share.not_watched;
  return json;
}

Json json_of(const FoundCall& found) {
  return {{"rank", found.rank},
          {"phase", phase_names.at(static_cast<std::size_t>(found.phase))},
          {"function", found.function},
          {"communicator", found.communicator},
          {"calls", found.calls},
          {"bytes", found.bytes},
          {"wait_seconds", found.wait_seconds}};
}

Json json_of(const EngineShare& share) {
  return {{"engine", share.engine}, {"isolation", share.isolation}, {"attempt", share.attempt},
          {"steps", share.steps},   {"mapped", share.mapped},       {"internet", share.internet}};
}

Json json_of_build(const Certificate& certificate) {
  const BuildInfo& build = build_info();
  Json json = {{"version", build.version},       {"revision", build.revision}, {"compiler", build.compiler},
               {"build_type", build.build_type}, {"flags", build.flags},       {"mpi", Json::array()}};
  for (const RankShare& share : certificate.shares) {
    if (!share.mpi.empty() && std::find(json["mpi"].begin(), json["mpi"].end(), share.mpi) == json["mpi"].end())
      json["mpi"].push_back(share.mpi);
  }
  return json;
}

}  // namespace

std::string certificate_json(const Certificate& certificate) {
  Json json = {{"format", "hiple certificate"},
               {"version", 1},
               {"verdict", name_of(certificate.verdict)},
               {"reason", certificate.reason},
               {"ranks", certificate.ranks},
               {"missing", certificate.missing},
               {"steps", certificate.steps},
               {"training", json_of(certificate.training)},
               {"found", Json::array()},
               {"per_rank", Json::array()},
               {"libraries", Json::array()}};
  for (const FoundCall& found : certificate.found) json["found"].push_back(json_of(found));
  for (const RankShare& share : certificate.shares) json["per_rank"].push_back(json_of(share));
  json["engines"] = Json::array();
  for (const EngineShare& share : certificate.engines.shares) json["engines"].push_back(json_of(share));
  json["engines_missing"] = certificate.engines.missing;
  for (const Library& library : certificate.libraries)
    json["libraries"].push_back({{"kind", library.kind}, {"path", library.path}});
  json["build"] = json_of_build(certificate);
  json["init_seconds"] = certificate.init_seconds;
  if (certificate.ranks > 0)
    json["apart"] =
        "MPI_Init and MPI_Finalize synchronise all ranks. MPI_Init is counted under \"outside\"; MPI_Finalize comes after "
        "this file is written";
  json["time"] = utc_now();
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void write_certificate(const std::filesystem::path& path, const Certificate& certificate) {
  write_file(path, certificate_json(certificate));
}

}  // namespace hiple::mpi
