import type { CachedObject } from './cached-object.js'
import type { ChangeEvent } from './object-store.js'

/** What a change of an object means to a reader that sees only some objects. */
export type ChangeView =
  /** The change itself. */
  | 'change'
  /** The object was there before, but the reader sees it for the first time. */
  | 'appearance'
  /** The object is still there, but the reader sees it no longer. */
  | 'disappearance'
  /** Nothing. */
  | 'hidden'

/** Decides what a change means to a reader that sees only objects for which `isSeen` returns true. */
export function changeView(event: ChangeEvent, isSeen: (object: CachedObject) => boolean): ChangeView {
  const sees = isSeen(event.object)
  if (event.type === 'delete') return sees ? 'change' : 'hidden'
  const { previous } = event
  const saw = previous !== undefined && isSeen(previous)
  if (sees) return saw || !previous ? 'change' : 'appearance'
  return saw ? 'disappearance' : 'hidden'
}

/** The object that a reader sees deleted by a `disappearance`: as it was, with the revision of the change. */
export function disappearedObject(event: ChangeEvent): CachedObject {
  const before = event.type === 'put' ? event.previous! : event.object
  return before.at(event.object.revision)
}
