/**
 * One step of a request or of the life of an object: who acted, on what, what was decided and why, how long it took. Every stage reports
 * its steps; `xray/` joins them. Causality follows `trace`, then uid and revision, then owner references.
 */
export interface TraceStep {
  /** When the stage began, in milliseconds since the epoch. */
  readonly at: number
  /** The duration of the stage in milliseconds. */
  readonly took: number
  /** The name of the program or controller. */
  readonly component: string
  /** The stage: `authentication`, `filter` … */
  readonly stage: string
  /** The audit id of the request. */
  readonly trace?: string
  /** The object of the step. */
  readonly subject?: TraceSubject
  /** The decision, in a word or two: `allowed`, `created 3`. */
  readonly decision: string
  /** The reason, in words for people. */
  readonly reason?: string
}

export interface TraceSubject {
  readonly kind: string
  readonly namespace?: string
  readonly name: string
  readonly uid?: string
  readonly resourceVersion?: string
}

export interface Tracer {
  /** False without listeners: a stage on a hot path may then skip building its step. */
  readonly active: boolean
  report(step: TraceStep): void
  /**
   * Calls `listener` with every further step, in order, until the returned function is called. A listener must not throw: the reporting
   * stage would fail. It must not report steps: other listeners would get them out of order.
   */
  subscribe(listener: (step: TraceStep) => void): () => void
}

export function tracer(): Tracer {
  const subscriptions = new Set<{ readonly listener: (step: TraceStep) => void }>()
  return {
    get active() {
      return subscriptions.size > 0
    },
    report(step) {
      for (const { listener } of subscriptions) listener(step)
    },
    subscribe(listener) {
      const subscription = { listener } // subscribing the same function twice makes two subscriptions
      subscriptions.add(subscription)
      return () => subscriptions.delete(subscription)
    },
  }
}
