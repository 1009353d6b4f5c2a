#include <algorithm>
#include <array>
#include <cmath>

#include "report/chart.hpp"
#include "report/page_sections.hpp"
#include "report/text_table.hpp"

namespace hiple::report {

namespace {

using Kind = Column::Kind;

constexpr std::size_t doings = 6;
constexpr std::array<const char*, doings> class_names = {"training", "judging", "writing", "waiting", "deciding", "other"};
constexpr std::array<const char*, doings> words = {"training", "judging",  "writing",
                                                   "waiting",  "deciding", "starting and ending"};
constexpr std::size_t shown_one_by_one = 48;

using Seconds = std::array<double, doings>;

Seconds seconds_of(const RankPicture& rank) {
  Seconds seconds{};
  for (const Span& span : rank.spans) seconds[static_cast<std::size_t>(span.doing)] += span.end - span.start;
  return seconds;
}

double end_of(const TimeLine& time) {
  double end = 0;
  for (const RankPicture& rank : time.ranks)
    for (const Span& span : rank.spans) end = std::max(end, span.end);
  return end;
}

std::string name_of(const RankPicture& rank) { return rank.rank < 0 ? rank.host : fmt::format("rank {}", rank.rank); }

Html legend(const TimeLine& time) {
  std::array<bool, doings> used{};
  for (const RankPicture& rank : time.ranks)
    for (const Span& span : rank.spans) used[static_cast<std::size_t>(span.doing)] = true;
  Html keys;
  for (std::size_t i = 0; i < doings; ++i)
    if (used[i])
      keys += html(
          "<span class=\"key\"><svg class=\"sample\" viewBox=\"0 0 24 8\" aria-hidden=\"true\"><rect class=\"{}\" width=\"24\" "
          "height=\"8\"/></svg>{}</span> ",
          class_names[i], words[i]);
  return html("<p class=\"legend\">{}</p>\n", keys);
}

/// Under the bars, in the same cell, so that it is as wide as they are.
Html scale(double end) {
  return html("<div class=\"scale\" aria-hidden=\"true\"><span>0 s</span><span>{}</span><span>{}</span></div>",
              seconds_text(end / 2), seconds_text(end));
}

Html bar_of(const RankPicture& rank, double end) {
  Html bars;
  for (const Span& span : rank.spans) {
    const std::string what = fmt::format("{}{}{}, {}", words[static_cast<std::size_t>(span.doing)],
                                         span.engine.empty() ? "" : " ", span.engine, seconds_text(span.end - span.start));
    bars += html("<rect class=\"{}\" x=\"{:.2f}\" y=\"0\" width=\"{:.2f}\" height=\"14\"><title>{}</title></rect>",
                 class_names[static_cast<std::size_t>(span.doing)], 1000 * span.start / end,
                 std::max(0.5, 1000 * (span.end - span.start) / end), what);
  }
  return html("<svg class=\"bar\" viewBox=\"0 0 1000 14\" preserveAspectRatio=\"none\" aria-hidden=\"true\">{}</svg>", bars);
}

std::vector<Column> rank_columns(bool pictures) {
  std::vector<Column> columns = {{"rank"}};
  if (pictures) columns.push_back({"what it did", Kind::picture});
  columns.push_back({"host"});
  for (const char* word : words) columns.push_back({word, Kind::number});
  return columns;
}

Html ranks_table(Ids& ids, const Html& caption, const std::vector<const RankPicture*>& ranks, double end, bool pictures) {
  std::vector<std::vector<Cell>> rows;
  for (const RankPicture* rank : ranks) {
    std::vector<Cell> row = {{Html::text(name_of(*rank)), std::to_string(rank->rank)}};
    if (pictures) row.push_back({bar_of(*rank, end) + (rank == ranks.back() ? scale(end) : Html())});
    row.push_back({name_html(rank->host)});
    for (const double seconds : seconds_of(*rank)) row.push_back(seconds_cell(seconds));
    rows.push_back(std::move(row));
  }
  return table_html(ids, caption, rank_columns(pictures), rows);
}

/// How many ranks did what over time: of a thousand ranks nobody reads a line each.
Html shares_over_time(Ids& ids, const TimeLine& time, double end) {
  constexpr std::size_t bins = 200;
  std::array<std::array<double, bins>, doings> counts{};
  for (const RankPicture& rank : time.ranks) {
    for (const Span& span : rank.spans) {
      const double first = bins * span.start / end, last = bins * span.end / end;
      for (auto bin = static_cast<std::size_t>(first); bin < bins && static_cast<double>(bin) < last; ++bin) {
        const auto at = static_cast<double>(bin);
        counts[static_cast<std::size_t>(span.doing)][bin] += std::max(0.0, std::min(last, at + 1) - std::max(first, at));
      }
    }
  }
  const auto ranks = static_cast<double>(time.ranks.size());
  std::array<double, bins> base{};
  Html areas;
  for (std::size_t doing = 0; doing < doings; ++doing) {
    std::string path, back;
    for (std::size_t bin = 0; bin < bins; ++bin) {
      const double low = base[bin], high = low + counts[doing][bin] / ranks;
      const std::size_t x = bin * 1000 / bins, next = (bin + 1) * 1000 / bins;
      path += fmt::format("{}{} {:.2f} L{} {:.2f}", path.empty() ? "M" : " L", x, 100 - 100 * high, next, 100 - 100 * high);
      back = fmt::format(" L{} {:.2f} L{} {:.2f}", next, 100 - 100 * low, x, 100 - 100 * low) + back;
      base[bin] = high;
    }
    areas += html("<path class=\"{}\" d=\"{}{}Z\"/>", class_names[doing], path, back);
  }
  const std::string id = ids.next("chart");
  return html(
      "<figure class=\"wide\"><svg class=\"areas\" viewBox=\"0 0 1000 100\" preserveAspectRatio=\"none\" role=\"img\" "
      "aria-labelledby=\"{0}-title {0}-desc\"><title id=\"{0}-title\">What {1} ranks did over time</title><desc "
      "id=\"{0}-desc\">At each "
      "moment the share of the ranks that trained, judged, wrote, waited or decided.</desc>{2}</svg>{3}<figcaption>share of all "
      "{1} "
      "ranks, from 0 at the foot to all at the top</figcaption></figure>\n",
      id, time.ranks.size(), areas, scale(end));
}

Html time_line_html(Ids& ids, const TimeLine& time) {
  const double end = end_of(time);
  if (!(end > 0)) return missing_html("the time line", "The ledger holds no phase of any rank.");
  std::vector<const RankPicture*> order;
  for (const RankPicture& rank : time.ranks) order.push_back(&rank);
  Html text = legend(time);
  if (order.size() <= shown_one_by_one)
    return text +
           ranks_table(
               ids,
               html("What each rank did, and for how long.{}",
                    order.size() > 1 ? " Where its bar has ended, a rank stands in MPI_Finalize, which waits for all" : ""),
               order, end, true);
  text += shares_over_time(ids, time, end);
  constexpr std::size_t extremes = 8;
  auto slowest = order;
  const auto busy = [](const RankPicture* rank) { return seconds_of(*rank)[0]; };
  std::stable_sort(slowest.begin(), slowest.end(), [&](const auto* a, const auto* b) { return busy(a) > busy(b); });
  slowest.resize(extremes);
  text += ranks_table(ids, html("The {} ranks that trained longest, of {}", extremes, order.size()), slowest, end, true);
  return text + fold_html(html("All {} ranks in numbers", order.size()),
                          ranks_table(ids, html("Seconds of each rank"), order, end, false));
}

Html rank_seconds_html(Ids& ids, const RankSeconds& seconds) {
  const double total = seconds.useful + seconds.repeated + seconds.waiting + seconds.lost;
  const auto row = [&](const char* what, const char* meaning, double value) -> std::vector<Cell> {
    return {{Html::text(what)},
            {Html::text(meaning)},
            seconds_cell(value),
            {html("{}", total > 0 ? fmt::format("{:.0f} %", 100 * value / total) : std::string("n/a"))}};
  };
  return table_html(
      ids,
      html("Rank-seconds of the whole job: ranks times its duration. {} attempts to train an engine, {} of them failed",
           seconds.attempts, seconds.failed_attempts),
      {{"kind"}, {"that is", Kind::prose}, {"rank-seconds", Kind::number}, {"share", Kind::number}},
      {row("useful", "work that the result rests on", seconds.useful),
       row("repeated", "lost in a failure and done again", seconds.repeated),
       row("waiting", "asleep, starting and ending; an MPI job holds every rank until the last has ended", seconds.waiting),
       row("lost", "nothing came of it", seconds.lost)});
}

Cell bytes_cell(std::uint64_t bytes) { return count_cell(bytes); }

Html phases_table(Ids& ids, const MpiLedger& ledger) {
  std::vector<std::vector<Cell>> rows;
  for (const PhaseLine& phase : ledger.phases)
    rows.push_back({{Html::text(phase.phase)},
                    count_cell(phase.ranks),
                    count_cell(phase.calls),
                    bytes_cell(phase.bytes),
                    seconds_cell(phase.wait_seconds),
                    seconds_cell(phase.seconds)});
  return table_html(ids, html("Every call of MPI, by what the ranks were doing, all ranks together"),
                    {{"phase"},
                     {"ranks", Kind::number},
                     {"calls", Kind::number},
                     {"bytes", Kind::number},
                     {"waiting in MPI", Kind::number},
                     {"rank-seconds", Kind::number}},
                    rows);
}

Html functions_table(Ids& ids, const MpiLedger& ledger) {
  if (ledger.functions.empty()) return html("<p>No function of MPI was called at all.</p>\n");
  std::vector<std::vector<Cell>> rows;
  for (const FunctionLine& function : ledger.functions)
    rows.push_back({{html("<code>{}</code>", function.function)},
                    {Html::text(function.phase)},
                    {name_html(function.communicator)},
                    count_cell(function.ranks),
                    count_cell(function.calls),
                    bytes_cell(function.bytes),
                    seconds_cell(function.wait_seconds)});
  return table_html(ids, html("The functions that were called"),
                    {{"function"},
                     {"phase"},
                     {"communicator"},
                     {"ranks", Kind::number},
                     {"calls", Kind::number},
                     {"bytes", Kind::number},
                     {"waiting", Kind::number}},
                    rows);
}

}  // namespace

Html time_html(Ids& ids, const Picture& picture) {
  Html text;
  if (picture.time.content) {
    text += time_line_html(ids, *picture.time.content);
    if (!picture.time.content->note.empty()) text += html("<p>{}</p>\n", picture.time.content->note);
  } else {
    text += missing_html("the time line of the ranks", picture.time.missing);
  }
  return picture.rank_seconds
             ? text + rank_seconds_html(ids, *picture.rank_seconds)
             : text + missing_html("rank-seconds",
                                   "STATUS has none: the run has not ended, or its engines were trained one by one.");
}

Html mpi_html(Ids& ids, const Picture& picture) {
  Html text;
  if (picture.certificate.content) {
    const CertificateLine& certificate = *picture.certificate.content;
    text += html("<p>Whether the ranks synchronised while they trained: {}</p>\n", badge_html(certificate.verdict));
    Html reasons;
    for (const std::string& reason : certificate.reasons) reasons += html("<li>{}</li>\n", reason);
    if (!reasons.empty()) text += html("<ul>\n{}</ul>\n", reasons);
  } else {
    text += missing_html("the certificate", picture.certificate.missing);
  }
  if (!picture.mpi.content) return text + missing_html("the ledger of MPI", picture.mpi.missing);
  return text + phases_table(ids, *picture.mpi.content) + functions_table(ids, *picture.mpi.content);
}

}  // namespace hiple::report
