import type { Pod } from '../../api/core/v1/pod.js'
import { VirtualClock } from '../../base/virtual-clock.js'
import { type ClusterEvent, interest } from '../framework/cluster-event.js'
import type { Plugin } from '../framework/plugin.js'
import { sampleNode, samplePod, sampleProfile } from '../scheduler.test.kit.js'
import { type QueueOptions, SchedulingQueue } from './scheduling-queue.js'

/** Refuses, and waits for labels of nodes. */
const labels: Plugin = { name: 'Labels', interests: [interest('Node', ['labels'])] }

/** Waits for pods to leave, unless they are of the namespace `other`. */
const room: Plugin = {
  name: 'Room',
  interests: [interest('AssignedPod', ['deleted'], (_, { object }) => object.metadata.namespace !== 'other')],
}

/** Does not say what it waits for. */
const vague: Plugin = { name: 'Vague' }

/** Fails when it is asked whether an event matters. */
const broken: Plugin = {
  name: 'Broken',
  interests: [
    interest('Namespace', ['added'], () => {
      throw new Error('broken')
    }),
  ],
}

export interface Bench {
  readonly clock: VirtualClock
  readonly queue: SchedulingQueue
}

/** A queue with plugins that wait for simple things, on a clock that stands still. */
export function startQueue(options: QueueOptions = {}): Bench {
  const clock = new VirtualClock()
  const usual = sampleProfile()
  const profile = { ...usual, filters: [...usual.filters, labels, room, vague, broken] }
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
