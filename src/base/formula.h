// base/formula.h: how the formulas in headers are compiled.
#ifndef IB_BASE_FORMULA_H
#define IB_BASE_FORMULA_H

// A formula is small and sits inside a solver's loop: it is always inlined (docs/performance.md).
// The same source serves the GPU.
#ifdef __CUDACC__
#define IB_FORMULA static __host__ __device__ __forceinline__
#elif defined(IB_SANITIZED)
// With a sanitizer's checks in each, a file of many inlined formulas would compile for minutes.
#define IB_FORMULA static inline
#else
#define IB_FORMULA static inline __attribute__((always_inline))
#endif

#endif
