import { recordEvents } from '../definition.js'

/** The account that node-ipam, node-lifecycle and taint-eviction share. */
export const nodeServiceAccount = {
  serviceAccount: 'node-controller',
  rules: [
    'delete get list patch update watch on nodes of core',
    'patch update on nodes/status of core',
    'patch update on pods/status of core',
    'delete get list watch on pods of core',
    recordEvents,
  ],
}
