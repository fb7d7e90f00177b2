import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PersistentVolumeClaim, type PersistentVolumeClaimSpec } from '../../api/core/v1/persistent-volume-claim.js'
import { Pod } from '../../api/core/v1/pod.js'
import type { ReceivedEvent, Transport } from '../../client/transport.js'
import { ControllerHarness } from '../harness.test.kit.js'

/** An informer that hears of no pod, as one that is behind. */
function deafToPods(inner: Transport): Transport {
  return {
    ...inner,
    async send(request) {
      const answered = await inner.send(request)
      const { response: answer } = answered
      if (!request.path.endsWith('/pods')) return answered
      if (answer.is === 'list') return { ...answered, response: { ...answer, items: [] } }
      return answer.is === 'watch' ? { ...answered, response: { ...answer, events: marksOf(answer.events) } } : answered
    },
  }
}

async function* marksOf(batches: AsyncIterable<readonly ReceivedEvent[]>): AsyncIterable<readonly ReceivedEvent[]> {
  for await (const batch of batches) yield batch.filter(({ type }) => type === 'BOOKMARK')
}

test('a claim does not go because of a pod that the informers have not heard of', async () => {
  await using harness = await ControllerHarness.begin({ controllers: [], namespace: 'work' })
  const claims = harness.client.resource(PersistentVolumeClaim).in('work')
  const spec = {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '1Gi' } },
  } as PersistentVolumeClaimSpec
  await claims.create({ metadata: { name: 'data' }, spec })
  await harness.client.resource(Pod).create({
    metadata: { name: 'p', namespace: 'work' },
    spec: {
      nodeName: 'one',
      containers: [{ name: 'c', image: 'i' }],
      volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }],
    } as never,
  })
  await claims.delete('data')
  await harness.stop()
  harness.start({ controllers: ['persistentvolumeclaim-protection-controller'], informersTransport: deafToPods })
  await harness.clock.advance('1m')
  assert.ok((await claims.get('data')).metadata.deletionTimestamp)
  await harness.stop()
  harness.start({ controllers: [] })
})
