// Short texts of the command line and small files: axes, expressions, settings, CSV, shards, specs,
// and device profiles. The first line of the input says which.
#include <optional>

#include "experiments/spec/device_file.h"
#include "experiments/spec/spec.h"
#include "simulator/analysis/sweep/sweep_file.h"
#include "simulator/base/axis.h"
#include "simulator/base/csv.h"
#include "simulator/base/numbers.h"
#include "simulator/cli/options.h"
#include "simulator/model/device/device_text.h"
#include "simulator/model/template/expression.h"
#include "tests/fuzz/target.h"

namespace pnsim::fuzz {
namespace {

void run_axis(const std::string& text) {
  std::optional<Axis> axis;
  if (!accepts([&] { axis = parse_axis(text); })) return;
  require(!axis->values.empty(), "an axis without values");
  require(point_count({&*axis, 1}) == axis->values.size(), "an axis has other points than values");
  if (axis->values.size() > 1000) return;
  require(parse_axis(experiments::axis_text(*axis)) == *axis, "an axis reads back another axis");
}

void run_expression(const std::string& text) {
  const std::vector<std::string> names{"l1", "l2", "W"};
  std::optional<Expression> expression, again;
  if (!accepts([&] { expression = Expression::parse(text, names, "in"); })) return;
  // Of a number alone the value is kept: "(3)" is "3".
  const bool is_number = expression->text().find_first_not_of("0123456789") == std::string::npos;
  require(is_number || expression->text() == text, "an expression forgets its text");
  for (const std::int64_t x : {0LL, 1LL, -3LL, 20LL, 1LL << 62}) {
    const std::vector<std::int64_t> values{x, 2, 64};
    accepts([&] { expression->evaluate(values, "in"); });
  }
}

void run_settings(const std::string& text) {
  std::vector<std::string> settings;
  std::size_t at = 0;
  for (std::size_t end; (end = text.find(' ', at)) != std::string::npos; at = end + 1)
    settings.push_back(text.substr(at, end - at));
  settings.push_back(text.substr(at));
  Settings read;
  if (!accepts([&] { read = parse_settings(settings); })) return;
  require(!read.values.empty() || !read.factors.empty(), "settings that set nothing");
  for (const auto& [name, list] : read.values) require(!list.empty(), "a setting without a value");
  for (const auto& [name, factor] : read.factors) require(factor > 0, "a factor not above 0");
}

void run_csv(const std::string& text) {
  std::vector<std::vector<std::string>> rows;
  if (!accepts([&] { rows = parse_csv(text, "in.csv"); })) return;
  std::string written;
  for (const auto& row : rows) written += csv_line(row);
  require(parse_csv(written, "again.csv") == rows, "CSV reads back other cells");
}

void run_numbers(const std::string& text) {
  const auto plain = without_separators(text);
  if (plain) require(plain->find(',') == std::string::npos, "a separator is left");
  fault_of_u64(text);
  std::optional<Shard> shard;
  if (accepts([&] { shard = parse_shard(text); }))
    require(shard->count >= 1 && shard->index <= shard->count, "a shard out of range");
}

void run_spec(const std::string& text) {
  std::optional<experiments::Spec> spec;
  const bool read = accepts([&] {
    const InputJson json = parse_json(text, "in.json");
    spec = experiments::read_spec(JsonReader(json, "in.json"));
  });
  if (!read) return;
  const std::string written = to_line(experiments::to_json(*spec));
  const InputJson json = parse_json(written, "again.json");
  const experiments::Spec again = experiments::read_spec(JsonReader(json, "again.json"));
  require(to_line(experiments::to_json(again)) == written, "a spec reads back another spec");
  std::uint64_t points = 0;
  if (!accepts([&] { points = point_count(spec->axes); }) || points > 10'000) return;
  accepts([&] { experiments::points_of(*spec); });
}

void run_device(const std::string& text) {
  std::optional<DeviceProfile> device;
  const bool read = accepts([&] {
    const InputJson json = parse_json(text, "in.json");
    device = read_device_profile(JsonReader(json, "in.json"));
  });
  if (!read) return;
  const std::string written = device_profile_text(*device);
  const InputJson json = parse_json(written, "again.json");
  const DeviceProfile again = read_device_profile(JsonReader(json, "again.json"));
  require(device_profile_text(again) == written, "a device reads back another device");
}

struct Reader {
  std::string_view name;
  void (*run)(const std::string&);
};
constexpr Reader kReaders[] = {{"axis", run_axis},       {"expression", run_expression},
                               {"set", run_settings},    {"csv", run_csv},
                               {"numbers", run_numbers}, {"spec", run_spec},
                               {"device", run_device}};

}  // namespace

void run_text(std::string_view input) {
  const std::size_t line = input.find('\n');
  if (line == std::string_view::npos) return;
  for (const auto& [name, run] : kReaders) {
    if (input.substr(0, line) == name) run(std::string(input.substr(line + 1)));
  }
}

std::vector<std::string> text_seeds() {
  std::vector<std::string> out;
  for (const char* axis : {"l1=[10:200:10]", "l2=[1,2,4]", "n[pow2]=[12:24]", "block=256",
                           "net=[wpnm,wpnm_literal]", "xa=[0.5,0.25]"})
    out.push_back(std::string("axis\n") + axis);
  for (const char* text :
       {"l1 + 1", "min(l1, l2) * W / 4 - -3", "(l1 < l2) + (W % 7 != 0)", "max(1, l2 >= 2)"})
    out.push_back(std::string("expression\n") + text);
  for (const char* text : {"l1=20 W=64", "n=2^24", "xa=[2,1,0] xs=4"})
    out.push_back(std::string("set\n") + text);
  for (const char* text : {"4,096.5", "18446744073709551615", "1/3"})
    out.push_back(std::string("numbers\n") + text);
  out.push_back("csv\na,\"b \"\"c\"\"\",\r\n\"two\nlines\",,3\n");
  out.push_back("csv\n" + tree_file("tests/data/experiment_run/points.csv"));
  for (const std::string& file : tree_files("experiments/specs", ".json"))
    out.push_back("spec\n" + tree_file(file));
  for (const std::string& file : tree_files("models/devices", ".json"))
    out.push_back("device\n" + tree_file(file));
  return out;
}

}  // namespace pnsim::fuzz
