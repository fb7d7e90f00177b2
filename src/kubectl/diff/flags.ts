import type { CommandContext } from '../command.js'
import { integer, text, yesNo } from '../flags/flag.js'
import { fileFlags } from '../resources/selection.js'

export const diffFlags = {
  ...fileFlags,
  concurrency: integer('Accepted, and without effect', { initial: 1 }),
  'field-manager': text('Name under which the server would note who owns the fields', {
    initial: 'kubectl-client-side-apply',
  }),
  'force-conflicts': yesNo('With --server-side: as if fields were taken over from others'),
  selector: text('Only objects with these labels: app=web,tier in (a,b)', { short: 'l' }),
  'server-side': yesNo('Compare with what the server would make of it'),
  'show-managed-fields': yesNo('Compare managedFields, too'),
} as const

export type DiffCall = CommandContext<typeof diffFlags>
