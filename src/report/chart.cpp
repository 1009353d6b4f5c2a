#include "report/chart.hpp"

#include <algorithm>
#include <cmath>

#include "report/text_table.hpp"

namespace hiple::report {

namespace {

constexpr double width = 340, height = 220, left = 54, right = 12, top = 10, bottom = 38;

bool can_be_shown(const Axis& axis, double value) { return std::isfinite(value) && (!axis.logarithmic || value > 0); }

/// 0 at the low end, 1 at the high one.
double place_on(const Axis& axis, double value) {
  if (axis.logarithmic) return (std::log10(value) - std::log10(axis.low)) / (std::log10(axis.high) - std::log10(axis.low));
  return (value - axis.low) / (axis.high - axis.low);
}

std::string tick_text(double value) {
  const double size = std::abs(value);
  if (size != 0 && (size < 1e-3 || size >= 1e5)) return fmt::format("{:.0e}", value);
  return fmt::format("{:.4g}", value);
}

std::vector<double> ticks_of(const Axis& axis) {
  std::vector<double> ticks;
  if (axis.logarithmic) {
    const auto first = static_cast<int>(std::ceil(std::log10(axis.low) - 1e-9)),
               last = static_cast<int>(std::floor(std::log10(axis.high) + 1e-9));
    const int step = std::max(1, (last - first + 4) / 5);
    for (int power = first; power <= last; power += step) ticks.push_back(std::pow(10.0, power));
    if (ticks.size() >= 2) return ticks;
    for (int power = first - 1; power <= last; ++power)  // less than two decades
      for (const double factor : {2.0, 5.0})
        if (const double tick = factor * std::pow(10.0, power); tick >= axis.low && tick <= axis.high) ticks.push_back(tick);
    return ticks;
  }
  const double rough = (axis.high - axis.low) / 4, power = std::pow(10.0, std::floor(std::log10(rough)));
  double step = power;
  for (const double factor : {2.0, 5.0, 10.0})
    if (step < rough * 0.999) step = factor * power;
  for (double tick = std::ceil(axis.low / step - 1e-9) * step; tick <= axis.high + step * 1e-9; tick += step)
    ticks.push_back(std::abs(tick) < step * 1e-9 ? 0 : tick);
  return ticks;
}

class Drawing {
 public:
  explicit Drawing(const Chart& chart) : chart_(chart) {}

  [[nodiscard]] double x(double value) const { return left + (width - left - right) * place_on(chart_.x, value); }
  [[nodiscard]] double y(double value) const { return height - bottom - (height - top - bottom) * place_on(chart_.y, value); }

  [[nodiscard]] Html axes() const {
    Html result;
    for (const double tick : ticks_of(chart_.x))
      result += html(
          "<line class=\"grid\" x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\"/>"
          "<text x=\"{0:.1f}\" y=\"{3:.1f}\" text-anchor=\"middle\">{4}</text>",
          x(tick), top, height - bottom, height - bottom + 14, tick_text(tick));
    for (const double tick : ticks_of(chart_.y))
      result += html(
          "<line class=\"grid\" x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{2:.1f}\" y2=\"{1:.1f}\"/>"
          "<text x=\"{3:.1f}\" y=\"{4:.1f}\" text-anchor=\"end\">{5}</text>",
          left, y(tick), width - right, left - 5, y(tick) + 3.5, tick_text(tick));
    result += html("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>", (left + width - right) / 2, height - 6,
                   chart_.x.title);
    result += html("<text transform=\"translate(10 {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
                   (top + height - bottom) / 2, chart_.y.title);
    return result;
  }

  [[nodiscard]] Html series(const Series& series) const {
    Html marks;
    std::string path;
    std::vector<std::pair<double, double>> labels;
    for (std::size_t i = 0; i < series.points.size(); ++i) {
      const auto [px, py] = series.points[i];
      if (!can_be_shown(chart_.x, px) || !can_be_shown(chart_.y, py)) continue;
      path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : " L", x(px), y(py));
      if (series.look == Look::points || series.points.size() <= few)
        marks += html("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\"/>", x(px), y(py),
                      series.sizes.empty() ? 2.5 : series.sizes.at(i));
      if (!series.labels.empty()) marks += label(x(px), y(py), series.labels.at(i), labels);
    }
    const Html line = series.look == Look::points || path.empty() ? Html() : html("<path d=\"{}\"/>", path);
    return html("<g class=\"{}\">{}{}</g>", class_of(series.look), line, marks);
  }

  static const char* class_of(Look look) {
    static const char* const names[] = {"line solid", "line dashed", "line points", "line faint"};
    return names[static_cast<std::size_t>(look)];
  }

 private:
  static constexpr std::size_t few = 12;  ///< points that are marked on their line

