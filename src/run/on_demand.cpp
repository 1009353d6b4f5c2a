#include "run/on_demand.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/file.hpp"
#include "base/text.hpp"
#include "judgment/request.hpp"
#include "law/consult.hpp"
#include "law/model.hpp"
#include "run/engine_record.hpp"
#include "run/integrate.hpp"
#include "run/look_times.hpp"

namespace hiple {

namespace {

class Asker {
 public:
  Asker(const PreparedRun& run, const RunDirectory& directory, const Table& table, std::vector<Arrival>& arrivals,
        const Answering& answering)
      : run_(run), directory_(directory), table_(table), arrivals_(arrivals), answering_(answering), law_(run.law.model()) {}

  Asking run() {
    Asking asking;
    for (std::size_t rounds = 0; anything_unasked();) {
      const law::Consultation found = consult(rounds);
      if (found.open() == 0) {
        if (!found.goes_on) break;
        ++rounds;
        continue;
      }
      lost_ = false;
      const auto asked = write_requests(found, rounds);
      if (!asked.empty()) {
        ++asking.askings;
        if (!answering_.ask) return {asking.askings, open(found, asked)};
        answering_.ask(asked);
        wait(found, asked);
      }
      // Without one of the engines other cases are asked about, from the first round on.
      if (lost_) rounds = 0;
    }
    // A request of another law, or of an engine that has failed, would be answered for nobody.
    for (const Arrival& arrival : arrivals_) std::filesystem::remove(directory_.request(arrival.engine));
    return asking;
  }

 private:
  /// Where everything is judged there is nothing to find out.
  [[nodiscard]] bool anything_unasked() const {
    return std::any_of(arrivals_.begin(), arrivals_.end(), [](const Arrival& arrival) {
      if (!arrival.judgments) return false;
      const auto& statuses = arrival.judgments->status;
      return std::find(statuses.begin(), statuses.end(), JudgmentStatus::not_asked) != statuses.end();
    });
  }

  [[nodiscard]] law::Consultation consult(std::size_t rounds) const {
    const auto engines = judgments_for_law(arrivals_);
    const law::Inputs inputs(run_.law.model(), table_, engines);
    law::Consultation found;
    law::consult(run_.law, law_, inputs, rounds, found);
    // What was judged elsewhere cannot be asked here: what it does not say stays unknown.
    for (std::size_t i = 0; i < found.unasked.size(); ++i)
      if (!std::filesystem::exists(directory_.checkpoint(run_.law.model().engines[i].name))) found.unasked[i].clear();
    return found;
  }

  /// The cases that an engine of the configuration is asked about.
  [[nodiscard]] const std::vector<std::uint64_t>& cases_of(const law::Consultation& found, std::size_t index) const {
    const auto& engines = run_.law.model().engines;
    const auto at = std::find_if(engines.begin(), engines.end(),
                                 [&](const law::EngineDescription& e) { return e.name == arrivals_[index].engine; });
    return found.unasked.at(static_cast<std::size_t>(at - engines.begin()));
  }

  std::vector<std::size_t> write_requests(const law::Consultation& found, std::size_t rounds) {
    std::vector<std::size_t> asked;
    for (std::size_t i = 0; i < arrivals_.size(); ++i) {
      const auto& cases = cases_of(found, i);
      if (cases.empty()) continue;
      const Judgments& held = *arrivals_[i].judgments;
      JudgingRequest request{held.engine, cases, held.config_sha256, held.data_sha256, run_.law.sha256(), rounds, 1};
      if (!answering_.ask && was_given_up(i, request)) continue;
      std::filesystem::remove(directory_.failure(held.engine));
      make_folder(directory_.request(held.engine).parent_path());
      write_request(directory_.request(held.engine), request);
      spdlog::info("the law asks engine {} about {} more cases", held.engine, cases.size());
      asked.push_back(i);
    }
    return asked;
  }

  /// Looks at the request that is there: whether its engine has failed at it, or was asked too often.
  bool was_given_up(std::size_t index, JudgingRequest& request) {
    const auto path = directory_.request(request.engine);
    if (!std::filesystem::exists(path)) return false;
    JudgingRequest before;
    try {
      before = read_request(path, request.engine);
    } catch (const InputError& error) {
      spdlog::warn("{}; asking again", error.what());
      return false;
    }
    if (before.law_sha256 != request.law_sha256) return false;
    request.times = before.times + 1;
    if (const auto reason = read_failure(directory_.failure(request.engine))) {
      lose(index, "failed when it was asked to judge more: " + *reason);
    } else if (request.times > static_cast<std::uint64_t>(run_.config.restarts) + 1) {
      lose(index, fmt::format("was asked {} times to judge more, and did not", before.times));
    } else {
      return false;
    }
    std::filesystem::remove(path);
    return true;
  }

