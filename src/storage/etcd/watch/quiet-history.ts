import { Buffer } from 'node:buffer'
import type { Clock } from '../../../base/clock.js'
import { FailedCallError } from '../call-errors.js'
import type { EtcdStream } from '../channel.js'
import type { KeyRange } from '../key-space.js'
import type { MemberClient } from '../member.js'
import { rangeMethod } from '../messages/range.js'
import { type EtcdWatchResponse, type WatchRequest, watchMethod } from '../messages/watch.js'

const everything: KeyRange = { start: Buffer.from([0]), end: Buffer.from([0]) }
const revisionRead = rangeMethod(0)
const watching = watchMethod(0)

export interface QuietRange {
  readonly range: KeyRange
  /** All changes up to this revision are known. */
  readonly position: number
  readonly clock: Clock
  /** Milliseconds. */
  readonly limit: number
}

/**
 * Returns the revision up to which there was no change in the range since the position; undefined if there was one, or if it is unknown.
 * For servers that do not report the progress of a watch.
 *
 * Such a server reads history for all new watches of a stream together, every tenth of a second, and sends what it finds before it handles
 * newer watches. So this first watches the range from the position on, and then, when that watch exists, everything from the newest
 * revision, which has a change. When that change has arrived twice, one after the other, the first watch was handled; if it found nothing,
 * there is nothing.
 */
export async function quietUntil(member: MemberClient, quiet: QuietRange): Promise<number | undefined> {
  const { position, limit } = quiet
  const request = { key: everything.start, countOnly: true }
  const { revision } = await member.call(revisionRead, request, { limit, repeatable: true })
  // Revision 1 is the empty store: it has no changes.
  if (revision <= Math.max(position, 1)) return revision
  return (await isQuiet(member, quiet, revision)) ? revision : undefined
}

function isQuiet(
  member: MemberClient,
  { range, position, clock, limit }: QuietRange,
  newest: number,
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      timer.cancel()
      stream.cancel()
      settle()
    }
    const timer = clock.timer(limit, () => end(() => reject(new FailedCallError('no response in time', true))))
    const check = new QuietCheck((isQuiet) => end(() => resolve(isQuiet)))
    const stream: EtcdStream<WatchRequest> = member.stream(watching, {
      onMessage: (response) => {
        if (check.take(response)) stream.send({ ...everything, revision: newest, previous: false })
      },
      onEnd: (reason) => end(() => reject(reason)),
    })
    stream.send({ ...range, revision: position + 1, previous: false })
  })
}

/** The first watch of the stream is on the range, later ones on everything. */
class QuietCheck {
  readonly #decide: (quiet: boolean) => void
  #seen = 0

  constructor(decide: (quiet: boolean) => void) {
    this.#decide = decide
  }

  /** Returns whether to start another watch on everything. */
  take({ watchId, created, canceled, events }: EtcdWatchResponse): boolean {
    if (canceled || (watchId === 0 && events.length > 0)) this.#decide(false)
    else if (watchId === 0) return created
    else if (watchId === this.#seen + 1 && events.length > 0) {
      this.#seen++
      if (this.#seen < 2) return true
      this.#decide(true)
    }
    return false
  }
}
