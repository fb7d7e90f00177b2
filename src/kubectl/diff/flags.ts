import { boolean, signedInteger, text } from '../../base/flags/flag-types.js'
import type { CommandContext } from '../command.js'
import { fileFlags } from '../resources/selection.js'

export const diffFlags = {
  ...fileFlags,
  concurrency: signedInteger('Accepted for compatibility; has no effect', { initial: 1 }),
  'field-manager': text('Name of the field manager', {
    initial: 'kubectl-client-side-apply',
  }),
  'force-conflicts': boolean('With --server-side: take over fields of other managers'),
  selector: text('Select objects by labels: app=web,tier in (a,b)', { short: 'l' }),
  'server-side': boolean('Compare with the result of a server-side apply'),
  'show-managed-fields': boolean('Include managedFields in the comparison'),
} as const

export type DiffContext = CommandContext<typeof diffFlags>
