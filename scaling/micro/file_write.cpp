#include "scaling/micro/file_write.hpp"

#include "base/file.hpp"
#include "h5/h5.hpp"

namespace hiple::scaling {

namespace {

/// A name that no other process uses, removed at the end.
class ScratchFile {
 public:
  explicit ScratchFile(const std::filesystem::path& folder) : path_(temporary_name(folder / "hiple-micro.h5")) {}
  ~ScratchFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace

Series file_write_series(const std::filesystem::path& folder, const std::vector<std::int64_t>& sizes, const Effort& effort) {
  Series series{"hdf5_write", "one data set written, checked, made durable and renamed", "bytes", "byte/s", {}};
  const ScratchFile file(folder);
  for (const std::int64_t size : sizes) {
    const std::vector<float> values(static_cast<std::size_t>(size) / sizeof(float), 1.0F);
    const auto call = [&] {
      h5::Writer writer(file.path(), "hiple micro", 1);
      writer.write("values", values);
      writer.finish();
    };
    series.points.push_back({.size = size, .work = static_cast<double>(size), .seconds = time_calls(effort, call)});
  }
  return series;
}

}  // namespace hiple::scaling
