import type { Pod } from '../../api/core/v1/pod.js'
import { VirtualClock } from '../../base/virtual-clock.js'
import { type ClusterEvent, queueingHint } from '../framework/cluster-event.js'
import type { SchedulerPlugin } from '../framework/plugin.js'
import { sampleNode, samplePod, sampleProfile } from '../scheduler.test.kit.js'
import { SchedulingQueue, type SchedulingQueueOptions } from './scheduling-queue.js'

/** Refuses, and waits for labels of nodes. */
const labels: SchedulerPlugin = { name: 'Labels', queueingHints: [queueingHint('Node', ['labels'])] }

/** Waits for pods to leave, unless they are of the namespace `other`. */
const room: SchedulerPlugin = {
  name: 'Room',
  queueingHints: [queueingHint('AssignedPod', ['deleted'], (_, { object }) => object.metadata.namespace !== 'other')],
}

/** Does not say what it waits for. */
const vague: SchedulerPlugin = { name: 'Vague' }

/** Fails when it is asked whether an event matters. */
const broken: SchedulerPlugin = {
  name: 'Broken',
  queueingHints: [
    queueingHint('Namespace', ['added'], () => {
      throw new Error('broken')
    }),
  ],
}

export interface Bench {
  readonly clock: VirtualClock
  readonly queue: SchedulingQueue
}

/** A queue with plugins that wait for simple things, on a clock that stands still. */
export function startQueue(options: SchedulingQueueOptions = {}): Bench {
  const clock = new VirtualClock()
  const usual = sampleProfile()
  const profile = { ...usual, filter: [...usual.filter, labels, room, vague, broken] }
  return { clock, queue: new SchedulingQueue(clock, new Map([['default-scheduler', profile]]), options) }
}

export const labelsChanged: ClusterEvent = {
  resource: 'Node',
  actions: ['labels'],
  object: sampleNode('na', { labels: { new: 'label' } }),
  old: sampleNode('na'),
}

export const nodeAdded: ClusterEvent = { resource: 'Node', actions: ['added'], object: sampleNode('na') }

export function podLeft(namespace = 'default'): ClusterEvent {
  const object: Pod = samplePod('left', { metadata: { namespace }, spec: { nodeName: 'na' } })
  return { resource: 'AssignedPod', actions: ['deleted'], object }
}
