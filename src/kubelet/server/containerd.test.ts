import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Pod } from '../../api/core/v1/pod.js'
import { containersMissing } from '../../testing/containers/container-packages.js'
import { containerdUnderTest } from '../../testing/containers/containerd-runtime.js'
import type { RuntimeUnderTest } from '../../testing/cri/contract/runtime-under-test.js'
import { Kubectl, kubectlMissing } from '../../testing/kubectl/kubectl.js'
import { LogRotation } from '../logs/log-rotation.js'
import { networkActions } from '../probes/probe-actions.js'
import { runProbe } from '../probes/run-probe.js'
import { KubeletServerHarness } from './kubelet-server.test.kit.js'

const skip = kubectlMissing() || (await containersMissing())

describe('a kubelet over a real containerd', { skip }, () => {
  let under: RuntimeUnderTest
  let harness: KubeletServerHarness
  let kubectl: Kubectl

  before(async () => {
    under = await containerdUnderTest()
    harness = await KubeletServerHarness.start({ runtime: under.runtime })
    kubectl = new Kubectl(harness.api)
  })
  after(async () => {
    kubectl?.close()
    await harness?.close()
    const { items } = await under.runtime.listPodSandbox({})
    for (const { id } of items) {
      await under.runtime.stopPodSandbox({ podSandboxId: id })
      await under.runtime.removePodSandbox({ podSandboxId: id })
    }
    await under.close()
  })

  async function started(name: string, script: string, more: object = {}): Promise<{ pod: Pod; id: string }> {
    const containers = [{ name: 'main', image: 'busybox', command: ['sh', '-c', script], ...more }]
    const pod = await harness.pod(name, { containers })
    const security = { namespaceOptions: { pid: 'CONTAINER' } }
    const linux = {
      linux: { cgroupParent: `${under.cgroupParent}/${name}`, securityContext: security },
      hostname: name,
    }
    const [id] = await harness.run(pod, under.image, linux)
    return { pod, id: id! }
  }

  const forever = 'trap "exit 0" TERM; while :; do sleep 0.1; done'

  test('runs commands with output, exit code and closed input', { timeout: 60_000 }, async () => {
    await started('exec', forever)
    const { code, stdout, stderr } = await kubectl.run([
      'exec',
      'exec',
      '--',
      'sh',
      '-c',
      'echo out; echo err >&2; exit 7',
    ])
    assert.deepEqual([code, stdout, stderr], [7, 'out\n', 'err\ncommand terminated with exit code 7\n'])
    const input = 'line\n'.repeat(100_000)
    const counted = await kubectl.run(['exec', '-i', 'exec', '--', 'wc', '-c'], { input })
    assert.deepEqual([counted.code, counted.stdout.trim()], [0, String(input.length)])
    const echoed = await kubectl.run(['exec', '-i', 'exec', '--', 'cat'], { input })
    assert.deepEqual([echoed.code, echoed.stdout.length], [0, input.length])
    const absent = await kubectl.run(['exec', 'exec', '--', 'no-such-program'])
    assert.match(absent.stderr, /no-such-program/)
    assert.notEqual(absent.code, 0)
  })

  test('gives a command a terminal with its size', { timeout: 60_000 }, async () => {
    await started('tty', forever)
    const typed = 'kubectl exec -it tty -- sh -c "tty; read line; echo got \\$line; stty size"'
    const child = spawn('script', ['-qec', typed, '/dev/null'], { env: terminalEnvironment(harness) })
    let heard = ''
    let hasTyped = false
    child.stdout.on('data', (bytes) => {
      heard += bytes
      if (hasTyped || !heard.includes('/dev/pts')) return
      hasTyped = true
      child.stdin.write('hello\n')
    })
    await once(child, 'close')
    assert.match(heard, /\/dev\/pts\/\d+/)
    assert.match(heard, /got hello/)
  })

  test('forwards ports', { timeout: 60_000 }, async () => {
    await started('web', 'mkdir /www; echo welcome > /www/index.html; exec httpd -f -p 8080 -h /www')
    const child = kubectl.start('port-forward', 'web', ':8080')
    child.stdout!.setEncoding('utf8')
    const [line] = (await once(child.stdout!, 'data')) as [string]
    const [, port] = /127\.0\.0\.1:(\d+) -> 8080/.exec(line) ?? []
    assert.ok(port, line)
    const socket = connect(Number(port), '127.0.0.1')
    socket.end('GET / HTTP/1.0\r\n\r\n')
    let text = ''
    for await (const chunk of socket) text += chunk
    assert.match(text, /200 OK[\s\S]*welcome/)
    child.kill()
    await once(child, 'close')
  })

  test('follows a log through a rotation without losing a line', { timeout: 60_000 }, async () => {
    const script = 'i=0; while [ $i -lt 2000 ]; do i=$((i+1)); echo line $i; [ $((i%50)) -eq 0 ] && sleep 0.1; done'
    const { id } = await started('log', script)
    const child = kubectl.start('logs', '-f', 'log')
    let text = ''
    child.stdout!.on('data', (bytes) => {
      text += bytes
    })
    await once(child.stdout!, 'data')
    const { environment } = harness
    const rotation = new LogRotation({ environment, runtime: under.runtime, maxSize: 20_000, maxFiles: 3 })
    while (child.exitCode === null) {
      await rotation.rotateAll()
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    rotation.close()
    const lines = text.trimEnd().split('\n')
    assert.deepEqual(
      lines,
      Array.from({ length: 2000 }, (_, index) => `line ${index + 1}`),
    )
    const { status } = await under.runtime.containerStatus({ containerId: id })
    assert.equal(readdirSync(dirname(status!.logPath)).length, 3)
  })

  test('probes containers by command, over HTTP and TCP', { timeout: 60_000 }, async () => {
    const { pod, id } = await started('probed', 'mkdir /www; echo ok > /www/index.html; exec httpd -f -p 8080 -h /www')
    const { items } = await under.runtime.listPodSandbox({
      filter: { labelSelector: { 'io.kubernetes.pod.name': 'probed' } },
    })
    const { status } = await under.runtime.podSandboxStatus({ podSandboxId: items[0]!.id })
    const address = status!.network!.ip
    const signal = new AbortController().signal
    const container = pod.spec.containers[0]!
    const dependencies = { runtime: under.runtime, actions: networkActions(harness.environment.clock) }
    const ask = (probe: object) =>
      runProbe(
        { pod, container, containerId: id, address, signal, probe: { timeoutSeconds: 1, ...probe } },
        dependencies,
      )
    assert.deepEqual(await ask({ exec: { command: ['cat', '/www/index.html'] } }), {
      result: 'success',
      output: 'ok\n',
    })
    assert.deepEqual(await ask({ exec: { command: ['cat', '/tmp/ready'] } }), {
      result: 'failure',
      output: "cat: can't open '/tmp/ready': No such file or directory\n",
    })
    assert.deepEqual(await ask({ exec: { command: ['sleep', '5'] } }), {
      result: 'failure',
      output: 'command timed out: "sleep 5" timed out after 1s',
    })
    await assert.rejects(ask({ exec: { command: ['nowhere'] } }), /executable file not found in \$PATH/)
    assert.equal((await ask({ httpGet: { port: 8080, path: '/' } })).result, 'success')
    assert.equal(
      (await ask({ httpGet: { port: 8080, path: '/none' } })).output,
      'HTTP probe failed with statuscode: 404',
    )
    assert.equal((await ask({ tcpSocket: { port: 8080 } })).result, 'success')
    assert.equal(
      (await ask({ tcpSocket: { port: 1234 } })).output,
      `dial tcp ${address}:1234: connect: connection refused`,
    )
  })
})

function terminalEnvironment({ api, folder }: KubeletServerHarness): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: folder, KUBECONFIG: api.kubeconfig, TERM: 'dumb', SHELL: '/bin/sh' }
}
