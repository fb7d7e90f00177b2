import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiException, CoreV1Api, KubeConfig, makeInformer, type V1ConfigMap, Watch } from '@kubernetes/client-node'
import { ApiServerProcess } from '../processes/api-server-process.js'

/** Each object is created, changed and deleted. */
const objects = 45
const namespace = 'default'
const path = `/api/v1/namespaces/${namespace}/configmaps`

test('informers and watches go over restarts of the server without losing or repeating an event', async () => {
  await using server = await ApiServerProcess.start()
  const config = new KubeConfig()
  config.loadFromFile(server.kubeconfig)
  const core = config.makeApiClient(CoreV1Api)
  const informed = await informer(config, core)
  const watched = await watch(config, core)
  const expected: string[] = []
  const restarts: Promise<void>[] = []
  for (let number = 0; number < objects; number++) {
    for (const action of ['add', 'update', 'delete'] as const)
      expected.push(await written(core, `object-${number}`, action))
    if (number === 14) restarts.push(restart(server, 'SIGKILL'))
    if (number === 29) restarts.push(Promise.all(restarts).then(() => restart(server, 'SIGTERM')))
  }
  await Promise.all(restarts)
  while (informed.events.length < expected.length || watched.events.length < expected.length) await pause()
  informed.stop()
  watched.stop()
  assert.deepEqual(informed.events, expected)
  assert.deepEqual(watched.events, expected)
})

/** Does not wait for what is being written: the server goes in the middle of it. */
async function restart(server: ApiServerProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  assert.equal(await server.end(signal), signal === 'SIGTERM' ? 0 : signal)
  await server.start()
}

type Action = 'add' | 'update' | 'delete'

/** Writes something exactly once, and gives the event that must come of it. Where no answer came, looking tells what happened. */
async function written(core: CoreV1Api, name: string, action: Action): Promise<string> {
  for (;;) {
    try {
      await write(core, name, action)
      return `${action} ${name}`
    } catch (error) {
      if (error instanceof ApiException) throw error
      if (await hasHappened(core, name, action)) return `${action} ${name}`
    }
  }
}

async function write(core: CoreV1Api, name: string, action: Action): Promise<void> {
  const body = { metadata: { name }, data: { action } }
  if (action === 'add') await core.createNamespacedConfigMap({ namespace, body })
  else if (action === 'update') await core.replaceNamespacedConfigMap({ namespace, name, body })
  else await core.deleteNamespacedConfigMap({ namespace, name })
}

async function hasHappened(core: CoreV1Api, name: string, action: Action): Promise<boolean> {
  for (;;) {
    try {
      return (await core.readNamespacedConfigMap({ namespace, name })).data?.action === action
    } catch (error) {
      if (error instanceof ApiException) return action === 'delete' && error.code === 404
      await pause()
    }
  }
}

async function informer(config: KubeConfig, core: CoreV1Api) {
  const events: string[] = []
  const made = makeInformer(config, path, () => core.listNamespacedConfigMap({ namespace }))
  for (const action of ['add', 'update', 'delete'] as const)
    made.on(action, ({ metadata }) => events.push(`${action} ${metadata?.name}`))
  let isStopped = false
  made.on('error', async () => {
    await pause()
    if (!isStopped) await made.start()
  })
  await made.start()
  const stop = () => {
    isStopped = true
    void made.stop()
  }
  return { events, stop }
}

const actions: Readonly<Record<string, Action>> = { ADDED: 'add', MODIFIED: 'update', DELETED: 'delete' }

/** An informer drops what it has seen before; a bare watch that goes on where it was shows everything that it is sent. */
async function watch(config: KubeConfig, core: CoreV1Api) {
  const events: string[] = []
  let { resourceVersion = '' } = (await core.listNamespacedConfigMap({ namespace })).metadata ?? {}
  let connection: AbortController | undefined
  let isStopped = false
  const take = (phase: string, { metadata }: V1ConfigMap) => {
    events.push(`${actions[phase]} ${metadata?.name}`)
    resourceVersion = metadata?.resourceVersion ?? ''
  }
  const connect = async (error?: unknown): Promise<void> => {
    if (isStopped) return
    if (error) await pause()
    connection = await new Watch(config).watch(path, { resourceVersion }, take, connect)
  }
  function stop() {
    isStopped = true
    connection?.abort()
  }
  await connect()
  return { events, stop }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20))
}
