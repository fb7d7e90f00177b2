import { whenAborted } from '../../base/abort.js'
import { sleep, type Timer } from '../../base/clock.js'
import type { EventRecorder } from '../events/event-recorder.js'
import { ElectionLease, type ElectionLeaseOptions } from './election-lease.js'

/** Times are milliseconds. The defaults are upstream's. */
export interface LeaderElectionOptions extends Omit<ElectionLeaseOptions, 'leaseDuration' | 'requestTimeout'> {
  /** Another candidate takes over if the lease was not renewed for this long. 15 seconds by default. */
  readonly leaseDuration?: number
  /** The leader stops if it could not renew the lease for this long. 10 seconds by default. */
  readonly renewDeadline?: number
  /** The interval of renewals, and of the attempts of other candidates. 2 seconds by default. */
  readonly retryPeriod?: number
  /** Releases the lease when `run` has ended, so that the next candidate need not wait until it expires. */
  readonly releaseOnCancel?: boolean
  /** Ends the election: a leader stops, and a candidate stops waiting. */
  readonly signal: AbortSignal
  /** Records who becomes leader and who stops. */
  readonly events?: EventRecorder
}

/** Another candidate may lead from now on. */
export class LeadershipLostError extends Error {
  override readonly name = 'LeadershipLostError'
}

/** What `run` of a leader is given. */
export interface Leadership {
  /**
   * Throws a `LeadershipLostError` if another candidate may be the leader. Call it before every action that only a leader may take: a
   * process that was suspended continues its work before its timers fire.
   */
  check(): void
}

type Run = (signal: AbortSignal, leadership: Leadership) => Promise<void>

/** Each wait of a candidate is longer than the retry period by a random share up to this factor. Upstream's. */
const jitter = 1.2

/**
 * Waits until no other candidate leads, then calls `run`. Its signal is aborted as soon as another candidate may lead. Resolves when `run`
 * has ended by itself or because of `options.signal`. Throws a `LeadershipLostError` if leadership was lost. Settles only after `run` has
 * ended, so that a component never competes with itself.
 */
export async function lead(options: LeaderElectionOptions, run: Run): Promise<void> {
  const candidate = new Candidate(withDefaults(options))
  const since = await candidate.acquire()
  if (since !== undefined) await candidate.lead(since, run)
}

type CheckedOptions = Required<Omit<LeaderElectionOptions, 'events'>> & Pick<LeaderElectionOptions, 'events'>

function withDefaults(options: LeaderElectionOptions): CheckedOptions {
  const { leaseDuration = 15_000, renewDeadline = 10_000, retryPeriod = 2_000, releaseOnCancel = false } = options
  if (!(leaseDuration > renewDeadline)) throw new RangeError('leaseDuration must be greater than renewDeadline')
  if (!(renewDeadline > jitter * retryPeriod))
    throw new RangeError('renewDeadline must be greater than retryPeriod*JitterFactor')
  if (!(retryPeriod > 0)) throw new RangeError('retryPeriod must be greater than zero')
  if (options.identity === '') throw new RangeError('Lock identity is empty')
  return { ...options, leaseDuration, renewDeadline, retryPeriod, releaseOnCancel }
}

class Candidate {
  readonly #options: CheckedOptions
  readonly #lease: ElectionLease
  readonly #status: (leading: 0 | 1) => void

  constructor(options: CheckedOptions) {
    this.#options = options
    // Half of the deadline, so that there is time for a second attempt on another connection.
    this.#lease = new ElectionLease({ ...options, requestTimeout: options.renewDeadline / 2 })
    const help = 'Whether this component leads: 1 if it does.'
    const labels = ['name'] as const
    const gauge = options.environment.metrics.gauge({ name: 'leader_election_master_status', help, labels })
    this.#status = (leading) => gauge.set({ name: options.name }, leading)
    this.#status(0)
  }

  /** Returns the time from which on the lease is held; undefined if the signal was aborted first. */
  async acquire(): Promise<number | undefined> {
    const { environment, signal } = this.#options
    while (!signal.aborted) {
      const since = await this.#hold(signal)
      if (since !== undefined) return since
      await sleep(environment.clock, this.#untilNextAttempt(), signal).catch(() => {}) // only the signal ends it, and the loop checks that
    }
    return undefined
  }

  /** Milliseconds until the next attempt: the retry period, or less if the lease expires earlier. */
  #untilNextAttempt(): number {
    const { environment, retryPeriod } = this.#options
    const chance = environment.random.float()
    const wait = retryPeriod * (1 + jitter * chance)
    const { remaining } = this.#lease
    return remaining > 0 ? Math.min(wait, remaining + (retryPeriod * chance) / 10) : wait
  }

