import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { environment } from '../base/environment.js'
import { VirtualClock } from '../base/virtual-clock.js'
import { type CriClientOptions, connectCri } from './client.js'
import { CriError } from './cri-error.js'
import { inProcessRuntime } from './in-process.js'
import type { ContainerRuntime, RuntimeImplementation } from './interface/services.js'
import { serveCri } from './server.js'

const folder = mkdtempSync(join(tmpdir(), 'proa-cri-'))
const alive = setInterval(() => {}, 60_000) // timers of a clock do not keep the process alive
after(() => {
  clearInterval(alive)
  rmSync(folder, { recursive: true })
})

let sockets = 0
const newSocket = () => join(folder, `${sockets++}.sock`)
const version = { version: '0.1.0', runtimeName: 'toy', runtimeVersion: '1', runtimeApiVersion: 'v1' }
const forever = (signal: AbortSignal) => new Promise<never>((_, reject) => signal.addEventListener('abort', reject))

/** Has a version but no container. Its pulls never end. */
function toy(overrides: RuntimeImplementation = {}): RuntimeImplementation & { readonly calls: string[] } {
  const calls: string[] = []
  return {
    calls,
    version: async () => version,
    status: async () => ({ status: {} }),
    async containerStatus({ containerId }) {
      throw new CriError('NotFound', `an error occurred when try to find container "${containerId}": not found`)
    },
    async pullImage(_, { signal }) {
      calls.push('pull started')
      signal.addEventListener('abort', () => calls.push('pull aborted'))
      return forever(signal)
    },
    async *getContainerEvents(_, { signal }) {
      signal.addEventListener('abort', () => calls.push('events aborted'))
      for (let i = 0n; i < 3n; i++) yield { containerId: `c${i}`, createdAt: i }
      await forever(signal)
    },
    ...overrides,
  }
}

interface CallHarness {
  readonly runtime: ContainerRuntime
  readonly calls: readonly string[]
  readonly clock: VirtualClock
}

type TestBody = (harness: CallHarness) => Promise<void>

/** Registers a test for the socket and for the process. */
function bothWays(name: string, body: TestBody, overrides?: RuntimeImplementation): void {
  test(`${name}, over a socket`, async () => {
    const clock = new VirtualClock()
    const implementation = toy(overrides)
    await using server = await serveCri(implementation, newSocket())
    await using client = connectCri({ endpoint: server.endpoint, environment: environment({ clock }) })
    await body({ runtime: client, calls: implementation.calls, clock })
  })
  test(`${name}, in process`, async () => {
    const clock = new VirtualClock()
    const implementation = toy(overrides)
    const runtime = inProcessRuntime(implementation, { environment: environment({ clock }) })
    await body({ runtime, calls: implementation.calls, clock })
  })
}

async function eventually(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition(); tries++) {
    if (tries > 5000) throw new Error('the condition did not become true')
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}

describe('a call', () => {
  bothWays('returns the response', async ({ runtime }) => {
    assert.deepEqual(await runtime.version({ version: 'v1' }), version)
  })

  bothWays('rejects with code and message, in Kubernetes’ format', async ({ runtime }) => {
    await assert.rejects(runtime.containerStatus({ containerId: 'x' }), {
      name: 'CriError',
      code: 'NotFound',
      description: 'an error occurred when try to find container "x": not found',
      message: 'rpc error: code = NotFound desc = an error occurred when try to find container "x": not found',
    })
  })

  bothWays('rejects with Unimplemented if the runtime does not have the method', async ({ runtime }) => {
    await assert.rejects(runtime.listImages({}), { code: 'Unimplemented' })
    await assert.rejects(runtime.streamImages({})[Symbol.asyncIterator]().next(), { code: 'Unimplemented' })
  })

  bothWays(
    'rejects with an unknown error if the handler throws any other error',
    async ({ runtime }) => {
      await assert.rejects(runtime.status({}), /oh no/)
    },
    {
      async status() {
        throw new Error('oh no')
      },
    },
  )

  bothWays('rejects with the reason when it is aborted, and aborts the handler', async ({ runtime, calls }) => {
    const controller = new AbortController()
    const pull = runtime.pullImage({}, { signal: controller.signal })
    const reason = new Error('the pod is gone')
    pull.catch(() => {})
    await eventually(() => calls.includes('pull started'))
    controller.abort(reason)
    await assert.rejects(pull, reason)
    await eventually(() => calls.includes('pull aborted'))
    await assert.rejects(runtime.version({}, { signal: controller.signal }), reason)
  })

  bothWays('is cancelled at its timeout', async ({ runtime, calls, clock }) => {
    const pull = runtime.pullImage({}, { timeout: 5000 })
    const rejection = assert.rejects(pull, {
      message: 'rpc error: code = DeadlineExceeded desc = context deadline exceeded',
    })
    await eventually(() => calls.includes('pull started'))
    await clock.advance(4999)
    assert.equal(calls.includes('pull aborted'), false)
    await clock.advance(1)
    await rejection
    await eventually(() => calls.includes('pull aborted'))
    assert.equal(clock.pending, 0)
  })

  bothWays(
    'has a timeout of two minutes; a sandbox has twice that, a stop has its grace period in addition',
    async ({ runtime, clock }) => {
      const ends: string[] = []
      const note = (name: string) => () => ends.push(`${name} ${clock.monotonic() / 1000}`)
      runtime.status({}).catch(note('status'))
      runtime.runPodSandbox({}).catch(note('sandbox'))
      runtime.stopContainer({ timeout: 30 }).catch(note('stop'))
      runtime.execSync({ timeout: 5 }).catch(note('exec'))
      runtime.execSync({}).catch(note('endless exec'))
      runtime.pullImage({}).catch(note('pull'))
      await clock.advance('1h')
      assert.deepEqual(ends, ['status 120', 'exec 125', 'stop 150', 'sandbox 240'])
    },
    Object.fromEntries(
      ['status', 'runPodSandbox', 'stopContainer', 'execSync', 'pullImage'].map((name) => [
        name,
        () => new Promise(() => {}),
      ]),
    ),
  )
})

