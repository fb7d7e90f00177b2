import assert from 'node:assert/strict'
import type { JsonObject } from '../../schema/declaration.js'
import { startTestCluster } from '../cluster.js'
import type { Kubectl } from './kubectl.js'
import { configMap, kubectlSuite, podManifest } from './suite.js'

const controllers = ['garbage-collector-controller', 'namespace-controller', 'pod-garbage-collector-controller']

kubectlSuite(
  'kubectl delete, and what goes with it',
  {
    'in the background: the owner goes at once, its dependents soon': async (kubectl) => {
      await family(kubectl)
      assert.match(await kubectl.ok('delete', 'cm', 'owner', '--cascade=background'), /^configmap "owner" deleted/)
      await gone(kubectl, 'pod/one', 'pod/two', 'secret/leaf')
    },
    'in the foreground: what it waits for is gone when it returns': async (kubectl) => {
      await family(kubectl)
      await kubectl.ok('delete', 'cm', 'owner', '--cascade=foreground')
      assert.equal(await left(kubectl), '')
    },
    'as orphans: dependents stay, and are nobody’s': async (kubectl) => {
      await family(kubectl)
      await kubectl.ok('delete', 'cm', 'owner', '--cascade=orphan')
      assert.equal(await left(kubectl), 'pod/one pod/two secret/leaf')
      for (const name of ['one', 'two']) {
        const { metadata } = (await kubectl.json('get', 'pod', name)) as unknown as { metadata: JsonObject }
        assert.equal(metadata.ownerReferences, undefined)
      }
    },
    'a namespace: it returns when nothing is left': async (kubectl) => {
      const inner = await kubectl.inNewNamespace('to-be-deleted')
      await inner.create(configMap('a'), configMap('b'), podManifest('web'))
      assert.match(await kubectl.ok('delete', 'namespace', 'to-be-deleted'), /^namespace "to-be-deleted" deleted/)
      assert.match(await kubectl.fails('get', 'namespace', 'to-be-deleted'), /NotFound/)
      assert.equal(await left(inner), '')
    },
  },
  () => startTestCluster({ controllers }),
)

/** A config map that owns two pods, the first of which owns a secret. */
async function family(kubectl: Kubectl): Promise<void> {
  await kubectl.create(configMap('owner'))
  const owner = await referenceTo(kubectl, 'ConfigMap', 'owner')
  await kubectl.create(owned(podManifest('one'), owner), owned(podManifest('two'), owner))
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'leaf' } }
  await kubectl.create(owned(secret, await referenceTo(kubectl, 'Pod', 'one')))
}

async function referenceTo(kubectl: Kubectl, kind: string, name: string): Promise<JsonObject> {
  const uid = await kubectl.ok('get', kind, name, '--output=jsonpath={.metadata.uid}')
  return { apiVersion: 'v1', kind, name, uid, blockOwnerDeletion: true }
}

function owned(object: JsonObject, owner: JsonObject): JsonObject {
  return { ...object, metadata: { ...(object.metadata as JsonObject), ownerReferences: [owner] } }
}

async function left(kubectl: Kubectl): Promise<string> {
  const names = await kubectl.ok('get', 'configmaps,pods,secrets', '--output=name')
  return names.trim().split('\n').join(' ')
}

async function gone(kubectl: Kubectl, ...names: readonly string[]): Promise<void> {
  for (const name of names) await kubectl.ok('wait', '--for=delete', name, '--timeout=20s')
}
