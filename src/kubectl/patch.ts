import { resolve } from 'node:path'
import { boolean, text } from '../base/flags/flag-types.js'
import type { JsonObject, JsonValue } from '../schema/declaration.js'
import { isList, sameJson } from '../schema/json-value.js'
import { applyJsonPatch, type JsonPatchOperation } from '../schema/patch/json-patch.js'
import { applyMergePatch } from '../schema/patch/merge-patch.js'
import { applyStrategicPatch } from '../schema/patch/strategic-patch.js'
import { parseYaml } from '../wire/yaml.js'
import { managerFlag, recordFlag } from './changes/change-flags.js'
import { PatchTypes } from './changes/patch-types.js'
import { type CommandContext, command } from './command.js'
import { errorMessage } from './command-errors.js'
import { outputFlags } from './printers/output.js'
import { dryRunFlag, dryRunOf, dryRunQuery, resultPrinter } from './printers/result.js'
import { fetchObjects } from './resources/fetch.js'
import { objectPath, type ResourceObject } from './resources/resource-object.js'
import { fileFlags, select } from './resources/selection.js'

const flags = {
  ...fileFlags,
  ...outputFlags,
  ...dryRunFlag,
  ...recordFlag,
  ...managerFlag('kubectl-patch'),
  local: boolean('Change the objects of the files locally, without the server'),
  patch: text('The patch, as JSON or YAML', { short: 'p' }),
  'patch-file': text('File with the patch'),
  subresource: text('Patch this subresource of the object: status, scale'),
  type: text('Type of the patch: json, merge or strategic', { initial: 'strategic' }),
} as const

type PatchContext = CommandContext<typeof flags>

const types = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const

type PatchType = keyof typeof types

export const patch = command({
  usage: '(-f FILENAME | TYPE NAME) [-p PATCH|--patch-file FILE] [options]',
  about: 'Change fields of objects with a strategic merge patch, a JSON merge patch or a JSON patch.',
  examples: [
    `kubectl patch deployment web -p '{"spec":{"replicas":3}}'`,
    `kubectl patch cm one --type=json -p '[{"op":"remove","path":"/data/a"}]'`,
  ],
  flags,
  run: runPatch,
})

async function runPatch(call: PatchContext): Promise<void> {
  const { flags: given, args, factory } = call
  const type = check(call)
  const body = await patchBody(call)
  const dryRun = dryRunOf(given)
  const printer = await resultPrinter(call, given, 'none') // a dry run is not told apart here
  const selection = { ...given, args }
  const infos = given.local
    ? (await select(factory, selection)).manifests
    : await fetchObjects(factory, { ...selection, subresource: given.subresource })
  for (const info of infos) {
    const object =
      given.local || dryRun === 'client'
        ? await patchedHere(call, info, { type, body })
        : await sent(call, info, { type, body })
    await printer.print(object, sameJson(object, info.object) ? 'patched (no change)' : 'patched')
  }
}

function check({ flags: given }: PatchContext): PatchType {
  if (!Object.hasOwn(types, given.type))
    throw new Error(`--type must be one of [json merge strategic], not ${JSON.stringify(given.type)}`)
  if ((given.patch === '') === (given['patch-file'] === ''))
    throw new Error(
      given.patch === ''
        ? 'must specify --patch or --patch-file containing the contents of the patch'
        : 'cannot specify --patch and --patch-file together',
    )
  return given.type as PatchType
}

async function patchBody({ flags: given, factory }: PatchContext): Promise<JsonValue | Uint8Array> {
  const { host } = factory.environment
  const source =
    given.patch === '' ? await host.files.read(resolve(host.workingDirectory, given['patch-file'])) : given.patch
  if (source.trimStart().startsWith('{')) return parsedOrRaw(source)
  try {
    return (await parseYaml(source)).value as JsonValue
  } catch (error) {
    throw new Error(
      `unable to parse ${JSON.stringify(source)}: ${errorMessage(error).replace('yaml: line 1: ', 'yaml: ')}`,
      { cause: error },
    )
  }
}

/** Invalid JSON is sent as it is, so that the server reports the error. */
function parsedOrRaw(source: string): JsonValue | Uint8Array {
  try {
    return JSON.parse(source) as JsonValue
  } catch (error) {
    if (error instanceof SyntaxError) return Buffer.from(source)
    throw error
  }
}

interface Patching {
  readonly type: PatchType
  readonly body: JsonValue | Uint8Array
}

async function sent(
  { flags: given, factory }: PatchContext,
  info: ResourceObject,
  { type, body }: Patching,
): Promise<JsonObject> {
  const query = { ...dryRunQuery(dryRunOf(given)), fieldManager: given['field-manager'] }
  const path = objectPath(info, given.subresource)
  return (await factory.rest()).json<JsonObject>({ method: 'PATCH', path, query, body, contentType: types[type] })
}

/** Applies the patch locally. */
async function patchedHere(
  { factory }: PatchContext,
  info: ResourceObject,
  { type, body }: Patching,
): Promise<JsonObject> {
  if (type === 'merge') return applyMergePatch(info.object, body as JsonValue) as JsonObject
  if (type === 'json') {
    if (!isList(body)) throw new Error('a JSON patch is a list of operations')
    return applyJsonPatch(info.object, body as unknown as readonly JsonPatchOperation[]) as JsonObject
  }
  const schema = await new PatchTypes(await factory.rest()).typeOf(info)
  if (!schema) throw new Error('strategic merge patches are not supported for this kind')
  return applyStrategicPatch(schema, info.object, body as JsonObject)
}
