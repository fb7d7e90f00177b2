import { test } from 'node:test'
import { ConfigMap } from '../../api/core/v1/config-map.js'
import { Endpoints } from '../../api/core/v1/endpoints.js'
import { Pod } from '../../api/core/v1/pod.js'
import { ResourceQuota } from '../../api/core/v1/resource-quota.js'
import type { TestCluster } from '../../testing/cluster.js'
import { checkTranscript } from '../../testing/controllers/transcript.js'

const controllers = ['resourcequota-controller']

async function view({ client }: TestCluster): Promise<readonly string[]> {
  const { items } = await client.resource(ResourceQuota).list()
  return items.map(({ metadata, status }) => {
    const { hard = {}, used = {} } = status
    return `Quota ${metadata.name}: ${Object.keys(hard)
      .map((name) => `${name} ${used[name] ?? '?'} of ${hard[name]}`)
      .join(', ')}`
  })
}

function pod(name: string, cpu: string) {
  const resources = { requests: { cpu } }
  return { metadata: { name, namespace: 'default' }, spec: { containers: [{ name: 'c', image: 'i', resources }] } }
}

test('what is given back is counted again', () =>
  checkTranscript({ of: import.meta.url, name: 'given-back' }, { controllers, view }, async (stage) => {
    const { client } = stage.cluster
    const pods = client.resource(Pod).in('default')
    const quotas = client.resource(ResourceQuota).in('default')
    await stage.step('pods, before there is a quota', async () => {
      await pods.create(pod('one', '100m'))
      await pods.create(pod('two', '200m'))
    })
    await stage.step('a quota', () =>
      quotas.create({ metadata: { name: 'q' }, spec: { hard: { pods: '4', 'requests.cpu': '1' } } }),
    )
    await stage.step('another pod', () => pods.create(pod('three', '300m')))
    await stage.step('a pod succeeds', async () => {
      const one = await pods.get('one')
      await pods.subresource('status').update({ ...one, status: { ...one.status, phase: 'Succeeded' } })
    })
    await stage.step('a pod is deleted', () => pods.delete('two', { gracePeriodSeconds: 0 }))
    await stage.step('the quota limits something else', () =>
      quotas.patch('q', 'merge', { spec: { hard: { pods: null, 'count/configmaps': '5' } } }),
    )
  }))

test('also of kinds that nobody could know of beforehand', () =>
  checkTranscript({ of: import.meta.url, name: 'other-kinds' }, { controllers, view }, async (stage) => {
    const { client } = stage.cluster
    const endpoints = client.resource(Endpoints).in('default')
    const quotas = client.resource(ResourceQuota).in('default')
    await stage.step('a quota of what is hardly ever limited, and of what does not exist', () =>
      quotas.create({
        metadata: { name: 'q' },
        spec: { hard: { 'count/endpoints': '5', 'count/widgets.example.com': '1' } },
      }),
    )
    await stage.step('two more', async () => {
      await endpoints.create({ metadata: { name: 'one' } })
      await endpoints.create({ metadata: { name: 'two' } })
    })
    await stage.step('one less', () => endpoints.delete('two'))
    await stage.step('what is not limited does not matter', () =>
      client.resource(ConfigMap).create({ metadata: { name: 'c', namespace: 'default' } }),
    )
    await stage.advance('5m')
  }))
