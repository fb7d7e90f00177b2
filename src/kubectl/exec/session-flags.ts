import { boolean, text } from '../../base/flags/flag-types.js'

export const usualKeys = 'ctrl-p,ctrl-q'

/** How one is joined with what runs. */
export const sessionFlags = {
  'detach-keys': text('Keys that leave the container and let it run on', { initial: usualKeys }),
  quiet: boolean('Say nothing but what the container says', { short: 'q' }),
  stdin: boolean('Send standard input to the container', { short: 'i' }),
  tty: boolean('Standard input is a terminal', { short: 't' }),
} as const
