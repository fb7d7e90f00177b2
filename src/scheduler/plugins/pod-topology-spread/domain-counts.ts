interface Domain {
  readonly value: string
  readonly count: number
}

/** Numbers of matching pods by topology domain. */
export class DomainCounts {
  readonly #counts: ReadonlyMap<string, number>
  /** The two domains with the lowest counts. If one of them changes, the other has the minimum of the rest. */
  readonly #lowest: readonly Domain[]

  /** @param counts of every domain, those with 0 included; must not change any more */
  constructor(counts: ReadonlyMap<string, number>) {
    this.#counts = counts
    this.#lowest = twoLowest(counts)
  }

  get size(): number {
    return this.#counts.size
  }

  of(domain: string): number {
    return this.#counts.get(domain) ?? 0
  }

  /** The minimum over all domains that are not in `domains`; undefined if there is no other. */
  minimumExcept(domains: ReadonlyMap<string, unknown>): number | undefined {
    const known = this.#lowest.find(({ value }) => !domains.has(value))
    if (known) return known.count
    let minimum: number | undefined
    for (const [value, count] of this.#counts)
      if (!domains.has(value) && (minimum === undefined || count < minimum)) minimum = count
    return minimum
  }
}

function twoLowest(counts: ReadonlyMap<string, number>): readonly Domain[] {
  let first: Domain | undefined
  let second: Domain | undefined
  for (const [value, count] of counts)
    if (!first || count < first.count) {
      second = first
      first = { value, count }
    } else if (!second || count < second.count) second = { value, count }
  return [first, second].filter((domain) => domain !== undefined)
}

const noChanges: ReadonlyMap<string, number> = new Map()

/** Domain counts plus changes, for dry runs. The counts are shared, so that a copy costs nothing. */
export class AdjustableDomainCounts {
  readonly #counts: DomainCounts
  readonly #minDomains: number
  /** Only of domains that changed. */
  #changes: Map<string, number> | undefined
  #minimum: number | undefined

  constructor(counts: DomainCounts, minDomains: number) {
    this.#counts = counts
    this.#minDomains = minDomains
  }

  /** An independent copy. */
  copy(): AdjustableDomainCounts {
    const copy = new AdjustableDomainCounts(this.#counts, this.#minDomains)
    if (this.#changes) copy.#changes = new Map(this.#changes)
    return copy
  }

  add(domain: string, amount: number): void {
    this.#changes ??= new Map()
    this.#changes.set(domain, (this.#changes.get(domain) ?? 0) + amount)
    this.#minimum = undefined
  }

  of(domain: string): number {
    const count = this.#counts.of(domain)
    return this.#changes ? count + (this.#changes.get(domain) ?? 0) : count
  }

  /** The global minimum: 0 if there are fewer domains than `minDomains`. */
  get minimum(): number {
    this.#minimum ??= this.#findMinimum()
    return this.#minimum
  }

  #findMinimum(): number {
    if (this.#counts.size < this.#minDomains) return 0
    const changes = this.#changes ?? noChanges
    let minimum = this.#counts.minimumExcept(changes) ?? Number.POSITIVE_INFINITY
    for (const domain of changes.keys()) minimum = Math.min(minimum, this.of(domain))
    return minimum
  }
}
