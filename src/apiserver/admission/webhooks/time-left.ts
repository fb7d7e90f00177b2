import { timeout } from '../../../api/errors.js'
import type { Clock } from '../../../base/clock.js'
import type { AdmissionRequest } from '../admission.js'

/** Nobody else needs to be asked for a client who has gone, or who is being told just now that it took too long. */
export function checkTime({ exchange }: AdmissionRequest, clock: Clock): void {
  if (!exchange) return
  const isLate = exchange.deadline !== undefined && exchange.deadline <= clock.now()
  if (isLate || exchange.request.signal.aborted) throw timeout('request did not complete within requested timeout', 0)
}
