import { changingFlags, managerFlag, recordFlag } from '../changes/change-flags.js'
import type { CommandContext } from '../command.js'
import { duration, integer, list, text, yesNo } from '../flags/flag.js'
import { outputFlags } from '../printers/output.js'
import { fileFlags } from '../resources/selection.js'

export const applyFlags = {
  ...fileFlags,
  ...outputFlags,
  ...changingFlags,
  ...managerFlag('kubectl-client-side-apply'),
  ...recordFlag,
  all: yesNo('With --prune: look at all objects of the types'),
  cascade: text('background, orphan or foreground: what becomes of dependents', {
    initial: 'background',
    bare: 'background',
  }),
  force: yesNo('Delete and create again what cannot be changed'),
  'force-conflicts': yesNo('With --server-side: take fields over from others'),
  'grace-period': integer('With --force: seconds for objects to go', { initial: -1 }),
  'openapi-patch': yesNo('Learn from the server how lists merge', { initial: true }),
  overwrite: yesNo('Undo what others have changed', { initial: true }),
  prune: yesNo('Delete what was applied once and is in the files no more'),
  'prune-allowlist': list('With --prune: types to look at, as group/version/kind'),
  selector: text('Labels that objects must have', { short: 'l' }),
  'server-side': yesNo('Let the server do it'),
  timeout: duration('With --force: how long to wait for the deletion'),
  wait: yesNo('With --force: wait until it is gone'),
} as const

export type ApplyCall = CommandContext<typeof applyFlags>
