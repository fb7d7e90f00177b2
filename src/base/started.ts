import { channel } from 'node:diagnostics_channel'

/**
 * Told when a server or a cluster in this process has started: most functions that a start needs have run by then. A channel of Node,
 * because those who publish and those who subscribe are in different bundles.
 */
export const started = channel('proa:started')
