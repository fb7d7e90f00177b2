import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ContainerPort } from '../../api/core/v1/container.js'
import { nodePorts } from './node-ports.js'
import { cluster, filterResults, isHelpful, node, pod, testPlugin } from './plugins.test.kit.js'

type Port = Partial<ContainerPort>

function wanting(name: string, ...ports: readonly Port[]) {
  return pod(name, { spec: { containers: [{ name: 'c', image: 'web', ports: ports as ContainerPort[] }] } })
}

const no = "node(s) didn't have free ports for the requested pod ports"

describe('NodePorts', () => {
  const cases: readonly (readonly [string, Port, Port, boolean])[] = [
    ['rejects the same port', { hostPort: 80 }, { hostPort: 80 }, false],
    ['accepts another port', { hostPort: 80 }, { hostPort: 81 }, true],
    ['accepts another protocol', { hostPort: 80 }, { hostPort: 80, protocol: 'UDP' }, true],
    ['accepts another address', { hostPort: 80, hostIP: '10.0.0.1' }, { hostPort: 80, hostIP: '10.0.0.2' }, true],
    ['rejects one address if all are used', { hostPort: 80 }, { hostPort: 80, hostIP: '10.0.0.2' }, false],
    [
      'rejects all addresses if one is used',
      { hostPort: 80, hostIP: '10.0.0.1' },
      { hostPort: 80, hostIP: '0.0.0.0' },
      false,
    ],
    ['ignores container ports', { containerPort: 80 }, { hostPort: 80 }, true],
  ]
  for (const [title, there, wanted, isFree] of cases)
    test(title, () => {
      const snapshot = cluster(node('n', { pods: [wanting('there', there)] }), node('empty'))
      assert.deepEqual(filterResults(testPlugin(nodePorts), wanting('new', { hostPort: 9 }, wanted), snapshot), {
        n: isFree ? 'ok' : no,
        empty: 'ok',
      })
    })

  test('does not filter a pod without host ports', () =>
    assert.equal(testPlugin(nodePorts).preFilter!(wanting('p', { containerPort: 80 }), cluster()), undefined))

  test('has a hint for deleted pods with a conflicting port', () => {
    const waiting = wanting('p', { hostPort: 80 })
    const gone = (port: Port) =>
      ({ resource: 'AssignedPod', actions: ['deleted'], object: wanting('x', port).pod }) as const
    assert.equal(isHelpful(testPlugin(nodePorts), waiting, gone({ hostPort: 80 })), true)
    assert.equal(isHelpful(testPlugin(nodePorts), waiting, gone({ hostPort: 81 })), false)
  })
})
