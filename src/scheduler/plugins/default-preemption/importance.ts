import type { PodInfo } from '../../cache/pod-info.js'

/** Sorts after every time: what has not started yet has started last. */
const notYet = '~'

/** When it began to run, as text that sorts. */
export function startTime({ pod }: PodInfo): string {
  return pod.status?.startTime ?? notYet
}

/** The most important first: by priority, and among equals who has run longest. */
export function byImportance(left: PodInfo, right: PodInfo): number {
  if (left.priority !== right.priority) return right.priority - left.priority
  const [one, other] = [startTime(left), startTime(right)]
  return one < other ? -1 : one > other ? 1 : 0
}
