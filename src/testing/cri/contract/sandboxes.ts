import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import { type RuntimeHarness, shellProgram, sleepProgram } from './runtime-harness.js'

export function sandboxContract(harness: () => RuntimeHarness): void {
  describe('sandboxes', () => {
    test('a sandbox has an address while it is ready, none when it is stopped, and can be removed', async () => {
      const { runtime } = harness()
      const { id, config } = await harness().sandbox({ annotations: { note: 'kept' } })
      const { status } = await runtime.podSandboxStatus({ podSandboxId: id })
      assert.equal(status?.state, 'SANDBOX_READY')
      assert.deepEqual(status.metadata, config.metadata)
      assert.deepEqual([status.labels, status.annotations], [config.labels, { note: 'kept' }])
      assert.match(status.network?.ip ?? '', /^\d+\.\d+\.\d+\.\d+$/)
      assert.ok(status.createdAt > 1_600_000_000_000_000_000n)
      await runtime.stopPodSandbox({ podSandboxId: id })
      const { status: stopped } = await runtime.podSandboxStatus({ podSandboxId: id })
      assert.equal(stopped?.state, 'SANDBOX_NOTREADY')
      assert.equal(stopped.network?.ip ?? '', '')
      await runtime.stopPodSandbox({ podSandboxId: id })
      await runtime.removePodSandbox({ podSandboxId: id })
      await assert.rejects(runtime.podSandboxStatus({ podSandboxId: id }), { code: 'NotFound' })
      await runtime.removePodSandbox({ podSandboxId: id })
    })

    test('each sandbox has its own address; one on the host network has none', async () => {
      const { runtime } = harness()
      const sandboxes = await Promise.all([harness().sandbox(), harness().sandbox(), harness().sandbox()])
      const addressOf = async (podSandboxId: string) =>
        (await runtime.podSandboxStatus({ podSandboxId })).status?.network?.ip ?? ''
      const addresses = await Promise.all(sandboxes.map(({ id }) => addressOf(id)))
      assert.equal(new Set(addresses).size, 3)
      const namespaceOptions = { network: 'NODE', pid: 'CONTAINER' } as const
      const onNode = await harness().sandbox({ hostname: '', linux: { securityContext: { namespaceOptions } } })
      assert.equal(await addressOf(onNode.id), '')
      const { status } = await runtime.podSandboxStatus({ podSandboxId: onNode.id })
      assert.equal(status?.linux?.namespaces?.options?.network, 'NODE')
    })

    test('sandboxes are listed by id, state and labels', async () => {
      const { runtime } = harness()
      const [one, two] = [
        await harness().sandbox({ labels: { app: 'web', tier: 'front' } }),
        await harness().sandbox({ labels: { app: 'web', tier: 'back' } }),
      ]
      await runtime.stopPodSandbox({ podSandboxId: two.id })
      const list = async (filter: object) => (await runtime.listPodSandbox({ filter })).items.map(({ id }) => id).sort()
      assert.deepEqual(await list({}), [one.id, two.id].sort())
      assert.deepEqual(await list({ id: one.id }), [one.id])
      assert.deepEqual(await list({ state: { state: 'SANDBOX_READY' } }), [one.id])
      assert.deepEqual(await list({ state: { state: 'SANDBOX_NOTREADY' } }), [two.id])
      assert.deepEqual(await list({ labelSelector: { app: 'web' } }), [one.id, two.id].sort())
      assert.deepEqual(await list({ labelSelector: { app: 'web', tier: 'back' } }), [two.id])
      assert.deepEqual(await list({ labelSelector: { app: 'other' } }), [])
    })

    test('a pod has one sandbox per attempt', async () => {
      const { runtime } = harness()
      const config = harness().sandboxConfig()
      const { podSandboxId } = await runtime.runPodSandbox({ config })
      const message = new RegExp(`failed to reserve sandbox name .* is reserved for "${podSandboxId}"`)
      await assert.rejects(runtime.runPodSandbox({ config }), message)
      await runtime.runPodSandbox({ config: { ...config, metadata: { ...config.metadata, attempt: 1 } } })
      await runtime.stopPodSandbox({ podSandboxId })
      await runtime.removePodSandbox({ podSandboxId })
      await runtime.runPodSandbox({ config })
    })

    test('an unknown runtime handler is rejected', async () => {
      const { runtime } = harness()
      const run = runtime.runPodSandbox({ config: harness().sandboxConfig(), runtimeHandler: 'zeppelin' })
      await assert.rejects(run, /no runtime for "zeppelin" is configured/)
    })

    test('the removal of a sandbox removes its containers', async () => {
      const { runtime } = harness()
      const sandbox = await harness().sandbox()
      const running = await sandbox.start('running', sleepProgram)
      const created = await sandbox.create('created', sleepProgram)
      await runtime.stopPodSandbox({ podSandboxId: sandbox.id })
      assert.equal((await harness().status(running)).state, 'CONTAINER_EXITED')
      await runtime.removePodSandbox({ podSandboxId: sandbox.id })
      for (const containerId of [running, created])
        await assert.rejects(runtime.containerStatus({ containerId }), { code: 'NotFound' })
    })

    test('a pod is reachable on its address, and its containers share localhost', async (context) => {
      const { runtime, underTest } = harness()
      if (underTest.lacks.network) return context.skip(underTest.lacks.network)
      const sandbox = await harness().sandbox()
      await sandbox.start('server', shellProgram('while true; do echo hello | nc -l -p 8080; done', {}))
      const neighbour = await sandbox.start('neighbour', sleepProgram)
      const { status } = await runtime.podSandboxStatus({ podSandboxId: sandbox.id })
      const fromNode = () => responseFrom(status?.network?.ip ?? '', 8080)
      assert.equal(await harness().until(() => fromNode().catch(() => undefined)), 'hello\n')
      const cmd = ['sh', '-c', 'nc 127.0.0.1 8080 </dev/null']
      const response = await harness().until(async () => {
        const { stdout } = await runtime.execSync({ containerId: neighbour, cmd, timeout: 10 })
        return stdout.length > 0 ? stdout.toString() : undefined
      })
      assert.equal(response, 'hello\n')
      const { stdout: name } = await runtime.execSync({ containerId: neighbour, cmd: ['hostname'], timeout: 10 })
      assert.equal(name.toString().trim(), sandbox.config.hostname)
    })
  })
}

function responseFrom(host: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let response = ''
    const socket = connect({ host, port })
    socket.on('error', reject).on('data', (data) => {
      response += data
      socket.end()
    })
    socket.on('close', () => resolve(response))
  })
}
