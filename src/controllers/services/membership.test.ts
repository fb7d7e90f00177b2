import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Pod } from '../../api/core/v1/pod.js'
import type { Service, ServicePort } from '../../api/core/v1/service.js'
import { hasAddress, hostnameIn } from './membership.js'
import { targetPort } from './target-port.js'
import { TriggerTimes, withTriggerTime } from './trigger-times.js'

function pod(parts: { status?: object; spec?: object; metadata?: object }): Pod {
  const metadata = { name: 'p', namespace: 'shop', ...parts.metadata }
  return { metadata, spec: { containers: [], ...parts.spec }, status: { ...parts.status } } as unknown as Pod
}

describe('a pod has an address', () => {
  const going = { deletionTimestamp: 'then' }
  for (const [what, parts, evenGoing, expected] of [
    ['when its kubelet has said so', { status: { podIP: '10.0.0.1' } }, false, true],
    ['not before', { status: { phase: 'Running' } }, true, false],
    ['not when it has ended', { status: { podIP: '10.0.0.1', phase: 'Failed' } }, true, false],
    ['when it goes, for those who want to know', { status: { podIP: '10.0.0.1' }, metadata: going }, true, true],
    ['when it goes, not for others', { status: { podIP: '10.0.0.1' }, metadata: going }, false, false],
  ] as const)
    test(what, () => assert.equal(hasAddress(pod(parts), { evenGoing }), expected))
})

test('a pod is called by its name below the service that it says it belongs to', () => {
  const service = { metadata: { name: 'web', namespace: 'shop' } } as unknown as Service
  assert.equal(hostnameIn(service, pod({ spec: { hostname: 'a', subdomain: 'web' } })), 'a')
  assert.equal(hostnameIn(service, pod({ spec: { hostname: 'a', subdomain: 'db' } })), undefined)
  assert.equal(hostnameIn(service, pod({ spec: { subdomain: 'web' } })), undefined)
})

describe('the port that is meant', () => {
  const ports = (name: string, containerPort: number, protocol?: string) => ({
    ports: [{ name, containerPort, protocol }],
  })
  const of = (port: Partial<ServicePort>) =>
    targetPort(
      pod({
        spec: {
          containers: [ports('http', 8080), ports('dns', 53, 'UDP')],
          initContainers: [ports('init', 1), { ...ports('side', 9090), restartPolicy: 'Always' }],
        },
      }),
      { port: 80, protocol: 'TCP', ...port },
    )
  for (const [what, port, expected] of [
    ['is a number', { targetPort: 99 }, 99],
    ['has a name', { targetPort: 'http' }, 8080],
    ['has a name and a protocol', { targetPort: 'dns', protocol: 'UDP' }, 53],
    ['is none if the protocol is another', { targetPort: 'dns' }, undefined],
    ['may be that of a sidecar', { targetPort: 'side' }, 9090],
    ['is never that of a container that only begins', { targetPort: 'init' }, undefined],
  ] as const)
    test(what, () => assert.equal(of(port), expected))
})

describe('the time of the last change', () => {
  const service = (created: string) =>
    ({ metadata: { name: 'web', namespace: 'shop', creationTimestamp: created } }) as unknown as Service
  const ready = (name: string, time: string) =>
    pod({ metadata: { name }, status: { conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: time }] } })

  test('is at first that of the service, then the earliest of the pods that changed, then none', () => {
    const times = new TriggerTimes()
    assert.equal(times.next(service('t1'), [ready('a', 't3')]), 't1')
    assert.equal(times.next(service('t1'), [ready('a', 't5'), ready('b', 't4')]), 't4')
    assert.equal(times.next(service('t1'), [ready('a', 't5'), ready('b', 't4')]), undefined)
    assert.equal(times.next(service('t6'), [ready('b', 't4')]), 't6')
    times.forget('shop/web')
    assert.equal(times.next(service('t6'), []), 't6')
  })

  test('is told in an annotation, or not at all', () => {
    const name = 'endpoints.kubernetes.io/last-change-trigger-time'
    assert.deepEqual(withTriggerTime({ a: 'b' }, 't'), { a: 'b', [name]: 't' })
    assert.deepEqual(withTriggerTime({ a: 'b', [name]: 't' }, undefined), { a: 'b' })
  })
})
