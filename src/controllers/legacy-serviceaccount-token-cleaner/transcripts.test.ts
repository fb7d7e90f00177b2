import { test } from 'node:test'
import { Pod } from '../../api/core/v1/pod.js'
import { Secret } from '../../api/core/v1/secret.js'
import { ServiceAccount } from '../../api/core/v1/service-account.js'
import { checkTranscript } from '../../testing/controllers/transcript.js'
import { tokenSecret, viewOfTokens } from '../serviceaccount-token/secrets.test.kit.js'

const controllers = ['legacy-serviceaccount-token-cleaner-controller', 'serviceaccount-token-controller']
const hour = 60 * 60_000

test('tokens that nobody uses are marked, and deleted when nobody has minded', () =>
  checkTranscript(
    { of: import.meta.url, name: 'unused-tokens' },
    { controllers, view: viewOfTokens, controllerFlags: { 'legacy-service-account-token-clean-up-period': 20 * hour } },
    async (stage) => {
      const { client } = stage.cluster
      const secrets = client.resource(Secret).in('default')
      const labels = { 'kubernetes.io/legacy-token-last-used': '2026-01-02' }
      await stage.step('tokens that were made for an account, and one by hand', async () => {
        const listed = ['idle', 'used', 'mounted'].map((name) => ({ name }))
        await client
          .resource(ServiceAccount)
          .create({ metadata: { name: 'robot', namespace: 'default' }, secrets: listed })
        for (const name of ['idle', 'used', 'mounted', 'by-hand']) await secrets.create(tokenSecret(name, 'robot'))
      })
      await stage.step('a pod mounts one', () =>
        client.resource(Pod).create({
          metadata: { name: 'p', namespace: 'default' },
          spec: {
            containers: [{ name: 'c', image: 'i' }],
            volumes: [{ name: 'v', secret: { secretName: 'mounted' } }],
          },
        }),
      )
      await stage.advance('30h')
      await stage.step('one is used', () => secrets.patch('used', 'merge', { metadata: { labels } }))
      await stage.advance('18h')
      await stage.advance('24h')
      await stage.advance('24h')
    },
  ))
