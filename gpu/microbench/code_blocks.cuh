// Code of a wanted length for inline PTX: instructions that the compiler neither merges nor moves.
// %1 to %4 are four chains, %5 and %6 their operands; the predicate %over is true.
#pragma once

#define PNSIM_4(text) text text text text
#define PNSIM_16(text) PNSIM_4(PNSIM_4(text))
#define PNSIM_FMA4                                            \
  "fma.rn.f32 %1, %1, %5, %6;\n fma.rn.f32 %2, %2, %5, %6;\n" \
  "fma.rn.f32 %3, %3, %5, %6;\n fma.rn.f32 %4, %4, %5, %6;\n"
#define PNSIM_FMA28 PNSIM_4(PNSIM_FMA4) PNSIM_FMA4 PNSIM_FMA4 PNSIM_FMA4
#define PNSIM_FMA60 PNSIM_FMA28 PNSIM_FMA28 PNSIM_FMA4
#define PNSIM_FMA64 PNSIM_16(PNSIM_FMA4)
#define PNSIM_FMA252 PNSIM_FMA64 PNSIM_FMA64 PNSIM_FMA64 PNSIM_FMA60
#define PNSIM_FMA256 PNSIM_4(PNSIM_FMA64)
#define PNSIM_FMA512 PNSIM_FMA256 PNSIM_FMA256
#define PNSIM_FMA1024 PNSIM_4(PNSIM_FMA256)

// Sixteen times, the warp executes 4 instructions and jumps over others.
#define PNSIM_JUMP_OVER(skipped) "{\n" PNSIM_FMA4 "@%%over bra NEXT;\n" skipped "NEXT:\n}\n"
#define PNSIM_JUMPS_OVER_60 PNSIM_16(PNSIM_JUMP_OVER(PNSIM_FMA60))
#define PNSIM_JUMPS_OVER_252 PNSIM_16(PNSIM_JUMP_OVER(PNSIM_FMA252))
