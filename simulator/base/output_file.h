// One door for the outputs of both programs: every function that writes a file takes an OutputFile,
// and an OutputFile exists only when the checks here let its path pass.
#pragma once

#include <string>
#include <vector>

namespace pnsim {

// The folders below data_root() whose files come with the program or were recorded.
enum class ShippedFolder { kNone, kModels, kDevices, kSpecs, kResults };

// Remembers that the command reads this file: no output may replace it. The readers of this library
// call it themselves; code that opens a file on its own must call it too.
void note_input(const std::string& path);

// For tests, which read and write in one process.
void forget_inputs();

// A file that may be written. Paths are compared in their canonical spelling and by device and
// inode, so that neither links nor other spellings get around the checks.
class OutputFile {
 public:
  // A result. Error 2 when the file is an input of the command, or shipped or recorded, or would be
  // among the shipped or recorded files; and for "-", because options that accept stdout handle it.
  OutputFile(std::string path);  // NOLINT(google-explicit-constructor): every path passes here
  OutputFile(const char* path) : OutputFile(std::string(path)) {}  // NOLINT

  // For commands that exist to store something in `folder` of the shipped ones: a file in it, read
  // before or not. Elsewhere as for a result. Error 74 when the user may not write to it.
  static OutputFile stored(std::string path, ShippedFolder folder);

  // For commands that read a file in order to change it: it may have been read before, wherever it
  // is. Error 2 when it is one of `inputs`, or in another shipped folder than `folder`. Error 74 as
  // above.
  static OutputFile updated(std::string path, ShippedFolder folder,
                            const std::vector<std::string>& inputs = {});

  const std::string& path() const { return path_; }

  // The absolute path behind all links, also behind a link to a file that does not exist yet.
  const std::string& place() const { return place_; }

 private:
  struct Checked {};
  OutputFile(std::string path, Checked);

  std::string path_, place_;
};

// The checks of a result, for outputs that are written later: "" and "-" are no files. Error 2 also
// when two of the paths are one file: the second output would replace the first.
void check_output_files(const std::vector<std::string>& paths);

// Error 74 for an output whose directory does not exist, before anything is computed for it. `made`
// is the folder that the command makes itself, with its parents; "" for none.
void check_output_folders(const std::vector<std::string>& paths, const std::string& made = "");

}  // namespace pnsim
