# Finds the CUDA compiler, also off PATH, and sets PNSIM_HAVE_CUDA. Everything but live GPU runs
# builds without it.
set(PNSIM_HAVE_CUDA OFF)
if(NOT PNSIM_GPU STREQUAL "OFF")
  if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
    # check_language looks at PATH and CUDACXX only; a toolkit in its usual folder is found here.
    find_program(PNSIM_NVCC nvcc HINTS ENV CUDA_PATH ENV CUDA_HOME PATHS /usr/local/cuda /opt/cuda
                 PATH_SUFFIXES bin)
    if(PNSIM_NVCC)
      set(ENV{CUDACXX} ${PNSIM_NVCC})
    endif()
  endif()
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
      set(CMAKE_CUDA_ARCHITECTURES 75-real 80-real 86-real 89-real 90 CACHE STRING
          "GPU architectures (PTX of the last one covers newer GPUs)")
    endif()
    enable_language(CUDA)
    find_package(CUDAToolkit REQUIRED)
    set(CMAKE_CUDA_STANDARD 17)
    set(CMAKE_CUDA_STANDARD_REQUIRED ON)
    set(PNSIM_HAVE_CUDA ON)
  elseif(PNSIM_GPU STREQUAL "ON")
    message(FATAL_ERROR "PNSIM_GPU=ON, but no working nvcc: looked at CUDACXX, PATH, CUDA_PATH, "
                        "CUDA_HOME, /usr/local/cuda and /opt/cuda")
  else()
    message(STATUS "No CUDA: building without live GPU runs (recorded measurements still work)")
  endif()
endif()
