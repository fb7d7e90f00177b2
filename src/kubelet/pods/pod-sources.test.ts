import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Pod } from '../../api/core/v1/pod.js'
import { environment } from '../../base/environment.js'
import { VirtualClock } from '../../base/virtual-clock.js'
import type { Change, Informer } from '../../client/informers/informer.js'
import { noStaticPods } from '../static/static-pods.js'
import { PodSources } from './pod-sources.js'
import type { PodUpdate, PodWorkers } from './pod-workers.js'

const source = 'kubernetes.io/config.source'

function pod(name: string, annotations: Record<string, string> = {}): Pod {
  const metadata = { name, namespace: 'ns', uid: name, annotations: { mine: 'yes', ...annotations } }
  return { apiVersion: 'v1', kind: 'Pod', metadata, spec: { containers: [] }, status: {} }
}

/** Returns the updates for pods that the API server lists first, and for one that comes later. */
async function wantedOf(first: readonly Pod[], later: Pod): Promise<readonly PodUpdate[]> {
  const wanted: PodUpdate[] = []
  let tell: (change: Change<Pod>) => void = () => {}
  const informer = {
    synced: Promise.resolve(),
    list: () => first,
    onChange: (listener: typeof tell) => {
      tell = listener
      return () => {}
    },
  } as unknown as Informer<Pod>
  const workers = { update: (one: PodUpdate) => wanted.push(one), remove: () => {} } as unknown as PodWorkers
  const sources = new PodSources({
    environment: environment({ clock: new VirtualClock() }),
    informer,
    staticPods: noStaticPods,
    mirrors: { ensure: async () => {}, remove: async () => {} },
    workers,
  })
  await sources.synced
  tell({ type: 'updated', object: later, old: later })
  sources.close()
  return wanted
}

test('a pod of the API server is never taken for a static pod, whatever its annotations say', async () => {
  const [liar, other] = [pod('liar', { [source]: 'file' }), pod('other', { [source]: 'http' })]
  const wanted = await wantedOf([liar], other)
  assert.deepEqual(
    wanted.map(({ pod: { metadata }, isStatic }) => [metadata.name, metadata.annotations, isStatic]),
    [
      ['liar', { mine: 'yes', [source]: 'api' }, false],
      ['other', { mine: 'yes', [source]: 'api' }, false],
    ],
  )
  assert.equal(liar.metadata.annotations?.[source], 'file', 'what the informer holds is not changed')
})

test('a pod of the API server without annotations is passed on as it is', async () => {
  const [plain, honest] = [pod('plain'), pod('honest', { [source]: 'api' })]
  assert.deepEqual(
    (await wantedOf([plain], honest)).map((wanted) => wanted.pod),
    [plain, honest],
  )
})

test('a mirror pod does not run', async () => {
  const mirror = pod('mirror', { [source]: 'file', 'kubernetes.io/config.mirror': 'x' })
  assert.deepEqual(await wantedOf([mirror], mirror), [])
})
