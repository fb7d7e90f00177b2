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
  'save-config': boolean('Save the object in an annotation, for a later apply'),
} as const

type Shared = typeof sharedFlags

export type GeneratorContext<Table extends FlagTable> = CommandContext<Shared & Table>

interface GeneratorOptions<Table extends FlagTable> {
  readonly usage: string
  readonly about: string
  readonly examples: readonly string[]
  readonly flags: Table
  /** Required flags. */
  readonly required?: readonly (keyof Table & string)[]
  /** The text before an error of the server. Without it the error is reported as usual. */
  readonly failure?: string
  /** Builds the object from the line. Throws if the line is wrong. Sends only the requests that are needed to understand the line. */
  readonly build: (call: GeneratorContext<Table>, name: string) => JsonObject | Promise<JsonObject>
}

/** The creation timestamp of an object that was never sent. */
export const noTimestamp = { creationTimestamp: null } as const

/** Defines `kubectl create X NAME`, which builds an object from flags and sends it. */
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

/** Cluster-scoped kinds. They are listed here because a client-side dry run sends no requests. */
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

/** Returns the only argument. Arguments after `--` are a command and do not count. */
export function nameOf({ args, dash, path }: Pick<CommandContext<FlagTable>, 'args' | 'dash' | 'path'>): string {
  const count = dash ?? args.length
  if (count === 1) return args[0]!
  throw new CommandUsageError(path, `exactly one NAME is required, got ${count}`)
}

/** Adds the empty fields that upstream always writes, because its types have them. They are the fields that were sent empty. */
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

/** Removes duplicates and keeps the order. */
export function unique(list: readonly string[]): readonly string[] {
  return [...new Set(list)]
}

/** Returns a number if the text is one: a port may also be a name, and an amount a percentage. */
export function numberOrText(text: string): number | string {
  return /^[-+]?\d+$/.test(text) ? Number(text) : text
}
