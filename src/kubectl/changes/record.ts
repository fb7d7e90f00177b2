import type { FlagTable } from '../../base/flags/flags.js'
import type { JsonObject } from '../../schema/declaration.js'
import type { CommandContext } from '../command.js'
import { metadataOf, withMetadata } from '../resources/info.js'
import { changeCause } from './change-flags.js'

/** With the line that was typed, as `--record` wants it. */
export function recorded<Table extends FlagTable>(
  { line }: Pick<CommandContext<Table>, 'line'>,
  object: JsonObject,
): JsonObject {
  const { annotations } = metadataOf(object)
  return withMetadata(object, { annotations: { ...annotations, [changeCause]: line } })
}
