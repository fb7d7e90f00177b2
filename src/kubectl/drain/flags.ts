import { boolean, signedDuration, signedInteger, text } from '../../base/flags/flag-types.js'
import type { CommandContext } from '../command.js'
import type { nodeFlags } from './cordon.js'

export const drainFlags = {
  'chunk-size': signedInteger('Objects in a page of a list', { initial: 500 }),
  'delete-emptydir-data': boolean('Go on where pods have data that goes with them'),
  'disable-eviction': boolean('Delete pods, whatever disruption budgets say'),
  force: boolean('Go on where pods have nobody who would make them again'),
  'grace-period': signedInteger('Seconds that pods have to end; their own unless given', { initial: -1 }),
  'ignore-daemonsets': boolean('Leave pods of daemon sets where they are'),
  'pod-selector': text('Labels that pods must have'),
  'skip-wait-for-delete-timeout': signedInteger(
    'Do not wait for pods that have been ending for more than so many seconds',
  ),
  timeout: signedDuration('How long to wait before giving up; 0 for ever'),
} as const

export type DrainContext = CommandContext<typeof nodeFlags & typeof drainFlags>
