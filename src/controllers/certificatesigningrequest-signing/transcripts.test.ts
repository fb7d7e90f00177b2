import { test } from 'node:test'
import { checkTranscript } from '../../testing/controllers/transcript.js'
import { askFor, decide, viewOfRequests } from '../certificates/requests.test.kit.js'

const controllers = ['certificatesigningrequest-signing-controller']
const names = { dnsNames: ['one.example'], ipAddresses: [Buffer.from([192, 0, 2, 1])] }
const node = { commonName: 'system:node:one', organizations: ['system:nodes'] }

test('a signer signs what it is for, and says why it does not sign the rest', () =>
  checkTranscript({ of: import.meta.url, name: 'signers' }, { controllers, view: viewOfRequests }, async (stage) => {
    const { cluster } = stage
    const ask = async (name: string, signer: string, wanted: object, usages: readonly string[]) => {
      await askFor(cluster, name, wanted, { signerName: signer, usages })
      await decide(cluster.client, name, 'Approved')
    }
    const serving = ['digital signature', 'server auth']
    const client = ['digital signature', 'client auth']
    await stage.step('clients of the API server', async () => {
      await ask('jane', 'kubernetes.io/kube-apiserver-client', { commonName: 'jane', organizations: ['dev'] }, client)
      await ask('site', 'kubernetes.io/kube-apiserver-client', { commonName: 'site' }, serving)
      await ask('vague', 'kubernetes.io/kube-apiserver-client', { commonName: 'vague' }, ['digital signature'])
    })
    await stage.step('nodes as clients', async () => {
      await ask('node', 'kubernetes.io/kube-apiserver-client-kubelet', node, client)
      await ask('named', 'kubernetes.io/kube-apiserver-client-kubelet', { ...node, ...names }, client)
      await ask('person', 'kubernetes.io/kube-apiserver-client-kubelet', { ...node, commonName: 'jane' }, client)
    })
    await stage.step('nodes as servers', async () => {
      await ask('served', 'kubernetes.io/kubelet-serving', { ...node, ...names }, serving)
      await ask('nowhere', 'kubernetes.io/kubelet-serving', node, serving)
    })
    await stage.step('signers of others', () => ask('theirs', 'example.com/theirs', { commonName: 'x' }, client))
  }))

test('certificates live as long as was asked for, within bounds', () =>
  checkTranscript({ of: import.meta.url, name: 'lives' }, { controllers, view: viewOfRequests }, async (stage) => {
    const { cluster } = stage
    const signerName = 'kubernetes.io/kube-apiserver-client'
    for (const [name, expirationSeconds] of [
      ['short', 600],
      ['day', 86_400],
      ['century', 2 ** 31 - 1],
    ] as const)
      await stage.step(`${expirationSeconds} seconds`, async () => {
        await askFor(cluster, name, { commonName: name }, { signerName, usages: ['client auth'], expirationSeconds })
        await decide(cluster.client, name, 'Approved')
      })
  }))
