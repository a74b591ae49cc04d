// predict MODEL: the time of a kernel model by the SM net, from a program of your own.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "simulator/analysis/predict/run_point.h"
#include "simulator/base/data_files.h"
#include "simulator/base/error.h"
#include "simulator/model/device/device_profile.h"
#include "simulator/model/launch/kernel_model.h"
#include "simulator/model/template/net_template.h"

namespace {

void predict(const std::string& name) {
  const pnsim::KernelModel model =
      pnsim::load_kernel_model(pnsim::find_data_file(name, {"models"}));
  const pnsim::NetTemplate net =
      pnsim::load_net_template(pnsim::find_data_file("sm", {"models/nets"}));
  const pnsim::DeviceProfile device = pnsim::load_device_profile(model.device);

  pnsim::PointRequest request;
  request.model = &model;
  request.net_template = &net;
  request.device = &device;
  request.point = &model.point({});  // the default problem of the model
  const pnsim::ModelRunReport report =
      pnsim::run_model_point(request, {}, pnsim::RecordedResults(device.name));

  std::printf("%s: %.0f cycles, %.4g us predicted", model.name.c_str(),
              report.prediction.mean_steps(), pnsim::predicted_us(report).value());
  if (report.measured) std::printf(", %.4g us measured", report.measured->median_us);
  std::printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: predict MODEL\n");
    return 2;
  }
  // The shipped files are found from PNSIM_HOME; the user's own setting wins.
  setenv("PNSIM_HOME", PNSIM_DATA_FOLDER, 0);
  try {
    predict(argv[1]);
    return 0;
  } catch (const pnsim::Error& error) {
    std::fprintf(stderr, "predict: error: %s\n", error.what());
    return static_cast<int>(error.code());
  }
}
