#pragma once

/// Marks a function that the processor and a CUDA device run alike, so that what a device computes is tested without one.
#ifdef __CUDACC__
#define HIPLE_ON_BOTH __host__ __device__
#else
#define HIPLE_ON_BOTH
#endif
