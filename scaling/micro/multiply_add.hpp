#pragma once

#include "scaling/micro/samples.hpp"

namespace hiple::scaling {

/// The most that one thread can multiply and add in single precision: independent chains of fused multiply-adds that never leave
/// the registers, at each width of vector that the processor has (a point each, its size the numbers in a vector). No product of
/// matrices can be faster, whatever its shape; this is the arithmetic roof of a roofline (Williams, Waterman and Patterson 2009).
/// On a processor that is no x86-64 it is a plain loop, and as good as the compiler makes it.
Series multiply_add_series(const Effort& effort);

}  // namespace hiple::scaling
