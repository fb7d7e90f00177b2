import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fieldPath } from '../../../../schema/field-path.js'
import type { ContainerPort } from '../container.js'
import { validateContainerPorts, validateHostPorts } from './port-validation.js'

const problems = (...ports: readonly ContainerPort[]) => validateContainerPorts(ports, fieldPath('ports')).map(String)

describe('ports of containers', () => {
  test('may have names, and ports of the host', () => {
    assert.deepEqual(validateContainerPorts(undefined, fieldPath('ports')), [])
    assert.deepEqual(
      problems(
        { name: 'http', containerPort: 80, hostPort: 8080, protocol: 'TCP' },
        { containerPort: 65535, hostPort: 0, protocol: 'SCTP' },
      ),
      [],
    )
  })

  test('have numbers in range', () =>
    assert.deepEqual(
      problems(
        { containerPort: 0, protocol: 'TCP' },
        { containerPort: 65536, hostPort: -1, protocol: 'UDP' },
        { containerPort: 1, hostPort: 65536, protocol: 'UDP' },
      ),
      [
        'ports[0].containerPort: Required value',
        'ports[1].containerPort: Invalid value: 65536: must be between 1 and 65535, inclusive',
        'ports[1].hostPort: Invalid value: -1: must be between 1 and 65535, inclusive',
        'ports[2].hostPort: Invalid value: 65536: must be between 1 and 65535, inclusive',
      ],
    ))

  test('have valid and distinct names', () =>
    assert.deepEqual(
      problems(
        { name: 'web', containerPort: 1, protocol: 'TCP' },
        { name: 'web', containerPort: 2, protocol: 'TCP' },
        { name: '-8-', containerPort: 3, protocol: 'TCP' },
      ),
      [
        'ports[1].name: Duplicate value: "web"',
        'ports[2].name: Invalid value: "-8-": must contain at least one letter (a-z)',
        'ports[2].name: Invalid value: "-8-": must not begin or end with a hyphen',
      ],
    ))

  test('have a supported protocol', () =>
    assert.deepEqual(problems({ containerPort: 1 }, { containerPort: 1, protocol: 'QUIC' as never }), [
      'ports[0].protocol: Required value',
      'ports[1].protocol: Unsupported value: "QUIC": supported values: "SCTP", "TCP", "UDP"',
    ]))
})

describe('ports of the host', () => {
  test('are distinct for each protocol and address', () => {
    const port = (hostPort: number, more: Partial<ContainerPort> = {}): ContainerPort => ({
      containerPort: 1,
      protocol: 'TCP',
      hostPort,
      ...more,
    })
    const containers = [
      { ports: [port(80), port(80, { protocol: 'UDP' }), port(0), port(0)] },
      {},
      { ports: [port(80, { hostIP: '10.0.0.1' }), port(80), port(80, { hostIP: '10.0.0.1' })] },
    ]
    assert.deepEqual(validateHostPorts(containers, fieldPath('containers')).map(String), [
      'containers[2].ports[1].hostPort: Duplicate value: "TCP//80"',
      'containers[2].ports[2].hostPort: Duplicate value: "TCP/10.0.0.1/80"',
    ])
  })
})
