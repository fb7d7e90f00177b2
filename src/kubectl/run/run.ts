import type { JsonObject, JsonValue } from '../../schema/declaration.js'
import { isObject } from '../../schema/json-value.js'
import { applyJsonPatch, type JsonPatchOperation } from '../../schema/patch/json-patch.js'
import { applyMergePatch } from '../../schema/patch/merge-patch.js'
import { withChangeCause, withLastApplied } from '../changes/change-flags.js'
import { command } from '../command.js'
import { dryRunOf, dryRunQuery, resultPrinter } from '../printers/result.js'
import { groupKindOf, resourcePath, withMetadata } from '../resources/resource-object.js'
import { type RunContext, runFlags } from './flags.js'
import { defaultGenerator, exposedService, generatorOf } from './generators.js'
import { parsePort, readRunOptions } from './options.js'

export const run = command({
  usage:
    '[NAME] --image=image [--env="key=value"] [--port=port] [--replicas=N] [--dry-run=server|client] [--overrides=inline-json] [--command] -- [COMMAND] [args...] [options]',
  about:
    'Run an image as a Deployment or, depending on --restart and --schedule, as a Job, Pod or CronJob. The default name is that of the image.',
  examples: [
    'kubectl run --image=nginx --replicas=3 --port=80 --expose',
    'kubectl run once --image=busybox --restart=Never -- echo hello',
    "kubectl run nightly --image=busybox --schedule='0 3 * * *' -- date",
  ],
  flags: runFlags,
  run: runImage,
})

async function runImage(call: RunContext): Promise<void> {
  const { flags } = call
  const options = readRunOptions(call)
  const dryRun = dryRunOf(flags)
  const generate = generatorOf(flags.generator === '' ? defaultGenerator(options) : flags.generator)
  const object = overridden(generate(options), flags.overrides, flags['override-type'])
  const printer = await resultPrinter(call, flags, dryRun, { isTyped: true })
  const made = await send(call, object)
  if (flags.expose) {
    if (flags['service-generator'] !== 'service/v1' && flags['service-generator'] !== 'service/v2')
      throw new Error(`generator "${flags['service-generator']}" not found`)
    const exposed = overridden(exposedService(options, parsePort(flags.port)), flags['service-overrides'], 'merge')
    await printer.print(await send(call, exposed), 'created')
    if (flags.output === 'yaml') await call.out('---\n')
  }
  if (flags.attach || flags.stdin || flags.tty) return (await import('./attach.js')).attachToRun(call, made)
  await printer.print(made, 'created')
}

function overridden(object: JsonObject, patch: string, type: string): JsonObject {
  if (patch === '') return object
  const parsed = parsedJson(patch)
  if (type !== 'json' && type !== 'merge') throw new Error(`invalid override type: ${type}`)
  const operations = parsed as unknown as readonly JsonPatchOperation[]
  const merged = type === 'json' ? applyJsonPatch(object, operations) : applyMergePatch(object, parsed)
  if (!isObject(merged)) throw new Error('overrides must be a JSON object')
  return merged
}

function parsedJson(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue
  } catch (error) {
    throw new Error('Invalid JSON Patch', { cause: error })
  }
}

/** Creates the object, unless it is a client-side dry run. */
async function send(call: RunContext, object: JsonObject): Promise<JsonObject> {
  const { flags, factory } = call
  const dryRun = dryRunOf(flags)
  const noted = flags.record ? withChangeCause(call, object) : object
  const { name: namespace, isGiven } = await factory.namespace()
  if (dryRun === 'client') return isGiven ? withMetadata(noted, { namespace }) : noted
  const resource = await (await factory.mapper()).kind(groupKindOf(object))
  const placed = withMetadata(noted, { namespace })
  const body = flags['save-config'] ? withLastApplied(placed, { isTyped: true }) : placed
  const query = { ...dryRunQuery(dryRun), fieldManager: flags['field-manager'] }
  return (await factory.rest()).json<JsonObject>({
    method: 'POST',
    path: resourcePath(resource, namespace),
    query,
    body,
  })
}
