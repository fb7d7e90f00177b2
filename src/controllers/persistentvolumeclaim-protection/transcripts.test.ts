import { test } from 'node:test'
import { Binding } from '../../api/core/v1/binding.js'
import { PersistentVolume } from '../../api/core/v1/persistent-volume.js'
import { PersistentVolumeClaim, type PersistentVolumeClaimSpec } from '../../api/core/v1/persistent-volume-claim.js'
import { Pod } from '../../api/core/v1/pod.js'
import type { TestCluster } from '../../testing/cluster.js'
import { checkTranscript } from '../../testing/controllers/transcript.js'

const controllers = ['persistentvolumeclaim-protection-controller', 'persistentvolume-protection-controller']

async function view({ client }: TestCluster): Promise<readonly string[]> {
  const [claims, volumes, pods] = await Promise.all([
    client.resource(PersistentVolumeClaim).list(),
    client.resource(PersistentVolume).list(),
    client.resource(Pod).list(),
  ])
  return [...claims.items, ...volumes.items, ...pods.items].map(({ kind, metadata }) => {
    const { name, deletionTimestamp, finalizers = [] } = metadata
    return `${kind} ${name}${deletionTimestamp ? ', going' : ''}${finalizers.map((finalizer) => `, ${finalizer}`).join('')}`
  })
}

const spec = {
  accessModes: ['ReadWriteOnce'],
  resources: { requests: { storage: '1Gi' } },
} as PersistentVolumeClaimSpec

function podWith(name: string, claimName: string) {
  return {
    metadata: { name, namespace: 'default' },
    spec: {
      containers: [{ name: 'c', image: 'i' }],
      volumes: [{ name: 'v', persistentVolumeClaim: { claimName } }],
    },
  }
}

test('a claim stays while a pod on a node uses it', () =>
  checkTranscript({ of: import.meta.url, name: 'claims' }, { controllers, view }, async (stage) => {
    const { client } = stage.cluster
    const claims = client.resource(PersistentVolumeClaim).in('default')
    const pods = client.resource(Pod).in('default')
    await stage.step('two claims, a pod on a node that uses one, and a pod that waits for the other', async () => {
      for (const name of ['used', 'wanted']) await claims.create({ metadata: { name }, spec })
      await pods.create(podWith('user', 'used'))
      await pods.create(podWith('waiter', 'wanted'))
      const target = { apiVersion: 'v1', kind: 'Node', name: 'one' }
      await pods.subresource('binding', Binding).create({ metadata: { name: 'user' }, target })
    })
    await stage.step('both are deleted', async () => {
      await claims.delete('used')
      await claims.delete('wanted')
    })
    await stage.step('the pod ends', async () => {
      const pod = await pods.get('user')
      await pods.subresource('status').update({ ...pod, status: { ...pod.status, phase: 'Succeeded' } })
    })
    await stage.step('the pod is gone', () => pods.delete('user', { gracePeriodSeconds: 0 }))
    await stage.step('somebody takes the finalizer away', async () => {
      await claims.create({ metadata: { name: 'bare' }, spec })
      await claims.patch('bare', 'merge', { metadata: { finalizers: null } })
    })
  }))

test('a volume stays while it is bound', () =>
  checkTranscript({ of: import.meta.url, name: 'volumes' }, { controllers, view }, async (stage) => {
    const volumes = stage.cluster.client.resource(PersistentVolume)
    const phase = async (name: string, phase: string) => {
      const volume = await volumes.get(name)
      await volumes.subresource('status').update({ ...volume, status: { phase } as never })
    }
    await stage.step('two volumes, of which one is bound', async () => {
      for (const name of ['bound', 'free']) {
        const capacity = { storage: '1Gi' }
        const metadata = { name }
        await volumes.create({
          metadata,
          spec: { capacity, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } } as never,
        })
      }
      await phase('bound', 'Bound')
    })
    await stage.step('both are deleted', async () => {
      await volumes.delete('bound')
      await volumes.delete('free')
    })
    await stage.step('it is released', () => phase('bound', 'Released'))
  }))
