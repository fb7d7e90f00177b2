import type { EventSource } from '../../api/core/v1/event.js'
import type { ObjectReference } from '../../api/core/v1/object-reference.js'
import type { Environment } from '../../base/environment.js'
import { longName } from '../../schema/names.js'
import { formatTime } from '../../schema/values/time.js'
import type { AnyObject } from '../resource-client.js'
import type { Occurrence } from './event-recorder.js'

/** An Event before it is written. */
export interface DraftEvent {
  readonly metadata: {
    readonly name: string
    readonly namespace: string
    readonly annotations?: Readonly<Record<string, string>>
  }
  readonly involvedObject: ObjectReference
  readonly reason: string
  readonly message: string
  readonly source: EventSource
  readonly firstTimestamp: string
  readonly lastTimestamp: string
  readonly count: number
  readonly type: string
  readonly reportingComponent: string
  readonly reportingInstance: string
}

/** Creates Events from occurrences. Each has a unique name. */
export class EventDrafter {
  readonly #source: EventSource
  readonly #environment: Environment
  #lastMoment = 0n

  constructor(source: EventSource, environment: Environment) {
    this.#source = source
    this.#environment = environment
  }

  draft({ about, fieldPath, type, reason, message, annotations }: Occurrence): DraftEvent {
    const { component = '', host = '' } = this.#source
    const involvedObject = { ...referenceTo(about), ...(fieldPath !== undefined && { fieldPath }) }
    const namespace = involvedObject.namespace ?? 'default'
    const now = formatTime(this.#environment.clock.now())
    return {
      metadata: { name: this.name(involvedObject.name), namespace, ...(annotations && { annotations }) },
      involvedObject,
      reason,
      message,
      source: this.#source,
      firstTimestamp: now,
      lastTimestamp: now,
      count: 1,
      type,
      reportingComponent: component,
      reportingInstance: host,
    }
  }

  /** Returns the name of the object with the time in nanoseconds. If the result is not a valid name of an Event, returns a random one. */
  name(object: string): string {
    const name = `${object}.${this.#moment().toString(16)}`
    return longName(name).length === 0 ? name : this.#environment.random.uuid()
  }

  /** The clock has no nanoseconds. Random digits keep the names of two components apart that report about the same object. */
  #moment(): bigint {
    const { clock, random } = this.#environment
    const moment = BigInt(clock.now()) * 1_000_000n + BigInt(random.integer(1_000_000))
    this.#lastMoment = moment > this.#lastMoment ? moment : this.#lastMoment + 1n
    return this.#lastMoment
  }
}

function referenceTo(object: AnyObject): ObjectReference & { readonly name: string } {
  const { apiVersion, kind, metadata } = object as AnyObject & { readonly apiVersion?: string; readonly kind?: string }
  const { name, namespace, uid, resourceVersion } = metadata
  if (!apiVersion || !kind || !name) throw new TypeError('an Event is about an object that has a kind and a name')
  return {
    kind,
    ...(namespace && { namespace }),
    name,
    ...(uid && { uid }),
    apiVersion,
    ...(resourceVersion && { resourceVersion }),
  }
}
