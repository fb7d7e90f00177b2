/** A write that the server has acknowledged: from then on it must never be lost. */
export interface AcknowledgedWrite {
  readonly name: string
  /** What it wrote; undefined for a deletion. */
  readonly value: string | undefined
  readonly revision: number
}

/** A write that was under way when the connection broke: it may have happened or not, but not by half. */
export interface UnacknowledgedWrite {
  readonly name: string
  readonly value: string | undefined
}

/** What writers know: each name has one writer, so that the writes of a name are in order. */
export class LoadLedger {
  readonly acknowledged: AcknowledgedWrite[] = []
  readonly unacknowledged: UnacknowledgedWrite[] = []

  /** The last acknowledged write of each name. */
  last(): ReadonlyMap<string, AcknowledgedWrite> {
    const byName = new Map<string, AcknowledgedWrite>()
    for (const write of this.acknowledged) byName.set(write.name, write)
    return byName
  }

  byRevision(): ReadonlyMap<number, AcknowledgedWrite> {
    return new Map(this.acknowledged.map((write) => [write.revision, write]))
  }
}
