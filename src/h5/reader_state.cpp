#include "h5/reader_state.hpp"

#include <hdf5_hl.h>

#include <algorithm>
#include <fstream>
#include <limits>

#include "base/text.hpp"
#include "h5/seal.hpp"

namespace hiple::h5 {

namespace {

/// Deflate cannot shrink a block to less than about 1/1032 of its size.
constexpr std::uint64_t most_inflation = 1100;

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

std::uint64_t saturated_product(std::uint64_t a, std::uint64_t b) { return b != 0 && a > unlimited / b ? unlimited : a * b; }

}  // namespace

void Reader::State::open(bool whole) {
  const bool at_once = whole && bytes <= whole_limit;
  if (at_once) {
    image = std::make_unique_for_overwrite<char[]>(bytes);
    std::ifstream stream(path, std::ios::binary);
    stream.read(image.get(), static_cast<std::streamsize>(bytes));
    if (static_cast<std::uint64_t>(stream.gcount()) != bytes) refuse({}, "cannot be read");
  }
  SealCheck seal;
  if (whole) seal = at_once ? check_seal(std::span<const char>(image.get(), bytes)) : check_seal(path);
  if (!seal.fault.empty()) refuse({}, "is damaged", seal.fault);
  sealed = seal.sealed;
  sha256 = seal.sha256;
  if (!is_hdf5(path)) refuse({}, "is no HDF5 file, or cannot be read");
  transfer = handle(H5Pcreate(H5P_DATASET_XFER), H5Pclose, {}, "properties");
  if (at_once) {
    open_image();
    // The bytes in memory are those that the seal was compared with: to sum them up once more would find nothing. What is read
    // from the disk a second time, as larger files are, is compared a second time too.
    if (sealed) check(H5Pset_edc_check(transfer.get(), H5Z_DISABLE_EDC) >= 0, {}, "properties");
  } else {
    const Handle access = access_properties();
    file = handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get()), H5Fclose, {}, "cannot be opened as HDF5");
  }
}

void Reader::State::open_image() {
  constexpr unsigned flags = H5LT_FILE_IMAGE_DONT_COPY | H5LT_FILE_IMAGE_DONT_RELEASE;
  file = handle(H5LTopen_file_image(image.get(), bytes, flags), H5Fclose, {}, "cannot be opened as HDF5");
}

bool Reader::State::has(const std::string& name) const {
  std::string so_far;
  for (const std::string& part : split(name, '/')) {
    if (part.empty()) continue;
    so_far += "/" + part;
    if (H5Lexists(file.get(), so_far.c_str(), H5P_DEFAULT) <= 0) return false;
    H5L_info_t link{};
    check(H5Lget_info(file.get(), so_far.c_str(), &link, H5P_DEFAULT) >= 0, so_far, "cannot be read");
    if (link.type != H5L_TYPE_HARD) refuse(so_far, "is a link, not the object itself", "links are not followed");
  }
  return true;
}

Handle Reader::State::object(const std::string& name) const {
  if (!has(name)) refuse(name, "is missing");
  return handle(H5Oopen(file.get(), name.c_str(), H5P_DEFAULT), H5Oclose, name, "cannot be opened");
}

Dataset Reader::State::dataset(const std::string& name) const {
  if (!has(name)) refuse(name, "is missing");
  Dataset data;
  data.id = handle(H5Dopen2(file.get(), name.c_str(), H5P_DEFAULT), H5Dclose, name, "is no data set");
  data.type = handle(H5Dget_type(data.id.get()), H5Tclose, name, "has no type");
  data.space = handle(H5Dget_space(data.id.get()), H5Sclose, name, "has no sizes");
  const int rank = H5Sget_simple_extent_ndims(data.space.get());
  if (rank < 1 || rank > 2) refuse(name, "has " + std::to_string(rank) + " dimensions", "1 or 2 are expected");
  data.sizes.resize(static_cast<std::size_t>(rank));
  check(H5Sget_simple_extent_dims(data.space.get(), data.sizes.data(), nullptr) == rank, name, "has no sizes");
  check_storage(name, data);
  return data;
}

