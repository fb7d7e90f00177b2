import type { CommandContext } from '../command.js'
import { integer, text, yesNo } from '../flags/flag.js'

export const copyFlags = {
  container: text('In this container', { short: 'c' }),
  'no-preserve': yesNo('Do not keep owners and permissions of what is copied into a container'),
  retries: integer('How often a copy from a container is resumed that broke off; without end where it is less than 0'),
} as const

export type CopyCall = CommandContext<typeof copyFlags>
