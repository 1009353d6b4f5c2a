from spack.package import *


class Libcsv(AutotoolsPackage):
    """A small library that reads and writes CSV, in C."""

    homepage = "https://sourceforge.net/projects/libcsv/"
    url = "https://downloads.sourceforge.net/project/libcsv/libcsv/libcsv-3.0.3/libcsv-3.0.3.tar.gz"

    license("LGPL-2.1-or-later")

    # `spack checksum libcsv` fills in the version's sha256 where your site demands one.
    version("3.0.3")

    depends_on("c", type="build")
