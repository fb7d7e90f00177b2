/** An immutable set of logical CPUs. */
export class CpuSet {
  /** Ascending. */
  readonly cpus: readonly number[]

  private constructor(cpus: readonly number[]) {
    this.cpus = cpus
  }

  static readonly none = new CpuSet([])

  static of(cpus: Iterable<number>): CpuSet {
    return new CpuSet([...new Set(cpus)].sort((left, right) => left - right))
  }

  /** Parses the kernel's notation: `0-2,5`. Throws if it is invalid. */
  static parse(text: string): CpuSet {
    const cpus: number[] = []
    for (const part of text.trim() === '' ? [] : text.trim().split(',')) {
      const [, first = '', last = first] = /^(\d+)(?:-(\d+))?$/.exec(part) ?? []
      if (first === '' || Number(last) < Number(first)) throw new Error(`${JSON.stringify(text)} is not a CPU set`)
      for (let cpu = Number(first); cpu <= Number(last); cpu++) cpus.push(cpu)
    }
    return CpuSet.of(cpus)
  }

  get size(): number {
    return this.cpus.length
  }

  has(cpu: number): boolean {
    return this.cpus.includes(cpu)
  }

  union(...others: readonly CpuSet[]): CpuSet {
    return CpuSet.of([this, ...others].flatMap(({ cpus }) => cpus))
  }

  without(other: CpuSet): CpuSet {
    return new CpuSet(this.cpus.filter((cpu) => !other.has(cpu)))
  }

  intersection(other: CpuSet): CpuSet {
    return new CpuSet(this.cpus.filter((cpu) => other.has(cpu)))
  }

  equals(other: CpuSet): boolean {
    return this.toString() === other.toString()
  }

  toString(): string {
    const runs: string[] = []
    for (let i = 0; i < this.cpus.length; ) {
      const first = this.cpus[i]!
      let last = first
      while (this.cpus[++i] === last + 1) last++
      runs.push(first === last ? String(first) : `${first}-${last}`)
    }
    return runs.join(',')
  }
}