  /// Beside its point, and not upon those that are there already.
  [[nodiscard]] static Html label(double at_x, double at_y, const std::string& text,
                                  std::vector<std::pair<double, double>>& others) {
    const bool to_left = at_x > width * 0.66;
    const double text_x = at_x + (to_left ? -6 : 6);
    double text_y = at_y < top + 14 ? at_y + 14 : at_y - 5;
    const auto covers = [&](const auto& other) {
      return std::abs(other.first - text_x) < 80 && std::abs(other.second - text_y) < 12;
    };
    while (std::any_of(others.begin(), others.end(), covers)) text_y += 12;
    others.emplace_back(text_x, text_y);
    return html("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>", text_x, text_y, to_left ? "end" : "start",
                shortened(text, 24));
  }

  const Chart& chart_;
};

bool shows_anything(const Chart& chart) {
  return std::any_of(chart.series.begin(), chart.series.end(), [&](const Series& series) {
    return series.look != Look::faint && std::any_of(series.points.begin(), series.points.end(), [&](const auto& point) {
             return can_be_shown(chart.x, point.first) && can_be_shown(chart.y, point.second);
           });
  });
}

}  // namespace

Html chart_html(Ids& ids, const Chart& chart) {
  if (!shows_anything(chart)) return {};
  const Drawing drawing(chart);
  const std::string id = ids.next("chart");
  Html content = drawing.axes(), legend;
  for (const Series& series : chart.series) {
    content += drawing.series(series);
    legend += html(
        "<span class=\"key\"><svg class=\"sample\" viewBox=\"0 0 24 8\" aria-hidden=\"true\"><g "
        "class=\"{}\">{}</g></svg>{}</span> ",
        Drawing::class_of(series.look),
        series.look == Look::points ? html("<circle cx=\"12\" cy=\"4\" r=\"3\"/>") : html("<path d=\"M1 4 L23 4\"/>"),
        series.name);
  }
  return html(
      "<figure><svg class=\"chart\" viewBox=\"0 0 {0} {1}\" role=\"img\" aria-labelledby=\"{2}-title {2}-desc\">"
      "<title id=\"{2}-title\">{3}</title><desc "
      "id=\"{2}-desc\">{4}</desc>{5}</svg><figcaption>{6}<p>{7}</p></figcaption></figure>\n",
      width, height, id, chart.title, chart.description, content, legend, chart.note);
}

Axis axis_of(std::string title, const std::vector<double>& values, bool logarithmic) {
  Axis axis{std::move(title), 0, 1, logarithmic};
  std::vector<double> shown;
  for (const double value : values)
    if (can_be_shown(axis, value)) shown.push_back(value);
  if (shown.empty()) {
    if (logarithmic) axis.low = 0.1;
    return axis;
  }
  const auto [least, greatest] = std::minmax_element(shown.begin(), shown.end());
  if (logarithmic) {
    axis.low = *least / 1.3;
    axis.high = *greatest * 1.3;
  } else {
    const double room = *greatest > *least ? 0.05 * (*greatest - *least) : std::max(1e-3, std::abs(*greatest) * 0.1);
    axis.low = *least - room;
    axis.high = *greatest + room;
  }
  return axis;
}

Html share_bar(const std::vector<std::pair<const char*, double>>& parts) {
  double whole = 0, at = 0;
  for (const auto& [kind, part] : parts) whole += part;
  if (!(whole > 0)) return {};
  Html bars;
  for (const auto& [kind, part] : parts) {
    if (!(part > 0)) continue;
    const double share = 1000 * part / whole;
    bars += html("<rect class=\"{}\" x=\"{:.2f}\" y=\"0\" width=\"{:.2f}\" height=\"14\"/>", kind, at, share);
    at += share;
  }
  return html("<svg class=\"bar\" viewBox=\"0 0 1000 14\" preserveAspectRatio=\"none\" aria-hidden=\"true\">{}</svg>", bars);
}

Html bound_bar(double value, double bound, double threshold) {
  const auto place = [](double at) { return 1000 * std::clamp(at, 0.0, 1.0); };
  Html marks;
  if (std::isfinite(bound) && std::isfinite(value))
    marks += html("<rect class=\"reach\" x=\"{:.2f}\" y=\"5\" width=\"{:.2f}\" height=\"4\"/>", place(std::min(value, bound)),
                  std::max(2.0, std::abs(place(bound) - place(value))));
  if (std::isfinite(value)) marks += html("<path class=\"value\" d=\"M{:.2f} 2 V12\"/>", place(value));
  if (std::isfinite(threshold)) marks += html("<path class=\"threshold\" d=\"M{:.2f} 0 V14\"/>", place(threshold));
  return html(
      "<svg class=\"bar bound\" viewBox=\"0 0 1000 14\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
      "<path class=\"base\" d=\"M0 7 H1000\"/>{}</svg>",
      marks);
}

}  // namespace hiple::report
