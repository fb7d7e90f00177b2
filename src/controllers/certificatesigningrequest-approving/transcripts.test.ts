import { test } from 'node:test'
import { ClusterRoleBinding } from '../../api/rbac/v1/cluster-role-binding.js'
import type { Client } from '../../client/client.js'
import { checkTranscript } from '../../testing/controllers/transcript.js'
import { askFor, decide, viewOfRequests } from '../certificates/requests.test.kit.js'

const controllers = [
  'certificatesigningrequest-approving-controller',
  'certificatesigningrequest-signing-controller',
  'certificatesigningrequest-cleaner-controller',
]
const signerName = 'kubernetes.io/kube-apiserver-client-kubelet'
const usages = ['digital signature', 'client auth']
const node = { commonName: 'system:node:one', organizations: ['system:nodes'] }
const joiner = { user: 'system:bootstrap:abcdef', groups: ['system:bootstrappers', 'system:authenticated'] }
const itself = { user: 'system:node:one', groups: ['system:nodes', 'system:authenticated'] }

/** As everybody does who lets nodes join by themselves. */
async function grant(client: Client, what: string, group: string): Promise<void> {
  const role = `system:certificates.k8s.io:certificatesigningrequests:${what}`
  const apiGroup = 'rbac.authorization.k8s.io'
  await client.resource(ClusterRoleBinding).create({
    metadata: { name: what },
    roleRef: { apiGroup, kind: 'ClusterRole', name: role },
    subjects: [{ apiGroup, kind: 'Group', name: group }],
  })
}

test('a node that joins is given a certificate by those who may speak for it, and renews it itself', () =>
  checkTranscript({ of: import.meta.url, name: 'joining' }, { controllers, view: viewOfRequests }, async (stage) => {
    const { cluster } = stage
    await stage.step('nobody may create requests yet but administrators: they let the joiner ask', async () => {
      const apiGroup = 'rbac.authorization.k8s.io'
      for (const name of ['system:bootstrappers', 'system:nodes'])
        await cluster.client.resource(ClusterRoleBinding).create({
          metadata: { name: `ask ${name}` },
          roleRef: { apiGroup, kind: 'ClusterRole', name: 'system:node-bootstrapper' },
          subjects: [{ apiGroup, kind: 'Group', name }],
        })
    })
    await stage.step('the joiner asks', () => askFor(cluster, 'join', node, { signerName, usages, ...joiner }))
    await stage.advance('1m')
    await stage.step('it may have that', () => grant(cluster.client, 'nodeclient', 'system:bootstrappers'))
    await stage.advance('1m')
    await stage.advance('30m')
    await stage.step('the node asks for a new one, before it may', () =>
      askFor(cluster, 'renewal', node, { signerName, usages, expirationSeconds: 3600, ...itself }),
    )
    await stage.step('it may have that', () => grant(cluster.client, 'selfnodeclient', 'system:nodes'))
    await stage.advance('1s')
    await stage.advance('29m')
    await stage.advance('31m')
  }))

test('what is not for nodes is left to people', () =>
  checkTranscript({ of: import.meta.url, name: 'by-hand' }, { controllers, view: viewOfRequests }, async (stage) => {
    const { cluster } = stage
    await stage.step('three requests', async () => {
      const other = { signerName: 'kubernetes.io/kube-apiserver-client', usages }
      await askFor(cluster, 'jane', { commonName: 'jane', organizations: ['dev'] }, other)
      await askFor(cluster, 'jim', { commonName: 'jim' }, other)
      await askFor(cluster, 'forgotten', { commonName: 'joe' }, other)
    })
    await stage.step('jane is approved, jim is not', async () => {
      await decide(cluster.client, 'jane', 'Approved')
      await decide(cluster.client, 'jim', 'Denied')
    })
    await stage.advance('59m')
    await stage.advance('1m')
    await stage.advance('23h')
  }))
