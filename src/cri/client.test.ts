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
const alive = setInterval(() => {}, 60_000) // a clock's timers let a process end that has nothing else to do
after(() => {
  clearInterval(alive)
  rmSync(folder, { recursive: true })
})

let sockets = 0
const newSocket = () => join(folder, `${sockets++}.sock`)
const version = { version: '0.1.0', runtimeName: 'toy', runtimeVersion: '1', runtimeApiVersion: 'v1' }
const forever = (signal: AbortSignal) => new Promise<never>((_, reject) => signal.addEventListener('abort', reject))

/** Says its name, knows no container, and never comes back from a pull. */
function toy(parts: RuntimeImplementation = {}): RuntimeImplementation & { readonly given: string[] } {
  const given: string[] = []
  return {
    given,
    version: async () => version,
    status: async () => ({ status: {} }),
    async containerStatus({ containerId }) {
      throw new CriError('NotFound', `an error occurred when try to find container "${containerId}": not found`)
    },
    async pullImage(_, { signal }) {
      given.push('pull begun')
      signal.addEventListener('abort', () => given.push('pull given up'))
      return forever(signal)
    },
    async *getContainerEvents(_, { signal }) {
      signal.addEventListener('abort', () => given.push('events given up'))
      for (let i = 0n; i < 3n; i++) yield { containerId: `c${i}`, createdAt: i }
      await forever(signal)
    },
    ...parts,
  }
}

interface Trial {
  readonly runtime: ContainerRuntime
  readonly given: readonly string[]
  readonly clock: VirtualClock
}

type Act = (trial: Trial) => Promise<void>

/** What holds over a socket and what holds without one is the same. */
function bothWays(name: string, act: Act, parts?: RuntimeImplementation): void {
  test(`${name}, over a socket`, async () => {
    const clock = new VirtualClock()
    const implementation = toy(parts)
    await using server = await serveCri(implementation, newSocket())
    await using client = connectCri({ endpoint: server.endpoint, environment: environment({ clock }) })
    await act({ runtime: client, given: implementation.given, clock })
  })
  test(`${name}, in process`, async () => {
    const clock = new VirtualClock()
    const implementation = toy(parts)
    const runtime = inProcessRuntime(implementation, { environment: environment({ clock }) })
    await act({ runtime, given: implementation.given, clock })
  })
}

async function eventually(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition(); tries++) {
    if (tries > 5000) throw new Error('it does not come to pass')
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}

