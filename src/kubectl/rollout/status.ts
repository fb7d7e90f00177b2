import { boolean, signedDuration, signedInteger, text } from '../../base/flags/flag-types.js'
import type { JsonObject } from '../../schema/declaration.js'
import { type CommandContext, command } from '../command.js'
import { fetchObjects } from '../resources/fetch.js'
import { metadataOf, type ResourceObject, resourceName } from '../resources/resource-object.js'
import { fileFlags } from '../resources/selection.js'
import { noTimeout, WaitTimeoutError } from '../wait/deletion.js'
import { waitUntil } from '../wait/wait-until.js'
import { progressOf, type RolloutProgress } from './progress.js'
import { nothingNamed } from './workload-change.js'

const flags = {
  ...fileFlags,
  revision: signedInteger('Watch this revision only; 0 for the latest'),
  selector: text('Select objects by labels', { short: 'l' }),
  timeout: signedDuration('How long to wait; 0 waits without a limit'),
  watch: boolean('Wait until the rollout is complete', { short: 'w', initial: true }),
} as const

type StatusContext = CommandContext<typeof flags>

export const rolloutStatusCommand = command({
  usage: '(TYPE NAME | TYPE/NAME) [flags] [options]',
  about: 'Show the status of a rollout until it is complete.',
  examples: ['kubectl rollout status deployment/web'],
  flags,
  async run(call) {
    const { flags: given, args, factory } = call
    if (args.length === 0 && given.filename.length === 0) throw new Error(nothingNamed)
    for (const info of await fetchObjects(factory, { ...given, args, typesMeanAll: true })) await follow(call, info)
  },
})

async function follow({ flags: given, factory, out }: StatusContext, info: ResourceObject): Promise<void> {
  const { clock } = factory.environment
  let told = ''
  const isDone = async (object: JsonObject) => {
    const { message, isOver } = read(info, object, given.revision)
    if (message !== told) await out(message)
    told = message
    return isOver || !given.watch
  }
  const limit = given.timeout > 0 ? given.timeout : noTimeout
  try {
    await waitUntil(await factory.rest(), info, { clock, deadline: clock.monotonic() + limit, isDone })
  } catch (error) {
    throw error instanceof WaitTimeoutError ? new Error('timed out waiting for the condition', { cause: error }) : error
  }
}

function read(info: ResourceObject, object: JsonObject, revision: number): RolloutProgress {
  const read = progressOf(resourceName(info.resource))
  if (!read) throw new Error(`no status viewer has been implemented for ${info.resource.kind}`)
  const current = Number(metadataOf(object).annotations?.['deployment.kubernetes.io/revision'] ?? 0)
  if (revision > 0 && current !== revision)
    throw new Error(`desired revision (${revision}) is different from the running revision (${current})`)
  return read(object)
}
