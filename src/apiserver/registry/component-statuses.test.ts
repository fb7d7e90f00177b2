import assert from 'node:assert/strict'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { ComponentStatus } from '../../api/core/v1/component-status.js'
import { startTestCluster } from '../../testing/cluster.js'
import { testServerCertificate } from '../../testing/servers/https-server.js'
import { probe } from './control-plane.js'
import { openMemoryServer } from './server.test.kit.js'

const path = '/api/v1/componentstatuses'
const working = () => ({ problem: () => undefined })
const broken = () => ({ problem: () => 'it broke' })

interface Status {
  readonly metadata: { readonly name: string }
  readonly conditions: readonly object[]
}

/** What a list shows of each: name and condition. */
const shown = ({ items }: { readonly items?: readonly Status[] }) =>
  Object.fromEntries((items ?? []).map(({ metadata, conditions }) => [metadata.name, conditions[0]]))

test('components of this process report their health', async () => {
  const components = { 'controller-manager': working, scheduler: broken }
  const server = await openMemoryServer(undefined, { components })
  assert.deepEqual(shown((await server.send('GET', path)).body), {
    'controller-manager': { type: 'Healthy', status: 'True', message: 'ok' },
    scheduler: { type: 'Healthy', status: 'False', message: 'it broke' },
    'etcd-0': { type: 'Healthy', status: 'True', message: 'ok' },
  })
  const { body } = await server.send('GET', `${path}/scheduler`)
  assert.deepEqual(body.conditions, [{ type: 'Healthy', status: 'False', message: 'it broke' }])
  await server.close()
})

test('a component that is not started is unhealthy', async () => {
  const server = await openMemoryServer(undefined, { components: { scheduler: () => undefined } })
  const { body } = await server.send('GET', `${path}/scheduler`)
  assert.deepEqual(body.conditions, [{ type: 'Healthy', status: 'False', message: 'not started' }])
  await server.close()
})

test('a list honours selectors', async () => {
  const components = { 'controller-manager': working, scheduler: working }
  const server = await openMemoryServer(undefined, { components })
  const names = async (query: string) => Object.keys(shown((await server.send('GET', `${path}?${query}`)).body))
  assert.deepEqual(await names('fieldSelector=metadata.name%3Dscheduler'), ['scheduler'])
  assert.deepEqual(await names('labelSelector=a%3Db'), [])
  assert.deepEqual(await names('labelSelector=!a'), ['controller-manager', 'scheduler', 'etcd-0'])
  await server.close()
})

test('a component of another process is probed over HTTPS', async (context) => {
  const server = createServer(testServerCertificate, (request, response) => {
    if (request.url === '/healthz') return response.end('ok')
    if (request.url === '/cut') return request.socket.destroy()
    return response.writeHead(500).end('a secret')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  context.after(() => server.close())
  const base = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  assert.deepEqual(await probe(`${base}/healthz`), { isHealthy: true, message: 'ok' })
  assert.deepEqual(await probe(`${base}/bad`), {
    isHealthy: false,
    message: 'HTTP probe failed with statuscode: 500',
  })
  assert.deepEqual(await probe(`${base}/cut`), { isHealthy: false, message: `Get "${base}/cut": socket hang up` })
  await new Promise((resolve) => server.close(resolve))
  assert.deepEqual(await probe(`${base}/healthz`), {
    isHealthy: false,
    message: `Get "${base}/healthz": dial tcp ${base.slice('https://'.length)}: connect: connection refused`,
  })
})

test('in a cluster of one process all components are healthy until they stop', async () => {
  await using cluster = await startTestCluster({ scheduler: true, isChecked: false })
  const statuses = cluster.client.resource(ComponentStatus)
  const health = async (name: string) => {
    const { conditions = [] } = await statuses.get(name)
    return `${conditions[0]?.status} ${conditions[0]?.message}`
  }
  assert.equal(await health('controller-manager'), 'True ok')
  assert.equal(await health('scheduler'), 'True ok')
  await cluster.scheduler!.close()
  assert.equal(await health('scheduler'), 'False the scheduler has stopped')
  await cluster.restartScheduler()
  assert.equal(await health('scheduler'), 'True ok')
  await cluster.controllers.close()
  assert.equal(await health('controller-manager'), 'False the controllers have stopped')
  await cluster.restartControllers()
  assert.equal(await health('controller-manager'), 'True ok')
})

test('in a cluster without a scheduler the scheduler is unhealthy', async () => {
  await using cluster = await startTestCluster()
  const { conditions } = await cluster.client.resource(ComponentStatus).get('scheduler')
  assert.deepEqual(conditions, [{ type: 'Healthy', status: 'False', message: 'not started' }])
})
