import type { JsonObject } from '../../schema/declaration.js'
import { objectIn } from '../../schema/json-value.js'
import { ExitCodeError } from '../command-errors.js'
import { attachTo } from '../exec/attach-session.js'
import { groupKindOf, kindName, metadataOf, type ResourceObject } from '../resources/resource-object.js'
import { podPath, podsOfObject } from '../resources/workload-pods.js'
import { deleteAndWait } from '../wait/deletion.js'
import { waitUntil } from '../wait/wait-until.js'
import type { RunContext } from './flags.js'

/** Waits until the created pod runs, attaches to it, and deletes the object afterwards if `--rm` asks for it. */
export async function attachToRun(call: RunContext, made: JsonObject): Promise<void> {
  const { flags, factory, out } = call
  const resource = await (await factory.mapper()).kind(groupKindOf(made))
  const { name = '', namespace = '' } = metadataOf(made)
  const info: ResourceObject = { resource, namespace, name, object: made, source: '' }
  try {
    await join(call, await runningPod(call, info))
  } finally {
    if (flags.rm) {
      await deleteAndWait(factory, info, { grace: -1 })
      await out(`${kindName(resource)} "${name}" deleted\n`)
    }
  }
}

async function runningPod({ flags, factory }: RunContext, info: ResourceObject): Promise<ResourceObject> {
  const { clock } = factory.environment
  const deadline = clock.monotonic() + flags['pod-running-timeout']
  const rest = await factory.rest()
  const [pod] = await podsOfObject(factory, info)
  if (!pod) throw new Error('timed out waiting for the condition')
  const isDone = (object: JsonObject) =>
    ['Running', 'Succeeded', 'Failed'].includes(String(objectIn(object, 'status')?.phase))
  const late = 'timed out waiting for the condition'
  return { ...pod, object: await waitUntil(rest, pod, { clock, deadline, isDone, timeoutMessage: late }) }
}

/** Prints the log of a pod that has already ended. The exit code is that of the container. */
async function join(call: RunContext, pod: ResourceObject): Promise<void> {
  const { phase, containerStatuses } = (objectIn(pod.object, 'status') ?? {}) as {
    readonly phase?: string
    readonly containerStatuses?: readonly { readonly state?: { readonly terminated?: { readonly exitCode: number } } }[]
  }
  if (phase === 'Running') return attachTo(call, pod, '')
  const { factory, out } = call
  const rest = await factory.rest()
  for await (const chunk of await rest.stream({ path: podPath(pod, 'log'), accept: '*/*' }))
    await out(chunk as Uint8Array)
  const code = containerStatuses?.[0]?.state?.terminated?.exitCode ?? 0
  if (code !== 0) throw new ExitCodeError(code)
}
