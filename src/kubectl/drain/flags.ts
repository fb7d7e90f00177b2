import type { CommandContext } from '../command.js'
import { duration, integer, text, yesNo } from '../flags/flag.js'
import type { nodeFlags } from './cordon.js'

export const drainFlags = {
  'chunk-size': integer('Objects in a page of a list', { initial: 500 }),
  'delete-emptydir-data': yesNo('Go on where pods have data that goes with them'),
  'disable-eviction': yesNo('Delete pods, whatever disruption budgets say'),
  force: yesNo('Go on where pods have nobody who would make them again'),
  'grace-period': integer('Seconds that pods have to end; their own unless given', { initial: -1 }),
  'ignore-daemonsets': yesNo('Leave pods of daemon sets where they are'),
  'pod-selector': text('Labels that pods must have'),
  'skip-wait-for-delete-timeout': integer('Do not wait for pods that have been ending for more than so many seconds'),
  timeout: duration('How long to wait before giving up; 0 for ever'),
} as const

export type DrainCall = CommandContext<typeof nodeFlags & typeof drainFlags>
