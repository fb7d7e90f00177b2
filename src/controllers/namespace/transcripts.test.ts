import { describe, test } from 'node:test'
import { ConfigMap } from '../../api/core/v1/config-map.js'
import { Namespace } from '../../api/core/v1/namespace.js'
import { Pod } from '../../api/core/v1/pod.js'
import { ServiceAccount } from '../../api/core/v1/service-account.js'
import type { TestCluster } from '../../testing/cluster.js'
import { finishPodDeletions } from '../../testing/controllers/pod-statuses.js'
import { checkTranscript, type Transcript } from '../../testing/controllers/transcript.js'

const options = { controllers: ['namespace-controller'], view }

function play(name: string, script: (stage: Transcript) => Promise<void>): Promise<void> {
  return checkTranscript({ of: import.meta.url, name }, options, script)
}

describe('a namespace that is deleted', () => {
  test('with pods that run', () =>
    play('pods-first', async (stage) => {
      const { cluster } = stage
      await stage.step('a namespace with a pod and a config map', () => make(cluster))
      await stage.step('it is deleted', () => cluster.client.resource(Namespace).delete('doomed'))
      await stage.advance('10s')
      await stage.step('the pod has ended', () => finishPodDeletions(cluster))
    }))

  test('with a pod that does not end', () =>
    play('pod-without-end', async (stage) => {
      const { cluster } = stage
      await stage.step('a namespace with a pod and a config map', () => make(cluster))
      await stage.step('it is deleted', () => cluster.client.resource(Namespace).delete('doomed'))
      await stage.advance('15s')
      await stage.advance('20s')
      await stage.advance('1h')
      await stage.step('somebody removes the pod by force', () =>
        cluster.client.resource(Pod).in('doomed').delete('web', { gracePeriodSeconds: 0 }),
      )
    }))

  test('with what finalizers hold, while loops come and go', () =>
    play('finalizers', async (stage) => {
      const { cluster } = stage
      await stage.step('a namespace with a config map that is held', async () => {
        await make(cluster, ['example.com/hold'])
        await cluster.client.resource(Pod).in('doomed').delete('web', { gracePeriodSeconds: 0 })
      })
      await stage.step('it is deleted', () => cluster.client.resource(Namespace).delete('doomed'))
      await stage.step('the loops start anew', () => cluster.restartControllers())
      await stage.step('the finalizer is removed', () =>
        cluster.client
          .resource(ConfigMap)
          .in('doomed')
          .patch('settings', 'merge', { metadata: { finalizers: null } }),
      )
      await stage.advance('7s')
      await stage.advance('1s')
    }))
})

async function make({ client }: TestCluster, finalizers: readonly string[] = []): Promise<void> {
  const namespace = 'doomed'
  await client.resource(Namespace).create({ metadata: { name: namespace } })
  await client.resource(ServiceAccount).create({ metadata: { name: 'default', namespace } })
  const spec = { nodeName: 'node', containers: [{ name: 'c', image: 'web' }] }
  await client.resource(Pod).create({ metadata: { name: 'web', namespace }, spec })
  await client.resource(ConfigMap).create({ metadata: { name: 'settings', namespace, finalizers } })
}

async function view({ client }: TestCluster): Promise<readonly string[]> {
  const lines: string[] = []
  for (const { metadata, status } of (await client.resource(Namespace).list()).items) {
    if (metadata.name !== 'doomed') continue
    lines.push(`Namespace doomed ${status.phase}`)
    for (const { type, status: is, reason, message, lastTransitionTime } of status.conditions ?? [])
      lines.push(`  ${type}=${is} since ${lastTransitionTime!.slice(11, 19)} ${reason}: ${message}`)
  }
  for (const kind of [ConfigMap, Pod, ServiceAccount] as const)
    for (const { metadata } of (await client.resource(kind).in('doomed').list()).items)
      lines.push(`${kind.name.split('.').pop()} ${metadata.name}${metadata.deletionTimestamp ? ', to go' : ''}`)
  return lines.length === 0 ? ['nothing'] : lines
}
