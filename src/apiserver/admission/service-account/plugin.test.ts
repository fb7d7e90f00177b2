import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Pod } from '../../../api/core/v1/pod.js'
import { VirtualClock } from '../../../base/virtual-clock.js'
import { openPluginHarness, type PluginHarness, pod, rejectionOf } from '../admission.test.kit.js'
import { serviceAccount } from './plugin.js'

function account(name: string, rest: object = {}): object {
  return { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace: 'here' }, ...rest }
}

async function admitted(harness: PluginHarness, object: object): Promise<Pod> {
  const plugin = harness.create(serviceAccount)
  return (await harness.admit(plugin, { object })).object as unknown as Pod
}

test('a pod acts as the default account and finds its token', async () => {
  const harness = await openPluginHarness()
  await harness.store(account('default', { imagePullSecrets: [{ name: 'login' }] }))
  const { spec } = await admitted(harness, pod('a', { initContainers: [{ name: 'first' }] }))
  assert.equal(spec.serviceAccountName, 'default')
  assert.match(spec.volumes![0]!.name, /^kube-api-access-[a-z0-9]{5}$/)
  const mount = {
    name: spec.volumes![0]!.name,
    readOnly: true,
    mountPath: '/var/run/secrets/kubernetes.io/serviceaccount',
  }
  assert.deepEqual(spec.containers[0]!.volumeMounts, [mount])
  assert.deepEqual(spec.initContainers![0]!.volumeMounts, [mount])
  assert.deepEqual(spec.imagePullSecrets, [{ name: 'login' }])
})

test('the pod, and otherwise the account, can do without a token', async () => {
  const harness = await openPluginHarness()
  await harness.store(account('quiet', { automountServiceAccountToken: false }))
  const silent = await admitted(harness, pod('a', { serviceAccountName: 'quiet' }))
  assert.equal(silent.spec.volumes, undefined)
  const loud = await admitted(harness, pod('a', { serviceAccountName: 'quiet', automountServiceAccountToken: true }))
  assert.equal(loud.spec.volumes?.length, 1)
})

test('an account that is missing is an error; for the default one the pod waits', async () => {
  const clock = new VirtualClock()
  const harness = await openPluginHarness({ clock })
  assert.equal(
    await rejectionOf(admitted(harness, pod('a', { serviceAccountName: 'nobody' }))),
    'pods "a" is forbidden: error looking up service account here/nobody: serviceaccount "nobody" not found',
  )
  const waiting = admitted(harness, pod('a'))
  await clock.advance(300)
  await harness.store(account('default'))
  await clock.advance(300)
  assert.equal((await waiting).spec.serviceAccountName, 'default')
})

test('an account can limit its pods to its secrets', async () => {
  const harness = await openPluginHarness()
  const annotations = { 'kubernetes.io/enforce-mountable-secrets': 'true' }
  await harness.store(
    account('strict', { metadata: { name: 'strict', namespace: 'here', annotations }, secrets: [{ name: 'mine' }] }),
  )
  const using = (name: string) =>
    pod('a', { serviceAccountName: 'strict', volumes: [{ name: 'v', secret: { secretName: name } }] })
  await admitted(harness, using('mine'))
  assert.match(
    await rejectionOf(admitted(harness, using('other'))),
    /volume with secret.secretName="other" is not allowed because service account strict does not reference that secret/,
  )
})

test('a mirror pod has no account and no secrets', async () => {
  const harness = await openPluginHarness()
  const mirror = { annotations: { 'kubernetes.io/config.mirror': 'x' } }
  assert.equal((await admitted(harness, pod('a', {}, mirror))).spec.serviceAccountName, undefined)
  assert.match(
    await rejectionOf(admitted(harness, pod('a', { serviceAccountName: 'default' }, mirror))),
    /a mirror pod may not reference service accounts/,
  )
  assert.match(
    await rejectionOf(admitted(harness, pod('a', { imagePullSecrets: [{ name: 'x' }] }, mirror))),
    /a mirror pod may not reference secrets/,
  )
})
