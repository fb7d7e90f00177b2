import type { KubeObject } from '../../api/kube-object.js'
import type { Labels } from './stored-labels.js'

/**
 * An object at one revision: one copy for everyone who reads it, parsed once and encoded once, both on first need. Stored bytes
 * carry no resource version, because they are written before their revision is known; `object` and `bytes` do.
 */
export interface KeptObject {
  /** In the store: `/registry/pods/default/web`. */
  readonly key: string
  /** The revision that wrote it, which is its resource version. Of an object that was deleted: the revision that did it. */
  readonly revision: number
  /** In the version in which it is stored. Deeply read-only: shared by everyone. */
  readonly object: KubeObject
  /** JSON and a line feed, as it is sent. Never changed. */
  readonly bytes: Uint8Array
  /** Those of the object, for which no more of it is parsed than has to be. */
  readonly labels: Labels
  /** Whether a text stands in its JSON. Nothing is parsed for the answer. */
  mentions(text: string): boolean
  /** About how many bytes its JSON has. */
  readonly weight: number
  /** The same content under another revision. */
  at(revision: number): KeptObject
}
