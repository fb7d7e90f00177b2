import { declarationsIn } from '../../schema/declaration.js'
import { decodeValue } from '../../schema/decode/decoder.js'
import { setDefaults } from '../../schema/defaults.js'
import { Scheme } from '../../schema/scheme.js'
import type { SchedulerPluginDeclaration } from '../framework/declaration.js'
import { configurationVersion } from '../framework/plugin-arguments.js'
import { pluginRegistry } from '../plugins/registry.js'
import * as declarations from './declarations.js'

const argumentTypes = new Set(
  [...pluginRegistry.values()].flatMap((plugin) =>
    plugin.arguments ? [plugin.arguments.schema, ...(plugin.arguments.types ?? [])] : [],
  ),
)

/** The types of configuration files. Not the whole API: it would take longer to load than all the rest of a start. */
const scheme = new Scheme({ declarations: [...declarationsIn([declarations]), ...argumentTypes], groups: [] })

/** Decodes one of the types of `declarations.ts`, with defaults. Throws `DecodeError`, also for unknown fields. */
export function decodeConfiguration<T extends object>(kind: string, value: unknown): T {
  return decode(`${configurationVersion}.${kind}`, value)
}

/** Decodes the arguments of a plugin that has any, with defaults. */
export function decodeArguments(plugin: SchedulerPluginDeclaration, value: unknown): object {
  return decode(plugin.arguments!.schema.name, value)
}

function decode<T extends object>(name: string, value: unknown): T {
  const type = scheme.type(name)
  const { object } = decodeValue(type, value ?? {}, 'Strict')
  setDefaults(type, object)
  return object as T
}
