import { ApiError } from '../../api/errors.js'
import { boolean, text } from '../../base/flags/flag-types.js'
import type { FlagTable } from '../../base/flags/flags.js'
import type { JsonObject } from '../../schema/declaration.js'
import { objectIn } from '../../schema/json-value.js'
import { managerFlag, recordFlag, withChangeCause } from '../changes/change-flags.js'
import { sendChange } from '../changes/send-change.js'
import type { CommandContext } from '../command.js'
import { throwAll } from '../command-errors.js'
import { outputFlags } from '../printers/output.js'
import { dryRunFlag, dryRunOf, resultPrinter } from '../printers/result.js'
import { fetchWhatCanBeHad } from '../resources/fetch.js'
import { kindName, type ResourceObject } from '../resources/resource-object.js'
import { fileFlags, rejectAllWithSelector, select } from '../resources/selection.js'

/** The flags of the commands that change containers. */
export const setFlags = (manager: string) =>
  ({
    ...fileFlags,
    ...outputFlags,
    ...dryRunFlag,
    ...recordFlag,
    ...managerFlag(manager),
    all: boolean('Select all objects of the given types'),
    local: boolean('Change the objects of the files locally, without the server'),
    selector: text('Select objects by labels', { short: 'l' }),
  }) as const

export type ChangedContainer = JsonObject & { readonly name: string }

/** The paths of pod specs in objects. */
const podSpecPaths: readonly (readonly string[])[] = [
  ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
  ['spec', 'template', 'spec'],
  ['spec'],
]

/** Returns undefined for objects without a pod spec. */
export function podSpecPath(object: JsonObject): readonly string[] | undefined {
  return podSpecPaths.find((path) => Array.isArray(inside(object, path)?.containers))
}

export function inside(object: JsonObject, path: readonly string[]): JsonObject | undefined {
  return path.reduce<JsonObject | undefined>((found, key) => found && objectIn(found, key), object)
}

/** Returns a copy with another value at a path. */
export function replaced(object: JsonObject, path: readonly string[], value: JsonObject): JsonObject {
  const [key, ...rest] = path
  if (key === undefined) return value
  return { ...object, [key]: replaced(objectIn(object, key) ?? {}, rest, value) }
}

type SetContext = CommandContext<ReturnType<typeof setFlags> & FlagTable>

/** Changes the pod specs of objects one after another. `change` throws if it does not apply to an object. */
export async function changePodSpecs(
  call: SetContext,
  resources: readonly string[],
  outcome: string,
  change: (spec: JsonObject, info: ResourceObject) => JsonObject | Promise<JsonObject>,
): Promise<void> {
  const { flags, factory } = call
  rejectAllWithSelector(flags)
  const dryRun = dryRunOf(flags)
  const printer = await resultPrinter(call, flags, dryRun)
  const { infos, errors } = await found(call, resources)
  const failures: unknown[] = [...errors]
  for (const info of infos)
    try {
      const wanted = await changedObject(info, change)
      const noted = flags.record ? withChangeCause(call, wanted) : wanted
      const options = { dryRun, manager: flags['field-manager'] }
      const { object, isChanged } = flags.local
        ? { object: noted, isChanged: true }
        : await sendChange(factory, info, noted, options)
      if (isChanged || flags.output !== '') await printer.print(object, outcome)
    } catch (error) {
      failures.push(asFailure(error, outcome))
    }
  throwAll(failures)
}

/** Adds the failed operation to an error of the server. */
function asFailure(error: unknown, outcome: string): unknown {
  if (!(error instanceof ApiError)) return error
  const what = outcome.replace(/ updated$/, '').replace('resource requirements', 'resources')
  return new Error(`failed to patch ${what} update to pod template ${error.message}`, { cause: error })
}

async function found({ flags, factory }: SetContext, resources: readonly string[]) {
  const selection = { ...flags, args: resources }
  if (!flags.local) return fetchWhatCanBeHad(factory, selection)
  const { manifests, errors } = await select(factory, selection)
  return { infos: manifests, errors }
}

async function changedObject(
  info: ResourceObject,
  change: (spec: JsonObject, info: ResourceObject) => JsonObject | Promise<JsonObject>,
) {
  const path = podSpecPath(info.object)
  if (!path) throw new Error(`${kindName(info.resource)}/${info.name} does not describe pods`)
  return replaced(info.object, path, await change(inside(info.object, path)!, info))
}

export function containersInPodSpec(
  spec: JsonObject,
  field: 'containers' | 'initContainers' = 'containers',
): readonly ChangedContainer[] {
  return (spec[field] ?? []) as unknown as readonly ChangedContainer[]
}

/** Whether a name matches a pattern with `*`. */
export function matchesName(name: string, pattern: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`).test(name)
}
