/** What a container said when it was asked once. */
export interface ProbeOutcome {
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

export const success = (output = ''): ProbeOutcome => ({ result: 'success', output })
export const failure = (output: string): ProbeOutcome => ({ result: 'failure', output })
/** More of an answer than this is nobody's business. */
export const longestOutput = 10 * 1024