describe('a call', () => {
  bothWays('is answered', async ({ runtime }) => {
    assert.deepEqual(await runtime.version({ version: 'v1' }), version)
  })

  bothWays('that is refused rejects with code and sentence, in Kubernetes’ words', async ({ runtime }) => {
    await assert.rejects(runtime.containerStatus({ containerId: 'x' }), {
      name: 'CriError',
      code: 'NotFound',
      description: 'an error occurred when try to find container "x": not found',
      message: 'rpc error: code = NotFound desc = an error occurred when try to find container "x": not found',
    })
  })

  bothWays('of something the runtime does not have says so', async ({ runtime }) => {
    await assert.rejects(runtime.listImages({}), { code: 'Unimplemented' })
    await assert.rejects(runtime.streamImages({})[Symbol.asyncIterator]().next(), { code: 'Unimplemented' })
  })

  bothWays(
    'whose answer fails by accident has an unknown error',
    async ({ runtime }) => {
      await assert.rejects(runtime.status({}), /oh no/)
    },
    {
      async status() {
        throw new Error('oh no')
      },
    },
  )

  bothWays('that is given up rejects with the reason, and the runtime is told', async ({ runtime, given }) => {
    const controller = new AbortController()
    const pull = runtime.pullImage({}, { signal: controller.signal })
    const reason = new Error('the pod is gone')
    pull.catch(() => {})
    await eventually(() => given.includes('pull begun'))
    controller.abort(reason)
    await assert.rejects(pull, reason)
    await eventually(() => given.includes('pull given up'))
    await assert.rejects(runtime.version({}, { signal: controller.signal }), reason)
  })

  bothWays('that takes too long is given up', async ({ runtime, given, clock }) => {
    const pull = runtime.pullImage({}, { timeout: 5000 })
    const outcome = assert.rejects(pull, {
      message: 'rpc error: code = DeadlineExceeded desc = context deadline exceeded',
    })
    await eventually(() => given.includes('pull begun'))
    await clock.advance(4999)
    assert.equal(given.includes('pull given up'), false)
    await clock.advance(1)
    await outcome
    await eventually(() => given.includes('pull given up'))
    assert.equal(clock.pending, 0)
  })

  bothWays(
    'has two minutes unless it needs more: a sandbox twice that, stopping its grace period',
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
  bothWays('tells one thing after the other, and ends when nobody listens any more', async ({ runtime, given }) => {
    const seen: string[] = []
    for await (const { containerId } of runtime.getContainerEvents({})) {
      seen.push(containerId)
      if (seen.length === 2) break
    }
    assert.deepEqual(seen, ['c0', 'c1'])
    if (!given.length) await new Promise((resolve) => setTimeout(resolve, 20))
  })

  bothWays('that is given up throws the reason, and the runtime is told', async ({ runtime, given }) => {
    const controller = new AbortController()
    const reason = new Error('enough')
    const listen = async () => {
      for await (const { containerId } of runtime.getContainerEvents({}, { signal: controller.signal }))
        if (containerId === 'c2') setTimeout(() => controller.abort(reason), 5)
    }
    await assert.rejects(listen(), reason)
    await eventually(() => given.includes('events given up'))
  })

  bothWays(
    'that the runtime breaks off throws what was wrong',
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

  test('heals at once when the runtime is back', async () => {
    const socket = newSocket()
    await using client = connect({ endpoint: `unix://${socket}` })
    for (let round = 0; round < 3; round++) {
      await assert.rejects(client.version({}), { code: 'Unavailable' })
      await using _ = await serveCri(toy(), socket)
      assert.equal((await client.version({})).runtimeName, 'toy')
    }
  })

  test('that breaks ends calls and streams under way', async () => {
    const server = await serveCri(toy(), newSocket())
    await using client = connect({ endpoint: server.endpoint })
    const listen = async () => {
      for await (const { containerId } of client.getContainerEvents({})) if (containerId === 'c2') await server.close()
    }
    const pull = assert.rejects(client.pullImage({}), CriError)
    await assert.rejects(listen(), CriError)
    await pull
  })

  test('is waited for until the runtime answers', async () => {
    const socket = newSocket()
    await using client = connect({ endpoint: socket })
    await assert.rejects(client.ready(50), { code: 'Unavailable' })
    const waiting = client.ready(60_000)
    await using _ = await serveCri(toy(), socket)
    await waiting
  })

  test('that is closed gives up everything and begins nothing', async () => {
    await using server = await serveCri(toy(), newSocket())
    const client = connect({ endpoint: server.endpoint })
    const pull = client.pullImage({})
    client.close()
    await assert.rejects(pull, { code: 'Canceled' })
    await assert.rejects(client.version({}), { code: 'Canceled' })
  })

  test('goes to a socket of this machine and nowhere else', () => {
    assert.throws(() => connect({ endpoint: 'tcp://10.0.0.1:1234' }), /unix:\/\/\/path/)
  })
})

describe('a server', () => {
  test('does not take a socket that somebody serves, and takes one that a dead process left', async () => {
    const socket = newSocket()
    const first = await serveCri(toy(), socket)
    await assert.rejects(serveCri(toy(), socket), /already listens/)
    await first.close()
    const second = await serveCri(toy(), socket)
    assert.equal(statSync(socket).mode & 0o777, 0o600)
    await second.close()
  })
})
