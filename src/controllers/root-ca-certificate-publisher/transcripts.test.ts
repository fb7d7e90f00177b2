import { test } from 'node:test'
import { ConfigMap } from '../../api/core/v1/config-map.js'
import { Namespace } from '../../api/core/v1/namespace.js'
import type { TestCluster } from '../../testing/cluster.js'
import { checkTranscript } from '../../testing/controllers/transcript.js'

async function view({ client, authority }: TestCluster): Promise<readonly string[]> {
  const { items } = await client.resource(ConfigMap).list({ fieldSelector: 'metadata.name=kube-root-ca.crt' })
  return items.flatMap(({ metadata, data = {} }) => [
    `ConfigMap ${metadata.namespace}/${metadata.name}, labelled ${JSON.stringify(metadata.labels ?? {})}`,
    ...Object.entries(data).map(([key, value]) => `  ${key}: ${value === authority ? 'the authority' : value}`),
  ])
}

test('every namespace says by whom the API server is known', () =>
  checkTranscript(
    { of: import.meta.url, name: 'published' },
    { controllers: ['root-ca-certificate-publisher-controller', 'namespace-controller'], view },
    async (stage) => {
      const { client } = stage.cluster
      const maps = client.resource(ConfigMap).in('work')
      await stage.step('the namespaces that are there from the start')
      await stage.step('another one', () => client.resource(Namespace).create({ metadata: { name: 'work' } }))
      await stage.step('somebody writes something else', () =>
        maps.patch('kube-root-ca.crt', 'merge', {
          metadata: { labels: { mine: 'yes' } },
          data: { 'ca.crt': 'me', x: 'y' },
        }),
      )
      await stage.step('somebody deletes it', () => maps.delete('kube-root-ca.crt'))
      await stage.step('the namespace goes', () => client.resource(Namespace).delete('work'))
    },
  ))
