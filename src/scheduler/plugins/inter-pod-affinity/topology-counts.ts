type Labels = Readonly<Record<string, string>>

/** Numbers, by a label of nodes and its value. One that is made from another shows what that one has and its own changes. */
export class TopologyCounts {
  readonly #base: TopologyCounts | undefined
  readonly #byKey = new Map<string, Map<string, number>>()
  #total = 0

  constructor(base?: TopologyCounts) {
    this.#base = base
  }

  /** Does nothing where the node has no such label. */
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

  /** Of the value that the node has; 0 if it has none. */
  at(key: string, labels: Labels): number {
    const value = labels[key]
    if (value === undefined) return 0
    const own = this.#byKey.get(key)?.get(value) ?? 0
    return this.#base ? own + this.#base.at(key, labels) : own
  }

  /** Of all that was added, nothing is left. */
  get isEmpty(): boolean {
    return this.#whole === 0
  }

  get #whole(): number {
    return this.#base ? this.#total + this.#base.#whole : this.#total
  }

  /** Something was ever added. */
  get isTouched(): boolean {
    return this.#byKey.size > 0 || (this.#base?.isTouched ?? false)
  }

  /** Whether one of the node's labels has a number above 0. */
  isAnyAt(labels: Labels): boolean {
    for (let layer: TopologyCounts | undefined = this; layer; layer = layer.#base)
      for (const key of layer.#byKey.keys()) if (this.at(key, labels) > 0) return true
    return false
  }

  /** Only of what was added here. */
  sumAt(labels: Labels): number {
    let sum = 0
    for (const [key, values] of this.#byKey) {
      const value = labels[key]
      if (value !== undefined) sum += values.get(value) ?? 0
    }
    return sum
  }
}
