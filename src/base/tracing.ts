/**
 * Every stage says what it did. A step is one sentence of the story of a request or an object: who acted, on what, what was
 * decided and why, how long it took. `xray/` strings steps together; causality follows `trace`, then uid and revision, then
 * owner references.
 */
export interface TraceStep {
  /** Milliseconds since the epoch at which the stage began. */
  readonly at: number
  /** How long the stage took, in milliseconds. */
  readonly took: number
  /** Who acted: the name of the program or loop. */
  readonly component: string
  /** What it was doing: `authentication`, `filter` … */
  readonly stage: string
  /** The request that this belongs to, as its audit id. */
  readonly trace?: string
  /** The object that this is about. */
  readonly subject?: TraceSubject
  /** What was decided, in a word or two: `allowed`, `created 3`. */
  readonly decision: string
  /** Why, as a person would say it. */
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
  /** False when nobody listens: a stage on a hot path may then skip building its step. */
  readonly active: boolean
  report(step: TraceStep): void
  /**
   * Sees every step reported from now on, in order, until the returned function is called. A listener must not throw, or the
   * stage that reports would fail by it; nor report, or others would hear of its step before the one it answers to.
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
      const subscription = { listener } // so that subscribing the same function twice makes two subscriptions
      subscriptions.add(subscription)
      return () => subscriptions.delete(subscription)
    },
  }
}
