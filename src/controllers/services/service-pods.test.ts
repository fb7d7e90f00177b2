import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Pod } from '../../api/core/v1/pod.js'
import type { Service, ServicePort } from '../../api/core/v1/service.js'
import { hasAddress, hostnameIn, targetPort } from './service-pods.js'

function pod(options: { status?: object; spec?: object; metadata?: object }): Pod {
  const metadata = { name: 'p', namespace: 'shop', ...options.metadata }
  return { metadata, spec: { containers: [], ...options.spec }, status: { ...options.status } } as unknown as Pod
}

describe('a pod has an address', () => {
  const going = { deletionTimestamp: 'then' }
  for (const [what, options, includeTerminating, expected] of [
    ['when its kubelet has reported one', { status: { podIP: '10.0.0.1' } }, false, true],
    ['not before', { status: { phase: 'Running' } }, true, false],
    ['not when it has ended', { status: { podIP: '10.0.0.1', phase: 'Failed' } }, true, false],
    [
      'while it terminates, if terminating pods are included',
      { status: { podIP: '10.0.0.1' }, metadata: going },
      true,
      true,
    ],
    ['not while it terminates, otherwise', { status: { podIP: '10.0.0.1' }, metadata: going }, false, false],
  ] as const)
    test(what, () => assert.equal(hasAddress(pod(options), { includeTerminating }), expected))
})

test('a pod has a hostname in the service that its subdomain names', () => {
  const service = { metadata: { name: 'web', namespace: 'shop' } } as unknown as Service
  assert.equal(hostnameIn(service, pod({ spec: { hostname: 'a', subdomain: 'web' } })), 'a')
  assert.equal(hostnameIn(service, pod({ spec: { hostname: 'a', subdomain: 'db' } })), undefined)
  assert.equal(hostnameIn(service, pod({ spec: { subdomain: 'web' } })), undefined)
})

describe('the target port', () => {
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
    ['may be a number', { targetPort: 99 }, 99],
    ['may be the name of a container port', { targetPort: 'http' }, 8080],
    ['is looked up by name and protocol', { targetPort: 'dns', protocol: 'UDP' }, 53],
    ['is not found with another protocol', { targetPort: 'dns' }, undefined],
    ['may be that of a sidecar', { targetPort: 'side' }, 9090],
    ['is never that of an init container', { targetPort: 'init' }, undefined],
  ] as const)
    test(what, () => assert.equal(of(port), expected))
})
