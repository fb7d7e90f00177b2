import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, describe, test } from 'node:test'
import { Node } from '../../api/core/v1/node.js'
import { Pod } from '../../api/core/v1/pod.js'
import { Kubectl, kubectlMissing } from '../../testing/kubectl/kubectl.js'
import { KubeletServerHarness, nodeName } from './kubelet-server.test.kit.js'

const behaviour = {
  output: [{ text: 'one' }, { text: 'two', stream: 'stderr' }, { text: 'tick', after: '300ms', every: '300ms' }],
  exec: [
    { command: 'ls /', stdout: 'bin\netc\n', stderr: 'careful\n', exitCode: 3 },
    { command: 'big', stdout: 'x'.repeat(200_000) },
  ],
}

describe('kubectl', { skip: kubectlMissing() }, () => {
  let harness: KubeletServerHarness
  let kubectl: Kubectl

  before(async () => {
    harness = await KubeletServerHarness.start()
    kubectl = new Kubectl(harness.api)
    await harness.runtime.pullImage({ image: { image: 'web' } })
    const containers = [{ name: 'main', image: 'web' }]
    const annotations = { 'simulation.proa.dev/main': JSON.stringify(behaviour) }
    await harness.run(await harness.pod('p', { containers }, annotations))
    const two = [
      { name: 'a', image: 'web' },
      { name: 'b', image: 'web' },
    ]
    await harness.run(await harness.pod('two', { containers: two }))
  })
  after(async () => {
    kubectl.close()
    await harness.close()
  })

  test('logs: the output of a container', async () => {
    assert.match(await kubectl.ok('logs', 'p'), /^one\ntwo\n/)
    assert.match(await kubectl.ok('logs', 'p', '--tail=1'), /^(two|tick)\n$/)
    assert.match(
      await kubectl.ok('logs', 'p', '--timestamps', '--limit-bytes=35'),
      /^\d{4}-\d\d-\d\dT[\d:]+\.\d{9}Z one\n$/,
    )
    assert.equal(await kubectl.ok('logs', 'p', '--since-time=2100-01-01T00:00:00Z'), '')
  })

  test('logs -f: new output until the container ends', async () => {
    const child = kubectl.start('logs', '-f', 'p', '--tail=0')
    child.stdout!.setEncoding('utf8')
    const [first] = await once(child.stdout!, 'data')
    assert.equal(first, 'tick\n')
    await once(child.stdout!, 'data')
    child.kill()
  })

  test('logs -f ends when its container does', async () => {
    const pod = await harness.pod(
      'short',
      { containers: [{ name: 'main', image: 'web' }] },
      {
        'simulation.proa.dev/main': '{ runFor: 1s, output: [{ text: begin }, { text: end, after: 500ms }] }',
      },
    )
    await harness.run(pod)
    assert.equal(await kubectl.ok('logs', '-f', 'short'), 'begin\nend\n')
  })

  test('logs: errors', async () => {
    const failed = async (...args: string[]) => (await kubectl.fails('logs', ...args)).trim()
    assert.equal(
      await failed('p', '--previous'),
      'Error from server (BadRequest): previous terminated container "main" in pod "p" not found',
    )
    assert.match(await failed('p', '-c', 'other'), /container other is not valid for pod p$/)
    harness.setStatus(await harness.pod('waits', { containers: [{ name: 'main', image: 'web' }] }), {
      containerStatuses: [{ name: 'main', state: { waiting: { reason: 'ContainerCreating' } }, lastState: {} }],
    })
    assert.equal(
      await failed('waits'),
      'Error from server (BadRequest): container "main" in pod "waits" is waiting to start: ContainerCreating',
    )
    const metadata = { name: 'unknown', namespace: 'default' }
    const spec = { nodeName, containers: [{ name: 'main', image: 'web' }] }
    await harness.client.resource(Pod).create({ metadata, spec } as never)
    assert.equal(
      await failed('unknown'),
      'Error from server (NotFound): the server could not find the requested resource ( pods/log unknown)',
    )
  })

  test('logs of an unreachable node report it', async () => {
    const status = {
      addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
      daemonEndpoints: { kubeletEndpoint: { Port: 1 } },
    }
    await harness.client.resource(Node).create({ metadata: { name: 'away' }, status } as never)
    const metadata = { name: 'there', namespace: 'default' }
    const spec = { nodeName: 'away', containers: [{ name: 'main', image: 'web' }] }
    await harness.client.resource(Pod).create({ metadata, spec } as never)
    assert.equal(
      (await kubectl.fails('logs', 'there')).trim(),
      'Error from server: Get "https://127.0.0.1:1/containerLogs/default/there/main": dial tcp 127.0.0.1:1: connect: connection refused',
    )
    assert.match(
      await kubectl.fails('exec', 'there', '--', 'ls'),
      /error dialing backend: dial tcp 127\.0\.0\.1:1: connect: connection refused/,
    )
  })

  test('exec: output and exit code', async () => {
    const { code, stdout, stderr } = await kubectl.run(['exec', 'p', '--', 'ls', '/'])
    assert.deepEqual([code, stdout], [3, 'bin\netc\n'])
    assert.equal(stderr, 'careful\ncommand terminated with exit code 3\n')
    assert.equal((await kubectl.ok('exec', 'p', '--', 'big')).length, 200_000)
    assert.equal((await kubectl.run(['exec', '-i', 'p', '--', 'true'], { input: 'hello' })).code, 0)
  })

  test('exec: the selected container', async () => {
    assert.equal(await kubectl.ok('exec', 'two', '-c', 'b', '--', 'true'), '')
    assert.match(
      await kubectl.fails('exec', 'two', '-c', 'c', '--', 'true'),
      /container c is not valid for pod two|container c not found in pod two/,
    )
    const pod = await harness.pod('stopped', { containers: [{ name: 'main', image: 'web' }] })
    const [id] = await harness.run(pod)
    await harness.runtime.stopContainer({ containerId: id! })
    assert.match(await kubectl.fails('exec', 'stopped', '--', 'true'), /container not found \("main"\)/)
  })

  test('exec needs the verb create, even with a GET', async () => {
    await kubectl.ok('create', 'role', 'looker', '--verb=get', '--resource=pods,pods/exec')
    await kubectl.ok('create', 'rolebinding', 'looker', '--role=looker', '--user=eve')
    assert.match(
      await kubectl.fails('--as=eve', 'exec', 'p', '--', 'ls', '/'),
      /pods "p" is forbidden|cannot create resource "pods\/exec"/,
    )
  })

  test('attach: new output of a container', async () => {
    const child = kubectl.start('attach', 'p', '-c', 'main')
    child.stdout!.setEncoding('utf8')
    const [first] = await once(child.stdout!, 'data')
    assert.match(first, /tick\n/)
    child.kill()
  })

  test('get --raw: any path of a kubelet through its node', async () => {
    assert.equal(await kubectl.ok('get', '--raw', `/api/v1/nodes/${nodeName}/proxy/healthz`), 'ok')
    const pods = JSON.parse(await kubectl.ok('get', '--raw', `/api/v1/nodes/${nodeName}/proxy/pods`))
    assert.equal(pods.kind, 'PodList')
    assert.match(await kubectl.fails('get', '--raw', `/api/v1/nodes/${nodeName}/proxy/nowhere`), /404|could not find/)
  })
})
