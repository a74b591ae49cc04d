// Assembly of newer architectures in files that are compiled for all. For older ones nothing is
// emitted: their kernels exist but are never launched (Bench::has_capability).
#pragma once

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define PNSIM_ASM_80(...) asm volatile(__VA_ARGS__)
#else
#define PNSIM_ASM_80(...)
#endif

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define PNSIM_ASM_90(...) asm volatile(__VA_ARGS__)
#else
#define PNSIM_ASM_90(...)
#endif
