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
  /** What happened up to this revision is known. */
  readonly position: number
  readonly clock: Clock
  /** In milliseconds. */
  readonly limit: number
}

/**
 * Up to which revision nothing happened in the range since the position; undefined when something did, or when it cannot be told.
 * For servers that do not tell the progress of a watch.
 *
 * Such a server reads history for all new watches of a stream together, every tenth of a second, and sends what it finds before
 * it looks at newer watches. So first the range is watched from the position on, and then, once that watch is there, everything
 * is watched from the newest revision, where there is something to find. When that has come, twice, one after the other, the
 * first watch had its turn; if it found nothing, there is nothing.
 */
export async function quietUntil(member: MemberClient, quiet: QuietRange): Promise<number | undefined> {
  const { position, limit } = quiet
  const request = { key: everything.start, countOnly: true }
  const { revision } = await member.call(revisionRead, request, { limit, repeatable: true })
  // The first revision is that of the empty store: nothing ever happened then.
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
    const timer = clock.timer(limit, () => end(() => reject(new FailedCallError('no answer in time', true))))
    const turns = new Turns((answer) => end(() => resolve(answer)))
    const stream: EtcdStream<WatchRequest> = member.stream(watching, {
      onMessage: (response) => {
        if (turns.take(response)) stream.send({ ...everything, revision: newest, previous: false })
      },
      onEnd: (reason) => end(() => reject(reason)),
    })
    stream.send({ ...range, revision: position + 1, previous: false })
  })
}

/** The first watch of the stream is on the range, those after it on everything. */
class Turns {
  readonly #decide: (quiet: boolean) => void
  #seen = 0

  constructor(decide: (quiet: boolean) => void) {
    this.#decide = decide
  }

  /** Whether it is time for another watch on everything. */
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
