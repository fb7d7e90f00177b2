import { test } from 'node:test'
import { Secret } from '../../api/core/v1/secret.js'
import type { TestCluster } from '../../testing/cluster.js'
import { checkTranscript } from '../../testing/controllers/transcript.js'

const controllers = ['token-cleaner-controller']

async function view({ client }: TestCluster): Promise<readonly string[]> {
  const { items } = await client.resource(Secret).list()
  return items.map(({ metadata }) => `Secret ${metadata.namespace}/${metadata.name}`)
}

test('bootstrap tokens are removed when they end', () =>
  checkTranscript({ of: import.meta.url, name: 'ends' }, { controllers, view }, async (stage) => {
    const secrets = stage.cluster.client.resource(Secret)
    const token = (
      name: string,
      expiration?: string,
      namespace = 'kube-system',
      type = 'bootstrap.kubernetes.io/token',
    ) =>
      secrets.create({
        metadata: { name: `bootstrap-token-${name}`, namespace },
        type,
        ...(expiration !== undefined && { stringData: { expiration } }),
      })
    await stage.step('tokens', async () => {
      await token('minute', '2026-01-01T00:01:00Z')
      await token('later', '2026-01-01T02:02:00+02:00')
      await token('endless')
      await token('over', '2025-01-01T00:00:00Z')
      await token('unclear', 'tomorrow')
      await token('elsewhere', '2025-01-01T00:00:00Z', 'default')
      await token('other', '2025-01-01T00:00:00Z', 'kube-system', 'Opaque')
    })
    await stage.advance('59s')
    await stage.advance('1s')
    await stage.step('the other one is to live longer', () =>
      secrets
        .in('kube-system')
        .patch('bootstrap-token-later', 'merge', { stringData: { expiration: '2026-01-01T00:05:00Z' } }),
    )
    await stage.advance('1m')
    await stage.advance('3m')
  }))
