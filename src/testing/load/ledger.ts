/** A write that the server has acknowledged: from then on it must never be lost. */
export interface Acknowledged {
  readonly name: string
  /** What it wrote; undefined for a deletion. */
  readonly value: string | undefined
  readonly revision: number
}

/** A write that was under way when the connection broke: it may have happened or not, but not by half. */
export interface Unsaid {
  readonly name: string
  readonly value: string | undefined
}

/** What writers know: each name has one writer, so that the writes of a name are in order. */
export class Ledger {
  readonly acknowledged: Acknowledged[] = []
  readonly unsaid: Unsaid[] = []

  /** The last acknowledged write of each name. */
  last(): ReadonlyMap<string, Acknowledged> {
    const byName = new Map<string, Acknowledged>()
    for (const write of this.acknowledged) byName.set(write.name, write)
    return byName
  }

  byRevision(): ReadonlyMap<number, Acknowledged> {
    return new Map(this.acknowledged.map((write) => [write.revision, write]))
  }
}
