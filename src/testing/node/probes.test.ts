import assert from 'node:assert/strict'
import { Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData } from '@grpc/grpc-js'
import { containerStateOf, containerStatusOf, idle, isReadyPod, script, server } from './node-harness.js'
import { nodeSuite } from './node-suite.js'

const often = { periodSeconds: 1, failureThreshold: 1 }
const isNotReady = (pod: Parameters<typeof isReadyPod>[0]) =>
  containerStateOf(pod)?.running !== undefined && !isReadyPod(pod)

/** Containers are asked how they are. */
await nodeSuite(
  'a probe',
  {
    'of liveness has a container that fails it started again': async (harness) => {
      const livenessProbe = {
        exec: { command: ['sh', '-c', 'test -e /tmp/alive || { echo it is dead; exit 1; }'] },
        ...often,
      }
      const text = `touch /tmp/alive; sleep 1.5; test -e /tmp/twice || rm /tmp/alive; ${idle}`
      await harness.run('p', { containers: [script('c', text, { livenessProbe })] })
      await harness.event('p', /^Warning Unhealthy: Liveness probe failed: it is dead\s*$/)
      await harness.event('p', /^Normal Killing: Container c failed liveness probe, will be restarted$/)
      const pod = await harness.pod('p', (seen) => (containerStatusOf(seen)?.restartCount ?? 0) >= 1)
      assert.equal(containerStatusOf(pod)!.lastState!.terminated!.exitCode, 0)
    },

    'of readiness says whether a pod is to be asked anything': async (harness) => {
      const httpGet = { port: 8080, path: '/ready' }
      await harness.run('p', { containers: [server('web', 8080, { readinessProbe: { httpGet, ...often } })] })
      const { status } = await harness.pod('p', isNotReady)
      assert.equal(status.conditions!.find(({ type }) => type === 'Ready')!.reason, 'ContainersNotReady')
      await harness.event(
        'p',
        /^Warning Unhealthy: Readiness probe failed: (HTTP probe failed with statuscode: 404|Get .*)/,
      )
      await harness.exec('p', 'web', 'touch /tmp/www/ready')
      await harness.ready('p')
      await harness.exec('p', 'web', 'rm /tmp/www/ready')
      const pod = await harness.pod('p', isNotReady)
      assert.equal(containerStatusOf(pod)!.restartCount, 0)
    },

    'of the start keeps the others back, and ends what does not start': async (harness) => {
      const startupProbe = { tcpSocket: { port: 8080 }, periodSeconds: 1, failureThreshold: 30 }
      const readinessProbe = { exec: { command: ['true'] }, ...often }
      const slow = `sleep 1; httpd -p 8080 -h /tmp; ${idle}`
      await harness.run('slow', { containers: [script('c', slow, { startupProbe, readinessProbe })] })
      await harness.run('never', {
        containers: [script('c', idle, { startupProbe: { ...startupProbe, failureThreshold: 2 } })],
      })
      const before = await harness.pod('slow', (pod) => containerStateOf(pod)?.running !== undefined)
      assert.deepEqual([containerStatusOf(before)!.started, isReadyPod(before)], [false, false])
      const after = await harness.ready('slow')
      assert.equal(containerStatusOf(after)!.started, true)
      await harness.event(
        'never',
        /^Warning Unhealthy: Startup probe failed: dial tcp .*:8080: connect: connection refused$/,
      )
      await harness.event('never', /^Normal Killing: Container c failed startup probe, will be restarted$/)
    },

    'over gRPC asks for the health of a service': async (harness) => {
      const health = new HealthService()
      const address = harness.node.identity.hostAddresses[0]!
      const port = await health.listen(address)
      try {
        const grpc = { port, service: 'shop' }
        await harness.run('p', {
          hostNetwork: true,
          containers: [script('c', idle, { readinessProbe: { grpc, ...often } })],
        })
        await harness.event(
          'p',
          /^Warning Unhealthy: Readiness probe failed: service unhealthy \(responded with "NOT_SERVING"\)$/,
        )
        health.isServing = true
        await harness.ready('p')
        assert.equal(health.asked, 'shop')
      } finally {
        health.close()
      }
    },

    'is not asked of a container that ends': async (harness) => {
      const livenessProbe = { exec: { command: ['test', '-e', '/tmp/alive'] }, ...often }
      const text = 'touch /tmp/alive; trap "rm /tmp/alive; sleep 2; exit 0" TERM; sleep 1000 & wait'
      await harness.run('p', { terminationGracePeriodSeconds: 20, containers: [script('c', text, { livenessProbe })] })
      await harness.ready('p')
      await harness.pods.delete('p')
      await harness.gone('p')
      assert.ok((await harness.events('p')).every((event) => !event.includes('liveness probe, will be restarted')))
    },
  },
  { concurrency: 5 },
)

/** `grpc.health.v1.Health`, as much of it as probes use. */
class HealthService {
  readonly #server = new Server()
  isServing = false
  asked = ''

  listen(address: string): Promise<number> {
    const path = '/grpc.health.v1.Health/Check'
    const raw = (bytes: Buffer) => bytes
    const method = { path, requestStream: false, responseStream: false }
    const check = (call: ServerUnaryCall<Buffer, Buffer>, answer: sendUnaryData<Buffer>) => {
      this.asked = call.request.subarray(2).toString()
      answer(null, Buffer.from([0x08, this.isServing ? 1 : 2]))
    }
    const codec = { requestSerialize: raw, requestDeserialize: raw, responseSerialize: raw, responseDeserialize: raw }
    this.#server.addService({ check: { ...method, ...codec } }, { check })
    return new Promise((resolve, reject) =>
      this.#server.bindAsync(`${address}:0`, ServerCredentials.createInsecure(), (error, port) =>
        error ? reject(error) : resolve(port),
      ),
    )
  }

  close(): void {
    this.#server.forceShutdown()
  }
}
