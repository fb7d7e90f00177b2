import { boolean, signedDuration, signedInteger, text } from '../../base/flags/flag-types.js'
import type { CommandContext } from '../command.js'
import type { nodeFlags } from './cordon.js'

export const drainFlags = {
  'chunk-size': signedInteger('How many objects to request at once; 0 for all', { initial: 500 }),
  'delete-emptydir-data': boolean('Also delete pods that use emptyDir volumes; their data is lost'),
  'disable-eviction': boolean('Delete pods instead of evicting them, without regard to disruption budgets'),
  force: boolean('Also delete pods that no controller manages'),
  'grace-period': signedInteger('Grace period in seconds; -1 uses the default of the pod', { initial: -1 }),
  'ignore-daemonsets': boolean('Ignore pods of daemon sets'),
  'pod-selector': text('Select pods by labels'),
  'skip-wait-for-delete-timeout': signedInteger(
    'Do not wait for pods that have been ending for more than so many seconds',
  ),
  timeout: signedDuration('How long to wait; 0 waits without a limit'),
} as const

export type DrainContext = CommandContext<typeof nodeFlags & typeof drainFlags>