describe('a stream', () => {
  bothWays('yields responses in order, and ends when the caller stops reading', async ({ runtime, calls }) => {
    const seen: string[] = []
    for await (const { containerId } of runtime.getContainerEvents({})) {
      seen.push(containerId)
      if (seen.length === 2) break
    }
    assert.deepEqual(seen, ['c0', 'c1'])
    if (!calls.length) await new Promise((resolve) => setTimeout(resolve, 20))
  })

  bothWays('throws the reason when it is aborted, and aborts the handler', async ({ runtime, calls }) => {
    const controller = new AbortController()
    const reason = new Error('enough')
    const listen = async () => {
      for await (const { containerId } of runtime.getContainerEvents({}, { signal: controller.signal }))
        if (containerId === 'c2') setTimeout(() => controller.abort(reason), 5)
    }
    await assert.rejects(listen(), reason)
    await eventually(() => calls.includes('events aborted'))
  })

  bothWays(
    'throws the error of the runtime',
    async ({ runtime }) => {
      const seen: string[] = []
      const listen = async () => {
        for await (const { containerId } of runtime.getContainerEvents({})) seen.push(containerId)
      }
      await assert.rejects(listen(), { code: 'ResourceExhausted', description: 'too slow' })
      assert.deepEqual(seen, ['only'])
    },
    {
      async *getContainerEvents() {
        yield { containerId: 'only' }
        throw new CriError('ResourceExhausted', 'too slow')
      },
    },
  )
})

describe('the connection', () => {
  const connect = (options: Partial<CriClientOptions> & { endpoint: string }) =>
    connectCri({ environment: environment(), ...options })

  test('recovers with the first call after a restart of the runtime', async () => {
    const socket = newSocket()
    await using client = connect({ endpoint: `unix://${socket}` })
    for (let round = 0; round < 3; round++) {
      await assert.rejects(client.version({}), { code: 'Unavailable' })
      await using _ = await serveCri(toy(), socket)
      assert.equal((await client.version({})).runtimeName, 'toy')
    }
  })

  test('ends active calls and streams when it breaks', async () => {
    const server = await serveCri(toy(), newSocket())
    await using client = connect({ endpoint: server.endpoint })
    const listen = async () => {
      for await (const { containerId } of client.getContainerEvents({})) if (containerId === 'c2') await server.close()
    }
    const pull = assert.rejects(client.pullImage({}), CriError)
    await assert.rejects(listen(), CriError)
    await pull
  })

  test('is ready when the runtime responds', async () => {
    const socket = newSocket()
    await using client = connect({ endpoint: socket })
    await assert.rejects(client.ready(50), { code: 'Unavailable' })
    const waiting = client.ready(60_000)
    await using _ = await serveCri(toy(), socket)
    await waiting
  })

  test('cancels active calls and rejects new ones after close', async () => {
    await using server = await serveCri(toy(), newSocket())
    const client = connect({ endpoint: server.endpoint })
    const pull = client.pullImage({})
    client.close()
    await assert.rejects(pull, { code: 'Canceled' })
    await assert.rejects(client.version({}), { code: 'Canceled' })
  })

  test('accepts only Unix sockets', () => {
    assert.throws(() => connect({ endpoint: 'tcp://10.0.0.1:1234' }), /unix:\/\/\/path/)
  })
})

describe('a server', () => {
  test('rejects a socket with a listener, and replaces one of a dead process', async () => {
    const socket = newSocket()
    const first = await serveCri(toy(), socket)
    await assert.rejects(serveCri(toy(), socket), /already listens/)
    await first.close()
    const second = await serveCri(toy(), socket)
    assert.equal(statSync(socket).mode & 0o777, 0o600)
    await second.close()
  })
})
