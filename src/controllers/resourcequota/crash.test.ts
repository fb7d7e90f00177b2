import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Pod } from '../../api/core/v1/pod.js'
import { ResourceQuota } from '../../api/core/v1/resource-quota.js'
import type { Transport } from '../../client/transport.js'
import { WriteFaultInjector } from '../../testing/faults/write-faults.js'
import { ControllerHarness } from '../harness.test.kit.js'

const controllers = ['resourcequota-controller']

function pod(name: string) {
  return { metadata: { name, namespace: 'work' }, spec: { containers: [{ name: 'c', image: 'i' }] } }
}

test('what is used is right in the end, after whichever write the loop is killed', async () => {
  for (let writes = 0; writes <= 3; writes++) {
    await using harness = await ControllerHarness.begin({ controllers: [], namespace: 'work' })
    const quotas = harness.client.resource(ResourceQuota).in('work')
    const pods = harness.client.resource(Pod).in('work')
    await pods.create(pod('before'))
    await quotas.create({ metadata: { name: 'q' }, spec: { hard: { pods: '3' } } })
    await harness.stop()
    const fate = new WriteFaultInjector({ after: writes })
    harness.start({ controllers, transport: fate.wrap })
    await harness.clock.advance('1s')
    // While nobody has counted, nobody may make anything: only the loop that lives lets this through.
    const made = await pods.create(pod('after')).then(
      () => 1,
      () => 0,
    )
    await pods.delete('before', { gracePeriodSeconds: 0 })
    await harness.clock.advance('1s')
    await harness.stop()
    harness.start({ controllers })
    await harness.clock.advance('1m')
    assert.deepEqual((await quotas.get('q')).status.used, { pods: String(made) }, `killed after ${writes} writes`)
  }
})

test('a thousand things that are made are not counted a thousand times', async () => {
  let lists = 0
  const counting = (inner: Transport): Transport => ({
    ...inner,
    send(request) {
      if (request.method === 'GET' && request.path.endsWith('/pods')) lists++
      return inner.send(request)
    },
  })
  await using harness = await ControllerHarness.begin({ controllers, namespace: 'work', transport: counting })
  await harness.client
    .resource(ResourceQuota)
    .create({ metadata: { name: 'q', namespace: 'work' }, spec: { hard: { pods: '1k' } } })
  await harness.clock.settle()
  const before = lists
  for (let i = 0; i < 100; i++) await harness.client.resource(Pod).create(pod(`p${i}`))
  await harness.clock.settle()
  assert.ok(lists - before <= 1, `counted ${lists - before} times`)
  assert.deepEqual((await harness.client.resource(ResourceQuota).in('work').get('q')).status.used, { pods: '100' })
})
