import { whenAborted } from '../../base/abort.js'
import { csvList, signedDuration } from '../../base/flags/flag-types.js'
import { objectIn } from '../../schema/json-value.js'
import { type CommandContext, command } from '../command.js'
import { CommandUsageError } from '../command-errors.js'
import { attachablePod, namedObject, runningTimeout } from '../exec/attachable-pod.js'
import type { Factory } from '../factory/factory.js'
import { isNotFound } from '../factory/rest.js'
import { metadataOf, objectPath, type ResourceObject } from '../resources/resource-object.js'
import { podPath } from '../resources/workload-pods.js'
import { noTimeout } from '../wait/deletion.js'
import { DeletedError, waitUntil } from '../wait/wait-until.js'
import { PortForwarder } from './listeners.js'
import { numberedPorts, parseForwardedPort, readAddresses } from './ports.js'
import { openPodTunnel } from './tunnel.js'

const flags = {
  address: csvList('IP addresses to listen on; localhost is 127.0.0.1 and ::1, one of which must be free'),
  'pod-running-timeout': signedDuration('How long to wait for a running pod', { initial: 60_000 }),
} as const

type ForwardContext = CommandContext<typeof flags>

export const portForward = command({
  usage: 'TYPE/NAME [options] [LOCAL_PORT:]REMOTE_PORT [...[LOCAL_PORT_N:]REMOTE_PORT_N]',
  about: `Make ports of a pod available on this machine, until the pod ends or Ctrl-C is pressed.

Of a deployment, a service or the like one pod is chosen. A port may be given by its name; that of a service leads where the service does.`,
  examples: [
    'kubectl port-forward pod/web 8080:80',
    'kubectl port-forward service/web 8443:https :9090',
    'kubectl port-forward --address=localhost,10.19.21.23 deployment/web 8080',
  ],
  flags,
  run: runPortForward,
})

async function runPortForward(call: ForwardContext): Promise<void> {
  const { flags: given, factory, isSet } = call
  const { pod, words } = await target(call)
  const interrupted = factory.environment.interrupts()
  const addresses = readAddresses(isSet('address') ? given.address : ['localhost'])
  const ports = words.map(parseForwardedPort)
  const tunnel = await openPodTunnel(factory, podPath(pod, 'portforward'))
  const forwarding = new PortForwarder(tunnel, factory.environment)
  try {
    await forwarding.listen(addresses, ports)
    const isLost = await Promise.race([
      tunnel.closed.then(() => true),
      untilOver(factory, pod).then(() => true),
      aborted(interrupted).then(() => false),
    ])
    if (isLost) throw new Error('lost connection to pod')
  } finally {
    forwarding.close()
    tunnel.close()
  }
}

async function target({ flags: given, args, path, factory }: ForwardContext) {
  const [name, ...wanted] = args
  if (name === undefined || wanted.length === 0)
    throw new CommandUsageError(path, 'TYPE/NAME and list of ports are required for port-forward')
  const timeout = runningTimeout(path, given['pod-running-timeout'])
  const info = await namedObject(factory, [name])
  const chosen = await attachablePod(factory, info, timeout)
  const words = numberedPorts(wanted, info, chosen)
  const pod = {
    ...chosen,
    object: await (await factory.rest()).json<ResourceObject['object']>({ path: objectPath(chosen) }),
  }
  const phase = objectIn(pod.object, 'status')?.phase
  if (phase !== 'Running') throw new Error(`unable to forward port because pod is not running. Current status=${phase}`)
  return { pod, words }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    whenAborted(signal, resolve)
    if (signal.aborted) resolve()
  })
}

/**
 * Resolves when the pod has ended or is deleted, because runtimes keep the connection open. Without a watch the next failed connection ends
 * the command.
 */
async function untilOver(factory: Factory, pod: ResourceObject): Promise<void> {
  const { clock } = factory.environment
  const { uid } = metadataOf(pod.object)
  const isDone = (object: ResourceObject['object']) =>
    metadataOf(object).uid !== uid || objectIn(object, 'status')?.phase !== 'Running'
  try {
    await waitUntil(await factory.rest(), pod, { clock, deadline: clock.monotonic() + noTimeout, isDone })
  } catch (error) {
    if (!(error instanceof DeletedError) && !isNotFound(error)) await new Promise(() => {})
  }
}
