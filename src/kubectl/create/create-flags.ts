import { boolean, text } from '../../base/flags/flag-types.js'
import { changeFlags, managerFlag, recordFlag } from '../changes/change-flags.js'
import type { CommandContext } from '../command.js'
import { lineEndingsFlag } from '../edit/flags.js'
import { outputFlags } from '../printers/output.js'
import { fileFlags } from '../resources/selection.js'

export const createFlags = {
  ...fileFlags,
  ...outputFlags,
  ...changeFlags,
  ...managerFlag('kubectl-create'),
  ...recordFlag,
  edit: boolean('Edit the objects before they are created'),
  raw: text('Send the file to this path'),
  'save-config': boolean('Save the object in an annotation, for a later apply'),
  selector: text('Select objects of the files by labels', { short: 'l' }),
  ...lineEndingsFlag,
} as const

export type CreateContext = CommandContext<typeof createFlags>
