import { Pod } from '../../api/core/v1/pod.js'
import { hasReason } from '../../api/errors.js'
import { whenAborted } from '../../base/abort.js'
import type { Environment } from '../../base/environment.js'
import type { Client } from '../../client/client.js'
import type { ResourceClient } from '../../client/resource-client.js'
import { mergedStatus } from './merged-status.js'
import { isFinal } from './phase.js'
import { isMirrorPod } from './static-pod.js'
import { statusPatch } from './status-patch.js'
import { type StatusReport, statusReport } from './status-report.js'
import { type PodNews, storedOf } from './stored-pod.js'

interface WriterParts {
  readonly environment: Environment
  readonly client: Client
  readonly stored: (pod: Pod) => Pod | undefined
}

/** Milliseconds after which no answer is expected any more. */
const patience = 10_000

/** How often somebody else may come between looking and writing before that counts as a failure. */
const mostConflicts = 5

/** Writes what is known of one pod. Nobody else writes the same pod's status at the same time. */
export class StatusWriter {
  readonly #parts: WriterParts
  readonly #closing: AbortSignal
  readonly #report: StatusReport

  constructor(parts: WriterParts, closing: AbortSignal) {
    this.#parts = parts
    this.#closing = closing
    this.#report = statusReport(parts.environment)
  }

  /** Rejects if it has to be tried again. */
  async write(news: PodNews): Promise<void> {
    for (let conflicts = 0; ; conflicts++) {
      const stored = storedOf(this.#parts, news.pod, news)
      if (!stored || stored.metadata.uid === news.goneUid) return
      try {
        await this.#bring(news, stored)
        return
      } catch (error) {
        if (hasReason(error, 'NotFound')) news.goneUid = stored.metadata.uid
        else if (hasReason(error, 'Conflict') && conflicts < mostConflicts) await this.#lookAgain(news, stored)
        else throw error
      }
    }
  }

  async #bring(news: PodNews, stored: Pod): Promise<void> {
    const { version } = news
    const wanted = mergedStatus(stored, news.status)
    const patch = statusPatch(stored, wanted)
    const written = patch ? await this.#patch(stored, patch) : stored
    if (patch) this.#report(written, this.#parts.environment.clock.monotonic() - news.since)
    news.answered = written
    news.toldVersion = version
    news.toldRevision = written.metadata.resourceVersion
    if (news.isFinished && canGo(written)) await this.#delete(news, written)
  }

  #patch({ metadata }: Pod, patch: object): Promise<Pod> {
    return this.#inTime((signal) =>
      this.#pods(metadata).subresource('status').patch(metadata.name!, 'strategic', patch, { signal }),
    )
  }

  async #delete(news: PodNews, { metadata }: Pod): Promise<void> {
    const { uid } = metadata
    const preconditions = { uid: uid! }
    await this.#inTime((signal) =>
      this.#pods(metadata).delete(metadata.name!, { gracePeriodSeconds: 0, preconditions, signal }),
    )
    news.goneUid = uid
  }

  /** Another object of the same name is no concern of this pod. */
  async #lookAgain(news: PodNews, { metadata }: Pod): Promise<void> {
    const found = await this.#inTime((signal) => this.#pods(metadata).get(metadata.name!, { signal }))
    if (found.metadata.uid === metadata.uid) news.answered = found
    else news.goneUid = metadata.uid
  }

  #pods({ namespace }: Pod['metadata']): ResourceClient<Pod> {
    return this.#parts.client.resource(Pod).in(namespace!)
  }

  async #inTime<T>(request: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const limit = new AbortController()
    const late = () => limit.abort(new Error(`there was no answer in ${patience / 1000} s`))
    const timer = this.#parts.environment.clock.timer(patience, late)
    const stopListening = whenAborted(this.#closing, () => limit.abort(this.#closing.reason))
    try {
      return await request(limit.signal)
    } finally {
      timer.cancel()
      stopListening()
    }
  }
}

/** Nobody waits for it any more, and it has been told how it ended. Mirrors go with their pods. */
function canGo(pod: Pod): boolean {
  return pod.metadata.deletionTimestamp !== undefined && !isMirrorPod(pod) && isFinal(pod.status?.phase)
}
