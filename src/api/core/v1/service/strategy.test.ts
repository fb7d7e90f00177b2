import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { errorKinds, KindHarness } from '../../../../testing/objects/kind-harness.js'
import type { Service } from '../service.js'

const services = new KindHarness<Service>('core/v1.Service')
const ports = [{ port: 80 }]
const fine = (spec: object) => services.create({ spec }).object

/** As it is once addresses and ports have been given out. */
function stored(spec: object): Service {
  return services.create({
    spec: { ports, clusterIP: '10.0.0.1', ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack', ...spec },
  }).object
}

describe('defaults of services', () => {
  test('a port leads to itself, a service to its pods from within the cluster', () => {
    assert.deepEqual(fine({ ports: [{ port: 80 }, { port: 53, protocol: 'UDP', targetPort: 'dns' }] }).spec, {
      ports: [
        { protocol: 'TCP', port: 80, targetPort: 80 },
        { protocol: 'UDP', port: 53, targetPort: 'dns' },
      ],
      type: 'ClusterIP',
      sessionAffinity: 'None',
      internalTrafficPolicy: 'Cluster',
    })
    assert.equal(fine({ ports: [{ port: 80, targetPort: '' }] }).spec.ports![0]!.targetPort, 80)
  })

  test('what can be reached from outside has a policy for it', () => {
    assert.equal(fine({ ports, type: 'NodePort' }).spec.externalTrafficPolicy, 'Cluster')
    assert.equal(fine({ ports, externalIPs: ['192.0.2.1'] }).spec.externalTrafficPolicy, 'Cluster')
    assert.equal(fine({ type: 'ExternalName', externalIPs: ['192.0.2.1'] }).spec.externalTrafficPolicy, undefined)
    const balanced = fine({ ports, type: 'LoadBalancer' }).spec
    assert.equal(balanced.externalTrafficPolicy, 'Cluster')
    assert.equal(balanced.allocateLoadBalancerNodePorts, true)
    assert.equal(
      fine({ ports, type: 'LoadBalancer', allocateLoadBalancerNodePorts: false }).spec.allocateLoadBalancerNodePorts,
      false,
    )
    assert.equal(fine({ type: 'ExternalName', externalName: 'a' }).spec.internalTrafficPolicy, undefined)
  })

  test('clients are kept for three hours, or not at all', () => {
    const kept = { clientIP: { timeoutSeconds: 10_800 } }
    assert.deepEqual(fine({ ports, sessionAffinity: 'ClientIP' }).spec.sessionAffinityConfig, kept)
    assert.deepEqual(
      fine({ ports, sessionAffinity: 'ClientIP', sessionAffinityConfig: {} }).spec.sessionAffinityConfig,
      kept,
    )
    assert.equal(fine({ ports, sessionAffinityConfig: kept }).spec.sessionAffinityConfig, undefined)
  })

  test('a client who knows only one address field means both, and has no say in the status', () => {
    const service = services.create({
      spec: { ports, clusterIP: 'None' },
      status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } },
    }).object
    assert.deepEqual(service.spec.clusterIPs, ['None'])
    assert.deepEqual(service.status, { loadBalancer: {} })
  })
})

