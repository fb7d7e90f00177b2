import { whenAborted } from '../../base/abort.js'
import { sleep, type Timer } from '../../base/clock.js'
import type { EventRecorder } from '../events/event-recorder.js'
import { ElectionLease, type ElectionLeaseOptions } from './election-lease.js'

/** Times are milliseconds; where they are left out they are upstream's. */
export interface LeaderElectionOptions extends Omit<ElectionLeaseOptions, 'leaseDuration' | 'patience'> {
  /** Others take over when the leader has not been heard for so long: 15 seconds. */
  readonly leaseDuration?: number
  /** The leader stops leading when it could not say for so long that it is there: 10 seconds. */
  readonly renewDeadline?: number
  /** How often the leader says so, and others look: 2 seconds. */
  readonly retryPeriod?: number
  /** Whether the lease is given back when `run` has ended, so that the next one need not wait until it runs out. */
  readonly releaseOnCancel?: boolean
  /** Ends it: whoever leads then stops, and whoever waits no longer does. */
  readonly signal: AbortSignal
  /** Is told who becomes leader and who stops. */
  readonly events?: EventRecorder
}

/** Others may lead from now on. */
export class LeadershipLostError extends Error {
  override readonly name = 'LeadershipLostError'
}

/** What whoever leads is given. */
export interface Leadership {
  /**
   * To be called before anything that only a leader may do. Throws a `LeadershipLostError` when others may believe that they lead: a
   * process that was stopped for a while acts on what it knew before it hears of anything else, its own alarm clock included.
   */
  check(): void
}

type Run = (signal: AbortSignal, leadership: Leadership) => Promise<void>

/** Each wait of a candidate is longer than the retry period by a random share, up to this one. Upstream's. */
const jitter = 1.2

/**
 * Waits until nobody else leads, then runs `run`, whose signal is aborted as soon as others may believe that they lead. Resolves
 * when `run` has ended by itself or by `options.signal`; throws a `LeadershipLostError` when leadership was lost, and in any case
 * not before `run` has ended: a component never competes with itself.
 */
export async function lead(options: LeaderElectionOptions, run: Run): Promise<void> {
  const candidate = new Candidate(checked(options))
  const since = await candidate.acquire()
  if (since !== undefined) await candidate.lead(since, run)
}

type Checked = Required<Omit<LeaderElectionOptions, 'events'>> & Pick<LeaderElectionOptions, 'events'>

function checked(options: LeaderElectionOptions): Checked {
  const { leaseDuration = 15_000, renewDeadline = 10_000, retryPeriod = 2_000, releaseOnCancel = false } = options
  if (!(leaseDuration > renewDeadline)) throw new RangeError('leaseDuration must be greater than renewDeadline')
  if (!(renewDeadline > jitter * retryPeriod))
    throw new RangeError('renewDeadline must be greater than retryPeriod*JitterFactor')
  if (!(retryPeriod > 0)) throw new RangeError('retryPeriod must be greater than zero')
  if (options.identity === '') throw new RangeError('Lock identity is empty')
  return { ...options, leaseDuration, renewDeadline, retryPeriod, releaseOnCancel }
}

class Candidate {
  readonly #options: Checked
  readonly #lease: ElectionLease
  readonly #status: (leading: 0 | 1) => void

  constructor(options: Checked) {
    this.#options = options
    // Half of the deadline: a connection that is dead must leave the time for a second attempt on another.
    this.#lease = new ElectionLease({ ...options, patience: options.renewDeadline / 2 })
    const help = 'Whether this component leads: 1 if it does.'
    const labels = ['name'] as const
    const gauge = options.environment.metrics.gauge({ name: 'leader_election_master_status', help, labels })
    this.#status = (leading) => gauge.set({ name: options.name }, leading)
    this.#status(0)
  }

  /** Gives the moment from which on the lease is held; undefined if the candidate was told to give up before. */
  async acquire(): Promise<number | undefined> {
    const { environment, signal } = this.#options
    while (!signal.aborted) {
      const since = await this.#hold(signal)
      if (since !== undefined) return since
      await sleep(environment.clock, this.#untilNextLook(), signal).catch(() => {}) // only the signal ends it, and that is looked at anyway
    }
    return undefined
  }

  /** How long to wait before looking again: until the lease has run out, if that comes first. */
  #untilNextLook(): number {
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
    this.#tell(`${identity} became leader`)
    this.#status(1)
    const renewing = this.#renew(term, ended.signal)
    try {
      await this.#runUnder(term.signal, (under) => run(under, term))
    } finally {
      ended.abort()
      stopListening()
      await renewing
      this.#status(0)
      this.#tell(`${identity} stopped leading`)
    }
    if (term.signal.reason instanceof LeadershipLostError) throw term.signal.reason
    if (releaseOnCancel) await this.#release()
  }

  /** What `run` throws because it was told to stop is no failure. */
  async #runUnder(signal: AbortSignal, run: (signal: AbortSignal) => Promise<void>): Promise<void> {
    try {
      await run(signal)
    } catch (error) {
      if (!signal.aborted) throw error
      if (error !== signal.reason) this.#options.environment.log.warn('a leader failed while it stopped', { error })
    }
  }

  /** Goes on while `run` winds up, so that nobody else begins before it has ended. */
  async #renew(term: Term, ended: AbortSignal): Promise<void> {
    const { environment, retryPeriod } = this.#options
    const { clock } = environment
    try {
      for (let begun = term.since; ; ) {
        const wait = begun + retryPeriod - clock.monotonic()
        await sleep(clock, wait, ended).catch(() => {}) // only the signal ends it, and that is looked at anyway
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

  /** One attempt. Gives from when on the lease is held, if it is. */
  async #hold(signal: AbortSignal): Promise<number | undefined> {
    const { environment, name } = this.#options
    try {
      return await this.#lease.hold(signal)
    } catch (error) {
      if (!signal.aborted) environment.log.warn('the lease of an election could not be held', { name, error })
      return undefined
    }
  }

  async #release(): Promise<void> {
    const { environment, name } = this.#options
    try {
      await this.#lease.release(new AbortController().signal)
    } catch (error) {
      environment.log.warn('the lease of an election could not be given back', { name, error })
    }
  }

  #tell(message: string): void {
    const { lease: about } = this.#lease
    this.#options.environment.log.info(message, { lease: this.#options.name })
    if (about) this.#options.events?.record({ about, type: 'Normal', reason: 'LeaderElection', message })
  }
}

/** The time for which one leads: from renewal to renewal, and lost when the last one is so long ago that others may soon lead. */
class Term implements Leadership {
  readonly #options: Checked
  readonly #leading = new AbortController()
  #since: number
  #alarm: Timer
  #lost: LeadershipLostError | undefined

  constructor(options: Checked, since: number) {
    this.#options = options
    this.#since = since
    this.#alarm = this.#setAlarm()
  }

  /** Aborted when it is over, for whatever reason. */
  get signal(): AbortSignal {
    return this.#leading.signal
  }

  /** The last renewal. */
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

  /** Nobody is interested any more. */
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
