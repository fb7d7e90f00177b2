/**
 * What every engine promises, as tests: one suite, run on all of them. An engine's own test file calls `storeContract` and adds
 * only what is particular to it.
 */
import { describe } from 'node:test'
import { compaction } from './compaction.js'
import { type OpenStore, storeTest } from './harness.js'
import { leases } from './leases.js'
import { linearizability } from './linearizability.js'
import { modelTest } from './model.js'
import { reads } from './reads.js'
import { reopening } from './reopening.js'
import { requests } from './requests.js'
import { transactions } from './transactions.js'
import { watches } from './watches.js'

export type { OpenStore, StoreUnderTest } from './harness.js'

const chapters = { requests, transactions, reads, watches, compaction, leases, linearizability }

export interface StoreContractOptions {
  /** How many random stories are played against the naive model; fewer where a store is slow to open. */
  readonly randomRuns?: number
  /** Nothing outlives the store: it cannot be opened again. */
  readonly volatile?: boolean
}

/** Registers the suite. `open` is called once in each test, and once for each random story. */
export function storeContract(name: string, open: OpenStore, options: StoreContractOptions = {}): void {
  describe(`${name} keeps the contract of a store`, () => {
    for (const [chapter, tests] of Object.entries(options.volatile ? chapters : { ...chapters, reopening }))
      describe(chapter, () => {
        for (const [sentence, run] of Object.entries(tests)) storeTest(open, sentence, run)
      })
    modelTest(open, options.randomRuns ?? 50)
  })
}
