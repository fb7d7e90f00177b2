import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { app, problems } from '../pod-spec-rules.test.kit.js'

describe('a pod and its host', () => {
  test('share ports with host networking', () => {
    const container = { ...app, ports: [{ containerPort: 80, hostPort: 81, protocol: 'TCP' as const }] }
    assert.deepEqual(problems({ containers: [container] }), [])
    assert.deepEqual(problems({ containers: [container], hostNetwork: true }), [
      'spec.containers[0].ports[0].hostPort: Invalid value: 81: must match `containerPort` when `hostNetwork` is true',
    ])
  })

  test('share no namespaces with user namespaces', () =>
    assert.deepEqual(problems({ hostUsers: false, hostNetwork: true, hostPID: true, hostIPC: true }), [
      'spec.hostNetwork: Forbidden: when `hostUsers` is false',
      'spec.hostPID: Forbidden: when `hostUsers` is false',
      'spec.hostIPC: Forbidden: when `hostUsers` is false',
    ]))

  test('have the same operating system', () => {
    assert.deepEqual(problems({ os: { name: '' } }), ['spec.os.name: Required value: cannot be empty'])
    assert.deepEqual(problems({ os: { name: 'plan9' } }), [
      'spec.os: Unsupported value: "plan9": supported values: "linux", "windows"',
    ])
    assert.deepEqual(problems({ os: { name: 'linux' }, securityContext: { windowsOptions: {} } }), [
      'spec.securityContext.windowsOptions: Forbidden: windows options cannot be set for a linux pod',
    ])
    assert.deepEqual(
      problems({
        os: { name: 'windows' },
        hostPID: true,
        hostUsers: true,
        shareProcessNamespace: false,
        securityContext: { fsGroup: 1, sysctls: [{ name: 'a', value: '1' }], runAsUser: 1 },
        containers: [{ ...app, securityContext: { capabilities: {}, runAsGroup: 1 } }],
      }),
      [
        'spec.hostUsers: Forbidden: cannot be set for a windows pod',
        'spec.hostPID: Forbidden: cannot be set for a windows pod',
        'spec.securityContext.fsGroup: Forbidden: cannot be set for a windows pod',
        'spec.securityContext.sysctls: Forbidden: cannot be set for a windows pod',
        'spec.shareProcessNamespace: Forbidden: cannot be set for a windows pod',
        'spec.securityContext.runAsUser: Forbidden: cannot be set for a windows pod',
        'spec.containers[0].securityContext.capabilities: Forbidden: cannot be set for a windows pod',
        'spec.containers[0].securityContext.runAsGroup: Forbidden: cannot be set for a windows pod',
      ],
    )
  })

  test('share the network for Windows host processes', () => {
    const process = { ...app, securityContext: { windowsOptions: { hostProcess: true } } }
    assert.deepEqual(problems({ containers: [process, { ...app, name: 'other' }] }), [
      'spec: Invalid value: "": If pod contains any hostProcess containers then all containers must be HostProcess containers',
      'spec.hostNetwork: Invalid value: false: hostNetwork must be true if pod contains any hostProcess containers',
      'spec: Forbidden: hostProcess containers are disallowed by cluster policy',
    ])
    assert.deepEqual(problems({ containers: [process], hostNetwork: true }, { allowPrivileged: true }), [])
  })
})
