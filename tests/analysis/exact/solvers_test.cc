// Tests the rational and the decimal solver on chains with known results.
#include <gtest/gtest.h>

#include <cmath>

#include "simulator/analysis/exact/fraction_sum.h"
#include "simulator/analysis/exact/iterative.h"
#include "simulator/analysis/exact/solve_decimal.h"
#include "simulator/analysis/exact/solve_rational.h"
#include "simulator/analysis/exact/state_elimination.h"
#include "simulator/base/error.h"
#include "tests/analysis/exact/chain_rows.h"

namespace pnsim {
namespace {

constexpr std::uint64_t kPlentyOfWork = ~std::uint64_t{0};
const std::vector<Quantity> kAll{kSteps, kEndsAtGoal, kEndsDead};

std::vector<Rational> rational(const MarkingGraph& graph) {
  WorkBudget budget(kPlentyOfWork);
  return solve_rational(graph, ChainComponents(graph), kAll, budget).value();
}

std::vector<DecimalValue> decimal(const MarkingGraph& graph) {
  return solve_decimal(graph, ChainComponents(graph), kAll);
}

// |decimal - exact| is within the error bound, and the bound is small.
void expect_close(const DecimalValue& found, const Rational& exact, double relative) {
  const Rational error = abs(Rational(found.value) - exact);
  EXPECT_LE(error, Rational(found.error_bound)) << found.value << " for " << exact;
  EXPECT_LE(found.error_bound, relative * (1 + std::abs(found.value)));
}

TEST(FractionSum, AddsWhatFractionsAddUpTo) {
  WorkBudget budget(kPlentyOfWork);
  FractionSum sum(budget);
  Rational expected = 0;
  for (int k = 1; k <= 60; ++k) {
    sum.add(k % 7 - 3, Rational(k, k * k + 1));
    expected += Rational(k % 7 - 3) * Rational(k, k * k + 1);
  }
  EXPECT_EQ(sum.divided_by(1), expected);
  EXPECT_EQ(sum.divided_by(12), expected / 12);
}

TEST(SolveRational, WalkTakesTheSquareOfItsLength) {
  for (const std::uint32_t n : {1u, 2u, 3u, 17u, 199u}) {
    EXPECT_EQ(rational(test::walk(n, Rational(1, 2)).graph())[0], n * n);
  }
}

TEST(SolveRational, HeadsInARowTakePowersOfTwo) {
  const Integer two = 2;
  EXPECT_EQ(rational(test::heads_in_a_row(199).graph())[0],
            Rational(boost::multiprecision::pow(two, 200) - 2));
}

TEST(SolveRational, OneStateThatMayStayTakesTheInverseOfLeaving) {
  test::ChainRows rows(2);
  rows.add(0, 0, Rational(6, 7));
  rows.add(0, 1, Rational(1, 7));
  EXPECT_EQ(rational(rows.graph())[0], 7);
}

TEST(SolveRational, ProbabilitiesOfTheEndsAreThoseOfTheExit) {
  const auto x = rational(test::random_component(60, 3, 1).graph());
  EXPECT_EQ(x[1], Rational(2, 3));
  EXPECT_EQ(x[2], Rational(1, 3));
}

TEST(SolveRational, GivesUpWhenTheBudgetIsExhausted) {
  const MarkingGraph graph = test::one_or_two_up(400).graph();
  WorkBudget little(100'000);
  EXPECT_FALSE(solve_rational(graph, ChainComponents(graph), kAll, little));
  const MarkingGraph ring = test::walk(100, Rational(1, 3)).graph();
  WorkBudget less(100'000);
  EXPECT_FALSE(solve_rational(ring, ChainComponents(ring), kAll, less));
}

TEST(SolveDecimal, IsWithinItsBoundOfTheFraction) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const MarkingGraph graph =
        test::random_component(static_cast<std::uint32_t>(20 + 15 * seed), 3, seed).graph();
    const auto exact = rational(graph);
    const auto found = decimal(graph);
    for (std::size_t q = 0; q < kAll.size(); ++q) expect_close(found[q], exact[q], 1e-9);
  }
}

TEST(SolveDecimal, SubstitutesWhereThereAreNoCycles) {
  const MarkingGraph graph = test::one_or_two_up(300).graph();
  expect_close(decimal(graph)[0], rational(graph)[0], 1e-11);
}

TEST(SolveDecimal, LongWalksAreEliminatedNotIterated) {
  for (const std::uint32_t n : {300u, 20'000u}) {
    expect_close(decimal(test::walk(n, Rational(1, 2)).graph())[0], Rational(Integer(n) * n), 1e-5);
  }
  // A drift away from the end is hard for iterations, whose errors travel the whole length.
  const auto up = decimal(test::walk(20'000, Rational(2, 3)).graph())[0];
  EXPECT_NEAR(up.value, 3 * 20'000, 10);
  EXPECT_LT(up.error_bound, 1e-3);
}

// A square of n x n states. Each leads to its neighbours with equal probability (walls: it stays).
// The exit is at one corner.
MarkingGraph square(std::uint32_t n) {
  test::ChainRows rows(n * n + 1);
  const auto at = [n](std::uint32_t x, std::uint32_t y) { return x * n + y; };
  for (std::uint32_t x = 0; x < n; ++x) {
    for (std::uint32_t y = 0; y < n; ++y) {
      rows.add(at(x, y), at(x == 0 ? 0 : x - 1, y), Rational(1, 4));
      rows.add(at(x, y), at(x, y == 0 ? 0 : y - 1), Rational(1, 4));
      rows.add(at(x, y), x + 1 == n ? at(x, y) : at(x + 1, y), Rational(1, 4));
      const bool corner = x + 1 == n && y + 1 == n;
      rows.add(at(x, y), corner ? n * n : y + 1 == n ? at(x, y) : at(x, y + 1), Rational(1, 4));
    }
  }
  return rows.graph();
}

TEST(SolveDecimal, WideComponentsAreIterated) {
  const MarkingGraph graph = square(12);
  expect_close(decimal(graph)[0], rational(graph)[0], 1e-9);
  const auto large = decimal(square(60))[0];
  EXPECT_LT(large.error_bound, 1e-6 * large.value);
  // By symmetry every state is visited equally often, so a return to the exit takes n^2 steps, and
  // one visit in four takes the exit.
  EXPECT_GT(large.value, 4 * 60 * 60);
}

TEST(SolveDecimal, RandomComponentsOfThousandsAreIterated) {
  const auto found = decimal(test::random_component(5'000, 4, 9).graph());
  EXPECT_LT(found[0].error_bound, 1e-6 * found[0].value);
  EXPECT_NEAR(found[1].value, 2.0 / 3, found[1].error_bound);
  EXPECT_NEAR(found[2].value, 1.0 / 3, found[2].error_bound);
}

TEST(SolveDecimal, RefusesWhatFloatingPointCannotTell) {
  expect_close(decimal(test::heads_in_a_row(30).graph())[0], Rational((1LL << 31) - 2), 1e-3);
  for (const std::uint32_t n : {60u, 250u, 1100u}) {
    try {
      decimal(test::heads_in_a_row(n).graph());
      FAIL() << n << ": no error";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::kLimit);
    }
  }
}

TEST(SolveIteratively, FindsTheSolutionOfASmallChain) {
  // x0 = 1 + x1 / 2, x1 = 1 + x0 / 2: both 2.
  const SparseChain chain{{1, 1}, {{1, 0.5}, {0, 0.5}}, {0, 1, 2}};
  DecimalWork work;
  for (const double x : solve_iteratively(chain, {1, 1}, work)) EXPECT_NEAR(x, 2, 1e-14);
}

TEST(SolveIteratively, AnEmptyChainHasAnEmptySolution) {
  DecimalWork work;
  EXPECT_EQ(solve_iteratively({{1, 1}, {{1, 0.5}, {0, 0.5}}, {0, 1, 2}}, {0, 0}, work),
            (std::vector<double>{0, 0}));
  EXPECT_TRUE(solve_iteratively({{}, {}, {0}}, {}, work).empty());
}

TEST(StateElimination, KeepsTheDigitsOfRareExits) {
  // Two states that alternate and leave once in 10^12 times: T = 10^12 to all digits. Subtracting
  // probabilities from 1 would lose them.
  DecimalWork work;
  StateElimination states(2, work);
  states.add_edge(0, 1, 1 - 1e-12);
  states.add_exit(0, 1e-12);
  states.add_edge(1, 0, 1 - 1e-12);
  states.add_exit(1, 1e-12);
  const double leaving = (1 - 1e-12) + 1e-12;
  EXPECT_NEAR(states.solve({leaving, leaving})[0], 1e12, 0.01);
}

// A chain of many components must not take the bound of one for each of them.
TEST(StateElimination, SystemsShareTheBoundOnTheirWork) {
  DecimalWork work{.merged_edges = 20, .iterated_edges = 3000};
  std::size_t told = 0;
  work.tell = [&] { ++told; };
  for (int system = 0; system < 4; ++system) {
    StateElimination ring(50, work);  // forwards, and out in one of ten steps
    for (std::size_t i = 0; i < 50; ++i) {
      ring.add_edge(i, (i + 1) % 50, 0.9);
      ring.add_exit(i, 0.1);
    }
    for (const double x : ring.solve(std::vector<double>(50, 1))) EXPECT_NEAR(x, 10, 1e-9);
  }
  EXPECT_EQ(work.merged_edges, 0u);
  EXPECT_LT(work.iterated_edges, 3000u);
  EXPECT_GT(told, 4u);
}

}  // namespace
}  // namespace pnsim
