/** So long, in milliseconds, a node may be unknown before anybody asks for it: its pods may be seen before it is. */
const patience = 40_000

/** Nodes that pods are bound to and that no informer shows. */
export class Quarantine {
  /** Until when each is given time. */
  readonly #until = new Map<string, number>()

  /** Told all that are missing now. Gives those whose time is over, once: if they stay missing, their time begins anew. */
  overdue(missing: ReadonlySet<string>, now: number): readonly string[] {
    for (const name of this.#until.keys()) if (!missing.has(name)) this.#until.delete(name)
    for (const name of missing) if (!this.#until.has(name)) this.#until.set(name, now + patience)
    const overdue = [...this.#until].filter(([, until]) => until <= now).map(([name]) => name)
    for (const name of overdue) this.#until.delete(name)
    return overdue
  }
}
