from spack.package import *


class Hiple(CMakePackage, CudaPackage):
    """The Hierarchical Independent Parallel Learning Engine: trains many small models without a shared loss, and joins
    their judgments by rules that a person can read."""

    license("BSD-3-Clause")

    # From a checkout: `spack develop --path . hiple@main`, or `spack install` inside of an environment that names the folder.
    version("main", branch="main")

    variant("tests", default=False, description="Build the tests")
    variant("benchmarks", default=True, description="Build the benchmark programs")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("openmpi@4.1:")
    depends_on("hdf5@1.10:+hl~mpi")
    depends_on("yaml-cpp@0.7:")
    depends_on("onednn@2.6: cpu_runtime=omp")
    depends_on("highway@1.0:")
    depends_on("eigen@3.4:")
    depends_on("boost@1.74:")
    depends_on("openssl@3:")
    depends_on("z3@4.8.12:")
    depends_on("libcsv")
    depends_on("libseccomp@2.5:")
    depends_on("fmt@9:")
    depends_on("spdlog@1.10:+fmt_external")
    depends_on("cli11@2:")
    depends_on("nlohmann-json@3.11:")
    depends_on("googletest@1.12:+gmock", when="+tests")
    depends_on("python@3.11:", when="+tests")

    requires("%gcc@12:", msg="C++20 as GCC 12 has it")

    def cmake_args(self):
        return [
            self.define_from_variant("HIPLE_TESTS", "tests"),
            self.define_from_variant("HIPLE_BENCHMARKS", "benchmarks"),
            self.define("HIPLE_CUDA", "ON" if self.spec.satisfies("+cuda") else "OFF"),
        ]
