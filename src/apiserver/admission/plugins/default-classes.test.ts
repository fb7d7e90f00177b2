import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Node } from '../../../api/core/v1/node.js'
import type { PersistentVolumeClaim } from '../../../api/core/v1/persistent-volume-claim.js'
import type { KubeObject } from '../../../api/kube-object.js'
import type { Ingress } from '../../../api/networking/v1/ingress.js'
import { openPluginHarness, rejectionOf } from '../admission.test.kit.js'
import { defaultIngressClass, defaultStorageClass } from './default-classes.js'
import { persistentVolumeClaimResize } from './persistent-volume-claim-resize.js'
import { storageObjectInUseProtection } from './storage-object-in-use-protection.js'
import { taintNodesByCondition } from './taint-nodes-by-condition.js'

function storageClass(name: string, creationTimestamp: string, rest: object = {}): object {
  const annotations = { 'storageclass.kubernetes.io/is-default-class': 'true' }
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name, creationTimestamp, annotations },
    provisioner: 'x',
    ...rest,
  }
}

function claim(storage: string, spec: object = {}): object {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'c', namespace: 'here' },
    spec: { resources: { requests: { storage } }, ...spec },
    status: { phase: 'Bound' },
  }
}

test('a claim that names no class gets the newest default class', async () => {
  const harness = await openPluginHarness()
  await harness.store(storageClass('old', '2026-01-01T00:00:00Z'), storageClass('new', '2026-02-01T00:00:00Z'))
  const plugin = harness.create(defaultStorageClass)
  const classOf = async (spec: object) =>
    ((await harness.admit(plugin, { object: claim('1Gi', spec) })).object as PersistentVolumeClaim).spec
      .storageClassName
  assert.equal(await classOf({}), 'new')
  assert.equal(await classOf({ storageClassName: '' }), '')
})

test('an ingress that names no class gets the default one', async () => {
  const harness = await openPluginHarness()
  const annotations = { 'ingressclass.kubernetes.io/is-default-class': 'true' }
  await harness.store({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'IngressClass',
    metadata: { name: 'edge', annotations },
    spec: {},
  })
  const ingress = {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'i', namespace: 'here' },
    spec: {},
  }
  const { object } = await harness.admit(harness.create(defaultIngressClass), { object: ingress })
  assert.deepEqual((object as Ingress).spec, { ingressClassName: 'edge' })
})

test('claims grow only where their class lets them', async () => {
  const harness = await openPluginHarness()
  await harness.store(storageClass('grows', '2026-01-01T00:00:00Z', { allowVolumeExpansion: true }))
  const plugin = harness.create(persistentVolumeClaimResize)
  const grow = (spec: object) => harness.admit(plugin, { object: claim('2Gi', spec), old: claim('1Gi', spec) })
  await grow({ storageClassName: 'grows' })
  assert.match(
    await rejectionOf(grow({ storageClassName: 'other' })),
    /only dynamically provisioned pvc can be resized/,
  )
})

test('what holds data is protected from the beginning, and new nodes are not ready', async () => {
  const harness = await openPluginHarness()
  const guarded = await harness.admit(harness.create(storageObjectInUseProtection), { object: claim('1Gi') })
  assert.deepEqual((guarded.object as KubeObject).metadata.finalizers, ['kubernetes.io/pvc-protection'])
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' }, spec: {}, status: {} }
  const tainted = await harness.admit(harness.create(taintNodesByCondition), { object: node })
  assert.deepEqual((tainted.object as Node).spec, {
    taints: [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }],
  })
})
