import { boolean, repeated, signedDuration, text } from '../../base/flags/flag-types.js'
import type { JsonObject } from '../../schema/declaration.js'
import { objectIn } from '../../schema/json-value.js'
import { type CommandContext, command } from '../command.js'
import { throwAll } from '../command-errors.js'
import { isNotFound } from '../factory/rest.js'
import { outputFlags } from '../printers/output.js'
import { resultPrinter } from '../printers/result.js'
import { fetchWhatCanBeHad } from '../resources/fetch.js'
import { metadataOf, type ResourceObject } from '../resources/resource-object.js'
import { fileFlags, select } from '../resources/selection.js'
import { noTimeout, waitUntilDeleted } from './deletion.js'
import { waitUntil } from './wait-until.js'

const flags = {
  ...fileFlags,
  ...outputFlags,
  all: boolean('Select all objects of the given types'),
  'all-namespaces': boolean('Select objects in all namespaces', { short: 'A' }),
  'field-selector': text('Select objects by fields'),
  for: repeated('create, delete, condition=name[=value], or jsonpath={path}[=value]'),
  local: boolean('Send no requests to the server'),
  selector: text('Select objects by labels', { short: 'l' }),
  timeout: signedDuration('How long to wait; 0 checks once, a negative value waits a week', { initial: 30_000 }),
} as const

type WaitContext = CommandContext<typeof flags>

export const wait = command({
  usage:
    '([-f FILENAME] | resource.group/resource.name | resource.group [(-l label | --all)]) [--for=create|--for=delete|--for condition=available|--for=jsonpath={}[=value]] [options]',
  about: 'Wait until objects are created or deleted, or have a condition or value.',
  examples: [
    'kubectl wait --for=condition=Ready pod/web',
    'kubectl wait --for=delete pod/web --timeout=60s',
    "kubectl wait --for=jsonpath='{.status.phase}'=Running pod/web",
  ],
  flags,
  run: runWait,
})

type Done = (object: JsonObject) => boolean

async function runWait(call: WaitContext): Promise<void> {
  const { flags: given } = call
  if (given.for.length === 0) throw new Error('unrecognized condition: ""')
  for (const condition of given.for) {
    if (condition.toLowerCase() === 'delete') await waitForDeletion(call)
    else if (condition.toLowerCase() === 'create') await waitForCreation(call)
    else await waitForCondition(call, await readCondition(condition))
  }
}

function limitOf({ flags: given, factory }: WaitContext) {
  const { clock } = factory.environment
  const limit = given.timeout < 0 ? noTimeout : given.timeout
  return { clock, deadline: clock.monotonic() + limit }
}

async function readCondition(textual: string): Promise<Done> {
  if (textual.startsWith('condition=')) return conditionTest(textual.slice('condition='.length))
  if (!textual.startsWith('jsonpath=')) throw new Error(`unrecognized condition: "${textual}"`)
  const { valuesAt } = await import('../printers/json-path/json-path.js')
  const [, path = '', value] = /^('?\{[\s\S]*\}'?|[^=]*)(?:=([\s\S]*))?$/.exec(textual.slice('jsonpath='.length))!
  if (value === '')
    throw new Error(
      "jsonpath wait has to have a value after equal sign, like --for=jsonpath='{.status.readyReplicas}'=3",
    )
  const wanted = value === undefined ? undefined : value.replace(/^(['"])(.*)\1$/, '$2')
  const values = valuesAt(path.replace(/^'|'$/g, ''))
  return (object) => {
    const found = values(object)
    if (found.length === 0) return false
    if (found.length > 1) throw new Error('given jsonpath expression matches more than one value')
    if (typeof found[0] === 'object')
      throw new Error('jsonpath leads to a nested object or list which is not supported')
    return wanted === undefined || String(found[0]) === wanted
  }
}

/** Ignores a status that was observed for an older generation. */
function conditionTest(textual: string): Done {
  const [name = '', value = 'true'] = textual.split('=')
  return (object) => {
    const status = objectIn(object, 'status') ?? {}
    const conditions = (status.conditions ?? []) as readonly {
      type: string
      status: string
      observedGeneration?: number
    }[]
    const found = conditions.find(({ type }) => type.toLowerCase() === name.toLowerCase())
    const { generation = 0 } = metadataOf(object)
    const observed = found?.observedGeneration ?? (status.observedGeneration as number | undefined)
    if (!found || (observed !== undefined && observed < generation)) return false
    return found.status.toLowerCase() === value.toLowerCase()
  }
}

async function infosOf(call: WaitContext): Promise<readonly ResourceObject[]> {
  const { flags: given, args, factory } = call
  const { infos, errors } = await fetchWhatCanBeHad(factory, { ...given, args })
  throwAll(errors)
  if (infos.length === 0) throw new Error('no matching resources found')
  return infos
}

async function waitForCondition(call: WaitContext, isDone: Done): Promise<void> {
  const { flags: given, factory } = call
  const rest = await factory.rest()
  const printer = await resultPrinter(call, given, 'none')
  const errors: unknown[] = []
  const limit = limitOf(call)
  for (const info of await infosOf(call))
    try {
      await printer.print(await waitUntil(rest, info, { ...limit, isDone }), 'condition met')
    } catch (error) {
      errors.push(error)
    }
  throwAll(errors)
}

/** Waits until the objects are gone. Missing objects count as gone. */
async function waitForDeletion(call: WaitContext): Promise<void> {
  const { flags: given, args, factory } = call
  const rest = await factory.rest()
  const printer = await resultPrinter(call, given, 'none')
  const { infos, errors } = await fetchWhatCanBeHad(factory, { ...given, args })
  throwAll(errors.filter((error) => !isNotFound(error)))
  const limit = limitOf(call)
  const failures: unknown[] = []
  for (const info of infos)
    try {
      await waitUntilDeleted(rest, info, { ...limit, uid: metadataOf(info.object).uid })
      await printer.print(info.object, 'condition met')
    } catch (error) {
      failures.push(error)
    }
  throwAll(failures)
}

async function waitForCreation(call: WaitContext): Promise<void> {
  const { flags: given, args, factory } = call
  const { clock, deadline } = limitOf(call)
  const rest = await factory.rest()
  const { sleep } = await import('../../base/clock.js')
  const { resourcePath: pathOf } = await import('../resources/resource-object.js')
  const printer = await resultPrinter(call, given, 'none')
  const { targets } = await select(factory, { ...given, args })
  for (const { resource, namespace, name } of targets) {
    if (name === '') throw new Error('resource name must be provided')
    for (;;) {
      const object = await rest
        .json<JsonObject>({ path: pathOf(resource, namespace, name) })
        .catch((error: unknown) => {
          if (!isNotFound(error)) throw error
        })
      if (object) {
        await printer.print(object, 'condition met')
        break
      }
      if (clock.monotonic() >= deadline) throw new Error('timed out waiting for the condition')
      await sleep(clock, 500)
    }
  }
}
