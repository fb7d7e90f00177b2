type Labels = Readonly<Record<string, string>>

/** Numbers by topology key and value. A copy shows the numbers of its base plus its own changes, and does not change the base. */
export class TopologyCounts {
  readonly #base: TopologyCounts | undefined
  readonly #byKey = new Map<string, Map<string, number>>()
  #total = 0

  constructor(base?: TopologyCounts) {
    this.#base = base
  }

  /** Does nothing if the node does not have the label. */
  add(key: string, labels: Labels, amount: number): void {
    const value = labels[key]
    if (value === undefined) return
    let values = this.#byKey.get(key)
    if (!values) {
      values = new Map()
      this.#byKey.set(key, values)
    }
    values.set(value, (values.get(value) ?? 0) + amount)
    this.#total += amount
  }

  /** The number of the node's value of the key; 0 if it has none. */
  at(key: string, labels: Labels): number {
    const value = labels[key]
    if (value === undefined) return 0
    const own = this.#byKey.get(key)?.get(value) ?? 0
    return this.#base ? own + this.#base.at(key, labels) : own
  }

  /** The numbers add up to 0. */
  get isZero(): boolean {
    return this.#sum === 0
  }

  get #sum(): number {
    return this.#base ? this.#total + this.#base.#sum : this.#total
  }

  /** Something was added, even if it was removed again. */
  get isTouched(): boolean {
    return this.#byKey.size > 0 || (this.#base?.isTouched ?? false)
  }

  /** Whether any of the node's labels has a number above 0. */
  isAnyAt(labels: Labels): boolean {
    for (let layer: TopologyCounts | undefined = this; layer; layer = layer.#base)
      for (const key of layer.#byKey.keys()) if (this.at(key, labels) > 0) return true
    return false
  }

  /** The sum over the node's labels, without the base. */
  ownSumAt(labels: Labels): number {
    let sum = 0
    for (const [key, values] of this.#byKey) {
      const value = labels[key]
      if (value !== undefined) sum += values.get(value) ?? 0
    }
    return sum
  }
}
