import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Random, seededRandom, systemRandom } from './random.js'

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Some values of each method, across the pages of entropy. */
function sample(random: Random): unknown[] {
  return Array.from({ length: 400 }, (_, i) => [
    random.float(),
    random.integer(i + 1),
    Buffer.from(random.bytes(i * 13)).toString('hex'),
    random.uuid(),
  ])
}

test('the same seed gives the same sequence, and another seed another one', () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      assert.deepEqual(sample(seededRandom(seed)), sample(seededRandom(seed)))
      assert.notDeepEqual(sample(seededRandom(seed)), sample(seededRandom(seed + 1)))
    }),
    { numRuns: 10 },
  )
})

test('a seed gives the same sequence on every host and in every version', () => {
  const random = seededRandom(42)
  assert.deepEqual(
    [random.integer(1000), random.integer(1000), random.uuid()],
    [641, 826, 'a5901b10-9736-4bf7-bfa6-fc941cf5d1b1'],
  )
})

for (const [name, create] of [
  ['seeded', () => seededRandom(7)],
  ['system', systemRandom],
] as const) {
  test(`${name}: floats are spread over [0, 1)`, () => {
    const random = create()
    const counts = new Array<number>(10).fill(0)
    for (let i = 0; i < 100_000; i++) {
      const value = random.float()
      assert.ok(value >= 0 && value < 1)
      counts[Math.floor(value * 10)]!++
    }
    // Ten standard deviations: it does not fail by chance.
    for (const count of counts) assert.ok(Math.abs(count - 10_000) < 950, `${counts}`)
  })

  test(`${name}: integers reach every number below the limit and none else`, () => {
    const random = create()
    const seen = new Set(Array.from({ length: 2000 }, () => random.integer(7)))
    assert.deepEqual([...seen].sort(), [0, 1, 2, 3, 4, 5, 6])
    assert.equal(random.integer(1), 0)
    assert.ok(Number.isSafeInteger(random.integer(2 ** 53)))
    for (const below of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])
      assert.throws(() => random.integer(below), RangeError)
  })

  test(`${name}: bytes come in any number, and belong to the caller`, () => {
    const random = create()
    for (const length of [0, 1, 15, 4095, 4096, 4097, 10_000]) assert.equal(random.bytes(length).length, length)
    const bytes = random.bytes(64)
    const before = Buffer.from(bytes).toString('hex')
    sample(random)
    assert.equal(Buffer.from(bytes).toString('hex'), before)
    assert.ok(new Set(random.bytes(100_000)).size === 256)
  })

  test(`${name}: a uuid is of version 4, and never comes twice`, () => {
    const random = create()
    const uuids = Array.from({ length: 5000 }, () => random.uuid())
    for (const uuid of uuids) assert.match(uuid, uuidForm)
    assert.equal(new Set(uuids).size, uuids.length)
  })
}

test('neighbouring seeds start differently', () => {
  const firsts = Array.from({ length: 1000 }, (_, seed) => seededRandom(seed).integer(10))
  const counts = new Array<number>(10).fill(0)
  for (const first of firsts) counts[first]!++
  for (const count of counts) assert.ok(count > 50 && count < 150, `${counts}`)
})
