#pragma once

#include <concepts>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// HDF5, each call checked once. Errors become hiple::Error with the path of the file and the object, never a print-out.
/// Files are written under a temporary name and appear whole or not at all; a reader refuses a file that is not complete.
///
/// The serial HDF5 library is not safe for threads, not even on different files: all use of this folder within a process
/// belongs in one thread, or under one lock.
namespace hiple::h5 {

/// How data sets are stored: chunks of 64 Ki rows (fewer where that makes over 16 MiB, or where there are not that many) with a
/// Fletcher-32 checksum, compression only where asked.
struct Storage {
  std::size_t chunk_rows = std::size_t{1} << 16;
  int compress = 0;  ///< deflate level, 0 to 9
};

/// Types that data sets and attributes can hold: u8, u16, u32, u64, i8, i32, i64, f32, f64.
template <class T>
concept Element = std::same_as<T, std::uint8_t> || std::same_as<T, std::uint16_t> || std::same_as<T, std::uint32_t> ||
    std::same_as<T, std::uint64_t> || std::same_as<T, std::int8_t> || std::same_as<T, std::int32_t> ||
    std::same_as<T, std::int64_t> || std::same_as<T, float> || std::same_as<T, double>;

/// A new file. Nothing is visible at `path` until finish().
class Writer {
 public:
  /// Writes the attributes `format`, `version`, `software`, `created`.
  Writer(const std::filesystem::path& path, const std::string& format, std::uint32_t version, Storage storage = {});
  ~Writer();  ///< without finish(), the temporary file is removed
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  /// One-dimensional data set; `name` may hold folders ("/law/rules/id"), which are created.
  template <Element T>
  void write(const std::string& name, std::span<const T> values);
  /// [rows, columns], row after row.
  template <Element T>
  void write(const std::string& name, std::span<const T> values, std::size_t columns);
  template <Element T>
  void write(const std::string& name, const std::vector<T>& values) {
    write(name, std::span<const T>(values));
  }
  template <Element T>
  void write(const std::string& name, const std::vector<T>& values, std::size_t columns) {
    write(name, std::span<const T>(values), columns);
  }
  /// UTF-8, each padded with zeros to the longest: the checksum covers them, which it does not for texts of variable length.
  /// A text with a zero byte is an Error; trailing ones would be lost.
  void write(const std::string& name, std::span<const std::string> values);
  /// A data set whose rows come in portions: create with a row width, then append. `columns` 0 means one-dimensional.
  template <Element T>
  void create(const std::string& name, std::size_t columns = 0);
  template <Element T>
  void append(const std::string& name, std::span<const T> rows);

  /// On the file ("/"), a group or a data set that exists.
  template <Element T>
  void attribute(const std::string& object, const std::string& name, T value);
  void attribute(const std::string& object, const std::string& name, const std::string& value);
  void group(const std::string& name);  ///< for attributes, or to stay empty; folders of data sets come by themselves
  /// `file` as HDF5 shall find it: relative to the folder of this file.
  void link_external(const std::string& name, const std::filesystem::path& file, const std::string& object);

  /// Writes `complete` = 1, flushes, closes, writes the checksum, makes durable and renames. Throws Error; then nothing is at
  /// `path` but what was.
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// What a reader checks when it opens a file.
enum class Verify {
  whole,           ///< the checksum over all of it that our writer leaves in its user block (SHA-256), before HDF5 sees anything
  parts,           ///< only the checksum of each data set that is read
  whole_if_small,  ///< `whole` up to 64 MiB, `parts` above: for tables, which may be too large to be read twice
};

/// An existing, complete file.
class Reader {
 public:
  /// Throws InputError: missing, no HDF5 file, damaged, truncated, not complete, another format, a version above `newest`. A file
  /// that another program wrote has no checksum over the whole and is read without.
  Reader(const std::filesystem::path& path, const std::string& format, std::uint32_t newest, Verify verify = Verify::whole);
  ~Reader();
  Reader(Reader&&) noexcept;
  Reader& operator=(Reader&&) noexcept;

  [[nodiscard]] bool has(const std::string& name) const;
  /// Sizes of a data set: {rows} or {rows, columns}. Throws InputError where it is missing.
  [[nodiscard]] std::vector<std::size_t> shape(const std::string& name) const;
  /// All values. The file's type must be the same kind and width: nothing is converted silently. A data set that claims more
  /// rows than the file can hold, or fails its checksum, is an InputError.
  template <Element T>
  [[nodiscard]] std::vector<T> read(const std::string& name) const;
  /// Rows [first, first + count).
  template <Element T>
  [[nodiscard]] std::vector<T> read(const std::string& name, std::size_t first, std::size_t count) const;
  [[nodiscard]] std::vector<std::string> read_texts(const std::string& name) const;
  template <Element T>
  [[nodiscard]] T attribute(const std::string& object, const std::string& name) const;
  [[nodiscard]] std::string attribute_text(const std::string& object, const std::string& name) const;
  /// What a data set holds: "u8", "i64", "f32", "text", or "another type".
  [[nodiscard]] std::string type_of(const std::string& name) const;
  [[nodiscard]] bool has_attribute(const std::string& object, const std::string& name) const;
  /// Names of the links in a group, ascending.
  [[nodiscard]] std::vector<std::string> names(const std::string& group) const;
  [[nodiscard]] const std::filesystem::path& path() const;
  /// The SHA-256 of the content that was compared with the checksum over the whole; of a file that another program wrote, and
  /// that has none, of all its bytes. Throws Error where the file was not checked as a whole.
  [[nodiscard]] const std::string& sha256() const;
  /// Whether the content was compared with a checksum over the whole.
  [[nodiscard]] bool sealed() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Whether a file begins as HDF5 files do.
bool is_hdf5(const std::filesystem::path& path);

/// The library's version, "1.10.8".
std::string library_version();

}  // namespace hiple::h5
