import { timeout } from '../../../api/errors.js'
import type { Clock } from '../../../base/clock.js'
import type { AdmissionRequest } from '../admission.js'

/** Nobody else needs to be asked for a client who has gone, or who is being told just now that it took too long. */
export function checkTime({ context }: AdmissionRequest, clock: Clock): void {
  if (!context) return
  const isLate = context.deadline !== undefined && context.deadline <= clock.now()
  if (isLate || context.request.signal.aborted) throw timeout('request did not complete within requested timeout', 0)
}
