/** How long a node may be unknown, in milliseconds: informers may show its pods before the node. */
const quarantineTime = 40_000

/** Nodes that pods are bound to and that no informer shows. */
export class NodeQuarantine {
  /** When the quarantine of each ends. */
  readonly #until = new Map<string, number>()

  /** Takes all nodes that are missing now. Returns those whose quarantine has ended; if they stay missing, another one begins. */
  overdue(missing: ReadonlySet<string>, now: number): readonly string[] {
    for (const name of this.#until.keys()) if (!missing.has(name)) this.#until.delete(name)
    for (const name of missing) if (!this.#until.has(name)) this.#until.set(name, now + quarantineTime)
    const overdue = [...this.#until].filter(([, until]) => until <= now).map(([name]) => name)
    for (const name of overdue) this.#until.delete(name)
    return overdue
  }
}
