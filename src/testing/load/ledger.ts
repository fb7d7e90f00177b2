/** A write that the server has acknowledged. It must never be lost. */
export interface AcknowledgedWrite {
  readonly name: string
  /** The value; undefined for a deletion. */
  readonly value: string | undefined
  readonly revision: number
}

/** A write that was in flight when the connection broke. It was stored completely or not at all. */
export interface UnacknowledgedWrite {
  readonly name: string
  readonly value: string | undefined
}

/** Records all writes. Each name has one writer, so that the writes of a name are in order. */
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