describe('updates of services', () => {
  test('what was given out and is not mentioned stays', () => {
    const old = stored({
      type: 'NodePort',
      ports: [
        { name: 'a', port: 80, nodePort: 30001 },
        { name: 'b', port: 81, nodePort: 30002 },
      ],
    })
    const spec = {
      clusterIP: null,
      clusterIPs: null,
      ports: [
        { name: 'b', port: 82 },
        { name: 'a', port: 80 },
        { name: 'c', port: 83 },
      ],
    }
    const after = services.update(old, { spec }).object.spec
    assert.equal(after.clusterIP, '10.0.0.1')
    assert.deepEqual(after.clusterIPs, ['10.0.0.1'])
    assert.deepEqual(
      after.ports!.map(({ nodePort }) => nodePort),
      [30002, 30001, undefined],
    )
  })

  test('no port of nodes is given to two', () => {
    const old = stored({ type: 'NodePort', ports: [{ name: 'a', port: 80, nodePort: 30001 }] })
    const spec = {
      ports: [
        { name: 'a', port: 80 },
        { name: 'b', port: 81, nodePort: 30001 },
      ],
    }
    assert.deepEqual(
      services.update(old, { spec }).object.spec.ports!.map(({ nodePort }) => nodePort),
      [undefined, 30001],
    )
  })

  test('the health check port of a load balancer stays, and cannot be moved', () => {
    const old = stored({ type: 'LoadBalancer', externalTrafficPolicy: 'Local', healthCheckNodePort: 31000 })
    assert.equal(services.update(old, { spec: { healthCheckNodePort: null } }).object.spec.healthCheckNodePort, 31000)
    assert.deepEqual(services.update(old, { spec: { healthCheckNodePort: 31001 } }).errors, [
      'spec.healthCheckNodePort: Forbidden: field is immutable',
    ])
    assert.equal(
      services.update(old, { spec: { externalTrafficPolicy: 'Cluster' } }).object.spec.healthCheckNodePort,
      undefined,
    )
  })

  test('an address stays', () => {
    const old = stored({})
    assert.deepEqual(services.update(old, { spec: { clusterIP: '10.0.0.2' } }).errors, [
      'spec.clusterIPs[0]: Invalid value: ["10.0.0.2"]: may not change once set',
    ])
    assert.deepEqual(services.update(old, { spec: { clusterIP: 'None' } }).errors, [
      'spec.clusterIPs[0]: Invalid value: ["None"]: may not change once set',
    ])
    assert.deepEqual(services.update(old, { spec: { ipFamilies: ['IPv6'] } }).errors.slice(0, 1), [
      'spec.ipFamilies[0]: Invalid value: ["IPv6"]: may not change once set',
    ])
    assert.deepEqual(services.update(old, { spec: { selector: { a: 'b' } } }).errors, [])
  })

  test('a second address goes when only one family is asked for', () => {
    const two = {
      clusterIPs: ['10.0.0.1', 'fd00::1'],
      ipFamilies: ['IPv4', 'IPv6'],
      ipFamilyPolicy: 'RequireDualStack',
    }
    const old = stored(two)
    const one = { clusterIPs: ['10.0.0.1'], ipFamilies: ['IPv4'] }
    assert.deepEqual(services.update(old, { spec: one }).errors, [
      `spec.ipFamilyPolicy: Invalid value: "RequireDualStack": must be set to 'SingleStack' when releasing the secondary clusterIP`,
      `spec.ipFamilyPolicy: Invalid value: "RequireDualStack": must be set to 'SingleStack' when releasing the secondary ipFamily`,
    ])
    assert.deepEqual(services.update(old, { spec: { ...one, ipFamilyPolicy: 'SingleStack' } }).errors, [])
    assert.deepEqual(services.update(stored({}), { spec: two }).errors, [])
  })

  test('who becomes a name for something else needs to say no more', () => {
    const old = stored({
      type: 'LoadBalancer',
      loadBalancerClass: 'example.com/a',
      ports: [{ port: 80, nodePort: 30001 }],
    })
    const after = services.update(old, { spec: { type: 'ExternalName', externalName: 'db.example.com' } }).object
    assert.deepEqual(after.spec, {
      ports: [{ protocol: 'TCP', port: 80, targetPort: 80 }],
      type: 'ExternalName',
      sessionAffinity: 'None',
      externalName: 'db.example.com',
    })
    assert.deepEqual(
      services.update(old, { spec: { type: 'ExternalName', externalName: 'db.example.com' } }).errors,
      [],
    )
  })

  test('what a client changes together with the type is not dropped but rejected', () => {
    const old = stored({ type: 'NodePort', ports: [{ port: 80, nodePort: 30001 }] })
    assert.deepEqual(services.update(old, { spec: { type: 'ClusterIP' } }).errors, [])
    assert.deepEqual(
      services.update(old, { spec: { type: 'ClusterIP', ports: [{ port: 80, nodePort: 30009 }] } }).errors,
      ["spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'"],
    )
  })

  test('a load balancer keeps its class', () => {
    const old = stored({ type: 'LoadBalancer', loadBalancerClass: 'example.com/a' })
    assert.deepEqual(services.update(old, { spec: { loadBalancerClass: null } }).errors, [
      'spec.loadBalancerClass: Invalid value: null: may not change once set',
    ])
    assert.deepEqual(
      services.update(old, { spec: { loadBalancerClass: '!' } }).errors.length,
      3,
      'its form is looked at twice',
    )
  })

  test('addresses that were let through once are let through again', () => {
    const old = stored({ externalIPs: ['010.0.0.1'] })
    assert.deepEqual(services.update(old, { spec: { externalIPs: ['010.0.0.1', '10.0.0.9'] } }).errors, [])
    assert.equal(services.update(old, { spec: { externalIPs: ['011.0.0.1'] } }).errors.length, 1)
  })
})

