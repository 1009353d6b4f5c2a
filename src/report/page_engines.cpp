#include <algorithm>
#include <cmath>
#include <map>

#include "report/chart.hpp"
#include "report/page_sections.hpp"
#include "report/text_table.hpp"

namespace hiple::report {

namespace {

using Kind = Column::Kind;
using Reliability = std::map<std::string, const gate::EngineFigures*>;

constexpr std::size_t shown_at_once = 12;

Cell state_cell(const EnginePicture& engine) {
  if (engine.line.available) return {badge_html("done"), "0"};
  return {html("{} {}", badge_html(engine.state), engine.line.reason), "1"};
}

Html engines_table(Ids& ids, const std::vector<EnginePicture>& engines) {
  const bool numbers = std::any_of(engines.begin(), engines.end(), [](const auto& e) { return std::isfinite(e.line.rmse); });
  std::vector<Column> columns = {{"engine"},
                                 {"state"},
                                 {"domain"},
                                 {"target"},
                                 {"accuracy", Kind::number},
                                 {"balanced", Kind::number},
                                 {"calibration error", Kind::number},
                                 {"held-out rows", Kind::number},
                                 {"abstained", Kind::number},
                                 {"parameters", Kind::number},
                                 {"epochs", Kind::number},
                                 {"training", Kind::number},
                                 {"cases that asked it", Kind::number}};
  if (numbers) columns.push_back({"rmse", Kind::number});
  std::vector<std::vector<Cell>> rows;
  for (const EnginePicture& engine : engines) {
    const EngineLine& line = engine.line;
    rows.push_back({{name_html(line.name)},
                    state_cell(engine),
                    {name_html(engine.domain)},
                    {name_html(engine.target)},
                    number_cell(line.accuracy),
                    number_cell(line.balanced_accuracy),
                    number_cell(engine.calibration_error),
                    count_cell(line.test_rows),
                    count_cell(line.abstained),
                    count_cell(line.parameters),
                    count_cell(static_cast<std::uint64_t>(std::max<std::int64_t>(line.epochs, 0))),
                    seconds_cell(line.seconds),
                    count_cell(engine.consulted)});
    if (numbers) rows.back().push_back(number_cell(line.rmse));
  }
  return table_html(
      ids, html("All {} engines; figures are of each engine's own held-out rows, which it never saw in training", engines.size()),
      columns, rows);
}

Html training_chart(Ids& ids, const EnginePicture& engine) {
  Series training{"training loss", Look::solid, {}, {}, {}},
      stop{"loss on rows that decide when to stop", Look::dashed, {}, {}, {}};
  std::vector<double> epochs, losses;
  for (const CurvePoint& point : engine.curve) {
    const auto epoch = static_cast<double>(point.epoch);
    training.points.emplace_back(epoch, point.training_loss);
    stop.points.emplace_back(epoch, point.early_stop_loss);
    epochs.push_back(epoch);
    losses.push_back(point.training_loss);
    losses.push_back(point.early_stop_loss);
  }
  return chart_html(
      ids, {fmt::format("Training of {}", shortened(engine.line.name, 60)),
            fmt::format("Losses over {} epochs.", engine.curve.empty() ? 0 : engine.curve.back().epoch),
            axis_of("epoch", epochs, false),
            axis_of("loss", losses, true),
            {training, stop},
            fmt::format("Losses of {} moments: one is written down in ten seconds at most, and the last.", engine.curve.size())});
}

Html reliability_chart(Ids& ids, const gate::EngineFigures& figures) {
  Series bins{"share that is right (larger: more cases)", Look::points, {}, {}, {}};
  std::uint64_t most = 1;
  for (const auto& bin : figures.bins) most = std::max(most, bin.count);
  for (const auto& bin : figures.bins) {
    if (bin.count == 0) continue;
    const auto count = static_cast<double>(bin.count);
    bins.points.emplace_back(bin.confidence / count, static_cast<double>(bin.right) / count);
    bins.sizes.push_back(2 + 6 * std::sqrt(count / static_cast<double>(most)));
  }
  return chart_html(ids, {fmt::format("Reliability of {}", shortened(figures.engine, 60)),
                          fmt::format("How often it is right, over how sure it is, on {} test cases. On the line both are equal. "
                                      "Expected calibration error {}.",
                                      count_text(figures.judged), number_text(figures.ece)),
                          {"confidence", 0, 1.02},
                          {"share right", 0, 1.05},
                          {bins, {"as right as it is sure", Look::faint, {{0, 0}, {1, 1}}, {}, {}}}});
}

Html curves_of(Ids& ids, const EnginePicture& engine, const Reliability& reliability) {
  Html content;
  if (!engine.line.available && !engine.line.reason.empty())
    content += html("<p class=\"warning\"><strong>Failed:</strong> {}</p>\n", engine.line.reason);
  if (!engine.last_lines.empty()) {
    Html lines;
    for (const std::string& line : engine.last_lines) lines += html("{}\n", line);
    content += html("<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"what it said last\"><pre>{}</pre></div>\n",
                    lines);
  }
  const Html training = training_chart(ids, engine);
  content += training.empty() ? missing_html("the training curve",
                                             "No loss was written down on this machine: the engine is a command, "
                                             "was trained elsewhere, or never began.")
                              : training;
  const auto found = reliability.find(engine.line.name);
  if (found != reliability.end()) {
    const Html diagram = reliability_chart(ids, *found->second);
    content += diagram.empty() ? missing_html("the reliability diagram", "It judged no test case with a known truth.") : diagram;
  } else if (!reliability.empty()) {
    content += missing_html("the reliability diagram", "It has not judged, or tells numbers, of which there are no classes.");
  }
  return html("<article class=\"engine\"><h3>{}</h3>\n{}</article>\n", name_html(engine.line.name), content);
}

/// Failed ones first, then the least accurate: where to look.
std::vector<const EnginePicture*> worst_first(const std::vector<EnginePicture>& engines) {
  std::vector<const EnginePicture*> order;
  for (const EnginePicture& engine : engines) order.push_back(&engine);
  const auto key = [](const EnginePicture* engine) {
    const double accuracy = std::isfinite(engine->line.balanced_accuracy) ? engine->line.balanced_accuracy : 2.0;
    return std::make_pair(engine->line.available, accuracy);
  };
  std::stable_sort(order.begin(), order.end(), [&](const auto* a, const auto* b) { return key(a) < key(b); });
  return order;
}

/// Where a number of engines lie on one line, each a stroke.
Html spread_row(const char* what, const std::vector<EnginePicture>& engines, double (*value)(const EnginePicture&), double high,
                const std::string& low_text, const std::string& high_text) {
  Html strokes;
  for (const EnginePicture& engine : engines)
    if (const double at = value(engine); std::isfinite(at) && high > 0)
      strokes += html("<path d=\"M{:.1f} 1 V13\"/>", 1000 * std::clamp(at / high, 0.0, 1.0));
  return html(
      "<tr><th scope=\"row\">{}</th><td class=\"number\">{}</td><td class=\"picture\"><svg class=\"bar strokes\" viewBox=\"0 0 "
      "1000 "
      "14\" preserveAspectRatio=\"none\" aria-hidden=\"true\"><path class=\"base\" d=\"M0 7 "
      "H1000\"/>{}</svg></td><td>{}</td></tr>\n",
      what, low_text, strokes, high_text);
}

Html spread_html(const std::vector<EnginePicture>& engines) {
  double longest = 0;
  for (const EnginePicture& engine : engines)
    if (std::isfinite(engine.line.seconds)) longest = std::max(longest, engine.line.seconds);
  return html(
      "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"spread of the engines\"><table>\n<caption>Where the "
      "engines lie, "
      "each a stroke</caption>\n<thead><tr><th scope=\"col\">figure</th><th scope=\"col\">from</th><th "
      "scope=\"col\">engines</th><th "
      "scope=\"col\">to</th></tr></thead>\n<tbody>{}{}{}</tbody></table></div>\n",
      spread_row(
          "accuracy", engines, [](const EnginePicture& e) { return e.line.accuracy; }, 1, "0", "1"),
      spread_row(
          "balanced accuracy", engines, [](const EnginePicture& e) { return e.line.balanced_accuracy; }, 1, "0", "1"),
      spread_row(
          "training", engines, [](const EnginePicture& e) { return e.line.seconds; }, longest, "0 s", seconds_text(longest)));
}

}  // namespace

Html engines_html(Ids& ids, const Picture& picture) {
  if (picture.engines.empty()) return missing_html("engines", "The run has none.");
  Reliability reliability;
  if (picture.gates.content)
    for (const gate::EngineFigures& figures : picture.gates.content->engines) reliability[figures.engine] = &figures;
  const auto order = worst_first(picture.engines);
  Html first, others;
  for (std::size_t i = 0; i < order.size(); ++i) (i < shown_at_once ? first : others) += curves_of(ids, *order[i], reliability);
  Html text;
  if (reliability.empty())
    text += missing_html("reliability diagrams",
                         picture.gates.content ? "No engine that tells classes has judged a test case." : picture.gates.missing);
  const bool many = order.size() > shown_at_once;
  if (many) text += spread_html(picture.engines);
  const Html table = engines_table(ids, picture.engines);
  text += many ? fold_html(html("Figures of all {} engines", order.size()), table) : table;
  if (many)
    text +=
        html("<p>Below are the {} engines to look at first: those that failed, then those of the least balanced accuracy.</p>\n",
             shown_at_once);
  text += html("<div class=\"engines\">\n{}</div>\n", first);
  if (many)
    text += fold_html(html("Curves of the other {} engines", order.size() - shown_at_once),
                      html("<div class=\"engines\">\n{}</div>\n", others));
  return text;
}

}  // namespace hiple::report
