// The shipped device profiles by what people call a GPU, where that is no file name.
#pragma once

#include <string>
#include <vector>

namespace pnsim {

// Among `names` in the folder of the shipped profiles: that of a GPU that is named as the driver
// prints it ("NVIDIA H100 80GB HBM3") or with other spelling of its file's name ("NVIDIA H100",
// "RTX 4090", "h-200"). Upper and lower case are equal. Returns its path; "" when there is none: an
// H100 PCIe is another GPU than the one that was profiled.
std::string device_file_of_gpu(const std::string& name, const std::string& folder,
                               const std::vector<std::string>& names);

// Among `names`: the longest that occurs in the GPU's name, as "a100" in "NVIDIA A100-SXM4-80GB".
// The spelling may differ as above. "" when there is none.
std::string shipped_within(const std::string& gpu, const std::vector<std::string>& names);

// What a device profile is, and the commands that make the one of the GPU: sentences for errors.
std::string how_to_profile(const std::string& gpu);

// Error 3 for a GPU without a profile: the known ones, and the commands that make one. No near name
// is suggested, because an H800 is as near to "h100" as a typing error is, and differs.
[[noreturn]] void fail_no_device(const std::string& name, const std::string& folder,
                                 const std::vector<std::string>& names);

}  // namespace pnsim
