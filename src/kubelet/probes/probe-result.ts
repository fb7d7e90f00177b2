/** The result of one probe. */
export interface ProbeResult {
  /** A warning counts as success, and is recorded as an event. */
  readonly result: 'success' | 'warning' | 'failure'
  /** Text for the event. */
  readonly output: string
}

/** The probe could not run, so its result is unknown. */
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
/** Maximum bytes of a probe's output. */
export const longestOutput = 10 * 1024
