import type { PodStatus } from '../../api/core/v1/pod/status.js'
import { Pod } from '../../api/core/v1/pod.js'
import { hasReason } from '../../api/errors.js'
import { builtin } from '../../api/scheme.js'
import { whenAborted } from '../../base/abort.js'
import type { Environment } from '../../base/environment.js'
import type { Client } from '../../client/client.js'
import type { ResourceClient } from '../../client/resource-client.js'
import type { JsonObject, JsonValue } from '../../schema/declaration.js'
import { isEmptyObject } from '../../schema/json-value.js'
import { diffStrategicPatch } from '../../schema/patch/strategic-diff.js'
import { isMirrorPod } from '../static/pod-source.js'
import { mergedStatus } from './merged-status.js'
import { isFinalPhase } from './phase.js'
import { type StatusReporter, statusReporter } from './status-reporter.js'
import { newestStoredPod, type PendingStatus } from './stored-pod.js'

interface WriterParts {
  readonly environment: Environment
  readonly client: Client
  readonly stored: (pod: Pod) => Pod | undefined
}

/** Milliseconds before a request times out. */
const requestTimeout = 10_000

/** Number of consecutive conflicts after which a write fails. */
const mostConflicts = 5

/** Writes the pending status of a pod. Writes for one pod never run concurrently. */
export class StatusWriter {
  readonly #parts: WriterParts
  readonly #closing: AbortSignal
  readonly #report: StatusReporter

  constructor(parts: WriterParts, closing: AbortSignal) {
    this.#parts = parts
    this.#closing = closing
    this.#report = statusReporter(parts.environment)
  }

  /** Rejects if the write must be retried. */
  async write(pending: PendingStatus): Promise<void> {
    for (let conflicts = 0; ; conflicts++) {
      const stored = newestStoredPod(this.#parts, pending.pod, pending)
      if (!stored || stored.metadata.uid === pending.deletedUid) return
      try {
        await this.#writeOnce(pending, stored)
        return
      } catch (error) {
        if (hasReason(error, 'NotFound')) pending.deletedUid = stored.metadata.uid
        else if (hasReason(error, 'Conflict') && conflicts < mostConflicts) await this.#readAgain(pending, stored)
        else throw error
      }
    }
  }

  async #writeOnce(pending: PendingStatus, stored: Pod): Promise<void> {
    const { version } = pending
    const wanted = mergedStatus(stored, pending.status)
    const patch = podStatusPatch(stored, wanted)
    const written = patch ? await this.#patch(stored, patch) : stored
    if (patch) this.#report(written, this.#parts.environment.clock.monotonic() - pending.since)
    pending.lastResponse = written
    pending.writtenVersion = version
    pending.writtenRevision = written.metadata.resourceVersion
    if (pending.isFinished && canDelete(written)) await this.#delete(pending, written)
  }

  #patch({ metadata }: Pod, patch: object): Promise<Pod> {
    return this.#withTimeout((signal) =>
      this.#pods(metadata).subresource('status').patch(metadata.name!, 'strategic', patch, { signal }),
    )
  }

  async #delete(pending: PendingStatus, { metadata }: Pod): Promise<void> {
    const { uid } = metadata
    const preconditions = { uid: uid! }
    await this.#withTimeout((signal) =>
      this.#pods(metadata).delete(metadata.name!, { gracePeriodSeconds: 0, preconditions, signal }),
    )
    pending.deletedUid = uid
  }

  /** An object with another uid is not this pod. */
  async #readAgain(pending: PendingStatus, { metadata }: Pod): Promise<void> {
    const found = await this.#withTimeout((signal) => this.#pods(metadata).get(metadata.name!, { signal }))
    if (found.metadata.uid === metadata.uid) pending.lastResponse = found
    else pending.deletedUid = metadata.uid
  }

  #pods({ namespace }: Pod['metadata']): ResourceClient<Pod> {
    return this.#parts.client.resource(Pod).in(namespace!)
  }

  async #withTimeout<T>(request: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const limit = new AbortController()
    const late = () => limit.abort(new Error(`no response within ${requestTimeout / 1000} s`))
    const timer = this.#parts.environment.clock.timer(requestTimeout, late)
    const stopListening = whenAborted(this.#closing, () => limit.abort(this.#closing.reason))
    try {
      return await request(limit.signal)
    } finally {
      timer.cancel()
      stopListening()
    }
  }
}

/** Returns whether the object can be deleted: its final status is stored, and it is not a mirror pod. */
function canDelete(pod: Pod): boolean {
  return pod.metadata.deletionTimestamp !== undefined && !isMirrorPod(pod) && isFinalPhase(pod.status?.phase)
}

const type = builtin.type('core/v1.PodStatus')

/**
 * Returns the strategic merge patch to this status, or undefined if nothing changes. It carries uid and resourceVersion, so that a request
 * that arrives late fails.
 */
export function podStatusPatch({ metadata, status }: Pod, wanted: PodStatus): object | undefined {
  const patch = diffStrategicPatch(type, withoutNulls(status ?? {}), withoutNulls(wanted))
  if (isEmptyObject(patch)) return undefined
  return { metadata: { uid: metadata.uid, resourceVersion: metadata.resourceVersion }, status: patch }
}

/** Drops null fields, which the server may store. */
function withoutNulls(status: PodStatus): JsonObject {
  return dropNulls(status as JsonValue) as JsonObject
}

function dropNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(dropNulls)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([, member]) => member !== null && member !== undefined)
  return Object.fromEntries(members.map(([name, member]) => [name, dropNulls(member as JsonValue)]))
}
