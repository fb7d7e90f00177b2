/** What a container said when it was asked once. */
export interface ProbeResult {
  /** A warning counts as success, and is told. */
  readonly result: 'success' | 'warning' | 'failure'
  /** For people, as it stands in the event. */
  readonly output: string
}

/** The container could not be asked, so that nothing is known. */
export class ProbeError extends Error {
  override readonly name = 'ProbeError'
  readonly state: 'unknown' | 'failure'

  constructor(message: string, state: 'unknown' | 'failure' = 'unknown') {
    super(message)
    this.state = state
  }
}

export const probeSuccess = (output = ''): ProbeResult => ({ result: 'success', output })
export const probeFailure = (output: string): ProbeResult => ({ result: 'failure', output })
/** More of an answer than this is nobody's business. */
export const longestOutput = 10 * 1024
