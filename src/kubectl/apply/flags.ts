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
  all: boolean('With --prune: look at all objects of the types'),
  cascade: text('background, orphan or foreground: what becomes of dependents', {
    initial: 'background',
    bare: 'background',
  }),
  force: boolean('Delete and create again what cannot be changed'),
  'force-conflicts': boolean('With --server-side: take fields over from others'),
  'grace-period': signedInteger('With --force: seconds for objects to go', { initial: -1 }),
  'openapi-patch': boolean('Learn from the server how lists merge', { initial: true }),
  overwrite: boolean('Undo what others have changed', { initial: true }),
  prune: boolean('Delete what was applied once and is in the files no more'),
  'prune-allowlist': csvList('With --prune: types to look at, as group/version/kind'),
  selector: text('Labels that objects must have', { short: 'l' }),
  'server-side': boolean('Let the server do it'),
  timeout: signedDuration('With --force: how long to wait for the deletion'),
  wait: boolean('With --force: wait until it is gone'),
} as const

export type ApplyContext = CommandContext<typeof applyFlags>
