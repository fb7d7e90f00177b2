import { CriError } from '../cri-error.js'
import type { RuntimeImplementation } from '../interface/services.js'
import { execute } from './execution.js'
import type { SimulatedNode } from './simulated-node.js'

/** Exec, attach and port-forward. Each call returns a URL that serves one connection. */
export function streamingCalls({ pods, environment, streaming }: SimulatedNode): RuntimeImplementation {
  const { clock } = environment
  const running = (containerId: string) => {
    const container = pods.containers.get(containerId)
    if (!container.running) throw new CriError('Unknown', `container is in ${container.state} state`)
    return container
  }
  return {
    async exec({ containerId, cmd }) {
      const container = running(containerId)
      const url = await streaming.offer('exec', async (stream) => {
        const { stdout, stderr, exitCode } = await execute(container, cmd, { clock, signal: stream.signal })
        stream.send('stdout', stdout)
        stream.send('stderr', stderr)
        stream.end(exitCode)
      })
      return { url }
    },

    /** Streams the output from now on. */
    async attach({ containerId }) {
      const container = running(containerId)
      const url = await streaming.offer('attach', async (stream) => {
        for await (const { stream: channel, text } of container.listen(stream.signal))
          stream.send(channel, Buffer.from(text))
        stream.end(0)
      })
      return { url }
    },

    async portForward({ podSandboxId }) {
      const sandbox = pods.sandboxes.get(podSandboxId)
      if (!sandbox.ready) throw new CriError('Unknown', 'sandbox container is not running')
      const responseOn = (port: number) =>
        pods
          .containersOf(sandbox.id)
          .filter((container) => container.running)
          .map((container) => container.behaviour.ports?.[port])
          .find((response) => response !== undefined)
      return { url: await streaming.offerPorts(responseOn) }
    },
  }
}
