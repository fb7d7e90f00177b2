import { boolean, signedInteger, text } from '../../base/flags/flag-types.js'
import type { CommandContext } from '../command.js'
import { fileFlags } from '../resources/selection.js'

export const diffFlags = {
  ...fileFlags,
  concurrency: signedInteger('Accepted, and without effect', { initial: 1 }),
  'field-manager': text('Name under which the server would note who owns the fields', {
    initial: 'kubectl-client-side-apply',
  }),
  'force-conflicts': boolean('With --server-side: as if fields were taken over from others'),
  selector: text('Only objects with these labels: app=web,tier in (a,b)', { short: 'l' }),
  'server-side': boolean('Compare with what the server would make of it'),
  'show-managed-fields': boolean('Compare managedFields, too'),
} as const

export type DiffContext = CommandContext<typeof diffFlags>
