/** Under random faults between the kubelet and the API server, the last status arrives, and no older one after a newer one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Pod } from '../../api/core/v1/pod.js'
import { tooManyRequests, unknown } from '../../api/errors.js'
import { type Random, seededRandom } from '../../base/random.js'
import { ConnectionLostError } from '../../client/transport.js'
import type { TransportFault } from '../../testing/faults/faulty-transport.js'
import { StatusHarness, toldStatus } from './pod-status-manager.test.kit.js'

function randomFault(random: Random): TransportFault {
  if (random.float() < 0.4) return {}
  const faults: readonly TransportFault[] = [
    { refused: new Error('connect ECONNREFUSED') },
    { refused: tooManyRequests('not now', 1 + random.integer(5)) },
    { refused: unknown('something broke') },
    { responseLost: new ConnectionLostError('socket hang up') },
    { hangs: 'before' },
    { hangs: 'after' },
    { requestDelay: random.integer(15_000) },
    { responseDelay: random.integer(15_000) },
  ]
  return faults[random.integer(faults.length)]!
}

/** The n-th status of a pod that restarts all the time. */
function nth(restartCount: number) {
  const [container] = toldStatus('Running').containerStatuses!
  return toldStatus(restartCount % 3 === 0 ? 'Pending' : 'Running', {
    containerStatuses: [{ ...container!, restartCount }],
  })
}

for (const seed of [1, 2, 3, 4])
  test(`seed ${seed}`, async () => {
    await using harness = await StatusHarness.begin(seed)
    const random = seededRandom(seed)
    const pod = await harness.add('p', {}, { finalizers: ['example.com/hold'] })
    const told: number[] = []
    const ending = new AbortController()
    const watching = (async () => {
      for await (const { object } of harness.client.resource(Pod).in('default').watch({ signal: ending.signal }))
        told.push(object.status.containerStatuses?.[0]?.restartCount ?? -1)
    })()
    harness.faultOf = () => randomFault(random)
    harness.latenessOf = ({ method }) =>
      method !== 'GET' && random.float() < 0.1 ? 12_000 + random.integer(60_000) : 0
    for (let i = 1; i <= 60; i++) {
      harness.manager.set(random.float() < 0.5 ? pod : await harness.pod(), nth(i))
      if (random.float() < 0.3)
        await harness.patchStatus({ conditions: [{ type: 'example.com/x', status: 'True', reason: `R${i}` }] })
      if (random.float() < 0.3) harness.heard.set(pod.metadata.uid!, await harness.pod())
      await harness.clock.advance(random.integer(4_000))
    }
    harness.faultOf = () => ({})
    harness.latenessOf = () => 0
    await harness.clock.advance('2m')
    const { containerStatuses, conditions } = (await harness.pod()).status
    assert.equal(containerStatuses?.[0]?.restartCount, 60)
    assert.ok(conditions?.some(({ type }) => type === 'example.com/x'))
    await harness.delete()
    harness.faultOf = () => randomFault(random)
    harness.manager.finish(await harness.pod())
    await harness.clock.advance('1m')
    harness.faultOf = () => ({})
    await harness.clock.advance('2m')
    const { metadata, status } = await harness.pod()
    assert.deepEqual([metadata.deletionGracePeriodSeconds, status.phase], [0, 'Failed'])
    ending.abort()
    await watching
    assert.deepEqual(
      told,
      [...told].sort((left, right) => left - right),
    )
    assert.ok(new Set(told).size > 5, 'little was told')
  })
