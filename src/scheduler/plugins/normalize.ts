import { maxNodeScore } from '../framework/plugin.js'

/** Scales scores in place so that the highest becomes 100: upstream's DefaultNormalizeScore. With `reverse`, the lowest scores best. */
export function normalizeToHighest(scores: Float64Array, { reverse = false } = {}): void {
  let highest = 0
  for (let k = 0; k < scores.length; k++) if (scores[k]! > highest) highest = scores[k]!
  if (highest === 0) {
    if (reverse) scores.fill(maxNodeScore)
    return
  }
  for (let k = 0; k < scores.length; k++) {
    const share = Math.floor((maxNodeScore * scores[k]!) / highest)
    scores[k] = reverse ? maxNodeScore - share : share
  }
}
