import { boolean } from '../../base/flags/flag-types.js'
import type { JsonObject } from '../../schema/declaration.js'
import { lastAppliedAnnotation } from '../changes/change-flags.js'
import { type CommandContext, command } from '../command.js'
import { jsonText } from '../printers/json.js'
import { outputFlags } from '../printers/output.js'
import { dryRunFlag, dryRunOf, dryRunQuery, resultPrinter } from '../printers/result.js'
import { metadataOf, objectPath, type ResourceObject } from '../resources/resource-object.js'
import { fileFlags, select } from '../resources/selection.js'

const flags = {
  ...outputFlags,
  ...dryRunFlag,
  filename: fileFlags.filename,
  'create-annotation': boolean('Create the annotation if the object has none'),
} as const

type SetLastAppliedContext = CommandContext<typeof flags>

export const setLastApplied = command({
  usage: '-f FILENAME [options]',
  about: 'Set the last applied configuration of objects to the content of files. Nothing else of the objects changes.',
  examples: [
    'kubectl apply set-last-applied -f web.yaml',
    'kubectl apply set-last-applied -f folder/ --create-annotation',
  ],
  flags,
  run: runSetLastApplied,
})

async function runSetLastApplied(call: SetLastAppliedContext): Promise<void> {
  const { flags: given, factory } = call
  const dryRun = dryRunOf(given)
  const printer = await resultPrinter(call, given, dryRun)
  const { manifests, errors } = await select(factory, given)
  if (errors.length > 0) throw errors[0]
  const rest = await factory.rest()
  const changes: { readonly info: ResourceObject; readonly live: JsonObject }[] = []
  for (const info of manifests) {
    const live = await rest.json<JsonObject>({ path: objectPath(info) })
    if (await mustChange(call, info, live)) changes.push({ info, live })
  }
  for (const { info, live } of changes) {
    const request = { ...lastAppliedPatch(info.object), path: objectPath(info), query: dryRunQuery(dryRun) }
    await printer.print(dryRun === 'client' ? live : await rest.json<JsonObject>(request), 'configured')
  }
}

async function mustChange(
  { flags: given, out }: SetLastAppliedContext,
  info: ResourceObject,
  live: JsonObject,
): Promise<boolean> {
  const before = metadataOf(live).annotations?.[lastAppliedAnnotation]
  if (before === undefined && !given['create-annotation'])
    throw new Error(
      `no last-applied-configuration annotation found on resource: ${info.name}, to create the annotation, run the command with --create-annotation`,
    )
  if (before !== appliedText(info.object)) return true
  await out(`set-last-applied ${info.name}: no changes required.\n`)
  return false
}

function appliedText(object: JsonObject): string {
  return `${jsonText(object)}\n`
}

/** Returns the request that sets the last applied configuration, without its path. */
export function lastAppliedPatch(object: JsonObject) {
  const body = { metadata: { annotations: { [lastAppliedAnnotation]: appliedText(object) } } }
  return { method: 'PATCH', contentType: 'application/merge-patch+json', body } as const
}
