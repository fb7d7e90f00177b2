import type { Probe } from '../../api/core/v1/container/probe.js'
import type { Timer } from '../../base/clock.js'
import type { Environment } from '../../base/environment.js'
import type { ProbeKind } from './probe-kind.js'

/** The container of one name, as it is now. */
export interface ProbedInstance {
  readonly id: string
  readonly isRunning: boolean
  /** In milliseconds since the epoch. */
  readonly startedAt: number
  /** What an earlier life of the kubelet told of it; undefined if nothing. */
  readonly before?: boolean | undefined
}

export interface ProbeWorkerDependencies {
  readonly environment: Environment
  readonly kind: ProbeKind
  readonly probe: Probe
  /** When the kubelet started, in milliseconds since the epoch. */
  readonly kubeletStart: number
  /** Whether it is this probe's turn in the life of the container: others wait for the startup probe, which ends when it has succeeded. */
  readonly isDue: () => boolean
  /** Undefined if nothing was learnt. Never rejects. */
  readonly probeOnce: (containerId: string, signal: AbortSignal) => Promise<boolean | undefined>
  readonly changed: () => void
}

const initialResults: Readonly<Record<ProbeKind, boolean | undefined>> = {
  readiness: false,
  liveness: true,
  startup: undefined,
}

/**
 * Asks one container one kind of question, again and again while it runs. Its turns keep their distance from each other whatever happens
 * to the container, so that a container that starts is first asked within one period.
 */
export class ProbeWorker {
  readonly #dependencies: ProbeWorkerDependencies
  readonly #period: number
  readonly #closing = new AbortController()
  /** Turns are this moment, and whole periods after it; on the monotonic clock. */
  #anchor: number
  #instance: ProbedInstance | undefined
  #result: boolean | undefined
  #last: boolean | undefined
  /** How often the last answer came in a row. */
  #run = 0
  /** It failed for good: there is nothing to ask before there is another container. */
  #isOnHold = false
  #isAsking = false
  /** A turn came while the last question was not answered yet. */
  #isLate = false
  #timer: Timer | undefined

  constructor(dependencies: ProbeWorkerDependencies) {
    this.#dependencies = dependencies
    this.#period = 1000 * (dependencies.probe.periodSeconds || 10)
    this.#anchor = dependencies.environment.clock.monotonic()
  }

  get containerId(): string | undefined {
    return this.#instance?.id
  }

  get result(): boolean | undefined {
    return this.#result
  }

  update(instance: ProbedInstance): void {
    const isNew = instance.id !== this.#instance?.id
    this.#instance = instance
    if (isNew) this.#begin(instance)
    if (!instance.isRunning) this.#rest()
    else {
      this.#timer ??= this.#nextTurn()
      if (this.#wantsTurn()) this.#turn()
    }
  }

  /** Nothing is asked any more, and no answer counts. */
  close(): void {
    this.#closing.abort()
    this.#timer?.cancel()
    this.#timer = undefined
  }

  #begin({ startedAt, before }: ProbedInstance): void {
    const { environment, kind, kubeletStart } = this.#dependencies
    const isOlder = startedAt > 0 && startedAt < kubeletStart
    this.#result = (isOlder ? before : undefined) ?? initialResults[kind]
    this.#last = undefined
    this.#run = 0
    this.#isOnHold = false
    // Not all of a node's containers at once when a kubelet comes back to them.
    if (isOlder && this.#period > environment.clock.now() - kubeletStart)
      this.#anchor = environment.clock.monotonic() + environment.random.float() * this.#period
  }

  /** A container that could serve is not kept waiting. */
  #wantsTurn(): boolean {
    if (this.#dependencies.kind !== 'readiness' || this.#result === true || this.#isAsking) return false
    return this.#dependencies.environment.clock.monotonic() >= this.#anchor
  }

  #rest(): void {
    this.#timer?.cancel()
    this.#timer = undefined
    if (this.#dependencies.kind === 'readiness') this.#result = false
  }

  #nextTurn(): Timer {
    const { clock } = this.#dependencies.environment
    const passed = clock.monotonic() - this.#anchor
    const turns = passed < 0 ? 0 : Math.floor(passed / this.#period) + 1
    return clock.timer(turns * this.#period - passed, () => {
      this.#timer = this.#nextTurn()
      this.#turn()
    })
  }

  #turn(): void {
    if (this.#isAsking) this.#isLate = true
    else if (this.#mayAsk()) void this.#ask()
  }

  #mayAsk(): boolean {
    const { environment, probe, isDue } = this.#dependencies
    if (!this.#instance?.isRunning || this.#isOnHold || this.#closing.signal.aborted) return false
    const age = environment.clock.now() - this.#instance.startedAt
    return age >= 1000 * (probe.initialDelaySeconds ?? 0) && isDue()
  }

  async #ask(): Promise<void> {
    const { id } = this.#instance!
    this.#isAsking = true
    const answer = await this.#dependencies.probeOnce(id, this.#closing.signal)
    this.#isAsking = false
    const isCurrent = id === this.#instance?.id && this.#instance.isRunning && !this.#closing.signal.aborted
    if (isCurrent && answer !== undefined) this.#take(answer)
    if (!this.#isLate) return
    this.#isLate = false
    this.#turn()
  }

  /** One answer alone changes nothing where several in a row are asked for. */
  #take(answer: boolean): void {
    const { kind, probe, changed } = this.#dependencies
    const threshold = answer ? (probe.successThreshold ?? 1) : (probe.failureThreshold ?? 3)
    this.#run = answer === this.#last ? this.#run + 1 : 1
    this.#last = answer
    if (this.#run < threshold) return
    if (!answer && kind !== 'readiness') this.#isOnHold = true
    if (answer === this.#result) return
    this.#result = answer
    changed()
  }
}
