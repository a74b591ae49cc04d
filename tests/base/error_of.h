// Returns the error message of a refused call.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "simulator/base/error.h"

namespace pnsim::test {

// The message of the Error that `call` must throw with this code; "" (and a failed test) otherwise.
template <class Call>
std::string error_of(ExitCode code, Call call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error was thrown";
  return "";
}

template <class Call>
std::string input_error_of(Call call) {
  return error_of(ExitCode::kBadInput, call);
}

}  // namespace pnsim::test
