import { channel } from 'node:diagnostics_channel'

/**
 * Published when a server or cluster in this process has started: most functions of a start have run by then. It is a channel of Node
 * because publishers and subscribers are in different bundles.
 */
export const started = channel('proa:started')
