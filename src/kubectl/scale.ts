import { boolean, signedDuration, signedInteger, text } from '../base/flags/flag-types.js'
import type { JsonObject } from '../schema/declaration.js'
import { objectIn } from '../schema/json-value.js'
import { recordFlag } from './changes/change-flags.js'
import { type CommandContext, command } from './command.js'
import { errorMessage, throwAll } from './command-errors.js'
import { outputFlags } from './printers/output.js'
import { dryRunFlag, dryRunOf, dryRunQuery, resultPrinter } from './printers/result.js'
import { fetchWhatCanBeHad } from './resources/fetch.js'
import { metadataOf, objectPath, type ResourceObject } from './resources/resource-object.js'
import { fileFlags } from './resources/selection.js'

const flags = {
  ...fileFlags,
  ...outputFlags,
  ...dryRunFlag,
  ...recordFlag,
  all: boolean('Select all objects of the given types'),
  'current-replicas': signedInteger('Scale only if this is the current number of replicas', { initial: -1 }),
  replicas: signedInteger('The new number of replicas'),
  'resource-version': text('Change the object only if it has this resource version'),
  selector: text('Select objects by labels', { short: 'l' }),
  timeout: signedDuration('How long to wait for the new number of replicas; 0 does not wait'),
} as const

type ScaleContext = CommandContext<typeof flags>

export const scale = command({
  usage: '[--resource-version=version] [--current-replicas=count] --replicas=COUNT (-f FILENAME | TYPE NAME) [options]',
  about: 'Set the number of replicas of a deployment, replica set, replication controller or stateful set.',
  examples: ['kubectl scale --replicas=3 deployment/web', 'kubectl scale --current-replicas=2 --replicas=3 deploy/web'],
  flags,
  run: runScale,
})

async function runScale(call: ScaleContext): Promise<void> {
  const { flags: given, args, isSet, factory } = call
  if (!isSet('replicas')) throw new Error('required flag(s) "replicas" not set')
  if (given.replicas < 0)
    throw new Error('The --replicas=COUNT flag is required, and COUNT must be greater than or equal to 0')
  if (given['current-replicas'] < -1) throw new Error('The --current-replicas must specify an integer of -1 or greater')
  const dryRun = dryRunOf(given)
  const printer = await resultPrinter(call, given, dryRun)
  const { infos, errors } = await fetchWhatCanBeHad(factory, { ...given, args })
  if (infos.length === 0 && errors.length > 0)
    throw new Error(`no objects passed to scale ${errors.map(errorMessage).join(', ')}`)
  for (const info of infos) {
    if (dryRun !== 'client') await scaleOne(call, info)
    await printer.print(info.object, 'scaled')
  }
  throwAll(errors)
}

async function scaleOne(call: ScaleContext, info: ResourceObject): Promise<void> {
  const { flags: given, factory } = call
  const rest = await factory.rest()
  const path = objectPath(info, 'scale')
  const query = dryRunQuery(dryRunOf(given))
  const hasCondition = given['current-replicas'] !== -1 || given['resource-version'] !== ''
  if (hasCondition) {
    const current = await rest.json<JsonObject>({ path })
    checkConditions(call, current)
    const spec = { ...objectIn(current, 'spec'), replicas: given.replicas }
    await rest.json({ method: 'PUT', path, query, body: { ...current, spec } })
  } else {
    const body = { spec: { replicas: given.replicas } }
    await rest.json({ method: 'PATCH', path, query, body, contentType: 'application/merge-patch+json' })
  }
  if (given.timeout > 0 && dryRunOf(given) === 'none') await untilScaled(call, info)
}

function checkConditions({ flags: given }: ScaleContext, current: JsonObject): void {
  const replicas = Number(objectIn(current, 'spec')?.replicas ?? 0)
  const { resourceVersion = '' } = metadataOf(current)
  if (given['current-replicas'] !== -1 && replicas !== given['current-replicas'])
    throw new Error(`Expected replicas to be ${given['current-replicas']}, was ${replicas}`)
  if (given['resource-version'] !== '' && resourceVersion !== given['resource-version'])
    throw new Error(`Expected resource version to be ${given['resource-version']}, was ${resourceVersion}`)
}

async function untilScaled({ flags: given, factory }: ScaleContext, info: ResourceObject): Promise<void> {
  const { clock } = factory.environment
  const { waitUntil } = await import('./wait/wait-until.js')
  const isScaled = (object: JsonObject) => {
    const status = objectIn(object, 'status') ?? {}
    return (
      Number(status.replicas ?? 0) === given.replicas &&
      Number(status.observedGeneration ?? 0) >= (metadataOf(object).generation ?? 0)
    )
  }
  await waitUntil(await factory.rest(), info, {
    clock,
    deadline: clock.monotonic() + given.timeout,
    isDone: isScaled,
  })
}
