import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMemoryServer } from '../registry/server.test.kit.js'
import { admissionPlugins } from './registry.js'

/** Upstream's order. InitialResources came before LimitRanger and Initializers before the webhooks, as long as upstream had them. */
const order = `AlwaysAdmit NamespaceAutoProvision NamespaceLifecycle NamespaceExists LimitPodHardAntiAffinityTopology
  InitialResources LimitRanger ServiceAccount NodeRestriction TaintNodesByCondition AlwaysPullImages ImagePolicyWebhook PodSecurity
  PodNodeSelector Priority DefaultTolerationSeconds PodTolerationRestriction EventRateLimit ExtendedResourceToleration
  DefaultStorageClass StorageObjectInUseProtection PodGroupProtection OwnerReferencesPermissionEnforcement
  PersistentVolumeClaimResize RuntimeClass CertificateApproval CertificateSigning ClusterTrustBundleAttest
  CertificateSubjectRestriction DefaultIngressClass DenyServiceExternalIPs PodTopologyLabels PodGroupWorkloadExists
  NodeDeclaredFeatureValidator JobValidation PodResizeValidator Initializers MutatingAdmissionPolicy MutatingAdmissionWebhook
  ValidatingAdmissionPolicy ValidatingAdmissionWebhook ResourceQuota AlwaysDeny`.split(/\s+/)

test("upstream's plugins run in the order of upstream", () => {
  const plugins = admissionPlugins.filter(({ name }) => order.includes(name))
  const names = plugins.map(({ name }) => name)
  assert.deepEqual(
    names,
    order.filter((name) => names.includes(name)),
  )
  for (const { name, position } of plugins) assert.equal(position, 10 * (order.indexOf(name) + 1), name)
})

test('an enabled plugin runs with its configuration', async () => {
  const limits = [{ type: 'Namespace', qps: 1, burst: 1 }] as const
  const configurations = { EventRateLimit: { apiVersion: '', kind: '', limits } }
  const admission = { enabled: ['EventRateLimit'], disabled: [], configurations }
  const server = await openMemoryServer(undefined, { admission })
  const event = (name: string) => ({
    metadata: { name, namespace: 'default' },
    involvedObject: { kind: 'Pod', namespace: 'default', name: 'p' },
    reason: 'Tested',
    message: 'a test',
    type: 'Normal',
  })
  const path = '/api/v1/namespaces/default/events'
  assert.equal((await server.send('POST', path, event('a'))).code, 201)
  const rejected = await server.send('POST', path, event('b'))
  assert.equal(rejected.code, 429)
  assert.equal(rejected.body.message, 'Too many requests: limit reached on type Namespace for key default')
  await server.close()
})
