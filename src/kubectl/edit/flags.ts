import { boolean } from '../../base/flags/flag-types.js'
import type { FlagTable } from '../../base/flags/flags.js'
import type { CommandContext } from '../command.js'
import type { OutputChoice } from '../printers/output.js'

export const lineEndingsFlag = {
  'windows-line-endings': boolean('Use Windows line endings in the edited file'),
} as const

/** What a command needs to start an editor. */
export interface EditContext extends Pick<CommandContext<FlagTable>, 'factory' | 'line' | 'out' | 'err'> {
  readonly flags: OutputChoice & {
    readonly validate: string
    readonly record: boolean
    readonly 'field-manager': string
    readonly 'windows-line-endings': boolean
    readonly 'save-config'?: boolean
  }
}
