#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

/// HDF5 files that were changed as no writer of ours would. The HDF5 library itself is not ours to fuzz: with a few bytes of its
/// structures changed it crashes, which the seal of our files is there for. So what is changed is what the structures hold.
namespace hiple::fuzz {

/// A sound file, and how to change it. Changes are lines of words:
///
///     values NAME TYPE ROWS COLUMNS NUMBER...   a data set (0 columns: of one dimension); the numbers again and again
///     claim NAME TYPE ROWS COLUMNS CHUNK        the same in chunks of so many rows, of which none is stored
///     deflated NAME TYPE ROWS COLUMNS CHUNK     the same, compressed, with the first value stored
///     texts NAME LENGTH TEXT...                 of this length each, or of variable length (0)
///     number OBJECT ATTRIBUTE TYPE NUMBER
///     text OBJECT ATTRIBUTE WORD...             the rest of the line
///     remove NAME                               a data set, a group or a link
///     unset OBJECT ATTRIBUTE
///     group NAME
///     soft NAME OBJECT | hard NAME OBJECT | external NAME FILE OBJECT
///     unsealed                                  leaves the file without a valid checksum over the whole
///
/// TYPE: u8 u16 u32 u64 i8 i32 i64 f32 f64. What cannot be done is left out.
class EditedFile {
 public:
  /// `write` writes the sound file.
  EditedFile(std::string name, const std::function<void(const std::filesystem::path&)>& write);

  /// A copy with these changes; the next call replaces it.
  [[nodiscard]] std::filesystem::path changed(std::string_view changes) const;

 private:
  std::string name_, sound_;
};

}  // namespace hiple::fuzz
