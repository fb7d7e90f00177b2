import { describe, test } from 'node:test'
import { Endpoints } from '../../api/core/v1/endpoints.js'
import { Service } from '../../api/core/v1/service.js'
import { checkTranscript, type Transcript } from '../../testing/controllers/transcript.js'
import { makeService, viewOfServices } from '../services/services.test.kit.js'

const controllers = ['endpointslice-mirroring-controller', 'endpoints-controller', 'endpointslice-controller']

function play(name: string, script: (stage: Transcript) => Promise<void>): Promise<void> {
  const controllerFlags = { 'mirroring-max-endpoints-per-subset': 3 }
  return checkTranscript({ of: import.meta.url, name }, { controllers, view: viewOfServices, controllerFlags }, script)
}

const metadata = { name: 'web', namespace: 'default' }

describe('addresses that somebody wrote', () => {
  test('are copied into slices for as long as the service has no selector', () =>
    play('mirrored', async (stage) => {
      const { client } = stage.cluster
      const lists = client.resource(Endpoints).in('default')
      const services = client.resource(Service).in('default')
      const subset = (ips: readonly string[], port: number) => ({
        addresses: ips.map((ip) => ({ ip })),
        ports: [{ port }],
      })
      await stage.step('addresses without a service', () =>
        client.resource(Endpoints).create({ metadata, subsets: [subset(['192.0.2.1', '2001:db8::1'], 80)] }),
      )
      await stage.step('a service without selector', () => makeService(stage.cluster, { selector: {} }))
      await stage.step('another address, and one that is not ready', () =>
        lists.patch('web', 'merge', {
          subsets: [{ ...subset(['192.0.2.1', '192.0.2.2'], 80), notReadyAddresses: [{ ip: '192.0.2.3' }] }],
        }),
      )
      await stage.step('another port', () => lists.patch('web', 'merge', { subsets: [subset(['192.0.2.1'], 90)] }))
      const many = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4', '192.0.2.5']
      await stage.step('more than are copied', () => lists.patch('web', 'merge', { subsets: [subset(many, 90)] }))
      const skip = { metadata: { labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } } }
      await stage.step('they are not to be copied', () => lists.patch('web', 'merge', skip))
      const unskip = { metadata: { labels: { 'endpointslice.kubernetes.io/skip-mirror': null } } }
      await stage.step('after all they are', () => lists.patch('web', 'merge', unskip))
      await stage.step('the service has a selector', () =>
        services.patch('web', 'merge', { spec: { selector: { app: 'web' } } }),
      )
      await stage.step('the service goes', () => services.delete('web'))
    }))
})
