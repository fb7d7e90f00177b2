import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Service, ServicePort } from '../../../api/core/v1/service.js'
import { servicesFor, serviceVariables } from './service-variables.js'

describe('service variables', () => {
  test('address, ports, and links', () => {
    const web = service('web-front', 'shop', '10.0.0.7', [
      { name: 'http', port: 80, protocol: 'TCP' },
      { name: 'dns-udp', port: 53, protocol: 'UDP' },
    ])
    assert.deepEqual(Object.fromEntries(serviceVariables([web])), {
      WEB_FRONT_SERVICE_HOST: '10.0.0.7',
      WEB_FRONT_SERVICE_PORT: '80',
      WEB_FRONT_SERVICE_PORT_HTTP: '80',
      WEB_FRONT_SERVICE_PORT_DNS_UDP: '53',
      WEB_FRONT_PORT: 'tcp://10.0.0.7:80',
      WEB_FRONT_PORT_80_TCP: 'tcp://10.0.0.7:80',
      WEB_FRONT_PORT_80_TCP_PROTO: 'tcp',
      WEB_FRONT_PORT_80_TCP_PORT: '80',
      WEB_FRONT_PORT_80_TCP_ADDR: '10.0.0.7',
      WEB_FRONT_PORT_53_UDP: 'udp://10.0.0.7:53',
      WEB_FRONT_PORT_53_UDP_PROTO: 'udp',
      WEB_FRONT_PORT_53_UDP_PORT: '53',
      WEB_FRONT_PORT_53_UDP_ADDR: '10.0.0.7',
    })
  })

  test('an IPv6 address is in brackets before a port', () => {
    const variables = serviceVariables([service('six', 'shop', 'fd00::7', [{ port: 80 }])])
    assert.equal(variables.get('SIX_PORT'), 'tcp://[fd00::7]:80')
    assert.equal(variables.get('SIX_SERVICE_HOST'), 'fd00::7')
  })

  const kubernetes = service('kubernetes', 'default', '10.0.0.1')
  const all = [
    kubernetes,
    service('web', 'shop', '10.0.0.7'),
    service('headless', 'shop', 'None'),
    service('outside', 'shop', ''),
    service('web', 'other', '10.0.0.8'),
    service('more', 'default', '10.0.0.9'),
  ]
  const addresses = (namespace: string, wantsLinks: boolean, services = all) =>
    servicesFor(services, namespace, wantsLinks).map(({ spec }) => spec.clusterIP)

  test('cover services of the namespace with a cluster IP, and the API server', () => {
    assert.deepEqual(addresses('shop', true), ['10.0.0.1', '10.0.0.7'])
    assert.deepEqual(addresses('default', true), ['10.0.0.1', '10.0.0.9'])
  })

  test('cover only the API server without links', () => {
    assert.deepEqual(addresses('shop', false), ['10.0.0.1'])
    assert.deepEqual(addresses('default', false), ['10.0.0.1'])
  })

  test('a "kubernetes" service of the namespace precedes the cluster\'s, in any order', () => {
    const own = service('kubernetes', 'shop', '10.0.0.5')
    assert.deepEqual(addresses('shop', true, [kubernetes, own]), ['10.0.0.5'])
    assert.deepEqual(addresses('shop', true, [own, kubernetes]), ['10.0.0.5'])
  })
})

function service(name: string, namespace: string, clusterIP: string, ports: ServicePort[] = [{ port: 1 }]): Service {
  return { apiVersion: 'v1', kind: 'Service', metadata: { name, namespace }, spec: { clusterIP, ports }, status: {} }
}