void Reader::State::check_storage(const std::string& name, const Dataset& data) const {
  const Handle layout = handle(H5Dget_create_plist(data.id.get()), H5Pclose, name, "has no layout");
  if (H5Pget_layout(layout.get()) == H5D_VIRTUAL || H5Pget_external_count(layout.get()) > 0)
    refuse(name, "keeps its values in another file", "only values of the file itself are read");
  // A chunk is read as a whole, however few of its values are wanted.
  constexpr std::uint64_t usual_chunk = std::uint64_t{64} << 20U;
  std::uint64_t claimed = H5Tget_size(data.type.get()), chunk = claimed;
  for (const hsize_t size : data.sizes) claimed = saturated_product(claimed, size);
  if (H5Pget_layout(layout.get()) == H5D_CHUNKED) {
    std::vector<hsize_t> sizes(data.sizes.size());
    check(H5Pget_chunk(layout.get(), static_cast<int>(sizes.size()), sizes.data()) >= 0, name, "has no chunks");
    for (const hsize_t size : sizes) chunk = saturated_product(chunk, size);
    if (chunk > std::max(claimed, usual_chunk))
      refuse(name, "is stored in chunks of " + std::to_string(chunk) + " bytes",
             "all of its values have " + std::to_string(claimed));
  }
  std::uint64_t inflation = 1;
  for (unsigned i = 0; i < static_cast<unsigned>(std::max(0, H5Pget_nfilters(layout.get()))); ++i) {
    std::size_t none = 0;
    unsigned flags = 0;
    const H5Z_filter_t filter = H5Pget_filter2(layout.get(), i, &flags, &none, nullptr, 0, nullptr, nullptr);
    if (filter == H5Z_FILTER_DEFLATE) inflation = most_inflation;
    if (filter != H5Z_FILTER_DEFLATE && filter != H5Z_FILTER_SHUFFLE && filter != H5Z_FILTER_FLETCHER32)
      refuse(name, "is stored with filter " + std::to_string(filter), "deflate, shuffle and fletcher32 are read");
  }
  const std::uint64_t stored = std::min<std::uint64_t>(bytes, H5Dget_storage_size(data.id.get()));
  if (claimed > saturated_product(stored, inflation))
    refuse(name, "claims " + std::to_string(claimed) + " bytes, but " + std::to_string(stored) + " are stored",
           "the file is damaged, or was never filled");
}

void Reader::State::check_type(const std::string& name, hid_t type, const std::string& wanted) const {
  const std::string found = type_name(type);
  if (found != wanted) refuse(name, "holds " + found, wanted + " is expected");
}

void Reader::State::read(const std::string& name, const Dataset& data, hid_t memory, std::size_t first, std::size_t count,
                         void* target) const {
  if (first > data.sizes[0] || count > data.sizes[0] - first)
    refuse(name, "has " + std::to_string(data.sizes[0]) + " rows", "row " + std::to_string(first + count) + " was asked for");
  if (count * data.row_values() == 0) return;
  std::vector<hsize_t> sizes = data.sizes, start(data.sizes.size(), 0);
  sizes[0] = count;
  start[0] = first;
  check(H5Sselect_hyperslab(data.space.get(), H5S_SELECT_SET, start.data(), nullptr, sizes.data(), nullptr) >= 0, name, "sizes");
  const int rank = static_cast<int>(sizes.size());
  const Handle space = handle(H5Screate_simple(rank, sizes.data(), nullptr), H5Sclose, name, "sizes");
  check(H5Dread(data.id.get(), memory, space.get(), data.space.get(), transfer.get(), target) >= 0, name, "cannot be read");
}

std::int64_t Reader::State::whole_number(const std::string& attribute) const {
  const std::string what = "/@" + attribute;
  const Handle found = open_attribute("/", attribute);
  const Handle type = handle(H5Aget_type(found.get()), H5Tclose, what, "has no type");
  if (H5Tget_class(type.get()) != H5T_INTEGER) refuse(what, "holds " + type_name(type.get()), "an integer is expected");
  const Handle space = handle(H5Aget_space(found.get()), H5Sclose, what, "has no sizes");
  if (H5Sget_simple_extent_npoints(space.get()) != 1) refuse(what, "is not one value");
  std::int64_t value = 0;
  check(H5Aread(found.get(), H5T_NATIVE_INT64, &value) >= 0, what, "cannot be read");
  return value;
}

Handle Reader::State::open_attribute(const std::string& name, const std::string& attribute) const {
  const Handle target = object(name);
  if (H5Aexists(target.get(), attribute.c_str()) <= 0) refuse(name + "@" + attribute, "is missing");
  return handle(H5Aopen(target.get(), attribute.c_str(), H5P_DEFAULT), H5Aclose, name + "@" + attribute, "cannot be opened");
}

}  // namespace hiple::h5
