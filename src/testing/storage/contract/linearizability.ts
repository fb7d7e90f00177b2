import assert from 'node:assert/strict'
import { type Random, seededRandom } from '../../../base/random.js'
import { UnavailableError } from '../../../storage/errors.js'
import type { Store, StoreEntry } from '../../../storage/store.js'
import { decodeText, encodeText, type StoreTests } from './harness.js'
import { isLinearizable, type RegisterOperation, type RegisterValue } from './linearizability-checker.js'

export const linearizability: StoreTests = Object.fromEntries(
  [1, 2, 3].map((seed) => [
    `many clients on few keys: what each was told fits one order (seed ${seed})`,
    async (store: Store) =>
      assertLinearizable(await recordHistory([store], { seed, clients: 12, operations: 40, keys: 3 })),
  ]),
)

export interface HistoryOptions {
  readonly seed: number
  readonly clients: number
  /** How many each client makes, one after the other. */
  readonly operations: number
  readonly keys: number
}

export interface RecordedOperation {
  readonly key: string
  readonly operation: RegisterOperation
  /** The store's revision that the answer gave; 0 when there was none. */
  readonly revision: number
}

/**
 * Lets clients loose, spread over the given stores (which share their data), and records what each asked and was told.
 * Faults may be injected meanwhile: an `UnavailableError` is recorded as a write of unknown outcome.
 */
export async function recordHistory(
  stores: readonly Store[],
  options: HistoryOptions,
): Promise<readonly RecordedOperation[]> {
  let time = 0
  const recorded: RecordedOperation[] = []
  const client = async (id: number) => {
    const random = seededRandom(options.seed * 1000 + id)
    const actor = new Client(stores[id % stores.length]!, `${options.seed}.${id}`, () => time++)
    for (let i = 0; i < options.operations; i++) {
      const made = await actor.act(`register/${random.integer(options.keys)}`, random)
      if (made) recorded.push(made)
    }
  }
  await Promise.all(Array.from({ length: options.clients }, (_, id) => client(id)))
  return recorded
}

/** Fails unless the history of each key is linearizable and the revisions that were told agree with real time. */
export function assertLinearizable(history: readonly RecordedOperation[]): void {
  for (const [key, recorded] of byKey(history))
    assert.ok(isLinearizable(recorded.map(({ operation }) => operation)), `the history of ${key} is not linearizable`)
  let newest = 0
  const answered = history.filter(({ revision }) => revision > 0)
  const events = answered
    .flatMap(({ operation, revision }) => [
      { at: operation.called, revision, isCall: true },
      { at: operation.returned, revision, isCall: false },
    ])
    .sort((a, b) => a.at - b.at)
  // What was asked for after an answer of revision n cannot be answered as of a revision before n.
  for (const { at, revision, isCall } of events) {
    if (isCall)
      assert.ok(revision >= newest, `called at ${at}, when ${newest} was known, but told revision ${revision}`)
    else newest = Math.max(newest, revision)
  }
}

function byKey(history: readonly RecordedOperation[]): Map<string, RecordedOperation[]> {
  const groups = new Map<string, RecordedOperation[]>()
  for (const recorded of history) {
    const group = groups.get(recorded.key)
    if (group) group.push(recorded)
    else groups.set(recorded.key, [recorded])
  }
  return groups
}

/** One client: remembers the last entry it saw of each key, and swaps from there, as a controller would. */
class Client {
  readonly #store: Store
  readonly #name: string
  readonly #tick: () => number
  readonly #seen = new Map<string, { readonly modRevision: number; readonly value: RegisterValue }>()
  #writes = 0

  constructor(store: Store, name: string, tick: () => number) {
    this.#store = store
    this.#name = name
    this.#tick = tick
  }

  /** Makes one operation; undefined when it was a read that got no answer, which says nothing. */
  async act(key: string, random: Random): Promise<RecordedOperation | undefined> {
    const chance = random.float()
    if (chance < 0.4) return this.#read(key)
    return this.#swap(key, chance < 0.9)
  }

  async #read(key: string): Promise<RecordedOperation | undefined> {
    const called = this.#tick()
    try {
      const { entry, revision } = await this.#store.get(key)
      const operation = { type: 'read', value: this.#remember(key, entry), called, returned: this.#tick() } as const
      return { key, operation, revision }
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error
      return undefined
    }
  }

  /** A swap compares with what this client last saw; without a comparison it is a plain write. */
  async #swap(key: string, compared: boolean): Promise<RecordedOperation> {
    const { modRevision, value: expected } = this.#seen.get(key) ?? { modRevision: 0, value: undefined }
    const value = `${this.#name}.${this.#writes++}`
    const called = this.#tick()
    const type = compared ? 'swap' : 'write'
    try {
      const result = await this.#store.transact({
        ...(compared && { compare: [{ key, modRevision }] }),
        changes: [{ type: 'put', key, value: encodeText(value) }],
      })
      const returned = this.#tick()
      const { revision } = result
      if (!result.succeeded) {
        const found = this.#remember(key, result.current[0])
        return { key, revision, operation: { type: 'swap', expected, outcome: 'refused', found, called, returned } }
      }
      this.#seen.set(key, { modRevision: revision, value })
      return { key, revision, operation: { type, expected, value, outcome: 'done', called, returned } }
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error
      this.#seen.delete(key)
      const operation = { type, expected, value, outcome: 'unknown', called, returned: Infinity } as const
      return { key, revision: 0, operation }
    }
  }

  #remember(key: string, entry: StoreEntry | undefined): RegisterValue {
    const value = entry && decodeText(entry.value)
    this.#seen.set(key, { modRevision: entry?.modRevision ?? 0, value })
    return value
  }
}
