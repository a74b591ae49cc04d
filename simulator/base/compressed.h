// Compressed files where text is expected.
#pragma once

#include <string>
#include <string_view>

namespace pnsim {

// Error 3 for the bytes of a compressed file or of an archive: it says what `path` is, and which
// command unpacks it.
void refuse_compressed(std::string_view bytes, const std::string& path);

}  // namespace pnsim
