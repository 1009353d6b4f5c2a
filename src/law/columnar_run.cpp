#include "law/columnar_run.hpp"

#include <algorithm>
#include <new>

namespace hiple::law::columnar {

ProgramRun::ProgramRun(const Program& program, const Inputs& inputs)
    : program_(program), reader_(program, inputs), planes_(hwy::AllocateAligned<std::uint64_t>(program.places * tile_words)) {
  if (!planes_) throw std::bad_alloc();
  std::fill_n(at(nowhere), tile_words, 0);
  std::fill_n(at(everywhere), tile_words, ~std::uint64_t{0});
}

void ProgramRun::run(const std::vector<Instruction>& part) {
  std::span<const Instruction> rest = part;
  while (true) {
    rest = rest.subspan(run_gates(rest, planes_.get()));
    if (rest.empty()) return;
    const Instruction& mean = rest.front();
    reader_.mean(program_.compiled.circuit.means()[mean.a], program_.place, planes_.get(), at(mean.to), at(mean.b));
    rest = rest.subspan(1);
  }
}

}  // namespace hiple::law::columnar
