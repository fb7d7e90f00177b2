import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fieldPath } from '../../../../schema/field-path.js'
import type { Container, ContainerPort } from '../container.js'
import { containerWarnings, portWarnings } from './warnings.js'

const ofContainer = (container: Partial<Container>) => containerWarnings({ name: 'app', ...container }, fieldPath('c'))

describe('doubtful containers', () => {
  test('request fractions of a byte', () => {
    const requirements = { memory: '100m', 'ephemeral-storage': '1500m', cpu: '1m' }
    const fraction = (at: string, value: string) =>
      `c.resources.${at}: fractional byte value "${value}" is invalid, must be an integer`
    assert.deepEqual(ofContainer({ resources: { limits: requirements, requests: requirements } }), [
      fraction('limits[memory]', '100m'),
      fraction('requests[memory]', '100m'),
      fraction('limits[ephemeral-storage]', '1500m'),
      fraction('requests[ephemeral-storage]', '1500m'),
    ])
    assert.deepEqual(ofContainer({ resources: { limits: { memory: '1Gi', cpu: '1m' } } }), [])
  })

  test('set a variable twice without using the first value', () => {
    const hidden = (i: number) => `c.env[${i}]: hides previous definition of "A", which may be dropped when using apply`
    assert.deepEqual(
      ofContainer({
        env: [
          { name: 'A', value: '$(A)' },
          { name: 'A', value: '$(A):more' },
          { name: 'A', value: '$(A)' },
          { name: 'A', value: 'new' },
          { name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
          { name: 'B', value: 'other' },
        ],
      }),
      [hidden(2), hidden(3), hidden(4)],
    )
  })
})

describe('doubtful ports', () => {
  const ports = (...lists: readonly (readonly ContainerPort[])[]) =>
    portWarnings({ containers: lists.map((list) => ({ name: 'app', ports: list })) }, fieldPath('spec'))
  const port = (containerPort: number, more: Partial<ContainerPort> = {}): ContainerPort => ({
    containerPort,
    protocol: 'TCP',
    ...more,
  })
  const at = (container: number, i: number) => `spec.containers[${container}].ports[${i}]`

  test('are duplicates, in one container or two', () =>
    assert.deepEqual(ports([port(80), port(80)], [port(80), port(80, { protocol: 'UDP' })]), [
      `${at(0, 1)}: duplicate port definition with ${at(0, 0)}`,
      `${at(1, 0)}: duplicate port definition with ${at(0, 0)}`,
      `${at(1, 0)}: duplicate port definition with ${at(0, 1)}`,
    ]))

  test('overlap or are ambiguous', () => {
    assert.deepEqual(ports([port(80, { hostPort: 8080 }), port(80)]), [
      `${at(0, 1)}: overlapping port definition with ${at(0, 0)}`,
    ])
    assert.deepEqual(ports([port(80, { hostPort: 8080 }), port(80, { hostPort: 8081 })]), [])
    assert.deepEqual(ports([port(80, { hostPort: 8080 }), port(80, { hostPort: 8080, hostIP: '10.0.0.1' })]), [
      `${at(0, 1)}: dangerously ambiguous port definition with ${at(0, 0)}`,
    ])
  })

  test('have a host IP without a host port', () =>
    assert.deepEqual(ports([port(80, { name: 'web', hostIP: '10.0.0.1' })]), [
      `${at(0, 0)}: hostIP set without hostPort: {Name:web HostPort:0 ContainerPort:80 Protocol:TCP HostIP:10.0.0.1}`,
    ]))

  test('include those of init containers, which come first', () =>
    assert.deepEqual(
      portWarnings(
        { containers: [{ name: 'app', ports: [port(80)] }], initContainers: [{ name: 'one', ports: [port(80)] }] },
        fieldPath('spec'),
      ),
      ['spec.containers[0].ports[0]: duplicate port definition with spec.initContainers[0].ports[0]'],
    ))
})
