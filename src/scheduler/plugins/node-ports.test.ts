import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ContainerPort } from '../../api/core/v1/container.js'
import { nodePorts } from './node-ports.js'
import { cluster, helps, node, pod, verdicts } from './plugins.test.kit.js'

type Port = Partial<ContainerPort>

function wanting(name: string, ...ports: readonly Port[]) {
  return pod(name, { spec: { containers: [{ name: 'c', image: 'web', ports: ports as ContainerPort[] }] } })
}

const no = "node(s) didn't have free ports for the requested pod ports"

describe('a port of a node', () => {
  const cases: readonly (readonly [string, Port, Port, boolean])[] = [
    ['is one pod’s', { hostPort: 80 }, { hostPort: 80 }, false],
    ['is another one’s by another number', { hostPort: 80 }, { hostPort: 81 }, true],
    ['is another one’s by another protocol', { hostPort: 80 }, { hostPort: 80, protocol: 'UDP' }, true],
    [
      'is another one’s at another address',
      { hostPort: 80, hostIP: '10.0.0.1' },
      { hostPort: 80, hostIP: '10.0.0.2' },
      true,
    ],
    ['is taken at each address by who has it at all', { hostPort: 80 }, { hostPort: 80, hostIP: '10.0.0.2' }, false],
    [
      'cannot be had at all by who finds it taken at one',
      { hostPort: 80, hostIP: '10.0.0.1' },
      { hostPort: 80, hostIP: '0.0.0.0' },
      false,
    ],
    ['is not taken by a port of a container', { containerPort: 80 }, { hostPort: 80 }, true],
  ]
  for (const [title, there, wanted, isFree] of cases)
    test(title, () => {
      const world = cluster(node('n', { pods: [wanting('there', there)] }), node('empty'))
      assert.deepEqual(verdicts(nodePorts(), wanting('new', { hostPort: 9 }, wanted), world), {
        n: isFree ? 'ok' : no,
        empty: 'ok',
      })
    })

  test('is nothing to a pod that wants none', () =>
    assert.equal(nodePorts().preFilter!(wanting('p', { containerPort: 80 }), cluster()), undefined))

  test('becomes free when its pod goes', () => {
    const waiting = wanting('p', { hostPort: 80 })
    const gone = (port: Port) =>
      ({ resource: 'AssignedPod', actions: ['deleted'], object: wanting('x', port).pod }) as const
    assert.equal(helps(nodePorts(), waiting, gone({ hostPort: 80 })), true)
    assert.equal(helps(nodePorts(), waiting, gone({ hostPort: 81 })), false)
  })
})
