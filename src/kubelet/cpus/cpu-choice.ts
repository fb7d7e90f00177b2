import { CpuSet } from './cpu-set.js'
import type { CpuLocation, CpuTopology } from './cpu-topology.js'

/** Too few CPUs are free. The message is upstream's. */
export class CpuShortageError extends Error {
  override readonly name = 'CpuShortage'

  constructor(requested: number, available: number) {
    super(`not enough cpus available to satisfy request: requested=${requested}, available=${available}`)
  }
}

type Level = 'numaNode' | 'socket' | 'core'

/**
 * Chooses CPUs that are close together: whole NUMA nodes and sockets first, then whole cores, then single CPUs of cores that are already in
 * use. Prefers the fullest units, so that large ones stay whole. Deterministic. Throws a `CpuShortageError`.
 */
export function chooseCpus(topology: CpuTopology, available: CpuSet, count: number): CpuSet {
  if (count > available.size) throw new CpuShortageError(count, available.size)
  const choice = new CpuChoice(topology, available, count)
  for (const level of levelsOf(topology)) choice.takeWhole(level)
  choice.takeSingle()
  return choice.taken
}

/** Returns the levels from large to small. A socket is larger than a NUMA node if it contains several. */
function levelsOf(topology: CpuTopology): readonly Level[] {
  const count = (level: Level) => new Set(topology.map((location) => location[level])).size
  return count('socket') >= count('numaNode') ? ['numaNode', 'socket', 'core'] : ['socket', 'numaNode', 'core']
}

class CpuChoice {
  readonly #topology: CpuTopology
  readonly #levels: readonly Level[]
  #free: CpuSet
  #missing: number
  taken = CpuSet.none

  constructor(topology: CpuTopology, available: CpuSet, count: number) {
    this.#topology = topology
    this.#levels = levelsOf(topology)
    this.#free = available
    this.#missing = count
  }

  takeWhole(level: Level): void {
    for (const whole of this.#inOrder(level)) {
      const isFree = whole.every(({ cpu }) => this.#free.has(cpu))
      if (isFree && whole.length <= this.#missing) this.#take(whole.map(({ cpu }) => cpu))
    }
  }

  takeSingle(): void {
    for (const core of this.#inOrder('core'))
      for (const { cpu } of core) if (this.#missing > 0 && this.#free.has(cpu)) this.#take([cpu])
  }

  #take(cpus: readonly number[]): void {
    const set = CpuSet.of(cpus)
    this.taken = this.taken.union(set)
    this.#free = this.#free.without(set)
    this.#missing -= cpus.length
  }

  /** Returns all units of a level, those in the fullest outer units first. */
  #inOrder(level: Level): readonly (readonly CpuLocation[])[] {
    const outer = this.#levels.slice(0, this.#levels.indexOf(level) + 1)
    const rank = (unit: readonly CpuLocation[]) =>
      outer.flatMap((each) => [this.#freeIn(each, unit[0]!), unit[0]![each]])
    return [...groups(this.#topology, level)].sort((left, right) => compare(rank(left), rank(right)))
  }

  #freeIn(level: Level, location: CpuLocation): number {
    return this.#topology.filter((other) => other[level] === location[level] && this.#free.has(other.cpu)).length
  }
}

function groups(topology: CpuTopology, level: Level): Iterable<readonly CpuLocation[]> {
  const byUnit = new Map<number, CpuLocation[]>()
  for (const location of topology) {
    const unit = byUnit.get(location[level])
    if (unit) unit.push(location)
    else byUnit.set(location[level], [location])
  }
  return byUnit.values()
}

function compare(left: readonly number[], right: readonly number[]): number {
  const at = left.findIndex((number, i) => number !== right[i])
  return at < 0 ? 0 : left[at]! - right[at]!
}
