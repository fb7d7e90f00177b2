import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Endpoints } from '../../api/core/v1/endpoints.js'
import { Service } from '../../api/core/v1/service.js'
import { ServiceAccount } from '../../api/core/v1/service-account.js'
import { EndpointSlice } from '../../api/discovery/v1/endpoint-slice.js'
import { ControllerHarness, type ControllerHarnessOptions } from '../harness.test.kit.js'
import { makeNode } from '../nodes/nodes.test.kit.js'
import { makePod, makeService } from '../services/services.test.kit.js'

const controllers = ['endpointslice-controller', 'endpoints-controller']
const options = { flags: { 'max-endpoints-per-slice': 2 } }

/** Lets so many writes through and none afterwards, as if the process were dead. */
function killedAfter(writes: number) {
  let left = writes
  const transport: ControllerHarnessOptions['transport'] = (inner) => ({
    ...inner,
    async send(request) {
      const isWrite = request.method !== 'GET' && !request.path.endsWith('/events')
      if (isWrite && left-- <= 0) throw new Error('killed')
      return inner.send(request)
    },
  })
  return { transport, wasKilled: () => left < 0 }
}

/** Where all ends up: which addresses are in slices and in the list, and how many slices there are. */
async function outcome({ client }: ControllerHarness) {
  const labelSelector = 'kubernetes.io/service-name=web'
  const { items: slices } = await client.resource(EndpointSlice).in('default').list({ labelSelector })
  const { subsets = [] } = await client.resource(Endpoints).in('default').get('web')
  return {
    inSlices: slices.flatMap(({ endpoints }) => (endpoints ?? []).flatMap(({ addresses }) => addresses)).sort(),
    inList: subsets.flatMap(({ addresses = [] }) => addresses.map(({ ip }) => ip)),
    slices: slices.length,
    ports: [...new Set(slices.map(({ ports }) => ports?.[0]?.port))],
  }
}

/** A service changes its port while its pods come. The loops are killed after some writes, and started again. */
async function tried(writes: number) {
  await using harness = await ControllerHarness.begin()
  await harness.client.resource(ServiceAccount).create({ metadata: { name: 'default', namespace: 'default' } })
  await makeNode(harness, 'one')
  const { transport, wasKilled } = killedAfter(writes)
  harness.start({ controllers, options, transport })
  await harness.clock.settle()
  await makeService(harness)
  for (let i = 1; i <= 3; i++) {
    await makePod(harness, `p${i}`, { ip: `10.0.0.${i}` })
    await harness.clock.settle()
  }
  const ports = [{ name: 'http', port: 80, targetPort: 9090 }]
  await harness.client.resource(Service).in('default').patch('web', 'merge', { spec: { ports } })
  await harness.clock.settle()
  await harness.stop()
  harness.start({ controllers, options })
  await harness.clock.settle()
  return { found: await outcome(harness), isKilled: wasKilled() }
}

test('killed after any write and started again, the addresses of a service end up where they would have', async () => {
  const { found: expected } = await tried(Number.POSITIVE_INFINITY)
  const all = ['10.0.0.1', '10.0.0.2', '10.0.0.3']
  assert.deepEqual(expected, { inSlices: all, inList: all, slices: 2, ports: [9090] })
  let writes = 0
  for (let isKilled = true; isKilled; writes++) {
    const result = await tried(writes)
    assert.deepEqual(result.found, expected, `killed after ${writes} writes`)
    isKilled = result.isKilled
  }
  assert.ok(writes > 8, `only ${writes} writes`)
})