describe('the status of services', () => {
  const balanced = stored({ type: 'LoadBalancer' })

  test('names the places at which a load balancer can be reached', () => {
    const ingress = [
      { ip: '192.0.2.300' },
      { hostname: '192.0.2.1' },
      { hostname: 'Lb' },
      { ip: '192.0.2.2', ipMode: 'Odd' },
      { hostname: 'a', ipMode: 'VIP' },
    ]
    assert.deepEqual(
      errorKinds(services.update(balanced, { status: { loadBalancer: { ingress } } }, 'status').errors),
      [
        'status.loadBalancer.ingress[0].ip: Invalid value',
        'status.loadBalancer.ingress[1].hostname: Invalid value',
        'status.loadBalancer.ingress[2].hostname: Invalid value',
        'status.loadBalancer.ingress[3].ipMode: Unsupported value',
        'status.loadBalancer.ingress[4].ipMode: Forbidden',
      ],
    )
  })

  test('is of load balancers only, and goes with the type', () => {
    const ingress = [{ ip: '192.0.2.2' }]
    const reached = services.update(balanced, { status: { loadBalancer: { ingress } } }, 'status').object
    assert.equal(reached.status.loadBalancer!.ingress![0]!.ipMode, 'VIP')
    assert.deepEqual(services.update(reached, { spec: { selector: { a: 'b' } } }).object.status, reached.status)
    assert.deepEqual(services.update(reached, { spec: { type: 'NodePort' } }).object.status, { loadBalancer: {} })
    assert.deepEqual(services.update(stored({}), { status: { loadBalancer: { ingress } } }, 'status').errors, [
      "status.loadBalancer.ingress: Forbidden: may only be used when `spec.type` is 'LoadBalancer'",
    ])
  })
})

test('questionable services get warnings', () => {
  const warned = (spec: object) => services.create({ spec: { ports, ...spec } }).warnings
  assert.deepEqual(warned({}), [])
  assert.deepEqual(
    warned({ clusterIP: 'None', loadBalancerIP: '192.0.2.1', externalIPs: ['192.0.2.1'], sessionAffinity: 'ClientIP' }),
    [
      'spec.loadBalancerIP is ignored for headless services',
      'spec.externalIPs is ignored for headless services',
      'spec.SessionAffinity is ignored for headless services',
    ],
  )
  assert.deepEqual(warned({ externalIPs: ['2001:DB8::1'], externalName: 'a', trafficDistribution: 'PreferClose' }), [
    'spec.externalIPs[0]: IPv6 address "2001:DB8::1" should be in RFC 5952 canonical format ("2001:db8::1")',
    'spec.externalIPs is deprecated and may no longer be implemented in some clusters',
    'spec.externalName is ignored when spec.type is not "ExternalName"',
    'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"',
  ])
  assert.deepEqual(warned({ type: 'ExternalName', externalName: 'a', externalIPs: ['192.0.2.1'] }), [
    'spec.externalIPs is ignored when spec.type is "ExternalName"',
  ])
})

test('the table shows where a service is reached', () => {
  const cells = (spec: object) => {
    const {
      Type,
      'Cluster-IP': inside,
      'External-IP': outside,
      'Port(s)': shownPorts,
      Selector,
    } = services.row(stored(spec))
    return [Type, inside, outside, shownPorts, Selector]
  }
  assert.deepEqual(cells({}), ['ClusterIP', '10.0.0.1', '<none>', '80/TCP', '<none>'])
  assert.deepEqual(
    cells({ type: 'LoadBalancer', ports: [{ port: 80, nodePort: 30001 }], selector: { b: '1', a: '2' } }),
    ['LoadBalancer', '10.0.0.1', '<pending>', '80:30001/TCP', 'a=2,b=1'],
  )
  assert.deepEqual(services.row(fine({ type: 'ExternalName', externalName: 'db' }))['External-IP'], 'db')
  assert.equal(services.strategy.fields!['spec.type']!(stored({})), 'ClusterIP')
  assert.equal(services.strategy.fields!['spec.clusterIP']!(stored({})), '10.0.0.1')
})
