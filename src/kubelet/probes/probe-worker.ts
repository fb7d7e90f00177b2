import type { Probe } from '../../api/core/v1/container/probe.js'
import type { Timer } from '../../base/clock.js'
import type { Environment } from '../../base/environment.js'
import type { ProbeKind } from './probe-kind.js'

/** The current container of a name. */
export interface ProbedInstance {
  readonly id: string
  readonly isRunning: boolean
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  /** The result that an earlier kubelet stored, or undefined. */
  readonly before?: boolean | undefined
}

export interface ProbeWorkerDependencies {
  readonly environment: Environment
  readonly kind: ProbeKind
  readonly probe: Probe
  /** When the kubelet started, in milliseconds since the epoch. */
  readonly kubeletStart: number
  /** Whether this probe may run now: the others wait for the startup probe, which stops when it has succeeded. */
  readonly isDue: () => boolean
  /** Runs the probe. Resolves with undefined if there is no result. Never rejects. */
  readonly probeOnce: (containerId: string, signal: AbortSignal) => Promise<boolean | undefined>
  readonly changed: () => void
}

const initialResults: Readonly<Record<ProbeKind, boolean | undefined>> = {
  readiness: false,
  liveness: true,
  startup: undefined,
}

/**
 * Runs one probe of one container periodically while it runs. The schedule does not depend on restarts, so a new container is probed within
 * one period.
 */
export class ProbeWorker {
  readonly #dependencies: ProbeWorkerDependencies
  readonly #period: number
  readonly #closing = new AbortController()
  /** Probes run at this time and at whole periods after it, on the monotonic clock. */
  #anchor: number
  #instance: ProbedInstance | undefined
  #result: boolean | undefined
  #last: boolean | undefined
  /** Number of consecutive equal results. */
  #run = 0
  /** The probe failed for good. It waits for a new container. */
  #isOnHold = false
  #isProbing = false
  /** A probe was due while the last one was still running. */
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
      this.#timer ??= this.#scheduleNext()
      if (this.#isProbedAtOnce()) this.#probeIfDue()
    }
  }

  /** Stops the probe. A pending result is ignored. */
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
    // Spreads the probes of older containers after a restart of the kubelet.
    if (isOlder && this.#period > environment.clock.now() - kubeletStart)
      this.#anchor = environment.clock.monotonic() + environment.random.float() * this.#period
  }

  /** An unready container is probed at once. */
  #isProbedAtOnce(): boolean {
    if (this.#dependencies.kind !== 'readiness' || this.#result === true || this.#isProbing) return false
    return this.#dependencies.environment.clock.monotonic() >= this.#anchor
  }

  #rest(): void {
    this.#timer?.cancel()
    this.#timer = undefined
    if (this.#dependencies.kind === 'readiness') this.#result = false
  }

  #scheduleNext(): Timer {
    const { clock } = this.#dependencies.environment
    const passed = clock.monotonic() - this.#anchor
    const periods = passed < 0 ? 0 : Math.floor(passed / this.#period) + 1
    return clock.timer(periods * this.#period - passed, () => {
      this.#timer = this.#scheduleNext()
      this.#probeIfDue()
    })
  }

  #probeIfDue(): void {
    if (this.#isProbing) this.#isLate = true
    else if (this.#mayProbe()) void this.#probe()
  }

  #mayProbe(): boolean {
    const { environment, probe, isDue } = this.#dependencies
    if (!this.#instance?.isRunning || this.#isOnHold || this.#closing.signal.aborted) return false
    const age = environment.clock.now() - this.#instance.startedAt
    return age >= 1000 * (probe.initialDelaySeconds ?? 0) && isDue()
  }

  async #probe(): Promise<void> {
    const { id } = this.#instance!
    this.#isProbing = true
    const success = await this.#dependencies.probeOnce(id, this.#closing.signal)
    this.#isProbing = false
    const isCurrent = id === this.#instance?.id && this.#instance.isRunning && !this.#closing.signal.aborted
    if (isCurrent && success !== undefined) this.#applyResult(success)
    if (!this.#isLate) return
    this.#isLate = false
    this.#probeIfDue()
  }

  /** Changes the result only after as many equal results as the threshold says. */
  #applyResult(success: boolean): void {
    const { kind, probe, changed } = this.#dependencies
    const threshold = success ? (probe.successThreshold ?? 1) : (probe.failureThreshold ?? 3)
    this.#run = success === this.#last ? this.#run + 1 : 1
    this.#last = success
    if (this.#run < threshold) return
    if (!success && kind !== 'readiness') this.#isOnHold = true
    if (success === this.#result) return
    this.#result = success
    changed()
  }
}
