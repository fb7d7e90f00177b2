import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, describe, test } from 'node:test'
import { WebSocket } from 'ws'
import { environment } from '../../base/environment.js'
import { inProcessRuntime } from '../in-process.js'
import type { ContainerRuntime } from '../interface/services.js'
import { type SimulatedRuntime, simulatedRuntime } from './simulated-runtime.js'

const behaviour = {
  output: [{ text: 'tick', every: '20ms', after: '20ms' }],
  exec: [
    { command: 'ls /', stdout: 'bin\n', stderr: 'careful\n', exitCode: 3 },
    { command: 'sleep *', takes: '1h' },
  ],
  ports: { 80: 'HTTP/1.1 200 OK\r\n\r\nhello' },
}

describe('a stream of a simulated container', () => {
  let simulated: SimulatedRuntime
  let runtime: ContainerRuntime
  let containerId: string
  let podSandboxId: string
  const alive = setInterval(() => {}, 60_000) // a clock's timers let a process end that has nothing else to do

  before(async () => {
    simulated = await simulatedRuntime({ environment: environment() })
    runtime = inProcessRuntime(simulated, { environment: environment() })
    await runtime.pullImage({ image: { image: 'web' } })
    const annotations = { 'simulation.proa.dev/main': JSON.stringify(behaviour) }
    const metadata = { name: 'pod', uid: 'uid', namespace: 'default' }
    podSandboxId = (await runtime.runPodSandbox({ config: { metadata, annotations } })).podSandboxId
    const config = { metadata: { name: 'main' }, image: { image: 'web' } }
    containerId = (await runtime.createContainer({ podSandboxId, config })).containerId
    await runtime.startContainer({ containerId })
  })
  after(async () => {
    clearInterval(alive)
    await simulated.close()
  })

  test('sends output and exit code of the command in Kubernetes’ protocol', async () => {
    const { url } = await runtime.exec({ containerId, cmd: ['ls', '/'], stdout: true, stderr: true })
    const { protocol, frames } = await heard(url, ['v4.channel.k8s.io', 'v5.channel.k8s.io'])
    assert.equal(protocol, 'v5.channel.k8s.io')
    assert.deepEqual(frames.slice(0, 2), [
      [1, 'bin\n'],
      [2, 'careful\n'],
    ])
    const status = JSON.parse(frames[2]![1])
    assert.deepEqual([frames[2]![0], status.status, status.reason], [3, 'Failure', 'NonZeroExitCode'])
    assert.deepEqual(status.details.causes, [{ reason: 'ExitCode', message: '3' }])
    const well = await runtime.exec({ containerId, cmd: ['true'] })
    const [[channel, text]] = (await heard(well.url, ['v4.channel.k8s.io'])).frames as [[number, string]]
    assert.deepEqual([channel, JSON.parse(text).status], [3, 'Success'])
  })

  test('serves one connection', async () => {
    const { url } = await runtime.exec({ containerId, cmd: ['true'] })
    await heard(url, ['v4.channel.k8s.io'])
    const [error] = await once(new WebSocket(url.replace('http:', 'ws:'), ['v4.channel.k8s.io']), 'error')
    assert.match(String(error), /404/)
    assert.equal((await fetch(url)).status, 426)
  })

  test('sends the output of the container after an attach', async () => {
    const { url } = await runtime.attach({ containerId, stdout: true })
    const socket = new WebSocket(url.replace('http:', 'ws:'), ['v4.channel.k8s.io'])
    const [data] = (await once(socket, 'message')) as [Buffer]
    assert.deepEqual([data[0], data.subarray(1).toString()], [1, 'tick\n'])
    socket.close()
  })

  test('reaches open ports, and reports closed ones', async () => {
    const { url } = await runtime.portForward({ podSandboxId, port: [80, 81] })
    const socket = new WebSocket(`${url.replace('http:', 'ws:')}?port=80&port=81`, ['v4.channel.k8s.io'])
    const frames: [number, string][] = []
    socket.on('message', (data: Buffer) => frames.push([data[0]!, data.subarray(1).toString('latin1')]))
    await once(socket, 'open')
    socket.send(Buffer.from([0, 71]))
    socket.send(Buffer.from([2, 71]))
    while (frames.length < 6) await once(socket, 'message')
    assert.deepEqual(frames.slice(0, 4), [
      [0, 'P\0'],
      [1, 'P\0'],
      [2, 'Q\0'],
      [3, 'Q\0'],
    ])
    assert.deepEqual(frames[4], [0, 'HTTP/1.1 200 OK\r\n\r\nhello'])
    assert.deepEqual(frames[5], [3, 'failed to connect to localhost:81: connection refused'])
    socket.close()
  })
})

async function heard(url: string, protocols: string[]): Promise<{ protocol: string; frames: [number, string][] }> {
  const socket = new WebSocket(url.replace('http:', 'ws:'), protocols)
  const frames: [number, string][] = []
  socket.on('message', (data: Buffer) => frames.push([data[0]!, data.subarray(1).toString()]))
  await once(socket, 'close')
  return { protocol: socket.protocol, frames }
}
