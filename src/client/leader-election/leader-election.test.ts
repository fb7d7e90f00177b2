import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { Lease } from '../../api/coordination/v1/lease.js'
import { Event } from '../../api/core/v1/event.js'
import { environment } from '../../base/environment.js'
import { seededRandom } from '../../base/random.js'
import { VirtualClock } from '../../base/virtual-clock.js'
import { startTestApiServer, type TestApiServer } from '../../testing/servers/api-server.js'
import { inProcessClient } from '../../testing/servers/clients.js'
import { eventRecorder } from '../events/recorder.js'
import { type LeaderElectionOptions, LeadershipLostError, lead } from './leader-election.js'
import { Election, namespace, randomFault } from './leader-election.test.kit.js'

describe('leader election', () => {
  const clock = new VirtualClock()
  let server: TestApiServer
  let elections = 0
  before(async () => {
    server = await startTestApiServer({ environment: environment({ clock }) })
  })
  after(() => server.close())

  const leases = () => inProcessClient(server).resource(Lease).in(namespace)
  const newElection = () => new Election(server, clock, `election-${elections++}`)

  test('the first candidate leads, and the lease names it', async () => {
    const election = newElection()
    const [a, b] = [election.candidate('a'), election.candidate('b')]
    await clock.advance('1m')
    assert.deepEqual([election.leader, a.terms, b.terms], ['a', 1, 0])
    const { spec } = await leases().get(election.name)
    assert.deepEqual([spec.holderIdentity, spec.leaseDurationSeconds, spec.leaseTransitions], ['a', 15, 0])
    assert.ok(spec.renewTime! > spec.acquireTime!, 'it is renewed')
    await election.end()
  })

  test('after a crash of the leader, another candidate takes over when the lease has expired', async () => {
    const election = newElection()
    const a = election.candidate('a')
    await clock.advance('1s')
    for (const name of ['b', 'c']) election.candidate(name)
    await clock.advance('1m')
    a.crash()
    const crashed = clock.now()
    await clock.advance('12s')
    assert.equal(election.leader, undefined, 'the lease has not run out yet')
    await clock.runUntil(() => election.leader !== undefined, '10s')
    // Other candidates may have tried just before the last renewal, and try again up to 4.4 seconds later.
    assert.ok(clock.now() - crashed <= 15_000 + 4_400 + 200)
    const { spec } = await leases().get(election.name)
    assert.deepEqual([spec.holderIdentity, spec.leaseTransitions], [election.leader, 1])
    await election.end()
  })

  test('a leader without a connection stops before another candidate starts', async () => {
    const election = newElection()
    const a = election.candidate('a')
    await clock.advance('1s')
    election.candidate('b')
    await clock.advance('1m')
    a.transport.partition(true)
    await clock.advance('10s')
    assert.equal(election.leader, undefined)
    assert.throws(() => a.leadership!.check(), LeadershipLostError)
    await clock.advance('10s')
    assert.equal(election.leader, 'b')
    assert.ok(a.lost instanceof LeadershipLostError)
    a.transport.partition(false)
    await election.end()
  })

  test('a leader with slow requests continues to lead', async () => {
    const election = newElection()
    const a = election.candidate('a', { faultOf: () => ({ requestDelay: 1_500, responseDelay: 1_500 }) })
    await clock.advance('10s')
    election.candidate('b')
    await clock.advance('10m')
    assert.deepEqual([election.leader, a.terms], ['a', 1])
    await election.end()
  })

  test('one dead connection does not end a term', async () => {
    const election = newElection()
    let count = 0
    const a = election.candidate('a', { faultOf: () => (++count % 5 === 0 ? { hangs: 'before' } : {}) })
    election.candidate('b')
    await clock.advance('10m')
    assert.deepEqual([election.leader, a.terms], ['a', 1])
    await election.end()
  })

  test('a suspended leader stops as soon as it continues', async () => {
    const election = newElection()
    const a = election.candidate('a')
    await clock.advance('1s')
    const b = election.candidate('b')
    await clock.advance('1m')
    a.leadership!.check()
    a.freeze()
    await clock.advance('1m')
    assert.equal(b.terms, 1)
    // Running work continues before any timer fires.
    assert.throws(() => a.leadership!.check(), LeadershipLostError)
    b.leadership!.check()
    a.thaw()
    await clock.settle()
    assert.ok(a.lost instanceof LeadershipLostError)
    assert.deepEqual([election.leader, a.isLeading], ['b', false])
    await election.end()
  })

  test('wrong clocks do not matter', async () => {
    const election = newElection()
    const a = election.candidate('a', { skew: -3_600_000, rate: 1.2 })
    await clock.advance('1s')
    election.candidate('b', { skew: 7_200_000, rate: 0.9 })
    election.candidate('c', { rate: 1.1 })
    await clock.advance('10m')
    assert.deepEqual([election.leader, a.terms], ['a', 1])
    a.crash()
    await clock.advance('25s')
    assert.ok(election.leader !== undefined && election.leader !== 'a')
    await election.end()
  })

  test('a stopped leader releases the lease if configured, after `run` has ended', async () => {
    const election = newElection()
    const a = election.candidate('a', { releaseOnCancel: true, windUp: 60_000 })
    await clock.advance('1s')
    election.candidate('b')
    await clock.advance('10s')
    a.stop()
    await clock.advance('59s')
    assert.equal((await leases().get(election.name)).spec.holderIdentity, 'a')
    await clock.advance('6s')
    assert.equal(election.leader, 'b')
    const { spec } = await leases().get(election.name)
    assert.deepEqual([spec.holderIdentity, spec.leaseTransitions], ['b', 1])
    await election.end()
  })

  test('a stopped candidate never leads', async () => {
    const election = newElection()
    election.candidate('a')
    await clock.advance('1s')
    const b = election.candidate('b')
    await clock.advance('5s')
    b.stop()
    await clock.settle()
    assert.ok(b.isOver)
    await election.end()
    assert.equal(b.terms, 0)
  })

  test('an error of `run` is passed to the caller', async () => {
    const options = { ...newElection().options('a'), signal: new AbortController().signal }
    const failing = assert.rejects(
      lead(options, async () => {
        throw new Error('run failed')
      }),
      /run failed/,
    )
    await clock.settle()
    await failing
  })

  test('Events record who leads', async () => {
    const election = newElection()
    const client = inProcessClient(server)
    const events = eventRecorder(client, { component: 'tester' }, environment({ clock }))
    const a = election.candidate('a', { events })
    await clock.advance('1s')
    a.stop()
    await clock.settle()
    await events.flush()
    const fieldSelector = `involvedObject.name=${election.name}`
    const { items } = await client.resource(Event).in(namespace).list({ fieldSelector })
    const told = items.map(({ involvedObject, reason, message }) => [involvedObject.kind, reason, message])
    assert.deepEqual(told, [
      ['Lease', 'LeaderElection', 'a became leader'],
      ['Lease', 'LeaderElection', 'a stopped leading'],
    ])
    await election.end()
  })

  test('invalid durations are rejected', async () => {
    const refused = (parts: Partial<LeaderElectionOptions>) =>
      assert.rejects(
        lead({ ...newElection().options('a'), ...parts }, async () => {}),
        RangeError,
      )
    await refused({ leaseDuration: 10_000 })
    await refused({ retryPeriod: 9_000 })
    await refused({ retryPeriod: 0 })
    await refused({ identity: '' })
  })

  test('with random faults there are never two leaders, and there is one when faults end', async () => {
    const seeds = fc.integer({ min: 0, max: 2 ** 31 })
    await fc.assert(
      fc.asyncProperty(seeds, async (seed) => {
        const election = newElection()
        const random = seededRandom(seed)
        const trouble = { level: 0.4 }
        const faultOf = () => randomFault(random.float, trouble.level)
        for (const name of ['a', 'b', 'c'])
          election.candidate(name, { faultOf, skew: random.integer(1e7), rate: 0.9 + random.float() / 5 })
        for (let minute = 0; minute < 3; minute++) {
          election.disturb(random.integer(6))
          await clock.advance(random.integer(40_000))
        }
        trouble.level = 0
        election.calm()
        await clock.advance('45s')
        assert.notEqual(election.leader, undefined)
        await election.end()
      }),
      { numRuns: 15 },
    )
  })
})
