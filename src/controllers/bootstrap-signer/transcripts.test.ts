import { test } from 'node:test'
import { ConfigMap } from '../../api/core/v1/config-map.js'
import { Secret } from '../../api/core/v1/secret.js'
import type { TestCluster } from '../../testing/cluster.js'
import { checkTranscript } from '../../testing/controllers/transcript.js'

const controllers = ['bootstrap-signer-controller']

async function view({ client }: TestCluster): Promise<readonly string[]> {
  const { items } = await client.resource(ConfigMap).in('kube-public').list()
  return items.flatMap(({ metadata, data = {} }) => [
    `ConfigMap ${metadata.name}`,
    ...Object.entries(data).map(([key, value]) => `  ${key}: ${value}`),
  ])
}

test('what strangers may know of the cluster is signed by every token that is there', () =>
  checkTranscript({ of: import.meta.url, name: 'cluster-info' }, { controllers, view }, async (stage) => {
    const { client } = stage.cluster
    const infos = client.resource(ConfigMap).in('kube-public')
    const token = (id: string, more: Readonly<Record<string, string>> = {}) =>
      client.resource(Secret).create({
        metadata: { name: `bootstrap-token-${id}`, namespace: 'kube-system' },
        type: 'bootstrap.kubernetes.io/token',
        stringData: { 'token-id': id, 'token-secret': 'secret', 'usage-bootstrap-signing': 'true', ...more },
      })
    await stage.step('a token, and nothing to sign', () => token('abcdef'))
    await stage.step('something to sign', async () => {
      await infos.create({ metadata: { name: 'cluster-info' }, data: { kubeconfig: 'where it is' } })
      await infos.create({ metadata: { name: 'other' }, data: { kubeconfig: 'somewhere else' } })
    })
    await stage.step('a token that ends', () => token('ghijkl', { expiration: '2026-01-01T00:01:00Z' }))
    await stage.step('it changes', () =>
      infos.patch('cluster-info', 'merge', { data: { kubeconfig: 'where it is now' } }),
    )
    await stage.advance('1m')
    await stage.step('the token is gone', () =>
      client.resource(Secret).in('kube-system').delete('bootstrap-token-abcdef'),
    )
  }))
