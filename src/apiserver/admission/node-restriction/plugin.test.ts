import { strictEqual as equal } from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { openPluginHarness, type PluginHarness, pod, rejectionOf } from '../admission.test.kit.js'
import { nodeRestriction } from './plugin.js'

const node = (name: string, labels: object = {}, spec: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, uid: `uid-of-${name}`, labels },
  spec,
  status: {},
})

describe('A node that writes', () => {
  let harness: PluginHarness
  beforeEach(async () => {
    harness = await openPluginHarness()
    await harness.store(
      node('a'),
      pod('mine', { nodeName: 'a' }, { uid: 'u1' }),
      pod('theirs', { nodeName: 'b' }, { uid: 'u2' }),
    )
  })
  const groups = ['system:nodes']
  const asked = (parts: Parameters<PluginHarness['admit']>[1]) =>
    harness.admit(harness.create(nodeRestriction, { isAllowed: () => false }), {
      user: 'system:node:a',
      groups,
      ...parts,
    })
  const refused = async (parts: Parameters<PluginHarness['admit']>[1], why: string) => {
    const message = await rejectionOf(asked(parts))
    equal(message.slice(message.indexOf('forbidden: ') + 'forbidden: '.length), why)
  }

  it('writes about itself, and neither its taints nor labels that are not its own', async () => {
    await asked({ object: node('a', { 'kubernetes.io/hostname': 'a', 'example.com/x': 'y' }) })
    await refused({ object: node('b') }, 'node "a" is not allowed to modify node "b"')
    await refused(
      { object: node('a', { 'node-restriction.kubernetes.io/x': 'y', 'foo.k8s.io/x': '' }) },
      'node "a" is not allowed to set the following labels: foo.k8s.io/x, node-restriction.kubernetes.io/x',
    )
    const taints = [{ key: 'k', effect: 'NoSchedule' }]
    await refused({ old: node('a', {}, { taints }), object: node('a') }, 'node "a" is not allowed to modify taints')
    await refused(
      { old: node('a', { 'x.kubernetes.io/pool': 'red' }), object: node('a') },
      'is not allowed to modify labels: x.kubernetes.io/pool',
    )
    await asked({
      old: node('a', { 'node.kubernetes.io/x': 'y' }),
      object: node('a', { 'kubelet.kubernetes.io/z': '' }),
    })
  })

  const owner = { apiVersion: 'v1', kind: 'Node', name: 'a', uid: 'uid-of-a', controller: true }
  const mirror = (spec: object = {}, metadata: object = {}) =>
    pod(
      'm',
      { nodeName: 'a', ...spec },
      { annotations: { 'kubernetes.io/config.mirror': 'x' }, ownerReferences: [owner], ...metadata },
    )

  it('shows the pods that it runs by itself, if they refer to nothing', async () => {
    await asked({ object: mirror() })
    await refused(
      { object: pod('p', { nodeName: 'a' }) },
      'pod does not have "kubernetes.io/config.mirror" annotation, node "a" can only create mirror pods',
    )
    await refused(
      { object: mirror({ nodeName: 'b' }) },
      'node "a" can only create pods with spec.nodeName set to itself',
    )
    const owned = (...ownerReferences: readonly object[]) => ({ object: mirror({}, { ownerReferences }) })
    await refused(owned(), 'node "a" can only create pods with an owner reference set to itself')
    await refused(owned(owner, owner), 'node "a" can only create pods with a single owner reference set to itself')
    await refused(
      owned({ ...owner, controller: false }),
      'node "a" can only create pods with a controller owner reference set to itself',
    )
    await refused(
      owned({ ...owner, blockOwnerDeletion: true }),
      'node "a" must not set blockOwnerDeletion on an owner reference',
    )
    await refused(owned({ ...owner, uid: 'x' }), 'node a UID mismatch: expected x got uid-of-a')
    const referring = (spec: object, what: string) =>
      refused({ object: mirror(spec) }, `node "a" can not create pods that reference ${what}`)
    await referring({ serviceAccountName: 's' }, 'a service account')
    await referring({ volumes: [{ name: 'v', secret: { secretName: 's' } }] }, 'secrets')
    await referring({ volumes: [{ name: 'v', configMap: { name: 's' } }] }, 'configmaps')
    await referring({ volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }] }, 'persistentvolumeclaims')
    await referring({ volumes: [{ name: 'v', csi: { driver: 'd' } }] }, 'csidrivers (via CSI volumes)')
    await referring(
      { volumes: [{ name: 'v', ephemeral: { volumeClaimTemplate: { spec: {} } } }] },
      'persistentvolumeclaims (via ephemeral volumes)',
    )
    const projecting = (source: object, what: string) =>
      referring({ volumes: [{ name: 'v', projected: { sources: [{ downwardAPI: {} }, source] } }] }, what)
    await projecting({ clusterTrustBundle: { name: 'n', path: 'p' } }, 'clustertrustbundles')
    await projecting({ serviceAccountToken: { path: 'p' } }, 'serviceaccounts (via projected volumes)')
    await projecting({ podCertificate: { signerName: 's' } }, 'podcertificates')
    for (const claim of [{ resourceClaimName: 'c' }, { resourceClaimTemplateName: 't' }])
      await referring({ resourceClaims: [{ name: 'r', ...claim }] }, 'resourceclaims')
    await asked({ object: mirror({ volumes: [{ name: 'v', hostPath: { path: '/' } }] }) })
  })

  it('tells how its own pods do, deletes and evicts them, and no others', async () => {
    const [mine, theirs] = ['a', 'b'].map((nodeName) => pod('mine', { nodeName }))
    await asked({ old: mine!, object: mine!, subresource: 'status' })
    await refused(
      { old: theirs!, object: theirs!, subresource: 'status' },
      'node "a" can only update pod status for pods with spec.nodeName set to itself',
    )
    await refused(
      { old: mine!, object: pod('mine', { nodeName: 'a' }, { labels: { a: 'b' } }), subresource: 'status' },
      'node "a" cannot update labels through pod status',
    )
    await asked({ old: pod('mine'), operation: 'DELETE' })
    await refused(
      { old: pod('theirs'), operation: 'DELETE' },
      'node "a" can only delete pods with spec.nodeName set to itself',
    )
    await refused(
      { object: pod('theirs'), subresource: 'eviction' },
      'node a can only evict pods with spec.nodeName set to itself',
    )
    await refused(
      { object: pod('mine'), subresource: 'binding' },
      `unexpected pod subresource "binding", only 'status' and 'eviction' are allowed`,
    )
  })

  it('asks for tokens of its own pods, for those whom they name', async () => {
    const sources = [{ serviceAccountToken: { path: 'token', audience: 'vault' } }]
    const spec = { nodeName: 'a', volumes: [{ name: 'v', projected: { sources } }] }
    await harness.store(pod('asks', spec, { uid: 'u3' }))
    const token = (boundObjectRef: object | undefined, audiences: readonly string[] = ['vault']) => ({
      object: {
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { name: 'default', namespace: 'here' },
        spec: { audiences, boundObjectRef },
      },
      subresource: 'token',
    })
    const bound = (name: string, uid: string) => ({ apiVersion: 'v1', kind: 'Pod', name, uid })
    await asked(token(bound('asks', 'u3')))
    await refused(token(undefined), 'node requested token not bound to a pod')
    await refused(token(bound('asks', '')), 'node requested token with a pod binding without a uid')
    await refused(token(bound('theirs', 'u2')), 'node requested token bound to a pod scheduled on a different node')
    await refused(
      token(bound('asks', 'u9')),
      'the UID in the bound object reference (u9) does not match the UID in record. The object might have been deleted and then recreated',
    )
    await refused(
      token(bound('asks', 'u3'), ['bank']),
      'audience "bank" not found in pod spec volume, system:node:a is not authorized to request tokens for this audience',
    )
    await refused(token(bound('asks', 'u3'), ['vault', 'bank']), 'node may only request 0 or 1 audiences')
  })

  it('is somebody, and others are not its business', async () => {
    await refused({ object: node('a'), user: 'system:node:' }, 'could not determine node from user "system:node:"')
    await asked({ object: node('b'), user: 'jane' })
    await asked({ object: node('b'), groups: [] })
  })
})
