import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { KindHarness } from '../../../../testing/objects/kind-harness.js'
import type { Service } from '../service.js'

const services = new KindHarness<Service>('core/v1.Service')
const ports = [{ port: 80 }]
const wrong = (spec: object) => services.create({ spec }).errors

describe('services that are rejected', () => {
  const cases: readonly (readonly [title: string, spec: object, ...errors: readonly string[]])[] = [
    ['without ports', {}, 'spec.ports: Required value'],
    ['headless without ports', { clusterIP: 'None' }],
    [
      'of an unknown type',
      { ports, type: 'Magic' },
      'spec.type: Unsupported value: "Magic": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
    ],
    [
      'with ports that have one name',
      {
        ports: [
          { name: 'a', port: 1 },
          { name: 'a', port: 2 },
        ],
      },
      'spec.ports[1].name: Duplicate value: "a"',
    ],
    [
      'with ports that have no name',
      { ports: [{ port: 1 }, { port: 2, name: 'b' }] },
      'spec.ports[0].name: Required value',
    ],
    [
      'with one port twice',
      {
        ports: [
          { name: 'a', port: 1 },
          { name: 'b', port: 1 },
          { name: 'c', port: 1, protocol: 'UDP' },
        ],
      },
      'spec.ports[1]: Duplicate value: {"Name":"","Protocol":"TCP","AppProtocol":null,"Port":1,"TargetPort":0,"NodePort":0}',
    ],
    [
      'with a target that is no number',
      { ports: [{ port: 80, targetPort: '8080' }] },
      'spec.ports[0].targetPort: Invalid value: "8080": must contain at least one letter (a-z)',
    ],
    [
      'with a port of nodes that nobody can reach',
      { ports: [{ port: 80, nodePort: 30000 }] },
      "spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'",
    ],
    [
      'that forget clients at once',
      { ports, sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 0 } } },
      'spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid value: 0: must be greater than 0 and less than 86400',
    ],
    ['with a name for nothing', { type: 'ExternalName' }, 'spec.externalName: Required value'],
    ['with a name that ends in a dot', { type: 'ExternalName', externalName: 'db.example.com.' }],
    [
      'with a name and addresses',
      {
        type: 'ExternalName',
        externalName: 'a',
        clusterIP: 'None',
        ipFamilies: ['IPv4'],
        ipFamilyPolicy: 'SingleStack',
      },
      'spec.clusterIPs: Forbidden: may not be set for ExternalName services',
      'spec.ipFamilies: Forbidden: may not be set for ExternalName services',
      'spec.ipFamilyPolicy: Forbidden: may not be set for ExternalName services',
    ],
    [
      'headless and balanced',
      { ports, type: 'LoadBalancer', clusterIP: 'None' },
      `spec.clusterIPs[0]: Invalid value: "None": may not be set to 'None' for LoadBalancer services`,
    ],
    [
      'with addresses that differ',
      { ports, clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.2'] },
      'spec.clusterIPs: Invalid value: ["10.0.0.2"]: first value must match `clusterIP`',
    ],
    [
      'with only the newer address',
      { ports, clusterIPs: ['10.0.0.2'] },
      'spec.clusterIPs: Invalid value: ["10.0.0.2"]: must be empty when `clusterIP` is not specified',
    ],
    [
      'with two addresses of one family',
      { ports, clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1', '10.0.0.2'] },
      'spec.clusterIPs: Invalid value: ["10.0.0.1","10.0.0.2"]: may specify no more than one IP for each IP family',
    ],
    [
      'with none and some',
      { ports, clusterIP: 'None', clusterIPs: ['None', '10.0.0.2'] },
      `spec.clusterIPs: Invalid value: ["None","10.0.0.2"]: 'None' must be the first and only value`,
    ],
    [
      'of another family than their address',
      { ports, clusterIP: '10.0.0.1', ipFamilies: ['IPv6'] },
      'spec.clusterIPs[0]: Invalid value: "10.0.0.1": expected an IPv6 value as indicated by `ipFamilies[0]`',
    ],
    [
      'of unknown families',
      { ports, ipFamilies: ['IPv5', 'IPv5'], ipFamilyPolicy: 'Any' },
      'spec.ipFamilies[0]: Unsupported value: "IPv5": supported values: "IPv4", "IPv6"',
      'spec.ipFamilies[1]: Unsupported value: "IPv5": supported values: "IPv4", "IPv6"',
      'spec.ipFamilies[1]: Duplicate value: "IPv5"',
      'spec.ipFamilyPolicy: Unsupported value: "Any": supported values: "PreferDualStack", "RequireDualStack", "SingleStack"',
    ],
    [
      'with addresses that are not written plainly',
      { ports, externalIPs: ['010.0.0.1', '::ffff:10.0.0.1', '169.254.0.1', '0.0.0.0', 'ff02::1'] },
      'spec.externalIPs[0]: Invalid value: "010.0.0.1": must not have leading 0s',
      'spec.externalIPs[1]: Invalid value: "::ffff:10.0.0.1": must not be an IPv4-mapped IPv6 address',
      'spec.externalIPs[2]: Invalid value: "169.254.0.1": may not be in the link-local range (169.254.0.0/16, fe80::/10)',
      'spec.externalIPs[3]: Invalid value: "0.0.0.0": may not be unspecified (0.0.0.0)',
      'spec.externalIPs[4]: Invalid value: "ff02::1": may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)',
    ],
    [
      'that take everything from everywhere',
      { ports, type: 'LoadBalancer', loadBalancerSourceRanges: [' 10.0.0.0/8 ', '10.0.0.1/8'] },
      'spec.LoadBalancerSourceRanges[1]: Invalid value: "10.0.0.1/8": must not have bits set beyond the prefix length',
    ],
    [
      'with policies that do not exist',
      { ports, type: 'NodePort', externalTrafficPolicy: 'Far', internalTrafficPolicy: 'Near', trafficDistribution: '' },
      'spec.externalTrafficPolicy: Unsupported value: "Far": supported values: "Cluster", "Local"',
      'spec.internalTrafficPolicy: Unsupported value: "Near": supported values: "Cluster", "Local"',
      'spec.trafficDistribution: Unsupported value: "": supported values: "PreferClose", "PreferSameZone", "PreferSameNode"',
    ],
    [
      'with a health check that nobody asks for',
      { ports, type: 'LoadBalancer', healthCheckNodePort: 30000 },
      "spec.healthCheckNodePort: Invalid value: 30000: may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
    ],
    [
      'with a health check on no port',
      { ports, type: 'LoadBalancer', externalTrafficPolicy: 'Local', healthCheckNodePort: 70000 },
      'spec.healthCheckNodePort: Invalid value: 70000: must be between 1 and 65535, inclusive',
    ],
  ]
  for (const [title, spec, ...errors] of cases) test(title, () => assert.deepEqual(wrong(spec), errors))

  test('by what their annotations say', () => {
    const annotated = (annotations: object, spec: object = { ports }) =>
      services.create({ metadata: { name: 'x', namespace: 'ns', annotations }, spec }).errors
    assert.deepEqual(
      annotated({ 'service.kubernetes.io/topology-aware-hints': 'a', 'service.kubernetes.io/topology-mode': 'b' }),
      [
        'metadata.annotations[service.kubernetes.io/topology-mode]: Invalid value: "b": must match annotations[service.kubernetes.io/topology-aware-hints] when both are specified',
      ],
    )
    const ranges = { 'service.beta.kubernetes.io/load-balancer-source-ranges': '10.0.0.0/8, x' }
    const path = 'metadata.annotations[service.beta.kubernetes.io/load-balancer-source-ranges]'
    const noCidr = `${path}: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)`
    assert.deepEqual(annotated(ranges, { ports, type: 'LoadBalancer' }), [noCidr])
    assert.deepEqual(annotated(ranges), [
      `${path}: Forbidden: may only be used when \`type\` is 'LoadBalancer'`,
      noCidr,
    ])
  })

  test('but their names are those of anything', () => {
    assert.deepEqual(services.strategy.name!('1st', false), [])
    assert.deepEqual(services.strategy.name!('a.b', false), ['must not contain dots'])
  })
})