  void lose(std::size_t index, const std::string& reason) {
    spdlog::error("engine {} {}", arrivals_[index].engine, reason);
    arrivals_[index].judgments.reset();
    arrivals_[index].sha256.clear();
    arrivals_[index].reason = reason;
    lost_ = true;
  }

  [[nodiscard]] std::vector<std::pair<std::string, std::uint64_t>> open(const law::Consultation& found,
                                                                        const std::vector<std::size_t>& asked) const {
    std::vector<std::pair<std::string, std::uint64_t>> open;
    for (const std::size_t index : asked) open.emplace_back(arrivals_[index].engine, cases_of(found, index).size());
    return open;
  }

  /// Until each has answered, failed, is gone or late.
  void wait(const law::Consultation& found, std::vector<std::size_t> asked) {
    using Clock = std::chrono::steady_clock;
    constexpr double longest = 1e8;  // seconds; the clock's range is not exceeded
    const auto limit = std::chrono::duration<double>(std::min(answering_.deadline, longest));
    const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(limit);
    for (LookTimes looks; !asked.empty();) {
      if (looks.due(answering_.told && answering_.told()))
        std::erase_if(asked, [&](std::size_t index) { return look(index, cases_of(found, index)); });
      if (asked.empty() || Clock::now() >= deadline) break;
      std::this_thread::sleep_for(LookTimes::tick);
    }
    for (const std::size_t index : asked)
      lose(index,
           fmt::format("was asked to judge more, and did not within the deadline of {} s", format_real(answering_.deadline)));
  }

  /// Whether it is known what became of a request. It is taken away when the answer is there; the failure is written before.
  bool look(std::size_t index, const std::vector<std::uint64_t>& cases) {
    const std::string& name = arrivals_[index].engine;
    if (!std::filesystem::exists(directory_.request(name))) return take(index, cases);
    if (const auto reason = read_failure(directory_.failure(name))) {
      lose(index, "failed when it was asked to judge more: " + *reason);
      return true;
    }
    const std::string gone = answering_.lost ? answering_.lost(index) : std::string();
    if (gone.empty() || !std::filesystem::exists(directory_.request(name))) return false;
    lose(index, "lost when it was asked to judge more: " + gone);
    return true;
  }

  /// Whether its judgments say something of all these cases; a network file system may still show the file before.
  bool take(std::size_t index, const std::vector<std::uint64_t>& cases) {
    Arrival& arrival = arrivals_[index];
    const auto file = directory_.judgments(arrival.engine);
    try {
      Judgments judgments = read_judgments(file);
      const bool same =
          judgments.config_sha256 == arrival.judgments->config_sha256 && judgments.data_sha256 == arrival.judgments->data_sha256;
      if (same && !has_judged(judgments, cases)) return false;
      if (same) {
        arrival.sha256 = judgments.sha256;
        arrival.judgments = std::move(judgments);
      } else {
        lose(index, "answered from other data or another configuration");
      }
    } catch (const Error& error) {
      lose(index, fmt::format("answered, and its judgments cannot be read: {}", error.what()));
    }
    return true;
  }

  static bool has_judged(const Judgments& judgments, const std::vector<std::uint64_t>& cases) {
    auto at = judgments.case_id.begin();
    return std::all_of(cases.begin(), cases.end(), [&](std::uint64_t id) {
      at = std::lower_bound(at, judgments.case_id.end(), id);
      return at != judgments.case_id.end() && *at == id &&
             judgments.status[static_cast<std::size_t>(at - judgments.case_id.begin())] != JudgmentStatus::not_asked;
    });
  }

  const PreparedRun& run_;
  const RunDirectory& directory_;
  const Table& table_;
  std::vector<Arrival>& arrivals_;
  const Answering& answering_;
  const law::ColumnarLaw law_;
  bool lost_ = false;
};

}  // namespace

Asking ask_engines(const PreparedRun& run, const RunDirectory& directory, const Table& table, std::vector<Arrival>& arrivals,
                   const Answering& answering) {
  return Asker(run, directory, table, arrivals, answering).run();
}

}  // namespace hiple
