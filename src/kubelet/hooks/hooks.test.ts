import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import type { LifecycleHandler } from '../../api/core/v1/container/probe.js'
import { environment } from '../../base/environment.js'
import type { Occurrence } from '../../client/events/event-recorder.js'
import { ProbeHarness } from '../probes/prober.test.kit.js'
import { containerHooks } from './container-hooks.js'
import type { HookRequest } from './hooks.js'

async function world(replies = {}) {
  const probes = await ProbeHarness.start({}, replies)
  await probes.startContainer()
  const events: Occurrence[] = []
  const recorder = { record: (event: Occurrence) => void events.push(event) }
  const hooks = containerHooks({ environment: probes.environment, runtime: probes.runtime, events: recorder })
  const hook = (handler: LifecycleHandler, more: Partial<HookRequest> = {}): HookRequest => {
    const { pod, containerId } = probes
    return { pod, container: pod.spec.containers[0]!, containerId, handler, podAddress: '127.0.0.1', ...more }
  }
  return { ...probes, clock: probes.clock, events, hooks, hook }
}

describe('a hook', () => {
  test('runs a command to its end', async () => {
    const { hooks, hook, clock } = await world({ 'slow one': { takes: '90s' } })
    const running = hooks.run(hook({ exec: { command: ['slow', 'one'] } }))
    await clock.advance('90s')
    await running
  })

  test('that is a failing command fails with its output', async () => {
    const { hooks, hook } = await world({ bad: { exitCode: 9, stdout: 'sorry\n' } })
    await assert.rejects(hooks.run(hook({ exec: { command: ['bad'] } })), {
      name: 'HookError',
      message:
        'Exec lifecycle hook ([bad]) for Container "c" in Pod "p_default(u)" failed - error: command \'bad\' exited with 9: , message: "sorry\\n"',
    })
  })

  test('sleeps, and fails if it is aborted', async () => {
    const { hooks, hook, clock } = await world()
    const running = hooks.run(hook({ sleep: { seconds: 5 } }))
    await clock.advance('5s')
    await running
    const ending = new AbortController()
    const ended = hooks.run(hook({ sleep: { seconds: 5 } }, { signal: ending.signal }))
    ending.abort()
    await assert.rejects(ended, /failed - error: container terminated before sleep hook finished$/)
  })

  test('over TCP fails', async () => {
    const { hooks, hook } = await world()
    await assert.rejects(
      hooks.run(hook({ tcpSocket: { port: 80 } })),
      /^HookError: Cannot run handler: invalid handler/,
    )
  })
})

describe('a hook over HTTP', () => {
  test('goes to the pod with its user agent, and accepts any response', async (context) => {
    const requests: (string | undefined)[] = []
    const server = createServer(({ url, headers }, response) => {
      requests.push(url, headers['user-agent'], headers.authorization)
      response.writeHead(500).end()
    })
    context.after(() => server.close())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const { runtime, hook, events } = await world()
    const recorder = { record: (event: Occurrence) => void events.push(event) }
    const hooks = containerHooks({ environment: environment(), runtime, events: recorder })
    await hooks.run(hook({ httpGet: { port, path: '/started' } }))
    assert.deepEqual(requests.splice(0), ['/started', 'kube-lifecycle/1.36', undefined])
    const httpHeaders = [{ name: 'Authorization', value: 'secret' }]
    await hooks.run(hook({ httpGet: { port, path: '/safe', scheme: 'HTTPS', httpHeaders } }))
    assert.deepEqual(requests, ['/safe', 'kube-lifecycle/1.36', undefined])
    assert.deepEqual(
      events.map(({ reason, message }) => [reason, message]),
      [
        [
          'LifecycleHTTPFallback',
          `request to HTTPS lifecycle hook 127.0.0.1:${port} got HTTP response, retry with HTTP succeeded`,
        ],
      ],
    )
  })

  test('fails without a response', async () => {
    const { runtime, hook } = await world()
    const hooks = containerHooks({ environment: environment(), runtime, events: { record() {} } })
    await assert.rejects(
      hooks.run(hook({ httpGet: { port: 1, path: '/x' } })),
      /^HookError: HTTP lifecycle hook \(\/x\) for Container "c" in Pod "p_default\(u\)" failed - error: Get "http:\/\/127\.0\.0\.1:1\/x": dial tcp 127\.0\.0\.1:1: connect: connection refused$/,
    )
  })
})