  async lead(since: number, run: Run): Promise<void> {
    const { signal, identity, releaseOnCancel } = this.#options
    const term = new Term(this.#options, since)
    const ended = new AbortController()
    const stopListening = whenAborted(signal, () => term.end(signal.reason))
    if (signal.aborted) term.end(signal.reason)
    this.#report(`${identity} became leader`)
    this.#status(1)
    const renewing = this.#renew(term, ended.signal)
    try {
      await this.#runUnder(term.signal, (under) => run(under, term))
    } finally {
      ended.abort()
      stopListening()
      await renewing
      this.#status(0)
      this.#report(`${identity} stopped leading`)
    }
    if (term.signal.reason instanceof LeadershipLostError) throw term.signal.reason
    if (releaseOnCancel) await this.#release()
  }

  /** An error that `run` throws because of its signal is not a failure. */
  async #runUnder(signal: AbortSignal, run: (signal: AbortSignal) => Promise<void>): Promise<void> {
    try {
      await run(signal)
    } catch (error) {
      if (!signal.aborted) throw error
      if (error !== signal.reason) this.#options.environment.log.warn('leader failed while stopping', { error })
    }
  }

  /** Continues while `run` stops, so that no other candidate starts before it has ended. */
  async #renew(term: Term, ended: AbortSignal): Promise<void> {
    const { environment, retryPeriod } = this.#options
    const { clock } = environment
    try {
      for (let begun = term.since; ; ) {
        const wait = begun + retryPeriod - clock.monotonic()
        await sleep(clock, wait, ended).catch(() => {}) // only the signal ends it, and the loop checks that
        if (ended.aborted || term.isLost) return
        begun = clock.monotonic()
        const held = await this.#hold(ended)
        if (held !== undefined) term.prolong(held)
        else if (!this.#lease.isMine && !ended.aborted) term.lose(`it is held by ${this.#lease.holder}`)
      }
    } finally {
      term.forget()
    }
  }

  /** Makes one attempt. Returns the time from which on the lease is held, if it is. */
  async #hold(signal: AbortSignal): Promise<number | undefined> {
    const { environment, name } = this.#options
    try {
      return await this.#lease.hold(signal)
    } catch (error) {
      if (!signal.aborted) environment.log.warn('leader election attempt failed', { name, error })
      return undefined
    }
  }

  async #release(): Promise<void> {
    const { environment, name } = this.#options
    try {
      await this.#lease.release(new AbortController().signal)
    } catch (error) {
      environment.log.warn('lease release failed', { name, error })
    }
  }

  #report(message: string): void {
    const { lease: about } = this.#lease
    this.#options.environment.log.info(message, { lease: this.#options.name })
    if (about) this.#options.events?.record({ about, type: 'Normal', reason: 'LeaderElection', message })
  }
}

/** One term of a leader: extended by renewals, and lost when the last one is so long ago that another candidate may soon lead. */
class Term implements Leadership {
  readonly #options: CheckedOptions
  readonly #leading = new AbortController()
  #since: number
  #alarm: Timer
  #lost: LeadershipLostError | undefined

  constructor(options: CheckedOptions, since: number) {
    this.#options = options
    this.#since = since
    this.#alarm = this.#setAlarm()
  }

  /** Aborted when the term ends, for any reason. */
  get signal(): AbortSignal {
    return this.#leading.signal
  }

  /** The time of the last renewal. */
  get since(): number {
    return this.#since
  }

  get isLost(): boolean {
    return this.#lost !== undefined
  }

  prolong(since: number): void {
    this.#since = since
    this.#alarm.cancel()
    this.#alarm = this.#setAlarm()
  }

  end(reason: unknown): void {
    this.#leading.abort(reason)
  }

  lose(why: string): void {
    this.#lost ??= new LeadershipLostError(`leadership of ${this.#options.name} was lost: ${why}`)
    this.#leading.abort(this.#lost)
  }

  check(): void {
    if (this.#remaining <= 0) this.#expire()
    if (this.#lost) throw this.#lost
  }

  /** Cancels the timer. */
  forget(): void {
    this.#alarm.cancel()
  }

  get #remaining(): number {
    const { environment, renewDeadline } = this.#options
    return this.#since + renewDeadline - environment.clock.monotonic()
  }

  #setAlarm(): Timer {
    return this.#options.environment.clock.timer(this.#remaining, () => this.#expire())
  }

  #expire(): void {
    this.lose(`no renewal in ${this.#options.renewDeadline / 1000} s`)
  }
}
