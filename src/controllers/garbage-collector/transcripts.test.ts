import { describe, test } from 'node:test'
import { ConfigMap } from '../../api/core/v1/config-map.js'
import { Pod } from '../../api/core/v1/pod.js'
import { Secret } from '../../api/core/v1/secret.js'
import type { ObjectMeta, OwnerReference } from '../../api/meta/v1/object-meta.js'
import type { DeleteRequestOptions } from '../../client/request-options.js'
import type { TestCluster } from '../../testing/cluster.js'
import { finishPodDeletions } from '../../testing/controllers/pod-statuses.js'
import { checkTranscript, type Transcript } from '../../testing/controllers/transcript.js'

const options = { controllers: ['garbage-collector-controller'], view }

function play(name: string, script: (stage: Transcript) => Promise<void>): Promise<void> {
  return checkTranscript({ of: import.meta.url, name }, options, script)
}

describe('an owner of two pods, one of which owns a secret', () => {
  for (const policy of ['Background', 'Foreground', 'Orphan'] as const)
    test(`is deleted: ${policy}`, () =>
      play(policy.toLowerCase(), async (stage) => {
        const { cluster } = stage
        await stage.step('a family', () => family(cluster))
        await stage.step(`the owner is deleted: ${policy}`, () => remove(cluster, policy))
        await stage.step('the pods that run have ended', () => finishPodDeletions(cluster))
        await stage.advance('1h')
      }))

  test('is deleted in the foreground while loops come and go', () =>
    play('restarts', async (stage) => {
      const { cluster } = stage
      await stage.step('a family', () => family(cluster))
      await stage.step('the owner is deleted: Foreground', () => remove(cluster, 'Foreground'))
      await stage.step('the loops start anew', () => cluster.restartControllers())
      await stage.step('the pods that run have ended', () => finishPodDeletions(cluster))
      await stage.step('the loops start anew', () => cluster.restartControllers())
    }))
})

const namespace = 'default'

async function family({ client }: TestCluster): Promise<void> {
  const owner = await client.resource(ConfigMap).create({ metadata: { name: 'owner', namespace } })
  const ownerReferences = [referenceTo('ConfigMap', owner.metadata)]
  const spec = { nodeName: 'node', containers: [{ name: 'c', image: 'web' }] }
  for (const name of ['one', 'two'])
    await client.resource(Pod).create({ metadata: { name, namespace, ownerReferences }, spec })
  const one = await client.resource(Pod).in(namespace).get('one')
  const metadata = { name: 'leaf', namespace, ownerReferences: [referenceTo('Pod', one.metadata)] }
  await client.resource(Secret).create({ metadata })
}

function referenceTo(kind: string, { name = '', uid = '' }: ObjectMeta): OwnerReference {
  return { apiVersion: 'v1', kind, name, uid, blockOwnerDeletion: true }
}

function remove(
  { client }: TestCluster,
  propagationPolicy: NonNullable<DeleteRequestOptions['propagationPolicy']>,
): Promise<void> {
  return client.resource(ConfigMap).in(namespace).delete('owner', { propagationPolicy })
}

async function view({ client }: TestCluster): Promise<readonly string[]> {
  const lines: string[] = []
  for (const kind of [ConfigMap, Pod, Secret] as const)
    for (const { metadata } of (await client.resource(kind).in(namespace).list()).items)
      lines.push(`${kind.name.split('.').pop()} ${described(metadata)}`)
  return lines.length === 0 ? ['nothing'] : lines
}

function described({ name, ownerReferences = [], finalizers = [], deletionTimestamp }: ObjectMeta): string {
  const owners = ownerReferences.map((owner) => ` of ${owner.kind} ${owner.name}`).join(' and')
  const held = finalizers.length > 0 ? `, held by ${finalizers}` : ''
  return `${name}${owners}${deletionTimestamp === undefined ? '' : ', to go'}${held}`
}
