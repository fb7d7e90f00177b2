import fc from 'fast-check'

/** What may happen in a random story. Leases and revisions are given relative to what there is when the step is taken. */
export type RandomOperation =
  | {
      readonly type: 'transact'
      readonly compare: readonly { readonly key: string; readonly right: boolean }[]
      readonly changes: readonly {
        readonly key: string
        /** Nothing means delete. */
        readonly value?: Uint8Array
        readonly lease?: number
      }[]
    }
  | { readonly type: 'grant' }
  | { readonly type: 'revoke'; readonly lease: number }
  | { readonly type: 'compact'; readonly back: number }
  | { readonly type: 'watch'; readonly prefix: string; readonly back: number }
  | { readonly type: 'reopen' }

/** Few keys, so that they meet; neighbours in order, so that prefixes cut between them. */
const keys = ['a', 'a/', 'a/1', 'a/2', 'a0', 'b/1', 'é', '～', '😀']
export const prefixes = ['', 'a', 'a/', 'b', '😀']

const change = fc.record(
  {
    key: fc.constantFrom(...keys),
    value: fc.uint8Array({ maxLength: 40 }),
    lease: fc.nat(3),
  },
  { requiredKeys: ['key'] },
)

const compare = fc.record({
  key: fc.constantFrom(...keys),
  right: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, fc.constant(false)),
})

const transact = fc.record({
  type: fc.constant('transact' as const),
  compare: fc.array(compare, { maxLength: 2 }),
  changes: fc.uniqueArray(change, { minLength: 1, maxLength: 4, selector: ({ key }) => key }),
})

const step: fc.Arbitrary<RandomOperation> = fc.oneof(
  { weight: 20, arbitrary: transact },
  { weight: 2, arbitrary: fc.constant<RandomOperation>({ type: 'grant' }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('revoke' as const), lease: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('compact' as const), back: fc.nat(6) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('watch' as const),
      prefix: fc.constantFrom(...prefixes),
      back: fc.nat(8),
    }),
  },
  { weight: 1, arbitrary: fc.constant<RandomOperation>({ type: 'reopen' }) },
)

export const randomSequences = fc.array(step, { minLength: 5, maxLength: 60 })
