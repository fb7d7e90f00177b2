import { boolean, signedDuration, signedInteger, text } from '../base/flags/flag-types.js'
import type { JsonObject } from '../schema/declaration.js'
import { changeFlags, fieldValidationOf, managerFlag, withLastApplied } from './changes/change-flags.js'
import { type CommandContext, command } from './command.js'
import { throwAll } from './command-errors.js'
import { isNotFound } from './factory/rest.js'
import { outputFlags } from './printers/output.js'
import { dryRunOf, dryRunQuery, resultPrinter } from './printers/result.js'
import {
  kindName,
  metadataOf,
  objectPath,
  type ResourceObject,
  resourcePath,
  withMetadata,
} from './resources/resource-object.js'
import { fileFlags, requireFiles, select, withFileContext } from './resources/selection.js'
import { noTimeout, waitUntilDeleted } from './wait/deletion.js'

const flags = {
  ...fileFlags,
  ...outputFlags,
  ...changeFlags,
  ...managerFlag('kubectl-replace'),
  cascade: text('With --force: how dependents are deleted: background, orphan or foreground', {
    initial: 'background',
    bare: 'background',
  }),
  force: boolean('Delete the object and create it again'),
  'grace-period': signedInteger('With --force: grace period in seconds', { initial: -1 }),
  'save-config': boolean('Save the object in an annotation, for a later apply'),
  subresource: text('Replace this subresource of the object: status, scale'),
  timeout: signedDuration('With --force: how long to wait for the deletion'),
  wait: boolean('With --force: wait until the object is deleted'),
} as const

type ReplaceContext = CommandContext<typeof flags>

export const replace = command({
  usage: '-f FILENAME [options]',
  about: 'Replace objects with the content of files or standard input.',
  examples: ['kubectl replace -f web.yaml', 'kubectl replace --force -f web.yaml'],
  flags,
  run: runReplace,
})

async function runReplace(call: ReplaceContext): Promise<void> {
  const { flags: given, factory } = call
  requireFiles(call)
  if (given['grace-period'] >= 0 && !given.force) throw new Error('--grace-period must have --force specified')
  if (given.timeout !== 0 && !given.force) throw new Error('--timeout must have --force specified')
  const dryRun = dryRunOf(given)
  const validation = fieldValidationOf(given)
  const printer = await resultPrinter(call, given, dryRun)
  const { manifests, errors: refused } = await select(factory, given)
  if (manifests.length === 0 && refused.length === 0) throw new Error('no objects passed to replace')
  const query = { ...dryRunQuery(dryRun), fieldManager: given['field-manager'], fieldValidation: validation }
  const errors = [...refused]
  if (given.force) await removeAll(call, manifests)
  for (const info of manifests)
    try {
      await printer.print(await replaceOne(call, info, query), 'replaced')
    } catch (error) {
      errors.push(given.force ? error : withFileContext('replacing', info, error))
    }
  throwAll(errors)
}

type ReplaceQuery = Readonly<Record<string, string>>

async function replaceOne(call: ReplaceContext, info: ResourceObject, query: ReplaceQuery): Promise<JsonObject> {
  const { flags: given, factory } = call
  const wanted = given['save-config'] ? withLastApplied(info.object) : info.object
  if (dryRunOf(given) === 'client') return wanted
  const rest = await factory.rest()
  if (given.force)
    return rest.json<JsonObject>({
      method: 'POST',
      path: resourcePath(info.resource, info.namespace),
      query,
      body: wanted,
    })
  const path = objectPath(info, given.subresource)
  const { resourceVersion } = metadataOf(wanted)
  const current = resourceVersion === undefined ? await rest.json<JsonObject>({ path }) : wanted
  const body = withMetadata(wanted, { resourceVersion: metadataOf(current).resourceVersion })
  return rest.json<JsonObject>({ method: 'PUT', path, query, body })
}

async function removeAll(
  { flags: given, factory, out }: ReplaceContext,
  infos: readonly ResourceObject[],
): Promise<void> {
  const rest = await factory.rest()
  const { clock } = factory.environment
  const grace = given['grace-period'] >= 0 ? { gracePeriodSeconds: given['grace-period'] } : {}
  const body = { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Background', ...grace }
  for (const info of infos)
    try {
      await rest.json({ method: 'DELETE', path: objectPath(info), body })
      await out(`${kindName(info.resource)} "${info.name}" deleted\n`)
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  const limit = given.timeout > 0 ? given.timeout : noTimeout
  for (const info of infos) await waitUntilDeleted(rest, info, { clock, deadline: clock.monotonic() + limit })
}
