import type { Answer } from '../../answer.js'
import type { VerbScope } from '../../verbs/verb-scope.js'

/** What of a node is asked for. */
export interface NodeTarget {
  readonly nodeName: string
  /** With the query: `/containerLogs/default/web/main?follow=true`. */
  readonly path: string
  /**
   * A log is text that may go on; a connection leaves HTTP; anything else is handed on as it is, there and back.
   */
  readonly as: 'log' | 'connection' | 'proxy'
}

/** Hands a request on to a node's kubelet, and its answer back. */
export type NodeLink = (scope: VerbScope, target: NodeTarget) => Promise<Answer>
