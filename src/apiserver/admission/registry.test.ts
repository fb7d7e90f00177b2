import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMemoryServer } from '../registry/server.test.kit.js'
import { pluginNames } from './registry.js'

/** As upstream asks them; InitialResources stood before LimitRanger and Initializers before webhooks, while they were there. */
const order = `AlwaysAdmit NamespaceAutoProvision NamespaceLifecycle NamespaceExists LimitPodHardAntiAffinityTopology
  InitialResources LimitRanger ServiceAccount NodeRestriction TaintNodesByCondition AlwaysPullImages ImagePolicyWebhook PodSecurity
  PodNodeSelector Priority DefaultTolerationSeconds PodTolerationRestriction EventRateLimit ExtendedResourceToleration
  DefaultStorageClass StorageObjectInUseProtection PodGroupProtection OwnerReferencesPermissionEnforcement
  PersistentVolumeClaimResize RuntimeClass CertificateApproval CertificateSigning ClusterTrustBundleAttest
  CertificateSubjectRestriction DefaultIngressClass DenyServiceExternalIPs PodTopologyLabels PodGroupWorkloadExists
  NodeDeclaredFeatureValidator JobValidation PodResizeValidator Initializers MutatingAdmissionPolicy MutatingAdmissionWebhook
  ValidatingAdmissionPolicy ValidatingAdmissionWebhook ResourceQuota AlwaysDeny`.split(/\s+/)

test('plugins are asked in the order of upstream', () => {
  assert.deepEqual(
    pluginNames,
    order.filter((name) => pluginNames.includes(name)),
  )
})

test('a plugin that is turned on with its configuration has its say', async () => {
  const limits = [{ type: 'Namespace', qps: 1, burst: 1 }] as const
  const configurations = { EventRateLimit: { apiVersion: '', kind: '', limits } }
  const admission = { enabled: ['EventRateLimit'], disabled: [], configurations }
  const server = await openMemoryServer(undefined, { admission })
  const event = (name: string) => ({
    metadata: { name, namespace: 'default' },
    involvedObject: { kind: 'Pod', namespace: 'default', name: 'p' },
    reason: 'Tested',
    message: 'it was',
    type: 'Normal',
  })
  const path = '/api/v1/namespaces/default/events'
  assert.equal((await server.send('POST', path, event('a'))).code, 201)
  const refused = await server.send('POST', path, event('b'))
  assert.equal(refused.code, 429)
  assert.equal(refused.body.message, 'Too many requests: limit reached on type Namespace for key default')
  await server.close()
})
