import { boolean, csvList, signedDuration, signedInteger, text } from '../../base/flags/flag-types.js'
import { changeFlags, managerFlag, recordFlag } from '../changes/change-flags.js'
import type { CommandContext } from '../command.js'
import { outputFlags } from '../printers/output.js'
import { fileFlags } from '../resources/selection.js'

export const applyFlags = {
  ...fileFlags,
  ...outputFlags,
  ...changeFlags,
  ...managerFlag('kubectl-client-side-apply'),
  ...recordFlag,
  all: boolean('With --prune: consider all objects of the types'),
  cascade: text('How dependents are deleted: background, orphan or foreground', {
    initial: 'background',
    bare: 'background',
  }),
  force: boolean('Delete and create objects again that cannot be changed'),
  'force-conflicts': boolean('With --server-side: take over fields of other managers'),
  'grace-period': signedInteger('With --force: grace period in seconds', { initial: -1 }),
  'openapi-patch': boolean('Read from the server how lists are merged', { initial: true }),
  overwrite: boolean('Overwrite changes that others made to the applied fields', { initial: true }),
  prune: boolean('Delete objects that were applied before and are no longer in the files'),
  'prune-allowlist': csvList('With --prune: types to consider, as group/version/kind'),
  selector: text('Select objects by labels', { short: 'l' }),
  'server-side': boolean('Apply on the server instead of the client'),
  timeout: signedDuration('With --force: how long to wait for the deletion'),
  wait: boolean('With --force: wait until the object is deleted'),
} as const

export type ApplyContext = CommandContext<typeof applyFlags>
