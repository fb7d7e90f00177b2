import type { Pod } from '../../api/core/v1/pod.js'
import { VirtualClock } from '../../base/virtual-clock.js'
import { type ClusterEvent, queueingHint } from '../framework/cluster-event.js'
import type { SchedulerPlugin } from '../framework/plugin.js'
import { sampleNode, samplePod, sampleProfile } from '../scheduler.test.kit.js'
import { SchedulingQueue, type SchedulingQueueOptions } from './scheduling-queue.js'

/** Waits for changed node labels. */
const labels: SchedulerPlugin = { name: 'Labels', queueingHints: [queueingHint('Node', ['labels'])] }

/** Waits for deleted pods outside of the namespace `other`. */
const room: SchedulerPlugin = {
  name: 'Room',
  queueingHints: [queueingHint('AssignedPod', ['deleted'], (_, { object }) => object.metadata.namespace !== 'other')],
}

/** Has no hints: waits for any event. */
const vague: SchedulerPlugin = { name: 'Vague' }

/** Has a hint that throws. */
const broken: SchedulerPlugin = {
  name: 'Broken',
  queueingHints: [
    queueingHint('Namespace', ['added'], () => {
      throw new Error('broken')
    }),
  ],
}

export interface QueueHarness {
  readonly clock: VirtualClock
  readonly queue: SchedulingQueue
}

/** A queue on a virtual clock, with the plugins above. */
export function startQueue(options: SchedulingQueueOptions = {}): QueueHarness {
  const clock = new VirtualClock()
  const sample = sampleProfile()
  const profile = { ...sample, filter: [...sample.filter, labels, room, vague, broken] }
  return { clock, queue: new SchedulingQueue(clock, new Map([['default-scheduler', profile]]), options) }
}

export const labelsChanged: ClusterEvent = {
  resource: 'Node',
  actions: ['labels'],
  object: sampleNode('na', { labels: { new: 'label' } }),
  old: sampleNode('na'),
}

export const nodeAdded: ClusterEvent = { resource: 'Node', actions: ['added'], object: sampleNode('na') }

export function podDeleted(namespace = 'default'): ClusterEvent {
  const object: Pod = samplePod('deleted', { metadata: { namespace }, spec: { nodeName: 'na' } })
  return { resource: 'AssignedPod', actions: ['deleted'], object }
}
