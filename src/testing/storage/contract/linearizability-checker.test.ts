import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { isLinearizable, type RegisterOperation, type RegisterValue } from './linearizability-checker.js'

describe('the check for linearizability', () => {
  test('takes a history without concurrency that is right', () => {
    assert.ok(isLinearizable([]))
    assert.ok(
      isLinearizable([
        read(1, 2, undefined),
        write(3, 4, 'a'),
        read(5, 6, 'a'),
        swap(7, 8, 'a', 'b'),
        read(9, 10, 'b'),
      ]),
    )
  })

  test('takes a read that overlaps a write with either value', () => {
    assert.ok(isLinearizable([write(1, 4, 'a'), read(2, 3, undefined)]))
    assert.ok(isLinearizable([write(1, 4, 'a'), read(2, 3, 'a')]))
  })

  test('rejects a stale read', () => {
    assert.ok(!isLinearizable([write(1, 2, 'a'), read(3, 4, undefined)]))
    assert.ok(!isLinearizable([write(1, 2, 'a'), write(3, 4, 'b'), read(5, 6, 'a')]))
  })

  test('rejects reads that see a write and then no longer', () => {
    assert.ok(!isLinearizable([write(1, 10, 'a'), read(2, 3, 'a'), read(4, 5, undefined)]))
  })

  test('rejects a value that nobody wrote', () => {
    assert.ok(!isLinearizable([write(1, 2, 'a'), read(3, 4, 'z')]))
  })

  test('rejects a lost update: two swaps from one value that both say they were done', () => {
    assert.ok(!isLinearizable([write(1, 2, 'a'), swap(3, 6, 'a', 'b'), swap(4, 5, 'a', 'c')]))
  })

  test('rejects a swap that was refused although nothing stood in its way', () => {
    const refused: RegisterOperation = {
      called: 3,
      returned: 4,
      type: 'swap',
      expected: 'a',
      outcome: 'refused',
      found: 'a',
    }
    assert.ok(!isLinearizable([write(1, 2, 'a'), refused]))
    assert.ok(isLinearizable([write(1, 2, 'a'), write(2.1, 2.2, 'b'), { ...refused, found: 'b' }]))
  })

  test('takes a write of unknown outcome as done, as undone, and as done later', () => {
    const unknown: RegisterOperation = { called: 3, returned: Infinity, type: 'write', value: 'b', outcome: 'unknown' }
    const other: RegisterOperation = { called: 3.5, returned: Infinity, type: 'write', value: 'c', outcome: 'unknown' }
    const begin = [write(1, 2, 'a'), unknown, other]
    assert.ok(isLinearizable([...begin, read(4, 5, 'a')]))
    assert.ok(isLinearizable([...begin, read(4, 5, 'b')]))
    assert.ok(isLinearizable([...begin, read(4, 5, 'a'), read(6, 7, 'b')]))
    assert.ok(isLinearizable([...begin, read(4, 5, 'c'), read(6, 7, 'b')]))
    assert.ok(!isLinearizable([...begin, read(4, 5, 'b'), read(6, 7, 'a')]))
    assert.ok(!isLinearizable([read(1, 2, 'b'), unknown]), 'not before it was asked for')
  })

  test('agrees with trying every order', () => {
    let yes = 0
    let no = 0
    fc.assert(
      fc.property(histories, (operations) => {
        const expected = someOrderExplains(operations)
        if (expected) yes++
        else no++
        assert.equal(isLinearizable(operations), expected)
      }),
      { numRuns: 2000 },
    )
    assert.ok(yes > 100 && no > 100, `both answers occur: ${yes} yes, ${no} no`)
  })

  test('decides a long busy history quickly', () => {
    const operations: RegisterOperation[] = []
    for (let i = 0; i < 400; i++)
      operations.push(write(i * 6, i * 6 + 20, `v${i}`), read(i * 6 + 1, i * 6 + 21.5, `v${i}`))
    assert.ok(isLinearizable(operations))
    assert.ok(!isLinearizable([...operations, read(5000, 5001, 'v3')]))
  })
})

function read(called: number, returned: number, value: RegisterValue): RegisterOperation {
  return { called, returned, type: 'read', value }
}

function write(called: number, returned: number, value: RegisterValue): RegisterOperation {
  return { called, returned, type: 'write', value, outcome: 'done' }
}

function swap(called: number, returned: number, expected: RegisterValue, value: RegisterValue): RegisterOperation {
  return { called, returned, type: 'swap', expected, value, outcome: 'done' }
}

/** Up to six operations on few values, overlapping at random. */
const histories = fc
  .array(
    fc.record({
      called: fc.integer({ min: 0, max: 20 }),
      length: fc.integer({ min: 1, max: 15 }),
      kind: fc.constantFrom('read', 'write', 'swap', 'refused', 'unknown' as const),
      one: fc.constantFrom(undefined, 'v0', 'v1', 'v2'),
    }),
    { maxLength: 6 },
  )
  .map((drafts) =>
    drafts.map(({ called: at, length, kind, one }, i): RegisterOperation => {
      // Distinct times: each operation has its own fraction.
      const called = at + i / 100
      const returned = at + length + i / 100 + 0.005
      if (kind === 'read') return read(called, returned, one)
      if (kind === 'write') return write(called, returned, `v${i}`)
      if (kind === 'swap') return swap(called, returned, one, `v${i}`)
      if (kind === 'refused')
        return { called, returned, type: 'swap', expected: one, outcome: 'refused', found: `v${i % 3}` }
      return { called, returned: Infinity, type: 'write', value: `v${i}`, outcome: 'unknown' }
    }),
  )

/** The definition itself: some order of all answered and any unanswered operations keeps time and explains every answer. */
function someOrderExplains(operations: readonly RegisterOperation[], register?: RegisterValue): boolean {
  if (operations.every((operation) => operation.returned === Infinity)) return true
  return operations.some((operation, i) => {
    const rest = operations.toSpliced(i, 1)
    if (rest.some((other) => other.returned < operation.called)) return false
    if (operation.type === 'read') return operation.value === register && someOrderExplains(rest, register)
    if (operation.type === 'write') return someOrderExplains(rest, operation.value)
    if (operation.outcome === 'refused')
      return operation.expected !== register && operation.found === register && someOrderExplains(rest, register)
    return operation.expected === register && someOrderExplains(rest, operation.value)
  })
}
