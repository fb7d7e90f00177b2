interface Domain {
  readonly value: string
  readonly count: number
}

/** How many pods of a kind there are in each domain. */
export class DomainCounts {
  readonly #counts: ReadonlyMap<string, number>
  /** The two domains with the fewest: if one of them changes, the other is the emptiest of the rest. */
  readonly #emptiest: readonly Domain[]

  /** @param counts of every domain, those included that have none; not changed any more */
  constructor(counts: ReadonlyMap<string, number>) {
    this.#counts = counts
    this.#emptiest = twoEmptiest(counts)
  }

  get size(): number {
    return this.#counts.size
  }

  of(domain: string): number {
    return this.#counts.get(domain) ?? 0
  }

  /** The fewest there are in any domain but those; undefined if there is no other. */
  lowestExcept(domains: ReadonlyMap<string, unknown>): number | undefined {
    const known = this.#emptiest.find(({ value }) => !domains.has(value))
    if (known) return known.count
    let lowest: number | undefined
    for (const [value, count] of this.#counts)
      if (!domains.has(value) && (lowest === undefined || count < lowest)) lowest = count
    return lowest
  }
}

function twoEmptiest(counts: ReadonlyMap<string, number>): readonly Domain[] {
  let first: Domain | undefined
  let second: Domain | undefined
  for (const [value, count] of counts)
    if (!first || count < first.count) {
      second = first
      first = { value, count }
    } else if (!second || count < second.count) second = { value, count }
  return [first, second].filter((domain) => domain !== undefined)
}

const unchanged: ReadonlyMap<string, number> = new Map()

/** The same as it would be if some pods came or went. The counts themselves are shared, and cost nothing to adjust. */
export class AdjustableDomainCounts {
  readonly #counts: DomainCounts
  readonly #minDomains: number
  /** How many more or fewer, of the domains in which that is so. */
  #changes: Map<string, number> | undefined
  #lowest: number | undefined

  constructor(counts: DomainCounts, minDomains: number) {
    this.#counts = counts
    this.#minDomains = minDomains
  }

  /** One of its own that begins as this one is. */
  adjustable(): AdjustableDomainCounts {
    const copy = new AdjustableDomainCounts(this.#counts, this.#minDomains)
    if (this.#changes) copy.#changes = new Map(this.#changes)
    return copy
  }

  add(domain: string, amount: number): void {
    this.#changes ??= new Map()
    this.#changes.set(domain, (this.#changes.get(domain) ?? 0) + amount)
    this.#lowest = undefined
  }

  of(domain: string): number {
    const count = this.#counts.of(domain)
    return this.#changes ? count + (this.#changes.get(domain) ?? 0) : count
  }

  /** How many there are in the emptiest domain. */
  get lowest(): number {
    this.#lowest ??= this.#findLowest()
    return this.#lowest
  }

  #findLowest(): number {
    if (this.#counts.size < this.#minDomains) return 0
    const changes = this.#changes ?? unchanged
    let lowest = this.#counts.lowestExcept(changes) ?? Number.POSITIVE_INFINITY
    for (const domain of changes.keys()) lowest = Math.min(lowest, this.of(domain))
    return lowest
  }
}
