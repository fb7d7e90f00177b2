import { ApiError } from '../../api/errors.js'
import { boolean } from '../../base/flags/flag-types.js'
import type { FlagTable } from '../../base/flags/flags.js'
import type { JsonObject, JsonValue } from '../../schema/declaration.js'
import { isList, isObject } from '../../schema/json-value.js'
import { changeFlags, fieldValidationOf, managerFlag, withLastApplied } from '../changes/change-flags.js'
import { type Command, type CommandContext, command } from '../command.js'
import { CommandUsageError } from '../command-errors.js'
import { outputFlags } from '../printers/output.js'
import { dryRunOf, dryRunQuery, resultPrinter } from '../printers/result.js'
import { groupKindOf, resourcePath, withMetadata } from '../resources/resource-object.js'

const sharedFlags = {
  ...outputFlags,
  ...changeFlags,
  ...managerFlag('kubectl-create'),
  'save-config': boolean('Note in an annotation what was created, so that apply can go on from it'),
} as const

type Shared = typeof sharedFlags

export type GeneratorContext<Table extends FlagTable> = CommandContext<Shared & Table>

interface GeneratorOptions<Table extends FlagTable> {
  readonly usage: string
  readonly about: string
  readonly examples: readonly string[]
  readonly flags: Table
  /** Flags that must be given. */
  readonly required?: readonly (keyof Table & string)[]
  /** What goes before a refusal of the server; without it the refusal is told as any other. */
  readonly failure?: string
  /** Makes the object of what was typed. Throws what is wrong with that; the server is asked for no more than is needed to understand it. */
  readonly build: (call: GeneratorContext<Table>, name: string) => JsonObject | Promise<JsonObject>
}

/** A time that is not known yet, as objects that were never sent have it. */
export const noTimestamp = { creationTimestamp: null } as const

/** `kubectl create X NAME`: makes one object out of flags and sends it. */
export function generator<Table extends FlagTable>(parts: GeneratorOptions<Table>): Command {
  const { usage, about, examples, flags } = parts
  const run = (call: GeneratorContext<Table>) => generate(parts, call)
  return command<Shared & Table>({ usage, about, examples, flags: { ...sharedFlags, ...flags }, run })
}

async function generate<Table extends FlagTable>(parts: GeneratorOptions<Table>, call: GeneratorContext<Table>) {
  const given = call.flags as GeneratorContext<FlagTable>['flags']
  requireFlags(call, parts.required ?? [])
  const name = nameOf(call)
  const dryRun = dryRunOf(given)
  const fieldValidation = fieldValidationOf(given)
  const printer = await resultPrinter(call, given, dryRun, { isTyped: true })
  const { name: namespace, isGiven } = await call.factory.namespace()
  const built = await parts.build(call, name)
  const isPlaced = isGiven && !clusterWide.has(String(built.kind))
  const placed = isPlaced ? withMetadata(built, { namespace }) : built
  const object = given['save-config'] ? withLastApplied(placed, { isTyped: true }) : placed
  if (dryRun === 'client') return printer.print(object, 'created')
  const query = { ...dryRunQuery(dryRun), fieldManager: given['field-manager'], fieldValidation }
  const answer = await send(call, object, query).catch((error: unknown) => {
    if (parts.failure === undefined || !(error instanceof ApiError)) throw error
    throw new Error(`${parts.failure}${error.message}`, { cause: error })
  })
  await printer.print(withZeros(answer, object) as JsonObject, 'created')
}

/** Kinds whose objects are in no namespace. They are known before the server is asked: nothing is sent for a dry run on this side. */
const clusterWide: ReadonlySet<string> = new Set(['Namespace', 'ClusterRole', 'ClusterRoleBinding', 'PriorityClass'])

async function send(
  { factory }: Pick<CommandContext<FlagTable>, 'factory'>,
  body: JsonObject,
  query: Readonly<Record<string, string>>,
): Promise<JsonObject> {
  const resource = await (await factory.mapper()).kind(groupKindOf(body))
  const { name: namespace } = await factory.namespace()
  const path = resourcePath(resource, namespace)
  return (await factory.rest()).json<JsonObject>({ method: 'POST', path, query, body })
}

export function requireFlags({ isSet }: { isSet(name: string): boolean }, names: readonly string[]): void {
  const missing = names.filter((name) => !isSet(name)).sort()
  if (missing.length === 0) return
  throw new Error(`required flag(s) ${missing.map((name) => `"${name}"`).join(', ')} not set`)
}

/** The one argument; what stands behind `--` is a command and does not count. */
export function nameOf({ args, dash, path }: Pick<CommandContext<FlagTable>, 'args' | 'dash' | 'path'>): string {
  const count = dash ?? args.length
  if (count === 1) return args[0]!
  throw new CommandUsageError(path, `exactly one NAME is required, got ${count}`)
}

/**
 * With what the original writes even where it is empty: it reads an answer into its own types, and those have fields that are always
 * there. They are the ones that are empty in what was sent.
 */
function withZeros(answer: JsonValue, sent: JsonValue): JsonValue {
  if (isList(answer) && isList(sent)) return answer.map((item, index) => withZeros(item, sent[index] ?? null))
  if (!isObject(answer) || !isObject(sent)) return answer
  const filled: Record<string, JsonValue> = { ...answer }
  for (const [key, value] of Object.entries(sent)) {
    const isZero = value === null || (isObject(value) && Object.keys(value).length === 0)
    if (filled[key] !== undefined) filled[key] = withZeros(filled[key], value!)
    else if (isZero) filled[key] = value!
  }
  return filled
}

/** Of a list, each thing once, in the order in which they came. */
export function unique(list: readonly string[]): readonly string[] {
  return [...new Set(list)]
}

/** A port or a percentage is a number where it can be read as one. */
export function numberOrText(text: string): number | string {
  return /^[-+]?\d+$/.test(text) ? Number(text) : text
}
