import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { KindHarness } from '../../../testing/objects/kind-harness.js'

const kind = new KindHarness('flowcontrol/v1.PriorityLevelConfiguration')
const queue = { type: 'Limited', limited: { limitResponse: { type: 'Queue', queuing: {} } } }

function problemsOf(spec: object, name = 'mine'): readonly string[] {
  return kind.create({ metadata: { name }, spec: { ...spec } }).errors
}

describe('priority levels', () => {
  it('have 30 shares and 64 queues by default', () => {
    const { object, errors } = kind.create({ spec: queue })
    assert.deepEqual(errors, [])
    assert.deepEqual(object.spec, {
      type: 'Limited',
      limited: {
        nominalConcurrencyShares: 30,
        limitResponse: { type: 'Queue', queuing: { queues: 64, handSize: 8, queueLengthLimit: 50 } },
        lendablePercent: 0,
      },
    })
  })

  it('say what is limited if something is', () => {
    assert.deepEqual(problemsOf({ type: 'Limited', exempt: {} }), [
      'spec.exempt: Forbidden: must be nil if the type is Limited',
      'spec.limited: Required value: must not be empty when type is Limited',
    ])
    assert.deepEqual(problemsOf({ type: 'Exempt', limited: {} }), [
      "spec.type: Invalid value: \"Exempt\": must be 'Exempt' if and only if `name` is 'exempt'",
      'spec.limited: Forbidden: must be nil if the type is not Limited',
    ])
    assert.deepEqual(problemsOf({ type: 'Some' }), [
      'spec.type: Unsupported value: "Some": supported values: "Exempt", "Limited"',
    ])
  })

  it('queue with queues, and reject without', () => {
    const problemsWith = (limitResponse: object) => problemsOf({ type: 'Limited', limited: { limitResponse } })
    assert.deepEqual(problemsWith({ type: 'Queue' }), [
      'spec.limited.limitResponse.queuing: Required value: must not be empty if limited.limitResponse.type is Limited',
    ])
    assert.deepEqual(problemsWith({ type: 'Reject', queuing: {} }), [
      'spec.limited.limitResponse.queuing: Forbidden: must be nil if limited.limitResponse.type is not Limited',
    ])
    assert.deepEqual(problemsWith({ type: 'Wait' }), [
      'spec.limited.limitResponse.type: Unsupported value: "Wait": supported values: "Queue", "Reject"',
    ])
  })

  it('have hands that one hash can deal', () => {
    const problemsWith = (queuing: object) =>
      problemsOf({ type: 'Limited', limited: { limitResponse: { type: 'Queue', queuing } } }).map((text) =>
        text.replace('spec.limited.limitResponse.queuing.', ''),
      )
    assert.deepEqual(problemsWith({ queues: 512, handSize: 6 }), [])
    assert.deepEqual(problemsWith({ queues: 512, handSize: 7 }), [
      'handSize: Invalid value: 7: required entropy bits of deckSize 512 and handSize 7 should not be greater than 60',
    ])
    assert.deepEqual(problemsWith({ queues: 4, handSize: 9, queueLengthLimit: -1 }), [
      'queueLengthLimit: Invalid value: -1: must be positive',
      'handSize: Invalid value: 9: should not be greater than queues (4)',
    ])
    assert.deepEqual(problemsWith({ queues: 10_000_001, handSize: 1 }), [
      'queues: Invalid value: 10000001: must not be greater than 10000000',
    ])
  })

  it('share and lend what there is', () => {
    const limited = { ...queue.limited, nominalConcurrencyShares: -1, lendablePercent: 101, borrowingLimitPercent: -1 }
    assert.deepEqual(problemsOf({ type: 'Limited', limited }), [
      'spec.limited.nominalConcurrencyShares: Invalid value: -1: must be a non-negative integer',
      'spec.limited.lendablePercent: Invalid value: 101: must be between 0 and 100, inclusive',
      'spec.limited.borrowingLimitPercent: Invalid value: -1: if specified, must be a non-negative integer',
    ])
  })

  it('that are mandatory cannot change, but for what the exempt one lends', () => {
    assert.deepEqual(problemsOf({ type: 'Exempt', exempt: { lendablePercent: 50 } }, 'exempt'), [])
    assert.match(
      problemsOf(queue, 'catch-all').join(),
      /^spec: Invalid value: \{"Type":"Limited","Limited":\{.*: spec of 'catch-all' must equal the fixed value$/,
    )
  })

  it('increment the generation with their spec, and show it', () => {
    const level = kind.create({ spec: queue })
    const changed = kind.update(level, { spec: { limited: { nominalConcurrencyShares: 5 } } })
    assert.equal((changed.object.metadata as { generation: number }).generation, 2)
    const { Type, NominalConcurrencyShares, Queues, HandSize, QueueLengthLimit } = kind.row(changed)
    assert.deepEqual([Type, NominalConcurrencyShares, Queues, HandSize, QueueLengthLimit], ['Limited', 5, 64, 8, 50])
    assert.equal(kind.row(kind.create({ spec: { type: 'Exempt' } })).Queues, '<none>')
  })
})
