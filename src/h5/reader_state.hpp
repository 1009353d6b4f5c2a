#pragma once

#include <vector>

#include "base/error.hpp"
#include "h5/handle.hpp"

namespace hiple::h5 {

/// A data set that was opened and found sound: its sizes fit the bytes that the file holds.
struct Dataset {
  Handle id, type, space;
  std::vector<hsize_t> sizes;
  [[nodiscard]] std::size_t row_values() const { return sizes.size() > 1 ? sizes[1] : 1; }
};

/// Up to this many bytes, Verify::whole_if_small checks a file as a whole, and a file that is checked so is read only once.
inline constexpr std::uint64_t whole_limit = std::uint64_t{64} << 20U;

/// What a reader holds, and the calls of HDF5 that its functions are made of.
struct Reader::State {
  std::filesystem::path path;
  std::uint64_t bytes = 0;
  bool sealed = false;
  std::string sha256;             ///< of the content, where it was checked as a whole
  std::unique_ptr<char[]> image;  ///< `bytes` of a file that was read at once; `file` works on it
  Handle transfer;                ///< how data sets are read
  Handle file;

  /// Opens the file; `whole`: after its checksum over all of it was checked.
  void open(bool whole);
  void open_image();

  [[noreturn]] void refuse(const std::string& object, const std::string& what, const std::string& why = {}) const {
    throw InputError(Place{path.string()}, object.empty() ? what : object + ": " + what, why);
  }
  void check(bool fine, const std::string& object, const std::string& what) const {
    if (!fine) refuse(object, what, last_error());
  }
  Handle handle(hid_t id, Handle::Close close, const std::string& object, const std::string& what) const {
    check(id >= 0, object, what);
    return {id, close};
  }

  /// Whether every link on the way to `name` is there. Links out of the file are not followed: a file must not make us open
  /// another one.
  [[nodiscard]] bool has(const std::string& name) const;
  Handle object(const std::string& name) const;
  Dataset dataset(const std::string& name) const;
  /// Refuses a data set that claims more bytes than are stored, before anybody allocates them.
  void check_storage(const std::string& name, const Dataset& data) const;
  void check_type(const std::string& name, hid_t type, const std::string& wanted) const;
  /// Rows [first, first + count) into `target`, which has room for them.
  void read(const std::string& name, const Dataset& data, hid_t memory, std::size_t first, std::size_t count, void* target) const;
  /// An attribute of the file that is an integer of whatever width: programs of others write what their language has.
  std::int64_t whole_number(const std::string& attribute) const;
  Handle open_attribute(const std::string& name, const std::string& attribute) const;
};

}  // namespace hiple::h5
