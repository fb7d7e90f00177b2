import { boolean, signedInteger, text } from '../../base/flags/flag-types.js'
import type { CommandContext } from '../command.js'

export const copyFlags = {
  container: text('In this container', { short: 'c' }),
  'no-preserve': boolean('Do not keep owners and permissions of what is copied into a container'),
  retries: signedInteger(
    'How often a copy from a container is resumed that broke off; without end where it is less than 0',
  ),
} as const

export type CopyCall = CommandContext<typeof copyFlags>
