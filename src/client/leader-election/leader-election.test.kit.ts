import assert from 'node:assert/strict'
import type { Clock, Timer } from '../../base/clock.js'
import { type Environment, environment } from '../../base/environment.js'
import { seededRandom } from '../../base/random.js'
import type { VirtualClock } from '../../base/virtual-clock.js'
import { FaultyTransport, type TransportFault } from '../../testing/faults/faulty-transport.js'
import type { TestApiServer } from '../../testing/servers/api-server.js'
import { administrator, inProcessClient } from '../../testing/servers/clients.js'
import { Client } from '../client.js'
import { inProcessTransport } from '../in-process.js'
import { type LeaderElectionOptions, type Leadership, LeadershipLostError, lead } from './leader-election.js'

/** The namespace of the leases. */
export const namespace = 'kube-system'

/** Returns, with probability `level`, one of all possible faults. */
export function randomFault(chance: () => number, level: number): TransportFault {
  if (chance() > level) return {}
  const kinds: readonly TransportFault[] = [
    { refused: new Error('refused') },
    { responseLost: new Error('lost') },
    { hangs: 'before' },
    { hangs: 'after' },
    { requestDelay: chance() * 8_000 },
    { responseDelay: chance() * 8_000 },
  ]
  return kinds[Math.floor(chance() * kinds.length)]!
}

export interface CandidateOptions extends Pick<LeaderElectionOptions, 'releaseOnCancel' | 'events'> {
  readonly faultOf?: () => TransportFault
  /** The offset of its clock in milliseconds, and the rate of it. */
  readonly skew?: number
  readonly rate?: number
  /** How long `run` takes to stop, in milliseconds. */
  readonly windUp?: number
}

/** Several candidates, each with its own clock and connection. */
export class Election {
  readonly candidates: Candidate[] = []
  readonly server: TestApiServer
  readonly clock: VirtualClock
  readonly name: string
  /** The times at which a second leader started. */
  readonly violations: string[] = []

  constructor(server: TestApiServer, clock: VirtualClock, name: string) {
    this.server = server
    this.clock = clock
    this.name = name
  }

  get leaders(): readonly string[] {
    return this.candidates.filter(({ isLeading }) => isLeading).map(({ identity }) => identity)
  }

  get leader(): string | undefined {
    return this.leaders[0]
  }

  begins(identity: string): void {
    const { leaders, clock } = this
    if (leaders.length > 0) this.violations.push(`${identity} beside ${leaders} at ${clock.monotonic()}`)
  }

  options(identity: string): LeaderElectionOptions {
    const { server, name, clock } = this
    const testEnvironment = environment({ clock, random: seededRandom(this.candidates.length) })
    const { signal } = new AbortController()
    return { client: inProcessClient(server), environment: testEnvironment, namespace, name, identity, signal }
  }

  candidate(identity: string, options: CandidateOptions = {}): Candidate {
    const candidate = new Candidate(this, this.options(identity), options)
    this.candidates.push(candidate)
    return candidate
  }

  disturb(choice: number): void {
    const victim = this.candidates[choice % this.candidates.length]!
    if (choice < 3) victim.transport.partition(true)
    else this.calm()
  }

  calm(): void {
    for (const { transport } of this.candidates) transport.partition(false)
  }

  async end(): Promise<void> {
    for (const candidate of this.candidates) candidate.crash()
    await this.clock.advance('2m')
    assert.ok(this.candidates.every(({ isOver }) => isOver))
    assert.deepEqual(this.violations, [])
  }
}

/** Starts a new term whenever it can. */
class Candidate {
  readonly identity: string
  readonly transport: FaultyTransport
  readonly #election: Election
  readonly #stopping = new AbortController()
  readonly #clock: SkewedClock
  readonly #windUp: number
  terms = 0
  isLeading = false
  isOver = false
  lost: unknown
  /** That of the last term. */
  leadership: Leadership | undefined

  constructor(election: Election, options: LeaderElectionOptions, given: CandidateOptions) {
    const { faultOf = () => ({}), skew = 0, rate = 1, windUp = 0, ...rest } = given
    const { handleInProcess: answer } = election.server.api
    const inner = inProcessTransport({ handle: answer, user: administrator })
    this.identity = options.identity
    this.#election = election
    this.#windUp = windUp
    this.#clock = new SkewedClock(election.clock, skew, rate)
    this.transport = new FaultyTransport(election.clock, () => inner, faultOf)
    const testEnvironment: Environment = { ...options.environment, clock: this.#clock }
    const client = new Client(this.transport, { clock: this.#clock })
    void this.#compete({ ...options, ...rest, client, environment: testEnvironment, signal: this.#stopping.signal })
  }

  stop(): void {
    this.#stopping.abort(new Error('stop'))
  }

  /** From now on none of its requests reaches the server. */
  crash(): void {
    this.transport.partition(true)
    this.isLeading = false
    this.stop()
  }

  freeze(): void {
    this.#clock.isFrozen = true
    this.transport.partition(true)
    this.isLeading = false // it does nothing, whatever its state
  }

  thaw(): void {
    this.transport.partition(false)
    this.#clock.thaw()
  }

  async #compete(options: LeaderElectionOptions): Promise<void> {
    while (!options.signal.aborted) {
      try {
        await lead(options, (signal, leadership) => {
          this.leadership = leadership
          return this.#lead(signal)
        })
      } catch (error) {
        assert.ok(error instanceof LeadershipLostError)
        this.lost = error
      }
    }
    this.isOver = true
  }

  async #lead(signal: AbortSignal): Promise<void> {
    const { clock } = this.#election
    this.terms++
    this.#election.begins(this.identity)
    this.isLeading = !this.#stopping.signal.aborted
    await new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => clock.timer(this.#windUp, resolve))
      if (signal.aborted) clock.timer(this.#windUp, resolve)
    })
    this.isLeading = false
  }
}

/** A clock with an offset and a rate of its own, which stops while its process is suspended. */
class SkewedClock implements Clock {
  readonly #clock: Clock
  readonly #skew: number
  readonly #rate: number
  isFrozen = false
  #held: (() => void)[] = []

  constructor(clock: Clock, skew: number, rate: number) {
    this.#clock = clock
    this.#skew = skew
    this.#rate = rate
  }

  now(): number {
    return this.#clock.now() + this.#skew
  }

  monotonic(): number {
    return this.#clock.monotonic() * this.#rate
  }

  timer(delay: number, run: () => void): Timer {
    let isCancelled = false
    const ring = () => {
      if (isCancelled) return
      if (this.isFrozen) this.#held.push(ring)
      else run()
    }
    const timer = this.#clock.timer(delay / this.#rate, ring)
    return {
      cancel: () => {
        isCancelled = true
        timer.cancel()
      },
    }
  }

  thaw(): void {
    this.isFrozen = false
    const held = this.#held
    this.#held = []
    for (const ring of held) ring()
  }
}
