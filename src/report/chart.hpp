#pragma once

#include <string>
#include <utility>
#include <vector>

#include "report/html.hpp"

namespace hiple::report {

/// How a line or its points look. None is told from another by its colour alone.
enum class Look { solid, dashed, points, faint };

struct Series {
  std::string name;
  Look look = Look::solid;
  std::vector<std::pair<double, double>> points;  ///< those that are no numbers are left out
  std::vector<double> sizes = {};                 ///< radius of each point; or none
  std::vector<std::string> labels = {};           ///< of each point; or none
};

struct Axis {
  std::string title;
  double low = 0, high = 1;
  bool logarithmic = false;
};

struct Chart {
  std::string title, description;  ///< for who cannot see it, and for who points at it
  Axis x, y;
  std::vector<Series> series;
  std::string note = {};  ///< under the legend
};

/// A figure with axes and a legend. Without a point to show there is nothing to draw: then the markup is empty.
Html chart_html(Ids& ids, const Chart& chart);

/// The least and the greatest of numbers with some room around; [0, 1] where there are none.
Axis axis_of(std::string title, const std::vector<double>& values, bool logarithmic);

/// Parts of a whole as one bar. The numbers stand beside it in text: it is hidden from screen readers.
Html share_bar(const std::vector<std::pair<const char*, double>>& parts);

/// A value with its bound, and the threshold that the bound is held against, from 0 to 1.
Html bound_bar(double value, double bound, double threshold);

}  // namespace hiple::report
